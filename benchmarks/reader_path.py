"""How many clicks and seconds a reader needs from the library to three things that readers ask for.

Run it from the repository's root with `python -m benchmarks.reader_path [SITE]`; without a built site it builds one. It drives a real browser from
disk, at the size of a desktop and of a phone, clicks only what a reader sees, and looks at the end whether the answer stands in the
window. Seconds are the browser's: from the first click until the answer is painted, without the time a reader thinks.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from browser import launched
from playwright.sync_api import Locator, Page

from proofpress import pipeline
from proofpress.output import publish

ROOT = Path(__file__).parent.parent
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}


class Reader:
    """A page, and how often it was clicked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def click(self, target: Locator) -> None:
        """Clicks what can be seen; what cannot is an error, as it would be for a reader."""
        target.click(timeout=5000)
        self.clicks += 1

    def sees(self, target: Locator) -> bool:
        """Whether the answer stands in the window, without scrolling."""
        target.wait_for(state="visible", timeout=5000)
        # a frame for the browser to jump to the address's place
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seen: bool = target.evaluate(
            "node => { const box = node.getBoundingClientRect(); return box.top < innerHeight && box.bottom > 0; }"
        )
        return seen


def raw_requests(reader: Reader) -> Locator:
    """The raw requests behind a headline: the number's own count of identical answers leads to them."""
    entry = reader.page.locator(".library > li", has_text="random weights on one H200")
    reader.click(entry.locator(".library-number .state a"))
    return reader.page.locator(":target tbody tr").first


def why_sixteen_users_are_missing(reader: Reader) -> Locator:
    """Why 16 users are missing: the small curve says how many are withheld, and leads to the reasons."""
    entry = reader.page.locator(".library > li", has_text="Qwen3.5 9B FP8-dynamic")
    reader.click(entry.get_by_role("link", name="withheld"))
    return reader.page.locator(":target .withheld li", has_text="16 users")


def two_cards_at_16k(reader: Reader) -> Locator:
    """Two cards at 16K context: two boxes and a button, then the place that names it."""
    for name in ("Qwen3.5 9B FP8-dynamic", "Qwen3.8 27B FP8"):
        reader.click(reader.page.locator(".library > li", has_text=name).locator(".pick").first)
    reader.click(reader.page.locator(".compare-bar a"))
    reader.click(reader.page.locator(".jump a", has_text="16K"))
    return reader.page.locator("#single tbody tr", has_text="16K tokens")


PATHS: dict[str, Callable[[Reader], Locator]] = {
    "raw requests behind a headline": raw_requests,
    "why 16 users are missing": why_sixteen_users_are_missing,
    "two cards at 16K context": two_cards_at_16k,
}


def measured(site: Path) -> list[tuple[str, str, int, float, bool]]:
    """For each size and path: clicks, seconds, and whether the answer is in the window at the end."""
    found = []
    with launched() as browser:
        for size, (width, height) in SIZES.items():
            for name, path in PATHS.items():
                context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
                reader = Reader(context.new_page())
                reader.page.goto(f"{site.as_uri()}/index.html")
                start = perf_counter()
                answer = path(reader)
                seen = reader.sees(answer)
                found.append((size, name, reader.clicks, perf_counter() - start, seen))
                context.close()
    return found


def main() -> None:
    """Prints one line for each path and size."""
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 1:
            site = Path(sys.argv[1]).resolve()
        else:
            site = Path(folder) / "site"
            checked = pipeline.check(ROOT)
            assert checked.edition is not None, checked.report.summary()
            publish(pipeline.build(checked.edition), site)
        for size, name, clicks, seconds, seen in measured(site):
            print(
                f"{size:8} {name:32} {clicks} clicks {seconds:5.2f} s  {'in the window' if seen else 'below the window'}"
            )


if __name__ == "__main__":
    main()
