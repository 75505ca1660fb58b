"""Problem: one thing wrong with the input, as a record. Rules make them; `Report` sorts them and puts them into words.

Comes in: places and facts from loaders and rules. Goes out: text for a terminal, JSON, or annotations for a code host.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

MAX_PER_FILE = 50
MAX_QUOTED = 80


class Severity(StrEnum):
    """How much a problem weighs: an error stops the build, a warning is listed."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something stands: a file, and in it a line, a column (both from 1) and the width of the word meant.

    `line` and `column` are 0 where no position is known. `excerpt` is the source line, or a window of it, control
    characters escaped; `excerpt_offset` is how many characters the caret then stands further right (left: negative)
    than `column` says.
    """

    path: str
    line: int = 0
    column: int = 0
    width: int = 1
    excerpt: str = ""
    excerpt_offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One violated rule: its id, the place, the field, what was found, what the rule wants, and what to do."""

    rule: str
    place: Place
    field: str
    found: str
    expected: str
    hint: str = ""
    severity: Severity = Severity.ERROR

    def sort_key(self) -> tuple[str, int, int, str, str, str]:
        """By place, then rule and field; what was found tells two problems of one field apart, so that reports repeat."""
        return (self.place.path, self.place.line, self.place.column, self.rule, self.field, self.found)


def visible(text: str) -> str:
    """`text` with every control, format and separator character escaped, so that a message can quote anything."""
    return "".join(
        character
        if character == " " or character.isprintable()
        else f"\\u{ord(character):04x}"
        if ord(character) > 0xFF
        else f"\\x{ord(character):02x}"
        for character in text
    )


def quoted(value: object) -> str:
    """`value` as a message shows it: text in quotes, made visible, cut after `MAX_QUOTED` characters."""
    text = visible(value) if isinstance(value, str) else visible(json.dumps(value, ensure_ascii=False, default=str))
    if len(text) > MAX_QUOTED:
        text = f"{text[: MAX_QUOTED - 1]}…"
    return f"'{text}'" if isinstance(value, str) else text


class Report:
    """All problems of one run, sorted, each once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems), key=Problem.sort_key))

    @property
    def errors(self) -> int:
        return sum(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def warnings(self) -> int:
        return len(self.problems) - self.errors

    def shown(self) -> tuple[tuple[Problem, ...], dict[str, int]]:
        """The first `MAX_PER_FILE` problems of each file, and how many more each file has."""
        kept: list[Problem] = []
        more: dict[str, int] = {}
        for path, group in groupby(self.problems, key=lambda problem: problem.place.path):
            problems = list(group)
            kept += problems[:MAX_PER_FILE]
            if len(problems) > MAX_PER_FILE:
                more[path] = len(problems) - MAX_PER_FILE
        return tuple(kept), more

    def text(self, *, colour: bool = False) -> str:
        """Compiler-like lines: place, rule, field, found, rule and hint, then the source line with a caret."""
        kept, more = self.shown()
        lines = [line for problem in kept for line in _text(problem, colour=colour)]
        lines += [f"{visible(path)}: and {count} more" for path, count in sorted(more.items())]
        return "".join(f"{_inert(line)}\n" for line in lines)

    def json(self) -> str:
        """The same facts as one JSON document; the full list, no cut."""
        return (
            json.dumps(
                {
                    "format": "proofpress.report/1",
                    "errors": self.errors,
                    "warnings": self.warnings,
                    "problems": [
                        {
                            "rule": problem.rule,
                            "severity": problem.severity.value,
                            "path": problem.place.path,
                            "line": problem.place.line or None,
                            "column": problem.place.column or None,
                            "field": problem.field,
                            "found": problem.found,
                            "expected": problem.expected,
                            "hint": problem.hint,
                        }
                        for problem in self.problems
                    ],
                },
                ensure_ascii=True,
                indent=1,
            )
            + "\n"
        )

    def github(self) -> str:
        """The same facts as workflow annotations; property and data characters escaped as the format asks."""
        kept, more = self.shown()
        lines = []
        for problem in kept:
            position = f",line={problem.place.line},col={problem.place.column}" if problem.place.line else ""
            title = _github_property(f"{problem.rule} {problem.field}".strip())
            message = _github_data(_sentence(problem))
            lines.append(
                f"::{problem.severity.value} file={_github_property(visible(problem.place.path))}{position},title={title}::{message}"
            )
        lines += [
            f"::error file={_github_property(visible(path))}::and {count} more" for path, count in sorted(more.items())
        ]
        return "".join(f"{line}\n" for line in lines)

    def summary(self) -> str:
        """The last line of a run: how many errors and warnings, in words that agree with the exit status."""
        if not self.problems:
            return "no problems"
        parts = []
        if self.errors:
            parts.append(counted(self.errors, "error"))
        if self.warnings:
            parts.append(counted(self.warnings, "warning"))
        return ", ".join(parts)


class Refused(Exception):
    """Files that a command cannot do with what it was asked to: one sentence, or the problems that were found."""

    def __init__(self, message: str = "", problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.report = Report(problems)


def counted(number: int, noun: str) -> str:
    """'1 error', '2 errors'."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _sentence(problem: Problem) -> str:
    parts = [f"{problem.field}: {problem.found}" if problem.field else problem.found, problem.expected, problem.hint]
    return " · ".join(part for part in parts if part)


def _text(problem: Problem, *, colour: bool) -> Sequence[str]:
    place = problem.place
    where = visible(place.path) + (f":{place.line}:{place.column}" if place.line else "")
    rule = problem.rule if problem.severity is Severity.ERROR else f"{problem.rule} (warning)"
    if colour:
        code = "31" if problem.severity is Severity.ERROR else "33"
        where, rule = f"\x1b[1m{where}\x1b[0m", f"\x1b[{code}m{rule}\x1b[0m"
    lines = [f"{where}  {rule}  {_sentence(problem)}"]
    if place.line and place.excerpt:
        number = str(place.line)
        lines.append(f"  {number} | {place.excerpt}")
        indent = place.column - 1 + place.excerpt_offset
        lines.append(f"  {' ' * len(number)} | {' ' * indent}{'^' * max(1, place.width)}")
    return lines


def _inert(line: str) -> str:
    """A line that no log reader takes for a command: `::` at its start and `##[` anywhere are broken up."""
    line = line.replace("##[", "# #[")
    return f" {line}" if line.startswith("::") else line


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")
