"""Card text: a card as Markdown, for those who paste it elsewhere, and in one sentence."""

from __future__ import annotations

from proofpress.check import prose
from proofpress.derive import caption, wording
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.omission import omissions
from proofpress.pages.curve import X_LABEL, heading, identity_cell
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
    cards = f"{wording.counted(card.hardware.cards, 'card')} of type {accelerator}"
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


def markdown(edition: Edition, derived: Derived) -> str:
    """The card as Markdown, for those who paste it elsewhere: the number, its proof, tables, what is withheld and what is missing."""
    vocabulary = edition.library.vocabulary
    lines = [f"# {derived.card.name}", "", one_sentence(derived, vocabulary), ""]
    headline = derived.headline
    if headline is not None and headline.finding.value is not None:
        unit = vocabulary.metrics[headline.choice.metric].unit
        lines.append(
            f"**{wording.brief(headline.finding.value)} {unit}, one user.** {caption.headline_statistic(headline, vocabulary)}"
        )
        lines += [caption.headline_check(headline), ""]
    else:
        lines += [f"**Single-user number pending.** {derived.pending or ''}", ""]
    for profile in derived.profiles:
        unit = vocabulary.metrics[profile.choice.metric].unit
        lines += [
            f"## {heading(derived, profile, vocabulary)}",
            "",
            str(caption.of_profile(profile, vocabulary)),
            "",
        ]
        if profile.shown:
            lines += [f"| {X_LABEL[profile.choice.axis]} | {unit} | identical |", "|---:|---:|---:|"]
            lines += [
                f"| {finding.x if finding.x is not None else 'suite'} | {wording.exact(finding.value)} | {identity_cell(finding)} |"
                for finding in profile.shown
            ]
            lines.append("")
        lines += [
            f"- withheld: {caption.withheld_line(finding, profile.choice.axis, unit, vocabulary)}"
            for finding in profile.withheld
        ]
        lines += [f"- planned: {line}" for line in caption.unmeasured(profile)]
        lines += [""] if profile.withheld or profile.not_measured else []
    left_out = [caption.omitted(one, vocabulary) for one in omissions(derived, edition.cards, edition.evidence)]
    if left_out:
        lines += ["## Not on this card", "", *(f"- {line}" for line in left_out), ""]
    lines += ["## Still missing", ""]
    lines += [f"- {gap.text}{f' ({gap.detail})' if gap.detail else ''}" for gap in edition.gaps[derived.id]]
    return "\n".join(lines) + "\n"
