"""Complaint: what a parser says about text that it cannot read, put so that the cause is named and not the symptom.

Comes in: a `Text` and the parser's error. Goes out: one problem; behind the first complaint a parser reads nothing.
"""

from __future__ import annotations

import json
import re

from yaml.error import MarkedYAMLError

from proofpress.load.text import Text, code_point
from proofpress.problem import Problem, quoted

YAML_RULES = frozenset({"schema.tag", "syntax.yaml"})
JSON_RULES = frozenset({"syntax.ends-early", "syntax.json", "syntax.trailing-data", "text.hidden-character"})

_SCALAR = re.compile(r"[^\s,\[\]{}]+")
_CUT_WORD = re.compile(r"(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\.|[eE][-+]?)?\s*")
_SYNTAX_HINTS = (
    ("mapping values are not allowed", "text that holds ': ' wants quotes; otherwise look at the indentation"),
    ("that cannot start any token", "text that starts with a sign wants quotes"),
    ("could not find expected ':'", "a key wants a colon and a space behind it"),
    ("expected <block end>", "look at the indentation of this line and of the lines above"),
    ("expected ',' or", "a bracket is not closed, or a comma is missing"),
    ("unknown escape", "a backslash in double quotes is written twice"),
)


def yaml_complaint(text: Text, error: MarkedYAMLError) -> Problem:
    """PyYAML's complaint."""
    mark = error.problem_mark or error.context_mark
    at = mark.index if mark else 0
    found, expected = error.problem or "not YAML", "well-formed YAML"
    if "undefined tag handle" in found:
        return text.problem(
            "schema.tag",
            at,
            found="a tag",
            expected="no tags: null, true, false, numbers and text only",
            hint="delete it; text that starts with ! wants quotes",
        )
    if "unexpected end of stream" in found and error.context_mark:
        return text.problem(
            "syntax.yaml",
            error.context_mark.index,
            found="a quote that is never closed",
            expected=expected,
            hint="close it; inside single quotes a single quote is written twice",
        )
    if ("expected <block end>" in found or "expected ',' or" in found) and (
        open_quote := _quote_before(text, at)
    ) is not None:
        closes = text.line(len(text.characters[:at].rstrip()) - 1)
        late = text.line(open_quote) < closes
        return text.problem(
            "syntax.yaml",
            open_quote,
            found=f"a quote that is closed only on line {closes}" if late else "text behind a closed quote",
            expected=expected,
            hint="close it where its text ends; inside single quotes a single quote is written twice"
            if late
            else 'inside single quotes a single quote is written twice, inside double quotes a double one as \\"',
        )
    hint = next((words for part, words in _SYNTAX_HINTS if part in found), "")
    context = f"{error.context}, line {error.context_mark.line + 1}: " if error.context and error.context_mark else ""
    return text.problem("syntax.yaml", at, found=f"{context}{found}", expected=expected, hint=hint)


def _quote_before(text: Text, at: int) -> int | None:
    """Where the quoted text begins that ends right before `at`, on the same line."""
    before = text.characters[:at].rstrip(" ")
    start = before.rfind(before[-1], 0, len(before) - 1) if before.endswith(("'", '"')) else -1
    return start if start >= 0 else None


def json_complaint(text: Text, error: json.JSONDecodeError) -> Problem:
    """The complaint of the standard library's decoder."""
    characters, at = text.characters, error.pos
    end = len(characters.rstrip(" \t\r\n"))
    if error.msg == "Extra data":
        return _trailing(text, at)
    if error.msg.startswith("Unterminated string") or _CUT_WORD.fullmatch(characters, at):
        line = text.line(max(end - 1, 0))
        return text.problem(
            "syntax.ends-early",
            max(end - 1, 0),
            found=f"the file ends early, at line {line}",
            expected="a complete JSON value",
            hint="was the copy finished? a quote or bracket that was opened is never closed",
        )
    if error.msg.startswith("Illegal trailing comma"):  # Python 3.13 points at the comma, earlier ones behind it
        at = next(index for index in range(at + 1, len(characters)) if not characters[index].isspace())
    character = characters[at]
    if error.msg.startswith("Invalid control character"):
        return text.problem(
            "syntax.json" if character in "\r\n" else "text.hidden-character",
            at,
            found="a line break inside a text" if character in "\r\n" else f"{code_point(character)} inside a text",
            expected="control characters in texts are written as escapes",
            hint="close the quote, or write \\n" if character in "\r\n" else "write \\t for a tab, delete others",
        )
    expected, hint = next(
        (words for part, words in _EXPECTATIONS if error.msg.startswith(part)), ("well-formed JSON", "")
    )
    word = _SCALAR.match(characters, at)
    before = characters[:at].rstrip(" \t\r\n")[-1:]
    if before == "," and character in "]}":
        hint = "delete the comma before it"
    elif character == "'":
        hint = "JSON has double quotes only"
    elif before == "0" and character.isdecimal():
        hint = "numbers have no leading zeros"
    elif character in "/#":
        hint = "JSON has no comments"
    shown = word[0] if word and word[0][0] not in "\"'" else character
    return text.problem("syntax.json", at, at + len(shown), found=quoted(shown), expected=expected, hint=hint)


_EXPECTATIONS = (
    ("Expecting property name", ("a key in double quotes", "")),
    ("Illegal trailing comma", ("a key in double quotes", "")),
    ("Expecting value", ("a value: text in double quotes, a number, true, false, null, [ or {", "")),
    ("Expecting ','", ("a comma or a closing bracket", "it is missing before this place")),
    ("Expecting ':'", ("a colon behind the key", "")),
    ("Invalid \\", ('one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000', "a backslash is written twice")),
)


def _trailing(text: Text, at: int) -> Problem:
    characters = text.characters
    line_by_line = characters[at] in "[{" and "\n" in characters[:at] and "\n" not in characters[:at].strip()
    match = _SCALAR.match(characters, at)
    return text.problem(
        "syntax.trailing-data",
        at,
        at + (len(match[0]) if match else 1),
        found="the file goes on after its first value",
        expected="one object per file",
        hint="this looks like JSON lines, one object per line: put the objects into one list"
        if line_by_line
        else "delete the rest, or move it into a file of its own",
    )
