"""Speed: numbers with a unit of pace, or of time where the sentence is about waiting for a model.

Comes in: words. Goes out: each number with its unit. Whether it is true is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from proofpress.language.numeral import DIGITS, SPELLED, figure
from proofpress.language.sentence import in_sentence

# Each pattern starts at a number and looks a bounded way ahead, so a text of nothing but digits costs no more than any other.
_NUMBER = rf"(?:{DIGITS}|{SPELLED})"
GAP = r"[\s*_`~-]{0,6}"
"""Markdown may stand between a number and its unit: **98.1** tok/s."""
_TOKEN = r"(?:tok(?:en)?s?|words?|t)"
_PERIOD = r"(?:s(?:ec(?:ond)?s?)?|min(?:ute)?s?|h(?:r|rs|ours?)?)"
_PACE = (
    r"(?:(?:output|generated|new|prompt|input|completion|decoded?|prefill)\s){0,2}"
    rf"(?:{_TOKEN}[\s*_`]{{0,3}}/\s?{_PERIOD}\b"
    rf"|{_TOKEN}[\s·.*]{{1,3}}(?:s|sec|min|h)\s?\^?[-−⁻][1¹]"
    rf"|{_TOKEN}[\s_-](?:per|an?|each|every|in\s(?:an?|one|each|every))[\s_-]{_PERIOD}\b"
    r"|tps\b)"
)
_RATE = re.compile(
    rf"(?<![\w.,])x?(?P<number>{_NUMBER})\+?{GAP}[(\[]?(?P<scale>(?:k|hundred|thousand|million)\b{GAP})?(?P<unit>{_PACE}"
    r"|(?:(?-i:ms|s|us|µs|μs)|msecs?|milliseconds?|secs?|seconds?)\s?(?:/|\sper\s|per\s|an?\s|for\s(?:each|every|an?)\s)\s?(?:output\s)?tok(?:en)?s?\b"
    r"|(?-i:(?:ms|us|µs|μs)\b|msecs?\b)|microseconds?\b|milliseconds?\b|(?-i:s\b)|secs?\b|seconds?\b)",
    re.IGNORECASE,
)
FACT_RATE = re.compile(rf"\[\[fact [^\[\]\n]{{1,200}}\]\]{GAP}{_PACE}", re.IGNORECASE)
_IS = r"""[)\]*_`"']{0,4}(?:\s?[:=]|\s(?:of|is|are|was|were))[\s*_`"']{0,40}"""
_RATE_BEHIND = re.compile(
    rf"(?<![A-Za-z0-9/])(?P<unit>{_PACE}|[a-z]{{3,12}}_throughput){_IS}"
    rf"(?P<number>{DIGITS}|{SPELLED}(?=[\s*_`]{{0,4}}(?:[.,;)]|$)))",
    re.IGNORECASE | re.MULTILINE,
)
_BARE_BEHIND = re.compile(
    rf"\b(?:throughput|(?:decod(?:e|ing)|generation|prefill|token|output)\s(?:speed|rate))[)\]*_`]{{0,4}}\s?[:=][\s*_`]{{0,8}}(?P<number>{DIGITS})"
    r"(?=[\s*_`]{0,4}(?:[.,;)|]|$))",
    re.IGNORECASE | re.MULTILINE,
)
"""A throughput without any unit is one all the same."""
_TIME_BEHIND = re.compile(
    r"(?<![a-z])(?:ttft|latency|first[ -]token)[a-z0-9_ ]{0,20}?[\s_]?[(\[]?(?<![a-z])(?P<unit>(?-i:ms|s)|seconds|milliseconds)"
    rf"""[)\]*_`"']{{0,4}}\s?[:=][\s*_`"']{{0,40}}(?P<number>{DIGITS})""",
    re.IGNORECASE,
)
_RANGE_BEFORE = re.compile(
    rf"(?<![\w.,-])(?P<low>{_NUMBER})(?:[-–—]|\sto\s)$|\bbetween\s(?P<least>{_NUMBER})\sand\s$", re.IGNORECASE
)
_SCALES = {"k": 3, "hundred": 2, "thousand": 3, "million": 6}
_TIME_WORD = re.compile(
    r"first[ -]token|ttft|latenc|respon[sd]|wait|prefill|answer"
    r"|\btok(?:en)?s?\s(?:takes?|took|costs?|needs?|needed|comes?|came|arrives?|arrived|appears?|every|each)\b|\b(?:every|each)\stok(?:en)?\b",
    re.IGNORECASE,
)
_PER_TOKEN = re.compile(r"^(?:ms|s|us|µs|μs|milli|micro).*tok")
_OTHER_PACE = re.compile(r"word|[\s/_-](?:min|h)")
_FIRST_TOKEN = re.compile(r"first[ -]token|ttft", re.IGNORECASE)
_SECOND_OF_A_ROW = re.compile(r"\s(?:pass|run|server|user|time|prompt|request|token|try)", re.IGNORECASE)
_UNIT = re.compile(
    rf"(?<![A-Za-z0-9/])(?:(?P<pace>{_PACE})|(?P<time>(?-i:ms|s)\b|milliseconds|seconds))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Speed:
    """One number, or both ends of a range, with its unit: 'tok/s', 'ms', 's', 'µs', 'ms per token', or 'other'."""

    start: int
    words: str
    numbers: tuple[str, ...]
    """In digits; empty where the words leave the number open, as in 'hundreds of'."""
    unit: str
    scale: int = 0
    """Powers of ten: 3 for 98k."""

    @property
    def is_pace(self) -> bool:
        return self.unit in {"tok/s", "other", "ms per token"}


def speeds(words: str) -> Iterator[Speed]:
    """Every number with a unit of speed or of waiting; the number may follow, as in a table: tok/s: 98.1."""
    taken: set[int] = set()
    for match in _RATE.finditer(words):
        unit = _unit(match, words)
        if unit is not None:
            taken.add(match.end("unit"))
            before = _RANGE_BEFORE.search(words[max(0, match.start() - 60) : match.start()])
            low = [before["low"] or before["least"]] if before else []
            scale = _SCALES[match["scale"].strip(" *_`~-\n").lower()] if match["scale"] else 0
            numbers = tuple(map(figure, (match["number"], *low)))
            yield Speed(match.start(), match[0], numbers, unit, scale)
    for match in _RATE_BEHIND.finditer(words):
        if match.end("unit") not in taken:
            yield Speed(match.start(), match[0], (figure(match["number"]),), _unit(match, words) or "tok/s")
    for match in _BARE_BEHIND.finditer(words):
        yield Speed(match.start(), match[0], (figure(match["number"]),), "tok/s")
    for match in _TIME_BEHIND.finditer(words):
        unit = "ms" if match["unit"].lower().startswith("m") else "s"
        yield Speed(match.start(), match[0], (figure(match["number"]),), unit)


def unit_in(words: str) -> str:
    """The unit that a table's header or a row's label gives to bare numbers, as written; empty where it gives none."""
    for match in _UNIT.finditer(words):
        if match["pace"] or _TIME_WORD.search(words):
            return match[0]
    return ""


def _unit(match: re.Match[str], words: str) -> str | None:
    """The unit of a number in prose; None where it is a time that nobody waited for a model."""
    written, position = match["unit"].lower(), match.start()
    if _PER_TOKEN.search(written):
        return "ms per token"
    if written.startswith(("us", "µs", "μs", "micro")):
        return "µs" if in_sentence(_TIME_WORD, words, position) else None
    if written.startswith("m"):
        return "ms" if in_sentence(_TIME_WORD, words, position) else None
    if written.startswith("s"):
        if written == "second" and match["number"][0].isalpha() and _SECOND_OF_A_ROW.match(words, match.end()):
            return None
        return "s" if in_sentence(_FIRST_TOKEN, words, position) else None
    return "other" if _OTHER_PACE.search(written) else "tok/s"
