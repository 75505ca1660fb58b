"""The published corpus: every campaign's values and verdicts again from its raw JSON, with this module's own arithmetic, against the twins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import yaml

Json = dict[str, Any]
Site = Mapping[str, bytes]

ROOT = Path(__file__).parent.parent
CARDS = sorted(path.stem for path in (ROOT / "content" / "cards").glob("*.yaml"))
RECORDS = {
    path.parent.name: campaign
    for path in sorted((ROOT / "evidence").glob("*/campaign.json"))
    if (campaign := json.loads(path.read_text(encoding="utf-8")))["grade"] == "record"
}
TIMES = ("ttft_p50", "ttft_mean")


def _twelve(value: float) -> float:
    return float(f"{value:.12g}")


def _value(run: Json, metric: str) -> float | None:
    """What a run gives for a metric; a rate over TTFT is divided here, as it is never transcribed."""
    stated: dict[str, float | None] = {record["metric"]: record["value"] for record in run["records"]}
    if metric != "prompt_over_ttft":
        return stated.get(metric)
    time = next((stated[name] for name in TIMES if stated.get(name)), None)
    return None if time is None else 1000 * run["x"] / time


def _fails(campaign: Json, arm: Json, run: Json) -> str | None:
    """Why a run does not qualify, from what stands in the file."""
    identity, slots = run["identity"], campaign["setup"]["settings"].get("max_num_seqs")
    users = run["axis"] == "concurrent_users"
    if identity and identity["matched"] < identity["total"]:
        return "identity"
    if users and slots and run["x"] > slots:
        return "queued"
    alone = not users or run["x"] == 1
    is_oracle = identity is None and arm["speculation"] is None and alone and "held_back" not in run
    if (identity is None and not is_oracle) or "held_back" in run:
        return "no-identity-evidence"
    return None


def _verdict(campaign: Json, arm: Json, runs: Sequence[Json], metric: str) -> tuple[float | None, str | None] | None:
    """Value and reason of one x; the reason is None where it may be shown."""
    shown: list[Json] = []
    for name in campaign["select"]["passes"]:
        shown = [run for run in runs if run["pass"] == name and _value(run, metric) is not None]
        if shown:
            break
    value = _twelve(median(_value(run, metric) or 0 for run in shown)) if shown else None
    reasons = {id(run): _fails(campaign, arm, run) for run in runs}
    failing = {reason for reason in reasons.values() if reason}
    if not failing:
        return None if value is None else (value, None)
    own = {reason for run in shown if (reason := reasons[id(run)])}
    if shown and not own and failing == {"identity"}:
        return value, "other-run"
    return value, next(
        reason for reason in ("identity", "queued", "no-identity-evidence") if reason in (own or failing)
    )


def _own(
    campaign: Json, arms: Sequence[str], metric: str, axis: str
) -> dict[int | None, tuple[float | None, str | None]]:
    found = {}
    for name in arms:
        arm = next(each for each in campaign["arms"] if each["id"] == name)
        source = "suite" if axis == "draft_depth" else axis
        by_x: dict[int | None, list[Json]] = {}
        for run in campaign["runs"]:
            if run["arm"] == name and run["axis"] == source:
                by_x.setdefault(run["x"], []).append(run)
        for x, runs in by_x.items():
            named = any(record["metric"] == metric for run in runs for record in run["records"])
            if not named and metric != "prompt_over_ttft":
                continue
            depth = arm["speculation"]["depth"] if arm["speculation"] else 0
            verdict = _verdict(campaign, arm, runs, metric)
            if verdict is not None:
                found[depth if axis == "draft_depth" else x] = verdict
    return found


@pytest.mark.parametrize("card", CARDS)
def test_the_twin_says_what_the_evidence_says(card: str, site: Site) -> None:
    """Each point of each transcribed profile: x, value to 12 digits, verdict and reason, and the counts of every run."""
    twin = json.loads(site[f"models/{card}.json"])
    for profile in twin["profiles"]:
        campaign = RECORDS.get(profile["campaign"])
        if campaign is None:
            continue
        own = _own(campaign, profile["arms"] or [profile["arm"]], profile["metric"], profile["axis"])
        points = [*profile["shown"], *profile["withheld"]]
        assert {point["x"]: (point["value"], point.get("reason")) for point in points} == own, profile["id"]
        for point in points:
            for run in point["runs"]:
                raw = campaign["runs"][int(run["pointer"].rsplit("/", 1)[1])]
                assert run["identity"] == raw["identity"]
                assert (run["server"], run["pass"]) == (raw["server"], raw["pass"])


@pytest.mark.parametrize("card", CARDS)
def test_the_headline_is_shown_or_pending(card: str, site: Site) -> None:
    """A headline qualifies by this module's rules as well; a pending one says why, and a withheld value stands in a suite profile."""
    twin = json.loads(site[f"models/{card}.json"])
    headline = twin["headline"]
    if "pending" in headline:
        assert headline["pending"]
        suites = [profile for profile in twin["profiles"] if profile["axis"] == "suite"]
        assert any(point["value"] for profile in suites for point in profile["withheld"])
        return
    campaign = RECORDS.get(headline["evidence"]["campaign"])
    if campaign is not None:
        assert _own(campaign, [headline["arm"]], headline["metric"], "suite") == {None: (headline["value"], None)}


@pytest.mark.parametrize("card", CARDS)
def test_every_campaign_of_a_card_is_about_its_model(card: str) -> None:
    """Checkpoint, revision and quantization are the card's; the origin is pinned to a commit."""
    written = yaml.safe_load((ROOT / "content" / "cards" / f"{card}.yaml").read_text(encoding="utf-8"))
    named = {profile["campaign"] for profile in written["profiles"]} | {written["headline"].get("campaign")}
    for campaign in (RECORDS[name] for name in named if name in RECORDS):
        model = campaign["setup"]["model"]
        assert (model["checkpoint"], model["revision"]) == (
            written["model"]["checkpoint"],
            written["model"]["revision"],
        )
        assert model["quantization"] == written["quantization"]
        assert len(campaign["origin"]["commit"]) == 40


def test_every_campaign_is_used() -> None:
    """Nothing lies in the evidence that no card shows."""
    cards = [
        yaml.safe_load((ROOT / "content" / "cards" / f"{card}.yaml").read_text(encoding="utf-8")) for card in CARDS
    ]
    used = {profile["campaign"] for card in cards for profile in card["profiles"]}
    used |= {card["headline"].get("campaign") for card in cards}
    assert set(RECORDS) <= used


@pytest.mark.parametrize("name", RECORDS)
def test_pooled_values_are_the_centre_of_what_the_servers_gave(name: str) -> None:
    """Where a source gives a centre and its servers, the centre is theirs as far as their digits go."""
    campaign = RECORDS[name]
    for run in campaign["runs"]:
        beside = [
            other
            for other in campaign["runs"]
            if (other["arm"], other["axis"], other["x"]) == (run["arm"], run["axis"], run["x"])
            and "pooled_servers" not in other
            and other["server"] in run["server"].split("-")
        ]
        if "pooled_servers" in run and beside:
            assert len(beside) == run["pooled_servers"]
            for record in run["records"]:
                parts = [value for other in beside if (value := _value(other, record["metric"])) is not None]
                assert abs(median(parts) - record["value"]) < 1e-6


Case = tuple[str, str, int | None, str, tuple[int, int] | None]
DECISIVE: dict[str, Case] = {
    "two comparisons, and the one with single users decides": (
        "qwen38-27b-q4km-tp2-asrock-b70", "q27-q4-tp2-exact-ffn-cache-near-capacity-users.plain", 96, "identity", (50, 96),
    ),
    "more users than slots": ("qwen38-27b-q8-tp1-b70", "q27-q8-tp1-r5-users.plain", 16, "queued", None),
    "a depth whose outputs all differ": ("qwen38-27b-q4km-mtp2-tp1-b70", "q27-q4-mtp-tp1-r1-strict.", 5, "identity", (0, 12)),
    "called exact without a count": ("qwen38-27b-q8-q4mtp-mtp2-tp1-b70", "q27-q8-mtp-tp1-r1-strict.", 1, "no-identity-evidence", None),
    "a range over passes": ("qwen35-9b-w4a16-b70", "q9w-dyn306-users.mtp-scheduled", 64, "identity", (62, 64)),
    "another pass missed": ("qwen35-9b-w4a16-b70", "q9w-w1-users.mtp3.", 32, "other-run", (32, 32)),
    "servers that never agree": ("ornith-15-35b-a3b-q4km-b70", "ornith35-strict.unstated", None, "identity", (0, 12)),
    "held back by its source": ("nemotron-35-lightning-30b-a3b-b70", "nemotron-strict.unstated", None, "no-identity-evidence", None),
    "drafts or none, nobody says": ("minimax-m27-int4-autoround-b70", "minimax-strict.unstated", None, "no-identity-evidence", None),
}  # fmt: skip


@pytest.mark.parametrize("title", DECISIVE)
def test_withheld_for_the_reason_that_decides(title: str, site: Site) -> None:
    card, profile, x, reason, counts = DECISIVE[title]
    twin = json.loads(site[f"models/{card}.json"])
    (found,) = [each for each in twin["profiles"] if each["id"].startswith(profile)]
    point = next(each for each in found["withheld"] if each["x"] == x)
    identity = point["identity"]
    assert point["reason"] == reason
    assert (None if identity is None else (identity["matched"], identity["total"])) == counts


def test_equal_counts_of_several_runs_are_said_once(site: Site) -> None:
    """A withheld note names each count once with the runs that gave it, and the first difference once; the table has every run."""
    text = site["models/h200-qwen3-random-static-batch.md"].decode()
    lines = [line.removeprefix("- withheld: ") for line in text.splitlines() if line.startswith("- withheld: ")]
    at_8, at_32 = (next(line for line in lines if line.startswith(f"{users} users")) for users in (8, 32))
    assert at_8.endswith("; outputs differed, 2/8 equal in the cold and warm passes, servers a and b.")
    assert at_32.endswith(
        "; outputs differed, 11/32 equal in the cold pass, server a, cold pass, server b and warm pass, server b"
        " and 10/32 equal in the warm pass, server a."
    )
