"""Pipeline: the steps in order: load, check, derive, chart, render, write. Everything is checked before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from proofpress import agreement, claim, gap, render
from proofpress.derivation import Derived, derive
from proofpress.finding import Evidence
from proofpress.gap import Gap
from proofpress.library import Library, load
from proofpress.output import Files
from proofpress.problem import Problem, Report, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checks leave: a report, and, where it has no errors, everything that pages are made from."""

    report: Report
    site: Site | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A library without errors, with all that was derived from it."""

    library: Library
    evidence: Mapping[str, Evidence]
    cards: tuple[Derived, ...]
    gaps: Mapping[str, tuple[Gap, ...]]
    fired: Mapping[str, int]
    """How often each rule spoke; only warnings can, once a site exists."""


def check(root: Path) -> Checked:
    """All checks on the content and evidence below `root`."""
    library, problems = load(root)
    found = list(problems)
    if library is not None:
        found += agreement.problems(library)
    if library is None or any(problem.severity is Severity.ERROR for problem in found):
        return Checked(report=Report(found), site=None)
    evidence, cards = derive(library)
    found += [problem for derived in cards for problem in _claims(library, derived, evidence)]
    report = Report(found)
    if report.errors:
        return Checked(report=report, site=None)
    gaps = {derived.id: gap.gaps(derived, _guide(library, derived), library.vocabulary) for derived in cards}
    fired = Counter(problem.rule for problem in report.problems)
    return Checked(report=report, site=Site(library=library, evidence=evidence, cards=cards, gaps=gaps, fired=fired))


def _claims(library: Library, derived: Derived, evidence: Mapping[str, Evidence]) -> list[Problem]:
    source = library.cards[derived.id].source
    found = list(claim.problems(derived, source, evidence, library.vocabulary))
    found += gap.stale(derived, source, library.vocabulary)
    guide = _guide(library, derived)
    if guide is not None:
        found += [
            problem
            for text in claim.guide_texts(guide)
            for problem in claim.prose(text, derived, evidence, library.vocabulary)
        ]
    return found


def _guide(library: Library, derived: Derived):
    return library.guides.get(derived.card.guide) if derived.card.guide else None


def build(site: Site, *, base_url: str | None = None, preview: str | None = None) -> Files:
    """Every file of the site."""
    return render.files(site, base_url=base_url, preview=preview)
