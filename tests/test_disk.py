"""Paths as contributors write them and things as they lie on a disk: only plain files below the root are opened."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from proofpress.load.disk import RULES, list_files, read_bytes
from proofpress.problem import Report


def refusal(root: Path, relative: str, limit: int = 100) -> str:
    read = read_bytes(root, relative, limit=limit)
    assert read.raw is None
    assert {problem.rule for problem in read.problems} <= RULES
    return Report(read.problems).text()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with one file, beside a folder whose name starts alike and holds one as well."""
    for name in ("data", "data-evil"):
        (tmp_path / name / "a").mkdir(parents=True)
        (tmp_path / name / "a" / "raw.json").write_bytes(b"[1]")
    return tmp_path / "data"


def test_a_plain_file_below_the_root_is_read(root: Path) -> None:
    assert read_bytes(root, "a/raw.json", limit=3).raw == b"[1]"
    (root / "a" / "Größe 名.json").write_bytes(b"")
    assert read_bytes(root, "a/Größe 名.json", limit=3).raw == b""


@pytest.mark.parametrize(
    "path",
    [
        "../data-evil/a/raw.json",
        "/etc/passwd",
        "~/.ssh/id_rsa",
        "~",
        "file:///etc/passwd",
        "C:/x",
        "a/../../x",
        "..",
        "a/..",
    ],
)
def test_p1_paths_that_lead_out_are_refused(root: Path, path: str) -> None:
    assert refusal(root, path) == (
        f"{path}  path.outside  '{path}' leads out of the folder · a relative path without '..', '~' or a scheme"
        " · put the file into the repository and name it from there\n"
    )


@pytest.mark.parametrize("path", ["", "a//raw.json", "./a/raw.json", "a/./raw.json", "a/raw.json/"])
def test_p1_paths_with_empty_parts_are_refused(root: Path, path: str) -> None:
    assert refusal(root, path) == f"{path}  path.name  '{path}' has an empty part · names separated by single slashes\n"


def test_p2_a_link_to_a_file_is_refused_wherever_it_leads(root: Path) -> None:
    (root / "out.json").symlink_to("/etc/passwd")
    (root / "in.json").symlink_to(root / "a" / "raw.json")
    (root / "nowhere.json").symlink_to("nothing")
    for name in ("out.json", "in.json", "nowhere.json"):
        assert refusal(root, name) == (
            f"{name}  path.link  a symbolic link · plain files and folders"
            " · copy the file here instead of linking to it\n"
        )


def test_p3_a_link_on_the_way_is_refused_and_a_walk_does_not_follow_it(root: Path) -> None:
    (root / "a" / "loop").symlink_to(root, target_is_directory=True)
    assert refusal(root, "a/loop/a/raw.json").startswith("a/loop  path.link  a symbolic link · ")
    files, problems = list_files(root, "a")
    assert files == ("a/raw.json",)
    assert [(problem.rule, problem.place.path) for problem in problems] == [("path.link", "a/loop")]


def test_p4_pipes_sockets_and_devices_are_refused_at_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = time.perf_counter()
    os.mkfifo(root / "pipe.json")
    monkeypatch.chdir(root)  # the address of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.json")
        assert refusal(root, "pipe.json") == "pipe.json  path.not-plain-file  a named pipe · a plain file\n"
        assert refusal(root, "socket.json") == "socket.json  path.not-plain-file  a socket · a plain file\n"
        assert refusal(Path("/dev"), "null") == "null  path.not-plain-file  a character device · a plain file\n"
        assert [problem.rule for problem in list_files(root, "a/..")[1]] == ["path.outside"]
        files, problems = list_files(root.parent, "data")
    assert files == ("data/a/raw.json",)
    assert [problem.place.path for problem in problems] == ["data/pipe.json", "data/socket.json"]
    assert time.perf_counter() - started < 5


def test_p4_a_pipe_put_in_place_of_the_file_while_it_is_opened_does_not_block(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, target = os.open, root / "a" / "raw.json"

    def swapped(path: str | Path, flags: int) -> int:
        target.unlink()
        os.mkfifo(target)
        return real(path, flags)

    monkeypatch.setattr(os, "open", swapped)
    assert refusal(root, "a/raw.json") == "a/raw.json  path.not-plain-file  a named pipe · a plain file\n"


def test_p8_long_names_are_refused(root: Path) -> None:
    assert refusal(root, "é" * 101) == (
        f"{'é' * 101}  path.name  a name of 202 bytes · names of at most 200 bytes · give it a shorter name\n"
    )
    (root / ("x" * 201)).touch()
    (root / ("x" * 200)).touch()
    files, problems = list_files(root.parent, "data")
    assert files == ("data/a/raw.json", f"data/{'x' * 200}")
    assert [problem.found for problem in problems] == ["a name of 201 bytes"]


def test_p9_a_name_cannot_forge_a_line_of_the_log(root: Path) -> None:
    (root / "a\n::error file=x::forged").touch()
    (root / "b\u202e.json").touch()
    files, problems = list_files(root.parent, "data")
    assert files == ("data/a/raw.json",)
    assert Report(problems).text() == (
        "data/a\\x0a::error file=x::forged  path.name  the name 'a\\x0a::error file=x::forged'"
        " · names without control characters, backslashes, or spaces at the ends · rename the file\n"
        "data/b\\u202e.json  path.name  the name 'b\\u202e.json'"
        " · names without control characters, backslashes, or spaces at the ends · rename the file\n"
    )
    assert refusal(root, "a\t.json").startswith("a\\x09.json  path.name  the name 'a\\x09.json' · ")
    assert refusal(root, "a\\b").startswith("a\\b  path.name  the name 'a\\b' · ")


def test_p10_a_name_that_is_not_utf8_is_named_without_a_traceback(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.json")).touch()
    files, problems = list_files(root.parent, "data")
    assert files == ("data/a/raw.json",)
    expected = "data/caf\\udce9.json  path.name  a name that is not UTF-8 · names are UTF-8 · rename the file\n"
    assert Report(problems).text() == expected
    Report(problems).text().encode()
    assert refusal(root, "\ud800").startswith("\\ud800  path.name  a name that is not UTF-8")


def test_p11_a_sibling_with_the_same_beginning_is_outside(root: Path) -> None:
    assert "path.outside" in refusal(root, "../data-evil/a/raw.json")
    assert read_bytes(root.parent, "data-evil/a/raw.json", limit=3).raw == b"[1]"


def test_f1_a_missing_file_is_refused_with_the_name_that_was_meant(root: Path) -> None:
    assert refusal(root, "a/row.json") == (
        "a/row.json  reference.missing-file  there is no such file · a file in the repository"
        " · did you mean 'raw.json'?\n"
    )
    assert refusal(root, "b/raw.json") == (
        "b/raw.json  reference.missing-file  there is no such file · a file in the repository\n"
    )


def test_f5_a_folder_is_no_file_and_a_file_no_folder(root: Path) -> None:
    assert refusal(root, "a") == "a  reference.folder  a folder · a file · name a file inside the folder\n"
    assert refusal(root, "a/raw.json/x") == "a/raw.json  path.not-plain-file  a plain file · a folder\n"
    assert [problem.rule for problem in list_files(root, "a/raw.json")[1]] == ["path.not-plain-file"]


def test_s1_the_size_is_looked_at_before_the_file_is_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", None)
    assert refusal(root, "a/raw.json", limit=2) == (
        "a/raw.json  limit.file-size  3 bytes · at most 2 bytes"
        " · split it, or keep large originals outside the repository\n"
    )


def test_x5_an_error_of_the_system_is_a_problem(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: str | Path, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    assert refusal(root, "a/raw.json") == (
        "a/raw.json  io.read  cannot be read: Permission denied · a file that this user may read\n"
    )


def test_x8_a_file_that_changes_while_it_is_read_is_a_problem(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fstat
    path = root / "a" / "raw.json"

    def growing(descriptor: int) -> os.stat_result:
        status = real(descriptor)
        with path.open("ab") as file:
            file.write(b"more")
        return status

    monkeypatch.setattr(os, "fstat", growing)
    assert refusal(root, "a/raw.json") == (
        "a/raw.json  io.changed  the file changed while it was read · files that stand still during a build"
        " · run the build again\n"
    )


def test_a_walk_is_sorted_and_a_missing_folder_holds_nothing(root: Path) -> None:
    for name in ("b.json", "a-b/x", "a/.hidden", "a/README.md", "B"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).touch()
    paths = ("data/B", "data/a-b/x", "data/a/.hidden", "data/a/README.md", "data/a/raw.json", "data/b.json")
    assert list_files(root.parent, "data") == (paths, ())
    assert list_files(root, "absent") == ((), ())


def test_a_walk_ends_in_folders_without_end(root: Path) -> None:
    (root / "/".join("f" * 70)).mkdir(parents=True)
    files, problems = list_files(root.parent, "data")
    assert files == ("data/a/raw.json",)
    assert [problem.rule for problem in problems] == ["limit.nesting"]
