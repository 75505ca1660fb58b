"""Guide: how to repeat a deployment, `content/guides/<id>.md`; a head of facts and seven sections of Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proofpress.problem import Problem, quoted
from proofpress.schema import Closed, Sentence, Word, check
from proofpress.source import Source, yaml_source

SECTIONS = {
    "preflight": "Preflight",
    "model": "Get the model",
    "launch": "Launch",
    "health": "Health",
    "benchmark": "Benchmark",
    "stop": "Stop",
    "recover": "Recover",
}
"""The sections of every guide, in order: id and heading."""


class GuideHead(Closed):
    """The facts at the top of a guide. `unknown` names what nobody has written down yet, by section; each is a gap."""

    format: Literal["proofpress.guide/1"]
    title: Word
    unknown: dict[Literal["preflight", "model", "launch", "health", "benchmark", "stop", "recover"], Sentence] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A checked guide: its head, and the Markdown of each section by id."""

    id: str
    source: Source
    head: GuideHead
    sections: dict[str, str]


def parse(source: Source, guide_id: str) -> tuple[Guide | None, tuple[Problem, ...]]:
    """The guide in `source`, whose data is the text of a Markdown file with a head between two lines of `---`."""
    text = str(source.data)
    parts = text.split("---\n", 2)
    if len(parts) != 3 or parts[0].strip():
        found = quoted(text[:20])
        expected = "a guide starts with its head: '---', facts, '---'"
        return None, (source.problem("schema.guide-head", (), found=found, expected=expected),)
    loaded = yaml_source(
        source.path, f"\n{parts[1]}".encode()
    )  # the empty line stands for '---', so that lines keep their numbers
    if loaded.source is None:
        return None, loaded.problems
    head = check(loaded.source, GuideHead, noun="a guide's head")
    sections, problems = _sections(source, parts[2])
    problems = (*loaded.problems, *head.problems, *problems)
    if head.record is None or any(problem.severity == "error" for problem in problems):
        return None, problems
    return Guide(id=guide_id, source=source, head=head.record, sections=sections), problems


def _sections(source: Source, body: str) -> tuple[dict[str, str], tuple[Problem, ...]]:
    sections: dict[str, str] = {}
    current: list[str] | None = None
    headings: list[str] = []
    names = {heading: key for key, heading in SECTIONS.items()}
    fenced = False
    for line in body.splitlines(keepends=True):
        if line.startswith("```"):
            fenced = not fenced
        if line.startswith("## ") and not fenced:
            heading = line[3:].strip()
            headings.append(heading)
            current = []
            if heading in names:
                sections[names[heading]] = ""
        elif current is not None:
            current.append(line)
        if current is not None and headings[-1] in names:
            sections[names[headings[-1]]] = "".join(current).strip() + "\n"
    if headings != list(SECTIONS.values()):
        expected = f"the sections {', '.join(SECTIONS.values())}, in this order"
        problem = source.problem("schema.guide-sections", (), found=quoted(", ".join(headings)), expected=expected)
        return sections, (problem,)
    return sections, ()
