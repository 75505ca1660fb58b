"""Confidential: host paths, secrets and personal addresses in text that is about to be published. Comes in: text. Goes out: finds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address


@dataclass(frozen=True, slots=True)
class Find:
    """What stands in a text and should not: the rule it breaks, the words, and what to write instead."""

    rule: str
    words: str
    expected: str
    hint: str


def _octets(words: str) -> bool:
    return all(int(part) < 256 for part in words.split("."))


_EDGE = r"(?:\b|(?<=\\[bfnrt]))"
"""Where a word begins: also behind an escaped line break, as JSON writes it."""

_PATTERNS: tuple[tuple[str, re.Pattern[str], str, str], ...] = (
    (
        "text.host-path",
        re.compile(
            r"(?:(?:(?<![\w.-])|(?<=\\[bfnrt]))/(?:home|Users|root)/|\b[A-Za-z]:[\\/]{1,2}Users[\\/])[^\s\"',;:]*"
            r"|file://[^\s\"',;]*"
        ),
        "no path of the measuring machine is published",
        "write it relative to the repository, or leave it out",
    ),
    (
        "text.secret",
        re.compile(
            _EDGE + r"(?:hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{16,}"
            r"|github_pat_[A-Za-z0-9_]{16,}|AKIA[A-Z0-9]{16}\b|xox[abprs]-[A-Za-z0-9-]{10,}"
            r"|Bearer\s+[A-Za-z0-9._~+/-]{12,})"
            r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
        ),
        "no key, token or password is published",
        "remove it, and revoke it: it has been in a file",
    ),
    (
        "text.email",
        re.compile(
            r"(?<![A-Za-z0-9._%+-])(?<!//)[A-Za-z0-9._%+-]+@(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b"
        ),
        "no e-mail address is published",
        "leave it out; a public profile can be linked on the card",
    ),
    (
        "text.network-address",
        re.compile(r"(?<![\w.])(?<!ersion )(?<!elease )(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)"),
        "no network address of a machine is published",
        "leave it out, or write the role of the machine",
    ),
)
_PUBLIC = {IPv4Address("127.0.0.1"), IPv4Address("0.0.0.0")}  # says nothing about anybody
RULES = tuple(rule for rule, _, _, _ in _PATTERNS)


def finds(text: str) -> Iterator[Find]:
    """Everything in `text` that is not for publication, in the order of the rules."""
    for rule, pattern, expected, hint in _PATTERNS:
        for match in pattern.finditer(text):
            words = match.group()
            if rule == "text.network-address" and (not _octets(words) or IPv4Address(words) in _PUBLIC):
                continue
            shown = f"{words[:6]}…" if rule == "text.secret" else words  # a build log is public as well
            yield Find(rule, shown, expected, hint)


_HEADS: dict[str, tuple[bytes, ...]] = {
    "text.host-path": (b"/home/", b"/Users/", b"/root/", b"file://", b":\\Users", b":\\\\Users", b":/Users"),
    "text.secret": (
        *(b"hf_", b"sk-", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_", b"AKIA"),
        *(b"xoxa-", b"xoxb-", b"xoxp-", b"xoxr-", b"xoxs-", b"Bearer", b"-----BEGIN "),
    ),
}
"""How the words of a rule begin; a drive letter stands before the colon."""

_BYTE_PATTERNS = {rule: re.compile(pattern.pattern.encode()) for rule, pattern, _, _ in _PATTERNS if rule in _HEADS}


def first_finds(raw: bytes) -> Iterator[tuple[Find, int]]:
    """The first host path and the first secret in a file's bytes, each with its offset.

    Every word is looked for by its first letters, at the speed of a search for bytes, so that a tool's large original stays cheap.
    """
    for rule, _, expected, hint in _PATTERNS:
        spans = [span for head in _HEADS.get(rule, ()) if (span := _first(raw, head, _BYTE_PATTERNS[rule]))]
        if spans:
            start, end = min(spans)
            words = raw[start:end].decode("utf-8", "backslashreplace")
            yield Find(rule, f"{words[:6]}…" if rule == "text.secret" else words, expected, hint), start


def _first(raw: bytes, head: bytes, pattern: re.Pattern[bytes]) -> tuple[int, int] | None:
    at = raw.find(head)
    while at >= 0:
        found = pattern.match(raw, max(at - 1, 0) if head.startswith(b":") else at)
        if found:
            return found.span()
        at = raw.find(head, at + 1)
    return None
