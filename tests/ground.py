"""Folders for tests that build: a copy of the repository's content and evidence, what a folder holds, and a small disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = 4096


def copied_root(folder: Path) -> Path:
    """A root of its own to break things in: content and evidence as they stand in the repository."""
    for name in ("content", "evidence"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below `folder`, by path, with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def run(
    *arguments: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`build.py` with these arguments, as a person would call it."""
    return subprocess.run(
        [sys.executable, str(ROOT / "build.py"), *map(str, arguments)],
        cwd=cwd or ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A disk of `size` bytes at `folder`. Skips the test where nobody may mount one."""
    folder.mkdir()
    mounted = os.geteuid() == 0 and shutil.which("mount") is not None
    if mounted:
        call = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
        mounted = subprocess.run(call, capture_output=True, check=False).returncode == 0
    if not mounted:
        pytest.skip("this user may not mount a disk; the same is tested with a disk that says it is full")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def make_read_only(disk: Path) -> None:
    """A disk from `small_disk` that can be read and no longer written."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
