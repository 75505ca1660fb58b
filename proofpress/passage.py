"""Passage: one piece of contributors' prose, and where its words stand in the file. Rules about prose answer with places inside it."""

from __future__ import annotations

from dataclasses import dataclass

from proofpress.problem import Place, Problem, Severity, quoted
from proofpress.source import Location, Source
from proofpress.text import field_name

MAX_PROBLEMS = 100
"""So many problems of one kind are reported for one passage; a text of nothing but mistakes must not take minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A value of a YAML file, or a run of lines of a Markdown file: then `first_line` says where it begins."""

    source: Source
    location: Location
    words: str
    first_line: int = 0
    as_written: bool = False
    """Printed as it stands: references are not filled in here."""

    def place(self, start: int, length: int) -> Place:
        """Where `length` characters from `start` on stand in the file."""
        if self.first_line:
            line = self.words.count("\n", 0, start)
            column = start - (self.words.rfind("\n", 0, start) + 1)
            return self.source.at(self.first_line + line, column + 1, length)
        meant = self.words[start : start + length]
        return self.source.word(self.location, meant, nth=self.words[:start].count(meant))

    def problem(
        self,
        rule: str,
        start: int,
        words: str,
        *,
        expected: str,
        hint: str = "",
        found: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> Problem:
        """A problem with `words`, which begin at `start`; before the passage's beginning (-1) the whole passage is meant."""
        whole = self.place(0, 1) if self.first_line else self.source.place(self.location)
        return Problem(
            rule=rule,
            place=whole if start < 0 else self.place(start, len(words)),
            field=field_name(self.location),
            found=quoted(words) if found is None else found,
            expected=expected,
            hint=hint,
            severity=severity,
        )
