"""Every twin that the site ships fits the schema that ships with it, and the schemas catch what does not fit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parent.parent


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "schema" / f"twin-{name}.json").read_text(encoding="utf-8"))
    return found


def kind(path: str) -> str:
    return {"index.json": "index", "build.json": "build"}.get(path, "model")


def faults(name: str, twin: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema(name)).iter_errors(twin)]


def test_every_twin_fits(site: Mapping[str, bytes]) -> None:
    twins = [path for path in site if path in {"index.json", "build.json"} or path.startswith("models/")]
    twins = [path for path in twins if path.endswith(".json")]
    assert len(twins) >= 5
    assert {path: found for path in twins if (found := faults(kind(path), json.loads(site[path])))} == {}


@pytest.mark.parametrize("name", ["model", "index", "build"])
def test_the_site_ships_the_committed_schemas(name: str, site: Mapping[str, bytes]) -> None:
    assert json.loads(site[f"schema/twin-{name}.json"]) == schema(name)
    Draft202012Validator.check_schema(schema(name))


def _model(site: Mapping[str, bytes]) -> Any:
    return json.loads(site["models/qwen35-9b-fp8-b70.json"])


def _unknown(twin: Any) -> None:
    twin["interpolated"] = True


def _missing(twin: Any) -> None:
    del twin["profiles"][0]["withheld"]


def _text(twin: Any) -> None:
    twin["profiles"][0]["shown"][0]["value"] = "105.88"


def _format(twin: Any) -> None:
    twin["format"] = "proofpress.model/2"


@pytest.mark.parametrize("change", [_unknown, _missing, _text, _format])
def test_the_schema_catches_what_does_not_fit(change: Any, site: Mapping[str, bytes]) -> None:
    twin = _model(site)
    assert faults("model", twin) == []
    change(twin)
    assert faults("model", twin) != []
