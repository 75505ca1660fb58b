"""Statement: all that a piece of prose states as measured, as written: numbers, counts, levels, ratios, and its references."""

from __future__ import annotations

from collections.abc import Iterator

from proofpress.derive.reference import REFERENCE
from proofpress.language.ratio import ratios
from proofpress.language.sameness import counts, levels, wholes
from proofpress.language.speed import speeds


def stated(words: str) -> Iterator[str]:
    """Every statement of `words`, its references first."""
    yield from (match[0] for match in REFERENCE.finditer(words))
    rest = REFERENCE.sub(lambda match: " " * len(match[0]), words)
    for kind in (speeds, levels, ratios, wholes, counts):
        yield from (statement.words.strip() for statement in kind(rest))
