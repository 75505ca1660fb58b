"""Assertion: every statement in prose held against what the evidence of its card bears out.

Comes in: passages and a card's support. Goes out: problems at the very word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TypeAlias

from proofpress.check import passages
from proofpress.check.prose import read
from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence, why
from proofpress.derive.reference import ALONE, REFERENCE, Unresolved, beside, resolve, written
from proofpress.derive.subject import ArmKey, Spoken, at_number, named, sides, signed, users_at
from proofpress.derive.support import Pair, Support, supports
from proofpress.kernel.reading import Reading
from proofpress.language.numeral import WELL_WRITTEN
from proofpress.language.ratio import Sense, orders, ratios
from proofpress.language.sameness import counts, everywhere, is_of_others, levels, wholes
from proofpress.language.sentence import MARK, SIGN, clause
from proofpress.language.speed import FACT_RATE, Speed, speeds
from proofpress.language.table import Cell, cells
from proofpress.load.passage import MAX_PROBLEMS, Passage
from proofpress.load.source import Source
from proofpress.problem import Problem, quoted
from proofpress.records.vocabulary import Vocabulary

_MARKED = re.compile(f"{MARK}{SIGN.pattern}?")


def of_card(
    derived: Derived, source: Source, evidence: Mapping[str, Evidence], vocabulary: Vocabulary
) -> Iterator[Problem]:
    """Everything that a card says in words, held against its evidence."""
    yield from prose(passages.of_card(derived.card, source), derived, evidence, vocabulary)
    support = Support(derived)
    for passage in passages.beside_prose(derived.card, source):
        for words in dict.fromkeys((passage.words, read(passage.words, markdown=not passage.as_written))):
            found = chain(_speeds(_Read(passage), words, support), _wholes(_Read(passage), words, support))
            yield from islice(found, 1)


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
    words = signed(passage.words, support.derived, lambda text, sign: sign.ljust(len(text)))
    known = []
    for problem in _numbers(passage, words, support):
        known.append((problem.rule, _bare(problem.found)))
        yield problem
    if not passage.as_written:
        for cell, said in _in_cells(passage, words):
            yield from islice(_numbers(cell, said, support), 1)
    yield from _in_what_is_read(passage, support, known)


def _bare(found: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", found))


def _in_what_is_read(passage: Passage, support: Support, known: list[tuple[str, str]]) -> Iterator[Problem]:
    """What only the rendered text states: the mark-up between a number and its unit is gone there. Told of the passage as a whole."""
    marked = signed(passage.words, support.derived, lambda _, sign: MARK + sign)
    words = read(marked, markdown=not passage.as_written)
    for problem in _numbers(_Read(passage), words, support):
        if any(rule == problem.rule and _bare(problem.found) in found for rule, found in known):
            continue
        yield problem
    if not passage.as_written and not any(
        beside(passage.words, match.start(), match.end()) for match in REFERENCE.finditer(passage.words)
    ):
        for match in _MARKED.finditer(words):
            if beside(words, match.start(), match.end()):
                yield passage.problem(
                    "reference.number", -1, words[max(0, match.start() - 3) : match.end() + 4], expected=ALONE
                )


@dataclass(frozen=True, slots=True)
class _Read:
    """A passage as it is read: its places are not those of the file, so every problem is told of its beginning."""

    passage: Passage

    def problem(self, rule: str, start: int, words: str, *, expected: str, hint: str = "") -> Problem:
        return self.passage.problem(rule, -1, words, expected=expected, hint=hint)


@dataclass(frozen=True, slots=True)
class _InCell:
    """A cell of a table together with its header: problems are told of the cell."""

    passage: Passage
    start: int
    cell: Cell

    def problem(self, rule: str, start: int, words: str, *, expected: str, hint: str = "") -> Problem:
        found = f"{quoted(self.cell.words)}, which its header makes {quoted(words)}"
        return self.passage.problem(rule, self.start, self.cell.words, expected=expected, hint=hint, found=found)


_Place: TypeAlias = Passage | _Read | _InCell


def _in_cells(passage: Passage, words: str) -> Iterator[tuple[_InCell, str]]:
    """What the cells of tables say together with their headers."""
    starts = [0, *(match.end() for match in re.finditer("\n", words))]
    for cell in cells(words):
        start = words.find(cell.words, starts[cell.line]) if cell.line < len(starts) else -1
        yield _InCell(passage, start, cell), cell.said


def _numbers(place: _Place, words: str, support: Support) -> Iterator[Problem]:
    for match in FACT_RATE.finditer(words):
        expected = "a fact is no measurement; a speed comes from a reference, as [[campaign/arm users=8]]"
        yield place.problem("claim.number", match.start(), match[0], expected=expected)
    yield from _speeds(place, words, support)
    yield from _counts(place, words, support)
    yield from _levels(place, words, support)
    yield from _ratios(place, words, support)
    yield from _wholes(place, words, support)


def _speeds(place: _Place, words: str, support: Support) -> Iterator[Problem]:
    """Numbers with a unit of speed, or of time where the sentence is about waiting; in a range both ends."""
    found = tuple(speeds(words))
    for speed in found:
        end = speed.start + len(speed.words)
        first, last = clause(words, speed.start)
        is_alone = sum(first <= other.start < last for other in found) == 1
        spoken = at_number(words, speed.start, end, support.derived, is_alone=is_alone)
        if not support.measured_at(spoken.context):
            spoken = replace(spoken, context=frozenset())
        for number in speed.numbers:
            given = support.giving(number, speed.unit, speed.scale)
            if not any(value.is_of(spoken) for value in given):
                yield _unsupported(place, speed, number, support, spoken)
                break


def _unsupported(place: _Place, speed: Speed, number: str, support: Support, spoken: Spoken) -> Problem:
    rule, hint = "claim.number", "refer to it instead, as [[campaign/arm users=8]]"
    expected = "a measured number in prose is one that the card's own shown evidence gives"
    given = support.giving(number, speed.unit, speed.scale)
    withheld = None if given else support.withheld_as(number, speed.unit, speed.scale, spoken)
    if not WELL_WRITTEN.fullmatch(number):
        hint = "write numbers as 98.1 or 1,253.8, or refer to the evidence, as [[campaign/arm users=8]]"
    elif given:
        expected = "a number is said of what it was measured of"
        hint = f"the evidence gives {number} {speed.unit} of {given[0]}"
    elif withheld is not None:
        rule, expected = "identity.prose", "prose may repeat shown values only"
        hint = f"{number} {speed.unit} is withheld: {why(withheld)}"
    elif speed.unit == "ms" and support.giving(number, "s", speed.scale):
        hint = f"the evidence gives {number} seconds; milliseconds are a thousand times as many"
    elif speed.unit == "s" and support.giving(number, "ms", speed.scale):
        hint = f"the evidence gives {number} milliseconds"
    return place.problem(rule, speed.start, speed.words, expected=expected, hint=hint)


_MANY = 500
"""So many fractions or comparisons are no prose; the others of such a text are not each held against what they speak of."""


def _counts(place: _Place, words: str, support: Support) -> Iterator[Problem]:
    """Counts such as 12/12 in a sentence about equal outputs, or beside an arm."""
    totals = {total for _, total in support.counts}
    bare = 0
    for count in counts(words, bare=bool(named(words, support.derived))):
        bare += count.needs_arm
        if count.needs_arm and (count.total not in totals or bare > _MANY):
            continue
        about = support.about(words, count.start, count.words)
        if count.needs_arm and about is support:
            continue
        others = is_of_others(count, words)
        known = about.counts_at(users_at(words, count.start, count.start + len(count.words)))
        if others:
            known = frozenset((total - matched, total) for matched, total in known)
        if (count.matched, count.total) not in known:
            nearest = sorted((pair for pair in known if pair[1] == count.total), reverse=True)[:1]
            sense = " that differed" if others else ""
            hint = f"the evidence gives {nearest[0][0]}/{nearest[0][1]}{sense}" if nearest else ""
            expected = "a count in prose is one that the card's own evidence gives"
            yield place.problem("claim.count", count.start, count.words, expected=expected, hint=hint)


def _levels(place: _Place, words: str, support: Support) -> Iterator[Problem]:
    """'exact through 8 users': as far as the profiles that the sentence speaks of are exact, and measured there."""
    for level in levels(words):
        exact_levels = support.about(words, level.start, level.words).exact_levels
        if level.users not in exact_levels:
            known = ", ".join(str(end) for end in sorted(exact_levels)) or "none"
            expected = f"a number of users through which a profile of this card is exact: {known}"
            yield place.problem("claim.exact-through", level.start, level.words, expected=expected)


def _wholes(place: _Place, words: str, support: Support) -> Iterator[Problem]:
    """'Lossless' and its like need every run of the arms spoken of, 'at every number of users' all of their levels."""
    for whole in wholes(words):
        about = support.about(words, whole.start, whole.words)
        if not about.lossless and not (whole.needs_arm and about is support):
            expected = "every run of the arms that this speaks of is identity-qualified, and some were compared"
            hint = f"not so in {_told(about.unequal)}; name the arm that is meant, by its id" if about.unequal else ""
            yield place.problem("claim.exact-through", whole.start, whole.words, expected=expected, hint=hint)
    for whole in everywhere(words):
        if not support.about(words, whole.start, whole.words).all_users:
            expected = "every number of users that was measured is identity-qualified"
            yield place.problem("claim.exact-through", whole.start, whole.words, expected=expected)


def _told(reading: Reading) -> str:
    """A run that does not qualify, with its count or its reason."""
    what = written(reading.campaign, reading.arm, reading.axis, reading.x)
    reason = f", as {reading.reason.value}" if reading.reason is not None else ""
    count = f"{reading.identity} outputs matched" if reading.identity is not None else f"not compared{reason}"
    return f"{what}: {count} in the {reading.run_name}"


def _ratios(place: _Place, words: str, support: Support) -> Iterator[Problem]:
    """Ratios such as 45% faster, a speedup of 1.9x or twice as fast, recomputed; and which of two arms is called the faster."""
    expected = "a ratio in prose is that of two shown values of this card under equal conditions"
    for index, said in enumerate(ratios(words)):
        pairs: Sequence[Pair] = support.pairs
        if index < _MANY:
            one, other = sides(words, said.start, said.start + len(said.words), support.derived)
            pairs = _between(support, one, other, is_faster=said.is_faster)
        wanted = [value for pair in pairs for value in _as_said(pair.ratio, said.sense)]
        if any(supports(said.number, value) for value in wanted):
            continue
        hint = ""
        if said.kind:
            stated = float(said.number.replace(",", "")) if WELL_WRITTEN.fullmatch(said.number) else 1.0
            nearest = min(wanted, key=lambda value: abs(value - stated), default=None)
            hint = "" if nearest is None else f"nearest that the evidence gives: {nearest:.3g}{said.kind}"
        yield place.problem("claim.ratio", said.start, said.words, expected=expected, hint=hint)
    for order in islice(orders(words), _MANY):
        end = order.start + len(order.words)
        one, other = sides(words, order.start, end, support.derived, is_verb=order.is_verb)
        if one and other and not _between(support, one, other, is_faster=order.is_faster):
            hint = "the evidence shows no level at which this is so"
            yield place.problem("claim.ratio", order.start, order.words, expected=expected, hint=hint)


def _between(
    support: Support, one: frozenset[ArmKey], other: frozenset[ArmKey], *, is_faster: bool | None
) -> Sequence[Pair]:
    """The pairs that a comparison can mean: those of the arms that it names, the faster one on the side that is said to be."""
    if is_faster is None:
        arms = one | other
        return [pair for pair in support.pairs if not arms or pair.faster in arms or pair.slower in arms]
    faster, slower = (one, other) if is_faster else (other, one)
    return [
        pair
        for pair in support.pairs
        if (not faster or pair.faster in faster) and (not slower or pair.slower in slower)
    ]


def _as_said(ratio: float, sense: Sense) -> tuple[float, ...]:
    """What a ratio above 1 is in this sense; two values where the words leave open which way round."""
    more, less = 100 * (ratio - 1), 100 * (1 - 1 / ratio)
    match sense:
        case Sense.TIMES:
            return (ratio,)
        case Sense.MORE:
            return (more,)
        case Sense.LESS:
            return (less,)
        case Sense.CHANGED:
            return (more, less)
        case Sense.SHARE:
            return (100 * ratio, 100 / ratio)


_UNPROVED_IDENTITY = (
    "that outputs are equal is said where a card's evidence bears it out: in a card's text or its guide"
)


def elsewhere(sources: Iterable[Source]) -> Iterator[Problem]:
    """Speeds, their ratios and promises of equal outputs where no card's evidence stands behind a text.

    These are the site's description, the vocabulary, pages, and the words of campaigns.
    """
    for source in sources:
        for passage in passages.of_file(source):
            yield from islice(_unproved(passage), 1)


def _unproved(passage: Passage) -> Iterator[Problem]:
    expected = "a speed stands where a card's evidence bears it out: in a card's text or its guide"
    forms: list[tuple[_Place, str]] = [
        (passage, passage.words),
        (_Read(passage), read(passage.words, markdown=not passage.as_written)),
    ]
    if not passage.as_written:
        forms += _in_cells(passage, passage.words)
    for place, words in forms:
        for speed in speeds(words):
            if speed.is_pace:
                yield place.problem("claim.number", speed.start, speed.words, expected=expected)
        for ratio in ratios(words):
            yield place.problem("claim.ratio", ratio.start, ratio.words, expected=expected)
        for whole in wholes(words):
            if whole.is_plain and "conflict" not in passage.location:  # there, it is what a source says
                yield place.problem("claim.exact-through", whole.start, whole.words, expected=_UNPROVED_IDENTITY)
