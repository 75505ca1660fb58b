"""Support: what the evidence of one card bears out: values, counts, levels and ratios that its prose may state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.finding import Finding, Shown, Withheld, exact_through
from proofpress.derive.reference import written
from proofpress.derive.subject import ArmKey, Spoken, evidence_of, spoken_of
from proofpress.kernel.reading import Reading
from proofpress.language.numeral import WELL_WRITTEN
from proofpress.records.axis import Axis


def supports(stated: str, value: float, scale: int = 0) -> bool:
    """Whether `value` gives `stated` when rounded to the digits it has: within half a unit of the last one."""
    if not WELL_WRITTEN.fullmatch(stated):
        return False
    number = Decimal(stated.replace(",", "")).scaleb(scale)
    half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
    return abs(Decimal(repr(value)) - number) <= half


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value that prose may repeat, and what it was measured of."""

    value: float
    unit: str
    """'tok/s' or 'ms'."""
    metric: str
    arm: ArmKey
    axis: Axis
    x: int | None
    is_share: bool = False
    """Whether it is one user's share of what several get together."""

    def __str__(self) -> str:
        return written(*self.arm, self.axis, self.x, self.metric)

    def is_of(self, spoken: Spoken) -> bool:
        """Whether a number that is said of this may be it. Without a level over users, one user was served."""
        users = self.x if self.axis is Axis.CONCURRENT_USERS else 1
        of_users = not spoken.users or users in spoken.users or (spoken.is_share and 1 in spoken.users)
        of_context = self.x in spoken.context if self.axis is not Axis.CONCURRENT_USERS else bool(spoken.users)
        return (
            (not spoken.arms or self.arm in spoken.arms)
            and of_users
            and (not spoken.context or of_context)
            and (not spoken.is_share or self.is_share or users == 1)
            and not (spoken.is_total and self.is_share)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two shown values under equal conditions: more tokens per second, or less waiting, is the faster."""

    faster: ArmKey
    slower: ArmKey
    ratio: float
    """Above 1."""


class Support:
    """What the evidence of one card bears out; each list is made when the first words ask for it."""

    def __init__(self, derived: Derived, arms: frozenset[ArmKey] = frozenset()) -> None:
        self.derived = derived
        self._arms = arms
        self._own = _of_arms(derived, arms) if arms else derived
        self._narrowed: dict[frozenset[ArmKey], Support] = {}

    def about(self, words: str, start: int, said: str) -> Support:
        """What bears out the statement `said` at `start`: the evidence of the arms that it speaks of, or of all where it names none."""
        arms = spoken_of(words, start, start + len(said), self.derived)
        if not arms:
            return self
        if arms not in self._narrowed:
            self._narrowed[arms] = Support(self.derived, arms)
        return self._narrowed[arms]

    def giving(self, number: str, unit: str, scale: int = 0) -> tuple[Value, ...]:
        """The shown values that have, in `unit`, the digits of `number`."""
        factor, own = (0.001, "ms") if unit == "s" else (1, unit)
        return tuple(
            value for value in self.values if value.unit == own and supports(number, value.value * factor, scale)
        )

    def withheld_as(self, number: str, unit: str, scale: int, spoken: Spoken) -> Withheld | None:
        """The withheld finding that has this value, if one has."""
        for finding in _all_findings(self._own):
            if isinstance(finding, Withheld) and _unit_of(finding) == unit and finding.value is not None:
                values = [finding.value, *(reading.values[finding.metric].value for reading in finding.displayed)]
                is_meant = not spoken.arms or _key(finding) in spoken.arms
                if is_meant and any(supports(number, value, scale) for value in values):
                    return finding
        return None

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Every value that prose may repeat: shown ones, what each server gave for them, and shares per user."""
        return tuple(
            value
            for finding in _all_findings(self._own)
            if isinstance(finding, Shown)
            for value in _values(finding, finding.value)
        )

    @cached_property
    def counts(self) -> frozenset[tuple[int, int]]:
        """How many of how many outputs were equal, or levels shown."""
        return frozenset(_counts(self._own))

    def counts_at(self, users: frozenset[int]) -> frozenset[tuple[int, int]]:
        """The counts of these numbers of users, where something was measured there; all counts where nothing was, or none is named."""
        found = {
            (reading.identity.matched, reading.identity.total)
            for finding in _all_findings(self._own)
            if (finding.x if finding.readings[0].axis is Axis.CONCURRENT_USERS else 1) in users
            for reading in finding.readings
            if reading.identity
        }
        return frozenset(found) or self.counts

    def measured_at(self, context: frozenset[int]) -> bool:
        """Whether something is shown at one of these lengths of context."""
        return any(value.axis is Axis.CONTEXT_TOKENS and value.x in context for value in self.values)

    @property
    def _over_users(self) -> tuple[Profile, ...]:
        return self._own.on_axis(Axis.CONCURRENT_USERS)

    @cached_property
    def exact_levels(self) -> set[int]:
        """Every measured number of users up to which some profile is exact, and below which none ends."""
        withheld = {finding.x for profile in self._over_users for finding in profile.withheld if finding.x is not None}
        return {
            finding.x
            for profile in self._over_users
            for finding in profile.findings
            if finding.x is not None
            and finding.x <= (exact_through(profile.findings) or 0)
            and finding.x < min(withheld, default=finding.x + 1)
        }

    @cached_property
    def all_users(self) -> bool:
        """Whether something was measured over users, and all of it is shown."""
        return bool(self._over_users) and all(profile.findings and not profile.withheld for profile in self._over_users)

    @cached_property
    def lossless(self) -> bool:
        """Whether every run of the arms spoken of qualifies, on every axis of their campaigns, and some outputs were compared."""
        return self.unequal is None and any(reading.identity for reading in self._readings)

    @cached_property
    def _readings(self) -> tuple[Reading, ...]:
        arms = self._arms or _shown_arms(self.derived)
        return tuple(
            reading
            for evidence in evidence_of(self.derived)
            for reading in evidence.readings
            if (reading.campaign, reading.arm) in arms
        )

    @cached_property
    def unequal(self) -> Reading | None:
        """The first run of the arms spoken of whose outputs were not equal, or that was not compared."""
        return next((reading for reading in self._readings if reading.reason is not None), None)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Shown values under equal conditions: headline and oracle, steps of a ladder, two profiles at the same x."""
        return tuple(_pairs(self._own))


def _shown_arms(derived: Derived) -> frozenset[ArmKey]:
    """The arms that a card itself shows."""
    headline = {(derived.headline.choice.campaign, derived.headline.arm.id)} if derived.headline else set()
    return frozenset(headline | {(profile.campaign.id, arm.id) for profile in derived.profiles for arm in profile.arms})


def _of_arms(derived: Derived, arms: frozenset[ArmKey]) -> Derived:
    """A card as far as it shows these arms."""
    profiles = [
        replace(
            profile,
            findings=tuple(finding for finding in profile.findings if (profile.campaign.id, finding.arm) in arms),
        )
        for profile in derived.profiles
    ]
    headline = derived.headline
    shown = headline is not None and (headline.choice.campaign, headline.arm.id) in arms
    return replace(
        derived,
        headline=headline if shown else None,
        profiles=tuple(profile for profile in profiles if profile.findings),
    )


def _unit_of(finding: Finding) -> str:
    return "ms" if finding.metric.startswith("ttft") else "tok/s"


def _all_findings(derived: Derived) -> Iterator[Finding]:
    if derived.headline is not None:
        yield derived.headline.finding
        if derived.headline.oracle is not None:
            yield derived.headline.oracle
    for profile in derived.profiles:
        yield from profile.findings


def _key(finding: Finding) -> ArmKey:
    return (finding.readings[0].campaign, finding.arm)


def _values(finding: Finding, value: float) -> Iterator[Value]:
    """A finding's value, what each server gave for it, and the share of each user."""
    own = Value(
        value=value,
        unit=_unit_of(finding),
        metric=finding.metric,
        arm=_key(finding),
        axis=finding.readings[0].axis,
        x=finding.x,
    )
    yield own
    for reading in finding.displayed:
        yield replace(own, value=reading.values[finding.metric].value)
    if finding.metric.startswith("aggregate") and finding.x:
        yield replace(own, value=value / finding.x, is_share=True)


def _counts(derived: Derived) -> set[tuple[int, int]]:
    """Every identity count of the card's evidence, those of whole profiles, and how many of a profile's levels are shown."""
    counts: set[tuple[int, int]] = set()
    for finding in _all_findings(derived):
        counts |= {
            (reading.identity.matched, reading.identity.total) for reading in finding.readings if reading.identity
        }
    for profile in derived.profiles:
        identities = [finding.identity for finding in profile.findings if finding.identity]
        counts.add((sum(identity.matched for identity in identities), sum(identity.total for identity in identities)))
        counts.add((len(profile.shown), len(profile.findings)))
    return counts


def _pairs(derived: Derived) -> Iterator[Pair]:
    pairs: list[tuple[Finding, Finding]] = []
    if derived.headline is not None and derived.headline.oracle is not None:
        pairs.append((derived.headline.finding, derived.headline.oracle))
    for profile in derived.on_axis(Axis.DRAFT_DEPTH):
        pairs += combinations(profile.findings, 2)
    for first, second in combinations(derived.profiles, 2):
        alike = (first.choice.metric, first.choice.axis) == (second.choice.metric, second.choice.axis)
        if alike and first.campaign.workload == second.campaign.workload:
            pairs += [(one, other) for one in first.findings for other in second.findings if one.x == other.x]
    for one, other in pairs:
        if isinstance(one, Shown) and isinstance(other, Shown):
            less, more = sorted((one, other), key=lambda finding: finding.value)
            slower, faster = (more, less) if _unit_of(more) == "ms" else (less, more)
            yield Pair(faster=_key(faster), slower=_key(slower), ratio=more.value / less.value)
