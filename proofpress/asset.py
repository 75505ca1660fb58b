"""Asset: style sheets, scripts and pictures of the pages, each under a name that holds a digest of its bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from proofpress.template import TEMPLATES

FOLDER = TEMPLATES / "assets"
STYLE_ORDER = ("tokens.css", "elements.css", "layout.css", "components", "print.css")
"""The order in which style sheets are joined; `components` stands for its files, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """Files by path in the site, and the addresses by the names that templates use."""

    files: Mapping[str, bytes]
    addresses: Mapping[str, str]


def assets() -> Assets:
    """All assets. Style sheets are joined into one; scripts stay one file a behaviour, because most pages need few."""
    files: dict[str, bytes] = {}
    addresses: dict[str, str] = {}

    def add(name: str, stem: str, ending: str, content: bytes) -> None:
        path = f"assets/{stem}-{sha256(content).hexdigest()[:10]}{ending}"
        files[path] = content
        addresses[name] = path

    add("style", "style", ".css", _style().encode())
    for path in sorted((FOLDER / "js").glob("*.js")):
        add(path.stem, path.stem, ".js", _slim(path.read_text(encoding="utf-8"), _JS_COMMENT).encode())
    for path in sorted((FOLDER / "vendor").iterdir()):
        if path.suffix == ".js":
            add("plotly", path.name.removesuffix(".min.js"), ".min.js", path.read_bytes())
        elif path.suffix == ".LICENSE":
            files[f"assets/{path.stem}.LICENSE.txt"] = path.read_bytes()
    add("favicon", "favicon", ".svg", (FOLDER / "favicon.svg").read_bytes())
    return Assets(files=files, addresses=addresses)


def _style() -> str:
    parts: list[Path] = []
    for name in STYLE_ORDER:
        place = FOLDER / "css" / name
        parts += sorted(place.glob("*.css")) if place.is_dir() else [place]
    return "".join(_slim(path.read_text(encoding="utf-8"), _CSS_COMMENT) for path in parts)


_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_JS_COMMENT = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/)\s*$", re.DOTALL | re.MULTILINE)


def _slim(text: str, comment: re.Pattern[str]) -> str:
    """`text` without comments, indentation and empty lines; the sources keep them."""
    lines = (line.strip() for line in comment.sub("", text).splitlines())
    return "".join(f"{line}\n" for line in lines if line)
