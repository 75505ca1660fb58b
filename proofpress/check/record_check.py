"""Record check: what a transcription must keep: counts, units, statistics recomputed from their parts. Goes out: problems."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from statistics import median

from proofpress.kernel.metric import FORMULAS
from proofpress.kernel.plan import run_name
from proofpress.kernel.reading import exact_value
from proofpress.load.source import Location, Source
from proofpress.problem import Problem, quoted
from proofpress.records.axis import Axis
from proofpress.records.campaign import Record, RecordCampaign, RecordRun, workload_on
from proofpress.records.vocabulary import Vocabulary, unknown_word

MILLI = 1000
FAR = 50
"""Factor between a time and the one that a rate implies beyond which one of them is in another unit."""


def records(campaign: RecordCampaign) -> Iterator[tuple[Location, RecordRun, Record]]:
    """Every record and where it stands."""
    for index, run in enumerate(campaign.runs):
        for number, record in enumerate(run.records):
            yield ("runs", index, "records", number), run, record


def metrics(source: Source, campaign: RecordCampaign, vocabulary: Vocabulary) -> Iterator[Problem]:
    """reference.unknown-word, unit.unknown, unit.of-metric: the words of a record, and the unit that its metric has."""
    for place, _, record in records(campaign):
        yield from unknown_word(
            source, (*place, "metric"), word=record.metric, list_name="metrics", vocabulary=vocabulary
        )
        unknown = unknown_word(source, (*place, "unit"), word=record.unit, list_name="units", vocabulary=vocabulary)
        yield from unknown
        metric = vocabulary.metrics.get(record.metric)
        if metric is not None and not unknown and record.unit != metric.unit:
            yield source.problem(
                "unit.of-metric",
                (*place, "unit"),
                found=quoted(record.unit),
                expected=f"the metric {record.metric} is in {metric.unit}",
            )


def derived(source: Source, campaign: RecordCampaign, vocabulary: Vocabulary) -> Iterator[Problem]:
    """schema.derived-metric: a transcribed value of a metric that is computed from another."""
    for place, _, record in records(campaign):
        metric = vocabulary.metrics.get(record.metric)
        if metric is not None and metric.derived:
            yield source.problem(
                "schema.derived-metric",
                (*place, "metric"),
                found=quoted(record.metric),
                expected="a derived metric is computed here from the record it is derived from, never transcribed",
                hint="record what was timed, the time to first token; the rate follows from it",
            )


def metric_axis(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """mismatch.metric-axis: a metric that means nothing on the axis of its run."""
    for place, run, record in records(campaign):
        formula = FORMULAS.get(record.metric)
        if formula is not None and run.axis.measured and run.axis not in formula.axes:
            yield source.problem(
                "mismatch.metric-axis",
                (*place, "metric"),
                found=f"{quoted(record.metric)} on the axis {run.axis.value}",
                expected=f"this metric is for {', '.join(sorted(axis.value for axis in formula.axes))}",
            )


def double_record(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """duplicate.record: one metric twice in one run."""
    for index, run in enumerate(campaign.runs):
        seen: set[str] = set()
        for number, record in enumerate(run.records):
            if record.metric in seen:
                yield source.problem(
                    "duplicate.record",
                    ("runs", index, "records", number, "metric"),
                    found=f"{quoted(record.metric)} a second time",
                    expected="one value for each metric of a run",
                    hint="a second attempt is a run of its own, with its own pass",
                )
            seen.add(record.metric)


def empty_run(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """no-evidence.empty-run: a run that records neither a value nor a count."""
    for index, run in enumerate(campaign.runs):
        if run.identity is None and all(record.value is None for record in run.records):
            yield source.problem(
                "no-evidence.empty-run",
                ("runs", index, "records"),
                found=f"no value and no count: {run_name(run.key)}",
                expected="a run exists because something was measured in it",
                hint="remove the run; what was not measured is listed as missing by itself",
            )


def identity_total(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """identity.total: a count over requests that no number of whole batches of x users can have, or over a part of the suite."""
    for index, run in enumerate(campaign.runs):
        identity = run.identity
        prompts = workload_on(campaign, run.axis).prompts
        if identity is not None and run.axis is Axis.SUITE and prompts is not None and identity.total < prompts:
            yield source.problem(
                "identity.total",
                ("runs", index, "identity", "total"),
                found=f"{identity} of a suite",
                expected=f"the suite has {prompts} prompts and all of them count: {prompts}, or a multiple of it for several passes",
            )
        if identity is None or run.axis is not Axis.CONCURRENT_USERS or not run.x or identity.total % run.x == 0:
            continue
        yield source.problem(
            "identity.total",
            ("runs", index, "identity", "total"),
            found=f"{identity} at {run.x} users",
            expected=f"a batch has {run.x} requests and all of them count: {run.x}, or a multiple of it for several batches",
        )


def uncounted(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """mismatch.conflict: a count beside a conflict that says there is none."""
    for index, run in enumerate(campaign.runs):
        if run.identity is not None and run.conflict is not None and "no count" in run.conflict.found.lower():
            yield source.problem(
                "mismatch.conflict",
                ("runs", index, "conflict", "found"),
                found=f"{quoted(run.conflict.found)}, beside {run.identity}",
                expected="'found' is what the evidence gives, so the run has no count where it gives none",
                hint='write "identity": null; a word such as exact is not counted',
            )


def statistic(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """mismatch.statistic: a value that is not the median of the class medians beside it.

    The tolerance is half a unit of the value's last stated digit, as the source rounded it; beyond 12 significant digits nothing
    is compared.
    """
    for place, _, record in records(campaign):
        if record.value is None or not record.by_class:
            continue
        recomputed = exact_value(median(record.by_class.values()))
        spelled = source.spelling((*place, "value")) or repr(record.value)
        exponent = Decimal(spelled).as_tuple().exponent
        half = Decimal(5).scaleb(int(exponent) - 1)
        if exact_value(record.value) != recomputed and abs(Decimal(repr(recomputed)) - Decimal(spelled)) > half:
            yield source.problem(
                "mismatch.statistic",
                (*place, "value"),
                found=spelled,
                expected=f"the median of its {len(record.by_class)} class medians is {recomputed:.12g}",
                hint="write the value that the parts give, or the parts that belong to it",
            )


def prefill(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """mismatch.prefill: a time to first token that the rate of reading the prompt, in the same run, contradicts by far."""
    for index, run in enumerate(campaign.runs):
        values = {record.metric: (number, record.value) for number, record in enumerate(run.records) if record.value}
        _, rate = values.get("prefill_server", (0, None))
        if run.axis is not Axis.CONTEXT_TOKENS or not run.x or rate is None:
            continue
        implied = MILLI * run.x / rate
        for metric, (number, time) in values.items():
            if metric.startswith("ttft") and not implied / FAR < time < implied * FAR:
                yield source.problem(
                    "mismatch.prefill",
                    ("runs", index, "records", number, "value"),
                    found=f"{time:g} ms",
                    expected=f"{run.x} tokens at {rate:g} tok/s, which this run gives for reading the prompt, take {implied:.4g} ms",
                    hint="it looks like seconds" if time < implied else "",
                )


def sample_counts(source: Source, campaign: RecordCampaign) -> Iterator[Problem]:
    """mismatch.samples: more classes than samples, another number of classes than the workload has, or samples of no prompt of a suite."""
    stated, prompts = campaign.workload.prompt_classes, campaign.workload.prompts
    for place, run, record in records(campaign):
        if (
            run.axis is Axis.SUITE
            and prompts
            and record.samples
            and record.samples > prompts
            and record.samples % prompts
        ):
            yield source.problem(
                "mismatch.samples",
                (*place, "samples"),
                found=str(record.samples),
                expected=f"the suite has {prompts} prompts: at most so many, or a multiple of it for several rounds",
            )
        if not record.by_class:
            continue
        found = len(record.by_class)
        if record.samples is not None and record.samples < found:
            yield source.problem(
                "mismatch.samples",
                (*place, "samples"),
                found=f"{record.samples}, with {found} class medians",
                expected="each class has at least one sample",
            )
        elif stated is not None and found != stated:
            yield source.problem(
                "mismatch.samples",
                (*place, "by_class"),
                found=f"{found} class medians",
                expected=f"the workload has {stated} prompt classes",
            )
