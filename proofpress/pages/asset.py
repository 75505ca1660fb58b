"""Asset: style sheets, scripts and pictures of the pages, each under a name that holds a digest of its bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from proofpress.pages.page import script_json
from proofpress.pages.template import TEMPLATES

FOLDER = TEMPLATES / "assets"
STYLE_ORDER = ("tokens.css", "elements.css", "layout.css", "components", "print.css")
"""The order in which style sheets are joined; `components` stands for its files, sorted."""

PAGE_SCRIPTS = ("load.js", "copy.js", "term.js", "touch.js")
"""The behaviours of every page, joined into one script: together they are smaller than the second request would cost."""

OWN_STYLES = {
    **{
        kind: (kind,)
        for kind in ("changes", "chart", "library", "compare", "glossary", "guide", "notfound", "rules", "tables")
    },
    "evidence": ("tables", "evidence"),
}
"""Kinds of page with a style sheet that other pages do not load, and the files that it is joined from."""

OWN_SCRIPTS = {"library": "library.js", "compare": "compare.js", "evidence": "table.js", "tables": "table.js"}
"""Kinds of page with a script that other pages do not load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """Files by path in the site, the addresses by the names that templates use, and the style sheet of every page as text."""

    files: Mapping[str, bytes]
    addresses: Mapping[str, str]
    style: str


def assets(terms: Mapping[str, str]) -> Assets:
    """All assets, with the explanations of `terms` as a script that is loaded when the first of them is asked for.

    Style sheets are joined into one, and so are the scripts of pages; what only one kind of page needs is loaded by that kind alone, and
    what a chart needs comes when somebody asks. A page with charts holds the style itself: its first chart is seen one request earlier."""
    files: dict[str, bytes] = {}
    addresses: dict[str, str] = {}

    def add(name: str, stem: str, ending: str, content: bytes) -> None:
        path = f"assets/{stem}-{sha256(content).hexdigest()[:10]}{ending}"
        files[path] = content
        addresses[name] = path

    style = _style()
    add("style", "style", ".css", style.encode())
    add("theme", "theme", ".js", _script("theme.js").encode())
    add("page", "page", ".js", "".join(_script(name) for name in PAGE_SCRIPTS).encode())
    add("chart", "chart", ".js", _script("chart.js").encode())
    for name, sheets in OWN_STYLES.items():
        content = "".join(_small_css(_read(FOLDER / "css" / "pages" / f"{sheet}.css")) for sheet in sheets)
        add(f"{name}-style", name, ".css", content.encode())
    for name, script in OWN_SCRIPTS.items():
        add(f"{name}-script", script.removesuffix(".js"), ".js", _script(script).encode())
    add("terms", "terms", ".js", f"Proofpress.terms={script_json(dict(terms))};\n".encode())
    for path in sorted((FOLDER / "vendor").iterdir()):
        if path.suffix == ".js":
            add("plotly", path.name.removesuffix(".min.js"), ".min.js", path.read_bytes())
        elif path.suffix == ".LICENSE":
            files[f"assets/{path.stem}.LICENSE.txt"] = path.read_bytes()
    add("favicon", "favicon", ".svg", (FOLDER / "favicon.svg").read_bytes())
    return Assets(files=files, addresses=addresses, style=style)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _style() -> str:
    """The style sheet of every page. The files of a folder are all of the layer that is called like it, which is opened once."""
    parts: list[str] = []
    for name in STYLE_ORDER:
        place = FOLDER / "css" / name
        if not place.is_dir():
            parts.append(_small_css(_read(place)))
            continue
        opening = f"@layer {name}{{"
        sheets = [_small_css(_read(path)) for path in sorted(place.glob("*.css"))]
        assert all(sheet.startswith(opening) and sheet.count("@layer") == 1 for sheet in sheets), name
        parts.append(f"{opening}{''.join(sheet.removeprefix(opening).removesuffix('}') for sheet in sheets)}}}")
    style = "".join(parts)
    assert "</" not in style, "a style sheet that may stand in a page cannot end its element"
    return style


_CSS_PIECE = re.compile(
    r"""(?P<string>"[^"\n]*")|/\*.*?\*/|\s*(?P<mark>[{};,])\s*|(?P<colon>:)\s+|(?P<space>\s+)""", re.DOTALL
)


_CSS_FALLBACK = re.compile(r"var\((--[a-z0-9-]+),#[0-9a-f]{6}\)")
"""A colour that stands in for a token; a page always has the tokens."""


def _small_css(text: str) -> str:
    """A style sheet without comments and without space that means nothing; what stands in quotes is left alone."""

    def piece(match: re.Match[str]) -> str:
        if match["space"]:
            return " "
        return match["string"] or match["mark"] or match["colon"] or ""

    small = _CSS_PIECE.sub(piece, text).strip().replace(";}", "}")
    return _CSS_FALLBACK.sub(r"var(\1)", small)


_JS_REMARK = re.compile(r"[ ]//[ ][^\n\"'`]*$", re.MULTILINE)
_JS_COMMENT = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/)\s*$", re.DOTALL | re.MULTILINE)


def _script(name: str) -> str:
    """A script without comments, indentation and empty lines; the sources keep them."""
    text = _JS_REMARK.sub("", _JS_COMMENT.sub("", (FOLDER / "js" / name).read_text(encoding="utf-8")))
    return "".join(f"{line}\n" for line in map(str.strip, text.splitlines()) if line)
