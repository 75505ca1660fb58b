"""What a campaign's page says beside its runs: what was planned and not measured, and what the rows were held against."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import example_site
import pytest

from proofpress import pipeline

REASON = "“Eight requests do not fit into the memory that was left.”"
ALONE = "No tool&#39;s own file lies beside these rows: they were held against nothing but themselves."


@cache
def _site(root: Path = example_site.BASE) -> Mapping[str, str]:
    checked = pipeline.check(root)
    assert checked.edition is not None, checked.report.text()
    return {
        path: content.decode("utf-8", "replace") for path, content in pipeline.build(checked.edition).sorted().items()
    }


@pytest.mark.parametrize(
    ("path", "where"),
    [("models/tiny-requests.html", "8 users"), ("evidence/tiny-requests.html", "bf16, 8 users")],
)
def test_what_was_not_measured_is_counted_and_its_reason_printed(path: str, where: str) -> None:
    text = _site()[path]
    assert '<p class="note-title">Not measured: 1 planned run</p>' in text
    assert f"<li><b>{where}</b><span>cold pass, server a: not measured, {REASON}</span></li>" in text


def test_it_stands_in_the_markdown_of_the_card() -> None:
    assert f"- planned: 8 users: cold pass, server a: not measured, {REASON}\n" in _site()["models/tiny-requests.md"]


@pytest.mark.parametrize(
    ("campaign", "words"),
    [
        ("tiny-requests", ALONE),
        ("tiny-batch", "Every row says what tiny.raw.json says, the tool&#39;s own file."),
    ],
)
def test_a_page_says_what_its_rows_were_held_against(campaign: str, words: str) -> None:
    text = _site()[f"evidence/{campaign}.html"]
    assert f'<p id="support">{words}</p>' in text
    assert ("Not measured" in text) is (campaign == "tiny-requests")


def test_a_record_rests_on_its_origin() -> None:
    assert 'id="support"' not in _site()["evidence/tiny-record.html"]


def test_rows_of_a_tool_that_no_importer_reads_stand_alone(tmp_path: Path) -> None:
    root = example_site.copy(tmp_path / "site")
    path = root / "evidence/tiny-batch/campaign.json"
    (path.parent / "tiny.raw.json").write_text('{"results": []}', "utf-8")
    data = json.loads(path.read_text("utf-8"))
    data["originals"][0]["sha256"] = sha256(b'{"results": []}').hexdigest()
    path.write_text(json.dumps(data), "utf-8")
    words = "No importer reads tiny.raw.json: these rows were held against nothing but themselves."
    assert f'<p id="support">{words}</p>' in _site(root)["evidence/tiny-batch.html"]


@pytest.mark.parametrize(
    ("campaign", "name", "text", "refused"),
    [
        ("tiny-requests", "README.md", "# How it was measured\n", False),
        ("tiny-requests", "server.log", "[info] started\n", False),
        ("tiny-requests", "notes.txt", "[see](x)", False),
        ("tiny-requests", "notes.txt", ' {"requests": []}', True),
        ("tiny-requests", "requests.csv", "prompt,ms\n", True),
        ("tiny-requests", "Requests.JSONL", "", True),
        ("tiny-record", "results.json", "{}", False),
    ],
)
def test_data_beside_rows_is_listed(tmp_path: Path, campaign: str, name: str, text: str, refused: bool) -> None:
    root = example_site.copy(tmp_path / "site")
    (root / "evidence" / campaign / name).write_text(text, "utf-8")
    found = [(problem.rule, problem.place.path) for problem in pipeline.check(root).report.problems]
    assert found == ([("reference.unlisted-original", f"evidence/{campaign}/{name}")] if refused else [])
