"""Matrix: which answers equal their oracle's, prompt by prompt and run by run, for one arm on one axis.

Comes in: a campaign with rows. Goes out: cells that a page prints; the counts are those of the readings.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from proofpress.kernel.identity import Oracles
from proofpress.records.axis import Axis
from proofpress.records.campaign import MeasuredRun, RequestCampaign


class Verdict(StrEnum):
    """What is known of one answer."""

    EQUAL = "equal"
    DIFFERENT = "different"
    ORACLE = "oracle"
    """It was compared with nothing, because it is what others are compared with."""
    UNPROVED = "not compared"
    ABSENT = "not sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRun:
    """One column: a run, its place in the file, and its counts."""

    x: int | None
    server: str
    pass_: str
    pointer: str
    matched: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One prompt with its verdict in each run, and where it differs first."""

    prompt: str
    verdicts: tuple[Verdict, ...]
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Prompts down, runs across."""

    arm: str
    axis: Axis
    runs: tuple[MatrixRun, ...]
    rows: tuple[MatrixRow, ...]


def matrices(campaign: RequestCampaign) -> tuple[Matrix, ...]:
    """A matrix for each arm and axis, in the order of the file."""
    oracles = Oracles(campaign)
    groups: dict[tuple[str, Axis], list[tuple[int, MeasuredRun]]] = {}
    for index, run in enumerate(campaign.runs):
        if isinstance(run, MeasuredRun):
            groups.setdefault((run.arm, run.axis), []).append((index, run))
    return tuple(_matrix(oracles, arm, axis, runs) for (arm, axis), runs in groups.items())


def _matrix(oracles: Oracles, arm: str, axis: Axis, runs: list[tuple[int, MeasuredRun]]) -> Matrix:
    ordered = sorted(runs, key=lambda item: (-1 if item[1].x is None else item[1].x, item[1].server, item[0]))
    columns: list[MatrixRun] = []
    verdicts: list[dict[str, tuple[Verdict, str]]] = []
    for index, run in ordered:
        compared = oracles.prompts(run)
        matches = compared[1] if compared else ()
        unknown = Verdict.ORACLE if oracles.is_reference(run) else Verdict.UNPROVED
        column = {request.prompt: (unknown, "") for request in run.requests()}
        column |= {
            one.request.prompt: (Verdict.EQUAL, "") if one.matches else (Verdict.DIFFERENT, one.detail)
            for one in matches
        }
        verdicts.append(column)
        columns.append(
            MatrixRun(
                x=run.x,
                server=run.server,
                pass_=run.pass_,
                pointer=f"/runs/{index}",
                matched=sum(one.matches for one in matches),
                total=len(matches),
            )
        )
    prompts = sorted({prompt for column in verdicts for prompt in column})
    rows = tuple(
        MatrixRow(
            prompt=prompt,
            verdicts=tuple(column.get(prompt, (Verdict.ABSENT, ""))[0] for column in verdicts),
            details=tuple(column.get(prompt, (Verdict.ABSENT, ""))[1] for column in verdicts),
        )
        for prompt in prompts
    )
    return Matrix(arm=arm, axis=axis, runs=tuple(columns), rows=rows)
