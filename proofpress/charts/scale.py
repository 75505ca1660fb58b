"""Scale: where an x and a value stand on the axes of a chart, which ticks there are, and how numbers are written.

Comes in: the axis and the numbers of a `Figure`. Goes out: places in axis units (log2 of x, or x), ticks, texts.
Both drawings use it, so that a point stands in the same place in each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import log2

from proofpress.records.axis import Axis

LOG2_AXES = frozenset({Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH, Axis.CONCURRENT_USERS})
KIBI_AXES = frozenset({Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH})
PLAIN = (Decimal("1e-6"), Decimal("1e10"))
"""Between these, numbers are written out; beyond them in powers of ten, as no measurement here should need."""
SLOT = 1.0
"""How far left of the smallest positive x the slot of 0 stands, in octaves; a sixth of the axis where that is more."""


def three_figures(value: float) -> str:
    """`value` as a point's label: three significant figures, from 1,000 on the whole number ('98.1', '1,254')."""
    exact = Decimal(repr(value))
    if exact == 0:
        return "0"
    if not PLAIN[0] <= exact < PLAIN[1]:
        return f"{value:.3g}"
    digits = max(0, 2 - exact.adjusted())
    rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    if rounded.adjusted() > exact.adjusted() and digits:  # 99.96 is 100, not 100.0
        rounded = rounded.quantize(Decimal(1).scaleb(1 - digits))
    return f"{rounded:,f}"


def x_text(axis: Axis, x: int) -> str:
    """An x as its tick says it: '2K' for 2,048 tokens, in full where it is no multiple of 1,024."""
    if axis in KIBI_AXES and x and x % 1024 == 0:
        return f"{x // 1024:,}K"
    return f"{x:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class XScale:
    """The horizontal axis: the places of its outermost points, and that of the slot of 0 where a log2 axis has one."""

    log: bool
    first: float
    last: float
    slot: float | None

    def place(self, x: int) -> float:
        """The place of `x` in axis units: octaves on a log2 axis, x itself on a linear one."""
        if not self.log:
            return float(x)
        if x > 0:
            return log2(x)
        if self.slot is None:
            raise ValueError(f"no place for x = {x} on this axis")
        return self.slot


def x_scale(axis: Axis, xs: Iterable[int]) -> XScale:
    """The scale on which all `xs` have a place; a single x stands in the middle."""
    known = sorted(set(xs))
    if known[0] < 0:
        raise ValueError(f"an x below 0: {known[0]}")
    if axis not in LOG2_AXES:
        first, last, slot = float(known[0]), float(known[-1]), None
    elif known == [0]:
        first = last = slot = 0.0
    else:
        positive = known[known[0] == 0 :]
        first, last, slot = log2(positive[0]), log2(positive[-1]), None
        if known[0] == 0:
            first = slot = first - max(SLOT, (last - first) / 6)
    if first == last:
        return XScale(log=axis in LOG2_AXES, first=first - 1, last=last + 1, slot=slot)
    return XScale(log=axis in LOG2_AXES, first=first, last=last, slot=slot)


@dataclass(frozen=True, slots=True, kw_only=True)
class YScale:
    """The vertical axis, from zero: 3 to 5 round, evenly spaced ticks, their texts, and the largest value to hold."""

    ticks: tuple[float, ...]
    texts: tuple[str, ...]
    top: float


def y_scale(largest: float) -> YScale:
    """Round ticks from zero for values up to `largest`; one tick may stand above it by at most an eighth."""
    if largest == 0:
        return YScale(ticks=(0.0, 0.5, 1.0), texts=("0", "0.5", "1.0"), top=1.0)
    exact = Decimal(repr(largest))
    choices = []
    for power in (exact.adjusted() - 1, exact.adjusted()):
        for niceness, digit in enumerate(("1", "2", "5", "2.5")):
            step = Decimal(digit).scaleb(power)
            count = int(exact / step) + 1
            if step * count <= exact * Decimal("1.125"):
                count += 1
            if 3 <= count <= 5:
                choices.append((abs(count - 4), niceness, step, count))
    _, _, step, count = min(choices)
    decimals = max(0, -step.normalize().as_tuple().exponent)  # type: ignore[operator]  # finite: never 'n', 'N' or 'F'
    ticks = [step * index for index in range(count)]
    plain = step >= PLAIN[0] and ticks[-1] < PLAIN[1]
    texts = tuple((f"{tick:,.{decimals}f}" if plain else f"{float(tick):.2g}") if tick else "0" for tick in ticks)
    return YScale(ticks=tuple(float(tick) for tick in ticks), texts=texts, top=float(max(exact, ticks[-1])))
