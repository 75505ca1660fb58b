"""Finding: what the build makes of one x. `Shown` may be published, `Withheld` is printed with its reason and never drawn.

Comes in: readings of a campaign. Goes out: profiles and headlines as lists of findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeAlias

from proofpress.kernel import recount, transcript
from proofpress.kernel.reading import Reading, exact_value
from proofpress.records.axis import Axis
from proofpress.records.campaign import Campaign, Identity, RecordCampaign, arm_of
from proofpress.records.reason import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    x: int | None
    metric: str
    arm: str
    readings: tuple[Reading, ...]
    """Every pass and server of this arm and x, in the order of the file."""
    displayed: tuple[Reading, ...]
    """The readings whose median is `value`: the selected pass, on every server that has it."""

    @property
    def identity(self) -> Identity | None:
        """Counts of the displayed readings; unequal counts of several servers give the lowest."""
        counts = [reading.identity for reading in self.displayed or self.readings if reading.identity is not None]
        return min(counts, key=lambda identity: identity.matched / identity.total) if counts else None

    @property
    def is_reference(self) -> bool:
        return self.identity is None and all(reading.is_reference for reading in self.readings)

    @property
    def samples(self) -> int | None:
        """How many of what was repeated one value rests on, where all displayed readings agree."""
        counts = {reading.values[self.metric].samples for reading in self.displayed}
        return counts.pop() if len(counts) == 1 else None

    @property
    def sampled(self) -> str:
        """What the samples are: 'requests' or 'prompt classes'."""
        return self.displayed[0].values[self.metric].sampled if self.displayed else "requests"

    @property
    def servers(self) -> int:
        """How many fresh servers the value stands for."""
        return sum(reading.servers for reading in self.displayed)

    @property
    def server_values(self) -> tuple[Reading, ...]:
        """What single servers gave: the displayed readings, or those that the source gives beside a displayed centre."""
        if not any(reading.servers > 1 for reading in self.displayed):
            return self.displayed
        return tuple(reading for reading in self.readings if reading.servers == 1 and self.metric in reading.values)

    @property
    def spread(self) -> float | None:
        """Distance of the displayed servers from each other, as a share of their median; None for one server."""
        values = [reading.values[self.metric].value for reading in self.server_values]
        return (max(values) - min(values)) / median(values) if len(values) > 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(_Finding):
    """A finding that may be published: every pass and server is identity-qualified."""

    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld(_Finding):
    """A finding that is not claimed: its value where there is one, and the reason."""

    value: float | None
    reason: Reason
    failing: tuple[Reading, ...]
    """The runs that did not qualify."""


Finding: TypeAlias = Shown | Withheld

_WEIGHT = (
    Reason.SUPERSEDED,
    Reason.IDENTITY,
    Reason.ORACLE_UNSTABLE,
    Reason.QUEUED,
    Reason.NOT_FRESH,
    Reason.SAMPLING_UNKNOWN,
    Reason.NO_IDENTITY_EVIDENCE,
)
"""Which reason is said when several hold: the one that no further measurement of the others would lift comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One campaign with all its readings."""

    campaign: Campaign
    sha256: str
    readings: tuple[Reading, ...]


def evidence_of(campaign: Campaign, sha256: str, metrics: Set[str]) -> Evidence:
    """The campaign's readings, transcribed or recounted according to its grade, of the metrics that the vocabulary explains.

    Rows give every metric that there is a formula for; one without words could not be printed.
    """
    if isinstance(campaign, RecordCampaign):
        readings = transcript.readings(campaign)
    else:
        readings = recount.readings(campaign)
    return Evidence(
        campaign=campaign,
        sha256=sha256,
        readings=tuple(
            replace(reading, values={name: value for name, value in reading.values.items() if name in metrics})
            for reading in readings
        ),
    )


def findings(evidence: Evidence, *, arms: Iterable[str], metric: str, axis: Axis) -> tuple[Finding, ...]:
    """The findings of a profile, in the order of x.

    On the draft-depth axis they are the suite findings of the arms, x being each arm's depth; on all others those of the one arm.
    """
    found: list[Finding] = []
    source_axis = Axis.SUITE if axis is Axis.DRAFT_DEPTH else axis
    for arm_id in arms:
        arm = arm_of(evidence.campaign, arm_id)
        groups: dict[int | None, list[Reading]] = {}
        for reading in evidence.readings:
            if reading.arm == arm_id and reading.axis is source_axis:
                groups.setdefault(reading.x, []).append(reading)
        for x, readings in groups.items():
            if any(metric in reading.values or metric in reading.unvalued for reading in readings):
                position = (
                    arm.depth if axis is Axis.DRAFT_DEPTH and arm else x
                )  # agreement: each arm of a ladder has one
                finding = judge(readings, metric=metric, passes=evidence.campaign.select.passes, x=position)
                if finding is not None:
                    found.append(finding)
    return tuple(sorted(found, key=lambda finding: -1 if finding.x is None else finding.x))


def judge(readings: Sequence[Reading], *, metric: str, passes: Sequence[str], x: int | None) -> Finding | None:
    """The verdict on one arm and x.

    Shown is the median over servers of the first selected pass that has a value, if no pass and no server failed. None if nothing failed
    and no value was given: then there is nothing to publish or to withhold.
    """
    displayed: tuple[Reading, ...] = ()
    for name in passes:
        displayed = tuple(reading for reading in readings if reading.pass_ == name and metric in reading.values)
        if displayed:
            break
    value = exact_value(median(reading.values[metric].value for reading in displayed)) if displayed else None
    failing = tuple(reading for reading in readings if reading.reason is not None)
    arm = readings[0].arm
    if failing:
        return Withheld(
            x=x, metric=metric, arm=arm, readings=tuple(readings), displayed=displayed, value=value,
            reason=_reason(displayed, failing), failing=failing,
        )  # fmt: skip
    if value is None:
        return None
    return Shown(x=x, metric=metric, arm=arm, readings=tuple(readings), displayed=displayed, value=value)


def _reason(displayed: Sequence[Reading], failing: Sequence[Reading]) -> Reason:
    own = {reading.reason for reading in displayed if reading.reason is not None}
    any_run = {reading.reason for reading in failing}
    if displayed and not own and any_run <= {Reason.IDENTITY, Reason.ORACLE_UNSTABLE}:
        return Reason.OTHER_RUN
    return next(reason for reason in _WEIGHT if reason in (own or any_run))


def exact_through(findings: Sequence[Finding]) -> int | None:
    """The highest x up to which every measured x is shown; None where the first is withheld."""
    highest = None
    for finding in findings:
        if isinstance(finding, Withheld):
            break
        highest = finding.x
    return highest


def where(evidence: Evidence, readings: tuple[Reading, ...]) -> str:
    """Where runs stand in the evidence, for a message: a file and its pointers."""
    return ", ".join(f"evidence/{evidence.campaign.id}/campaign.json {reading.pointer}" for reading in readings[:2])


def why(finding: Withheld) -> str:
    """Why a finding is withheld, for a message: the count of equal outputs, or the reason's word."""
    reading = next((reading for reading in finding.failing if reading.identity is not None), finding.failing[0])
    if reading.identity is not None and not reading.identity.exact:
        detail = f"; {reading.detail}" if reading.detail else ""
        return f"{reading.identity} outputs matched in the {reading.run_name}{detail}"
    return f"withheld as {finding.reason.value} in the {reading.run_name}"
