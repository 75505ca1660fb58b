"""Ratio: how many times faster something is said to be, or by what share: 45% faster, 2.4x, twice as fast, tenfold.

Comes in: words. Goes out: each ratio with how it is meant. Whether it is true is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from proofpress.language.numeral import DIGITS, SPELLED, figure
from proofpress.language.sentence import MARK, before, in_sentence
from proofpress.language.speed import GAP


class Sense(Enum):
    """What a number says of two speeds."""

    TIMES = "the larger is so many times the smaller"
    MORE = "the larger is so many percent more"
    LESS = "the smaller is so many percent less"
    CHANGED = "one of the two is so many percent off the other"
    SHARE = "one is so many percent of the other"


@dataclass(frozen=True, slots=True)
class Ratio:
    """One ratio as written."""

    start: int
    words: str
    number: str
    """In digits; empty where the words leave it open, as in 'orders of magnitude'."""
    sense: Sense
    kind: str = ""
    """The sign behind the number, as written: '%', 'x', ' times'."""
    is_faster: bool | None = None
    """Whether what it is said of is the faster one; None where the words leave it open."""


@dataclass(frozen=True, slots=True)
class Order:
    """One thing is said to be faster, or slower, than another."""

    start: int
    words: str
    is_faster: bool
    is_verb: bool
    """Whether what is slower follows at once, as in 'beats'."""


_NUMBER = rf"(?:{DIGITS}|{SPELLED})"
_N = rf"(?<![\w.,])(?P<number>{_NUMBER})"
_ABOUT = r"(?:(?:about|around|roughly|nearly|almost|over)\s)?"
_KIND = r"(?P<kind>\s?%|\s?per\s?cent|-?\s?x\b|\s?×|[\s-]times\b|-?fold\b)"
_PACE = (
    r"(?:speeds?|throughputs?|performance|latenc(?:y|ies)|token\srate|decode\srate|ttft|time\sto\s(?:the\s)?first\stoken"
    r"|(?:output\s)?tok(?:en)?s?(?:\s?/\s?|\sper\s|\sa\s)s(?:ec(?:ond)?)?|tps)\b"
)
_OF_PACE = (
    rf"(?:(?:the|its|their|of|a|decod(?:e|ing)|prefill|generation|output|aggregate|total|single-user)\s){{0,3}}{_PACE}"
)
_END = (
    r"(?=[\s*_`]{0,4}(?:[.,;:)!?]|$)"
    r"|\s(?:than|vs|versus|against|compared|over|from|with|without|at|when|for|in|on|as|better)\b)"
)
"""A clause ends here, or says what is compared: what stands before it counts no things."""
_ENGINE = r"(?:vllm|sglang|llama\.?cpp|ollama|transformers|tensorrt|the\sbaseline)\b"
_SURE = r"(?:faster|quicker|speedier|slower|speed-?ups?|accelerations?|as\s(?:fast|quick(?:ly)?|slow(?:ly)?))\b"
_LOOSE = r"(?:higher|lower|greater|more|less|fewer|as\smuch|as\smany|increase|improvement|gain)\b"
"""These compare speeds only in a sentence about speed; the next only where it names a pace."""
_LOOSER = (
    r"(?:better|worse|boost|uplift|jump|rise|drop|reduction|decrease|shorter|longer|advantage|as\s(?:high|low|good))\b"
    rf"|that{_END}"
)
_SLOWER = {"slower", "lower", "less", "fewer", "drop", "reduction", "decrease", "shorter", "worse"}
_CHANGE = (
    r"(?:(?:is|was|has|have|been|by|up|of|down|about|around|roughly|almost|nearly|more|than|over|an?|to|rises?|rose|risen|grows?|grew|grown"
    r"|increase[sd]?|improve[sd]?|improvement|goes|went|jumps?|jumped|climbs?|climbed|falls?|fell|drops?|dropped|gains?|gained|cut|reduced"
    r"|reduction|raised)\s)"
)
_MULTIPLE = r"(?P<word>doubl|tripl|quadrupl|halv)(?:es?|ed|ing)"
_PARTS = {"half": 50, "third": 33, "quarter": 25, "fifth": 20, "tenth": 10}
_WORDS = {"twice": 2, "double": 2, "doubl": 2, "thrice": 3, "triple": 3, "tripl": 3}
_WORDS |= {"quadruple": 4, "quadrupl": 4, "half": 2, "halv": 2}

_DIRECTION = re.compile(
    r"\b(?:faster|quicker|speedier|(?:as\s)(?:fast|quick)(?:ly)?|(?P<slower>slower|as\sslow(?:ly)?))\b", re.IGNORECASE
)
_IS_MULTIPLE = re.compile(
    r"(?:times|twice|double|triple|x|×)\sthe\s(?:\w+\s){0,2}(?:throughput|speed|(?:token|decode)\srate)$", re.IGNORECASE
)
_SPEED_WORD = re.compile(r"speed|fast|tok|throughput|rate|latenc|first token|decod|prefill|aggregate", re.IGNORECASE)
_PACE_WORD = re.compile(
    r"\b(?:speed|fast|quick|slow|throughput|latenc|performan|ttft|tps\b|first[ -]token|tok(?:en)?s?\s?/\s?s|tokens?\s(?:per|a)\ss"
    rf"|(?:token|decode|output)\srates?\b|accelerat)|{MARK}",
    re.IGNORECASE,
)


def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE | re.MULTILINE)


_AHEAD = _pattern(
    rf"{_N}{_KIND}{GAP}(?:(?P<word>{_SURE})|(?P<loose>{_LOOSE})|(?P<looser>{_LOOSER})|(?P<pace>{_OF_PACE})|(?P<engine>{_ENGINE}))"
)
_BEHIND = _pattern(
    rf"(?P<word>faster|quicker|slower|speed-?ups?)(?:\s?[:=]|\s(?:of|by|is|was))\s{_ABOUT}(?P<number>{_NUMBER}){_KIND}"
)
_PREFIXED = _pattern(rf"(?<![\w.,])[x×]\s?(?P<number>{DIGITS})\s(?!tok)(?:{_SURE}|{_OF_PACE})")
_ONE_PART = _pattern(rf"(?<![\w.,/])1/(?P<number>\d{{1,2}})\s{_OF_PACE}")
_FACTOR = _pattern(
    r"(?P<sure>\b(?:faster|quicker|slower|higher|speed-?up)\s(?:by|of)\s)?"
    rf"\ba\sfactor\sof\s{_ABOUT}(?P<number>{_NUMBER})(?!\w)"
)
_CHANGED = _pattern(rf"\b{_PACE}\s{_CHANGE}{{1,4}}(?P<number>{_NUMBER}){_KIND}{_END}")
_MULTIPLIES = _pattern(rf"\b{_MULTIPLE}\s(?:in\s)?{_OF_PACE}")
_MULTIPLIED = _pattern(rf"\b{_PACE}\s{_CHANGE}{{0,4}}(?:{_MULTIPLE}{_END}|(?:in|by)\s(?P<half>half)\b)")
_ONCE = _pattern(
    rf"\b(?P<word>twice|thrice|double|triple|quadruple|half)\s(?:as\s(?:fast|quick(?:ly)?|slow(?:ly)?)\b|{_OF_PACE}"
    rf"|(?P<loose>as\s(?:many|much|high|low|good)|that){_END}|as\s(?:many|much)\s{_PACE})"
)
_MAGNITUDE = _pattern(r"\border(?P<several>s?)\sof\smagnitude\b")
_HOW_MANY = _pattern(rf"(?<![\w.,])(?P<number>{_NUMBER})\s$")
_BARE = _pattern(rf"(?<!pcie\s){_N}(?P<kind>\s?[x×]|-?fold\b){_END}")
_PART = _pattern(
    rf"\b(?P<count>an?|one|two|three|four)[\s-](?P<part>half|third|quarter|fifth|tenth)s?\s"
    rf"(?:(?P<word>faster|quicker|slower)\b|(?P<loose>{_LOOSE})|(?P<pace>of\s{_OF_PACE}))"
)


_OPEN = _pattern(
    r"\b(?:not|n['’]t|never|no|nowhere|nothing|nobody|whether|if|expect\w*|should|would|could|may|might|hoped?)\b[^.;]{0,60}$"
)
_ORDER = _pattern(
    r"\b(?:(?P<faster>faster|quicker|speedier|more\sthroughput)|slower|less\sthroughput)(?=\s(?:[^.;\n]{0,40}\s)?(?:than|as)\s)"
    r"|\b(?P<beats>beats|outruns|outpaces|outperforms)(?=\s)"
)


def orders(words: str) -> Iterator[Order]:
    """'A is faster than B', 'A beats B': without a number, or with one that is a ratio of its own."""
    for match in _ORDER.finditer(words):
        if not _OPEN.search(before(words, match.start())):
            yield Order(
                match.start(), match[0], is_faster=bool(match["faster"] or match["beats"]), is_verb=bool(match["beats"])
            )


def ratios(words: str) -> Iterator[Ratio]:
    """Every ratio of speeds that `words` state, in figures or in words."""
    taken: set[int] = set()
    for at, ratio in _all(words):
        if at not in taken:
            taken.add(at)
            yield ratio


def _all(words: str) -> Iterator[tuple[int, Ratio]]:
    """Every ratio with the place of its number, so that one number is one ratio."""
    yield from _with_a_word(words)
    for pattern in (_PREFIXED, _ONE_PART, _CHANGED):
        for match in pattern.finditer(words):
            kind = match.groupdict().get("kind") or ""
            yield _found(match, match["number"], Sense.CHANGED if _is_percent(kind) else Sense.TIMES, kind=kind)
    for match in _FACTOR.finditer(words):
        if match["sure"] or in_sentence(_PACE_WORD, words, match.start()):
            yield _found(match, match["number"], Sense.TIMES)
    for pattern in (_MULTIPLIES, _MULTIPLIED, _ONCE):
        yield from _in_one_word(pattern, words)
    for match in _PART.finditer(words):
        if match["loose"] is None or in_sentence(_PACE_WORD, words, match.start()):
            yield _part(match)
    for match in _MAGNITUDE.finditer(words):
        if in_sentence(_PACE_WORD, words, match.start()):
            yield match.start(), Ratio(match.start(), match[0], _magnitude(match, words), Sense.TIMES)
    for match in _BARE.finditer(words):
        if in_sentence(_PACE_WORD, words, match.start()):
            yield _found(match, match["number"], Sense.TIMES, kind=match["kind"])


def _found(match: re.Match[str], number: str, sense: Sense, *, kind: str = "") -> tuple[int, Ratio]:
    return match.start("number"), Ratio(match.start(), match[0], figure(number), sense, kind, _is_faster(match[0]))


def _is_faster(said: str) -> bool | None:
    word = _DIRECTION.search(said)
    return _IS_MULTIPLE.search(said) is not None or None if word is None else word["slower"] is None


def _with_a_word(words: str) -> Iterator[tuple[int, Ratio]]:
    """A number with its sign and the word that makes it a ratio: 45% faster, a speedup of 1.9x, 9 times the throughput."""
    for match in _BEHIND.finditer(words):
        yield _found(match, match["number"], _sense(match["kind"], match["word"]), kind=match["kind"])
    for match in _AHEAD.finditer(words):
        percent = _is_percent(match["kind"])
        if match["loose"] and not in_sentence(_SPEED_WORD, words, match.start()):
            continue
        if match["looser"] and not in_sentence(_PACE_WORD, words, match.start()):
            continue
        if percent and (match["engine"] or not (match["pace"] or "of ").lower().startswith(("of ", "the "))):
            continue  # a fan at 90% speed is compared with nothing
        word = match["word"] or match["loose"] or match["looser"] or match["pace"] or ""
        yield _found(match, match["number"], _sense(match["kind"], word), kind=match["kind"])


def _in_one_word(pattern: re.Pattern[str], words: str) -> Iterator[tuple[int, Ratio]]:
    """Doubles the speed, throughput triples, twice as fast, half the latency."""
    for match in pattern.finditer(words):
        groups = match.groupdict()
        if groups.get("loose") and not in_sentence(_PACE_WORD, words, match.start()):
            continue
        group = "half" if groups.get("half") else "word"
        number = str(_WORDS[match[group].lower()])
        yield match.start(group), Ratio(match.start(), match[0], number, Sense.TIMES, is_faster=_is_faster(match[0]))


def _part(match: re.Match[str]) -> tuple[int, Ratio]:
    """A third faster is 33% faster; three quarters of the speed are 75% of it."""
    count = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}[match["count"].lower()]
    percent = round(100 * count / 3) if match["part"].lower() == "third" else count * _PARTS[match["part"].lower()]
    sense = _sense("%", match["word"] or match["loose"] or match["pace"])
    return match.start(), Ratio(match.start(), match[0], str(percent), sense, is_faster=_is_faster(match[0]))


def _magnitude(match: re.Match[str], words: str) -> str:
    """10 for one order, 100 for two; nothing where several are not counted."""
    before = _HOW_MANY.search(words[max(0, match.start() - 20) : match.start()])
    power = figure(before["number"]) if before else "" if match["several"] else "1"
    return str(10 ** int(power)) if power in set("123456789") else ""


def _is_percent(kind: str) -> bool:
    return kind.strip().lower().startswith(("%", "per"))


def _sense(kind: str, word: str) -> Sense:
    if not _is_percent(kind):
        return Sense.TIMES
    word = word.lower()
    if word.startswith(("as ", "the ", "of ")):
        return Sense.SHARE
    return Sense.LESS if word in _SLOWER else Sense.MORE
