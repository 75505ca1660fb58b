"""Support: what the evidence of one card bears out: values, counts, levels and ratios that its prose may state."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from proofpress.derive.caption import exact_through
from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Finding, Shown, Withheld
from proofpress.language.numeral import WELL_WRITTEN
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

    def __init__(self, derived: Derived) -> None:
        self.derived = derived

    def gives(self, number: str, unit: str, scale: int = 0) -> bool:
        """Whether a shown value, in `unit`, has the digits of `number`."""
        factor = 0.001 if unit == "s" else 1
        return any(
            supports(number, value * factor, scale) for value in self._values.get("ms" if unit == "s" else unit, ())
        )

    def withheld_as(self, number: str, unit: str, scale: int) -> Withheld | None:
        """The withheld finding that has this value, if one has."""
        for finding in _all_findings(self.derived):
            if isinstance(finding, Withheld) and _unit_of(finding) == unit and finding.value is not None:
                values = [finding.value, *(reading.values[finding.metric].value for reading in finding.displayed)]
                if any(supports(number, value, scale) for value in values):
                    return finding
        return None

    @cached_property
    def _values(self) -> dict[str, list[float]]:
        return _values(self.derived)

    @cached_property
    def counts(self) -> set[tuple[int, int]]:
        return _counts(self.derived)

    @cached_property
    def exact_levels(self) -> set[int]:
        """Every measured number of users up to which some profile is exact."""
        return {
            finding.x
            for profile in self.derived.on_axis(Axis.CONCURRENT_USERS)
            for finding in profile.findings
            if finding.x is not None and finding.x <= (exact_through(profile.findings) or 0)
        }

    @cached_property
    def _whole(self) -> list[bool]:
        """For each profile over users, whether all of it is shown."""
        return [
            bool(profile.findings) and not profile.withheld for profile in self.derived.on_axis(Axis.CONCURRENT_USERS)
        ]

    @property
    def all_whole(self) -> bool:
        """Whether outputs were compared, and nothing that was measured over users is withheld, nor the headline."""
        compared = any(finding.identity for finding in _all_findings(self.derived))
        return (
            compared
            and all(self._whole)
            and (self.derived.headline is None or isinstance(self.derived.headline.finding, Shown))
        )

    @property
    def any_whole(self) -> bool:
        return any(self._whole)

    @cached_property
    def ratios(self) -> list[float]:
        return _ratios(self.derived)


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
