"""Llama bench: what `llama-bench -o json` or `-o jsonl` prints, as one campaign of grade `record`.

Comes in: the texts of files, and what they cannot say (`Stated`). Goes out: the campaign as plain values, and what stays out.

One object of a file is one test. `n_gen` alone times producing tokens, `n_prompt` alone reading them, both together neither. `n_depth`
tokens stand in the cache before and are not timed. Tokens are random and nothing is answered, so no identity can be counted. The tool's
`stddev_ns` overflows and is not read, and its mean is computed again from the times of the repetitions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from math import isclose
from statistics import fmean
from typing import Any

from proofpress.records.campaign import FORMAT

NAME = "llama-bench"
Json = Mapping[str, Any]

MEASURED = frozenset(
    {
        "n_prompt",
        "n_gen",
        "n_depth",
        "test",
        "test_time",
        "avg_ns",
        "stddev_ns",
        "avg_ts",
        "stddev_ts",
        "samples_ns",
        "samples_ts",
    }
)
"""The fields of one test; all others are of the set-up, which is one for a whole campaign."""

PASSES = ("first", "second", "third", "fourth", "fifth", "sixth")
MEAN_DIGITS, SAMPLE_DIGITS = 1e-6, 1e-5
"""How exactly the tool prints its mean, and the rate of each repetition."""

_START = re.compile(r"\s*(?:\[\s*(?:\{|$)|\{)")
_NOT_A_NUMBER = re.compile(r'("stddev_ts":\s*)-?nan\b')
_FLASH = {-1: "auto", 0: "off", 1: "on"}
_BUILT_OUTSIDE_GIT = 1
"""The highest build number that says nothing."""


class NotUnderstood(ValueError):
    """The file has a shape that this importer does not know, or tests that are no one campaign; the text says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the files cannot say: words of the vocabulary, the checkpoint's name, who measured, and where the files are published."""

    campaign_id: str
    measured_by: str
    kind: str
    accelerator: str
    engine: str
    checkpoint: str
    quantization: str
    repository: str
    commit: str
    folder: str
    """Where in the repository the files are; empty for its top."""
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    """Which lengths are taken, where the files have tests of several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    """One test with the file it is from."""

    file: str
    metric: str
    depth: int
    length: int
    """Tokens that were read or produced."""
    day: date
    value: float
    repetitions: int

    @property
    def name(self) -> str:
        return f"{self.file}: {'tg' if self.metric == 'decode' else 'pp'}{self.length} at depth {self.depth}"


def plain_json(text: str) -> str:
    """The JSON in what the program printed: without the lines before and behind it, objects of lines in one list.

    `nan`, which the program prints for a spread of nothing, becomes null.
    """
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if _START.match(line)), None)
    if first is None:
        raise NotUnderstood("no JSON in it; llama-bench writes it with -o json or -o jsonl")
    last = max((number for number, line in enumerate(lines) if line.rstrip().endswith(("]", "}"))), default=first)
    kept = lines[first : last + 1]
    if kept[0].lstrip().startswith("["):
        if not kept[-1].rstrip().endswith("]"):
            raise NotUnderstood("the list has no end: the program was stopped before its last test; run it again")
        body = "\n".join(kept)
    else:
        rows = [line for line in kept if line.strip()]
        body = "[" + ",\n".join(rows) + "]"
    return "\n" * first + _NOT_A_NUMBER.sub(r"\1null", body)


def campaign(files: Mapping[str, tuple[Any, bytes]], stated: Stated) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The campaign that `files` hold, each with its parsed JSON and its bytes by name; and what of them stays out, and why."""
    rows = [(file, row) for file, (data, _) in files.items() for row in _rows(file, data)]
    setup = _one_setup(rows)
    tests, left_out = _tests(rows)
    kept: list[_Test] = []
    lengths: dict[str, int | None] = {}
    for metric, chosen, option in (
        ("decode", stated.output_tokens, "--output-tokens"),
        ("prefill_server", stated.prompt_tokens, "--prompt-tokens"),
    ):
        own = [test for test in tests if test.metric == metric]
        lengths[metric] = _length(own, chosen, option)
        kept += [test for test in own if test.length == lengths[metric]]
        left_out += [f"{test.name}: {lengths[metric]} was chosen" for test in own if test.length != lengths[metric]]
    if not kept:
        raise NotUnderstood("no test that times producing tokens alone, or reading them alone")
    origin = {"repository": stated.repository, "commit": stated.commit}
    paths = {file: f"{stated.folder}/{file}".lstrip("/") for file in files}
    home = {**origin, "path": paths[kept[0].file]}
    values = {
        "format": FORMAT,
        "id": stated.campaign_id,
        "grade": "record",
        "measured_by": {"name": stated.measured_by, "kind": stated.kind},
        "origin": home,
        "originals": [{"file": file, "sha256": sha256(raw).hexdigest()} for file, (_, raw) in files.items()],
        "setup": {
            "accelerator": stated.accelerator,
            "engine": {"name": stated.engine, "version": _version(setup)},
            "image": None,
            "model": {"checkpoint": stated.checkpoint, "revision": None, "quantization": stated.quantization},
            "settings": dict(_settings(setup)),
        },
        "workload": {
            "suite": NAME,
            "prompts": None,
            "prompt_classes": None,
            "output_tokens": lengths["decode"],
            "prompt_tokens": lengths["prefill_server"],
            "api": None,
            "sampling": None,
            "prefix_cache": None,
            "token_counts_from": None,
        },
        "arms": [{"id": "plain", "cards": _cards(setup), "tensor_parallel": None, "speculation": None, "oracles": {}}],
        "select": {"passes": ["first"]},
        "runs": [
            run if run["origin"] != home else {key: value for key, value in run.items() if key != "origin"}
            for run in _runs(kept, {file: {**origin, "path": path} for file, path in paths.items()})
        ],
    }
    return values, tuple(left_out)


def recognises(data: Any) -> bool:
    """Whether a file's data has the program's shape."""
    return isinstance(data, list) and bool(data) and all(isinstance(row, dict) and "n_gen" in row for row in data)


def _rows(file: str, data: Any) -> list[Json]:
    if not isinstance(data, list) or not recognises(data):
        raise NotUnderstood(f"{file}: not a list of tests as llama-bench writes it, each with n_prompt and n_gen")
    return list(data)


def _one_setup(rows: Sequence[tuple[str, Json]]) -> Json:
    """The fields of the set-up, which all tests share."""
    file, first = rows[0]
    setup = {key: value for key, value in first.items() if key not in MEASURED}
    for other_file, row in rows:
        other = {key: value for key, value in row.items() if key not in MEASURED}
        for key in [*setup, *other]:
            if setup.get(key) != other.get(key):
                raise NotUnderstood(
                    f"{key} is {setup.get(key)!r} in {file} and {other.get(key)!r} in {other_file}: one campaign has one set-up; import them apart"
                )
    return setup


def _tests(rows: Sequence[tuple[str, Json]]) -> tuple[list[_Test], list[str]]:
    """The tests that time one thing, and those that do not."""
    tests: list[_Test] = []
    left_out: list[str] = []
    for file, row in rows:
        read, produced, depth = (_whole(file, row, name) for name in ("n_prompt", "n_gen", "n_depth"))
        if bool(read) == bool(produced):
            left_out.append(f"{file}: pp{read}+tg{produced} at depth {depth}: it times two things at once, or nothing")
            continue
        length = read or produced
        where = f"{file}: {'pp' if read else 'tg'}{length} at depth {depth}"
        tests.append(
            _Test(
                file=file,
                metric="prefill_server" if read else "decode",
                depth=depth,
                length=length,
                day=date.fromisoformat(str(row["test_time"])[:10]),
                value=_mean(where, row, length),
                repetitions=len(row["samples_ns"]),
            )
        )
    return tests, left_out


def _whole(file: str, row: Json, name: str) -> int:
    """A count; builds from before there were depths filled no cache."""
    value = row.get(name, 0) if name == "n_depth" else row[name]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotUnderstood(f"{file}: {name} is {value!r}; a whole number is wanted")
    return value


def _mean(where: str, row: Json, length: int) -> float:
    """The tool's mean, if it is that of its repetitions."""
    times, rates, mean = row["samples_ns"], row["samples_ts"], row["avg_ts"]
    if not times or len(times) != len(rates) or not all(isinstance(time, int) and time > 0 for time in times):
        raise NotUnderstood(
            f"{where}: samples_ns {times} and samples_ts {rates} are not the times and rates of the same repetitions"
        )
    own = [1e9 * length / time for time in times]
    for rate, mine in zip(rates, own, strict=True):
        if not isclose(rate, mine, rel_tol=SAMPLE_DIGITS):
            raise NotUnderstood(f"{where}: {rate} tok/s is not {length} tokens in the time beside it, {mine:.6g}")
    if not isclose(mean, fmean(own), rel_tol=MEAN_DIGITS, abs_tol=MEAN_DIGITS):
        raise NotUnderstood(f"{where}: avg_ts {mean} is not the mean of its repetitions, {fmean(own):.6f}")
    return float(mean)


def _length(tests: Sequence[_Test], chosen: int | None, option: str) -> int | None:
    """The one number of tokens that is taken: the chosen one, or the only one."""
    there = sorted({test.length for test in tests})
    if chosen is not None and chosen not in there:
        raise NotUnderstood(f"{option} {chosen}: no such test; there are {', '.join(map(str, there)) or 'none'}")
    if chosen is None and len(there) > 1:
        raise NotUnderstood(
            f"tests of {', '.join(map(str, there))} tokens: each length is a workload of its own; choose one with {option}"
        )
    return chosen if chosen is not None else next(iter(there), None)


def _runs(tests: Sequence[_Test], origins: Mapping[str, Json]) -> Iterator[dict[str, Any]]:
    """A run for each depth; a test that was made again is a further pass, which counts and is not picked."""
    seen: Counter[tuple[str, int]] = Counter()
    runs: dict[tuple[int, int], list[_Test]] = {}
    for test in tests:
        runs.setdefault((test.depth, seen[test.metric, test.depth]), []).append(test)
        seen[test.metric, test.depth] += 1
    for depth, number in sorted(runs):
        of_run = runs[depth, number]
        if len({test.file for test in of_run}) > 1:
            names = " and ".join(test.name for test in of_run)
            raise NotUnderstood(f"{names}: one run has one origin; import the files apart")
        yield {
            "arm": "plain",
            "axis": "context_depth",
            "x": depth,
            "server": "a",
            "pass": PASSES[number] if number < len(PASSES) else f"pass-{number + 1}",
            "measured_on": min(test.day for test in of_run).isoformat(),
            "identity": None,
            "records": [
                {
                    "metric": test.metric,
                    "value": test.value,
                    "unit": "tok/s",
                    "samples": test.repetitions,
                    "sampled": "repetitions",
                    "combined": "mean",
                }
                for test in of_run
            ],
            "origin": origins[of_run[0].file],
        }


def _version(setup: Json) -> str | None:
    commit, number = setup.get("build_commit"), setup.get("build_number")
    if not isinstance(commit, str) or commit in {"", "unknown"}:
        return None
    return f"b{number}, {commit}" if isinstance(number, int) and number > _BUILT_OUTSIDE_GIT else commit


def _cards(setup: Json) -> int:
    """How many accelerators worked: one without a split, those that were named, or else all that the program saw."""
    seen = [name for name in str(setup.get("gpu_info") or "").split(", ") if name]
    if not seen or setup.get("n_gpu_layers") == 0:
        raise NotUnderstood("the tests ran on no accelerator: gpu_info is empty, or n_gpu_layers is 0")
    if setup.get("split_mode") == "none":
        return 1
    named = str(setup.get("devices") or "auto")
    return len(seen) if named == "auto" else len(named.split("/"))


def _settings(setup: Json) -> Iterator[tuple[str, Any]]:
    """What of the set-up has a word among the settings; everything else stands in the file beside the campaign."""
    keys, values = setup.get("type_k"), setup.get("type_v")
    if keys and values:
        yield "kv", keys if keys == values else f"{keys} keys, {values} values"
    if setup.get("flash_attn") in _FLASH:
        yield "flash_attention", _FLASH[setup["flash_attn"]]
    if setup.get("split_mode"):
        yield "split", setup["split_mode"]
