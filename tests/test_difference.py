"""`diff` gives a reviewer one block: numbers, verdicts, facts, claims, gaps, pages, published evidence, rules. Nothing changed, nothing said."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path

import example_site
import pytest
from markdown_it import MarkdownIt

from proofpress import pipeline
from proofpress.command import main
from proofpress.output import publish
from proofpress.review import difference, snapshot
from proofpress.review.snapshot import Snapshot

ROOT = Path(__file__).parent.parent
CARD = "content/cards/qwen35-9b-fp8-b70.yaml"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of this repository."""
    return _copy(tmp_path_factory.mktemp("unchanged"))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """The same, to be changed."""
    return _copy(tmp_path / "new")


def _copy(folder: Path) -> Path:
    for name in ("content", "evidence"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


def _edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def _take(folder: Path) -> Snapshot:
    return _unchanged(folder) if folder.name.startswith("unchanged") else snapshot.take(str(folder), ROOT)


@cache
def _unchanged(folder: Path) -> Snapshot:
    """What no test changes is read once."""
    return snapshot.take(str(folder), ROOT)


def _diff(old: Path, new: Path) -> str:
    return difference.markdown(_take(old), _take(new))


def test_nothing_changed_gives_nothing(old: Path, new: Path) -> None:
    """Equal sides give an empty block."""
    assert _diff(old, new) == ""


def test_a_changed_value_is_a_number_and_changed_evidence(old: Path, new: Path) -> None:
    """The headline moves with its evidence, and the reviewer sees both, and which published file was touched."""
    _edit(new / "evidence/q9-c2-strict/campaign.json", '"value": 98.251', '"value": 98.351')
    block = _diff(old, new)
    assert "- `qwen35-9b-fp8-b70` headline: 98.139 tok/s → 98.189 tok/s (its evidence changed)" in block
    assert "### Published evidence that changed" in block
    assert "`evidence/q9-c2-strict/campaign.json` was published and changed" in block


def test_a_lost_output_is_a_verdict(old: Path, new: Path) -> None:
    """A count that falls turns a shown point into a withheld one."""
    campaign = new / "evidence/q9-c2-users/campaign.json"
    _edit(new / CARD, "arm: mtp3, metric: aggregate_wall, axis: concurrent_users, exact_through: 8}\n  - {campaign: q9-c2-users, arm: mtp0",
          "arm: mtp3, metric: aggregate_wall, axis: concurrent_users, exact_through: 4}\n  - {campaign: q9-c2-users, arm: mtp0")  # fmt: skip
    lines = campaign.read_text(encoding="utf-8").splitlines(keepends=True)
    (row,) = [n for n, line in enumerate(lines) if '"value": 564.7' in line]
    lines[row] = lines[row].replace('"matched": 8', '"matched": 7').replace("stated-qualified", "counted")
    campaign.write_text("".join(lines), encoding="utf-8")
    assert (
        "- `qwen35-9b-fp8-b70` q9-c2-users.mtp3.aggregate_wall.concurrent_users @ 8: shown (8/8, not-stated, stated-qualified)"
        " → withheld: identity (7/8, not-stated, counted)" in _diff(old, new)
    )


def test_a_new_claim_in_prose_is_named(old: Path, new: Path) -> None:
    """A number that the prose now states is told, word for word."""
    _edit(new / CARD, "A small model that drafts for itself:", "A small model that drafts for itself at 98.1 tok/s:")
    assert "- `qwen35-9b-fp8-b70` now says “98.1 tok/s”" in _diff(old, new)


def test_a_card_that_is_gone_takes_its_pages_along(old: Path, new: Path) -> None:
    """Numbers and pages that are gone are listed."""
    (new / CARD).unlink()
    (new / "content/guides/qwen35-9b-fp8-b70.md").unlink()
    block = _diff(old, new)
    assert "- `qwen35-9b-fp8-b70` headline: gone, was 98.139 tok/s, shown" in block
    assert "- gone: `models/qwen35-9b-fp8-b70.html`" in block
    assert "- `reference.unused-evidence`: 0 → " in block
    assert "### Still missing" not in block  # was: its gaps, told as closed


def test_a_card_that_is_new_opens_no_gaps(old: Path, new: Path) -> None:
    """Its page is news; what it lacks stands there, and nothing was lost."""
    (new / CARD).unlink()
    (new / "content/guides/qwen35-9b-fp8-b70.md").unlink()
    block = _diff(new, old)
    assert "- new: `models/qwen35-9b-fp8-b70.html`" in block
    assert "### Still missing" not in block


@pytest.mark.parametrize(
    ("path", "before", "after", "line"),
    [
        ("evidence/q27-q4-tp1-bench-q8-0-context/campaign.json", '"kv": "Q8_0"', '"kv": "Q4_0"',
         "campaign `q27-q4-tp1-bench-q8-0-context` `setup.settings.kv`: `Q8_0` → `Q4_0`"),
        ("evidence/q9-c2-strict/campaign.json", '"name": "B70 optimization lab"', '"name": "Somebody `else`"',
         "campaign `q9-c2-strict` `measured_by.name`: `B70 optimization lab` → `` Somebody `else` ``"),
        (CARD, "weight_bytes: 14026775199", "weight_bytes: 14026775200",
         "card `qwen35-9b-fp8-b70` `model.weight_bytes`: `14026775199` → `14026775200`"),
        (CARD, "weight_bytes: 14026775199", "weight_bytes: null",
         "card `qwen35-9b-fp8-b70` `model.weight_bytes`: `14026775199` → nothing"),
        (CARD, "cards_measured: [1, 2]", "cards_measured: [2, 1]",
         "card `qwen35-9b-fp8-b70` `hardware.cards_measured`: `1, 2` → `2, 1`"),
        (CARD, "published: 2026-09-07", "published: 2026-09-06",
         "card `qwen35-9b-fp8-b70` `published`: `2026-09-07` → `2026-09-06`"),
        (CARD, "publisher: RedHatAI,", "publisher: Somebody,",
         "card `qwen35-9b-fp8-b70` `publisher`: `RedHatAI, from the model by Alibaba / Qwen` → `Somebody, from the model by Alibaba / Qwen`"),
        (CARD, "From the first withheld level on, at least one answer of the batch differs.", "See the table.",
         "card `qwen35-9b-fp8-b70` `limits`: removed `From the first withheld level on, at least one answer of the batch differs.`; added `See the table.`"),
        (CARD, "Each server was started afresh", "Not each server was started afresh",
         "card `qwen35-9b-fp8-b70` `summary`: removed `Each server was started afresh with its …`; added `Not each server was started afresh with its …`"),
    ],
    ids=["setting", "measurer", "bytes", "unknown", "list", "day", "publisher", "limit", "summary"],
)  # fmt: skip
def test_a_published_fact_is_told_with_both_sides(
    old: Path, new: Path, path: str, before: str, after: str, line: str
) -> None:
    """Was: two digests of the file."""
    _edit(new / path, before, after)
    assert f"### Facts\n\n- {line}\n" in _diff(old, new)


def test_what_changes_alike_in_several_runs_is_one_line(old: Path, new: Path) -> None:
    """Days of all runs, moved by a year."""
    campaign = new / "evidence/q9-c2-strict/campaign.json"
    text = campaign.read_text(encoding="utf-8")
    campaign.write_text(text.replace('"measured_on": "2026-', '"measured_on": "2025-'), encoding="utf-8")
    line = (
        "- campaign `q9-c2-strict` `measured_on` of four runs from `mtp0 suite a first` on: `2026-09-07` → `2025-09-07`"
    )
    assert f"### Facts\n\n{line}\n" in _diff(old, new)


def test_a_sentence_on_equal_outputs_is_a_claim(old: Path, new: Path) -> None:
    """Was: only wordings that the checks hold against evidence; the reviewer reads the sentence whole."""
    card = "content/cards/h200-qwen3-random-static-batch.yaml"
    _edit(new / card, "In bfloat16 they", "Where it was tried *all* outputs are identical. In bfloat16 they")
    assert "- `h200-qwen3-random-static-batch` now says “Where it was tried all outputs are identical.”" in _diff(
        old, new
    )


def test_words_of_others_do_nothing_in_the_block(old: Path, new: Path) -> None:
    """A tag, a link and a mention stay text, in facts and in claims."""
    hostile = "All outputs of <img src=x> [a](https://example.org) `x` @someone are equal. Each server"
    _edit(new / CARD, "Each server", hostile)
    block = _diff(old, new)
    assert "now says “All outputs of \\<img src=x\\>" in block
    html = MarkdownIt("commonmark").render(block)
    assert "<img" not in html
    assert "<a " not in html


def test_a_site_of_an_earlier_version_says_that_its_cards_are_not_compared(old: Path, tmp_path: Path) -> None:
    """Was: a twin without the card itself."""
    edition = pipeline.check(old).edition
    assert edition is not None
    publish(pipeline.build(edition), tmp_path / "site")
    twin = tmp_path / "site/models/qwen35-9b-fp8-b70.json"
    model = json.loads(twin.read_text(encoding="utf-8"))
    del model["card"]
    twin.write_text(json.dumps(model), encoding="utf-8")
    assert _diff(tmp_path / "site", old) == (
        "### Facts\n\n- card `qwen35-9b-fp8-b70`: not compared, because one side is a site that was built before it shipped the card itself\n"
    )


def test_a_built_site_is_as_good_a_side_as_its_content(old: Path, tmp_path: Path) -> None:
    """The snapshot of a built site equals that of the content it was built from."""
    edition = pipeline.check(old).edition
    assert edition is not None
    publish(pipeline.build(edition), tmp_path / "site")
    assert _diff(old, tmp_path / "site") == ""


def _committed(folder: Path, words: str) -> None:
    """The whole folder as one more commit of its repository."""
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for call in (("init", "-q"), ("add", "-A"), ("commit", "-qm", words)):
        subprocess.run(["git", *identity, *call], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The example site, as a repository with one commit."""
    root = example_site.copy(tmp_path / "small")
    _committed(root, "one")
    return root


def test_revisions_of_a_repository_are_sides(small: Path) -> None:
    """Two commits are compared without touching the working tree."""
    _edit(small / "evidence/tiny-ladder/campaign.json", '"value": 104.5', '"value": 104.6')
    _committed(small, "two")
    block = difference.markdown(snapshot.take("HEAD~1", small), snapshot.take("HEAD", small))
    assert "104.5 tok/s → 104.6 tok/s" in block


def test_a_revision_hides_no_file_behind_its_attributes(small: Path) -> None:
    """Was: `export-ignore` in the tree kept a file out of the comparison."""
    (small / ".gitattributes").write_text("evidence/tiny-ladder/more.txt export-ignore\n", encoding="utf-8")
    (small / "evidence/tiny-ladder/more.txt").write_text("more\n", encoding="utf-8")
    _committed(small, "two")
    block = difference.markdown(snapshot.take("HEAD~1", small), snapshot.take("HEAD", small))
    assert "### New evidence files\n\n- `evidence/tiny-ladder/more.txt`: " in block
    assert difference.markdown(snapshot.take("HEAD", small), snapshot.take(str(small), small)) == ""


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("content/guides/qwen35-9b-fp8-b70.md", "docker pull ", "docker pull --quiet "),
        (CARD, "status: candidate", "status: superseded\nsuperseded_by: qwen35-9b-w4a16-b70"),
        (CARD, "\nname: ", "\nname: New "),
        ("content/pages/contribute.md", "# Contribute", "# Contribute now"),
        ("content/vocabulary.yaml", "explain: A newer card of", "explain: Another card of"),
        ("content/site.yaml", "format: proofpress.site/1", "format: proofpress.site/1 # changed"),
    ],
    ids=["guide command", "status", "name", "page", "vocabulary", "site"],
)
def test_a_change_that_moves_no_number_is_listed(old: Path, new: Path, path: str, before: str, after: str) -> None:
    """Was: an empty block for a guide whose command had changed."""
    _edit(new / path, before, after)
    block = _diff(old, new)
    assert "### Other files that changed" in block
    assert f"- `{path}` changed: " in block


def test_a_new_file_beside_a_campaign_is_listed(old: Path, new: Path) -> None:
    """It would be published, so the reviewer sees it."""
    (new / "evidence/q9-c2-strict/more.txt").write_text("more\n", encoding="utf-8")
    assert "### New evidence files\n\n- `evidence/q9-c2-strict/more.txt`: " in _diff(old, new)


def test_another_method_of_identity_is_a_verdict(old: Path, new: Path) -> None:
    """The same count by another method is another proof."""
    campaign = new / "evidence/q9-c2-strict/campaign.json"
    text = campaign.read_text(encoding="utf-8")
    assert '"method": "not-stated"' in text
    campaign.write_text(text.replace('"method": "not-stated"', '"method": "token_ids"'), encoding="utf-8")
    assert (
        "- `qwen35-9b-fp8-b70` headline: shown (12/12, not-stated, counted) → shown (12/12, token_ids, counted)"
        in _diff(old, new)
    )


def test_a_side_that_fails_the_checks_is_refused_with_its_problems(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1, and the problems as the checks print them."""
    _edit(new / CARD, "status: candidate", "status: candidat")
    assert main(["diff", str(old), str(new)]) == 1
    errors = capsys.readouterr().err
    assert "reference.unknown-word  status: 'candidat'" in errors
    assert "does not pass the checks" in errors


def test_a_side_that_is_nothing_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, with what a side can be."""
    assert main(["diff", "no-such-thing", "HEAD"]) == 2
    assert "is neither a built site, nor a checkout, nor a revision" in capsys.readouterr().err
