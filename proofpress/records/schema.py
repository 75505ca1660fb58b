"""Schema: the closed, frozen, strict base of every checked record, and how a failed validation becomes problems.

Comes in: a `Source` and a pydantic model. Goes out: the record, or problems that say file, line, field, found, rule and hint.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import NoneType
from typing import Annotated, Any, ClassVar, Generic, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from proofpress.load.source import Location, Source
from proofpress.load.text import field_name
from proofpress.problem import Problem, quoted

Model = TypeVar("Model", bound=BaseModel)

ID_PATTERN = r"^[a-z0-9][a-z0-9.-]*$"
MAX_SAFE_INTEGER = 2**53


WORDS: Mapping[tuple[str, str], str] = {
    ("Card", "family"): "families",
    ("Card", "quantization"): "quantizations",
    ("Card", "engine"): "engines",
    ("Card", "status"): "statuses",
    ("Card", "operating_systems"): "operating_systems",
    ("Card", "delivery"): "delivery",
    ("Card", "good_for"): "good_for",
    ("CardHardware", "accelerator"): "accelerators",
    ("HeadlineChoice", "metric"): "metrics",
    ("ProfileChoice", "metric"): "metrics",
    ("Setup", "accelerator"): "accelerators",
    ("Engine", "name"): "engines",
    ("Checkpoint", "quantization"): "quantizations",
    ("Workload", "suite"): "suites",
    ("Workload", "api"): "apis",
    ("Speculation", "method"): "speculation_methods",
    ("Record", "metric"): "metrics",
    ("Record", "unit"): "units",
}
"""Fields whose values are words of a list in the vocabulary, by model and field."""


class Closed(BaseModel):
    """A record that knows its fields: unknown ones are refused, values are taken as written, nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    not_fields: ClassVar[Mapping[str, str]] = {}
    """Names that people try here in good faith, each with what to do instead."""


@dataclass(frozen=True, slots=True)
class LinkFault:
    """Why a page must not carry a link: the rule, what is wanted, and what to do."""

    rule: str
    expected: str
    hint: str = ""


_UNSAFE_IN_LINKS = re.compile(r"[\s\\<>\"`{}|^]")
_AT_A_BRANCH = re.compile(
    r"https://(?:[^/]+/[^/]+/[^/]+/(?:-/)?(?:blob|tree|raw|blame|edit)|raw\.githubusercontent\.com/[^/]+/[^/]+)"
    r"/(?:refs/heads/)?(?:main|master|develop|dev|trunk|head|latest)(?:[/#?]|$)",
    re.IGNORECASE,
)


def link_fault(link: str) -> LinkFault | None:
    """What is wrong with a link that a page would carry: it is https, with a host and without user info."""
    rest = link.removeprefix("https://")
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if rest == link or not host:
        hint = "" if ":" in link else "write the whole address, from https:// on"
        hint = "most hosts answer at https:// as well" if link.startswith("http://") else hint
        return LinkFault("link.scheme", "links are https, with a host", hint)
    if "@" in host or "%40" in host:
        hint = f"its host is {host.rpartition('@')[2]}, not what stands before the @"
        return LinkFault("link.user-info", "a link has no user info before its host", hint)
    if _UNSAFE_IN_LINKS.search(link) or not re.fullmatch(r"[^.:\[\]-][^:\[\]]*(?::\d{1,5})?", host):
        hint = "write other characters of an address as %20, %5C and so on"
        return LinkFault("link.scheme", "links are https, with a host, in the characters of an address", hint)
    return None


def is_at_a_branch(link: str) -> bool:
    """Whether a link leads to a file on a branch, which may say something else tomorrow."""
    return _AT_A_BRANCH.match(link) is not None


def _https(link: str) -> str:
    fault = link_fault(link)
    if fault:
        raise PydanticCustomError(fault.rule, fault.expected, {"hint": fault.hint})
    return link


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=80)]
WORD_LIMIT = 120
Word = Annotated[str, StringConstraints(min_length=1, max_length=WORD_LIMIT)]
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Prose = Annotated[str, StringConstraints(min_length=1, max_length=20000)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
ImageDigest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
Link = Annotated[str, StringConstraints(max_length=500), AfterValidator(_https)]
Count = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER)]
Positive = Annotated[int, Field(ge=1, le=MAX_SAFE_INTEGER)]


@dataclass(frozen=True, slots=True)
class Checked(Generic[Model]):
    """What validation gives: the record, or None and the reasons."""

    record: Model | None
    problems: tuple[Problem, ...]


MADE_UP = {
    "interpolated",
    "extrapolated",
    "estimated",
    "smoothed",
    "simulated",
    "smooth",
    "smoothing",
    "spline",
    "line",
    "connect_gaps",
    "connectgaps",
}
VERDICTS = {
    "verdict",
    "passed",
    "qualified",
    "identity_qualified",
    "exact",
    "identity",
    "classification",
    "near_tie_ok",
    "waiver",
    "waived",
    "sha256",
}
AXIS_LIMITS = {"ymin", "ymax", "xmin", "xmax", "y_min", "y_max", "x_min", "x_max", "ylim", "xlim", "range"}


def check(source: Source, model: type[Model], *, noun: str) -> Checked[Model]:
    """`source` as a record of `model`. `noun` names the file in messages ('a card')."""
    if not isinstance(source.data, dict):
        found = kind_of(source.data)
        expected = f"{noun} is a mapping of fields"
        hint = "was the copy finished?" if source.data is None else "write 'field: value' lines"
        return Checked(None, (source.problem("schema.not-a-mapping", (), found=found, expected=expected, hint=hint),))
    try:
        # JSON mode, because strict checking takes text for a date and a list for a tuple from JSON only
        is_json = source.path.endswith(".json")
        text = source.raw.removeprefix(b"\xef\xbb\xbf") if is_json else json.dumps(source.data)
        return Checked(model.model_validate_json(text), ())
    except ValidationError as error:
        return Checked(None, tuple(_problems(source, model, error.errors(include_url=False))))


def _problems(source: Source, model: type[BaseModel], details: Sequence[ErrorDetails]) -> Iterator[Problem]:
    """One problem for each mistake: branches of a union speak once, and a misspelt field is not missing as well."""
    located = [(existing(source.data, detail["loc"]), detail) for detail in details if not _counts_wrongly(detail)]
    shapes: dict[Location, list[str]] = defaultdict(list)
    for location, detail in located:
        if detail["type"] in _SHAPES:
            shapes[location].append(detail["type"])
    deep = {location[:length] for location, _ in located for length in range(len(location))}
    meant = dict(_misspelt(located))
    taken = {(location[:-1], name) for location, name in meant.items()}
    for location, detail in located:
        if detail["type"] in _SHAPES:
            kinds = shapes.pop(location, [])
            if kinds and not (len(kinds) > 1 and location in deep):
                yield _wrong_type(source, location, detail, kinds)
        elif detail["type"] == "extra_forbidden":
            yield _unknown_field(source, model, location, detail, meant.get(location))
        elif detail["type"] != "missing" or (location, str(detail["loc"][-1])) not in taken:
            yield _problem(source, model, location, detail)


def _counts_wrongly(detail: ErrorDetails) -> bool:
    """A list with a wrong item is called too short as well, because only right items were counted."""
    given, least = detail["input"], detail.get("ctx", {}).get("min_length", 0)
    return detail["type"] == "too_short" and isinstance(given, list | dict) and len(given) >= least


def _misspelt(located: Sequence[tuple[Location, ErrorDetails]]) -> Iterator[tuple[Location, str]]:
    """Unknown fields that are a missing one of the same mapping in another spelling."""
    missing: dict[Location, list[str]] = defaultdict(list)
    for location, detail in located:
        if detail["type"] == "missing":
            missing[location].append(str(detail["loc"][-1]))
    for location, detail in located:
        if detail["type"] == "extra_forbidden" and location:
            for name in get_close_matches(str(location[-1]).lower(), missing[location[:-1]], n=1, cutoff=0.6):
                missing[location[:-1]].remove(name)
                yield location, name


def _problem(source: Source, model: type[BaseModel], location: Location, detail: ErrorDetails) -> Problem:
    kind = detail["type"]
    context = detail.get("ctx", {})
    found = quoted(detail["input"])
    match kind:
        case "missing":
            name = str(detail["loc"][-1])
            field = _fields_at(model, location).get(name)
            nullable = field is not None and NoneType in get_args(field.annotation)
            lists = {WORDS.get((found.__name__, name)) for found in _models_at(model, location)} - {None}
            word = f"write a word from 'content/vocabulary.yaml', list '{lists.pop()}'" if len(lists) == 1 else ""
            return source.problem(
                "schema.missing-field",
                location,
                key=True,
                field=field_name((*location, name)),
                found="missing",
                expected="this field is required",
                hint="write null where the fact is not known" if nullable else word,
            )
        case "literal_error" | "enum" | "union_tag_invalid":
            allowed = str(context.get("expected", context.get("expected_tags", "")))
            words = [word.strip("'") for word in allowed.replace(" or ", ", ").split(", ")]
            if kind == "union_tag_invalid":
                tag = str(context.get("discriminator", "")).strip("'")
                location, found = (*location, tag), quoted(str(context.get("tag", "")))
            given = context.get("tag", detail["input"])
            return source.problem(
                "schema.not-listed",
                location,
                found=found,
                expected=f"one of {', '.join(words)}" if len(words) > 1 else quoted(words[0]),
                hint=_other_version(given, words) or (did_you_mean(given, words) if len(words) > 1 else ""),
            )
        case "union_tag_not_found":
            tag = str(context.get("discriminator", "")).strip("'")
            name = field_name((*location, tag))
            return source.problem(
                "schema.missing-field", location, field=name, found="missing", expected="this field is required"
            )
        case "string_pattern_mismatch":
            pattern = str(context["pattern"])
            expected = _PATTERNS.get(pattern, f"text like {pattern}")
            near = as_id(str(detail["input"])) if pattern == ID_PATTERN else ""
            hint = f"did you mean '{near}'?" if near else ""
            return source.problem("schema.pattern", location, found=found, expected=expected, hint=hint)
        case "string_too_long" | "too_long" | "string_too_short" | "too_short":
            return source.problem(
                "limit.length", location, found=_length(detail["input"]), expected=_length_wanted(kind, context)
            )
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal" | "finite_number":
            spelling = source.spelling(location) or found
            return source.problem("number.range", location, found=spelling, expected=_range_wanted(context))
        case _ if "." in kind:  # raised by a validator of ours, which names the rule
            return source.problem(
                kind,
                location,
                found=str(context.get("found", found)),
                expected=detail["msg"],
                hint=str(context.get("hint", "")),
            )
        case _:
            return _wrong_type(source, location, detail, [kind])


_PATTERNS = {
    ID_PATTERN: "an id of small letters, digits, points and hyphens that starts with a letter or digit",
    r"^[0-9a-f]{64}$": "a SHA-256 of 64 small hexadecimal digits",
    r"^sha256:[0-9a-f]{64}$": "'sha256:' and 64 small hexadecimal digits",
    r"^[0-9a-f]{40}$": "a full commit id of 40 small hexadecimal digits",
    r"^#[0-9a-f]{6}$": "a colour as '#' and six small hexadecimal digits",
    r"^[A-Z][A-Z0-9_]*$": "the name of an environment variable: capital letters, digits and underscores",
}
_SHAPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping of fields",
    "mapping_type": "a mapping of fields",
    "model_type": "a mapping of fields",
    "model_attributes_type": "a mapping of fields",
    "none_required": "null",
    "date_type": "a date such as 2026-09-07",
    "date_parsing": "a date such as 2026-09-07",
    "date_from_datetime_parsing": "a date such as 2026-09-07",
    "date_from_datetime_inexact": "a date such as 2026-09-07",
}
"""Errors that say 'a value of another kind', and the kind that is wanted."""


def _other_version(given: object, words: Sequence[str]) -> str:
    """What to do where a file says another version of its format."""
    known = re.fullmatch(r"(proofpress\.[a-z]+/)(\d+)", words[0]) if len(words) == 1 else None
    if known is None or not isinstance(given, str):
        return ""
    stated = re.fullmatch(rf"{re.escape(known[1])}([1-9]\d{{0,5}})", given)
    newer = stated is not None and int(stated[1]) > int(known[2])
    return "this file is newer than the program: update the program" if newer else f"write 'format: {words[0]}'"


def kind_of(value: object) -> str:
    """'a mapping', 'a list', …: what kind of value was found, for a message."""
    words = {dict: "a mapping", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return words.get(type(value), "nothing")


def is_id(text: str) -> bool:
    """Whether `text` may be an id."""
    return re.fullmatch(ID_PATTERN, text) is not None and "\n" not in text and len(text) <= 80


def as_id(text: str) -> str:
    """The id that `text` would be in other letters, for a hint; empty where there is none."""
    near = re.sub(r"[^a-z0-9.]+", "-", re.sub(r"\.{2,}", ".", text.lower())).strip("-.")
    return near if is_id(near) else ""


def _length(value: object) -> str:
    if not isinstance(value, str | list | dict):
        return quoted(value)
    noun = "character" if isinstance(value, str) else "item"
    return f"{len(value):,} {noun}{'' if len(value) == 1 else 's'}"


def _length_wanted(kind: str, context: Mapping[str, Any]) -> str:
    noun = "character" if kind.startswith("string") else "item"
    bound, word = (context["max_length"], "at most") if kind.endswith("long") else (context["min_length"], "at least")
    return f"{word} {bound:,} {noun}{'' if bound == 1 else 's'}"


def _range_wanted(context: Mapping[str, Any]) -> str:
    words = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}
    bounds = [f"{words[name]} {context[name]:,.12g}" for name in words if name in context]
    return f"a number of {bounds[0]}" if bounds else "a finite number"


def _wrong_type(source: Source, location: Location, detail: ErrorDetails, kinds: Sequence[str]) -> Problem:
    value = detail["input"]
    wanted = list(dict.fromkeys(_SHAPES.get(kind, "another kind of value") for kind in kinds))
    numeric = any("number" in word for word in wanted)
    found, hint = quoted(value), ""
    if isinstance(value, int | float):
        found = source.spelling(location) or found  # 0.10, where the value is 0.1
        if wanted == ["text"]:
            hint = f'quote it: "{found}"' + ("; versions and names are text" if isinstance(value, float) else "")
        elif isinstance(value, float) and wanted == ["a whole number"] and value.is_integer():
            hint = f"write {int(value)}"
    elif isinstance(value, str) and numeric:
        plain = re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", value, re.ASCII)
        mark = "digits alone: no point" if wanted == ["a whole number"] else "a decimal point"
        hint = f"write {value} without quotes" if plain else f"{mark}, no thousands mark, no unit, no quotes"
    elif isinstance(value, str) and wanted == ["a list"]:
        hint = f"write [{value}]" if len(value) <= 40 else "write it in [ ]"
    elif isinstance(value, dict | list):
        found = kind_of(value)
    if value is None:
        found = "null"
    expected = wanted[0] if len(wanted) == 1 else f"{', '.join(wanted[:-1])} or {wanted[-1]}"
    return source.problem("type.wrong", location, found=found, expected=f"{expected} is wanted here", hint=hint)


def _unknown_field(
    source: Source, model: type[BaseModel], location: Location, detail: ErrorDetails, meant: str | None
) -> Problem:
    name = str(location[-1]) if location else ""
    lowered = name.lower()
    if meant is not None:
        rule, expected, hint = "schema.unknown-field", _NOT_KNOWN, f"did you mean '{meant}'?"
    elif lowered in MADE_UP:
        rule, expected = (
            "schema.only-measured",
            "points are measured and joined by straight segments; nothing is filled in",
        )
        hint = "remove the field, and the point if it was not measured"
    elif lowered in VERDICTS:
        rule, expected = "schema.own-verdict", "no file says of itself that it is right; the build computes it"
        hint = "remove the field"
    elif lowered in AXIS_LIMITS:
        rule, expected, hint = "schema.axis-limits", "axes start at zero and fit the data", "remove the field"
    else:
        rule, expected = "schema.unknown-field", _NOT_KNOWN
        fields = sorted(_fields_at(model, location[:-1]))
        advice = [
            found.not_fields[lowered] for found in _models_at(model, location[:-1]) if lowered in found.not_fields
        ]
        hint = (advice or [did_you_mean(name, fields)])[0] or (f"known here: {', '.join(fields)}" if fields else "")
    value = detail["input"]
    found = kind_of(value) if isinstance(value, dict | list) else quoted(value)
    return source.problem(rule, location, key=True, found=found, expected=expected, hint=hint)


_NOT_KNOWN = "this field is not known here, and nothing is ignored"


def _models_at(model: type[BaseModel], location: Location) -> list[type[Closed]]:
    """Every type of record that could stand at `location`."""
    models: list[type[BaseModel]] = [model]
    for step in location:
        if isinstance(step, int):
            continue
        found = [
            inner
            for outer in models
            for name, field in outer.model_fields.items()
            if (field.alias or name) == step
            for inner in _models_in(field.annotation)
        ]
        models = found or models  # a key of a plain mapping leads nowhere by its name
    return [found for found in models if issubclass(found, Closed)]


def _fields_at(model: type[BaseModel], location: Location) -> dict[str, FieldInfo]:
    """The fields that could stand at `location`, by name: those of every type of record that could stand there."""
    return {
        field.alias or name: field
        for found in _models_at(model, location)
        for name, field in found.model_fields.items()
    }


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    arguments: Iterable[Any] = getattr(annotation, "__args__", ())
    value: Any = getattr(annotation, "__value__", None)  # a named type alias
    return [model for argument in (*arguments, *([value] if value else [])) for model in _models_in(argument)]


def existing(data: object, location: Iterable[str | int]) -> Location:
    """`location` without the steps that do not exist in `data`: tags of unions, and a key that may be absent."""
    kept: list[str | int] = []
    here: Any = data
    for step in location:
        if (isinstance(here, Mapping) and step in here) or (
            isinstance(here, list) and isinstance(step, int) and step < len(here)
        ):
            inside: Any = here
            here = inside[step]
        else:
            continue
        kept.append(step)
    return tuple(kept)


def did_you_mean(found: object, words: Iterable[str]) -> str:
    """'did you mean …?' for the nearest known word, or nothing."""
    close = get_close_matches(str(found).lower(), sorted(words), n=1, cutoff=0.6)
    if not close and len(str(found)) >= 4:
        close = [word for word in sorted(words) if str(found).lower() in word.lower()]
        close = close if len(close) == 1 else []
    return f"did you mean '{close[0]}'?" if close else ""
