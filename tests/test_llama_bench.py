"""The importer of llama-bench files: what becomes a run, what stays out, and what is refused. The files are made up in the tool's format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from ground import ROOT, tree

from proofpress.check.library import load
from proofpress.command import main
from proofpress.derive.finding import Shown, evidence_of, findings
from proofpress.intake.llama_bench import plain_json
from proofpress.records.axis import Axis

Captured = pytest.CaptureFixture[str]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
WORDS = {
    "--campaign": "bench",
    "--measured-by": "A hobbyist",
    "--kind": "hobbyist",
    "--origin": f"someone/results@{COMMIT}:h200",
    "--accelerator": "nvidia-h200",
    "--engine": "llama-cpp-sycl",
    "--checkpoint": "example/model",
    "--quantization": "q8-0",
}
SETUP = {
    "build_commit": "abcdef1", "build_number": 7001, "cpu_info": "A processor", "gpu_info": "NVIDIA H200", "backends": "CUDA",
    "model_filename": "model-q8_0.gguf", "model_type": "example 8B Q8_0", "model_size": 8_000_000_000,
    "model_n_params": 8_000_000_000, "n_batch": 2048, "n_ubatch": 512, "n_threads": 8, "type_k": "f16", "type_v": "f16",
    "n_gpu_layers": 99, "split_mode": "layer", "main_gpu": 0, "flash_attn": 1, "devices": "auto", "tensor_split": "0.00",
}  # fmt: skip


def case(*, read: int = 0, produced: int = 0, depth: int = 0, ns: Sequence[int] = (), **fields: Any) -> dict[str, Any]:
    """One test as the tool prints it, its rates with six digits and its mean with six decimals."""
    times = list(ns) or [2_000_000_000, 2_100_000_000, 1_900_000_000]
    rates = [1e9 * (read + produced) / time for time in times]
    own = {
        "n_prompt": read, "n_gen": produced, "n_depth": depth, "test_time": "2026-01-15T06:07:29Z",
        "avg_ns": int(fmean(times)), "stddev_ns": 3722529745, "avg_ts": round(fmean(rates), 6), "stddev_ts": 1.5,
        "samples_ns": times, "samples_ts": [float(f"{rate:.6g}") for rate in rates],
    }  # fmt: skip
    return {**SETUP, **own, **fields}


LADDER = [case(produced=128), case(read=512), case(produced=128, depth=4096, ns=[2_500_000_000] * 5)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site without cards."""
    (tmp_path / "site/content").mkdir(parents=True)
    (tmp_path / "site/evidence").mkdir()
    for name in ("site.yaml", "vocabulary.yaml"):
        (tmp_path / "site/content" / name).write_bytes((ROOT / "content" / name).read_bytes())
    return tmp_path / "site"


def _import(root: Path, files: Mapping[str, str | Sequence[Mapping[str, Any]]], **words: str) -> int:
    """The exit status of an import of these files, by name: text, or tests to be written as a list."""
    paths = []
    for name, content in files.items():
        path = root.parent / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        paths.append(str(path))
    stated = {**WORDS, **{f"--{key.replace('_', '-')}": value for key, value in words.items()}, "--root": str(root)}
    return main(["import", "llama-bench", *paths, *(word for pair in stated.items() for word in pair)])


def _made(root: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((root / "evidence/bench/campaign.json").read_text(encoding="utf-8"))
    return made


def test_a_ladder_becomes_runs_over_the_filled_cache(root: Path, capfd: Captured) -> None:
    assert _import(root, {"ladder.json": LADDER}) == 0
    assert capfd.readouterr().out.splitlines() == ["evidence/bench/campaign.json: 2 runs"]
    made = _made(root)
    assert made["origin"] == {"repository": "someone/results", "commit": COMMIT, "path": "h200/ladder.json"}
    assert made["setup"]["engine"] == {"name": "llama-cpp-sycl", "version": "b7001, abcdef1"}
    assert made["setup"]["settings"] == {"kv": "f16", "flash_attention": "on", "split": "layer"}
    assert (made["workload"]["output_tokens"], made["workload"]["prompt_tokens"]) == (128, 512)
    assert [(run["x"], run["identity"], run["measured_on"]) for run in made["runs"]] == [
        (0, None, "2026-01-15"), (4096, None, "2026-01-15"),
    ]  # fmt: skip
    first, second = made["runs"]
    assert [(record["metric"], record["value"], record["samples"]) for record in first["records"]] == [
        ("decode", LADDER[0]["avg_ts"], 3), ("prefill_server", LADDER[1]["avg_ts"], 3),
    ]  # fmt: skip
    assert second["records"] == [
        {"metric": "decode", "value": 51.2, "unit": "tok/s", "samples": 5, "sampled": "repetitions", "combined": "mean"}
    ]


def test_the_file_travels_beside_it_and_the_build_accepts_both(root: Path) -> None:
    """One user without drafts is a reference run; of identity there is nothing, and nothing is said."""
    assert _import(root, {"ladder.json": LADDER}) == 0
    assert (root / "evidence/bench/ladder.json").read_bytes() == (root.parent / "ladder.json").read_bytes()
    library, problems = load(root)
    assert library is not None
    assert problems == ()
    entry = library.campaigns["bench"]
    evidence = evidence_of(entry.campaign, entry.source.sha256, library.vocabulary.metrics.keys())
    found = findings(evidence, arms=("plain",), metric="decode", axis=Axis.CONTEXT_DEPTH)
    assert [(level.x, level.identity, level.is_reference, isinstance(level, Shown)) for level in found] == [
        (0, None, True, True), (4096, None, True, True),
    ]  # fmt: skip


def test_a_test_made_again_is_a_further_pass_and_none_is_picked(root: Path) -> None:
    again = case(produced=128, ns=[1_000_000_000] * 3)
    assert _import(root, {"one.json": LADDER, "two.json": [again]}) == 0
    made = _made(root)
    assert [(run["x"], run["pass"], run["records"][0]["value"]) for run in made["runs"]] == [
        (0, "first", LADDER[0]["avg_ts"]), (0, "second", 128.0), (4096, "first", 51.2),
    ]  # fmt: skip
    assert made["select"] == {"passes": ["first"]}
    assert made["runs"][1]["origin"] == {**made["origin"], "path": "h200/two.json"}
    assert "origin" not in made["runs"][0]
    assert [original["file"] for original in made["originals"]] == ["one.json", "two.json"]


def test_what_times_two_things_or_another_length_is_left_out_by_name(root: Path, capfd: Captured) -> None:
    tests = [*LADDER, case(read=512, produced=128), case(produced=256, depth=4096)]
    assert _import(root, {"x.json": tests}, output_tokens="128") == 0
    assert capfd.readouterr().out.splitlines() == [
        "left out: x.json: pp512+tg128 at depth 0: it times two things at once, or nothing",
        "left out: x.json: tg256 at depth 4096: 128 was chosen",
        "evidence/bench/campaign.json: 2 runs",
    ]


LINES = "\n".join(json.dumps(one) for one in LADDER)
SHAPES = {
    "a list behind what a driver says": f"ggml_init: found 1 device:\n  Device 0: H200\n[\n  {json.dumps(LADDER)[1:]}\n\nbuild: abcdef1\n",
    "objects of lines": LINES,
    "objects of lines behind a banner": f"found 1 device\n{LINES}\n",
    "a spread that is not a number": json.dumps(LADDER).replace('"stddev_ts": 1.5', '"stddev_ts": -nan'),
    "a switch that was a boolean": json.dumps(LADDER).replace('"flash_attn": 1', '"flash_attn": true'),
    "from before there were depths": json.dumps(LADDER[:2]).replace('"n_depth": 0, ', ""),
}


@pytest.mark.parametrize("title", SHAPES)
def test_every_shape_that_the_tool_prints_is_read(title: str, root: Path) -> None:
    assert _import(root, {"x.json": SHAPES[title]}) == 0
    made = _made(root)
    assert made["runs"][0]["records"][0]["value"] == LADDER[0]["avg_ts"]
    assert made["setup"]["settings"]["flash_attention"] == "on"


def _changed(**fields: Any) -> list[dict[str, Any]]:
    return [LADDER[0], {**LADDER[2], **fields}]


DEVICES: dict[str, tuple[dict[str, Any], int]] = {
    "all that it sees": ({"gpu_info": "NVIDIA H200, NVIDIA H200"}, 2),
    "those that were named": ({"gpu_info": "NVIDIA H200, NVIDIA H200, NVIDIA H200", "devices": "CUDA0/CUDA1"}, 2),
    "one without a split": ({"gpu_info": "NVIDIA H200, NVIDIA H200", "split_mode": "none"}, 1),
}


@pytest.mark.parametrize("title", DEVICES)
def test_cards_are_those_that_worked(title: str, root: Path) -> None:
    fields, cards = DEVICES[title]
    assert _import(root, {"x.json": [{**test, **fields} for test in LADDER]}) == 0
    assert _made(root)["arms"][0]["cards"] == cards


@pytest.mark.parametrize(
    ("fields", "version"),
    [({"build_number": 0}, "abcdef1"), ({"build_commit": "unknown"}, None), ({"build_number": 1}, "abcdef1")],
)
def test_a_build_that_does_not_know_itself_has_no_number(
    fields: dict[str, Any], version: str | None, root: Path
) -> None:
    assert _import(root, {"x.json": [{**test, **fields} for test in LADDER]}) == 0
    assert _made(root)["setup"]["engine"]["version"] == version


REFUSED: dict[str, tuple[dict[str, str | Sequence[Mapping[str, Any]]], str]] = {
    "another set-up": (
        {"x.json": _changed(type_k="q8_0")},
        "type_k is 'f16' in x.json and 'q8_0' in x.json: one campaign has one set-up; import them apart",
    ),
    "another build in another file": (
        {"x.json": LADDER, "y.json": _changed(build_commit="1234567")},
        "build_commit is 'abcdef1' in x.json and '1234567' in y.json",
    ),
    "a field that only some have": ({"x.json": _changed(repack=True)}, "repack is None in x.json and True in x.json"),
    "several lengths and none chosen": (
        {"x.json": [*LADDER, case(produced=256)]},
        "tests of 128, 256 tokens: each length is a workload of its own; choose one with --output-tokens",
    ),
    "a mean that is another": (
        {"x.json": _changed(avg_ts=51.3)},
        "x.json: tg128 at depth 4096: avg_ts 51.3 is not the mean of its repetitions, 51.200000",
    ),
    "a rate that is another": (
        {"x.json": _changed(samples_ts=[51.2, 51.2, 51.2, 51.2, 51.3])},
        "x.json: tg128 at depth 4096: 51.3 tok/s is not 128 tokens in the time beside it, 51.2",
    ),
    "a repetition without a time": (
        {"x.json": _changed(samples_ns=[2_500_000_000] * 4)},
        "are not the times and rates of the same repetitions",
    ),
    "no time at all": ({"x.json": _changed(samples_ns=[0] * 5)}, "are not the times and rates of the same repetitions"),
    "a processor alone": (
        {"x.json": [{**test, "gpu_info": ""} for test in LADDER]},
        "the tests ran on no accelerator: gpu_info is empty, or n_gpu_layers is 0",
    ),
    "a list that was cut off": (
        {"x.json": json.dumps(LADDER)[:-1]},
        "the list has no end: the program was stopped before its last test; run it again",
    ),
    "a table": (
        {"x.json": "| model | test | t/s |\n"},
        "no JSON in it; llama-bench writes it with -o json or -o jsonl",
    ),
    "another file": ({"x.json": '[{"a": 1}]'}, "x.json: not a list of tests as llama-bench writes it"),
    "nothing but two things at once": (
        {"x.json": [case(read=512, produced=128)]},
        "no test that times producing tokens alone, or reading them alone",
    ),
    "one run from two files": (
        {"x.json": LADDER[:1], "y.json": LADDER[1:2]},
        "x.json: tg128 at depth 0 and y.json: pp512 at depth 0: one run has one origin; import the files apart",
    ),
    "a file called like the campaign": ({"campaign.json": LADDER}, "so it needs a name of its own"),
    "a depth that is none": ({"x.json": _changed(n_depth=-1)}, "n_depth is -1; a whole number is wanted"),
    "a rate that is text": (
        {"x.json": _changed(avg_ts="51.2")},
        "not a file of llama-bench, or one with another shape",
    ),
    "a missing time": (
        {"x.json": [{key: value for key, value in LADDER[0].items() if key != "samples_ns"}]},
        "not a file of llama-bench, or one with another shape: 'samples_ns' is missing",
    ),
}


@pytest.mark.parametrize("title", REFUSED)
def test_is_refused_in_one_sentence_and_nothing_is_written(title: str, root: Path, capfd: Captured) -> None:
    files, message = REFUSED[title]
    before = tree(root)
    assert _import(root, files) == 1
    printed, errors = capfd.readouterr()
    assert printed == ""
    assert len(errors.splitlines()) == 1
    assert message in errors
    assert "Traceback" not in errors
    assert tree(root) == before


UNSOUND = {
    "a number that is none": ('"avg_ns": 2000000000', '"avg_ns": NaN', "number.not-finite"),
    "a key twice": ('"n_gen": 128', '"n_gen": 128, "n_gen": 128', "duplicate.key"),
}


@pytest.mark.parametrize("title", UNSOUND)
def test_the_file_is_read_strictly(title: str, root: Path, capfd: Captured) -> None:
    old, new, rule = UNSOUND[title]
    before = tree(root)
    assert _import(root, {"x.json": json.dumps(LADDER).replace(old, new)}) == 1
    assert rule in capfd.readouterr().err
    assert tree(root) == before


def test_what_the_build_would_refuse_is_not_written(root: Path, capfd: Captured) -> None:
    before = tree(root)
    assert _import(root, {"x.json": LADDER}, quantization="q9") == 1
    errors = capfd.readouterr().err
    assert "reference.unknown-word  setup.model.quantization: 'q9'" in errors
    assert errors.endswith("the campaign that this would make is not sound; nothing was written\n")
    assert tree(root) == before


@pytest.mark.parametrize(
    "origin", ["someone/results", f"someone@{COMMIT}", "a/b@main", f"a/b@{COMMIT.upper()}", f"a/b@{COMMIT}:c:d"]
)
def test_an_origin_names_a_commit(origin: str, root: Path, capfd: Captured) -> None:
    assert _import(root, {"x.json": LADDER}, origin=origin) == 2
    assert "is not owner/name@commit" in capfd.readouterr().err


def test_a_chosen_length_is_there(root: Path, capfd: Captured) -> None:
    assert _import(root, {"x.json": LADDER}, prompt_tokens="1024") == 1
    assert "--prompt-tokens 1024: no such test; there are 512" in capfd.readouterr().err


def test_what_stands_before_the_json_keeps_its_lines() -> None:
    assert plain_json('one\ntwo\n{"a": 1}\n{"a": 2}\nbye\n') == '\n\n[{"a": 1},\n{"a": 2}]'


def test_a_path_of_the_machine_is_told_when_it_is_imported(root: Path, capfd: Captured) -> None:
    """Was: the first word about it came from the check, once the file was in the repository."""
    tests = [case(produced=128, model_filename="/home/anna/model.gguf")]
    assert _import(root, {"bench.json": tests}) == 0
    said = capfd.readouterr().err
    assert "evidence/bench/bench.json:1:" in said
    assert "text.host-path (warning)  '/home/anna/model.gguf'" in said
    assert "call the tool with a relative path and measure again, or let it be published as it stands" in said
    assert main(["check", "--root", str(root), "evidence"]) == 0
    assert said in capfd.readouterr().err


def test_a_secret_is_not_imported(root: Path, capfd: Captured) -> None:
    """What the check refuses in an original is refused before it is in the repository."""
    assert _import(root, {"bench.json": [case(produced=128, cpu_info=f"hf_{'a' * 20}")]}) == 1
    said = capfd.readouterr().err
    assert "text.secret" in said
    assert said.endswith("nothing was written\n")
    assert tree(root / "evidence") == {}


def test_the_file_that_is_meant_is_named_once(root: Path, capfd: Captured) -> None:
    """Was: "b.json: b.json: …", and of several files the first in front of the one that was meant."""
    assert _import(root, {"a.json": [case(produced=128)], "b.json": "[{}]"}) == 1
    meant = f"{root.parent / 'b.json'}: not a list of tests as llama-bench writes it, each with n_prompt and n_gen\n"
    assert capfd.readouterr().err == meant
