"""Claim: what a card states in fields, a headline or an `exact_through`, held against the findings.

Comes in: derived cards with their sources. Goes out: problems at the very field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.finding import Evidence, Withheld, exact_through, where, why
from proofpress.load.source import Location, Source
from proofpress.problem import Problem
from proofpress.records.axis import Axis

MAX_POINTS = 200
"""Points of one profile that a page can still show."""


def problems(derived: Derived, source: Source, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    """Every claim of a card that its evidence does not bear out."""
    yield from _headline(derived, source, evidence)
    yield from _profiles(derived, source)


def _measured_by(evidence: Evidence | None, arms: tuple[str, ...], axis: Axis) -> str:
    """What there is instead: 'measured here: decode, ttft_mean'; the axes of these arms where this one has nothing."""
    own = [reading for reading in evidence.readings if reading.arm in arms] if evidence else []
    metrics = sorted({metric for reading in own if reading.axis is axis for metric in reading.values})
    axes = sorted({reading.axis.value for reading in own})
    if metrics:
        return f"measured there: {', '.join(metrics)}"
    return f"this arm was measured over {' and '.join(axes)}" if axes else "this arm has no runs of its own"


def _headline(derived: Derived, source: Source, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    if derived.headline is None:
        if derived.pending is None:
            expected = "the campaign has a value of this arm and metric on the suite axis"
            choice = derived.card.headline
            hint = _measured_by(
                evidence.get(getattr(choice, "campaign", "")), (getattr(choice, "arm", ""),), Axis.SUITE
            )
            yield source.problem(
                "no-evidence.headline", ("headline",), found="no such finding", expected=expected, hint=hint
            )
        return
    finding = derived.headline.finding
    if isinstance(finding, Withheld):
        expected = "a headline is identity-qualified in every pass and on every server"
        hint = f"see {where(derived.headline.evidence, finding.failing)}; write 'pending' with the reason instead"
        yield source.problem("identity.headline", ("headline",), found=why(finding), expected=expected, hint=hint)


def _profiles(derived: Derived, source: Source) -> Iterator[Problem]:
    for index, profile in enumerate(derived.profiles):
        if not profile.findings:
            expected = "a profile shows what its campaign measured: runs of this arm on this axis with this metric"
            axis = Axis.SUITE if profile.choice.axis is Axis.DRAFT_DEPTH else profile.choice.axis
            hint = _measured_by(profile.evidence, tuple(arm.id for arm in profile.arms), axis)
            yield source.problem(
                "no-evidence.profile", ("profiles", index), found="no such runs", expected=expected, hint=hint
            )
        if len(profile.findings) > MAX_POINTS:
            found, expected = f"{len(profile.findings):,} points", f"at most {MAX_POINTS} points in a profile"
            hint = "split the ladder into campaigns of their own"
            yield source.problem("limit.points", ("profiles", index), found=found, expected=expected, hint=hint)
        claimed = profile.choice.exact_through
        if claimed is not None:
            yield from _through(profile, claimed, source, ("profiles", index, "exact_through"))


def _through(profile: Profile, claimed: int, source: Source, location: Location) -> Iterator[Problem]:
    if all(finding.x != claimed for finding in profile.findings):
        measured = ", ".join(str(finding.x) for finding in profile.findings)
        expected = f"a number of users that was measured: {measured}"
        yield source.problem("no-evidence.exact-through", location, found=str(claimed), expected=expected)
        return
    claimed_findings = [finding for finding in profile.findings if finding.x is not None and finding.x <= claimed]
    if all(finding.identity is None for finding in claimed_findings):
        expected = "a claim of equal outputs rests on a comparison, and nothing was compared at these levels"
        hint = f"see evidence/{profile.evidence.campaign.id}/campaign.json; remove the claim"
        yield source.problem(
            "identity.exact-through", location, found=f"{claimed} claimed", expected=expected, hint=hint
        )
        return
    for finding in claimed_findings:
        if isinstance(finding, Withheld) and finding.x is not None:
            through = exact_through(profile.findings)
            expected = f"every level up to it is identity-qualified, and at {Axis.CONCURRENT_USERS.position(finding.x)} one is not"
            hint = f"see {where(profile.evidence, finding.failing)}; " + (
                f"write {through}" if through else "remove the claim"
            )
            yield source.problem(
                "identity.exact-through",
                location,
                found=f"{claimed} claimed, {why(finding)}",
                expected=expected,
                hint=hint,
            )
            return
