"""Recount: the readings of a campaign of grade `requests`, everything computed from its rows. Comes in: a checked campaign.

Nothing that a file says about itself is read here: values, counts and reasons come from times, tokens and digests alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from proofpress.kernel import judgement
from proofpress.kernel.identity import Comparison, Oracles
from proofpress.kernel.metric import measure
from proofpress.kernel.reading import Reading, exact_value, of_run
from proofpress.records.axis import Axis
from proofpress.records.campaign import MeasuredRun, RequestCampaign
from proofpress.records.reason import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that decides whether one run qualifies by itself."""

    campaign: RequestCampaign
    run: MeasuredRun
    compared: Comparison | None
    reference: bool
    """Whether it qualifies by being a reference run."""


def superseded(evidence: Evidence) -> bool:
    """A newer campaign replaces this one."""
    return judgement.superseded(evidence.campaign)


def differs(evidence: Evidence) -> bool:
    """An output differs from an oracle that agrees with itself."""
    compared = evidence.compared
    return compared is not None and not compared.identity.exact and not compared.unstable


def oracle_unstable(evidence: Evidence) -> bool:
    """Every output that differs does so where the oracle's own runs disagree, or the run is one of them."""
    compared = evidence.compared
    return compared is not None and compared.unstable


def unproved(evidence: Evidence) -> bool:
    """Nothing was compared, and the run is not a reference."""
    return evidence.compared is None and not evidence.reference


def sampling_unknown(evidence: Evidence) -> bool:
    """How tokens were chosen is not known, or they were drawn at random: equal outputs prove nothing."""
    return evidence.campaign.workload.sampling is None or judgement.at_random(evidence.campaign)


def queued(evidence: Evidence) -> bool:
    """More users than the server had slots (`max_num_seqs`), where their number is known."""
    return judgement.queued(evidence.campaign, evidence.run)


def not_fresh(evidence: Evidence) -> bool:
    """A prompt token came from the cache, or nobody knows: freshness is 0 cached tokens, or unknown with the cache off.

    On `context_depth` the x tokens in the cache are what is measured.
    """
    if evidence.run.axis is Axis.CONTEXT_DEPTH:
        return False
    off = evidence.campaign.workload.prefix_cache == "off"
    return any(
        request.cached_tokens > 0 if request.cached_tokens is not None else not off
        for request in evidence.run.requests()
    )


Judge = tuple[Reason, Callable[[Evidence], bool]]
JUDGES: Sequence[Judge] = (
    (Reason.SUPERSEDED, superseded),
    (Reason.IDENTITY, differs),
    (Reason.ORACLE_UNSTABLE, oracle_unstable),
    (Reason.NO_IDENTITY_EVIDENCE, unproved),
    (Reason.SAMPLING_UNKNOWN, sampling_unknown),
    (Reason.QUEUED, queued),
    (Reason.NOT_FRESH, not_fresh),
)
"""Why a run is withheld; the first that applies is the reason given."""


def readings(campaign: RequestCampaign, judges: Sequence[Judge] = JUDGES) -> tuple[Reading, ...]:
    """Every measured run of the campaign as a reading, in the order of the file."""
    oracles = Oracles(campaign)
    return tuple(
        _reading(campaign, index, run, oracles, judges)
        for index, run in enumerate(campaign.runs)
        if isinstance(run, MeasuredRun)
    )


def acceptance(run: MeasuredRun) -> float | None:
    """Accepted over drafted tokens of the whole run; None where a request has no counts or nothing was drafted."""
    drafts = [request.drafts for request in run.requests()]
    counted = [counts for counts in drafts if counts is not None]
    drafted = sum(counts.drafted for counts in counted)
    if len(counted) < len(drafts) or not drafted:
        return None
    return exact_value(sum(counts.accepted for counts in counted) / drafted)


def _reading(
    campaign: RequestCampaign, index: int, run: MeasuredRun, oracles: Oracles, judges: Sequence[Judge]
) -> Reading:
    compared = oracles.compare(run)
    evidence = Evidence(
        campaign=campaign, run=run, compared=compared, reference=compared is None and oracles.is_reference(run)
    )
    return Reading(
        **of_run(campaign, index, run),
        values=measure(run.batches, run.axis),
        identity=compared.identity if compared else None,
        reason=next((reason for reason, applies in judges if applies(evidence)), None),
        is_reference=evidence.reference,
        detail=compared.detail if compared else "",
        acceptance=acceptance(run),
    )
