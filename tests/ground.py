"""Folders for tests that build: a copy of the repository's content and evidence, what a folder holds, and a small disk."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = 4096


FEW = ("h200-qwen3-random-static-batch", "qwen35-9b-fp8-b70", "qwen38-27b-fp8-tp2-b70")
"""Cards enough for tests that build again and again: one with every request, two transcribed."""


def copied_root(folder: Path, cards: Sequence[str] = FEW) -> Path:
    """A root of its own to break things in: content as it stands in the repository, with these cards, their guides and their evidence."""
    shutil.copytree(ROOT / "content", folder / "content")
    for path in (*(folder / "content" / "cards").iterdir(), *(folder / "content" / "guides").iterdir()):
        if path.stem not in cards:
            path.unlink()
    texts = [(folder / "content" / "cards" / f"{card}.yaml").read_text(encoding="utf-8") for card in cards]
    for campaign in sorted({name for text in texts for name in re.findall(r"campaign: ([a-z0-9.-]+)", text)}):
        shutil.copytree(ROOT / "evidence" / campaign, folder / "evidence" / campaign)
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


def on_a_terminal(call: Sequence[str], *, columns: int = 80, environment: Mapping[str, str] | None = None) -> str:
    """What a person sees of a call of Python: all streams are one terminal, so many characters wide."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {
        "TERM": "xterm",
        **(environment or {}),
    }
    child = subprocess.Popen(
        [sys.executable, *call], cwd=ROOT, stdin=follower, stdout=follower, stderr=follower, env=env
    )
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        seen += part
    child.wait()
    os.close(leader)
    return seen.decode()


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
