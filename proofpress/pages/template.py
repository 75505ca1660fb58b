"""Template: page models into HTML. Autoescape and strict undefined are on for every template, whatever its name.

Comes in: a page model and the assets' addresses. Goes out: text of one page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from proofpress.derive.edition import Edition

TEMPLATES = Path(__file__).resolve().parent.parent.parent / "templates"


def _pattern(label: str) -> re.Pattern[str]:
    """A term's label in running text, also in the plural: not a part of a longer word or of markup."""
    return re.compile(rf"(?<![\w<>/=\"'-])({re.escape(escape(label))}s?)(?![\w\"'=-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What every page is printed into: the site's own words, the assets' addresses by name, style, version and banner."""

    name: str
    language: str
    assets: Mapping[str, str]
    style: Markup
    """The style sheet of every page, for those that hold it themselves."""
    version: str
    preview: str | None
    base_url: str | None
    repository: str | None
    accent: str | None
    has_feed: bool


class Printer:
    """Prints page models with the templates of this program."""

    def __init__(self, edition: Edition, frame: Frame) -> None:
        self._terms = dict(edition.library.vocabulary.terms)
        longest_first = sorted(self._terms.items(), key=lambda item: -len(item[1].label))
        self._patterns = {word: _pattern(term.label) for word, term in longest_first}
        self._environment = Environment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._environment.globals["frame"] = frame
        self._environment.filters["terms"] = self._linked

    def page(self, template: str, model: Any) -> str:
        """One page."""
        self._root = model.head.root
        self._linked_already: set[str] = set()
        return self._environment.get_template(f"pages/{template}").render(page=model, head=model.head)

    def _linked(self, text: str) -> Markup:
        """`text` with the first occurrence on the page of each glossary term made a link to its explanation."""
        html = escape(str(text)) if not isinstance(text, Markup) else str(text)
        for word, pattern in self._patterns.items():
            if word in self._linked_already or not pattern.search(html):
                continue
            html, count = self._replace_outside_links(html, pattern, word)
            if count:
                self._linked_already.add(word)
        return Markup(html)

    def _replace_outside_links(self, html: str, pattern: re.Pattern[str], word: str) -> tuple[str, int]:
        """Replaces the first match that stands in running text: not inside a tag, a link or code."""
        parts = re.split(r"(<a\b.*?</a>|<code\b.*?</code>|<pre\b.*?</pre>|<[^>]*>)", html, flags=re.DOTALL)
        for index in range(0, len(parts), 2):
            link = rf'<a class="term" href="{self._root}glossary.html#term-{word}" data-term="{word}">\1</a>'
            parts[index], count = pattern.subn(link, parts[index], count=1)
            if count:
                return "".join(parts), 1
        return html, 0
