"""Comparison: what the compare page needs of one card: its conditions, its numbers as they are printed, and what was sent for each curve.

Comes in: a derived card. Goes out: plain data for a script, in which every number that will be shown is already text. Curves may share a
chart only where metric, axis, unit and everything that was sent are the same; the words for what was sent are made here, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proofpress.charts import chart
from proofpress.charts.scale import LOG2_AXES, three_figures, x_text, y_scale
from proofpress.derive import caption, wording
from proofpress.derive.derivation import Derived, Headline, Profile
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Finding, Shown, Withheld
from proofpress.pages.big_number import proof_href
from proofpress.pages.curve import anchor, run_anchor
from proofpress.pages.sheet import sheet
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, Campaign, workload_on
from proofpress.records.vocabulary import Vocabulary

Json = dict[str, Any]
Pairs = list[tuple[str, str]]

NOT_STATED = "not stated"
"""What is printed where a fact is unknown. An unknown is never the same as something known."""

AXES = (Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH, Axis.CONCURRENT_USERS, Axis.DRAFT_DEPTH)
"""The axes that have curves, in the order of the page."""


def comparison(edition: Edition, derived: Derived) -> Json:
    """Everything about one card that the compare page may print."""
    vocabulary = edition.library.vocabulary
    usual = _usual(derived)
    profiles = [profile for profile in derived.profiles if profile.choice.axis in AXES]
    return {
        "id": derived.id,
        "name": derived.card.name,
        "href": f"models/{derived.id}.html",
        "conditions": _conditions(derived, vocabulary),
        "headline": _headline(derived, vocabulary),
        "profiles": [_profile(derived, profile, vocabulary, is_usual=profile.id in usual) for profile in profiles],
    }


def sent(campaign: Campaign, axis: Axis, vocabulary: Vocabulary) -> Pairs:
    """What was sent to the engine on an axis, fact by fact in words. Two curves may share a chart only where all of these are equal."""
    workload = workload_on(campaign, axis)
    classes = wording.listed(workload.class_names)
    if not classes and workload.prompt_classes:
        classes = wording.counted(workload.prompt_classes, "class", "classes")
    sampling = workload.sampling
    facts: list[tuple[str, str | None]] = [
        ("prompts", vocabulary.suites[workload.suite].label),
        ("number of prompts", str(workload.prompts) if workload.prompts else None),
        ("classes of prompts", classes or None),
        ("length of answers", f"at most {workload.output_tokens} tokens" if workload.output_tokens else None),
        ("interface", vocabulary.apis[workload.api].label if workload.api else None),
        (
            "sampling",
            None
            if sampling is None
            else "greedy"
            if not sampling.temperature
            else f"temperature {sampling.temperature:g}",
        ),
        ("prefix cache", workload.prefix_cache),
    ]
    if axis is not Axis.SUITE and axis is not Axis.CONCURRENT_USERS:
        facts.insert(3, ("requests at each level", str(workload.requests_per_x) if workload.requests_per_x else None))
    return [(label, text or NOT_STATED) for label, text in facts]


def sent_key(profile: Profile, vocabulary: Vocabulary) -> tuple[object, ...]:
    """What must be equal for two profiles to share a chart."""
    choice = profile.choice
    return (choice.metric, choice.axis, tuple(sent(profile.campaign, profile.source_axis, vocabulary)))


def _conditions(derived: Derived, vocabulary: Vocabulary) -> Pairs:
    """The set-up of the card's headline, or of its first curve while that is pending."""
    card = derived.card
    profiles = derived.profiles
    evidence = derived.headline.evidence if derived.headline else profiles[0].evidence if profiles else None
    arm = derived.headline.arm if derived.headline else profiles[0].arms[0] if profiles else None
    accelerator = vocabulary.accelerators[card.hardware.accelerator]
    pairs = [
        ("Model", vocabulary.families[card.family].label),
        ("Checkpoint", card.model.checkpoint),
        ("Quantization", vocabulary.quantizations[card.quantization].label),
        ("Accelerator", accelerator.label),
        ("Accelerators", str(card.hardware.cards)),
        ("Speculation", wording.speculation(arm) if arm else NOT_STATED),
        ("Engine", vocabulary.engines[card.engine].label),
    ]
    if evidence is None:
        return pairs
    setup = evidence.campaign.setup
    image = setup.image.name if setup.image and setup.image.name else NOT_STATED
    pairs += [("Engine version", setup.engine.version or NOT_STATED), ("Image", image)]
    if arm is not None and arm.dtype:
        pairs.append(("Number format", arm.dtype))
    for name, value in sorted(setup.settings.items()):
        stated = vocabulary.settings[name]
        pairs.append((wording.sentence(stated.label)[:-1], wording.setting(value, stated.unit)))
    days = derived.headline.finding.readings if derived.headline else ()
    pairs += [
        ("Evidence", vocabulary.terms[f"grade-{evidence.campaign.grade}"].label),
        ("Measured by", evidence.campaign.measured_by.name),
        ("Measured", wording.days([reading.measured_on for reading in days if reading.measured_on])),
    ]
    return pairs


def _headline(derived: Derived, vocabulary: Vocabulary) -> Json:
    headline = derived.headline
    if headline is None or not isinstance(headline.finding, Shown):
        return {"state": "pending", "text": "pending", "why": wording.sentence(derived.pending or "")}
    metric = vocabulary.metrics[headline.choice.metric]
    return {
        "state": "measured",
        "text": wording.brief(headline.finding.value),
        "value": f"{headline.finding.value:.12g}",
        "unit": metric.unit,
        "statistic": caption.headline_statistic(headline, vocabulary),
        "identity": _headline_identity(headline),
        "proof": proof_href(headline, ""),
        "key": [("statistic", metric.label), *sent(headline.evidence.campaign, Axis.SUITE, vocabulary)],
    }


def _headline_identity(headline: Headline) -> str:
    identity = headline.finding.identity
    return "reference run" if identity is None else f"{identity} identical"


def _profile(derived: Derived, profile: Profile, vocabulary: Vocabulary, *, is_usual: bool) -> Json:
    axis, metric = profile.choice.axis, vocabulary.metrics[profile.choice.metric]
    largest = max((finding.value for finding in profile.shown), default=0.0)
    scale = y_scale(largest)
    arm = profile.arms[0]
    image = profile.campaign.setup.image
    lines = sheet(derived, profile, vocabulary).decode().split("\r\n")
    return {
        "id": profile.id,
        "group": f"{profile.choice.metric}.{axis.value}",
        "order": AXES.index(axis) * 100 + list(vocabulary.metrics).index(profile.choice.metric),
        "heading": wording.sentence(f"{metric.label} over {vocabulary.axes[axis.value].label}")[:-1],
        "unit": f"{metric.unit}, {metric.short}",
        "axis": vocabulary.axes[axis.value].label,
        "log": axis in LOG2_AXES,
        "label": wording.ladder(arm) if axis is Axis.DRAFT_DEPTH else wording.configuration(arm),
        "usual": is_usual,
        "measured": wording.sentence(
            f"{f'image {image.name}' if image and image.name else 'image not stated'}, measured {wording.days(profile.measured_on)}"
        )[:-1],
        "grade": vocabulary.terms[f"grade-{profile.campaign.grade}"].label,
        "sent": sent(profile.campaign, profile.source_axis, vocabulary),
        "href": f"models/{derived.id}.html#{anchor(profile)}",
        "proof": f"evidence/{profile.choice.campaign}.html#{run_anchor(profile)}",
        "top": scale.top,
        "ticks": list(zip(scale.ticks, scale.texts, strict=True)),
        "points": [_point(profile, finding, vocabulary) for finding in profile.findings],
        "csv": lines[:-1],
    }


def _point(profile: Profile, finding: Finding, vocabulary: Vocabulary) -> Json:
    axis, x = profile.choice.axis, finding.x or 0
    point: Json = {
        "x": x,
        "tick": x_text(axis, x),
        "name": axis.position(x),
        "state": "withheld" if isinstance(finding, Withheld) else "measured",
        "cell": "–" if finding.value is None else wording.tabular(finding.value),
        "identity": chart.identity_words(finding),
    }
    if isinstance(finding, Shown):
        return {**point, "y": finding.value, "text": three_figures(finding.value)}
    return {
        **point,
        "count": chart.absence_count(finding),
        "why": vocabulary.reasons[finding.reason.value].label,
    }


def _usual(derived: Derived) -> set[str]:
    """Ids of the profiles that stand for the card, one for each metric and axis: of the headline's set-up where there is one."""
    chosen: dict[tuple[str, Axis], Profile] = {}
    arm = derived.headline.arm if derived.headline else None
    for profile in derived.profiles:
        key = (profile.choice.metric, profile.choice.axis)
        other = chosen.get(key)
        if other is None or _fit(profile, arm) > _fit(other, arm):
            chosen[key] = profile
    return {profile.id for profile in chosen.values()}


def _fit(profile: Profile, arm: Arm | None) -> tuple[bool, bool, bool]:
    own = profile.arms[0]
    return bool(profile.shown), arm is not None and own.depth == arm.depth, arm is not None and own.cards == arm.cards


def suggestions(edition: Edition) -> Iterator[tuple[str, str]]:
    """Comparisons that are worth a look, as words and card ids: each family side by side, and the two fastest that share a curve."""
    vocabulary = edition.library.vocabulary
    ordered = sorted(edition.cards, key=lambda derived: (-_value(derived), derived.id))
    by_family: dict[str, list[Derived]] = {}
    by_curve: dict[tuple[object, ...], list[Derived]] = {}
    for derived in ordered:
        by_family.setdefault(derived.card.family, []).append(derived)
        for profile in derived.profiles:
            members = by_curve.setdefault(sent_key(profile, vocabulary), [])
            if profile.shown and profile.choice.axis in AXES and derived not in members:
                members.append(derived)
    for family, members in sorted(by_family.items()):
        if len(members) > 1:
            yield f"The fastest of {vocabulary.families[family].label}", ",".join(d.id for d in members[:4])
    said: set[str] = set()
    for key, members in by_curve.items():
        first = members[0] if members else None
        other = next((one for one in members if first is not None and one.card.family != first.card.family), None)
        if first is None or other is None or f"{first.id},{other.id}" in said:
            continue
        said.add(f"{first.id},{other.id}")
        metric, axis = vocabulary.metrics[str(key[0])], vocabulary.axes[str(key[1])]
        yield f"{first.card.name}, {other.card.name}: {metric.label} over {axis.label}", f"{first.id},{other.id}"


def _value(derived: Derived) -> float:
    finding = derived.headline.finding if derived.headline else None
    return finding.value if isinstance(finding, Shown) else 0.0
