"""Reading: one run in numbers, whatever the grade of its evidence. Findings are judged from readings alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypedDict

from proofpress.records.axis import Axis
from proofpress.records.campaign import NOT_STATED, Campaign, Conflict, Identity, MeasuredRun, RecordRun
from proofpress.records.reason import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One metric's value over one run, in the metric's unit, and how many of what it is a statistic of."""

    value: float
    samples: int | None
    sampled: str = "requests"
    """What the samples are: 'requests', 'prompt classes', 'batches', 'repetitions', 'servers', 'passes' or 'lanes'."""
    combined: str | None = None
    """'mean' or 'median', where a source says how it made one value of the samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One run: what was measured, and whether its outputs were those of its oracle."""

    campaign: str
    arm: str
    axis: Axis
    x: int | None
    server: str
    pass_: str
    session: str | None
    measured_on: date | None
    pointer: str
    """JSON pointer of the run in its campaign file."""
    values: Mapping[str, Measured]
    """By metric id."""
    identity: Identity | None
    """Counts of this run against its oracle; None where nothing was compared."""
    reason: Reason | None
    """Why this run by itself does not qualify; None where it does."""
    is_reference: bool = False
    """Whether it qualifies by being a reference run: an oracle that nothing contradicts."""
    unvalued: frozenset[str] = frozenset()
    """Metrics that the evidence names for this run without giving a value."""
    detail: str = ""
    """For a mismatch that was counted from rows: the first prompt and token that differ."""
    conflict: Conflict | None = None
    servers: int = 1
    """How many fresh servers its values stand for."""
    acceptance: float | None = None
    """Accepted draft tokens over drafted ones, where the rows have the counts."""

    @property
    def run_name(self) -> str:
        """'warm pass, server a'."""
        if self.servers > 1:
            return f"{self.pass_} pass, servers {self.server_name} together"
        return f"{self.pass_} pass, server {self.server_name}"

    @property
    def server_name(self) -> str:
        """The server as a sentence says it: 'a', 'a and b', 'not stated'."""
        if self.server == NOT_STATED:
            return "not stated"
        return " and ".join(self.server.split("-")) if self.servers > 1 else self.server


class OfRun(TypedDict):
    """The fields of a reading that stand in the file, in both grades alike."""

    campaign: str
    arm: str
    axis: Axis
    x: int | None
    server: str
    pass_: str
    session: str | None
    measured_on: date | None
    pointer: str


def of_run(campaign: Campaign, index: int, run: MeasuredRun | RecordRun) -> OfRun:
    """Which run a reading is of: the one at `index` of the campaign's runs."""
    return OfRun(
        campaign=campaign.id,
        arm=run.arm,
        axis=run.axis,
        x=run.x,
        server=run.server,
        pass_=run.pass_,
        session=run.session,
        measured_on=run.measured_on,
        pointer=f"/runs/{index}",
    )


def exact_value(value: float) -> float:
    """A computed value as it is published: rounded to 12 significant digits, so that 98.251 and 98.027 give 98.139."""
    return float(f"{value:.12g}")
