"""Judgement: why a run is withheld where set-up and workload decide it, whatever the grade. Comes in: a campaign. Goes out: yes or no."""

from __future__ import annotations

from proofpress.records.axis import Axis
from proofpress.records.campaign import Campaign, RunKey


def superseded(campaign: Campaign) -> bool:
    """A newer campaign replaces this one."""
    return campaign.superseded_by is not None


def queued(campaign: Campaign, run: RunKey) -> bool:
    """More users than the server had slots (`max_num_seqs`), where their number is known."""
    slots = campaign.setup.settings.get("max_num_seqs")
    return run.axis is Axis.CONCURRENT_USERS and isinstance(slots, int) and run.x is not None and run.x > slots


def at_random(campaign: Campaign) -> bool:
    """Tokens were drawn at a temperature above 0. No campaign says from which numbers, so nobody can repeat the draw."""
    sampling = campaign.workload.sampling
    return sampling is not None and sampling.temperature > 0
