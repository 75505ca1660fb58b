"""Plan: what a campaign says it set out to measure, held against what is there. Comes in: a campaign with rows. Goes out: problems.

A plan line stands for every combination of its x, servers and passes, less its exceptions. Each combination has a run, or an
entry that says why it was not measured; nothing else has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from proofpress.load.source import Source
from proofpress.problem import Problem
from proofpress.records.axis import Axis
from proofpress.records.campaign import MeasuredRun, PlanExcept, PlanLine, RequestCampaign, RunId


@dataclass(frozen=True, slots=True)
class Planned:
    """One run that was planned, and the plan line that says so."""

    key: RunId
    line: int


def planned(campaign: RequestCampaign) -> Iterator[Planned]:
    """Every run of the plan, line by line; one that two lines name comes twice."""
    for index, line in enumerate(campaign.plan):
        for key in _combinations(line):
            if not any(excepts(exception, key) for exception in line.except_):
                yield Planned(key, index)


def excepts(exception: PlanExcept, key: RunId) -> bool:
    """Whether every field that the exception states agrees with the run."""
    _, _, x, server, pass_ = key
    pairs = ((exception.x, x), (exception.server, server), (exception.pass_, pass_))
    return all(stated is None or stated == value for stated, value in pairs)


def run_name(key: RunId) -> str:
    """'arm fp32, 8 users, server a, warm pass'."""
    arm, axis, x, server, pass_ = key
    place = f"no x on {axis.value}" if x is None and axis is not Axis.SUITE else axis.position(x or 0)
    return f"arm {arm}, {place}, server {server}, {pass_} pass"


def missing_runs(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """plan.missing-run: a planned run that is neither measured nor marked as not measured."""
    there = {run.key for run in campaign.runs}
    for entry in planned(campaign):
        if entry.key not in there:
            yield source.problem(
                "plan.missing-run",
                ("plan", entry.line),
                found=f"planned and not in 'runs': {run_name(entry.key)}",
                expected="every planned run is in the file, measured or not",
                hint='add the run, or an entry with "not_measured" and the reason',
            )


def unplanned_runs(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """plan.unplanned-run: a run that no plan line names."""
    keys = {entry.key for entry in planned(campaign)}
    for index, run in enumerate(campaign.runs):
        if run.key not in keys:
            yield source.problem(
                "plan.unplanned-run",
                ("runs", index),
                found=run_name(run.key),
                expected="every run is one that the plan names",
                hint="put it into the plan; runs that were tried and not planned cannot be told from picked ones",
            )


def repeated_lines(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """plan.repeated-run: two plan lines, or one line twice, name the same run."""
    seen: set[RunId] = set()
    for entry in planned(campaign):
        if entry.key in seen:
            yield source.problem(
                "plan.repeated-run",
                ("plan", entry.line),
                found=f"planned a second time: {run_name(entry.key)}",
                expected="the plan names each run once",
            )
        seen.add(entry.key)


def batch_counts(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """plan.batch-count: a run with other batches than planned; or, where the plan leaves them open, than most passes have."""
    lines = {entry.key: entry.line for entry in planned(campaign)}
    measured = {run.key: (index, run) for index, run in enumerate(campaign.runs) if isinstance(run, MeasuredRun)}
    usual: dict[tuple[int, int | None], Counter[int]] = {}
    for key, (_, run) in measured.items():
        if key in lines:
            usual.setdefault((lines[key], run.x), Counter())[len(run.batches)] += 1
    for key, (index, run) in measured.items():
        if key not in lines or not run.batches:
            continue
        stated = campaign.plan[lines[key]].batches
        counts = usual[lines[key], run.x]
        wanted = stated if stated is not None else max(counts, key=lambda count: (counts[count], count))
        if len(run.batches) != wanted:
            yield source.problem(
                "plan.batch-count",
                ("runs", index, "batches"),
                found=_batches(len(run.batches)),
                expected=f"the plan says {_batches(wanted)} for each of these runs"
                if stated is not None
                else f"the other passes and servers of this x have {_batches(wanted)}",
                hint="send every batch that was run; where a run was really planned shorter, give it a plan line of its own",
            )


def idle_exceptions(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """plan.idle-exception: an exception that leaves out no run of its line, or states nothing and so leaves out all."""
    for index, line in enumerate(campaign.plan):
        for number, exception in enumerate(line.except_):
            left_out = [key for key in _combinations(line) if excepts(exception, key)]
            empty = exception == PlanExcept()
            if empty or not left_out:
                yield source.problem(
                    "plan.idle-exception",
                    ("plan", index, "except", number),
                    found="an exception without a field leaves out the whole line"
                    if empty
                    else "an exception that no run of its line meets",
                    expected="an exception names x, server or pass of planned runs that were left out",
                    hint="remove it, or correct it",
                )


def _combinations(line: PlanLine) -> Iterator[RunId]:
    for x in line.x:
        for server in line.servers:
            for pass_ in line.passes:
                yield (line.arm, line.axis, x, server, pass_)


def _batches(count: int) -> str:
    return "1 batch" if count == 1 else f"{count} batches"
