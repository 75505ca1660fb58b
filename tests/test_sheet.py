"""Every CSV parses, has the twin's numbers, and can be opened in a spreadsheet without running anything."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping

import pytest

from proofpress.sheet import COLUMNS, inert

NUMBERS = {"x", "value", "per_user", "samples", "identity_matched", "identity_total"}


def rows_of(content: bytes) -> list[dict[str, str]]:
    text = content.decode("utf-8")
    assert "\r\n" in text
    assert text.count("\n") == text.count("\r\n"), "lines end as the format asks"
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_every_profile_has_a_sheet_with_the_numbers_of_its_twin(site: Mapping[str, bytes]) -> None:
    found = 0
    for path in sorted(path for path in site if path.startswith("models/") and path.endswith(".json")):
        twin = json.loads(site[path])
        for profile in twin["profiles"]:
            rows = rows_of(site[f"charts/{twin['id']}/{profile['id']}.csv"])
            points = [("measured", point) for point in profile["shown"]]
            points += [("withheld", point) for point in profile["withheld"]]
            points.sort(key=lambda item: -1 if item[1]["x"] is None else item[1]["x"])
            assert len(rows) == len(points)
            for row, (state, point) in zip(rows, points, strict=True):
                assert tuple(row) == COLUMNS
                assert row["state"] == state
                assert row["x"] == ("" if point["x"] is None or profile["axis"] == "suite" else str(point["x"]))
                assert row["value"] == ("" if point["value"] is None else f"{point['value']:.12g}")
                if row["value"]:
                    assert float(row["value"]) == point["value"]
                if "per_user" in point:
                    assert float(row["per_user"]) == point["per_user"]
                identity = point["identity"]
                assert row["identity_matched"] == (str(identity["matched"]) if identity else "")
                assert row["identity_total"] == (str(identity["total"]) if identity else "")
                assert row["reason"] == (point["reason"] if state == "withheld" else "")
                assert row["evidence_sha256"] == profile["evidence"]["sha256"]
                found += 1
    assert found > 100


def test_no_text_cell_of_any_sheet_begins_a_formula(site: Mapping[str, bytes]) -> None:
    for path in (path for path in site if path.endswith(".csv")):
        for row in rows_of(site[path]):
            for name, cell in row.items():
                if name in NUMBERS:
                    assert not cell or float(cell) >= 0
                else:
                    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), f"{path}: {name}"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("https://a.example")'])
def test_what_could_be_a_formula_is_text(text: str) -> None:
    assert inert(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "mtp3", "no speculation", "3 - 4", "a=b", "'=1"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert inert(text) == text
