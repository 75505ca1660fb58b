"""Calendar: every date held against a day that the caller names. No clock is read, so that a check of today says the same tomorrow."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from proofpress.check.library import Library
from proofpress.load.source import Location, Source
from proofpress.problem import Problem
from proofpress.records.campaign import NotMeasured


def problems(library: Library, today: date) -> Iterator[Problem]:
    """number.date: days of measuring, publishing and withdrawing that are later than `today`."""
    for source, location, day in _dates(library):
        if day is not None and day > today:
            yield source.problem(
                "number.date",
                location,
                found=day.isoformat(),
                expected=f"not after {today.isoformat()}, the day of this check",
                hint="what has not happened yet is not published; year, month and day stand in this order",
            )


def _dates(library: Library) -> Iterator[tuple[Source, Location, date | None]]:
    for entry in library.cards.values():
        yield entry.source, ("published",), entry.card.published
        yield entry.source, ("withdrawn",), entry.card.withdrawn
    for campaign in library.campaigns.values():
        for index, run in enumerate(campaign.campaign.runs):
            if not isinstance(run, NotMeasured):
                yield campaign.source, ("runs", index, "measured_on"), run.measured_on
