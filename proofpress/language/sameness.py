"""Sameness: claims that outputs are equal: counts, levels up to which they are, and words that mean all of them.

Comes in: words. Goes out: each claim. Whether it is true is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from proofpress.language.numeral import SPELLED, figure
from proofpress.language.sentence import before, clause, in_sentence

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
_VERDICT = re.compile(
    r"(?P<others>\b(?:not|n['’]t|never|no longer|fail(?:s|ed)? to)\s(?:\w+\s)?(?:be\s)?(?:exact|identical|match\w*|equal|qualif\w+|the same)\b"
    r"|\b(?:differ\w*|diverg\w*|unequal\w*|mismatch\w*|withheld|wrong|deviat\w*|fail\w*|unlike|other than|chang\w*)\b)"
    r"|\b(?:exact|identi|match|equal|qualif|same|reproduc|agree)",
    re.IGNORECASE,
)
"""What is said of counted outputs: that they are equal, or, in `others`, that they are not."""
_USERS = rf"(?:c(?P<short>\d{{1,6}})\b|(?P<users>{_WHOLE_NUMBER})\s(?:concurrent|users?|streams?|requests?|sessions?|at once))"
_THROUGH = re.compile(
    r"(?:exact|identical|qualified|equal|matched|matching|indistinguishable|correct)\s(?:even\s)?"
    rf"(?:through|up to|until|to|at|for up to|for|with up to|with)\s{_USERS}",
    re.IGNORECASE,
)
_AT = re.compile(
    rf"\b(?:at|with|for|through|up to)\s(?:{_WHOLE_NUMBER}(?:,|\s(?:and|or|to))\s){{0,4}}{_USERS}", re.IGNORECASE
)

_COUNTED = re.compile(r"\d(?:/|\s(?:out\s)?of\s)(?:the\s)?\d+\s(?:\w+\s){0,4}$", re.IGNORECASE)
"""What is equal at a level was counted, and is no claim about all."""
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
    r"|\bno outputs? (?:(?:on|of|in|here)\b[^.;,]{0,30} )?(?:ever )?differ(?:s|ed)?\b|\bnone of the outputs differ(?:s|ed)?\b"
    r"|\b100(?:\.0{1,3})?(?:\s?%|\spercent) of (?:the |all |its )?(?:outputs?|answers?|replies|responses?|completions?)\b"
    r"|\bbatch[- ]invarian(?:t|ce)\b)",
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
    rf"|\b{_OUTPUT}\s(?:do|does|did)(?:\snot|n['’]t)\s(?:ever\s)?(?:depend|vary|change|differ|diverge)\b"
    rf"|(?:^|[:;.]\s)(?:all\s|every\s)?{_OUTPUT}\s{_EQUAL}"
    rf"|\bagree[sd]?\s(?:in|on)\s(?:every|all)\s(?:the\s)?{_OUTPUT}|\b(?:no|zero)\smismatch(?:es)?\b(?!\s(?:of|between)\b)"
    r"|\b(?:drafts?|drafting|speculation)\schang(?:es?|ed|ing)\snothing\b|\bfully\s(?:identity[- ])?qualified\b|\bpass(?:es|ed)?\s(?:the\s)?identity\b"
    rf"|\b(?:both|all|every|each)\b[^.;:,]{{0,40}}\s{_GIVES}\s(?:exactly\s)?the\s(?:very\s|exact\s)?same\s(?:{_OUTPUT}|text|tokens|words)"
    rf"|\breproduc(?:es?|ed|ing)\s(?:its|the|their)\s(?:oracle|{_OUTPUT})|{_NO}(?:effect|influence|impact)\son\s{_ITS}{_OUTPUT}"
    rf"|\b(?:no|not\sone|not\sa\ssingle|zero)\s(?:[\w-]+\s){{0,2}}{_OUTPUT}\s(?:ever\s)?(?:chang(?:es?|ed)|differ(?:s|ed)?|diverge[sd]?)\b"
    r"|\bno\s(?:divergences?|deviations?)\b|\bno\sdifferences?\s(?:was|were)\s(?:seen|found|measured|counted)\b"
    rf"|\b{_OUTPUT}\sequals?\s(?:those|that|the)\b"
    rf"|(?<!prompt )\b(?:token\sids|(?:output|generated)\stokens)\s{_BE}\s(?:always\s|all\s)?{_EQUAL}"
    r"|\boutputs?\snever\sdiffer(?:s|ed)?\b|\bnot\sone\soutput\sdiffer(?:s|ed)?\b)",
    re.IGNORECASE,
)
_SAME_BYTES = re.compile(
    r"\b(?:none|not\sone)(?:\sof\s(?:the|its|these|those|them)(?:\s\w+)?)?\s(?:ever\s)?(?:differ(?:s|ed)?|diverge[sd]?)\b"
    rf"|{_NOT}\b(?:byte|token|char(?:acter)?|word)[\s-](?:identical|exact|equal|for[\s-](?:byte|token|char(?:acter)?|word))\b",
    re.IGNORECASE,
)
_OF_OUTPUTS = re.compile(
    r"\b(?:outputs?|answers?|repl(?:y|ies)|responses?|completions?|draft|specul|decod|greedy|oracle|reproduc)",
    re.IGNORECASE,
)
"""What makes words such as byte-identical a claim about outputs: files are that too."""
_OF_WHAT = r"(?:\s(?:with|without|of|in|at|from|under|for|by)\s(?:[\w-]+\s){0,4}[\w-]+)?"
_ARE_EQUAL = re.compile(
    rf"\b{_OUTPUT}{_OF_WHAT}\s(?:{_BE}\s(?:(?:always|all|completely|fully|perfectly|entirely|provably)\s)?{_EQUAL}|match(?:es|ed)?\b)"
    rf"|\b{_GIVES}\s(?:(?:the|always|all|only|exactly)\s)?(?:identical|equal|equivalent|exact)\s(?:\w+\s)?{_OUTPUT}",
    re.IGNORECASE,
)
_IS_EXACT = re.compile(
    rf"\b{_BE}\s(?:(?:always|fully|as|completely|entirely|perfectly)\s)?(?:exact|lossless|bit-exact)\b"
    r"(?!\s(?:even\s)?(?:through|up to|until|to|at|for|with|in|on)\b|\s\w*(?:length|size|number|copy|match)\b)",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"\b(?:both|all|every|each)\s(?:\w+\s)?(?:arms?|formats?|depths?|levels?|configurations?|set-ups?)\s$",
    re.IGNORECASE,
)
_SOME = re.compile(
    rf"(?:(?:\b(?:no|some|most|many|few|half|part|several|none|other|{SPELLED})|(?<![\w.,])\d[\d.,]*\s?%?)\s(?:of\s)?(?:the\s|its\s|all\s)?"
    r"|\bnot\s(?:all|every)\s\w*\s?"
    r"|\b(?:formats?|lengths?|sizes?|shapes?|orders?|numbers?|beginnings?|parts?)\sof\s(?:\w+\s){0,2})$",
    re.IGNORECASE,
)
"""Of some outputs, or of something else about them."""
_IF_BEFORE = re.compile(
    r"\b(?:(?<!\bin )(?<!\bat )(?<!\bon )(?<!\bof )(?<!\bby )(?<!\bfor )(?<!\bwith )that|which|whose|where|when|whether|if|unless|only|until|how)\b"
    r"[^,;:]{0,30}$",
    re.IGNORECASE,
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
    needs_arm: bool = False
    """Whether no word says that outputs were counted, so that it is only meant of them beside an arm: 'mtp3: 12/12'."""


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
    needs_arm: bool = False
    """Whether it is only meant of outputs where an arm is what it is said of: 'bf16 is exact'."""
    is_plain: bool = False
    """Whether it is a word that promises equality wherever it stands, as 'lossless'; other wordings stand in explanations as well."""


def counts(words: str, *, bare: bool = False) -> Iterator[Count]:
    """Counts such as 12/12 or twelve of twelve, in a sentence about equal outputs; `bare` ones such as 12/12 in any other as well."""
    for pattern in (_COUNT, _COUNT_IN_WORDS):
        for match in pattern.finditer(words):
            matched, total = figure(match["matched"]), figure(match["total"])
            if matched.isdigit() and total.isdigit() and int(matched) <= int(total):
                if pattern is _COUNT_IN_WORDS and matched == match["matched"] and total == match["total"]:
                    continue  # all in digits: the first pattern's
                is_said = in_sentence(_IDENTITY_WORD, words, match.start())
                if is_said or (bare and "/" in match[0]):
                    yield Count(match.start(), match[0], int(matched), int(total), needs_arm=not is_said)


def is_of_others(count: Count, words: str) -> bool:
    """Whether a count is said of outputs that differ. The next word of identity in its clause says so, or else the one before."""
    first, last = clause(words, count.start)
    behind = _VERDICT.search(words, count.start + len(count.words), last)
    verdict = behind or next(reversed(list(_VERDICT.finditer(words, first, count.start))), None)
    return verdict is not None and verdict["others"] is not None


def levels(words: str) -> Iterator[Level]:
    """'Exact through 8 users', and 'at 8 users every output was equal'."""
    for pattern in (_THROUGH, _ARE):
        for match in pattern.finditer(words):
            users = _users(match)
            if users and not _COUNTED.search(before(words, match.start())):
                yield Level(match.start(), match[0], users)
    for match in _ARE_EQUAL.finditer(words):
        if _is_meant_of_all(match, words) and (at := _named_level(match, words)):
            yield Level(match.start(), match[0], at)


def wholes(words: str) -> Iterator[Whole]:
    """'Lossless', 'bit-identical', 'does not change the output', 'every output is equal' and their like."""
    for match in _ALWAYS_ALL.finditer(words):
        yield Whole(match.start(), match[0], is_plain=True)
    for pattern in (_SAME_OUTPUT, _SAME_BYTES):
        for match in pattern.finditer(words):
            about_outputs = pattern is _SAME_OUTPUT or in_sentence(_OF_OUTPUTS, words, match.start())
            if about_outputs and not _OPEN.search(before(words, match.start())):
                yield Whole(match.start(), match[0])
    for match in _ARE_EQUAL.finditer(words):
        if _is_meant_of_all(match, words) and not _named_level(match, words):
            yield Whole(match.start(), match[0])
    for match in _IS_EXACT.finditer(words):
        if not _OPEN.search(before(words, match.start())) and not _IF_BEHIND.match(words, match.end()):
            of_all = _OF_ALL.search(before(words, match.start()))
            yield Whole(match.start(), match[0], needs_arm=of_all is None)


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
        or _COUNTED.search(said)
        or _IF_BEFORE.search(said)
        or _IF_BEHIND.match(words, match.end())
        or (through and through.start() < match.end())
    )


def _named_level(match: re.Match[str], words: str) -> int:
    """The number of users at which outputs are said to be equal; 0 where none is named."""
    at = _AT.search(before(words, match.start())) or _AT.match(words, match.end() + 1)
    return _users(at) if at else 0
