"""Vocabulary: every word that cards and evidence choose from a list, defined once in `content/vocabulary.yaml`.

Comes in: the checked file. Goes out: lookups, and problems for words that are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Literal

from proofpress.load.source import Location, Source
from proofpress.problem import Problem, quoted
from proofpress.records.axis import Axis
from proofpress.records.reason import Reason
from proofpress.records.schema import Closed, Id, Positive, Sentence, Word, did_you_mean


class Term(Closed):
    """A word with its label and its explanation for a reader who meets it for the first time."""

    label: Word
    explain: Sentence


class Use(Term):
    """What a set-up is good for."""

    for_use: bool = True
    """Whether that is running it for its answers; a check of a method is not."""


class Metric(Closed):
    """A metric's words; its formula lives in `metric`, and a test pairs the two."""

    label: Word
    short: Word
    """What stands at the axis and over a table column, without the unit."""
    unit: Word
    statistic: Sentence
    """The statistic in words, as a clause that can follow the number."""
    explain: Sentence
    derived: bool = False


class Accelerator(Closed):
    """A kind of accelerator."""

    label: Word
    short: Word
    vendor: Word
    memory_bytes: Positive
    explain: Sentence


class Family(Closed):
    """One model line."""

    label: Word
    publisher: Word
    explain: Sentence


class Setting(Closed):
    """An engine setting that a campaign may state, and the type of its value."""

    label: Word
    type: Literal["integer", "text", "boolean", "list"]
    explain: Sentence
    unit: Word | None = None
    """What its number counts, where the label does not say so: 'tokens'."""


class GapKind(Closed):
    """A line of 'still missing', with what closes it."""

    text: Sentence
    close_with: Sentence
    computed: bool = False
    """Whether the build finds this gap itself; one that it can find and does not is stale on a card."""


class Vocabulary(Closed):
    """All words of the site."""

    format: Literal["proofpress.vocabulary/1"]
    units: Mapping[Word, Term]
    metrics: Mapping[Word, Metric]
    axes: Mapping[Word, Term]
    accelerators: Mapping[Id, Accelerator]
    engines: Mapping[Id, Term]
    quantizations: Mapping[Id, Term]
    families: Mapping[Id, Family]
    statuses: Mapping[Id, Term]
    operating_systems: Mapping[Id, Term]
    delivery: Mapping[Id, Term]
    good_for: Mapping[Id, Use]
    speculation_methods: Mapping[Word, Term]
    draft_heads: Mapping[Id, Term]
    apis: Mapping[Id, Term]
    suites: Mapping[Id, Term]
    settings: Mapping[Word, Setting]
    gaps: Mapping[Id, GapKind]
    reasons: Mapping[Id, Term]
    terms: Mapping[Id, Term]

    def problems(self, source: Source) -> Iterator[Problem]:
        """Words that the program itself prints and that are not explained, and metrics in units that do not exist."""
        for list_name, needed in NEEDED.items():
            for word in sorted(needed - set(self.words(list_name))):
                expected = f"'{word}' is explained here: the program prints it"
                yield source.problem(
                    "schema.missing-word", (list_name,), key=True, found=f"no '{word}'", expected=expected
                )
        for name, metric in self.metrics.items():
            yield from unknown_word(
                source, ("metrics", name, "unit"), word=metric.unit, list_name="units", vocabulary=self
            )

    def words(self, list_name: str) -> Mapping[str, object]:
        """The list called `list_name`, by word."""
        words: Mapping[str, object] = getattr(self, list_name)
        return words


NEEDED: Mapping[str, Set[str]] = {
    "axes": {axis.value for axis in Axis},
    "reasons": {reason.value for reason in Reason},
    "gaps": {
        "clean-host-replay",
        "context-sweep",
        "headline-pending",
        "identity-above",
        "identity-evidence",
        "quiet-machine",
        "single-pass",
        "single-server",
        "stale-image",
        "ttft-over-context",
        "users-sweep",
    },
    "terms": {"grade-record", "grade-requests"},
}
"""The words that the program prints of itself, by list; every vocabulary explains them."""


def unknown_word(
    source: Source, location: Location, *, word: str, list_name: str, vocabulary: Vocabulary
) -> tuple[Problem, ...]:
    """A problem if `word` is not in the vocabulary's list `list_name`; units have a rule id of their own."""
    words = vocabulary.words(list_name)
    if word in words:
        return ()
    singular = _SINGULAR[list_name]
    spelling = _UNIT_HINTS.get(word.lower(), "") if list_name == "units" else ""
    rule = "unit.unknown" if list_name == "units" else "reference.unknown-word"
    nearest = did_you_mean(word, words) or f"known: {', '.join(sorted(words)) or 'none yet'};"
    return (
        source.problem(
            rule,
            location,
            found=quoted(word),
            expected=f"{singular} from 'content/vocabulary.yaml', list '{list_name}'",
            hint=spelling or f"{nearest} or add it there, with a label and an explanation",
        ),
    )


_UNIT_HINTS = {
    **dict.fromkeys(
        ("tps", "t/s", "tok/sec", "toks/s", "token/s", "tokens/s", "tokens/sec", "tokens per second"), "write 'tok/s'"
    ),
    **dict.fromkeys(("msec", "msecs", "millisecond", "milliseconds"), "write 'ms'"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "times are in 'ms': 1.526 s is 1526 ms"),
}
"""Spellings that people use for the units of this site."""

_SINGULAR = {
    "units": "a unit",
    "metrics": "a metric",
    "accelerators": "an accelerator",
    "engines": "an engine",
    "quantizations": "a quantization",
    "families": "a family",
    "statuses": "a status",
    "operating_systems": "an operating system",
    "delivery": "a way of delivery",
    "good_for": "a use",
    "speculation_methods": "a speculation method",
    "draft_heads": "a draft head",
    "apis": "an interface",
    "suites": "a prompt suite",
    "settings": "a setting",
    "gaps": "a gap",
}
