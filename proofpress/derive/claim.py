"""Claim: what a card says about its evidence, held against the findings; and references in prose replaced by computed values.

Comes in: derived cards with their sources. Goes out: problems at the very word, and prose with its numbers filled in.
A claim is a headline, an `exact_through`, or a measured number, count or ratio in prose.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import combinations, islice
from typing import Any

from proofpress.check.prose import read
from proofpress.derive.caption import exact_through
from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.finding import Evidence, Finding, Shown, Withheld, findings
from proofpress.derive.wording import tabular
from proofpress.kernel.reading import Reading
from proofpress.load.passage import MAX_PROBLEMS, Passage
from proofpress.load.source import Location, Source
from proofpress.problem import Problem
from proofpress.records.axis import Axis
from proofpress.records.card import PendingHeadline
from proofpress.records.vocabulary import Vocabulary

MAX_POINTS = 200
"""Points of one profile that a page can still show."""

REFERENCE = re.compile(r"\[\[(?!fact )([^\[\]\n]{1,200})\]\]")
_TARGET = re.compile(
    r"(?P<campaign>[a-z0-9.-]+)/(?P<arm>[a-z0-9.-]+)(?: (?P<axis>users|context|depth)=(?P<x>\d+))?(?: (?P<metric>[a-z0-9_]+))?"
)
_AXES = {"users": Axis.CONCURRENT_USERS, "context": Axis.CONTEXT_TOKENS, "depth": Axis.CONTEXT_DEPTH, None: Axis.SUITE}

# What prose says about measurements. Each pattern starts at a number and looks a bounded way ahead, so a text of
# nothing but digits costs no more than any other.
_DIGITS = r"\d(?:[\d.,]{0,30}\d)?(?:e[+-]?\d{1,3})?"
_NUMBER = rf"(?<![\w.,])(?P<number>{_DIGITS})"
_GAP = r"[\s*_`~-]{0,6}"  # Markdown may stand between a number and its unit: **98.1** tok/s
_TOKEN = r"(?:tok(?:en)?s?|words?|t)"
_PERIOD = r"(?:s(?:ec(?:ond)?s?)?|min(?:ute)?s?|h(?:r|rs|ours?)?)"
_PACE = (
    r"(?:(?:output|generated|new|prompt|input|completion|decoded?|prefill)\s){0,2}"
    rf"(?:{_TOKEN}[\s*_`]{{0,3}}/\s?{_PERIOD}\b"
    rf"|{_TOKEN}[\s·.*]{{1,3}}(?:s|sec|min|h)\s?\^?[-−⁻][1¹]"
    rf"|{_TOKEN}[\s-](?:per|an?|each|every|in\s(?:an?|one|each|every))[\s-]{_PERIOD}\b"
    r"|tps\b)"
)
_RATE = re.compile(
    rf"(?<![\w.,])x?(?P<number>{_DIGITS})\+?{_GAP}[(\[]?(?P<scale>(?:k|thousand|million)\b{_GAP})?(?P<unit>{_PACE}"
    r"|(?:(?-i:ms|s|us|µs|μs)|msecs?|milliseconds?|secs?|seconds?)\s?(?:/|\sper\s|per\s|an?\s|for\s(?:each|every|an?)\s)\s?(?:output\s)?tok(?:en)?s?\b"
    r"|(?-i:(?:ms|us|µs|μs)\b|msecs?\b)|microseconds?\b|milliseconds?\b|(?-i:s\b)|secs?\b|seconds?\b)",
    re.IGNORECASE,
)
_FACT_RATE = re.compile(rf"\[\[fact [^\[\]\n]{{1,200}}\]\]{_GAP}{_PACE}", re.IGNORECASE)
_RATE_BEHIND = re.compile(
    rf"(?<![\w/])(?P<unit>{_PACE})[)\]*_`]{{0,4}}(?:\s?[:=]|\s(?:of|is|are|was|were))[\s*_`]{{0,6}}(?P<number>{_DIGITS})",
    re.IGNORECASE,
)
_RANGE_BEFORE = re.compile(rf"(?<![\w.,-])({_DIGITS})(?:[-–—]|\sto\s)$")
_WELL_WRITTEN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SCALES = {"k": 3, "thousand": 3, "million": 6}
_TIME_WORD = re.compile(r"first[ -]token|ttft|latenc|respon[sd]|wait|prefill|answer", re.IGNORECASE)
_PER_TOKEN = re.compile(r"^(?:ms|s|us|µs|μs|milli|micro).*tok")
_OTHER_PACE = re.compile(r"word|[\s/-](?:min|h)")
_FIRST_TOKEN = re.compile(r"first[ -]token|ttft", re.IGNORECASE)
_FRACTION = re.compile(
    r"(?<![\w/.,-])(?P<matched>\d{1,6})(?:/|[ -](?:out )?of[ -])(?P<total>\d{1,6})(?![\w/]|[.,]\d)"
    r"(?!\s(?:layers?|experts?|heads?|cards?|gpus?|accelerators?|hosts?|servers?|slots?|blocks?|bits?|gib|gb)\b)",
    re.IGNORECASE,
)
_IDENTITY_WORD = re.compile(r"exact|identi|match|equal|differ|oracle|qualif", re.IGNORECASE)
_THROUGH = re.compile(
    r"(?:exact|identical|qualified|equal|matched|matching)\s(?:even\s)?(?:through|up to|until|to|at|for up to|for|with up to|with)\s"
    r"(?:c(?P<short>\d{1,6})\b|(?P<users>\d{1,6})\s(?:concurrent|users?|streams?|requests?|sessions?|at once))",
    re.IGNORECASE,
)
_WHOLLY = re.compile(
    r"(?<!not )(?<!never )(?<!no longer )(?:\b(?:bit[- ]identical|bit[- ]for[- ]bit|bit[- ]exact|lossless(?:ly)?)\b(?!\scompress)"
    r"|\bno outputs? (?:ever )?differ(?:s|ed)?\b|\bnone of the outputs differ(?:s|ed)?\b"
    r"|\b100(?:\.0{1,3})?(?:\s?%|\spercent) of (?:the |all |its )?outputs?\b)",
    re.IGNORECASE,
)
_AT_EVERY_NUMBER = re.compile(r"\bat (?:every|any|all) numbers? of (?:concurrent )?users\b", re.IGNORECASE)
_SAME = re.compile(r"\b(?:exact|identical|equal|same|matched|lossless)\b", re.IGNORECASE)
_SLOWER = {"slower", "lower", "less", "fewer"}
_OF_THE_WHOLE = {"as fast", "the speed", "the throughput", "as quick", "as much", "as many"}
_KIND = r"(?P<kind>\s?%|\s?percent|-?\s?x\b|\s?×|[\s-]times\b|-?fold)"
_RATIO = re.compile(
    rf"{_NUMBER}{_KIND}{_GAP}"
    r"(?P<word>faster|quicker|slower|speed-?ups?|as fast|as quick|the speed|the throughput"
    r"|higher|lower|greater|more|less|fewer|as much|as many|increase|improvement|gain)\b",
    re.IGNORECASE,
)
_RATIO_BEHIND = re.compile(
    rf"(?P<word>faster|quicker|slower|speed-?up)\s(?:of|by)\s(?:about |around |roughly )?(?P<number>{_DIGITS}){_KIND}",
    re.IGNORECASE,
)
_SMALL = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_SMALL |= {
    "twice": 2,
    "double": 2,
    "doubl": 2,
    "thrice": 3,
    "triple": 3,
    "tripl": 3,
    "quadrupl": 4,
    "half": 2,
    "halv": 2,
}
_PACE_WORD = r"(?:speed|throughput|performance|latency|token rate|decode rate)\b"
_UP_TO_TEN = "two|three|four|five|six|seven|eight|nine|ten"
_OF_PACE = rf"(?:(?:the|its|their|of|a|decode|decoding|aggregate)\s){{0,3}}{_PACE_WORD}"
_RATIO_IN_WORDS = re.compile(
    rf"\b(?P<number>{_UP_TO_TEN})(?:[\s-]times|-?fold|x)\s(?:as\s(?:fast|quick)|faster|quicker|slower|{_OF_PACE})"
    rf"|\b(?P<once>twice|thrice|double|triple|half)\s(?:as\s(?:fast|quick)|{_OF_PACE})"
    rf"|\b(?P<verb>doubl|tripl|quadrupl|halv)(?:es?|ed|ing)\s{_OF_PACE}"
    rf"|\b(?:faster|quicker|slower|higher|speed-?up)\s(?:by|of)\sa\sfactor\sof\s(?:about\s|around\s)?(?P<factor>{_DIGITS}|{_UP_TO_TEN})\b"
    rf"|(?<![\w.,])(?P<times>{_DIGITS})(?:\s?[x×]|[\s-]times|-?fold)\s(?:{_OF_PACE}|(?:vllm|sglang|llama\.?cpp|ollama|transformers|tensorrt|the\sbaseline)\b)",
    re.IGNORECASE,
)
_SPEED_WORD = re.compile(r"speed|fast|tok|throughput|rate|latenc|first token|decod|prefill|aggregate", re.IGNORECASE)
_NEEDS_SPEED_WORD = {
    "higher",
    "lower",
    "greater",
    "more",
    "less",
    "fewer",
    "as much",
    "as many",
    "increase",
    "improvement",
    "gain",
}


def problems(
    derived: Derived, source: Source, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Iterator[Problem]:
    """Every claim of a card that its evidence does not bear out."""
    yield from _headline(derived, source, evidence)
    yield from _profiles(derived, source)
    yield from prose(card_passages(derived, source), derived, evidence, vocabulary)
    support = _Support(derived)
    for passage in _beside_prose(derived, source):
        for words in dict.fromkeys((passage.words, read(passage.words, markdown=not passage.as_written))):
            yield from islice(_rates(_Read(passage), words, support), 1)


def _beside_prose(derived: Derived, source: Source) -> Iterator[Passage]:
    """Names, a launch's words and a projection's reasons: what they say of speed is held against the evidence as well."""
    card = derived.card
    for index, credit in enumerate(card.credits):
        yield Passage(source=source, location=("credits", index, "name"), words=credit.name, as_written=True)
    if card.launch.image:
        yield Passage(source=source, location=("launch", "image"), words=card.launch.image, as_written=True)
    for name, value in card.launch.environment.items():
        yield Passage(source=source, location=("launch", "environment", name), words=value, as_written=True)
    yield from projection_passages(derived, source)


_FENCED = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_OF_RUNS = frozenset({"session", "held_back", "conflict", "origin", "not_measured"})


def elsewhere(sources: Iterable[Source]) -> Iterator[Problem]:
    """Speeds in texts that no card's evidence stands behind: the site's description, vocabulary, pages, campaigns' words."""
    for source in sources:
        for passage in _texts(source):
            yield from islice(_any_rate(passage), 1)


def _texts(source: Source) -> Iterator[Passage]:
    """Every text of a file that has a digit in it; of a campaign's runs only what is written about them."""
    if isinstance(source.data, str):
        words = _FENCED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source.data)
        yield Passage(source=source, location=(), words=words, first_line=1)
        return
    waiting: list[tuple[Location, Any]] = [((), source.data)]
    while waiting:
        location, value = waiting.pop()
        if isinstance(value, str) and any(character.isdigit() for character in value):
            yield Passage(source=source, location=location, words=value, as_written=True)
        elif isinstance(value, Mapping):
            of_a_run = len(location) == 2 and location[0] == "runs"
            waiting += [((*location, key), part) for key, part in value.items() if not of_a_run or key in _OF_RUNS]
        elif isinstance(value, list | tuple):
            waiting += [((*location, index), part) for index, part in enumerate(value)]


def _any_rate(passage: Passage) -> Iterator[Problem]:
    expected = "a speed stands where a card's evidence bears it out: in a card's text or its guide"
    written: list[tuple[Passage | _Read, str]] = [
        (passage, passage.words),
        (_Read(passage), read(passage.words, markdown=not passage.as_written)),
    ]
    for place, words in written:
        for match, unit in _stated_rates(words):
            if unit in {"tok/s", "other", "ms per token"}:
                yield place.problem("claim.number", match.start(), match[0], expected=expected)


def card_passages(derived: Derived, source: Source) -> Iterator[Passage]:
    """All prose of a card but its projection, whose numbers are modelled and stand in a section that says so."""
    card = derived.card

    def passage(words: str | None, *location: str | int) -> Iterator[Passage]:
        if words:
            as_written = location[0] not in {"summary", "limits"}
            yield Passage(source=source, location=location, words=words, as_written=as_written)

    yield from passage(card.name, "name")
    yield from passage(card.publisher, "publisher")
    yield from passage(card.compression, "compression")
    yield from passage(card.withdrawn_because, "withdrawn_because")
    yield from passage(card.summary, "summary")
    yield from passage(card.model.draft, "model", "draft")
    for index, limit in enumerate(card.limits):
        yield from passage(limit, "limits", index)
    for index, credit in enumerate(card.credits):
        yield from passage(credit.contribution, "credits", index, "contribution")
    for index, gap in enumerate(card.missing):
        if not isinstance(gap, str):
            yield from passage(gap.text, "missing", index, "text")
            yield from passage(gap.close_with, "missing", index, "close_with")
    if isinstance(card.headline, PendingHeadline):
        yield from passage(card.headline.pending, "headline", "pending")
    yield from passage(getattr(card.projection, "none", None), "projection", "none")


def projection_passages(derived: Derived, source: Source) -> Iterator[Passage]:
    """The prose of a card's projection; its links are checked, its numbers are not measured."""
    for name in ("limiter", "basis"):
        words = getattr(derived.card.projection, name, None)
        if words:
            yield Passage(source=source, location=("projection", name), words=words)


# --- headline and exact_through --------------------------------------------------------------------------------------


def _where(evidence: Evidence, readings: tuple[Reading, ...]) -> str:
    return ", ".join(f"evidence/{evidence.campaign.id}/campaign.json {reading.pointer}" for reading in readings[:2])


def _why(finding: Withheld) -> str:
    reading = next((reading for reading in finding.failing if reading.identity is not None), finding.failing[0])
    if reading.identity is not None and not reading.identity.exact:
        detail = f"; {reading.detail}" if reading.detail else ""
        return f"{reading.identity} outputs matched in the {reading.run_name}{detail}"
    return f"withheld as {finding.reason.value} in the {reading.run_name}"


def _measured_by(evidence: Evidence | None, arms: tuple[str, ...], axis: Axis) -> str:
    """What there is instead: 'measured here: decode, ttft_mean'; the axes of these arms where this one has nothing."""
    own = [reading for reading in evidence.readings if reading.arm in arms] if evidence else []
    metrics = sorted({metric for reading in own if reading.axis is axis for metric in reading.values})
    axes = sorted({reading.axis.value for reading in own})
    if metrics:
        return f"measured there: {', '.join(metrics)}"
    return f"this arm was measured over {' and '.join(axes)}" if axes else "this arm has no runs of its own"


def _headline(derived: Derived, source: Source, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    if derived.headline is None:
        if derived.pending is None:
            expected = "the campaign has a value of this arm and metric on the suite axis"
            choice = derived.card.headline
            hint = _measured_by(
                evidence.get(getattr(choice, "campaign", "")), (getattr(choice, "arm", ""),), Axis.SUITE
            )
            yield source.problem(
                "no-evidence.headline", ("headline",), found="no such finding", expected=expected, hint=hint
            )
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
            axis = Axis.SUITE if profile.choice.axis is Axis.DRAFT_DEPTH else profile.choice.axis
            hint = _measured_by(profile.evidence, tuple(arm.id for arm in profile.arms), axis)
            yield source.problem(
                "no-evidence.profile", ("profiles", index), found="no such runs", expected=expected, hint=hint
            )
        if len(profile.findings) > MAX_POINTS:
            found, expected = f"{len(profile.findings):,} points", f"at most {MAX_POINTS} points in a profile"
            hint = "split the ladder into campaigns of their own"
            yield source.problem("limit.points", ("profiles", index), found=found, expected=expected, hint=hint)
        claimed = profile.choice.exact_through
        if claimed is not None:
            yield from _through(profile, claimed, source, ("profiles", index, "exact_through"))


def _through(profile: Profile, claimed: int, source: Source, location: Location) -> Iterator[Problem]:
    if all(finding.x != claimed for finding in profile.findings):
        measured = ", ".join(str(finding.x) for finding in profile.findings)
        expected = f"a number of users that was measured: {measured}"
        yield source.problem("no-evidence.exact-through", location, found=str(claimed), expected=expected)
        return
    claimed_findings = [finding for finding in profile.findings if finding.x is not None and finding.x <= claimed]
    if all(finding.identity is None for finding in claimed_findings):
        expected = "a claim of equal outputs rests on a comparison, and nothing was compared at these levels"
        hint = f"see evidence/{profile.evidence.campaign.id}/campaign.json; remove the claim"
        yield source.problem(
            "identity.exact-through", location, found=f"{claimed} claimed", expected=expected, hint=hint
        )
        return
    for finding in claimed_findings:
        if isinstance(finding, Withheld) and finding.x is not None:
            through = exact_through(profile.findings)
            expected = f"every level up to it is identity-qualified, and at {Axis.CONCURRENT_USERS.position(finding.x)} one is not"
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


def prose(
    passages: Iterable[Passage], derived: Derived, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Iterator[Problem]:
    """Every measured number in prose that the card's own evidence does not support, and every reference that leads nowhere."""
    support = _Support(derived)
    for passage in passages:
        found = _in_passage(passage, support, evidence, vocabulary)
        yield from islice(found, MAX_PROBLEMS)


def _in_passage(
    passage: Passage, support: _Support, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Iterator[Problem]:
    for match in REFERENCE.finditer(passage.words):
        resolved = resolve(match[1], support.derived, evidence, vocabulary)
        if passage.as_written:
            resolved = Unresolved(
                rule="reference.number",
                expected="references are filled in where text is Markdown: summary, limits, guide",
            )
        if isinstance(resolved, Unresolved):
            yield passage.problem(
                resolved.rule, match.start(), match[0], expected=resolved.expected, hint=resolved.hint
            )
        elif _beside(passage.words, match.start(), match.end()):
            yield passage.problem("reference.number", match.start(), match[0], expected=_ALONE)
    words = REFERENCE.sub(lambda match: " " * len(match[0]), passage.words)
    known = []
    for problem in _numbers(passage, words, support):
        known.append((problem.rule, _bare(problem.found)))
        yield problem
    yield from _in_what_is_read(passage, support, known)


_ALONE = "a reference stands alone: no digit, point, comma or sign beside it"
_MARK = "\ue000"
_BESIDE_BEFORE = re.compile(r"(?:\d[.,]?|(?<!\w)[.,]|[+±×]|(?<![\w\]])[-−–])$")
_BESIDE_BEHIND = re.compile(r"\d|[.,·]\d|[%×^]|[kKM]\b|e[+-]?\d")


def _beside(words: str, start: int, end: int) -> bool:
    """Whether something stands at a reference that would be read as a part of its number."""
    before, behind = words[max(0, start - 3) : start], words[end : end + 4]
    return bool(_BESIDE_BEFORE.search(before) or _BESIDE_BEHIND.match(behind))


def _bare(found: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", found))


def _in_what_is_read(passage: Passage, support: _Support, known: list[tuple[str, str]]) -> Iterator[Problem]:
    """What only the rendered text states: the mark-up between a number and its unit is gone there. Told of the passage as a whole."""
    words = read(REFERENCE.sub(_MARK, passage.words), markdown=not passage.as_written)
    for problem in _numbers(_Read(passage), words, support):
        if any(rule == problem.rule and _bare(problem.found) in found for rule, found in known):
            continue
        yield problem
    if not passage.as_written and not any(
        _beside(passage.words, match.start(), match.end()) for match in REFERENCE.finditer(passage.words)
    ):
        for match in re.finditer(_MARK, words):
            if _beside(words, match.start(), match.end()):
                yield passage.problem(
                    "reference.number", -1, words[max(0, match.start() - 3) : match.end() + 4], expected=_ALONE
                )


def _numbers(passage: Passage | _Read, words: str, support: _Support) -> Iterator[Problem]:
    for match in _FACT_RATE.finditer(words):
        expected = "a fact is no measurement; a speed comes from a reference, as [[campaign/arm users=8]]"
        yield passage.problem("claim.number", match.start(), match[0], expected=expected)
    yield from _rates(passage, words, support)
    yield from _fractions(passage, words, support)
    yield from _levels(passage, words, support)
    yield from _comparisons(passage, words, support)
    yield from _ratios_in_words(passage, words, support)
    yield from _wholly(passage, words, support)


@dataclass(frozen=True, slots=True)
class _Read:
    """A passage as it is read: its places are not those of the file, so every problem is told of its beginning."""

    passage: Passage

    def problem(self, rule: str, start: int, words: str, *, expected: str, hint: str = "") -> Problem:
        return self.passage.problem(rule, -1, words, expected=expected, hint=hint)


def _rates(passage: Passage | _Read, words: str, support: _Support) -> Iterator[Problem]:
    """Numbers with a unit of speed, or of time where the sentence is about waiting; in a range both ends."""
    for match, unit in _stated_rates(words):
        low = _RANGE_BEFORE.search(words[max(0, match.start() - 40) : match.start()])
        written = match.groupdict().get("scale")
        scale = _SCALES[written.strip(" *_`~-\n").lower()] if written else 0
        stated = [match["number"], *([low[1]] if low else [])]
        wrong = [number for number in stated if not support.gives(number, unit, scale)]
        if wrong:
            yield _unsupported(passage, match, support, number=wrong[0], unit=unit, scale=scale)


def _stated_rates(words: str) -> Iterator[tuple[re.Match[str], str]]:
    """Every number with a unit of speed or of waiting, and the unit; the number may follow, as in a table: tok/s: 98.1."""
    taken: set[int] = set()
    for match in _RATE.finditer(words):
        unit = _unit(match["unit"], words, match.start())
        if unit is not None:
            taken.add(match.end("unit"))
            yield match, unit
    for match in _RATE_BEHIND.finditer(words):
        if match.end("unit") not in taken:
            yield match, _unit(match["unit"], words, match.start()) or "tok/s"


def _unit(written: str, words: str, position: int) -> str | None:
    """The unit of a number in prose; None where it is a time that nobody waited for a model."""
    written = written.lower()
    if _PER_TOKEN.search(written):
        return "ms per token"
    if written.startswith(("us", "µs", "μs", "micro")):
        return "µs" if _in_sentence(_TIME_WORD, words, position) else None
    if written.startswith("m"):
        return "ms" if _in_sentence(_TIME_WORD, words, position) else None
    if written.startswith("s"):
        return "s" if _in_sentence(_FIRST_TOKEN, words, position) else None
    return "other" if _OTHER_PACE.search(written) else "tok/s"


def _unsupported(
    passage: Passage | _Read, match: re.Match[str], support: _Support, *, number: str, unit: str, scale: int
) -> Problem:
    rule, hint = "claim.number", "refer to it instead, as [[campaign/arm users=8]]"
    expected = "a measured number in prose is one that the card's own shown evidence gives"
    withheld = support.withheld_as(number, unit, scale)
    if not _WELL_WRITTEN.fullmatch(number):
        hint = "write numbers as 98.1 or 1,253.8, or refer to the evidence, as [[campaign/arm users=8]]"
    elif withheld is not None:
        rule, expected = "identity.prose", "prose may repeat shown values only"
        hint = f"{number} {unit} is withheld: {_why(withheld)}"
    elif unit == "ms" and support.gives(number, "s", scale):
        hint = f"the evidence gives {number} seconds; milliseconds are a thousand times as many"
    elif unit == "s" and support.gives(number, "ms", scale):
        hint = f"the evidence gives {number} milliseconds"
    return passage.problem(rule, match.start(), match[0], expected=expected, hint=hint)


def _fractions(passage: Passage | _Read, words: str, support: _Support) -> Iterator[Problem]:
    """Counts such as 12/12 in a sentence about equal outputs."""
    for match in _FRACTION.finditer(words):
        pair = (int(match["matched"]), int(match["total"]))
        if pair[0] > pair[1] or pair in support.counts:
            continue
        if _in_sentence(_IDENTITY_WORD, words, match.start()):
            known = sorted((count for count in support.counts if count[1] == pair[1]), reverse=True)[:1]
            hint = f"the evidence gives {known[0][0]}/{known[0][1]}" if known else ""
            expected = "a count in prose is one that the card's own evidence gives"
            yield passage.problem("claim.count", match.start(), match[0], expected=expected, hint=hint)


def _levels(passage: Passage | _Read, words: str, support: _Support) -> Iterator[Problem]:
    """'exact through 8 users': as far as a profile of this card is exact, and measured there."""
    for match in _THROUGH.finditer(words):
        if int(match["short"] or match["users"]) not in support.exact_levels:
            known = ", ".join(str(end) for end in sorted(support.exact_levels)) or "none"
            expected = f"a number of users through which a profile of this card is exact: {known}"
            yield passage.problem("claim.exact-through", match.start(), match[0], expected=expected)


def _wholly(passage: Passage | _Read, words: str, support: _Support) -> Iterator[Problem]:
    """'Lossless', 'bit-identical' and their like need every level shown; 'at every number of users' needs one whole profile."""
    expected = "every number of users that was measured is identity-qualified"
    if not support.all_whole:
        for match in _WHOLLY.finditer(words):
            yield passage.problem("claim.exact-through", match.start(), match[0], expected=expected)
    if not support.any_whole:
        for match in _AT_EVERY_NUMBER.finditer(words):
            if _in_sentence(_SAME, words, match.start()):
                yield passage.problem("claim.exact-through", match.start(), match[0], expected=expected)


def _comparisons(passage: Passage | _Read, words: str, support: _Support) -> Iterator[Problem]:
    """Ratios such as 45% faster or a speedup of 1.9x, recomputed."""
    for match in (*_RATIO.finditer(words), *_RATIO_BEHIND.finditer(words)):
        word, kind = match["word"].lower(), match["kind"].strip(" -").lower()
        if word in _NEEDS_SPEED_WORD and not _in_sentence(_SPEED_WORD, words, match.start()):
            continue
        as_percent = kind in {"%", "percent"}
        wanted = [
            _said(ratio, as_percent=as_percent, faster=word not in _SLOWER, excess=word not in _OF_THE_WHOLE)
            for ratio in support.ratios
        ]
        number = match["number"]
        if not any(_supports(number, value) for value in wanted):
            stated = float(number.replace(",", "")) if _WELL_WRITTEN.fullmatch(number) else 1.0
            nearest = min(wanted, key=lambda value: abs(value - stated), default=None)
            expected = "a ratio in prose is that of two shown values of this card under equal conditions"
            hint = "" if nearest is None else f"nearest that the evidence gives: {nearest:.3g}{match['kind']}"
            yield passage.problem("claim.ratio", match.start(), match[0], expected=expected, hint=hint)


def _ratios_in_words(passage: Passage | _Read, words: str, support: _Support) -> Iterator[Problem]:
    """'Twice as fast' and its like: the ratio is that of two shown values, as well as whole numbers can say it."""
    taken = {match.start() for match in _RATIO.finditer(words)}
    for match in _RATIO_IN_WORDS.finditer(words):
        if match.start() in taken:
            continue
        said = next(said for said in match.groups() if said)
        number = str(_SMALL.get(said.lower(), said))
        if not any(_supports(number, ratio) for ratio in support.ratios):
            expected = "a ratio in prose is that of two shown values of this card under equal conditions"
            yield passage.problem("claim.ratio", match.start(), match[0], expected=expected)


def stated(words: str) -> Iterator[str]:
    """The measured numbers, counts, ranges and ratios that a piece of prose states, and its references, as written."""
    yield from (match[0] for match in REFERENCE.finditer(words))
    rest = REFERENCE.sub(lambda match: " " * len(match[0]), words)
    yield from (match[0].strip() for match, _ in _stated_rates(rest))
    for pattern in (_THROUGH, _RATIO, _RATIO_BEHIND, _RATIO_IN_WORDS, _WHOLLY):
        yield from (match[0].strip() for match in pattern.finditer(rest))
    for match in _FRACTION.finditer(rest):
        if _in_sentence(_IDENTITY_WORD, rest, match.start()):
            yield match[0]


_SENTENCE_REACH = 400
"""Characters on either side of a word in which the rest of its sentence is looked for."""
_SENTENCE_END = re.compile(r"[.!?] |\n\n")


def _in_sentence(word: re.Pattern[str], words: str, position: int) -> bool:
    """Whether `word` stands in the sentence around `position`."""
    start, end = max(0, position - _SENTENCE_REACH), position + _SENTENCE_REACH
    found = _spans(word, words)
    nearest = bisect_left(found, position)
    for at in (*found[nearest : nearest + 1], *found[max(0, nearest - 1) : nearest]):
        first, last = min(at, position), max(at, position)
        if start <= at <= end and not _SENTENCE_END.search(words, first, last):
            return True
    return False


@lru_cache(maxsize=32)
def _spans(word: re.Pattern[str], words: str) -> list[int]:
    """Where `word` begins in `words`; kept, because every number of a passage asks."""
    return [match.start() for match in word.finditer(words)]


def _supports(stated: str, value: float, scale: int = 0) -> bool:
    """Whether `value` gives `stated` when rounded to the digits it has: within half a unit of the last one."""
    if not _WELL_WRITTEN.fullmatch(stated):
        return False
    number = Decimal(stated.replace(",", "")).scaleb(scale)
    half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
    return abs(Decimal(repr(value)) - number) <= half


class _Support:
    """What the evidence of one card bears out; each list is made when the first words ask for it."""

    def __init__(self, derived: Derived) -> None:
        self.derived = derived

    def gives(self, number: str, unit: str, scale: int = 0) -> bool:
        """Whether a shown value, in `unit`, has the digits of `number`."""
        factor = 0.001 if unit == "s" else 1
        return any(
            _supports(number, value * factor, scale) for value in self._values.get("ms" if unit == "s" else unit, ())
        )

    def withheld_as(self, number: str, unit: str, scale: int) -> Withheld | None:
        """The withheld finding that has this value, if one has."""
        for finding in _all_findings(self.derived):
            if isinstance(finding, Withheld) and _unit_of(finding) == unit and finding.value is not None:
                values = [finding.value, *(reading.values[finding.metric].value for reading in finding.displayed)]
                if any(_supports(number, value, scale) for value in values):
                    return finding
        return None

    @cached_property
    def _values(self) -> dict[str, list[float]]:
        return _values(self.derived)

    @cached_property
    def counts(self) -> set[tuple[int, int]]:
        return _counts(self.derived)

    @cached_property
    def exact_levels(self) -> set[int]:
        """Every measured number of users up to which some profile is exact."""
        return {
            finding.x
            for profile in self.derived.on_axis(Axis.CONCURRENT_USERS)
            for finding in profile.findings
            if finding.x is not None and finding.x <= (exact_through(profile.findings) or 0)
        }

    @cached_property
    def _whole(self) -> list[bool]:
        """For each profile over users, whether all of it is shown."""
        return [
            bool(profile.findings) and not profile.withheld for profile in self.derived.on_axis(Axis.CONCURRENT_USERS)
        ]

    @property
    def all_whole(self) -> bool:
        """Whether nothing that was measured over users is withheld, nor the headline."""
        return all(self._whole) and (self.derived.headline is None or isinstance(self.derived.headline.finding, Shown))

    @property
    def any_whole(self) -> bool:
        return any(self._whole)

    @cached_property
    def ratios(self) -> list[float]:
        return _ratios(self.derived)


def _unit_of(finding: Finding) -> str:
    return "ms" if finding.metric.startswith("ttft") else "tok/s"


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
            unit = _unit_of(finding)
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
        hint = ", ".join(metrics) or _places(campaign, match["arm"])
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
            hint=f"{_why(finding)}; see {_where(campaign, finding.failing)}",
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
