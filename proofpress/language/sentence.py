"""Sentence: whether two words stand in one."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

MARK = "\ue000"
"""Stands in a text for a reference, whose number is filled in later."""
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


@lru_cache(maxsize=32)
def _spans(word: re.Pattern[str], words: str) -> list[int]:
    """Where `word` begins in `words`; kept, because every number of a passage asks."""
    return [match.start() for match in word.finditer(words)]
