"""The built site in a real browser: quiet, accessible, narrow, by keyboard, without scripts, in the dark, on paper, from disk."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from visit import Visit

from proofpress.derive import wording
from proofpress.pages.asset import OWN_SCRIPTS, OWN_STYLES
from proofpress.pages.template import TEMPLATES

VENDOR = Path(__file__).parent / "vendor"

Q9 = "models/qwen35-9b-fp8-b70.html"
KINDS = {
    "index": ("index.html", "index.html"),
    "card": ("card.html", Q9),
    "card of many curves": ("card.html", "models/qwen38-27b-fp8-tp2-b70.html"),
    "card of requests": ("card.html", "models/h200-qwen3-random-static-batch.html"),
    "guide": ("guide.html", "guides/qwen35-9b-fp8-b70.html"),
    "evidence of a record": ("evidence.html", "evidence/q9-c2-users.html"),
    "evidence of requests": ("evidence.html", "evidence/h200-qwen3-random-strict-ngram.html"),
    "group": ("group.html", "families/qwen3.5-9b.html"),
    "chart alone": ("chart.html", "charts/qwen35-9b-fp8-b70/q9-c2-users.mtp3.aggregate_wall.concurrent_users.html"),
    "comparison": ("compare.html", "compare.html"),
    "changes": ("changes.html", "changes.html"),
    "glossary": ("glossary.html", "glossary.html"),
    "rules": ("rules.html", "rules.html"),
    "written": ("written.html", "formats.html"),
    "build record": ("build.html", "build.html"),
    "compare": ("compare.html", "compare.html?cards=qwen35-9b-fp8-b70,qwen38-27b-fp8-tp2-b70"),
    "not found": ("404.html", "404.html"),
}
"""A page of each kind: its template and its address."""

EACH_KIND = pytest.mark.parametrize("path", [path for _, path in KINDS.values()], ids=list(KINDS))


@contextmanager
def visit(browser: Browser, address: str, *, width: int = 1280, **options: Any) -> Iterator[Visit]:
    """A page in a fresh context of its own."""
    one = Visit(browser.new_context(viewport={"width": width, "height": 800}, **options), address)
    try:
        yield one
    finally:
        one.close()


def test_there_is_a_page_of_every_template() -> None:
    templates = {path.name for path in (TEMPLATES / "pages").glob("*.html")}
    assert {template for template, _ in KINDS.values()} == templates


# --- quiet ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["http", "file"])
@EACH_KIND
def test_a_page_opens_quietly(browser: Browser, built_site: Path, site_address: str, path: str, scheme: str) -> None:
    """Nothing on the console, no violation of the policy, nothing from elsewhere, nothing that only a touch needs, nothing moves."""
    top = site_address if scheme == "http" else built_site.as_uri()
    with visit(browser, f"{top}/{path}") as one:
        one.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        one.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert one.faults() == []
        assert one.moved() == []
        assert all(url.startswith(top) for url in one.asked)
        names = {re.sub(r"-[0-9a-f]{10}(?=\.)", "", url.rpartition("/")[2]) for url in one.asked[1:]}
        own = {f"{name}.css" for name in OWN_STYLES} | set(OWN_SCRIPTS.values())
        if path.startswith("compare"):
            own |= {url.rpartition("/")[2] for url in one.asked if "/compare/" in url}
        assert names <= {"theme.js", "page.js", "style.css", "favicon.svg", "favicon.ico"} | own


@EACH_KIND
def test_a_page_fits_the_narrowest_phone(browser: Browser, site_address: str, path: str) -> None:
    with visit(browser, f"{site_address}/{path}", width=360) as one:
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
        one.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 360, "with everything open"


@EACH_KIND
def test_a_page_fits_the_sheet(browser: Browser, site_address: str, path: str) -> None:
    """A browser would shrink all of a page whose widest table is wider than the paper."""
    a4_between_margins = 703
    with visit(browser, f"{site_address}/{path}", width=a4_between_margins) as one:
        one.page.emulate_media(media="print")
        assert one.page.evaluate("document.documentElement.scrollWidth") <= a4_between_margins


# --- accessible -------------------------------------------------------------------------------------------------------


WIDE = [
    "evidence/h200-qwen3-random-strict-ngram.html", "evidence/h200-qwen3-random-users.html", "evidence/q9-c2-users.html",
    "hardware/nvidia-h200.html", "changes.html", Q9,
]  # fmt: skip


@pytest.mark.parametrize("path", WIDE)
def test_tables_that_are_open_are_not_cut_on_a_desk(browser: Browser, site_address: str, path: str) -> None:
    with visit(browser, f"{site_address}/{path}") as one:
        assert one.page.evaluate(CUT) == []


@pytest.mark.parametrize("path", ["changes.html", "hardware/intel-arc-pro-b70-32g.html", "hardware/nvidia-h200.html"])
def test_lists_of_set_ups_and_changes_are_not_cut_on_a_phone(browser: Browser, site_address: str, path: str) -> None:
    with visit(browser, f"{site_address}/{path}", width=390) as one:
        assert one.page.evaluate(CUT) == []


def test_columns_of_all_days_stand_under_each_other(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/changes.html") as one:
        heads = one.page.locator("thead th:last-child").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().left)"
        )
        assert len(heads) > 3
        assert len(set(heads)) == 1


CUT = """[...document.querySelectorAll('.scroll')].filter(one => one.offsetParent && one.scrollWidth > one.clientWidth + 1)
  .map(one => `${one.getAttribute('aria-label')}: ${one.scrollWidth} in ${one.clientWidth}`)"""


@pytest.mark.parametrize(
    ("path", "selector"),
    [("hardware/intel-arc-pro-b70-32g.html", "th > button"), ("index.html", ".library-number .state a")],
)
def test_what_is_pressed_on_a_phone_is_large_enough(
    browser: Browser, site_address: str, path: str, selector: str
) -> None:
    with visit(browser, f"{site_address}/{path}", width=390) as one:
        heights = one.page.locator(selector).evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
        assert heights
        assert min(heights) >= 24


def test_the_vendored_checker_is_the_published_one() -> None:
    stated = re.search(r"`([0-9a-f]{64})`", (VENDOR / "README.md").read_text(encoding="utf-8"))
    assert stated
    assert sha256((VENDOR / "axe.min.js").read_bytes()).hexdigest() == stated[1]


@EACH_KIND
def test_axe_finds_nothing(browser: Browser, site_address: str, path: str) -> None:
    """Every rule in the light, and again in the dark those that depend on colours."""
    with visit(browser, f"{site_address}/{path}", color_scheme="light", bypass_csp=True) as one:
        if "evidence" not in path:
            one.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        one.page.evaluate((VENDOR / "axe.min.js").read_text(encoding="utf-8"))
        assert _violations(one, {}) == []
        one.page.emulate_media(color_scheme="dark")
        assert _violations(one, {"runOnly": ["color-contrast", "link-in-text-block"]}) == []


def _violations(one: Visit, options: dict[str, Any]) -> list[tuple[str, str]]:
    run = "options => axe.run(document, {resultTypes: ['violations'], ...options}).then(result => result.violations)"
    return [(fault["id"], fault["nodes"][0]["html"]) for fault in one.page.evaluate(run, options)]


STOPS = """() => {
  const wanted = 'a[href], button, summary, input, select, textarea, [tabindex="0"]';
  return [...document.querySelectorAll(wanted)].filter(one => !one.disabled && one.checkVisibility({visibilityProperty: true})).length;
}"""
HERE = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  if (one === document.body || one === document.documentElement) return null;
  window.met = window.met || new Set();
  const again = window.met.has(one);
  window.met.add(one);
  const box = one.getBoundingClientRect();
  return {again, text: one.outerHTML.slice(0, 120), ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
          seen: box.width > 1 && box.height > 1};
}"""


@pytest.mark.parametrize(
    "path",
    [path for name, (_, path) in KINDS.items() if name not in {"card of many curves", "evidence of requests"}],
    ids=[name for name in KINDS if name not in {"card of many curves", "evidence of requests"}],
)
def test_the_keyboard_reaches_everything_and_is_seen(browser: Browser, site_address: str, path: str) -> None:
    """Tab stops at each link, button, fold and scrolling region once, each with a ring round it and large enough to see."""
    with visit(browser, f"{site_address}/{path}") as one:
        expected = one.page.evaluate(STOPS)
        met = 0
        while met <= expected:
            one.page.keyboard.press("Tab")
            here = one.page.evaluate(HERE)
            if here is None or here["again"]:
                break
            met += 1
            assert here["ring"], here["text"]
            assert here["seen"], here["text"]
        assert met == expected


def test_the_skip_link_leads_to_the_content(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/{Q9}") as one:
        one.page.keyboard.press("Tab")
        one.page.keyboard.press("Enter")
        assert one.page.evaluate("document.activeElement.id") == "main"


def test_a_term_explains_itself_on_focus_hover_and_tap(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/{Q9}") as one:
        page = one.page
        page.focus(".term >> nth=0")
        page.wait_for_selector(".term-note:visible")
        note = page.locator(".term-note")
        assert len(note.text_content() or "") > 20
        assert page.get_attribute(".term >> nth=0", "aria-describedby") == note.get_attribute("id")
        page.keyboard.press("Escape")
        assert not note.is_visible()
        page.hover(".term >> nth=1")
        page.wait_for_selector(".term-note:visible")
        page.mouse.move(0, 0)
        page.wait_for_selector(".term-note", state="hidden")
        assert one.faults() == []
    with visit(browser, f"{site_address}/{Q9}", width=390, has_touch=True) as one:
        one.page.tap(".term >> nth=0")
        one.page.wait_for_selector(".term-note:visible")
        assert one.page.url.endswith(Q9), "the first tap explains"
        one.page.tap(".term >> nth=0")
        one.page.wait_for_url("**/glossary.html#term-*")


# --- charts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_a_chart_comes_alive_by_keyboard_and_only_then_asks_for_its_library(
    browser: Browser, built_site: Path, site_address: str, scheme: str
) -> None:
    top = site_address if scheme == "http" else built_site.as_uri()
    with visit(browser, f"{top}/{Q9}") as one:
        page = one.page
        page.focus(".chart-explore >> nth=0")
        assert not any("plotly" in url or "/chart" in url for url in one.asked)
        page.keyboard.press("Enter")
        expect(page.locator(".chart-live:focus")).to_be_attached()
        assert [url.rpartition("/")[2].partition("-")[0] for url in one.asked if "plotly" in url] == ["plotly"]
        page.keyboard.press("ArrowRight")
        heard = page.locator(".chart-announcer >> nth=0").text_content() or ""
        assert re.search(r"\d tok/s", heard), heard
        assert one.faults() == []
        assert one.moved() == []


# --- without scripts, on paper ----------------------------------------------------------------------------------------


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Every measured number of a twin, with its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, f"{path}/{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _numbers(item, f"{path}/{index}")
    elif isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        yield path, float(value)


def _printed(number: float) -> set[str]:
    return {wording.exact(number), wording.tabular(number), wording.brief(number), wording.percent(number)}


CARDS = ["qwen35-9b-fp8-b70", "qwen38-27b-fp8-tp2-b70", "h200-qwen3-random-static-batch"]


@pytest.mark.parametrize("card", CARDS)
def test_without_scripts_every_number_note_and_gap_is_there(browser: Browser, built_site: Path, card: str) -> None:
    twin = json.loads((built_site / "models" / f"{card}.json").read_text(encoding="utf-8"))
    with visit(browser, (built_site / "models" / f"{card}.html").as_uri(), java_script_enabled=False) as one:
        text = unescape(re.sub(r"<[^>]+>", " ", one.page.content()))
        words = set(re.findall(r"\d[\d,.]*\d|\d", text))
        missing = [
            (path, number)
            for part in ("headline", "profiles")
            for path, number in _numbers(twin[part], part)
            if path.rpartition("/")[2] in {"value", "x", "matched", "total", "samples", "per_user"}
            and not words & _printed(number)
            and not words & {f"{number / 1024:g}"}  # a tick: 2K
        ]
        assert missing == []
        assert all(gap["text"] in text for gap in twin["missing"])
        assert one.page.locator(".js-only:visible, .chart-explore").count() == 0
        assert one.page.locator("svg.chart-wide:visible").count() > 2
        shown = sum(len(profile["withheld"]) > 0 for profile in twin["profiles"])
        assert one.page.locator(".withheld li").count() >= shown
        one.page.click("summary >> nth=0")
        assert one.page.locator("details[open] ol, details[open] p").first.is_visible()


def test_the_list_is_complete_without_scripts(browser: Browser, built_site: Path) -> None:
    index = json.loads((built_site / "index.json").read_text(encoding="utf-8"))
    with visit(browser, (built_site / "index.html").as_uri(), java_script_enabled=False) as one:
        entries = one.page.locator(".library > li")
        assert entries.count() == len(index["models"] if "models" in index else index["cards"])
        for number in range(entries.count()):
            entry = entries.nth(number)
            assert re.search(r"\d missing", entry.inner_text())
            assert entry.locator("time").is_visible()
            assert entry.locator(".library-curve > p").count() == 2


def test_paper_opens_everything_and_drops_what_cannot_be_pressed(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/{KINDS['card of many curves'][1]}", width=720) as one:
        page = one.page
        assert page.locator("details:not([open])").count() > 5
        page.emulate_media(media="print")
        for hidden in (".header nav", ".actions", ".theme", ".toc", ".breadcrumb"):
            assert page.locator(f"{hidden}:visible").count() == 0, hidden
        inside = (
            "[...document.querySelectorAll('details')].map(one => one.lastElementChild.getBoundingClientRect().height)"
        )
        assert min(page.evaluate(inside)) > 10
        paper = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(paper) == "rgb(255, 255, 255)"
        assert page.evaluate("document.documentElement.scrollWidth") <= 720


# --- themes and wishes ------------------------------------------------------------------------------------------------


def test_the_theme_is_switched_and_remembered(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/index.html", color_scheme="light") as one:
        page, ground = one.page, "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(ground)
        page.click(".theme")
        page.click(".theme")
        assert page.inner_text(".theme") == "Theme: dark"
        dark = page.evaluate(ground)
        assert dark != light
        page.goto(f"{site_address}/{Q9}")
        assert page.evaluate(ground) == dark
        page.click(".theme")
        assert page.evaluate(ground) == light, "as the system wishes"
        page.emulate_media(color_scheme="dark")
        assert page.evaluate(ground) == dark
        assert one.faults() == []


def test_both_dark_blocks_are_equal() -> None:
    """Dark stands twice in the tokens, for the system's wish and for the reader's."""
    tokens = (TEMPLATES / "assets" / "css" / "tokens.css").read_text(encoding="utf-8")
    blocks = re.findall(r"color-scheme: dark;(.*?)\}", tokens, re.DOTALL)
    first, second = (re.findall(r"--[\w-]+: [^;]+;", block) for block in blocks)
    assert first == second


def test_forced_colours_keep_shapes_and_charts(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/{Q9}", forced_colors="active") as one:
        shape = (
            "name => getComputedStyle(document.querySelector(`.state[data-state=${name}]`), '::before')[name === 'withheld'"
            " ? 'backgroundImage' : 'borderTopStyle']"
        )
        assert one.page.evaluate(shape, "measured") == "solid"
        assert "gradient" in one.page.evaluate(shape, "withheld")
        assert one.page.locator("svg.chart-wide path.mark >> nth=0").is_visible()
        assert one.faults() == []


def test_nothing_glides_for_those_who_do_not_want_it(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/{Q9}", reduced_motion="reduce") as one:
        moving = (
            "[...document.querySelectorAll('*')].filter(one => { const style = getComputedStyle(one);"
            " return style.scrollBehavior === 'smooth' || style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0 }).length"
        )
        assert one.page.evaluate(moving) == 0


# --- copying and sorting ----------------------------------------------------------------------------------------------


def test_commands_and_pages_are_copied(browser: Browser, built_site: Path, site_address: str) -> None:
    granted: dict[str, Any] = {"permissions": ["clipboard-read", "clipboard-write"]}
    with visit(browser, f"{site_address}/{KINDS['guide'][1]}", **granted) as one:
        page = one.page
        assert page.locator(".command .copy").count() == page.locator(".command").count() > 3
        page.click(".command .copy >> nth=1")
        expect(page.locator(".copied").first).to_have_text("Copied.")
        command = (page.text_content(".command >> nth=1 >> pre") or "").strip()
        assert page.evaluate("navigator.clipboard.readText()") == f"{command}\n"
    with visit(browser, f"{site_address}/{Q9}", **granted) as one:
        one.page.click("[data-copy]")
        expect(one.page.locator(".copied").first).to_have_text("Copied.")
        markdown = (built_site / Q9).with_suffix(".md").read_text(encoding="utf-8")
        assert one.page.evaluate("navigator.clipboard.readText()").strip() == markdown.strip()
        assert one.faults() == []


def test_from_disk_a_page_is_copied_or_laid_out_for_copying(browser: Browser, built_site: Path) -> None:
    with visit(browser, (built_site / Q9).as_uri()) as one:
        one.page.click("[data-copy]")
        expect(one.page.locator(".copied").first).not_to_be_empty()
        said = one.page.inner_text(".copied")
        assert said.startswith("Copied.") or one.page.input_value(".copy-text").startswith("# ")
        assert one.faults() == []


def test_a_table_is_sorted_by_number_and_back(browser: Browser, site_address: str) -> None:
    with visit(browser, f"{site_address}/{KINDS['evidence of a record'][1]}") as one:
        page = one.page
        heads = page.locator("table[data-sortable] >> nth=0 >> thead th").all_text_contents()
        at = next(index for index, text in enumerate(heads) if "tok/s" in text)
        head = f"table[data-sortable] >> nth=0 >> thead th:nth-child({at + 1})"
        column = f"[...document.querySelector('table[data-sortable]').tBodies[0].rows].map(row => row.cells[{at}].textContent.trim())"
        printed = page.evaluate(column)
        page.click(f"{head} button")
        assert page.get_attribute(head, "aria-sort") == "ascending"
        up = page.evaluate(column)
        numbers = [float(text.replace(",", "")) for text in up if text != "–"]
        assert numbers == sorted(numbers)
        assert up[-1] == "–" or "–" not in up, "what has no value goes last"
        page.click(f"{head} button")
        down = [float(text.replace(",", "")) for text in page.evaluate(column) if text != "–"]
        assert down == numbers[::-1]
        page.click(f"{head} button")
        assert page.evaluate(column) == printed
