"""Page: what every kind of page has in common: its head, its way home, states, and tables whose cells are ready to print."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from posixpath import dirname, normpath
from typing import Any, Literal

from markupsafe import Markup

from proofpress.derive.wording import exact
from proofpress.records.campaign import Conflict

SITE_HEADER = "site-header"
"""Id of what every page begins with."""

State = Literal["measured", "withheld", "projected", "pending"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumb:
    """One step of the breadcrumb; the last has no link."""

    label: str
    href: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What stands around the content of a page. `path` is its address in the site."""

    path: str
    title: str
    description: str
    crumbs: tuple[Crumb, ...] = ()
    data: tuple[dict[str, Any], ...] = ()
    """Structured data for search engines, one object each."""
    has_charts: bool = False
    figures: str | None = None
    """Path of the script with the page's figures, from the page."""
    paint_after: str = SITE_HEADER
    """Id of the element that has to be read before the page is painted: what stands above its end does not move while the rest arrives."""
    indexed: bool = True
    top: str | None = None
    """Address of the top of the site, for a page that a host serves at any address; None where the page knows its own."""
    own: str | None = None
    """Name of the style sheet and of the script, where there are such, that this kind of page loads beside those of all pages."""

    @property
    def root(self) -> str:
        """The way from this page to the top of the site: '' or '../'; or its address on the host."""
        return self.top if self.top is not None else "../" * self.path.count("/")

    def structured(self, base_url: str | None) -> tuple[Markup, ...]:
        """The structured data as JSON that may stand inside a script element, the way home included."""
        items = (*self.data, self._trail(base_url)) if self.crumbs else self.data
        return tuple(Markup(script_json(item)) for item in items)

    def _trail(self, base_url: str | None) -> dict[str, Any]:
        """The breadcrumb for search engines; addresses only where the site's own is known, since they must be absolute."""
        steps: list[dict[str, Any]] = []
        for position, crumb in enumerate(self.crumbs, start=1):
            step: dict[str, Any] = {"@type": "ListItem", "position": position, "name": crumb.label}
            if base_url is not None and crumb.href is not None:
                path = normpath(f"{dirname(self.path)}/{crumb.href}").lstrip("/")
                step["item"] = f"{base_url}/{path.removesuffix('index.html')}"
            steps.append(step)
        return {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": steps}


def script_json(value: object) -> str:
    """JSON that cannot end the script element it stands in, nor be read as two lines of script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a table. `value` is the number in full, as the twin has it; `short` is how many digits it is shorter behind the point than
    its column, so that points stand in line; empty for none."""

    text: str
    value: str | None = None
    short: str = ""
    href: str | None = None
    note: str = ""
    """A smaller line under the text."""
    lines: tuple[tuple[str, str], ...] = ()
    """Several short lines in place of the text, each with a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column's heading; numbers stand aligned by their decimal point."""

    label: str
    numeric: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row; its first cell heads it."""

    state: State
    cells: tuple[Cell, ...]
    mark: str = ""
    """The state in a word, for those who do not see its shape."""
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with a caption that says what it holds."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def without_blanks(table: Table) -> Table:
    """`table` without the columns, from the second on, in which no row says anything."""
    kept = [
        place
        for place in range(len(table.columns))
        if place == 0
        or not table.rows
        or any(row.cells[place].text != "–" or row.cells[place].lines for row in table.rows)
    ]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(replace(row, cells=tuple(row.cells[place] for place in kept)) for row in table.rows),
    )


MAX_DECIMALS = 3
"""A column shows at most so many decimals; the number in full stands beside it for machines, and in the twin."""


def numbers(values: Sequence[float | None]) -> tuple[Cell, ...]:
    """The cells of one numeric column. A missing value is a dash."""
    texts = [None if value is None else _short(value) for value in values]
    longest = max((_width(text) for text in texts if text is not None), default=0.0)
    return tuple(
        Cell(text="–")
        if value is None or text is None
        else Cell(
            text=text, value=f"{value:.12g}", short=f"{longest - _width(text):g}" if longest > _width(text) else ""
        )
        for value, text in zip(values, texts, strict=True)
    )


def _short(value: float) -> str:
    if abs(value) < 1:
        return exact(float(f"{value:.{MAX_DECIMALS}g}"))
    return exact(float(f"{value:.{MAX_DECIMALS}f}"))


def _width(text: str) -> float:
    """What stands after the whole part, in digits; a decimal point is half a digit wide."""
    _, point, decimals = text.partition(".")
    return len(decimals) + (0.5 if point else 0.0)


def conflict_note(conflict: Conflict, where: str) -> str:
    """Two sources that disagree, in a sentence; neither is picked."""
    return f"{where}: {conflict.source} says that {conflict.stated}; the evidence gives {conflict.found}. Both are printed, neither is picked."
