"""The importer of static-batch files, and the numbers that its two real campaigns must give again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from hashlib import sha256
from statistics import median
from typing import Any

import pytest
from campaign_cases import ROOT, evidence, validated

from proofpress.kernel.reading import Reading, exact_value
from proofpress.kernel.recount import readings
from proofpress.records.axis import Axis
from proofpress.records.campaign import RequestCampaign, workload_on
from proofpress.tools.static_batch import NotUnderstood, campaign, written

USERS, STRICT = "h200-qwen3-random-users", "h200-qwen3-random-strict-ngram"


@cache
def _original(name: str) -> tuple[str, str]:
    (path,) = (ROOT / "evidence" / name).glob("*.raw.json")
    return path.name, path.read_text("utf-8")


@cache
def _campaign(name: str) -> RequestCampaign:
    record, problems = validated(evidence(name))
    assert isinstance(record, RequestCampaign), problems
    return record


@cache
def _readings(name: str) -> tuple[Reading, ...]:
    return readings(_campaign(name))


def _imported(name: str, text: str | None = None) -> dict[str, Any]:
    file, original = _original(name)
    return campaign(text or original, campaign_id=name, file=file, measured_by="Proofpress")


@pytest.mark.parametrize("name", [USERS, STRICT])
def test_the_committed_campaign_is_what_the_importer_makes_of_the_original_beside_it(name: str) -> None:
    assert written(_imported(name)) == evidence(name).raw.decode("utf-8")


@pytest.mark.parametrize("name", [USERS, STRICT])
def test_the_original_beside_it_is_the_one_that_is_named(name: str) -> None:
    file, text = _original(name)
    (original,) = _campaign(name).originals
    assert (original.file, original.sha256) == (file, sha256(text.encode("utf-8")).hexdigest())


def test_milliseconds_become_seconds_without_noise() -> None:
    batch = _imported(USERS)["runs"][0]["batches"][0]
    assert batch["wall_s"] == Decimal("6.7436876")
    assert batch["requests"][0]["first_token_s"] == Decimal("0.0139695")
    raw = json.loads(_original(USERS)[1], parse_float=Decimal)
    walls = [wall for arm in raw["arms"] for run in arm["runs"] for wall in run.get("batch_wall_ms", ())]
    kept = [
        batch["wall_s"]
        for run in _imported(USERS)["runs"]
        if run["axis"] != "context_tokens"
        for batch in run["batches"]
    ]
    assert [wall.scaleb(-3) for wall in walls] == kept
    assert not re.search(r"\d[eE][-+]?\d|\d\.\d{9,}", re.sub(r'"[^"]*"', "", evidence(USERS).raw.decode()))


@pytest.mark.parametrize("name", [USERS, STRICT])
def test_no_row_is_lost(name: str) -> None:
    raw = json.loads(_original(name)[1])
    rows = sum(len(run["requests"]) for arm in raw["arms"] for run in arm.get("runs", (arm,)))
    assert sum(len(list(run.requests())) for run in _campaign(name).runs if hasattr(run, "requests")) == rows


@pytest.mark.parametrize("name", [USERS, STRICT])
def test_what_the_original_says_about_itself_changes_nothing(name: str) -> None:
    """identity: true, passed: true and a verdict on every level of the tool's own file: the same campaign, byte for byte."""
    file, text = _original(name)

    def boast(value: object) -> object:
        if isinstance(value, dict):
            boasts = {
                "identity": True,
                "passed": True,
                "classification": "output-identity-qualified",
                "identity_matched": 32,
            }
            return {**{key: boast(inner) for key, inner in value.items()}, **boasts}
        return [boast(inner) for inner in value] if isinstance(value, list) else value

    boasting = json.dumps(boast(json.loads(text)))
    made = campaign(boasting, campaign_id=name, file=file, measured_by="Proofpress")
    plain = _imported(name)
    assert made.pop("originals") != plain.pop("originals")
    assert written(made) == written(plain)


def test_users_and_context_are_one_campaign_with_a_workload_each() -> None:
    made = _campaign(USERS)
    assert workload_on(made, Axis.CONCURRENT_USERS).suite == "random-64"
    context = workload_on(made, Axis.CONTEXT_TOKENS)
    assert (context.suite, context.prompts, context.requests_per_x) == ("random-context", 3, 3)
    assert context.output_tokens == 96


def _counts(name: str, arm: str, axis: Axis) -> dict[int | None, set[str]]:
    found: dict[int | None, set[str]] = {}
    for reading in _readings(name):
        if (reading.arm, reading.axis) == (arm, axis):
            found.setdefault(reading.x, set()).add(str(reading.identity))
    return found


def test_bf16_is_exact_through_2_users_and_loses_identity_from_4_on() -> None:
    assert _counts(USERS, "bf16", Axis.CONCURRENT_USERS) == {
        1: {"32/32"},
        2: {"8/8"},
        4: {"2/8"},
        8: {"2/8"},
        16: {"5/16"},
        32: {"11/32", "10/32"},
    }


def test_fp32_is_exact_through_32_users() -> None:
    assert _counts(USERS, "fp32", Axis.CONCURRENT_USERS) == {
        1: {"32/32"}, 2: {"8/8"}, 4: {"8/8"}, 8: {"8/8"}, 16: {"16/16"}, 32: {"32/32"},
    }  # fmt: skip
    assert {reading.reason for reading in _readings(USERS) if reading.arm == "fp32"} == {None}


def test_every_level_of_fp32_has_both_passes_and_both_servers() -> None:
    runs = [(reading.x, reading.server, reading.pass_) for reading in _readings(USERS) if reading.arm == "fp32"]
    expected = [
        (x, server, pass_)
        for x in (1, 2, 4, 8, 16, 32)
        for server in "ab"
        for pass_ in ("cold", "warm")[: 1 if x == 1 else 2]
    ]
    assert sorted(runs, key=str) == sorted(expected, key=str)


def test_context_speeds_of_bf16_are_reference_runs() -> None:
    found = [reading for reading in _readings(USERS) if reading.axis is Axis.CONTEXT_TOKENS]
    assert {reading.x: reading.values["decode"].value for reading in found} == {
        2048: 113.228011418,
        4096: 131.916119122,
        8192: 112.615082242,
        16384: 123.88429155,
        24576: 95.5789792246,
        32768: 111.271693734,
    }
    assert all(reading.is_reference and reading.reason is None for reading in found)
    assert {reading.values["decode"].samples for reading in found} == {3}


def _suite(arm: str) -> dict[str, Reading]:
    return {reading.server: reading for reading in _readings(STRICT) if reading.arm == arm}


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_speculation_in_bf16_changes_7_of_12_answers_and_in_fp32_none(depth: int) -> None:
    for reading in _suite(f"bf16-ngram{depth}").values():
        assert str(reading.identity) == "5/12"
        assert reading.detail.startswith("prompt s00 differs after 21 equal tokens from arm bf16-none, server ")
    for reading in _suite(f"fp32-ngram{depth}").values():
        assert (str(reading.identity), reading.reason) == ("12/12", None)


STRICT_SPEEDS = [
    ("fp32-ngram3", 273.619, 240.113, 256.866),
    ("fp32-none", 142.741, 121.120, 131.930),
    ("bf16-ngram3", 130.143, 233.016, 181.580),
]


@pytest.mark.parametrize(("arm", "a", "b", "centre"), STRICT_SPEEDS)
def test_class_balanced_speeds_by_server(arm: str, a: float, b: float, centre: float) -> None:
    values = [_suite(arm)[server].values["class_balanced_decode_1_100"] for server in "ab"]
    assert [round(measured.value, 3) for measured in values] == [a, b]
    assert round(exact_value(median(measured.value for measured in values)), 3) == centre
    assert {(measured.samples, measured.sampled) for measured in values} == {(6, "prompt classes")}


def test_acceptance_is_computed_from_the_counts() -> None:
    raw = json.loads(_original(STRICT)[1])
    for arm in raw["arms"]:
        counts = [row["speculation"] for row in arm["requests"] if row["speculation"]]
        drafted, accepted = (sum(row[key] for row in counts) for key in ("drafted", "accepted"))
        expected = exact_value(accepted / drafted) if drafted else None
        assert _suite(arm["id"])[arm["server"]].acceptance == expected
    assert _suite("fp32-ngram3")["a"].acceptance == 0.826890756303


Change = Callable[[dict[str, Any]], object]
NOT_UNDERSTOOD: list[tuple[str, Change, str]] = [
    ("another file", lambda d: d.pop("arms"), "this is not a file of the static-batch harness: it has no 'arms'"),
    (
        "another accelerator",
        lambda d: d["machine"].update(accelerator="Abacus"),
        "accelerator 'Abacus' is not known to this importer; known: NVIDIA H200",
    ),
    (
        "another sampling",
        lambda d: d["workload"].update(sampling="top-p"),
        "sampling 'top-p': only 'greedy' is known here",
    ),
    (
        "a batch that is not full",
        lambda d: d["arms"][0]["runs"][1]["requests"].pop(),
        "run users-2-cold: 7 requests are no whole number of batches of 2",
    ),
    (
        "a wall time too many",
        lambda d: d["arms"][0]["runs"][1]["batch_wall_ms"].append(1.5),
        "run users-2-cold: 5 wall times for 4 batches",
    ),
    (
        "a warm-up that nobody reads",
        lambda d: d["arms"][0].update(warmup={"requests": [1]}),
        "arm bf16-a: 'warmup' holds a list that this importer does not read",
    ),
    (
        "rows beside the runs",
        lambda d: d["arms"][0].update(requests=[]),
        "arm bf16-a: 'requests' holds a list that this importer does not read",
    ),
    (
        "more rows of a run",
        lambda d: d["arms"][0]["runs"][1].update(failed=[{}]),
        "run users-2-cold: 'failed' holds a list that this importer does not read",
    ),
    (
        "more rows of the file",
        lambda d: d.update(discarded=[{}]),
        "the file: 'discarded' holds a list that this importer does not read",
    ),
]


@pytest.mark.parametrize(("title", "change", "message"), NOT_UNDERSTOOD, ids=[case[0] for case in NOT_UNDERSTOOD])
def test_what_the_importer_does_not_know_it_does_not_guess(title: str, change: Change, message: str) -> None:
    data = json.loads(_original(USERS)[1])
    change(data)
    with pytest.raises(NotUnderstood) as raised:
        _imported(USERS, json.dumps(data))
    assert str(raised.value) == message


def test_a_row_is_one_line_of_the_file() -> None:
    lines = evidence(USERS).raw.decode("utf-8").splitlines()
    rows = [line for line in lines if '"prompt":' in line]
    assert len(rows) == sum(len(list(run.requests())) for run in _campaign(USERS).runs if hasattr(run, "requests"))
    assert all(json.loads(row.strip().rstrip(",")) for row in rows)
