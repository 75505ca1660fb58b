"""Assertion: every statement in prose held against what the evidence of its card bears out.

Comes in: passages and a card's support. Goes out: problems at the very word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from proofpress.check import passages
from proofpress.check.prose import read
from proofpress.derive import statement
from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence, why
from proofpress.derive.reference import ALONE, REFERENCE, Unresolved, beside, resolve
from proofpress.derive.support import WELL_WRITTEN, Support, supports
from proofpress.load.passage import MAX_PROBLEMS, Passage
from proofpress.load.source import Source
from proofpress.problem import Problem
from proofpress.records.vocabulary import Vocabulary

_MARK = "\ue000"


def of_card(
    derived: Derived, source: Source, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Iterator[Problem]:
    """Everything that a card says in words, held against its evidence."""
    yield from prose(passages.of_card(derived.card, source), derived, evidence, vocabulary)
    support = Support(derived)
    for passage in passages.beside_prose(derived.card, source):
        for words in dict.fromkeys((passage.words, read(passage.words, markdown=not passage.as_written))):
            yield from islice(_rates(_Read(passage), words, support), 1)


def prose(
    written: Iterable[Passage], derived: Derived, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Iterator[Problem]:
    """Every measured number in prose that the card's own evidence does not support, and every reference that leads nowhere."""
    support = Support(derived)
    for passage in written:
        found = _in_passage(passage, support, evidence, vocabulary)
        yield from islice(found, MAX_PROBLEMS)


def _in_passage(
    passage: Passage, support: Support, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
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
        elif beside(passage.words, match.start(), match.end()):
            yield passage.problem("reference.number", match.start(), match[0], expected=ALONE)
    words = REFERENCE.sub(lambda match: " " * len(match[0]), passage.words)
    known = []
    for problem in _numbers(passage, words, support):
        known.append((problem.rule, _bare(problem.found)))
        yield problem
    yield from _in_what_is_read(passage, support, known)


def _bare(found: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", found))


def _in_what_is_read(passage: Passage, support: Support, known: list[tuple[str, str]]) -> Iterator[Problem]:
    """What only the rendered text states: the mark-up between a number and its unit is gone there. Told of the passage as a whole."""
    words = read(REFERENCE.sub(_MARK, passage.words), markdown=not passage.as_written)
    for problem in _numbers(_Read(passage), words, support):
        if any(rule == problem.rule and _bare(problem.found) in found for rule, found in known):
            continue
        yield problem
    if not passage.as_written and not any(
        beside(passage.words, match.start(), match.end()) for match in REFERENCE.finditer(passage.words)
    ):
        for match in re.finditer(_MARK, words):
            if beside(words, match.start(), match.end()):
                yield passage.problem(
                    "reference.number", -1, words[max(0, match.start() - 3) : match.end() + 4], expected=ALONE
                )


def _numbers(passage: Passage | _Read, words: str, support: Support) -> Iterator[Problem]:
    for match in statement.FACT_RATE.finditer(words):
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


def _rates(passage: Passage | _Read, words: str, support: Support) -> Iterator[Problem]:
    """Numbers with a unit of speed, or of time where the sentence is about waiting; in a range both ends."""
    for match, unit in statement.rates(words):
        low = statement.RANGE_BEFORE.search(words[max(0, match.start() - 40) : match.start()])
        written = match.groupdict().get("scale")
        scale = statement.SCALES[written.strip(" *_`~-\n").lower()] if written else 0
        stated = [match["number"], *([low[1]] if low else [])]
        wrong = [number for number in stated if not support.gives(number, unit, scale)]
        if wrong:
            yield _unsupported(passage, match, support, number=wrong[0], unit=unit, scale=scale)


def _unsupported(
    passage: Passage | _Read, match: re.Match[str], support: Support, *, number: str, unit: str, scale: int
) -> Problem:
    rule, hint = "claim.number", "refer to it instead, as [[campaign/arm users=8]]"
    expected = "a measured number in prose is one that the card's own shown evidence gives"
    withheld = support.withheld_as(number, unit, scale)
    if not WELL_WRITTEN.fullmatch(number):
        hint = "write numbers as 98.1 or 1,253.8, or refer to the evidence, as [[campaign/arm users=8]]"
    elif withheld is not None:
        rule, expected = "identity.prose", "prose may repeat shown values only"
        hint = f"{number} {unit} is withheld: {why(withheld)}"
    elif unit == "ms" and support.gives(number, "s", scale):
        hint = f"the evidence gives {number} seconds; milliseconds are a thousand times as many"
    elif unit == "s" and support.gives(number, "ms", scale):
        hint = f"the evidence gives {number} milliseconds"
    return passage.problem(rule, match.start(), match[0], expected=expected, hint=hint)


def _fractions(passage: Passage | _Read, words: str, support: Support) -> Iterator[Problem]:
    """Counts such as 12/12 in a sentence about equal outputs."""
    for match in statement.FRACTION.finditer(words):
        pair = (int(match["matched"]), int(match["total"]))
        if pair[0] > pair[1] or not statement.in_sentence(statement.IDENTITY_WORD, words, match.start()):
            continue
        counts = support.about(words, match.start()).counts
        if pair not in counts:
            known = sorted((count for count in counts if count[1] == pair[1]), reverse=True)[:1]
            hint = f"the evidence gives {known[0][0]}/{known[0][1]}" if known else ""
            expected = "a count in prose is one that the card's own evidence gives"
            yield passage.problem("claim.count", match.start(), match[0], expected=expected, hint=hint)


def _levels(passage: Passage | _Read, words: str, support: Support) -> Iterator[Problem]:
    """'exact through 8 users': as far as the profiles that the sentence speaks of are exact, and measured there."""
    for match in statement.THROUGH.finditer(words):
        levels = support.about(words, match.start()).exact_levels
        if int(match["short"] or match["users"]) not in levels:
            known = ", ".join(str(end) for end in sorted(levels)) or "none"
            expected = f"a number of users through which a profile of this card is exact: {known}"
            yield passage.problem("claim.exact-through", match.start(), match[0], expected=expected)


def _wholly(passage: Passage | _Read, words: str, support: Support) -> Iterator[Problem]:
    """'Lossless' and its like need every run of the arms spoken of, 'at every number of users' all of their levels."""
    for match in statement.WHOLLY.finditer(words):
        if not support.about(words, match.start()).lossless:
            expected = "every run of the arms that this speaks of is identity-qualified, and some were compared"
            yield passage.problem("claim.exact-through", match.start(), match[0], expected=expected)
    for match in statement.AT_EVERY_NUMBER.finditer(words):
        same = statement.in_sentence(statement.SAME, words, match.start())
        if same and not support.about(words, match.start()).all_users:
            expected = "every number of users that was measured is identity-qualified"
            yield passage.problem("claim.exact-through", match.start(), match[0], expected=expected)


def _comparisons(passage: Passage | _Read, words: str, support: Support) -> Iterator[Problem]:
    """Ratios such as 45% faster or a speedup of 1.9x, recomputed."""
    for match in (*statement.RATIO.finditer(words), *statement.RATIO_BEHIND.finditer(words)):
        word, kind = match["word"].lower(), match["kind"].strip(" -").lower()
        if word in statement.NEEDS_SPEED_WORD and not statement.in_sentence(statement.SPEED_WORD, words, match.start()):
            continue
        as_percent = kind in {"%", "percent"}
        wanted = [
            _said(
                ratio,
                as_percent=as_percent,
                faster=word not in statement.SLOWER,
                excess=word not in statement.OF_THE_WHOLE,
            )
            for ratio in support.ratios
        ]
        number = match["number"]
        if not any(supports(number, value) for value in wanted):
            stated = float(number.replace(",", "")) if WELL_WRITTEN.fullmatch(number) else 1.0
            nearest = min(wanted, key=lambda value: abs(value - stated), default=None)
            expected = "a ratio in prose is that of two shown values of this card under equal conditions"
            hint = "" if nearest is None else f"nearest that the evidence gives: {nearest:.3g}{match['kind']}"
            yield passage.problem("claim.ratio", match.start(), match[0], expected=expected, hint=hint)


def _ratios_in_words(passage: Passage | _Read, words: str, support: Support) -> Iterator[Problem]:
    """'Twice as fast' and its like: the ratio is that of two shown values, as well as whole numbers can say it."""
    taken = {match.start() for match in statement.RATIO.finditer(words)}
    for match in statement.RATIO_IN_WORDS.finditer(words):
        if match.start() in taken:
            continue
        said = next(said for said in match.groups() if said)
        number = str(statement.SMALL.get(said.lower(), said))
        if not any(supports(number, ratio) for ratio in support.ratios):
            expected = "a ratio in prose is that of two shown values of this card under equal conditions"
            yield passage.problem("claim.ratio", match.start(), match[0], expected=expected)


def _said(ratio: float, *, as_percent: bool, faster: bool, excess: bool) -> float:
    if not as_percent:
        return ratio
    if not excess:
        return 100 * ratio
    return 100 * (ratio - 1) if faster else 100 * (1 - 1 / ratio)


def elsewhere(sources: Iterable[Source]) -> Iterator[Problem]:
    """Speeds in texts that no card's evidence stands behind: the site's description, vocabulary, pages, campaigns' words."""
    for source in sources:
        for passage in passages.of_file(source):
            yield from islice(_any_rate(passage), 1)


def _any_rate(passage: Passage) -> Iterator[Problem]:
    expected = "a speed stands where a card's evidence bears it out: in a card's text or its guide"
    forms: list[tuple[Passage | _Read, str]] = [
        (passage, passage.words),
        (_Read(passage), read(passage.words, markdown=not passage.as_written)),
    ]
    for place, words in forms:
        for match, unit in statement.rates(words):
            if unit in {"tok/s", "other", "ms per token"}:
                yield place.problem("claim.number", match.start(), match[0], expected=expected)
