"""Another lab's site: an emptied repository builds, and a lab with other words and one card sees nothing of ours."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from ground import ROOT, tree
from html_page import link_problems, page
from playwright.sync_api import Browser
from test_twin_schema import faults, kind
from visit import Visit

from proofpress.command import main

LAB = Path(__file__).parent / "cases" / "lab"
ADDRESS = "https://riverbank.example"
Site = Mapping[str, bytes]


def _built(root: Path, last: str, capfd: pytest.CaptureFixture[str]) -> Site:
    """The site of a root that builds without a word but for the last line."""
    capfd.readouterr()
    assert main(["build", "--root", str(root)]) == 0
    printed, errors = capfd.readouterr()
    assert (re.sub(r"\d+ files: .*\n", "", printed), errors) == (last, "")
    return tree(root / "site")


@pytest.fixture(params=["empty folders", "no folders"])
def emptied(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The repository with nothing but its pages, vocabulary, and a description that somebody has edited."""
    shutil.copytree(ROOT / "content" / "pages", tmp_path / "content" / "pages")
    shutil.copy(ROOT / "content" / "vocabulary.yaml", tmp_path / "content")
    shutil.copy(LAB / "content" / "site.yaml", tmp_path / "content")
    if request.param == "empty folders":
        for folder in ("content/cards", "content/guides", "evidence"):
            (tmp_path / folder).mkdir()
    return tmp_path


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A lab of its own, with the pages that explain the program."""
    shutil.copytree(LAB, tmp_path / "lab")
    shutil.copytree(ROOT / "content" / "pages", tmp_path / "lab" / "content" / "pages")
    return tmp_path / "lab"


def test_an_emptied_repository_builds_and_says_that_there_are_no_cards(
    emptied: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    site = _built(emptied, "0 cards, ", capfd)
    assert link_problems(site, base_url=ADDRESS) == []
    for name in ("index.html", "compare.html"):
        assert "There are no cards yet." in page(site[name]).text
    assert "curves shown" not in page(site["index.html"]).text
    assert {
        name: found for name in ("index.json", "build.json") if (found := faults(kind(name), json.loads(site[name])))
    } == {}


def test_a_lab_with_other_words_builds(lab: Path, capfd: pytest.CaptureFixture[str]) -> None:
    site = _built(lab, "1 card, ", capfd)
    assert link_problems(site, base_url=ADDRESS) == []
    assert "10.0 tok/s" in page(site["models/otter.html"]).text
    twins = [name for name in site if name in {"index.json", "build.json", "models/otter.json"}]
    assert {name: found for name in twins if (found := faults(kind(name), json.loads(site[name])))} == {}
    index = page(site["index.html"]).text
    assert "0 of 1 set-up" in index
    assert "Show them" not in index  # there are none to show


TEACHING = {"contribute.html", "formats.html", "rules.html"}
"""Pages that teach the program: their examples are taken from some vocabulary, and they name tools that it reads."""

THINGS = (
    "accelerators", "engines", "quantizations", "families", "operating_systems", "delivery", "good_for", "speculation_methods",
    "draft_heads", "apis", "suites",
)  # fmt: skip
"""Lists of what a lab has. The words of the others are words of the program as well."""

OF_EVERYBODY = {"interactive", "none", "not stated", "container"}


def _ours() -> set[str]:
    """Names that stand in our corpus: cards, campaigns, checkpoints."""
    cards = [yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / "content" / "cards").iterdir()]
    names = {path.stem for path in (ROOT / "content" / "cards").iterdir()}
    names |= {path.name for path in (ROOT / "evidence").iterdir() if path.is_dir()}
    return names | {card["name"] for card in cards} | {card["model"]["checkpoint"] for card in cards}


def _our_words() -> set[str]:
    """Ids and labels of the things in our vocabulary, and every sentence of it."""
    ours = yaml.safe_load((ROOT / "content" / "vocabulary.yaml").read_text("utf-8"))
    entries = [(name, word, entry) for name in ours if name != "format" for word, entry in ours[name].items()]
    words = {word for name, word, _ in entries if name in THINGS}
    words |= {entry[key] for name, _, entry in entries if name in THINGS for key in ("label", "short") if key in entry}
    sentences = {
        entry[key] for _, _, entry in entries for key in ("explain", "statistic", "close_with") if key in entry
    }
    return {word for word in words if len(word) > 3} - OF_EVERYBODY | sentences


def _holds(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def test_nothing_of_ours_stands_on_the_pages_of_another_lab(lab: Path, capfd: pytest.CaptureFixture[str]) -> None:
    site = _built(lab, "1 card, ", capfd)
    texts = {path: page(content).text for path, content in site.items() if path.endswith(".html")}
    plain = (".json", ".md", ".csv", ".svg", ".txt", ".xml")
    texts |= {path: content.decode() for path, content in site.items() if path.endswith(plain) or "terms-" in path}
    assert [(path, name) for path, text in texts.items() for name in sorted(_ours()) if _holds(text, name)] == []
    own = {path: text for path, text in texts.items() if path not in TEACHING and not path.startswith("schema/")}
    found = [(path, word) for path, text in own.items() for word in sorted(_our_words()) if _holds(text, word)]
    assert found == [], "\n".join(map(str, found))


@pytest.mark.parametrize("name", ["index.html", "compare.html"])
def test_scripts_of_a_site_without_cards_have_nothing_to_complain_about(
    emptied: Path, browser: Browser, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _built(emptied, "0 cards, ", capfd)
    one = Visit(browser.new_context(), (emptied / "site" / name).as_uri())
    assert one.faults() == []
    one.close()


@pytest.mark.parametrize("name", ["index.html", "compare.html", "models/otter.html", "evidence/otter-wall.html"])
def test_scripts_of_a_site_with_one_card_have_nothing_to_complain_about(
    lab: Path, browser: Browser, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    _built(lab, "1 card, ", capfd)
    one = Visit(browser.new_context(), (lab / "site" / name).as_uri())
    assert one.faults() == []
    one.close()


@pytest.mark.parametrize("source", [["--from", "otter-wall"], []], ids=["from a campaign", "from nothing"])
def test_a_scaffolded_card_uses_the_labs_own_words(
    lab: Path, source: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    source = source or STATED
    assert main(["new", "vole", "--root", str(lab), "--family", "otter", *source]) == 0
    assert main(["check", "--root", str(lab), "content/cards/vole.yaml"]) == 0, capfd.readouterr().err


STATED = [
    *("--engine", "paddle", "--accelerator", "pebble-16g", "--quantization", "six-bit"),
    *("--cards", "1", "--checkpoint", "riverbank/vole"),
]


def test_a_card_is_scaffolded_when_there_are_words_for_it(lab: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each word that the vocabulary does not have is told, and nothing is written."""
    for path in ("content/cards/otter.yaml", "content/guides/otter.md", "evidence/otter-wall/campaign.json"):
        (lab / path).unlink()
    vocabulary = lab / "content" / "vocabulary.yaml"
    text = vocabulary.read_text("utf-8")
    for name in ("accelerators", "engines", "quantizations"):
        text = re.sub(rf"^{name}:\n(?:  .*\n)+", f"{name}: {{}}\n", text, flags=re.MULTILINE)
    vocabulary.write_text(text, "utf-8")
    assert main(["new", "vole", "--root", str(lab), "--family", "otter", *STATED]) == 2
    assert capfd.readouterr().err.splitlines() == [
        "wrong usage: --accelerator is one of the vocabulary's accelerators, not 'pebble-16g': known: none yet; a new one is added there first",
        "  --engine is one of the vocabulary's engines, not 'paddle': known: none yet; a new one is added there first",
        "  --quantization is one of the vocabulary's quantizations, not 'six-bit': known: none yet; a new one is added there first",
    ]
    assert not (lab / "content" / "cards" / "vole.yaml").exists()


def test_a_card_can_be_scaffolded_before_there_is_a_status(lab: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The check then says that one is wanted."""
    (lab / "content/cards/otter.yaml").unlink()
    vocabulary = lab / "content" / "vocabulary.yaml"
    text = vocabulary.read_text("utf-8")
    vocabulary.write_text(re.sub(r"^statuses:\n(?:  .*\n)+", "statuses: {}\n", text, flags=re.MULTILINE), "utf-8")
    assert main(["new", "vole", "--root", str(lab), "--family", "otter", *STATED]) == 0
    capfd.readouterr()
    assert main(["check", "--root", str(lab), "content/cards/vole.yaml"]) == 1
    assert "status: 'not-named-yet' · a status from 'content/vocabulary.yaml'" in capfd.readouterr().err
