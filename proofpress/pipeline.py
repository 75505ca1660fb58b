"""Pipeline: the steps in order: load, check, derive, chart, render, write. Everything is checked before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from proofpress import agreement, claim, fact, gap, prose, render
from proofpress.derivation import Derived, derive
from proofpress.edition import Edition
from proofpress.finding import Evidence
from proofpress.guide import Guide
from proofpress.library import Library, load
from proofpress.output import Files
from proofpress.problem import Problem, Report, Severity, quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checks leave: a report, and, where it has no errors, an edition."""

    report: Report
    edition: Edition | None


def check(root: Path, *, base_url: str | None = None, preview: str | None = None) -> Checked:
    """All checks on the content and evidence below `root`."""
    library, problems = load(root)
    found = list(problems)
    if library is not None:
        found += agreement.problems(library)
    if library is None or any(problem.severity is Severity.ERROR for problem in found):
        return Checked(report=Report(found), edition=None)
    evidence, cards = derive(library)
    for derived in cards:
        found += _claims(library, derived, evidence)
    report = Report(found)
    if report.errors:
        return Checked(report=report, edition=None)
    guides = {derived.id: library.guides.get(derived.card.guide or "") for derived in cards}
    edition = Edition(
        library=library,
        evidence=evidence,
        cards=cards,
        gaps={derived.id: gap.gaps(derived, guides[derived.id], library.vocabulary) for derived in cards},
        fired=Counter(problem.rule for problem in report.problems),
        base_url=(base_url or library.lab.address or "").rstrip("/") or None,
        preview=preview,
    )
    return Checked(report=report, edition=edition)


def _claims(library: Library, derived: Derived, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    """What one card and its guide say, held against the evidence."""
    source = library.cards[derived.id].source
    yield from claim.problems(derived, source, evidence, library.vocabulary)
    yield from gap.stale(derived, source, library.vocabulary)
    for text in claim.card_texts(derived, source):
        yield from prose.link_problems(text.source, text.location, text.words)
    guide = library.guides.get(derived.card.guide or "")
    if guide is not None:
        yield from _guide_claims(library, derived, guide, evidence)


def _guide_claims(
    library: Library, derived: Derived, guide: Guide, evidence: Mapping[str, Evidence]
) -> Iterator[Problem]:
    known = fact.facts(derived, evidence)
    for text in claim.guide_texts(guide):
        yield from claim.prose(text, derived, evidence, library.vocabulary)
        yield from prose.link_problems(text.source, text.location, text.words)
        for name in fact.unknown_facts(text.words, known):
            expected = f"a fact that card or evidence gives: {', '.join(sorted(known))}"
            yield text.source.problem("reference.fact", text.location, field="", found=quoted(name), expected=expected)


def build(edition: Edition) -> Files:
    """Every file of the site."""
    return render.files(edition)
