"""Passages: which values of a file are prose, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from proofpress.load.passage import Passage
from proofpress.load.source import Location, Source
from proofpress.records.card import Card, PendingHeadline

_OF_RUNS = frozenset({"session", "held_back", "conflict", "origin", "not_measured"})


def of_card(card: Card, source: Source) -> Iterator[Passage]:
    """All prose of a card but its projection, whose numbers are modelled and stand in a section that says so."""

    def passage(words: str | None, *location: str | int) -> Iterator[Passage]:
        if words:
            as_written = location[0] not in {"summary", "limits"}
            yield Passage(source=source, location=location, words=words, as_written=as_written)

    yield from passage(card.name, "name")
    yield from passage(card.publisher, "publisher")
    yield from passage(card.compression, "compression")
    yield from passage(card.withdrawn_because, "withdrawn_because")
    yield from passage(card.summary, "summary")
    yield from passage(card.model.draft, "model", "draft")
    for index, limit in enumerate(card.limits):
        yield from passage(limit, "limits", index)
    for index, credit in enumerate(card.credits):
        yield from passage(credit.contribution, "credits", index, "contribution")
    for index, gap in enumerate(card.missing):
        if not isinstance(gap, str):
            yield from passage(gap.text, "missing", index, "text")
            yield from passage(gap.close_with, "missing", index, "close_with")
    if isinstance(card.headline, PendingHeadline):
        yield from passage(card.headline.pending, "headline", "pending")
    yield from passage(getattr(card.projection, "none", None), "projection", "none")


def of_projection(card: Card, source: Source) -> Iterator[Passage]:
    """The prose of a card's projection; its links are checked, its numbers are not measured."""
    for name in ("limiter", "basis"):
        words = getattr(card.projection, name, None)
        if words:
            yield Passage(source=source, location=("projection", name), words=words)


def beside_prose(card: Card, source: Source) -> Iterator[Passage]:
    """Names, a launch's words and a projection's reasons: what they say of speed is held against the evidence as well."""
    for index, credit in enumerate(card.credits):
        yield Passage(source=source, location=("credits", index, "name"), words=credit.name, as_written=True)
    if card.launch.image:
        yield Passage(source=source, location=("launch", "image"), words=card.launch.image, as_written=True)
    for name, value in card.launch.environment.items():
        yield Passage(source=source, location=("launch", "environment", name), words=value, as_written=True)
    yield from of_projection(card, source)


def of_file(source: Source) -> Iterator[Passage]:
    """Every text of a file, arm ids among them, for readers see these; of a campaign's runs only what is written about them."""
    if isinstance(source.data, str):
        yield Passage(source=source, location=(), words=source.data, first_line=1)
        return
    waiting: list[tuple[Location, Any]] = [((), source.data)]
    while waiting:
        location, value = waiting.pop()
        if isinstance(value, str):
            yield Passage(source=source, location=location, words=value, as_written=True)
        elif isinstance(value, Mapping):
            of_a_run = len(location) == 2 and location[0] == "runs"
            waiting += [((*location, key), part) for key, part in value.items() if not of_a_run or key in _OF_RUNS]
        elif isinstance(value, list | tuple):
            waiting += [((*location, index), part) for index, part in enumerate(value)]
