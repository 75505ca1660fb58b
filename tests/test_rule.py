"""Every rule: its entry, an edit of the example site that breaks it and no other, in exactly these words, and a close
neighbour that it accepts. Expected words stand in tests/cases/messages; `make golden` renews them."""

from __future__ import annotations

import re
from pathlib import Path

import example_site
import pytest
from example_site import CASES, RENEW, golden

from proofpress.check import rule as rules_module
from proofpress.check.rule import KINDS, Rule, registry
from proofpress.derive.finding import Evidence, evidence_of
from proofpress.kernel.reading import Reading
from proofpress.pipeline import Checked
from proofpress.problem import Severity
from proofpress.records.reason import Reason

PACKAGE = Path(rules_module.__file__).parent.parent
ALL = list(registry().values())
SPOKEN = [rule for rule in ALL if rule.verdict != "withhold"]
WITHHELD = [rule for rule in ALL if rule.verdict == "withhold"]

OTHER_GOLDENS = {"gloriously-wrong"}
"""Expected reports that belong to no single rule."""


def _id(rule: Rule) -> str:
    return rule.id


def _checked(tmp_path: Path, rule: Rule, which: str) -> Checked:
    root = example_site.copy(tmp_path / "site")
    change = rule.wrong if which == "wrong" else rule.right
    example_site.edit(root, rule.file, change)
    return example_site.check(root, rule.file, change)


def test_the_example_site_has_no_problem() -> None:
    assert example_site.check(example_site.BASE).report.text() == ""


@pytest.mark.parametrize("rule", SPOKEN, ids=_id)
def test_the_wrong_edit_breaks_this_rule_alone_and_says_so(tmp_path: Path, rule: Rule) -> None:
    checked = _checked(tmp_path, rule, "wrong")
    assert {problem.rule for problem in checked.report.problems} == {rule.id}, checked.report.text()
    severity = Severity.WARNING if rule.verdict == "warn" else Severity.ERROR
    assert {problem.severity for problem in checked.report.problems} == {severity}
    assert (checked.edition is None) == (rule.verdict == "refuse")
    golden(rule.id, checked.report.text())


@pytest.mark.parametrize("rule", ALL, ids=_id)
def test_the_right_edit_is_accepted(tmp_path: Path, rule: Rule) -> None:
    assert rule.right != rule.wrong
    assert _checked(tmp_path, rule, "right").report.text() == ""


@pytest.mark.parametrize("rule", WITHHELD, ids=_id)
def test_the_wrong_edit_is_withheld_for_this_reason_and_the_right_one_qualifies(tmp_path: Path, rule: Rule) -> None:
    checked = _checked(tmp_path / "wrong", rule, "wrong")
    assert checked.report.text() == ""
    withheld = [reading for reading in _readings(checked, rule) if reading.reason is not None]
    assert {reading.reason.rule for reading in withheld if reading.reason} == {rule.id}
    golden(rule.id, "".join(map(_sentence, withheld)))
    right = _checked(tmp_path / "right", rule, "right")
    assert {reading.reason for reading in _readings(right, rule)} == {None}


def _readings(checked: Checked, rule: Rule) -> tuple[Reading, ...]:
    assert checked.edition is not None
    library = checked.edition.library
    entry = library.campaigns[Path(rule.file).parent.name]
    evidence: Evidence = evidence_of(entry.campaign, entry.source.sha256, library.vocabulary.metrics.keys())
    return evidence.readings


def _sentence(reading: Reading) -> str:
    count = f"{reading.identity} by {reading.identity.method}" if reading.identity else "nothing compared"
    return f"{reading.pointer} {reading.run_name}: {reading.reason} · {count} · {reading.detail or '-'}\n"


def test_every_id_in_the_source_has_an_entry_and_every_entry_is_emitted() -> None:
    literal = re.compile(rf"\"((?:{'|'.join(KINDS)})\.[a-z0-9-]+)\"")
    in_source = {match[1] for path in PACKAGE.rglob("*.py") for match in literal.finditer(path.read_text("utf-8"))}
    reasons = {reason.rule for reason in Reason if reason is not Reason.OTHER_RUN}
    assert in_source | reasons == set(registry())


def test_no_id_is_put_together_where_no_test_would_see_it() -> None:
    """Except withheld.<reason>, which is a closed list."""
    together = re.compile(rf"f\"(?:{'|'.join(KINDS)})\.[^\"]*\{{")
    found = [
        (path.name, match[0]) for path in PACKAGE.rglob("*.py") for match in together.finditer(path.read_text("utf-8"))
    ]
    assert found == [("reason.py", 'f"withheld.{')]


def test_each_rule_has_its_words_and_no_words_are_left_over() -> None:
    if RENEW:
        for path in (CASES / "messages").glob("*.txt"):
            if path.stem not in registry() and path.stem not in OTHER_GOLDENS:
                path.unlink()
    assert {path.stem for path in (CASES / "messages").iterdir()} == set(registry()) | OTHER_GOLDENS


@pytest.mark.parametrize("rule", ALL, ids=_id)
def test_entries_speak_in_whole_sentences(rule: Rule) -> None:
    assert rule.why.endswith(".")
    assert not rule.title.endswith(".")
    assert "  " not in rule.why
    assert rule.example_pair()[0] != rule.example_pair()[1]


@pytest.mark.parametrize("rule", SPOKEN, ids=_id)
def test_messages_say_place_rule_and_what_is_wanted(rule: Rule) -> None:
    """Each first line is `path[:line:column]  rule-id  [field: ]found · expected[ · hint]`, and no word of a library."""
    text = (CASES / "messages" / f"{rule.id}.txt").read_text("utf-8")
    heads = [line for line in text.splitlines() if not line.startswith("  ")]
    assert heads
    for head in heads:
        place, rule_id, sentence = head.split("  ", 2)
        assert rule_id.removesuffix(" (warning)") == rule.id
        assert re.fullmatch(r"(?:content|evidence)/\S.*?(?::\d+:\d+)?", place)
        assert " · " in sentence
        assert not re.search(r"input should|valid dictionary|instance of|pydantic|NoneType|Traceback", sentence)
