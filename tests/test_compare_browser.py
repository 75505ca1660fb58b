"""The compare page in a real browser: what differs first, one chart only for like things, reasons, numbers, take-away, no scripts."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, expect
from test_library_browser import H200, NINE, TWENTY_SEVEN, opened, violations

TWO = f"{NINE},{TWENTY_SEVEN}"
ALL = f"{TWO},{H200}"


@pytest.fixture(scope="module", params=["http", "file"])
def compare(request: pytest.FixtureRequest, built_site: Path, site_address: str) -> str:
    """The page over HTTP and from disk."""
    return f"{site_address if request.param == 'http' else built_site.as_uri()}/compare.html"


def ready(page: Page) -> Page:
    page.wait_for_selector("#single")
    return page


def twin(site: Path, card: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((site / "models" / f"{card}.json").read_text(encoding="utf-8"))
    return found


def test_what_differs_comes_first(browser: Browser, compare: str) -> None:
    """The first table has no row in which all are equal; what is equal is said below it; nothing is called a ratio."""
    with opened(browser, f"{compare}?cards={TWO}") as one:
        page = ready(one.page)
        assert page.locator(".comparison > section").first.get_attribute("id") == "differs"
        rows = page.locator("#differs tbody tr")
        texts = [rows.nth(at).locator("td").all_text_contents() for at in range(rows.count())]
        assert len(texts) > 5
        assert all(len(set(row)) > 1 for row in texts)
        assert "accelerator" in (page.locator("#differs summary").text_content() or "")
        assert "×" not in (page.locator("#single").text_content() or "")
        assert one.faults() == []


def test_like_curves_share_a_chart_and_unlike_ones_do_not(browser: Browser, compare: str) -> None:
    with opened(browser, f"{compare}?cards={ALL}") as one:
        page = ready(one.page)
        context = page.locator("[id='curve-decode.context_tokens']")
        assert context.locator("figure").count() == 2, "the two of one lab share a chart, the third stands beside it"
        assert context.locator("figure").first.locator("svg.chart-wide path.line").count() == 2
        reason = context.locator(".reason").text_content() or ""
        assert "three kinds of content at each length / C: random prompts of exact length" in reason
        users = page.locator("[id='curve-aggregate_wall.concurrent_users']")
        assert users.locator("figure").count() == 3
        assert "number of prompts (A: not stated / B: 64 / C: 32)" in (users.locator(".reason").text_content() or "")
    with opened(browser, f"{compare}?cards={TWO}") as one:
        context = ready(one.page).locator("[id='curve-decode.context_tokens']")
        assert context.locator("figure").count() == 1
        assert context.locator(".reason").count() == 0
        assert "Not stated for any of them: sampling" in (context.text_content() or "")


def test_points_and_cells_are_the_twins(browser: Browser, built_site: Path, compare: str) -> None:
    """As many marks as shown points, broken lines where something is withheld, and cells that say each number."""
    with opened(browser, f"{compare}?cards={TWO}") as one:
        page = ready(one.page)
        users = page.locator("[id='curve-aggregate_wall.concurrent_users']")
        for at, card in enumerate((NINE, TWENTY_SEVEN)):
            chosen = users.locator("select").nth(at).input_value()
            profile = next(one for one in twin(built_site, card)["profiles"] if one["id"] == chosen)
            figure = users.locator("figure").nth(at)
            assert figure.locator("svg.chart-wide .mark").count() == len(profile["shown"])
            assert figure.locator("svg.chart-wide .count").count() == len(profile["withheld"])
            cells = users.locator(f"tbody td:nth-child({at + 2})")
            states = [cells.nth(row).get_attribute("data-state") for row in range(cells.count())]
            assert states.count("withheld") == len(profile["withheld"])
            values = [float(text.replace(",", "")) for text in cells.locator("> span[style]").all_text_contents()]
            expected = sorted(profile["shown"] + profile["withheld"], key=lambda point: point["x"])
            assert values == pytest.approx([point["value"] for point in expected], abs=5.1e-4)


COLLISIONS = """svg => {
  const texts = [...svg.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect(), text.classList.contains("value")]);
  const found = [];
  texts.forEach(([one, a], at) => texts.slice(at + 1).forEach(([other, b]) => {
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top), across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    if (down > 4 && across > 0.5) found.push(one + " touches " + other);
  }));
  const matrix = svg.getScreenCTM();
  svg.querySelectorAll("path.line").forEach(path => {
    for (let at = 0; at < path.getTotalLength(); at += 1) {
      const point = path.getPointAtLength(at).matrixTransform(matrix);
      texts.filter(([, box, isValue]) => isValue && point.x > box.left + 1 && point.x < box.right - 1 && point.y > box.top + 4 && point.y < box.bottom - 4)
        .forEach(([text]) => found.push("a line runs through " + text));
    }
  });
  return [...new Set(found)];
}"""


@pytest.mark.parametrize("width", [390, 1280])
def test_no_text_of_a_chart_touches_another_or_a_line(browser: Browser, compare: str, width: int) -> None:
    """Every level has its tick and every withheld one its count, on a phone as well."""
    with opened(browser, f"{compare}?cards={TWO}", width=width) as one:
        page = ready(one.page)
        drawings = page.locator(
            ".comparison figure svg.chart-wide:visible, .comparison figure svg.chart-narrow:visible"
        )
        expect(drawings).to_have_count(3)
        for at in range(3):
            assert drawings.nth(at).evaluate(COLLISIONS) == []
        ticks = drawings.nth(0).locator(".x-tick").all_text_contents()
        assert sorted(ticks, key=lambda text: int(text[:-1])) == ["2K", "4K", "8K", "16K", "24K", "32K"]
        counts = sorted(drawings.nth(1).locator(".count").all_text_contents())
        assert counts == ["⊘ 15/16", "⊘ 30/32", "⊘ 57/64"]


def test_charts_beside_each_other_use_the_room(browser: Browser, compare: str) -> None:
    with opened(browser, f"{compare}?cards={TWO}", width=1280) as one:
        frames = ready(one.page).locator(".charts-several .chart-frame")
        boxes = [frames.nth(at).bounding_box() for at in range(2)]
        assert all(box is not None and box["width"] > 500 for box in boxes)


def test_another_curve_of_a_card_is_chosen_and_stands_in_the_address(browser: Browser, compare: str) -> None:
    with opened(browser, f"{compare}?cards={TWO}") as one:
        page = ready(one.page)
        select = page.locator("[id='curve-decode.context_tokens'] select").nth(1)
        other = "q27-r187-context.mtp3.decode.context_tokens"
        select.select_option(other)
        assert page.url.endswith(f"&curves={TWENTY_SEVEN}/{other}")
        assert page.evaluate("document.activeElement.tagName") == "SELECT"
        address = page.url
    with opened(browser, address) as one:
        assert ready(one.page).locator("[id='curve-decode.context_tokens'] select").nth(1).input_value() == other


def test_set_ups_are_chosen_added_and_removed_here(browser: Browser, compare: str) -> None:
    """From nothing: two boxes, a third, one removed; never more than four; an unknown name is said."""
    with opened(browser, compare) as one:
        page = one.page
        assert not page.locator("#comparison").is_visible()
        for card in (NINE, TWENTY_SEVEN, H200):
            page.locator(f".candidates input[value={card}]").check()
        ready(page)
        expect(page.locator(".chosen button")).to_have_count(3)
        assert page.url == f"{compare}?cards={ALL}"
        page.get_by_role("button", name="Remove B").click()
        expect(page.locator(".chosen button")).to_have_count(2)
        assert page.url == f"{compare}?cards={NINE},{H200}"
        page.fill(".picker-find", H200)
        assert page.locator(".candidates li:visible").count() == 1
    with opened(browser, f"{compare}?cards={NINE},no-such") as one:
        one.page.wait_for_selector(".compare-problem:visible")
        assert "no set-up called no-such" in (one.page.locator(".compare-problem").text_content() or "")


def test_choices_in_quick_succession_are_all_kept(browser: Browser, compare: str) -> None:
    """Was: a choice made while the one before was still loading took its place. The fifth is one too many."""
    with opened(browser, compare) as one:
        page = one.page
        page.evaluate("[...document.querySelectorAll('.candidates input')].slice(0, 5).forEach(box => box.click())")
        expect(page.locator(".chosen button")).to_have_count(4)
        first = page.locator(".candidates input").evaluate_all("boxes => boxes.slice(0, 4).map(box => box.value)")
        assert page.url == f"{compare}?cards={','.join(first)}"
        expect(page.locator(".candidates input:checked")).to_have_count(4)
        assert one.faults() == []


def test_the_csv_is_that_of_the_charts(browser: Browser, built_site: Path, compare: str, tmp_path: Path) -> None:
    """It downloads over HTTP and from disk, and its rows are those of the charts' own files."""
    with opened(browser, f"{compare}?cards={TWO}", accept_downloads=True) as one:
        page = ready(one.page)
        with page.expect_download() as waiting:
            page.locator(".share-csv").click()
        assert waiting.value.suggested_filename == f"compare-{NINE}-{TWENTY_SEVEN}.csv"
        waiting.value.save_as(tmp_path / "compared.csv")
        text = (tmp_path / "compared.csv").read_bytes().decode()
        assert text == unquote((page.locator(".share-csv").get_attribute("href") or "").partition(",")[2])
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert {row["card"] for row in rows} == {NINE, TWENTY_SEVEN}
        for row in rows:
            name = f"{row['campaign']}.{row['arm']}.{row['metric']}.{row['axis']}.csv"
            own = (built_site / "charts" / row["card"] / name).read_bytes().decode()
            assert row in list(csv.DictReader(io.StringIO(own, newline="")))
        assert one.faults() == []


def test_the_address_can_be_copied(browser: Browser, site_address: str) -> None:
    address = f"{site_address}/compare.html?cards={TWO}"
    with opened(browser, address, permissions=["clipboard-read", "clipboard-write"]) as one:
        ready(one.page).get_by_role("button", name="Copy: address of this comparison").click()
        one.page.get_by_text("Copied.").wait_for()
        assert one.page.evaluate("navigator.clipboard.readText()") == f"{address}\n"


def test_every_card_leads_here(built_site: Path) -> None:
    for page in built_site.glob("models/*.html"):
        assert f'href="../compare.html?cards={page.stem}"' in page.read_text(encoding="utf-8")


def test_without_scripts_it_says_so_and_lists_all(browser: Browser, built_site: Path, compare: str) -> None:
    cards = {f"models/{page.name}" for page in built_site.glob("models/*.html")}
    with opened(browser, f"{compare}?cards={TWO}", java_script_enabled=False) as one:
        links = one.page.locator(".candidates a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        assert sorted(links) == sorted(cards)
        assert one.page.locator("noscript .note").is_visible()
        assert one.page.locator("noscript a").count() >= 3
        assert not one.page.locator("#share").is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_is_accessible_and_fits(browser: Browser, site_address: str, width: int, theme: Any) -> None:
    with opened(browser, f"{site_address}/compare.html?cards={ALL}", width=width, color_scheme=theme) as one:
        page = ready(one.page)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert violations(page) == []
