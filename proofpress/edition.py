"""Edition: a library without errors, with all that was derived from it. Pages and twins are printed from this and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from proofpress.derivation import Derived
from proofpress.finding import Evidence, Finding
from proofpress.gap import Gap
from proofpress.guide import Guide
from proofpress.library import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Everything that one site says. Cards and campaigns stand in the order of their ids."""

    library: Library
    evidence: Mapping[str, Evidence]
    cards: tuple[Derived, ...]
    gaps: Mapping[str, tuple[Gap, ...]]
    """By card id."""
    fired: Mapping[str, int]
    """How often each rule spoke; only warnings can, once an edition exists."""
    base_url: str | None = None
    """Address of the site, without a slash at its end; None leaves out what needs one."""
    preview: str | None = None
    """A banner for every page."""

    def guide(self, derived: Derived) -> Guide | None:
        return self.library.guides.get(derived.card.guide) if derived.card.guide else None

    def card_names(self) -> Mapping[str, str]:
        return {derived.id: derived.card.name for derived in self.cards}

    def resting_on(self, campaign_id: str) -> Iterator[tuple[Derived, str, tuple[Finding, ...]]]:
        """The series of numbers that rest on a campaign: the card, 'headline' or a profile's id, and the findings."""
        for derived in self.cards:
            if derived.headline is not None and derived.headline.choice.campaign == campaign_id:
                yield derived, "headline", (derived.headline.finding,)
            for profile in derived.profiles:
                if profile.choice.campaign == campaign_id:
                    yield derived, profile.id, profile.findings
