"""Explain: how one number is made, down to its rows, as plain text.

Comes in: an edition, a card's id and the number that is meant. Goes out: lines. Nothing is calculated here: values are the build's own
findings, and those of single requests, batches and classes come from the metric's formula, given only that part of the rows.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from proofpress.derive import wording
from proofpress.derive.absence import failing
from proofpress.derive.caption import LLAMA_BENCH_RATE, is_of_llama_bench, own_answers, spread_note
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Evidence, Finding, Shown, Withheld
from proofpress.kernel.identity import Oracles
from proofpress.kernel.metric import FORMULAS, LAST_OF_WINDOW
from proofpress.kernel.reading import Reading
from proofpress.records.axis import Axis
from proofpress.records.campaign import (
    Arm,
    Batch,
    Campaign,
    MeasuredRun,
    RecordCampaign,
    RecordRun,
    Request,
    RequestCampaign,
    arm_of,
)
from proofpress.records.schema import did_you_mean
from proofpress.records.vocabulary import Vocabulary

WIDTH = 110

_OF_ONE_REQUEST = {
    "class_balanced_decode": "decode",
    "class_balanced_decode_1_100": "decode_1_100",
    "aggregate_streams": "decode",
    "ttft_p50": "ttft_mean",
    "ttft_p95": "ttft_mean",
}
"""The metric that a single request has where a run has the one before it; others are their own."""


class NoSuchNumber(Exception):
    """There is no such card, profile or x; the text says which there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    """A headline or a profile: what it is called, and its findings."""

    name: str
    evidence: Evidence
    metric: str
    axis: Axis
    findings: tuple[Finding, ...]


def lines(edition: Edition, card_id: str, number: str) -> Iterator[str]:
    """How `number` of the card is made: 'headline', or a profile's id, whole or a part that no other has, with '@x' behind it."""
    derived = next((derived for derived in edition.cards if derived.id == card_id), None)
    if derived is None:
        ids = [derived.id for derived in edition.cards]
        raise NoSuchNumber(f"there is no card {card_id!r}; {did_you_mean(card_id, ids) or wording.listed(ids)}")
    found = list(_series(derived))
    if number == "headline" and derived.headline is None:
        yield f"{derived.card.name}: no headline yet. {derived.pending}"
    else:
        series, finding = _meant(found, number)
        yield f"{derived.card.name} (card {derived.id})"
        yield from _finding(series, finding, edition.library.vocabulary)
    yield ""
    yield "Other numbers of this card, as build.py explain takes them:"
    for other in found:
        places = ", ".join(_place(finding) for finding in other.findings)
        yield f"  {other.name}" + (f"  @ {places}" if other.name != "headline" else "")


def _series(derived: Derived) -> Iterator[_Series]:
    if derived.headline is not None:
        headline = derived.headline
        yield _Series(
            name="headline", evidence=headline.evidence, metric=headline.choice.metric, axis=Axis.SUITE,
            findings=(headline.finding,),
        )  # fmt: skip
    for profile in derived.profiles:
        yield _Series(
            name=profile.id, evidence=profile.evidence, metric=profile.choice.metric, axis=profile.choice.axis,
            findings=profile.findings,
        )  # fmt: skip


def _meant(found: Sequence[_Series], number: str) -> tuple[_Series, Finding]:
    name, _, place = number.partition("@")
    exact = [series for series in found if series.name == name]
    fitting = exact or [series for series in found if name in series.name]
    if len(fitting) != 1:
        told = f"several profiles have {name!r} in their id" if fitting else f"no profile has {name!r} in its id"
        names = [series.name for series in fitting or found]
        raise NoSuchNumber(f"{told}; there are {wording.listed(names)}")
    series = fitting[0]
    places = [_place(finding) for finding in series.findings]
    if not place and len(series.findings) == 1:
        return series, series.findings[0]
    if place not in places:
        raise NoSuchNumber(
            f"{series.name} has no {f'x {place}' if place else 'single x'}; there are {wording.listed(places)}"
        )
    return series, series.findings[places.index(place)]


def _place(finding: Finding) -> str:
    return "suite" if finding.x is None else str(finding.x)


def _finding(series: _Series, finding: Finding, vocabulary: Vocabulary) -> Iterator[str]:
    campaign, metric = series.evidence.campaign, vocabulary.metrics[series.metric]
    arm = arm_of(campaign, finding.arm)
    where = vocabulary.axes[series.axis.value].label if finding.x is None else series.axis.position(finding.x)
    value = "no value given" if finding.value is None else f"{wording.exact(finding.value)} {metric.unit}"
    yield f"{series.name}, {where}: {value}"
    yield ""
    yield from _verdict(finding, vocabulary)
    yield from _wrapped(
        f"Statistic: {LLAMA_BENCH_RATE if is_of_llama_bench(campaign, series.axis) else metric.statistic}."
    )
    formula = FORMULAS[series.metric].function.__doc__ or ""
    yield from _wrapped(f"Formula {series.metric}: {' '.join(formula.partition(chr(10) * 2)[0].split())}")
    if arm is not None:
        yield from _wrapped(f"Arm {arm.id}: {wording.configuration(arm)}. {_oracle(series, arm)}")
    yield f"Evidence: evidence/{campaign.id}/campaign.json, grade {campaign.grade}, SHA-256 {series.evidence.sha256}"
    if isinstance(campaign, RecordCampaign):
        yield f"Transcribed from {campaign.origin.repository}, {campaign.origin.path}, commit {campaign.origin.commit}"
    for reading in finding.readings:
        yield ""
        yield from _reading(campaign, reading, series.metric, metric.unit, displayed=reading in finding.displayed)
    yield ""
    yield from _combined(finding, metric.unit)


def _verdict(finding: Finding, vocabulary: Vocabulary) -> Iterator[str]:
    if isinstance(finding, Withheld):
        rules = wording.listed(sorted({reading.reason.rule for reading in finding.failing if reading.reason}))
        reason = vocabulary.reasons[finding.reason.value]
        yield from _wrapped(f"Verdict: withheld, {reason.label}: {failing(finding)}. {reason.explain} Rules: {rules}.")
    elif finding.is_reference:
        yield "Verdict: shown. A reference run: one user, no speculation, and nothing that it was compared with."
    else:
        runs = wording.counted(len(finding.readings), "run")
        yield f"Verdict: shown. All outputs equal their oracle's in {runs}; no other reason to withhold applies."


def _oracle(series: _Series, arm: Arm) -> str:
    oracle = arm.oracles.get(Axis.SUITE if series.axis is Axis.DRAFT_DEPTH else series.axis)
    if oracle is None:
        return "No oracle is stated."
    if oracle.kind == "arm":
        return f"Compared with arm {oracle.arm}."
    readings = [reading for finding in series.findings if finding.arm == arm.id for reading in finding.readings]
    return f"Compared with {own_answers(series.evidence.campaign, readings)}."


def _combined(finding: Finding, unit: str) -> Iterator[str]:
    values = [reading.values[finding.metric].value for reading in finding.displayed]
    if finding.value is None:
        yield "No run has a value for this metric."
    elif len(values) == 1:
        yield f"One server has the displayed pass: {wording.exact(finding.value)} {unit}."
    else:
        kind = "centre" if len(values) == 2 else "median"
        listed = wording.listed([wording.exact(value) for value in values])
        yield f"The {kind} of {wording.number(len(values))} servers, {listed}: {wording.exact(finding.value)} {unit}."
    if isinstance(finding, Shown) and spread_note(finding):
        yield spread_note(finding)


# --- one run ---------------------------------------------------------------------------------------------------------


def _reading(campaign: Campaign, reading: Reading, metric: str, unit: str, *, displayed: bool) -> Iterator[str]:
    measured = reading.values.get(metric)
    value = f"{wording.exact(measured.value)} {unit}" if measured else "no value given"
    facts = [
        f"session {reading.session}" if reading.session else "",
        f"measured {reading.measured_on.isoformat()}" if reading.measured_on else "",
        "displayed" if displayed else "not displayed, counts for identity",
    ]
    yield f"Server {reading.server}, {reading.pass_} pass, {reading.pointer}: {value}"
    yield f"  {', '.join(fact for fact in facts if fact)}"
    run = campaign.runs[int(reading.pointer.rpartition("/")[2])]
    if isinstance(campaign, RequestCampaign) and isinstance(run, MeasuredRun):
        yield from _rows(run, metric, unit)
        yield from _prompts(Oracles(campaign), run)
    elif isinstance(run, RecordRun):
        yield from _record(run, metric, unit)
    if reading.reason is not None:
        yield f"  does not qualify: {reading.reason.rule}"
    if reading.conflict is not None:
        yield from _wrapped(
            f"Two sources disagree: {reading.conflict.source} says that {reading.conflict.stated}; found: {reading.conflict.found}.",
            indent="  ",
        )


def _record(run: RecordRun, metric: str, unit: str) -> Iterator[str]:
    for record in run.records:
        if record.metric == metric:
            samples = "samples not stated" if record.samples is None else wording.counted(record.samples, "sample")
            if record.samples is not None and record.sampled:
                samples += f" ({record.sampled}{f', their {record.combined}' if record.combined else ''})"
            yield f"  transcribed as it stands in the source; {samples}"
            if record.by_class:
                classes = ", ".join(f"{name} {wording.exact(rate)}" for name, rate in sorted(record.by_class.items()))
                yield from _wrapped(f"the median of its classes: {classes}", indent="  ")
        elif metric == "prompt_over_ttft" and record.metric in {"ttft_p50", "ttft_mean"} and record.value is not None:
            yield f"  derived: {run.x:,} prompt tokens over {wording.exact(record.value)} ms ({record.metric}), in {unit}"
    if run.identity is None:
        yield "  identity: no comparison is recorded"
    else:
        yield f"  identity: {run.identity}, method {run.identity.method}, basis {run.identity.basis}"
    if run.origin is not None:
        yield f"  origin: {run.origin.repository}, {run.origin.path}, commit {run.origin.commit}"


def _rows(run: MeasuredRun, metric: str, unit: str) -> Iterator[str]:
    """The run's batches, requests and classes, each with what the formula gives for it alone."""
    of_batches = metric.startswith("aggregate")
    single = _OF_ONE_REQUEST.get(metric, metric)
    has_own = single != "aggregate_wall"
    in_window = single == "decode_1_100"
    end = f"token {LAST_OF_WINDOW} s" if in_window else "last s"
    heads = ["prompt", "class", "prompt tok", "answer tok", "cached", "start s", "first s", end]
    table: list[list[str]] = []
    for index, batch in enumerate(run.batches):
        if of_batches:
            tokens = sum(request.output_tokens for request in batch.requests)
            value = _given(metric, (batch,))
            table.append([f"batch {index}", "", "", str(tokens), "", "", "wall", f"{batch.wall_s:.9g}", value])
        for request in batch.requests:
            own = _given(single, (_alone(batch, (request,)),)) if has_own else ""
            table.append([*_cells(request, in_window=in_window), own])
    yield from _columns([*heads, f"{unit}, {single if has_own and not of_batches else metric}"], table)
    if metric.startswith("class_balanced"):
        yield from _classes(run, single, unit)


def _cells(request: Request, *, in_window: bool) -> list[str]:
    cached = "?" if request.cached_tokens is None else str(request.cached_tokens)
    stamps = request.token_times_s or ()
    end: float | None = request.last_token_s
    if in_window:
        end = stamps[LAST_OF_WINDOW - 1] if len(stamps) >= LAST_OF_WINDOW else None
    times = (request.start_s, request.first_token_s, end)
    return [
        request.prompt, request.class_ or "-", str(request.prompt_tokens), str(request.output_tokens), cached,
        *("-" if time is None else f"{time:.9g}" for time in times),
    ]  # fmt: skip


def _classes(run: MeasuredRun, single: str, unit: str) -> Iterator[str]:
    names = sorted({request.class_ for request in run.requests() if request.class_ is not None})
    medians = []
    for name in names:
        batches = tuple(
            _alone(batch, requests)
            for batch in run.batches
            if (requests := tuple(request for request in batch.requests if request.class_ == name))
        )
        medians.append(f"{name} {_given(single, batches)}")
    yield from _wrapped(f"medians of the {len(names)} classes, {unit}: {', '.join(medians)}", indent="  ")
    yield "  the run's value is the median of these"


def _alone(batch: Batch, requests: Sequence[Request]) -> Batch:
    return Batch(wall_s=batch.wall_s, requests=tuple(requests))


def _given(metric: str, batches: Sequence[Batch]) -> str:
    measured = FORMULAS[metric].function(batches)
    return "-" if measured is None else wording.exact(measured.value)


def _prompts(oracles: Oracles, run: MeasuredRun) -> Iterator[str]:
    """Identity prompt by prompt: how many were equal, and for each that was not the first token that differs."""
    found = oracles.prompts(run)
    if found is None:
        reference = oracles.is_reference(run)
        yield f"  identity: {'a reference run, compared with nothing' if reference else 'nothing that it could be compared with'}"
        return
    method, compared = found
    names = list(dict.fromkeys(oracle.name for one in compared for oracle in one.oracles))
    yield f"  identity: {sum(one.matches for one in compared)}/{len(compared)} by {method}, compared with"
    yield from (f"    {name}" for name in names)
    equal = [one.request.prompt for one in compared if one.matches]
    if equal:
        yield from _wrapped(f"equal: {', '.join(equal)}", indent="    ")
    for one in compared:
        if not one.matches:
            disputed = "; the oracle's own runs disagree here" if one.disputed else ""
            yield from _wrapped(f"different: {one.detail or one.request.prompt}{disputed}", indent="    ")


# --- layout ----------------------------------------------------------------------------------------------------------


def _columns(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table in columns: the first two to the left, numbers to the right."""
    table = [list(heads), *map(list, rows)]
    widths = [max(len(row[index]) for row in table) for index in range(len(heads))]
    for row in table:
        cells = [
            cell.ljust(width) if index < 2 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()


def _wrapped(text: str, *, indent: str = "") -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
