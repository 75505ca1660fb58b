"""What a page weighs before anybody touches it, and what its head says; read from the built files, without a browser."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from proofpress import pipeline

ROOT = Path(__file__).parent.parent
BUDGET = 30_000
"""Bytes that a page with all that it loads by itself may weigh, compressed."""

STARTED = re.compile(r'<(?:script src|link rel="(?:stylesheet|icon)" href)="([^"]+)"')


def weight(page: Path) -> int:
    """The page, its style, its scripts and its icon, each compressed as a server would."""
    text = page.read_text(encoding="utf-8")
    parts = [page, *(page.parent / address for address in STARTED.findall(text))]
    return sum(len(gzip.compress(part.read_bytes(), 9)) for part in parts)


def test_every_card_guide_and_list_is_light(built_site: Path) -> None:
    pages = [built_site / "index.html", *built_site.glob("models/*.html"), *built_site.glob("guides/*.html")]
    weights = {page.name: weight(page) for page in sorted(pages)}
    assert len(weights) >= 4
    assert {name: bytes_ for name, bytes_ in weights.items() if bytes_ > BUDGET} == {}


def test_what_a_page_starts_with_is_what_was_counted(built_site: Path) -> None:
    """No other element of a page loads anything by itself."""
    text = (built_site / "models" / "qwen35-9b-fp8-b70.html").read_text(encoding="utf-8")
    assert len(STARTED.findall(text)) == 3
    assert not re.search(r"<(?:img|iframe|object|embed|video|audio|source)\b|@import|url\(", text)


def test_a_page_with_a_chart_holds_the_style_that_others_load(built_site: Path) -> None:
    """The first chart then waits for one request less; the style is the same to the letter."""
    (sheet,) = (built_site / "assets").glob("style-*.css")
    style = sheet.read_text(encoding="utf-8")
    with_charts = (built_site / "models" / "qwen35-9b-fp8-b70.html").read_text(encoding="utf-8")
    without = (built_site / "index.html").read_text(encoding="utf-8")
    assert f"<style>{style}</style>" in with_charts
    assert sheet.name not in with_charts
    assert sheet.name in without
    assert "<style>" not in without


def _data(text: str) -> list[str]:
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    return [json.loads(item)["@type"] for item in found]


def test_every_head_says_what_the_page_is(built_site: Path) -> None:
    titles: set[str] = set()
    for page in sorted(built_site.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        (title,) = re.findall(r"<title>([^<]+)</title>", text)
        (description,) = re.findall(r'<meta name="description" content="([^"]+)"', text)
        assert text.count("<h1") == 1, page
        assert len(description) > 20, page
        if 'name="robots" content="noindex"' not in text:
            assert title not in titles, f"{page}: another page has the title {title!r}"
            titles.add(title)
        assert 'property="og:title"' in text
        assert 'http-equiv="Content-Security-Policy"' in text


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        ("models/qwen35-9b-fp8-b70.html", ["TechArticle", "Dataset", "BreadcrumbList"]),
        ("evidence/q9-c2-users.html", ["Dataset", "BreadcrumbList"]),
        ("guides/qwen35-9b-fp8-b70.html", ["BreadcrumbList"]),
        ("index.html", ["WebSite"]),
    ],
)
def test_search_engines_are_told(built_site: Path, path: str, kinds: list[str]) -> None:
    text = (built_site / path).read_text(encoding="utf-8")
    assert _data(text) == kinds
    assert 'rel="canonical"' not in text, "without an address of its own a site has none"


def test_addresses_are_absolute_where_the_site_has_one() -> None:
    edition = pipeline.check(ROOT, base_url="https://example.org/bench/").edition
    assert edition is not None
    files = pipeline.build(edition)
    text = files["guides/qwen35-9b-fp8-b70.html"].decode()
    assert '<link rel="canonical" href="https://example.org/bench/guides/qwen35-9b-fp8-b70.html">' in text
    (trail,) = (json.loads(item) for item in re.findall(r'ld\+json">(.*?)</script>', text) if "Breadcrumb" in item)
    assert [step.get("item") for step in trail["itemListElement"]] == [
        "https://example.org/bench/",
        "https://example.org/bench/models/qwen35-9b-fp8-b70.html",
        None,
    ]
    assert b"<loc>https://example.org/bench/</loc>" in files["sitemap.xml"]
    assert b"Sitemap: https://example.org/bench/sitemap.xml" in files["robots.txt"]
