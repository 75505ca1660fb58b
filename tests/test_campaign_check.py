"""Campaigns: what is refused, what is accepted, and what each single check and judge keeps out. The entries, edits and
words of their rules are tested in test_rule.py with those of all others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from campaign_cases import (
    base_of,
    base_text,
    campaign_of,
    changed,
    edited,
    edited_by,
    evidence,
    problems_of,
    readings_of,
    rules_of,
    source_of,
)

from proofpress.check.campaign_check import CHECKS, RULES
from proofpress.check.rule import Rule, registry
from proofpress.kernel.recount import JUDGES
from proofpress.records.campaign import RequestCampaign

SCHEMA_RULES = {"identity.more-than-total", "number.accepted-over-drafted"}
"""Rules of campaigns that their types keep, so no check can be switched off for them."""

BASES = ("tiny-ladder", "tiny-open", "tiny-record", "tiny-requests", "tiny-suite")
CHECKED = [registry()[rule_id] for rule_id in sorted(RULES - SCHEMA_RULES)]
JUDGED = [registry()[reason.rule] for reason, _ in JUDGES]


def _id(rule: Rule) -> str:
    return rule.id


@pytest.mark.parametrize("name", BASES)
def test_a_base_campaign_has_no_problem(name: str) -> None:
    assert problems_of(source_of(name, base_text(name))) == ()


@pytest.mark.parametrize("name", ["tiny-open", "tiny-requests", "tiny-suite"])
def test_every_run_of_a_base_campaign_with_rows_qualifies(name: str) -> None:
    assert {reading.reason for reading in readings_of(campaign_of(base_text(name)))} == {None}


@pytest.mark.parametrize("rule", CHECKED, ids=_id)
def test_without_its_check_the_wrong_edit_would_pass(rule: Rule) -> None:
    """Each check switched off: then the refused case of test_rule.py has no problem, so that test would be red."""
    others = tuple(check for check in CHECKS if rule.id not in check.rules)
    assert len(others) < len(CHECKS)
    assert problems_of(source_of(base_of(rule), edited_by(rule)), others) == ()


@pytest.mark.parametrize("rule", JUDGED, ids=_id)
def test_without_its_judge_the_wrong_edit_would_qualify(rule: Rule) -> None:
    others = tuple((reason, applies) for reason, applies in JUDGES if reason.rule != rule.id)
    assert len(others) == len(JUDGES) - 1
    readings = readings_of(campaign_of(edited_by(rule)), others)
    assert {reading.reason for reading in readings} == {None}


Change = Callable[[dict[str, Any]], object]


def _row(data: dict[str, Any], run: int, batch: int, row: int) -> dict[str, Any]:
    found: dict[str, Any] = data["runs"][run]["batches"][batch]["requests"][row]
    return found


def _set(run: int, batch: int, row: int, **fields: object) -> Change:
    return lambda data: _row(data, run, batch, row).update(fields)


def _output(run: int, batch: int, row: int, output: object) -> Change:
    return _set(run, batch, row, output=output)


def _run(index: int, **fields: object) -> Change:
    return lambda data: data["runs"][index].update(fields)


def _all(*changes: Change) -> Change:
    return lambda data: [change(data) for change in changes]


REFUSALS: list[tuple[str, str, Change, list[str]]] = [
    (
        "an engine set up to draft in a transcription",
        "tiny-record",
        lambda d: (d["setup"]["settings"].update(draft_kv="q8_0"), d["arms"][1].update(speculation=None, cards=2)),
        ["mismatch.draft-settings"],
    ),
    # title, base, change, rules. D and E are the groups of hostile inputs: cheated identity, borrowed points
    ("D3 a verdict in the file", "tiny-requests", _run(3, classification="qualified"), ["schema.own-verdict"]),
    (
        "D4 the failing row is gone",
        "tiny-requests",
        lambda d: d["runs"][3]["batches"][0]["requests"].pop(),
        ["identity.batch-size"],
    ),
    (
        "D5 a copy stands in its place",
        "tiny-requests",
        lambda d: _row(d, 3, 0, 3).update(_row(d, 3, 0, 0)),
        ["identity.double-prompt"],
    ),
    (
        "D6 neither side has an output",
        "tiny-requests",
        _all(_output(3, 0, 0, None), _output(0, 0, 0, None)),
        ["identity.no-output"],
    ),
    ("D6 an output object with nothing in it", "tiny-suite", _output(2, 0, 0, {}), ["identity.no-output"]),
    (
        "D7 both arrays are empty",
        "tiny-suite",
        _all(_output(0, 0, 0, {"token_ids": []}), _output(1, 0, 0, {"token_ids": []})),
        ["identity.empty-output"],
    ),
    (
        "D7 both texts are empty",
        "tiny-suite",
        _all(*(_output(r, b, 0, {"text": ""}) for r in (0, 1) for b in (0, 1))),
        ["identity.empty-output"],
    ),
    ("D7 a request of no tokens", "tiny-suite", _set(2, 0, 0, output_tokens=0, output=None), ["identity.empty-output"]),
    (
        "D7 a batch without rows",
        "tiny-requests",
        lambda d: d["runs"][3]["batches"][0]["requests"].clear(),
        ["identity.batch-size"],
    ),
    ("D7 a run without batches", "tiny-requests", _run(3, batches=[]), ["identity.nothing-to-compare"]),
    (
        "D8 both arrays cut to their common part",
        "tiny-suite",
        _all(_output(0, 1, 0, {"token_ids": [201]}), _output(1, 1, 0, {"token_ids": [201]})),
        ["identity.output-length"],
    ),
    ("D9 true among token ids", "tiny-suite", _output(2, 0, 0, {"token_ids": [True, 8, 9, 10]}), ["type.wrong"]),
    ("D9 a decimal among token ids", "tiny-suite", _output(2, 0, 0, {"token_ids": [7.0, 8, 9, 10]}), ["type.wrong"]),
    (
        "D10 an oracle of another number format",
        "tiny-suite",
        lambda d: d["arms"][0].update(dtype="fp32"),
        ["identity.other-setup"],
    ),
    (
        "D11 another prompt hash than the oracle's",
        "tiny-requests",
        _all(_set(0, 0, 0, prompt_sha256="0" * 64), _set(3, 0, 0, prompt_sha256="1" * 64)),
        ["identity.other-prompt"],
    ),
    ("D13 a planned pass is gone", "tiny-requests", lambda d: d["runs"].pop(3), ["plan.missing-run"]),
    (
        "D14 cached tokens while the cache is off",
        "tiny-requests",
        _set(3, 0, 0, cached_tokens=1),
        ["mismatch.cached-tokens"],
    ),
    ("D17 a waiver", "tiny-requests", _run(3, near_tie_ok=True), ["schema.own-verdict"]),
    (
        "D18 a copied digest",
        "tiny-suite",
        lambda d: _row(d, 0, 0, 0)["output"].update(token_ids_sha256="a" * 64),
        ["mismatch.digest"],
    ),
    ("E1 an x without requests", "tiny-suite", _run(2, batches=[]), ["identity.nothing-to-compare"]),
    (
        "E2 an x beyond the longest context",
        "tiny-suite",
        lambda d: d["setup"]["settings"].update(max_model_len=2050),
        ["mismatch.model-length"],
    ),
    ("E6 two runs at one place", "tiny-requests", lambda d: d["runs"].append(d["runs"][3]), ["duplicate.run"]),
    (
        "E8 a quotient in place of a measurement",
        "tiny-record",
        lambda d: d["runs"][3]["records"][0].update(metric="prompt_over_ttft"),
        ["schema.derived-metric"],
    ),
    ("E9 a prompt near x", "tiny-suite", _set(2, 0, 0, prompt_tokens=2050), ["mismatch.x"]),
    ("a made-up point", "tiny-record", _run(3, interpolated=True), ["schema.only-measured"]),
    (
        "N1 a second spelling of the unit",
        "tiny-record",
        lambda d: d["runs"][1]["records"][0].update(unit="TPS"),
        ["unit.unknown"],
    ),
    ("N2 times in milliseconds beside seconds", "tiny-requests", _set(3, 0, 0, last_token_s=513.0), ["mismatch.wall"]),
    (
        "N2 a wall time in milliseconds",
        "tiny-requests",
        lambda d: d["runs"][3]["batches"][0].update(wall_s=516.0),
        ["mismatch.wall"],
    ),
    ("N3 a rounded x", "tiny-suite", _set(2, 0, 0, prompt_tokens=2000), ["mismatch.x"]),
    (
        "N7 the mean as the median",
        "tiny-record",
        lambda d: d["runs"][0]["records"][0].update(value=98.9),
        ["mismatch.statistic"],
    ),
    (
        "N8 three classes of two samples",
        "tiny-record",
        lambda d: d["runs"][0]["records"][0].update(samples=2),
        ["mismatch.samples"],
    ),
    ("N10 no time at all", "tiny-requests", lambda d: d["runs"][3]["batches"][0].update(wall_s=0.0), ["number.range"]),
    (
        "N11 a rate out of this world",
        "tiny-record",
        lambda d: d["runs"][1]["records"][0].update(value=1e30),
        ["number.range"],
    ),
    ("N12 half a user", "tiny-record", _run(2, x=16.5), ["type.wrong"]),
    ("the last token before the first", "tiny-requests", _set(3, 0, 0, last_token_s=0.001), ["number.time-order"]),
    (
        "token times that go back",
        "tiny-suite",
        _set(0, 0, 0, token_times_s=[0.025, 0.3, 0.2, 0.41]),
        ["mismatch.token-times"],
    ),
    (
        "token times that end early",
        "tiny-suite",
        _set(0, 0, 0, token_times_s=[0.025, 0.2, 0.3, 0.4]),
        ["mismatch.token-times"],
    ),
    (
        "two requests at a time on a sequential axis",
        "tiny-suite",
        lambda d: d["runs"][1].update(batches=[{"wall_s": 0.32, "requests": [_row(d, 1, 0, 0), _row(d, 1, 1, 0)]}] * 1),
        ["identity.batch-size", "plan.batch-count"],
    ),
    (
        "a dropped batch, where the plan states the number",
        "tiny-requests",
        lambda d: d["runs"][0]["batches"].pop(),
        ["identity.prompt-without-oracle", "plan.batch-count"],
    ),
    (
        "a dropped batch, where only other passes show the number",
        "tiny-requests",
        lambda d: d["runs"][1]["batches"].pop(),
        ["plan.batch-count"],
    ),
    ("an answer beyond the cap", "tiny-requests", _set(3, 0, 0, output_tokens=5), ["mismatch.answer-length"]),
    (
        "a class that the workload does not list",
        "tiny-requests",
        lambda d: _row(d, 3, 0, 0).update({"class": "verse"}),
        ["mismatch.classes"],
    ),
    (
        "two requests at an x that has one",
        "tiny-suite",
        lambda d: d["workload"]["by_axis"]["context_tokens"].update(requests_per_x=2),
        ["mismatch.prompts"],
    ),
    (
        "an exception without a field",
        "tiny-requests",
        lambda d: d["plan"][3].update({"except": [{}]}),
        ["plan.idle-exception", "plan.unplanned-run"],
    ),
    ("no x where there is one", "tiny-record", _run(2, x=None), ["schema.x"]),
    ("an x below the lowest", "tiny-record", _run(3, x=0), ["schema.x"]),
    (
        "an unknown setting",
        "tiny-record",
        lambda d: d["setup"]["settings"].update(max_num_seq=16),
        ["reference.unknown-word"],
    ),
    (
        "true for a whole number",
        "tiny-record",
        lambda d: d["setup"]["settings"].update(max_num_seqs=True),
        ["type.setting"],
    ),
    (
        "an oracle for the derived axis",
        "tiny-record",
        lambda d: d["arms"][1]["oracles"].update(draft_depth={"kind": "own_sequential"}),
        ["schema.derived-axis"],
    ),
    (
        "a Windows path in a reason",
        "tiny-requests",
        _run(5, not_measured="see C:\\Users\\anna\\log.txt"),
        ["text.host-path"],
    ),
    (
        "a key in a setting's list",
        "tiny-record",
        lambda d: d["setup"]["settings"].update(splitting_ops=["sk-abcdefghijklmnopqrst"]),
        ["text.secret"],
    ),
]


@pytest.mark.parametrize(("title", "base", "change", "rules"), REFUSALS, ids=[case[0] for case in REFUSALS])
def test_refused(title: str, base: str, change: Change, rules: list[str]) -> None:
    assert rules_of(changed(base, change), base) == rules


def _long_answers(data: dict[str, Any]) -> None:
    """Answers of twelve tokens, two of which came together."""
    data["workload"]["output_tokens"] = None
    for part, index in (("arms", 1), ("plan", 2), ("runs", 1)):
        data[part].pop(index)
    for batch in (0, 1):
        row = _row(data, 0, batch, 0)
        between = [row["first_token_s"] + n / 40 for n in (2, 2, *range(3, 11))]
        row |= {"output_tokens": 12, "token_times_s": [row["first_token_s"], *between, row["last_token_s"]]}
        row["output"] = {"token_ids_sha256": "0" * 64}
        if batch:
            row["token_times_s"][2] += 0.01


ACCEPTED: list[tuple[str, str, Change]] = [
    ("N6 a value rounded to its last digit", "tiny-record", lambda d: d["runs"][0]["records"][0].update(value=98)),
    (
        "a value in full precision",
        "tiny-record",
        lambda d: d["runs"][0]["records"][0].update(
            value=55.005827901533834, by_class={"a": 55.00000000000001, "b": 55.005827901533834, "c": 56.2}
        ),
    ),
    ("Z1 a curve that is not smooth", "tiny-record", lambda d: d["runs"][3]["records"][0].update(value=153.5)),
    ("a run without a date", "tiny-record", _run(3, measured_on=None)),
    ("a count without a value", "tiny-record", lambda d: d["runs"][1]["records"][0].update(value=None, samples=None)),
    ("several batches in a count", "tiny-record", lambda d: d["runs"][2]["identity"].update(matched=30, total=32)),
    (
        "all tokens of a verified draft in one step",
        "tiny-suite",
        _set(1, 0, 0, last_token_s=0.027, token_times_s=[0.027] * 4),
    ),
    (
        "an address inside a model's answer",
        "tiny-suite",
        _output(2, 0, 0, {"text": "write to anna@lab.example at 10.0.0.1"}),
    ),
    ("loopback", "tiny-record", lambda d: d["setup"]["settings"].update(attention="127.0.0.1")),
    ("a draft head's absence", "tiny-record", lambda d: d["arms"][1]["speculation"].update(draft_head=None)),
    (
        "unknown image, revision and sampling",
        "tiny-record",
        lambda d: (d["setup"].update(image=None), d["workload"].update(sampling=None)),
    ),
    ("two tokens through the network together, of many", "tiny-suite", _long_answers),
    (
        "times rounded to a clock's own step",
        "tiny-suite",
        _all(
            _set(0, 0, 0, first_token_s=0.408, token_times_s=[0.408, 0.409, 0.409, 0.41]),
            _set(0, 1, 0, first_token_s=0.418, token_times_s=[0.418, 0.419, 0.419, 0.42]),
        ),
    ),
    (
        "draft settings beside an arm that drafts",
        "tiny-suite",
        lambda d: d["setup"]["settings"].update(draft_kv="q8_0"),
    ),
    ("no suite known to have a number of prompts", "tiny-suite", lambda d: d["workload"].update(prompts=None)),
]


@pytest.mark.parametrize(("title", "base", "change"), ACCEPTED, ids=[case[0] for case in ACCEPTED])
def test_accepted(title: str, base: str, change: Change) -> None:
    assert problems_of(source_of(base, changed(base, change))) == ()


@pytest.mark.parametrize(
    ("hours", "day", "rules"),
    [
        (24.9, "2026-11-30", ["number.milliseconds"]),
        (25.1, "2026-11-30", ["mismatch.day"]),
        (25.1, "2026-12-01", ["number.milliseconds"]),
    ],
)
def test_a_day_holds_all_runs_of_a_server_but_one(hours: float, day: str, rules: list[str]) -> None:
    """The longest run may have begun the day before or end on the next."""

    def change(data: dict[str, Any]) -> None:
        for run, length in ((1, hours), (2, 10 * hours)):
            (batch,) = data["runs"][run]["batches"]
            batch["wall_s"] = batch["requests"][-1]["last_token_s"] = 3600 * length - 3 * 0.62 * (run == 1)
        data["runs"][2]["measured_on"] = day

    assert rules_of(changed("tiny-open", change), "tiny-open") == rules


@pytest.mark.parametrize(
    ("times", "rules"),
    [
        ((1000.0, 2000.0), ["number.milliseconds"]),
        ((999.0, 1009.0), ["number.milliseconds"]),
        ((990.0, 999.0), []),
        ((999.5, 1009.0), []),
        ((0.5, 15.5), []),
        ((0.5, 15.6), ["number.milliseconds"]),
    ],
)
def test_times_in_milliseconds_are_told_by_their_length(times: tuple[float, float], rules: list[str]) -> None:
    """Five seconds for each token, or whole numbers alone of a thousand and more."""
    first, last = times

    def change(data: dict[str, Any]) -> None:
        _row(data, 2, 0, 0).update(first_token_s=first, last_token_s=last)
        data["runs"][2]["batches"][0]["wall_s"] = last

    assert rules_of(changed("tiny-suite", change), "tiny-suite") == rules


def test_a_mistake_in_a_campaign_with_rows_points_at_its_line() -> None:
    text = edited("tiny-requests", ('"first_token_s": 0.0145', '"first_token_s": 0.0'))
    (problem,) = problems_of(source_of("tiny-requests", text))
    assert problem.field == "runs[3].batches[0].requests[1].first_token_s"
    assert text.splitlines()[problem.place.line - 1][problem.place.column - 1 :].startswith("0.0, ")


@pytest.mark.parametrize("name", ["h200-qwen3-random-users", "h200-qwen3-random-strict-ngram"])
def test_the_real_campaigns_with_rows_have_no_problem(name: str) -> None:
    assert problems_of(evidence(name)) == ()


def test_another_depth_is_no_oracle() -> None:
    """In bf16 every depth gives the same wrong answers, so depth 3 against depth 1 would be 12/12."""
    data = json.loads(evidence("h200-qwen3-random-strict-ngram").raw)
    for arm in data["arms"]:
        if arm["id"] == "bf16-ngram3":
            arm["oracles"] = {"suite": {"kind": "arm", "arm": "bf16-ngram1"}}
    problems = problems_of(source_of("h200-qwen3-random-strict-ngram", json.dumps(data)))
    assert [problem.rule for problem in problems] == ["identity.speculating-oracle"]


def _fp32_at(data: dict[str, Any], x: int, pass_: str = "warm", server: str = "a") -> int:
    runs = data["runs"]
    return next(
        index
        for index, run in enumerate(runs)
        if (run["arm"], run["x"], run["server"], run["pass"]) == ("fp32", x, server, pass_)
    )


def _delete_row(data: dict[str, Any]) -> None:
    data["runs"][_fp32_at(data, 16)]["batches"][0]["requests"].pop(5)


def _copy_row(data: dict[str, Any]) -> None:
    rows = data["runs"][_fp32_at(data, 16)]["batches"][0]["requests"]
    rows[5] = dict(rows[4])


def _empty_outputs(data: dict[str, Any]) -> None:
    _row(data, _fp32_at(data, 16), 0, 5)["output"] = {}
    _row(data, _fp32_at(data, 1, "cold"), 5, 0)["output"] = {}


def _drop_batch(data: dict[str, Any]) -> None:
    data["runs"][_fp32_at(data, 2)]["batches"].pop(1)


def _drop_pass(data: dict[str, Any]) -> None:
    data["runs"].pop(_fp32_at(data, 16))


TAMPERED: list[tuple[str, Change, list[str]]] = [
    ("a row deleted", _delete_row, ["16 requests stated, 15 found"]),
    ("a row copied over another", _copy_row, ["'p04' a second time in this run"]),
    ("both outputs emptied", _empty_outputs, ["no output recorded", "no output recorded"]),
    ("a batch dropped", _drop_batch, ["3 batches"]),
    ("a pass dropped", _drop_pass, ["planned and not in 'runs': arm fp32, 16 users, server a, warm pass"]),
]


@pytest.mark.parametrize(("title", "change", "found"), TAMPERED, ids=[case[0] for case in TAMPERED])
def test_tampering_with_a_real_campaign_is_refused_in_its_own_words(
    title: str, change: Change, found: list[str]
) -> None:
    data = json.loads(evidence("h200-qwen3-random-users").raw)
    change(data)
    problems = problems_of(source_of("h200-qwen3-random-users", json.dumps(data)))
    assert [problem.found for problem in problems] == found


def test_words_that_a_tools_original_says_about_itself_cannot_be_written_down() -> None:
    for word in ("identity", "passed", "identity_qualified", "verdict"):
        data = json.loads(base_text("tiny-requests"))
        data["runs"][3][word] = True
        assert rules_of(json.dumps(data)) in (["schema.own-verdict"], ["schema.unknown-field"])


def test_grade_requests_has_no_field_for_a_count() -> None:
    assert "identity" not in RequestCampaign.model_json_schema()["$defs"]["MeasuredRun"]["properties"]


def test_a_field_that_a_run_without_measurement_does_not_have_is_named() -> None:
    """The field that is wrong, not the one that makes it such a run."""

    def date_it(data: dict[str, Any]) -> None:
        next(run for run in data["runs"] if "not_measured" in run)["measured_on"] = "2026-09-07"

    (problem,) = problems_of(source_of("tiny-requests", changed("tiny-requests", date_it)))
    assert problem.rule == "schema.unknown-field"
    assert problem.field.endswith("].measured_on")
    assert problem.found == "'2026-09-07'"


@pytest.mark.parametrize(
    ("count", "rules"),
    [
        ('"matched": 1, "total": 1', ["identity.total"]),
        ('"matched": 11, "total": 11', ["identity.total"]),
        ('"matched": 24, "total": 24', []),
        ('"matched": 20, "total": 20', []),
    ],
)
def test_a_count_over_a_suite_has_at_least_its_prompts(count: str, rules: list[str]) -> None:
    """Twelve prompts; more are several passes, of which a source may count some in part."""
    assert rules_of(edited("tiny-record", ('"matched": 12, "total": 12', count)), "tiny-record") == rules
