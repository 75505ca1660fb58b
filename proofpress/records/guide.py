"""Guide: how to repeat a deployment, `content/guides/<id>.md`; a head of facts and seven sections of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from proofpress.load.passage import Passage
from proofpress.load.source import Source, yaml_source
from proofpress.problem import Problem, Severity, quoted
from proofpress.records.schema import Closed, Sentence, Word, check

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

_HEAD = re.compile(r"---\n(?P<facts>(?:(?!---\n)[^\n]*\n)*)---\n")


class GuideHead(Closed):
    """The facts at the top of a guide. `unknown` names what nobody has written down yet, by section; each is a gap."""

    format: Literal["proofpress.guide/1"]
    title: Word
    unknown: dict[Literal["preflight", "model", "launch", "health", "benchmark", "stop", "recover"], Sentence] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A checked guide: its head, and the Markdown of each section by id with the line on which it begins."""

    id: str
    source: Source
    head: GuideHead
    head_source: Source
    sections: dict[str, str]
    lines: dict[str, int]

    def passages(self) -> Iterator[Passage]:
        """All prose of the guide."""
        yield Passage(source=self.head_source, location=("title",), words=self.head.title, as_written=True)
        for name, unknown in self.head.unknown.items():
            yield Passage(source=self.head_source, location=("unknown", name), words=unknown)
        for section, words in self.sections.items():
            yield Passage(source=self.source, location=(), words=words, first_line=self.lines[section])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One section as it was found: the line and the words of its heading, and the lines below it."""

    line: int
    heading: str
    lines: list[str]


def parse(source: Source, guide_id: str) -> tuple[Guide | None, tuple[Problem, ...]]:
    """The guide in `source`, whose data is the text of a Markdown file with a head between two lines of `---`."""
    text = str(source.data)
    head_match = _HEAD.match(text)
    if head_match is None:
        found = quoted(text.partition("\n")[0][:40])
        expected = "a guide starts with its head: a line '---', facts, a line '---'"
        return None, (source.problem("schema.guide-head", (), found=found, expected=expected),)
    # the empty line stands for '---', so that lines keep their numbers
    loaded = yaml_source(source.path, f"\n{head_match['facts']}".encode())
    if loaded.source is None:
        return None, loaded.problems
    head = check(loaded.source, GuideHead, noun="a guide's head")
    parts = _parts(text[head_match.end() :], first_line=text.count("\n", 0, head_match.end()) + 1)
    problems = (*loaded.problems, *head.problems, *_order(source, parts))
    if head.record is None or any(problem.severity is Severity.ERROR for problem in problems):
        return None, problems
    sections, lines = {}, {}
    for key, part in zip(SECTIONS, parts, strict=True):
        blank = next((number for number, line in enumerate(part.lines) if line.strip()), len(part.lines))
        sections[key] = "".join(part.lines[blank:]).rstrip() + "\n"
        lines[key] = part.line + 1 + blank
    guide = Guide(
        id=guide_id, source=source, head=head.record, head_source=loaded.source, sections=sections, lines=lines
    )
    return guide, problems


def _parts(body: str, *, first_line: int) -> list[_Part]:
    """The parts that second-level headings begin; a line inside a fence is no heading."""
    parts: list[_Part] = []
    fence = ""
    for number, line in enumerate(body.splitlines(keepends=True), start=first_line):
        mark = line[:3]
        if mark in {"```", "~~~"} and fence in {"", mark}:
            fence = "" if fence else mark
        if line.startswith("## ") and not fence:
            parts.append(_Part(line=number, heading=line[3:].strip(), lines=[]))
        elif parts:
            parts[-1].lines.append(line)
    return parts


def _order(source: Source, parts: list[_Part]) -> Iterator[Problem]:
    """The first place at which the headings are not those of every guide."""
    wanted = list(SECTIONS.values())
    everything = f"the sections are {', '.join(wanted)}, in this order"
    for index, part in enumerate(parts):
        if index >= len(wanted) or part.heading != wanted[index]:
            place = source.at(part.line, 1, len(part.heading) + 3)
            hint = (
                f"here comes '## {wanted[index]}'" if index < len(wanted) else "remove it, or make it a heading '###'"
            )
            found = quoted(f"## {part.heading}")
            yield Problem(
                rule="schema.guide-sections", place=place, field="", found=found, expected=everything, hint=hint
            )
            return
    if len(parts) < len(wanted):
        found = f"no '## {wanted[len(parts)]}'"
        place = source.at(parts[-1].line, 1, len(parts[-1].heading) + 3) if parts else source.place(())
        hint = "a section that nobody has written down is named under 'unknown' in the head, and kept"
        yield Problem(rule="schema.guide-sections", place=place, field="", found=found, expected=everything, hint=hint)
