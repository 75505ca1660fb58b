"""Disk: the plain files below one root folder. Paths are checked first, and nothing else is ever opened or followed.

Comes in: a root and a relative POSIX path as a contributor wrote it. Goes out: the bytes, or problems.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from proofpress.load.text import first_hidden
from proofpress.problem import Problem, of_file, quoted

NAME_LIMIT = 200  # bytes of one file or folder name; file systems end at 255, and pages add an ending
DEPTH_LIMIT = 64  # folders in folders

RULES = frozenset(
    {
        "io.changed",
        "io.read",
        "limit.file-size",
        "limit.nesting",
        "path.link",
        "path.name",
        "path.not-plain-file",
        "path.outside",
        "reference.folder",
        "reference.missing-file",
    }
)

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
    (stat.S_ISDIR, "a folder"),
)


@dataclass(frozen=True, slots=True)
class Bytes:
    """What a file held; None when it could not be used, and then there are problems."""

    raw: bytes | None
    problems: tuple[Problem, ...] = ()


def read_bytes(root: Path, relative: str, *, limit: int) -> Bytes:
    """The bytes of the plain file `relative` below `root`, at most `limit` bytes; every other thing is a problem."""
    problem = path_problem(relative)
    if problem:
        return Bytes(None, (problem,))
    try:
        found = _look(root, relative)
        if isinstance(found, Problem):
            return Bytes(None, (found,))
        return _read(root / relative, relative, found, limit)
    except (OSError, ValueError) as error:  # ValueError: a name that the system's encoding cannot spell
        return Bytes(None, (_io(relative, error),))


def list_files(root: Path, folder: str) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Sorted paths, relative to `root`, of the plain files below `folder`; a missing folder holds none.

    Links, pipes, devices and names that cannot be printed are problems; they are neither followed nor opened.
    """
    problem = path_problem(folder)
    if problem:
        return (), (problem,)
    files: list[str] = []
    problems: list[Problem] = []
    try:
        found = _look(root, folder, folder=True)
    except (OSError, ValueError) as error:
        return (), (_io(folder, error),)
    if isinstance(found, Problem):
        return (), () if found.rule == "reference.missing-file" else (found,)
    waiting = [folder]
    while waiting:
        parent = waiting.pop()
        try:
            with os.scandir(root / parent) as entries:
                names = sorted((entry.name, entry.stat(follow_symlinks=False).st_mode) for entry in entries)
        except OSError as error:
            problems.append(_io(parent, error))
            continue
        for name, mode in names:
            path = f"{parent}/{name}"
            problem = _name_problem(path, name) or _kind_problem(path, mode, folder=stat.S_ISDIR(mode))
            if problem:
                problems.append(problem)
            elif not stat.S_ISDIR(mode):
                files.append(path)
            elif path.count("/") >= DEPTH_LIMIT:
                problems.append(
                    of_file(
                        "limit.nesting",
                        path,
                        found="folders in folders without end",
                        expected=f"at most {DEPTH_LIMIT} levels",
                    )
                )
            else:
                waiting.append(path)
    return tuple(sorted(files)), tuple(sorted(problems, key=Problem.sort_key))


def _io(path: str, error: OSError | ValueError) -> Problem:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return of_file("io.read", path, found=f"cannot be read: {reason}", expected="a file that this user may read")


def path_problem(path: str) -> Problem | None:
    """What is wrong with the spelling of a relative path, before the disk is asked."""
    parts = path.split("/")
    outside = path.startswith(("/", "~")) or ".." in parts or _SCHEME.match(path)
    if outside:
        return of_file(
            "path.outside",
            path,
            found=f"{quoted(path)} leads out of the folder",
            expected="a relative path without '..', '~' or a scheme",
            hint="put the file into the repository and name it from there",
        )
    if "" in parts or "." in parts:
        return of_file(
            "path.name",
            path,
            found=f"{quoted(path)} has an empty part",
            expected="names separated by single slashes",
        )
    for part in parts:
        problem = _name_problem(path, part)
        if problem:
            return problem
    return None


def _name_problem(path: str, name: str) -> Problem | None:
    """What is wrong with one file or folder name."""
    size = len(os.fsencode(name)) if not _has_lone_surrogate(name) else len(name)
    if size > NAME_LIMIT:
        return of_file(
            "path.name",
            path if len(path) <= NAME_LIMIT else f"{path[:NAME_LIMIT]}…",
            found=f"a name of {size} bytes",
            expected=f"names of at most {NAME_LIMIT} bytes",
            hint="give it a shorter name",
        )
    if _has_lone_surrogate(name):
        return of_file(
            "path.name",
            path,
            found="a name that is not UTF-8",
            expected="names are UTF-8",
            hint="rename the file",
        )
    if first_hidden(name) or "\\" in name or any(character < " " for character in name) or name != name.strip():
        return of_file(
            "path.name",
            path,
            found=f"the name {quoted(name)}",
            expected="names without control characters, backslashes, or spaces at the ends",
            hint="rename the file",
        )
    return None


def _has_lone_surrogate(name: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in name)


def _kind_problem(path: str, mode: int, *, folder: bool = False) -> Problem | None:
    """What is wrong with the kind of thing found at `path`: a plain file, or a folder, is wanted."""
    if stat.S_ISLNK(mode):
        return of_file(
            "path.link",
            path,
            found="a symbolic link",
            expected="plain files and folders",
            hint="copy the file here instead of linking to it",
        )
    if stat.S_ISDIR(mode) if folder else stat.S_ISREG(mode):
        return None
    found = next((words for test, words in _KINDS if test(mode)), "a plain file" if stat.S_ISREG(mode) else "no file")
    if stat.S_ISDIR(mode):
        return of_file(
            "reference.folder", path, found="a folder", expected="a file", hint="name a file inside the folder"
        )
    return of_file("path.not-plain-file", path, found=found, expected="a folder" if folder else "a plain file")


def _look(root: Path, relative: str, *, folder: bool = False) -> os.stat_result | Problem:
    """What stands at `relative`, looked at part by part so that no link is followed on the way."""
    here = root
    parts = relative.split("/")
    status = os.lstat(root)
    for number, part in enumerate(parts, start=1):
        parent, here = here, here / part
        try:
            status = os.lstat(here)
        except (FileNotFoundError, NotADirectoryError):
            return _missing(parent, part, relative)
        problem = _kind_problem("/".join(parts[:number]), status.st_mode, folder=folder or number < len(parts))
        if problem:
            return problem
    if not here.resolve().is_relative_to(root.resolve()):
        return of_file(
            "path.outside",
            relative,
            found="the path leads out of the folder",
            expected="a file below the folder",
        )
    return status


def _missing(parent: Path, name: str, relative: str) -> Problem:
    names = sorted(entry.name for entry in parent.iterdir()) if parent.is_dir() else []
    near = difflib.get_close_matches(name, names, n=1)
    return of_file(
        "reference.missing-file",
        relative,
        found="there is no such file",
        expected="a file in the repository",
        hint=f"did you mean {quoted(near[0])}?" if near else "",
    )


def _read(path: Path, relative: str, seen: os.stat_result, limit: int) -> Bytes:
    if seen.st_size > limit:
        return Bytes(None, (_too_large(relative, seen.st_size, limit),))
    # A pipe put in place of the file just now must not block the build, nor a link lead it away.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        problem = _kind_problem(relative, before.st_mode)
        if problem:
            return Bytes(None, (problem,))
        raw = file.read(limit + 1)
        after = os.fstat(descriptor)
    states = {(s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns) for s in (seen, before, after)}
    if len(states) > 1 or len(raw) != after.st_size:
        problem = of_file(
            "io.changed",
            relative,
            found="the file changed while it was read",
            expected="files that stand still during a build",
            hint="run the build again",
        )
        return Bytes(None, (problem,))
    return Bytes(raw)


def _too_large(relative: str, size: int, limit: int) -> Problem:
    return of_file(
        "limit.file-size",
        relative,
        found=f"{size:,} bytes",
        expected=f"at most {limit:,} bytes",
        hint="split it, or keep large originals outside the repository",
    )
