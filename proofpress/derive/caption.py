"""Caption: the sentences under a chart, computed from set-up, workload and counts, so that none can describe another series.

Comes in: profiles and headlines with their findings. Goes out: plain sentences; whoever prints them escapes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proofpress.derive.derivation import SPREAD_LIMIT, Headline, Profile
from proofpress.derive.finding import Finding, Shown, exact_through
from proofpress.derive.wording import (
    brief,
    configuration,
    counted,
    days,
    ladder,
    listed,
    number,
    percent,
    sentence,
    tabular,
)
from proofpress.kernel.reading import Reading
from proofpress.records.axis import Axis
from proofpress.records.campaign import LLAMA_BENCH, Arm, Campaign, arm_of, workload_on
from proofpress.records.vocabulary import Vocabulary

UNNAMED = "not-stated"
"""The word for a suite or a server that the source does not name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """What was sent and drawn, against what it was checked, and where it was measured; each one or more sentences."""

    sent: str
    checked: str
    scope: str

    def __str__(self) -> str:
        return f"{self.sent} {self.checked} {self.scope}"


def of_profile(profile: Profile, vocabulary: Vocabulary) -> Caption:
    """The caption of a profile's chart."""
    return Caption(sent=_sent(profile, vocabulary), checked=_checked(profile), scope=_scope(profile, vocabulary))


def _sent(profile: Profile, vocabulary: Vocabulary) -> str:
    workload = workload_on(profile.campaign, profile.source_axis)
    axis, metric = profile.choice.axis, profile.choice.metric
    cap = f", answers of at most {workload.output_tokens} tokens" if workload.output_tokens else ""
    match axis:
        case Axis.DRAFT_DEPTH:
            lead = f"{ladder(profile.arms[0])}: one user sends {_suite(profile.campaign)} at each draft depth{cap}"
        case Axis.SUITE:
            lead = f"{configuration(profile.arms[0])}: one user sends {_suite(profile.campaign)}{cap}"
        case Axis.CONTEXT_TOKENS if workload.requests_per_x and len(workload.class_names) == workload.requests_per_x:
            lead = (
                f"{configuration(profile.arms[0])}: at each prompt length {counted(workload.requests_per_x, 'request')}, "
                f"one each of {listed(workload.class_names)}{cap}"
            )
        case Axis.CONTEXT_TOKENS:
            several = (
                f"{counted(workload.requests_per_x, 'request')}, one after the other,"
                if workload.requests_per_x
                else "one request after the other"
            )
            lead = f"{configuration(profile.arms[0])}: {several} at each prompt length{cap}"
        case Axis.CONTEXT_DEPTH if metric == "prefill_server":
            block = (
                f"a block of {workload.prompt_tokens:,} prompt tokens"
                if workload.prompt_tokens
                else "a block of prompt tokens"
            )
            lead = f"{configuration(profile.arms[0])}: {block} is read after the stated number of tokens stands in the cache"
        case Axis.CONTEXT_DEPTH:
            lead = (
                f"{configuration(profile.arms[0])}: tokens are timed after the stated number stands in the cache{cap}"
            )
        case Axis.CONCURRENT_USERS if metric == "aggregate_batched_bench":
            block = f" with a prompt of {workload.prompt_tokens:,} tokens each" if workload.prompt_tokens else ""
            lead = f"{configuration(profile.arms[0])}: the engine works on so many sequences at once{block}{cap}, without a server"
        case _:
            lead = f"{configuration(profile.arms[0])}: all users send a prompt at the same moment{cap}"
    return f"{sentence(lead)} {sentence(_statistic(profile, vocabulary))}"


LLAMA_BENCH_RATE = "a rate that llama-bench itself reports"


def is_of_llama_bench(campaign: Campaign, axis: Axis) -> bool:
    """Whether runs on `axis` are those of that tool, which makes its own statistic of its repetitions: a mean."""
    return workload_on(campaign, Axis.SUITE if axis is Axis.DRAFT_DEPTH else axis).suite == LLAMA_BENCH


def _statistic(profile: Profile, vocabulary: Vocabulary) -> str:
    """What one drawn value is: the metric's statistic, and of which passes and servers, or what a benchmark made of repetitions."""
    drawn = _drawn(profile)
    point = "The value" if profile.choice.axis is Axis.SUITE else "Each point"
    if is_of_llama_bench(profile.campaign, profile.source_axis):
        return f"{point} is {LLAMA_BENCH_RATE}{f', the {drawn}' if drawn else ''}"
    statistic = vocabulary.metrics[profile.choice.metric].statistic
    return f"{point} is the {statistic}{f'; drawn is the {drawn}' if drawn else ''}"


def _suite(campaign: Campaign) -> str:
    workload = workload_on(campaign, Axis.SUITE)
    classes = f" in {counted(workload.prompt_classes, 'class', 'classes')}" if workload.prompt_classes else ""
    if workload.prompts:
        return f"the fixed suite of {counted(workload.prompts, 'prompt')}{classes}"
    return "prompts that the source does not name" if workload.suite == UNNAMED else "the fixed prompt suite"


def _drawn(profile: Profile) -> str:
    """Which of several passes and servers the drawn value is."""
    displayed = [finding.displayed for finding in profile.findings if finding.displayed]
    servers = [finding.servers for finding in profile.findings if finding.displayed]
    centres = {reading.pass_ for readings in displayed for reading in readings if reading.servers > 1}
    passes = list(
        dict.fromkeys(
            reading.pass_
            for finding in profile.findings
            for reading in finding.readings
            if not (
                centres and finding.servers > 1 and reading.servers == 1
            )  # one of the servers of a displayed centre
        )
    )
    shown = list(dict.fromkeys(reading.pass_ for readings in displayed for reading in readings))
    parts = []
    if len(passes) > 1 and shown and not centres:
        preferred = next(name for name in profile.campaign.select.passes if name in shown)
        others = [name for name in shown if name != preferred]
        instead = f" (the {listed(others)} pass where there is no {preferred} one)" if others else ""
        parts.append(f"{preferred} pass of {number(len(passes))}{instead}")
    most = max(servers, default=1)
    if most > 1:
        some = "" if min(servers) == most else ", where there are as many"
        parts.append(("centre" if most == 2 else "median") + f" of {number(most)} fresh servers{some}")
    else:
        parts += _samples(profile)
    return ", ".join(parts)


def _samples(profile: Profile) -> list[str]:
    """What the source made one value of, where that is neither requests nor servers: 'mean of four lanes', 'result of five repetitions'."""
    measured = {
        reading.values[finding.metric]
        for finding in profile.findings
        for reading in finding.displayed
        if reading.values[finding.metric].sampled in SEVERAL
    }
    kinds = {(one.sampled, one.samples, one.combined) for one in measured}
    if len(kinds) != 1:
        return []
    ((sampled, samples, combined),) = kinds
    if sampled == "repetitions" and is_of_llama_bench(profile.campaign, profile.source_axis):
        combined = "mean"  # its rate, avg_ts, is the mean of its repetitions, whether or not a source repeats that
    return [f"{combined or 'result'} of {counted(samples, *SEVERAL[sampled])}"] if samples and samples > 1 else []


SEVERAL = {
    "repetitions": ("repetition",),
    "passes": ("pass", "passes"),
    "lanes": ("lane, each one accelerator", "lanes, each one accelerator"),
}
"""Samples that are runs of their own, as a caption counts them."""


def _checked(profile: Profile) -> str:
    """Against what outputs were compared and how far they were equal."""
    axis = profile.choice.axis
    findings = profile.findings
    if all(finding.is_reference for finding in findings):
        return "This is a reference run: one user, no speculation, the answers that others are compared with. Nothing contradicts it."
    if all(reading.identity is None for finding in findings for reading in finding.readings):
        return sentence(_uncompared(profile))
    against = _against(profile)
    if not profile.withheld:
        return sentence(f"{against}; {_all_equal(profile)}")
    if not profile.shown:
        return sentence(f"{against}; no level is identity-qualified, so nothing is drawn")
    if axis is Axis.CONCURRENT_USERS:
        through = exact_through(profile.findings)
        start = (
            f"every answer was equal through {axis.position(through)}"
            if through
            else "not even the first level was equal"
        )
        return sentence(f"{against}; {start}, and {_withheld_count(profile)}")
    return sentence(f"{against}; {_withheld_count(profile)}")


def _uncompared(profile: Profile) -> str:
    """What is said where nothing was compared: what stands as a reference, and what is withheld for want of proof."""
    if profile.choice.axis is Axis.CONTEXT_DEPTH:
        return f"the benchmark keeps no answers, so nothing can be compared; {_withheld_count(profile)}"
    references = [profile.choice.axis.position(finding.x) for finding in profile.shown if finding.x is not None]
    if not references:
        return "no comparison of outputs is recorded, so nothing is drawn"
    stands = f"{listed(references)} without speculation {'is a reference run' if len(references) == 1 else 'are reference runs'}"
    return f"no comparison of outputs is recorded; {stands}, and {_withheld_count(profile)}"


def _all_equal(profile: Profile) -> str:
    counts = [finding.identity for finding in profile.findings if finding.identity is not None]
    runs = [reading for finding in profile.findings for reading in finding.readings]
    also = " in every pass and on every server" if len(runs) > len(profile.findings) else ""
    total = sum(identity.total for identity in counts)
    several = " on each server" if all(len(finding.displayed) > 1 for finding in profile.findings) else ""
    return f"every answer was equal{also}, {total} of {total}{several} in what is drawn"


def _withheld_count(profile: Profile) -> str:
    return f"{number(len(profile.withheld))} of {number(len(profile.findings))} levels {'is' if len(profile.withheld) == 1 else 'are'} withheld"


def _against(profile: Profile) -> str:
    axis = profile.source_axis
    for arm in profile.arms:
        oracle = arm.oracles.get(axis)
        if oracle is not None and oracle.kind == "arm":
            other = arm_of(profile.campaign, oracle.arm)
            return f"answers were compared with those of {_other(arm, other)}"
    if any(arm.oracles.get(axis) for arm in profile.arms):
        return (
            f"answers were compared with {own_answers(profile.campaign, [r for f in profile.findings for r in f.readings])}"
            if axis is Axis.CONCURRENT_USERS
            else "answers of two servers were compared"
        )
    return "nothing says what the answers were compared with"


def own_answers(campaign: Campaign, readings: Sequence[Reading]) -> str:
    """What a set-up's answers to users were compared with where its own answers to one user are the oracle.

    Where every request is there, those of all servers are compared, and an answer to one user with those of the others; of a record only
    what it states is known.
    """
    alone = [reading for reading in readings if reading.x == 1]
    servers = {reading.server for reading in alone}
    if campaign.grade != "requests" or len(servers) < 2 or not any(reading.identity for reading in alone):
        return "the same server's own answers to one user"
    both, other = (
        ("both servers", "server") if len(servers) == 2 else (f"all {number(len(servers))} servers", "servers")
    )
    return f"the answers to one user of {both}, those to one user with the other {other}'{'s' if other == 'server' else ''}"


def _other(arm: Arm, other: Arm | None) -> str:
    if other is None:
        return "another configuration"
    if other.speculation is None and other.cards == arm.cards:
        return "the same configuration without speculation"
    return configuration(other)


def _scope(profile: Profile, vocabulary: Vocabulary) -> str:
    return sentence(f"Measured {days(profile.measured_on)}{_on_image(profile.campaign)}{_slots(profile)}")


def _on_image(campaign: Campaign) -> str:
    image = campaign.setup.image
    if image is not None and image.name:
        return f" on image {image.name}"
    sources = campaign.setup.engine.sources
    if sources:
        patched = ", with patches" if sources[0].patches_required else ""
        return f" on {sources[0].repository} at {sources[0].commit[:8]}{patched}"
    return ", image not stated"


def _slots(profile: Profile) -> str:
    slots = profile.campaign.setup.settings.get("max_num_seqs")
    users = profile.choice.axis is Axis.CONCURRENT_USERS
    return f", with {slots} slots" if users and isinstance(slots, int) else ""


_TELLING = ("server_profile", "kv", "max_num_seqs")
"""Settings that tell ladders of one configuration apart, the most telling first."""


def distinction(profile: Profile, alike: Sequence[Profile], vocabulary: Vocabulary) -> list[str]:
    """What tells a profile from others of the same configuration and metric: axis, image, settings, in the end the campaign."""

    def told(one: Profile) -> list[str]:
        image = one.campaign.setup.image
        settings = one.campaign.setup.settings
        named = [f"{vocabulary.settings[key].label} {settings[key]}" if key in settings else "" for key in _TELLING]
        return [
            vocabulary.axes[one.choice.axis.value].label,
            f"image {image.name}" if image is not None and image.name else "",
            *named,
            one.campaign.id,
        ]

    parts, left = [], [(other, told(other)) for other in alike]
    for index, words in enumerate(told(profile)):
        if len(left) < 2:
            break
        if any(other[index] != words for _, other in left):
            parts += [words] if words else []
            left = [(other, theirs) for other, theirs in left if theirs[index] == words]
    return parts


def headline_statistic(headline: Headline, vocabulary: Vocabulary) -> str:
    """What the big number is, in a sentence: statistic, servers and their values."""
    finding = headline.finding
    statistic = vocabulary.metrics[headline.choice.metric].statistic
    values = [tabular(reading.values[headline.choice.metric].value) for reading in finding.server_values]
    servers = finding.servers
    if servers > 1:
        centre = "centre" if servers == 2 else "median"
        each = (
            f" ({listed(values)} {vocabulary.metrics[headline.choice.metric].unit})"
            if len(values) == servers
            else ", whose own values are not given"
        )
        return sentence(f"{statistic}; {centre} of {number(servers)} fresh servers{each}")
    return sentence(f"{statistic}; one server")


def headline_check(headline: Headline) -> str:
    """Against what the big number's outputs were compared, with the compared set-up's own speed beside it."""
    identity = headline.finding.identity
    if identity is None:
        return "This is a reference run: it is an oracle, and nothing contradicts it."
    if headline.oracle_arm is None:
        if headline.arm.oracles.get(Axis.SUITE) is None:
            return f"{identity} outputs equal. The source does not say what they were compared with."
        return f"{identity} outputs equal between the servers that were compared."
    beside = ""
    if isinstance(headline.oracle, Shown):
        values = [tabular(reading.values[headline.choice.metric].value) for reading in headline.oracle.server_values]
        beside = f", which ran at {brief(headline.oracle.value)} tok/s ({listed(values)} tok/s)"
    return sentence(f"{identity} outputs equal to those of {_other(headline.arm, headline.oracle_arm)}{beside}")


def spread_note(finding: Finding) -> str:
    """Said at a number whose servers differ by more than a tenth; empty otherwise."""
    spread = finding.spread
    if spread is None or spread <= SPREAD_LIMIT:
        return ""
    return (
        f"The servers differ by {percent(spread)}; the value is their {'centre' if finding.servers == 2 else 'median'}."
    )


def spread_notes(profile: Profile) -> str:
    """Said under a chart some of whose points rest on servers that differ by more than a tenth; empty otherwise."""
    wide = [finding for finding in profile.findings if finding.spread is not None and finding.spread > SPREAD_LIMIT]
    if not wide:
        return ""
    points = listed(
        [f"{profile.choice.axis.position(finding.x or 0)} ({percent(finding.spread or 0)})" for finding in wide]
    )
    return f"The servers differ by more than {percent(SPREAD_LIMIT)} of their centre at {points}. What each gave stands in the table."


def reading_label(reading: Reading) -> str:
    """How a run is named where runs are listed."""
    session = f", session {reading.session}" if reading.session else ""
    return f"{reading.run_name}{session}"
