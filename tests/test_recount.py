"""Recount: readings from rows, their reasons in order, and what a flipped digit does to the committed evidence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from campaign_cases import base_text, changed, evidence, reading_at, requests_of, source_of, validated

from proofpress.axis import Axis
from proofpress.campaign import RequestCampaign
from proofpress.reading import Reading
from proofpress.reason import Reason
from proofpress.recount import JUDGES, readings

USERS, STRICT = "h200-qwen3-random-users", "h200-qwen3-random-strict-ngram"
Change = Callable[[dict[str, Any]], object]


def _row(data: dict[str, Any], run: int, batch: int, row: int) -> dict[str, Any]:
    found: dict[str, Any] = data["runs"][run]["batches"][batch]["requests"][row]
    return found


def _reason(base: str, pointer: str, change: Change) -> Reason | None:
    return reading_at(requests_of(changed(base, change)), pointer).reason


def test_a_reading_holds_what_the_rows_give() -> None:
    reading = reading_at(requests_of(base_text("tiny-suite")), "/runs/1")
    assert (reading.campaign, reading.arm, reading.axis, reading.x) == ("tiny-suite", "ngram3", Axis.SUITE, None)
    assert str(reading.identity) == "2/2"
    assert reading.identity is not None
    assert (reading.identity.method, reading.identity.basis) == ("token_ids", "counted")
    assert reading.reason is None
    assert not reading.is_reference
    assert reading.acceptance == 0.666666666667
    assert set(reading.values) == {
        "decode",
        "class_balanced_decode",
        "ttft_p50",
        "ttft_p95",
        "ttft_mean",
        "prompt_over_ttft",
    }


def test_a_run_that_was_not_measured_gives_no_reading() -> None:
    pointers = [reading.pointer for reading in readings(requests_of(base_text("tiny-requests")))]
    assert pointers == ["/runs/0", "/runs/1", "/runs/2", "/runs/3", "/runs/4", "/runs/6"]


def test_a_reference_run_qualifies_by_being_one_until_it_has_company() -> None:
    alone = reading_at(requests_of(base_text("tiny-suite")), "/runs/0")
    assert (alone.is_reference, alone.identity, alone.reason) == (True, None, None)
    compared = reading_at(requests_of(base_text("tiny-requests")), "/runs/0")
    assert (compared.is_reference, str(compared.identity), compared.reason) == (False, "4/4", None)


def test_outputs_that_are_absent_and_not_claimed_are_withheld() -> None:
    def without_outputs(data: dict[str, Any]) -> None:
        data["arms"][0]["oracles"] = {}
        for run in data["runs"]:
            for batch in run.get("batches", ()):
                for row in batch["requests"]:
                    row["output"] = None

    assert _reason("tiny-requests", "/runs/3", without_outputs) is Reason.NO_IDENTITY_EVIDENCE
    assert _reason("tiny-requests", "/runs/0", without_outputs) is None  # one user, no speculation: a reference


REASONS: list[tuple[str, str, str, Change, Reason | None]] = [
    (
        "cached tokens with the cache on",
        "tiny-open",
        "/runs/1",
        lambda d: _row(d, 1, 0, 0).update(cached_tokens=1),
        Reason.NOT_FRESH,
    ),
    (
        "unknown tokens with the cache on",
        "tiny-open",
        "/runs/1",
        lambda d: _row(d, 1, 0, 0).update(cached_tokens=None),
        Reason.NOT_FRESH,
    ),
    (
        "unknown tokens, unknown cache",
        "tiny-open",
        "/runs/1",
        lambda d: (d["workload"].update(prefix_cache=None), _row(d, 1, 0, 0).update(cached_tokens=None)),
        Reason.NOT_FRESH,
    ),
    (
        "no cached tokens, unknown cache",
        "tiny-open",
        "/runs/1",
        lambda d: d["workload"].update(prefix_cache=None),
        None,
    ),
    (
        "unknown tokens with the cache off",
        "tiny-requests",
        "/runs/3",
        lambda d: _row(d, 3, 0, 0).update(cached_tokens=None),
        None,
    ),
    ("cached tokens are the axis", "tiny-open", "/runs/2", lambda d: None, None),
    ("as many users as slots", "tiny-requests", "/runs/3", lambda d: None, None),
    ("unknown slots", "tiny-requests", "/runs/3", lambda d: d["setup"]["settings"].pop("max_num_seqs"), None),
    (
        "slots do not matter to one user",
        "tiny-requests",
        "/runs/0",
        lambda d: d["setup"]["settings"].update(max_num_seqs=1),
        None,
    ),
    (
        "superseded comes first",
        "tiny-requests",
        "/runs/3",
        lambda d: (d.update(superseded_by="newer"), _row(d, 3, 0, 0)["output"].update(token_ids_sha256="0" * 64)),
        Reason.SUPERSEDED,
    ),
    (
        "a difference comes before a queue",
        "tiny-requests",
        "/runs/3",
        lambda d: (
            d["setup"]["settings"].update(max_num_seqs=2),
            _row(d, 3, 0, 0)["output"].update(token_ids_sha256="0" * 64),
        ),
        Reason.IDENTITY,
    ),
]


@pytest.mark.parametrize(("title", "base", "pointer", "change", "reason"), REASONS, ids=[case[0] for case in REASONS])
def test_reason(title: str, base: str, pointer: str, change: Change, reason: Reason | None) -> None:
    assert _reason(base, pointer, change) is reason


def test_every_reason_but_the_one_that_needs_other_runs_has_a_judge() -> None:
    assert {reason for reason, _ in JUDGES} == set(Reason) - {Reason.OTHER_RUN}


@pytest.mark.parametrize(
    ("drafts", "expected"),
    [
        ([(3, 2), (5, 5)], 0.875),
        ([(3, 2), None], None),
        ([(0, 0), (0, 0)], None),
        ([(0, 0), (4, 1)], 0.25),
    ],
)
def test_acceptance_is_accepted_over_drafted_of_all_rows(
    drafts: list[tuple[int, int] | None], expected: float | None
) -> None:
    def change(data: dict[str, Any]) -> None:
        for index, counts in enumerate(drafts):
            row = _row(data, 1, index, 0)
            row["drafts"] = None if counts is None else {"drafted": counts[0], "accepted": counts[1]}

    assert reading_at(requests_of(changed("tiny-suite", change)), "/runs/1").acceptance == expected


@cache
def _text(name: str) -> str:
    return evidence(name).raw.decode("utf-8")


def _readings(name: str, change: Change) -> list[Reading]:
    data = json.loads(_text(name))
    change(data)
    campaign, problems = validated(source_of(name, json.dumps(data)))
    assert isinstance(campaign, RequestCampaign), problems
    return list(readings(campaign))


def _withheld(found: list[Reading], arm: str) -> Iterator[tuple[int | None, str, str, str, Reason]]:
    for reading in found:
        if reading.arm == arm and reading.reason is not None:
            yield reading.x, reading.server, reading.pass_, str(reading.identity), reading.reason


def _flip(row: dict[str, Any]) -> None:
    digest = row["output"]["token_ids_sha256"]
    row["output"]["token_ids_sha256"] = ("0" if digest[0] != "0" else "1") + digest[1:]


def _fp32_runs() -> list[tuple[int, int, str, str]]:
    data = json.loads(_text(USERS))
    return [
        (index, run["x"], run["server"], run["pass"])
        for index, run in enumerate(data["runs"])
        if run["arm"] == "fp32" and run["x"] >= 2
    ]


@pytest.mark.parametrize(("index", "x", "server", "pass_"), _fp32_runs())
def test_one_flipped_digit_withholds_its_level_and_no_other(index: int, x: int, server: str, pass_: str) -> None:
    found = _readings(USERS, lambda data: _flip(_row(data, index, 0, 0)))
    total = max(x, 8)
    assert list(_withheld(found, "fp32")) == [(x, server, pass_, f"{total - 1}/{total}", Reason.IDENTITY)]


@pytest.mark.parametrize(
    ("prompt", "levels"), [(0, {1, 2, 4, 8, 16, 32}), (7, {1, 2, 4, 8, 16, 32}), (8, {1, 16, 32}), (20, {1, 32})]
)
def test_one_flipped_digit_of_an_oracle_withholds_every_level_that_uses_its_prompt(
    prompt: int, levels: set[int]
) -> None:
    data = json.loads(_text(USERS))
    index = next(n for n, run in enumerate(data["runs"]) if run["arm"] == "fp32" and run["x"] == 1)
    found = list(_withheld(_readings(USERS, lambda values: _flip(_row(values, index, prompt, 0))), "fp32"))
    assert {x for x, *_ in found} == levels
    assert {reason for *_, reason in found} == {Reason.ORACLE_UNSTABLE}
    assert len(found) == 2 + 4 * (len(levels) - 1)  # both servers, and both passes above one user


def test_another_oracle_does_not_make_lossy_speculation_exact() -> None:
    def own(data: dict[str, Any]) -> None:
        for arm in data["arms"]:
            arm["oracles"] = {"suite": {"kind": "own_sequential"}}

    found = [reading for reading in _readings(STRICT, own) if "ngram" in reading.arm]
    assert {(reading.identity, reading.reason) for reading in found} == {(None, Reason.NO_IDENTITY_EVIDENCE)}
