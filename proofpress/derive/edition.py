"""Edition: a library without errors, with all that was derived from it. Pages and twins are printed from this and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from proofpress.check.library import Library
from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence, Finding
from proofpress.derive.gap import Gap
from proofpress.records.guide import Guide

Resting: TypeAlias = tuple[Derived, str, tuple[Finding, ...]]


@dataclass(frozen=True, kw_only=True)
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

    def resting_on(self, campaign_id: str) -> tuple[Resting, ...]:
        """The series of numbers that rest on a campaign: the card, 'headline' or a profile's id, and the findings."""
        return self._resting.get(campaign_id, ())

    @cached_property
    def _resting(self) -> Mapping[str, tuple[Resting, ...]]:
        """By campaign; made once, because every campaign's page asks."""
        found: dict[str, tuple[Resting, ...]] = {}
        for derived in self.cards:
            series: list[tuple[str, Resting]] = []
            if derived.headline is not None:
                series.append((derived.headline.choice.campaign, (derived, "headline", (derived.headline.finding,))))
            series += [
                (profile.choice.campaign, (derived, profile.id, profile.findings)) for profile in derived.profiles
            ]
            for campaign_id, resting in series:
                found[campaign_id] = (*found.get(campaign_id, ()), resting)
        return found
