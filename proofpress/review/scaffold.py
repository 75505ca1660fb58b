"""Scaffold: the first files of a new deployment, so that a contributor starts from something that passes the checks.

Comes in: an id, the library, and a campaign where there is one. Goes out: texts of a card, a guide, and a README for the evidence. No number
is typed: what can be known comes from the campaign, and what cannot is named as a gap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from proofpress.derive.caption import exact_through
from proofpress.derive.finding import Evidence, Shown, findings
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, Campaign
from proofpress.records.guide import SECTIONS
from proofpress.records.vocabulary import Vocabulary

SUITE_METRICS = ("class_balanced_decode_1_100", "class_balanced_decode", "decode_1_100", "decode")
"""Statistics of a suite, the one that is preferred first."""

_METRICS: Mapping[Axis, tuple[str, ...]] = {
    Axis.CONTEXT_TOKENS: ("decode", "ttft_p50", "ttft_mean"),
    Axis.CONTEXT_DEPTH: ("decode", "prefill_server"),
    Axis.CONCURRENT_USERS: ("aggregate_wall", "aggregate_batched_bench", "ttft_p50"),
}
"""What a new card shows of each axis, as far as the campaign has it."""


def files(
    card_id: str, vocabulary: Vocabulary, *, family: str, evidence: Evidence | None, today: date
) -> dict[str, str]:
    """The files of a new card by path: card, guide, and without a campaign the README of an evidence folder."""
    card = "".join(f"{line}\n" for line in _card(card_id, vocabulary, family, evidence, today))
    made = {f"content/cards/{card_id}.yaml": card, f"content/guides/{card_id}.md": _guide(card_id)}
    if evidence is None:
        made[f"evidence/{card_id}/README.md"] = _README
    return made


def _card(card_id: str, vocabulary: Vocabulary, family: str, evidence: Evidence | None, today: date) -> Iterator[str]:
    campaign = evidence.campaign if evidence else None
    model = campaign.setup.model if campaign else None
    weights: set[int | None] = {arm.weight_bytes for arm in campaign.arms} if campaign else set()
    cards = sorted({arm.cards for arm in campaign.arms if arm.cards is not None}) if campaign else []
    accelerator = campaign.setup.accelerator if campaign else _first(vocabulary.accelerators)
    yield "# yaml-language-server: $schema=../../schema/card.json"
    yield "format: proofpress.card/1"
    yield f"name: {_text(_name(card_id, campaign, vocabulary))}"
    yield f"family: {family}"
    yield f"publisher: {_text(vocabulary.families[family].publisher)}"
    yield "model:"
    yield f"  checkpoint: {_text(model.checkpoint if model else card_id)}"
    yield f"  revision: {_text(model.revision) if model and model.revision else 'null'}"
    yield f"  weight_bytes: {_only(weights)}"
    yield f"quantization: {_text(model.quantization if model else _first(vocabulary.quantizations))}"
    yield "compression: not described yet"
    yield f"engine: {campaign.setup.engine.name if campaign else _first(vocabulary.engines)}"
    yield "hardware:"
    yield f"  accelerator: {accelerator}"
    yield f"  cards: {cards[0] if cards else 1}"
    yield f"  cards_measured: [{', '.join(map(str, cards)) or 1}]"
    yield "  host_memory_bytes: null"
    yield "operating_systems: []"
    yield "delivery: []"
    yield "good_for: []"
    yield f"status: {next(iter(vocabulary.statuses), UNNAMED)}"
    yield f"published: {today.isoformat()}"
    yield f"guide: {card_id}"
    yield "replay: not-yet"
    yield from _evidence_lines(evidence)
    yield "missing: []"
    yield "limits: []"
    who = campaign.measured_by if campaign else None
    yield "credits:"
    yield f"  - {{name: {_text(who.name if who else 'your name')}, kind: {who.kind if who else 'hobbyist'}, contribution: Measured.}}"
    yield "projection:"
    yield "  none: Nobody has looked for a like-for-like model yet."
    yield "summary: >-"
    yield "  Say in two or three sentences what this deployment is, and what a reader should know first."


UNNAMED = "not-named-yet"
"""In place of a word, where the vocabulary has none; the check says what is wanted."""


def _first(words: Iterable[str]) -> str:
    return min(words, default=UNNAMED)


def _evidence_lines(evidence: Evidence | None) -> Iterator[str]:
    if evidence is None:
        yield "headline: {pending: Nothing has been measured yet.}"
        yield "profiles: []"
        return
    headline = _headline(evidence)
    yield (
        f"headline: {headline}" if headline else "headline: {pending: No suite of this campaign is identity-qualified.}"
    )
    lines = list(_profiles(evidence))
    yield "profiles:" if lines else "profiles: []"
    yield from (f"  - {line}" for line in lines)


def _name(card_id: str, campaign: Campaign | None, vocabulary: Vocabulary) -> str:
    if campaign is None:
        return card_id
    accelerator = vocabulary.accelerators[campaign.setup.accelerator].short
    return f"{campaign.setup.model.checkpoint.rpartition('/')[2]} on {accelerator}"[:120]


def _text(text: str) -> str:
    """Text as YAML reads it back unchanged: JSON's quotes are YAML's too."""
    return json.dumps(text, ensure_ascii=False)


def _only(values: set[int | None]) -> str:
    return str(next(iter(values))) if len(values) == 1 and None not in values else "null"


def _headline(evidence: Evidence) -> str | None:
    """The suite finding of the deepest draft that is shown."""
    best: tuple[int, str] | None = None
    for arm in evidence.campaign.arms:
        for metric in SUITE_METRICS:
            found = findings(evidence, arms=(arm.id,), metric=metric, axis=Axis.SUITE)
            if any(isinstance(finding, Shown) for finding in found):
                line = f"{{campaign: {evidence.campaign.id}, arm: {arm.id}, metric: {metric}}}"
                best = max(best or (-1, ""), (arm.depth or 0, line), key=lambda pair: pair[0])
                break
    return best[1] if best else None


def _profiles(evidence: Evidence) -> Iterator[str]:
    campaign = evidence.campaign
    for axis, metrics in _METRICS.items():
        for arm in campaign.arms:
            for metric in metrics:
                found = findings(evidence, arms=(arm.id,), metric=metric, axis=axis)
                if found:
                    through = exact_through(found) if axis is Axis.CONCURRENT_USERS else None
                    claim = f", exact_through: {through}" if through else ""
                    yield f"{{campaign: {campaign.id}, arm: {arm.id}, metric: {metric}, axis: {axis.value}{claim}}}"
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
                names = ", ".join(arm.id for arm in sorted(with_values, key=lambda arm: arm.depth or 0))
                yield f"{{campaign: {evidence.campaign.id}, arms: [{names}], metric: {metric}, axis: draft_depth}}"
            else:
                yield from (
                    f"{{campaign: {evidence.campaign.id}, arm: {arm.id}, metric: {metric}, axis: suite}}"
                    for arm in with_values
                )
            break


def _guide(card_id: str) -> str:
    """A guide in which everything is named as unknown: each line becomes a gap until somebody writes the section."""
    lines = ["---", "format: proofpress.guide/1", f"title: {_text(card_id)}", "unknown:"]
    lines += [f"  {section}: nobody has written this down yet" for section in SECTIONS]
    lines.append("---")
    for heading in SECTIONS.values():
        lines += [f"## {heading}", "", "Not written yet.", ""]
    return "\n".join(lines)


_README = """# How this was measured

Say which machine, which prompts, how often, and with what tool, so that someone else can do the same. Put the tool's own file beside this
one, as it is, and `campaign.json` too: an importer makes it where there is one for your tool (`python build.py import --help`).
"""
