"""Layout: where every line, point and text of a chart stands, with the box of each text. All lengths in CSS px.

Comes in: a `Figure`. Goes out: `Layout`, which `drawing` writes as SVG and `interactive` takes its margins from.
No two texts overlap, and none touches a point: a text that finds no free place is left out (exact values are in the
table under a chart).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from proofpress.charts.figure import Absence, Figure, Mark, Series
from proofpress.charts.lettering import ASCENT, DESCENT, SLACK, Box, shortened, text_width, wrapped
from proofpress.charts.scale import XScale, YScale, three_figures, x_scale, x_text, y_scale
from proofpress.records.axis import Axis

MAX_SERIES = 6
WITHHELD = "⊘"
WIDE, NARROW = 700, 336
TEXT_SIZE, SMALL_SIZE = 13.0, 12.0
SIZES = {
    "title": 15.0,
    "unit": TEXT_SIZE,
    "series": TEXT_SIZE,
    "value": TEXT_SIZE,
    "axis-label": TEXT_SIZE,
    "x-tick": SMALL_SIZE,
    "y-tick": SMALL_SIZE,
    "count": SMALL_SIZE,
}
"""Of each kind of text, in px; `chart.css` says the same."""
BOLD = frozenset({"title", "value", "count"})
LINE = 18.0
"""From one row of text to the next."""
RADIUS = 4.0
"""Of a circle marker."""
WEIGHTS = (1.0, 0.9, 1.0, 1.2, 1.2, 1.0)
"""How much larger each series' shape is drawn than a circle, so that all look equally heavy."""
MARK_REACH = 6.0
"""Half the side of the square round a marker that no text may touch."""
RING = 3.0
"""How much larger a marker is drawn for each marker already standing in the same place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One text: what it is for, where its anchor is (x, baseline), how it is set, and the box it may fill."""

    role: str
    """'title', 'unit', 'series', 'value', 'x-tick', 'y-tick', 'count' or 'axis-label'."""
    text: str
    x: float
    y: float
    anchor: str
    size: float
    bold: bool
    box: Box
    series: int | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One drawn mark: its place, and how many marks already stand exactly there (it is drawn round them)."""

    x: float
    y: float
    mark: Mark
    series: int
    below: int

    @property
    def reach(self) -> float:
        return MARK_REACH + RING * self.below


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One withheld x: a dotted line over the plot's height, or a short tick where another series has a point there."""

    x: float
    full: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A chart with all places decided."""

    width: float
    height: float
    plot: Box
    inset: tuple[float, float]
    """Between the plot's left edge and its first x, and between its last x and the right edge."""
    xs: XScale
    ys: YScale
    y_top: float
    """The value at the plot's upper edge."""
    labels: tuple[Label, ...]
    points: tuple[Point, ...]
    segments: tuple[tuple[Point, ...], ...]
    gaps: tuple[Gap, ...]
    x_ticks: tuple[tuple[float, bool], ...]
    """Place of each x that has a tick, and whether it is withheld in every series that has it."""
    y_ticks: tuple[float, ...]
    keys: tuple[tuple[int, float, float], ...]
    """Shapes that stand beside texts: series, x, y."""
    slot: bool
    """Whether the first x is the slot of 0, where the axis line has a gap."""


def xs_of(series: Series) -> list[int]:
    """Every x of a series, drawn or withheld."""
    return [mark.x for mark in series.marks] + [absence.x for absence in series.absences]


def check(figure: Figure) -> None:
    """What must be true of a figure before it can be drawn; a `ValueError` here is a mistake of the caller."""
    if figure.drawn == 0:
        raise ValueError(f"{figure.id}: no point to draw; print the withheld table instead")
    if len(figure.series) > MAX_SERIES:
        raise ValueError(f"{figure.id}: {len(figure.series)} series, at most {MAX_SERIES} can be told apart")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", figure.id):
        raise ValueError(f"{figure.id!r} cannot be part of an element id")
    for names in ([series.id for series in figure.series], [series.label for series in figure.series]):
        if len(set(names)) != len(names):
            raise ValueError(f"{figure.id}: two series share a name in {names}")
    for series in figure.series:
        xs = xs_of(series)
        if len(set(xs)) != len(xs):
            raise ValueError(f"{figure.id}: {series.id} has an x twice")
        for mark in series.marks:
            if not math.isfinite(mark.value) or mark.value < 0:
                raise ValueError(f"{figure.id}: {series.id} at {mark.x} has the value {mark.value}")


@lru_cache(maxsize=64)  # both drawings of a figure ask for the same layout, one soon after the other
def layout(figure: Figure, *, narrow: bool, titled: bool = False) -> Layout:
    """Decides all places of `figure`, for a wide or a narrow column; `titled` adds the title as a line of its own."""
    check(figure)
    return _Sheet(figure, narrow=narrow, titled=titled).layout()


@dataclass
class _Sheet:
    """A layout in the making: furniture from the outside in, then points, then the values beside them."""

    figure: Figure
    narrow: bool
    titled: bool
    labels: list[Label] = field(default_factory=list)
    keys: list[tuple[int, float, float]] = field(default_factory=list)

    def layout(self) -> Layout:
        figure = self.figure
        self.width = float(NARROW if self.narrow else WIDE)
        self.shown = {mark.x for series in figure.series for mark in series.marks}
        self.absent = {absence.x for series in figure.series for absence in series.absences} - self.shown
        self.known = sorted(self.shown | {absence.x for series in figure.series for absence in series.absences})
        self.xs = x_scale(figure.axis, self.known)
        self.ys = y_scale(max(mark.value for series in figure.series for mark in series.marks))
        # in steps, so that the plots of a page begin at the same place and share their x: calmer, and lighter once compressed
        gutter = math.ceil((max(text_width(text, SMALL_SIZE) for text in self.ys.texts) + 8) / 12) * 12.0
        ends = self.end_labels()
        top = self.head(legend=ends is None)
        right = self.width - (ends[0] if ends else 0.0)
        self.plot = Box(gutter, top, right, top + (200.0 if self.narrow else 230.0))
        self.inset = self.insets()
        headroom = self.plot.bottom - self.plot.top - 24
        self.y_top = self.ys.top * (self.plot.bottom - self.plot.top) / headroom
        points = self.points()
        if ends:
            self.place_end_labels(ends, points)
        y_ticks = [self.y(tick) for tick in self.ys.ticks]
        for y, text in zip(y_ticks, self.ys.texts, strict=True):
            self.add("y-tick", text, math.ceil(gutter - 8), round(y + 4.3), "end")
        x_ticks = self.x_ticks()
        below = 9 if figure.axis is Axis.SUITE else 21  # no ticks without an x
        bottom = self.foot(self.counts(self.plot.bottom + below))
        segments = self.segments(points)
        gaps = self.gaps()
        self.values(points, segments, [gap.x for gap in gaps if gap.full])
        return Layout(
            width=self.width,
            height=math.ceil(bottom),
            plot=self.plot,
            inset=self.inset,
            xs=self.xs,
            ys=self.ys,
            y_top=self.y_top,
            labels=tuple(self.labels),
            points=tuple(points),
            segments=tuple(segments),
            gaps=tuple(gaps),
            x_ticks=tuple(x_ticks),
            y_ticks=tuple(y_ticks),
            keys=tuple(self.keys),
            slot=self.xs.slot is not None and self.xs.first == self.xs.slot,
        )

    def x(self, x: int) -> float:
        share = (self.xs.place(x) - self.xs.first) / (self.xs.last - self.xs.first)
        left, right = self.plot.left + self.inset[0], self.plot.right - self.inset[1]
        return left + share * (right - left)

    def y(self, value: float) -> float:
        return self.plot.bottom - value / self.y_top * (self.plot.bottom - self.plot.top)

    def add(
        self, role: str, text: str, x: float, y: float, anchor: str, *, series: int | None = None, absent: bool = False
    ) -> None:
        """Puts a text down at its anchor, in the size of its role."""
        size, bold = SIZES[role], role in BOLD
        self.labels.append(
            Label(
                role=role,
                text=text,
                x=x,
                y=y,
                anchor=anchor,
                size=size,
                bold=bold,
                box=_box(text, x, y, anchor, size, bold=bold),
                series=series,
                absent=absent,
            )
        )

    # Above the plot

    def head(self, *, legend: bool) -> float:
        """Title, unit and, for several series without end labels, rows of shape and name; gives the plot's top."""
        y = 0.0
        if self.titled:
            for line in wrapped(self.figure.title, self.width, 15.0, lines=2, bold=True):
                y += 21
                self.add("title", line, 0, y - 5, "start")
            y += 4
        for line in wrapped(self.figure.unit, self.width, TEXT_SIZE, lines=2):
            y += LINE
            self.add("unit", line, 0, y - 4, "start")
        y += 4
        if legend and len(self.figure.series) > 1:
            y += 2
            x = 0.0
            for index, series in enumerate(self.figure.series):
                text = shortened(series.label, self.width - 16, TEXT_SIZE)
                width = 16 + text_width(text, TEXT_SIZE)
                if x and x + width > self.width:
                    x, y = 0.0, y + LINE
                self.keys.append((index, x + 6, y + LINE - 8.5))
                self.add("series", text, x + 16, y + LINE - 4, "start", series=index)
                x += width + 18
            y += LINE + 2
        return y

    def end_labels(self) -> tuple[float, tuple[str, ...]] | None:
        """Room and texts for names at the lines' ends, where every line ends at the last x, well apart."""
        series = self.figure.series
        if self.narrow or len(series) < 2 or not all(one.marks for one in series):
            return None
        if any(max(mark.x for mark in one.marks) != self.known[-1] for one in series):
            return None
        room = max(text_width(one.label, TEXT_SIZE) for one in series)
        if room > 150:
            return None
        values = sorted(max(one.marks, key=lambda mark: mark.x).value for one in series)
        apart = 2 * LINE + 2  # a name and a value fit between two ends
        if any((high - low) / self.ys.top * 200 < apart for low, high in pairwise(values)):
            return None
        return room + 2, tuple(one.label for one in series)

    def place_end_labels(self, ends: tuple[float, tuple[str, ...]], points: Sequence[Point]) -> None:
        for index, text in enumerate(ends[1]):
            end = max((point for point in points if point.series == index), key=lambda point: point.x)
            self.add("series", text, self.plot.right, end.y + 4.5, "start", series=index)

    # The axes

    def insets(self) -> tuple[float, float]:
        """Enough air that the outer tick texts stay inside the drawing and the first value clears the y texts."""
        ends = (self.known[0], self.known[-1])
        first, last = (text_width(x_text(self.figure.axis, x), SMALL_SIZE) / 2 for x in ends)
        least = 20.0 if self.narrow else 30.0
        return max(least, first - self.plot.left + 1), max(least - 4, last - (self.width - self.plot.right) + 1)

    def x_ticks(self) -> list[tuple[float, bool]]:
        """One tick per x; a text for as many as fit: the ends first, then withheld ones, then from left to right."""
        if self.figure.axis is Axis.SUITE:
            return []
        known, absent = self.known, self.absent
        order = sorted(known, key=lambda x: (x not in {known[0], known[-1]}, x not in absent, x))
        taken: list[Box] = []
        for x in order:
            text = x_text(self.figure.axis, x)
            at = round(self.x(x))
            box = _box(text, at, self.plot.bottom + 19, "middle", SMALL_SIZE)
            if not any(box.grown(1).overlaps(other) for other in taken):
                taken.append(box)
                self.add("x-tick", text, at, self.plot.bottom + 19, "middle", absent=x in absent)
        return [(self.x(x), x in absent) for x in known]

    def counts(self, y: float) -> float:
        """Rows of '⊘ 15/16' under the ticks, one series after the other; gives the lower edge of the last row."""
        several = len(self.figure.series) > 1
        for index, series in enumerate(self.figure.series):
            if not series.absences:
                continue
            rows = _count_rows(
                series.absences,
                self.x,
                low=self.plot.left + 2 if several else 0.0,
                high=self.width,
                rows=3 if self.narrow else 2,
            )
            if several:
                self.keys.append((index, self.plot.left - 10, y + LINE - 8))
            for row in rows:
                y += LINE - 2
                for x, text in row:
                    self.add("count", text, x, y - 1, "middle", series=index, absent=True)
            y += 5 if several else 2
        return y

    def foot(self, y: float) -> float:
        """What the x axis says, under everything; gives the drawing's lower edge."""
        for line in wrapped(self.figure.axis_label, self.width, TEXT_SIZE, lines=2):
            y += LINE + 1
            middle = (self.plot.left + self.plot.right) / 2
            half = text_width(line, TEXT_SIZE) / 2
            self.add("axis-label", line, min(max(middle, half), self.width - half), y - 4, "middle")
        return y + 3

    # Points and values

    def points(self) -> list[Point]:
        points: list[Point] = []
        for index, series in enumerate(self.figure.series):
            for mark in sorted(series.marks, key=lambda mark: mark.x):
                x, y = self.x(mark.x), self.y(mark.value)
                below = sum(_same_place(other, x, y) for other in points)
                points.append(Point(x=x, y=y, mark=mark, series=index, below=below))
        return points

    def segments(self, points: Sequence[Point]) -> list[tuple[Point, ...]]:
        """The unbroken pieces of each line: `Series.segments` and nothing else decides them."""
        where = {(point.series, point.mark.x): point for point in points}
        return [
            tuple(where[index, mark.x] for mark in segment)
            for index, series in enumerate(self.figure.series)
            for segment in series.segments()
        ]

    def gaps(self) -> list[Gap]:
        absent = sorted({absence.x for series in self.figure.series for absence in series.absences})
        return [Gap(x=self.x(x), full=x not in self.shown) for x in absent]

    def values(self, points: Sequence[Point], segments: Sequence[Sequence[Point]], dotted: Sequence[float]) -> None:
        """A value at every point that has a free place for it: ends and extremes first, then from left to right."""
        several = len(self.figure.series) > 1
        field = _Field(
            room=Box(self.plot.left, self.plot.top - 2, self.width + SLACK, self.plot.bottom - 1),
            marks=[Box(p.x - p.reach, p.y - p.reach, p.x + p.reach, p.y + p.reach) for p in points],
            lines=[(a.x, a.y, b.x, b.y) for segment in segments for a, b in pairwise(segment)],
            dotted=dotted,
            points=points,
            cross=not several,
        )
        said: list[tuple[float, float, str]] = []
        for point in _by_weight(points):
            text = three_figures(point.mark.value)
            if any(_same_place(point, x, y) and text == other for x, y, other in said):
                continue  # one number says both
            place = field.free_place(point, text, [label.box for label in self.labels])
            if place:
                shared = any(other.below for other in points if _same_place(point, other.x, other.y))
                own = point.series if several and not shared else None
                self.add("value", text, *place, series=own)
                said.append((point.x, point.y, text))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """What a value has to find its place among."""

    room: Box
    marks: Sequence[Box]
    lines: Sequence[tuple[float, float, float, float]]
    dotted: Sequence[float]
    points: Sequence[Point]
    cross: bool
    """Whether a value may lie across a line for want of another place: never where there are several series."""

    def free_place(self, point: Point, text: str, taken: Sequence[Box]) -> tuple[float, float, str] | None:
        """The best anchor for a value beside its point, or None.

        Free of texts and points, if possible of lines as well, and nearer to its own point than to any other, clearly
        so where that belongs to another series.
        """
        others = [other for other in self.points if not _same_place(point, other.x, other.y)]
        best: tuple[float, tuple[float, float, str]] | None = None
        for cost, x, y, anchor in _candidates(point, text_width(text, TEXT_SIZE, bold=True)):
            if best is not None and cost >= best[0]:
                continue
            # letters stand on whole pixels, away from their point: sharper, and fewer digits on a page
            x, y = round(x), (math.floor(y) if y < point.y else math.ceil(y))  # noqa: PLW2901
            box = _box(text, x, y, anchor, TEXT_SIZE, bold=True)
            if not box.inside(self.room) or any(box.overlaps(other) for other in (*taken, *self.marks)):
                continue
            near = box.distance(point.x, point.y)
            if any(box.distance(p.x, p.y) < near + (3 if p.series != point.series else 0) for p in others):
                continue
            ink = Box(box.left, box.top + 1, box.right, box.bottom - 2)  # digits have no descenders
            crossed = sum(ink.crossed_by(*line) for line in self.lines)
            if crossed and not self.cross:
                continue
            weighed = cost + 100 * crossed + 4 * sum(box.left < x < box.right for x in self.dotted)
            if best is None or weighed < best[0]:
                best = weighed, (x, y, anchor)
        return best[1] if best else None


def _box(text: str, x: float, y: float, anchor: str, size: float, *, bold: bool = False) -> Box:
    width = text_width(text, size, bold=bold)
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return Box(left - SLACK, y - ASCENT * size, left + width + SLACK, y + DESCENT * size)


def _same_place(point: Point, x: float, y: float) -> bool:
    return abs(point.x - x) < 1 and abs(point.y - y) < 1


def _by_weight(points: Sequence[Point]) -> list[Point]:
    """The order in which points get their values: where places are few, ends and extremes of each line come first."""
    first: list[Point] = []
    for index in sorted({point.series for point in points}):
        own = [point for point in points if point.series == index]
        for pick in (own[-1], own[0], max(own, key=lambda p: p.mark.value), min(own, key=lambda p: p.mark.value)):
            if pick not in first:
                first.append(pick)
    return first + [point for point in points if point not in first]


def _candidates(point: Point, width: float) -> Iterator[tuple[float, float, float, str]]:
    """Cost, x, baseline and anchor of the places round a point: above, below, right, left, and the corners between."""
    reach, size = point.reach, TEXT_SIZE
    for far, extra in ((0.0, 0.0), (5.0, 3.0), (10.0, 6.0)):
        above = point.y - reach - DESCENT * size - far
        below = point.y + reach + ASCENT * size + far
        for shift in (0.0, 0.3, 0.5, 0.65):
            cost = extra + 3 * shift
            for y, side in ((above, 0.0), (below, 2.0)):
                yield cost + side, point.x - shift * width, y, "middle"
                if shift:
                    yield cost + side + 0.1, point.x + shift * width, y, "middle"
        middle = point.y + size * 0.35
        for y, cost in ((middle, 4.0), (middle - 7, 4.2), (middle + 7, 4.4)):
            yield cost + extra, point.x + reach + 2 + far, y, "start"
            yield cost + extra + 0.1, point.x - reach - 2 - far, y, "end"


def _count_rows(
    absences: Sequence[Absence], x_of: Callable[[int], float], *, low: float, high: float, rows: int
) -> list[list[tuple[float, str]]]:
    """Counts under their ticks on as few rows as they need; where `rows` are not enough, the bare mark or nothing."""
    for most in range(1, rows + 1):
        table: list[list[tuple[float, str]]] = [[] for _ in range(most)]
        edges = [-1e9] * most
        complete = True
        for absence in sorted(absences, key=lambda absence: absence.x):
            for text in (f"{WITHHELD} {absence.count}".strip(), WITHHELD):
                half = text_width(text, SMALL_SIZE, bold=True) / 2
                x = min(max(x_of(absence.x), low + half), high - half)
                row = next((row for row in range(most) if edges[row] + 6 <= x - half), None)
                if row is not None and 2 * half <= high - low:
                    table[row].append((x, text))
                    edges[row] = x + half
                    break
                complete = False
        if complete or most == rows:
            return [row for row in table if row]
    raise AssertionError("at least one row is tried")
