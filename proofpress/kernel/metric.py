"""Metric: the formulas of all metrics, one function each. Comes in: the batches of one run. Goes out: `Measured`, or None.

None means that the rows lack what the formula needs; no formula guesses. Common to all of them:

- A *sample* is what the statistic is taken over, and `Measured.sampled` names it: requests, prompt classes or batches.
- Sums are exact before they are rounded (`math.fsum`) and medians sort, so the order of rows and batches changes nothing.
- The median of an even number of samples is the centre of the middle two. A percentile is by nearest rank: the smallest
  observed value that at least p percent of the samples do not exceed. It is always a value that was measured. Equal values are
  samples of their own; none is merged.
- A run is one server and one pass. Servers and passes are never pooled here; `finding` combines their values.
- Times are seconds in, milliseconds out where the unit says so; every value is rounded to 12 significant digits.

Sources: the definitions are the project's own (content/pages/formats.md); where a tool's word means the same, it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, fsum
from statistics import median

from proofpress.kernel.reading import Measured, exact_value
from proofpress.records.axis import Axis
from proofpress.records.campaign import Batch, Request

TOKENS_PER_SECOND = "tok/s"
MILLISECONDS = "ms"
LAST_OF_WINDOW = 100
"""`decode_1_100` runs from the first to this token."""

Batches = Sequence[Batch]


def decode(batches: Batches) -> Measured | None:
    """Median over requests of (output_tokens − 1) / (last_token − first_token), in tok/s.

    Counts: requests with at least two tokens whose last token came later than their first; one token has no rate. The
    inverse of what benchmark tools call TPOT, per request. Several batches: all their requests are samples alike.
    """
    return _median(_decode_rates(_requests(batches)), "requests")


def decode_1_100(batches: Batches) -> Measured | None:
    """Median over requests of 99 / (t₁₀₀ − t₁), in tok/s, from the time stamps of single tokens.

    t₁ and t₁₀₀ are the first and the hundredth time stamp: 99 intervals, whatever the answer's length beyond. Counts:
    requests with at least 100 tokens. None as soon as one request of the run has no token times. A verified draft gives
    several tokens one time stamp; the window takes them as they are, so up to `depth` tokens may fall on either side.
    """
    rates = _window_rates(_requests(batches))
    return None if rates is None else _median(rates, "requests")


def class_balanced_decode(batches: Batches) -> Measured | None:
    """Median over prompt classes of the per-class median of `decode`, in tok/s; a sample is a prompt class.

    Each class weighs the same, however many prompts it has. None where a request names no class, or where a class has no
    request that counts for `decode`: a balance without one of its classes is another statistic.
    """
    return _class_balanced(batches, _decode_rates)


def class_balanced_decode_1_100(batches: Batches) -> Measured | None:
    """Median over prompt classes of the per-class median of `decode_1_100`, in tok/s; a sample is a prompt class.

    The statistic of the strict 12-prompt, six-class suite. None under the conditions of `decode_1_100` and
    `class_balanced_decode`.
    """
    return _class_balanced(batches, _window_rates)


def aggregate_wall(batches: Batches) -> Measured | None:
    """Σ output_tokens / Σ wall over the run's batches, in tok/s; a sample is a batch.

    Wall runs from the first start of a batch to its last token, prefill and waiting included; the time between batches
    does not count. Per user is this divided by x. Tools call it output token throughput.
    """
    if not batches:
        return None
    tokens = sum(request.output_tokens for request in _requests(batches))
    if not tokens:
        return None
    return Measured(
        value=exact_value(tokens / fsum(batch.wall_s for batch in batches)), samples=len(batches), sampled="batches"
    )


def aggregate_streams(batches: Batches) -> Measured | None:
    """Σ over the requests of a batch of their decode rate, in tok/s; over several batches the mean of their sums.

    A sample is a batch. Leaves out prefill and waiting, so it is above `aggregate_wall` and never on a chart with it. None
    where a request has no decode rate: a sum without one of its streams would be too small in silence.
    """
    rates = _decode_rates(_requests(batches))
    if not rates or len(rates) != sum(len(batch.requests) for batch in batches):
        return None
    return Measured(value=exact_value(fsum(rates) / len(batches)), samples=len(batches), sampled="batches")


def aggregate_batched_bench(_batches: Batches) -> Measured | None:
    """As llama-batched-bench reports it (`S_TG`: tokens of all sequences / seconds of the decode phase), in tok/s.

    The tool writes one line per batch shape and no requests, so rows never give it; it exists in records only.
    """
    return None


def mean_output_rate(_batches: Batches) -> Measured | None:
    """Arithmetic mean over runs of output tokens / seconds of the run, as the source reports it, in tok/s.

    (Σ over n runs of tokens / seconds) / n. Sources that give it do not say whether the seconds hold the time to the first token, so rows
    never give it; it exists in records only, and a record says over how many runs or servers it was taken.
    """
    return None


def ttft_p50(batches: Batches) -> Measured | None:
    """Time to first token, first_token − start over requests, 50th percentile by nearest rank, in ms."""
    return _percentile(_ttfts(batches), 50)


def ttft_p95(batches: Batches) -> Measured | None:
    """Time to first token, first_token − start over requests, 95th percentile by nearest rank, in ms.

    With fewer than 20 requests this is the slowest of them.
    """
    return _percentile(_ttfts(batches), 95)


def ttft_mean(batches: Batches) -> Measured | None:
    """Time to first token, first_token − start over requests, arithmetic mean, in ms."""
    times = _ttfts(batches)
    if not times:
        return None
    return Measured(value=exact_value(fsum(times) / len(times)), samples=len(times))


def prefill_server(_batches: Batches) -> Measured | None:
    """Prefill rate as the engine reports it, in tok/s; rows do not hold the engine's own figure, so records only."""
    return None


def prompt_over_ttft(batches: Batches) -> Measured | None:
    """Median over requests of prompt_tokens / (first_token − start), in tok/s.

    Derived, and labelled so: the time to the first token holds queueing and one decode step as well as prefill.
    """
    rates = [
        request.prompt_tokens / (request.first_token_s - request.start_s)
        for request in _requests(batches)
        if request.first_token_s > request.start_s
    ]
    return _median(rates, "requests")


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A metric's id, unit and function, and the axes on which it means something."""

    id: str
    unit: str
    function: Callable[[Batches], Measured | None]
    axes: frozenset[Axis]


_MEASURED_AXES = frozenset(axis for axis in Axis if axis.measured)
_ONE_USER_AXES = _MEASURED_AXES - {Axis.CONCURRENT_USERS}
_MANY = frozenset({Axis.CONCURRENT_USERS})


def _formula(function: Callable[[Batches], Measured | None], unit: str, axes: frozenset[Axis]) -> tuple[str, Formula]:
    name = function.__name__
    return name, Formula(id=name, unit=unit, function=function, axes=axes)


FORMULAS: Mapping[str, Formula] = dict(
    (
        _formula(decode, TOKENS_PER_SECOND, _MEASURED_AXES),
        _formula(decode_1_100, TOKENS_PER_SECOND, _MEASURED_AXES),
        _formula(class_balanced_decode, TOKENS_PER_SECOND, _ONE_USER_AXES),
        _formula(class_balanced_decode_1_100, TOKENS_PER_SECOND, _ONE_USER_AXES),
        _formula(aggregate_wall, TOKENS_PER_SECOND, _MANY),
        _formula(aggregate_batched_bench, TOKENS_PER_SECOND, _MANY),
        _formula(aggregate_streams, TOKENS_PER_SECOND, _MANY),
        _formula(mean_output_rate, TOKENS_PER_SECOND, _ONE_USER_AXES),
        _formula(ttft_p50, MILLISECONDS, _MEASURED_AXES),
        _formula(ttft_p95, MILLISECONDS, _MEASURED_AXES),
        _formula(ttft_mean, MILLISECONDS, _MEASURED_AXES),
        _formula(prefill_server, TOKENS_PER_SECOND, _MEASURED_AXES),
        _formula(prompt_over_ttft, TOKENS_PER_SECOND, _MEASURED_AXES),
    )
)
"""Every metric there is, by id. Labels and explanations stand in the vocabulary; a test pairs the two."""


def measure(batches: Batches, axis: Axis) -> dict[str, Measured]:
    """Every metric that the rows of a run on `axis` give, by id."""
    values: dict[str, Measured] = {}
    for name, formula in FORMULAS.items():
        measured = formula.function(batches) if axis in formula.axes else None
        if measured is not None:
            values[name] = measured
    return values


def _requests(batches: Batches) -> list[Request]:
    return [request for batch in batches for request in batch.requests]


def _decode_rates(requests: Iterable[Request]) -> list[float]:
    return [
        (request.output_tokens - 1) / (request.last_token_s - request.first_token_s)
        for request in requests
        if request.output_tokens > 1 and request.last_token_s > request.first_token_s
    ]


def _window_rates(requests: Iterable[Request]) -> list[float] | None:
    rates = []
    for request in requests:
        times = request.token_times_s
        if times is None:
            return None
        if len(times) >= LAST_OF_WINDOW and times[LAST_OF_WINDOW - 1] > times[0]:
            rates.append((LAST_OF_WINDOW - 1) / (times[LAST_OF_WINDOW - 1] - times[0]))
    return rates


def _class_balanced(batches: Batches, rates_of: Callable[[Iterable[Request]], list[float] | None]) -> Measured | None:
    classes: dict[str, list[Request]] = {}
    for request in _requests(batches):
        if request.class_ is None:
            return None
        classes.setdefault(request.class_, []).append(request)
    medians = []
    for requests in classes.values():
        rates = rates_of(requests)
        if not rates:
            return None
        medians.append(median(rates))
    return _median(medians, "prompt classes")


def _ttfts(batches: Batches) -> list[float]:
    return [1000 * (request.first_token_s - request.start_s) for request in _requests(batches)]


def _median(values: Sequence[float], sampled: str) -> Measured | None:
    return Measured(value=exact_value(median(values)), samples=len(values), sampled=sampled) if values else None


def _percentile(values: Sequence[float], percent: int) -> Measured | None:
    if not values:
        return None
    rank = ceil(percent * len(values) / 100)
    return Measured(value=exact_value(sorted(values)[rank - 1]), samples=len(values))
