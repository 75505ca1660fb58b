"""How long the library takes to answer a search among 1,000 cards: from the key press until the list is laid out again.

Run it from the repository's root with `python -m benchmarks.library_search [CARDS]`. The cards are copies of the repository's own under other
names, drawn from a seed, so that the page and its script are the real ones.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from browser import launched
from playwright.sync_api import Page

from proofpress import pipeline
from proofpress.derive.edition import Edition
from proofpress.output import Files, publish
from proofpress.pages.asset import assets
from proofpress.pages.index_page import index_page
from proofpress.pages.render import frame
from proofpress.pages.template import Printer

ROOT = Path(__file__).parent.parent
SEED = 20261130
WORDS = ("qwen", "fp8", "b70", "two cards", "h200 random", "zebra", "draft", "")

TIMED = """word => new Promise(done => {
  const field = document.querySelector('.facets [name=q]');
  const start = performance.now();
  field.value = word;
  field.dispatchEvent(new Event('input', {bubbles: true}));
  const script = performance.now() - start;
  document.querySelector('.library').getBoundingClientRect();
  const laid = performance.now() - start;
  requestAnimationFrame(() => setTimeout(() => done([script, laid]), 0));
})"""


def many(edition: Edition, count: int) -> Edition:
    """`edition` with `count` cards, which are its own under other names, days and families."""
    chance = random.Random(SEED)
    families = sorted(edition.library.vocabulary.families)
    cards = []
    for number in range(count):
        own = edition.cards[number % len(edition.cards)]
        name = f"{own.card.name} {chance.choice(('alpha', 'beta', 'gamma', 'delta'))} {number:04d}"
        card = own.card.model_copy(update={"name": name, "family": chance.choice(families)})
        cards.append(
            replace(own, id=f"{own.id}-{number:04d}", card=card, updated=own.updated - timedelta(chance.randrange(400)))
        )
    gaps = {card.id: edition.gaps[edition.cards[number % len(edition.cards)].id] for number, card in enumerate(cards)}
    return replace(edition, cards=tuple(cards), gaps=gaps)


def written(own: Edition, count: int, folder: Path) -> Path:
    """The library of `count` cards made from those of `own`, with its assets, as a site of one page; gives the page."""
    edition = many(own, count)
    site = Files()
    shipped = assets({})
    for path, content in shipped.files.items():
        site.add(path, content)
    printer = Printer(edition, frame(edition, shipped, has_feed=True))
    site.add("index.html", printer.page("index.html", index_page(edition)).encode())
    publish(site, folder / "site")
    return folder / "site" / "index.html"


def timed(page: Page) -> list[tuple[str, float, float]]:
    """For each search: the word, milliseconds of script, and milliseconds until the list is laid out."""
    return [(word, *page.evaluate(TIMED, word)) for word in WORDS]


def main() -> None:
    """Prints the slowest and the median search."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    checked = pipeline.check(ROOT)
    assert checked.edition is not None, checked.report.summary()
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        page = browser.new_page()
        page.goto(written(checked.edition, count, Path(folder)).as_uri())
        page.locator(".library").wait_for()
        for word, script, laid in timed(page):
            print(f"{word!r:16} script {script:5.1f} ms, laid out {laid:5.1f} ms")
        rounds = [laid for _ in range(5) for _, _, laid in timed(page)]
        print(f"{count} cards: median {statistics.median(rounds):.1f} ms, slowest {max(rounds):.1f} ms")


if __name__ == "__main__":
    main()
