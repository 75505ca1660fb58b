"""Row check: what single rows must keep among themselves: lengths, digests, cache, exact x. Goes out: problems.

Only what is certain is refused. Times are `clock_check`'s.
"""

from __future__ import annotations

from collections.abc import Iterator

from proofpress.kernel.digest import digest_of
from proofpress.load.source import Location, Source
from proofpress.problem import Problem
from proofpress.records.axis import Axis
from proofpress.records.campaign import Batch, MeasuredRun, Request, RequestCampaign, arm_of, workload_on


def runs(campaign: RequestCampaign) -> Iterator[tuple[Location, MeasuredRun]]:
    """Every measured run and where it stands."""
    for index, run in enumerate(campaign.runs):
        if isinstance(run, MeasuredRun):
            yield ("runs", index), run


def batches(campaign: RequestCampaign) -> Iterator[tuple[Location, MeasuredRun, Batch]]:
    """Every batch and where it stands."""
    for place, run in runs(campaign):
        for number, batch in enumerate(run.batches):
            yield (*place, "batches", number), run, batch


def rows(campaign: RequestCampaign) -> Iterator[tuple[Location, MeasuredRun, Request]]:
    """Every request and where it stands."""
    for place, run, batch in batches(campaign):
        for number, request in enumerate(batch.requests):
            yield (*place, "requests", number), run, request


def exact_x(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.x: a context row whose prompt (or, for context_depth, cache) does not hold exactly x tokens."""
    for place, run, request in rows(campaign):
        if run.axis is Axis.CONTEXT_TOKENS:
            name, tokens = "prompt_tokens", request.prompt_tokens
        elif run.axis is Axis.CONTEXT_DEPTH and request.cached_tokens is not None:
            name, tokens = "cached_tokens", request.cached_tokens
        else:
            continue
        if run.x is not None and tokens != run.x:
            yield source.problem(
                "mismatch.x",
                (*place, name),
                found=str(tokens),
                expected=f"exactly x = {run.x} tokens: a point stands where it was measured, not near it",
                hint="give runs of another length an x of their own",
            )


def row_length(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.model-length: prompt and answer of a row do not fit into the longest context the engine was started with."""
    longest = campaign.setup.settings.get("max_model_len")
    if not isinstance(longest, int):
        return
    for place, _, request in rows(campaign):
        if request.prompt_tokens + request.output_tokens > longest:
            yield source.problem(
                "mismatch.model-length",
                (*place, "prompt_tokens"),
                found=f"{request.prompt_tokens} prompt tokens and {request.output_tokens} output tokens",
                expected=f"both fit into max_model_len = {longest}",
            )


def answer_length(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.answer-length: longer than the cap, or ended "by length" before it."""
    cap = campaign.workload.output_tokens
    if cap is None:
        return
    for place, _, request in rows(campaign):
        short = request.finish == "length" and 0 < request.output_tokens < cap
        if request.output_tokens > cap or short:
            yield source.problem(
                "mismatch.answer-length",
                (*place, "output_tokens"),
                found=f"{request.output_tokens}" + (', finish "length"' if short else ""),
                expected=f"the workload caps answers at {cap} tokens"
                + (", and an answer that ends by length has them all" if short else ""),
            )


def cached_tokens(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.cached-tokens: tokens from a cache that the campaign says was off."""
    if campaign.workload.prefix_cache != "off":
        return
    for place, run, request in rows(campaign):
        if request.cached_tokens and run.axis is not Axis.CONTEXT_DEPTH:
            yield source.problem(
                "mismatch.cached-tokens",
                (*place, "cached_tokens"),
                found=str(request.cached_tokens),
                expected="the workload says that the prefix cache was off, so no prompt token comes from it",
                hint='if it was on, write "prefix_cache": "on"; the run is then withheld as not fresh',
            )


def output_length(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.output-length: another number of token ids than of output tokens."""
    for place, _, request in rows(campaign):
        ids = request.output.token_ids if request.output else None
        if ids and len(ids) != request.output_tokens:
            yield source.problem(
                "identity.output-length",
                (*place, "output", "token_ids"),
                found=f"{request.output_tokens} output tokens stated, {len(ids)} ids present",
                expected="the complete output is there; cut to a common part, different outputs look equal",
            )


def output_digest(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.digest: a digest that is not that of the ids beside it."""
    if campaign.digest is None:
        return
    for place, _, request in rows(campaign):
        output = request.output
        if output is None or output.token_ids is None or output.token_ids_sha256 is None:
            continue
        actual = digest_of(output.token_ids, campaign.digest)
        if actual != output.token_ids_sha256:
            yield source.problem(
                "mismatch.digest",
                (*place, "output", "token_ids_sha256"),
                found=f"{output.token_ids_sha256[:12]}…",
                expected=f"the token ids beside it give {actual[:12]}… (encoding {campaign.digest.encoding})",
            )


def digest_encoding(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """schema.digest-encoding: output digests while the campaign does not say how they were made."""
    if campaign.digest is not None:
        return
    for place, _, request in rows(campaign):
        if request.output and request.output.token_ids_sha256 is not None:
            yield source.problem(
                "schema.digest-encoding",
                (*place, "output", "token_ids_sha256"),
                found="a digest, while the campaign's 'digest' is null",
                expected="'digest' says how ids were turned into bytes: u32le, json-compact or decimal-comma",
            )
            return


def drafts(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.drafts: draft counts on an arm that says it drafts nothing."""
    for place, run, request in rows(campaign):
        arm = arm_of(campaign, run.arm)
        if request.drafts is not None and arm is not None and arm.speculation is None:
            yield source.problem(
                "mismatch.drafts",
                (*place, "drafts"),
                found=f"{request.drafts.drafted} drafted tokens",
                expected=f"arm {arm.id} says that it has no speculation",
            )


def prompt_counts(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.prompts: other prompts per run than the workload says: all of a suite, or `requests_per_x` on a context axis."""
    for place, run in runs(campaign):
        workload = workload_on(campaign, run.axis)
        wanted = workload.prompts if run.axis is Axis.SUITE else workload.requests_per_x
        if run.axis is Axis.CONCURRENT_USERS or wanted is None or not run.batches:
            continue
        found = sum(len(batch.requests) for batch in run.batches)
        if found != wanted:
            yield source.problem(
                "mismatch.prompts",
                (*place, "batches"),
                found=_requests(found),
                expected=f"the workload says {_requests(wanted)} in each of these runs",
            )


def classes(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.classes: a class that the workload does not list, or another number of classes in a suite run."""
    names, stated = campaign.workload.class_names, campaign.workload.prompt_classes
    if names:
        for place, _, request in rows(campaign):
            if request.class_ is not None and request.class_ not in names:
                yield source.problem(
                    "mismatch.classes",
                    (*place, "class"),
                    found=f"'{request.class_}'",
                    expected=f"one of the workload's class_names: {', '.join(names)}",
                )
                return
    for place, run in runs(campaign):
        found = {request.class_ for request in run.requests()}
        if run.axis is Axis.SUITE and stated is not None and None not in found and found and len(found) != stated:
            yield source.problem(
                "mismatch.classes",
                (*place, "batches"),
                found=f"requests of {len(found)} classes",
                expected=f"the workload says {stated}",
            )


def _requests(count: int) -> str:
    return "1 request" if count == 1 else f"{count} requests"
