"""Campaign check: all that one campaign must keep and the schema cannot say. Comes in: a record and its source. Goes out: problems.

`CHECKS` lists the checks with the rules that each may report; `proofpress/check/rules/campaign.yaml` explains every rule, with an edit
that breaks it and a close neighbour that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from proofpress.check import clock_check, confidential, identity_check, record_check, row_check
from proofpress.kernel import plan
from proofpress.load.source import Location, Source
from proofpress.problem import Problem, quoted
from proofpress.records.axis import Axis
from proofpress.records.campaign import (
    ArmOracle,
    Campaign,
    MeasuredRun,
    NotMeasured,
    RecordCampaign,
    RequestCampaign,
    RunId,
)
from proofpress.records.schema import did_you_mean
from proofpress.records.vocabulary import Vocabulary, unknown_word

FIRST_YEAR = 2017
"""The year of the transformer; nothing that this site prints was measured before."""
LAST_YEAR = 2099

Function = Callable[[Source, Campaign, Vocabulary], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class Check:
    """A check, and the ids of all rules that it may report."""

    rules: tuple[str, ...]
    function: Function


def problems(
    source: Source, campaign: Campaign, vocabulary: Vocabulary, checks: Sequence[Check] | None = None
) -> Iterator[Problem]:
    """Everything wrong with `campaign`, in the order of `checks` (all of `CHECKS` by default)."""
    for check in CHECKS if checks is None else checks:
        yield from check.function(source, campaign, vocabulary)


def words(source: Source, campaign: Campaign, vocabulary: Vocabulary) -> Iterator[Problem]:
    """reference.unknown-word: every word that is chosen from a list of the vocabulary."""
    setup, workload = campaign.setup, campaign.workload
    chosen: list[tuple[Location, str | None, str]] = [
        (("setup", "accelerator"), setup.accelerator, "accelerators"),
        (("setup", "engine", "name"), setup.engine.name, "engines"),
        (("setup", "model", "quantization"), setup.model.quantization, "quantizations"),
        (("workload", "suite"), workload.suite, "suites"),
        (("workload", "api"), workload.api, "apis"),
    ]
    chosen += [
        (("workload", "by_axis", axis.value, "suite"), own.suite, "suites") for axis, own in workload.by_axis.items()
    ]
    for index, arm in enumerate(campaign.arms):
        if arm.speculation:
            place: Location = ("arms", index, "speculation")
            chosen.append(((*place, "method"), arm.speculation.method, "speculation_methods"))
            chosen.append(((*place, "draft_head"), arm.speculation.draft_head, "draft_heads"))
    for location, word, list_name in chosen:
        if word is not None:
            yield from unknown_word(source, location, word=word, list_name=list_name, vocabulary=vocabulary)


def settings(source: Source, campaign: Campaign, vocabulary: Vocabulary) -> Iterator[Problem]:
    """reference.unknown-word, type.setting: settings that the vocabulary knows, with values of the type that it states."""
    for name, value in campaign.setup.settings.items():
        setting = vocabulary.settings.get(name)
        if setting is None:
            yield source.problem(
                "reference.unknown-word",
                ("setup", "settings", name),
                key=True,
                found=quoted(name),
                expected="a setting from 'content/vocabulary.yaml', list 'settings'",
                hint=did_you_mean(name, vocabulary.settings) or "add it there, with a label and an explanation",
            )
        elif not _is_of_type(value, setting.type):
            yield source.problem(
                "type.setting",
                ("setup", "settings", name),
                found=quoted(value),
                expected=f"the setting {name} is {_TYPES[setting.type]}",
            )


_TYPES = {"integer": "a whole number", "text": "text", "boolean": "true or false", "list": "a list"}


def _is_of_type(value: object, name: str) -> bool:
    types: dict[str, type] = {"integer": int, "text": str, "boolean": bool, "list": list}
    return isinstance(value, types[name]) and (name != "integer" or not isinstance(value, bool))


def double_arms(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """duplicate.arm: two arms of one id, or two that differ in nothing but their id and what they are compared with."""
    seen: set[str] = set()
    twins: dict[str, str] = {}
    for index, arm in enumerate(campaign.arms):
        twin = twins.setdefault(arm.model_dump_json(exclude={"id", "oracles"}), arm.id)
        if twin != arm.id:
            yield source.problem(
                "duplicate.arm",
                ("arms", index),
                found=f"{quoted(arm.id)} is {quoted(twin)} under another id",
                expected="arms differ in cards, dtype, weights or speculation; runs of one configuration stand in one arm, failed ones too",
            )
        if arm.id in seen:
            yield source.problem(
                "duplicate.arm",
                ("arms", index, "id"),
                found=f"{quoted(arm.id)} a second time",
                expected="each arm of a campaign has an id of its own",
            )
        seen.add(arm.id)


def unknown_arms(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """reference.unknown-arm: a run, oracle or plan line that names an arm which is not there."""
    ids = [arm.id for arm in campaign.arms]
    named: list[tuple[Location, str]] = [
        (("arms", index, "oracles", axis.value, "arm"), oracle.arm)
        for index, arm in enumerate(campaign.arms)
        for axis, oracle in arm.oracles.items()
        if isinstance(oracle, ArmOracle)
    ]
    if isinstance(campaign, RequestCampaign):
        named += [(("plan", index, "arm"), line.arm) for index, line in enumerate(campaign.plan)]
    named += [(("runs", index, "arm"), run.arm) for index, run in enumerate(campaign.runs)]
    for location, name in named:
        if name not in ids:
            yield source.problem(
                "reference.unknown-arm",
                location,
                found=quoted(name),
                expected="an arm of this campaign",
                hint=did_you_mean(name, ids) or f"known here: {', '.join(sorted(set(ids)))}",
            )


def double_runs(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """duplicate.run: two runs of the same arm, axis, x, server and pass."""
    seen: set[RunId] = set()
    for index, run in enumerate(campaign.runs):
        if run.key in seen:
            yield source.problem(
                "duplicate.run",
                ("runs", index),
                found=f"a second time: {plan.run_name(run.key)}",
                expected="one run for each arm, axis, x, server and pass",
                hint="another attempt is another pass, with a name of its own",
            )
        seen.add(run.key)


def derived_axis(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """schema.derived-axis: a run, plan line or oracle on the axis that is computed."""
    places: list[Location] = [
        ("runs", index, "axis") for index, run in enumerate(campaign.runs) if not run.axis.measured
    ]
    places += [
        ("arms", index, "oracles", axis.value)
        for index, arm in enumerate(campaign.arms)
        for axis in arm.oracles
        if not axis.measured
    ]
    for place in places:
        yield source.problem(
            "schema.derived-axis",
            place,
            key="oracles" in place,
            found=f"'{Axis.DRAFT_DEPTH.value}'",
            expected="draft_depth is derived from the suite runs of several arms; no run has it",
            hint="give the arm its speculation depth, and the run the axis suite",
        )


def x_of_axis(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """schema.x: an x on the suite axis, none on another, or one below the lowest that the axis has."""
    for index, run in enumerate(campaign.runs):
        if not run.axis.measured:
            continue
        expected = ""
        if run.axis is Axis.SUITE:
            expected = "" if run.x is None else "the suite axis has no x; write null"
        elif run.x is None:
            expected = f"the axis {run.axis.value} has an x, a whole number"
        elif run.x < run.axis.lowest():
            expected = f"the lowest x of {run.axis.value} is {run.axis.lowest()}"
        if expected:
            yield source.problem(
                "schema.x", ("runs", index, "x"), found="null" if run.x is None else str(run.x), expected=expected
            )


def selected_passes(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """reference.unknown-pass: a selected pass that no run has."""
    names = sorted({run.pass_ for run in campaign.runs})
    for index, name in enumerate(campaign.select.passes):
        if name not in names:
            yield source.problem(
                "reference.unknown-pass",
                ("select", "passes", index),
                found=quoted(name),
                expected="a pass that a run of this campaign has",
                hint=did_you_mean(name, names) or f"known here: {', '.join(names)}",
            )


def unselected_runs(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """reference.nothing-selected: an x that was measured, of which no pass would be displayed."""
    displayed = {(run.arm, run.axis, run.x) for run in campaign.runs if run.pass_ in campaign.select.passes}
    for index, run in enumerate(campaign.runs):
        if (run.arm, run.axis, run.x) not in displayed:
            yield source.problem(
                "reference.nothing-selected",
                ("runs", index, "pass"),
                found=f"{quoted(run.pass_)}, and no other pass of this x is selected either",
                expected="of every x that was measured, one of 'select.passes' exists; nothing disappears",
                hint="add the pass to select.passes",
            )


def dates(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """number.date: a day on which this cannot have been measured."""
    for index, run in enumerate(campaign.runs):
        day = None if isinstance(run, NotMeasured) else run.measured_on
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            yield source.problem(
                "number.date",
                ("runs", index, "measured_on"),
                found=day.isoformat(),
                expected=f"a day between {FIRST_YEAR} and {LAST_YEAR}, year first",
            )


def model_length(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """mismatch.model-length: an x on a context axis that, with its answer, is longer than the engine allowed."""
    longest, answer = campaign.setup.settings.get("max_model_len"), campaign.workload.output_tokens or 1
    if not isinstance(longest, int):
        return
    for index, run in enumerate(campaign.runs):
        if run.axis not in {Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH} or run.x is None or isinstance(run, MeasuredRun):
            continue
        if run.x + answer > longest:
            yield source.problem(
                "mismatch.model-length",
                ("runs", index, "x"),
                found=f"{run.x} tokens and an answer of {answer}",
                expected=f"both fit into max_model_len = {longest}; it cannot have been measured",
            )


def suites(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """reference.idle-workload: a workload of its own for an axis on which nothing was measured."""
    axes = {run.axis for run in campaign.runs}
    for axis in campaign.workload.by_axis:
        if axis not in axes:
            yield source.problem(
                "reference.idle-workload",
                ("workload", "by_axis", axis.value),
                key=True,
                found=quoted(axis.value),
                expected="an axis that a run of this campaign has",
                hint="remove it",
            )


def private_text(source: Source, campaign: Campaign, _vocabulary: Vocabulary) -> Iterator[Problem]:
    """text.*: host paths, secrets and addresses anywhere but in the rows, whose texts are model output, and in versions."""
    rows = {("runs", index, "batches") for index, run in enumerate(campaign.runs) if isinstance(run, MeasuredRun)}
    names = {("originals", index, "file") for index in range(len(campaign.originals))}  # their paths are checked
    yield from confidential_texts(source, rows | names)


def confidential_texts(source: Source, without: Set[tuple[str, int, str]] = frozenset()) -> Iterator[Problem]:
    """text.*: everything in a file that is not for publication; the values at `without` are not looked at."""
    for location, text in _texts(source.data, (), without):
        for find in confidential.finds(text):
            if find.rule == "text.network-address" and location[-1:] == ("version",):
                continue  # 1.2.3.4 is a version there
            problem = source.problem(
                find.rule, location, found=quoted(find.words), expected=find.expected, hint=find.hint
            )
            # a message is public as well: the line that holds a secret is not quoted
            secret = find.rule == "text.secret"
            yield replace(problem, place=replace(problem.place, excerpt="")) if secret else problem


def _texts(value: object, location: Location, without: Set[tuple[str, int, str]]) -> Iterator[tuple[Location, str]]:
    if location in without:
        return
    if isinstance(value, str):
        yield location, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*location, key), without)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*location, index), without)


def _any(function: Callable[[Source, Campaign], Iterable[Problem]]) -> Function:
    """A check for both grades that needs no vocabulary."""
    return lambda source, campaign, _vocabulary: function(source, campaign)


def _rows(function: Callable[[Source, RequestCampaign], Iterable[Problem]]) -> Function:
    """A check for campaigns with rows."""
    return lambda source, campaign, _vocabulary: (
        function(source, campaign) if isinstance(campaign, RequestCampaign) else ()
    )


def _records(function: Callable[[Source, RecordCampaign], Iterable[Problem]]) -> Function:
    """A check for transcriptions."""
    return lambda source, campaign, _vocabulary: (
        function(source, campaign) if isinstance(campaign, RecordCampaign) else ()
    )


def _record_words(function: Callable[[Source, RecordCampaign, Vocabulary], Iterable[Problem]]) -> Function:
    """A check for transcriptions that reads the vocabulary."""
    return lambda source, campaign, vocabulary: (
        function(source, campaign, vocabulary) if isinstance(campaign, RecordCampaign) else ()
    )


CHECKS: tuple[Check, ...] = (
    Check(("reference.unknown-word",), words),
    Check(("reference.unknown-word", "type.setting"), settings),
    Check(("duplicate.arm",), double_arms),
    Check(("reference.unknown-arm",), unknown_arms),
    Check(("duplicate.run",), double_runs),
    Check(("schema.derived-axis",), derived_axis),
    Check(("schema.x",), x_of_axis),
    Check(("reference.unknown-pass",), selected_passes),
    Check(("reference.nothing-selected",), unselected_runs),
    Check(("reference.idle-workload",), suites),
    Check(("number.date",), dates),
    Check(("mismatch.model-length",), model_length),
    Check(confidential.RULES, private_text),
    Check(("identity.own-oracle",), _any(identity_check.own_oracle)),
    Check(("identity.speculating-oracle",), _any(identity_check.speculating_oracle)),
    Check(("mismatch.draft-settings",), _any(identity_check.draft_settings)),
    Check(("identity.other-setup",), _any(identity_check.other_setup)),
    # transcriptions
    Check(("reference.unknown-word", "unit.unknown", "unit.of-metric"), _record_words(record_check.metrics)),
    Check(("schema.derived-metric",), _record_words(record_check.derived)),
    Check(("mismatch.metric-axis",), _records(record_check.metric_axis)),
    Check(("duplicate.record",), _records(record_check.double_record)),
    Check(("no-evidence.empty-run",), _records(record_check.empty_run)),
    Check(("identity.total",), _records(record_check.identity_total)),
    Check(("mismatch.conflict",), _records(record_check.uncounted)),
    Check(("mismatch.statistic",), _records(record_check.statistic)),
    Check(("mismatch.prefill",), _records(record_check.prefill)),
    Check(("mismatch.samples",), _records(record_check.sample_counts)),
    # rows
    Check(("number.time-order",), _rows(clock_check.time_order)),
    Check(("number.no-duration",), _rows(clock_check.no_duration)),
    Check(("mismatch.token-times",), _rows(clock_check.token_times)),
    Check(("mismatch.wall",), _rows(clock_check.wall)),
    Check(("mismatch.day", "number.milliseconds"), _rows(clock_check.seconds)),
    Check(("mismatch.in-flight",), _rows(clock_check.in_flight)),
    Check(("mismatch.x",), _rows(row_check.exact_x)),
    Check(("mismatch.model-length",), _rows(row_check.row_length)),
    Check(("mismatch.answer-length",), _rows(row_check.answer_length)),
    Check(("mismatch.cached-tokens",), _rows(row_check.cached_tokens)),
    Check(("mismatch.digest",), _rows(row_check.output_digest)),
    Check(("schema.digest-encoding",), _rows(row_check.digest_encoding)),
    Check(("mismatch.drafts",), _rows(row_check.drafts)),
    Check(("mismatch.shared-times",), _rows(clock_check.shared_times)),
    Check(("duplicate.times",), _rows(clock_check.copied_times)),
    Check(("mismatch.prompts",), _rows(row_check.prompt_counts)),
    Check(("mismatch.classes",), _rows(row_check.classes)),
    # identity
    Check(("identity.nothing-to-compare",), _rows(identity_check.no_batches)),
    Check(("identity.batch-size",), _rows(identity_check.batch_size)),
    Check(("identity.double-prompt",), _rows(identity_check.double_prompt)),
    Check(("identity.other-prompt",), _rows(identity_check.other_prompt)),
    Check(("identity.prompt-without-oracle",), _rows(identity_check.prompt_without_oracle)),
    Check(("identity.empty-output",), _rows(identity_check.empty_output)),
    Check(("identity.no-output",), _rows(identity_check.no_output)),
    Check(("identity.output-length",), _rows(row_check.output_length)),
    Check(("identity.mixed-methods",), _rows(identity_check.mixed_methods)),
    Check(("identity.other-cap",), _rows(identity_check.other_cap)),
    # plan
    Check(("plan.missing-run",), _rows(plan.missing_runs)),
    Check(("plan.unplanned-run",), _rows(plan.unplanned_runs)),
    Check(("plan.repeated-run",), _rows(plan.repeated_lines)),
    Check(("plan.batch-count",), _rows(plan.batch_counts)),
    Check(("plan.idle-exception",), _rows(plan.idle_exceptions)),
)
"""Every check of one campaign. Several rules may share a check, and a rule may have a check for each grade."""

RULES: frozenset[str] = frozenset(rule for check in CHECKS for rule in check.rules)
