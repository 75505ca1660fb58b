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


_PATTERNS: tuple[tuple[str, re.Pattern[str], str, str], ...] = (
    (
        "text.host-path",
        re.compile(r"(?:(?<![\w.-])/(?:home|Users|root)/|\b[A-Za-z]:[\\/]Users[\\/])[^\s\"',;:]*|file://[^\s\"',;]*"),
        "no path of the measuring machine is published",
        "write it relative to the repository, or leave it out",
    ),
    (
        "text.secret",
        re.compile(
            r"\bhf_[A-Za-z0-9]{16,}|\bsk-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_[A-Za-z0-9_]{16,}"
            r"|\bAKIA[A-Z0-9]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bBearer\s+[A-Za-z0-9._~+/-]{12,}"
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
