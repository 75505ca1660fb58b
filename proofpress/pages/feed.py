"""Feed: the changes as an Atom document, for readers that look for news by themselves.

Comes in: the news that the page of changes prints. Goes out: bytes of `feed.xml`. Ids rest on the site's name and on what happened to
which card, so that they stay when the site moves; days come from the data. All text is inert: the format's own plain text.
"""

from __future__ import annotations

from uuid import UUID, uuid5
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from proofpress import __version__
from proofpress.derive.edition import Edition
from proofpress.pages.change_page import News, dated

ENTRIES = 200
"""The newest so many; the page has all."""

_SPACE = UUID("5f0c2b36-0a4c-5c0e-9d2b-6f7a3f1f4f10")
"""The name space of all ids; it never changes."""


def feed(edition: Edition, told: tuple[News, ...]) -> bytes | None:
    """The document; None where nothing has a day, because a feed must say when it was last renewed."""
    entries = dated(told)[:ENTRIES]
    if not entries:
        return None
    lab, base = edition.library.lab, edition.base_url
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": lab.language})
    _text(root, "id", _id(lab.name, "feed"))
    _text(root, "title", lab.name)
    _text(root, "subtitle", lab.description)
    _text(root, "updated", _moment(entries[0]))
    SubElement(SubElement(root, "author"), "name").text = lab.name
    _text(root, "generator", "Proofpress").set("version", __version__)
    _link(root, "alternate", "changes.html", base)
    if base is not None:
        _link(root, "self", "feed.xml", base, type_="application/atom+xml")
    for one in entries:
        entry = SubElement(root, "entry")
        _text(entry, "id", _id(lab.name, one.id))
        _text(entry, "title", f"{one.name}: {one.kind}")
        _text(entry, "updated", _moment(one))
        _link(entry, "alternate", one.href, base)
        for label, href in one.links:
            _link(entry, "related", href, base, title=label)
        SubElement(entry, "category", {"term": one.kind.value})
        _text(entry, "summary", one.summary)
    ElementTree.indent(root, " ")
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _text(parent: Element, tag: str, text: str) -> Element:
    element = SubElement(parent, tag)
    element.text = text
    return element


def _link(
    parent: Element, relation: str, path: str, base: str | None, *, type_: str = "text/html", title: str = ""
) -> None:
    """A link, absolute where the site's address is known, else counted from the feed itself, which the format allows."""
    attributes = {"rel": relation, "type": type_, "href": path if base is None else f"{base}/{path}"}
    SubElement(parent, "link", {**attributes, "title": title} if title else attributes)


def _id(site: str, name: str) -> str:
    return uuid5(_SPACE, f"{site}\n{name}").urn


def _moment(one: News) -> str:
    return f"{one.day}T00:00:00Z"
