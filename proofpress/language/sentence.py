"""Sentence: whether two words stand in one, and what stands around a word in its clause or nearer to it."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

MARK = "\ue000"
"""Stands in a text for a reference, whose number is filled in later."""
FIRST_SIGN = 0xE100
SIGN = re.compile("[\ue100-\uf8ff]")
"""Stands in a text for what a reference speaks of; whoever puts it there knows which is which."""
_REACH = 400
"""Characters on either side of a word in which the rest of its sentence is looked for."""
_END = re.compile(r"[.!?] |\n\n")


def in_sentence(word: re.Pattern[str], words: str, position: int) -> bool:
    """Whether `word` stands in the sentence around `position`."""
    start, end = max(0, position - _REACH), position + _REACH
    found = _spans(word, words)
    nearest = bisect_left(found, position)
    for at in (*found[nearest : nearest + 1], *found[max(0, nearest - 1) : nearest]):
        first, last = min(at, position), max(at, position)
        if start <= at <= end and not _END.search(words, first, last):
            return True
    return False


def before(words: str, position: int) -> str:
    """What stands before `position` in its sentence, as far as one looks."""
    start = max(0, position - _REACH)
    return _END.split(words[start:position])[-1]


_CLAUSE_END = re.compile(r"; | but | while | whereas ", re.IGNORECASE)


def clause(words: str, position: int) -> tuple[int, int]:
    """Where the clause around `position` begins and ends."""
    start, end = _sentence(words, position)
    return _part(_CLAUSE_END, words, start, position, end)


def around(words: str, position: int) -> tuple[str, str]:
    """The clause and the sentence around `position`."""
    return words[slice(*clause(words, position))], words[slice(*_sentence(words, position))]


def _sentence(words: str, position: int) -> tuple[int, int]:
    return _part(_END, words, max(0, position - _REACH), position, position + _REACH)


_TURN = re.compile(
    r"[,;]\s|[.!?]\s|\(|\)|\n|\s[-–—]\s|—|\s(?:and|but|while|whereas|than|against|versus|vs\.?|over|to|from|compared|instead|where|which|or)\s",
    re.IGNORECASE,
)


def piece(words: str, start: int, end: int) -> tuple[int, int]:
    """Where what stands around the words from `start` to `end` begins and ends: the sentence turns at a comma, 'and', 'against'."""
    first, _ = _part(_TURN, words, max(0, start - _REACH), start, start)
    _, last = _part(_TURN, words, start, end, end + _REACH)
    return first, last


def _part(ends: re.Pattern[str], words: str, start: int, position: int, end: int) -> tuple[int, int]:
    """Where the part of `words` around `position` begins and ends, between `start` and `end`."""
    before = [match.end() for match in ends.finditer(words, start, position)]
    behind = ends.search(words, position, end)
    return before[-1] if before else start, behind.start() if behind else min(end, len(words))


@lru_cache(maxsize=32)
def _spans(word: re.Pattern[str], words: str) -> list[int]:
    """Where `word` begins in `words`; kept, because every number of a passage asks."""
    return [match.start() for match in word.finditer(words)]
