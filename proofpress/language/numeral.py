"""Numeral: a number as it is written, in digits or in words, made comparable.

Comes in: words. Goes out: the number in digits, or nothing where the writing leaves it open.
"""

from __future__ import annotations

import re
from decimal import Decimal

SIGNS = str.maketrans(
    {"\u2044": "/", "\u2215": "/", "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u22c5": "·", "\u00ad": ""}
    | dict(
        zip(
            "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u03bf\u0391\u0415\u0422\u041e\u0420\u0421",
            "aeopcyxisjoAETOPC",
            strict=True,
        )
    )
)
"""Look-alikes of the signs that stand in units and numbers, and of Latin letters; a soft hyphen is not seen at all."""
DIGITS = r"\d(?:[\d.,]{0,30}\d)?(?:e[+-]?\d{1,3})?"
WELL_WRITTEN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")

_BELOW_TWENTY = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_SMALL = {name: value for value, name in enumerate(_BELOW_TWENTY)}
_TENS = {
    name: 10 * value
    for value, name in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_DOZENS = {"dozen": 12}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_WORD = "|".join(sorted((*_SMALL, *_TENS, *_DOZENS, *_LARGE), key=len, reverse=True))
_END = r"(?=\b|fold)"
_VAGUE = r"(?:tens|dozens|scores|hundreds|thousands|millions)\sof(?:\s(?:hundreds|thousands|millions)\sof)?\b"
SPELLED = (
    rf"(?>{_VAGUE}|(?:an?\s(?=hundred|thousand|million|dozen))?(?:{_WORD}){_END}"
    rf"(?:(?:[\s-]|\sand\s|\spoint\s)(?:{_WORD}){_END}){{0,8}}(?:\sand\sa\shalf\b)?|half\san?\b)"
)
"""A number in words: ninety-eight, two hundred and five, twelve point five, two and a half. Hundreds of is one as well: an open one."""


def figure(written: str) -> str:
    """The number in digits: '98' for ninety-eight. Digits stay as they are; what names no one number gives an empty text."""
    if written[:1].isdigit():
        return written
    words = written.lower().replace("-", " ")
    if words.startswith("half "):
        return "0.5"
    whole, _, places = words.partition(" point ")
    value = _whole(whole.removesuffix(" and a half").split())
    digits = [str(_SMALL.get(word, "")) for word in places.split()]
    if value is None or (places and not all(len(digit) == 1 for digit in digits)):
        return ""
    if whole.endswith(" and a half"):
        return str(Decimal(value) + Decimal("0.5"))
    return f"{value}.{''.join(digits)}" if digits else str(value)


def _whole(words: list[str]) -> int | None:
    """The whole number that these words name; None where they name several, as in 'two three', or none."""
    total, current, room = 0, 0, 1_000_000_000
    for word in words:
        if word in {"a", "an", "and"}:
            continue
        if word in _LARGE:
            factor = _LARGE[word]
            current = max(current, 1) * factor
            if factor > 100:
                total, current = total + current, 0
            room = factor
        elif word in _SMALL or word in _TENS or word in _DOZENS:
            value = _SMALL.get(word) or _TENS.get(word) or _DOZENS.get(word) or 0
            if value >= room:
                return None
            current, room = current + value, 10 if word in _TENS else 1
        else:
            return None
    return total + current
