"""Chart: the figure of a profile. Only shown findings become marks; withheld ones stand empty with their count."""

from __future__ import annotations

from proofpress.charts.figure import Absence, Figure, Mark, Series
from proofpress.derive import wording
from proofpress.derive.caption import reading_label
from proofpress.derive.derivation import Profile
from proofpress.derive.finding import Shown, Withheld
from proofpress.records.axis import Axis
from proofpress.records.reason import Reason
from proofpress.records.vocabulary import Vocabulary


def figure_of(profile: Profile, card_id: str, vocabulary: Vocabulary) -> Figure:
    """The figure of one profile, with one series. Its id is unique in the site."""
    metric = vocabulary.metrics[profile.choice.metric]
    axis = vocabulary.axes[profile.choice.axis.value]
    label = (
        wording.configuration(profile.arms[0])
        if profile.choice.axis is not Axis.DRAFT_DEPTH
        else wording.ladder(profile.arms[0])
    )
    series = Series(
        id=profile.id,
        label=label,
        marks=tuple(_mark(profile, finding, metric.unit) for finding in profile.shown),
        absences=tuple(_absence(profile, finding, vocabulary) for finding in profile.withheld),
    )
    return Figure(
        id=f"{card_id}--{profile.id}",
        title=f"{wording.sentence(metric.label)[:-1]} over {axis.label}, {label}",
        description=_description(profile, metric.unit, vocabulary),
        axis=profile.choice.axis,
        axis_label=axis.label,
        unit=f"{metric.unit}, {metric.short}",
        series=(series,),
    )


def _mark(profile: Profile, finding: Shown, unit: str) -> Mark:
    x = finding.x if finding.x is not None else 0
    lines = [f"{profile.choice.axis.position(x)}: {wording.exact(finding.value)} {unit}"]
    if finding.metric.startswith("aggregate") and x > 1:
        lines.append(f"{wording.exact(per_user(finding))} {unit} for each user")
    if finding.samples is not None:
        lines.append(wording.counted(finding.samples, *_SAMPLED[finding.sampled]))
    lines.append(identity_words(finding))
    for reading in finding.readings:
        measured = reading.values.get(finding.metric)
        lines.append(f"{reading_label(reading)}: {wording.exact(measured.value) if measured else 'no value given'}")
    lines.append(
        f"evidence: {profile.evidence.campaign.id} {', '.join(reading.pointer for reading in finding.displayed)}"
    )
    return Mark(x=x, value=finding.value, detail=tuple(lines))


_SAMPLED = {
    "requests": ("request", "requests"),
    "prompt classes": ("prompt class", "prompt classes"),
    "batches": ("batch", "batches"),
    "repetitions": ("repetition", "repetitions"),
    "servers": ("server", "servers"),
    "passes": ("pass", "passes"),
    "lanes": ("lane", "lanes"),
}


def per_user(finding: Shown | Withheld) -> float:
    """An aggregate rate divided by the users who shared it, in the metric's unit."""
    return float(f"{(finding.value or 0) / (finding.x or 1):.12g}")


def identity_words(finding: Shown | Withheld) -> str:
    """'8/8 outputs equal', or that it is a reference run."""
    if finding.identity is None:
        return "reference run" if finding.is_reference else "no comparison recorded"
    return f"{finding.identity} outputs equal"


def _absence(profile: Profile, finding: Withheld, vocabulary: Vocabulary) -> Absence:
    x = finding.x if finding.x is not None else 0
    return Absence(x=x, count=absence_count(finding), reason=vocabulary.reasons[finding.reason.value].label)


def absence_count(finding: Withheld) -> str:
    """What stands under the tick of a withheld x: the count that failed, or a word where there is none."""
    counts = [
        reading.identity for reading in finding.failing if reading.identity is not None and not reading.identity.exact
    ]
    if finding.reason in {Reason.IDENTITY, Reason.ORACLE_UNSTABLE, Reason.OTHER_RUN} and counts:
        return str(min(counts, key=lambda identity: identity.matched / identity.total))
    return {Reason.QUEUED: "queued", Reason.NOT_FRESH: "warm", Reason.SUPERSEDED: "old"}.get(finding.reason, "no proof")


def _description(profile: Profile, unit: str, vocabulary: Vocabulary) -> str:
    """The drawing in words: its ends, its highest and lowest point where they lie between, and what is left out; the table has the rest."""
    axis = profile.choice.axis
    ends = [f"{wording.brief(end.value)} {unit} at {axis.position(end.x or 0)}" for end in profile.shown]
    if len(ends) > 2:
        ends = [f"{len(ends)} points from {ends[0]} to {ends[-1]}{_between(profile, unit)}"]
    withheld = [f"{axis.position(finding.x or 0)} ({absence_count(finding)})" for finding in profile.withheld]
    parts = [f"{wording.sentence(wording.listed(ends))}" if ends else "Nothing is shown."]
    if withheld:
        parts.append(f"Withheld: {wording.listed(withheld)}.")
    return " ".join(parts)


def _between(profile: Profile, unit: str) -> str:
    """The highest and the lowest point, each where it is above or below both ends."""
    ends = (profile.shown[0].value, profile.shown[-1].value)
    highest = max(profile.shown, key=lambda finding: finding.value)
    lowest = min(profile.shown, key=lambda finding: finding.value)
    return "".join(
        f", {word} {wording.brief(finding.value)} {unit} at {profile.choice.axis.position(finding.x or 0)}"
        for word, finding in (("highest", highest), ("lowest", lowest))
        if not min(ends) <= finding.value <= max(ends)
    )
