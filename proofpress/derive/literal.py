"""Literal: words of others inside Markdown, so that they say what they say and do nothing: no markup, no link, no tag.

Comes in: text as written. Goes out: one line of Markdown that shows it.
"""

from __future__ import annotations

import re

_MARKUP = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w])|#+(?=\s*$)")
"""Characters that mean something; an underscore inside a word does not."""
_BACKTICKS = re.compile(r"`+")


def escaped(text: str) -> str:
    """The text on one line, with a backslash before whatever Markdown would read as its own."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", " ".join(text.split()))


def code(text: str) -> str:
    """The text on one line as a code span; nothing in a code span is a link, a mention or a tag."""
    line = " ".join(text.split())
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(line)), default=0))
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"
