"""Table: the cells of Markdown tables, each read with the header of its column and the label of its row.

Comes in: Markdown. Goes out: sentences that say what a reader understands: a cell '98' below 'tok/s' says '98 tok/s'.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

from proofpress.language.numeral import DIGITS, SIGNS, SPELLED
from proofpress.language.speed import unit_in

_PARSER = MarkdownIt("js-default", {"html": False, "linkify": False})
_NUMBER = rf"(?:{DIGITS}|{SPELLED})"
_BARE = re.compile(
    rf"(?:[^\w.,\s]|about|around|up\sto|over|c\.|x|\s)*(?P<numbers>{_NUMBER}(?:\s?(?:[-–—/±]|to|and|,\s)\s?{_NUMBER})*)(?P<kind>\s?(?:%|x\b|×))?(?![\w.,])",
    re.IGNORECASE,
)
_OWN_UNIT = re.compile(
    r"\s?(?:[a-zµ]+/|tok|ms|s|seconds?|[kmgt]i?b|w|users?|cards?|servers?|prompts?|requests?)\b", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\b(?:users?|samples?|requests?|passes|prompts?|runs?|cards?|servers?|depth|context)\b", re.IGNORECASE
)
_RATIO_WORD = re.compile(r"\b(?:faster|slower|speed-?up)\b", re.IGNORECASE)
_SAMENESS_WORD = re.compile(r"\b(?:exact|identical|equal|match(?:es|ed)?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell that begins with a number."""

    line: int
    """The line of its row, from 0."""
    words: str
    said: str
    """What it says together with its header and its label, as sentences."""


def cells(markdown: str) -> Iterator[Cell]:
    """The cells whose numbers get their meaning from a header or a label."""
    if "|" not in markdown:
        return
    header: list[str] = []
    row: list[str] = []
    line, in_head, in_row = 0, False, False
    for token in _PARSER.parse(markdown):
        if token.type in {"thead_open", "thead_close"}:
            in_head = token.type == "thead_open"
        elif token.type == "tr_open":
            row, line, in_row = [], token.map[0] if token.map else line, True
        elif token.type == "inline" and in_row:
            row.append("".join(part.content for part in token.children or () if part.type in {"text", "code_inline"}))
        elif token.type == "tr_close":
            in_row = False
            if in_head:
                header = row
            else:
                yield from _in_row(line, row, header)


def _in_row(line: int, row: list[str], header: list[str]) -> Iterator[Cell]:
    users = next((cell for head, cell in zip(header, row, strict=False) if _is_users(head, cell)), "").strip()
    at = f" at {users} users" if users else ""
    for column, written in enumerate(row):
        words = unicodedata.normalize("NFKC", written).translate(SIGNS)
        bare = _BARE.match(words)
        if bare is not None:
            said = "\n\n".join(_said(bare, header[column], row[0] if column else "", words[bare.end() :], at))
            if said:
                yield Cell(line, written, said)


def _is_users(head: str, cell: str) -> bool:
    return re.search(r"\busers?\b", head, re.IGNORECASE) is not None and cell.strip().isdecimal()


def _said(bare: re.Match[str], above: str, label: str, rest: str, at: str) -> Iterator[str]:
    names = re.sub(r"[:=]", " ", f"{above} {label}")
    unit = unit_in(above) or ("" if _COUNTED.search(above) else unit_in(names))
    numbers = re.findall(_NUMBER, bare["numbers"], re.IGNORECASE)
    if unit and not bare["kind"] and not _OWN_UNIT.match(rest):
        yield from (f"{number} {unit}{at}, {names}" for number in numbers)
    ratio = _RATIO_WORD.search(above) or _RATIO_WORD.search(label)
    if ratio:
        kind = bare["kind"] or ("%" if "%" in names else "x")
        yield from (f"{number}{kind} {ratio[0]}" for number in numbers)
    if _SAMENESS_WORD.search(names):
        yield f"{bare['numbers']} exact"
