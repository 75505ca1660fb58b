"""Charts in a real browser: letters fit their boxes, the live layer lies on the drawing, the page's policy holds."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import figures
import pytest
from playwright.sync_api import Browser, expect
from visit import Visit, served

from proofpress.charts.drawing import DARK, LIGHT, layout, sparkline, standalone_svg, svg
from proofpress.charts.figure import Figure
from proofpress.charts.interactive import interactive_json

ASSETS = Path(__file__).parent.parent / "templates" / "assets"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
SHOWN = (figures.USERS, figures.SIX, figures.EQUAL, figures.ZERO_DEPTH, figures.ONE_POINT)


def tokens(colours: dict[str, str]) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())


def write_site(folder: Path) -> None:
    """A page with charts as a site prints it: `models/card.html`, `charts/card.js`, `assets/`."""
    for name in ("models", "charts", "assets"):
        (folder / name).mkdir(parents=True)
    shutil.copy(next((ASSETS / "vendor").glob("plotly-basic-*.min.js")), folder / "assets" / "plotly.js")
    for name in ("load.js", "touch.js", "chart.js"):
        shutil.copy(ASSETS / "js" / name, folder / "assets" / name)
    shutil.copy(ASSETS / "css" / "components" / "chart.css", folder / "assets" / "chart.css")
    entries = ",\n".join(f'"{figure.id}":{interactive_json(figure)}' for figure in SHOWN)
    (folder / "charts" / "card.js").write_text(f"Proofpress.figures({{{entries}}});\n", encoding="utf-8")
    charts = "\n".join(
        f'<figure class="chart" id="{figure.id}" data-figure="{figure.id}" data-figures="../charts/card.js">'
        f'<div class="chart-drawing">{svg(figure, narrow=False)}{svg(figure, narrow=True)}</div>'
        f"<figcaption>{escape(figure.title)}</figcaption></figure>"
        for figure in SHOWN
    )
    (folder / "models" / "card.html").write_text(
        f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Charts</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="../assets/chart.css">
<style>:root{{{tokens(LIGHT)}}}:root[data-theme=dark]{{{tokens(DARK)}}}
body{{margin:16px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui;max-width:720px}}</style>
<script src="../assets/load.js" defer></script>
<script src="../assets/touch.js" data-chart="../assets/chart.js" data-plotly="../assets/plotly.js" defer></script></head>
<body><h1>Charts</h1>{charts}</body></html>""",
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("charts") / "site"
    write_site(folder)
    return folder


@pytest.fixture(scope="module", params=["http", "file"])
def address(request: pytest.FixtureRequest, site: Path) -> Iterator[str]:
    """The page over HTTP and from disk."""
    if request.param == "file":
        yield (site / "models" / "card.html").as_uri()
        return
    with served(site) as top:
        yield f"{top}/models/card.html"


class Opened(Visit):
    """A visit to a page of charts."""

    def chart(self, figure: Figure) -> str:
        return f'figure[data-figure="{figure.id}"]'

    def live(self, figure: Figure) -> None:
        self.page.wait_for_selector(f"{self.chart(figure)}.is-live .chart-live .scatterlayer", state="attached")


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opened]:
    one = Opened(browser.new_context(viewport={"width": 1000, "height": 900}), address)
    yield one
    one.close()


CENTRES = """selector => {
  const figure = document.querySelector(selector);
  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  const centre = node => middle(node.getBoundingClientRect());
  const svg = [...figure.querySelectorAll('svg[role=img]')].find(one => one.getClientRects().length);
  return {
    drawn: [...svg.querySelectorAll('path.mark')].map(centre),
    live: [...figure.querySelectorAll('.chart-live .scatterlayer path.point')].map(centre),
  };
}"""


def test_nothing_is_loaded_before_somebody_asks(opened: Opened) -> None:
    names = sorted(url.rsplit("/", 1)[-1] for url in opened.asked)
    assert [name for name in names if name != "favicon.ico"] == ["card.html", "chart.css", "load.js", "touch.js"]


def test_hover_brings_the_live_layer_exactly_over_the_drawing(opened: Opened) -> None:
    page = opened.page
    for figure in SHOWN:
        page.locator(opened.chart(figure)).scroll_into_view_if_needed()
        before = page.locator(opened.chart(figure)).bounding_box()
        page.hover(f"{opened.chart(figure)} .chart-drawing", position={"x": 300, "y": 100})
        opened.live(figure)
        assert page.locator(opened.chart(figure)).bounding_box() == before, "the layout moved"
        centres = page.evaluate(CENTRES, opened.chart(figure))
        assert len(centres["drawn"]) == len(centres["live"]) == figure.drawn
        for drawn, live in zip(centres["drawn"], centres["live"], strict=True):
            assert live == pytest.approx(drawn, abs=1.2), figure.id
    assert opened.faults() == []
    assert all(url.startswith(("http://127.0.0.1", "file:")) for url in opened.asked)


def test_the_point_under_the_pointer_tells_its_detail(opened: Opened) -> None:
    page, chart = opened.page, opened.chart(figures.USERS)
    mark = page.locator(f'{chart} svg.chart-wide .mark[data-x="8"]').bounding_box()
    assert mark
    page.mouse.move(mark["x"] + 4, mark["y"] + 8)
    opened.live(figures.USERS)
    page.wait_for_selector(f"{chart} .hoverlayer .hovertext", state="attached")
    assert "564.7 tok/s" in (page.text_content(f"{chart} .hoverlayer") or "")
    count = page.locator(f"{chart} svg.chart-wide text.count").first.bounding_box()
    assert count
    page.mouse.move(count["x"] + 20, count["y"] + 6)
    expect(page.locator(f"{chart} .hoverlayer")).to_contain_text("Withheld, 15/16")
    assert opened.faults() == []


def test_keyboard_goes_from_point_to_point_and_over_withheld_places(opened: Opened) -> None:
    page, chart = opened.page, opened.chart(figures.USERS)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "chart-explore"
    page.keyboard.press("Enter")
    opened.live(figures.USERS)
    expect(page.locator(f"{chart} .chart-live:focus")).to_be_attached()
    heard = []
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        heard.append(page.locator(f"{chart} .chart-announcer").text_content())
    page.keyboard.press("ArrowLeft")
    heard.append(page.locator(f"{chart} .chart-announcer").text_content())
    assert heard[0] == "1 users at once. 113.0 tok/s. at 1. identity 1/1"
    assert heard[3] == heard[5] == "8 users at once. 564.7 tok/s. at 8. identity 1/1"
    assert heard[4] == "16 users at once. Withheld, 15/16. 15/16 outputs equal the oracle's"
    assert opened.faults() == []


def test_theme_changes_recolour_the_live_layer(opened: Opened) -> None:
    page, chart = opened.page, opened.chart(figures.USERS)
    page.hover(f"{chart} .chart-drawing", position={"x": 300, "y": 100})
    opened.live(figures.USERS)
    line = page.locator(f"{chart} .scatterlayer .js-line").first
    expect(line).to_have_css("stroke", "rgb(10, 107, 92)")
    page.evaluate(
        "document.documentElement.dataset.theme = 'dark'; document.dispatchEvent(new Event('proofpress:theme'))"
    )
    expect(line).to_have_css("stroke", "rgb(92, 204, 180)")
    assert opened.faults() == []


def test_a_chart_follows_its_column_from_wide_to_narrow(opened: Opened) -> None:
    page = opened.page
    page.hover(f"{opened.chart(figures.USERS)} .chart-drawing", position={"x": 300, "y": 100})
    opened.live(figures.USERS)
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.locator(f"{opened.chart(figures.USERS)} .chart-live .main-svg").first).to_have_css(
        "width", re.compile(r"33[567](\.\d+)?px")
    )
    centres = page.evaluate(CENTRES, opened.chart(figures.USERS))
    for drawn, live in zip(centres["drawn"], centres["live"], strict=True):
        assert live == pytest.approx(drawn, abs=1.2)


def test_tap_brings_it_and_a_swipe_scrolls_the_page(browser: Browser, address: str) -> None:
    one = Opened(browser.new_context(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True), address)
    page, chart = one.page, one.chart(figures.USERS)
    touch = one.page.context.new_cdp_session(page)

    def swipe(y: float) -> float:
        page.evaluate("scrollTo(0, 0)")
        for kind, up in [("touchStart", 0), *(("touchMove", 20 * step) for step in range(1, 11)), ("touchEnd", 200)]:
            points = [] if kind == "touchEnd" else [{"x": 180, "y": y - up}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            page.wait_for_timeout(20)
        page.wait_for_timeout(800)  # until the page has come to rest: a tap in between only stops it
        scrolled: float = page.evaluate("scrollY")
        return scrolled

    middle = page.locator(f"{chart} .chart-drawing").bounding_box()
    assert middle
    y = middle["y"] + 120
    assert swipe(y) > 100
    assert not any("plotly" in url for url in one.asked), "a swipe loads nothing"
    page.evaluate("scrollTo(0, 0)")
    page.touchscreen.tap(180, y)
    one.live(figures.USERS)
    assert swipe(y) > 100, "the live layer lets the page scroll"
    assert one.faults() == []
    one.close()


def test_without_the_library_the_drawing_stays(browser: Browser, site: Path, tmp_path: Path) -> None:
    broken = tmp_path / "site"
    shutil.copytree(site, broken)
    (broken / "assets" / "plotly.js").unlink()
    one = Opened(browser.new_context(), (broken / "models" / "card.html").as_uri())
    one.page.hover(f"{one.chart(figures.USERS)} .chart-drawing", position={"x": 300, "y": 100})
    one.page.wait_for_timeout(300)
    assert one.page.locator(".is-live, .chart-live").count() == 0
    assert one.page.locator(f'{one.chart(figures.USERS)} svg.chart-wide .mark[data-x="8"]').is_visible()
    one.close()


def test_without_scripts_the_drawing_is_complete(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1000, "height": 800})
    page = context.new_page()
    page.goto(address)
    chart = f'figure[data-figure="{figures.USERS.id}"]'
    assert page.locator(f"{chart} svg.chart-wide").is_visible()
    assert not page.locator(f"{chart} svg.chart-narrow").is_visible()
    assert page.locator(f"{chart} svg.chart-wide text.value").all_text_contents() == ["565", "113", "211", "311"]
    assert page.locator(".chart-explore").count() == 0
    context.close()


@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
@pytest.mark.parametrize("figure", figures.ALL, ids=lambda figure: figure.id)
def test_every_letter_fits_the_box_that_was_kept_for_it(browser: Browser, figure: Figure, narrow: bool) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 700})
    css = (ASSETS / "css" / "components" / "chart.css").read_text(encoding="utf-8")
    page.set_content(
        f"<style>body{{font:16px system-ui;width:{340 if narrow else 720}px}}{css}</style>"
        f'<figure class="chart"><div class="chart-drawing">{svg(figure, narrow=narrow)}</div></figure>'
    )
    boxes: list[dict[str, Any]] = page.evaluate(
        """[...document.querySelectorAll('svg text')].map(text => {
          const box = text.getBBox(); const screen = text.getBoundingClientRect();
          return {text: text.textContent, left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height,
                  size: parseFloat(getComputedStyle(text).fontSize), scale: screen.height / box.height}; })"""
    )
    labels = layout(figure, narrow=narrow).labels
    assert [box["text"] for box in boxes] == [label.text for label in labels]
    for box, label in zip(boxes, labels, strict=True):
        assert box["size"] == label.size
        assert box["scale"] == pytest.approx(1, abs=0.02), "natural size"
        within = label.box.grown(0.15)
        assert within.left <= box["left"], label
        assert within.right >= box["right"], label
        assert within.top <= box["top"], label
        assert within.bottom >= box["bottom"], label
    page.close()


def test_a_file_of_its_own_and_a_sparkline_need_no_style_sheet(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    path.write_text(standalone_svg(figures.SIX), encoding="utf-8")
    for scheme, colours in (("light", LIGHT), ("dark", DARK)):
        context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]  # the literal is lost in the loop
        page = context.new_page()
        page.goto(path.as_uri())
        colour = page.evaluate("getComputedStyle(document.querySelector('text.title')).fill")
        assert colour == "rgb({}, {}, {})".format(*bytes.fromhex(colours["ink"][1:]))
        context.close()
    assert sparkline(figures.USERS.series[0]).count('class="mark"') == 4
