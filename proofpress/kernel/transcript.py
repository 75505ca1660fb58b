"""Transcript: the readings of a campaign of grade `record`. Counts are taken as the pinned source states them."""

from __future__ import annotations

from dataclasses import replace

from proofpress.kernel import judgement
from proofpress.kernel.reading import Measured, Reading, exact_value, of_run
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, Record, RecordCampaign, RecordRun, arm_of
from proofpress.records.reason import Reason


def readings(campaign: RecordCampaign) -> tuple[Reading, ...]:
    """Every run of the campaign as a reading, in the order of the file."""
    return tuple(_reading(campaign, index, run) for index, run in enumerate(campaign.runs))


def _reading(campaign: RecordCampaign, index: int, run: RecordRun) -> Reading:
    arm = arm_of(campaign, run.arm)
    values = {record.metric: _measured(record, record.value) for record in run.records if record.value is not None}
    ttft = values.get("ttft_p50") or values.get("ttft_mean")
    if ttft is not None and run.axis is Axis.CONTEXT_TOKENS and run.x:
        # a rate over the published time, never a transcribed rate: x tokens over milliseconds
        values["prompt_over_ttft"] = replace(ttft, value=exact_value(run.x / (ttft.value / 1000)))
    reference = arm is not None and is_reference(arm, run)
    return Reading(
        **of_run(campaign, index, run),
        values=values,
        unvalued=frozenset(record.metric for record in run.records if record.value is None),
        identity=run.identity,
        is_reference=reference,
        reason=_reason(campaign, run, reference=reference),
        detail=run.held_back or "",
        conflict=run.conflict,
        servers=run.pooled_servers or 1,
    )


def _measured(record: Record, value: float) -> Measured:
    if record.by_class:
        return Measured(value=value, samples=len(record.by_class), sampled="prompt classes")
    own = "batches" if record.metric == "aggregate_wall" else "requests"
    return Measured(value=value, samples=record.samples, sampled=record.sampled or own, combined=record.combined)


def is_reference(arm: Arm, run: RecordRun) -> bool:
    """Whether a run is an oracle rather than something compared with one: one user, no speculation, no comparison recorded.

    What its own source holds back is no oracle.
    """
    one_user = run.axis is not Axis.CONCURRENT_USERS or run.x == 1
    return run.identity is None and arm.speculation is None and one_user and run.held_back is None


def _reason(campaign: RecordCampaign, run: RecordRun, *, reference: bool) -> Reason | None:
    """Why a run is withheld. Sampling that is not stated is printed as unknown: the counts are those of the pinned source."""
    if judgement.superseded(campaign):
        return Reason.SUPERSEDED
    if run.identity is not None and not run.identity.exact:
        return Reason.IDENTITY
    if judgement.queued(campaign, run):
        return Reason.QUEUED
    if (run.identity is None and not reference) or run.held_back is not None:
        return Reason.NO_IDENTITY_EVIDENCE
    if judgement.at_random(campaign):
        return Reason.SAMPLING_UNKNOWN
    if campaign.workload.prefix_cache == "on":
        return Reason.NOT_FRESH
    return None
