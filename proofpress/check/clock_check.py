"""Clock check: what the times of rows must keep among themselves, and with the day on which they were taken. Goes out: problems.

Only what is certain is refused; what only looks wrong is a warning. A tolerance is there for clocks that were rounded, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from math import fsum
from statistics import median

from proofpress.check.row_check import batches, rows, runs
from proofpress.kernel.plan import run_name
from proofpress.load.source import Location, Source
from proofpress.problem import Problem, Severity
from proofpress.records.axis import Axis
from proofpress.records.campaign import MeasuredRun, RequestCampaign, arm_of

ROUNDING_S = 0.001
"""A tool that prints milliseconds rounds its times by up to half of one; wall and last token may do so in opposite directions."""
MILLI = 1000
DAY_S = 25 * 3600
"""The longest day there is, when clocks are put back."""
SLOWEST = 0.2
"""Tokens per second of one answer below which nobody measures: five seconds for each token."""
FASTEST = 1_000_000
"""Tokens per second of one answer that no machine writes."""
FEW_REQUESTS = 4
TELLING_DIGITS = 8
"""Fewer requests, or times with fewer digits together, may be equal by chance: two batches that a coarse clock timed."""
SHARED = 0.1
"""Share of a run's tokens that may have the time of the one before; now and then two come through a network together."""


def time_order(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """number.time-order: a first token not after the start, or a last token before the first."""
    for place, _, request in rows(campaign):
        if request.first_token_s <= request.start_s:
            yield source.problem(
                "number.time-order",
                (*place, "first_token_s"),
                found=f"{request.first_token_s} s, with the start at {request.start_s} s",
                expected="the first token comes after the start",
            )
        elif request.last_token_s < request.first_token_s:
            yield source.problem(
                "number.time-order",
                (*place, "last_token_s"),
                found=f"{request.last_token_s} s, with the first token at {request.first_token_s} s",
                expected="the last token does not come before the first",
            )


def no_duration(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """number.no-duration: more tokens than one step can give at the same instant, or so near to it that no machine is as fast."""
    for place, run, request in rows(campaign):
        arm = arm_of(campaign, run.arm)
        depth = arm.depth if arm else 0
        if depth is None:
            continue  # how many tokens one step can give is not known
        one_step = 1 + depth
        span = request.last_token_s - request.first_token_s
        if request.output_tokens > one_step and 0 <= span * FASTEST < request.output_tokens - one_step:
            yield source.problem(
                "number.no-duration",
                (*place, "last_token_s"),
                found=f"{request.output_tokens} tokens from {request.first_token_s} s to {request.last_token_s} s",
                expected=f"more tokens than one step gives take time; nothing writes {FASTEST:,} tok/s for one user",
            )


def token_times(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.token-times: token times that do not agree with the count, with each other, or with first and last token."""
    for place, _, request in rows(campaign):
        times = request.token_times_s
        if times is None:
            continue
        where = (*place, "token_times_s")
        found = expected = ""
        if len(times) != request.output_tokens:
            found = f"{len(times)} times for {request.output_tokens} output tokens"
            expected = "each output token has one time"
        elif tuple(sorted(times)) != times:
            position = next(index for index, (before, after) in enumerate(pairwise(times), 1) if after < before)
            found = f"{times[position]} s at token {position}, after {times[position - 1]} s"
            expected = "token times never go back"
        elif times and (times[0] != request.first_token_s or times[-1] != request.last_token_s):
            found = f"{times[0]} s to {times[-1]} s"
            expected = f"first_token_s ({request.first_token_s}) and last_token_s ({request.last_token_s}) are the ends of token_times_s"
        if found:
            yield source.problem("mismatch.token-times", where, found=found, expected=expected)


def wall(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.wall: a wall time that ends before the batch's last token, or a thousand times after it."""
    for place, _, batch in batches(campaign):
        if not batch.requests:
            continue
        last = max(request.last_token_s for request in batch.requests)
        first = min(request.start_s for request in batch.requests)
        spent = last - first
        hint = ""
        if first > _rounding(last):
            hint = f"times count from the start of the batch, and its first request starts at {first:.6g} s"
        elif batch.wall_s < spent - _rounding(spent):
            hint = "the wall time looks like a part of the batch, or the token times like milliseconds"
        elif batch.wall_s > MILLI / 2 * max(spent, ROUNDING_S):
            hint = "it looks like milliseconds"
        if hint:
            yield source.problem(
                "mismatch.wall",
                (*place, "wall_s"),
                found=f"{batch.wall_s} s",
                expected=f"from the first start to the last token this batch took {spent:.6g} s",
                hint=hint,
            )


def seconds(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.day, number.milliseconds: times that are seconds by their name and look like something else.

    Runs of one server follow one another. Whether a run is dated by its beginning or its end, all of a day's runs but one lie within it.
    """
    spent: dict[tuple[str, str, date], list[float]] = {}
    first: dict[tuple[str, str, date], Location] = {}
    for place, run in runs(campaign):
        key = (run.arm, run.server, run.measured_on)
        spent.setdefault(key, []).append(fsum(batch.wall_s for batch in run.batches))
        first.setdefault(key, place)
    too_long = {key: fsum(walls) for key, walls in spent.items() if fsum(walls) - max(walls) > DAY_S}
    for key, total in too_long.items():
        yield source.problem(
            "mismatch.day",
            (*first[key], "measured_on"),
            found=f"{len(spent[key])} runs of arm {key[0]} on server {key[1]} took {total / 3600:.4g} hours, all on {key[2]}",
            expected="all runs of one server and day but one fit into that day, one after the other",
            hint="the times look like milliseconds, or each run wants the day on which it was made",
        )
    measured = [(place, _looks_like_milliseconds(run)) for place, run in runs(campaign)]
    slow = [place for place, looks_so in measured if looks_so]
    if slow and not too_long:
        yield source.problem(
            "number.milliseconds",
            (*slow[0], "batches", 0, "wall_s"),
            found=f"{len(slow)} of {len(measured)} runs in which every answer has less than {SLOWEST} tok/s, or every time is whole",
            expected="times are seconds",
            hint="divide milliseconds by a thousand; if it is really so slow, leave it",
            severity=Severity.WARNING,
        )


def _looks_like_milliseconds(run: MeasuredRun) -> bool:
    """Every answer takes seconds for each token, or all times are whole and long."""
    rows_of_run = tuple(run.requests())
    steps = [(row.output_tokens - 1, row.last_token_s - row.first_token_s) for row in rows_of_run]
    paces = [tokens < SLOWEST * span for tokens, span in steps if tokens > 0]
    times = [batch.wall_s for batch in run.batches]
    times += [time for row in rows_of_run for time in (row.first_token_s, row.last_token_s)]
    whole = all(time.is_integer() for time in times) and max(times, default=0) >= MILLI
    return whole or (bool(paces) and all(paces))


def _rounding(span: float) -> float:
    """Seconds by which two clocks may differ over `span` seconds: a millisecond, and for short spans a fiftieth of them."""
    return min(ROUNDING_S, span / 50)


def in_flight(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.in-flight: a batch of x users in which one request started when another had ended."""
    for place, run, batch in batches(campaign):
        if run.axis is not Axis.CONCURRENT_USERS or not batch.requests:
            continue
        first_end = min(request.last_token_s for request in batch.requests)
        for number, request in enumerate(batch.requests):
            if request.start_s >= first_end:
                yield source.problem(
                    "mismatch.in-flight",
                    (*place, "requests", number, "start_s"),
                    found=f"{request.start_s} s, when another request of the batch had ended at {first_end} s",
                    expected=f"all {len(batch.requests)} requests of a batch are in flight at the same time",
                )
                break


def shared_times(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """mismatch.shared-times: tokens that arrived together on an arm that says it drafts nothing, as verified drafts do.

    A warning: a stream that was sent in chunks looks the same. What the rounding of clocks gives is not counted.
    """
    for place, run in runs(campaign):
        arm = arm_of(campaign, run.arm)
        timed = [request.token_times_s for request in run.requests() if request.token_times_s]
        shared, tokens = sum(map(_shared, timed)), sum(map(len, timed))
        if arm is not None and arm.speculation is None and shared > max(1, SHARED * tokens):
            yield source.problem(
                "mismatch.shared-times",
                (*place, "batches"),
                found=f"{shared} of {tokens} tokens came at the same time as the one before",
                expected=f"arm {arm.id} says that it has no speculation, and then each token is made by itself",
                hint="state the speculation; of a stream that came in chunks there are no token times, so write null",
                severity=Severity.WARNING,
            )


def copied_times(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """duplicate.times: two runs whose requests all have the same times: rows that were copied, or one run under two names.

    Looked at are runs of so many requests, with so many digits in their times, that chance does not make them equal.
    """
    seen: dict[tuple[tuple[float, ...], ...], str] = {}
    for place, run in runs(campaign):
        times = tuple(
            sorted((row.first_token_s, row.last_token_s, *(row.token_times_s or ())) for row in run.requests())
        )
        if len(times) < FEW_REQUESTS or sum(map(_digits, {time for row in times for time in row[:2]})) < TELLING_DIGITS:
            continue
        name = run_name(run.key)
        other = seen.setdefault(times, name)
        if other != name:
            yield source.problem(
                "duplicate.times",
                (*place, "batches"),
                found=f"{len(times)} requests with the times of {other}",
                expected="no two runs take the same times to the last digit: each run has its own rows",
                hint="a run that was not made is not measured; write so, with the reason",
            )


def _digits(time: float) -> int:
    """The significant digits of a time."""
    return len(Decimal(repr(time)).normalize().as_tuple().digits)


def _shared(times: Sequence[float]) -> int:
    """How many tokens have the time of the one before; none where the steps are so short that rounding alone makes them equal."""
    steps = [after - before for before, after in pairwise(times)]
    waits = [step for step in steps if step > 0]
    return steps.count(0) if waits and median(waits) > 2 * ROUNDING_S else 0
