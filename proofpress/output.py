"""Output: the only place that writes. A site is staged beside its folder and swapped in whole, or not at all.

Comes in: file names with their bytes. Goes out: a folder that holds exactly those, or the old one untouched.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO

MARKER = ".proofpress"
MARKER_TEXT = b"Made by Proofpress. The next build replaces this whole folder. It made these files:\n"
_STRAY = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file managers leave in folders that somebody has looked at; nobody misses it."""
GITIGNORE = b"# Output of build.py: everything here is made anew by each build.\n*\n!.gitignore\n"


class CannotWrite(Exception):
    """The output cannot be written; the text is for the person at the terminal. `usage` where another choice of folder helps."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


class Files:
    """The files of a site by path, each written once."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._lowered: set[str] = set()

    def add(self, path: str, content: bytes) -> None:
        """Adds a file. A path that is taken, leaves the folder, or differs from a taken one only by case is our bug and raises ValueError."""
        parts = PurePosixPath(path).parts
        if not parts or path.startswith("/") or any(part in {".", ".."} for part in parts):
            raise ValueError(f"not a path inside the site: {path!r}")
        if path.lower() in self._lowered:
            raise ValueError(f"written twice: {path!r}")
        self._files[path] = content
        self._lowered.add(path.lower())

    def __getitem__(self, path: str) -> bytes:
        return self._files[path]

    def __contains__(self, path: object) -> bool:
        return path in self._files

    def __len__(self) -> int:
        return len(self._files)

    def sorted(self) -> Mapping[str, bytes]:
        """All files in the order of their paths."""
        return dict(sorted(self._files.items()))


def publish(files: Files, out: Path) -> None:
    """Puts `files` in place of the folder `out`.

    Everything is written and flushed beside it first; the swap is one system call where the system has one. Raises `CannotWrite`.
    """
    out = Path(os.path.abspath(out))  # noqa: PTH100 -- resolve() would follow a link that must be refused below
    _refuse_foreign(out)
    staging, old = _beside(out, "staging"), _beside(out, "old")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _locked(out):
            with _undisturbed():
                _recover(out, old, staging)
            _refuse_added(out)
            try:
                _write(files, staging)
                with _undisturbed():
                    _swap(staging, out, old)
                    _remove(staging, old)
            finally:
                _remove(staging)
    except OSError as error:
        place = error.filename or out
        raise CannotWrite(f"{place}: {error.strerror or error}; the site that was there is unchanged") from error


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Lets no request to stop in between, so that whoever is told that the old site is unchanged can rely on it."""
    if threading.current_thread() is not threading.main_thread():  # Python disturbs the main thread alone
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _beside(out: Path, what: str) -> Path:
    return out.parent / f".proofpress-{what}-{out.name}"


def _refuse_foreign(out: Path) -> None:
    if out.is_symlink():
        raise CannotWrite(f"{out} is a link; name the folder itself, or another one with --out", usage=True)
    if not out.exists():
        return
    if not out.is_dir():
        raise CannotWrite(f"{out} is a file; name another folder with --out", usage=True)
    try:
        names = {path.name for path in out.iterdir()}
    except OSError as error:
        raise CannotWrite(f"{out}: {error.strerror}") from error
    if names - {".gitignore"} and MARKER not in names:
        raise CannotWrite(
            f"{out} was not made by this program, and a build would delete what is in it; name another folder with --out",
            usage=True,
        )


def _refuse_added(out: Path) -> None:
    """Somebody's own files in an old site would go with it. Which ones are its own, its marker says."""
    try:
        told = (out / MARKER).read_bytes()
    except FileNotFoundError:
        return
    if not told.startswith(MARKER_TEXT):  # made before markers had a list
        return
    made = told.removeprefix(MARKER_TEXT).decode().splitlines()
    added = sorted(_files_below(out) - {*made, MARKER, ".gitignore"})
    if added:
        more = f" and {len(added) - 1} more" if len(added) > 1 else ""
        are = "are not ours and would be lost: move them" if more else "is not ours and would be lost: move it"
        raise CannotWrite(f"{out / added[0]}{more} {are}, or build with --out", usage=True)


def _files_below(out: Path) -> set[str]:
    """Every file below `out`, as its path in the site."""
    return {
        (Path(folder) / name).relative_to(out).as_posix()
        for folder, folders, names in os.walk(out)
        for name in (*names, *(inner for inner in folders if (Path(folder) / inner).is_symlink()))
        if name not in _STRAY
    }


def marker(files: Files) -> bytes:
    """What the marker of a site says: that it is ours, and which files are."""
    return MARKER_TEXT + "".join(f"{path}\n" for path in files.sorted()).encode()


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """Holds the lock of `out`. It is the kernel's, so it ends with the process that has it, however that ends."""
    try:
        import fcntl  # noqa: PLC0415 -- absent on Windows, where two builds at once are not guarded
    except ImportError:
        yield
        return
    path = _beside(out, "lock")
    while True:
        with path.open("a+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise CannotWrite(f"{out} is being built by {_holder(file)}; wait for it to end") from error
            if not _is_at(path, file):  # its last holder has just removed it: another build may hold a new one
                continue
            file.truncate(0)
            file.write(str(os.getpid()).encode())
            file.flush()
            try:
                yield
            finally:
                with suppress(OSError):
                    path.unlink()
            return


def _holder(file: IO[bytes]) -> str:
    """Who holds a lock, and since when, for a person who wonders why nothing happens."""
    file.seek(0)
    number = file.read(64).decode("ascii", "replace").strip()
    since = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime).astimezone()
    return f"process {number or 'of unknown number'} since {since:%H:%M:%S}"


def _is_at(path: Path, file: IO[bytes]) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _recover(out: Path, old: Path, staging: Path) -> None:
    """Undoes what a killed build left: a half-made staging folder, or the old site moved aside and nothing in its place."""
    if old.exists() and not out.exists():
        old.rename(out)
    for path in (staging, old):
        if path.exists():
            shutil.rmtree(path)


def _write(files: Files, staging: Path) -> None:
    contents = {**files.sorted(), MARKER: marker(files), ".gitignore": GITIGNORE}
    folders = sorted({staging / PurePosixPath(path).parent for path in contents})
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    for path, content in contents.items():
        with (staging / path).open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    for folder in folders:
        _flush_folder(folder)


def _flush_folder(folder: Path) -> None:
    with suppress(OSError):  # some systems cannot flush a folder; the files are flushed already
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _swap(staging: Path, out: Path, old: Path) -> None:
    if not out.exists():
        staging.rename(out)
    elif not _exchange(staging, out):
        out.rename(old)
        try:
            staging.rename(out)
        except OSError:
            old.rename(out)
            raise
    _flush_folder(out.parent)


def _exchange(one: Path, other: Path) -> bool:
    """Exchanges two folders in one system call, where there is one. False where there is not, and then nothing happened."""
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform.startswith("linux") and hasattr(library, "renameat2"):
        at_working_folder, exchange = -100, 2
        return bool(library.renameat2(at_working_folder, first, at_working_folder, second, exchange) == 0)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        swap = 2
        return bool(library.renamex_np(first, second, swap) == 0)
    return False


def write_new(path: Path, content: bytes, *, replace: bool) -> None:
    """Writes one file of a contributor's own tree, whole or not at all. Raises `CannotWrite`, also where the file is there and not to be replaced."""
    if path.exists() and not replace:
        raise CannotWrite(f"{path} is already there; --replace overwrites it", usage=True)
    half = path.with_name(f".proofpress-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(content)
        half.replace(path)
    except OSError as error:
        raise CannotWrite(f"{error.filename or path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)
