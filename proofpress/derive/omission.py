"""Omission: a series that a card's campaigns measured and no chart shows, so that leaving one out is seen.

Comes in: a derived card, all cards, the evidence. Goes out: omissions. Of an arm on an axis those metrics are looked at that the card
shows on that axis; where it shows none there, those that it shows anywhere. What another card shows is not left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence, Finding, Withheld, findings
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm

Series: TypeAlias = tuple[str, str, Axis, str]
"""Campaign, arm, axis of the runs, metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Omission:
    """One arm on one axis in one metric, with what was found there."""

    campaign: str
    arm: Arm
    axis: Axis
    metric: str
    findings: tuple[Finding, ...]

    @property
    def withheld(self) -> int:
        return sum(isinstance(finding, Withheld) for finding in self.findings)


def omissions(derived: Derived, cards: Iterable[Derived], evidence: Mapping[str, Evidence]) -> tuple[Omission, ...]:
    """What the campaigns that a card rests on measured, and neither this card nor another shows."""
    own = set(_shown(derived))
    shown = {series for card in cards for series in _shown(card)}
    return tuple(
        Omission(campaign=campaign, arm=arm, axis=axis, metric=metric, findings=found)
        for campaign in derived.campaigns
        for arm in evidence[campaign].campaign.arms
        for axis in _axes(evidence[campaign], arm)
        for metric in sorted(
            {metric for _, _, place, metric in own if place is axis} or {metric for _, _, _, metric in own}
        )
        if (campaign, arm.id, axis, metric) not in shown
        if (found := findings(evidence[campaign], arms=(arm.id,), metric=metric, axis=axis))
    )


def _axes(evidence: Evidence, arm: Arm) -> tuple[Axis, ...]:
    return tuple(dict.fromkeys(reading.axis for reading in evidence.readings if reading.arm == arm.id))


def _shown(derived: Derived) -> Iterator[Series]:
    """Every series that a card prints, shown or withheld, headline and its oracle too."""
    for profile in derived.profiles:
        for arm in profile.arms:
            yield profile.choice.campaign, arm.id, profile.source_axis, profile.choice.metric
    if derived.headline is not None:
        for one in (derived.headline.arm, derived.headline.oracle_arm):
            if one is not None:
                yield derived.headline.choice.campaign, one.id, Axis.SUITE, derived.headline.choice.metric
