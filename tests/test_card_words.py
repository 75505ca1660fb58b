"""The words of a card's page and of its Markdown: complete, in one order, and without doubt about what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import example_site
import pytest
from markdown_it import MarkdownIt

from proofpress import pipeline
from proofpress.derive.literal import escaped
from proofpress.pages.card_page import _party


def test_the_markdown_of_a_card_says_what_its_page_says(site: Mapping[str, bytes]) -> None:
    """In the page's order; was: without summary, measurer, evidence, software, days, set-up and credits."""
    text = site["models/h200-qwen3-random-static-batch.md"].decode()
    order = (
        "# Qwen3 architecture with random weights on one H200, static batches",
        "## What we measured",
        "**256.9 tok/s, one user** (measured). ",
        "- Evidence: grade requests, [proof](",
        "evidence/h200-qwen3-random-strict-ngram.html#requests-10)",
        "- Measured by: Proofpress",
        "Set-up: draft depth 3, one ",
        "SHA-256 8674c9bf8653d9c9111a38d755c0200628abad6ac0b8e7140ea12d8f37c3e9f5.",
        "## Still missing before an install guide",
        "- Software: transformers 5.17.0",
        "- Published: 30 November 2026",
        "## Summary",
        "This is a check of the method and not a deployment.",
        "## How much faster could this get?",
        "## Known limits",
        "- Proofpress: Measured, with every request kept.",
        "## Cite this page",
    )
    places = [text.find(words) for words in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


def test_references_are_filled_in_the_markdown_of_a_card(site: Mapping[str, bytes]) -> None:
    """The summary names values, and no brackets."""
    text = site["models/qwen35-9b-fp8-b70.md"].decode()
    assert "this gives 98.139 tok/s for one user" in text
    assert "[[" not in text


HONEST_WORDS = {
    "a chart in words names a peak between its ends": "4 points from 131.9 tok/s at depth 0 to 184.1 tok/s at depth 5, highest 256.9 tok/s at depth 3.",
    "a count says that it is one server's": "every answer was equal in every pass and on every server, 48 of 48 on each server in what is drawn.",
    "noise is counted over what several servers measured": "16 of 20 points that several servers measured",
    "a ladder over draft depth has a verb": "one user sends the fixed suite of twelve prompts in six classes at each draft depth",
    "an accelerator is no card": "transformers, script, one H200 accelerator.",
    "the values of servers have a unit": "(273.619 and 240.113 tok/s)",
    "a table says that it rounds": "values are rounded to three decimals, those of single runs are not.",
}


@pytest.mark.parametrize("words", HONEST_WORDS.values(), ids=HONEST_WORDS.keys())
def test_words_of_a_page_leave_no_doubt(site: Mapping[str, bytes], words: str) -> None:
    text = site["models/h200-qwen3-random-static-batch.html"].decode()
    assert words in " ".join(unescape(re.sub(r"<[^>]+>", "", text)).split())


def test_a_hobbyist_is_a_person_to_search_engines() -> None:
    """Was: an organization, as every author."""
    assert _party("hobbyist", "Somebody") == {"@type": "Person", "name": "Somebody"}
    assert _party("lab", "A lab") == {"@type": "Organization", "name": "A lab"}


def test_a_hostile_name_is_text_in_the_markdown_and_in_the_list_for_language_models(tmp_path: Path) -> None:
    """Was: a tag as it was written, which a reader of Markdown would take for one."""
    root = example_site.copy(tmp_path / "site")
    card = root / "content/cards/tiny.yaml"
    name = "</script><img src=x onerror=alert(1)> ]]>"
    text = re.sub(r"(?m)^name: .*$", lambda _: f"name: '{name}'", card.read_text(encoding="utf-8"), count=1)
    card.write_text(text, encoding="utf-8")
    edition = pipeline.check(root).edition
    assert edition is not None
    site = pipeline.build(edition)
    for path in ("models/tiny.md", "llms.txt"):
        words = site[path].decode()
        assert escaped(name) in words
        assert name not in words
        tokens = MarkdownIt("commonmark").parse(words)
        inner = [one for token in tokens for one in token.children or []]
        assert {one.type for one in inner} & {"html_inline", "image"} == set()
        assert "html_block" not in {token.type for token in tokens}
