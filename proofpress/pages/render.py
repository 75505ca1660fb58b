"""Render: an edition as the files of a site: pages, twins, evidence as shipped, chart data, assets, and what robots read."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from typing import Any

from markupsafe import Markup

from proofpress import __version__
from proofpress.charts.drawing import standalone_svg
from proofpress.charts.interactive import interactive_json
from proofpress.check.rule import registry
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.literal import escaped
from proofpress.output import Files
from proofpress.pages import twin
from proofpress.pages.asset import Assets, assets
from proofpress.pages.card_markdown import markdown
from proofpress.pages.card_page import CardPage, card_page
from proofpress.pages.change_page import change_page, dated, news
from proofpress.pages.chart_page import chart_page
from proofpress.pages.compare_page import compare_page
from proofpress.pages.comparison import comparison
from proofpress.pages.evidence_page import evidence_page
from proofpress.pages.feed import feed
from proofpress.pages.group_page import group_pages
from proofpress.pages.guide_page import guide_page
from proofpress.pages.index_page import index_page
from proofpress.pages.json_schema import twin_schemas
from proofpress.pages.page import script_json
from proofpress.pages.reference_page import build_page, glossary_page, not_found_page, rules_page, written_page
from proofpress.pages.sheet import sheet
from proofpress.pages.template import Frame, Printer
from proofpress.progress import Watch, told, unwatched


def files(edition: Edition, watch: Watch = unwatched) -> Files:
    """Every file of the site."""
    site = Files()
    shipped = assets({word: term.explain for word, term in edition.library.vocabulary.terms.items()})
    for path, content in shipped.files.items():
        site.add(path, content)
    happened = news(edition)
    printer = Printer(edition, frame(edition, shipped, has_feed=bool(dated(happened))))
    pages: list[str] = []

    def page(template: str, model: Any) -> None:
        site.add(model.head.path, printer.page(template, model).encode())
        if model.head.indexed:
            pages.append(model.head.path)

    page("index.html", index_page(edition))
    for derived in told(edition.cards, "printing cards", watch):
        model = card_page(edition, derived)
        page("card.html", model)
        site.add(
            f"models/{derived.id}.json",
            _json(twin.model(derived, edition.gaps[derived.id], edition.library.vocabulary)),
        )
        words = markdown(edition, derived, model)
        site.add(f"models/{derived.id}.md", words.encode())
        site.add(f"models/{derived.id}.copy.js", _to_copy(words))
        site.add(f"compare/{derived.id}.js", _to_compare(comparison(edition, derived)))
        _charts(site, edition, derived, model, page)
        guide = edition.guide(derived)
        if guide is not None:
            steps = guide_page(edition, derived, guide)
            page("guide.html", steps)
            site.add(f"guides/{derived.id}.copy.js", _to_copy(steps.markdown))
    for campaign_id, entry in told(sorted(edition.library.campaigns.items()), "printing evidence", watch):
        page("evidence.html", evidence_page(edition, campaign_id))
        site.add(f"evidence/{campaign_id}/campaign.json", entry.source.raw)
        for name, content in sorted(entry.beside.items()):
            site.add(f"evidence/{campaign_id}/{name}", content)
    page("compare.html", compare_page(edition))
    for group in group_pages(edition):
        page("group.html", group)
    page("changes.html", change_page(edition, happened))
    entries = feed(edition, happened)
    if entries is not None:
        site.add("feed.xml", entries)
    page("glossary.html", glossary_page(edition))
    page("rules.html", rules_page())
    for name, source in sorted(edition.library.pages.items()):
        page("written.html", written_page(name, source))
    record = twin.build(edition.library, edition.cards, edition.fired, tuple(registry()))
    page("build.html", build_page(edition, record))
    site.add("build.json", _json(record))
    site.add("index.json", _json(twin.index(edition.cards, edition.gaps, edition.library.vocabulary)))
    for name, schema in twin_schemas().items():
        site.add(f"schema/{name}", _json(schema))
    page("404.html", not_found_page(edition.base_url))
    _for_robots(site, edition, pages)
    _for_models(site, edition)
    return site


def _charts(site: Files, edition: Edition, derived: Derived, model: CardPage, page: Callable[[str, Any], None]) -> None:
    """What a reader can take away of each chart: its data, its picture, and a page of its own."""
    if model.figures:
        site.add(f"charts/{derived.id}.js", _figures(model))
    pictures = {figure.id: figure for figure in model.figures}
    for profile in derived.profiles:
        site.add(f"charts/{derived.id}/{profile.id}.csv", sheet(derived, profile, edition.library.vocabulary))
    for view in (view for section in model.sections for view in section.profiles):
        if view.figure_id in pictures:
            site.add(f"charts/{derived.id}/{view.profile}.svg", standalone_svg(pictures[view.figure_id]).encode())
            page("chart.html", chart_page(derived, view))


def _for_models(site: Files, edition: Edition) -> None:
    """`llms.txt`: what the site is and where its plain texts are, for language models that read it."""
    lab = edition.library.lab
    lines = [f"# {escaped(lab.name)}", "", f"> {escaped(lab.description)}", "", "## Cards", ""]
    lines += [
        f"- [{escaped(derived.card.name)}](models/{derived.id}.md): data in models/{derived.id}.json"
        for derived in edition.cards
    ]
    lines += [
        "",
        "## Data",
        "",
        "- [All cards](index.json)",
        "- [What changed, by day](changes.html)",
        "- [Build record with a receipt for each point](build.json)",
        "- [Schema of a card's data](schema/twin-model.json)",
        "- [Schema of the list of all cards](schema/twin-index.json)",
        "- [Schema of the build record](schema/twin-build.json)",
        "- Each chart as CSV: `charts/<card>/<profile>.csv`, with the profile's id from the card's data",
        "",
    ]
    site.add("llms.txt", "\n".join(lines).encode())


def frame(edition: Edition, shipped: Assets, *, has_feed: bool) -> Frame:
    """What stands round every page of this edition."""
    lab = edition.library.lab
    return Frame(
        name=lab.name,
        language=lab.language,
        assets=shipped.addresses,
        style=Markup(shipped.style),
        version=__version__,
        preview=edition.preview,
        base_url=edition.base_url,
        repository=lab.repository,
        accent=lab.accent,
        has_feed=has_feed,
    )


def _json(value: object) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


def _to_copy(markdown: str) -> bytes:
    """A page as Markdown in a script, for its copy button: a page opened from disk may load scripts and may not fetch."""
    return f"Proofpress.markdown={script_json(markdown)};\n".encode()


def _to_compare(data: dict[str, Any]) -> bytes:
    """What the compare page prints of one card, as a script for the same reason."""
    return f"(Proofpress.compared=Proofpress.compared||{{}})[{script_json(data['id'])}]={script_json(data)};\n".encode()


def _figures(model: CardPage) -> bytes:
    """The figures of one card as a script, because a page opened from disk may load scripts and may not fetch data."""
    entries = ",\n".join(f"{json.dumps(figure.id)}:{interactive_json(figure)}" for figure in model.figures)
    return f"Proofpress.figures({{\n{entries}\n}});\n".encode()


def _for_robots(site: Files, edition: Edition, pages: list[str]) -> None:
    base = edition.base_url
    lines = ["User-agent: *", "Allow: /"]
    if base is not None:
        addresses = "".join(
            f"<url><loc>{escape(f'{base}/{path}'.removesuffix('index.html'))}</loc></url>\n" for path in sorted(pages)
        )
        xml = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{addresses}</urlset>\n'
        site.add("sitemap.xml", xml.encode())
        lines.append(f"Sitemap: {base}/sitemap.xml")
    site.add("robots.txt", ("\n".join(lines) + "\n").encode())
