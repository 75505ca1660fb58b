"""The static drawing: complete, honest, legible, and the same bytes every time."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import figures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofpress.charts.drawing import DARK, LIGHT, SHAPES, layout, sparkline, standalone_svg, svg
from proofpress.charts.figure import Absence, Figure, Mark, Series
from proofpress.charts.layout import NARROW, WIDE, Layout
from proofpress.charts.lettering import Box
from proofpress.charts.scale import three_figures, x_text, y_scale
from proofpress.records.axis import Axis

BOTH = pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
ALL = pytest.mark.parametrize("figure", figures.ALL, ids=lambda figure: figure.id)


def texts(placed: Layout, role: str) -> list[str]:
    """Texts of one role from left to right."""
    return [label.text for label in sorted(placed.labels, key=lambda label: label.x) if label.role == role]


def assert_legible(placed: Layout) -> None:
    """No two texts overlap, none lies on a point, all stand inside the drawing."""
    for one, other in combinations(placed.labels, 2):
        assert not one.box.overlaps(other.box), (one, other)
    for label in placed.labels:
        assert label.box.inside(Box(-1.01, 0, placed.width + 1.01, placed.height)), label
        for point in placed.points:
            mark = Box(point.x - 5, point.y - 5, point.x + 5, point.y + 5)
            assert not label.box.overlaps(mark), (label, point)
    for _, x, y in placed.keys:
        key = Box(x - 5, y - 5, x + 5, y + 5)
        assert not any(label.box.overlaps(key) for label in placed.labels)


def marks(text: str) -> list[ElementTree.Element]:
    return [element for element in ElementTree.fromstring(text).iter() if "mark" in element.get("class", "").split()]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (98.139, "98.1"), (564.7, "565"), (1254.4, "1,254"), (10312.6, "10,313"), (0.123, "0.123"), (99.96, "100"),
        (999.5, "1,000"), (0.99951, "1.00"), (98.0, "98.0"), (112.5, "113"), (0.0, "0"), (1.0, "1.00"),
        (5e-300, "5e-300"), (1e12, "1e+12"),
    ],
)  # fmt: skip
def test_values_have_three_significant_figures(value: float, text: str) -> None:
    assert three_figures(value) == text


@pytest.mark.parametrize(
    ("axis", "x", "text"),
    [
        (Axis.CONTEXT_TOKENS, 2048, "2K"), (Axis.CONTEXT_TOKENS, 24576, "24K"), (Axis.CONTEXT_TOKENS, 12200, "12,200"),
        (Axis.CONTEXT_DEPTH, 0, "0"), (Axis.CONTEXT_DEPTH, 512, "512"), (Axis.CONCURRENT_USERS, 1024, "1,024"),
        (Axis.DRAFT_DEPTH, 3, "3"),
    ],
)  # fmt: skip
def test_an_x_is_written_exactly(axis: Axis, x: int, text: str) -> None:
    assert x_text(axis, x) == text


@pytest.mark.parametrize(
    ("largest", "ticks"),
    [
        (564.7, ("0", "200", "400", "600")), (126.2, ("0", "50", "100")), (86.2, ("0", "25", "50", "75")),
        (10313.0, ("0", "5,000", "10,000")), (0.123, ("0", "0.05", "0.10")), (1.0, ("0", "0.5", "1.0")),
        (5e-300, ("0", "2e-300", "4e-300")), (3e12, ("0", "1e+12", "2e+12", "3e+12")),
    ],
)  # fmt: skip
def test_y_starts_at_zero_with_round_ticks(largest: float, ticks: tuple[str, ...]) -> None:
    assert y_scale(largest).texts == ticks


@given(st.floats(min_value=1e-6, max_value=1e9))
def test_there_are_three_to_five_y_ticks_and_the_largest_value_fits(largest: float) -> None:
    scale = y_scale(largest)
    assert 3 <= len(scale.ticks) <= 5
    assert scale.ticks[0] == 0
    assert max(largest, scale.ticks[-1]) == scale.top
    assert len(set(scale.texts)) == len(scale.texts)


@ALL
@BOTH
def test_a_drawing_is_legible_and_has_every_point(figure: Figure, narrow: bool) -> None:
    placed = layout(figure, narrow=narrow)
    assert_legible(placed)
    assert placed.width == (NARROW if narrow else WIDE)
    drawn = marks(svg(figure, narrow=narrow))
    assert [mark.get("data-x") for mark in drawn] == [str(mark.x) for series in figure.series for mark in series.marks]


@BOTH
def test_a_single_line_has_a_value_at_every_point(narrow: bool) -> None:
    for figure in figures.ALL:
        if len(figure.series) == 1:
            placed = layout(figure, narrow=narrow)
            said = [three_figures(mark.value) for mark in figure.series[0].marks]
            assert sorted(texts(placed, "value")) == sorted(said), figure.id


@BOTH
def test_withheld_users_stand_empty_with_their_counts(narrow: bool) -> None:
    placed = layout(figures.USERS, narrow=narrow)
    assert texts(placed, "x-tick") == ["1", "2", "4", "8", "16", "32", "64"]
    assert texts(placed, "count") == ["⊘ 15/16", "⊘ 30/32", "⊘ 57/64"]
    assert {label.text for label in placed.labels if label.absent and label.role == "x-tick"} == {"16", "32", "64"}
    assert [gap.full for gap in placed.gaps] == [True, True, True]
    assert max(point.x for point in placed.points) < min(gap.x for gap in placed.gaps)


def test_the_line_breaks_where_an_x_is_withheld() -> None:
    placed = layout(figures.HOLE, narrow=False)
    assert [[point.mark.x for point in segment] for segment in placed.segments] == [[1, 8], [32]]
    (line,) = re.findall(r'<path class="line" d="([^"]*)"', svg(figures.HOLE, narrow=False))
    assert line.count("M") == 1
    assert line.count("L") == 1


def test_users_and_context_are_log2_and_draft_depth_is_linear() -> None:
    def steps(figure: Figure) -> list[float]:
        xs = [x for x, _ in layout(figure, narrow=False).x_ticks]
        return [round(b - a, 1) for a, b in pairwise(xs)]

    assert len(set(steps(figures.USERS_ALL))) == 1
    assert len(set(steps(figures.DEPTH))) == 1
    octave, fine = steps(figures.CONTEXT_CURVE)[0], steps(figures.CONTEXT_CURVE)[-1]
    assert fine == pytest.approx(octave * 0.415, abs=0.2)  # log2(32/24)


def test_an_x_of_zero_has_a_slot_left_of_the_axis() -> None:
    placed = layout(figures.ZERO_DEPTH, narrow=False)
    assert placed.slot
    assert texts(placed, "x-tick")[:3] == ["0", "512", "2K"]
    zero, first = placed.x_ticks[0][0], placed.x_ticks[1][0]
    assert first - zero > 40
    assert not layout(figures.DEPTH, narrow=False).slot


def test_equal_values_of_two_series_are_both_seen_and_said_once() -> None:
    placed = layout(figures.EQUAL, narrow=False)
    assert [point.below for point in placed.points] == [0, 0, 0, 1, 0, 1]
    assert sorted(texts(placed, "value")) == ["33.1", "54.9", "60.2", "70.1"]
    assert svg(figures.EQUAL, narrow=False).count('class="mark ring"') == 2


def test_several_series_differ_by_shape_and_carry_their_names() -> None:
    placed = layout(figures.SIX, narrow=True)
    assert len(texts(placed, "series")) == len(SHAPES) == 6
    assert [key[0] for key in placed.keys] == [0, 1, 2, 3, 4, 5, 1, 3, 5]  # legend, then rows of withheld counts
    assert not layout(figures.TWO, narrow=False).keys  # names stand at the lines' ends
    assert texts(layout(figures.TWO, narrow=False), "series") == ["Set-up FP8", "Set-up Q8"]


def test_where_another_series_has_a_point_a_withheld_x_is_a_short_tick() -> None:
    placed = layout(figures.SIX, narrow=False)
    assert [gap.full for gap in placed.gaps] == [False, False, False]
    assert texts(placed, "count") == ["⊘ 15/16", "⊘ 31/32", "⊘ 31/32", "⊘ 63/64", "⊘ 63/64", "⊘ 63/64"]


@ALL
def test_ids_titles_and_descriptions_name_the_drawing(figure: Figure) -> None:
    wide, narrow = (ElementTree.fromstring(svg(figure, narrow=is_narrow)) for is_narrow in (False, True))
    assert wide.get("role") == narrow.get("role") == "img"
    assert narrow.get("aria-labelledby") == f"{figure.id}-title {figure.id}-desc"
    title, description = wide[0], wide[1]
    assert (title.tag, title.get("id"), title.text) == ("title", f"{figure.id}-title", figure.title)
    assert (description.tag, description.get("id")) == ("desc", f"{figure.id}-desc")
    assert description.text == figure.description
    assert not [element for element in narrow.iter() if element.get("id")], "it is named by the words of the wide one"


def test_a_file_of_its_own_needs_nothing_else() -> None:
    text = standalone_svg(figures.USERS)
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "prefers-color-scheme:dark" in text
    assert "https:" not in text
    assert text.count("http:") == 1
    assert all(colour in text for colour in (*LIGHT.values(), *DARK.values()))
    assert figures.USERS.title in [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [part / 255 for part in bytes.fromhex(colour[1:])]
        red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_colour_reads_on_paper(colours: dict[str, str]) -> None:
    for name, colour in colours.items():
        if name not in {"paper", "rule"}:
            assert contrast(colour, colours["paper"]) >= 4.5, name


BROKEN = [
    (replace(figures.ONE_POINT, series=()), "no point to draw"),
    (figures.figure(Axis.CONCURRENT_USERS, figures.series([], [(16, "15/16")])), "no point to draw"),
    (figures.figure(Axis.DRAFT_DEPTH, *(figures.series([(1, 1.0)], name=f"s{i}") for i in range(7))), "7 series"),
    (figures.figure(Axis.DRAFT_DEPTH, figures.series([(1, float("nan"))])), "has the value nan"),
    (figures.figure(Axis.DRAFT_DEPTH, figures.series([(1, float("inf"))])), "has the value inf"),
    (figures.figure(Axis.DRAFT_DEPTH, figures.series([(1, -1.0)])), "has the value -1.0"),
    (figures.figure(Axis.DRAFT_DEPTH, figures.series([(1, 1.0), (1, 2.0)])), "has an x twice"),
    (figures.figure(Axis.DRAFT_DEPTH, figures.series([(1, 1.0)]), figures.series([(1, 2.0)])), "share a name"),
    (figures.figure(Axis.CONTEXT_DEPTH, figures.series([(-1, 1.0)])), "an x below 0: -1"),
    (replace(figures.ONE_POINT, id='x" onload="'), "cannot be part of an element id"),
]


@pytest.mark.parametrize(("figure", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_what_cannot_be_drawn_honestly_is_refused(figure: Figure, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        svg(figure, narrow=False)


def test_the_order_of_points_changes_nothing() -> None:
    series = figures.CONTEXT_CURVE.series[0]
    turned = replace(figures.CONTEXT_CURVE, series=(replace(series, marks=series.marks[::-1]),))
    assert svg(turned, narrow=False) == svg(figures.CONTEXT_CURVE, narrow=False)


@ALL
def test_a_sparkline_follows_the_same_rules(figure: Figure) -> None:
    for series in figure.series:
        text = sparkline(series, axis=figure.axis)
        root = ElementTree.fromstring(text)
        assert root.get("aria-hidden") == "true"
        assert not "".join(root.itertext())
        assert len(marks(text)) == len(series.marks)
        pieces = sum(len(segment) > 1 for segment in series.segments())
        line = "".join(element.get("d", "") for element in root if element.get("class") == "line")
        assert line.count("M") == pieces
        gap = "".join(element.get("d", "") for element in root if element.get("class") == "gap")
        assert gap.count("M") == len(series.absences)


def test_a_sparkline_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        sparkline(figures.series([]))


COUNTS = st.sampled_from(["15/16", "30/32", "1023/1024", "queued", "not fresh", "no evidence", ""])
LABELS = st.text(min_size=1, max_size=60).map(lambda text: text.strip() or "x")


@st.composite
def any_figure(draw: st.DrawFn) -> Figure:
    """Figures of any axis with up to six series, shown and withheld in any order."""
    axis = draw(st.sampled_from(list(Axis)))
    largest = {Axis.DRAFT_DEPTH: 12, Axis.CONCURRENT_USERS: 2048}.get(axis, 300_000)
    least = 0 if axis in {Axis.CONTEXT_DEPTH, Axis.DRAFT_DEPTH, Axis.SUITE} else 1
    ladder = draw(st.lists(st.integers(least, largest), min_size=1, max_size=14, unique=True))
    top = draw(st.sampled_from([0.01, 1.0, 100.0, 12_000.0, 1e7]))
    names = draw(st.lists(LABELS, min_size=1, max_size=6, unique=True))
    all_series = []
    for index, label in enumerate(names):
        seen = draw(st.lists(st.sampled_from(ladder), max_size=len(ladder), unique=True))
        absent = draw(st.sets(st.sampled_from(seen))) if seen else set()
        all_series.append(
            Series(
                id=f"s{index}",
                label=label,
                marks=tuple(
                    Mark(x=x, value=draw(st.just(0.0) | st.floats(1e-200, top)), detail=("detail",))
                    for x in seen
                    if x not in absent
                ),
                absences=tuple(Absence(x=x, count=draw(COUNTS), reason="Outputs differ.") for x in seen if x in absent),
            )
        )
    if not any(series.marks for series in all_series):
        extra = Series(id="s0", label=names[0], marks=(Mark(x=ladder[0], value=1.0, detail=()),), absences=())
        all_series[0] = extra
    return Figure(
        id="any",
        title=draw(st.text(max_size=80)),
        description=draw(st.text(max_size=80)),
        axis=axis,
        axis_label=draw(st.text(max_size=80)),
        unit=draw(st.text(max_size=120)),
        series=tuple(all_series),
    )


@settings(deadline=None, max_examples=150)
@given(any_figure(), st.booleans())
def test_whatever_is_drawn_is_legible_complete_and_repeatable(figure: Figure, narrow: bool) -> None:
    assert_legible(layout(figure, narrow=narrow))
    assert_legible(layout(figure, narrow=narrow, titled=True))
    text = svg(figure, narrow=narrow)
    assert len(marks(text)) == figure.drawn
    assert text == svg(figure, narrow=narrow)
    ElementTree.fromstring(standalone_svg(figure))
    assert not re.search(r"\d\.\d\d|-0[^.\d]|e[-+]\d|nan|inf", " ".join(re.findall(r' d="([^"]*)"', text)))
    for point in layout(figure, narrow=narrow).points:
        assert 0 <= point.x <= (NARROW if narrow else WIDE)


def test_the_style_sheet_falls_back_to_the_light_colours() -> None:
    sheet = Path(__file__).parent.parent / "templates" / "assets" / "css" / "components" / "chart.css"
    css = sheet.read_text(encoding="utf-8")
    found = set(re.findall(r"var\(--([a-z0-9-]+), (#[0-9a-f]{6})\)", css))
    assert found == set(LIGHT.items())
    assert f"max-width: {WIDE}px" in css
    assert f"max-width: {NARROW}px" in css
