"""Ways to make a point look proved that is not, tried on the real campaigns: each is refused or withheld, with its own words."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofpress import pipeline
from proofpress.check.scope import Scope

ROOT = Path(__file__).parent.parent
CARD = "content/cards/h200-qwen3-random-static-batch.yaml"
USERS = "evidence/h200-qwen3-random-users/campaign.json"
SUITE = "evidence/h200-qwen3-random-strict-ngram/campaign.json"

Json = dict[str, Any]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The card of the method check with its two campaigns, and nothing else: no file of a tool gives away what was changed."""
    for name in ("site.yaml", "vocabulary.yaml"):
        (tmp_path / "content/cards").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "content" / name, tmp_path / "content" / name)
    (tmp_path / "content/guides").mkdir()
    shutil.copy(ROOT / CARD, tmp_path / CARD)
    shutil.copy(ROOT / "content/guides/h200-qwen3-random-static-batch.md", tmp_path / "content/guides")
    for campaign in (USERS, SUITE):
        data = json.loads((ROOT / campaign).read_text(encoding="utf-8")) | {"originals": []}
        (tmp_path / campaign).parent.mkdir(parents=True)
        (tmp_path / campaign).write_text(json.dumps(data), encoding="utf-8")
    return tmp_path


def _changed(root: Path, path: str, change: Callable[[Json], None]) -> str:
    """The report after `change` of one campaign."""
    data = json.loads((root / path).read_text(encoding="utf-8"))
    change(data)
    (root / path).write_text(json.dumps(data), encoding="utf-8")
    return pipeline.check(root).report.text()


def _rows(data: Json, arm: str, x: int | None) -> list[Json]:
    return [
        row
        for run in data["runs"]
        if (run["arm"], run["x"]) == (arm, x)
        for batch in run["batches"]
        for row in batch["requests"]
    ]


def test_one_row_without_its_digest_does_not_make_text_decide(root: Path) -> None:
    """Digests that differ are in the file; a text that is everywhere the same must not hide them."""

    def change(data: Json) -> None:
        for row in (*_rows(data, "bf16", 1), *_rows(data, "bf16", 16)):
            row["output"]["text"] = "ok"
        del _rows(data, "bf16", 16)[0]["output"]["token_ids_sha256"]

    assert "identity.mixed-methods" in _changed(root, USERS, change)


def test_a_failing_pass_cannot_be_parked_in_a_twin_arm(root: Path) -> None:
    """Two arms that differ in nothing but their id are one arm."""

    def change(data: Json) -> None:
        twin = next(arm for arm in data["arms"] if arm["id"] == "fp32") | {"id": "fp32-x"}
        data["arms"].append(twin)

    report = _changed(root, USERS, change)
    assert "duplicate.arm  arms[2]: 'fp32-x' is 'fp32' under another id" in report


def test_an_arm_that_drafts_does_not_prove_itself_with_one_user(root: Path) -> None:
    """Its one-user runs are what has to be proved; that two servers of it agree proves nothing."""

    def change(data: Json) -> None:
        (arm,) = [arm for arm in data["arms"] if arm["id"] == "bf16-ngram3"]
        arm["oracles"] = {"concurrent_users": {"kind": "own_sequential"}}
        for run in data["runs"]:
            if run["arm"] == "bf16-ngram3":
                run |= {"axis": "concurrent_users", "x": 1}
        for line in data["plan"]:
            if line["arm"] == "bf16-ngram3":
                line |= {"axis": "concurrent_users", "x": [1]}

    card = (root / CARD).read_text(encoding="utf-8")
    card = card.replace("bf16-ngram1, bf16-ngram3, bf16-ngram5", "bf16-ngram1, bf16-ngram5").replace(
        "missing: []",
        "  - {campaign: h200-qwen3-random-strict-ngram, arm: bf16-ngram3, metric: aggregate_wall, axis: concurrent_users, exact_through: 1}\nmissing: []",
    )
    (root / CARD).write_text(card, encoding="utf-8")
    report = _changed(root, SUITE, change)
    assert "identity.exact-through" in report


def test_a_reference_that_drafts_is_told_by_its_times(root: Path) -> None:
    """Without its draft counts, an arm that drafts is called plain, and its one-user runs would be references."""

    def change(data: Json) -> None:
        (arm,) = [arm for arm in data["arms"] if arm["id"] == "bf16-ngram3"]
        arm |= {"speculation": None, "cards": 2, "oracles": {}}
        for row in _rows(data, "bf16-ngram3", None):
            del row["drafts"]

    report = _changed(root, SUITE, change)
    assert "mismatch.shared-times (warning)  runs[2].batches: 958 of 1920 tokens came at the same time" in report


@pytest.mark.parametrize("wall", [1e-6, 0.0008])
def test_a_wall_time_cannot_shrink_within_the_rounding_of_clocks(root: Path, wall: float) -> None:
    """For short spans the clocks may differ by a fiftieth, not by a millisecond."""

    def change(data: Json) -> None:
        for run in data["runs"]:
            if (run["arm"], run["x"]) == ("fp32", 32):
                for batch in run["batches"]:
                    last = max(row["last_token_s"] for row in batch["requests"])
                    for row in batch["requests"]:
                        row |= {"start_s": 0.0, "first_token_s": 0.0001, "last_token_s": 0.0009}
                    batch["wall_s"] = wall if last else last

    assert "mismatch.wall" in _changed(root, USERS, change)


def test_times_count_from_the_start_of_the_batch(root: Path) -> None:
    """A late start would shorten every wait and the batch itself."""

    def change(data: Json) -> None:
        for row in _rows(data, "fp32", 32):
            row["start_s"] = row["first_token_s"] - 1e-6

    report = _changed(root, USERS, change)
    assert "times count from the start of the batch, and its first request starts at" in report


@pytest.mark.parametrize("path", [USERS, SUITE])
def test_milliseconds_in_every_field_of_seconds_are_told(root: Path, path: str) -> None:
    """All times of a campaign a thousand times too long agree with each other."""

    def change(data: Json) -> None:
        for run in data["runs"]:
            for batch in run["batches"]:
                batch["wall_s"] *= 1000
                for row in batch["requests"]:
                    for field in ("start_s", "first_token_s", "last_token_s"):
                        row[field] *= 1000
                    row["token_times_s"] = row["token_times_s"] and [1000 * time for time in row["token_times_s"]]

    assert "number.milliseconds (warning)" in _changed(root, path, change)


@pytest.mark.parametrize(
    ("arm", "x", "change", "refused"),
    [
        ("fp32", 4, lambda _: None, True),
        ("fp32", 32, lambda _: None, True),
        ("fp32", 32, lambda rows: rows.reverse(), True),
        ("fp32", 32, lambda rows: rows[5].update(last_token_s=rows[5]["last_token_s"] - 1e-7), False),
    ],
    ids=["four users", "thirty-two", "in another order", "one time is another"],
)
def test_a_run_is_not_copied_for_another_server(
    root: Path, arm: str, x: int, change: Callable[[list[Json]], None], refused: bool
) -> None:
    """Rows of server a under the name of b would look like two that agree."""

    def copied(data: Json) -> None:
        a, b = (
            run for server in "ab" for run in data["runs"]
            if (run["arm"], run["axis"], run["x"], run["server"], run["pass"]) == (arm, "concurrent_users", x, server, "warm")
        )  # fmt: skip
        b["batches"] = json.loads(json.dumps(a["batches"]))
        change(b["batches"][0]["requests"])

    report = _changed(root, USERS, copied)
    name = f"arm {arm}, {x} users, server a, warm pass"
    assert (f"requests with the times of {name} · " in report) is refused
    assert (report == "") is not refused


def test_times_of_few_digits_may_be_equal(root: Path) -> None:
    """A clock of milliseconds gives two batches of one wall time now and then."""

    def rounded(data: Json) -> None:
        for run in data["runs"]:
            if (run["arm"], run["x"], run["pass"]) == ("fp32", 32, "warm"):
                for batch in run["batches"]:
                    batch["wall_s"] = 0.703
                    for row in batch["requests"]:
                        row |= {"first_token_s": 0.008, "last_token_s": 0.703}

    assert _changed(root, USERS, rounded) == ""


def test_a_plan_cannot_ask_for_more_runs_than_anybody_makes(root: Path) -> None:
    """A few kilobytes must not cost minutes."""

    def change(data: Json) -> None:
        data["plan"][0] |= {"x": list(range(1, 1001)), "servers": [f"s{n}" for n in range(100)]}

    assert "at most 10,000 runs in one line of a plan" in _changed(root, USERS, change)


@pytest.mark.parametrize(
    ("campaign", "said"),
    [
        ("q27-r187-users", "reference.missing-campaign  replay.campaign"),
        ("h200-qwen3-random-users", "reference.own-replay  replay.campaign"),
    ],
)
def test_a_replay_is_a_campaign_of_its_own_that_is_there(root: Path, campaign: str, said: str) -> None:
    """What the card's numbers rest on cannot be their replay too."""
    card = (root / CARD).read_text(encoding="utf-8")
    (root / CARD).write_text(card.replace("replay: not-yet", f"replay: {{campaign: {campaign}}}"), encoding="utf-8")
    assert said in pipeline.check(root).report.text()


def test_a_replay_of_another_deployment_is_refused(root: Path) -> None:
    """A replay measured what the card describes."""
    shutil.copytree(ROOT / "evidence/q27-r187-users", root / "evidence/q27-r187-users")
    card = (root / CARD).read_text(encoding="utf-8")
    (root / CARD).write_text(card.replace("replay: not-yet", "replay: {campaign: q27-r187-users}"), encoding="utf-8")
    assert (
        "reference.other-subject  replay.campaign: checkpoint 'Qwen/Qwen3.8-27B-FP8'"
        in pipeline.check(root).report.text()
    )


def _text_beside_digests(data: Json) -> None:
    for row in (*_rows(data, "bf16", 1), *_rows(data, "bf16", 16)):
        row["output"]["text"] = "ok"


def _other_weights(data: Json) -> None:
    data["arms"].append(next(arm for arm in data["arms"] if arm["id"] == "fp32") | {"id": "fp32-x", "weight_bytes": 1})


def _late_within_a_batch(data: Json) -> None:
    for run in data["runs"]:
        if (run["arm"], run["x"]) == ("fp32", 32):
            for row in run["batches"][0]["requests"][1:]:
                row["start_s"] = row["first_token_s"] / 2


def _start_within_rounding(data: Json) -> None:
    for row in _rows(data, "fp32", 32):
        row["start_s"] = 0.0009


@pytest.mark.parametrize(
    "change",
    [_text_beside_digests, _other_weights, _late_within_a_batch, _start_within_rounding],
    ids=lambda change: change.__name__,
)
def test_an_honest_neighbour_is_accepted(root: Path, change: Callable[[Json], None]) -> None:
    """Texts beside complete digests, an arm that differs, requests that start while others run, clocks that are rounded."""
    assert _changed(root, USERS, change) == ""


def test_a_claim_of_one_user_who_was_compared_is_accepted(root: Path) -> None:
    """Two servers answered one user alike."""
    _on_card(root, ("exact_through: 32", "exact_through: 1"))
    assert pipeline.check(root).report.text() == ""


def test_a_plan_at_its_limit_is_read(root: Path) -> None:
    """Its runs are missed one by one, which is another matter."""

    def change(data: Json) -> None:
        data["plan"][0] |= {"x": list(range(1, 101)), "servers": [f"s{n}" for n in range(100)], "passes": ["cold"]}

    report = _changed(root, USERS, change)
    assert "runs in one line of a plan" not in report
    assert "plan.missing-run" in report


def _replayed(root: Path, *, day: str = "2026-12-01", change: Callable[[Json], object] = lambda _: None) -> str:
    """The report on the card as qualified, with a replay of its suite measured on `day`."""
    data = json.loads((root / SUITE).read_text(encoding="utf-8"))
    data |= {"id": "replay", "originals": []}
    for run in data["runs"]:
        run["measured_on"] = day
    change(data)
    (root / "evidence/replay").mkdir()
    (root / "evidence/replay/campaign.json").write_text(json.dumps(data), encoding="utf-8")
    _on_card(root, ("status: candidate", "status: qualified"), ("replay: not-yet", "replay: {campaign: replay}"))
    return pipeline.check(root).report.text()


def _on_card(root: Path, *changes: tuple[str, str]) -> None:
    card = (root / CARD).read_text(encoding="utf-8")
    for old, new in changes:
        assert card.count(old) == 1
        card = card.replace(old, new)
    (root / CARD).write_text(card, encoding="utf-8")


def _without_oracles(data: Json) -> None:
    for arm in data["arms"]:
        arm["oracles"] = {}
    data["runs"] = [run for run in data["runs"] if run["server"] == "a"]
    for line in data["plan"]:
        line["servers"] = ["a"]


def test_a_card_with_a_replay_that_proves_something_is_qualified(root: Path) -> None:
    """Guide, replay, headline and comparison are all there."""
    assert _replayed(root) == ""


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ((), "a replay of its guide on a clean host"),
        (
            (("guide: h200-qwen3-random-static-batch", "guide: null"),),
            "a guide to follow and a replay of its guide on a clean host",
        ),
        (
            (("headline: {campaign: h200-qwen3-random-strict-ngram, arm: fp32-ngram3, metric: class_balanced_decode_1_100}",
              "headline: {pending: Not chosen yet.}"),),
            "a replay of its guide on a clean host and a headline",
        ),
    ],
    ids=["no-replay", "no-guide", "no-headline"],
)  # fmt: skip
def test_the_word_qualified_qualifies_nothing(root: Path, changes: tuple[tuple[str, str], ...], missing: str) -> None:
    """Everything that is missing for the word is named."""
    _on_card(root, ("status: candidate", "status: qualified"), *changes)
    assert (
        f"claim.status  status: 'qualified' · a card of this status has {missing} ·"
        in pipeline.check(root).report.text()
    )


def test_a_replay_in_which_nothing_was_compared_qualifies_no_card(root: Path) -> None:
    """One server without an oracle proves nothing."""
    missing = "a replay with outputs that were compared and are equal (replay has none)"
    assert missing in _replayed(root, change=_without_oracles)


def test_a_replay_that_cannot_be_read_is_complained_about_once(root: Path) -> None:
    """The card that names it is not blamed as well."""
    report = _replayed(root, change=lambda data: data.pop("arms"))
    assert "evidence/replay/campaign.json" in report
    assert CARD not in report


def test_a_card_of_which_nothing_was_compared_is_not_qualified(root: Path) -> None:
    """Plain runs on one server are references by themselves: shown, and not proved by anything."""
    ladders = [line for line in (root / CARD).read_text(encoding="utf-8").splitlines() if "draft_depth" in line]
    users = [line for line in (root / CARD).read_text(encoding="utf-8").splitlines() if "exact_through" in line]
    _changed(root, SUITE, _without_oracles)
    _on_card(root, ("arm: fp32-ngram3", "arm: fp32-none"), *((f"{line}\n", "") for line in (*ladders, *users)))
    report = _replayed(root)
    assert "claim.status  status: 'qualified' · a card of this status has" in report
    assert "a shown value whose outputs were compared with an oracle's" in report


def test_a_replay_is_not_older_than_what_it_replays(root: Path) -> None:
    """An old campaign under the name of a replay."""
    report = _replayed(root, day="2026-11-29")
    assert "mismatch.date-order  replay.campaign: last measured on 2026-11-29" in report


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("In float32 static batches are lossless.", False),
        ("In bfloat16 static batches are lossless.", True),
        ("Static batches are lossless.", True),
        ("In 32-bit floating point outputs are the same at every number of users.", False),
        ("In bf16 outputs are the same at every number of users.", True),
        ("Outputs are the same at every number of users.", True),
        ("In fp32 outputs are exact through 32 users.", False),
        ("In bf16 outputs are exact through 32 users.", True),
        ("Outputs are exact through 2 users.", False),
        ("Outputs are exact through 32 users.", True),
        ("fp32-ngram3 is lossless.", False),
        ("Like fp32-ngram3, bfloat16 is lossless.", True),
        ("At depth 3 fp32-ngram3 is lossless.", False),
        ("bf16-ngram3 is lossless.", True),
        ("With fp32-ngram3 12/12 outputs are exact.", False),
        ("With bf16-ngram3 12/12 outputs are exact.", True),
    ],
)
def test_one_arm_does_not_vouch_for_another(root: Path, words: str, refused: bool) -> None:
    """A card with an exact arm and one that is not: each claim is held against the arm that it speaks of, or else against all."""
    _on_card(root, ("summary: >-\n", f"summary: >-\n  {words}\n"))
    rules = {problem.rule for problem in pipeline.check(root).report.problems}
    assert rules <= {"claim.exact-through", "claim.count"}
    assert bool(rules) is refused


def test_a_claim_of_equal_outputs_needs_a_comparison(root: Path) -> None:
    """One user without an oracle is a reference, which nothing was compared with."""

    def change(data: Json) -> None:
        for arm in data["arms"]:
            arm["oracles"] = {}
        data["runs"] = [
            run for run in data["runs"] if run["axis"] != "concurrent_users" or (run["x"], run["server"]) == (1, "a")
        ]
        places = dict.fromkeys((run["arm"], run["axis"], run["x"]) for run in data["runs"])
        data["plan"] = [
            {"arm": arm, "axis": axis, "x": [x], "servers": ["a"], "passes": ["cold"]} for arm, axis, x in places
        ]
        data["select"]["passes"] = ["cold"]

    card = (root / CARD).read_text(encoding="utf-8")
    card = card.replace("exact_through: 32", "exact_through: 1").replace("exact_through: 2}", "exact_through: 1}")
    (root / CARD).write_text(card, encoding="utf-8")
    report = _changed(root, USERS, change)
    assert "identity.exact-through" in report
    assert "nothing was compared at these levels" in report


def test_one_raw_file_is_not_published_twice(root: Path) -> None:
    """The same rows, with the same file beside them, under another measurer's name."""
    for name in ("one", "two"):
        folder = root / "evidence" / name
        shutil.copytree((ROOT / SUITE).parent, folder)
        data = json.loads((ROOT / SUITE).read_text(encoding="utf-8"))
        data |= {"id": name, "measured_by": {"name": f"Lab {name}", "kind": "lab"}}
        (folder / "campaign.json").write_text(json.dumps(data), encoding="utf-8")
    found = [problem for problem in pipeline.check(root).report.problems if problem.rule != "reference.unused-evidence"]
    assert [(problem.rule, problem.place.path) for problem in found] == [
        ("duplicate.original", "evidence/two/campaign.json")
    ]
    for name in ("one", "two"):
        path = f"evidence/{name}/campaign.json"
        alone = pipeline.problems_of(root, Scope((path,))).problems
        assert [problem for problem in alone if problem.place.path == path and problem in found] == [
            problem for problem in found if problem.place.path == path
        ]


@pytest.mark.parametrize(("stated", "refused"), [("99999999999", True), ("562862080", False), ("1125724160", False)])
def test_a_size_of_weights_is_that_of_an_arm(root: Path, stated: str, refused: bool) -> None:
    _on_card(root, ("weight_bytes: null", f"weight_bytes: {stated}"))
    found = pipeline.check(root).report.text()
    words = f"model.weight_bytes: {stated} · the size that an arm of the card states: 562862080 or 1125724160"
    assert (words in found) is refused
    assert (found == "") is not refused


def test_a_card_without_a_size_prints_that_of_its_headline(root: Path) -> None:
    edition = pipeline.check(root).edition
    assert edition is not None
    site = pipeline.build(edition).sorted()
    assert "<dt>Weights</dt><dd>1.1 GB</dd>" in site["models/h200-qwen3-random-static-batch.html"].decode()
    assert json.loads(site["models/h200-qwen3-random-static-batch.json"])["facts"]["weight_bytes"] == 1125724160
