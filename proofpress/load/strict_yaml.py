"""Strict YAML: the part of YAML that every reader reads alike. Core types only, each key once, no anchors or tags.

Comes in: a `Text`. Goes out: plain values, the span of every key and value, and all problems at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from yaml import events
from yaml.error import Mark, MarkedYAMLError, YAMLError
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner
from yaml.tokens import DirectiveToken

from proofpress.load.complaint import YAML_RULES, yaml_complaint
from proofpress.load.plain_word import RULES as WORD_RULES
from proofpress.load.plain_word import Refusal, quote_it, value_of
from proofpress.load.text import Location, Text, code_point, field_name, first_hidden, hidden_characters, other_kind
from proofpress.problem import Problem, Severity, quoted

NESTING_LIMIT = 64
SCALAR_LIMIT = 20_000  # characters of one text
MAX_PROBLEMS = 1000  # the reading ends here: a file of nothing but mistakes must not take minutes

RULES = (
    WORD_RULES
    | YAML_RULES
    | frozenset(
        {
            "duplicate.key",
            "limit.nesting",
            "limit.text-length",
            "schema.anchor",
            "schema.directive",
            "schema.merge-key",
            "schema.tag",
            "syntax.several-documents",
            "syntax.yaml",
            "text.comment-cuts",
            "text.hidden-character",
            "text.key-characters",
            "type.key",
        }
    )
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Offsets of a value in the text, of its key if it has one, and whether it is a container."""

    start: int
    end: int
    key: tuple[int, int] | None
    container: bool


@dataclass(slots=True)
class Parsed:
    """What a text held: plain values and their spots."""

    data: object = None
    spots: dict[Location, Spot] = field(default_factory=dict)


_CUT = re.compile(r" +#(?=[^\s#])[^\n]*")
_MARKED = re.compile(r"[^\s,\[\]{}]+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SHORT_ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "v": "\v", "f": "\f", "e": "\x1b", "N": "\x85"} | {
    "L": "\u2028",
    "P": "\u2029",
}


class _Events(Reader, Scanner, Parser):
    """PyYAML's events of a text, and where its directives stand. Nothing is composed, so aliases cost nothing."""

    def __init__(self, characters: str) -> None:
        Reader.__init__(self, characters)
        Scanner.__init__(self)
        Parser.__init__(self)
        self.directives: list[int] = []

    def scan_directive(self) -> DirectiveToken:
        self.directives.append(self.get_mark().index)
        return super().scan_directive()


@dataclass(slots=True)
class _Open:
    """A list or mapping that is not finished: its values so far, and in a mapping the key that waits for a value."""

    location: Location
    values: dict[str, object] | list[object]
    start: int
    waiting: tuple[str, tuple[int, int]] | None = None
    first: dict[str, int] = field(default_factory=dict)  # where each key was first written


def parse(text: Text) -> tuple[Parsed, tuple[Problem, ...]]:
    """The values of `text` and every problem in it. With an error among the problems the values are not to be used."""
    problems = list(hidden_characters(text, tab_rule="syntax.yaml"))
    problem = other_kind(text)
    if problem:
        problems.append(problem)
    if problems:
        return Parsed(), tuple(problems)
    builder = _Builder(text)
    builder.run()
    return builder.parsed, tuple(builder.problems)


class _Builder:
    """Plain values from events. Its stack is a list, so the depth of the input never meets the depth of Python."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.parsed = Parsed()
        self.problems: list[Problem] = []
        self.stack: list[_Open] = []
        self.documents = 0

    def run(self) -> None:
        stream = _Events(self.text.characters)
        try:
            while stream.check_event():
                go_on = self.take(stream.get_event())  # type: ignore[no-untyped-call]
                if not go_on or len(self.problems) >= MAX_PROBLEMS:
                    break
        except MarkedYAMLError as error:
            self.problems.append(yaml_complaint(self.text, error))
        except YAMLError as error:
            self.say("syntax.yaml", 0, 1, found=str(error), expected="well-formed YAML")
        except (ValueError, OverflowError):  # "\\UFFFFFFFF": PyYAML asks chr() for a character beyond the last one
            at = stream.get_mark().index
            self.say("syntax.yaml", at, at + 8, found="an escape for no character", expected="at most \\U0010FFFF")
        for at in stream.directives:
            self.say(
                "schema.directive",
                at,
                self.line_end(at),
                found="a directive",
                expected="no lines that start with %",
                hint="delete the line",
            )

    def take(self, event: events.Event) -> bool:
        """Use one event; False ends the reading."""
        start, end = _index(event.start_mark), _index(event.end_mark)
        if isinstance(event, events.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.say(
                    "syntax.several-documents",
                    start,
                    end,
                    found="a second document",
                    expected="one document in a file",
                    hint="delete the line '---', or split the file",
                )
                return False
        elif isinstance(event, events.ScalarEvent):
            self.decorations(event, start)
            self.add(self.scalar(event, start, end), start, end)
        elif isinstance(event, events.AliasEvent):
            self.say(
                "schema.anchor",
                start,
                end,
                field=self.here(),
                found=f"the alias {quoted('*' + str(event.anchor))}",
                expected="no anchors and aliases",
                hint="write the value out",
            )
            self.add(None, start, end)
        elif isinstance(event, events.CollectionStartEvent):
            self.decorations(event, start)
            if len(self.stack) == NESTING_LIMIT:
                self.say(
                    "limit.nesting",
                    start,
                    start + 1,
                    found=f"more than {NESTING_LIMIT} levels of lists and mappings",
                    expected=f"at most {NESTING_LIMIT} levels",
                )
                return False
            self.open(event, start)
        elif isinstance(event, events.CollectionEndEvent):
            self.close(end)
        return True

    # Containers.

    def open(self, event: events.CollectionStartEvent, start: int) -> None:
        values: dict[str, object] | list[object] = {} if isinstance(event, events.MappingStartEvent) else []
        if self.expects_key():
            self.say(
                "type.key",
                start,
                start + 1,
                found="a list or mapping as a key",
                expected="keys are text",
                hint="text that starts with [ or { wants quotes",
            )
        self.stack.append(_Open(self.location(), values, start))

    def close(self, end: int) -> None:
        done = self.stack.pop()
        if self.expects_key():  # a container as a key is a problem already; its value still wants a place
            self.stack[-1].waiting = ("?", (done.start, done.start + 1))
        else:
            self.add(done.values, done.start, end)

    def add(self, value: object, start: int, end: int) -> None:
        """Put a finished value where it belongs: it is the next key, or the value of the waiting key or list item."""
        location = self.location()
        container = isinstance(value, dict | list)
        if not self.stack:
            self.parsed.data = value
            self.parsed.spots[location] = Spot(start, end, None, container)
            return
        top = self.stack[-1]
        if isinstance(top.values, list):
            top.values.append(value)
            self.parsed.spots[location] = Spot(start, end, None, container)
        elif top.waiting is None:
            top.waiting = (self.key(top, value, start, end), (start, end))
        else:
            key, span = top.waiting
            top.values.setdefault(key, value)
            self.parsed.spots.setdefault(location, Spot(start, end, span, container))
            top.waiting = None

    def key(self, top: _Open, value: object, start: int, end: int) -> str:
        """A key as text, with every problem that it has; keys of other types answer as they are spelled."""
        written = self.text.characters[start:end]
        if not isinstance(value, str):
            if not any(problem.place == self.text.place(start, end) for problem in self.problems[-1:]):
                self.say(
                    "type.key",
                    start,
                    end,
                    found=f"the key {quoted(written)} is not text" if written else "an empty key",
                    expected="keys are text",
                    hint=quote_it(written) if written else "write the key before the colon",
                )
            return written
        name = field_name((*top.location, value))
        if value == "<<":
            self.say(
                "schema.merge-key",
                start,
                end,
                field=name,
                found="a merge key",
                expected="no merge keys",
                hint="write the keys out",
            )
        elif not value.isascii():
            foreign = next(character for character in value if not character.isascii())
            self.say(
                "text.key-characters",
                start,
                end,
                field=name,
                found=f"the key {quoted(value)} has {code_point(foreign)} in it",
                expected="keys are ASCII letters, digits and signs",
                hint="type the key again: two keys must never look the same",
            )
        elif value in top.first:
            first = self.text.line(top.first[value])
            self.say(
                "duplicate.key",
                start,
                end,
                field=name,
                found=f"the key stands on line {first} and again on line {self.text.line(start)}",
                expected="each key once",
                hint="delete one of the two",
            )
        top.first.setdefault(value, start)
        return value

    # Scalars.

    def scalar(self, event: events.ScalarEvent, start: int, end: int) -> object:
        """The plain value of a scalar. A refused one answers with its text, so that the reading can go on."""
        value = event.value
        if len(value) > SCALAR_LIMIT:
            self.say(
                "limit.text-length",
                start,
                start + 1,
                field=self.here(),
                found=f"a text of {len(value):,} characters",
                expected=f"at most {SCALAR_LIMIT:,} characters",
                hint="long text belongs in a guide",
            )
            return value
        if event.style is None:
            self.comment_cut(end)
            return self.plain(value, start, end)
        if event.style == '"':
            self.escapes(value, start, end)
        return value

    def plain(self, word: str, start: int, end: int) -> object:
        """The value of an unquoted word."""
        if word == "<<" and self.expects_key():
            return word  # `key` says that there are no merge keys
        value = value_of(word)
        if not isinstance(value, Refusal):
            return value
        self.say(
            value.rule,
            start,
            end,
            field=self.here(),
            found=value.found,
            expected=value.expected,
            hint=value.hint,
        )
        return word

    def escapes(self, value: str, start: int, end: int) -> None:
        """Characters that a double-quoted text spells with escapes are checked like those in the file."""
        if first_hidden(value) is None and "\t" not in value and "\r" not in value:
            return
        for match in _ESCAPE.finditer(self.text.characters, start, end):
            digits = match[1] or match[2] or match[3]
            character = chr(int(digits, 16)) if digits else _SHORT_ESCAPES.get(match[4], " ")
            if character in "\t\r" or first_hidden(character):
                self.say(
                    "text.hidden-character",
                    match.start(),
                    match.end(),
                    field=self.here(),
                    found=f"an escape for {code_point(character)}",
                    expected="visible characters, spaces and line breaks",
                    hint="delete it",
                )

    def comment_cut(self, end: int) -> None:
        cut = _CUT.match(self.text.characters, end)
        if cut:
            self.say(
                "text.comment-cuts",
                cut.end() - len(cut[0].lstrip()),
                cut.end(),
                field=self.here(),
                severity=Severity.WARNING,
                found=f"the value is cut at #, the rest is a comment: {quoted(cut[0].strip())}",
                expected="a space behind # where a comment is meant",
                hint="quote the value if # belongs to it",
            )

    def decorations(self, event: events.NodeEvent, start: int) -> None:
        """Anchors and tags before a value."""
        tag = getattr(event, "tag", None)
        marks = [("&", "schema.anchor", "an anchor", "no anchors and aliases")] if event.anchor is not None else []
        if tag is not None:
            marks.append(("!", "schema.tag", "a tag", "no tags: null, true, false, numbers and text only"))
        for sign, rule, what, expected in marks:
            at = self.text.characters.find(sign, start)
            word = _MARKED.match(self.text.characters, at)
            self.say(
                rule,
                at,
                word.end() if word else at + 1,
                field=self.here(),
                found=f"{what} {quoted(word[0] if word else sign)}",
                expected=expected,
                hint=f"delete it; text that starts with {sign} wants quotes",
            )

    # Where the reading stands.

    def expects_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].values, dict) and self.stack[-1].waiting is None

    def location(self) -> Location:
        """The location of the value that comes next."""
        if not self.stack:
            return ()
        top = self.stack[-1]
        if isinstance(top.values, list):
            return (*top.location, len(top.values))
        return (*top.location, top.waiting[0] if top.waiting else "?")

    def here(self) -> str:
        """The field that messages name: the value that comes next, or the mapping whose key comes next."""
        return field_name(self.stack[-1].location if self.expects_key() else self.location())

    def line_end(self, at: int) -> int:
        end = self.text.characters.find("\n", at)
        return len(self.text.characters) if end < 0 else end

    def say(
        self,
        rule: str,
        start: int,
        end: int,
        *,
        found: str,
        expected: str,
        hint: str = "",
        field: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        self.problems.append(
            self.text.problem(
                rule, start, end, found=found, expected=expected, hint=hint, field=field, severity=severity
            )
        )


def _index(mark: object) -> int:
    return mark.index if isinstance(mark, Mark) else 0
