"""Support: what the evidence of one card bears out: values, counts, levels and ratios that its prose may state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from proofpress.derive.caption import exact_through
from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.finding import Finding, Shown, Withheld
from proofpress.derive.subject import ArmKey, evidence_of, named
from proofpress.language.numeral import WELL_WRITTEN
from proofpress.language.sentence import around
from proofpress.records.axis import Axis


def supports(stated: str, value: float, scale: int = 0) -> bool:
    """Whether `value` gives `stated` when rounded to the digits it has: within half a unit of the last one."""
    if not WELL_WRITTEN.fullmatch(stated):
        return False
    number = Decimal(stated.replace(",", "")).scaleb(scale)
    half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
    return abs(Decimal(repr(value)) - number) <= half


class Support:
    """What the evidence of one card bears out; each list is made when the first words ask for it."""

    def __init__(self, derived: Derived, arms: frozenset[ArmKey] = frozenset()) -> None:
        self.derived = derived
        self._arms = arms
        self._own = _of_arms(derived, arms) if arms else derived
        self._narrowed: dict[frozenset[ArmKey], Support] = {}

    def about(self, words: str, position: int) -> Support:
        """What bears out a statement at `position`: the evidence of the arms that its clause names, or else its sentence; or all."""
        arms = next(filter(None, (named(part, self.derived) for part in around(words, position))), None)
        if arms is None:
            return self
        if arms not in self._narrowed:
            self._narrowed[arms] = Support(self.derived, arms)
        return self._narrowed[arms]

    def gives(self, number: str, unit: str, scale: int = 0) -> bool:
        """Whether a shown value, in `unit`, has the digits of `number`."""
        factor = 0.001 if unit == "s" else 1
        return any(
            supports(number, value * factor, scale) for value in self._values.get("ms" if unit == "s" else unit, ())
        )

    def withheld_as(self, number: str, unit: str, scale: int) -> Withheld | None:
        """The withheld finding that has this value, if one has."""
        for finding in _all_findings(self._own):
            if isinstance(finding, Withheld) and _unit_of(finding) == unit and finding.value is not None:
                values = [finding.value, *(reading.values[finding.metric].value for reading in finding.displayed)]
                if any(supports(number, value, scale) for value in values):
                    return finding
        return None

    @cached_property
    def _values(self) -> dict[str, list[float]]:
        return _values(self._own)

    @cached_property
    def counts(self) -> set[tuple[int, int]]:
        return _counts(self._own)

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
        readings = [
            reading
            for evidence in evidence_of(self.derived)
            for reading in evidence.readings
            if (reading.campaign, reading.arm) in (self._arms or _shown_arms(self.derived))
        ]
        return all(reading.reason is None for reading in readings) and any(reading.identity for reading in readings)

    @cached_property
    def ratios(self) -> list[float]:
        return _ratios(self._own)


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


def _values(derived: Derived) -> dict[str, list[float]]:
    """Every value that prose may repeat, by unit: shown ones, what each server gave for them, and shares per user."""
    values: dict[str, list[float]] = {"tok/s": [], "ms": []}
    for finding in _all_findings(derived):
        if isinstance(finding, Shown):
            unit = _unit_of(finding)
            values[unit] += [finding.value, *(reading.values[finding.metric].value for reading in finding.displayed)]
            if finding.metric.startswith("aggregate") and finding.x:
                values[unit].append(finding.value / finding.x)
    return values


def _counts(derived: Derived) -> set[tuple[int, int]]:
    """Every identity count of the card's evidence, those of whole profiles, and how many of a profile's levels are shown or withheld."""
    counts: set[tuple[int, int]] = set()
    for finding in _all_findings(derived):
        counts |= {
            (reading.identity.matched, reading.identity.total) for reading in finding.readings if reading.identity
        }
    for profile in derived.profiles:
        identities = [finding.identity for finding in profile.findings if finding.identity]
        counts.add((sum(identity.matched for identity in identities), sum(identity.total for identity in identities)))
        counts |= {(len(profile.shown), len(profile.findings)), (len(profile.withheld), len(profile.findings))}
    # prose may count the outputs that differed instead of those that matched
    return counts | {(total - matched, total) for matched, total in counts}


def _ratios(derived: Derived) -> list[float]:
    """Ratios above 1 of shown values under equal conditions: headline and oracle, steps of a ladder, two profiles at the same x."""
    pairs: list[tuple[Finding, Finding]] = []
    if derived.headline is not None and derived.headline.oracle is not None:
        pairs.append((derived.headline.finding, derived.headline.oracle))
    for profile in derived.on_axis(Axis.DRAFT_DEPTH):
        pairs += combinations(profile.findings, 2)
    for first, second in combinations(derived.profiles, 2):
        alike = (first.choice.metric, first.choice.axis) == (second.choice.metric, second.choice.axis)
        if alike and first.campaign.workload == second.campaign.workload:
            pairs += [(one, other) for one in first.findings for other in second.findings if one.x == other.x]
    shown = [(one.value, other.value) for one, other in pairs if isinstance(one, Shown) and isinstance(other, Shown)]
    return [max(pair) / min(pair) for pair in shown]
