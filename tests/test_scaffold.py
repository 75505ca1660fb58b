"""`new` starts a deployment with files that pass the checks; what is not known is a gap, and no number is typed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from proofpress import pipeline
from proofpress.command import main

ROOT = Path(__file__).parent.parent
CAMPAIGNS = (
    "q9-c2-strict",
    "q9-c2-users",
    "q27-r187-strict",
    "q27-r139-context",
    "h200-qwen3-random-users",
    "h200-qwen3-random-strict-ngram",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site with this site's words and evidence, and no card."""
    for name in ("site.yaml", "vocabulary.yaml"):
        (tmp_path / "content").mkdir(exist_ok=True)
        shutil.copy(ROOT / "content" / name, tmp_path / "content" / name)
    for campaign in CAMPAIGNS:
        shutil.copytree(ROOT / "evidence" / campaign, tmp_path / "evidence" / campaign)
    return tmp_path


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_a_card_from_a_campaign_passes_and_shows_what_it_has(root: Path, campaign: str) -> None:
    """Every arm of the campaign that has values stands on the new card, with claims that hold."""
    assert main(["new", "my-card", "--from", campaign, "--family", "qwen3-random", "--root", str(root)]) == 0
    checked = pipeline.check(root)
    assert checked.report.errors == 0, checked.report.text()
    assert checked.edition is not None
    (card,) = checked.edition.cards
    assert card.profiles
    measured = {arm.id for profile in card.profiles for arm in profile.arms}
    assert measured == {reading.arm for reading in checked.edition.evidence[campaign].readings}
    assert {gap.id for gap in checked.edition.gaps["my-card"]} >= {"clean-host-replay", "guide-unknown"}


def test_a_card_without_a_campaign_passes_and_says_that_nothing_was_measured(root: Path) -> None:
    """The headline is pending, and the page says so."""
    assert main(["new", "my-card", "--family", "qwen3-random", "--root", str(root)]) == 0
    checked = pipeline.check(root)
    assert checked.report.errors == 0, checked.report.text()
    assert checked.edition is not None
    page = pipeline.build(checked.edition)["models/my-card.html"].decode()
    assert "Nothing has been measured yet." in page
    assert (root / "evidence/my-card/README.md").is_file()


def test_a_scaffold_invents_nothing(root: Path) -> None:
    """Was: a new card said "Delivery: container" and named a system and a use, which nobody had stated."""
    main(["new", "my-card", "--from", "q9-c2-strict", "--family", "qwen3-random", "--root", str(root)])
    edition = pipeline.check(root).edition
    assert edition is not None
    files = pipeline.build(edition)
    page = files["models/my-card.html"].decode()
    assert page.count("<dd>not stated</dd>") == 3
    assert ", ," not in page
    assert "for  only" not in files["index.html"].decode()
    assert "of no stated use stand below" in files["index.html"].decode()


def test_a_scaffold_holds_no_measured_number(root: Path) -> None:
    """No value of the campaign stands in the new card."""
    main(["new", "my-card", "--from", "q9-c2-strict", "--family", "qwen3-random", "--root", str(root)])
    text = (root / "content/cards/my-card.yaml").read_text(encoding="utf-8")
    assert "98." not in text
    assert "50." not in text


def test_nothing_is_overwritten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second `new` of the same id is wrong usage and changes nothing."""
    main(["new", "my-card", "--family", "qwen3-random", "--root", str(root)])
    before = (root / "content/cards/my-card.yaml").read_bytes()
    capsys.readouterr()
    assert main(["new", "my-card", "--from", "q9-c2-strict", "--family", "qwen3-random", "--root", str(root)]) == 2
    assert (root / "content/cards/my-card.yaml").read_bytes() == before
    assert "already there: content/cards/my-card.yaml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--family", "nonsense"], "--family is one of the vocabulary's families"),
        (["--family", "qwen3-random", "--from", "nothing"], "there is no campaign 'nothing' that passes the checks"),
    ],
)
def test_wrong_names_are_told(root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    """What is missing is named, with what there is instead."""
    assert main(["new", "my-card", *arguments, "--root", str(root)]) == 2
    assert said in capsys.readouterr().err
