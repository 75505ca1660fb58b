"""Absence: what no chart draws, and why, in words: withheld points, planned runs that nobody made, series that a card leaves out.

Comes in: findings, profiles, runs, omissions. Goes out: lines for a page, each with its place and its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from proofpress.derive.derivation import Profile
from proofpress.derive.finding import Withheld
from proofpress.derive.omission import Omission
from proofpress.derive.wording import listed, sentence, tabular
from proofpress.kernel.reading import Reading
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, NotMeasured
from proofpress.records.reason import Reason
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """One thing that is not drawn, in words: where, and what was measured or planned and why it is not claimed."""

    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


def first_differences(profile: Profile) -> list[str]:
    """The first differences that several of its withheld points have in common, to be said once for all of them."""
    found = Counter(
        detail for finding in profile.withheld if _counted_runs(finding) for detail in _details(finding)[:1]
    )
    return [detail for detail, times in found.items() if times > 1]


def withheld_line(
    finding: Withheld,
    axis: Axis,
    unit: str,
    vocabulary: Vocabulary,
    *,
    where: str = "",
    said: Collection[str] = (),
) -> Absent:
    """The words for one withheld point; `where` replaces the level on it, and differences that were `said` are not said again."""
    measured = f"{tabular(finding.value)} {unit} measured" if finding.value is not None else "no value given"
    reason = vocabulary.reasons[finding.reason.value].label
    why = sentence(f"{measured}; {reason}{_failing_counts(finding, said)}")
    return Absent(where=where or axis.position(finding.x or 0), why=why)


def unmeasured_line(run: NotMeasured, arm: Arm | None, axis: Axis) -> Absent:
    """The words for one run that was planned and not made; on the draft-depth axis it stands at the depth of its arm."""
    level = arm.depth if axis is Axis.DRAFT_DEPTH and arm else run.x
    why = f"{run.pass_} pass, server {run.server}: not measured, “{run.not_measured}”"
    return Absent(where=axis.position(level or 0), why=why)


def unmeasured_heading(runs: Sequence[NotMeasured]) -> str:
    """'Not measured: 2 planned runs'."""
    return f"Not measured: {len(runs)} planned run{'s' if len(runs) > 1 else ''}"


def unmeasured(profile: Profile) -> tuple[Absent, ...]:
    """What was planned for a profile and not measured."""
    arms = {arm.id: arm for arm in profile.arms}
    return tuple(unmeasured_line(run, arms.get(run.arm), profile.choice.axis) for run in profile.not_measured)


def _counted_runs(finding: Withheld) -> dict[str, list[Reading]]:
    """The runs that failed, by their counts."""
    runs: dict[str, list[Reading]] = {}
    for reading in finding.failing:
        if reading.identity is not None:
            runs.setdefault(str(reading.identity), []).append(reading)
    return runs


def _details(finding: Withheld) -> list[str]:
    return list(dict.fromkeys(reading.detail for reading in finding.failing if reading.detail))


def _failing_counts(finding: Withheld, said: Collection[str]) -> str:
    """The counts of the runs that failed, equal counts together, and the first difference; every run stands in the table."""
    parts = [f"{counts} equal in the {_runs(readings)}" for counts, readings in _counted_runs(finding).items()]
    details = _details(finding)
    if parts and details and details[0] not in said:
        parts[-1] += f"; {details[0]}"
    own = finding.identity
    if finding.reason is Reason.OTHER_RUN and own is not None:
        parts.insert(0, f"{own} in the pass that would be drawn")
    parts = parts or details
    return f", {listed(parts)}" if parts else ""


def _runs(readings: Sequence[Reading]) -> str:
    """'cold and warm pass, servers a and b' where every pass of every server is among them; else one after the other."""
    passes = list(dict.fromkeys(reading.pass_ for reading in readings))
    servers = list(dict.fromkeys(reading.server_name for reading in readings))
    every = {(reading.pass_, reading.server_name) for reading in readings}
    if len(readings) == 1 or len(every) != len(passes) * len(servers) or any(one.servers > 1 for one in readings):
        return listed(list(dict.fromkeys(reading.run_name for reading in readings)))
    return f"{listed(passes)} pass{'es' if len(passes) > 1 else ''}, server{'s' if len(servers) > 1 else ''} {listed(servers)}"


def failing(finding: Withheld) -> str:
    """The runs that did not qualify: 'warm pass, server a'."""
    return "; ".join(dict.fromkeys(reading.run_name for reading in finding.failing))


def omitted(omission: Omission, vocabulary: Vocabulary) -> str:
    """'bf16 over users at once, aggregate speed: 2 of 6 levels qualify, 4 withheld'."""
    over = vocabulary.axes[omission.axis.value].label
    metric = vocabulary.metrics[omission.metric].label
    total, withheld = len(omission.findings), omission.withheld
    counts = f"{total - withheld} of {total} levels qualify, {withheld} withheld"
    if total == 1:
        counts = "withheld" if withheld else "qualifies"
    return f"{omission.arm.id} over {over}, {metric}: {counts}"
