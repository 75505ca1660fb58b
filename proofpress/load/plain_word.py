"""Plain words: what a YAML scalar without quotes means. Where readers of YAML disagree about it, it means nothing here.

Comes in: the word as written. Goes out: null, true or false, a number, text, or a `Refusal` that says how to write it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from proofpress.problem import quoted

INTEGER_LIMIT = 2**53  # larger ones are not exact in every reader of the printed JSON
TRAP_LENGTH = 400  # characters; a longer word is no number that somebody typed

RULES = frozenset(
    {
        "number.decimal-comma",
        "number.exponent",
        "number.hexadecimal",
        "number.not-finite",
        "number.octal",
        "number.point",
        "number.sign",
        "number.too-large",
        "number.underscore",
        "type.ambiguous-word",
        "type.date",
        "type.sexagesimal",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a word has no value here: the rule, what was found, what is wanted, what to do."""

    rule: str
    found: str
    expected: str
    hint: str


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
    value = Decimal(word.replace("_", "")) if len(word) <= 20 else None
    number = f"{value:f}" if value is not None and abs(value.adjusted()) <= 15 else "the number out"
    return f"write {number}, or quote it if it is text: {_quote(word)}"


def _quote(word: str) -> str:
    return f'"{word}"' if len(word) <= 40 else "in double quotes"


def quote_it(word: str) -> str:
    """The hint for a word that is meant as text."""
    return f"quote it: {_quote(word)}"


def _trap(pattern: str, rule: str, found: str, expected: str, hint: Callable[[str], str] = quote_it) -> _Trap:
    return _Trap(re.compile(pattern, re.ASCII | re.IGNORECASE), rule, found, expected, hint)


_NUMBERS = "whole numbers and decimals as in 1253.8"
_TRAPS = (
    _trap(
        "true|false|null",
        "type.ambiguous-word",
        "is a word in some readers of YAML and a value in others",
        "true, false and null in lower case, or quoted text",
        lambda word: f"write {word.lower()}, or {quote_it(word)}",
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
        r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)e[-+]?[0-9]+",
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
        lambda word: f"write 98.1 or 1253.8; if it is text, {quote_it(word)}",
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
        lambda word: f"leave it out if it was not measured; if it is text, {quote_it(word)}",
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
        lambda word: f"write 0.5 or 98; if it is text, {quote_it(word)}",
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
        lambda _: "write two digits each for month and day",
    ),
)
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def value_of(word: str) -> bool | int | float | str | Refusal | None:
    """The value of a word, or why it has none. ISO dates are checked and stay text."""
    if word in ("", "~", "null"):
        return None
    if word in ("true", "false"):
        return word == "true"
    if _INTEGER.fullmatch(word):
        return _integer(word)
    if _DECIMAL.fullmatch(word):
        return _decimal(word)
    if _DATE.fullmatch(word):
        return _date(word)
    for trap in _TRAPS if len(word) <= TRAP_LENGTH else ():
        if trap.pattern.fullmatch(word):
            return Refusal(trap.rule, f"{quoted(word)} {trap.found}", trap.expected, trap.hint(word))
    return word


def _integer(word: str) -> int | Refusal:
    if len(word) <= 17 and abs(int(word)) <= INTEGER_LIMIT:
        return int(word)
    found, expected = f"{_cut(word)} is beyond 2^53", f"whole numbers up to {INTEGER_LIMIT}"
    return Refusal("number.too-large", found, expected, f"if it is text, {quote_it(word)}")


def _decimal(word: str) -> float | Refusal:
    number = float(word)
    if math.isfinite(number):
        return number
    found = f"{_cut(word)} is larger than any number here"
    return Refusal("number.not-finite", found, "finite numbers", f"if it is text, {quote_it(word)}")


def _date(word: str) -> str | Refusal:
    try:
        date.fromisoformat(word)
    except ValueError:
        found = f"{quoted(word)} is no day of the calendar"
        return Refusal("type.date", found, "a date such as 2026-09-07", "write year, month and day, in this order")
    return word


def _cut(word: str) -> str:
    """A number for a message, without quotes, cut where it is long."""
    return quoted(word)[1:-1]
