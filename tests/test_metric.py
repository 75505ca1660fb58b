"""Metrics: each formula by hand, which requests count, what a sample is, and what must not change a value."""

from __future__ import annotations

import inspect
from random import Random

import pytest
from campaign_cases import ROOT, vocabulary
from hypothesis import given
from hypothesis import strategies as st
from rows import batch, request

from proofpress.kernel import metric
from proofpress.kernel.metric import FORMULAS, measure
from proofpress.kernel.reading import Measured, exact_value
from proofpress.load.source import read_yaml
from proofpress.records.axis import Axis
from proofpress.records.campaign import Batch, Request


def value(measured: Measured | None) -> float:
    assert measured is not None
    return measured.value


def test_decode_is_the_median_rate_after_the_first_token() -> None:
    rows = [request(last=1.1), request(last=0.6), request(last=2.1)]  # 10, 20 and 5 tok/s
    assert metric.decode([batch(*rows)]) == Measured(value=10.0, samples=3)


def test_decode_of_an_even_number_is_the_centre_of_the_middle_two() -> None:
    assert value(metric.decode([batch(request(last=1.1), request(last=0.6))])) == 15.0


def test_decode_leaves_out_an_answer_of_one_token_and_says_so_in_its_samples() -> None:
    assert metric.decode([batch(request(), request(tokens=1, last=0.1))]) == Measured(value=10.0, samples=1)
    assert metric.decode([batch(request(tokens=1, last=0.1))]) is None


def test_decode_takes_the_requests_of_all_batches_as_samples() -> None:
    assert metric.decode([batch(request(last=1.1)), batch(request(last=0.6)), batch(request(last=0.6))]) == Measured(
        value=20.0, samples=3
    )


def _timed(step: float, tokens: int, *, class_: str | None = "code") -> Request:
    times = [0.5 + step * position for position in range(tokens)]
    return request(first=times[0], last=times[-1], tokens=tokens, times=times, class_=class_)


def test_the_window_is_99_intervals_whatever_comes_after_token_100() -> None:
    times = [0.01 * position for position in range(1, 101)] + [5.0, 9.0]
    row = request(first=0.01, last=9.0, tokens=102, times=times)
    assert metric.decode_1_100([batch(row)]) == Measured(value=100.0, samples=1)


def test_the_window_takes_bursts_of_speculation_as_they_are() -> None:
    times = [0.1] + [0.1 + 0.3 * (1 + step // 3) for step in range(99)]  # three tokens a step, 33 steps
    row = request(first=0.1, last=times[-1], tokens=100, times=times)
    assert value(metric.decode_1_100([batch(row)])) == exact_value(99 / 9.9)


def test_an_answer_that_ended_before_token_100_has_no_window() -> None:
    assert metric.decode_1_100([batch(_timed(0.01, 100), _timed(0.02, 99))]) == Measured(value=100.0, samples=1)
    assert metric.decode_1_100([batch(_timed(0.01, 99))]) is None


def test_one_request_without_token_times_leaves_the_run_without_a_window() -> None:
    assert metric.decode_1_100([batch(_timed(0.01, 120), request(tokens=120))]) is None


def test_classes_weigh_the_same_however_many_prompts_they_have() -> None:
    rows = [request(last=1.1, class_="code")] * 5 + [
        request(last=0.6, class_="prose"),
        request(last=0.35, class_="list"),
    ]
    assert metric.class_balanced_decode([batch(*rows)]) == Measured(value=20.0, samples=3, sampled="prompt classes")


def test_class_balanced_window() -> None:
    rows = [_timed(0.01, 120, class_="a"), _timed(0.02, 120, class_="a"), _timed(0.01, 120, class_="b")]
    measured = metric.class_balanced_decode_1_100([batch(row) for row in rows])
    assert measured == Measured(value=87.5, samples=2, sampled="prompt classes")  # (75 + 100) / 2


@pytest.mark.parametrize("name", ["class_balanced_decode", "class_balanced_decode_1_100"])
def test_a_balance_needs_every_class(name: str) -> None:
    formula = FORMULAS[name].function
    assert formula([batch(_timed(0.01, 120), _timed(0.01, 120, class_=None))]) is None
    one_token = request(first=0.1, last=0.1, tokens=1, times=[0.1], class_="b")
    assert formula([batch(_timed(0.01, 120, class_="a"), one_token)]) is None


def test_the_aggregate_is_all_tokens_over_all_wall_time() -> None:
    batches = [batch(request(), request(), wall=2.0), batch(request(), request(), wall=3.0)]
    assert metric.aggregate_wall(batches) == Measured(value=8.8, samples=2, sampled="batches")


def test_streams_add_up_within_a_batch_and_average_over_batches() -> None:
    batches = [batch(request(last=1.1), request(last=0.6)), batch(request(last=0.6), request(last=0.6))]
    assert metric.aggregate_streams(batches) == Measured(value=35.0, samples=2, sampled="batches")


def test_streams_are_not_summed_without_one_of_them() -> None:
    assert metric.aggregate_streams([batch(request(), request(tokens=1, last=0.1))]) is None


def test_time_to_first_token_is_from_the_requests_own_start_in_milliseconds() -> None:
    rows = [request(first=0.1 * n + 0.05, start=0.05, last=9.0) for n in (3, 1, 2, 4)]
    assert metric.ttft_p50([batch(*rows)]) == Measured(value=200.0, samples=4)  # nearest rank: an observed value
    assert metric.ttft_p95([batch(*rows)]) == Measured(value=400.0, samples=4)
    assert metric.ttft_mean([batch(*rows)]) == Measured(value=250.0, samples=4)


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (19, 19), (20, 19), (21, 20), (40, 38), (100, 95)])
def test_the_95th_percentile_is_by_nearest_rank(count: int, expected: int) -> None:
    rows = [request(first=n / 1000, last=9.0) for n in range(1, count + 1)]
    assert value(metric.ttft_p95([batch(*rows)])) == expected


def test_prompt_over_ttft_is_a_median_of_quotients() -> None:
    rows = [request(first=first, prompt_tokens=2048) for first in (0.5, 1.0, 1.024)]
    assert metric.prompt_over_ttft([batch(*rows)]) == Measured(value=2048.0, samples=3)


@pytest.mark.parametrize("name", ["aggregate_batched_bench", "prefill_server"])
def test_what_only_a_tool_reports_is_never_made_from_rows(name: str) -> None:
    assert FORMULAS[name].function([batch(request())]) is None


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_a_run_without_batches_has_no_value(name: str) -> None:
    assert FORMULAS[name].function([]) is None


def test_a_run_gets_only_the_metrics_of_its_axis() -> None:
    batches = [batch(request())]
    assert "aggregate_wall" not in measure(batches, Axis.SUITE)
    assert "class_balanced_decode" not in measure(batches, Axis.CONCURRENT_USERS)
    assert measure(batches, Axis.CONCURRENT_USERS).keys() >= {"decode", "aggregate_wall", "ttft_p50"}


def test_every_formula_is_stated_where_it_is_computed() -> None:
    for name, formula in FORMULAS.items():
        text = inspect.getdoc(formula.function)
        assert text, name
        assert formula.unit in text, name


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_formulas_and_the_vocabulary_are_a_pair(name: str) -> None:
    loaded = read_yaml(ROOT, "content/vocabulary.yaml")
    assert loaded.source is not None
    assert isinstance(loaded.source.data, dict)
    metrics = loaded.source.data["metrics"]
    assert set(metrics) == set(FORMULAS) == set(vocabulary().metrics)
    assert metrics[name]["unit"] == FORMULAS[name].unit


# Times are multiples of 1/1024 s, so that doubling and adding are exact and the properties can be stated without tolerance.
_ticks = st.integers(1, 4096)


@st.composite
def rows(draw: st.DrawFn) -> Request:
    start, gap, rest = (
        draw(st.integers(0, 512)),
        draw(_ticks),
        draw(st.lists(st.integers(0, 64), min_size=1, max_size=120)),
    )
    times = [(start + gap) / 1024]
    for step in rest:
        times.append(times[-1] + step / 1024)
    times[-1] += 1 / 1024
    return request(
        start=start / 1024,
        first=times[0],
        last=times[-1],
        tokens=len(times),
        times=times,
        class_=draw(st.sampled_from(["a", "b", "c"])),
        prompt_tokens=draw(st.integers(1, 4096)),
    )


runs = st.lists(st.lists(rows(), min_size=1, max_size=4).map(lambda found: batch(*found)), min_size=1, max_size=3)


def _slower(row: Request) -> Request:
    times = row.token_times_s
    assert times is not None
    return row.model_copy(
        update={
            "start_s": 2 * row.start_s,
            "first_token_s": 2 * row.first_token_s,
            "last_token_s": 2 * row.last_token_s,
            "token_times_s": tuple(2 * time for time in times),
        }
    )


@given(runs)
def test_twice_the_time_is_half_the_rate_and_twice_the_wait(batches: list[Batch]) -> None:
    slower = [Batch(wall_s=2 * one.wall_s, requests=tuple(_slower(row) for row in one.requests)) for one in batches]
    for name, formula in FORMULAS.items():
        before, after = formula.function(batches), formula.function(slower)
        if before is None or after is None:
            assert before is after, name
            continue
        factor = 2 if formula.unit == "ms" else 0.5
        assert after.value == pytest.approx(before.value * factor, rel=1e-11), name
        assert (after.samples, after.sampled) == (before.samples, before.sampled)


@given(runs, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_batches_changes_nothing(batches: list[Batch], random: Random) -> None:
    shuffled = []
    for one in batches:
        mixed = list(one.requests)
        random.shuffle(mixed)
        shuffled.append(Batch(wall_s=one.wall_s, requests=tuple(mixed)))
    random.shuffle(shuffled)
    for name, formula in FORMULAS.items():
        assert formula.function(batches) == formula.function(shuffled), name


@given(st.lists(_ticks, min_size=1, max_size=40))
def test_a_percentile_is_a_value_that_was_measured(ticks: list[int]) -> None:
    batches = [batch(*(request(first=tick / 1024, last=9.0) for tick in ticks))]
    observed = {exact_value(1000 * tick / 1024) for tick in ticks}
    for name in ("ttft_p50", "ttft_p95"):
        assert value(FORMULAS[name].function(batches)) in observed
    below = [tick for tick in ticks if exact_value(1000 * tick / 1024) <= value(metric.ttft_p50(batches))]
    assert 2 * len(below) >= len(ticks)


def test_servers_combine_to_twelve_digits() -> None:
    assert exact_value((98.251 + 98.027) / 2) == 98.139
