"""Captions and what stands beside them: statistics, comparisons, gaps, run tables and workloads say what the evidence holds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from html_page import Element, page

from proofpress.charts.chart import figure_of
from proofpress.derive import caption, wording
from proofpress.derive.edition import Edition
from proofpress.derive.fact import Fact, filled
from proofpress.records.axis import Axis
from proofpress.records.campaign import LLAMA_BENCH

H200 = "h200-qwen3-random-static-batch"


def texts(edition: Edition, card: str, axis: Axis, metric: str) -> list[caption.Caption]:
    derived = next(derived for derived in edition.cards if derived.id == card)
    return [
        caption.of_profile(profile, edition.library.vocabulary)
        for profile in derived.on_axis(axis)
        if profile.choice.metric == metric
    ]


def test_rates_of_llama_bench_are_means_and_no_medians(edition: Edition) -> None:
    found = 0
    for derived in edition.cards:
        for profile in derived.profiles:
            if profile.campaign.workload.suite == LLAMA_BENCH:
                sent = caption.of_profile(profile, edition.library.vocabulary).sent
                assert sent.endswith(
                    "Each point is a rate that llama-bench itself reports, the mean of five repetitions."
                )
                found += 1
    assert found == 16


def test_a_ladder_of_requests_keeps_its_metrics_statistic(edition: Edition) -> None:
    (one, *_) = texts(edition, "qwen35-9b-fp8-b70", Axis.CONTEXT_TOKENS, "decode")
    assert "Each point is the median over requests of the rate after the first token" in one.sent


def test_one_user_was_compared_with_the_other_server_where_every_request_is_there(edition: Edition) -> None:
    words = "the answers to one user of both servers, those to one user with the other server's"
    of_rows = texts(edition, H200, Axis.CONCURRENT_USERS, "aggregate_wall")
    assert [f"compared with {words};" in one.checked for one in of_rows] == [True, True]
    of_record = texts(edition, "qwen35-9b-fp8-b70", Axis.CONCURRENT_USERS, "aggregate_wall")
    assert all("compared with the same server's own answers to one user;" in one.checked for one in of_record)


@pytest.fixture(scope="module")
def users(site: Mapping[str, bytes]) -> Element:
    return page(site["evidence/h200-qwen3-random-users.html"])


def test_a_run_table_says_what_was_compared(users: Element) -> None:
    def said(name: str) -> str:
        return next(users.one(id=f"runs-{name}").all("p")).text

    assert said("fp32-concurrent-users").startswith("Compared with the answers to one user of both servers")
    assert said("bf16-context-tokens") == "Compared with nothing; a reference run."


def test_a_legend_has_the_signs_of_its_matrix_and_no_others(users: Element) -> None:
    legends = [section.one(class_="matrix-legend").text for section in users.all(class_="evidence-run")]
    assert [legend.partition("pass. ")[2] for legend in legends] == [
        "= equal to the oracle, ≠ different, · not sent.",
        "○ is the oracle.",
        "= equal to the oracle, · not sent.",
    ]


@pytest.mark.parametrize("campaign", ["h200-qwen3-random-users", "h200-qwen3-random-strict-ngram"])
def test_a_derived_metric_is_labelled_and_brings_its_formula(campaign: str, site: Mapping[str, bytes]) -> None:
    for section in page(site[f"evidence/{campaign}.html"]).all(class_="evidence-run"):
        table = next(section.all("table"))
        heads = [head.text for head in next(table.all("thead")).all("th")]
        assert len(heads) == len(set(heads))
        assert not any(head.startswith("prompt over TTFT,") and "derived" not in head for head in heads)
        if any("prompt over TTFT" in head for head in heads):
            assert "number of prompt tokens divided by the time to first token" in next(table.all("caption")).text


def test_a_workload_of_one_axis_is_printed(users: Element) -> None:
    facts = {
        pair.one("dt").text: pair.one("dd").text for dl in users.all("dl", class_="facts") for pair in dl.all("div")
    }
    assert facts["Over prompt tokens sent"].endswith("three prompts, three requests at each level")
    assert facts["TF32"] == "off"


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("qwen35-9b-fp8-b70", "values of two rows of the suite table are withheld for want of it"),
        ("qwen38-27b-256k-vision-mtp-b70", "values of one row of the suite table are withheld for want of it"),
    ],
)
def test_what_lacks_identity_evidence_is_called_what_it_is(card: str, words: str, edition: Edition) -> None:
    assert [gap.detail for gap in edition.gaps[card] if gap.id == "identity-evidence"] == [words]


def test_servers_that_differ_are_counted_over_levels_drawn_or_not(edition: Edition) -> None:
    (detail,) = [gap.detail for gap in edition.gaps[H200] if gap.id == "quiet-machine"]
    assert detail.endswith("at 16 of 20 points that several servers measured")


def test_a_pending_number_has_no_unit(site: Mapping[str, bytes]) -> None:
    number = page(site["models/qwen38-27b-256k-vision-mtp-b70.html"]).one(class_="headline-number")
    assert number.text == "pending"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (33024, "tokens", "33,024 tokens"), (67248, None, "67,248"), (True, None, "on"), (False, None, "off"),
        (["a", "b"], None, "a, b"), ([], None, "none"), ("FULL", None, "FULL"),
    ],
)  # fmt: skip
def test_a_setting_reads_the_same_on_every_page(value: object, unit: str | None, text: str) -> None:
    assert wording.setting(value, unit) == text


def test_settings_of_the_compare_page_are_those_of_the_evidence_page(site: Mapping[str, bytes]) -> None:
    compared = site[f"compare/{H200}.js"].decode()
    assert '["TF32","off"]' in compared
    assert '"67248"' not in b"".join(content for path, content in site.items() if path.startswith("compare/")).decode()


def test_a_difference_that_withheld_points_share_is_said_once_in_plain_words(site: Mapping[str, bytes]) -> None:
    notes = [note.text for note in page(site[f"models/{H200}.html"]).all(class_="withheld", data_state="withheld")]
    shared = [
        "Where they first differ: prompt p00 differs from arm bf16, server a, cold pass.",
        (
            "Where they first differ: prompt s00 differs after 21 equal tokens from arm bf16-none, server a, first pass: "
            "token id 67541 instead of 112909."
        ),
    ]
    assert [sum(note.count(words) for note in notes) for words in shared] == [1, 1]
    assert sum(note.count("differs") for note in notes) == 2


def test_numbers_of_a_guide_are_grouped_in_prose_and_plain_in_commands(site: Mapping[str, bytes]) -> None:
    words = "[[fact setting a n]] tokens, `-c [[fact setting a n]]`\n\n```sh\nserve -c [[fact setting a n]]\n```\n"
    known = {"setting a n": Fact(code="33024", prose="33,024")}
    assert filled(words, known) == "33,024 tokens, `-c 33024`\n\n```sh\nserve -c 33024\n```\n"
    text = page(site["guides/qwen35-9b-fp8-b70.html"]).text
    assert "a longest context of 33,024 tokens and 1 slot" in text


def test_a_chart_of_waiting_times_says_which_time(edition: Edition) -> None:
    derived = next(derived for derived in edition.cards if derived.id == H200)
    (profile,) = [profile for profile in derived.profiles if profile.choice.metric == "ttft_p50"]
    assert figure_of(profile, H200, edition.library.vocabulary).unit == "ms, time to first token"


def test_what_all_runs_share_is_said_once_above_their_table(site: Mapping[str, bytes]) -> None:
    section = page(site["evidence/h200-qwen3-random-strict-ngram.html"]).one(id="runs-bf16-none-suite")
    table = next(section.all("table"))
    assert "All measured on 2026-11-30. Identity of all: counted." in table.one("caption").text
    assert not {"Day", "Basis"} & {head.text for head in table.one("thead").all("th")}


def test_a_number_format_has_a_column_of_its_own(users: Element) -> None:
    arms = [section for section in users.all("section") if section.children and list(section.all("h2", id="arms"))][-1]
    assert [head.text for head in arms.one("thead").all("th")][-2:] == ["Speculation", "Number format"]
    assert [[cell.text for cell in row.all("td")][-2:] for row in arms.one("tbody").all("tr")] == [
        ["none", "bf16"],
        ["none", "fp32"],
    ]
