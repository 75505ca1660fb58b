"""Change: what happened to a card or a campaign on one day: published, measured, superseded, taken back.

Comes in: an `Edition`. Goes out: changes, the newest day first. Every day is one that a card or a campaign states; nothing asks a clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Evidence, Finding, Shown
from proofpress.records.card import Replay


class Kind(StrEnum):
    """What happened, in the order in which one day tells it."""

    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    PUBLISHED = "published"
    MEASURED = "measured"


_ORDER = list(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that happened. It is a card's, or a campaign's that no card shows."""

    kind: Kind
    day: date | None
    """None where the evidence does not say on which day it was measured."""
    card: Derived | None
    campaign: str | None = None
    """The campaign that it happened to, where it is not a card's."""
    runs: tuple[tuple[str, int], ...] = ()
    """How many runs of which campaigns were measured."""
    shown: int = 0
    withheld: int = 0
    """Points of the card's curves that rest on these runs."""
    newer: str | None = None
    """The card, or the campaign, that supersedes it."""
    because: str = ""
    """Why a card was taken back, in Markdown."""

    @property
    def subject(self) -> str:
        """What it happened to, as the site's address of it without an ending."""
        return f"models/{self.card.id}" if self.card is not None else f"evidence/{self.campaign}"

    @property
    def id(self) -> str:
        """Stays the same when more of the same is added, or when the day of a publication is corrected."""
        name = f"{self.subject}#{self.kind}"
        return f"{name}-{self.day or 'undated'}" if self.kind is Kind.MEASURED else name


def changes(edition: Edition) -> tuple[Change, ...]:
    """All changes, the newest day first and those of no stated day last; within a day by kind and subject."""
    found = [*_of_cards(edition), *_of_campaigns(edition)]
    found.sort(key=lambda change: (_ORDER.index(change.kind), change.subject))
    found.sort(key=lambda change: change.day or date.min, reverse=True)
    return tuple(found)


def _of_cards(edition: Edition) -> Iterator[Change]:
    published = {derived.id: derived.card.published for derived in edition.cards}
    for derived in edition.cards:
        card = derived.card
        yield Change(kind=Kind.PUBLISHED, day=card.published, card=derived)
        if card.withdrawn is not None:
            yield Change(kind=Kind.WITHDRAWN, day=card.withdrawn, card=derived, because=card.withdrawn_because or "")
        if card.superseded_by is not None:
            since = max(card.published, published[card.superseded_by])
            yield Change(kind=Kind.SUPERSEDED, day=since, card=derived, newer=card.superseded_by)
        used = dict.fromkeys([*derived.campaigns, *([card.replay.campaign] if isinstance(card.replay, Replay) else [])])
        runs = {campaign: _days(edition.evidence[campaign]) for campaign in used}
        for day in dict.fromkeys(day for days in runs.values() for day in days):
            findings = (finding for profile in derived.profiles for finding in profile.findings)
            points = [finding for finding in findings if _rests_on(finding, day)]
            shown = sum(isinstance(finding, Shown) for finding in points)
            yield Change(
                kind=Kind.MEASURED,
                day=day,
                card=derived,
                runs=tuple((campaign, days[day]) for campaign, days in runs.items() if day in days),
                shown=shown,
                withheld=len(points) - shown,
            )


def _of_campaigns(edition: Edition) -> Iterator[Change]:
    """What a newer campaign replaced, and evidence that no card has a use for."""
    used = {campaign for derived in edition.cards for campaign in derived.campaigns}
    used |= {derived.card.replay.campaign for derived in edition.cards if isinstance(derived.card.replay, Replay)}
    for name, evidence in edition.evidence.items():
        newer = evidence.campaign.superseded_by
        if newer is not None:
            stated = [day for day in _days(edition.evidence[newer]) if day is not None]
            yield Change(kind=Kind.SUPERSEDED, day=max(stated, default=None), card=None, campaign=name, newer=newer)
        if name not in used:
            for day, runs in _days(evidence).items():
                yield Change(kind=Kind.MEASURED, day=day, card=None, campaign=name, runs=((name, runs),))


def _days(evidence: Evidence) -> Counter[date | None]:
    """How many runs were made on which day."""
    return Counter(reading.measured_on for reading in evidence.readings)


def _rests_on(finding: Finding, day: date | None) -> bool:
    return any(reading.measured_on == day for reading in finding.readings)
