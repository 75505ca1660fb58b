"""Transcript: why a transcribed run is withheld, and where both grades judge alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from campaign_cases import campaign_of, changed, reading_at

from proofpress.records.reason import Reason

Change = Callable[[dict[str, Any]], object]

EIGHT_USERS, ONE_USER = "/runs/1", "/runs/3"
"""Runs of the base campaign tiny-record: compared, and plain."""

REASONS: list[tuple[str, str, Change, Reason | None]] = [
    ("as it stands", EIGHT_USERS, lambda _: None, None),
    ("superseded", EIGHT_USERS, lambda d: d.update(superseded_by="tiny-record-2"), Reason.SUPERSEDED),
    ("one output differs", EIGHT_USERS, lambda d: d["runs"][1]["identity"].update(matched=7), Reason.IDENTITY),
    ("fewer slots than users", EIGHT_USERS, lambda d: d["setup"]["settings"].update(max_num_seqs=7), Reason.QUEUED),
    ("as many slots as users", EIGHT_USERS, lambda d: d["setup"]["settings"].update(max_num_seqs=8), None),
    ("nothing compared", EIGHT_USERS, lambda d: d["runs"][1].update(identity=None), Reason.NO_IDENTITY_EVIDENCE),
    ("held back by its source", ONE_USER, lambda d: d["runs"][3].update(held_back="Not sure."), Reason.NO_IDENTITY_EVIDENCE),
    ("the cache on", EIGHT_USERS, lambda d: d["workload"].update(prefix_cache="on"), Reason.NOT_FRESH),
    ("sampling that is not stated", EIGHT_USERS, lambda d: d["workload"].update(sampling=None), None),
]  # fmt: skip


@pytest.mark.parametrize(("title", "pointer", "change", "reason"), REASONS, ids=[row[0] for row in REASONS])
def test_reason(title: str, pointer: str, change: Change, reason: Reason | None) -> None:
    assert reading_at(campaign_of(changed("tiny-record", change)), pointer).reason is reason


@pytest.mark.parametrize(
    ("base", "pointer"),
    [("tiny-record", EIGHT_USERS), ("tiny-record", ONE_USER), ("tiny-requests", "/runs/0"), ("tiny-requests", "/runs/1"), ("tiny-suite", "/runs/0")],
)  # fmt: skip
@pytest.mark.parametrize(
    ("temperature", "reason"), [(0, None), (0.0, None), (0.01, "sampling-unknown"), (1, "sampling-unknown")]
)
def test_a_draw_at_random_proves_nothing_in_either_grade(
    base: str, pointer: str, temperature: float, reason: str | None
) -> None:
    """A reference that was drawn at random is none either."""
    drawn = changed(base, lambda data: data["workload"].update(sampling={"temperature": temperature}))
    assert reading_at(campaign_of(drawn), pointer).reason == reason
