"""The repository's own site: each number in all its places, computed again from the raw evidence; and that the pages hold together."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any
from xml.etree import ElementTree

import pytest
from ground import ROOT, copied_root, tree
from html_page import Element, link_problems, page, parsed

from proofpress import pipeline
from proofpress.command import main
from proofpress.derive.edition import Edition

Site = Mapping[str, bytes]
Json = dict[str, Any]

CARDS = sorted(path.stem for path in (ROOT / "content" / "cards").glob("*.yaml"))
NINE, TWENTY_SEVEN, H200 = "qwen35-9b-fp8-b70", "qwen38-27b-fp8-tp2-b70", "h200-qwen3-random-static-batch"


def _json(site: Site, path: str) -> Json:
    read: Json = json.loads(site[path])
    return read


def _twin(site: Site, card: str) -> Json:
    return _json(site, f"models/{card}.json")


def _points(profile: Json) -> list[Json]:
    """Shown and withheld, in the order of x."""
    return sorted([*profile["shown"], *profile["withheld"]], key=lambda point: -1 if point["x"] is None else point["x"])


@pytest.fixture(scope="session")
def pages(site: Site) -> Mapping[str, Element]:
    """Every page of the site as a tree."""
    return {path: page(content) for path, content in site.items() if path.endswith(".html")}


# --- each number in all its places -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Printed:
    """A row of a table of exact values."""

    state: str
    head: str
    value: float | None
    each: float | None
    identity: str


def _rows(table: Element) -> list[Printed]:
    columns = [column.text for column in table.one("thead").all("th")]
    rows = []
    for row in table.one("tbody").all("tr"):
        cells = [cell for cell in row.children if isinstance(cell, Element)]
        values = [_exact(cell) for cell in cells]
        rows.append(
            Printed(
                state=row.attributes["data-state"],
                head=cells[0].text,
                value=values[1],
                each=values[columns.index("each")] if "each" in columns else None,
                identity=cells[columns.index("Identical")].text,
            )
        )
    return rows


def _exact(cell: Element) -> float | None:
    """The number in a cell: in full in its `data` element where the text is shorter than the number, else the text itself."""
    data = next(cell.all("data"), None)
    text = cell.text.replace(",", "") if data is None else data.attributes["value"]
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None


def _same(printed: float | None, exact: float | None) -> bool:
    """A page prints values for machines with 12 significant digits, as they were computed."""
    return printed is None and exact is None if None in (printed, exact) else f"{printed:.12g}" == f"{exact:.12g}"


def _identity(point: Json) -> str | None:
    return None if point["identity"] is None else f"{point['identity']['matched']}/{point['identity']['total']}"


@pytest.mark.parametrize("card", CARDS)
def test_each_point_stands_in_the_table_of_its_profile(card: str, site: Site, pages: Mapping[str, Element]) -> None:
    root = pages[f"models/{card}.html"]
    suite: list[Json] = []
    for profile in _twin(site, card)["profiles"]:
        points = _points(profile)
        if profile["axis"] == "suite":
            suite += points
            continue
        rows = _rows(root.one(id=f"profile-{profile['id']}").one("table"))
        _agree(rows, points)
        levels = [re.sub(r"\D", "", row.head.removeprefix("measured").rpartition("-")[2]) for row in rows]
        assert levels == [str(point["x"]) for point in points]
        for row, point in zip(rows, points, strict=True):
            if row.each is not None:
                assert row.each == pytest.approx(
                    point["value"] / point["x"], abs=0.0006
                )  # three decimals, as in the text
    if suite:
        _agree(_rows(root.one(id="suite").one("table")), suite)
    else:
        assert not list(root.all(id="suite"))


def _agree(rows: Sequence[Printed], points: Sequence[Json]) -> None:
    assert len(rows) == len(points)
    for row, point in zip(rows, points, strict=True):
        assert _same(row.value, point["value"])
        assert row.state == ("withheld" if "reason" in point else "measured")
        if point["identity"] is not None:
            assert row.identity == _identity(point)


@pytest.mark.parametrize("card", CARDS)
def test_withheld_points_have_a_note_with_reason_and_count(
    card: str, site: Site, pages: Mapping[str, Element], edition: Edition
) -> None:
    root = pages[f"models/{card}.html"]
    for profile in _twin(site, card)["profiles"]:
        if profile["axis"] == "suite":
            continue
        section = root.one(id=f"profile-{profile['id']}")
        notes = list(section.all(class_="withheld", data_state="withheld"))
        if not profile["withheld"]:
            assert notes == []
            continue
        lines = [line.one("span").text for line in notes[0].all("li")]
        total = len(profile["shown"]) + len(profile["withheld"])
        assert f"Withheld: {len(lines)} of {total}" in notes[0].text
        assert len(lines) == len(profile["withheld"])
        for line, point in zip(lines, profile["withheld"], strict=True):
            assert edition.library.vocabulary.reasons[point["reason"]].label in line
            if point["value"] is not None:
                number = re.search(r"([\d,.]+) (?:tok/s|ms) measured", line)
                assert number is not None, line
                assert float(number[1].replace(",", "")) == pytest.approx(point["value"], abs=0.0005)
            failing = [run["identity"] for run in point["runs"] if run["reason"] == "identity"]
            for identity in failing:
                assert f"{identity['matched']}/{identity['total']}" in line


def _places(drawing: Element) -> list[tuple[int, float, float]]:
    """The x that each mark of a static drawing stands for, and its place."""
    found = []
    for mark in drawing.all("path", class_="mark"):
        start = re.match(r"M(-?[\d.]+) (-?[\d.]+)", mark.attributes["d"])
        assert start is not None
        found.append((int(mark.attributes["data-x"]), float(start[1]), float(start[2])))
    return found


def _base(drawing: Element) -> float:
    line = re.match(r"M-?[\d.]+ (-?[\d.]+)H", drawing.one("path", class_="axis").attributes["d"])
    assert line is not None
    return float(line[1])


@pytest.mark.parametrize("card", CARDS)
def test_static_drawings_show_what_is_shown_and_nothing_else(
    card: str, site: Site, pages: Mapping[str, Element]
) -> None:
    """Marks in number, order and height: y is proportional to the value, to a tenth of a pixel."""
    for profile in _twin(site, card)["profiles"]:
        path = f"charts/{card}/{profile['id']}.svg"
        if profile["axis"] == "suite" or not profile["shown"]:
            assert path not in site
            assert f'data-series="{profile["id"]}"'.encode() not in site[f"models/{card}.html"]
            continue
        section = pages[f"models/{card}.html"].one(id=f"profile-{profile['id']}")
        drawings = list(section.one("figure").all("svg"))
        assert [drawing.attributes["class"] for drawing in drawings] == ["chart-wide", "chart-narrow"]
        for drawing in (*drawings, page(site[path]), *pages[path.replace(".svg", ".html")].one("figure").all("svg")):
            marks = _places(drawing)
            values = [point["value"] for point in profile["shown"]]
            assert [x for x, _, _ in marks] == [point["x"] for point in profile["shown"]]
            assert [across for _, across, _ in marks] == sorted(across for _, across, _ in marks)
            base, highest = _base(drawing), max(values)
            scale = (base - min(y for _, _, y in marks)) / highest
            for (_, _, y), value in zip(marks, values, strict=True):
                assert base - y == pytest.approx(value * scale, abs=0.15)


@pytest.mark.parametrize("card", CARDS)
def test_interactive_drawings_have_the_same_points(card: str, site: Site) -> None:
    text = site.get(f"charts/{card}.js", b"{}").decode()
    figures = json.loads(text.removeprefix("Proofpress.figures(").removesuffix(");\n"))
    drawn = [p for p in _twin(site, card)["profiles"] if p["shown"] and p["axis"] != "suite"]
    assert sorted(figures) == sorted(f"{card}--{profile['id']}" for profile in drawn)
    for profile in drawn:
        figure = figures[f"{card}--{profile['id']}"]
        traces = figure["data"]
        assert [x for trace in traces for x in trace["customdata"]] == [point["x"] for point in profile["shown"]]
        assert [y for trace in traces for y in trace["y"]] == [point["value"] for point in profile["shown"]]
        assert [gap["x"] for gap in figure["layout"]["meta"]["withheld"]] == [p["x"] for p in profile["withheld"]]
        for trace in traces:  # no line crosses a withheld x
            ends = trace["customdata"][0], trace["customdata"][-1]
            assert not [p["x"] for p in profile["withheld"] if ends[0] < p["x"] < ends[1]]


@pytest.mark.parametrize("card", CARDS)
def test_sheets_have_every_point(card: str, site: Site) -> None:
    for profile in _twin(site, card)["profiles"]:
        rows = list(csv.DictReader(io.StringIO(site[f"charts/{card}/{profile['id']}.csv"].decode("utf-8-sig"))))
        points = _points(profile)
        assert len(rows) == len(points)
        for row, point in zip(rows, points, strict=True):
            assert row["x"] == ("" if point["x"] is None else str(point["x"]))
            assert _same(float(row["value"]) if row["value"] else None, point["value"])
            assert row["state"] == ("withheld" if "reason" in point else "measured")
            assert row["reason"] == point.get("reason", "")
            assert (row["card"], row["campaign"]) == (card, profile["campaign"])


def test_receipts_are_the_points_of_all_cards(site: Site) -> None:
    receipts = _json(site, "build.json")["points"]
    expected = []
    for card in CARDS:
        twin = _twin(site, card)
        headline = twin["headline"]
        if "value" in headline:
            runs = [run["pointer"] for run in headline["runs"]]
            expected.append((card, "headline", None, headline["value"], "shown", None, runs))
        for profile in twin["profiles"]:
            for point in _points(profile):
                verdict = "withheld" if "reason" in point else "shown"
                runs = [run["pointer"] for run in point["runs"]]
                expected.append((card, profile["id"], point["x"], point["value"], verdict, point.get("reason"), runs))
    found = [
        (p["card"], p["profile"], p["x"], p["value"], p["verdict"], p["reason"], p["runs"]) for p in receipts
    ]  # fmt: skip
    assert found == expected
    assert all(bool(p["rules"]) == (p["verdict"] == "withheld") for p in receipts)


def _entry(library: Element, card: str) -> Element:
    """The card's entry in the library."""
    entries = [item for item in library.all("li") if list(item.all(class_="library-name"))]
    return next(entry for entry in entries if list(entry.all("a", href=f"models/{card}.html")))


@pytest.mark.parametrize("card", CARDS)
def test_headlines_are_one_number_everywhere(card: str, site: Site, pages: Mapping[str, Element]) -> None:
    headline = _twin(site, card)["headline"]
    if "pending" in headline:
        assert not list(pages[f"models/{card}.html"].one(class_="headline-number").all("data"))
        return
    number = pages[f"models/{card}.html"].one(class_="headline-number").one("data")
    entry = next(row for row in _json(site, "index.json")["cards"] if row["id"] == card)
    listed = _entry(pages["index.html"], card)
    data = listed.one("data")
    assert {number.attributes["value"], data.attributes["value"], f"{entry['headline']['value']:.12g}"} == {
        f"{headline['value']:.12g}"
    }
    assert {number.text, data.text, entry["headline"]["display"], headline["display"]} == {f"{headline['value']:,.1f}"}


@pytest.mark.parametrize("card", CARDS)
def test_curves_of_the_library_have_a_mark_for_each_shown_point_of_one_profile(
    card: str, site: Site, pages: Mapping[str, Element]
) -> None:
    listed = _entry(pages["index.html"], card)
    profiles = [p for p in _twin(site, card)["profiles"] if p["shown"]]
    for drawing in listed.all("svg", class_="sparkline"):
        marks = len(list(drawing.all("circle")))
        gaps = sum(path.attributes["d"].count("M") for path in drawing.all("path", class_="gap"))
        assert (marks, gaps) in {(len(p["shown"]), len(p["withheld"])) for p in profiles}


def test_the_markdown_of_a_card_has_every_shown_value(site: Site) -> None:
    for card in CARDS:
        words = set(re.findall(r"[\d,]+(?:\.\d+)?", site[f"models/{card}.md"].decode()))
        numbers = [float(word.replace(",", "")) for word in words if word.strip(",")]
        for profile in _twin(site, card)["profiles"]:
            for point in profile["shown"]:
                assert any(abs(number - point["value"]) < 0.0006 for number in numbers), (profile["id"], point["x"])


# --- the same numbers from the raw evidence --------------------------------------------------------------------------


def _raw(campaign: str) -> Json:
    read: Json = json.loads((ROOT / "evidence" / campaign / "campaign.json").read_bytes())
    return read


def _twelve(value: float) -> float:
    return float(f"{value:.12g}")


@dataclass(frozen=True)
class Own:
    """What this test computes for one x: the value, whether it qualifies, and each run's count."""

    value: float | None
    qualifies: bool
    counts: tuple[str | None, ...]


def _own(campaign: Json, arm: str, metric: str, axis: str) -> dict[int | None, Own]:
    """Everything of one profile, from the raw JSON and nothing of the package's."""
    arms = {entry["id"]: entry for entry in campaign["arms"]}
    found: dict[int | None, list[Json]] = {}
    for run in campaign["runs"]:
        if run["arm"] == arm and run["axis"] == axis:
            found.setdefault(run["x"], []).append(run)
    own = {}
    for x, runs in found.items():
        values = {id(run): _value(campaign, run, metric) for run in runs}
        if campaign["grade"] == "record" and not any(_names(run, metric) for run in runs):
            continue
        kept: list[float] = []
        for name in campaign["select"]["passes"]:
            kept = [value for run in runs if run["pass"] == name and (value := values[id(run)]) is not None]
            if kept:
                break
        counts = tuple(_count(campaign, run) for run in runs)
        plain = arms[arm]["speculation"] is None and (axis != "concurrent_users" or x == 1)
        qualifies = all(
            plain if count is None else count.partition("/")[0] == count.partition("/")[2] for count in counts
        )
        own[x] = Own(_twelve(median(kept)) if kept else None, qualifies, counts)
    return own


_FROM = {"prompt_over_ttft": ("ttft_p50", "ttft_mean")}


def _names(run: Json, metric: str) -> bool:
    return any(record["metric"] in _FROM.get(metric, (metric,)) for record in run["records"])


def _value(campaign: Json, run: Json, metric: str) -> float | None:
    if campaign["grade"] == "record":
        stated = next((r["value"] for r in run["records"] if r["metric"] in _FROM.get(metric, (metric,))), None)
        return None if stated is None else float(1000 * run["x"] / stated if metric in _FROM else stated)
    return _twelve(_of_rows(run["batches"], metric))  # what is computed is rounded, what is transcribed is not


def _of_rows(batches: list[Json], metric: str) -> float:
    rows = [row for batch in batches for row in batch["requests"]]
    match metric:
        case "aggregate_wall":
            tokens: float = sum(row["output_tokens"] for row in rows)
            return tokens / sum(float(batch["wall_s"]) for batch in batches)
        case "decode":
            rates = [(row["output_tokens"] - 1) / (row["last_token_s"] - row["first_token_s"]) for row in rows]
            return float(median(rates))
        case "ttft_p50":
            times: list[float] = sorted(1000 * (row["first_token_s"] - row["start_s"]) for row in rows)
            return times[(len(times) + 1) // 2 - 1]
        case "class_balanced_decode_1_100":
            classes: dict[str, list[float]] = {}
            for row in rows:
                stamps = row["token_times_s"]
                classes.setdefault(row["class"], []).append(99 / (stamps[99] - stamps[0]))
            return median(median(rates) for rates in classes.values())
    raise AssertionError(metric)


def _count(campaign: Json, run: Json) -> str | None:
    """'15/16'; None where nothing is there to compare with."""
    if campaign["grade"] == "record":
        identity = run["identity"]
        return None if identity is None else f"{identity['matched']}/{identity['total']}"
    oracle = next(arm for arm in campaign["arms"] if arm["id"] == run["arm"])["oracles"][run["axis"]]
    source = oracle["arm"] if oracle["kind"] == "arm" else run["arm"]
    one_user = 1 if run["axis"] == "concurrent_users" else run["x"]
    answers: dict[str, set[str]] = {}
    for other in campaign["runs"]:
        if other is not run and (other["arm"], other["axis"], other["x"]) == (source, run["axis"], one_user):
            for prompt, answer in _answers(other):
                answers.setdefault(prompt, set()).add(answer)
    compared = [(prompt, answer) for prompt, answer in _answers(run) if prompt in answers]
    return f"{sum(answers[prompt] == {answer} for prompt, answer in compared)}/{len(compared)}" if compared else None


def _answers(run: Json) -> Iterator[tuple[str, str]]:
    for batch in run["batches"]:
        for row in batch["requests"]:
            output = row["output"]
            yield row["prompt"], output.get("token_ids_sha256") or json.dumps(output["token_ids"])


@pytest.mark.parametrize("card", CARDS)
def test_every_value_and_verdict_follows_from_the_raw_evidence(card: str, site: Site) -> None:
    """Shown and withheld together are all that was measured, and each is what this test's own arithmetic gives."""
    checked = 0
    for profile in _twin(site, card)["profiles"]:
        campaign = _raw(profile["campaign"])
        own: dict[int | None, Own] = {}
        if profile["axis"] == "draft_depth":
            for arm in profile["arms"]:
                entry = next(each for each in campaign["arms"] if each["id"] == arm)
                depth = entry["speculation"]["depth"] if entry["speculation"] else 0
                own[depth] = _own(campaign, arm, profile["metric"], "suite")[None]
        else:
            own = _own(campaign, profile["arm"], profile["metric"], profile["axis"])
        points = {point["x"]: point for point in _points(profile)}
        assert len(points) == len(profile["shown"]) + len(profile["withheld"])
        assert points.keys() == own.keys()
        for x, point in points.items():
            assert point["value"] == own[x].value
            assert ("reason" not in point) == own[x].qualifies, (profile["id"], x)
            counts = tuple(None if run["identity"] is None else _identity(run) for run in point["runs"])
            assert counts == own[x].counts
            checked += 1
    receipts = [point for point in _json(site, "build.json")["points"] if point["card"] == card]
    assert checked == sum(point["profile"] != "headline" for point in receipts)


def _withheld(site: Site, card: str, profile: str) -> list[tuple[int, float, str | None]]:
    found = next(p for p in _twin(site, card)["profiles"] if p["id"].startswith(profile))
    return [(point["x"], point["value"], _identity(point)) for point in found["withheld"]]


def _shown(site: Site, card: str, profile: str) -> list[tuple[int, float]]:
    found = next(p for p in _twin(site, card)["profiles"] if p["id"].startswith(profile))
    return [(point["x"], point["value"]) for point in found["shown"]]


def test_the_headline_of_the_9b(site: Site) -> None:
    headline = _twin(site, NINE)["headline"]
    assert headline["value"] == _twelve((98.251 + 98.027) / 2) == 98.139
    assert [run["value"] for run in headline["runs"]] == [98.251, 98.027]
    assert {_identity(run) for run in headline["runs"]} == {"12/12"}
    assert [run["value"] for run in headline["oracle"]["runs"]] == [50.165, 50.173]


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("q9-c2-users.mtp3.", [(16, 738.4, "15/16"), (32, 883.6, "30/32"), (64, 831.2, "57/64")]),
        ("q9-c2-users.mtp0.", [(16, 634.7, "15/16"), (32, 1055.2, "31/32"), (64, 1253.8, "59/64")]),
        ("q9-c5-users.mtp3-tp2.", [(16, 1156.7, "15/16"), (32, 1422.2, "29/32"), (64, 1578.1, "57/64")]),
        ("q9-c5-users.mtp0-tp2.", [(16, 1013.9, "13/16"), (32, 1680.7, "27/32"), (64, 2079.9, "59/64")]),
    ],
)
def test_what_is_withheld_of_the_9b(profile: str, expected: list[tuple[int, float, str]], site: Site) -> None:
    assert _withheld(site, NINE, profile) == expected
    assert [x for x, _ in _shown(site, NINE, profile)] == [1, 2, 4, 8]
    text = site[f"models/{NINE}.html"].decode()
    drawn = site[f"charts/{NINE}.js"].decode()
    for x, value, count in expected:
        assert re.search(rf">{value:,}<|<data value=\"{value}\">", text)
        assert f"⊘ {count}" in text
        assert f'"y":[{value}' not in drawn
        assert f",{value}," not in drawn
        assert f"{x} users" in text


def test_the_first_pass_of_two_cards_that_matched_does_not_rescue_the_point(site: Site) -> None:
    profile = next(p for p in _twin(site, NINE)["profiles"] if p["id"].startswith("q9-c5-users.mtp3-tp2."))
    point = next(point for point in profile["withheld"] if point["x"] == 16)
    runs = [(run["pass"], run["value"], _identity(run)) for run in point["runs"]]
    assert sorted(runs) == [("first", 969.3, "16/16"), ("warm", 1156.7, "15/16")]


def test_the_ladder_of_the_27b(site: Site) -> None:
    ladder = _shown(site, TWENTY_SEVEN, "q27-r187-strict.")
    assert [(depth, round(value, 3)) for depth, value in ladder] == [
        (0, 33.097), (1, 54.935), (2, 70.142), (3, 79.183), (4, 82.396), (5, 86.182),
    ]  # fmt: skip
    assert _withheld(site, TWENTY_SEVEN, "q27-r187-strict.") == []


@pytest.mark.parametrize(("depth", "through"), [(0, 64), (1, 16), (2, 4), (3, 16), (4, 16), (5, 16)])
def test_users_of_the_27b_are_exact_through(depth: int, through: int, site: Site) -> None:
    profile = f"q27-r187-users.mtp{depth}."
    shown = [x for x, _ in _shown(site, TWENTY_SEVEN, profile)]
    assert [x for x in (1, 2, 4, 8, 16, 32, 64) if x <= through] == shown[: shown.index(through) + 1]
    assert next((x for x, _, _ in _withheld(site, TWENTY_SEVEN, profile)), 128) == through * 2


@pytest.mark.parametrize("metric", ["ttft_p50", "ttft_p95"])
def test_times_to_first_token_over_users_of_the_27b_are_withheld_whole(metric: str, site: Site) -> None:
    profile = f"q27-r10-users.mtp0.{metric}."
    assert [x for x, _, _ in _withheld(site, TWENTY_SEVEN, profile)] == [1, 2, 4, 8, 16, 32, 64]
    assert _shown(site, TWENTY_SEVEN, profile) == []
    assert f"charts/{TWENTY_SEVEN}/q27-r10-users.mtp0.{metric}.concurrent_users.svg" not in site


def test_the_headline_of_the_h200(site: Site) -> None:
    headline = _twin(site, H200)["headline"]
    assert headline["value"] == 256.866390803
    assert [run["value"] for run in headline["runs"]] == [273.619393289, 240.113388318]
    own = _own(_raw("h200-qwen3-random-strict-ngram"), "fp32-ngram3", "class_balanced_decode_1_100", "suite")[None]
    assert (own.value, own.qualifies, own.counts) == (256.866390803, True, ("12/12", "12/12"))


# --- what changes in the evidence, changes on the pages --------------------------------------------------------------

DIGITS = {
    "a headline's server": ("q9-c2-strict", '"value": 98.251', '"value": 98.252', NINE, "headline", None, 98.1395),
    "a context value": ("q9-c7-context", '"value": 126.208', '"value": 126.209', NINE, "q9-c7-context.mtp3.", 4096, 126.209),
    "a users value": ("q9-c2-users", '"value": 564.7', '"value": 564.8', NINE, "q9-c2-users.mtp3.", 8, 564.8),
    "a withheld value": ("q9-c5-users", '"value": 2079.9', '"value": 2079.8', NINE, "q9-c5-users.mtp0", 64, 2079.8),
    "a time": ("q27-r139-context", '"value": 586.6110710012435', '"value": 586.7110710012435', TWENTY_SEVEN, "q27-r139-context.mtp0.ttft", 2048, 586.711071001),
    "what a rate is derived from": (
        "q27-r139-context", '"value": 586.6110710012435', '"value": 586.7110710012435',
        TWENTY_SEVEN, "q27-r139-context.mtp0.prompt", 2048, 3490.64488677,
    ),
}  # fmt: skip


def _built(root: Path) -> Site:
    checked = pipeline.check(root)
    assert checked.edition is not None, checked.report.text()
    return pipeline.build(checked.edition).sorted()


def _numbers(site: Site, card: str) -> dict[tuple[str, int | None], tuple[float | None, str | None]]:
    """Value and reason of each point and the headline."""
    twin = _twin(site, card)
    found: dict[tuple[str, int | None], tuple[float | None, str | None]] = {}
    found["headline", None] = (twin["headline"]["value"], None)
    for profile in twin["profiles"]:
        for point in _points(profile):
            found[profile["id"], point["x"]] = (point["value"], point.get("reason"))
    return found


@pytest.mark.parametrize("title", DIGITS)
def test_one_digit_in_the_evidence_changes_the_pages(title: str, tmp_path: Path, site: Site) -> None:
    campaign, old, new, card, profile, x, value = DIGITS[title]
    path = copied_root(tmp_path) / "evidence" / campaign / "campaign.json"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    changed = _built(tmp_path)
    before, after = _numbers(site, card), _numbers(changed, card)
    name = next(name for name in before if name[0].startswith(profile) and name[1] == x)
    assert after[name][0] == value != before[name][0]
    page_path = f"models/{card}.html"
    exact = [_exact(cell) for cell in page(changed[page_path]).all() if cell.tag in {"td", "p"}]
    assert value in exact
    assert before[name][0] not in exact
    assert _json(changed, "build.json")["inputs"] != _json(site, "build.json")["inputs"]


def test_one_wrong_count_takes_a_point_off_the_chart(tmp_path: Path, site: Site) -> None:
    path = copied_root(tmp_path) / "evidence" / "q9-c7-context" / "campaign.json"
    campaign = json.loads(path.read_text())
    run = next(run for run in campaign["runs"] if (run["arm"], run["x"]) == ("mtp3", 8192))
    run["identity"] = {"matched": 2, "total": 3, "method": "not-stated", "basis": "counted"}
    path.write_text(json.dumps(campaign))
    changed = _built(tmp_path)
    assert _withheld(changed, NINE, "q9-c7-context.mtp3.") == [(8192, 120.092, "2/3")]
    assert _withheld(site, NINE, "q9-c7-context.mtp3.") == []
    assert '"y":[105.88,126.208]' in changed[f"charts/{NINE}.js"].decode()


def _write_without_originals(path: Path, campaign: dict[str, Any]) -> None:
    """Rows as they are, without the tool's own file, which would contradict them."""
    for original in campaign["originals"]:
        (path.parent / original["file"]).unlink()
    path.write_text(json.dumps(campaign | {"originals": []}))


def test_one_time_stamp_changes_the_headline_of_the_h200(tmp_path: Path) -> None:
    path = copied_root(tmp_path) / "evidence" / "h200-qwen3-random-strict-ngram" / "campaign.json"
    campaign = json.loads(path.read_text())
    row = campaign["runs"][10]["batches"][8]["requests"][0]  # of a class in the middle, whose median counts
    row["first_token_s"] = row["token_times_s"][0] = row["first_token_s"] - 0.000001
    _write_without_originals(path, campaign)
    own = _own(campaign, "fp32-ngram3", "class_balanced_decode_1_100", "suite")[None]
    assert own.value != 256.866390803
    assert _twin(_built(tmp_path), H200)["headline"]["value"] == own.value


def test_one_token_id_withholds_the_arm(tmp_path: Path) -> None:
    """Identity is counted from the rows: one id of one answer, and the arm is at 11/12."""
    root = copied_root(tmp_path)
    path = root / "evidence" / "h200-qwen3-random-strict-ngram" / "campaign.json"
    campaign = json.loads(path.read_text())
    campaign["runs"][10]["batches"][6]["requests"][0]["output"]["token_ids"][-1] += 1
    _write_without_originals(path, campaign)
    report = pipeline.check(root).report
    first = next(problem for problem in report.problems if problem.place.path.endswith(f"{H200}.yaml"))
    assert first.rule == "identity.headline"
    assert "11/12" in report.text()


REFUSED = {
    "an interpolated run": (
        "evidence/q9-c2-users/campaign.json", '"pass": "warm", ', '"interpolated": true, "pass": "warm", ', "runs[",
    ),
    "a claim of 16 users": (
        f"content/cards/{NINE}.yaml",
        "campaign: q9-c2-users, arm: mtp3, metric: aggregate_wall, axis: concurrent_users, exact_through: 8",
        "campaign: q9-c2-users, arm: mtp3, metric: aggregate_wall, axis: concurrent_users, exact_through: 16",
        "exact_through: 16",
    ),
    "a key that stands twice": (
        f"content/cards/{NINE}.yaml", "quantization: fp8-dynamic\n", "quantization: fp8-dynamic\nquantization: fp8-block\n",
        "quantization: the key stands on line",
    ),
    "a unit that does not exist": ("evidence/q9-c2-users/campaign.json", '"unit": "tok/s"', '"unit": "toks/s"', "'toks/s'"),
}  # fmt: skip


@pytest.mark.parametrize("title", REFUSED)
def test_is_refused_with_one_message_and_the_old_site_stays(
    title: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, old, new, word = REFUSED[title]
    root, out = copied_root(tmp_path / "root"), tmp_path / "site"
    assert main(["build", "--root", str(root), "--out", str(out)]) == 0
    before = tree(out)
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new, 1))
    capfd.readouterr()
    assert main(["build", "--root", str(root), "--out", str(out)]) == 1
    errors = capfd.readouterr().err.splitlines()
    line = (text[: text.index(old)].count("\n")) + 1
    assert len(errors) == 4, errors
    assert re.match(rf"{re.escape(path)}:({line}|{line + 1}):\d+  [a-z-]+\.[a-z-]+  ", errors[0]), errors[0]
    assert word in errors[0]
    assert "^" in errors[2]
    assert errors[3] == f"1 error; {out} is as it was"
    assert tree(out) == before


# --- the pages hold together -----------------------------------------------------------------------------------------


def test_every_link_anchor_picture_and_script_is_there(site: Site) -> None:
    assert link_problems(site) == []


def test_no_page_refers_to_another_host_but_by_a_plain_link(site: Site) -> None:
    for path, content in site.items():
        if path.endswith(".css"):
            assert not re.findall(rb"url\(|@import", content), path
        elif path.endswith(".svg"):
            assert set(re.findall(rb"https?://[^\"]+", content)) <= {b"http://www.w3.org/2000/svg"}, path
        elif path.endswith(".js") and "plotly" not in path and not path.startswith(("charts/", "models/", "guides/")):
            assert b"http" not in content.replace(b"http://www.w3.org/", b""), path


BAD_LINKS = {
    '<a href="gone.html">': "<a href> leads to gone.html, which is not there",
    '<a href="other.html#gone">': "<a href> leads to other.html#gone; other.html has no such id",
    '<a href="#gone">': "<a href> leads to #gone; index.html has no such id",
    '<a href="../index.html">': "<a href> leads to ../index.html, which is not there",
    '<a href="/index.html">': "<a href> starts at the top of the host: /index.html",
    '<a href="javascript:alert(1)">': "<a href> asks for javascript:alert(1)",
    '<a href="http://example.org/">': "<a href> asks for http://example.org/",
    '<a href="//example.org/">': "<a href> asks for //example.org/",
    '<a href="https://github.com@example.org/">': "<a href> asks for https://github.com@example.org/",
    '<img src="https://example.org/p.png">': "<img src> asks for https://example.org/p.png",
    '<script src="https://example.org/x.js">': "<script src> asks for https://example.org/x.js",
    '<link href="https://example.org/x.css">': "<link href> asks for https://example.org/x.css",
    '<figure data-figures="gone.js">': "<figure data-figures> leads to gone.js, which is not there",
    '<div aria-labelledby="here gone">': "aria-labelledby names 'gone'",
}


@pytest.mark.parametrize("tag", BAD_LINKS)
def test_the_checker_finds_a_bad_link(tag: str) -> None:
    other = b'<p id="there"></p>'
    good = '<p id="here"></p><a href="other.html#there"></a><a href="#here"></a><a href="https://example.org/x"></a>'
    assert link_problems({"index.html": good.encode(), "other.html": other}) == []
    bad = {"index.html": (good + tag).encode(), "other.html": other}
    assert link_problems(bad) == [f"index.html: {BAD_LINKS[tag]}"]


def test_the_parser_finds_tags_that_do_not_fit() -> None:
    assert parsed("<p><b></p>")[1] == ["</p> closes <b>"]
    assert parsed("<p>")[1] == ["<p> is never closed"]
    assert parsed('<p id="a" id="b"></p>')[1] == ["<p> has id 2 times"]


def test_each_page_has_its_furniture(pages: Mapping[str, Element]) -> None:
    titles: dict[str, str] = {}
    for path, root in pages.items():
        html = root.one("html")
        assert html.attributes["lang"] == "en", path
        title = root.one("head").one("title").text
        assert title, path
        description = root.one("meta", name="description").attributes["content"]
        assert len(description) > 10, path
        assert len(list(root.all("h1"))) == 1, path
        assert root.one("h1").text, path
        ids = [element.attributes["id"] for element in root.all() if "id" in element.attributes]
        assert len(ids) == len(set(ids)), (path, [word for word in ids if ids.count(word) > 1])
        if not path.startswith("charts/"):  # one configuration may have been measured in two campaigns
            assert title not in titles, (path, titles.get(title))
            titles[title] = path
        policy = root.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
        assert "default-src 'none'" in policy, path
        assert not [e.tag for e in root.all() for name in e.attributes if name.startswith("on")], path


IDS_AS_SUCH = {"glossary.html", "rules.html", "formats.html"}
"""Pages that explain what is written in files."""


def test_ids_of_reasons_and_of_what_is_not_stated_read_as_words(edition: Edition, pages: Mapping[str, Element]) -> None:
    """A table, a caption and a screen reader's word for a row say 'no identity evidence', not the file's id."""
    ids = [reason for reason in edition.library.vocabulary.reasons if "-" in reason]
    written = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, [*ids, 'not-stated']))})")
    found = {path: written.findall(page.text) for path, page in pages.items() if path not in IDS_AS_SUCH}
    assert {path: words for path, words in found.items() if words} == {}
    assert all("no such profile" not in page.text for page in pages.values())


def test_a_chart_alone_is_bare_and_leads_back(site: Site) -> None:
    """What another page takes into a frame has no header, navigation or footer; title, caption and source stay."""
    alone = [path for path in site if path.startswith("charts/") and path.endswith(".html")]
    assert alone
    for path in alone:
        root = page(site[path])
        assert not [element.tag for tag in ("header", "nav", "footer", "aside") for element in root.all(tag)], path
        assert root.one("h1").text
        assert root.one("figcaption").text
        source = root.one("a", target="_top").attributes["href"]
        assert source.startswith(f"../../models/{path.split('/')[1]}.html#profile-")


def test_a_card_leads_to_its_twin_and_its_markdown_without_scripts(site: Site) -> None:
    for card in CARDS:
        links = {link.attributes.get("href") for link in page(site[f"models/{card}.html"]).all("a", class_="button")}
        assert {f"{card}.json", f"{card}.md"} <= links


@pytest.mark.parametrize(
    ("base", "top"), [(None, ""), ("https://example.org", "/"), ("https://example.org/lab/a", "/lab/a/")]
)
def test_the_page_of_missing_addresses_works_at_any_depth(base: str | None, top: str, edition: Edition) -> None:
    site = pipeline.build(replace(edition, base_url=base)).sorted()
    root = page(site["404.html"])
    assert root.one("a", class_="button-first").attributes["href"] == f"{top}index.html"
    styles = [link.attributes["href"] for link in root.all("link", rel="stylesheet")]
    assert styles[0] == f"{top}{_named(site, 'style')}"
    assert link_problems({**site}, base_url=base or "") == []


def _named(site: Site, stem: str) -> str:
    return next(path for path in site if re.fullmatch(rf"assets/{stem}-\w+\.css", path))


def test_rules_say_refused_and_accepted_in_words(site: Site) -> None:
    """The signs of the four states mean what the key at the foot of every page says, and a rule's examples are no numbers."""
    root = page(site["rules.html"])
    words = {label.text for pair in root.all(class_="rule-pair") for label in pair.all(class_="label")}
    assert words == {"Refused", "Withheld", "Warned of", "Accepted"}
    assert not [pair for pair in root.all(class_="rule-pair") if list(pair.all(class_="state"))]


def test_every_page_can_be_reached_from_the_first_one(site: Site, pages: Mapping[str, Element]) -> None:
    seen, waiting = set(), ["index.html"]
    while waiting:
        path = waiting.pop()
        if path in seen or path not in pages:
            continue
        seen.add(path)
        for link in pages[path].all("a"):
            target = link.attributes.get("href", "").partition("#")[0]
            if target and "://" not in target:
                waiting.append(os.path.normpath(os.path.join(os.path.dirname(path), target)))  # noqa: PTH118, PTH120
    assert set(pages) - seen == {"404.html"}


def test_structured_data_and_data_files_are_json(site: Site, pages: Mapping[str, Element]) -> None:
    for path, content in site.items():
        if path.endswith(".json"):
            json.loads(content)
    for root in pages.values():
        for script in root.all("script", type="application/ld+json"):
            assert json.loads(script.text)["@context"] == "https://schema.org"


def test_the_sitemap_lists_the_pages(edition: Edition) -> None:
    base = "https://example.org/a&b"
    site = pipeline.build(replace(edition, base_url=base)).sorted()
    root = ElementTree.fromstring(site["sitemap.xml"])
    found = [element.text or "" for element in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert found == sorted(set(found), key=found.index)
    listed = {address.removeprefix(f"{base}/") or "index.html" for address in found}
    indexed = {
        path
        for path, content in site.items()
        if path.endswith(".html") and not list(page(content).all("meta", name="robots"))
    }
    assert listed == indexed
    assert link_problems(site, base_url=base) == []
    for path in sorted(indexed):
        canonical = page(site[path]).one("link", rel="canonical").attributes["href"]
        assert canonical == f"{base}/{path}".removesuffix("index.html")


# --- the same bytes everywhere ---------------------------------------------------------------------------------------

ELSEWHERE = """
import os, sys
real = os.scandir
class Backwards:
    def __init__(self, *arguments):
        self.entries = sorted(real(*arguments), key=lambda entry: entry.name, reverse=True)
    def __enter__(self): return iter(self.entries)
    def __exit__(self, *_): return None
    def __iter__(self): return iter(self.entries)
os.scandir = Backwards
listed = os.listdir
os.listdir = lambda *arguments: sorted(listed(*arguments), reverse=True)
sys.path.insert(0, sys.argv[1])
from proofpress.command import main
sys.exit(main(sys.argv[2:]))
"""


def test_two_builds_are_equal_wherever_they_are_made(tmp_path: Path, site: Site) -> None:
    """X10: other time zone, locale, hash seed, working folder, file order, no home, and a path with spaces and umlauts."""
    place = tmp_path / "Größe & Höhe, 100 %"
    for name in ("proofpress", "templates", "content", "evidence"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {
        "PATH": os.environ["PATH"], "TZ": "Pacific/Chatham", "LC_ALL": "C", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "4711",
    }  # fmt: skip
    out = tmp_path / "aus gabe" / "site"
    child = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(place), "build", "--root", str(place), "--out", str(out)],
        cwd="/", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert child.returncode == 0, child.stderr
    built = tree(out)
    assert built.keys() - site.keys() == {".gitignore", ".proofpress"}
    assert [path for path in site if built.get(path) != site[path]] == []
