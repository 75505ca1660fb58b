"""Words of others in Markdown say what they say and do nothing."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from proofpress.derive.literal import code, escaped

WORDS = (
    "plain words, 98.1 tok/s",
    "</script><img src=x onerror=alert(1)> ]]>",
    "[a](https://example.org) ![b](https://example.org/b.png)",
    "`code` ``more`` `",
    "*a* _b_ __c__ ~~d~~ snake_case",
    "&lt; &#60; & \\ \\* | #",
    "ends with ##",
    "<https://example.org>",
)
READER = MarkdownIt("gfm-like", {"linkify": False})


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("way", [escaped, code])
@pytest.mark.parametrize("place", ["# {}", "- {}", "[{}](x.md)"])
def test_a_reader_sees_the_words_and_nothing_else(way: object, place: str, words: str) -> None:
    """Rendered in a heading, a list and a link, the text is there and no element that it asks for."""
    assert callable(way)
    (block,) = (token for token in READER.parse(place.format(way(words))) if token.type == "inline")
    inner = [one for one in block.children or [] if not (place.startswith("[") and one.type.startswith("link"))]
    assert "".join(one.content for one in inner) == words
    assert {one.type for one in inner} <= {"text", "code_inline", "text_special"}


@pytest.mark.parametrize("way", [escaped, code])
def test_text_is_one_line(way: object) -> None:
    """A line break could begin a block."""
    assert callable(way)
    assert "\n" not in way("one\n\n# two")
