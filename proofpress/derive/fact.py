"""Fact: identifiers that a guide repeats in its commands, taken from card and evidence so that they cannot drift."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence
from proofpress.load.passage import Passage
from proofpress.problem import Problem
from proofpress.records.schema import did_you_mean

REFERENCE = re.compile(r"\[\[fact ([^\[\]\n]{1,120})\]\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact: as a command needs it, and as a sentence has it, with numbers grouped by thousands."""

    code: str
    prose: str


def facts(derived: Derived, evidence: Mapping[str, Evidence]) -> dict[str, Fact]:
    """Every fact that a card's guide may name, by name. Unknown ones are not there."""
    card = derived.card
    found = {"checkpoint": card.model.checkpoint}
    read: dict[str, str] = {}
    if card.model.revision:
        found["revision"] = card.model.revision
    if card.launch.environment:
        found["environment"] = " ".join(f"{name}={value}" for name, value in sorted(card.launch.environment.items()))
    for campaign_id in derived.campaigns:
        campaign = evidence[campaign_id].campaign
        for key, value in campaign.setup.settings.items():
            name = f"setting {campaign_id} {key}"
            found[name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            if isinstance(value, int) and not isinstance(value, bool):
                read[name] = f"{value:,}"
        if campaign.origin is not None:
            found.setdefault("repository", campaign.origin.repository)
            found.setdefault("commit", campaign.origin.commit)
        for number, source in enumerate(campaign.setup.engine.sources, start=1):
            name = "engine" if number == 1 else f"engine {number}"
            found.setdefault(f"{name} repository", source.repository)
            found.setdefault(f"{name} commit", source.commit)
        image = campaign.setup.image
        if image is not None and image.digest and card.launch.image:
            found[f"image {campaign_id}"] = f"{card.launch.image}@{image.digest}"
        if image is not None and image.digest and card.launch.image:
            found.setdefault("image", f"{card.launch.image}@{image.digest}")  # the headline's campaign comes first
    return {name: Fact(code=text, prose=read.get(name, text)) for name, text in found.items()}


def problems(passage: Passage, known: Mapping[str, Fact]) -> Iterator[Problem]:
    """References to facts that neither card nor evidence gives."""
    for match in REFERENCE.finditer(passage.words):
        if match[1] not in known:
            hint = did_you_mean(match[1], known) or f"known here: {', '.join(sorted(known))}"
            expected = "a fact that the card or its evidence gives"
            yield passage.problem("reference.fact", match.start(), match[0], expected=expected, hint=hint)


_CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.DOTALL | re.MULTILINE)


def filled(words: str, known: Mapping[str, Fact]) -> str:
    """`words` with every fact in place of its reference: in code as a command needs it, in prose as a reader does."""
    parts = _CODE.split(words)
    parts[::2] = [REFERENCE.sub(lambda match: known[match[1]].prose, part) for part in parts[::2]]
    parts[1::2] = [REFERENCE.sub(lambda match: known[match[1]].code, part) for part in parts[1::2]]
    return "".join(parts)
