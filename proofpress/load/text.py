"""Text: the characters of one input file, decoded and checked, and where each of them stands.

Comes in: raw bytes. Goes out: a `Text` that turns character offsets into places, and problems with encoding and hidden
characters. What looks like another kind of file (a pointer, a web page, an unfinished merge) is named here as well.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from proofpress.problem import Place, Problem, Severity, of_file, quoted, visible

Location = tuple[str | int, ...]

EXCERPT_WIDTH = 120
LFS_POINTER = "version https://git-lfs.github.com/spec/"
"""How a file begins that Git LFS left in place of the real one."""
MAX_HIDDEN = 1000
"""So many hidden characters of one file are reported; a file of nothing else must not fill the memory."""

RULES = frozenset(
    {
        "syntax.git-lfs-pointer",
        "syntax.html-page",
        "syntax.merge-conflict",
        "text.encoding",
        "text.hidden-character",
    }
)

# Controls, invisible and direction-changing characters, line separators that some readers miss, halves of pairs, and
# code points that are no characters. Tab, carriage return, the two joiners and all beyond U+FFFF are in the class as
# well: a closer look decides. One class with one range beyond U+FFFF: the expression engine searches that many times
# faster than alternatives or a list.
_SUSPECT = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufdd0-\ufdef\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\U00010000-\U0010ffff]"
)
_JOINERS = "\u200c\u200d"
_CLEAN_BYTES = bytes([0x0A, *range(0x20, 0x7F)])
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: .*)?$", re.MULTILINE)
_MARKUP = re.compile(r"\s*<(?:!doctype\b|html\b|head\b|\?xml\b)", re.IGNORECASE)


class Text:
    """The characters of a file without a byte-order mark, and the way from an offset in them to a place."""

    def __init__(self, path: str, characters: str) -> None:
        self.path = path
        self.characters = characters

    @cached_property
    def _starts(self) -> list[int]:
        """Offset of each line's first character."""
        return [0, *(match.end() for match in re.finditer("\n", self.characters))]

    def line(self, offset: int) -> int:
        """The line, from 1, in which the character at `offset` stands."""
        return bisect_right(self._starts, offset)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both from 1; beyond the ends the nearest one."""
        start = self._starts[min(max(line, 1), len(self._starts)) - 1]
        return min(start + max(column, 1) - 1, len(self.characters))

    def place(self, start: int, end: int | None = None) -> Place:
        """The place of the characters from `start` to `end` (one character where none is given), with their line."""
        start = min(max(start, 0), len(self.characters))
        number = self.line(start)
        first = self._starts[number - 1]
        last = self._starts[number] - 1 if number < len(self._starts) else len(self.characters)
        line = self.characters[first:last].removesuffix("\r")
        at = min(start - first, len(line))
        stop = min(max(start + 1 if end is None else end, start + 1) - first, max(len(line), at + 1))
        left = max(0, min(at - EXCERPT_WIDTH // 2, len(line) - EXCERPT_WIDTH))
        right = min(len(line), left + EXCERPT_WIDTH)
        before = ("…" if left else "") + _one_line(line[left:at])
        return Place(
            path=self.path,
            line=number,
            column=at + 1,
            width=max(1, len(_one_line(line[at : min(stop, right)]))),
            excerpt=before + _one_line(line[at:right]) + ("…" if right < len(line) else ""),
            excerpt_offset=len(before) - at,
        )

    def problem(
        self,
        rule: str,
        start: int,
        end: int | None = None,
        *,
        found: str,
        expected: str,
        hint: str = "",
        field: str = "",
        severity: Severity = Severity.ERROR,
    ) -> Problem:
        """A problem with the characters from `start` to `end`."""
        place = self.place(start, end)
        return Problem(
            rule=rule, place=place, field=field, found=found, expected=expected, hint=hint, severity=severity
        )


def _one_line(characters: str) -> str:
    """Part of a source line as an excerpt shows it: a tab as one space, so that the caret stands right."""
    return visible(characters.replace("\t", " "))


def decoded(path: str, raw: bytes) -> tuple[Text, tuple[Problem, ...]]:
    """`raw` as text; where it is not UTF-8, one problem, and a text in which the wrong bytes are spelled out."""
    packed = next((name for start, name in _PACKED.items() if raw.startswith(start)), None)
    if packed:
        found, hint = f"the file is compressed ({packed})", "unpack it first"
        return Text(path, ""), (of_file("text.encoding", path, found=found, expected="files are UTF-8", hint=hint),)
    if _looks_like_utf16(raw):
        found = "the bytes look like UTF-16 or UTF-32"
        problem = of_file("text.encoding", path, found=found, expected="files are UTF-8", hint="save it as UTF-8")
        return Text(path, ""), (problem,)
    try:
        return Text(path, raw.decode("utf-8").removeprefix("\ufeff")), ()
    except UnicodeDecodeError as error:
        text = Text(path, raw.decode("utf-8", "backslashreplace").removeprefix("\ufeff"))
        start = len(raw[: error.start].decode("utf-8").removeprefix("\ufeff"))
        wrong = raw[error.start]
        problem = text.problem(
            "text.encoding",
            start,
            start + 4,  # as wide as the spelling \xe9
            found=f"byte 0x{wrong:02x} is not UTF-8",
            expected="files are UTF-8",
            hint=f"if this is Latin-1, the letter is {quoted(chr(wrong))}: save the file as UTF-8"
            if wrong >= 0xA0
            else "save it as UTF-8",
        )
        return text, (problem,)


def _looks_like_utf16(raw: bytes) -> bool:
    """A mark of the byte order, or zeros at every other byte; single zeros in plain text are hidden characters."""
    zeros = max(raw[::2].count(0), raw[1::2].count(0))
    return raw[:2] in {b"\xff\xfe", b"\xfe\xff"} or (len(raw) >= 4 and 3 * zeros > len(raw))


_PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
}
"""How packed files begin."""


def is_clean_ascii(raw: bytes) -> bool:
    """Whether every byte is a printable ASCII character or a line feed; at the speed of a copy."""
    return not raw.translate(None, _CLEAN_BYTES)


def hidden_characters(text: Text, *, tab_rule: str | None) -> Iterator[Problem]:
    """One problem for each character that a reader cannot see.

    `tab_rule` is the rule that a tab in the indentation breaks; with None every tab passes (between JSON tokens).
    """
    characters = text.characters
    reported = 0
    for match in _SUSPECT.finditer(characters):
        character, start = match[0], match.start()
        if character == "\t":
            if tab_rule:
                yield _tab(text, start, tab_rule)
                reported += 1
        elif not _harmless(characters, start):
            yield text.problem(
                "text.hidden-character",
                start,
                found=f"{code_point(character)}, a character nobody sees",
                expected="visible characters, spaces and line breaks",
                hint="delete it",
            )
            reported += 1
        if reported >= MAX_HIDDEN:
            return


def first_hidden(value: str) -> str | None:
    """The first character of `value` (written with escapes) that must not be shown; line breaks and tabs pass."""
    for match in _SUSPECT.finditer(value):
        if match[0] not in "\t\r" and not _harmless(value, match.start()):
            return match[0]
    return None


def _harmless(characters: str, at: int) -> bool:
    """A return before a line feed, a joiner inside emoji and scripts that need one (Persian), an emoji itself."""
    character = characters[at]
    if character == "\r":
        return characters.startswith("\n", at + 1)
    if character in _JOINERS:
        around = characters[max(at - 1, 0) : at], characters[at + 1 : at + 2]
        return all(neighbour and not neighbour.isascii() and neighbour not in _JOINERS for neighbour in around)
    code = ord(character)
    return code > 0xFFFF and code & 0xFFFE != 0xFFFE and not 0xE0000 <= code <= 0xE007F  # no character; invisible tags


def _tab(text: Text, start: int, tab_rule: str) -> Problem:
    line_start = text.characters.rfind("\n", 0, start) + 1
    if not text.characters[line_start:start].strip(" \t"):
        return text.problem(
            tab_rule,
            start,
            found="a tab in the indentation",
            expected="lines are indented with spaces",
            hint="replace it by spaces",
        )
    return text.problem(
        "text.hidden-character",
        start,
        found="a tab inside a line",
        expected="visible characters, spaces and line breaks",
        hint="replace it by a space",
    )


def code_point(character: str) -> str:
    """How a message names a character that cannot or should not be shown: U+202E RIGHT-TO-LEFT OVERRIDE."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()


def other_kind(text: Text) -> Problem | None:
    """The problem of a file that is plainly something else than its name says, or None."""
    characters = text.characters
    if characters.startswith(LFS_POINTER):
        return text.problem(
            "syntax.git-lfs-pointer",
            0,
            characters.find("\n"),
            found="a Git LFS pointer instead of the file",
            expected="the file itself is in the repository",
            hint="run 'git lfs pull', or commit the file without LFS",
        )
    markup = _MARKUP.match(characters[:4096])
    if markup:
        return text.problem(
            "syntax.html-page",
            markup.end() - len(markup[0].lstrip()),
            markup.end(),
            found="a web page instead of the file",
            expected="the file itself",
            hint="a download may have saved an error page: open it and look",
        )
    # A plain substring test first: the expression is tried at every line otherwise.
    if "<<<<<<<" in characters or ">>>>>>>" in characters:
        conflict = _CONFLICT.search(characters)
        if conflict:
            return text.problem(
                "syntax.merge-conflict",
                conflict.start(),
                conflict.end(),
                found="the mark of an unfinished merge",
                expected="one version of the file",
                hint="decide between the two versions and delete the marks",
            )
    return None


def field_name(location: Location) -> str:
    """A location as messages write it: `profiles[2].exact_through`; keys of other characters in quotes."""
    name = ""
    for part in location:
        if isinstance(part, int):
            name += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            name += f".{part}" if name else part
        else:
            name += f"[{quoted(part)}]"
    return name


def occurrences(characters: str, words: str) -> Iterator[tuple[int, int]]:
    """Spans of `words` in `characters`, whatever white space stands between the words."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    for match in re.finditer(pattern, characters):
        yield match.span()
