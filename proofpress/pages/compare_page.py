"""Compare page: all cards to choose from, and ready-made comparisons; a script puts two to four of them side by side."""

from __future__ import annotations

from dataclasses import dataclass

from proofpress.derive.edition import Edition
from proofpress.pages import comparison
from proofpress.pages.facet import search_text
from proofpress.pages.page import Crumb, Head

MOST = 4
"""How many cards stand side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One card that can be chosen."""

    id: str
    name: str
    href: str
    setup: str
    search: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage:
    """The model of `compare.html`."""

    head: Head
    candidates: tuple[Candidate, ...]
    suggestions: tuple[tuple[str, str], ...]
    """What is compared, and the address."""
    groups: tuple[tuple[str, str], ...]
    """Pages that put cards side by side without a script: label and address."""


def compare_page(edition: Edition) -> ComparePage:
    """The page, with every card of the library, by name."""
    vocabulary = edition.library.vocabulary
    candidates = tuple(
        Candidate(
            id=derived.id,
            name=derived.card.name,
            href=f"models/{derived.id}.html",
            setup=", ".join(
                (
                    vocabulary.engines[derived.card.engine].label,
                    vocabulary.quantizations[derived.card.quantization].label,
                    f"{derived.card.hardware.cards} × {vocabulary.accelerators[derived.card.hardware.accelerator].short}",
                )
            ),
            search=search_text(derived, vocabulary),
        )
        for derived in sorted(edition.cards, key=lambda derived: (derived.card.name.casefold(), derived.id))
    )
    families = sorted({derived.card.family for derived in edition.cards})
    accelerators = sorted({derived.card.hardware.accelerator for derived in edition.cards})
    return ComparePage(
        head=Head(
            path="compare.html",
            title="Compare set-ups",
            description="Two to four set-ups side by side: what differs comes first, and curves share a chart only where the same thing was measured.",
            crumbs=(Crumb(label="Library", href="index.html"), Crumb(label="Compare")),
            own="compare",
        ),
        candidates=candidates,
        suggestions=tuple((words, f"compare.html?cards={ids}") for words, ids in comparison.suggestions(edition))[:8],
        groups=(
            *((vocabulary.families[word].label, f"families/{word}.html") for word in families),
            *((vocabulary.accelerators[word].label, f"hardware/{word}.html") for word in accelerators),
        ),
    )
