"""The example site `tests/cases/base`, and the edits of rules made in a copy of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proofpress import pipeline
from proofpress.check.rule import Become, Edit, Rename, Replace
from proofpress.pipeline import Checked

CASES = Path(__file__).parent / "cases"
BASE = CASES / "base"
RENEW = bool(os.environ.get("PROOFPRESS_GOLDEN"))
"""Set by `make golden`: expected words are written instead of compared."""


def copy(to: Path) -> Path:
    """A copy of the example site in the folder `to`, which must not be there yet."""
    return Path(shutil.copytree(BASE, to))


def edit(root: Path, file: str, change: Edit) -> None:
    """Makes one edit of one file below `root`."""
    path = root / file
    match change:
        case Replace():
            replace(path, (change.replace, change.text), encoding=change.encoding)
        case Rename():
            (root / change.rename).parent.mkdir(parents=True, exist_ok=True)
            path.rename(root / change.rename)
        case Become():
            _become(path, change.become)


def replace(path: Path, *changes: tuple[str, str], encoding: str = "utf-8") -> None:
    """Replaces pieces of text, each of which stands in the file once."""
    text = path.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, f"stands {text.count(old)} times in {path.name}: {old}"
        text = text.replace(old, new)
    path.write_bytes(text.encode(encoding))


def _become(path: Path, what: str) -> None:
    if what in {"unreadable", "changing"}:
        return  # `check` below plays the machine's part
    path.unlink()
    match what:
        case "link":
            path.symlink_to(BASE / "content" / "site.yaml")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "empty":
            path.touch()


def check(root: Path, file: str = "", change: Edit | None = None) -> Checked:
    """The checks on the site at `root`. A file that becomes unreadable or changes while it is read is played by `played`."""
    with played(root, file, change):
        return pipeline.check(root)


@contextmanager
def played(root: Path, file: str, change: Edit | None) -> Iterator[None]:
    """Plays the machine's part in edits that make a file unreadable, or one that changes while it is read."""
    opening = os.open
    what = change.become if isinstance(change, Become) else ""
    before = (root / file).read_bytes() if what == "changing" else b""

    def opened(path: Path, flags: int) -> int:
        if path == root / file and what == "unreadable":
            raise PermissionError(13, "Permission denied")
        if path == root / file and what == "changing":
            path.write_text("# Another text\n", "utf-8")
        return opening(path, flags)

    with pytest.MonkeyPatch.context() as patch:
        if what in {"unreadable", "changing"}:
            patch.setattr("proofpress.load.disk.os.open", opened)
        yield
    if what == "changing":
        (root / file).write_bytes(before)


def golden(name: str, found: str) -> None:
    """Compares `found` with the expected words in `tests/cases/messages/<name>.txt`; `make golden` writes them."""
    path = CASES / "messages" / f"{name}.txt"
    if RENEW:
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")
