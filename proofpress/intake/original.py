"""Original: a campaign with rows held against the tool's own files beside it. Comes in: both, read. Goes out: where they part, in words.

What a file does not say (an image, a prompt's digest) the campaign may add. What it says stands in the campaign; a run of the file
that the campaign leaves out is named there as not measured, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice

from proofpress.kernel.plan import run_name
from proofpress.records.campaign import Batch, MeasuredRun, Request, RequestCampaign

_ARM = ("dtype", "weight_bytes", "cards", "tensor_parallel")
_ROW = (
    *("prompt", "class_", "prompt_sha256", "prompt_tokens", "output_tokens", "cached_tokens"),
    *("start_s", "first_token_s", "last_token_s", "token_times_s", "finish", "output", "drafts"),
)


def differences(campaign: RequestCampaign, originals: Mapping[str, RequestCampaign]) -> Iterator[str]:
    """Where the campaign and what the importer makes of its originals, by file, say different things; one sentence each."""
    for file, original in originals.items():
        yield from _set_up(campaign, original, file)
    theirs = {
        run.key: (run, file)
        for file, original in originals.items()
        for run in original.runs
        if isinstance(run, MeasuredRun)
    }
    for index, run in enumerate(campaign.runs):
        where = f"/runs/{index}"
        if isinstance(run, MeasuredRun) and run.key in theirs:
            # the first of a run: rows that moved by one would fill pages
            yield from islice(_run(where, run, *theirs[run.key]), 1)
        elif isinstance(run, MeasuredRun):
            yield f"{where}: {run_name(run.key)} is not in {' or '.join(originals)}"
    named = {run.key for run in campaign.runs}
    for key, (_, file) in theirs.items():
        if key not in named:
            yield f"{run_name(key)}: in {file}, and in the campaign neither measured nor named as left out"


def _set_up(campaign: RequestCampaign, original: RequestCampaign, file: str) -> Iterator[str]:
    (setup, workload), (theirs, sent) = (campaign.setup, campaign.workload), (original.setup, original.workload)
    yield from _parts("/setup/accelerator", setup.accelerator, theirs.accelerator, file)
    yield from _parts("/setup/engine/name", setup.engine.name, theirs.engine.name, file)
    yield from _parts("/setup/engine/version", setup.engine.version, theirs.engine.version, file)
    for name in ("sampling", "prefix_cache", "output_tokens"):
        yield from _parts(f"/workload/{name}", getattr(workload, name), getattr(sent, name), file)
    arms = {arm.id: arm for arm in original.arms}
    for index, arm in enumerate(campaign.arms):
        other = arms.get(arm.id)
        if other is None:
            continue
        if arm.speculation != other.speculation:  # null is a statement here: there is none
            yield f"/arms/{index}/speculation: another than in {file}"
        for name in _ARM:
            yield from _parts(f"/arms/{index}/{name}", getattr(arm, name), getattr(other, name), file)


def _run(where: str, ours: MeasuredRun, theirs: MeasuredRun, file: str) -> Iterator[str]:
    yield from _parts(f"{where}/measured_on", ours.measured_on, theirs.measured_on, file)
    yield from _parts(f"{where}/batches: number", len(ours.batches), len(theirs.batches), file)
    for number, (mine, other) in enumerate(zip(ours.batches, theirs.batches, strict=True)):
        yield from _batch(f"{where}/batches/{number}", mine, other, file)


def _batch(where: str, ours: Batch, theirs: Batch, file: str) -> Iterator[str]:
    yield from _parts(f"{where}/wall_s", ours.wall_s, theirs.wall_s, file)
    yield from _parts(f"{where}/requests: number", len(ours.requests), len(theirs.requests), file)
    for number, (mine, other) in enumerate(zip(ours.requests, theirs.requests, strict=True)):
        yield from _row(f"{where}/requests/{number}", mine, other, file)


def _row(where: str, ours: Request, theirs: Request, file: str) -> Iterator[str]:
    for name in _ROW:
        yield from _parts(f"{where}/{name.rstrip('_')}", getattr(ours, name), getattr(theirs, name), file)


def _parts(where: str, ours: object, theirs: object, file: str) -> Iterator[str]:
    """Nothing where they agree, or the file does not say."""
    if theirs is None or ours == theirs:
        return
    plain = all(isinstance(value, int | float | str | date | None) for value in (ours, theirs))
    mine = "null" if ours is None else ours
    yield f"{where}: in the campaign {mine}, in {file} {theirs}" if plain else f"{where}: another than in {file}"
