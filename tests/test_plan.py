"""Plan: what was planned, run by run, and each way in which the rows can deviate from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from campaign_cases import base_text, changed, requests_of, source_of

from proofpress.kernel import plan
from proofpress.problem import Problem
from proofpress.records.axis import Axis


def _problems(check: Callable[..., Any], change: Callable[[dict[str, Any]], object]) -> list[Problem]:
    text = changed("tiny-requests", change)
    return list(check(source_of("tiny-requests", text), requests_of(text)))


def test_a_line_stands_for_every_combination_less_its_exceptions() -> None:
    keys = [entry.key for entry in plan.planned(requests_of(base_text("tiny-requests")))]
    users = Axis.CONCURRENT_USERS
    assert keys == [
        ("bf16", users, 1, "a", "cold"),
        ("bf16", users, 1, "b", "cold"),
        ("bf16", users, 2, "a", "cold"),
        ("bf16", users, 2, "a", "warm"),
        ("bf16", users, 4, "a", "cold"),
        ("bf16", users, 4, "a", "warm"),
        ("bf16", users, 8, "a", "cold"),
    ]


def test_an_exception_leaves_out_what_meets_all_its_fields() -> None:
    def change(data: dict[str, Any]) -> None:
        data["plan"] = [
            {"arm": "bf16", "axis": "concurrent_users", "x": [1, 2], "servers": ["a", "b"], "passes": ["cold", "warm"],
             "except": [{"x": 1, "pass": "warm"}, {"server": "b"}]}
        ]  # fmt: skip

    entries = plan.planned(requests_of(changed("tiny-requests", change)))
    assert [entry.key[2:] for entry in entries] == [(1, "a", "cold"), (2, "a", "cold"), (2, "a", "warm")]


def test_a_run_that_says_why_it_was_not_measured_is_there() -> None:
    assert _problems(plan.missing_runs, lambda data: None) == []


def test_a_dropped_pass_is_named() -> None:
    (problem,) = _problems(plan.missing_runs, lambda data: data["runs"].pop(4))
    assert problem.rule == "plan.missing-run"
    assert problem.field == "plan[2]"
    assert problem.found == "planned and not in 'runs': arm bf16, 4 users, server a, warm pass"


def test_a_dropped_server_is_named() -> None:
    (problem,) = _problems(plan.missing_runs, lambda data: data["runs"].pop(6))
    assert problem.found == "planned and not in 'runs': arm bf16, 1 user, server b, cold pass"


def test_an_unplanned_run_is_named() -> None:
    def third_pass(data: dict[str, Any]) -> None:
        run = json.loads(json.dumps(data["runs"][4]))
        run["pass"] = "hot"
        data["runs"].append(run)

    (problem,) = _problems(plan.unplanned_runs, third_pass)
    assert (problem.field, problem.found) == ("runs[7]", "arm bf16, 4 users, server a, hot pass")


def test_a_dropped_batch_is_counted_against_the_plan() -> None:
    (problem,) = _problems(plan.batch_counts, lambda data: data["runs"][0]["batches"].pop())
    assert (problem.found, problem.expected) == ("3 batches", "the plan says 4 batches for each of these runs")


def test_a_dropped_batch_is_counted_against_the_other_passes_where_the_plan_is_silent() -> None:
    (problem,) = _problems(plan.batch_counts, lambda data: data["runs"][2]["batches"].pop())
    assert (problem.found, problem.expected) == ("1 batch", "the other passes and servers of this x have 2 batches")


def test_an_added_batch_is_counted_too() -> None:
    (problem,) = _problems(
        plan.batch_counts, lambda data: data["runs"][4]["batches"].append(data["runs"][4]["batches"][0])
    )
    assert (problem.found, problem.expected) == ("2 batches", "the plan says 1 batch for each of these runs")


@pytest.mark.parametrize(
    ("exceptions", "found"),
    [
        ([{"pass": "warm"}], []),
        ([{"x": 8, "pass": "warm"}], []),
        ([{"pass": "warm"}, {"pass": "hot"}], ["an exception that no run of its line meets"]),
        ([{"pass": "warm"}, {"x": 4}], ["an exception that no run of its line meets"]),
        ([{}], ["an exception without a field leaves out the whole line"]),
    ],
)
def test_exceptions_except_something_and_not_everything(exceptions: list[dict[str, Any]], found: list[str]) -> None:
    problems = _problems(plan.idle_exceptions, lambda data: data["plan"][3].update({"except": exceptions}))
    assert [problem.found for problem in problems] == found


def test_runs_are_named_as_a_reader_says_them() -> None:
    assert plan.run_name(("none", Axis.SUITE, None, "a", "first")) == "arm none, the suite, server a, first pass"
    assert plan.run_name(("none", Axis.CONTEXT_TOKENS, 2048, "b", "cold")) == "arm none, 2K tokens, server b, cold pass"
