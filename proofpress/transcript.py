"""Transcript: the readings of a campaign of grade `record`. Counts are taken as the pinned source states them."""

from __future__ import annotations

from proofpress.axis import Axis
from proofpress.campaign import Arm, RecordCampaign, RecordRun, arm_of
from proofpress.reading import Measured, Reading, Reason, exact_value


def readings(campaign: RecordCampaign) -> tuple[Reading, ...]:
    """Every run of the campaign as a reading, in the order of the file."""
    return tuple(_reading(campaign, index, run) for index, run in enumerate(campaign.runs))


def _reading(campaign: RecordCampaign, index: int, run: RecordRun) -> Reading:
    arm = arm_of(campaign, run.arm)
    values = {
        record.metric: Measured(
            value=record.value,
            samples=len(record.by_class) if record.by_class else record.samples,
            sampled="prompt classes" if record.by_class else "requests",
        )
        for record in run.records
        if record.value is not None
    }
    ttft = values.get("ttft_p50") or values.get("ttft_mean")
    if ttft is not None and run.axis is Axis.CONTEXT_TOKENS and run.x:
        # a rate over the published time, never a transcribed rate: x tokens over milliseconds
        values["prompt_over_ttft"] = Measured(value=exact_value(run.x / (ttft.value / 1000)), samples=ttft.samples)
    reference = arm is not None and is_reference(arm, run)
    return Reading(
        campaign=campaign.id,
        arm=run.arm,
        axis=run.axis,
        x=run.x,
        server=run.server,
        pass_=run.pass_,
        session=run.session,
        measured_on=run.measured_on,
        pointer=f"/runs/{index}",
        values=values,
        unvalued=frozenset(record.metric for record in run.records if record.value is None),
        identity=run.identity,
        is_reference=reference,
        reason=_reason(campaign, run, reference=reference),
        conflict=run.conflict,
    )


def is_reference(arm: Arm, run: RecordRun) -> bool:
    """Whether a run is an oracle rather than something compared with one: one user, no speculation, no comparison recorded."""
    one_user = run.axis is not Axis.CONCURRENT_USERS or run.x == 1
    return run.identity is None and arm.speculation is None and one_user


def _reason(campaign: RecordCampaign, run: RecordRun, *, reference: bool) -> Reason | None:
    slots = campaign.setup.settings.get("max_num_seqs")
    if campaign.superseded_by is not None:
        return Reason.SUPERSEDED
    if run.identity is not None and not run.identity.exact:
        return Reason.IDENTITY
    if run.identity is None and not reference:
        return Reason.NO_IDENTITY_EVIDENCE
    if run.axis is Axis.CONCURRENT_USERS and isinstance(slots, int) and run.x is not None and run.x > slots:
        return Reason.QUEUED
    if campaign.workload.prefix_cache == "on":
        return Reason.NOT_FRESH
    return None
