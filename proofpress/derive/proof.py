"""Proof: how the numbers of a card are made, in words: each metric's formula, each campaign's set-up, measurer, day, file and digest.

Comes in: a derived card. Goes out: sentences for the `details` under the big number and at the end of the curves. What is each number's own,
its samples, passes, servers and identity counts, stands in its row of the tables, with a link to each run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from proofpress.derive import wording
from proofpress.derive.derivation import Derived, Headline
from proofpress.derive.finding import Evidence, Finding
from proofpress.kernel.metric import FORMULAS
from proofpress.records.axis import Axis
from proofpress.records.campaign import LLAMA_BENCH, Campaign, Identity
from proofpress.records.vocabulary import Vocabulary

METHODS = {
    "token_ids": "token by token",
    "token_ids_sha256": "by the digest of their tokens",
    "text": "as text",
    "not-stated": "in a way that the source does not state",
}
"""How two outputs were compared."""

SHORT_METHODS = METHODS | {"not-stated": "method not stated"}
"""The same in few words, as a list prints it."""

BASES = {
    "counted": "counted",
    "stated-qualified": "what the source calls qualified without giving a count",
    "series-total": "taken from the count of the whole series",
    "all-passes": "counted over all passes together",
    "lowest-of-range": "the lowest of a range that the source gives",
}
"""Where the counts of an identity come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What all numbers of one campaign on a card have in common."""

    campaign: str
    words: str
    """Set-up, day, measurer and way of comparison, in sentences."""
    file: str
    """Address of the evidence file."""
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How the numbers of a card are made: each metric with its formula, each campaign with its proof."""

    metrics: tuple[tuple[str, str], ...]
    campaigns: tuple[Proof, ...]


def making(derived: Derived, evidence: Mapping[str, Evidence], vocabulary: Vocabulary, root: str = "../") -> Making:
    """Everything that stands behind the numbers of a card beside their runs, which the tables list one by one."""
    of_headline = derived.headline.choice.metric if derived.headline else ""
    # the big number says its own formula where it stands
    metrics = [metric for metric in dict.fromkeys(p.choice.metric for p in derived.profiles) if metric != of_headline]
    return Making(
        metrics=tuple((vocabulary.metrics[metric].label, formula(metric)) for metric in metrics),
        campaigns=tuple(_proof(derived, evidence[name], vocabulary, root) for name in derived.campaigns),
    )


def _proof(derived: Derived, evidence: Evidence, vocabulary: Vocabulary, root: str) -> Proof:
    campaign = evidence.campaign
    findings = [
        finding
        for profile in derived.profiles
        if profile.choice.campaign == campaign.id
        for finding in profile.findings
    ]
    if derived.headline is not None and derived.headline.choice.campaign == campaign.id:
        findings.append(derived.headline.finding)
    readings = [reading for finding in findings for reading in finding.readings]
    days = [reading.measured_on for reading in readings if reading.measured_on]
    counts = [reading.identity for reading in readings if reading.identity]
    return Proof(
        campaign=campaign.id,
        words=f"{setup(evidence, vocabulary)}{_own_rates(campaign)} Measured {wording.days(days)} by {who(campaign)}. {_compared(counts)}",
        file=f"{root}evidence/{campaign.id}/campaign.json",
        sha256=evidence.sha256,
    )


def _own_rates(campaign: Campaign) -> str:
    """That a benchmark's rates are its own and not this site's formula."""
    if campaign.workload.suite != LLAMA_BENCH:
        return ""
    return " Its rates are those of llama-bench: the mean of its repetitions, not a median over requests."


def _compared(counts: Sequence[Identity]) -> str:
    """How outputs were compared, and what the short words for a basis mean."""
    methods = sorted({METHODS[identity.method] for identity in counts})
    if not methods:
        return "Compared with nothing."
    bases = sorted({identity.basis for identity in counts} - {"counted"})
    return " ".join(
        wording.sentence(text)
        for text in (
            f"outputs {wording.listed(methods)}",
            *(f"{SHORT_BASES[basis]}: {BASES[basis]}" for basis in bases),
        )
    )


def formula(metric: str) -> str:
    """A metric's formula, as its function states it."""
    text = (FORMULAS[metric].function.__doc__ or "").partition("\n\n")[0]
    return wording.sentence(" ".join(text.replace("`", "").split()))


def setup(evidence: Evidence, vocabulary: Vocabulary) -> str:
    """Engine, image, accelerator and checkpoint in a sentence."""
    own = evidence.campaign.setup
    engine = f"{vocabulary.engines[own.engine.name].label} {own.engine.version or 'of a version that is not stated'}"
    image = f"image {own.image.name}" if own.image and own.image.name else "image not stated"
    accelerator = vocabulary.accelerators[own.accelerator].label
    return f"{engine}, {image}, {accelerator}, {own.model.checkpoint}."


def who(campaign: Campaign) -> str:
    """Who measured, and what kind of measurer that is."""
    return f"{campaign.measured_by.name} ({campaign.measured_by.kind})"


def identity(counts: Identity) -> str:
    """Counts with method and basis: '12/12 equal, compared token by token, counted'."""
    return f"{counts} equal, compared {METHODS[counts.method]}, {BASES[counts.basis]}"


def compared(headline: Headline) -> str:
    """With what the big number's outputs were compared, and how, in few words; empty for a reference run."""
    counts = headline.finding.identity
    if counts is None:
        return ""
    how = SHORT_METHODS[counts.method]
    if headline.oracle_arm is None:
        stated = headline.arm.oracles.get(Axis.SUITE) is not None
        return f"between servers, {how}" if stated else f"to what is not stated, {how}"
    plain = headline.oracle_arm.speculation is None and headline.oracle_arm.cards == headline.arm.cards
    return f"to those {'without speculation' if plain else f'of {wording.configuration(headline.oracle_arm)}'}, {how}"


def samples(finding: Finding) -> str:
    """How many of what one value rests on."""
    plural = finding.sampled
    return (
        f"{finding.samples} {plural if finding.samples != 1 else _ONE.get(plural, plural)}"
        if finding.samples
        else "samples not stated"
    )


SHORT_BASES = {
    "counted": "counted",
    "stated-qualified": "stated",
    "series-total": "of the series total",
    "all-passes": "counted over all passes",
    "lowest-of-range": "the lowest of a range",
}
"""The same in a word, as a table prints it."""
_ONE = {"requests": "request", "prompt classes": "prompt class", "batches": "batch"}


def headline_steps(headline: Headline) -> Iterator[str]:
    """What the steps of the big number say beside its servers: formula, samples, identity in full, who and when."""
    finding, campaign = headline.finding, headline.evidence.campaign
    yield f"Formula: {formula(headline.choice.metric)}"
    yield wording.sentence(f"Each server's value rests on {samples(finding)}")
    counts = [reading.identity for reading in finding.readings]
    if counts[0] is not None and all(one == counts[0] for one in counts):
        yield wording.sentence(f"{'In every run ' if len(counts) > 1 else ''}{identity(counts[0])}")
    else:
        for reading in finding.readings:
            if reading.identity is not None:
                yield wording.sentence(f"{reading.run_name}: {identity(reading.identity)}")
    days = [reading.measured_on for reading in finding.readings if reading.measured_on]
    yield wording.sentence(f"Measured by {who(campaign)}, {wording.days(days)}")
