"""Pipeline: the steps in order: load, check, derive, chart, render, write. Everything is checked before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from pathlib import Path

from proofpress.check import agreement, calendar, passages, prose
from proofpress.check.library import CardEntry, Library, load
from proofpress.check.scope import Scope
from proofpress.derive import assertion, claim, fact, gap, status
from proofpress.derive.derivation import Derived, derive
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Evidence
from proofpress.load.passage import MAX_PROBLEMS, Passage
from proofpress.load.source import Source
from proofpress.output import Files
from proofpress.problem import Problem, Report, Severity
from proofpress.progress import Watch, told, unwatched


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checks leave: a report, and, where it has no errors, an edition."""

    report: Report
    edition: Edition | None


def check(
    root: Path,
    *,
    base_url: str | None = None,
    preview: str | None = None,
    today: date | None = None,
    watch: Watch = unwatched,
) -> Checked:
    """All checks on the content and evidence below `root`; dates are held against `today` where it is given."""
    library, problems = load(root, watch=watch)
    if library is None:
        return Checked(report=Report(problems), edition=None)
    found, evidence, cards = _compared(library, problems, today, watch)
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


def problems_of(root: Path, scope: Scope, today: date | None = None, watch: Watch = unwatched) -> Report:
    """All problems of the files in `scope`, and of the others those that came to light on the way."""
    library, problems = load(root, scope=scope, watch=watch)
    return Report(problems if library is None else _compared(library, problems, today, watch)[0])


def _compared(
    library: Library, problems: Iterable[Problem], today: date | None, watch: Watch
) -> tuple[list[Problem], Mapping[str, Evidence], tuple[Derived, ...]]:
    """`problems` with those that show when files are held against each other, and what was derived for that."""
    found = [
        *problems,
        *agreement.problems(library),
        *(calendar.problems(library, today) if today is not None else ()),
        *_page_links(library),
        *assertion.elsewhere(_other_texts(library)),
    ]
    # What a card says is looked at as soon as its own files are in order, whatever else is wrong: one run reports all.
    evidence, cards = derive(replace(library, cards=_sound(library, found)), watch)
    for derived in told(cards, "checking cards", watch):
        found += _claims(library, derived, evidence)
    return found, evidence, cards


def _sound(library: Library, found: Iterable[Problem]) -> Mapping[str, CardEntry]:
    """The cards without an error, whose campaigns are without one as well."""
    broken = {problem.place.path for problem in found if problem.severity is Severity.ERROR}
    sound = {campaign_id for campaign_id, entry in library.campaigns.items() if entry.source.path not in broken}
    return {
        card_id: entry
        for card_id, entry in library.cards.items()
        if entry.source.path not in broken and entry.card.rests_on <= sound
    }


def _page_links(library: Library) -> Iterator[Problem]:
    for source in library.pages.values():
        passage = Passage(source=source, location=(), words=str(source.data), first_line=1)
        yield from islice(prose.link_problems(passage, inside=True), MAX_PROBLEMS)


def _other_texts(library: Library) -> Iterator[Source]:
    """The files whose texts no single card's evidence stands behind."""
    yield from library.settings
    yield from library.pages.values()
    yield from (entry.source for entry in library.campaigns.values())


def _claims(library: Library, derived: Derived, evidence: Mapping[str, Evidence]) -> Iterator[Problem]:
    """What one card and its guide say, held against the evidence."""
    source = library.cards[derived.id].source
    yield from claim.problems(derived, source, evidence)
    yield from assertion.of_card(derived, source, evidence, library.vocabulary)
    yield from gap.stale(derived, source, library.vocabulary)
    yield from status.problems(derived, source, evidence)
    for passage in (*passages.of_card(derived.card, source), *passages.of_projection(derived.card, source)):
        yield from islice(prose.link_problems(passage), MAX_PROBLEMS)
    guide = library.guides.get(derived.card.guide or "")
    if guide is not None:
        yield from assertion.prose(guide.passages(), derived, evidence, library.vocabulary)
        known = fact.facts(derived, evidence)
        for passage in guide.passages():
            yield from islice(prose.link_problems(passage), MAX_PROBLEMS)
            yield from islice(fact.problems(passage, known), MAX_PROBLEMS)


def build(edition: Edition, watch: Watch = unwatched) -> Files:
    """Every file of the site."""
    from proofpress.pages import render  # noqa: PLC0415 -- a check needs neither templates nor charts, and is there sooner

    return render.files(edition, watch)
