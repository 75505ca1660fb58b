"""Strict JSON: each key once, finite numbers, no hidden characters, one value in a file. Fast for what is right.

Comes in: a `Text` and its raw bytes. Goes out: plain values, or problems with their places. A valid file is read by the
C decoder behind a few searches over the whole text; only a file in which something is wrong is walked, again by the
C decoder, which skips every part that is fine.
"""

from __future__ import annotations

import gc
import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from proofpress.load.complaint import JSON_RULES, json_complaint
from proofpress.load.text import (
    Location,
    Text,
    code_point,
    field_name,
    first_hidden,
    hidden_characters,
    is_clean_ascii,
    other_kind,
)
from proofpress.problem import Problem, quoted

NESTING_LIMIT = 64
INTEGER_LIMIT = 2**53  # larger ones are not exact in every reader
MAX_FAULTS = 1000  # so many problems of one file are reported

RULES = JSON_RULES | frozenset(
    {
        "duplicate.key",
        "limit.nesting",
        "number.not-finite",
        "number.too-large",
        "reference.empty-file",
        "text.hidden-character",
    }
)

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\[\]{}]+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|(.))", re.DOTALL)
_SUSPECT_ESCAPE = re.compile(r"\\(?:[bf]|u(?:00[01789aA]|061|180|20[0-6]|[dD][89a-fA-F]|[fF][dDeEfF]))")
_SHAPE_OF_EXPONENT = re.compile(rb"0e\+?000")
_NUMBER_BEFORE = re.compile(rb"(?:^|[\[{:,\s-])[0-9.]+$")

_TO_SQUARE = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_TO_SHAPE = bytes.maketrans(b"123456789E:,[{\t\n\r-", b"000000000e        ")


class _WrongError(Exception):
    """Raised by the decoder's hooks: somewhere in this part is a repeated key or a refused number."""


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of a list or object: its key or index, and the offsets of key and value."""

    name: str | int
    key: tuple[int, int] | None
    start: int
    end: int
    fine: bool  # whether the decoder that read it found nothing to refuse


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise _WrongError
    return values


def _refused(_word: str) -> NoReturn:
    raise _WrongError


def _finite(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise _WrongError
    return value


def _exact(word: str) -> int:
    if len(word) > 17 or abs(int(word)) > INTEGER_LIMIT:
        raise _WrongError
    return int(word)


_FAST = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refused)
_CAREFUL = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refused, parse_float=_finite, parse_int=_exact)
_LENIENT = json.JSONDecoder()
_SKIP = json.JSONDecoder(parse_constant=str, parse_float=str, parse_int=str)


def parse(text: Text, raw: bytes) -> tuple[object, tuple[Problem, ...]]:
    """The value of `text`, or None and the problems; `raw` are the bytes that the text was decoded from."""
    problems = () if is_clean_ascii(raw) else tuple(hidden_characters(text, tab_rule=None))
    problem = other_kind(text) or _empty(text) or _nesting(text, raw)
    if problem or problems:
        return None, (*problems, problem) if problem else problems
    decoder = _CAREFUL if _has_odd_number(text, raw) else _FAST
    try:
        with uncollected():
            value = decoder.decode(text.characters)
    except json.JSONDecodeError as error:
        return None, (json_complaint(text, error),)
    except _WrongError:
        with uncollected():
            return None, (*_all_faults(text, decoder), *_bad_escapes(text))
    escapes = tuple(_bad_escapes(text))
    return (None, escapes) if escapes else (value, ())


@contextmanager
def uncollected() -> Iterator[None]:
    """Millions of new containers and no garbage among them: the collector would triple the time of a large file."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def members(characters: str, start: int, decoder: json.JSONDecoder = _LENIENT) -> Iterator[Member]:
    """The entries of the list or object that starts at `start`, in order; the text is known to be well-formed."""
    scan = decoder.scan_once  # type: ignore[attr-defined]
    is_object = characters[start] == "{"
    at = _skip(characters, start + 1)
    index = 0
    while characters[at] not in "]}":
        key = None
        name: str | int = index
        if is_object:
            name, end = json.decoder.scanstring(characters, at + 1, True)  # type: ignore[attr-defined]
            key = (at, end)
            at = _skip(characters, _skip(characters, end) + 1)
        fine = True
        try:
            _, end = scan(characters, at)
        except (_WrongError, ValueError):
            fine = False
            end = _end(characters, at)
        yield Member(name, key, at, end, fine)
        at = _skip(characters, end)
        if characters[at] == ",":
            at = _skip(characters, at + 1)
        index += 1


def _end(characters: str, start: int) -> int:
    """Where the value at `start` ends, whatever is wrong in it."""
    try:
        _, end = _LENIENT.scan_once(characters, start)  # type: ignore[attr-defined]
    except ValueError:  # an integer of more digits than Python reads
        _, end = _SKIP.scan_once(characters, start)  # type: ignore[attr-defined]
    return int(end)


def first(characters: str) -> int:
    """Offset of the value of a whole text."""
    return _skip(characters, 0)


def _skip(characters: str, at: int) -> int:
    match = _SPACE.match(characters, at)
    return match.end() if match else at


def _empty(text: Text) -> Problem | None:
    if text.characters.strip(" \t\r\n"):
        return None
    return text.problem(
        "reference.empty-file", 0, found="the file is empty", expected="one JSON value", hint="was the copy finished?"
    )


def _nesting(text: Text, raw: bytes) -> Problem | None:
    """Brackets in brackets, before the decoder sees them.

    Quick for honest files: pairs of brackets are taken away, one level after the other.
    """
    brackets = raw.translate(_TO_SQUARE, _NOT_BRACKETS)
    for _level in range(NESTING_LIMIT):
        rest = brackets.replace(b"[]", b"")
        if len(rest) == len(brackets):
            break
        brackets = rest
    if not brackets:
        return None
    # Deeper than the limit, cut off, or unequal brackets in texts: count exactly.
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text.characters):
        if match[0] in "[{":
            depth += 1
            if depth > NESTING_LIMIT:
                return text.problem(
                    "limit.nesting",
                    match.start(),
                    found=f"more than {NESTING_LIMIT} levels of lists and objects",
                    expected=f"at most {NESTING_LIMIT} levels",
                )
        elif match[0] in "]}":
            depth -= 1
    return None


def _has_odd_number(text: Text, raw: bytes) -> bool:
    """Whether a number may be infinite or beyond 2^53: 16 digits in a row, or an exponent of three.

    Looked for in a copy in which all digits are 0 and what may stand before a number is a space.
    """
    shape = raw.translate(_TO_SHAPE)
    if b" 0000000000000000" in shape or shape.startswith(b"0000000000000000"):
        return True
    # Digests in hexadecimal hold such letters and digits too; a number goes back to a bracket, comma or colon,
    # or further than is looked here.
    return any(
        _NUMBER_BEFORE.search(raw[max(0, match.start() - 40) : match.start() + 1])
        for match in _SHAPE_OF_EXPONENT.finditer(shape)
    )


def _bad_escapes(text: Text) -> Iterator[Problem]:
    """Hidden characters that are spelled with escapes. Backslashes stand only in strings: the text is well-formed."""
    characters = text.characters
    if _SUSPECT_ESCAPE.search(characters) is None:
        return
    found = 0
    for match in _ESCAPE.finditer(characters):
        if match[3]:
            character = {"b": "\b", "f": "\f"}.get(match[3], "")
        elif match[2] and match[1][:2].lower() in ("d8", "d9", "da", "db"):
            character = (
                (match[0]).encode("ascii").decode("unicode_escape").encode("utf-16", "surrogatepass").decode("utf-16")
            )
        else:
            character = chr(int(match[1], 16))
        if character in ("\t", "\n", "\r") or not character or first_hidden(character) is None:
            continue
        if character in "\u200c\u200d" and _joins(characters, match.start(), match.end()):
            continue
        yield text.problem(
            "text.hidden-character",
            match.start(),
            match.end(),
            found=f"an escape for {code_point(character)}"
            + (", half of a pair" if "\ud800" <= character <= "\udfff" else ""),
            expected="visible characters, spaces, tabs and line breaks",
            hint="keep the original file beside the campaign, and a digest of the text here",
        )
        found += 1
        if found == MAX_FAULTS:
            return


def _joins(characters: str, start: int, end: int) -> bool:
    """Whether an escaped joiner stands between characters that are not ASCII, written out or as escapes."""
    before = re.search(r"(?:\\u(?!00[0-7])[0-9a-fA-F]{4}|[^\x00-\x7f])$", characters[max(0, start - 6) : start])
    after = re.match(r"\\u(?!00[0-7])[0-9a-fA-F]{4}|[^\x00-\x7f]", characters[end : end + 6])
    return before is not None and after is not None


def _all_faults(text: Text, decoder: json.JSONDecoder) -> tuple[Problem, ...]:
    problems: list[Problem] = []
    for problem in _faults(text, first(text.characters), (), decoder):
        problems.append(problem)
        if len(problems) == MAX_FAULTS:
            break
    return tuple(problems)


def _faults(text: Text, start: int, location: Location, decoder: json.JSONDecoder) -> Iterator[Problem]:
    """Repeated keys and refused numbers in the value at `start`; the decoder skips the parts without any."""
    characters = text.characters
    if characters[start] not in "[{":
        yield _bad_number(text, start, location)
        return
    seen: dict[str | int, int] = {}
    for member in members(characters, start, decoder):
        here = (*location, member.name)
        if member.key and member.name in seen:
            first, second = seen[member.name], member.key[0]
            line, again = text.line(first), text.line(second)
            found = f"the key stands on line {line} and again on line {again}"
            if line == again:
                columns = [text.place(at, at + 1).column for at in (first, second)]
                found = f"the key stands twice on line {line}, at columns {columns[0]} and {columns[1]}"
            yield text.problem(
                "duplicate.key",
                *member.key,
                field=field_name(here),
                found=found,
                expected="each key once",
                hint="delete one of the two",
            )
        seen.setdefault(member.name, member.key[0] if member.key else member.start)
        if not member.fine:
            yield from _faults(text, member.start, here, decoder)


def _bad_number(text: Text, start: int, location: Location) -> Problem:
    match = _SCALAR.match(text.characters, start)
    word = match[0] if match else ""
    whole = word.lstrip("-").isdecimal()
    return text.problem(
        "number.too-large" if whole else "number.not-finite",
        start,
        start + len(word),
        field=field_name(location),
        found=f"{quoted(word)[1:-1]} is beyond 2^53" if whole else f"{quoted(word)[1:-1]} is not a finite number",
        expected=f"whole numbers up to {INTEGER_LIMIT}" if whole else "finite numbers",
        hint="" if whole else "write null, or leave it out, if it was not measured",
    )
