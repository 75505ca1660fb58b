"""Figures as they really occur, for the tests of both drawings."""

from __future__ import annotations

from collections.abc import Sequence

from proofpress.charts.figure import Absence, Figure, Mark, Series
from proofpress.records.axis import Axis

LABELS = {
    Axis.CONTEXT_TOKENS: "prompt tokens, one user",
    Axis.CONTEXT_DEPTH: "tokens already in the cache",
    Axis.CONCURRENT_USERS: "users at once",
    Axis.DRAFT_DEPTH: "drafted tokens per step",
    Axis.SUITE: "",
}


def series(
    values: Sequence[tuple[int, float]],
    absent: Sequence[tuple[int, str]] = (),
    *,
    name: str = "mtp3",
    unit: str = "tok/s",
) -> Series:
    """A series from pairs of x and value, and pairs of x and count."""
    return Series(
        id=name,
        label=f"Set-up {name}",
        marks=tuple(
            Mark(x=x, value=value, detail=(f"{value} {unit}", f"at {x}", "identity 1/1")) for x, value in values
        ),
        absences=tuple(Absence(x=x, count=count, reason=f"{count} outputs equal the oracle's") for x, count in absent),
    )


def figure(
    axis: Axis,
    *all_series: Series,
    name: str = "q9-c2-users.mtp3.aggregate_wall.concurrent_users",
    unit: str = "tok/s, one user",
) -> Figure:
    """A figure of these series with a title and a description of its own."""
    return Figure(
        id=name,
        title=f"Speed over {axis.value}",
        description="All values are in the table under this chart.",
        axis=axis,
        axis_label=LABELS[axis],
        unit=unit,
        series=all_series,
    )


TOGETHER = "tok/s, all users together"
CONTEXT = (2048, 4096, 8192, 16384, 24576, 32768)
USERS = figure(
    Axis.CONCURRENT_USERS,
    series([(1, 113.0), (2, 211.1), (4, 310.7), (8, 564.7)], [(16, "15/16"), (32, "30/32"), (64, "57/64")]),
    unit=TOGETHER,
)
USERS_ALL = figure(
    Axis.CONCURRENT_USERS,
    series([(1, 96.1), (2, 180.3), (4, 291.0), (8, 455.2), (16, 640.9), (32, 811.4), (64, 927.9)]),
    name="users-all",
    unit=TOGETHER,
)
CONTEXT_CURVE = figure(
    Axis.CONTEXT_TOKENS,
    series(list(zip(CONTEXT, (105.88, 126.208, 120.092, 103.277, 100.235, 86.789), strict=True))),
    name="context",
)
DEPTH = figure(
    Axis.DRAFT_DEPTH,
    series(list(enumerate((33.097, 54.935, 70.142, 79.183, 82.396, 86.182)))),
    name="depth",
)
TTFT = figure(
    Axis.CONTEXT_TOKENS,
    series(list(zip(CONTEXT, (586.0, 1102.4, 2250.7, 4773.0, 7421.9, 10312.6), strict=True)), unit="ms"),
    name="ttft",
    unit="ms to the first token, median of three requests",
)
ONE_POINT = figure(Axis.CONCURRENT_USERS, series([(1, 98.139)]), name="one-point")
HOLE = figure(
    Axis.CONCURRENT_USERS,
    series([(1, 113.0), (8, 564.7), (32, 811.4)], [(16, "15/16"), (64, "queued")]),
    name="hole",
    unit=TOGETHER,
)
ZERO_DEPTH = figure(
    Axis.CONTEXT_DEPTH,
    series([(0, 41.2), (512, 40.9), (2048, 39.6), (8192, 35.1), (12200, 33.5), (32768, 24.0)]),
    name="zero-depth",
)
GONE = {(32, 1), (64, 1), (16, 3), (32, 3), (64, 3), (64, 5)}
LADDER = (1, 2, 4, 8, 16, 32, 64)
SIX = figure(
    Axis.CONCURRENT_USERS,
    *(
        series(
            [(x, round((40 + 14 * i) * x ** (0.62 - 0.03 * i), 1)) for x in LADDER if (x, i) not in GONE],
            [(x, f"{x - 1}/{x}") for x in LADDER if (x, i) in GONE],
            name=f"mtp{i}",
        )
        for i in range(6)
    ),
    name="six",
    unit=TOGETHER,
)
TWO = figure(
    Axis.CONTEXT_TOKENS,
    series(list(zip(CONTEXT, (105.88, 126.208, 120.092, 103.277, 100.235, 86.789), strict=True)), name="FP8"),
    series(list(zip(CONTEXT, (66.1, 65.9, 63.2, 60.0, 57.7, 52.3), strict=True)), name="Q8"),
    name="two",
)
EQUAL = figure(
    Axis.DRAFT_DEPTH,
    series([(0, 33.1), (1, 54.9), (2, 70.1)], name="a"),
    series([(0, 33.1), (1, 60.2), (2, 70.1)], name="b"),
    name="equal",
)
FAR_APART = figure(Axis.CONTEXT_TOKENS, series([(1000, 1.0), (131072, 10000.0)]), name="far-apart")
NAMES = figure(
    Axis.CONTEXT_TOKENS,
    series([(2048, 10.0), (4096, 12.0)], name="<b>&\"'"),
    series(
        [(2048, 20.0), (4096, 22.0)],
        name="通义千问 九十亿 参数 一张 显卡 עברית and a very long name that no legend holds",
    ),
    name="names",
)

ALL = (USERS, USERS_ALL, CONTEXT_CURVE, DEPTH, TTFT, ONE_POINT, HOLE, ZERO_DEPTH, SIX, TWO, EQUAL, FAR_APART, NAMES)
