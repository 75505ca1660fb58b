"""The example on the formats page is complete and true: it loads, passes every check, and prints a site."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import html_page
import pytest

from proofpress import pipeline
from proofpress.check.library import load
from proofpress.command import main
from proofpress.derive.finding import Evidence, Shown, evidence_of, findings
from proofpress.pipeline import Checked
from proofpress.records.axis import Axis
from proofpress.records.reason import Reason

ROOT = Path(__file__).parent.parent


def blocks(kind: str) -> list[str]:
    """The blocks of one kind on the formats page."""
    page = (ROOT / "content/pages/formats.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def example_site(root: Path) -> Path:
    """A site made of the blocks on the formats page and this site's own vocabulary."""
    (card,), campaigns, (guide,) = blocks("yaml"), blocks("json")[:2], blocks("markdown")
    for folder in ("content/cards", "content/guides", "evidence"):
        (root / folder).mkdir(parents=True)
    for name in ("site.yaml", "vocabulary.yaml"):
        shutil.copy(ROOT / "content" / name, root / "content" / name)
    (root / "content/cards/example.yaml").write_text(card, encoding="utf-8")
    (root / "content/guides/example.md").write_text(guide, encoding="utf-8")
    for campaign in campaigns:
        folder = root / "evidence" / json.loads(campaign)["id"]
        folder.mkdir()
        (folder / "campaign.json").write_text(campaign, encoding="utf-8")
    return root


def test_the_example_passes_every_check_and_shows_its_points(tmp_path: Path) -> None:
    """No problem, no warning; the headline and both profiles have what the example states."""
    checked = pipeline.check(example_site(tmp_path))
    assert checked.report.text() == ""
    assert checked.edition is not None
    (card,) = checked.edition.cards
    assert card.headline is not None
    assert card.headline.finding.value == 200
    assert [[finding.value for finding in profile.shown] for profile in card.profiles] == [[100, 150], [100, 200]]
    assert not any(profile.withheld for profile in card.profiles)


def test_the_example_prints_its_pages(tmp_path: Path) -> None:
    """The reference in the summary is filled in, and the guide's facts too."""
    edition = pipeline.check(example_site(tmp_path)).edition
    assert edition is not None
    files = pipeline.build(edition)
    assert "200 tok/s" in files["models/example.html"].decode()
    assert "example/model" in files["guides/example.html"].decode().replace("<wbr>", "")


# --- what the page says of prompts and users -------------------------------------------------------------------------


def _answer(prompt: str, ids: list[int], last: float) -> dict[str, Any]:
    times = [0.01, 0.02, last]
    return {
        "prompt": prompt, "class": None, "prompt_sha256": None, "prompt_tokens": 4, "output_tokens": 3, "cached_tokens": 0,
        "start_s": 0.0, "first_token_s": 0.01, "last_token_s": last, "token_times_s": times, "finish": "length",
        "output": {"token_ids": ids},
    }  # fmt: skip


IDS = {"p0": [1, 2, 3], "p1": [4, 5, 6], "p2": [7, 8, 9]}


def _batch(*prompts: str) -> dict[str, Any]:
    return {"wall_s": 0.04, "requests": [_answer(prompt, IDS[prompt], 0.04) for prompt in prompts]}


def _three_prompts(root: Path, *passes: list[dict[str, Any]]) -> Checked:
    """The example with three prompts for one user, and these batches for two, pass by pass."""
    path = example_site(root) / "evidence/example-users/campaign.json"
    campaign = json.loads(path.read_text(encoding="utf-8"))
    one, two = campaign["runs"]
    names = [f"pass{number}" for number, _ in enumerate(passes)]
    campaign["workload"]["prompts"] = 3
    campaign["plan"] = [
        {**campaign["plan"][0], "x": [1]},
        {**campaign["plan"][0], "x": [2], "passes": names},
    ]
    campaign["select"]["passes"] = ["first", *names]
    one["batches"] = [_batch(prompt) for prompt in IDS]
    campaign["runs"] = [
        one,
        *({**two, "pass": name, "batches": sent} for name, sent in zip(names, passes, strict=True)),
    ]
    path.write_text(json.dumps(campaign), encoding="utf-8")
    return pipeline.check(root)


def test_three_prompts_at_two_users_are_one_batch_and_the_third_is_not_sent(tmp_path: Path) -> None:
    checked = _three_prompts(tmp_path, [_batch("p0", "p1")])
    assert checked.report.text() == ""
    assert checked.edition is not None
    page = html_page.page(pipeline.build(checked.edition)["evidence/example-users.html"])
    matrix = page.one("table", class_="matrix")
    rows = [[cell.one("span", class_="unseen").text for cell in row.all("td")] for row in matrix.one("tbody").all("tr")]
    assert rows == [["oracle", "equal"], ["oracle", "equal"], ["oracle", "not sent"]]
    assert [cell.text for cell in matrix.one("tfoot").all("td")] == ["oracle", "2/2"]


def test_the_third_may_be_asked_with_another_in_a_further_pass(tmp_path: Path) -> None:
    checked = _three_prompts(tmp_path, [_batch("p0", "p1")], [_batch("p2", "p0")])
    assert checked.report.text() == ""


@pytest.mark.parametrize(
    ("batches", "rule"),
    [
        ([_batch("p0", "p1"), _batch("p2")], "identity.batch-size"),
        ([_batch("p0", "p1"), _batch("p2", "p0")], "identity.double-prompt"),
    ],
    ids=["a batch of the one that remains", "a prompt a second time"],
)
def test_what_the_page_calls_refused_is_refused(tmp_path: Path, batches: list[dict[str, Any]], rule: str) -> None:
    assert {problem.rule for problem in _three_prompts(tmp_path, batches).report.problems} == {rule}


# --- published figures, and tools without ids ------------------------------------------------------------------------


def test_the_published_figures_are_imported_and_verified(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The two campaigns pass every check, and their values are those of the page."""
    root, file = example_site(tmp_path / "site"), tmp_path / "figures.json"
    file.write_text(blocks("json")[2], encoding="utf-8")
    arguments = ["--prefix", "example", "--measured-by", "Example lab", "--root", str(root)]
    assert main(["import", "record", str(file), *arguments]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "evidence/example-s1-strict/campaign.json: 4 runs",
        "evidence/example-s2-users/campaign.json: 3 runs",
    ]
    for name in ("example-s1-strict", "example-s2-users"):
        assert main(["verify-record", name, str(file), "--root", str(root)]) == 0
    report = pipeline.check(root).report
    assert {problem.rule for problem in report.problems} == {"reference.unused-evidence"}
    suite = _evidence(root, "example-s1-strict")
    (found,) = findings(suite, arms=("ngram3",), metric="class_balanced_decode_1_100", axis=Axis.SUITE)
    assert (found.value, str(found.identity)) == (200.0, "12/12")
    levels = findings(
        _evidence(root, "example-s2-users"), arms=("plain",), metric="aggregate_wall", axis=Axis.CONCURRENT_USERS
    )
    assert [(level.x, level.value, isinstance(level, Shown)) for level in levels] == [
        (1, 100.0, True),
        (2, 150.0, True),
        (4, 250.0, False),
    ]


def _evidence(root: Path, campaign: str) -> Evidence:
    library, _ = load(root)
    assert library is not None
    entry = library.campaigns[campaign]
    return evidence_of(entry.campaign, entry.source.sha256)


def test_runs_without_ids_are_a_reference_for_one_user_and_withheld_for_more(tmp_path: Path) -> None:
    root = example_site(tmp_path)
    path = root / "evidence/example-suite/campaign.json"
    campaign = json.loads(path.read_text(encoding="utf-8"))
    campaign["runs"] += json.loads(blocks("json")[3])
    path.write_text(json.dumps(campaign), encoding="utf-8")
    assert pipeline.check(root).report.text() == ""
    users, depth = _evidence(root, "example-suite").readings[-2:]
    assert (users.reason, users.is_reference) == (Reason.NO_IDENTITY_EVIDENCE, False)
    assert (depth.reason, depth.is_reference) == (None, True)
