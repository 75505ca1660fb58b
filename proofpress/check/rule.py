"""Rule: the registry of everything the checks can say. `rules.html`, `build.json` and the tests read it; `rules/*.yaml` hold it.

Each rule has an id `kind.name`, a verdict, a title, why it exists, an input that it refuses and a close neighbour that it accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from proofpress.load.source import read_yaml
from proofpress.problem import visible
from proofpress.records.schema import Closed, Positive, Sentence, Word, check

KINDS = {
    "syntax": "The file cannot be read as what it should be",
    "text": "Characters and words that a page must not carry",
    "path": "Names and places of files",
    "limit": "Sizes",
    "io": "The machine",
    "type": "A value of the wrong kind",
    "number": "A number that no measurement gives",
    "unit": "Units",
    "schema": "The shape of a file",
    "duplicate": "The same thing twice",
    "reference": "References between files",
    "link": "Links",
    "mismatch": "Two statements that contradict each other",
    "plan": "The plan of a campaign against its rows",
    "no-evidence": "Nothing in the repository bears it out",
    "identity": "Outputs and their oracle",
    "claim": "What a card says of its evidence",
    "withheld": "Measured, and not claimed",
}
"""The kinds of rules, in the order of the page, with a heading each."""


class Replace(Closed):
    """A change of an example file: one piece of text, which stands there once, becomes another."""

    replace: Annotated[str, Field(min_length=1)]
    with_: Annotated[str, Field(alias="with")]
    times: Positive = 1
    """How often `with` is written, for what is wrong by its size; `{n}` in it then counts from 1."""
    encoding: Literal["utf-8", "latin-1"] = "utf-8"
    """What the file is saved as."""

    @property
    def text(self) -> str:
        """What stands in place of the replaced text."""
        if self.times == 1:
            return self.with_
        return "".join(self.with_.replace("{n}", str(n)) for n in range(1, self.times + 1))

    @property
    def example(self) -> str:
        """How the rules page shows it."""
        notes = [f"{self.times:,} times"] if self.times > 1 else []
        notes += [f"saved as {self.encoding}"] if self.encoding != "utf-8" else []
        return f"{self.with_}  ({', '.join(notes)})" if notes else self.with_


class Rename(Closed):
    """A change of an example file's name: its new path in the example site."""

    rename: Annotated[str, Field(min_length=1)]

    @property
    def example(self) -> str:
        """How the rules page shows it."""
        return visible(self.rename)


class Become(Closed):
    """A change of what an example file is."""

    become: Literal["link", "pipe", "folder", "empty", "absent", "unreadable", "changing"]

    @property
    def example(self) -> str:
        """How the rules page shows it."""
        words = {
            "link": "a symbolic link",
            "pipe": "a named pipe",
            "folder": "a folder of this name",
            "empty": "an empty file",
            "absent": "no file",
            "unreadable": "a file that the user who builds may not read",
            "changing": "a file that is written while it is read",
        }
        return words[self.become]


def _tag(value: Any) -> str:
    known = value if isinstance(value, dict) else {}
    return next((name for name in ("rename", "become") if name in known), "replace")


Edit: TypeAlias = Annotated[
    Annotated[Replace, Tag("replace")] | Annotated[Rename, Tag("rename")] | Annotated[Become, Tag("become")],
    Discriminator(_tag),
]


class Rule(Closed):
    """One rule. `wrong` and `right` are edits of `file` in the example site that the tests keep."""

    id: Annotated[str, Field(pattern=r"^[a-z-]+\.[a-z0-9-]+$")]
    verdict: Literal["refuse", "withhold", "warn"]
    title: Word
    why: Sentence
    file: Word
    wrong: Edit
    right: Edit

    @property
    def kind(self) -> str:
        return self.id.partition(".")[0]

    def example_pair(self) -> tuple[str, str]:
        """What the rules page prints as refused and as accepted."""
        return self.wrong.example, self.right.example


class RuleFile(Closed):
    """One file of rules."""

    format: Literal["proofpress.rules/1"]
    rules: tuple[Rule, ...]


@cache
def registry() -> Mapping[str, Rule]:
    """All rules by id, in the order of kinds and ids. The files ship with the program; one that does not load is our bug and raises."""
    folder = Path(__file__).parent / "rules"
    rules: dict[str, Rule] = {}
    for path in sorted(folder.glob("*.yaml")):
        loaded = read_yaml(folder, path.name)
        checked = check(loaded.source, RuleFile, noun="a file of rules") if loaded.source else None
        if checked is None or checked.record is None:
            raise ValueError(f"{path.name}: {[*loaded.problems, *(checked.problems if checked else ())]}")
        for rule in checked.record.rules:
            if rule.id in rules or rule.kind not in KINDS:
                raise ValueError(f"{path.name}: {rule.id} is defined twice or of an unknown kind")
            rules[rule.id] = rule
    order = list(KINDS)
    return dict(sorted(rules.items(), key=lambda item: (order.index(item[1].kind), item[0])))
