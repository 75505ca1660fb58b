"""Lists of set-ups, the library and the pages of families and accelerators: each number says whose it is and what is proved of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofpress.derive import wording
from proofpress.derive.edition import Edition
from proofpress.pages.group_page import AT_CONTEXT, group_pages
from proofpress.pages.index_page import index_page
from proofpress.pages.page import Row
from proofpress.records.axis import Axis


def rows(edition: Edition) -> Iterator[tuple[str, Row]]:
    """Each row of the pages of accelerators, with its card's id."""
    for page in group_pages(edition):
        if page.head.path.startswith("hardware/"):
            for row in page.table.rows:
                yield (row.cells[0].href or "").removeprefix("../models/").removesuffix(".html"), row


def test_each_identity_says_with_what_and_how_outputs_were_compared(edition: Edition) -> None:
    listed = {entry.id: entry for entry in index_page(edition).entries}
    beside = dict(rows(edition))
    for derived in edition.cards:
        identity = derived.headline.finding.identity if derived.headline else None
        compared = listed[derived.id].compared
        if identity is None:
            assert not compared
            continue
        assert compared.endswith("method not stated" if identity.method == "not-stated" else "token by token")
        assert f"{identity} identical {compared}" in beside[derived.id].cells[0].note


@pytest.mark.parametrize(
    ("card", "compared"),
    [
        ("h200-qwen3-random-static-batch", "to those without speculation, token by token"),
        ("qwen35-9b-fp8-b70", "to those without speculation, method not stated"),
        ("lfm25-26b-q8-b70", "between servers, method not stated"),
        ("laguna-s-2.1-int4-b70-125tps", "to what is not stated, method not stated"),
    ],
)
def test_the_words_are_those_of_the_cards_own_check(card: str, compared: str, edition: Edition) -> None:
    assert [entry.compared for entry in index_page(edition).entries if entry.id == card] == [compared]


def test_a_dash_at_a_level_says_that_nothing_was_measured_there(edition: Edition) -> None:
    for card, row in rows(edition):
        derived = next(derived for derived in edition.cards if derived.id == card)
        measured = {
            finding.value
            for profile in derived.on_axis(Axis.CONTEXT_TOKENS)
            if profile.choice.metric == "decode"
            for finding in profile.findings
            if finding.x == AT_CONTEXT
        }
        assert (row.cells[2].text == "–") is (not measured)
        assert (row.cells[3].text == "–") is (not derived.on_axis(Axis.CONCURRENT_USERS))


@pytest.mark.parametrize(
    ("card", "context", "users"),
    [
        ("h200-qwen3-random-static-batch", ("123.884", "no speculation, bf16"), ("32", "no speculation")),
        ("qwen38-27b-fp8-tp2-b70", ("31.181", "no speculation"), ("16", "")),
        ("qwen35-9b-fp8-b70", ("103.277", ""), ("8", "")),
        ("qwen38-27b-q4km-mtp2-tp1-b70", ("34.655", ""), ("withheld", "")),
        ("ornith-15-9b-q8-b70", ("–", ""), ("–", "")),
    ],
)
def test_a_number_of_another_configuration_says_so(
    card: str, context: tuple[str, str], users: tuple[str, str], edition: Edition
) -> None:
    cells = dict(rows(edition))[card].cells
    assert [(cell.text, cell.note) for cell in cells[2:4]] == [context, users]


@pytest.mark.parametrize(
    ("card", "labels"),
    [
        ("qwen38-27b-fp8-tp2-b70", ["over context, no speculation", "over users, 2 withheld"]),
        ("h200-qwen3-random-static-batch", ["over context, no speculation, bf16", "over users, no speculation"]),
        ("qwen35-9b-fp8-b70", ["over context", "over users, 3 withheld"]),
    ],
)
def test_a_small_curve_of_another_configuration_says_so(card: str, labels: list[str], edition: Edition) -> None:
    entry = next(entry for entry in index_page(edition).entries if entry.id == card)
    assert [curve.label for curve in entry.curves] == labels


def test_a_number_below_lower_ones_is_explained(edition: Edition) -> None:
    page = index_page(edition)
    assert (
        page.aside == "Set-ups that are for checking the method only stand below those for use, whatever their speed."
    )
    aside = [entry for entry in page.entries if entry.exact and not entry.is_for_use]
    assert aside
    assert all("for checking the method only" in entry.setup for entry in aside)


def test_the_configuration_of_a_card_is_not_repeated(edition: Edition) -> None:
    for card, row in rows(edition):
        derived = next(derived for derived in edition.cards if derived.id == card)
        if derived.headline is not None:
            own = wording.speculation(derived.headline.arm)
            assert all(cell.note != own for cell in row.cells[1:])
