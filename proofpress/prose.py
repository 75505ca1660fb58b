"""Prose: contributors' Markdown as HTML that cannot do anything. Raw HTML and images are off, links are https or stay inside the site.

Comes in: Markdown. Goes out: HTML for a page, or problems with links that a page must not carry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from proofpress.problem import Problem, quoted
from proofpress.source import Location, Source

_RENDERER = MarkdownIt("js-default", {"html": False, "linkify": False, "typographer": False}).disable(["image"])
_PARSER = MarkdownIt("js-default", {"html": False, "linkify": False}).enable("image")
_PARSER.validateLink = lambda url: True  # type: ignore[method-assign]  # the checks must see the links that the renderer would drop


def html(markdown: str, *, first_heading: int = 3, id_prefix: str = "text", command_name: str = "") -> Markup:
    """Markdown as HTML.

    Headings start at level `first_heading`, and their ids carry a prefix, so that none can meet an id of the page. With a
    `command_name`, blocks marked `sh` become commands to copy.
    """
    tokens = _RENDERER.parse(markdown)
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    shift = first_heading - min(levels, default=first_heading)
    taken: set[str] = set()
    for index, token in enumerate(tokens):
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + shift)}"
        if token.type == "heading_open":
            token.attrSet("id", _heading_id(tokens[index + 1].content, id_prefix, taken))
    commands = [token for token in tokens if command_name and token.type == "fence" and token.info.strip() == "sh"]
    for token in tokens:
        if token.type in {"fence", "code_block"}:
            name = command_name
            if len(commands) > 1 and token in commands:
                name = f"{command_name}, command {commands.index(token) + 1} of {len(commands)}"
            block = _command(token.content, name) if token in commands else _block(token.content)
            token.type, token.content = "html_block", block
    return Markup(_RENDERER.renderer.render(tokens, _RENDERER.options, {}))


def _block(text: str) -> str:
    """Text that is not prose, in a box that a keyboard can scroll."""
    return f'<pre tabindex="0"><code>{escape(text, quote=False)}</code></pre>\n'


def _command(text: str, name: str) -> str:
    """A command in a box of its own; a script puts the copy button into it, named after the step."""
    named = escape(name)
    return (
        f'<div class="command" data-name="{named}"><pre tabindex="0" role="region" aria-label="Command: {named}">'
        f"<code>{escape(text, quote=False)}</code></pre></div>\n"
    )


def _heading_id(text: str, prefix: str, taken: set[str]) -> str:
    stem = f"{prefix}-{re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')}".rstrip("-")
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}-{number}"
    taken.add(name)
    return name


def inline(markdown: str) -> Markup:
    """One line of Markdown as HTML without a paragraph around it."""
    return Markup(_RENDERER.renderInline(markdown))


def plain(markdown: str) -> str:
    """Markdown as plain text, for descriptions in the head of a page."""
    words: list[str] = []

    def walk(tokens: list[Token]) -> None:
        for token in tokens:
            if token.children:
                walk(token.children)
            elif token.type in {"text", "code_inline", "fence", "code_block"}:
                words.append(token.content)
            elif token.type in {"softbreak", "hardbreak"}:
                words.append(" ")

    walk(_RENDERER.parse(markdown))
    return re.sub(r"\s+", " ", "".join(words)).strip()


def link_problems(source: Source, location: Location, markdown: str) -> Iterator[Problem]:
    """Links and images that a page must not carry: anything but https with a host and no user info, and every image."""
    for token in _all(_PARSER.parse(markdown)):
        if token.type == "image":
            target = str(token.attrGet("src") or "")
            expected = "text carries no images"
            yield source.problem(
                "link.image", location, found=quoted(target), expected=expected, hint="link to a page instead"
            )
        if token.type == "link_open":
            target = str(token.attrGet("href") or "")
            yield from _target_problems(source, location, target)


def _target_problems(source: Source, location: Location, target: str) -> Iterator[Problem]:
    rest = target.removeprefix("https://")
    host = rest.partition("/")[0]
    if rest == target or not host:
        expected = "links are https, with a host"
        yield source.problem("link.scheme", location, found=quoted(target), expected=expected)
    elif "@" in host:
        expected = "a link has no user info before its host"
        hint = f"its host is {host.rpartition('@')[2]}"
        yield source.problem("link.user-info", location, found=quoted(target), expected=expected, hint=hint)


def _all(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        if token.children:
            yield from _all(token.children)


def code(text: str) -> Markup:
    """Text as inline code; long identifiers may break after a slash."""
    return Markup(f"<code>{breakable(text)}</code>")


def breakable(text: str) -> Markup:
    """Escaped text whose long words may break after slashes, at signs and underscores."""
    return Markup(re.sub(r"([/@_])(?=.)", r"\1<wbr>", escape(text)))
