"""Lettering: how much room a text takes in a drawing, and the boxes that must not touch. All lengths in CSS px.

Comes in: texts and sizes. Goes out: `Box`, shortened or wrapped text, and widths that are never too small for a common
system sans.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import hypot

ASCENT = 0.93
"""Above the baseline, in em; with `DESCENT` the line box of the tallest common system sans."""
DESCENT = 0.26

SLACK = 1.0
"""Left and right of a text, in px: how far a browser may move it to whole pixels."""

# Advance widths in 1/100 em of DejaVu Sans, the widest of the common system sans faces, in classes of four: the largest
# of those at full size and at 12, 13 and 15 px, where hinting rounds up.
_REGULAR = {
    28: "'il",
    32: " ,.IJj·",
    36: "/:;\\|",
    40: "()-[]ft",
    44: "!r",
    48: '"',
    52: "*`–°",
    56: "?_csz",
    60: "FLkvxy",
    64: "$0123456789EPSTabdeghnopqu{}",
    68: "KY",
    72: "BCRVXZ",
    76: "AHNU",
    80: "&DGOQ",
    84: "#+<=>^w~×−→⊘",
    88: "M",
    96: "%",
    100: "@Wm…",
}
_BOLD = {
    32: "'",
    36: " il",
    40: ",./IJ\\j|·",
    44: "-:;f",
    48: "!()[]",
    52: "_`rt–°",
    56: '"*',
    60: "?cz",
    64: "s",
    68: "Lavxy",
    72: "$0123456789EFSTdeghknoqu{}",
    76: "CPYZbp",
    80: "ABKRVX",
    84: "#+<=>DGHNU^~×−→⊘",
    88: "&OQ",
    96: "w",
    100: "@M…",
    104: "%",
    108: "m",
    112: "W",
}
_WIDTHS = tuple(
    {character: width for width, characters in table.items() for character in characters} for table in (_REGULAR, _BOLD)
)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    def overlaps(self, other: Box) -> bool:
        """Whether the two share area; touching edges do not count."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, other: Box) -> bool:
        """Whether no edge lies outside `other`."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )

    def grown(self, by: float) -> Box:
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def distance(self, x: float, y: float) -> float:
        """From the box's nearest edge to a place outside it; 0 inside."""
        return hypot(max(self.left - x, 0.0, x - self.right), max(self.top - y, 0.0, y - self.bottom))

    def crossed_by(self, x1: float, y1: float, x2: float, y2: float) -> bool:
        """Whether the straight piece from (x1, y1) to (x2, y2) runs through the box (Liang and Barsky's clipping)."""
        start, end = 0.0, 1.0
        dx, dy = x2 - x1, y2 - y1
        sides = ((-dx, x1 - self.left), (dx, self.right - x1), (-dy, y1 - self.top), (dy, self.bottom - y1))
        for change, distance in sides:
            if change == 0:
                if distance <= 0:
                    return False
            elif change < 0:
                start = max(start, distance / change)
            else:
                end = min(end, distance / change)
        return start < end


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """An upper estimate of the advance width of `text` at `size`."""
    table = _WIDTHS[bold]
    return sum(table.get(character) or _foreign(character) for character in text) * size / 100


def _foreign(character: str) -> int:
    """A width for characters outside the table: none for combining marks, over an em for East Asian and emoji."""
    if unicodedata.combining(character) or unicodedata.category(character) in {"Cf", "Mn", "Me"}:
        return 0
    base = unicodedata.normalize("NFD", character)[0]
    if base != character and base in _WIDTHS[1]:
        return _WIDTHS[1][base]
    if unicodedata.east_asian_width(character) in "WF" or ord(character) > 0xFFFF:
        return 140
    return 112


def shortened(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """`text`, or its beginning with an ellipsis where it is wider than `width`."""
    if text_width(text, size, bold=bold) <= width:
        return text
    while text and text_width(f"{text}…", size, bold=bold) > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def wrapped(text: str, width: float, size: float, *, lines: int, bold: bool = False) -> list[str]:
    """`text` in at most `lines` lines broken at spaces; what does not fit is shortened with an ellipsis."""
    out: list[str] = []
    words = text.split()
    while words and len(out) < lines - 1:
        take = 1
        while take < len(words) and text_width(" ".join(words[: take + 1]), size, bold=bold) <= width:
            take += 1
        out.append(shortened(" ".join(words[:take]), width, size, bold=bold))
        words = words[take:]
    if words:
        out.append(shortened(" ".join(words), width, size, bold=bold))
    return out
