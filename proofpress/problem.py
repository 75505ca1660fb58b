"""Problem: one thing wrong with the input, as a record. Rules make them; `Report` sorts them and puts them into words.

Comes in: places and facts from loaders and rules. Goes out: text for a terminal, JSON, or annotations for a code host.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from pathlib import PurePath

MAX_PER_FILE = 50
MAX_ALIKE = 3
"""So many problems of a file that differ in their place alone are printed in full, and as many lines of the others named."""
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

    def sort_key(self) -> tuple[str | int, ...]:
        """By place, then rule and field; all other words tell two problems of one field apart, so that reports repeat."""
        place = self.place
        words = (self.rule, self.field, self.found, self.expected, self.hint, self.severity)
        return (place.path, place.line, place.column, *words)


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


def of_file(
    rule: str,
    path: PurePath | str,
    *,
    expected: str,
    hint: str = "",
    found: str | None = None,
    severity: Severity = Severity.ERROR,
) -> Problem:
    """A problem with a file itself, whatever is in it."""
    found = quoted(PurePath(path).name) if found is None else found
    place = Place(path=str(path))
    return Problem(rule=rule, place=place, field="", found=found, expected=expected, hint=hint, severity=severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A problem as it is printed, and those behind it that would only say the same again."""

    problem: Problem
    alike: tuple[Problem, ...] = ()

    @property
    def others(self) -> str:
        """'and 197 more like this: lines 20, 31, 42 …'."""
        lines = sorted({problem.place.line for problem in self.alike} - {0})
        named = ", ".join(map(str, lines[:MAX_ALIKE])) + (" …" if len(lines) > MAX_ALIKE else "")
        where = f": {'line' if len(lines) == 1 else 'lines'} {named}" if lines else ""
        return f"and {len(self.alike)} more like this{where}"


def _entries(problems: Sequence[Problem]) -> list[Entry]:
    """The problems of one file. Of those with one rule, expectation and hint, the last that is printed stands for all others."""
    kinds: dict[tuple[object, ...], list[Problem]] = {}
    for problem in problems:
        kinds.setdefault((problem.rule, problem.severity, problem.expected, problem.hint), []).append(problem)
    entries = [
        Entry(problem=problem, alike=tuple(kind[MAX_ALIKE:]) if number == MAX_ALIKE else ())
        for kind in kinds.values()
        for number, problem in enumerate(kind[:MAX_ALIKE], start=1)
    ]
    return sorted(entries, key=lambda entry: entry.problem.sort_key())


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

    def shown(self) -> tuple[tuple[Entry, ...], dict[str, tuple[Problem, ...]]]:
        """The first `MAX_PER_FILE` entries of each file, errors before warnings where that is too few, and what is in none of them."""
        kept: list[Entry] = []
        more: dict[str, tuple[Problem, ...]] = {}
        for path, group in groupby(self.problems, key=lambda problem: problem.place.path):
            entries = sorted(_entries(tuple(group)), key=lambda entry: entry.problem.severity)
            kept += sorted(entries[:MAX_PER_FILE], key=lambda entry: entry.problem.sort_key())
            left = tuple(problem for entry in entries[MAX_PER_FILE:] for problem in (entry.problem, *entry.alike))
            if left:
                more[path] = left
        return tuple(kept), more

    def text(self, *, colour: bool = False) -> str:
        """Compiler-like lines: place, rule, field, found, rule and hint, then the source line with a caret."""
        kept, more = self.shown()
        lines = [line for entry in kept for line in _text(entry, colour=colour)]
        lines += [f"{visible(path)}: and {len(left)} more" for path, left in sorted(more.items())]
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
        lines = [line for entry in kept for line in _annotations(entry)]
        for path, left in sorted(more.items()):
            severity = min(problem.severity for problem in left)
            lines.append(f"::{severity.value} file={_github_property(visible(path))}::and {len(left)} more")
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


def _text(entry: Entry, *, colour: bool) -> Sequence[str]:
    problem, place = entry.problem, entry.problem.place
    path, position = visible(place.path), f":{place.line}:{place.column}" if place.line else ""
    rule = problem.rule if problem.severity is Severity.ERROR else f"{problem.rule} (warning)"
    bold, tint, plain = ("\x1b[1m", f"\x1b[{_TINTS[problem.severity]}m", "\x1b[0m") if colour else ("", "", "")
    lines = [f"{bold}{path}{position}{plain}  {tint}{rule}{plain}  {_sentence(problem)}"]
    if place.line and place.excerpt:
        number = str(place.line)
        lines.append(f"  {number} | {place.excerpt}")
        indent = place.column - 1 + place.excerpt_offset
        lines.append(f"  {' ' * len(number)} | {' ' * indent}{'^' * max(1, place.width)}")
    if entry.alike:
        lines.append(f"{bold}{path}{plain}  {tint}{rule}{plain}  {entry.others}")
    return lines


_TINTS = {Severity.ERROR: 31, Severity.WARNING: 33}


def _annotations(entry: Entry) -> Iterator[str]:
    problem = entry.problem
    title = f"{problem.rule} {problem.field}".strip()
    yield _annotation(problem, problem.place.column, title=title, message=_sentence(problem))
    if entry.alike:
        yield _annotation(entry.alike[0], 0, title=problem.rule, message=entry.others)


def _annotation(problem: Problem, column: int, *, title: str, message: str) -> str:
    line = problem.place.line
    position = (f",line={line}" if line else "") + (f",col={column}" if line and column else "")
    file = _github_property(visible(problem.place.path))
    return f"::{problem.severity.value} file={file}{position},title={_github_property(title)}::{_github_data(message)}"


def _inert(line: str) -> str:
    """A line that no log reader takes for a command: `::` at its start and `##[` anywhere are broken up."""
    line = _without_command(line)
    return f" {line}" if line.startswith("::") else line


def _without_command(text: str) -> str:
    return text.replace("##[", "# #[")


def _github_data(text: str) -> str:
    return _without_command(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")
