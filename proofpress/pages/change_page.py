"""Change page: what was published, measured, superseded and taken back, day by day, each with its card, its evidence and its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from proofpress.check import prose
from proofpress.derive import wording
from proofpress.derive.change import Change, Kind, changes
from proofpress.derive.edition import Edition
from proofpress.pages.big_number import HeadlineView, headline_view
from proofpress.pages.page import Cell, Column, Crumb, Head, Row, State, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A change in words. Addresses count from the top of the site."""

    id: str
    day: date | None
    name: str
    """The card or campaign that it happened to."""
    href: str
    what: str
    state: State
    kind: Kind
    links: tuple[tuple[str, str], ...]
    """The newer card or campaign, where there is one, and the evidence."""
    headline: HeadlineView | None
    """The card's big number as its page prints it; None for a campaign."""

    @property
    def summary(self) -> str:
        """All of it in sentences."""
        if self.headline is None:
            return self.what
        number = f"{self.headline.number} {self.headline.unit}, {self.proof}" if self.headline.exact else "pending"
        return f"{self.what} Headline: {number}."

    @property
    def proof(self) -> str:
        """The state of the big number and its identity; empty where it is pending."""
        if self.headline is None or not self.headline.exact:
            return ""
        return ", ".join([self.headline.state, *(text for label, text, _ in self.headline.slip if label == "Identity")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Everything of one day."""

    id: str
    heading: str
    table: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePage:
    """The model of `changes.html`."""

    head: Head
    feed_href: str | None
    """None where nothing has a day, so that there is no feed."""
    days: tuple[Day, ...]


def news(edition: Edition) -> tuple[News, ...]:
    """Every change in words, in the order of `changes`. The page and the feed print these and nothing else."""
    names = edition.card_names()
    return tuple(_news(edition, change, names) for change in changes(edition))


_TAKEN_BACK = frozenset({Kind.WITHDRAWN, Kind.SUPERSEDED})


def _news(edition: Edition, change: Change, names: Mapping[str, str]) -> News:
    card, newer = change.card, change.newer or ""
    campaigns: Sequence[str] = [campaign for campaign, _ in change.runs]
    if card is not None and change.kind in _TAKEN_BACK:  # of a published one, much was measured later
        campaigns = card.campaigns
    links = [(campaign, f"evidence/{campaign}.html") for campaign in campaigns]
    if newer:
        place = f"{'evidence' if card is None else 'models'}/{newer}.html"
        newer = newer if card is None else names[newer]  # a campaign may be called like a card
        links.insert(0, (newer, place))
    headline = headline_view(edition, card) if card is not None else None
    states: dict[Kind, State] = {
        Kind.WITHDRAWN: "withheld",
        Kind.SUPERSEDED: "withheld",
        Kind.PUBLISHED: headline.state if headline else "pending",
        Kind.MEASURED: "withheld" if change.withheld and not change.shown else "measured",
    }
    return News(
        id=change.id,
        day=change.day,
        name=card.card.name if card is not None else f"Campaign {change.campaign}",
        href=f"{change.subject}.html",
        what=_what(change, newer),
        state=states[change.kind],
        kind=change.kind,
        links=tuple(links),
        headline=headline,
    )


def _what(change: Change, newer: str) -> str:
    match change.kind:
        case Kind.PUBLISHED:
            return "Published."
        case Kind.WITHDRAWN:
            return f"Withdrawn: {wording.sentence(prose.plain(change.because))}"
        case Kind.SUPERSEDED:
            return f"Superseded by {newer}."
        case Kind.MEASURED:
            runs = sum(number for _, number in change.runs)
            parts = [f"Measured: {wording.counted(runs, 'run')}"]
            if change.shown or change.withheld:
                parts.append(f"{wording.counted(change.shown, 'point')} shown")
                parts.append(f"{wording.number(change.withheld) if change.withheld else 'none'} withheld")
            return f"{', '.join(parts)}."


def change_page(edition: Edition, told: tuple[News, ...]) -> ChangePage:
    """The page of all changes."""
    description = "What was published, measured, superseded and withdrawn, and when. The newest day comes first."
    return ChangePage(
        head=Head(
            path="changes.html",
            title="Changes",
            description=description,
            crumbs=(Crumb(label="Library", href="index.html"), Crumb(label="Changes")),
            own="changes",
        ),
        feed_href="feed.xml" if dated(told) else None,
        days=tuple(_days(told)),
    )


def dated(told: tuple[News, ...]) -> tuple[News, ...]:
    """What a day is stated for."""
    return tuple(one for one in told if one.day is not None)


def _days(told: tuple[News, ...]) -> Iterator[Day]:
    for day, of_day in groupby(told, key=lambda one: one.day):
        entries = tuple(of_day)
        kinds = Counter(one.kind for one in entries)
        counted = wording.listed([f"{wording.number(kinds[kind])} {kind}" for kind in Kind if kinds[kind]])
        columns = (Column(label="Card"), Column(label="Headline"), Column(label="See"))
        yield Day(
            id=f"day-{day or 'undated'}",
            heading=wording.day(day) if day else "On a day that is not stated",
            table=Table(caption=wording.sentence(counted), columns=columns, rows=tuple(map(_row, entries))),
        )


def _row(one: News) -> Row:
    number = Cell(text="–")
    if one.headline is not None:
        figure = f"{one.headline.number} {one.headline.unit}" if one.headline.exact else one.headline.number
        number = Cell(text=figure, href=f"{one.href}#headline", note=one.proof)
    return Row(
        state=one.state,
        mark=one.kind.value,
        cells=(Cell(text=one.name, href=one.href, note=one.what), number, Cell(text="–", lines=one.links)),
    )
