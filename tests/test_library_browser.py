"""The library in a real browser: search, facets, order, the address, what is to be compared, keys, no scripts, from disk, on a phone."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from visit import Visit

from benchmarks.library_search import timed, written
from proofpress.edition import Edition

NINE, TWENTY_SEVEN, H200 = "qwen35-9b-fp8-b70", "qwen38-27b-fp8-tp2-b70", "h200-qwen3-random-static-batch"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@contextmanager
def opened(browser: Browser, address: str, *, width: int = 1280, **options: Any) -> Iterator[Visit]:
    one = Visit(browser.new_context(viewport={"width": width, "height": 800}, **options), address)
    try:
        yield one
    finally:
        one.close()


def ids(page: Page) -> list[str]:
    """The set-ups that can be seen, in their order."""
    found: list[str] = page.evaluate(
        "Array.from(document.querySelectorAll('.library > li')).filter(one => !one.hidden).map(one => one.dataset.id)"
    )
    return found


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(
        "tags => axe.run({runOnly: tags}).then(r => r.violations.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 120)))",
        TAGS,
    )
    return found


@pytest.fixture(scope="module", params=["http", "file"])
def index(request: pytest.FixtureRequest, built_site: Path, site_address: str) -> str:
    """The library over HTTP and from disk."""
    return f"{site_address if request.param == 'http' else built_site.as_uri()}/index.html"


def test_a_search_narrows_the_list_and_stands_in_the_address(browser: Browser, index: str) -> None:
    """Every word must be found; the count is said; the address restores the search and asks for nothing."""
    with opened(browser, index) as one:
        assert len(ids(one.page)) == 3
        one.page.fill("[name=q]", "Qwen3.8 fp8")
        assert ids(one.page) == [TWENTY_SEVEN]
        assert one.page.locator(".facets output").text_content() == "1 of 3 set-ups"
        assert one.page.url == f"{index}?q=Qwen3.8%20fp8"
        asked = {url for url in one.asked if "favicon" not in url}
        one.page.fill("[name=q]", "zebra")
        assert ids(one.page) == []
        assert one.page.get_by_text("No set-up fits all of this.").is_visible()
        one.page.locator(".nothing [data-clear]").click()
        assert len(ids(one.page)) == 3
        assert one.page.url == index
        assert one.page.evaluate("document.activeElement.name") == "q"
        assert {url for url in one.asked if "favicon" not in url} == asked, "nothing is loaded for a search"
        assert one.faults() == []
    with opened(browser, f"{index}?q=random") as one:
        assert ids(one.page) == [H200]
        assert one.page.input_value("[name=q]") == "random"


def test_facets_count_what_would_be_there(browser: Browser, index: str) -> None:
    """Words of one facet add up, facets narrow each other, and each count holds the other facets fixed."""
    with opened(browser, index) as one:
        page = one.page
        page.locator(".facet-groups summary").click()
        page.locator("[name=accelerator][value=intel-arc-pro-b70-32g]").check()
        assert set(ids(page)) == {NINE, TWENTY_SEVEN}
        count = page.locator("label", has=page.locator("[name=accelerator][value=nvidia-h200]")).locator("small")
        assert count.text_content() == "1"
        assert (
            page.locator("label", has=page.locator("[name=grade][value=requests]")).locator("small").text_content()
            == "0"
        )
        page.locator("[name=accelerator][value=nvidia-h200]").check()
        assert len(ids(page)) == 3
        page.locator("[name=curve][value=ttft]").check()
        assert set(ids(page)) == {TWENTY_SEVEN, H200}
        assert "accelerator=intel-arc-pro-b70-32g,nvidia-h200" in page.url
        page.get_by_role("button", name="Remove Accelerator: H200").click()
        assert ids(page) == [TWENTY_SEVEN]
        page.locator("[name=q]").focus()
        assert page.locator(".facet-groups summary").text_content() == "Filter (2)"
    with opened(browser, f"{index}?curve=ttft&family=no-such&strange=1") as one:
        assert set(ids(one.page)) == {TWENTY_SEVEN, H200}, "unknown words of an address are passed over"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("", [H200, NINE, TWENTY_SEVEN]),
        ("new", [H200, NINE, TWENTY_SEVEN]),
        ("name", [H200, NINE, TWENTY_SEVEN]),
        ("users", [H200, NINE, TWENTY_SEVEN]),
    ],
)
def test_orders(browser: Browser, index: str, order: str, expected: list[str]) -> None:
    with opened(browser, index) as one:
        one.page.select_option("[name=sort]", order)
        assert ids(one.page) == expected


def test_pending_stands_last_in_every_order_by_speed(browser: Browser, built_site: Path) -> None:
    """A set-up without a number has no place among numbers; it is made pending here in the page itself."""
    with opened(browser, (built_site / "index.html").as_uri()) as one:
        page = one.page
        text = (built_site / "index.html").read_text(encoding="utf-8")
        name = built_site / "pending.html"
        start = text.index(f'data-id="{H200}"')
        cut = text[start : text.index(">", start)]
        bare = " ".join(part for part in cut.split(" ") if not part.startswith(("data-single=", "data-users=")))
        name.write_text(text.replace(cut, bare), encoding="utf-8")
        page.goto(name.as_uri())
        page.select_option("[name=sort]", "users")
        assert ids(page)[-1] == H200
        name.unlink()


def test_the_three_questions_are_answered_at_once(browser: Browser, index: str) -> None:
    """The fastest on one card, all that fit one card, all with a time to first token: answer and address each."""
    with opened(browser, index) as one:
        page = one.page
        first = page.locator(".asked dl > div").nth(0)
        assert "256.9 tok/s" in (first.text_content() or "")
        first.locator("[data-preset]").click()
        assert ids(page) == [H200, NINE]
        page.locator("[data-preset]").nth(1).click()
        assert set(ids(page)) == {H200, NINE}
        assert page.url == f"{index}?cards=1"
        page.locator("[data-preset]").nth(2).click()
        assert set(ids(page)) == {H200, TWENTY_SEVEN}
        assert page.locator("[data-preset][aria-current]").count() == 1


def test_two_to_four_are_chosen_for_comparison(browser: Browser, index: str) -> None:
    with opened(browser, index) as one:
        page = one.page
        bar = page.locator(".compare-bar")
        assert not bar.is_visible()
        page.locator(f"[name=compare][value={NINE}]").check()
        assert bar.locator("a").text_content() == "Compare with…"
        page.fill("[name=q]", "27b")
        page.locator(f"[name=compare][value={TWENTY_SEVEN}]").check()
        assert page.url == f"{index}?q=27b&compare={NINE},{TWENTY_SEVEN}"
        assert bar.locator("a").text_content() == "Compare 2 set-ups"
        bar.locator("a").click()
        page.wait_for_selector("#differs")
        assert page.url.endswith(f"compare.html?cards={NINE},{TWENTY_SEVEN}")
        page.go_back()
        page.wait_for_selector(".compare-bar a:visible")
        assert ids(page) == [TWENTY_SEVEN]
        assert page.locator("[name=compare]:checked").count() == 2


def test_by_keyboard_alone(browser: Browser, site_address: str) -> None:
    """'/' to the search, Enter into the list, Space on a box, Enter on the bar; focus never gets lost."""
    with opened(browser, f"{site_address}/index.html") as one:
        page = one.page
        page.keyboard.press("/")
        page.keyboard.type("27b")
        assert ids(page) == [TWENTY_SEVEN]
        page.keyboard.press("Enter")
        assert "27B" in page.evaluate("document.activeElement.textContent")
        while page.evaluate("document.activeElement.name") != "compare":
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Compare with…"
        page.keyboard.press("Enter")
        page.wait_for_selector(".chosen button")
        assert f"cards={TWENTY_SEVEN}" in page.url


def test_without_scripts_the_list_is_complete(browser: Browser, index: str) -> None:
    with opened(browser, index, java_script_enabled=False) as one:
        page = one.page
        assert page.locator(".library > li").count() == 3
        assert not page.locator(".facets").is_visible()
        assert not page.locator(".pick").first.is_visible()
        assert page.locator(".asked li a").count() == 4, "the set-ups behind two of the answers"


@pytest.mark.parametrize("width", [360, 1280])
def test_it_is_accessible_and_fits(browser: Browser, site_address: str, width: int) -> None:
    """With the filter open and something chosen, on the narrowest phone and on a desktop."""
    with opened(browser, f"{site_address}/index.html?cards=1&compare={NINE}", width=width) as one:
        one.page.locator(".facet-groups summary").click()
        assert one.page.evaluate("document.documentElement.scrollWidth") == width
        assert violations(one.page) == []
        assert one.faults() == []


def test_a_thousand_cards_answer_within_fifty_milliseconds(browser: Browser, edition: Edition, tmp_path: Path) -> None:
    """Script and layout together, the median of several searches: other programs share the machine."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(written(edition, 1000, tmp_path).as_uri())
    page.locator(".library.is-long").wait_for()
    rounds = [laid for _ in range(2) for _, _, laid in timed(page)]
    context.close()
    assert statistics.median(rounds) < 50
