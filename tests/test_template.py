"""The contract between page models and templates: no field that no template uses, and none wanted that is missing."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import ModuleType, NoneType
from typing import Any, get_args, get_type_hints

import pytest
from jinja2 import Environment, nodes
from pydantic import BaseModel

from proofpress import pipeline
from proofpress.derive.edition import Edition
from proofpress.pages.asset import OWN_SCRIPTS, OWN_STYLES, assets
from proofpress.pages.template import TEMPLATES, Frame, Printer

READ_ELSEWHERE = {
    "CardPage.figures": "the script of the figures is made from them, and the pictures",
    "Curve.end": "an entry gives it to its list as `users`",
    "Gap.computed": "the twin says which gaps the build found itself",
    "GuidePage.markdown": "it is a script of its own, which the copy button loads",
    "Head.data": "templates read it through `structured`, which makes it safe inside a script",
    "Head.top": "templates read it through `root`",
    "ProfileView.profile": "names the files of a chart",
}
"""Fields of page models that the program reads itself, and what for."""

OF_JINJA = frozenset({"first", "last", "index", "index0", "items", "length"})


@cache
def _templates() -> Mapping[str, nodes.Template]:
    """Every template, parsed, by its path."""
    environment = Environment(autoescape=True)
    return {
        str(path.relative_to(TEMPLATES)): environment.parse(path.read_text(encoding="utf-8"))
        for path in sorted(TEMPLATES.rglob("*.html"))
    }


def _attributes(template: nodes.Template, of: str = "") -> set[str]:
    """The attributes that a template reads, of one variable or of all; the assets' names are not among them."""
    return {
        found.attr
        for found in template.find_all(nodes.Getattr)
        if (not of and not _is_assets(found.node)) or (isinstance(found.node, nodes.Name) and found.node.name == of)
    }


def _is_assets(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Getattr) and node.attr == "assets"


def test_each_asset_that_a_template_names_is_there_and_each_is_named() -> None:
    named = {
        found.attr
        for template in _templates().values()
        for found in template.find_all(nodes.Getattr)
        if _is_assets(found.node)
    }
    own = {f"{kind}-style" for kind in OWN_STYLES} | {f"{kind}-script" for kind in OWN_SCRIPTS}  # `Head.own` names them
    assert named == set(assets({}).addresses) - own


@pytest.fixture(scope="module")
def models(edition: Edition) -> Mapping[str, type]:
    """The page model that each template of a page is printed from, seen while the repository's site is built."""
    seen: dict[str, type] = {}
    real = Printer.page

    def page(self: Printer, template: str, model: Any) -> str:
        assert seen.setdefault(template, type(model)) is type(model)
        return real(self, template, model)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Printer, "page", page)
        pipeline.build(edition)
    return seen


def _offered(model: type) -> dict[str, Any]:
    """Fields by name with their types, and properties and methods that a template may read."""
    names: dict[str, Any] = {}
    for base in reversed(model.__mro__):
        names |= {name: None for name, value in vars(base).items() if not name.startswith("_") and callable(value)}
        names |= {name: None for name, value in vars(base).items() if isinstance(value, property)}
    if is_dataclass(model):
        hints = get_type_hints(model, vars(sys.modules[model.__module__]))
        names |= {field.name: hints[field.name] for field in dataclasses.fields(model)}
    elif issubclass(model, BaseModel):
        names |= {name: field.annotation for name, field in model.model_fields.items()}
    return names


def _parts(hint: Any) -> Iterator[type]:
    """The records in a type: those of a tuple, an optional, a mapping."""
    if isinstance(hint, type) and hint is not NoneType and not get_args(hint):
        if is_dataclass(hint) or issubclass(hint, BaseModel):
            yield hint
        return
    for part in get_args(hint):
        yield from _parts(part)


def _reached(start: Mapping[str, type]) -> set[type]:
    """Every record that a template can come to from a page model, but through fields that are read elsewhere."""
    found: set[type] = set()
    waiting = [*start.values(), Frame]
    while waiting:
        model = waiting.pop()
        if model in found:
            continue
        found.add(model)
        for name, hint in _offered(model).items():
            if f"{model.__name__}.{name}" not in READ_ELSEWHERE and hint is not None:
                waiting += _parts(hint)
    return found


def test_each_template_of_a_page_is_printed(models: Mapping[str, type]) -> None:
    there = {path.name for path in (TEMPLATES / "pages").iterdir()}
    assert there == set(models)


def test_a_page_template_wants_nothing_that_its_model_lacks(models: Mapping[str, type]) -> None:
    for name, model in models.items():
        template = _templates()[f"pages/{name}"]
        assert _attributes(template, "page") <= set(_offered(model)), name
        head = next(iter(_parts(_offered(model)["head"])))
        assert _attributes(template, "head") <= set(_offered(head)), name
    for template in _templates().values():
        assert _attributes(template, "frame") <= set(_offered(Frame))


def test_a_page_model_has_nothing_that_its_template_leaves_out(models: Mapping[str, type]) -> None:
    for name, model in models.items():
        used = _attributes(_templates()[f"pages/{name}"], "page")
        own = {field.name for field in dataclasses.fields(model)} - {"head"}
        unused = {each for each in own - used if f"{model.__name__}.{each}" not in READ_ELSEWHERE}
        assert unused == set(), model.__name__
        stale = {each for each in own & used if f"{model.__name__}.{each}" in READ_ELSEWHERE}
        assert stale == set(), "exceptions that are no longer true"


def test_what_templates_read_and_what_records_have_is_the_same(models: Mapping[str, type]) -> None:
    """By name, over all templates and all records that they come to."""
    wanted = set().union(*map(_attributes, _templates().values()))
    reached = _reached(models)
    offered = {name for model in reached for name in _offered(model)}
    assert wanted - offered - OF_JINJA == set()
    fields = {
        f"{model.__name__}.{field.name}": field.name
        for model in reached if is_dataclass(model) for field in dataclasses.fields(model)
    }  # fmt: skip
    unused = {full for full, name in fields.items() if name not in {*wanted, "head"} and full not in READ_ELSEWHERE}
    assert unused == set()
    assert READ_ELSEWHERE.keys() <= fields.keys()


def test_no_template_prints_what_a_contributor_wrote_as_markup() -> None:
    """`safe` would switch off the escaping; and none may be off for a part of a template."""
    for name, template in _templates().items():
        assert not [f for f in template.find_all(nodes.Filter) if f.name in {"safe", "tojson"}], name
        assert not list(template.find_all(nodes.ScopedEvalContextModifier)), name


def test_the_test_sees_templates_and_models(models: Mapping[str, type]) -> None:
    assert "name" in _attributes(_templates()["pages/card.html"], "page")
    assert isinstance(sys.modules[models["card.html"].__module__], ModuleType)
    assert {model.__name__ for model in _reached(models)} > {"CardPage", "ProfileView", "Table", "Row", "Cell", "Head"}
