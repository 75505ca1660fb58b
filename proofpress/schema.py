"""Schema: the closed, frozen, strict base of every checked record, and how a failed validation becomes problems.

Comes in: a `Source` and a pydantic model. Goes out: the record, or problems that say file, line, field, found, rule and hint.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from proofpress.problem import Problem, quoted
from proofpress.source import Location, Source
from proofpress.text import field_name

Model = TypeVar("Model", bound=BaseModel)

ID_PATTERN = r"^[a-z0-9][a-z0-9.-]*$"
MAX_SAFE_INTEGER = 2**53


class Closed(BaseModel):
    """A record that knows its fields: unknown ones are refused, values are taken as written, nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _https(link: str) -> str:
    """A link that a page may carry: https, a host, no user info, no spaces."""
    rest = link.removeprefix("https://")
    host = rest.split("/", 1)[0]
    if rest == link or not host or "@" in host or any(character.isspace() for character in link):
        raise PydanticCustomError("link.scheme", "links are https, with a host and without user info")
    return link


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=80)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=120)]
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
    "spline",
    "line",
    "connect_gaps",
}
VERDICTS = {
    "verdict",
    "passed",
    "qualified",
    "identity_qualified",
    "exact",
    "classification",
    "near_tie_ok",
    "waiver",
    "waived",
    "sha256",
}
AXIS_LIMITS = {"ymin", "ymax", "xmin", "xmax", "y_min", "y_max", "range"}


def check(source: Source, model: type[Model], *, noun: str) -> Checked[Model]:
    """`source` as a record of `model`. `noun` names the file in messages ('a card')."""
    if not isinstance(source.data, dict):
        kind = "nothing" if source.data is None else type(source.data).__name__
        found = {"list": "a list", "str": "text", "float": "a number", "int": "a number", "bool": "true or false"}.get(
            kind, kind
        )
        return Checked(
            None, (source.problem("schema.not-a-mapping", (), found=found, expected=f"{noun} is a mapping of fields"),)
        )
    try:
        # JSON mode, because strict checking takes text for a date and a list for a tuple from JSON only
        text = source.raw if source.path.endswith(".json") else json.dumps(source.data)
        return Checked(model.model_validate_json(text), ())
    except ValidationError as error:
        return Checked(None, tuple(_problem(source, model, detail) for detail in error.errors(include_url=False)))


def _problem(source: Source, model: type[BaseModel], detail: ErrorDetails) -> Problem:
    kind = detail["type"]
    location = existing(source.data, detail["loc"])
    context = detail.get("ctx", {})
    found = quoted(detail["input"])
    match kind:
        case "missing":
            name = str(detail["loc"][-1])
            return source.problem(
                "schema.missing-field",
                location,
                field=field_name((*location, name)),
                found="missing",
                expected="this field is required",
                hint="write null where the fact is not known" if context.get("nullable") else "",
            )
        case "extra_forbidden":
            return _unknown_field(source, model, location)
        case "literal_error" | "enum":
            allowed = str(context.get("expected", ""))
            words = [word.strip("'") for word in allowed.replace(" or ", ", ").split(", ")]
            return source.problem(
                "schema.not-listed",
                location,
                found=found,
                expected=f"one of {', '.join(words)}",
                hint=did_you_mean(detail["input"], words),
            )
        case "string_pattern_mismatch":
            return source.problem(
                "schema.pattern",
                location,
                found=found,
                expected=_PATTERNS.get(str(context["pattern"]), f"text like {context['pattern']}"),
            )
        case "string_too_long" | "too_long" | "string_too_short" | "too_short":
            return source.problem("limit.length", location, found=_length(detail["input"]), expected=detail["msg"])
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal" | "finite_number":
            return source.problem("number.range", location, found=found, expected=_lower(detail["msg"]))
        case _ if "." in kind:  # raised by a validator of ours, which names the rule
            return source.problem(
                kind,
                location,
                found=str(context.get("found", found)),
                expected=detail["msg"],
                hint=str(context.get("hint", "")),
            )
        case _:
            return _wrong_type(source, location, detail)


_PATTERNS = {
    ID_PATTERN: "an id of small letters, digits, points and hyphens that starts with a letter or digit",
    r"^[0-9a-f]{64}$": "a SHA-256 of 64 small hexadecimal digits",
    r"^sha256:[0-9a-f]{64}$": "'sha256:' and 64 small hexadecimal digits",
    r"^[0-9a-f]{40}$": "a full commit id of 40 small hexadecimal digits",
}


def _length(value: object) -> str:
    return (
        f"{len(value)} {'characters' if isinstance(value, str) else 'items'}"
        if isinstance(value, str | list | dict)
        else quoted(value)
    )


def _lower(message: str) -> str:
    return f"{message[:1].lower()}{message[1:]}"


def _wrong_type(source: Source, location: Location, detail: ErrorDetails) -> Problem:
    value = detail["input"]
    expected = _lower(detail["msg"]).replace("input should be", "this is")
    hint = ""
    spelling = source.spelling(location)
    found = quoted(value)
    if detail["type"] == "string_type" and isinstance(value, int | float) and not isinstance(value, bool):
        expected, hint = "this is text", "quote it; versions are text" if isinstance(value, float) else "quote it"
        found = spelling or found
    elif (isinstance(value, str) and "number" in expected + detail["type"]) or detail["type"] in {
        "int_type",
        "float_type",
    }:
        expected = "this is a whole number" if "int" in detail["type"] else "this is a number"
        hint = "without quotes, with a decimal point and no thousands mark" if isinstance(value, str) else ""
    return source.problem("type.wrong", location, found=found, expected=expected, hint=hint)


def _unknown_field(source: Source, model: type[BaseModel], location: Location) -> Problem:
    name = str(location[-1]) if location else ""
    lowered = name.lower()
    if lowered in MADE_UP:
        return source.problem(
            "schema.only-measured", location, key=True, found=quoted(name),
            expected="only measured points exist here, joined by straight segments: nothing interpolated, estimated or smoothed can be stated",
            hint="remove the field, and the point if it was not measured",
        )  # fmt: skip
    if lowered in VERDICTS:
        return source.problem(
            "schema.own-verdict", location, key=True, found=quoted(name),
            expected="evidence and cards carry no verdict about themselves; the build computes it", hint="remove the field",
        )  # fmt: skip
    if lowered in AXIS_LIMITS:
        return source.problem(
            "schema.axis-limits",
            location,
            key=True,
            found=quoted(name),
            expected="axes start at zero and fit the data",
            hint="remove the field",
        )
    fields = sorted(_fields_at(model, location[:-1], source.data))
    return source.problem(
        "schema.unknown-field", location, key=True, found=quoted(name), expected="this field is not known here, and nothing is ignored",
        hint=did_you_mean(name, fields) or (f"known here: {', '.join(fields)}" if fields else ""),
    )  # fmt: skip


def _fields_at(model: type[BaseModel], location: Location, data: object) -> set[str]:
    """The field names that the model knows at `location`: of every record type that could stand there."""
    models: list[type[BaseModel]] = [model]
    for step in location:
        if isinstance(step, int):
            continue
        models = [
            inner
            for outer in models
            for name, field in outer.model_fields.items()
            if (field.alias or name) == step
            for inner in _models_in(field.annotation)
        ]
    return {field.alias or name for found in models for name, field in found.model_fields.items()}


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
    return f"did you mean '{close[0]}'?" if close else ""
