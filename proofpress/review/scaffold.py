"""Scaffold: the first files of a new deployment, so that a contributor starts from something that passes the checks.

Comes in: an id, the vocabulary, and a campaign or what was stated instead. Goes out: texts of a card, a guide, and a README for the
evidence. Nothing is invented: what can be known comes from the campaign or was stated, what cannot is named as a gap, and texts that
only a person can write are those of `placeholder`, which the check names until they are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from proofpress.check import placeholder
from proofpress.derive.finding import Evidence, Shown, exact_through, findings
from proofpress.load.plain_word import value_of
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, Campaign
from proofpress.records.guide import SECTIONS
from proofpress.records.schema import WORD_LIMIT
from proofpress.records.vocabulary import Vocabulary

SUITE_METRICS = ("class_balanced_decode_1_100", "class_balanced_decode", "decode_1_100", "decode")
"""Statistics of a suite, the one that is preferred first."""

_METRICS: Mapping[Axis, tuple[str, ...]] = {
    Axis.CONTEXT_TOKENS: ("decode", "ttft_p50", "ttft_mean"),
    Axis.CONTEXT_DEPTH: ("decode", "prefill_server"),
    Axis.CONCURRENT_USERS: ("aggregate_wall", "aggregate_batched_bench", "ttft_p50"),
}
"""What a new card shows of each axis, as far as the campaign has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What a card cannot be without, where no campaign says it: words of the vocabulary, the model, the number of accelerators."""

    accelerator: str
    cards: int
    engine: str
    quantization: str
    checkpoint: str


def stated_by(campaign: Campaign, *, cards: int) -> Stated:
    """The same, as a campaign says it, for `cards` accelerators."""
    model = campaign.setup.model
    return Stated(
        accelerator=campaign.setup.accelerator,
        cards=cards,
        engine=campaign.setup.engine.name,
        quantization=model.quantization,
        checkpoint=model.checkpoint,
    )


def counts(campaign: Campaign) -> list[int]:
    """The numbers of accelerators that its arms state, the smallest first."""
    return sorted({arm.cards for arm in campaign.arms if arm.cards is not None})


def files(
    card_id: str, vocabulary: Vocabulary, *, family: str, stated: Stated, evidence: Evidence | None, today: date
) -> dict[str, str]:
    """The files of a new card by path: card, guide, and without a campaign the README of an evidence folder."""
    name = f"{stated.checkpoint.rpartition('/')[2]} on {vocabulary.accelerators[stated.accelerator].short}"[:WORD_LIMIT]
    lines = _card(
        card_id, name=name, vocabulary=vocabulary, family=family, stated=stated, evidence=evidence, today=today
    )
    card = "".join(f"{line}\n" for line in lines)
    made = {f"content/cards/{card_id}.yaml": card, f"content/guides/{card_id}.md": _guide(name)}
    if evidence is None:
        made[f"evidence/{card_id}/README.md"] = placeholder.README
    return made


def _card(
    card_id: str,
    *,
    name: str,
    vocabulary: Vocabulary,
    family: str,
    stated: Stated,
    evidence: Evidence | None,
    today: date,
) -> Iterator[str]:
    campaign = evidence.campaign if evidence else None
    revision = campaign.setup.model.revision if campaign else None
    weights: set[int | None] = {arm.weight_bytes for arm in campaign.arms} if campaign else set()
    measured = counts(campaign) if campaign else []
    yield "# yaml-language-server: $schema=../../schema/card.json"
    yield "format: proofpress.card/1"
    yield f"name: {_text(name)}"
    yield f"family: {_word(family)}"
    yield f"publisher: {_text(vocabulary.families[family].publisher)}"
    yield "model:"
    yield f"  checkpoint: {_text(stated.checkpoint)}"
    yield f"  revision: {_text(revision) if revision else 'null'}"
    yield f"  weight_bytes: {_only(weights)}"
    yield f"quantization: {_word(stated.quantization)}"
    yield f"compression: {placeholder.COMPRESSION}"
    yield f"engine: {_word(stated.engine)}"
    yield "hardware:"
    yield f"  accelerator: {_word(stated.accelerator)}"
    yield f"  cards: {stated.cards}"
    yield f"  cards_measured: [{', '.join(map(str, measured))}]"
    yield "  host_memory_bytes: null"
    yield "operating_systems: []"
    yield "delivery: []"
    yield "good_for: []"
    yield f"status: {_word(next(iter(vocabulary.statuses), UNNAMED))}"
    yield f"published: {today.isoformat()}"
    yield f"guide: {_word(card_id)}"
    yield "replay: not-yet"
    yield from _evidence_lines(evidence)
    yield "missing: []"
    yield "limits: []"
    who = campaign.measured_by if campaign else None
    yield "credits:"
    if who:
        yield f"  - {{name: {_text(who.name)}, kind: {who.kind}, contribution: Measured it.}}"
    else:
        yield f"  - {{name: {placeholder.PERSON}, kind: hobbyist, contribution: {placeholder.CONTRIBUTION}}}"
    yield "projection:"
    yield f"  none: {placeholder.PROJECTION}"
    yield "summary: >-"
    yield f"  {placeholder.SUMMARY}"


UNNAMED = "not-named-yet"
"""In place of a word, where the vocabulary has none; the check says what is wanted."""


def _evidence_lines(evidence: Evidence | None) -> Iterator[str]:
    if evidence is None:
        yield "headline: {pending: Nothing has been measured yet.}"
        yield "profiles: []"
        return
    yield from _headline(evidence)
    lines = list(_profiles(evidence))
    yield "profiles:" if lines else "profiles: []"
    yield from (f"  - {line}" for line in lines)


def _word(word: str) -> str:
    """A word as YAML reads it back unchanged, in quotes only where it would be taken for something else: 123, 1e5, on."""
    plain = re.fullmatch(r"[A-Za-z0-9](?:[\w.-]*\w)?", word, re.ASCII) and value_of(word) == word
    return word if plain else _text(word)


def _text(text: str) -> str:
    """Text as YAML reads it back unchanged: JSON's quotes are YAML's too."""
    return json.dumps(text, ensure_ascii=False)


def _only(values: set[int | None]) -> str:
    return str(next(iter(values))) if len(values) == 1 and None not in values else "null"


def _headline(evidence: Evidence) -> Iterator[str]:
    """The fastest suite value that is shown, by the first of the suite's statistics that any arm is shown by; a comment says so."""
    campaign = evidence.campaign
    for metric in SUITE_METRICS:
        shown = [
            (finding.value, arm)
            for arm in campaign.arms
            for finding in findings(evidence, arms=(arm.id,), metric=metric, axis=Axis.SUITE)
            if isinstance(finding, Shown)
        ]
        if shown:
            _, fastest = max(shown, key=lambda pair: pair[0])
            others = "the only arm" if len(shown) == 1 else f"the fastest of the {len(shown)} arms"
            yield f"# {fastest.id} is {others} whose suite is identity-qualified, by {metric}. Another arm can be named here."
            yield f"headline: {{campaign: {_word(campaign.id)}, arm: {_word(fastest.id)}, metric: {_word(metric)}}}"
            return
    yield "headline: {pending: No suite of this campaign is identity-qualified.}"


def _profiles(evidence: Evidence) -> Iterator[str]:
    campaign = evidence.campaign
    for axis, metrics in _METRICS.items():
        for arm in campaign.arms:
            for metric in metrics:
                found = findings(evidence, arms=(arm.id,), metric=metric, axis=axis)
                if found:
                    through = exact_through(found) if axis is Axis.CONCURRENT_USERS else None
                    claim = f", exact_through: {through}" if through else ""
                    yield (
                        f"{{campaign: {_word(campaign.id)}, arm: {_word(arm.id)}, metric: {_word(metric)}, axis: {axis.value}{claim}}}"
                    )
    yield from _ladders(evidence)


def _ladders(evidence: Evidence) -> Iterator[str]:
    """A ladder for arms that differ in draft depth alone, a suite profile for each that has no such company."""
    groups: dict[tuple[object, ...], list[Arm]] = {}
    for arm in evidence.campaign.arms:
        groups.setdefault((arm.cards, arm.tensor_parallel, arm.dtype), []).append(arm)
    for arms in groups.values():
        for metric in SUITE_METRICS:
            with_values = [arm for arm in arms if findings(evidence, arms=(arm.id,), metric=metric, axis=Axis.SUITE)]
            if not with_values:
                continue
            depths = {arm.depth for arm in with_values}
            if len(with_values) > 1 and None not in depths and len(depths) == len(with_values):
                names = ", ".join(_word(arm.id) for arm in sorted(with_values, key=lambda arm: arm.depth or 0))
                yield f"{{campaign: {_word(evidence.campaign.id)}, arms: [{names}], metric: {metric}, axis: draft_depth}}"
            else:
                yield from (
                    f"{{campaign: {_word(evidence.campaign.id)}, arm: {_word(arm.id)}, metric: {metric}, axis: suite}}"
                    for arm in with_values
                )
            break


def _guide(title: str) -> str:
    """A guide in which every section is empty and named as unknown: a gap until somebody writes it."""
    lines = ["---", "format: proofpress.guide/1", f"title: {_text(title)}", "unknown:"]
    lines += [f"  {section}: {placeholder.UNKNOWN}" for section in SECTIONS]
    lines.append("---")
    for heading in SECTIONS.values():
        lines += [f"## {heading}", ""]
    return "\n".join(lines)
