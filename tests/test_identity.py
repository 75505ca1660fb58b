"""Identity: who is compared with whom, by which method, and what a match is. Nothing in a file is believed."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from campaign_cases import base_text, changed, requests_of
from hypothesis import given
from hypothesis import strategies as st

from proofpress.kernel.digest import digest_of
from proofpress.kernel.identity import Comparison, Oracles
from proofpress.records.campaign import Digest, MeasuredRun

U32 = Digest(algorithm="sha256", encoding="u32le")
Change = Callable[[dict[str, Any]], object]


def _row(data: dict[str, Any], run: int, batch: int, row: int) -> dict[str, Any]:
    found: dict[str, Any] = data["runs"][run]["batches"][batch]["requests"][row]
    return found


def _compared(text: str, index: int) -> Comparison | None:
    campaign = requests_of(text)
    run = campaign.runs[index]
    assert isinstance(run, MeasuredRun)
    return Oracles(campaign).compare(run)


def _partners(text: str, index: int) -> list[str]:
    campaign = requests_of(text)
    run = campaign.runs[index]
    assert isinstance(run, MeasuredRun)
    return [other.name for other in Oracles(campaign).of(run)]


def _count(text: str, index: int) -> str:
    compared = _compared(text, index)
    return "nothing" if compared is None else f"{compared.identity} {compared.identity.method}"


def test_several_users_are_compared_with_one_user_on_every_server() -> None:
    text = base_text("tiny-requests")
    assert _partners(text, 3) == ["arm bf16, server a, cold pass", "arm bf16, server b, cold pass"]
    assert _count(text, 3) == "4/4 token_ids_sha256"


def test_one_user_is_compared_with_the_other_server_and_never_with_itself() -> None:
    assert _partners(base_text("tiny-requests"), 0) == ["arm bf16, server b, cold pass"]
    assert _count(base_text("tiny-requests"), 0) == "4/4 token_ids_sha256"


def test_a_reference_run_without_company_has_no_count() -> None:
    text = base_text("tiny-suite")
    assert _partners(text, 0) == []
    assert _count(text, 0) == "nothing"


def test_speculation_is_compared_with_the_named_arm() -> None:
    assert _partners(base_text("tiny-suite"), 1) == ["arm none, server a, first pass"]
    assert _count(base_text("tiny-suite"), 1) == "2/2 token_ids"


def test_an_arm_that_names_no_oracle_has_none_for_several_users() -> None:
    assert _partners(changed("tiny-requests", lambda data: data["arms"][0].update(oracles={})), 3) == []


def test_an_arm_that_names_no_oracle_is_still_compared_with_its_second_server() -> None:
    assert (
        _count(changed("tiny-requests", lambda data: data["arms"][0].update(oracles={})), 0) == "4/4 token_ids_sha256"
    )


def test_another_servers_one_user_rows_alone_are_not_ones_own() -> None:
    def keep_only_b(data: dict[str, Any]) -> None:
        del data["runs"][0]

    assert _partners(changed("tiny-requests", keep_only_b), 2) == []


def _speculating(data: dict[str, Any]) -> None:
    data["arms"][0]["speculation"] = {"method": "ngram", "depth": 3, "draft_head": None}


def test_several_users_of_a_speculating_arm_may_have_its_own_one_user_rows() -> None:
    assert _count(changed("tiny-requests", _speculating), 3) == "4/4 token_ids_sha256"


def test_speculation_is_not_proved_by_repeating_itself() -> None:
    """Twice the same wrong answers are still wrong: on the suite, own_sequential gives an arm with speculation nothing."""

    def own(data: dict[str, Any]) -> None:
        data["arms"][1]["oracles"] = {"suite": {"kind": "own_sequential"}}
        second = json.loads(json.dumps(data["runs"][1]))
        second["server"] = "b"
        data["runs"].append(second)

    text = changed("tiny-suite", own)
    assert (_partners(text, 1), _count(text, 3)) == ([], "nothing")


def test_one_user_of_a_speculating_arm_needs_rows_other_than_its_own() -> None:
    def alone(data: dict[str, Any]) -> None:
        _speculating(data)
        del data["runs"][6]

    assert _count(changed("tiny-requests", alone), 0) == "nothing"


def test_prompts_are_keyed_by_axis() -> None:
    """s0 on the context axis is another prompt than s0 of the suite: nothing to compare, and no difference either."""
    assert _partners(base_text("tiny-suite"), 2) == []


def test_prompts_are_keyed_by_x_on_the_context_axis() -> None:
    def second_length(data: dict[str, Any]) -> None:
        run = json.loads(json.dumps(data["runs"][2]))
        run["x"] = run["batches"][0]["requests"][0]["prompt_tokens"] = 4000
        data["runs"].append(run)

    def second_server(data: dict[str, Any]) -> None:
        run = json.loads(json.dumps(data["runs"][2]))
        run["server"] = "b"
        data["runs"].append(run)

    assert _partners(changed("tiny-suite", second_length), 3) == []
    assert _partners(changed("tiny-suite", second_server), 3) == ["arm none, server a, first pass"]


def test_a_second_pass_of_fewer_prompts_counts_the_prompts_in_common() -> None:
    def warm_pass(data: dict[str, Any]) -> None:
        run = json.loads(json.dumps(data["runs"][0]))
        run["pass"] = "warm"
        run["batches"] = run["batches"][:1]
        data["runs"] = [data["runs"][0], run]

    text = changed("tiny-requests", warm_pass)
    assert (_count(text, 0), _count(text, 1)) == ("1/1 token_ids_sha256", "1/1 token_ids_sha256")


def test_the_first_differing_token_is_named_counting_from_0() -> None:
    compared = _compared(
        changed("tiny-suite", lambda data: _row(data, 1, 1, 0).update(output={"token_ids": [201, 202, 999, 204]})), 1
    )
    assert compared is not None
    assert str(compared.identity) == "1/2"
    assert compared.detail == (
        "prompt s1 differs after 2 equal tokens from arm none, server a, first pass: token id 999 instead of 203"
    )
    assert not compared.unstable


def test_a_longer_output_with_the_same_beginning_differs() -> None:
    compared = _compared(
        changed("tiny-suite", lambda data: _row(data, 1, 1, 0).update(output={"token_ids": [201, 202, 203]})), 1
    )
    assert compared is not None
    assert str(compared.identity) == "1/2"
    assert compared.detail == "prompt s1 differs in length from arm none, server a, first pass: 3 tokens instead of 4"


def test_an_oracle_that_disagrees_with_itself_is_unstable() -> None:
    def flip(data: dict[str, Any]) -> None:
        _row(data, 6, 1, 0)["output"]["token_ids_sha256"] = "0" * 64

    text = changed("tiny-requests", flip)
    for index in (0, 3, 6):
        compared = _compared(text, index)
        assert compared is not None
        assert (str(compared.identity), compared.unstable) == ("3/4", True)


def test_a_difference_at_a_stable_prompt_outweighs_an_unstable_one() -> None:
    def flip(data: dict[str, Any]) -> None:
        _row(data, 6, 1, 0)["output"]["token_ids_sha256"] = "0" * 64
        _row(data, 3, 0, 2)["output"]["token_ids_sha256"] = "1" * 64

    compared = _compared(changed("tiny-requests", flip), 3)
    assert compared is not None
    assert (str(compared.identity), compared.unstable) == ("2/4", False)


def test_ids_meet_a_digest_where_the_encoding_is_declared() -> None:
    def ids(data: dict[str, Any]) -> None:
        _row(data, 3, 0, 1)["output"] = {"token_ids": [11, 21, 31, 41]}

    assert _count(changed("tiny-requests", ids), 3) == "4/4 token_ids_sha256"

    def undeclared(data: dict[str, Any]) -> None:
        ids(data)
        data["digest"] = None

    assert _count(changed("tiny-requests", undeclared), 3) == "nothing"


def test_the_method_is_one_for_the_whole_comparison() -> None:
    """One row without ids brings all rows of the run down to digests; they are never counted half one way and half the other."""

    def digest_only(data: dict[str, Any]) -> None:
        _row(data, 1, 0, 0)["output"] = {"token_ids_sha256": digest_of([101, 102, 103, 104], U32)}

    assert _count(changed("tiny-suite", digest_only), 1) == "2/2 token_ids_sha256"


TEXTS = [
    ("a final newline", "one two", "one two\n"),
    ("a space before", "one two", " one two"),
    ("composed and decomposed", unicodedata.normalize("NFC", "é"), unicodedata.normalize("NFD", "é")),
    ("case", "one", "One"),
    ("line ends", "a\nb", "a\r\nb"),
]


@pytest.mark.parametrize(("title", "mine", "theirs"), TEXTS, ids=[case[0] for case in TEXTS])
def test_texts_are_compared_as_they_are(title: str, mine: str, theirs: str) -> None:
    def texts(data: dict[str, Any]) -> None:
        _row(data, 0, 0, 0)["output"] = {"text": theirs}
        _row(data, 1, 0, 0)["output"] = {"text": mine}

    assert _count(changed("tiny-open", texts), 1) == "1/2 text"


@given(st.data())
def test_any_changed_token_of_any_row_costs_exactly_one_match(data: st.DataObject) -> None:
    row, position, token = (
        data.draw(st.integers(0, 1)),
        data.draw(st.integers(0, 3)),
        data.draw(st.integers(0, 2**32 - 1)),
    )

    def change(values: dict[str, Any]) -> None:
        _row(values, 1, row, 0)["output"]["token_ids"][position] = token

    same = token == [101, 201][row] + position
    assert _count(changed("tiny-suite", change), 1) == ("2/2 token_ids" if same else "1/2 token_ids")


@given(st.permutations(range(4)))
def test_the_order_of_rows_changes_no_count(order: list[int]) -> None:
    def shuffle(data: dict[str, Any]) -> None:
        batch = data["runs"][3]["batches"][0]
        batch["requests"][1]["output"]["token_ids_sha256"] = "0" * 64
        batch["requests"] = [batch["requests"][index] for index in order]

    assert _count(changed("tiny-requests", shuffle), 3) == "3/4 token_ids_sha256"
