"""Run table: every run of one arm on one axis, which answers are equal, and the requests behind them.

Comes in: a campaign with its readings. Goes out: tables ready to print, each run with the numbers that rest on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from proofpress.derive import wording
from proofpress.derive.caption import own_answers
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Evidence, Shown
from proofpress.kernel.reading import Reading
from proofpress.pages.curve import anchor, run_id, runs_anchor
from proofpress.pages.matrix import Matrix, Verdict, matrices
from proofpress.pages.page import Cell, Column, Row, State, Table, numbers, without_blanks
from proofpress.pages.request_table import request_table
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, Campaign, MeasuredRun, RequestCampaign, arm_of
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """All runs of one arm on one axis."""

    anchor: str
    heading: str
    oracle: str
    table: Table
    matrix: MatrixView | None
    """Which answers are equal; only where there are rows."""
    requests: tuple[RequestsView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """One answer: a sign and a word, and the state that colours it."""

    sign: str
    word: str
    state: State | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixView:
    """Prompts down, runs across."""

    legend: str
    heads: tuple[tuple[str, str], ...]
    """The label of each run, and the way to its row."""
    rows: tuple[tuple[str, tuple[MatrixCell, ...]], ...]
    counts: tuple[tuple[str, State], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestsView:
    """All requests of one run."""

    id: str
    heading: str
    table: Table


def run_tables(edition: Edition, evidence: Evidence, vocabulary: Vocabulary) -> Iterator[RunTable]:
    """The runs of a campaign: a table for each arm and axis."""
    groups: dict[tuple[str, Axis], list[Reading]] = {}
    for reading in evidence.readings:
        groups.setdefault((reading.arm, reading.axis), []).append(reading)
    campaign = evidence.campaign
    found = (
        {(matrix.arm, matrix.axis): matrix for matrix in matrices(campaign)}
        if isinstance(campaign, RequestCampaign)
        else {}
    )
    users = _users_of_runs(edition, campaign.id, vocabulary)
    for (arm_id, axis), readings in groups.items():
        arm = arm_of(campaign, arm_id)
        if arm is None:
            continue
        matrix = found.get((arm_id, axis))
        yield RunTable(
            anchor=runs_anchor(arm, axis),
            heading=f"{arm_id}: {vocabulary.axes[axis.value].label}",
            oracle=_oracle(campaign, arm, readings),
            table=_run_table(readings, vocabulary, users),
            matrix=_matrix(matrix) if matrix else None,
            requests=tuple(_requests(campaign, matrix)) if matrix and isinstance(campaign, RequestCampaign) else (),
        )


def _users_of_runs(edition: Edition, campaign_id: str, vocabulary: Vocabulary) -> dict[str, list[tuple[str, str]]]:
    """For each run, by pointer, the numbers of the site that rest on it: a label and the way there."""
    users: dict[str, list[tuple[str, str]]] = {}
    for derived, profile_id, findings in edition.resting_on(campaign_id):
        place = place_of(derived, profile_id)
        for finding in findings:
            verb = "shown" if isinstance(finding, Shown) else "withheld"
            metric = "headline" if profile_id == "headline" else vocabulary.metrics[finding.metric].short
            for reading in finding.readings:
                users.setdefault(reading.pointer, []).append(
                    (f"{metric}, {verb}", f"../models/{derived.id}.html#{place}")
                )
    return users


def place_of(derived: Derived, profile_id: str) -> str:
    """The id on a card's page of what a profile or the headline is printed in."""
    if profile_id == "headline":
        return "headline"
    profile = next(profile for profile in derived.profiles if profile.id == profile_id)
    return "suite" if profile.choice.axis is Axis.SUITE else anchor(profile)


_SIGNS: dict[Verdict, tuple[str, State | None, str]] = {
    Verdict.EQUAL: ("=", None, "equal to the oracle"),
    Verdict.DIFFERENT: ("≠", "withheld", "different"),
    Verdict.ORACLE: ("○", None, "is the oracle"),
    Verdict.UNPROVED: ("?", "withheld", "not compared"),
    Verdict.ABSENT: ("·", "pending", "not sent"),
}
"""Each verdict's sign, the state that colours it, and what a legend says of it."""


def _matrix(matrix: Matrix) -> MatrixView:
    levels = matrix.axis is not Axis.SUITE
    heads = tuple(
        (f"{f'{run.x} ' if levels else ''}{run.server} {run.pass_}", f"#{run_id(run.pointer)}") for run in matrix.runs
    )
    rows = tuple(
        (
            row.prompt,
            tuple(
                MatrixCell(sign=_SIGNS[verdict][0], word=verdict.value, state=_SIGNS[verdict][1], detail=detail)
                for verdict, detail in zip(row.verdicts, row.details, strict=True)
            ),
        )
        for row in matrix.rows
    )
    counts: tuple[tuple[str, State], ...] = tuple(
        ("oracle", "measured")
        if not run.total and any(row.verdicts[index] is Verdict.ORACLE for row in matrix.rows)
        else (f"{run.matched}/{run.total}", "measured" if run.total and run.matched == run.total else "withheld")
        for index, run in enumerate(matrix.runs)
    )
    found = {verdict for row in matrix.rows for verdict in row.verdicts}
    signs = ", ".join(f"{sign} {words}" for verdict, (sign, _, words) in _SIGNS.items() if verdict in found)
    legend = f"Each row is a prompt, each column a run: {'level, ' if levels else ''}server, pass. {signs[:1].upper()}{signs[1:]}."
    return MatrixView(legend=legend, heads=heads, rows=rows, counts=counts)


def _requests(campaign: RequestCampaign, matrix: Matrix) -> Iterator[RequestsView]:
    for column in matrix.runs:
        index = int(column.pointer.rpartition("/")[2])
        run = campaign.runs[index]
        if isinstance(run, MeasuredRun):
            level = f"{matrix.axis.position(run.x)}, " if run.x is not None else ""
            heading = f"{run.arm}: {level}{run.pass_} pass, server {run.server}"
            yield RequestsView(
                id=f"requests-{index}", heading=heading, table=request_table(run, matrix, column.pointer)
            )


def _oracle(campaign: Campaign, arm: Arm, readings: Sequence[Reading]) -> str:
    """With what the runs were compared, in a sentence."""
    if all(reading.identity is None for reading in readings):
        is_reference = all(reading.is_reference for reading in readings)
        return "Compared with nothing; a reference run." if is_reference else "No comparison of outputs is recorded."
    axis = readings[0].axis
    oracle = arm.oracles.get(axis)
    if oracle is None:
        return "With what the outputs were compared is not stated."
    if oracle.kind == "arm":
        return f"Compared with the answers of arm {oracle.arm}."
    if axis is Axis.CONCURRENT_USERS:
        return f"Compared with {own_answers(campaign, readings)}."
    return "Answers of its servers were compared with each other."


def _run_table(readings: list[Reading], vocabulary: Vocabulary, users: dict[str, list[tuple[str, str]]]) -> Table:
    known = list(vocabulary.metrics)
    metrics = sorted(
        {metric for reading in readings for metric in (*reading.values, *reading.unvalued)}, key=known.index
    )
    has_drafts = any(reading.acceptance is not None for reading in readings)
    columns = [
        Column(label="Level", numeric=any(reading.x is not None for reading in readings)),
        Column(label="Server"),
        Column(label="Pass"),
        Column(label="Session"),
        Column(label="Day"),
        *(
            Column(label=f"{vocabulary.metrics[metric].short}, {vocabulary.metrics[metric].unit}", numeric=True)
            for metric in metrics
        ),
        Column(label="Identical", numeric=True),
        Column(label="Basis"),
        *([Column(label="Drafts accepted", numeric=True)] if has_drafts else []),
        Column(label="Pointer"),
        Column(label="Rests on it"),
    ]
    values = [
        numbers([reading.values[metric].value if metric in reading.values else None for reading in readings])
        for metric in metrics
    ]
    rows = tuple(
        Row(
            id=run_id(reading.pointer),
            state="measured" if reading.reason is None else "withheld",
            mark="qualifies"
            if reading.reason is None
            else f"withheld: {vocabulary.reasons[reading.reason.value].label}",
            cells=(
                Cell(text="suite" if reading.x is None else f"{reading.x:,}"),
                Cell(text=reading.server_name),
                Cell(text=reading.pass_),
                Cell(text=reading.session or "–"),
                Cell(text=reading.measured_on.isoformat() if reading.measured_on else "–"),
                *(column[index] for column in values),
                Cell(
                    text=str(reading.identity)
                    if reading.identity
                    else ("reference" if reading.is_reference else "none")
                ),
                Cell(text=reading.identity.basis.replace("-", " ") if reading.identity else "–"),
                *([_acceptance(reading)] if has_drafts else []),
                Cell(text=reading.pointer),
                Cell(text="–", lines=tuple(users.get(reading.pointer, ()))),
            ),
        )
        for index, reading in enumerate(readings)
    )
    formulas = [
        f"{wording.sentence(vocabulary.metrics[metric].short)[:-1]}: {vocabulary.metrics[metric].statistic.partition(';')[0]}."
        for metric in metrics
        if vocabulary.metrics[metric].derived
    ]
    table, same = _said_once(without_blanks(Table(caption="", columns=tuple(columns), rows=rows)))
    return replace(table, caption=" ".join(["Every run, with its place in campaign.json.", *same, *formulas]))


_SAID_ONCE = {"Session": "All of session {}.", "Day": "All measured on {}.", "Basis": "Identity of all: {}."}


def _said_once(table: Table) -> tuple[Table, list[str]]:
    """`table` without the columns that say the same in each of several rows, and what they say in sentences."""
    same = {
        place: _SAID_ONCE[column.label].format(table.rows[0].cells[place].text)
        for place, column in enumerate(table.columns)
        if column.label in _SAID_ONCE
        and len(table.rows) > 1
        and len({row.cells[place].text for row in table.rows}) == 1
    }
    kept = [place for place in range(len(table.columns)) if place not in same]
    rows = tuple(replace(row, cells=tuple(row.cells[place] for place in kept)) for row in table.rows)
    return Table(caption="", columns=tuple(table.columns[place] for place in kept), rows=rows), list(same.values())


def _acceptance(reading: Reading) -> Cell:
    return Cell(text="–" if reading.acceptance is None else wording.percent(reading.acceptance))
