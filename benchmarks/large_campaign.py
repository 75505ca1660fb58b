"""How long a campaign of 40 MB takes: 64 users, 128 token ids and times in each request.

Run it from the repository's root with `python -m benchmarks.large_campaign [MEGABYTES]`. The campaign is made up and never written; it must have no problem.
"""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from proofpress.check import campaign_check
from proofpress.kernel import recount
from proofpress.load.source import json_source, read_yaml
from proofpress.records.campaign import RequestCampaign
from proofpress.records.schema import check
from proofpress.records.vocabulary import Vocabulary

ROOT = Path(__file__).parent.parent
USERS, TOKENS = 64, 128
SERVERS = ("a", "b")


def _row(prompt: int, number: int) -> dict[str, Any]:
    times = [round(0.05 + 0.011 * step + 1e-6 * (number % 97), 6) for step in range(TOKENS)]
    return {
        "prompt": f"p{prompt:05d}",
        "class": ("code", "prose", "list")[prompt % 3],
        "prompt_sha256": None,
        "prompt_tokens": 64,
        "output_tokens": TOKENS,
        "cached_tokens": 0,
        "start_s": 0.0,
        "first_token_s": times[0],
        "last_token_s": times[-1],
        "token_times_s": times,
        "finish": "length",
        "output": {"token_ids": [(prompt * 7919 + step * 104729) % 151936 for step in range(TOKENS)]},
    }


def _run(x: int, server: str, pass_: str, prompts: int, counter: list[int]) -> dict[str, Any]:
    batches = []
    for first in range(0, prompts, x):
        rows = []
        for prompt in range(first, first + x):
            counter[0] += 1
            rows.append(_row(prompt, counter[0]))
        batches.append({"wall_s": max(row["last_token_s"] for row in rows), "requests": rows})
    return {
        "arm": "plain", "axis": "concurrent_users", "x": x, "server": server, "pass": pass_,
        "measured_on": "2026-11-30", "batches": batches,
    }  # fmt: skip


def made_up(megabytes: float) -> bytes:
    """A campaign of about so many megabytes: one-user oracles of two servers, and 64 users in two passes on each."""
    size_of_row = len(json.dumps(_row(9876, 50)))
    prompts = max(1, round(megabytes * 1e6 / size_of_row / 6 / USERS)) * USERS
    counter = [0]
    line = {"arm": "plain", "axis": "concurrent_users", "servers": list(SERVERS)}
    runs = [_run(1, server, "cold", prompts, counter) for server in SERVERS]
    runs += [_run(USERS, server, pass_, prompts, counter) for server in SERVERS for pass_ in ("cold", "warm")]
    return json.dumps(
        {
            "format": "proofpress.campaign/1",
            "id": "large",
            "grade": "requests",
            "measured_by": {"name": "A lab", "kind": "lab"},
            "setup": {
                "accelerator": "nvidia-h200",
                "engine": {"name": "transformers", "version": None},
                "image": None,
                "model": {"checkpoint": "lab/tiny", "revision": None, "quantization": "none"},
                "settings": {"max_num_seqs": USERS},
            },
            "workload": {
                "suite": "random-64",
                "prompts": prompts,
                "prompt_classes": 3,
                "output_tokens": TOKENS,
                "api": None,
                "sampling": {"temperature": 0.0},
                "prefix_cache": "off",
                "token_counts_from": "server",
            },
            "digest": {"algorithm": "sha256", "encoding": "u32le"},
            "arms": [
                {
                    "id": "plain",
                    "cards": 1,
                    "tensor_parallel": 1,
                    "speculation": None,
                    "oracles": {"concurrent_users": {"kind": "own_sequential"}},
                }
            ],
            "select": {"passes": ["warm", "cold"]},
            "plan": [
                {**line, "x": [1], "passes": ["cold"], "batches": prompts},
                {**line, "x": [USERS], "passes": ["cold", "warm"], "batches": prompts // USERS},
            ],
            "runs": runs,
        }
    ).encode("ascii")


def main() -> None:
    """Prints the size and the seconds of each step."""
    raw = made_up(float(sys.argv[1]) if len(sys.argv) > 1 else 40)
    words = read_yaml(ROOT, "tests/cases/base/content/vocabulary.yaml").source
    assert words is not None
    vocabulary = check(words, Vocabulary, noun="a vocabulary").record
    assert vocabulary is not None
    gc.collect()
    times = [perf_counter()]
    source = json_source("evidence/large/campaign.json", raw).source
    assert source is not None
    times.append(perf_counter())
    checked = check(source, RequestCampaign, noun="a campaign")
    assert checked.record is not None, checked.problems[:3]
    times.append(perf_counter())
    problems = list(campaign_check.problems(source, checked.record, vocabulary))
    times.append(perf_counter())
    readings = recount.readings(checked.record)
    times.append(perf_counter())
    assert not problems, problems[:3]
    assert {reading.reason for reading in readings} == {None}
    print(
        f"{len(raw) / 1e6:.1f} MB, {sum(len(list(run.requests())) for run in checked.record.runs if hasattr(run, 'requests'))} requests"
    )
    for name, before, after in zip(("load", "schema", "checks", "readings"), times, times[1:], strict=False):
        print(f"{name:9} {after - before:6.2f} s")
    print(f"{'together':9} {times[-1] - times[0]:6.2f} s")


if __name__ == "__main__":
    main()
