"""A check of named files says of them what a check of everything says, word for word, and reads no more than it needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

import example_site
import pytest
from example_site import replace
from ground import ROOT, copied_root

from proofpress import pipeline
from proofpress.check.library import files, load
from proofpress.check.rule import Become, Rule, registry
from proofpress.check.scope import Scope
from proofpress.problem import Problem

TINY, RECORD, OPEN = (f"content/cards/{card}.yaml" for card in ("tiny", "tiny-record", "tiny-open"))
GUIDE, PAGE = "content/guides/tiny.md", "content/pages/about.md"
LADDER, SUITE = "evidence/tiny-ladder", "evidence/tiny-suite"

SPOKEN = [rule for rule in registry().values() if rule.verdict != "withhold"]

PLACES: tuple[tuple[str, ...], ...] = (
    (TINY,), (RECORD,), (GUIDE,), (PAGE,), (LADDER,), (f"{SUITE}/campaign.json",), (f"{LADDER}/original.json",),
    ("content/site.yaml",), ("content/vocabulary.yaml",), ("content/cards",), ("content/guides",), ("content",), ("evidence",),
    (RECORD, LADDER), (GUIDE, SUITE), (".",),
)  # fmt: skip
"""Paths of every kind, alone and together."""


def _of(problems: tuple[Problem, ...], *named: str) -> list[Problem]:
    return [problem for problem in problems if Scope(named).holds(PurePosixPath(problem.place.path))]


def _few(root: Path, *named: str) -> list[Problem]:
    """What a check of the named files says of them."""
    return _of(pipeline.problems_of(root, Scope(named)).problems, *named)


def _other(rule: Rule) -> Rule:
    """Another rule whose wrong edit is one of another file: then something is wrong inside and outside."""
    start = SPOKEN.index(rule)
    others = (SPOKEN[(start + 37 * step) % len(SPOKEN)] for step in range(1, len(SPOKEN)))
    return next(other for other in others if other.file != rule.file and not isinstance(other.wrong, Become))


@pytest.mark.parametrize("rule", SPOKEN, ids=lambda rule: rule.id)
def test_each_rule_speaks_as_it_does_when_everything_is_checked(tmp_path: Path, rule: Rule) -> None:
    """The places that the problems stand at, and some others, in turn."""
    root = example_site.copy(tmp_path / "site")
    other = _other(rule)
    example_site.edit(root, rule.file, rule.wrong)
    example_site.edit(root, other.file, other.wrong)
    whole = example_site.check(root, rule.file, rule.wrong).report.problems
    turn = SPOKEN.index(rule)
    some = [PLACES[(turn + step) % len(PLACES)] for step in (0, 5)]
    for place in [*some, *((path,) for path in sorted({problem.place.path for problem in whole}))]:
        named = [path for path in place if (root / path).exists()]
        with example_site.played(root, rule.file, rule.wrong):
            assert _few(root, *named) == _of(whole, *named), named


# --- where a problem of one file depends on another ------------------------------------------------------------------


def _superseded(root: Path, *pairs: tuple[str, str]) -> None:
    for card, newer in pairs:
        path = root / "content/cards" / f"{card}.yaml"
        lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("superseded_by")]
        path.write_text("\n".join([*lines, f"superseded_by: {newer}", ""]), "utf-8")


def _renamed_guide(root: Path, *changes: tuple[str, str]) -> None:
    """The guide under a name that stands nowhere else."""
    (root / GUIDE).rename(root / "content/guides/steps.md")
    replace(root / TINY, ("guide: tiny", "guide: null"))
    replace(root / OPEN, *changes)


def _circle_through_a_card_that_was_read_before(root: Path) -> None:
    """The guide is read, tiny-open for naming it, tiny-record for its words; the circle goes on to a card that nothing else leads to."""
    _renamed_guide(root, ("guide: null", "guide: steps"))
    replace(root / RECORD, ("publisher: nobody", "publisher: nobody who took steps"))
    _superseded(root, ("tiny-open", "tiny-record"), ("tiny-record", "tiny-requests"), ("tiny-requests", "tiny-open"))
    replace(root / "content/guides/steps.md", ("[[fact revision]]", "[[fact revison]]"))


def _forgotten(root: Path) -> None:
    """A guide and a campaign that nobody names."""
    (root / GUIDE).rename(root / "content/guides/other.md")
    replace(root / TINY, ("guide: tiny", "guide: null"))
    (root / "evidence/alone").mkdir()
    text = (root / LADDER / "campaign.json").read_text("utf-8").replace('"id": "tiny-ladder"', '"id": "alone"')
    (root / "evidence/alone/campaign.json").write_text(text, "utf-8")
    (root / "evidence/alone/original.json").write_bytes((root / LADDER / "original.json").read_bytes())


def _forgotten_and_a_card_that_fails(root: Path) -> None:
    """The card that cannot be read may be the one that names them."""
    _forgotten(root)
    replace(root / RECORD, ("family: tiny", "family: Tiny"))


def _named_by_an_escape(root: Path) -> None:
    """By a second card, which does not have all facts that the guide wants."""
    _renamed_guide(root, ("guide: null", 'guide: "st\\x65ps"'))
    replace(root / TINY, ("guide: null", "guide: steps"))


def _broken_evidence(root: Path) -> None:
    """Claims of the card and its guide cannot be checked, and the misspelt name is still known."""
    replace(root / TINY, ("50.2 tok/s", "55 tok/s"), ("related: [tiny-record]", "related: [tiny-rekord]"))
    replace(root / GUIDE, ("[[fact revision]]", "[[fact revison]]"))
    replace(root / LADDER / "campaign.json", ('"grade": "record"', '"grade": "rekord"'))


def _names_of_broken_files(root: Path) -> None:
    """What is meant by a misspelt name is a file, whether that is in order or not."""
    replace(root / TINY, ("related: [tiny-record]", "related: [tiny-rekord]"))
    replace(root / RECORD, ("family: tiny", "family: Tiny"))


def _broken_vocabulary(root: Path) -> None:
    replace(root / "content/vocabulary.yaml", ("format: proofpress.vocabulary/1", "format: proofpress.vocabulary/9"))
    replace(root / TINY, ("50.2 tok/s", "55 tok/s"), ("status: candidate", "status: 3"))


ENTANGLED: dict[str, Callable[[Path], None]] = {
    "a circle of three": lambda root: _superseded(
        root, ("tiny-open", "tiny-record"), ("tiny-record", "tiny"), ("tiny", "tiny-open")
    ),
    "a circle through a card that was read before": _circle_through_a_card_that_was_read_before,
    "a guide and a campaign that nobody names": _forgotten,
    "the same, and a card that fails": _forgotten_and_a_card_that_fails,
    "a guide that is named by an escape": _named_by_an_escape,
    "a card whose evidence is broken": _broken_evidence,
    "misspelt names of files that fail": _names_of_broken_files,
    "a vocabulary that cannot be used": _broken_vocabulary,
}


@pytest.mark.parametrize("title", ENTANGLED)
def test_files_that_depend_on_others_are_judged_as_when_everything_is_checked(title: str, tmp_path: Path) -> None:
    """Every file and folder of the site by itself."""
    root = example_site.copy(tmp_path / "site")
    ENTANGLED[title](root)
    whole = pipeline.check(root).report.problems
    assert whole
    for path in ["content", "evidence", *sorted(str(path.relative_to(root)) for path in root.glob("*/**/*"))]:
        assert _few(root, path) == _of(whole, path), path


# --- the published corpus --------------------------------------------------------------------------------------------


def test_every_file_of_a_corpus_with_mistakes_in_all_kinds_of_files(tmp_path: Path) -> None:
    root = copied_root(tmp_path)
    for file, old, new in (
        ("content/cards/qwen35-9b-fp8-b70.yaml", "status: candidate", "status: candidat"),
        ("content/guides/qwen38-27b-fp8-tp2-b70.md", "## Stop", "## Halt"),
        ("content/pages/contribute.md", "](", "](http://example.org)[x]("),
        ("content/vocabulary.yaml", "label: ", "label: 99 tok/s "),
    ):
        path = root / file
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    campaign = sorted((root / "evidence").glob("q9-*/campaign.json"))[0]
    campaign.write_text(campaign.read_text("utf-8").replace('"unit": "tok/s"', '"unit": "toks/s"', 1), "utf-8")
    whole = pipeline.check(root).report.problems
    assert len({problem.place.path for problem in whole}) == 5
    for named in [*map(str, files(root)), "content/cards", "content/guides", "evidence"]:
        assert _few(root, named) == _of(whole, named), named


@pytest.mark.parametrize("card", sorted(path.name for path in (ROOT / "content/cards").iterdir()))
def test_each_published_card_by_itself_has_no_problem(card: str) -> None:
    """Nor has any file that was read with it: what is not read is not missed."""
    assert pipeline.problems_of(ROOT, Scope((f"content/cards/{card}",))).problems == ()


# --- what is read ----------------------------------------------------------------------------------------------------

ALWAYS = {"content/site.yaml", "content/vocabulary.yaml"}
LISTED = {"evidence/tiny-open/campaign.json"}
"""It has an escape, which might spell the digest of an original: nobody publishes one file twice."""
OF_TINY = {TINY, GUIDE, f"{LADDER}/campaign.json", f"{LADDER}/original.json"}

READ: dict[str, tuple[str, set[str]]] = {
    "a card, with its guide and campaigns": (TINY, OF_TINY),
    "a guide, with what the card that names it needs, and all cards in which its name stands": (
        GUIDE,
        {*OF_TINY, RECORD, OPEN, "content/cards/tiny-requests.yaml", "content/cards/tiny-batch.yaml"},
    ),
    "a campaign, with the card that names it": (
        LADDER,
        {TINY, *LISTED, f"{LADDER}/campaign.json", f"{LADDER}/original.json"},
    ),
    "a file beside a campaign": (
        f"{LADDER}/original.json",
        {TINY, *LISTED, f"{LADDER}/campaign.json", f"{LADDER}/original.json"},
    ),
    "a page": (PAGE, {PAGE}),
    "the vocabulary": ("content/vocabulary.yaml", set()),
    "a file that is neither content nor evidence": ("README.md", set()),
}


@pytest.mark.parametrize("title", READ)
def test_only_what_is_needed_is_read(title: str) -> None:
    named, expected = READ[title]
    library, _ = load(example_site.BASE, scope=Scope((named,)))
    assert library is not None
    assert set(library.inputs) == ALWAYS | expected


def test_with_everything_named_everything_is_read() -> None:
    library, _ = load(example_site.BASE)
    assert library is not None
    assert set(library.inputs) == set(map(str, files(example_site.BASE)))
    assert library.failed == frozenset()
