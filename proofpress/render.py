"""Render: an edition as the files of a site: pages, twins, evidence as shipped, chart data, assets, and what robots read."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from proofpress import __version__, twin
from proofpress.asset import assets
from proofpress.card_page import CardPage, card_page
from proofpress.edition import Edition
from proofpress.evidence_page import evidence_page
from proofpress.group_page import group_pages
from proofpress.guide_page import guide_page
from proofpress.index_page import index_page
from proofpress.interactive import interactive_json
from proofpress.output import Files
from proofpress.reference_page import build_page, glossary_page, not_found_page, rules_page, written_page
from proofpress.rule import registry
from proofpress.template import Frame, Printer


def files(edition: Edition) -> Files:
    """Every file of the site."""
    site = Files()
    shipped = assets()
    for path, content in shipped.files.items():
        site.add(path, content)
    printer = Printer(edition, _frame(edition, shipped.addresses))
    pages: list[str] = []

    def page(template: str, model: Any) -> None:
        site.add(model.head.path, printer.page(template, model).encode())
        if model.head.indexed:
            pages.append(model.head.path)

    page("index.html", index_page(edition))
    for derived in edition.cards:
        model = card_page(edition, derived)
        page("card.html", model)
        site.add(
            f"models/{derived.id}.json",
            _json(twin.model(derived, edition.gaps[derived.id], edition.library.vocabulary)),
        )
        if model.figures:
            site.add(f"charts/{derived.id}.js", _figures(model))
        guide = edition.guide(derived)
        if guide is not None:
            page("guide.html", guide_page(edition, derived, guide))
    for campaign_id, entry in sorted(edition.library.campaigns.items()):
        page("evidence.html", evidence_page(edition, campaign_id))
        site.add(f"evidence/{campaign_id}/campaign.json", entry.source.raw)
        for name, content in sorted(entry.beside.items()):
            site.add(f"evidence/{campaign_id}/{name}", content)
    for group in group_pages(edition):
        page("group.html", group)
    page("glossary.html", glossary_page(edition))
    page("rules.html", rules_page())
    for name, source in sorted(edition.library.pages.items()):
        page("written.html", written_page(name, source))
    record = twin.build(edition.library, edition.cards, edition.fired, tuple(registry()))
    page("build.html", build_page(edition, record))
    site.add("build.json", _json(record))
    site.add("index.json", _json(twin.index(edition.cards, edition.gaps, edition.library.vocabulary)))
    page("404.html", not_found_page())
    _for_robots(site, edition, pages)
    return site


def _frame(edition: Edition, addresses: Any) -> Frame:
    lab = edition.library.lab
    return Frame(
        name=lab.name,
        tagline=lab.tagline,
        language=lab.language,
        assets=addresses,
        version=__version__,
        preview=edition.preview,
        base_url=edition.base_url,
        repository=lab.repository,
        accent=lab.accent,
    )


def _json(value: object) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


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
