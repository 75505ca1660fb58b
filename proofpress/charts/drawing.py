"""Drawing: a chart as SVG, complete without scripts: inline for a page, self-contained as a file, tiny for a list.

Comes in: a `Figure` (or one `Series`). Goes out: SVG text, the same bytes for the same figure. Colours and fonts of the
inline drawing come from `templates/assets/css/components/chart.css`; a file carries its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from proofpress.charts.figure import Figure, Series
from proofpress.charts.layout import RADIUS, RING, WEIGHTS, Label, Layout, Point, layout, xs_of
from proofpress.charts.scale import x_scale
from proofpress.records.axis import Axis

__all__ = ["DARK", "LIGHT", "SHAPES", "layout", "sparkline", "standalone_svg", "svg"]

SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
"""One per series, in order, in both drawings."""

LIGHT = {
    "ink": "#1b1d24", "muted": "#5d606b", "rule": "#d9dad3", "paper": "#ffffff", "withheld": "#985200",
    "series-1": "#0a6b5c", "series-2": "#2453a6", "series-3": "#ad2b57", "series-4": "#5b680b", "series-5": "#4a5463",
    "series-6": "#6d2f78",
}  # fmt: skip
DARK = {
    "ink": "#eceae3", "muted": "#a5a7b0", "rule": "#33363f", "paper": "#1b1e25", "withheld": "#e0a048",
    "series-1": "#5cccb4", "series-2": "#8fb6ff", "series-3": "#f58fb0", "series-4": "#c2cd66", "series-5": "#b3bccb",
    "series-6": "#d6a2e3",
}  # fmt: skip
"""The colours of a file of its own; also what `tokens.css` should give the custom properties of the same names."""


def svg(figure: Figure, *, narrow: bool, prefix: str | None = None) -> str:
    """`figure` as inline SVG for a wide or a narrow column; `ValueError` where it has no point to draw.

    Both stand side by side on a page and one is shown. The narrow one is named by the words of the wide one, whose ids begin with
    `prefix`, by itself the figure's id; a page of many figures has shorter ones.
    """
    placed = layout(figure, narrow=narrow)
    variant = "narrow" if narrow else "wide"
    return _svg(figure, placed, prefix or figure.id, f' class="chart-{variant}"', worded=not narrow)


def standalone_svg(figure: Figure) -> str:
    """`figure` as a file of its own, with its title in the picture and colours for light and dark inside."""
    placed = layout(figure, narrow=False, titled=True)
    xmlns = ' xmlns="http://www.w3.org/2000/svg"'
    return _svg(figure, placed, f"{figure.id}-file", xmlns, style=_file_style(), margin=16) + "\n"


def sparkline(series: Series, *, width: int = 120, height: int = 28, axis: Axis = Axis.CONTEXT_TOKENS) -> str:
    """One line without words for a list: y from zero, broken and ticked where an x is withheld; for eyes only."""
    xs = xs_of(series)
    if not xs:
        raise ValueError(f"{series.id}: nothing to draw")
    scale = x_scale(axis, xs)
    top = max((mark.value for mark in series.marks), default=0.0) or 1.0

    def x(of: int) -> float:
        return 4 + (scale.place(of) - scale.first) / (scale.last - scale.first) * (width - 8)

    def y(value: float) -> float:
        return height - 3 - value / top * (height - 7)

    parts = [
        f'<svg class="sparkline" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">',
        f'<path class="base" d="M0 {_n(height - 3)}H{width}"/>',
    ]
    ticks = "".join(
        f"M{_n(x(absence.x))} {_n(height - 10)}V{_n(height)}" for absence in sorted(series.absences, key=lambda a: a.x)
    )
    if ticks:
        parts.append(f'<path class="gap" d="{ticks}"/>')
    lines = "".join(_line([(x(mark.x), y(mark.value)) for mark in segment]) for segment in series.segments())
    if lines:
        parts.append(f'<path class="line" d="{lines}"/>')
    marks = sorted(series.marks, key=lambda mark: mark.x)
    parts += [f'<circle class="mark" cx="{_n(x(mark.x))}" cy="{_n(y(mark.value))}" r="1.8"/>' for mark in marks]
    return "".join(parts) + "</svg>"


def _svg(
    figure: Figure,
    placed: Layout,
    prefix: str,
    attributes: str,
    *,
    style: str = "",
    margin: int = 0,
    worded: bool = True,
) -> str:
    width, height = _n(placed.width + 2 * margin), _n(placed.height + 2 * margin)
    corner = f"-{margin} -{margin}" if margin else "0 0"
    marks = [_mark(point) for point in placed.points]
    assert len(marks) == figure.drawn, f"{figure.id}: {len(marks)} points drawn of {figure.drawn}"
    # a drawing is named by its own words, or by those of the one that stands beside it
    named = 'role="img"' if worded else f'role="img" aria-labelledby="{prefix}-title {prefix}-desc"'
    parts = [
        f'<svg{attributes} viewBox="{corner} {width} {height}" width="{width}" height="{height}" {named}>',
        f'<title id="{prefix}-title">{_escaped(figure.title)}</title>' if worded else "",
        f'<desc id="{prefix}-desc">{_escaped(figure.description)}</desc>' if worded else "",
        style,
        *_furniture(placed),
        *_lines_and_marks(figure, placed, marks),
        *_texts(placed),
        "</svg>",
    ]
    return "".join(parts)


def _furniture(placed: Layout) -> Iterable[str]:
    """Grid, axis, ticks and the places that are left empty."""
    plot = placed.plot
    left, right, base = _n(plot.left), _n(plot.right), _n(plot.bottom)
    yield f'<path class="grid" d="{"".join(f"M{left} {_n(y)}H{right}" for y in placed.y_ticks[1:])}"/>'
    if placed.slot:  # the slot of 0 is off the scale: the axis line has a gap behind it
        places = [x for x, _ in placed.x_ticks]
        cut = (places[0] + places[1]) / 2 if len(places) > 1 else places[0] + 20
        strokes = f"M{_n(cut - 6)} {_n(plot.bottom + 4)}l4 -8m4 8l4 -8"
        axis = f"M{left} {base}H{_n(cut - 4)}M{_n(cut + 4)} {base}H{right}{strokes}"
    else:
        axis = f"M{left} {base}H{right}"
    axis += "".join(f"M{_n(x)} {base}v5" for x, absent in placed.x_ticks if not absent)
    yield f'<path class="axis" d="{axis}"/>'
    full = "".join(f"M{_n(gap.x)} {_n(plot.top)}V{_n(plot.bottom + 5)}" for gap in placed.gaps if gap.full)
    short = "".join(f"M{_n(gap.x)} {_n(plot.bottom - 4)}v9" for gap in placed.gaps if not gap.full)
    if full:
        yield f'<path class="gap" d="{full}"/>'
    if short:
        yield f'<path class="gap tick" d="{short}"/>'


def _lines_and_marks(figure: Figure, placed: Layout, marks: Sequence[str]) -> Iterable[str]:
    """Each series as one group: its unbroken pieces, then its points."""
    for index in range(len(figure.series)):
        own = [mark for mark, point in zip(marks, placed.points, strict=True) if point.series == index]
        if not own:
            continue
        line = "".join(
            _line([(point.x, point.y) for point in segment])
            for segment in placed.segments
            if segment[0].series == index
        )
        yield f'<g class="s{index + 1}">'
        if line:
            yield f'<path class="line" d="{line}"/>'
        yield from own
        yield "</g>"


def _texts(placed: Layout) -> Iterable[str]:
    for index, x, y in placed.keys:
        yield f'<path class="key s{index + 1}" d="{_shape(index, x, y)}"/>'
    for label in placed.labels:
        yield _text(label)


_ANCHORS = {"x-tick": "middle", "axis-label": "middle", "value": "middle", "count": "middle", "y-tick": "end"}
"""Where the style sheet anchors a label of each role; the same for hundreds of labels on a page, so it is not said at each."""


def _text(label: Label) -> str:
    classes = [label.role]
    if label.absent:
        classes.append("withheld")
    elif label.role == "value" and label.series is not None:
        classes.append(f"s{label.series + 1}")
    usual = _ANCHORS.get(label.role, "start")
    anchor = "" if label.anchor == usual else f' style="text-anchor:{label.anchor}"'
    return (
        f'<text class="{" ".join(classes)}" x="{_n(label.x)}" y="{_n(label.y)}"{anchor}>{_escaped(label.text)}</text>'
    )


def _mark(point: Point) -> str:
    """One point. Where others stand already, it is a larger outline round them, so that none is hidden."""
    ring = " ring" if point.below else ""
    shape = _shape(point.series, point.x, point.y, 1 + point.below * RING / RADIUS)
    return f'<path class="mark{ring}" data-x="{point.mark.x}" d="{shape}"/>'


def _shape(series: int, x: float, y: float, scale: float = 1.0) -> str:
    """The outline of a series' marker round (x, y): the same shapes that Plotly draws."""
    # Every outline starts at the middle: the same digits as in the line and in the labels, which compresses well.
    r = RADIUS * scale * WEIGHTS[series]
    middle = f"M{_n(x)} {_n(y)}"
    match SHAPES[series]:
        case "circle":
            return f"{middle}m{_n(-r)} 0a{_n(r)} {_n(r)} 0 1 0 {_n(2 * r)} 0a{_n(r)} {_n(r)} 0 1 0 {_n(-2 * r)} 0z"
        case "square":
            return f"{middle}m{_n(-r)} {_n(-r)}h{_n(2 * r)}v{_n(2 * r)}h{_n(-2 * r)}z"
        case "diamond":
            r *= 1.3
            return f"{middle}m0 {_n(-r)}l{_n(r)} {_n(r)} {_n(-r)} {_n(r)} {_n(-r)} {_n(-r)}z"
        case "triangle-up":
            return f"{middle}m0 {_n(-r)}l{_n(1.155 * r)} {_n(1.5 * r)}h{_n(-2.31 * r)}z"
        case "triangle-down":
            return f"{middle}m0 {_n(r)}l{_n(1.155 * r)} {_n(-1.5 * r)}h{_n(-2.31 * r)}z"
        case _:
            return f"{middle}m{_n(-r)} {_n(-r)}l{_n(2 * r)} {_n(2 * r)}m0 {_n(-2 * r)}l{_n(-2 * r)} {_n(2 * r)}"


def _line(places: Sequence[tuple[float, float]]) -> str:
    """A straight line through two or more places; one place alone needs none."""
    if len(places) < 2:
        return ""
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in places)


def _n(number: float) -> str:
    """A coordinate with at most one decimal, never '-0'."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _escaped(text: str) -> str:
    """`text` for XML: markup escaped, characters that XML does not know replaced."""
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))


def _file_style() -> str:
    """The same rules as in `chart.css`, for a file that stands alone, and both sets of colours."""
    light = ";".join(f"--{name}:{colour}" for name, colour in LIGHT.items())
    dark = ";".join(f"--{name}:{colour}" for name, colour in DARK.items())
    series = "".join(f".s{number}{{--c:var(--series-{number})}}" for number in range(1, len(SHAPES) + 1))
    return (
        f"<style>svg{{{light};background:var(--paper);font-family:system-ui,sans-serif}}"
        f"@media (prefers-color-scheme:dark){{svg{{{dark}}}}}{series}"
        "path{fill:none;stroke-width:1}.grid{stroke:var(--rule)}.axis{stroke:var(--ink)}"
        ".gap{stroke:var(--withheld);stroke-width:1.4;stroke-dasharray:.1 5;stroke-linecap:round}"
        ".gap.tick{stroke-dasharray:none}"
        ".line{stroke:var(--c);stroke-width:2;stroke-linejoin:round}"
        ".mark,.key{stroke:var(--c);stroke-width:2;fill:var(--paper);stroke-linejoin:round}.mark.ring{fill:none}"
        ".x-tick,.axis-label,.value,.count{text-anchor:middle}.y-tick{text-anchor:end}"
        "text{fill:var(--muted);font-size:12px;font-variant-numeric:tabular-nums}"
        ".unit,.axis-label,.series,.value{font-size:13px}.series,.value,.title{fill:var(--ink)}"
        ".value{font-weight:600;paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}"
        ".value[class*=' s']{fill:var(--c)}"
        ".title{font-size:15px;font-weight:600}.withheld{fill:var(--withheld)}.count{font-weight:600}</style>"
    )
