"""Terminal: the two streams that a person or another program reads. Whoever stops reading does not change what a command does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TextIO

from proofpress.output import CannotWrite
from proofpress.problem import Report
from proofpress.progress import Watch, unwatched


def prepare() -> None:
    """Makes both streams UTF-8, whatever the locale is, so that no name or sign can stop a command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str) -> None:
    """A line of what was asked for, on standard output."""
    _write(sys.stdout, f"{text}\n")


def tell(text: str) -> None:
    """A line about how it went, on standard error."""
    _write(sys.stderr, f"{text}\n")


def show(report: Report, style: str = "text") -> None:
    """A report: text on standard error, in colours where a person looks at it; for programs on standard output."""
    match style:
        case "json":
            _write(sys.stdout, report.json())
        case "github":
            _write(sys.stdout, report.github())
        case _:
            _write(sys.stderr, report.text(colour=_takes_codes(sys.stderr)))


PATIENCE = 0.5
"""Seconds that work may last before a person wants to know how far it is."""

INTERVAL = 0.1
"""Seconds between two looks at it; more often, nobody can read."""


@contextmanager
def progress() -> Iterator[Watch]:
    """Somebody to tell how far work is: one line on standard error, written over itself and gone at the end.

    Nothing is written for a program, or on a terminal that cannot or shall not have lines rewritten.
    """
    if not _takes_codes(sys.stderr):
        yield unwatched
        return
    line = _Line(sys.stderr)
    try:
        yield line.tell
    finally:
        line.clear()


class _Line:
    """The line, and when it was last written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = monotonic() + PATIENCE
        self._is_there = False

    def tell(self, step: str, done: int, of: int) -> None:
        now = monotonic()
        if now < self._next:
            return
        self._next = now + INTERVAL
        self._is_there = True
        columns = 80
        with suppress(OSError):
            columns = os.get_terminal_size(self._stream.fileno()).columns or columns
        # a full row would go on in the next one, and that could not be written over
        _write(self._stream, f"\r\x1b[K{step}: {done} of {of}"[: columns + len("\r\x1b[K") - 1])

    def clear(self) -> None:
        if self._is_there:
            _write(self._stream, "\r\x1b[K")


def finish() -> None:
    """Writes what others, such as the help, have left unwritten."""
    for stream in (sys.stdout, sys.stderr):
        _write(stream, "")


def _takes_codes(stream: TextIO | None) -> bool:
    return (
        stream is not None
        and stream.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "") != "dumb"
    )


def _write(stream: TextIO | None, text: str) -> None:
    """Writes at once. A reader that has gone, as `head` does, is no reason to stop or to fail."""
    if stream is None:  # started with the stream closed
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _silence(stream)
    except OSError as error:
        _silence(stream)
        raise CannotWrite(f"{getattr(stream, 'name', 'output')}: {error.strerror or error}") from error


def _silence(stream: TextIO) -> None:
    """Sends whatever else is written, also by the interpreter at its end, nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
