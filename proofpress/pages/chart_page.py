"""Chart page: one chart alone, without the site's header and footer, for embedding elsewhere; it says whose numbers these are and leads back to the card."""

from __future__ import annotations

from dataclasses import dataclass

from proofpress.derive.derivation import Derived
from proofpress.pages.curve import ProfileView
from proofpress.pages.page import Head


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPage:
    """The model of `charts/<card>/<profile>.html`."""

    head: Head
    card_name: str
    card_href: str
    view: ProfileView


def chart_page(derived: Derived, view: ProfileView) -> ChartPage:
    """The page of one chart. It is kept out of search engines, since the card's page says the same with its context."""
    return ChartPage(
        head=Head(
            path=f"charts/{derived.id}/{view.profile}.html",
            title=f"{view.heading}, {derived.card.name}, {view.profile.partition('.')[0]}",
            description=f"{view.caption.sent} {view.caption.checked}",
            has_charts=view.wide is not None,
            figures=f"../{derived.id}.js" if view.wide is not None else None,
            paint_after="main",
            indexed=False,
            own="chart",
        ),
        card_name=derived.card.name,
        card_href=f"../../models/{derived.id}.html#{view.anchor}",
        view=view,
    )
