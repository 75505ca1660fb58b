"""Reference: `[[campaign/arm users=8]]` in prose, replaced by the value that the evidence gives, when the page is made.

Comes in: the words between the brackets. Goes out: a shown finding with its unit, or why there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence, Shown, Withheld, findings, where, why
from proofpress.derive.wording import tabular
from proofpress.language.numeral import DIGITS, SPELLED
from proofpress.language.sentence import MARK, SIGN
from proofpress.records.axis import Axis
from proofpress.records.vocabulary import Vocabulary

REFERENCE = re.compile(r"\[\[(?!fact )([^\[\]\n]{1,200})\]\]")
_TARGET = re.compile(
    r"(?P<campaign>[a-z0-9.-]+)/(?P<arm>[a-z0-9.-]+)(?: (?P<axis>users|context|depth)=(?P<x>\d+))?(?: (?P<metric>[a-z0-9_]+))?"
)
_AXES = {"users": Axis.CONCURRENT_USERS, "context": Axis.CONTEXT_TOKENS, "depth": Axis.CONTEXT_DEPTH, None: Axis.SUITE}
ALONE = "a reference stands alone: no digit, point, comma, sign or factor beside it"
_NUMBER = rf"(?:{DIGITS}|{SPELLED})"
_BEFORE = re.compile(
    r"(?:\d[.,'’_]?|(?<!\w)[.,]|[+±]|×[^\S\n]?|(?<![\w\]])[-−–]|\]\]|"
    + MARK
    + SIGN.pattern
    + r"?|\[\[fact [^\[\]\n]{1,40}\]\]\s"
    r"|(?<![\w.,:/=-])\d(?:[\d.,]{0,20}\d)?[^\S\n\x1f]|\d\s?[x·]\s?|\d\s\*\s"
    r"|\b(?:twice|thrice|double|triple|half(?:\sof)?|hundred|thousand|million|minus|(?:third|quarter|fifth|tenth)s?\sof)\s"
    rf"|(?<![\w.,]){_NUMBER}(?:\s?x|[\s-]times|-?fold)\s|(?:%|\bper\s?cent)\sof\s)$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\d|[.,·]\d|[%×^]|[kKM]\b|e[+-]?\d|\s?[x×·/]\s?\d|\s\*\s?\d"
    rf"|\s(?:times\s{_NUMBER}|(?:doubled|tripled|halved|squared|twice\sover)\b)"
)
_REACH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """A reference that gives no number, and why."""

    rule: str
    expected: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A reference's finding, and its unit."""

    finding: Shown
    unit: str

    def __str__(self) -> str:
        return f"{tabular(self.finding.value)} {self.unit}"


def target(reference: str) -> tuple[str, str] | None:
    """The campaign and arm that a reference names; None where it is malformed."""
    match = _TARGET.fullmatch(reference.strip())
    return (match["campaign"], match["arm"]) if match else None


def written(campaign: str, arm: str, axis: Axis, x: int | None, metric: str = "") -> str:
    """The reference to what was measured there, of one metric where one is named."""
    place = next((f" {word}={x}" for word, known in _AXES.items() if word and known is axis), "")
    return f"[[{campaign}/{arm}{place}{f' {metric}' if metric else ''}]]"


def resolve(
    reference: str, derived: Derived, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Resolved | Unresolved:
    """The finding that `campaign/arm users=8 metric` names. The metric may be left out where the runs have one."""
    match = _TARGET.fullmatch(reference.strip())
    if match is None:
        return Unresolved(
            rule="reference.number",
            expected="a reference is [[campaign/arm]], with users=8, context=2048 or depth=2048 behind the arm, and a metric behind that",
            hint="as [[campaign/arm users=8 aggregate_wall]]",
        )
    campaign = evidence.get(match["campaign"])
    if campaign is None or match["campaign"] not in derived.campaigns:
        known = ", ".join(derived.campaigns)
        return Unresolved(rule="reference.number", expected=f"a campaign that this card uses: {known}")
    axis = _AXES[match["axis"]]
    x = int(match["x"]) if match["x"] else None
    metrics = [match["metric"]] if match["metric"] else _metrics(derived, campaign, match["arm"], axis, x)
    if len(metrics) != 1:
        expected = "these runs have several metrics; name one" if metrics else "runs of this arm at this place"
        named = [written(match["campaign"], match["arm"], axis, x, metric) for metric in metrics]
        hint = " or ".join(named) or _places(campaign, match["arm"])
        return Unresolved(rule="reference.number", expected=expected, hint=hint)
    found = [
        finding for finding in findings(campaign, arms=(match["arm"],), metric=metrics[0], axis=axis) if finding.x == x
    ]
    if not found:
        return Unresolved(rule="reference.number", expected=f"runs of this arm at this place with {metrics[0]}")
    finding = found[0]
    if isinstance(finding, Withheld):
        return Unresolved(
            rule="identity.prose",
            expected="prose may repeat shown values only",
            hint=f"{why(finding)}; see {where(campaign, finding.failing)}",
        )
    return Resolved(finding=finding, unit=vocabulary.metrics[metrics[0]].unit)


def _places(evidence: Evidence, arm: str) -> str:
    """Where an arm has runs, as references write it; the arms where it has none."""
    names = {axis: word for word, axis in _AXES.items() if word}
    places = {(reading.axis, reading.x) for reading in evidence.readings if reading.arm == arm}
    written = [
        f"{names[axis]}={x}"
        for axis, x in sorted(places, key=lambda place: (place[0].value, place[1] or 0))
        if axis in names
    ]
    suite = ["the suite (nothing behind the arm)"] if (Axis.SUITE, None) in places else []
    if places:
        return f"measured: {', '.join([*suite, *written])}"
    return f"arms: {', '.join(known.id for known in evidence.campaign.arms)}"


def _metrics(derived: Derived, evidence: Evidence, arm: str, axis: Axis, x: int | None) -> list[str]:
    """The metrics that a reference without one can mean: those that the card shows of these runs, else all that they have."""
    here = {
        metric
        for reading in evidence.readings
        if (reading.arm, reading.axis, reading.x) == (arm, axis, x)
        for metric in reading.values
    }
    shown = {
        profile.choice.metric
        for profile in derived.profiles
        if profile.evidence is evidence
        and profile.source_axis is axis
        and arm in {member.id for member in profile.arms}
    }
    if derived.headline is not None and derived.headline.evidence is evidence and axis is Axis.SUITE:
        shown.add(derived.headline.choice.metric)
    return sorted(here & shown or here)


def filled(
    words: str,
    derived: Derived,
    evidence: Mapping[str, Evidence],
    vocabulary: Vocabulary,
    write: Callable[[Resolved], str] = str,
) -> str:
    """`words` with every reference replaced by what `write` makes of its finding. All references must resolve."""

    def replace(match: re.Match[str]) -> str:
        resolved = resolve(match[1], derived, evidence, vocabulary)
        if isinstance(resolved, Unresolved):
            raise ValueError(f"unresolved reference {match[0]}")  # the checks ran before; reaching this is our bug
        return write(resolved)

    return REFERENCE.sub(replace, words)


def beside(words: str, start: int, end: int) -> bool:
    """Whether something stands at a reference that would be read as a part of its number."""
    before, behind = words[max(0, start - _REACH) : start], words[end : end + _REACH]
    return bool(_BEFORE.search(before) or _BEHIND.match(behind))
