"""A site is there whole, or the old one is: full disks, kills, signals, foreign folders, two builds at once."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from ground import PAGE, ROOT, copied_root, make_read_only, run, small_disk, tree

from proofpress import output, pipeline
from proofpress.command import main
from proofpress.derive.edition import Edition
from proofpress.output import GITIGNORE, MARKER, CannotWrite, Files, publish, write_new
from proofpress.progress import Watch

NUMBER = 60
POSITIONS = {"the first file": 0.0, "a file in the middle": 0.5, "the last file": 1.0}


def files(word: str, number: int = NUMBER) -> Files:
    """A site of files of one page each, every one of them with `word` in it."""
    made = Files()
    made.add("index.html", word.encode() * 10)
    for index in range(number - 1):
        made.add(f"pages/{index % 7}/{index:03}.html", f"{word} {index} ".encode().ljust(PAGE, b"."))
    return made


def whole(word: str, number: int = NUMBER) -> dict[str, bytes]:
    """What stands on the disk when `files(word)` are published."""
    made = files(word, number)
    return {**made.sorted(), ".gitignore": GITIGNORE, MARKER: output.marker(made)}


def beside(out: Path) -> list[str]:
    """What a build has left beside its folder."""
    return sorted(path.name for path in out.parent.iterdir() if path.name.startswith(".proofpress"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A site that is there already."""
    place = tmp_path / "site"
    publish(files("old"), place)
    return place


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    """`main` takes over SIGTERM; the test run gets its own back."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


# --- files and paths -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a/../../x", "."])
def test_a_path_that_leaves_the_folder_is_our_bug(path: str) -> None:
    with pytest.raises(ValueError, match="not a path inside the site"):
        Files().add(path, b"")


@pytest.mark.parametrize("second", ["a/b.html", "A/B.html"])
def test_a_path_is_written_once_capital_letters_aside(second: str) -> None:
    made = Files()
    made.add("a/b.html", b"")
    with pytest.raises(ValueError, match="written twice"):
        made.add(second, b"")


def test_the_whole_folder_is_replaced(out: Path) -> None:
    """X6: what the new site does not have is gone."""
    publish(files("new", 5), out)
    assert tree(out) == whole("new", 5)
    assert beside(out) == []


def test_a_fresh_clones_folder_with_nothing_but_its_gitignore_is_accepted(tmp_path: Path) -> None:
    out = tmp_path / "site"
    out.mkdir()
    (out / ".gitignore").write_bytes(GITIGNORE)
    publish(files("new"), out)
    assert tree(out) == whole("new")


def test_the_repositorys_own_gitignore_is_the_one_that_a_build_writes() -> None:
    stored = subprocess.run(["git", "show", "HEAD:site/.gitignore"], cwd=ROOT, capture_output=True, check=False)
    assert stored.returncode != 0 or stored.stdout == GITIGNORE


@pytest.mark.parametrize("place", ["site", "deep/er/site"])
def test_a_folder_that_is_not_there_is_made(tmp_path: Path, place: str) -> None:
    publish(files("new"), tmp_path / place)
    assert tree(tmp_path / place) == whole("new")


# --- X4: what is not ours --------------------------------------------------------------------------------------------


def _file(out: Path) -> None:
    out.write_text("mine")


def _link(out: Path) -> None:
    other = out.parent / "other"
    other.mkdir()
    (other / MARKER).write_text("a site")
    out.symlink_to(other)


def _dangling(out: Path) -> None:
    out.symlink_to(out.parent / "nowhere")


def _folder(out: Path) -> None:
    out.mkdir()
    (out / "thesis.odt").write_text("mine")


def _pipe(out: Path) -> None:
    os.mkfifo(out)


FOREIGN: Mapping[str, tuple[Callable[[Path], None], str]] = {
    "a file": (_file, "{out} is a file; name another folder with --out"),
    "a pipe": (_pipe, "{out} is a file; name another folder with --out"),
    "a link to a site": (_link, "{out} is a link; name the folder itself, or another one with --out"),
    "a link to nothing": (_dangling, "{out} is a link; name the folder itself, or another one with --out"),
    "somebody's folder": (
        _folder,
        "{out} was not made by this program, and a build would delete what is in it; name another folder with --out",
    ),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_this_program_has_not_made_stays(tmp_path: Path, what: str, capfd: pytest.CaptureFixture[str]) -> None:
    make, message = FOREIGN[what]
    out = tmp_path / "site"
    make(out)
    before = [(path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*"))]
    assert main(["build", "--out", str(out)]) == 2
    assert capfd.readouterr().err.splitlines()[-1] == f"cannot write: {message.format(out=out)}"
    assert [(path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*"))] == before


def test_a_file_that_somebody_added_to_a_site_is_not_lost(out: Path) -> None:
    """Was: gone without a word with the old site."""
    mine = out / "CNAME"
    mine.write_text("example.org")
    before = tree(out)
    with pytest.raises(CannotWrite) as refused:
        publish(files("new"), out)
    assert str(refused.value) == f"{mine} is not ours and would be lost: move it, or build with --out"
    assert refused.value.usage
    assert tree(out) == before
    (out / "pages/mine.txt").write_text("mine")
    with pytest.raises(CannotWrite, match="CNAME and 1 more are not ours and would be lost: move them, or build with"):
        publish(files("new"), out)


def test_a_page_that_is_made_no_more_and_a_file_managers_trace_are_no_hindrance(out: Path) -> None:
    """Files of the old site are known from its marker, and need not be in the new one."""
    (out / ".DS_Store").write_bytes(b"")
    publish(files("new", 5), out)
    assert tree(out) == whole("new", 5)


def test_a_site_whose_marker_has_no_list_is_replaced(out: Path) -> None:
    """It was made before markers had one, so nobody can tell what in it is ours."""
    (out / MARKER).write_bytes(b"Made by Proofpress. The next build replaces this whole folder.\n")
    (out / "CNAME").write_text("example.org")
    publish(files("new"), out)
    assert tree(out) == whole("new")


def test_the_root_of_the_disk_and_the_working_folder_are_not_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("mine")
    monkeypatch.chdir(tmp_path)
    for place in ("/", ".", ""):
        with pytest.raises(CannotWrite, match="was not made by this program"):
            publish(files("new"), Path(place))
    assert (tmp_path / "mine").read_text() == "mine"


# --- X1, X5: the disk ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", POSITIONS)
def test_a_disk_that_says_it_is_full_leaves_the_old_site(
    out: Path, position: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_at, flushed, real = int(POSITIONS[position] * (NUMBER + 1)), 0, os.fsync

    def full(descriptor: int) -> None:
        nonlocal flushed
        if flushed == fails_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flushed += 1
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotWrite) as caught:
        publish(files("new"), out)
    assert str(caught.value) == f"{out}: No space left on device; the site that was there is unchanged"
    assert not caught.value.usage
    assert tree(out) == whole("old")
    assert beside(out) == []


@pytest.mark.parametrize("position", POSITIONS)
def test_a_full_disk_leaves_the_old_site(
    tmp_path: Path, position: str, site: Mapping[str, bytes], monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """The repository's own site, on a disk with room for none of the new files, for half of them, and for all but a page."""
    needed = sum(-(-len(content) // PAGE) for content in site.values()) + 2
    room = min(int(POSITIONS[position] * needed), needed - 1)
    old = len(whole("old")) + 1  # the lock's page
    new = Files()
    for path, content in site.items():
        new.add(path, content)
    monkeypatch.setattr(pipeline, "build", lambda _edition, _watch: new)
    with small_disk(tmp_path / "disk", (old + room) * PAGE) as disk:
        publish(files("old"), disk / "site")
        assert main(["build", "--out", str(disk / "site")]) == 3
        assert tree(disk / "site") == whole("old")
        assert beside(disk / "site") == []
    errors = capfd.readouterr().err.splitlines()
    assert [re.sub("^cannot write: [^:]*: ", "", line) for line in errors] == [
        "No space left on device; the site that was there is unchanged"
    ]


def test_a_read_only_output_is_told_in_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with small_disk(tmp_path / "disk", 100 * PAGE) as disk:
        publish(files("old"), disk / "site")
        make_read_only(disk)
        assert main(["build", "--out", str(disk / "site")]) == 3
        assert tree(disk / "site") == whole("old")
    lock = tmp_path / "disk" / ".proofpress-lock-site"
    expected = f"cannot write: {lock}: Read-only file system; the site that was there is unchanged"
    assert capfd.readouterr().err.splitlines() == [expected]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_permission_is_told_in_one_sentence(out: Path) -> None:
    out.parent.chmod(0o555)
    try:
        with pytest.raises(CannotWrite, match="Permission denied; the site that was there is unchanged"):
            publish(files("new"), out)
    finally:
        out.parent.chmod(0o755)
    assert tree(out) == whole("old")


def test_read_only_content_and_evidence_are_enough(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 32 << 20) as disk:
        copied_root(disk)
        make_read_only(disk)
        assert main(["build", "--root", str(disk), "--out", str(tmp_path / "site")]) == 0


def test_a_swap_that_fails_half_way_puts_the_old_site_back(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system cannot exchange two folders at once, the old one is moved aside first."""
    monkeypatch.setattr(output, "_exchange", lambda _one, _other: False)
    real = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if "staging" in self.name:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(self))
        return real(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(CannotWrite, match="Input/output error; the site that was there is unchanged"):
        publish(files("new"), out)
    assert tree(out) == whole("old")
    assert beside(out) == []


def test_without_an_exchange_of_folders_a_site_is_replaced_as_well(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_exchange", lambda _one, _other: False)
    publish(files("new"), out)
    assert tree(out) == whole("new")
    assert beside(out) == []


@pytest.mark.parametrize("left", ["staging", "old"])
def test_what_a_killed_build_left_is_cleaned_up(out: Path, left: str) -> None:
    rest = out.parent / f".proofpress-{left}-site"
    (rest / "deep").mkdir(parents=True)
    (rest / "deep" / "half.html").write_text("half")
    publish(files("new"), out)
    assert tree(out) == whole("new")
    assert beside(out) == []


def test_an_old_site_that_was_moved_aside_and_left_there_is_put_back_first(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out.rename(out.parent / ".proofpress-old-site")

    def stopped(_files: Files, _staging: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(output, "_write", stopped)
    with pytest.raises(CannotWrite, match="No space left"):
        publish(files("new"), out)
    assert tree(out) == whole("old")


# --- X2, X3, L1, L2: kills, signals and locks ------------------------------------------------------------------------

PUBLISHING = """
import os, sys, time
sys.path[:0] = {path!r}
from test_output import files
from proofpress.output import CannotWrite, publish
from pathlib import Path
real = os.fsync
os.fsync = lambda descriptor: (time.sleep({pause}), real(descriptor))[1]
print("ready", flush=True)
sys.stdin.readline()
try:
    publish(files({word!r}), Path({out!r}))
except CannotWrite as error:
    sys.exit(str(error))
"""

BUILDING = """
import os, sys, time
sys.path[:0] = {path!r}
from proofpress.command import main
real = os.fsync
os.fsync = lambda descriptor: (time.sleep({pause}), real(descriptor))[1]
sys.exit(main(["build", "--out", {out!r}]))
"""


def _child(script: str, out: Path, *, pause: float = 0.0, word: str = "new") -> subprocess.Popen[str]:
    """Another process that publishes to `out`, resting before each file is flushed."""
    path = [str(ROOT), str(ROOT / "tests")]
    code = script.format(path=path, out=str(out), pause=pause, word=word)
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=out.parent,
    )  # fmt: skip
    if script is PUBLISHING:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    return child


def _go(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()


def _wait_for_staging(out: Path, child: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not (out.parent / f".proofpress-staging-{out.name}").exists():
        assert child.poll() is None, child.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_ten_kills_at_random_moments_leave_the_old_site_or_the_new_one(out: Path) -> None:
    """X2; and the next build cleans up and succeeds."""
    chance = random.Random(2026)
    current, survived = "old", 0
    for kill in range(10):
        child = _child(PUBLISHING, out, pause=0.001, word=f"new{kill}")
        _go(child)
        time.sleep(chance.uniform(0.0, 0.15))
        child.kill()
        child.communicate()
        found = tree(out)
        assert found in (whole(current), whole(f"new{kill}")), f"kill {kill}: {len(found)} files"
        survived += found == whole(current)
        publish(files(f"next{kill}"), out)
        current = f"next{kill}"
        assert tree(out) == whole(current)
        assert beside(out) == []
    assert survived, "no kill came early enough to mean anything"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_build_that_is_asked_to_stop_cleans_up_and_says_so(out: Path, number: int, status: int) -> None:
    """X3."""
    child = _child(BUILDING, out, pause=0.02)
    _wait_for_staging(out, child)
    child.send_signal(number)
    printed, errors = child.communicate(timeout=60)
    assert (child.returncode, printed, errors) == (status, "", "stopped; the site that was there is unchanged\n")
    assert tree(out) == whole("old")
    assert beside(out) == []


def test_a_request_to_stop_during_the_swap_does_not_make_us_lie(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the new site is in its place, nobody is told that the old one is unchanged."""
    real, before = output._exchange, signal.getsignal(signal.SIGINT)

    def disturbed(one: Path, other: Path) -> bool:
        os.kill(os.getpid(), signal.SIGINT)
        done = real(one, other)
        os.kill(os.getpid(), signal.SIGTERM)
        return done

    monkeypatch.setattr(output, "_exchange", disturbed)
    publish(files("new"), out)
    assert tree(out) == whole("new")
    assert beside(out) == []
    assert signal.getsignal(signal.SIGINT) is before  # afterwards they count again


def test_a_build_in_a_thread_is_not_the_one_that_signals_go_to(out: Path) -> None:
    thread = threading.Thread(target=publish, args=(files("new"), out))
    thread.start()
    thread.join()
    assert tree(out) == whole("new")


def test_the_second_of_two_builds_is_told_who_holds_the_folder(out: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """L1. The first takes its time over each file, and the second has a small site to check, so that they meet on any machine."""
    child = _child(PUBLISHING, out, pause=0.2)
    _go(child)
    _wait_for_staging(out, child)
    assert main(["build", "--root", str(Path(__file__).parent / "cases" / "base"), "--out", str(out)]) == 3
    message = rf"cannot write: {re.escape(str(out))} is being built by process {child.pid} since \d\d:\d\d:\d\d; wait for it to end\n"
    assert re.fullmatch(message, capfd.readouterr().err)
    assert child.communicate(timeout=60) == ("", "")
    assert tree(out) == whole("new")


def test_a_lock_ends_with_its_holder(out: Path) -> None:
    """L2: killed as hard as can be."""
    child = _child(PUBLISHING, out, pause=0.03)
    _go(child)
    _wait_for_staging(out, child)
    child.kill()
    child.communicate()
    assert beside(out) == [".proofpress-lock-site", ".proofpress-staging-site"]
    publish(files("next"), out)
    assert tree(out) == whole("next")
    assert beside(out) == []


def test_builds_into_two_folders_do_not_meet(tmp_path: Path) -> None:
    """L4, and that a crowd at one folder leaves one whole site."""
    children = [
        _child(PUBLISHING, tmp_path / place, word=f"new-{place}-{number}")
        for place in ("one", "two") for number in range(4)
    ]  # fmt: skip
    for child in children:
        _go(child)
    for child in children:
        _, errors = child.communicate(timeout=60)
        assert child.returncode == 0 or "is being built by process" in errors
    for place in ("one", "two"):
        assert tree(tmp_path / place) in [whole(f"new-{place}-{number}") for number in range(4)]
        assert beside(tmp_path / place) == []


def test_whoever_reads_during_builds_sees_the_old_or_the_new_site(out: Path) -> None:
    """L3: the first and the last file are of one build, whenever they are looked at through one open folder."""
    stop = threading.Event()
    seen: set[tuple[str, ...]] = set()

    def read() -> None:
        while not stop.is_set():
            try:
                folder = os.open(out, os.O_RDONLY)
                names = os.listdir(folder)  # noqa: PTH208 -- of the folder that is open, whatever stands at its path now
                os.close(folder)
            except FileNotFoundError:
                names = ["nothing"]
            seen.add(tuple(sorted(names)))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(20):
        publish(files(f"word{number}", 8), out)
    stop.set()
    reader.join()
    entire = tuple(sorted({Path(path).parts[0] for path in whole("x", 8)}))
    emptied = {names for names in seen if set(names) < set(entire)}  # an old folder while it is being deleted
    assert ("nothing",) not in seen
    assert seen - emptied == {entire}


# --- X6, X8: what the input does -------------------------------------------------------------------------------------


def test_a_deleted_cards_pages_and_links_disappear(tmp_path: Path) -> None:
    root = copied_root(tmp_path / "root")
    out = tmp_path / "site"
    card = "h200-qwen3-random-static-batch"
    assert main(["build", "--root", str(root), "--out", str(out)]) == 0
    assert (out / "models" / f"{card}.html").exists()
    (root / "content" / "cards" / f"{card}.yaml").unlink()
    (root / "content" / "guides" / f"{card}.md").unlink()
    assert main(["build", "--root", str(root), "--out", str(out)]) == 0
    assert [path for path, content in tree(out).items() if card in path or card.encode() in content] == []


def test_an_evidence_file_that_changes_during_the_build_is_shipped_as_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X8: pages, digests and the shipped file are of one reading."""
    root, out = copied_root(tmp_path / "root"), tmp_path / "site"
    name = "evidence/q9-c2-users/campaign.json"
    as_read = (root / name).read_bytes()
    real = pipeline.build

    def build(edition: Edition, watch: Watch) -> Files:
        (root / name).write_bytes(as_read.replace(b"564.7", b"965.7"))
        return real(edition, watch)

    monkeypatch.setattr(pipeline, "build", build)
    assert main(["build", "--root", str(root), "--out", str(out)]) == 0
    assert (out / name).read_bytes() == as_read
    digest = sha256(as_read).hexdigest()
    assert json.loads((out / "build.json").read_bytes())["inputs"][name] == digest
    assert digest in (out / "evidence" / "q9-c2-users.html").read_text()
    assert "965.7" not in (out / "models" / "qwen35-9b-fp8-b70.html").read_text()


def test_fifty_cards_with_one_mistake_each_are_told_of_at_once(tmp_path: Path) -> None:
    """X7."""
    root, out = copied_root(tmp_path / "root"), tmp_path / "site"
    text = (root / "content" / "cards" / "qwen35-9b-fp8-b70.yaml").read_text()
    for number in range(50):
        (root / "content" / "cards" / f"copy-{number:02}.yaml").write_text(
            text.replace("status: candidate", "status: candidat")
        )
    publish(files("old"), out)
    result = run("build", "--root", root, "--out", out)
    assert result.returncode == 1
    assert sum("'candidat'" in line for line in result.stderr.splitlines() if "copy-" in line) == 50
    assert result.stderr.splitlines()[-1].endswith(f"; {out} is as it was")
    assert tree(out) == whole("old")


# --- single files ----------------------------------------------------------------------------------------------------


def test_one_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new" / "campaign.json"
    write_new(path, b"one", replace=False)
    with pytest.raises(CannotWrite, match="is already there; --replace overwrites it") as caught:
        write_new(path, b"two", replace=False)
    assert caught.value.usage

    def full(_self: Path, _content: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CannotWrite, match="No space left on device"):
        write_new(path, b"two", replace=True)
    assert tree(tmp_path) == {"new/campaign.json": b"one"}
