"""Source: one input file, read and parsed, that remembers where each value stands. Only here are input files read.

Comes in: a root folder and a relative path. Goes out: a `Source` of plain values, or problems; never an exception for
what a file holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from proofpress.load import disk, strict_json, strict_yaml, text
from proofpress.load.disk import Bytes, list_files, read_bytes
from proofpress.load.text import Location, Text, field_name
from proofpress.problem import Place, Problem, Severity

__all__ = [
    "CAMPAIGN_LIMIT",
    "CARD_LIMIT",
    "RULES",
    "Bytes",
    "Loaded",
    "Location",
    "Source",
    "field_name",
    "json_source",
    "list_files",
    "read_bytes",
    "read_json",
    "read_text",
    "read_yaml",
    "text_source",
    "yaml_source",
]

CARD_LIMIT = 256 * 1024  # bytes of a YAML or Markdown file
CAMPAIGN_LIMIT = 64 * 1024 * 1024  # bytes of a JSON file

RULES = disk.RULES | text.RULES | strict_yaml.RULES | strict_json.RULES
"""Every rule that reading a file can find broken."""

Span = tuple[int, int]


class _Positions(Protocol):
    """Where values stand in a text."""

    def spans(self, location: Location) -> tuple[Span | None, Span, bool]:
        """Spans of the key (None without one) and the value at `location`, which exists; whether it is a container."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """One input file, read and parsed: plain values and where each stands."""

    path: str  # POSIX path relative to the root, as printed in messages
    sha256: str  # hex of the raw bytes
    size: int  # bytes
    data: object  # dict, list, str, int, float, bool or None; dates stay text
    raw: bytes = field(repr=False)  # the bytes that were checked, for whoever ships them on
    _text: Text = field(repr=False)
    _positions: _Positions = field(repr=False)

    def place(self, location: Location, *, key: bool = False) -> Place:
        """Where the value (or, with `key`, the key) at `location` stands.

        Parts of the location that are not in the data are skipped: schema errors hold the tags of unions, and keys that
        are absent. For what is absent the nearest parent's key is the place, or the start of a parent without key.
        """
        there, complete = self._existing(location)
        key_span, (start, end), container = self._positions.spans(there)
        if key_span and (key or (container and not complete)):
            return self._text.place(*key_span)
        return self._text.place(start, start + 1 if container else end)

    def problem(
        self,
        rule: str,
        location: Location,
        *,
        found: str,
        expected: str,
        hint: str = "",
        key: bool = False,
        field: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> Problem:
        """A problem with the value at `location`; the field is the location as messages write it, unless given."""
        return Problem(
            rule=rule,
            place=self.place(location, key=key),
            field=field_name(location) if field is None else field,
            found=found,
            expected=expected,
            hint=hint,
            severity=severity,
        )

    def spelling(self, location: Location) -> str | None:
        """The scalar at `location` exactly as written, quotes included: 0.10 where the value is 0.1. Else None."""
        there, complete = self._existing(location)
        _, (start, end), container = self._positions.spans(there)
        return self._text.characters[start:end] if complete and not container else None

    def at(self, line: int, column: int = 1, width: int = 1) -> Place:
        """The place of a line and column, both from 1, in the file; for texts that are parsed further elsewhere."""
        start = self._text.offset(line, column)
        return self._text.place(start, start + width)

    def word(self, location: Location, words: str, *, nth: int = 0) -> Place:
        """The place of the `nth` occurrence (from 0) of `words` within the value at `location`, else the value's place.

        A line break of a folded text counts as the space between two words.
        """
        there, complete = self._existing(location)
        _, (start, end), _ = self._positions.spans(there)
        matches = text.occurrences(self._text.characters[start:end], words) if complete and words else iter(())
        for number, (first, last) in enumerate(matches):
            if number == nth:
                return self._text.place(start + first, start + last)
        return self.place(location)

    def _existing(self, location: Location) -> tuple[Location, bool]:
        """The parts of `location` that lead through the data, and whether they are all of it."""
        there: list[str | int] = []
        here: Any = self.data
        for part in location:
            if isinstance(here, dict):
                exists = part in here
            else:
                exists = isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here)
            if exists:
                here = here[part]
                there.append(part)
        return tuple(there), len(there) == len(location)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file that was read, or None where it cannot be used; problems of a usable file are warnings."""

    source: Source | None
    problems: tuple[Problem, ...]


def read_yaml(root: Path, relative: str, *, limit: int = CARD_LIMIT) -> Loaded:
    """The YAML file `relative` below `root`, at most `limit` bytes."""
    return _read(root, relative, limit, yaml_source)


def read_json(root: Path, relative: str, *, limit: int = CAMPAIGN_LIMIT) -> Loaded:
    """The JSON file `relative` below `root`, at most `limit` bytes."""
    return _read(root, relative, limit, json_source)


def read_text(root: Path, relative: str, *, limit: int = CARD_LIMIT) -> Loaded:
    """The text file `relative` below `root`, at most `limit` bytes; its data is the text, lines ended by line feeds."""
    return _read(root, relative, limit, text_source)


def yaml_source(path: str, raw: bytes) -> Loaded:
    """The YAML document `raw`, called `path` in messages."""
    characters, problems = text.decoded(path, raw)
    if problems:
        return Loaded(None, problems)
    parsed, problems = strict_yaml.parse(characters)
    return _loaded(characters, raw, parsed.data, _YamlPositions(parsed.spots), problems)


def json_source(path: str, raw: bytes) -> Loaded:
    """The JSON document `raw`, called `path` in messages."""
    characters, problems = text.decoded(path, raw)
    if problems:
        return Loaded(None, problems)
    data, problems = strict_json.parse(characters, raw)
    return _loaded(characters, raw, data, _JsonPositions(characters.characters), problems)


def text_source(path: str, raw: bytes) -> Loaded:
    """The text `raw`, called `path` in messages."""
    characters, problems = text.decoded(path, raw)
    if problems:
        return Loaded(None, problems)
    problems = tuple(text.hidden_characters(characters, tab_rule="text.hidden-character"))
    other = text.other_kind(characters)
    data = characters.characters.replace("\r\n", "\n")
    spots: dict[Location, strict_yaml.Spot] = {(): strict_yaml.Spot(0, len(characters.characters), None, True)}
    return _loaded(characters, raw, data, _YamlPositions(spots), (*problems, other) if other else problems)


def _read(root: Path, relative: str, limit: int, parse: Callable[[str, bytes], Loaded]) -> Loaded:
    read = read_bytes(root, relative, limit=limit)
    return Loaded(None, read.problems) if read.raw is None else parse(relative, read.raw)


def _loaded(characters: Text, raw: bytes, data: object, positions: _Positions, problems: tuple[Problem, ...]) -> Loaded:
    if any(problem.severity is Severity.ERROR for problem in problems):
        return Loaded(None, problems)
    source = Source(
        path=characters.path,
        sha256=hashlib.sha256(raw).hexdigest(),
        size=len(raw),
        data=data,
        raw=raw,
        _text=characters,
        _positions=positions,
    )
    return Loaded(source, problems)


class _YamlPositions:
    """Spans that were noted while parsing."""

    def __init__(self, spots: dict[Location, strict_yaml.Spot]) -> None:
        self._spots = spots

    def spans(self, location: Location) -> tuple[Span | None, Span, bool]:
        spot = self._spots.get(location, strict_yaml.Spot(0, 0, None, True))  # a file of comments has no value
        return spot.key, (spot.start, spot.end), spot.container


class _JsonPositions:
    """Spans that are looked for when something failed; each container on the way is gone through once."""

    def __init__(self, characters: str) -> None:
        self._characters = characters
        self._whole = strict_json.first(characters), len(characters.rstrip())
        self._known: dict[int, dict[str | int, strict_json.Member]] = {}

    def spans(self, location: Location) -> tuple[Span | None, Span, bool]:
        start, end = self._whole
        key = None
        for part in location:
            if start not in self._known:
                with strict_json.uncollected():
                    self._known[start] = {m.name: m for m in strict_json.members(self._characters, start)}
            member = self._known[start][part]
            key, start, end = member.key, member.start, member.end
        return key, (start, end), self._characters[start] in "[{"
