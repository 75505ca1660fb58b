"""`new` starts a deployment with files that a preview can be built from; nothing is invented, and what is left to write is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from proofpress import pipeline
from proofpress.check import placeholder
from proofpress.command import main
from proofpress.derive.finding import Shown
from proofpress.problem import Report, Severity
from proofpress.records.guide import SECTIONS

ROOT = Path(__file__).parent.parent
CAMPAIGNS = (
    "q9-c2-strict",
    "q9-c2-users",
    "q27-r187-strict",
    "q27-r139-context",
    "h200-qwen3-random-users",
    "h200-qwen3-random-strict-ngram",
)
STATED = (
    *("--engine", "transformers", "--accelerator", "nvidia-h200", "--quantization", "none"),
    *("--cards", "2", "--checkpoint", "a-lab/a-model"),
)
GUIDE = [f"unknown.{section}" for section in SECTIONS]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site with this site's words and evidence, and no card."""
    for name in ("site.yaml", "vocabulary.yaml"):
        (tmp_path / "content").mkdir(exist_ok=True)
        shutil.copy(ROOT / "content" / name, tmp_path / "content" / name)
    for campaign in CAMPAIGNS:
        shutil.copytree(ROOT / "evidence" / campaign, tmp_path / "evidence" / campaign)
    return tmp_path


def _left(report: Report) -> list[str]:
    """The fields of the texts that are left to write, where these are the only problems of card and guide."""
    problems = [problem for problem in report.problems if problem.place.path.startswith("content/")]
    assert {(problem.rule, problem.severity) for problem in problems} == {("text.placeholder", Severity.WARNING)}
    return [problem.field for problem in problems]


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_a_card_from_a_campaign_passes_and_shows_what_it_has(root: Path, campaign: str) -> None:
    """Every arm of the campaign that has values stands on the new card, with claims that hold."""
    assert main(["new", "my-card", "--from", campaign, "--family", "qwen3-random", "--root", str(root)]) == 0
    checked = pipeline.check(root)
    assert checked.report.errors == 0, checked.report.text()
    assert checked.edition is not None
    (card,) = checked.edition.cards
    assert _left(checked.report) == ["compression", "projection.none", "summary", *GUIDE]
    assert card.profiles
    measured = {arm.id for profile in card.profiles for arm in profile.arms}
    assert measured == {reading.arm for reading in checked.edition.evidence[campaign].readings}
    assert {gap.id for gap in checked.edition.gaps["my-card"]} >= {"clean-host-replay", "guide-unknown"}


def test_a_card_without_a_campaign_passes_and_says_that_nothing_was_measured(root: Path) -> None:
    """The headline is pending, and the page says so."""
    assert main(["new", "my-card", "--family", "qwen3-random", *STATED, "--root", str(root)]) == 0
    checked = pipeline.check(root)
    assert checked.report.errors == 0, checked.report.text()
    assert checked.edition is not None
    page = pipeline.build(checked.edition)["models/my-card.html"].decode()
    credit = ["credits[0].name", "credits[0].contribution"]
    assert _left(checked.report) == ["compression", *credit, "projection.none", "summary", *GUIDE]
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
    main(["new", "my-card", "--family", "qwen3-random", *STATED, "--root", str(root)])
    before = (root / "content/cards/my-card.yaml").read_bytes()
    capsys.readouterr()
    assert main(["new", "my-card", "--from", "q9-c2-strict", "--family", "qwen3-random", "--root", str(root)]) == 2
    assert (root / "content/cards/my-card.yaml").read_bytes() == before
    assert "already there: content/cards/my-card.yaml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--family", "nonsense", *STATED], "--family is one of the vocabulary's families, not 'nonsense': known: "),
        (["--family", "qwen3-randm", *STATED], "not 'qwen3-randm': did you mean 'qwen3-random'? a new one"),
        (
            ["--family", "qwen3-random", "--from", "nothing"],
            "there is no campaign 'nothing' that passes the checks; there are: h200",
        ),
        (["--family", "qwen3-random", "--from", "q9-c2-usrs"], "that passes the checks; did you mean 'q9-c2-users'?"),
        (
            ["--family", "qwen3-random"],
            "--engine is one of the vocabulary's engines: known: llama-cpp-sycl, transformers, ",
        ),
        (["--family", "qwen3-random"], "--cards is the number of accelerators"),
        (
            ["--family", "qwen3-random", *STATED, "--engine", "vlm-xpu"],
            "not 'vlm-xpu': did you mean 'vllm-xpu'? a new one",
        ),
        (["--family", "qwen3-random", *STATED, "--cards", "0"], "'0': a whole number of at least 1 is wanted"),
        (
            ["--family", "qwen3-random", *STATED, "--checkpoint", "a" * 121],
            "a printable name of at most 120 characters",
        ),
        (
            ["--family", "qwen3-random", *STATED, "--from", "q9-c2-users"],
            "--accelerator and --engine and --quantization and --checkpoint: the campaign says it",
        ),
        (["--family", "qwen3-random", "--cards", "1", "--from", "q9-c2-users"], "--cards: the campaign says it"),
    ],
)
def test_wrong_names_are_told(root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    """What is missing is named, with what there is instead, and nothing is written."""
    assert main(["new", "my-card", *arguments, "--root", str(root)]) == 2
    assert said in capsys.readouterr().err
    assert not (root / "content" / "cards").exists()


def test_what_no_campaign_says_is_what_was_stated(root: Path) -> None:
    """Was: the first engine, accelerator and quantization of the vocabulary, the card's id as checkpoint, and one card measured."""
    main(["new", "my-card", "--family", "qwen3-random", *STATED, "--root", str(root)])
    edition = pipeline.check(root).edition
    assert edition is not None
    card = edition.cards[0].card
    assert (card.engine, card.hardware.accelerator, card.quantization) == ("transformers", "nvidia-h200", "none")
    assert (card.model.checkpoint, card.hardware.cards, card.hardware.cards_measured) == ("a-lab/a-model", 2, ())
    assert (card.name, edition.library.guides["my-card"].head.title) == ("a-model on H200", "a-model on H200")
    page = pipeline.build(edition)["models/my-card.html"].decode()
    assert "<dt>Accelerators measured</dt><dd>none yet</dd>" in page.replace("\n", "")


def test_cards_that_nothing_measured_are_refused(root: Path) -> None:
    """Was: a card without a profile could say that one accelerator was measured."""
    main(["new", "my-card", "--family", "qwen3-random", *STATED, "--root", str(root)])
    path = root / "content" / "cards" / "my-card.yaml"
    path.write_text(path.read_text("utf-8").replace("cards_measured: []", "cards_measured: [2]"), "utf-8")
    (problem,) = [problem for problem in pipeline.check(root).report.problems if problem.severity is Severity.ERROR]
    assert (problem.rule, problem.found) == ("mismatch.cards-measured", "[2]")
    assert problem.expected == "the numbers of accelerators that its headline and profiles measured, []"


def test_a_text_is_left_until_it_is_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`new` says how many; one that was written is no longer named, and the next campaign's README is."""
    main(["new", "my-card", "--from", "q9-c2-users", "--family", "qwen3-random", "--root", str(root)])
    names = "content/cards/my-card.yaml content/guides/my-card.md"
    assert (
        capsys.readouterr().out.splitlines()[-1]
        == f"10 texts left to write; each is named by: python build.py check {names}"
    )
    path = root / "content" / "guides" / "my-card.md"
    text = (
        path.read_text("utf-8")
        .replace(f"  stop: {placeholder.UNKNOWN}\n", "")
        .replace("## Stop\n", "## Stop\n\nEnd it.\n")
    )
    path.write_text(text, "utf-8")
    (root / "evidence" / "q9-c2-users" / "README.md").write_text(placeholder.README, "utf-8")
    left = [
        (problem.place.path, problem.field)
        for problem in pipeline.check(root).report.problems
        if problem.rule == "text.placeholder"
    ]
    assert ("content/guides/my-card.md", "unknown.stop") not in left
    assert ("evidence/q9-c2-users/README.md", "") in left
    assert len(left) == 10


def test_an_unwritten_section_is_one_note(root: Path) -> None:
    """Was: "Not written yet." and "not known: nobody has written this down yet", one below the other."""
    main(["new", "my-card", "--from", "q9-c2-users", "--family", "qwen3-random", "--root", str(root)])
    edition = pipeline.check(root).edition
    assert edition is not None
    page = pipeline.build(edition)["guides/my-card.html"].decode()
    assert page.count("not known</span> nobody has written this down yet.") == len(SECTIONS)
    assert "Not written yet." not in page


def test_the_headline_is_the_fastest_arm_that_qualifies(root: Path) -> None:
    """Was: the arm of the deepest draft, which can be the slowest of those with drafts; and no word about it."""
    main(
        ["new", "my-card", "--from", "h200-qwen3-random-strict-ngram", "--family", "qwen3-random", "--root", str(root)]
    )
    edition = pipeline.check(root).edition
    assert edition is not None
    (card,) = edition.cards
    assert card.headline is not None
    assert card.headline.arm.id == "fp32-ngram3"
    values = [finding.value for profile in card.profiles for finding in profile.findings if isinstance(finding, Shown)]
    assert card.headline.finding.value == max(values)
    text = (root / "content" / "cards" / "my-card.yaml").read_text("utf-8")
    assert (
        "\n# fp32-ngram3 is the fastest of the 5 arms whose suite is identity-qualified, by class_balanced_decode_1_100."
        in text
    )


@pytest.mark.parametrize("name", ["123", "1e5", "on", "2026-01-15", "0x1f", "1.5"])
def test_an_id_that_yaml_would_misread_is_quoted(root: Path, name: str) -> None:
    """Was: 'guide: 123', which the check refuses as a number."""
    assert main(["new", name, "--from", "q9-c2-users", "--family", "qwen3-random", "--root", str(root)]) == 0
    assert pipeline.check(root).report.errors == 0


@pytest.mark.parametrize("name", ["a..b", "a.html", "index", "con", "a" * 100, "-a", "a."])
@pytest.mark.parametrize(
    "call",
    [
        ["new", "{}", "--family", "qwen3-random", *STATED],
        ["import", "static-batch", "x.json", "--campaign", "{}", "--measured-by", "x"],
        ["import", "llama-bench", "x.json", "--campaign", "{}", "--measured-by", "x"],
    ],
    ids=["new", "static-batch", "llama-bench"],
)
def test_an_id_that_the_check_refuses_is_wrong_usage(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, call: list[str]
) -> None:
    """Was: the files were written, and the next check refused their names."""
    assert main([word.replace("{}", name) for word in call] + ["--root", str(root)]) == 2
    assert "cannot be an id: " in capsys.readouterr().err or name == "-a"
    assert not (root / "content" / "cards").exists()


@pytest.mark.parametrize(
    ("prefix", "wrong"), [("a..b", True), ("con.x", True), ("a" * 79, True), ("index", False), ("q9", False)]
)
def test_a_prefix_is_what_ids_can_begin_with(
    root: Path, capsys: pytest.CaptureFixture[str], prefix: str, wrong: bool
) -> None:
    """'index-strict' is an id, though 'index' is none."""
    status = main(["import", "record", "no.json", "--prefix", prefix, "--measured-by", "x", "--root", str(root)])
    assert ("cannot be an id: " in capsys.readouterr().err, status) == (wrong, 2 if wrong else 1)
