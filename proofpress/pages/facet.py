"""Facet: what cards can be found by: words per card, labels and counts per word, and what each is sorted by.

Comes in: derived cards. Goes out: `Facet` groups for the library's filter, words and sort keys for each entry of its list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from proofpress.derive import wording
from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.finding import Shown
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm
from proofpress.records.vocabulary import Vocabulary

NONE = "none"
"""The word of cards without speculation."""
PENDING = "pending"
"""The word of cards without a single-user number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One word of a facet, how it is called, and how many cards have it."""

    word: str
    label: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """One thing that cards differ in, with the words that occur, in the order in which they are offered."""

    id: str
    label: str
    choices: tuple[Choice, ...]


def words(derived: Derived) -> dict[str, tuple[str, ...]]:
    """The card's words by facet. A card can have several words of one facet: it was measured on one card and on two."""
    card = derived.card
    curves = {
        "context": derived.on_axis(Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH),
        "users": derived.on_axis(Axis.CONCURRENT_USERS),
        "ttft": derived.profiles,
    }
    grades = {profile.campaign.grade for profile in derived.profiles}
    if derived.headline is not None:
        grades.add(derived.headline.evidence.campaign.grade)
    return {
        "family": (card.family,),
        "quantization": (card.quantization,),
        "engine": (card.engine,),
        "accelerator": (card.hardware.accelerator,),
        "cards": tuple(map(str, sorted(card.hardware.cards_measured))),
        "number": (_headline_word(derived),),
        "speculation": tuple(
            sorted({arm.speculation.method if arm.speculation else NONE for arm in _shown_arms(derived)})
        ),
        "curve": tuple(
            name
            for name, profiles in curves.items()
            if any(profile.shown and _is_ttft(profile) == (name == "ttft") for profile in profiles)
        ),
        "status": (card.status,),
        "grade": tuple(sorted(grades)),
    }


def _is_ttft(profile: Profile) -> bool:
    return profile.choice.metric.startswith("ttft")


def _headline_word(derived: Derived) -> str:
    """On how many cards the single-user number was measured."""
    if derived.headline is None or single(derived) is None:
        return PENDING
    return str(derived.headline.arm.cards or derived.card.hardware.cards)


def single(derived: Derived) -> float | None:
    """The card's single-user number; None while it is pending."""
    finding = derived.headline.finding if derived.headline else None
    return finding.value if isinstance(finding, Shown) else None


def for_use(derived: Derived, vocabulary: Vocabulary) -> bool:
    """Whether the card is a deployment: it was not taken back, and one of the things that it is good for is use."""
    return derived.card.withdrawn is None and any(vocabulary.good_for[word].for_use for word in derived.card.good_for)


def _shown_arms(derived: Derived) -> Iterator[Arm]:
    if derived.headline is not None:
        yield derived.headline.arm
    for profile in derived.profiles:
        shown = {finding.arm for finding in profile.shown}
        yield from (arm for arm in profile.arms if arm.id in shown)


_CURVES = {"context": "speed over context", "users": "many users", "ttft": "time to first token"}


def _counted_cards(word: str) -> str:
    return wording.counted(int(word), "accelerator")


def facets(cards: Sequence[Derived], vocabulary: Vocabulary) -> tuple[Facet, ...]:
    """The facets in which the cards have words, with the number of cards of each word."""
    found: dict[str, Counter[str]] = {}
    for derived in cards:
        for facet, own in words(derived).items():
            found.setdefault(facet, Counter()).update(own)
    made = []
    for facet, (label, name) in _labels(vocabulary).items():
        counts = found.get(facet, Counter())
        choices = [Choice(word=word, label=name(word), count=count) for word, count in counts.items()]
        choices.sort(key=_numbers_first if facet in {"cards", "number"} else _by_label)
        if choices:
            made.append(Facet(id=facet, label=label, choices=tuple(choices)))
    return tuple(made)


def _numbers_first(choice: Choice) -> tuple[bool, int, str]:
    return not choice.word.isdigit(), int(choice.word) if choice.word.isdigit() else 0, choice.label


def _by_label(choice: Choice) -> tuple[bool, int, str]:
    return choice.word == NONE, 0, choice.label.casefold()


def _labels(vocabulary: Vocabulary) -> Mapping[str, tuple[str, Callable[[str], str]]]:
    """What each facet is called, and how its words are."""
    return {
        "family": ("Model family", lambda word: vocabulary.families[word].label),
        "cards": ("Accelerators measured", _counted_cards),
        "curve": ("Has a curve of", lambda word: _CURVES[word]),
        "number": (
            "Single-user number",
            lambda word: PENDING if word == PENDING else f"on {_counted_cards(word)}",
        ),
        "quantization": ("Quantization", lambda word: vocabulary.quantizations[word].label),
        "speculation": (
            "Speculation",
            lambda word: "no speculation" if word == NONE else vocabulary.speculation_methods[word].label,
        ),
        "engine": ("Engine", lambda word: vocabulary.engines[word].label),
        "accelerator": ("Accelerator", lambda word: vocabulary.accelerators[word].short),
        "status": ("Status", lambda word: vocabulary.statuses[word].label),
        "grade": ("Evidence", lambda word: vocabulary.terms[f"grade-{word}"].label),
    }


def search_text(derived: Derived, vocabulary: Vocabulary) -> str:
    """What a search looks in, in small letters: names, ids and labels, no numbers that were measured."""
    card = derived.card
    labels = _labels(vocabulary)
    named = [labels[facet][1](word) for facet, own in words(derived).items() for word in own]
    texts = [card.name, derived.id, card.publisher, card.model.checkpoint, card.compression, *named]
    return " ".join(dict.fromkeys(" ".join(texts).casefold().split()))


def fastest(cards: Sequence[Derived], number_of_cards: int, vocabulary: Vocabulary) -> Derived | None:
    """The deployment with the highest single-user number that was measured on so many cards; None where there is none."""
    candidates = [
        derived for derived in cards if _headline_word(derived) == str(number_of_cards) and for_use(derived, vocabulary)
    ]
    return max(candidates, key=lambda derived: (single(derived) or 0.0, derived.id), default=None)
