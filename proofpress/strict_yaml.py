"""Strict YAML: the part of YAML that every reader reads alike. Core types only, each key once, no anchors or tags.

Comes in: a `Text`. Goes out: plain values, the span of every key and value, and all problems at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from yaml import events
from yaml.error import Mark, MarkedYAMLError, YAMLError
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner
from yaml.tokens import DirectiveToken

from proofpress.problem import Severity, quoted
from proofpress.text import Location, Text, code_point, field_name, first_hidden, hidden_characters, other_kind

NESTING_LIMIT = 64
SCALAR_LIMIT = 20_000  # characters of one text
INTEGER_LIMIT = 2**53  # larger ones are not exact in every reader of the printed JSON

RULES = frozenset(
    {
        "duplicate.key",
        "limit.nesting",
        "limit.text-length",
        "number.decimal-comma",
        "number.exponent",
        "number.hexadecimal",
        "number.not-finite",
        "number.octal",
        "number.point",
        "number.sign",
        "number.too-large",
        "number.underscore",
        "schema.anchor",
        "schema.directive",
        "schema.merge-key",
        "schema.tag",
        "syntax.several-documents",
        "syntax.yaml",
        "text.comment-cuts",
        "text.hidden-character",
        "text.key-characters",
        "type.ambiguous-word",
        "type.date",
        "type.key",
        "type.sexagesimal",
    }
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Offsets of a value in the text, of its key if it has one, and whether it is a container."""

    start: int
    end: int
    key: tuple[int, int] | None
    container: bool


@dataclass(slots=True)
class Parsed:
    """What a text held: plain values and their spots."""

    data: object = None
    spots: dict[Location, Spot] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Trap:
    """A plain word that readers of YAML disagree about."""

    pattern: re.Pattern[str]
    rule: str
    found: str
    expected: str
    hint: Callable[[str], str]


def _plainly(word: str) -> str:
    """The hint that writes a number out: 1e3 as 1000."""
    value = Decimal(word.replace("_", ""))
    exponent = value.as_tuple().exponent
    short = value.is_finite() and abs(value.adjusted()) <= 15 and isinstance(exponent, int) and exponent >= -15
    return (f"write {value:f}, or " if short else "write the number out, or ") + f"quote it if it is text: {_quote(word)}"


def _quote(word: str) -> str:
    return f'"{word}"' if len(word) <= 40 else "in double quotes"


def _quote_it(word: str) -> str:
    return f"quote it: {_quote(word)}"


def _trap(
    pattern: str, rule: str, found: str, expected: str, hint: Callable[[str], str] = _quote_it
) -> _Trap:
    return _Trap(re.compile(pattern, re.ASCII | re.IGNORECASE), rule, found, expected, hint)


_NUMBERS = "whole numbers and decimals as in 1253.8"
_TRAPS = (
    _trap(
        "true|false|null",
        "type.ambiguous-word",
        "is a word in some readers of YAML and a value in others",
        "true, false and null in lower case, or quoted text",
        lambda word: f"write {word.lower()}, or {_quote_it(word)}",
    ),
    _trap(
        "yes|no|on|off|y|n",
        "type.ambiguous-word",
        "is true or false to some readers of YAML",
        "true, false, or quoted text",
    ),
    _trap("=|<<", "type.ambiguous-word", "is a special value to some readers of YAML", "quoted text"),
    _trap(
        r"[-+]?0[0-9_]+(?:\.[0-9_]*)?|[-+]?0o[0-7_]+",
        "number.octal",
        "is octal to some readers of YAML",
        "numbers without leading zeros",
        lambda word: f"drop the zero, or quote it if it is text: {_quote(word)}",
    ),
    _trap(
        r"[-+]?0x[0-9a-f_]+|[-+]?0b[01_]+",
        "number.hexadecimal",
        "is hexadecimal or binary to some readers of YAML",
        _NUMBERS,
        lambda word: f"write the decimal number, or quote it if it is text: {_quote(word)}",
    ),
    _trap(
        r"[-+]?[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?|[-+]?[0-9]+\.[0-9]*_[0-9_]*",
        "number.underscore",
        "has underscores, which only some readers of YAML skip",
        _NUMBERS,
        _plainly,
    ),
    _trap(
        r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)e[-+]?[0-9]{1,9}",
        "number.exponent",
        "has an exponent, which readers of YAML take for a number or for text",
        _NUMBERS,
        _plainly,
    ),
    _trap(
        r"[-+]?[0-9]+(?:,[0-9]+)+(?:\.[0-9]*)?",
        "number.decimal-comma",
        "has a comma",
        "a point for decimals and no thousands mark",
        lambda word: f"write 98.1 or 1253.8; if it is text, {_quote_it(word)}",
    ),
    _trap(
        r"[-+]?[0-9][0-9_]*(?::[0-9]+)+(?:\.[0-9_]*)?",
        "type.sexagesimal",
        "is a number to base 60 to some readers of YAML",
        "numbers in one unit, or quoted text",
    ),
    _trap(
        r"[-+]?\.?(?:nan|inf|infinity)",
        "number.not-finite",
        "is not a finite number",
        "a number, or null",
        lambda word: f"leave it out if it was not measured; if it is text, {_quote_it(word)}",
    ),
    _trap(
        r"\+[0-9]+(?:\.[0-9]*)?",
        "number.sign",
        "has a plus sign",
        _NUMBERS,
        lambda word: f"drop the sign, or quote it if it is text: {_quote(word)}",
    ),
    _trap(
        r"[-+]?\.[0-9_]+|[-+]?[0-9]+\.",
        "number.point",
        "has no digit on one side of the point",
        _NUMBERS,
        lambda word: f"write 0.5 or 98; if it is text, {_quote_it(word)}",
    ),
    _trap(
        r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:t|[ \t]).*",
        "type.date",
        "is a moment, which readers of YAML turn into different things",
        "a date such as 2026-09-07, or quoted text",
    ),
    _trap(
        r"[0-9]{4}-(?:[0-9]-[0-9]{1,2}|[0-9]{2}-[0-9])",
        "type.date",
        "is no ISO date",
        "a date such as 2026-09-07",
        lambda word: f"write two digits each for month and day; if it is text, {_quote_it(word)}",
    ),
)
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_CUT = re.compile(r" +#(?=[^\s#])[^\n]*")
_MARKED = re.compile(r"[^\s,\[\]{}]+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SHORT_ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "v": "\v", "f": "\f", "e": "\x1b", "N": "\x85"} | {
    "L": "\u2028",
    "P": "\u2029",
}
_SYNTAX_HINTS = (
    ("mapping values are not allowed", "text that holds ': ' wants quotes; otherwise look at the indentation"),
    ("that cannot start any token", "text that starts with a sign wants quotes"),
    ("unexpected end of stream", "a quote or bracket is not closed"),
    ("could not find expected ':'", "a key wants a colon and a space behind it"),
    ("expected <block end>", "look at the indentation of this line and of the lines above"),
    ("expected ',' or", "a bracket is not closed, or a comma is missing"),
    ("unknown escape", "a backslash in double quotes is written twice"),
)


class _Events(Reader, Scanner, Parser):
    """PyYAML's events of a text, and where its directives stand. Nothing is composed, so aliases cost nothing."""

    def __init__(self, characters: str) -> None:
        Reader.__init__(self, characters)
        Scanner.__init__(self)
        Parser.__init__(self)
        self.directives: list[int] = []

    def scan_directive(self) -> DirectiveToken:
        self.directives.append(self.get_mark().index)
        return super().scan_directive()


@dataclass(slots=True)
class _Open:
    """A list or mapping that is not finished: its values so far, and in a mapping the key that waits for a value."""

    location: Location
    values: dict[str, object] | list[object]
    start: int
    key: tuple[int, int] | None  # span of the key under which the container itself stands
    waiting: tuple[str, tuple[int, int]] | None = None
    first: dict[str, int] = field(default_factory=dict)  # where each key was first written


def parse(text: Text) -> tuple[Parsed, list]:
    raise NotImplementedError
