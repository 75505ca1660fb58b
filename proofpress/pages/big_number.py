"""Big number: the headline of a card as its page prints it, and how it was made, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from proofpress.derive import caption, proof, wording
from proofpress.derive.derivation import Derived, Headline
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Shown
from proofpress.pages.page import State
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, workload_on
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineView:
    """The big number, or that it is pending."""

    state: State
    number: str
    exact: str | None
    unit: str
    statistic: str
    checked: str
    slip: tuple[tuple[str, str, str | None], ...]
    """Facts under the number: label, text, link."""
    steps: tuple[str, ...]
    """How the number is made, sentence by sentence."""
    spread: str


def state_of(derived: Derived) -> State:
    """What the card's big number is: measured, pending, or withheld because the card was taken back."""
    if derived.headline is None or derived.headline.finding.value is None:
        return "pending"
    return "measured" if derived.card.withdrawn is None else "withheld"


def headline_view(edition: Edition, derived: Derived) -> HeadlineView:
    vocabulary = edition.library.vocabulary
    headline = derived.headline
    if headline is None or headline.finding.value is None:
        return HeadlineView(
            state="pending", number="pending", exact=None, unit="", statistic=wording.sentence(derived.pending or ""),
            checked="", slip=(), steps=(), spread="",
        )  # fmt: skip
    unit = vocabulary.metrics[headline.choice.metric].unit
    return HeadlineView(
        state=state_of(derived),
        number=wording.brief(headline.finding.value),
        exact=f"{headline.finding.value:.12g}",
        unit=f"{unit}, one user",
        statistic=caption.headline_statistic(headline, vocabulary),
        checked=caption.headline_check(headline),
        slip=tuple(_slip(headline, vocabulary)),
        steps=tuple(_steps(headline, vocabulary)),
        spread=caption.spread_note(headline.finding),
    )


def proof_href(headline: Headline, root: str) -> str:
    """Where the rows behind the big number are: the requests of its run, or the run itself where there are no requests."""
    campaign = headline.evidence.campaign
    number = headline.finding.displayed[0].pointer.rpartition("/")[2] if headline.finding.displayed else "0"
    place = "requests" if campaign.grade == "requests" else "run"
    return f"{root}evidence/{campaign.id}.html#{place}-{number}"


def other_configuration(derived: Derived, arm: Arm) -> str:
    """What `arm` has that is not the headline's, in words; empty where a number of it needs no more than the card's set-up beside it."""
    own = derived.headline.arm if derived.headline else None
    parts = []
    if own is None or wording.speculation(own) != wording.speculation(arm):
        parts.append(wording.speculation(arm))
    if arm.cards is not None and arm.cards != derived.card.hardware.cards:
        parts.append(wording.cards(arm))
    if own is not None and own.dtype != arm.dtype:
        parts.append(arm.dtype or "number format not stated")
    return ", ".join(parts)


def _slip(headline: Headline, vocabulary: Vocabulary) -> list[tuple[str, str, str | None]]:
    finding = headline.finding
    rows_href = proof_href(headline, "../")
    days = [reading.measured_on for reading in finding.readings if reading.measured_on]
    identity = "reference run" if finding.identity is None else f"{finding.identity} equal to the oracle"
    grade = vocabulary.terms[f"grade-{headline.evidence.campaign.grade}"].label
    rows: list[tuple[str, str, str | None]] = [("Identity", identity, None)]
    if isinstance(headline.oracle, Shown):
        without = "Without speculation" if headline.oracle_arm and headline.oracle_arm.speculation is None else "Oracle"
        rows.append(
            (without, f"{wording.brief(headline.oracle.value)} {vocabulary.metrics[headline.choice.metric].unit}", None)
        )
    rows.append(("Evidence", grade, rows_href))
    rows.append(("Measured", wording.day(max(days)) if days else "day not stated", None))
    return rows


def _steps(headline: Headline, vocabulary: Vocabulary) -> list[str]:
    campaign, finding = headline.evidence.campaign, headline.finding
    workload = workload_on(campaign, Axis.SUITE)
    prompts = f"{wording.counted(workload.prompts, 'prompt')}" if workload.prompts else "The prompts of the suite"
    classes = f" in {wording.counted(workload.prompt_classes, 'class', 'classes')}" if workload.prompt_classes else ""
    cap = f", with answers of at most {workload.output_tokens} tokens" if workload.output_tokens else ""
    conditions = []
    if workload.compile_caches == "separate-empty":
        conditions.append("a separate, empty compile cache for each server")
    if workload.prefix_cache == "off":
        conditions.append("no prefix cache")
    if workload.canaries == "every-server":
        conditions.append("canaries answered on every server")
    elif workload.canaries == "before-and-after":
        conditions.append("canaries answered before and after")
    graph = campaign.setup.settings.get("graph_capture")
    if graph:
        conditions.append(f"graph capture {graph}")
    steps = [
        f"{wording.sentence(f'{prompts}{classes} were sent one after the other to a fresh server{cap}')}",
        wording.sentence(
            f"Set-up: {wording.configuration(headline.arm)}{''.join(f', {condition}' for condition in conditions)}"
        ),
        wording.sentence(f"Each server's value is the {vocabulary.metrics[headline.choice.metric].statistic}"),
    ]
    servers = [
        f"server {reading.server_name} {wording.exact(reading.values[headline.choice.metric].value)}"
        for reading in finding.server_values
    ]
    value = wording.exact(finding.value or 0)
    if finding.servers > 1 and not servers:
        steps.append(
            f"The source gives {value} for {wording.number(finding.servers)} fresh servers together, printed as {wording.brief(finding.value or 0)}."
        )
    elif len(servers) > 1:
        centre = "centre" if len(servers) == 2 else "median"
        steps.append(
            f"{wording.sentence(wording.listed(servers))} Their {centre} is {value}, printed as {wording.brief(finding.value or 0)}."
        )
    else:
        steps.append(wording.sentence(f"{wording.listed(servers)}, printed as {wording.brief(finding.value or 0)}"))
    steps.append(caption.headline_check(headline))
    steps += proof.headline_steps(headline)
    pointers = wording.listed([reading.pointer for reading in finding.displayed])
    steps.append(f"Evidence: campaign {campaign.id}, {pointers}, SHA-256 {headline.evidence.sha256}.")
    if campaign.origin is not None:
        steps.append(
            f"Transcribed from {campaign.origin.repository}, {campaign.origin.path} at commit {campaign.origin.commit}."
        )
    return steps
