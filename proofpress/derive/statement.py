"""Statement: what prose says that somebody measured: a number with its unit, a count, a level, a ratio, a claim of equal outputs.

Comes in: words. Goes out: matches. Whether a statement is true is not asked here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from proofpress.derive.reference import REFERENCE

# What prose says about measurements. Each pattern starts at a number and looks a bounded way ahead, so a text of
# nothing but digits costs no more than any other.
_DIGITS = r"\d(?:[\d.,]{0,30}\d)?(?:e[+-]?\d{1,3})?"
_NUMBER = rf"(?<![\w.,])(?P<number>{_DIGITS})"
_GAP = r"[\s*_`~-]{0,6}"  # Markdown may stand between a number and its unit: **98.1** tok/s
_TOKEN = r"(?:tok(?:en)?s?|words?|t)"
_PERIOD = r"(?:s(?:ec(?:ond)?s?)?|min(?:ute)?s?|h(?:r|rs|ours?)?)"
_PACE = (
    r"(?:(?:output|generated|new|prompt|input|completion|decoded?|prefill)\s){0,2}"
    rf"(?:{_TOKEN}[\s*_`]{{0,3}}/\s?{_PERIOD}\b"
    rf"|{_TOKEN}[\s·.*]{{1,3}}(?:s|sec|min|h)\s?\^?[-−⁻][1¹]"
    rf"|{_TOKEN}[\s-](?:per|an?|each|every|in\s(?:an?|one|each|every))[\s-]{_PERIOD}\b"
    r"|tps\b)"
)
_RATE = re.compile(
    rf"(?<![\w.,])x?(?P<number>{_DIGITS})\+?{_GAP}[(\[]?(?P<scale>(?:k|thousand|million)\b{_GAP})?(?P<unit>{_PACE}"
    r"|(?:(?-i:ms|s|us|µs|μs)|msecs?|milliseconds?|secs?|seconds?)\s?(?:/|\sper\s|per\s|an?\s|for\s(?:each|every|an?)\s)\s?(?:output\s)?tok(?:en)?s?\b"
    r"|(?-i:(?:ms|us|µs|μs)\b|msecs?\b)|microseconds?\b|milliseconds?\b|(?-i:s\b)|secs?\b|seconds?\b)",
    re.IGNORECASE,
)
FACT_RATE = re.compile(rf"\[\[fact [^\[\]\n]{{1,200}}\]\]{_GAP}{_PACE}", re.IGNORECASE)
_RATE_BEHIND = re.compile(
    rf"(?<![\w/])(?P<unit>{_PACE})[)\]*_`]{{0,4}}(?:\s?[:=]|\s(?:of|is|are|was|were))[\s*_`]{{0,6}}(?P<number>{_DIGITS})",
    re.IGNORECASE,
)
RANGE_BEFORE = re.compile(rf"(?<![\w.,-])({_DIGITS})(?:[-–—]|\sto\s)$")
SCALES = {"k": 3, "thousand": 3, "million": 6}
_TIME_WORD = re.compile(r"first[ -]token|ttft|latenc|respon[sd]|wait|prefill|answer", re.IGNORECASE)
_PER_TOKEN = re.compile(r"^(?:ms|s|us|µs|μs|milli|micro).*tok")
_OTHER_PACE = re.compile(r"word|[\s/-](?:min|h)")
_FIRST_TOKEN = re.compile(r"first[ -]token|ttft", re.IGNORECASE)
FRACTION = re.compile(
    r"(?<![\w/.,-])(?P<matched>\d{1,6})(?:/|[ -](?:out )?of[ -])(?P<total>\d{1,6})(?![\w/]|[.,]\d)"
    r"(?!\s(?:layers?|experts?|heads?|cards?|gpus?|accelerators?|hosts?|servers?|slots?|blocks?|bits?|gib|gb)\b)",
    re.IGNORECASE,
)
IDENTITY_WORD = re.compile(r"exact|identi|match|equal|differ|oracle|qualif", re.IGNORECASE)
THROUGH = re.compile(
    r"(?:exact|identical|qualified|equal|matched|matching)\s(?:even\s)?(?:through|up to|until|to|at|for up to|for|with up to|with)\s"
    r"(?:c(?P<short>\d{1,6})\b|(?P<users>\d{1,6})\s(?:concurrent|users?|streams?|requests?|sessions?|at once))",
    re.IGNORECASE,
)
WHOLLY = re.compile(
    r"(?<!not )(?<!never )(?<!no longer )(?:\b(?:bit[- ]identical|bit[- ]for[- ]bit|bit[- ]exact|lossless(?:ly)?)\b(?!\scompress)"
    r"|\bno outputs? (?:ever )?differ(?:s|ed)?\b|\bnone of the outputs differ(?:s|ed)?\b"
    r"|\b100(?:\.0{1,3})?(?:\s?%|\spercent) of (?:the |all |its )?outputs?\b)",
    re.IGNORECASE,
)
AT_EVERY_NUMBER = re.compile(r"\bat (?:every|any|all) numbers? of (?:concurrent )?users\b", re.IGNORECASE)
SAME = re.compile(r"\b(?:exact|identical|equal|same|matched|lossless)\b", re.IGNORECASE)
SLOWER = {"slower", "lower", "less", "fewer"}
OF_THE_WHOLE = {"as fast", "the speed", "the throughput", "as quick", "as much", "as many"}
_KIND = r"(?P<kind>\s?%|\s?percent|-?\s?x\b|\s?×|[\s-]times\b|-?fold)"
RATIO = re.compile(
    rf"{_NUMBER}{_KIND}{_GAP}"
    r"(?P<word>faster|quicker|slower|speed-?ups?|as fast|as quick|the speed|the throughput"
    r"|higher|lower|greater|more|less|fewer|as much|as many|increase|improvement|gain)\b",
    re.IGNORECASE,
)
RATIO_BEHIND = re.compile(
    rf"(?P<word>faster|quicker|slower|speed-?up)\s(?:of|by)\s(?:about |around |roughly )?(?P<number>{_DIGITS}){_KIND}",
    re.IGNORECASE,
)
SMALL = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
SMALL |= {
    "twice": 2,
    "double": 2,
    "doubl": 2,
    "thrice": 3,
    "triple": 3,
    "tripl": 3,
    "quadrupl": 4,
    "half": 2,
    "halv": 2,
}
_PACE_WORD = r"(?:speed|throughput|performance|latency|token rate|decode rate)\b"
_UP_TO_TEN = "two|three|four|five|six|seven|eight|nine|ten"
_OF_PACE = rf"(?:(?:the|its|their|of|a|decode|decoding|aggregate)\s){{0,3}}{_PACE_WORD}"
RATIO_IN_WORDS = re.compile(
    rf"\b(?P<number>{_UP_TO_TEN})(?:[\s-]times|-?fold|x)\s(?:as\s(?:fast|quick)|faster|quicker|slower|{_OF_PACE})"
    rf"|\b(?P<once>twice|thrice|double|triple|half)\s(?:as\s(?:fast|quick)|{_OF_PACE})"
    rf"|\b(?P<verb>doubl|tripl|quadrupl|halv)(?:es?|ed|ing)\s{_OF_PACE}"
    rf"|\b(?:faster|quicker|slower|higher|speed-?up)\s(?:by|of)\sa\sfactor\sof\s(?:about\s|around\s)?(?P<factor>{_DIGITS}|{_UP_TO_TEN})\b"
    rf"|(?<![\w.,])(?P<times>{_DIGITS})(?:\s?[x×]|[\s-]times|-?fold)\s(?:{_OF_PACE}|(?:vllm|sglang|llama\.?cpp|ollama|transformers|tensorrt|the\sbaseline)\b)",
    re.IGNORECASE,
)
SPEED_WORD = re.compile(r"speed|fast|tok|throughput|rate|latenc|first token|decod|prefill|aggregate", re.IGNORECASE)
NEEDS_SPEED_WORD = {
    "higher",
    "lower",
    "greater",
    "more",
    "less",
    "fewer",
    "as much",
    "as many",
    "increase",
    "improvement",
    "gain",
}


def rates(words: str) -> Iterator[tuple[re.Match[str], str]]:
    """Every number with a unit of speed or of waiting, and the unit; the number may follow, as in a table: tok/s: 98.1."""
    taken: set[int] = set()
    for match in _RATE.finditer(words):
        unit = _unit(match["unit"], words, match.start())
        if unit is not None:
            taken.add(match.end("unit"))
            yield match, unit
    for match in _RATE_BEHIND.finditer(words):
        if match.end("unit") not in taken:
            yield match, _unit(match["unit"], words, match.start()) or "tok/s"


def _unit(written: str, words: str, position: int) -> str | None:
    """The unit of a number in prose; None where it is a time that nobody waited for a model."""
    written = written.lower()
    if _PER_TOKEN.search(written):
        return "ms per token"
    if written.startswith(("us", "µs", "μs", "micro")):
        return "µs" if in_sentence(_TIME_WORD, words, position) else None
    if written.startswith("m"):
        return "ms" if in_sentence(_TIME_WORD, words, position) else None
    if written.startswith("s"):
        return "s" if in_sentence(_FIRST_TOKEN, words, position) else None
    return "other" if _OTHER_PACE.search(written) else "tok/s"


def stated(words: str) -> Iterator[str]:
    """The measured numbers, counts, ranges and ratios that a piece of prose states, and its references, as written."""
    yield from (match[0] for match in REFERENCE.finditer(words))
    rest = REFERENCE.sub(lambda match: " " * len(match[0]), words)
    yield from (match[0].strip() for match, _ in rates(rest))
    for pattern in (THROUGH, RATIO, RATIO_BEHIND, RATIO_IN_WORDS, WHOLLY):
        yield from (match[0].strip() for match in pattern.finditer(rest))
    for match in FRACTION.finditer(rest):
        if in_sentence(IDENTITY_WORD, rest, match.start()):
            yield match[0]


_SENTENCE_REACH = 400
"""Characters on either side of a word in which the rest of its sentence is looked for."""
_SENTENCE_END = re.compile(r"[.!?] |\n\n")


def in_sentence(word: re.Pattern[str], words: str, position: int) -> bool:
    """Whether `word` stands in the sentence around `position`."""
    start, end = max(0, position - _SENTENCE_REACH), position + _SENTENCE_REACH
    found = _spans(word, words)
    nearest = bisect_left(found, position)
    for at in (*found[nearest : nearest + 1], *found[max(0, nearest - 1) : nearest]):
        first, last = min(at, position), max(at, position)
        if start <= at <= end and not _SENTENCE_END.search(words, first, last):
            return True
    return False


_CLAUSE_END = re.compile(r"; | but | while | whereas ", re.IGNORECASE)


def around(words: str, position: int) -> tuple[str, str]:
    """The clause and the sentence around `position`."""
    start, end = max(0, position - _SENTENCE_REACH), position + _SENTENCE_REACH
    sentence = _part(_SENTENCE_END, words, start, position, end)
    return words[slice(*_part(_CLAUSE_END, words, sentence[0], position, sentence[1]))], words[slice(*sentence)]


def _part(ends: re.Pattern[str], words: str, start: int, position: int, end: int) -> tuple[int, int]:
    """Where the part of `words` around `position` begins and ends, between `start` and `end`."""
    before = [match.end() for match in ends.finditer(words, start, position)]
    behind = ends.search(words, position, end)
    return before[-1] if before else start, behind.start() if behind else min(end, len(words))


@lru_cache(maxsize=32)
def _spans(word: re.Pattern[str], words: str) -> list[int]:
    """Where `word` begins in `words`; kept, because every number of a passage asks."""
    return [match.start() for match in word.finditer(words)]
