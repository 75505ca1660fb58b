"""Equality: the sentences of a text that speak of outputs as equal or unequal, whatever they say of them; for a reviewer, who reads them whole.

Comes in: prose as a reader sees it. Goes out: its sentences. Whether one is a claim, and whether it is true, is asked elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?])\s+|\n\n+")
_OUTPUT = re.compile(
    r"\b(?:outputs?|answers?|repl(?:y|ies)|responses?|completions?|tokens|text|quality)\b", re.IGNORECASE
)
_EQUAL = re.compile(
    r"\b(?:identical\w*|equal\w*|equivalent|exact(?:ly)?|the\s(?:very\s)?same|match(?:es|ed|ing)?|lossless\w*|unchanged|differ\w*)\b",
    re.IGNORECASE,
)


def sentences(words: str) -> Iterator[str]:
    """The sentences that have a word for what a model puts out and one for sameness or difference."""
    for sentence in _END.split(words):
        if _OUTPUT.search(sentence) and _EQUAL.search(sentence):
            yield " ".join(sentence.split())
