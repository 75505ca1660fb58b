"""The figure for Plotly: the same points in the same places, in a form that a script file can hold."""

from __future__ import annotations

import hashlib
import json
import re
from math import log10
from pathlib import Path

import figures
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from plotly.offline import get_plotlyjs_version
from test_drawing import any_figure

from proofpress.charts.drawing import layout
from proofpress.charts.figure import Figure, Mark, Series
from proofpress.charts.interactive import interactive_json, plotly_figure
from proofpress.records.axis import Axis

ALL = pytest.mark.parametrize("figure", figures.ALL, ids=lambda figure: figure.id)
VENDOR = Path(__file__).parent.parent / "templates" / "assets" / "vendor"


@ALL
def test_each_unbroken_piece_is_one_trace_and_every_point_is_there(figure: Figure) -> None:
    spec = plotly_figure(figure)
    pieces = [(series.id, segment) for series in figure.series for segment in series.segments()]
    assert [(trace["legendgroup"], trace["customdata"], trace["y"]) for trace in spec["data"]] == [
        (name, [mark.x for mark in segment], [mark.value for mark in segment]) for name, segment in pieces
    ]
    assert sum(len(trace["x"]) for trace in spec["data"]) == figure.drawn
    for trace in spec["data"]:
        assert trace["line"]["shape"] == "linear"
        assert trace["mode"] == "lines+markers"
    go.Figure(spec)


def test_a_hole_is_two_traces_without_nulls() -> None:
    spec = plotly_figure(figures.HOLE)
    assert [trace["x"] for trace in spec["data"]] == [[1, 8], [32]]
    assert "null" not in interactive_json(figures.HOLE)


@ALL
def test_points_stand_where_the_drawing_has_them(figure: Figure) -> None:
    spec = plotly_figure(figure)
    for name in ("wide", "narrow"):
        placed = layout(figure, narrow=name == "narrow")
        geometry = spec["layout"]["meta"][name]
        margin = geometry["margin"]
        across = geometry["width"] - margin["l"] - margin["r"]
        down = geometry["height"] - margin["t"] - margin["b"]
        log = spec["layout"]["xaxis"]["type"] == "log"
        low, high = geometry["x"]
        plotted = [
            (
                margin["l"] + ((log10(x) if log else x) - low) / (high - low) * across,
                margin["t"] + (1 - y / geometry["y"][1]) * down,
            )
            for trace in spec["data"]
            for x, y in zip(trace["x"], trace["y"], strict=True)
        ]
        for (x, y), point in zip(plotted, placed.points, strict=True):
            assert x == pytest.approx(point.x, abs=0.1)
            assert y == pytest.approx(point.y, abs=0.1)


def test_withheld_users_have_a_line_and_a_count_with_the_reason() -> None:
    spec = plotly_figure(figures.USERS)["layout"]
    assert [(shape["x0"], shape["x1"], shape["y1"]) for shape in spec["shapes"]] == [
        (16, 16, 1),
        (32, 32, 1),
        (64, 64, 1),
    ]
    assert [note["text"] for note in spec["annotations"]] == ["⊘ 15/16", "⊘ 30/32", "⊘ 57/64"]
    assert spec["annotations"][0]["x"] == pytest.approx(log10(16), abs=1e-6)
    assert spec["annotations"][0]["hovertext"] == "Withheld, 15/16<br>15/16 outputs equal the oracle's"
    assert spec["xaxis"]["ticktext"] == ["1", "2", "4", "8", "16", "32", "64"]
    assert spec["yaxis"]["rangemode"] == "tozero"
    assert spec["yaxis"]["range"][0] == 0


def test_an_x_of_zero_stands_in_its_slot_and_keeps_its_name() -> None:
    spec = plotly_figure(figures.ZERO_DEPTH)
    assert spec["layout"]["xaxis"]["ticktext"][0] == "0"
    assert spec["layout"]["xaxis"]["tickvals"][0] == spec["data"][0]["x"][0] == 256
    assert spec["data"][0]["customdata"][0] == 0


def test_draft_depth_is_linear() -> None:
    spec = plotly_figure(figures.DEPTH)
    assert spec["layout"]["xaxis"]["type"] == "linear"
    assert spec["data"][0]["x"] == [0, 1, 2, 3, 4, 5]


def test_text_from_contributors_is_text() -> None:
    mark = Mark(x=1, value=1.0, detail=('</script><a href="javascript:alert(1)">x</a>', "%{y} & more"))
    series = Series(id="a", label="<b>bold</b>", marks=(mark,), absences=())
    figure = figures.figure(Axis.DRAFT_DEPTH, series, unit="<i>tok/s</i>")
    text = interactive_json(figure)
    assert "<" not in text
    assert text.isascii()
    (trace,) = json.loads(text)["data"]
    assert trace["hovertext"] == ['&lt;/script&gt;&lt;a href="javascript:alert(1)"&gt;x&lt;/a&gt;<br>%{y} &amp; more']
    assert trace["name"] == "&lt;b&gt;bold&lt;/b&gt;"
    assert "hovertemplate" not in trace


@ALL
def test_the_text_is_the_same_every_time_and_has_no_colours(figure: Figure) -> None:
    text = interactive_json(figure)
    assert text == interactive_json(figure)
    assert not re.search(r'"(color|template|uid|bgcolor)"', text)
    assert list(json.loads(text)) == ["data", "layout"]


@settings(deadline=None, max_examples=25)
@given(any_figure())
def test_any_figure_has_all_its_points(figure: Figure) -> None:
    spec = json.loads(interactive_json(figure))
    assert sum(len(trace["y"]) for trace in spec["data"]) == figure.drawn


def test_the_vendored_library_is_the_one_that_the_python_package_names() -> None:
    receipt = json.loads((VENDOR / "plotly-basic.json").read_text(encoding="utf-8"))
    (bundle,) = VENDOR.glob("plotly-basic-*.min.js")
    content = bundle.read_bytes()
    assert receipt["version"] == get_plotlyjs_version()
    assert bundle.name == f"plotly-basic-{receipt['version']}.min.js"
    assert hashlib.sha256(content).hexdigest() == receipt["sha256"]
    assert f"plotly.js (basic - minified) v{receipt['version']}".encode() in content[:200]
    assert receipt["license"] == "MIT"
    assert (VENDOR / "plotly-basic.LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    assert not re.search(rb"\beval\(|new Function\(|importScripts\(", content)
