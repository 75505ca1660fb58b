"""Interactive: the same chart for Plotly, validated by `plotly.graph_objects`, laid exactly over the static drawing.

Comes in: a `Figure`. Goes out: a Plotly figure without colours and fonts (the page's script takes them from the style
sheet when it draws), or its JSON text. `layout.meta` says where the plot lies in the wide and in the narrow drawing,
and names the series and what is withheld for those who go through a chart by keyboard.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

import plotly.graph_objects as go

from proofpress.charts.figure import Absence, Figure
from proofpress.charts.layout import RADIUS, RING, WEIGHTS, WITHHELD, Layout, Point, layout
from proofpress.charts.scale import XScale, x_text
from proofpress.records.axis import Axis

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "x-thin")
"""Plotly's names for `drawing.SHAPES`."""

LOG2_OF_10 = 3.321928094887362


def plotly_figure(figure: Figure) -> dict[str, Any]:
    """`figure` as Plotly's `data` and `layout`: one trace for each unbroken piece of a line, every point once."""
    wide, narrow = layout(figure, narrow=False), layout(figure, narrow=True)
    xs = wide.xs
    absent = sorted({absence.x for series in figure.series for absence in series.absences})
    shown = {mark.x for series in figure.series for mark in series.marks}
    known = [] if figure.axis is Axis.SUITE else sorted({*shown, *absent})
    spec: dict[str, Any] = {
        "data": [_trace(figure, segment, xs) for segment in wide.segments],
        "layout": {
            "template": None,
            "meta": {
                "wide": _geometry(wide),
                "narrow": _geometry(narrow),
                "series": [_text(series.label) for series in figure.series],
                "withheld": [
                    {"series": index, "x": absence.x, "at": _plotly_x(xs, absence.x), "text": _reason(absence)}
                    for index, series in enumerate(figure.series, start=1)
                    for absence in sorted(series.absences, key=lambda absence: absence.x)
                ],
            },
            "xaxis": {
                "type": "log" if xs.log else "linear",
                "range": _geometry(wide)["x"],
                "tickmode": "array",
                "tickvals": [_plotly_x(xs, x) for x in known],
                "ticktext": [x_text(figure.axis, x) for x in known],
                "title": {"text": _text(figure.axis_label)},
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
            },
            "yaxis": {
                "rangemode": "tozero",
                "range": _geometry(wide)["y"],
                "tickmode": "array",
                "tickvals": list(wide.ys.ticks),
                "ticktext": list(wide.ys.texts),
                "title": {"text": _text(figure.unit)},
                "zeroline": False,
                "fixedrange": True,
            },
            "shapes": [_gap(xs, x, full=x not in shown) for x in absent],
            "annotations": [_count(figure, xs, x) for x in absent],
            "showlegend": False,
            "hovermode": "closest",
            "hoverdistance": 40,
            "dragmode": False,
        },
    }
    go.Figure(spec)  # raises where Plotly does not know a field or a value; what it makes of them is not needed
    spec["layout"] = {name: value for name, value in spec["layout"].items() if value not in (None, [])}
    points = sum(len(trace["x"]) for trace in spec["data"])
    assert points == figure.drawn, f"{figure.id}: {points} points for Plotly, {figure.drawn} drawn"
    return spec


def interactive_json(figure: Figure) -> str:
    """`plotly_figure` as JSON that may stand in a script: sorted keys, ASCII, no '<'."""
    text = json.dumps(plotly_figure(figure), ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def _trace(figure: Figure, segment: tuple[Point, ...], xs: XScale) -> dict[str, Any]:
    index = segment[0].series
    series = figure.series[index]
    sizes = [round(2 * (RADIUS + RING * point.below) * WEIGHTS[index], 2) for point in segment]
    return {
        "type": "scatter",
        "x": [_plotly_x(xs, point.mark.x) for point in segment],
        "y": [point.mark.value for point in segment],
        "customdata": [point.mark.x for point in segment],
        "hovertext": ["<br>".join(_text(line) for line in point.mark.detail) for point in segment],
        "hoverinfo": "text",
        "mode": "lines+markers",
        "line": {"shape": "linear", "width": 2},
        "marker": {"symbol": SYMBOLS[index], "size": sizes if any(point.below for point in segment) else sizes[0]},
        "name": _text(series.label),
        "legendgroup": series.id,
        "meta": {"series": index + 1, "rings": [bool(point.below) for point in segment]},
        "cliponaxis": False,
        "connectgaps": False,
    }


def _plotly_x(xs: XScale, x: int) -> float | int:
    """`x` as Plotly is given it: itself, or on a log axis the number at which the slot of 0 stands."""
    return x if x or not xs.log else round(2 ** xs.place(0), 6)


def _geometry(placed: Layout) -> dict[str, Any]:
    """Size, margins (in px) and axis ranges that put Plotly's points exactly on those of the static drawing."""
    plot, xs = placed.plot, placed.xs
    per_px = (xs.last - xs.first) / (plot.right - plot.left - sum(placed.inset))
    ends = [xs.first - placed.inset[0] * per_px, xs.last + placed.inset[1] * per_px]
    return {
        "width": placed.width,
        "height": placed.height,
        "margin": {
            "l": round(plot.left, 2),
            "r": round(placed.width - plot.right, 2),
            "t": round(plot.top, 2),
            "b": round(placed.height - plot.bottom, 2),
        },
        "x": [round(end / LOG2_OF_10 if xs.log else end, 6) for end in ends],
        "y": [0, float(f"{placed.y_top:.9g}")],
    }


def _gap(xs: XScale, x: int, *, full: bool) -> dict[str, Any]:
    """A dotted line where nothing is drawn, or a tick where another series has a point."""
    place = _plotly_x(xs, x)
    return {
        "type": "line",
        "name": "withheld",
        "layer": "below",
        "line": {"dash": "dot" if full else "solid", "width": 1.4},
        "xref": "x",
        "x0": place,
        "x1": place,
        "yref": "paper",
        "y0": 0,
        "y1": 1 if full else 0.03,
    }


def _count(figure: Figure, xs: XScale, x: int) -> dict[str, Any]:
    """The count under a withheld x, with the reasons for those who point at it."""
    here = [(series, absence) for series in figure.series for absence in series.absences if absence.x == x]
    several = len(figure.series) > 1
    lines = [
        f"{_text(series.label)}<br>{_reason(absence)}" if several else _reason(absence) for series, absence in here
    ]
    return {
        "name": "withheld",
        "text": f"{WITHHELD} {', '.join(_text(absence.count) for _, absence in here)}",
        "hovertext": "<br>".join(lines),
        "captureevents": True,
        "showarrow": False,
        "xref": "x",
        "x": round(xs.place(x) / LOG2_OF_10, 6) if xs.log else x,  # Plotly wants the logarithm here, unlike in shapes
        "yref": "paper",
        "y": 0,
        "yanchor": "top",
        "yshift": -22,
    }


def _reason(absence: Absence) -> str:
    return f"Withheld, {_text(absence.count)}<br>{_text(absence.reason)}"


def _text(text: str) -> str:
    """`text` for Plotly, which reads tags: markup escaped."""
    return escape(text, quote=False)
