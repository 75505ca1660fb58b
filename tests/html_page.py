"""A page as a small tree, and a checker of links; both know no more HTML than the site prints."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
ADDRESSES = (
    "href",
    "src",
    "srcset",
    "poster",
    "action",
    "formaction",
    "data",
    "xlink:href",
    "data-figures",
    "data-plotly",
)
"""Attributes that hold an address, those that our own scripts read included."""
NAMES = ("aria-labelledby", "aria-describedby", "aria-controls", "for", "headers")
"""Attributes that hold ids of the same page."""


@dataclass(eq=False)
class Element:
    """One element: its attributes, and what it holds."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)
    parent: Element | None = None

    def all(self, tag: str = "", **attributes: str) -> Iterator[Element]:
        """Every element inside, itself included, of this tag whose attributes (`class_` for class, '_' for '-') have these values."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        if (not tag or self.tag == tag) and all(self.has(name, value) for name, value in wanted.items()):
            yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.all(tag, **attributes)

    def has(self, name: str, value: str) -> bool:
        own = self.attributes.get(name)
        return own is not None and (own == value or (name == "class" and value in own.split()))

    def one(self, tag: str = "", **attributes: str) -> Element:
        """The only element that `all` finds."""
        found = list(self.all(tag, **attributes))
        assert len(found) == 1, f"{len(found)} times <{tag} {attributes}>"
        return found[0]

    @property
    def text(self) -> str:
        """All text inside, white space joined."""
        return " ".join(self._text().split())

    def _text(self) -> str:
        return "".join(child if isinstance(child, str) else child._text() for child in self.children)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.here = self.root
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, times in Counter(name for name, _ in attrs).items():
            if times > 1:
                self.problems.append(f"<{tag}> has {name} {times} times")
        element = Element(tag, {name: value or "" for name, value in attrs}, parent=self.here)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.here.tag != tag:
            self.problems.append(f"</{tag}> closes <{self.here.tag}>")
        while self.here.parent is not None and self.here.tag != tag:
            self.here = self.here.parent
        self.here = self.here.parent or self.root

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)


def parsed(content: bytes | str) -> tuple[Element, list[str]]:
    """A page, and where its tags do not fit into each other."""
    parser = _Parser()
    parser.feed(content if isinstance(content, str) else content.decode())
    parser.close()
    if parser.here is not parser.root:
        parser.problems.append(f"<{parser.here.tag}> is never closed")
    return parser.root, parser.problems


def page(content: bytes | str) -> Element:
    """A page whose tags fit into each other."""
    root, problems = parsed(content)
    assert problems == []
    return root


def link_problems(site: Mapping[str, bytes], *, base_url: str = "") -> list[str]:
    """Every link, picture, script and reference to an id that leads nowhere or to another host, as 'page: what'."""
    pages = {path: parsed(content)[0] for path, content in site.items() if path.endswith(".html")}
    ids = {
        path: {element.attributes["id"] for element in root.all() if "id" in element.attributes}
        for path, root in pages.items()
    }
    return [
        f"{path}: {problem}"
        for path, root in pages.items()
        for element in root.all()
        for problem in _of_element(path, element, ids, lambda target: target in site, base_url)
    ]


def _of_element(
    path: str, element: Element, ids: Mapping[str, set[str]], exists: Callable[[str], bool], base_url: str
) -> Iterator[str]:
    for name in NAMES:
        for word in element.attributes.get(name, "").split():
            if word not in ids[path]:
                yield f"{name} names {word!r}"
    for name in ADDRESSES:
        if name not in element.attributes:
            continue
        address = element.attributes[name]
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            own = bool(base_url) and element.tag == "link" and address.startswith(f"{base_url}/")
            plain = element.tag == "a" and parts.scheme == "https" and parts.hostname and not parts.username
            if not (own or plain or (name == "src" and parts.scheme == "data")):
                yield f"<{element.tag} {name}> asks for {address}"
            continue
        if base_url and path == "404.html":
            problem = _at_any_depth(address, f"{urlsplit(base_url).path}/", exists)
            if problem:
                yield f"<{element.tag} {name}> {problem}"
            continue
        if address.startswith("/"):
            yield f"<{element.tag} {name}> starts at the top of the host: {address}"
            continue
        target = (
            posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path))) if parts.path else path
        )
        if not exists(target):
            yield f"<{element.tag} {name}> leads to {address}, which is not there"
        elif parts.fragment and target in ids and unquote(parts.fragment) not in ids[target]:
            yield f"<{element.tag} {name}> leads to {address}; {target} has no such id"


def _at_any_depth(address: str, top: str, exists: Callable[[str], bool]) -> str:
    """What is wrong with an address on a page that a host serves for any other, in words."""
    if address.startswith("#"):
        return ""
    if not address.startswith(top):
        return f"does not start at the top of the site: {address}"
    there = exists(unquote(urlsplit(address).path.removeprefix(top)))
    return "" if there else f"leads to {address}, which is not there"
