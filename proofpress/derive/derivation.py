"""Derivation: a card with everything that was worked out from its evidence: headline, profiles, spread, staleness.

Comes in: a `Library`. Goes out: one `Derived` per card; nothing after this calculates with measurements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from proofpress.check.library import CardEntry, Library
from proofpress.derive.finding import Evidence, Finding, Shown, Withheld, evidence_of, findings
from proofpress.kernel.reading import exact_value
from proofpress.progress import Watch, told, unwatched
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, Campaign, NotMeasured, arm_of
from proofpress.records.card import Card, HeadlineChoice, NoProjection, PendingHeadline, ProfileChoice

SPREAD_LIMIT = 0.10
"""Servers that differ by more than this share of their median are said so at the number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One series of findings that a card shows."""

    choice: ProfileChoice
    evidence: Evidence
    arms: tuple[Arm, ...]
    findings: tuple[Finding, ...]
    is_stale: bool
    """Measured on another image than the headline, and before it."""

    @property
    def id(self) -> str:
        """Unique on its card and stable: campaign, arms, metric and axis."""
        return f"{self.choice.campaign}.{'_'.join(arm.id for arm in self.arms)}.{self.choice.metric}.{self.choice.axis.value}"

    @property
    def campaign(self) -> Campaign:
        return self.evidence.campaign

    @property
    def source_axis(self) -> Axis:
        """The axis of its runs: the suite for a ladder over draft depth."""
        return Axis.SUITE if self.choice.axis is Axis.DRAFT_DEPTH else self.choice.axis

    @property
    def shown(self) -> tuple[Shown, ...]:
        return tuple(finding for finding in self.findings if isinstance(finding, Shown))

    @property
    def withheld(self) -> tuple[Withheld, ...]:
        return tuple(finding for finding in self.findings if isinstance(finding, Withheld))

    @property
    def not_measured(self) -> tuple[NotMeasured, ...]:
        """Runs of its arms that were planned and not made."""
        arms = {arm.id for arm in self.arms}
        return tuple(
            run
            for run in self.campaign.runs
            if isinstance(run, NotMeasured) and run.arm in arms and run.axis is self.source_axis
        )

    @property
    def measured_on(self) -> tuple[date, ...]:
        """The days of its runs, sorted."""
        return _days(self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The card's one big number: a finding on the suite axis, and that of the arm it was compared with."""

    choice: HeadlineChoice
    evidence: Evidence
    arm: Arm
    finding: Finding
    oracle_arm: Arm | None
    oracle: Finding | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A roofline. Rates in tok/s."""

    ceiling: float
    target: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A card and all that follows from its evidence."""

    id: str
    card: Card
    headline: Headline | None
    pending: str | None
    """Why there is no headline; None where there is one."""
    profiles: tuple[Profile, ...]
    projection: Projection | None
    updated: date
    """The newest day on which anything on the card was measured, or its first publication."""

    def on_axis(self, *axes: Axis) -> tuple[Profile, ...]:
        return tuple(profile for profile in self.profiles if profile.choice.axis in axes)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that the card shows or withholds, headline first."""
        own = (self.headline.finding,) if self.headline else ()
        return (*own, *(finding for profile in self.profiles for finding in profile.findings))

    @property
    def weight_bytes(self) -> int | None:
        """The size of the weights: what the card says, or else the headline's arm."""
        return self.card.model.weight_bytes or (self.headline.arm.weight_bytes if self.headline else None)

    @property
    def campaigns(self) -> tuple[str, ...]:
        """Ids of the campaigns that its numbers rest on, headline first."""
        ids = [self.headline.choice.campaign] if self.headline else []
        return tuple(dict.fromkeys([*ids, *(profile.choice.campaign for profile in self.profiles)]))


def derive(library: Library, watch: Watch = unwatched) -> tuple[Mapping[str, Evidence], tuple[Derived, ...]]:
    """Every campaign's readings and every card's findings. The library must have passed `agreement`: references hold."""
    evidence = {
        entry.id: evidence_of(entry.campaign, entry.source.sha256, library.vocabulary.metrics.keys())
        for entry in told(sorted(library.campaigns.values(), key=lambda entry: entry.id), "deriving", watch)
    }
    cards = tuple(_derived(entry, evidence) for entry in sorted(library.cards.values(), key=lambda entry: entry.id))
    return evidence, cards


def _derived(entry: CardEntry, evidence: Mapping[str, Evidence]) -> Derived:
    card = entry.card
    headline = _headline(card.headline, evidence) if isinstance(card.headline, HeadlineChoice) else None
    profiles = tuple(_profile(choice, evidence[choice.campaign], headline) for choice in card.profiles)
    days = [day for profile in profiles for day in profile.measured_on]
    days += _days((headline.finding,)) if headline else ()
    return Derived(
        id=entry.id,
        card=card,
        headline=headline,
        pending=card.headline.pending if isinstance(card.headline, PendingHeadline) else None,
        profiles=profiles,
        projection=_projection(card),
        updated=max([card.published, *days]),
    )


def _headline(choice: HeadlineChoice, evidence: Mapping[str, Evidence]) -> Headline | None:
    source = evidence[choice.campaign]
    arm = arm_of(source.campaign, choice.arm)
    found = findings(source, arms=(choice.arm,), metric=choice.metric, axis=Axis.SUITE)
    if arm is None or not found:
        return None
    named = arm.oracles.get(Axis.SUITE)
    oracle_arm = arm_of(source.campaign, named.arm) if named is not None and named.kind == "arm" else None
    oracle = findings(source, arms=(oracle_arm.id,), metric=choice.metric, axis=Axis.SUITE) if oracle_arm else ()
    return Headline(
        choice=choice,
        evidence=source,
        arm=arm,
        finding=found[0],
        oracle_arm=oracle_arm,
        oracle=oracle[0] if oracle else None,
    )


def _profile(choice: ProfileChoice, evidence: Evidence, headline: Headline | None) -> Profile:
    names = choice.arms or ((choice.arm,) if choice.arm else ())
    arms = tuple(arm for name in names if (arm := arm_of(evidence.campaign, name)) is not None)
    found = findings(evidence, arms=names, metric=choice.metric, axis=choice.axis)
    return Profile(
        choice=choice, evidence=evidence, arms=arms, findings=found, is_stale=_is_stale(evidence, found, headline)
    )


def _is_stale(evidence: Evidence, found: tuple[Finding, ...], headline: Headline | None) -> bool:
    if headline is None:
        return False
    own, newest = evidence.campaign.setup.image, headline.evidence.campaign.setup.image
    own_days, headline_days = _days(found), _days((headline.finding,))
    return own != newest and bool(own_days and headline_days) and max(own_days) < max(headline_days)


def _days(found: tuple[Finding, ...]) -> tuple[date, ...]:
    return tuple(
        sorted(
            {
                reading.measured_on
                for finding in found
                for reading in finding.readings
                if reading.measured_on is not None
            }
        )
    )


def _projection(card: Card) -> Projection | None:
    """Bandwidth of all cards over bytes read per token, and the share of it that the card says can be reached."""
    inputs = card.projection
    if isinstance(inputs, NoProjection):
        return None
    ceiling = card.hardware.cards * inputs.memory_bandwidth_bytes_per_s / inputs.bytes_per_token
    return Projection(ceiling=exact_value(ceiling), target=exact_value(ceiling * inputs.reachable_share))
