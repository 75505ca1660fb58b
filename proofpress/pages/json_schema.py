"""JSON Schema: what editors complete and check with, made from the same models that the build checks with, and what programs may rely on
in the files that the site ships for them.

Comes in: the vocabulary. Goes out: one schema for each kind of file. A schema says less than the build does; it never says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter

from proofpress.pages.twin_shape import TWINS
from proofpress.records.campaign import RecordCampaign, RequestCampaign
from proofpress.records.card import Card
from proofpress.records.guide import GuideHead
from proofpress.records.lab import Lab
from proofpress.records.schema import WORDS
from proofpress.records.vocabulary import Vocabulary

DIALECT = "https://json-schema.org/draft/2020-12/schema"

MODELS: Mapping[str, type[BaseModel]] = {
    "card": Card,
    "campaign-record": RecordCampaign,
    "campaign-requests": RequestCampaign,
    "guide-head": GuideHead,
    "site": Lab,
    "vocabulary": Vocabulary,
}
"""The model of each kind of file that a contributor writes."""


def schemas(vocabulary: Vocabulary) -> dict[str, dict[str, Any]]:
    """The schema of each kind of file, by file name."""
    made: dict[str, dict[str, Any]] = {}
    for name, model in MODELS.items():
        schema = model.model_json_schema(by_alias=True)
        for owner, part in _objects(schema, model.__name__):
            _fill_words(owner, part, vocabulary)
        made[f"{name}.json"] = {"$schema": DIALECT, "title": f"Proofpress {name.replace('-', ' ')}", **schema}
    made |= twin_schemas()
    made["campaign.json"] = {
        "$schema": DIALECT,
        "title": "Proofpress campaign",
        "if": {"properties": {"grade": {"const": "requests"}}},
        "then": {"$ref": "campaign-requests.json"},
        "else": {"$ref": "campaign-record.json"},
    }
    return dict(sorted(made.items()))


def twin_schemas() -> dict[str, dict[str, Any]]:
    """The schemas of the files that the site ships for programs, by file name. All keys are there, and no others."""
    made = {}
    for name, shape in TWINS.items():
        schema = TypeAdapter(shape).json_schema()
        for _, part in _objects(schema, name):
            if "properties" in part:
                part["additionalProperties"] = False
        made[f"{name}.json"] = {"$schema": DIALECT, **schema, "title": f"Proofpress {name.replace('-', ' ')}"}
    return made


def _objects(schema: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The object schemas inside `schema`, each with the name of its model."""
    yield name, schema
    yield from schema.get("$defs", {}).items()


def _fill_words(owner: str, part: dict[str, Any], vocabulary: Vocabulary) -> None:
    """Puts the vocabulary's words into the fields that take them, for completion."""
    for field, schema in part.get("properties", {}).items():
        list_name = WORDS.get((owner, field))
        if list_name is None:
            continue
        words = sorted(vocabulary.words(list_name))
        target = schema["items"] if schema.get("type") == "array" else schema
        if "anyOf" in target:
            target = next(branch for branch in target["anyOf"] if branch.get("type") == "string")
        target["enum"] = words
