"""Prose: contributors' Markdown as HTML that cannot do anything. Raw HTML and images are off, links are https or stay inside the site.

Comes in: Markdown. Goes out: HTML for a page, or problems with links that a page must not carry.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from proofpress.language.numeral import SIGNS
from proofpress.load.passage import Passage
from proofpress.problem import Problem, Severity
from proofpress.records.schema import is_at_a_branch, link_fault

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


BETWEEN_CELLS = "\x1f"
"""White space that stands nowhere else, so that a number and the next cell's are two."""


def read(text: str, *, markdown: bool) -> str:
    """Text as a reader sees it, in plain characters: Markdown rendered, compatible forms made one, blocks apart."""
    words: list[str] = []

    def walk(tokens: list[Token]) -> None:
        for token in tokens:
            if token.children:
                walk(token.children)
            elif token.type in {"text", "code_inline", "fence", "code_block"}:
                words.append(token.content)
            elif token.type in {"softbreak", "hardbreak"}:
                words.append(" ")
            elif token.type in {"td_close", "th_close"}:
                words.append(BETWEEN_CELLS)
            if token.block and token.type not in {"td_close", "th_close"} and token.nesting < 1:
                words.append("\n\n")

    if markdown:
        walk(_RENDERER.parse(text))
        text = "".join(words)
    text = unicodedata.normalize("NFKC", text).translate(SIGNS)
    return re.sub(
        r" ?\n ?", "\n", re.sub(rf"[^\S\n{BETWEEN_CELLS}]+", " ", text)
    )  # a browser shows one space for several


def link_problems(passage: Passage, *, inside: bool = False) -> Iterator[Problem]:
    """Links and images that a page must not carry: every image, and every link but https with a host and no user info.

    With `inside`, links to other pages of the site may be relative. A link to a file on a branch is a warning.
    """
    at = 0
    for token in _all(_PARSER.parse(passage.words)):
        if token.type not in {"image", "link_open"}:
            continue
        target = str(token.attrGet("src" if token.type == "image" else "href") or "")
        found_at = passage.words.find(target, at) if target else -1
        at = max(at, found_at)
        if token.type == "image":
            expected, hint = "text carries no images", "link to a page instead"
            yield passage.problem("link.image", found_at, target, expected=expected, hint=hint)
        elif not (inside and _INSIDE.fullmatch(target)):
            yield from _target_problems(passage, found_at, target)


_INSIDE = re.compile(r"(?:\.\./)*[a-z0-9][a-z0-9./_-]*\.(?:html|json|xml|txt)(?:#[A-Za-z0-9._-]*)?|#[A-Za-z0-9._-]+")


def _target_problems(passage: Passage, found_at: int, target: str) -> Iterator[Problem]:
    fault = link_fault(target)
    if fault:
        yield passage.problem(fault.rule, found_at, target, expected=fault.expected, hint=fault.hint)
    elif is_at_a_branch(target):
        yield not_pinned(passage, found_at, target)


def not_pinned(passage: Passage, found_at: int, target: str) -> Problem:
    """The warning about a link to a file on a branch."""
    return passage.problem(
        "link.not-pinned",
        found_at,
        target,
        expected="a link to a file names a commit, so that it says the same tomorrow",
        hint="on the file's page press y, and copy the address then",
        severity=Severity.WARNING,
    )


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
