"""Sameness: claims that outputs are equal: counts, levels up to which they are, and words that mean all of them.

Comes in: words. Goes out: each claim. Whether it is true is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from proofpress.language.numeral import SPELLED, figure
from proofpress.language.sentence import before, in_sentence

_WHOLE_NUMBER = rf"(?:\d{{1,6}}|{SPELLED})"
_COUNT = re.compile(
    r"(?<![\w/.,-])(?P<matched>\d{1,6})(?:/|[ -](?:out )?of[ -])(?P<total>\d{1,6})(?![\w/]|[.,]\d)"
    r"(?!\s(?:layers?|experts?|heads?|cards?|gpus?|accelerators?|hosts?|servers?|slots?|blocks?|bits?|gib|gb)\b)",
    re.IGNORECASE,
)
_COUNT_IN_WORDS = re.compile(
    rf"(?<![\w/.,-])(?P<matched>{_WHOLE_NUMBER})\s(?:out\s)?of\s(?:the\s|all\s)?(?P<total>{_WHOLE_NUMBER})"
    r"\s(?:(?:\w+\s){0,2}(?:outputs?|answers?|completions?|repl(?:y|ies)|responses?)|(?:(?:is|are|was|were)\s)?(?:exact|identical|equal|match))",
    re.IGNORECASE,
)
_IDENTITY_WORD = re.compile(r"exact|identi|match|equal|differ|oracle|qualif", re.IGNORECASE)
_USERS = rf"(?:c(?P<short>\d{{1,6}})\b|(?P<users>{_WHOLE_NUMBER})\s(?:concurrent|users?|streams?|requests?|sessions?|at once))"
_THROUGH = re.compile(
    r"(?:exact|identical|qualified|equal|matched|matching|indistinguishable)\s(?:even\s)?"
    rf"(?:through|up to|until|to|at|for up to|for|with up to|with)\s{_USERS}",
    re.IGNORECASE,
)
_AT = re.compile(rf"\b(?:at|with|for|through|up to)\s{_USERS}", re.IGNORECASE)

_ARE = re.compile(
    rf"(?<![\w.,/-]){_USERS}\s(?:are|were|get|got|see|saw|receive|received)\s(?:all\s)?(?:exact|identical|equal|matching)\b",
    re.IGNORECASE,
)

_NOT = r"(?<!not )(?<!never )(?<!no longer )(?<!n't )(?<!n’t )"
_OUTPUT = (
    r"(?:outputs?|answers?|repl(?:y|ies)|responses?|completions?)\b"
    r"(?!\s(?:files?|folders?|director|formats?|paths?|lengths?|limits?|budgets?))"
)
_ITS = r"(?:(?:the|its|their|any|a|an|single|all|every|model's|models?|generated|output|in|of|to|on|for|about)\s){0,4}"
_OUTPUT_OR_QUALITY = (
    rf"(?:{_OUTPUT}|(?:quality|accuracy|results?|tokens?)\b(?!\s(?:files?|folders?|per|a\ss)|[\s/-]s\b))"
)
_EQUAL = (
    r"(?:(?:identical|equal|equivalent|exact(?:ly\sequal)?|unchanged|unaffected|untouched|indistinguishable)\b(?!\s(?:in\s)?(?:length|size|number))"
    r"|the\s(?:very\s|exact\s)?same(?=[\s*_`]*(?:[.,;:)!?]|$)|\s(?:as|with|for|at|in|on|under|through|whether|across|and)\b))"
)
_BE = r"(?:is|are|was|were|be|stays?|stayed|remains?|remained)"
_GIVES = r"(?:gives?|gave|giving|produc(?:es?|ed|ing)|yield(?:s|ed|ing)?|return(?:s|ed|ing)?|generat(?:es?|ed|ing)|writ(?:es?|ing)|with)"
_CHANGE = r"(?:chang|alter|affect|modif|influenc|degrad|hurt|sacrific|los)(?:es|e|ed|ing|y|ies|ying|s)?"
_NO = r"\b(?:no|zero|without(?:\sany)?)\s"
_ALWAYS_ALL = re.compile(
    rf"{_NOT}(?:\b(?:bit[- ]identical|bit[- ]for[- ]bit|bit[- ]exact|lossless(?:ly)?)\b(?!\scompress)"
    r"|\bno outputs? (?:ever )?differ(?:s|ed)?\b|\bnone of the outputs differ(?:s|ed)?\b"
    r"|\b100(?:\.0{1,3})?(?:\s?%|\spercent) of (?:the |all |its )?outputs?\b)",
    re.IGNORECASE,
)
_SAME_OUTPUT = re.compile(
    rf"{_NOT}(?:\bindistinguishable\b|\bbitwise\s(?:identical|equal|exact|the\ssame)\b"
    rf"|\b(?:exactly|precisely|literally)\sthe\s(?:very\s)?same\s(?:\w+\s)?{_OUTPUT}|\bthe\s(?:very|exact)\ssame\s(?:\w+\s)?{_OUTPUT}"
    rf"|\bthe\ssame\s{_OUTPUT}\s(?:as|with\sor|with\sand)\b"
    rf"|{_NO}(?:\w+\s)?(?:quality|accuracy|fidelity)\s(?:loss|drop|degradation|penalty|cost|hit)\b"
    rf"|{_NO}(?:loss|drop|degradation|change|cost|differences?)\s(?:of|in|to|on)\s{_ITS}(?:quality|accuracy|{_OUTPUT})"
    rf"|\bwithout\s(?:ever\s)?{_CHANGE}\s{_ITS}{_OUTPUT_OR_QUALITY}"
    rf"|\b(?:does|do|did|will|would|can|could)(?:\s?not|n['’]t|\snever)\s(?:ever\s)?{_CHANGE}\s{_ITS}{_OUTPUT_OR_QUALITY}"
    rf"|\bnever\s{_CHANGE}\s{_ITS}{_OUTPUT_OR_QUALITY}|\bchang(?:es?|ed)\s(?:nothing\s(?:in|of|about)|no)\s{_ITS}{_OUTPUT_OR_QUALITY}"
    rf"|\bleav(?:es?|ing)\s{_ITS}{_OUTPUT_OR_QUALITY}\s(?:unchanged|untouched|intact|as)\b"
    rf"|\b(?:quality|accuracy)\s{_BE}\s(?:unchanged|the\ssame|unaffected|untouched|identical|intact|preserved)\b"
    rf"|\b{_GIVES}\s(?:exactly\s)?the\s(?:very\s|exact\s)?same\s(?:tokens|text|words)\s(?:as|with\sor|with\sand)\b"
    r"|\b(?:loss-?free|zero[\s-]loss)\b"
    r"|\boutputs?\snever\sdiffer(?:s|ed)?\b|\bnot\sone\soutput\sdiffer(?:s|ed)?\b)",
    re.IGNORECASE,
)
_SAME_BYTES = re.compile(
    rf"{_NOT}\b(?:byte|token|char(?:acter)?|word)[\s-](?:identical|exact|equal|for[\s-](?:byte|token|char(?:acter)?|word))\b",
    re.IGNORECASE,
)
_OF_OUTPUTS = re.compile(
    r"\b(?:outputs?|answers?|repl(?:y|ies)|responses?|completions?|draft|specul|decod|greedy|oracle)", re.IGNORECASE
)
"""What makes words such as byte-identical a claim about outputs: files are that too."""
_ARE_EQUAL = re.compile(
    rf"\b{_OUTPUT}\s(?:{_BE}\s(?:(?:always|all|completely|fully|perfectly|entirely|provably)\s)?{_EQUAL}|match(?:es|ed)?\b)"
    rf"|\b{_GIVES}\s(?:(?:the|always|all|only|exactly)\s)?(?:identical|equal|equivalent|exact)\s(?:\w+\s)?{_OUTPUT}",
    re.IGNORECASE,
)
_SOME = re.compile(
    rf"(?:(?:\b(?:no|some|most|many|few|half|part|several|none|other|{SPELLED})|\d\s?%?)\s(?:of\s)?(?:the\s|its\s|all\s)?"
    r"|\bnot\s(?:all|every)\s\w*\s?"
    r"|\b(?:formats?|lengths?|sizes?|shapes?|orders?|numbers?|beginnings?|parts?)\sof\s(?:\w+\s){0,2})$",
    re.IGNORECASE,
)
"""Of some outputs, or of something else about them."""
_IF_BEFORE = re.compile(
    r"\b(?:that|which|whose|where|when|whether|if|unless|only|until|how)\b[^,;:]{0,30}$", re.IGNORECASE
)
_IF_BEHIND = re.compile(r"[^.!?;,]{0,60}\b(?:if|when|where|only|unless|until|as far as|as long as)\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:whether|unless|nobody|no claim|not (?:claimed|known|shown|checked|proved))\b[^.!?,;:]{0,60}$", re.IGNORECASE
)
_EVERYWHERE = re.compile(r"\bat (?:every|any|all) numbers? of (?:concurrent )?users\b", re.IGNORECASE)
_EQUAL_WORD = re.compile(r"\b(?:exact|identical|equal|same|matched|lossless)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Count:
    """So many of so many outputs, in a sentence about their equality."""

    start: int
    words: str
    matched: int
    total: int


@dataclass(frozen=True, slots=True)
class Level:
    """Outputs are equal through so many users."""

    start: int
    words: str
    users: int


@dataclass(frozen=True, slots=True)
class Whole:
    """Outputs are equal, at all that was measured."""

    start: int
    words: str


def counts(words: str) -> Iterator[Count]:
    """Counts such as 12/12 or twelve of twelve, in a sentence about equal outputs."""
    for pattern in (_COUNT, _COUNT_IN_WORDS):
        for match in pattern.finditer(words):
            matched, total = figure(match["matched"]), figure(match["total"])
            if matched.isdigit() and total.isdigit() and int(matched) <= int(total):
                if pattern is _COUNT_IN_WORDS and matched == match["matched"] and total == match["total"]:
                    continue  # all in digits: the first pattern's
                if in_sentence(_IDENTITY_WORD, words, match.start()):
                    yield Count(match.start(), match[0], int(matched), int(total))


def levels(words: str) -> Iterator[Level]:
    """'Exact through 8 users', and 'at 8 users every output was equal'."""
    for pattern in (_THROUGH, _ARE):
        for match in pattern.finditer(words):
            yield Level(match.start(), match[0], _users(match))
    for match in _ARE_EQUAL.finditer(words):
        if _is_meant_of_all(match, words) and (at := _named_level(match, words)):
            yield Level(match.start(), match[0], at)


def wholes(words: str) -> Iterator[Whole]:
    """'Lossless', 'bit-identical', 'does not change the output', 'every output is equal' and their like."""
    for match in _ALWAYS_ALL.finditer(words):
        yield Whole(match.start(), match[0])
    for pattern in (_SAME_OUTPUT, _SAME_BYTES):
        for match in pattern.finditer(words):
            about_outputs = pattern is _SAME_OUTPUT or in_sentence(_OF_OUTPUTS, words, match.start())
            if about_outputs and not _OPEN.search(before(words, match.start())):
                yield Whole(match.start(), match[0])
    for match in _ARE_EQUAL.finditer(words):
        if _is_meant_of_all(match, words) and not _named_level(match, words):
            yield Whole(match.start(), match[0])


def everywhere(words: str) -> Iterator[Whole]:
    """'Identical at every number of users'."""
    for match in _EVERYWHERE.finditer(words):
        if in_sentence(_EQUAL_WORD, words, match.start()):
            yield Whole(match.start(), match[0])


def _users(match: re.Match[str]) -> int:
    number = match["short"] or figure(match["users"])
    return int(number) if number.isdigit() else 0


def _is_meant_of_all(match: re.Match[str], words: str) -> bool:
    """Whether 'outputs are equal' is said of all: not of some, nor on a condition, nor through a level, which is a claim of its own."""
    said = before(words, match.start())
    through = _THROUGH.search(words, match.start(), match.end() + 40)
    return not (
        _SOME.search(said)
        or _IF_BEFORE.search(said)
        or _IF_BEHIND.match(words, match.end())
        or (through and through.start() < match.end())
    )


def _named_level(match: re.Match[str], words: str) -> int:
    """The number of users at which outputs are said to be equal; 0 where none is named."""
    at = _AT.search(before(words, match.start())) or _AT.match(words, match.end() + 1)
    return _users(at) if at else 0
