"""How far long work is: one line for a person at a terminal, rewritten and removed; nothing for a program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ground import ROOT, copied_root, on_a_terminal, tree

from proofpress import terminal

AT_ONCE = """
import sys
from proofpress import terminal
from proofpress.command import main
terminal.PATIENCE = terminal.INTERVAL = 0
sys.exit(main(sys.argv[1:]))
"""
"""The command line with no patience at all: each thing of each step is told."""

REWRITE = "\r\x1b[K"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_root(tmp_path_factory.mktemp("root"))


def _screen(seen: str) -> list[str]:
    """The lines that are left on a screen: a carriage return goes back, and the code behind it clears the line."""
    lines = seen.replace("\r\n", "\n").split("\n")
    return [line.rpartition(REWRITE)[2] for line in lines]


def test_a_person_sees_each_step_and_in_the_end_the_result_alone(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    seen = on_a_terminal(["-c", AT_ONCE, "build", "--root", str(root), "--out", str(out)])
    told = re.findall(r"\r\x1b\[K([a-z ]+): (\d+) of (\d+)", seen)
    campaigns = str(len(list((root / "evidence").iterdir())))
    assert list(dict.fromkeys((step, of) for step, _, of in told)) == [
        ("reading evidence", campaigns), ("deriving", campaigns), ("checking cards", "3"),
        ("printing cards", "3"), ("printing evidence", campaigns),
    ]  # fmt: skip
    assert [done for step, done, _ in told if step == "printing cards"] == ["0", "1", "2"]
    assert _screen(seen) == [f"3 cards, {len(tree(out)) - 2} files: {out / 'index.html'}", ""]


def test_before_a_report_the_line_is_gone(root: Path, tmp_path: Path) -> None:
    page = root / "content" / "pages" / "wrong.md"
    page.write_text("[x](http://example.org)\n", encoding="utf-8")
    try:
        screen = _screen(on_a_terminal(["-c", AT_ONCE, "check", "--root", str(root)]))
    finally:
        page.unlink()
    assert screen[0].startswith("\x1b[1mcontent/pages/wrong.md:1:5\x1b[0m")
    assert screen[-2].startswith("1 error in ")


def test_a_narrow_terminal_gets_a_line_that_fits(root: Path) -> None:
    seen = on_a_terminal(["-c", AT_ONCE, "check", "--root", str(root)], columns=12)
    told = [part.partition("\r")[0] for part in seen.split(REWRITE)[1:-1]]
    assert set(told) >= {"reading evi", "deriving: 0"}
    assert max(map(len, told)) == 11


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_wants_no_codes_gets_no_line(root: Path, environment: dict[str, str]) -> None:
    seen = on_a_terminal(["-c", AT_ONCE, "check", "--root", str(root)], environment=environment)
    assert re.fullmatch(r"no problems in \d+ files\r\n", seen)


@pytest.mark.parametrize("style", ["text", "json", "github"])
@pytest.mark.parametrize("command", ["check", "build"])
def test_a_program_reads_nothing_on_standard_error(root: Path, tmp_path: Path, command: str, style: str) -> None:
    arguments = [command, "--root", str(root), "--format", style]
    if command == "build":
        arguments += ["--out", str(tmp_path / "site")]
    child = subprocess.run(
        [sys.executable, "-c", AT_ONCE, *arguments], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert child.stderr == ""
    assert "\r" not in child.stdout
    assert (child.stdout == "") == (style == "github")


class _Screen:
    """A terminal that remembers what was written."""

    def __init__(self) -> None:
        self.seen = ""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError

    def write(self, text: str) -> None:
        self.seen += text

    def flush(self) -> None:
        pass


def _looked_at(monkeypatch: pytest.MonkeyPatch) -> _Screen:
    """Standard error as a terminal, for the rest of a test."""
    screen = _Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return screen


def test_short_work_says_nothing_and_long_work_not_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thing every 40 ms: the first line comes when half a second has passed, and then one in a tenth."""
    screen = _looked_at(monkeypatch)
    clock = iter(range(0, 10_000, 40))
    monkeypatch.setattr(terminal, "monotonic", lambda: next(clock) / 1000)
    with terminal.progress() as watch:
        for done in range(12):
            watch("reading evidence", done, 20)
        assert screen.seen == ""
        for done in range(12, 19):
            watch("reading evidence", done, 20)
    lines = ["reading evidence: 12 of 20", "reading evidence: 15 of 20", "reading evidence: 18 of 20"]
    assert screen.seen == "".join(f"{REWRITE}{line}" for line in [*lines, ""])


def test_the_line_is_gone_also_when_work_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _looked_at(monkeypatch)
    monkeypatch.setattr(terminal, "PATIENCE", 0)

    def stopped() -> None:
        with terminal.progress() as watch:
            watch("deriving", 1, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert screen.seen == f"{REWRITE}deriving: 1 of 2{REWRITE}"
