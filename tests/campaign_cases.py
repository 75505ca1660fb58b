"""The campaigns of the example site, and their rules' edits, as tests use them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from proofpress.check import campaign_check
from proofpress.check.campaign_check import CHECKS, Check
from proofpress.check.rule import Replace, Rule
from proofpress.kernel import recount, transcript
from proofpress.kernel.reading import Reading
from proofpress.kernel.recount import JUDGES, Judge
from proofpress.load.source import Source, json_source, read_json, read_yaml
from proofpress.problem import Problem
from proofpress.records.campaign import GRADES, Campaign, RequestCampaign
from proofpress.records.schema import check
from proofpress.records.vocabulary import Vocabulary

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases"


def base_of(rule: Rule) -> str:
    """The base campaign that a rule's edits change."""
    return Path(rule.file).parent.name


def edited_by(rule: Rule) -> str:
    """The text of a rule's base campaign after its wrong edit."""
    assert isinstance(rule.wrong, Replace)
    return edited(base_of(rule), (rule.wrong.replace, rule.wrong.text))


@cache
def vocabulary() -> Vocabulary:
    """The small vocabulary of the cases."""
    loaded = read_yaml(CASES / "base", "content/vocabulary.yaml")
    assert loaded.source is not None, loaded.problems
    checked = check(loaded.source, Vocabulary, noun="a vocabulary")
    assert checked.record is not None, checked.problems
    return checked.record


@cache
def base_text(name: str) -> str:
    """The text of a base campaign."""
    return (CASES / "base" / "evidence" / name / "campaign.json").read_text("utf-8")


def edited(name: str, *edits: tuple[str, str]) -> str:
    """A base campaign's text after exact replacements, each of text that stands there once."""
    text = base_text(name)
    for old, new in edits:
        assert text.count(old) == 1, f"stands {text.count(old)} times: {old}"
        text = text.replace(old, new)
    return text


def changed(name: str, change: Callable[[dict[str, Any]], object]) -> str:
    """A base campaign's text after `change` has altered its values."""
    data = json.loads(base_text(name))
    change(data)
    return json.dumps(data)


def source_of(name: str, text: str) -> Source:
    """A text as the source that `evidence/<name>/campaign.json` would be."""
    loaded = json_source(f"evidence/{name}/campaign.json", text.encode("utf-8"))
    assert loaded.source is not None, loaded.problems
    return loaded.source


def evidence(name: str) -> Source:
    """A campaign of the repository's own evidence."""
    loaded = read_json(ROOT, f"evidence/{name}/campaign.json")
    assert loaded.source is not None, loaded.problems
    return loaded.source


def validated(source: Source) -> tuple[Campaign | None, tuple[Problem, ...]]:
    """The record of a source by its grade, and what the schema says against it."""
    assert isinstance(source.data, Mapping)
    checked = check(source, GRADES[str(source.data["grade"])], noun="a campaign")
    return checked.record, checked.problems


def campaign_of(text: str, name: str = "tiny") -> Campaign:
    """The record of a text that the schema accepts."""
    record, problems = validated(source_of(name, text))
    assert record is not None, problems
    return record


def requests_of(text: str) -> RequestCampaign:
    """The record of a text that holds a campaign of grade `requests`."""
    record = campaign_of(text)
    assert isinstance(record, RequestCampaign)
    return record


def problems_of(source: Source, checks: tuple[Check, ...] = CHECKS) -> tuple[Problem, ...]:
    """All problems of a campaign: the schema's, or if it has none those of `checks`."""
    record, problems = validated(source)
    if record is None:
        return problems
    return tuple(campaign_check.problems(source, record, vocabulary(), checks))


def rules_of(text: str, name: str = "tiny") -> list[str]:
    """The ids of the rules that a text breaks, each once."""
    return sorted({problem.rule for problem in problems_of(source_of(name, text))})


def readings_of(campaign: Campaign, judges: tuple[Judge, ...] = tuple(JUDGES)) -> tuple[Reading, ...]:
    """The readings of a campaign of either grade."""
    if isinstance(campaign, RequestCampaign):
        return recount.readings(campaign, judges)
    return transcript.readings(campaign)


def reading_at(campaign: Campaign, pointer: str) -> Reading:
    """The reading of the run at `pointer`."""
    return next(reading for reading in readings_of(campaign) if reading.pointer == pointer)
