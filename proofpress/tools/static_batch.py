"""Static batch: the two files that the static-batch harness writes, as the importer and the check of originals read them.

Comes in: the text of a file, and what it does not say (the campaign's id, who measured). Goes out: the campaign as plain values,
and as text. The files:

- *users and context*: `arms[]` hold one server of one dtype with `runs[]`; a run has `axis`, `x`, `pass`, `batch_wall_ms[]` and
  `requests[]` in batch order (`prompt_id`, `ttft_ms`, `last_token_ms`, `output_sha256`, …). Times are milliseconds.
- *strict suite*: `arms[]` hold one server of one arm with `requests[]` (`token_ids`, `token_times_s`, `speculation`). Times are
  seconds from the request's start.

Numbers are read as decimals and written as decimals: 13.9695 ms become 0.0139695 s, without binary noise. What the files say about
themselves beyond rows (`identity`, `passed`, `decode_intervals`, verdicts of any name) is not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any

from proofpress.records.campaign import FORMAT

NAME = "static-batch"
Json = Mapping[str, Any]

_ACCELERATORS = {"NVIDIA H200": "nvidia-h200"}
_METHODS = {"ngram prompt lookup": "ngram"}
_OWN = {"kind": "own_sequential"}


class NotUnderstood(ValueError):
    """The file has a shape or a word that this importer does not know; the text says which."""


NO_ARMS = "this is not a file of the static-batch harness: it has no 'arms'"


def recognises(raw: object) -> bool:
    """Whether a file's data has the harness's shape."""
    return isinstance(raw, Mapping) and isinstance(raw.get("arms"), list) and bool(raw["arms"])


def read(text: str, *, campaign_id: str, file: str, measured_by: str, kind: str = "lab") -> dict[str, Any]:
    """The campaign that the file `text` holds. Raises `NotUnderstood` where the file has another shape than the harness's, too."""
    try:
        return campaign(text, campaign_id=campaign_id, file=file, measured_by=measured_by, kind=kind)
    except NotUnderstood:
        raise
    except KeyError as error:
        raise NotUnderstood(f"{_ANOTHER_SHAPE}: {error} is missing") from error
    except (TypeError, AttributeError, LookupError, ValueError, ArithmeticError) as error:
        raise NotUnderstood(f"{_ANOTHER_SHAPE}: {error}") from error


_ANOTHER_SHAPE = "not a file of the static-batch harness, or one with another shape"


def campaign(text: str, *, campaign_id: str, file: str, measured_by: str, kind: str = "lab") -> dict[str, Any]:
    """The campaign that the file `text` holds; `file` is the name under which the original travels beside it.

    Decimals stand for numbers with a point; `written` prints them as they are.
    """
    raw = json.loads(text, parse_float=Decimal)
    if not recognises(raw):
        raise NotUnderstood(NO_ARMS)
    users = all("runs" in arm for arm in raw["arms"])
    _all_read(raw, users=users)
    parts = _users(raw) if users else _strict(raw)
    software, machine = raw["software"], raw["machine"]
    return {
        "format": FORMAT,
        "id": campaign_id,
        "grade": "requests",
        "measured_by": {"name": measured_by, "kind": kind},
        "setup": {
            "accelerator": _known(_ACCELERATORS, machine["accelerator"], "accelerator"),
            "engine": {"name": software["engine"], "version": software[software["engine"]]},
            "image": None,
            "model": {"checkpoint": _checkpoint(raw["model"]), "revision": None, "quantization": "none"},
            "settings": {
                key: software[key]
                for key in ("torch", "cuda", "python", "attention", "tf32", "batching")
                if key in software
            },
        },
        **parts,
        "originals": [{"file": file, "sha256": sha256(text.encode("utf-8")).hexdigest()}],
    }


def _all_read(raw: Json, *, users: bool) -> None:
    """Refuses a list that nobody reads: it may be rows, a warm-up or a level, and rows are not left out without a word."""
    parts = [("the file", raw, {"arms", "machine", "software", "model", "workload"})]
    for arm in raw["arms"]:
        parts.append((f"arm {arm['id']}", arm, {"runs" if users else "requests"}))
        if users:
            parts += [(f"run {run['id']}", run, {"batch_wall_ms", "requests"}) for run in arm["runs"]]
    for where, part, read in parts:
        for key, value in part.items():
            if key not in read and _holds_a_list(value):
                raise NotUnderstood(f"{where}: {key!r} holds a list that this importer does not read")


def _holds_a_list(value: object) -> bool:
    return isinstance(value, list) or (isinstance(value, Mapping) and any(map(_holds_a_list, value.values())))


def written(values: Mapping[str, Any]) -> str:
    """A campaign as the text of its file: one line for each request and each short value, keys in their order."""
    return f"{_written(values, 0)}\n"


def _users(raw: Json) -> dict[str, Any]:
    """Users and context: users have prompts of one length; a context run has its own prompts at each x."""
    workload = raw["workload"]
    by_dtype: dict[str, list[Json]] = {}
    for arm in raw["arms"]:
        by_dtype.setdefault(arm["dtype"], []).append(arm)
    context = [run for arm in raw["arms"] for run in arm["runs"] if run["axis"] == "context_tokens"]
    users = [run for arm in raw["arms"] for run in arm["runs"] if run["axis"] == "concurrent_users"]
    classes = sorted({request["prompt_class"] for run in users for request in run["requests"]})
    own: dict[str, Any] = {}
    if context:
        own["context_tokens"] = {
            "suite": "random-context",
            "prompts": max(len(run["requests"]) for run in context),
            "requests_per_x": max(len(run["requests"]) for run in context),
        }
    return {
        "workload": {
            **_workload(raw, suite=f"random-{workload['prompt_tokens']}", classes=classes),
            **({"by_axis": own} if own else {}),
        },
        "digest": {"algorithm": "sha256", "encoding": "u32le"},
        "arms": [
            {
                **_arm(dtype, arms[0], raw),
                "speculation": None,
                "oracles": dict.fromkeys((run["axis"] for arm in arms for run in arm["runs"]), _OWN),
            }
            for dtype, arms in by_dtype.items()
        ],
        "select": {"passes": sorted({run["pass"] for arm in raw["arms"] for run in arm["runs"]}, reverse=True)},
        "plan": [line for dtype, arms in by_dtype.items() for line in _users_plan(dtype, arms)],
        "runs": [
            {
                "arm": arm["dtype"],
                "axis": run["axis"],
                "x": run["x"],
                "server": arm["server"],
                "pass": run["pass"],
                "measured_on": raw["date"],
                "batches": _batches(run),
            }
            for arm in raw["arms"]
            for run in arm["runs"]
        ],
    }


def _users_plan(dtype: str, arms: Sequence[Json]) -> list[dict[str, Any]]:
    """One line for each set of passes and servers and number of batches: x that share all of them stand together."""
    where: dict[tuple[str, int], tuple[list[str], list[str], int]] = {}
    for arm in arms:
        for run in arm["runs"]:
            entry = where.setdefault((run["axis"], run["x"]), ([], [], _batch_count(run)))
            for kept, name in ((entry[0], arm["server"]), (entry[1], run["pass"])):
                if name not in kept:
                    kept.append(name)
    lines: list[dict[str, Any]] = []
    for (axis, x), (servers, passes, batches) in where.items():
        rest = {"servers": servers, "passes": passes, "batches": batches}
        if lines and lines[-1]["axis"] == axis and all(lines[-1][key] == value for key, value in rest.items()):
            lines[-1]["x"].append(x)
        else:
            lines.append({"arm": dtype, "axis": axis, "x": [x], **rest})
    return lines


def _batch_count(run: Json) -> int:
    return len(run["batch_wall_ms"]) if "batch_wall_ms" in run else len(run["requests"])


def _batches(run: Json) -> list[dict[str, Any]]:
    """The run's requests in batches of x (of one on the context axis), each with its wall time."""
    size = run["x"] if run["axis"] == "concurrent_users" else 1
    requests = run["requests"]
    if len(requests) % size:
        raise NotUnderstood(f"run {run['id']}: {len(requests)} requests are no whole number of batches of {size}")
    groups = [requests[start : start + size] for start in range(0, len(requests), size)]
    walls = run.get("batch_wall_ms") or [group[0]["last_token_ms"] for group in groups]
    if len(walls) != len(groups):
        raise NotUnderstood(f"run {run['id']}: {len(walls)} wall times for {len(groups)} batches")
    return [
        {
            "wall_s": _seconds(wall),
            "requests": [
                {
                    "prompt": request["prompt_id"],
                    "class": request["prompt_class"],
                    "prompt_sha256": None,
                    "prompt_tokens": request["prompt_tokens"],
                    "output_tokens": request["output_tokens"],
                    "cached_tokens": request["cached_tokens"],
                    "start_s": Decimal("0.0"),
                    "first_token_s": _seconds(request["ttft_ms"]),
                    "last_token_s": _seconds(request["last_token_ms"]),
                    "token_times_s": None,
                    "finish": None,
                    "output": {"token_ids_sha256": request["output_sha256"]},
                }
                for request in group
            ],
        }
        for wall, group in zip(walls, groups, strict=True)
    ]


def _strict(raw: Json) -> dict[str, Any]:
    """The strict suite: one user; arms with speculation are compared with the same dtype without."""
    workload = raw["workload"]
    by_id: dict[str, list[Json]] = {}
    for arm in raw["arms"]:
        by_id.setdefault(arm["id"], []).append(arm)
    plain = {arms[0]["dtype"]: name for name, arms in by_id.items() if arms[0]["method"] is None}
    return {
        "workload": _workload(raw, suite=f"random-strict-{workload['prompts']}", classes=workload["classes"]),
        "digest": None,
        "arms": [
            {
                **_arm(name, arms[0], raw),
                "speculation": {
                    "method": _known(_METHODS, arms[0]["method"], "speculation method"),
                    "depth": arms[0]["depth"],
                    "draft_head": None,
                }
                if arms[0]["method"]
                else None,
                "oracles": {"suite": {"kind": "arm", "arm": plain[arms[0]["dtype"]]} if arms[0]["method"] else _OWN},
            }
            for name, arms in by_id.items()
        ],
        "select": {"passes": ["first"]},
        "plan": [
            {
                "arm": name,
                "axis": "suite",
                "x": [None],
                "servers": [arm["server"] for arm in arms],
                "passes": ["first"],
                "batches": workload["prompts"],
            }
            for name, arms in by_id.items()
        ],
        "runs": [
            {
                "arm": arm["id"],
                "axis": "suite",
                "x": None,
                "server": arm["server"],
                "pass": "first",
                "measured_on": raw["date"],
                "batches": [_single(request) for request in arm["requests"]],
            }
            for arm in raw["arms"]
        ],
    }


def _single(request: Json) -> dict[str, Any]:
    times = request["token_times_s"]
    row: dict[str, Any] = {
        "prompt": request["prompt"],
        "class": request["class"],
        "prompt_sha256": None,
        "prompt_tokens": request["prompt_tokens"],
        "output_tokens": request["output_tokens"],
        "cached_tokens": request["cached_tokens"],
        "start_s": Decimal("0.0"),
        "first_token_s": times[0],
        "last_token_s": times[-1],
        "token_times_s": times,
        "finish": request["finish"],
        "output": {"token_ids": request["token_ids"]},
    }
    drafts = request["speculation"]
    if drafts is not None:
        row["drafts"] = {"drafted": drafts["drafted"], "accepted": drafts["accepted"]}
    return {"wall_s": times[-1], "requests": [row]}


def _workload(raw: Json, *, suite: str, classes: Iterable[str]) -> dict[str, Any]:
    workload = raw["workload"]
    names = list(classes)
    if workload["sampling"] != "greedy":
        raise NotUnderstood(f"sampling {workload['sampling']!r}: only 'greedy' is known here")
    return {
        "suite": suite,
        "prompts": workload["prompts"],
        "prompt_classes": len(names),
        "class_names": names,
        "output_tokens": workload["output_tokens"],
        "api": None,
        "sampling": {"temperature": Decimal("0.0")},
        "prefix_cache": "on" if workload["prefix_cache"] else "off",
        "token_counts_from": "server",
    }


def _arm(name: str, arm: Json, raw: Json) -> dict[str, Any]:
    cards = raw["machine"]["cards"]
    return {
        "id": name,
        "cards": cards,
        "tensor_parallel": cards,
        "dtype": arm["dtype"],
        "weight_bytes": arm["weight_bytes"],
    }


def _checkpoint(model: Json) -> str:
    return f"{model['architecture']}, {model['layers']} layers, hidden size {model['hidden_size']}, weights {model['weights']}"


def _seconds(milliseconds: Decimal | int) -> Decimal:
    return Decimal(milliseconds).scaleb(-3)


def _known(words: Mapping[str, str], name: str, noun: str) -> str:
    if name not in words:
        raise NotUnderstood(f"{noun} {name!r} is not known to this importer; known: {', '.join(sorted(words))}")
    return words[name]


_WIDTH = 100


def _written(value: object, depth: int) -> str:
    line = _line(value)
    if not isinstance(value, Mapping | list) or not value:
        return line
    is_row = isinstance(value, Mapping) and "prompt" in value
    is_flat = isinstance(value, list) and not any(isinstance(item, Mapping | list) for item in value)
    if is_row or is_flat or len(line) <= _WIDTH:
        return line
    pad = " " * (depth + 1)
    if isinstance(value, Mapping):
        items = [f"{pad}{json.dumps(key)}: {_written(inner, depth + 1)}" for key, inner in value.items()]
        return "{\n" + ",\n".join(items) + f"\n{' ' * depth}}}"
    return "[\n" + ",\n".join(f"{pad}{_written(inner, depth + 1)}" for inner in value) + f"\n{' ' * depth}]"


def _line(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)}: {_line(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_line, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
