"""Original: what the tool's own file says, and a campaign made from it does not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from campaign_cases import evidence, source_of, validated
from ground import ROOT

from proofpress.check.original import differences, problems
from proofpress.records.campaign import RequestCampaign

USERS, STRICT, FILE = "h200-qwen3-random-users", "h200-qwen3-random-strict-ngram", "x.raw.json"
OF_USERS = "h200-qwen3-random-transformers-2026-11-30.raw.json"
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
    return [str(part) for part in differences(_record(name, data), {FILE: _record(name, _data(name))})]


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


def _in(where: str, ours: str, theirs: str) -> list[str]:
    return [f"{where}: in the campaign {ours}, in {FILE} {theirs}"]


COLD_2 = _index(USERS, "fp32", 2, "a", "cold")
ROW = f"/runs/{COLD_16}/batches/0/requests/3"
CASES: list[tuple[str, str, Change, list[str]]] = [
    ("nothing", USERS, lambda _: None, []),
    ("a level", USERS, lambda d: _without(d, ("arm", "bf16"), ("x", 32768)),
     _in("/runs", "no run of arm bf16, 32K tokens, server a, cold pass", "measured, 3 requests")),
    ("a pass", USERS, lambda d: d["runs"].pop(COLD_16),
     _in("/runs", "no run of arm fp32, 16 users, server a, cold pass", "measured, 16 requests")),
    ("a pass that is called not measured", USERS, _not_measured,
     _in(f"/runs/{COLD_16}/not_measured", "'Somebody else used the accelerator meanwhile.'", "measured, 16 requests")),
    ("a batch", USERS, lambda d: d["runs"][COLD_2]["batches"].pop(), _in(f"/runs/{COLD_2}/batches", "3 in number", "4")),
    ("a row", USERS, lambda d: _batch(d)["requests"].pop(), _in(f"/runs/{COLD_16}/batches/0/requests", "15 in number", "16")),
    ("a wall time", USERS, lambda d: _batch(d).update(wall_s=1.5), _in(f"/runs/{COLD_16}/batches/0/wall_s", "1.5", "")),
    ("a time", USERS, lambda d: _batch(d)["requests"][3].update(first_token_s=0.5), _in(f"{ROW}/first_token_s", "0.5", "")),
    ("all times of a run, of which the first is said", USERS, lambda d: [row.update(start_s=0.1) for row in _batch(d)["requests"]],
     _in(f"/runs/{COLD_16}/batches/0/requests/0/start_s", "0.1", "0.0")),
    ("an output", USERS, lambda d: _batch(d)["requests"][3].update(output={"token_ids_sha256": "0" * 64}),
     _in(f"{ROW}/output/token_ids_sha256", f"'{'0' * 64}'", "'")),
    ("a token", STRICT, lambda d: d["runs"][0]["batches"][0]["requests"][0]["output"]["token_ids"].__setitem__(7, 1),
     _in("/runs/0/batches/0/requests/0/output/token_ids/7", "1", "")),
    ("a class", USERS, lambda d: _batch(d)["requests"][3].update({"class": None}), _in(f"{ROW}/class", "null", "'")),
    ("a prompt's digest, which the file does not have", USERS, lambda d: _batch(d)["requests"][3].update(prompt_sha256="0" * 64), []),
    ("an image, which the file does not have", USERS, lambda d: d["setup"].update(image={"name": "R1", "digest": None}), []),
    ("a setting, which the file does not have", USERS, lambda d: d["setup"]["settings"].update(max_num_seqs=32), []),
    ("a revision, which the file does not have", USERS, lambda d: d["setup"]["model"].update(revision="abc"), []),
    ("a setting", USERS, lambda d: d["setup"]["settings"].update(tf32=True), _in("/setup/settings/tf32", "true", "false")),
    ("a version", USERS, lambda d: d["setup"]["settings"].update(torch="2.12.0"), _in("/setup/settings/torch", "'2.12.0'", "'2.11.0+cu130'")),
    ("a setting that is not stated", USERS, lambda d: d["setup"]["settings"].pop("torch"),
     _in("/setup/settings/torch", "null", "'2.11.0+cu130'")),
    ("the model", USERS, lambda d: d["setup"]["model"].update(checkpoint="Qwen/Qwen3-0.6B"),
     _in("/setup/model/checkpoint", "'Qwen/Qwen3-0.6B'", "'Qwen3ForCausalLM, 8 layers, ")),
    ("the suite", STRICT, lambda d: d["workload"].update(suite="random-64"), _in("/workload/suite", "'random-64'", "'random-strict-12'")),
    ("the suite of one axis", USERS, lambda d: d["workload"]["by_axis"]["context_tokens"].update(suite="random-64"),
     _in("/workload/by_axis/context_tokens/suite", "'random-64'", "'random-context'")),
    ("a day", USERS, lambda d: d["runs"][COLD_16].update(measured_on="2026-11-29"),
     _in(f"/runs/{COLD_16}/measured_on", "2026-11-29", "2026-11-30")),
    ("a run too many", USERS, lambda d: d["runs"].append(d["runs"][COLD_16] | {"server": "c"}),
     _in("/runs/50", "arm fp32, 16 users, server c, cold pass", "no such run")),
    ("sampling", USERS, lambda d: d["workload"].update(sampling={"temperature": 1.0}), _in("/workload/sampling/temperature", "1.0", "0.0")),
    ("the cache", USERS, lambda d: d["workload"].update(prefix_cache=None), _in("/workload/prefix_cache", "null", "'off'")),
    ("the engine", USERS, lambda d: d["setup"]["engine"].update(version="6"), _in("/setup/engine/version", "'6'", "'5.17.0'")),
    ("the number format", USERS, lambda d: d["arms"][0].update(dtype="fp16"), _in("/arms/0/dtype", "'fp16'", "'bf16'")),
    ("drafts that are not stated", STRICT, lambda d: d["arms"][1].update(speculation=None), _in("/arms/1/speculation", "null", "{")),
    ("another oracle", STRICT, lambda d: d["arms"][1]["oracles"].update(suite={"kind": "own_sequential"}),
     _in("/arms/1/oracles/suite", '{"kind": "own_sequential"}', '{"kind": "arm", "arm": "bf16-none"}')),
    ("no oracle", STRICT, lambda d: d["arms"][1].update(oracles={}), _in("/arms/1/oracles/suite", "null", "{")),
    ("drafts that there were not", STRICT, lambda d: d["arms"][0].update(speculation=d["arms"][1]["speculation"]),
     _in("/arms/0/speculation", "'ngram'", "none")),
    ("draft counts", STRICT, lambda d: d["runs"][1]["batches"][0]["requests"][0].pop("drafts"),
     _in("/runs/1/batches/0/requests/0/drafts", "null", "{")),
]  # fmt: skip


@pytest.mark.parametrize(("title", "name", "change", "words"), CASES, ids=[case[0] for case in CASES])
def test_what_differs_is_said_and_nothing_else(title: str, name: str, change: Change, words: list[str]) -> None:
    found = _found(name, change)
    assert len(found) == len(words), found
    for said, begins in zip(found, words, strict=True):
        assert said.startswith(begins)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'{"arms": [{"runs": []}]}', ["not a file of the static-batch harness, or one with another shape: 'id' is missing"]),
        (b'{"results": []}', []),
        (b"[" * 100_000, [f"'{OF_USERS}' cannot be read as JSON"]),
        (b"no JSON", [f"'{OF_USERS}' cannot be read as JSON"]),
        (b"\xff", [f"'{OF_USERS}' cannot be read as JSON"]),
    ],
    ids=["another shape", "another tool", "endless", "text", "bytes"],
)  # fmt: skip
def test_a_file_of_the_harness_is_understood_and_one_of_another_tool_passed_over(raw: bytes, words: list[str]) -> None:
    campaign, file = _record(USERS, _data(USERS)), _data(USERS)["originals"][0]["file"]
    found = list(problems(evidence(USERS), campaign, {file: raw}))
    assert [(problem.rule, problem.field.removesuffix(".file"), problem.found) for problem in found] == [
        ("mismatch.original", "originals[0]", word) for word in words
    ]


def test_runs_may_come_from_several_files() -> None:
    """Each run is looked for in the file that has it."""
    data = _data(USERS)
    halves = [deepcopy(data) | {"runs": [run for run in data["runs"] if run["arm"] == arm]} for arm in ("bf16", "fp32")]
    originals = {f"{n}.json": _record(USERS, half) for n, half in enumerate(halves)}
    assert list(differences(_record(USERS, data), originals)) == []
    assert len(list(differences(_record(USERS, data), {"0.json": originals["0.json"]}))) == len(halves[1]["runs"])


def test_a_file_of_another_tool_beside_it_hides_no_difference() -> None:
    """A further file with nothing in it holds no missing run."""
    data = deepcopy(_data(USERS))
    name = data["originals"][0]["file"]
    raw = (ROOT / "evidence" / USERS / name).read_bytes()
    data["originals"].append({"file": "other.json", "sha256": hashlib.sha256(b"{}").hexdigest()})
    data["runs"].append(deepcopy(data["runs"][COLD_16]) | {"server": "c"})
    _batch(data)["wall_s"] = 1.5
    found = problems(evidence(USERS), _record(USERS, data), {name: raw, "other.json": b"{}"})
    assert [problem.found for problem in found] == ["1.5", "arm fp32, 16 users, server c, cold pass"]


@pytest.mark.parametrize("how", ["a mark", "UTF-16", "cut", "a comma", "a remark"])
def test_no_byte_takes_the_tools_file_out_of_sight(how: str) -> None:
    """Was: a file that could not be read said nothing, and the rows were held against nothing."""
    data = deepcopy(_data(USERS))
    name = data["originals"][0]["file"]
    raw = (ROOT / "evidence" / USERS / name).read_bytes()
    _batch(data)["wall_s"] = 1.5
    made = {
        "a mark": b"\xef\xbb\xbf" + raw, "UTF-16": raw.decode().encode("utf-16"), "cut": raw[:-200],
        "a comma": raw.rstrip()[:-1] + b",}", "a remark": b"// raw\n" + raw,
    }[how]  # fmt: skip
    (problem,) = problems(evidence(USERS), _record(USERS, data), {name: made})
    assert problem.found == ("1.5" if how in {"a mark", "UTF-16"} else f"'{name}' cannot be read as JSON")


def test_two_files_that_have_the_same_run_are_both_held_against_it() -> None:
    """A second file with the wished numbers does not hide the first."""
    honest = _record(USERS, _data(USERS))
    data = deepcopy(_data(USERS))
    _batch(data)["wall_s"] = 1.5
    changed = _record(USERS, data)
    for originals in ({"a.json": honest, "b.json": changed}, {"a.json": changed, "b.json": honest}):
        (part,) = differences(changed, originals)
        assert (part.ours, part.file) == ("1.5", next(file for file, one in originals.items() if one is honest))
