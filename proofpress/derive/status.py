"""Status: the word 'qualified', in which a card says that it is proved, held against what the build sees.

Comes in: a derived card and all evidence. Goes out: problems. What the other words need stands in the card itself, and `agreement` sees to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence, Shown
from proofpress.derive.wording import listed
from proofpress.load.source import Source
from proofpress.problem import Problem, quoted
from proofpress.records.card import Replay

QUALIFIED = "qualified"


def problems(derived: Derived, source: Source, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    """claim.status: a card that calls itself qualified without the evidence, with everything that is missing for it."""
    missing = list(_missing(derived, evidence)) if derived.card.status == QUALIFIED else []
    if missing:
        yield source.problem(
            "claim.status",
            ("status",),
            found=quoted(QUALIFIED),
            expected=f"a card of this status has {listed(missing)}",
            hint="write the status that is true today",
        )


def _missing(derived: Derived, evidence: Mapping[str, Evidence]) -> Iterator[str]:
    """Replayed from its guide on a clean host, with outputs that were compared there and here."""
    card = derived.card
    if card.guide is None:
        yield "a guide to follow"
    if not isinstance(card.replay, Replay):
        yield "a replay of its guide on a clean host"
    elif not _proves(evidence.get(card.replay.campaign)):
        yield f"a replay with outputs that were compared and are equal ({card.replay.campaign} has none)"
    if derived.headline is None:
        yield "a headline"
    if not any(isinstance(finding, Shown) and finding.identity is not None for finding in derived.findings):
        yield "a shown value whose outputs were compared with an oracle's"


def _proves(evidence: Evidence | None) -> bool:
    """Whether a run of it qualifies by a comparison. A campaign that cannot be used has its own problems, and no second one here."""
    return evidence is None or any(
        reading.reason is None and reading.identity is not None for reading in evidence.readings
    )
