"""Claim: what a card says about its evidence, held against the findings; and references in prose replaced by computed values.

Comes in: derived cards with their sources. Goes out: problems at the very word, and prose with its numbers filled in.
A claim is a headline, an `exact_through`, or a measured number, count or ratio in prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from proofpress.axis import Axis
from proofpress.caption import exact_through
from proofpress.card import PendingHeadline
from proofpress.derivation import Derived, Profile
from proofpress.finding import Evidence, Finding, Shown, Withheld, findings
from proofpress.guide import Guide
from proofpress.problem import Problem, quoted
from proofpress.reading import Reading
from proofpress.source import Location, Source
from proofpress.vocabulary import Vocabulary
from proofpress.wording import tabular

REFERENCE = re.compile(r"\[\[(?!fact )([^\[\]\n]{1,200})\]\]")
_TARGET = re.compile(
    r"(?P<campaign>[a-z0-9.-]+)/(?P<arm>[a-z0-9.-]+)(?: (?P<axis>users|context|depth)=(?P<x>\d+))?(?: (?P<metric>[a-z0-9_]+))?"
)
_AXES = {"users": Axis.CONCURRENT_USERS, "context": Axis.CONTEXT_TOKENS, "depth": Axis.CONTEXT_DEPTH, None: Axis.SUITE}

_NUMBER = r"(?<![\w.,-])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:\.\d{1,12})?)"
_RATE = re.compile(
    _NUMBER
    + r"\s?(?P<unit>tok/s|tokens/s|t/s|tps|tokens per second|ms|milliseconds|seconds to (?:the )?first token)\b",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"(?<![\w/.,-])(?P<matched>\d{1,6})(?:/| of )(?P<total>\d{1,6})(?![\w/]|\.\d)")
_IDENTITY_WORD = re.compile(r"exact|identi|match|equal|differ|oracle|qualif", re.IGNORECASE)
_THROUGH = re.compile(
    r"(?:exact|identical|qualified)\s(?:through|up to|to)\s(?P<users>\d{1,6})\s(?:users|concurrent)", re.IGNORECASE
)
_RATIO = re.compile(
    _NUMBER
    + r"(?P<kind>\s?%|\s?percent|\s?x|\s?×|\stimes)\s(?P<word>faster|slower|higher|lower|more|less|as fast|the speed)",
    re.IGNORECASE,
)
_UNITS = {
    "tok/s": "tok/s",
    "tokens/s": "tok/s",
    "t/s": "tok/s",
    "tps": "tok/s",
    "tokens per second": "tok/s",
    "ms": "ms",
    "milliseconds": "ms",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One piece of prose: where it stands, and what it says."""

    source: Source
    location: Location
    words: str


def problems(
    derived: Derived, source: Source, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Iterator[Problem]:
    """Every claim of a card that its evidence does not bear out."""
    yield from _headline(derived, source)
    yield from _profiles(derived, source)
    for text in card_texts(derived, source):
        yield from prose(text, derived, evidence, vocabulary)


def card_texts(derived: Derived, source: Source) -> Iterator[Text]:
    """All prose of a card."""
    card = derived.card

    def text(words: str | None, *location: str | int) -> Iterator[Text]:
        if words:
            yield Text(source=source, location=location, words=words)

    yield from text(card.name, "name")
    yield from text(card.publisher, "publisher")
    yield from text(card.compression, "compression")
    yield from text(card.summary, "summary")
    yield from text(card.model.draft, "model", "draft")
    for index, limit in enumerate(card.limits):
        yield from text(limit, "limits", index)
    for index, credit in enumerate(card.credits):
        yield from text(credit.contribution, "credits", index, "contribution")
    for index, gap in enumerate(card.missing):
        if not isinstance(gap, str):
            yield from text(gap.text, "missing", index, "text")
            yield from text(gap.close_with, "missing", index, "close_with")
    if isinstance(card.headline, PendingHeadline):
        yield from text(card.headline.pending, "headline", "pending")
    yield from text(getattr(card.projection, "none", None), "projection", "none")


def guide_texts(guide: Guide) -> Iterator[Text]:
    """All prose of a guide."""
    for unknown in guide.head.unknown.values():
        yield Text(source=guide.source, location=(), words=unknown)
    for section in guide.sections.values():
        yield Text(source=guide.source, location=(), words=section)


# --- headline and exact_through --------------------------------------------------------------------------------------


def _where(evidence: Evidence, readings: tuple[Reading, ...]) -> str:
    return ", ".join(f"evidence/{evidence.campaign.id}/campaign.json {reading.pointer}" for reading in readings[:2])


def _why(finding: Withheld) -> str:
    reading = next((reading for reading in finding.failing if reading.identity is not None), finding.failing[0])
    if reading.identity is not None and not reading.identity.exact:
        detail = f"; {reading.detail}" if reading.detail else ""
        return f"{reading.identity} outputs matched in the {reading.run_name}{detail}"
    return f"withheld as {finding.reason.value} in the {reading.run_name}"


def _headline(derived: Derived, source: Source) -> Iterator[Problem]:
    if derived.headline is None:
        if derived.pending is None:
            expected = "the campaign has a value of this arm and metric on the suite axis"
            yield source.problem("no-evidence.headline", ("headline",), found="no such finding", expected=expected)
        return
    finding = derived.headline.finding
    if isinstance(finding, Withheld):
        expected = "a headline is identity-qualified in every pass and on every server"
        hint = f"see {_where(derived.headline.evidence, finding.failing)}; write 'pending' with the reason instead"
        yield source.problem("identity.headline", ("headline",), found=_why(finding), expected=expected, hint=hint)


def _profiles(derived: Derived, source: Source) -> Iterator[Problem]:
    for index, profile in enumerate(derived.profiles):
        if not profile.findings:
            expected = "a profile shows what its campaign measured: runs of this arm on this axis with this metric"
            yield source.problem("no-evidence.profile", ("profiles", index), found="no such runs", expected=expected)
        claimed = profile.choice.exact_through
        if claimed is not None:
            yield from _through(profile, claimed, source, ("profiles", index, "exact_through"))


def _through(profile: Profile, claimed: int, source: Source, location: Location) -> Iterator[Problem]:
    if all(finding.x != claimed for finding in profile.findings):
        measured = ", ".join(str(finding.x) for finding in profile.findings)
        expected = f"a number of users that was measured: {measured}"
        yield source.problem("no-evidence.exact-through", location, found=str(claimed), expected=expected)
        return
    for finding in profile.findings:
        if isinstance(finding, Withheld) and finding.x is not None and finding.x <= claimed:
            through = exact_through(profile.findings)
            expected = f"at {finding.x} users the point is not identity-qualified"
            hint = f"see {_where(profile.evidence, finding.failing)}; " + (
                f"write {through}" if through else "remove the claim"
            )
            yield source.problem(
                "identity.exact-through",
                location,
                found=f"{claimed} claimed, {_why(finding)}",
                expected=expected,
                hint=hint,
            )
            return


# --- numbers in prose ------------------------------------------------------------------------------------------------


def prose(text: Text, derived: Derived, evidence: Mapping[str, Evidence], vocabulary: Vocabulary) -> Iterator[Problem]:
    """Every measured number in a piece of prose that the card's own evidence does not support, and every reference that leads nowhere."""
    for match in REFERENCE.finditer(text.words):
        resolved = resolve(match[1], derived, evidence, vocabulary)
        if isinstance(resolved, Unresolved):
            yield _at(text, match[0], match.start(), rule=resolved.rule, expected=resolved.expected, hint=resolved.hint)
    words = REFERENCE.sub(lambda match: " " * len(match[0]), text.words)
    values = _values(derived)
    for match in _RATE.finditer(words):
        unit = _UNITS.get(match["unit"].lower(), "ms")
        if not any(_supports(match["number"], value) for value in values.get(unit, ())):
            expected = "a measured number in prose is one that the card's own shown evidence gives"
            hint = "refer to it instead, as [[campaign/arm users=8]]"
            yield _at(text, match[0], match.start(), rule="claim.number", expected=expected, hint=hint)
    counts = _counts(derived)
    for match in _FRACTION.finditer(words):
        pair = (int(match["matched"]), int(match["total"]))
        if pair[0] <= pair[1] and _IDENTITY_WORD.search(_sentence_of(words, match.start())) and pair not in counts:
            expected = "a count in prose is one that the card's own evidence gives"
            yield _at(text, match[0], match.start(), rule="claim.count", expected=expected)
    ends = {exact_through(profile.findings) for profile in derived.on_axis(Axis.CONCURRENT_USERS)}
    for match in _THROUGH.finditer(words):
        if int(match["users"]) not in ends:
            known = ", ".join(str(end) for end in sorted(end for end in ends if end is not None)) or "none"
            expected = f"the number of users through which a profile of this card is exact: {known}"
            yield _at(text, match[0], match.start(), rule="claim.exact-through", expected=expected)
    ratios = _ratios(derived)
    for match in _RATIO.finditer(words):
        kind, faster = match["kind"].strip(), match["word"].lower() not in {"slower", "lower", "less"}
        as_percent = kind in {"%", "percent"}
        wanted = [
            _said(
                ratio,
                as_percent=as_percent,
                faster=faster,
                excess=match["word"].lower() not in {"as fast", "the speed"},
            )
            for ratio in ratios
        ]
        if not any(_supports(match["number"], value) for value in wanted):
            nearest = min(wanted, key=lambda value: abs(value - float(match["number"].replace(",", ""))), default=None)
            expected = "a ratio in prose is that of two shown values of this card under equal conditions"
            hint = "" if nearest is None else f"nearest that the evidence gives: {nearest:.3g}{match['kind']}"
            yield _at(text, match[0], match.start(), rule="claim.ratio", expected=expected, hint=hint)


def stated(words: str) -> Iterator[str]:
    """The measured numbers, counts, ranges and ratios that a piece of prose states, and its references, as written."""
    yield from (match[0] for match in REFERENCE.finditer(words))
    rest = REFERENCE.sub(lambda match: " " * len(match[0]), words)
    for pattern in (_RATE, _THROUGH, _RATIO):
        yield from (match[0].strip() for match in pattern.finditer(rest))
    for match in _FRACTION.finditer(rest):
        if _IDENTITY_WORD.search(_sentence_of(rest, match.start())):
            yield match[0]


def _at(text: Text, words: str, start: int, *, rule: str, expected: str, hint: str = "") -> Problem:
    nth = text.words[:start].count(words)
    place = text.source.word(text.location, words, nth=nth)
    problem = text.source.problem(rule, text.location, found=quoted(words), expected=expected, hint=hint)
    return Problem(
        rule=problem.rule,
        place=place,
        field=problem.field,
        found=problem.found,
        expected=problem.expected,
        hint=problem.hint,
    )


def _sentence_of(words: str, position: int) -> str:
    start = max(words.rfind(mark, 0, position) for mark in (". ", "! ", "? ", "\n\n")) + 1
    ends = [end for mark in (". ", "! ", "? ", "\n\n") if (end := words.find(mark, position)) >= 0]
    return words[start : min(ends, default=len(words))]


def _supports(stated: str, value: float) -> bool:
    """Whether `value` gives `stated` when rounded to the digits it has: within half a unit of the last one."""
    number = Decimal(stated.replace(",", ""))
    exponent = number.as_tuple().exponent
    half = Decimal(5) * Decimal(10) ** (int(exponent) - 1)
    return abs(Decimal(repr(value)) - number) <= half


def _all_findings(derived: Derived) -> Iterator[Finding]:
    if derived.headline is not None:
        yield derived.headline.finding
        if derived.headline.oracle is not None:
            yield derived.headline.oracle
    for profile in derived.profiles:
        yield from profile.findings


def _values(derived: Derived) -> dict[str, list[float]]:
    """Every value that prose may repeat, by unit: shown ones, what each server gave for them, and shares per user."""
    values: dict[str, list[float]] = {"tok/s": [], "ms": []}
    for finding in _all_findings(derived):
        if isinstance(finding, Shown):
            unit = "ms" if finding.metric.startswith("ttft") else "tok/s"
            values[unit] += [finding.value, *(reading.values[finding.metric].value for reading in finding.displayed)]
            if finding.metric.startswith("aggregate") and finding.x:
                values[unit].append(finding.value / finding.x)
    return values


def _counts(derived: Derived) -> set[tuple[int, int]]:
    """Every identity count of the card's evidence, those of whole profiles, and how many of a profile's levels are shown or withheld."""
    counts: set[tuple[int, int]] = set()
    for finding in _all_findings(derived):
        counts |= {
            (reading.identity.matched, reading.identity.total) for reading in finding.readings if reading.identity
        }
    for profile in derived.profiles:
        identities = [finding.identity for finding in profile.findings if finding.identity]
        counts.add((sum(identity.matched for identity in identities), sum(identity.total for identity in identities)))
        counts |= {(len(profile.shown), len(profile.findings)), (len(profile.withheld), len(profile.findings))}
    # prose may count the outputs that differed instead of those that matched
    return counts | {(total - matched, total) for matched, total in counts}


def _ratios(derived: Derived) -> list[float]:
    """Ratios above 1 of shown values under equal conditions: headline and oracle, steps of a ladder, two profiles at the same x."""
    pairs: list[tuple[Finding, Finding]] = []
    if derived.headline is not None and derived.headline.oracle is not None:
        pairs.append((derived.headline.finding, derived.headline.oracle))
    for profile in derived.on_axis(Axis.DRAFT_DEPTH):
        pairs += combinations(profile.findings, 2)
    for first, second in combinations(derived.profiles, 2):
        alike = (first.choice.metric, first.choice.axis) == (second.choice.metric, second.choice.axis)
        if alike and first.campaign.workload == second.campaign.workload:
            pairs += [(one, other) for one in first.findings for other in second.findings if one.x == other.x]
    shown = [(one.value, other.value) for one, other in pairs if isinstance(one, Shown) and isinstance(other, Shown)]
    return [max(pair) / min(pair) for pair in shown]


def _said(ratio: float, *, as_percent: bool, faster: bool, excess: bool) -> float:
    if not as_percent:
        return ratio
    if not excess:
        return 100 * ratio
    return 100 * (ratio - 1) if faster else 100 * (1 - 1 / ratio)


# --- references ------------------------------------------------------------------------------------------------------


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


def resolve(
    reference: str, derived: Derived, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Resolved | Unresolved:
    """The finding that `campaign/arm users=8 metric` names. The metric may be left out where the runs have one."""
    match = _TARGET.fullmatch(reference.strip())
    if match is None:
        return Unresolved(
            rule="reference.number",
            expected="a reference is [[campaign/arm]], [[campaign/arm users=8]] or [[campaign/arm context=2048]]",
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
        return Unresolved(rule="reference.number", expected=expected, hint=", ".join(metrics))
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
            hint=f"{_why(finding)}; see {_where(campaign, finding.failing)}",
        )
    return Resolved(finding=finding, unit=vocabulary.metrics[metrics[0]].unit)


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
