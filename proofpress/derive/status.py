"""Status: the word in which a card says how far it is proved, held against what the build sees.

Comes in: a derived card and all evidence. Goes out: problems. Words that a vocabulary adds of its own say nothing that could be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence, Shown
from proofpress.derive.wording import listed
from proofpress.load.source import Source
from proofpress.problem import Problem, quoted
from proofpress.records.card import Replay

Lacks = Callable[[Derived, Mapping[str, Evidence]], Iterator[str]]


def problems(derived: Derived, source: Source, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    """claim.status: a status that the card's evidence does not bear out, with everything that is missing for it."""
    status = derived.card.status
    missing = list(_LACKS[status](derived, evidence)) if status in _LACKS else []
    if missing:
        hint = "write the status that is true today" if status == "qualified" else "add it, or write another status"
        yield source.problem(
            "claim.status",
            ("status",),
            found=quoted(status),
            expected=f"a card of this status has {listed(missing)}",
            hint=hint,
        )


def _for_qualified(derived: Derived, evidence: Mapping[str, Evidence]) -> Iterator[str]:
    """Replayed from its guide on a clean host, with outputs that were compared there and here."""
    card = derived.card
    if card.guide is None:
        yield "a guide to follow"
    if not isinstance(card.replay, Replay):
        yield "a replay of its guide on a clean host"
    elif not _proves(evidence[card.replay.campaign]):
        yield f"a replay with outputs that were compared and are equal ({card.replay.campaign} has none)"
    if derived.headline is None:
        yield "a headline"
    if not any(isinstance(finding, Shown) and finding.identity is not None for finding in derived.findings):
        yield "a shown value whose outputs were compared with an oracle's"


def _proves(evidence: Evidence) -> bool:
    """Whether a run of it qualifies by a comparison."""
    return any(reading.reason is None and reading.identity is not None for reading in evidence.readings)


def _for_superseded(derived: Derived, _evidence: Mapping[str, Evidence]) -> Iterator[str]:
    if derived.card.superseded_by is None:
        yield "'superseded_by', the card that replaces it"


def _for_withdrawn(derived: Derived, _evidence: Mapping[str, Evidence]) -> Iterator[str]:
    if derived.card.withdrawn is None:
        yield "'withdrawn', the day on which it was taken back"


_LACKS: Mapping[str, Lacks] = {
    "qualified": _for_qualified,
    "superseded": _for_superseded,
    "withdrawn": _for_withdrawn,
}
