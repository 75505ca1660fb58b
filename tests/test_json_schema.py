"""The schemas that editors use are those of the models, and are committed as they are made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofpress.check.library import load
from proofpress.pages.json_schema import schemas

ROOT = Path(__file__).parent.parent
LIBRARY, _ = load(ROOT)
assert LIBRARY is not None
MADE = schemas(LIBRARY.vocabulary)


def test_the_committed_schemas_are_current() -> None:
    """`python build.py schema` would change nothing."""
    committed = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "schema").glob("*.json")}
    assert committed == MADE


def test_words_of_the_vocabulary_can_be_completed() -> None:
    """A field that takes a word of a list offers that list."""
    card = MADE["card.json"]
    assert "vllm-xpu" in card["properties"]["engine"]["enum"]
    assert "linux" in card["properties"]["operating_systems"]["items"]["enum"]
    assert "tok/s" in MADE["campaign-record.json"]["$defs"]["Record"]["properties"]["unit"]["enum"]


@pytest.mark.parametrize("name", [name for name in MADE if name != "campaign.json"])
def test_schemas_are_closed(name: str) -> None:
    """No object with named fields takes others: an editor marks an unknown field as the build refuses it."""
    objects = [MADE[name], *MADE[name].get("$defs", {}).values()]
    assert all(part.get("additionalProperties") is False for part in objects if "properties" in part)
