"""Card text: a card in one sentence, and why one was taken back."""

from __future__ import annotations

from proofpress.check import prose
from proofpress.derive import wording
from proofpress.derive.derivation import Derived
from proofpress.records.card import Card
from proofpress.records.vocabulary import Vocabulary


def withdrawal(card: Card) -> str:
    """When and why a card was taken back."""
    day = f" on {wording.day(card.withdrawn)}" if card.withdrawn else ""
    return f"Withdrawn{day}: {wording.sentence(prose.plain(card.withdrawn_because or ''))}"


def one_sentence(derived: Derived, vocabulary: Vocabulary) -> str:
    card = derived.card
    engine = vocabulary.engines[card.engine].label
    accelerator = vocabulary.accelerators[card.hardware.accelerator].short
    delivery = wording.listed([vocabulary.delivery[word].label for word in card.delivery])
    cards = wording.counted(card.hardware.cards, f"{accelerator} accelerator")
    where = f"{', '.join(filter(None, (engine, delivery, cards)))}."
    if card.withdrawn is not None:
        return f"{withdrawal(card)} {where}"
    if derived.headline is None:
        return where
    speculation = derived.headline.arm.speculation
    if speculation is None:
        return f"{where} Every token comes from the full model."
    if speculation.depth is None:
        return f"{where} {wording.sentence(wording.speculation(derived.headline.arm))}"
    drafted = wording.counted(speculation.depth, "token")
    return f"{where} {drafted[:1].upper()}{drafted[1:]} drafted per step, each checked by the full model."
