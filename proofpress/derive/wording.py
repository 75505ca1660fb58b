"""Wording: numbers, counts and lists as a page says them. Each value has one spelling, wherever it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from proofpress.records.campaign import Arm

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def exact(value: float) -> str:
    """The value in full, as tables print it: 12 significant digits at most, grouped by thousands."""
    text = f"{value:.12g}"
    if "e" in text:
        return text
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}"


def tabular(value: float) -> str:
    """The value as a table column shows it: three decimals at most; the twin has every digit."""
    return exact(float(f"{value:.3f}")) if abs(value) >= 1 else exact(float(f"{value:.3g}"))


def brief(value: float) -> str:
    """The value as large type shows it: one decimal below 1,000, none above."""
    return f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def percent(share: float) -> str:
    """A share as percent: two significant digits, none of them after the point from 10 % on."""
    value = share * 100
    return f"{value:.0f} %" if value >= 10 else f"{value:.2g} %"


def number(count: int) -> str:
    """Small counts as words, others as figures."""
    return _SMALL[count] if 0 <= count < len(_SMALL) else f"{count:,}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """'one card', 'two cards'."""
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def listed(words: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def sentence(text: str) -> str:
    """`text` with a capital first letter and a full stop."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")


def setting(value: object, unit: str | None) -> str:
    """An engine setting's value: 'on', '33,024 tokens', 'none' for an empty list, text as it stands."""
    match value:
        case bool():
            return "on" if value else "off"
        case int():
            return f"{value:,} {unit}" if unit else f"{value:,}"
        case list() | tuple():
            return ", ".join(map(str, value)) or "none"
        case _:
            return str(value)


def gigabytes(count: int) -> str:
    """Bytes as decimal gigabytes: '14.0 GB'."""
    return f"{count / 1e9:.1f} GB"


def gibibytes(count: int) -> str:
    """Bytes as binary gigabytes: '15 GiB'."""
    return f"{count / 2**30:g} GiB"


def day(value: date) -> str:
    """'7 September 2026'."""
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"


def days(values: Sequence[date]) -> str:
    """One day, or the first and the last."""
    if not values:
        return "on a day that is not stated"
    first, last = min(values), max(values)
    return f"on {day(first)}" if first == last else f"from {day(first)} to {day(last)}"


def speculation(arm: Arm) -> str:
    """How an arm speculates, in words: 'draft depth 3, INT4 draft head', 'no speculation', 'speculation not stated'."""
    if arm.speculation is None:
        return "no speculation"
    if not arm.speculates:
        return "speculation not stated"
    head = f", {arm.speculation.draft_head.upper()} draft head" if arm.speculation.draft_head else ""
    if arm.speculation.schedule:
        steps = [f"{step.depth or 'none'} up to {step.through_users}" for step in arm.speculation.schedule]
        return f"draft depth by users ({listed(steps)}){head}"
    if arm.depth is None:
        return f"drafts of a depth that is not stated{head}"
    return f"draft depth {arm.depth}{head}"


def cards(arm: Arm) -> str:
    """On how many accelerators: 'one accelerator', 'two accelerators'; unknown is said. A card is a page."""
    return "number of accelerators not stated" if arm.cards is None else counted(arm.cards, "accelerator")


def ladder(arm: Arm) -> str:
    """What the arms of a ladder over draft depth have in common: 'one accelerator, fp32'."""
    return f"{cards(arm)}, {arm.dtype}" if arm.dtype else cards(arm)


def configuration(arm: Arm) -> str:
    """An arm in a phrase: 'draft depth 3, INT4 draft head, one accelerator'."""
    parts = [speculation(arm), cards(arm)]
    if arm.dtype:
        parts.append(arm.dtype)
    return ", ".join(parts)
