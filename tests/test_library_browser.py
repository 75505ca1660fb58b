"""The library in a real browser: search, facets, order, the address, what is to be compared, keys, no scripts, from disk, on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from visit import Visit

from benchmarks.library_search import WORDS, written
from proofpress.derive.edition import Edition

NINE, TWENTY_SEVEN, H200 = "qwen35-9b-fp8-b70", "qwen38-27b-fp8-tp2-b70", "h200-qwen3-random-static-batch"
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A set-up as `index.json` and the twins tell of it, with what only the list's markup says: `text`, `users`."""

    id: str
    name: str
    accelerator: str
    cards: tuple[int, ...]
    grades: tuple[str, ...]
    has_ttft: bool
    updated: str
    single: float | None
    display: str
    number_of_cards: int | None
    """On how many cards the single-user number was measured."""
    is_for_use: bool
    text: str
    users: float | None


def entries_of(site: Path, edition: Edition) -> list[Entry]:
    """All set-ups in the order in which the list is expected: by speed, then what is not for use, then pending."""
    listed = (site / "index.html").read_text(encoding="utf-8")
    uses = edition.library.vocabulary.good_for
    found = []
    for card in json.loads((site / "index.json").read_bytes())["cards"]:
        (markup,) = re.findall(rf'<li data-id="{re.escape(card["id"])}"[^>]*>', listed)
        data = {name: unescape(value) for name, value in re.findall(r' data-([a-z]+)="([^"]*)"', markup)}
        twin = json.loads((site / card["twin"]).read_bytes())
        headline = card["headline"]
        found.append(
            Entry(
                id=card["id"],
                name=card["name"],
                accelerator=card["facets"]["accelerator"],
                cards=tuple(card["facets"]["cards_measured"]),
                grades=tuple(card["facets"]["grades"]),
                has_ttft=card["facets"]["has_ttft"],
                updated=card["updated"],
                single=headline["value"] if headline else None,
                display=headline["display"] if headline else "",
                number_of_cards=_measured_on(site, twin) if headline else None,
                is_for_use=any(uses[word].for_use for word in twin["facts"]["good_for"]),
                text=data["text"],
                users=float(data["users"]) if "users" in data else None,
            )
        )
    found.sort(key=lambda one: (one.single is None, not one.is_for_use, -(one.single or 0), one.name))
    return found


def _measured_on(site: Path, twin: dict[str, Any]) -> int:
    """The cards of the headline's arm, as its campaign's file says, or as the card says where the campaign is silent."""
    headline = twin["headline"]
    campaign = json.loads((site / "evidence" / headline["evidence"]["campaign"] / "campaign.json").read_bytes())
    (arm,) = (arm for arm in campaign["arms"] if arm["id"] == headline["arm"])
    return int(arm.get("cards") or twin["facts"]["cards"])


@pytest.fixture(scope="module")
def entries(built_site: Path, edition: Edition) -> list[Entry]:
    """What the list must say, worked out here."""
    return entries_of(built_site, edition)


def named(entries: Sequence[Entry], *words: str) -> list[str]:
    """The set-ups in whose text every one of `words` stands."""
    return [one.id for one in entries if all(word in one.text for word in words)]


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


def test_a_search_narrows_the_list_and_stands_in_the_address(
    browser: Browser, index: str, entries: list[Entry]
) -> None:
    """Every word must be found; the count is said; the address restores the search and asks for nothing."""
    everything = [one.id for one in entries]
    several = named(entries, "qwen3.8", "fp8")
    assert 1 < len(several) < len(entries)
    with opened(browser, index) as one:
        assert ids(one.page) == everything
        one.page.fill("[name=q]", "Qwen3.8 fp8")
        assert ids(one.page) == several
        assert one.page.locator(".facets output").text_content() == f"{len(several)} of {len(entries)} set-ups"
        assert one.page.url == f"{index}?q=Qwen3.8%20fp8"
        one.page.fill("[name=q]", TWENTY_SEVEN)
        assert ids(one.page) == [TWENTY_SEVEN]
        asked = {url for url in one.asked if "favicon" not in url}
        one.page.fill("[name=q]", "zebra")
        assert ids(one.page) == []
        assert one.page.get_by_text("No set-up fits all of this.").is_visible()
        one.page.locator(".nothing [data-clear]").click()
        assert ids(one.page) == everything
        assert one.page.url == index
        assert one.page.evaluate("document.activeElement.name") == "q"
        assert {url for url in one.asked if "favicon" not in url} == asked, "nothing is loaded for a search"
        assert one.faults() == []
    with opened(browser, f"{index}?q={H200}") as one:
        assert ids(one.page) == [H200]
        assert one.page.input_value("[name=q]") == H200


def test_facets_count_what_would_be_there(browser: Browser, index: str, entries: list[Entry]) -> None:
    """Words of one facet add up, facets narrow each other, and each count holds the other facets fixed."""
    b70 = [one for one in entries if one.accelerator == "intel-arc-pro-b70-32g"]
    h200 = [one for one in entries if one.accelerator == "nvidia-h200"]
    assert b70
    assert h200
    with opened(browser, index) as one:
        page = one.page

        def count(facet: str, word: str) -> str | None:
            label = page.locator("label", has=page.locator(f"[name={facet}][value={word}]"))
            return label.locator("small").text_content()

        page.locator(".facet-groups summary").click()
        page.locator("[name=accelerator][value=intel-arc-pro-b70-32g]").check()
        assert ids(page) == [entry.id for entry in b70]
        assert count("accelerator", "nvidia-h200") == str(len(h200))
        assert count("grade", "requests") == str(sum("requests" in entry.grades for entry in b70))
        page.locator("[name=accelerator][value=nvidia-h200]").check()
        assert ids(page) == [entry.id for entry in entries if entry in b70 or entry in h200]
        page.locator("[name=curve][value=ttft]").check()
        assert ids(page) == [entry.id for entry in entries if entry.has_ttft and (entry in b70 or entry in h200)]
        assert "accelerator=intel-arc-pro-b70-32g,nvidia-h200" in page.url
        page.get_by_role("button", name="Remove Accelerator: H200").click()
        assert ids(page) == [entry.id for entry in b70 if entry.has_ttft]
        page.locator("[name=q]").focus()
        assert page.locator(".facet-groups summary").text_content() == "Filter (2)"
    with opened(browser, f"{index}?curve=ttft&family=no-such&strange=1") as one:
        assert ids(one.page) == [entry.id for entry in entries if entry.has_ttft], "unknown words are passed over"


def by_users(entry: Entry) -> tuple[bool, bool, float]:
    return entry.users is None, not entry.is_for_use, -(entry.users or 0)


def by_name(entry: Entry) -> list[tuple[bool, int, str]]:
    """Small and capital letters alike, digits as numbers."""
    parts = re.split(r"([0-9]+)", entry.name.casefold())
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts if part]


def test_orders(browser: Browser, index: str, entries: list[Entry]) -> None:
    """What is equal keeps the printed order; set-ups that are not for use are no answer to 'fastest'."""
    expected = {
        "users": sorted(entries, key=by_users),
        "new": sorted(entries, key=lambda entry: entry.updated, reverse=True),
        "name": sorted(entries, key=by_name),
        "": entries,
    }
    assert any(not entry.is_for_use for entry in entries)
    with opened(browser, index) as one:
        for order, those in expected.items():
            one.page.select_option("[name=sort]", order)
            assert ids(one.page) == [entry.id for entry in those], order


def test_pending_stands_last_in_every_order_by_speed(browser: Browser, built_site: Path, entries: list[Entry]) -> None:
    """A set-up without a number has no place among numbers; the fastest is made pending here in the page itself."""
    fastest = min(entries, key=by_users)
    with opened(browser, (built_site / "index.html").as_uri()) as one:
        page = one.page
        text = (built_site / "index.html").read_text(encoding="utf-8")
        name = built_site / "pending.html"
        start = text.index(f'data-id="{fastest.id}"')
        cut = text[start : text.index(">", start)]
        bare = " ".join(part for part in cut.split(" ") if not part.startswith(("data-single=", "data-users=")))
        name.write_text(text.replace(cut, bare), encoding="utf-8")
        page.goto(name.as_uri())
        page.select_option("[name=sort]", "users")
        measured = [entry.id for entry in sorted(entries, key=by_users) if entry.users and entry is not fastest]
        assert ids(page)[: len(measured)] == measured
        assert fastest.id in ids(page)[len(measured) :]
        name.unlink()


def test_the_three_questions_are_answered_at_once(browser: Browser, index: str, entries: list[Entry]) -> None:
    """The fastest on one accelerator, all that fit one, all with a time to first token: answer and address each."""
    on_one = [entry for entry in entries if entry.number_of_cards == 1]
    fastest = max((entry for entry in on_one if entry.is_for_use), key=lambda entry: entry.single or 0)
    assert any((entry.single or 0) > (fastest.single or 0) for entry in on_one), "a check of the method is faster"
    fits = [entry.id for entry in entries if 1 in entry.cards]
    with opened(browser, index) as one:
        page = one.page
        first = page.locator(".asked dl > div").nth(0)
        assert f"{fastest.display} tok/s" in (first.text_content() or "")
        assert first.locator("a:not([data-preset])").get_attribute("href") == f"models/{fastest.id}.html"
        first.locator("[data-preset]").click()
        assert ids(page) == [entry.id for entry in on_one]
        assert ids(page)[0] == fastest.id
        page.locator("[data-preset]").nth(1).click()
        assert ids(page) == fits
        assert f"{len(fits)} of {len(entries)} set-ups" in (page.locator(".asked").text_content() or "")
        assert page.url == f"{index}?cards=1"
        page.locator("[data-preset]").nth(2).click()
        assert ids(page) == [entry.id for entry in entries if entry.has_ttft]
        assert page.locator("[data-preset][aria-current]").count() == 1


def test_two_to_four_are_chosen_for_comparison(browser: Browser, index: str) -> None:
    with opened(browser, index) as one:
        page = one.page
        bar = page.locator(".compare-bar")
        assert not bar.is_visible()
        page.locator(f"[name=compare][value={NINE}]").check()
        assert bar.locator("a").text_content() == "Compare with…"
        page.fill("[name=q]", TWENTY_SEVEN)
        page.locator(f"[name=compare][value={TWENTY_SEVEN}]").check()
        assert page.url == f"{index}?q={TWENTY_SEVEN}&compare={NINE},{TWENTY_SEVEN}"
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
        page.keyboard.type(TWENTY_SEVEN)
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


def test_without_scripts_the_list_is_complete(browser: Browser, index: str, entries: list[Entry]) -> None:
    answers = sum(1 in entry.cards for entry in entries) + sum(entry.has_ttft for entry in entries)
    with opened(browser, index, java_script_enabled=False) as one:
        page = one.page
        assert ids(page) == [entry.id for entry in entries]
        assert not page.locator(".facets").is_visible()
        assert not page.locator(".pick").first.is_visible()
        assert page.locator(".asked li a").count() == answers, "the set-ups behind two of the answers"


@pytest.mark.parametrize("width", [360, 1280])
def test_it_is_accessible_and_fits(browser: Browser, site_address: str, width: int) -> None:
    """With the filter open and something chosen, on the narrowest phone and on a desktop."""
    with opened(browser, f"{site_address}/index.html?cards=1&compare={NINE}", width=width) as one:
        one.page.locator(".facet-groups summary").click()
        assert one.page.evaluate("document.documentElement.scrollWidth") == width
        # tall enough that the bar at the window's foot covers no box: what it covers, one scrolls to
        one.page.set_viewport_size({"width": width, "height": 4000})
        assert violations(one.page) == []
        assert one.faults() == []


def test_the_small_curve_is_over_cached_context_where_there_is_no_other(built_site: Path) -> None:
    """A decode curve over prompt tokens comes first, then one over tokens in the cache."""
    listed = (built_site / "index.html").read_text(encoding="utf-8")
    labels: set[str] = set()
    for path in sorted(built_site.glob("models/*.json")):
        axes = {
            profile["axis"]
            for profile in json.loads(path.read_bytes())["profiles"]
            if profile["metric"].startswith("decode") and profile["shown"]
        }
        (item,) = re.findall(rf'<li data-id="{re.escape(path.stem)}".*?</li>', listed, re.DOTALL)
        over = re.findall(r"(over (?:cached )?context)(?:, [^<]*)?(</a>|<br>)", item)
        is_cached = "context_depth" in axes and "context_tokens" not in axes
        has_curve = bool(axes & {"context_depth", "context_tokens"})
        assert over == [("over cached context" if is_cached else "over context", "</a>" if has_curve else "<br>")]
        labels.update(label for label, _ in over)
    assert labels == {"over context", "over cached context"}


def test_a_thousand_cards_are_searched(browser: Browser, edition: Edition, tmp_path: Path) -> None:
    """A search among many finds what it must; how fast it is, `benchmarks.library_search` measures."""
    address = written(edition, 1000, tmp_path)
    texts = dict(re.findall(r'<li data-id="([^"]*)" data-text="([^"]*)"', address.read_text(encoding="utf-8")))
    assert len(texts) == 1000
    with opened(browser, address.as_uri()) as one:
        one.page.locator(".library.is-long").wait_for()
        for words in WORDS:
            one.page.fill("[name=q]", words)
            expected = [card for card, text in texts.items() if all(word in text for word in words.split())]
            assert ids(one.page) == expected, words
