"""Original: what the tool's own file says, and a campaign made from it does not. Each change leaves plan and rows in agreement."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from campaign_cases import evidence, source_of, validated

from proofpress.intake.original import differences
from proofpress.records.campaign import RequestCampaign

USERS, STRICT, FILE = "h200-qwen3-random-users", "h200-qwen3-random-strict-ngram", "x.raw.json"
Change = Callable[[dict[str, Any]], object]


@cache
def _data(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(evidence(name).raw)
    return data


def _record(name: str, data: dict[str, Any]) -> RequestCampaign:
    record, problems = validated(source_of(name, json.dumps(data)))
    assert isinstance(record, RequestCampaign), problems
    return record


def _found(name: str, change: Change) -> list[str]:
    """What is said after `change`. That the untouched campaign is what the importer makes of its original, another test tells."""
    data = deepcopy(_data(name))
    change(data)
    return list(differences(_record(name, data), {FILE: _record(name, _data(name))}))


def _index(name: str, *key: object) -> int:
    runs = _data(name)["runs"]
    return next(n for n, run in enumerate(runs) if (run["arm"], run["x"], run["server"], run["pass"]) == key)


COLD_16 = _index(USERS, "fp32", 16, "a", "cold")


def _batch(data: dict[str, Any]) -> dict[str, Any]:
    batch: dict[str, Any] = data["runs"][COLD_16]["batches"][0]
    return batch


def _without(data: dict[str, Any], *wanted: tuple[str, object]) -> None:
    data["runs"] = [run for run in data["runs"] if any(run[field] != value for field, value in wanted)]


def _not_measured(data: dict[str, Any]) -> None:
    run = data["runs"][COLD_16]
    for field in ("batches", "measured_on"):
        del run[field]
    run["not_measured"] = "Somebody else used the accelerator meanwhile."


LEFT_OUT = f"in {FILE}, and in the campaign neither measured nor named as left out"
CASES: list[tuple[str, str, Change, list[str]]] = [
    ("nothing", USERS, lambda _: None, []),
    ("a level", USERS, lambda d: _without(d, ("arm", "bf16"), ("x", 32768)), [f"arm bf16, 32K tokens, server a, cold pass: {LEFT_OUT}"]),
    ("a pass", USERS, lambda d: d["runs"].pop(COLD_16), [f"arm fp32, 16 users, server a, cold pass: {LEFT_OUT}"]),
    ("a pass that is named, with a reason", USERS, _not_measured, []),
    ("a batch", USERS, lambda d: d["runs"][_index(USERS, "fp32", 2, "a", "cold")]["batches"].pop(),
     [f"/runs/{_index(USERS, 'fp32', 2, 'a', 'cold')}/batches: number: in the campaign 3, in {FILE} 4"]),
    ("a row", USERS, lambda d: _batch(d)["requests"].pop(), [f"/runs/{COLD_16}/batches/0/requests: number: in the campaign 15, in {FILE} 16"]),
    ("a wall time", USERS, lambda d: _batch(d).update(wall_s=1.5), [f"/runs/{COLD_16}/batches/0/wall_s: in the campaign 1.5, in {FILE} "]),
    ("a time", USERS, lambda d: _batch(d)["requests"][3].update(first_token_s=0.5),
     [f"/runs/{COLD_16}/batches/0/requests/3/first_token_s: in the campaign 0.5, in {FILE} "]),
    ("an output", USERS, lambda d: _batch(d)["requests"][3].update(output={"token_ids_sha256": "0" * 64}),
     [f"/runs/{COLD_16}/batches/0/requests/3/output: another than in {FILE}"]),
    ("a class", USERS, lambda d: _batch(d)["requests"][3].update({"class": None}),
     [f"/runs/{COLD_16}/batches/0/requests/3/class: in the campaign null, in {FILE} "]),
    ("a prompt's digest, which the file does not have", USERS, lambda d: _batch(d)["requests"][3].update(prompt_sha256="0" * 64), []),
    ("an image, which the file does not have", USERS, lambda d: d["setup"].update(image={"name": "R1", "digest": None}), []),
    ("a day", USERS, lambda d: d["runs"][COLD_16].update(measured_on="2026-11-29"),
     [f"/runs/{COLD_16}/measured_on: in the campaign 2026-11-29, in {FILE} 2026-11-30"]),
    ("a run too many", USERS, lambda d: d["runs"].append(d["runs"][COLD_16] | {"server": "c"}),
     [f"/runs/50: arm fp32, 16 users, server c, cold pass is not in {FILE}"]),
    ("sampling", USERS, lambda d: d["workload"].update(sampling={"temperature": 1.0}), [f"/workload/sampling: another than in {FILE}"]),
    ("the cache", USERS, lambda d: d["workload"].update(prefix_cache=None), [f"/workload/prefix_cache: in the campaign null, in {FILE} off"]),
    ("the engine", USERS, lambda d: d["setup"]["engine"].update(version="6"), [f"/setup/engine/version: in the campaign 6, in {FILE} 5.17.0"]),
    ("the number format", USERS, lambda d: d["arms"][0].update(dtype="fp16"), [f"/arms/0/dtype: in the campaign fp16, in {FILE} bf16"]),
    ("drafts that are not stated", STRICT, lambda d: d["arms"][1].update(speculation=None), [f"/arms/1/speculation: another than in {FILE}"]),
    ("drafts that there were not", STRICT, lambda d: d["arms"][0].update(speculation=d["arms"][1]["speculation"]),
     [f"/arms/0/speculation: another than in {FILE}"]),
    ("draft counts", STRICT, lambda d: d["runs"][1]["batches"][0]["requests"][0].pop("drafts"),
     [f"/runs/1/batches/0/requests/0/drafts: another than in {FILE}"]),
]  # fmt: skip


@pytest.mark.parametrize(("title", "name", "change", "words"), CASES, ids=[case[0] for case in CASES])
def test_what_differs_is_said_and_nothing_else(title: str, name: str, change: Change, words: list[str]) -> None:
    found = _found(name, change)
    assert len(found) == len(words), found
    for said, begins in zip(found, words, strict=True):
        assert said.startswith(begins)


def test_runs_may_come_from_several_files() -> None:
    """Each run is looked for in the file that has it."""
    data = _data(USERS)
    halves = [deepcopy(data) | {"runs": [run for run in data["runs"] if run["arm"] == arm]} for arm in ("bf16", "fp32")]
    originals = {f"{n}.json": _record(USERS, half) for n, half in enumerate(halves)}
    assert list(differences(_record(USERS, data), originals)) == []
    assert len(list(differences(_record(USERS, data), {"0.json": originals["0.json"]}))) == len(halves[1]["runs"])
