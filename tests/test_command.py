"""The command line: statuses, last lines, and what stands on which stream."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from ground import ROOT, copied_root, on_a_terminal, run, tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofpress import pipeline
from proofpress.command import COMMANDS, main
from proofpress.derive.edition import Edition
from proofpress.grammar import parser
from proofpress.intake import figures, intake
from proofpress.output import Files
from proofpress.problem import Refused
from proofpress.progress import Watch
from proofpress.review.explain import NoSuchNumber, lines

FIGURES = ROOT / "tests" / "cases" / "figures"
NUMBER = "engine: vllm-xpu"
CARD = "content/cards/qwen35-9b-fp8-b70.yaml"


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root without mistakes; nobody writes into it but for `site`."""
    return copied_root(tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with a mistake in a card and one in a campaign."""
    root = copied_root(tmp_path_factory.mktemp("broken"))
    card = root / CARD
    card.write_text(card.read_text().replace("status: candidate", "status: candidat"))
    campaign = root / "evidence" / "q9-c2-users" / "campaign.json"
    campaign.write_text(campaign.read_text().replace('"unit": "tok/s"', '"unit": "toks/s"', 1))
    return root


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A root with content and no evidence, to import into."""
    shutil.copytree(ROOT / "content", tmp_path / "content")
    (tmp_path / "evidence").mkdir()
    return tmp_path


Captured = pytest.CaptureFixture[str]


def called(capfd: Captured, *arguments: str | Path) -> tuple[int, list[str], list[str]]:
    """Status, lines of standard output, and lines of standard error."""
    capfd.readouterr()
    status = main([str(argument) for argument in arguments])
    printed, errors = capfd.readouterr()
    return status, printed.splitlines(), errors.splitlines()


# --- build and check -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("named", [True, False], ids=["build", "no command"])
def test_a_build_ends_with_where_the_site_is(sound: Path, tmp_path: Path, named: bool, capfd: Captured) -> None:
    out = tmp_path / "site"
    arguments: list[str | Path] = ["--root", sound, "--out", out]
    status, printed, errors = called(capfd, *(["build", *arguments] if named else arguments))
    number = len(tree(out)) - 2
    assert (status, printed, errors) == (0, [f"3 cards, {number} files: {out.resolve() / 'index.html'}"], [])


def test_without_out_the_site_stands_in_the_root(sound: Path, capfd: Captured) -> None:
    assert called(capfd, "--root", sound)[0] == 0
    assert (sound / "site" / "index.html").exists()


def test_a_build_with_mistakes_lists_them_and_leaves_the_site(broken: Path, tmp_path: Path, capfd: Captured) -> None:
    out = tmp_path / "site"
    status, printed, errors = called(capfd, "build", "--root", broken, "--out", out)
    assert (status, printed) == (1, [])
    assert errors[-1] == f"2 errors; {out} is as it was"
    assert [line.partition("  ")[0].rpartition(":")[0].rpartition(":")[0] for line in errors if ":" in line][:1] == [
        CARD
    ]
    assert not out.exists()


def test_check_ends_with_the_number_of_problems(sound: Path, broken: Path, capfd: Captured) -> None:
    number = len(tree(sound / "content")) + len(tree(sound / "evidence"))
    assert called(capfd, "check", "--root", sound) == (0, [f"no problems in {number} files"], [])
    status, printed, errors = called(capfd, "check", "--root", broken)
    assert (status, printed) == (1, [f"2 errors in {number} files"])
    assert len(errors) == 6


NAMED = {
    "the card": (CARD, "1 error in 1 of {}; at least 1 error in the others: evidence/q9-c2-users/campaign.json", 1),
    "the card's folder": (
        "content/cards",
        "1 error in 3 of {}; at least 1 error in the others: evidence/q9-c2-users/campaign.json",
        1,
    ),
    "the same with a slash": (
        "content/cards/",
        "1 error in 3 of {}; at least 1 error in the others: evidence/q9-c2-users/campaign.json",
        1,
    ),
    "the campaign's folder": (
        "evidence/q9-c2-users",
        f"1 error in 1 of {{}}; at least 1 error in the others: {CARD}",
        1,
    ),
    "a folder without mistakes": ("content/pages", "no problems in {pages} of {}; the others were not checked", 0),
    "evidence of the card": (
        "evidence/q9-c5-users",
        f"no problems in 1 of {{}}; at least 1 error in the others: {CARD}",
        0,
    ),
    "a neighbour with the same beginning": (
        "content/cards/../guides",
        f"no problems in 3 of {{}}; at least 2 errors in the others: {CARD}, evidence/q9-c2-users/campaign.json",
        0,
    ),
    "everything": (".", "2 errors in {}", 1),
}
"""A path, the last line, and the status: that of the named files alone."""


@pytest.mark.parametrize("where", ["from the root", "absolute", "from elsewhere", "through a relative root"])
@pytest.mark.parametrize("what", NAMED)
def test_check_reports_on_what_was_named(
    broken: Path, what: str, where: str, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    path, last, expected = NAMED[what]
    root: str | Path = broken
    elsewhere = broken.parent
    monkeypatch.chdir(broken if where == "from the root" else elsewhere)
    named: str | Path = path
    if where == "absolute":
        named = broken / path
    elif where == "through a relative root":
        root = os.path.relpath(broken, elsewhere)
        named = f"{root}/{path}"
    elif where == "from elsewhere" and path == ".":
        pytest.skip("the working folder is not below the root")
    status, printed, _ = called(capfd, "check", "--root", root, named)
    number = len(tree(broken / "content")) + len(tree(broken / "evidence"))
    pages = len(tree(broken / "content" / "pages"))
    assert (status, printed) == (expected, [last.format(f"{number} files", pages=pages)])


def test_a_path_counts_from_the_working_folder_first(
    broken: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    monkeypatch.chdir(broken / "content")
    assert called(capfd, "check", "--root", broken, "cards")[1][0].startswith("1 error in 3 of ")


def test_a_path_that_is_not_there_is_wrong_usage(sound: Path, capfd: Captured) -> None:
    """'No problems' in a file that does not exist would be a lie."""
    expected = f"wrong usage: 'nothing.zip' is neither a file nor a folder below {sound}"
    assert called(capfd, "check", "--root", sound, "nothing.zip") == (2, [], [expected])


@pytest.mark.parametrize(
    ("path", "near"),
    [
        (f"{CARD[:-6]}.yaml", CARD),
        (PurePosixPath(CARD).stem, CARD),
        ("q9-c2-users", "evidence/q9-c2-users/campaign.json"),
        ("evidence/q9-c2-usrs/campaign.json", "evidence/q9-c2-users/campaign.json"),
    ],
)
def test_a_path_that_is_nearly_there_or_an_id_is_told(sound: Path, capfd: Captured, path: str, near: str) -> None:
    expected = f"wrong usage: {path!r} is neither a file nor a folder below {sound}; did you mean '{near}'?"
    assert called(capfd, "check", "--root", sound, path) == (2, [], [expected])


def test_a_folder_without_files_is_not_called_free_of_problems(scratch: Path, capfd: Captured) -> None:
    """Was: "no problems in 0 of 141 files" for a folder that is named like a card."""
    (scratch / "content" / "cards" / "folder.yaml").mkdir()
    path = str(scratch / "content" / "cards" / "folder.yaml")
    expected = f"wrong usage: {path!r} holds no file that is checked"
    assert called(capfd, "check", "--root", scratch, path) == (2, [], [expected])


def test_an_empty_path_is_no_check_of_everything(sound: Path, capfd: Captured) -> None:
    """Was: the working folder, and so whatever was there."""
    assert called(capfd, "check", "--root", sound, "")[0] == 2


def test_a_link_counts_as_one_of_the_files(scratch: Path, capfd: Captured) -> None:
    """Was: "1 error in 0 of 141 files"."""
    (scratch / "content" / "cards" / "link.yaml").symlink_to(scratch / CARD)
    assert called(capfd, "check", "--root", scratch, "content/cards/link.yaml")[1][0].startswith("1 error in 1 of ")


def test_several_paths_are_reported_together(broken: Path, capfd: Captured) -> None:
    assert called(capfd, "check", "--root", broken, CARD, "evidence")[1][0].startswith("2 errors in ")


@pytest.mark.parametrize("name", ["notes.txt", "templates"])
def test_files_that_nobody_checks_are_not_called_free_of_problems(sound: Path, capfd: Captured, name: str) -> None:
    (sound / "notes.txt").touch()
    (sound / "templates").mkdir(exist_ok=True)
    what = "is neither content nor evidence: a check is about files in content/ and evidence/"
    path = str(sound / name)
    assert called(capfd, "check", "--root", sound, path) == (2, [], [f"wrong usage: {path!r} {what}"])


WHICH = """
import sys
from proofpress.command import main
main(["check", "--root", {root!r}, {path!r}])
print(*sorted({{name.partition(".")[0] for name in sys.modules}} | {{name for name in sys.modules if name.startswith("proofpress.")}}))
"""


def test_a_check_loads_neither_templates_nor_charts_nor_importers(sound: Path) -> None:
    code = WHICH.format(root=str(sound), path=str(sound / CARD))
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = child.stdout.split()
    assert {"proofpress.derive.claim", "pydantic"} <= set(loaded)
    unwanted = ("jinja2", "plotly", "proofpress.pages", "proofpress.charts", "proofpress.intake", "proofpress.review")
    assert [name for name in loaded if name.startswith(unwanted)] == []


# --- formats, colours, streams ---------------------------------------------------------------------------------------


def test_json_is_one_document_on_standard_output(broken: Path, capfd: Captured) -> None:
    status, printed, errors = called(capfd, "check", "--root", broken, "--format", "json")
    report = json.loads("\n".join(printed))
    assert (status, errors) == (1, [])
    assert (report["format"], report["errors"]) == ("proofpress.report/1", 2)
    assert {problem["path"] for problem in report["problems"]} == {CARD, "evidence/q9-c2-users/campaign.json"}


def test_a_build_with_json_prints_nothing_else_on_standard_output(sound: Path, tmp_path: Path, capfd: Captured) -> None:
    _, printed, _ = called(capfd, "build", "--root", sound, "--out", tmp_path / "site", "--format", "json")
    assert json.loads("\n".join(printed))["errors"] == 0


def test_github_annotations_stand_on_standard_output(broken: Path, capfd: Captured) -> None:
    _, printed, errors = called(capfd, "check", "--root", broken, "--format", "github")
    assert errors == []
    assert [line.partition(" file=")[0] for line in printed] == ["::error", "::error"]


def test_colours_are_for_a_person_at_a_terminal_who_has_not_refused_them(broken: Path) -> None:
    arguments = ["check", "--root", str(broken)]
    call = [str(ROOT / "build.py"), *arguments]
    assert "\x1b[31m" in on_a_terminal(call)
    assert "\x1b[31m" in on_a_terminal(call, environment={"NO_COLOR": ""})
    assert "\x1b" not in on_a_terminal(call, environment={"NO_COLOR": "1"})
    assert "\x1b" not in on_a_terminal(call, environment={"TERM": "dumb"})
    assert "\x1b" not in run(*arguments).stderr


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_goes_away_changes_neither_status_nor_site(broken: Path, stream: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer}
    arguments: list[str | Path] = ["check", "--root", str(broken), "--format", "json" if stream == "stdout" else "text"]
    child = subprocess.run([sys.executable, str(ROOT / "build.py"), *arguments], check=False, text=True, **pipes)
    os.close(writer)
    assert child.returncode == 1
    other = child.stderr if stream == "stdout" else child.stdout
    assert "Traceback" not in other
    assert "BrokenPipe" not in other


def test_a_build_goes_on_when_nobody_listens(sound: Path, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    arguments: list[str | Path] = ["--root", str(sound), "--out", str(tmp_path / "site")]
    child = subprocess.run([sys.executable, str(ROOT / "build.py"), *arguments], check=False, stdout=writer)
    os.close(writer)
    assert child.returncode == 0
    assert (tmp_path / "site" / "index.html").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is full")
def test_output_that_cannot_be_written_is_the_machines_fault(sound: Path) -> None:
    with Path("/dev/full").open("w") as full:
        child = subprocess.run(
            [sys.executable, str(ROOT / "build.py"), "check", "--root", str(sound)],
            check=False, stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert (child.returncode, child.stderr) == (3, "cannot write: <stdout>: No space left on device\n")


def test_closed_streams_are_no_reason_to_fail(sound: Path) -> None:
    command = f'"{sys.executable}" "{ROOT / "build.py"}" check --root "{sound}" >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], check=False).returncode == 0


def test_a_locale_without_letters_does_not_stop_a_message(broken: Path) -> None:
    result = run("check", "--root", broken, env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert result.returncode == 1
    assert " · " in result.stderr


# --- help ------------------------------------------------------------------------------------------------------------


def _calls(parser: argparse.ArgumentParser, before: str = "") -> Iterator[str]:
    """Every command, and of one that has others each of these as well."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield f"{before}{name}"
                yield from _calls(inner, f"{before}{name} ")


CALLS = list(_calls(parser()))


@pytest.mark.parametrize("call", CALLS)
def test_each_command_says_what_it_does_with_an_example_that_works(call: str, capfd: Captured) -> None:
    """One or two sentences; the example is a call of this very command."""
    status, printed, errors = called(capfd, *call.split(" "), "--help")
    assert (status, errors) == (0, [])
    description = " ".join("\n".join(printed).split("\n\n")[1].split())
    assert re.fullmatch(r"[A-Z][^.]*\.(?: [A-Z][^.]*\.)?", description), description
    assert printed[-2] == "example:"
    words = shlex.split(printed[-1])
    assert words[:2] == ["python", "build.py"]
    assert printed[-1].startswith(f"  python build.py {call}")
    named = parser().parse_args(words[2:]).command
    assert named in COMMANDS
    assert call in {named, "import"}


def test_the_readme_lists_the_commands_that_there_are() -> None:
    rows = re.findall(r"^\| `python build\.py ?(.*?)` \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    listed = [re.split(r" (?=[A-Z\[-])", row)[0] or "build" for row in rows]
    assert sorted(listed) == sorted(COMMANDS) == sorted(set(CALLS) - {"import"})


def test_the_help_of_all_lists_them_in_one_line_each(capfd: Captured) -> None:
    _, printed, _ = called(capfd, "--help")
    lines = [line.split() for line in printed if re.match(r"    [a-z]", line)]
    assert sorted(line[0] for line in lines) == sorted(call for call in CALLS if " " not in call)


# --- wrong usage -----------------------------------------------------------------------------------------------------

WRONG = {
    "an unknown command": (["chek"], "invalid choice: 'chek'"),
    "an unknown option": (["build", "--outt", "x"], "unrecognized arguments: --outt x"),
    "an unknown format": (["check", "--format", "xml"], "invalid choice: 'xml'"),
    "a root that is not there": (["check", "--root", "/nowhere"], "'/nowhere' is not a folder"),
    "import without a tool": (["import"], "the following arguments are required: TOOL"),
    "import without a prefix": (["import", "record", "x.json"], "the following arguments are required: --prefix, --measured-by"),
    "a prefix that leads out": (
        ["import", "record", "x.json", "--measured-by", "me", "--prefix", "../../x"],
        "'../../x' cannot be an id: an id is small letters, digits, single points and hyphens, begins with a letter or digit",
    ),
    "a campaign that leads out": (["verify-record", "../x", "x.json"], "'../x' cannot be an id"),
    "two files for static-batch": (
        ["import", "static-batch", "a.json", "b.json", "--campaign", "x", "--measured-by", "me"],
        "wrong usage: static-batch makes one campaign of one file; call it once for each",
    ),
    "a script as the address": (["--base-url", "javascript:alert(1)"], "argument --base-url: 'javascript:alert(1)': an address such as"),
    "an address without a host": (["--base-url", "https://"], "an address such as https://example.org/measurements is wanted"),
    "an address with a password": (["--base-url", "https://a:b@example.org"], "an address such as"),
    "an address with a question": (["--base-url", "https://example.org?x"], "an address without '?' and '#' is wanted"),
    "an address with markup": (["--base-url", 'https://example.org/"><script>'], "an address such as"),
    "a day that does not exist": (["check", "--today", "2026-02-30"], "argument --today: '2026-02-30' is not a day"),
    "a day in another order": (["--today", "30-11-2026"], "'30-11-2026' is not a day: year, month and day, as 2026-11-30"),
    "a day and a time": (["--today", "20261130"], "'20261130' is not a day"),
    "an unknown card": (["explain", "qwen35-9b-fp8-b7"], "wrong usage: there is no card 'qwen35-9b-fp8-b7'; did you mean 'qwen35-9b-fp8-b70'?"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("today", "places"),
    [
        ("2026-11-29", ["content/cards/tiny-batch.yaml", "evidence/tiny-batch/campaign.json"]),
        ("2026-11-30", []),
    ],
)
def test_no_date_is_later_than_the_day_that_is_named(
    today: str, places: list[str], tmp_path: Path, capfd: Captured
) -> None:
    """The example site was measured and published on the last of November."""
    example = ROOT / "tests/cases/base"
    status, _, errors = called(capfd, "check", "--root", example, "--today", today)
    assert status == (1 if places else 0)
    found = {line.partition(":")[0] for line in errors if "  number.date  " in line and ":" in line.split("  ")[0]}
    assert found >= set(places)
    assert any(f"2026-11-30 · not after {today}, the day of this check" in line for line in errors) is bool(places)
    named = ("check", "content/cards/tiny-batch.yaml", "--root", example, "--today", today)
    assert called(capfd, *named)[0] == status
    assert called(capfd, "build", "--root", example, "--out", tmp_path / "site", "--today", today)[0] == status


def test_a_day_of_withdrawal_is_not_later_either(tmp_path: Path) -> None:
    root = Path(shutil.copytree(ROOT / "tests/cases/base", tmp_path / "site"))
    path = root / "content/cards/tiny-batch.yaml"
    text = path.read_text("utf-8").replace("status: candidate", "status: withdrawn")
    path.write_text(f"{text}withdrawn: 2026-12-02\nwithdrawn_because: The cooling had failed.\n", "utf-8")
    for today, fields in ((date(2026, 12, 1), ["withdrawn"]), (date(2026, 12, 2), []), (None, [])):
        found = pipeline.check(root, today=today).report.problems
        assert [(problem.rule, problem.field) for problem in found] == [("number.date", field) for field in fields]


@pytest.mark.parametrize("title", WRONG)
def test_wrong_usage_has_status_2_and_one_last_line(title: str, capfd: Captured) -> None:
    arguments, message = WRONG[title]
    status, printed, errors = called(capfd, *arguments)
    assert (status, printed) == (2, [])
    assert message in errors[-1]
    assert "Traceback" not in "".join(errors)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["check", "--help"], ["import", "record", "-h"]])
def test_help_is_fine(arguments: list[str], capfd: Captured) -> None:
    status, printed, errors = called(capfd, *arguments)
    assert (status, errors) == (0, [])
    assert printed[0].startswith("usage: build.py")


# --- build.py itself -------------------------------------------------------------------------------------------------

WITHOUT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {name!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
import runpy
sys.argv = ["build.py", {command!r}, *{arguments!r}]
runpy.run_path({build!r}, run_name="__main__")
"""


@pytest.mark.parametrize(
    ("name", "command"),
    [("yaml", "check"), ("pydantic", "check"), ("markdown_it", "check"), ("jinja2", "build"), ("plotly", "build")],
)
def test_without_a_dependency_the_line_that_installs_it_is_printed(
    name: str, command: str, sound: Path, tmp_path: Path
) -> None:
    arguments = ["--root", str(sound), *(["--out", str(tmp_path / "site")] if command == "build" else [])]
    code = WITHOUT.format(name=name, build=str(ROOT / "build.py"), command=command, arguments=arguments)
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert child.returncode == 2
    assert child.stdout + child.stderr == (
        f"'{name}' is not installed. This line installs what is needed:\n\n  {sys.executable} -m pip install .\n\n"
    )


def test_without_any_packages_the_same_line_is_printed(tmp_path: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-S", str(ROOT / "build.py")], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    if child.returncode == 0:
        pytest.skip("this Python has the packages without its site folder")
    assert child.returncode == 2
    assert "This line installs what is needed" in child.stdout + child.stderr


def test_a_mistake_of_ours_asks_for_a_report_and_leaves_the_site(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    out = tmp_path / "site"
    assert called(capfd, "--root", sound, "--out", out)[0] == 0
    before = tree(out)

    def failing(_edition: Edition, _watch: Watch) -> Files:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(pipeline, "build", failing)
    status, printed, errors = called(capfd, "--root", sound, "--out", out)
    assert (status, printed) == (3, [])
    assert errors[-3:] == [
        "ZeroDivisionError: ours",
        "this is a mistake of the program and not of your files; the site that was there is unchanged",
        "please report it, with the lines above and what you called",
    ]
    assert tree(out) == before


# --- import and verify-record ----------------------------------------------------------------------------------------


def _imported(root: Path, name: str, capfd: Captured, *, by: str = "session") -> list[str]:
    arguments: list[str | Path] = ["--prefix", "t", "--measured-by", "Test lab", "--by", by, "--root", root]
    status, printed, errors = called(capfd, "import", "record", FIGURES / f"{name}.json", *arguments)
    assert (status, errors) == (0, [])
    return printed


def _campaign(root: Path, campaign: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((root / "evidence" / campaign / "campaign.json").read_bytes())
    return read


def _runs(root: Path, campaign: str) -> list[tuple[Any, ...]]:
    """Arm, x, server, pass, value, and identity with its basis."""
    found = []
    for each in _campaign(root, campaign)["runs"]:
        identity = each["identity"]
        said = None if identity is None else f"{identity['matched']}/{identity['total']} {identity['basis']}"
        found.append((each["arm"], each["x"], each["server"], each["pass"], each["records"][0]["value"], said))
    return found


def test_pairs_context_and_passes_become_campaigns(scratch: Path, capfd: Captured) -> None:
    assert _imported(scratch, "pairs", capfd) == [
        "evidence/t-t1-strict/campaign.json: 4 runs",
        "evidence/t-t2-strict/campaign.json: 1 run",
        "evidence/t-t3-context/campaign.json: 2 runs",
        "evidence/t-t4-users/campaign.json: 8 runs",
    ]
    assert _runs(scratch, "t-t1-strict") == [
        ("mtp0", None, "a", "first", 10.25, "12/12 counted"),
        ("mtp0", None, "b", "first", 10.75, "12/12 counted"),
        ("mtp2", None, "a", "first", 20.0, "12/12 counted"),
        ("mtp2", None, "b", "first", 21.0, "12/12 counted"),
    ]
    assert _runs(scratch, "t-t2-strict") == [("mtp2", None, "not-stated", "first", 15.5, None)]
    assert _runs(scratch, "t-t3-context") == [
        ("mtp2", 1000, "a", "first", 30.5, "3/3 series-total"),
        ("mtp2", 2000, "a", "first", 28.5, "3/3 series-total"),
    ]
    assert _runs(scratch, "t-t4-users") == [
        ("mtp2", 1, "a", "warm", 20.5, "1/1 stated-qualified"),
        ("mtp2", 1, "a", "first", None, "1/1 stated-qualified"),
        ("mtp2", 2, "a", "warm", 40.5, "2/2 stated-qualified"),
        ("mtp2", 2, "a", "first", None, "2/2 stated-qualified"),
        ("mtp2", 4, "a", "warm", 70.5, "3/4 counted"),
        ("mtp2", 4, "a", "first", 69.5, "4/4 counted"),
        ("mtp2", 8, "a", "warm", 90.5, "7/8 counted"),
        ("mtp2", 8, "a", "first", None, "6/8 counted"),
    ]
    setup = _campaign(scratch, "t-t1-strict")["setup"]
    assert setup["image"] == {"name": "T1", "digest": f"sha256:{'a' * 64}"}
    assert setup["engine"] == {"name": "vllm-xpu", "version": "1.2.3"}


def test_ladders_passes_attempts_and_conflicts_become_campaigns(scratch: Path, capfd: Captured) -> None:
    assert _imported(scratch, "ladder", capfd, by="setup") == [
        "left out: headline_ladder depth 2: its source does not publish it",
        "left out: attempts-users: its source does not publish it",
        "left out: rate-context: derived here from the time to first token",
        "evidence/t-l1-context/campaign.json: 2 runs",
        "evidence/t-l1-strict/campaign.json: 4 runs",
        "evidence/t-l1-users/campaign.json: 5 runs",
        "evidence/t-s7-users/campaign.json: 4 runs",
    ]
    strict = _campaign(scratch, "t-l1-strict")
    assert strict["arms"][1]["oracles"] == {"suite": {"kind": "arm", "arm": "mtp0"}}
    assert [record["records"][0]["by_class"] for record in strict["runs"]][2] == {
        "code": 31.5,
        "prose": 33.0,
        "tables": 35.5,
    }
    assert strict["runs"][0]["origin"] == {"repository": "example/figures", "commit": "b" * 40, "path": "data/s1.json"}
    assert _runs(scratch, "t-l1-users") == [
        ("mtp2", 1, "a", "repeat", 30.5, "1/1 stated-qualified"),
        ("mtp2", 1, "a", "first", 30.25, "1/1 stated-qualified"),
        ("mtp2", 2, "a", "repeat", 50.5, "2/2 stated-qualified"),
        ("mtp2", 2, "a", "first", 50.25, "1/2 counted"),
        ("mtp2", 4, "a", "repeat", 80.5, "3/4 counted"),
    ]
    assert _campaign(scratch, "t-l1-users")["runs"][4]["conflict"] == {
        "source": "models/test.html", "stated": "2 of 4 outputs differed", "found": "3/4 outputs matched",
    }  # fmt: skip
    assert _runs(scratch, "t-s7-users") == [
        ("mtp0", 1, "a", "first", 99.0, "0/1 counted"),
        ("mtp0", 1, "b", "first", 101.0, "1/1 counted"),
        ("mtp0", 2, "a", "first", 119.5, "0/2 counted"),
        ("mtp0", 2, "b", "first", 120.5, "2/2 counted"),
    ]
    metrics = {r["metric"] for run in _campaign(scratch, "t-l1-context")["runs"] for r in run["records"]}
    assert metrics == {"ttft_p50"}, "a rate over TTFT is checked and never transcribed"


def test_passes_of_one_ladder_are_not_torn_apart(scratch: Path, capfd: Captured) -> None:
    arguments: list[str | Path] = ["--prefix", "t", "--measured-by", "Test lab", "--root", scratch]
    status, printed, errors = called(capfd, "import", "record", FIGURES / "ladder.json", *arguments)
    expected = "sessions S6 and S5 are passes of one ladder, and all passes count; join them with --by setup"
    assert (status, printed, errors) == (1, [], [f"{FIGURES / 'ladder.json'}: {expected}"])
    assert tree(scratch / "evidence") == {}


def test_an_import_replaces_nothing_unasked_and_then_writes_nothing_at_all(scratch: Path, capfd: Captured) -> None:
    _imported(scratch, "pairs", capfd)
    shutil.rmtree(scratch / "evidence" / "t-t1-strict")
    before = tree(scratch / "evidence")
    arguments: list[str | Path] = [
        "import",
        "record",
        FIGURES / "pairs.json",
        "--prefix",
        "t",
        "--measured-by",
        "Test lab",
        "--root",
        scratch,
    ]
    status, _, errors = called(capfd, *arguments)
    there = scratch / "evidence" / "t-t2-strict" / "campaign.json"
    assert (status, errors) == (2, [f"cannot write: {there} is already there; --replace overwrites it"])
    assert tree(scratch / "evidence") == before
    assert called(capfd, *arguments, "--replace")[0] == 0
    assert set(before) < set(tree(scratch / "evidence"))


@pytest.mark.parametrize(("name", "by"), [("pairs", "session"), ("ladder", "setup")])
def test_what_was_imported_is_what_the_file_says(scratch: Path, name: str, by: str, capfd: Captured) -> None:
    _imported(scratch, name, capfd, by=by)
    for folder in sorted((scratch / "evidence").iterdir()):
        number = len(_campaign(scratch, folder.name)["runs"])
        last = f"{number} run{'' if number == 1 else 's'} compared, no differences"
        assert called(capfd, "verify-record", folder.name, FIGURES / f"{name}.json", "--root", scratch) == (
            0,
            [last],
            [],
        )


def _change(run_index: int, **fields: Any) -> Callable[[dict[str, Any]], None]:
    def apply(campaign: dict[str, Any]) -> None:
        campaign["runs"][run_index].update(fields)

    return apply


def _value(campaign: dict[str, Any]) -> None:
    campaign["runs"][4]["records"][0]["value"] = 70.6


def _count(campaign: dict[str, Any]) -> None:
    campaign["runs"][4]["identity"]["matched"] = 4


def _missing(campaign: dict[str, Any]) -> None:
    del campaign["runs"][5]


def _extra(campaign: dict[str, Any]) -> None:
    campaign["runs"].append(deepcopy(campaign["runs"][0]) | {"x": 3})


def _extra_count(campaign: dict[str, Any]) -> None:
    campaign["runs"].append(deepcopy(campaign["runs"][0]) | {"x": 3, "records": []})


def _filled_in(campaign: dict[str, Any]) -> None:
    campaign["runs"][1]["records"][0]["value"] = 20.4


HERE = "evidence/t-t4-users/campaign.json"
TAMPERED: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a changed value": (_value, f"{HERE} /runs/4 aggregate_wall: the value in the campaign 70.6, in the file 70.5"),
    "a changed count": (
        _count,
        f"{HERE} /runs/4 aggregate_wall: the identity in the campaign 4/4 (counted), in the file 3/4 (counted)",
    ),
    "a count that is gone": (
        _change(4, identity=None),
        f"{HERE} /runs/4 aggregate_wall: the identity in the campaign absent, in the file 3/4 (counted)",
    ),
    "another day": (
        _change(4, measured_on="2026-01-05"),
        f"{HERE} /runs/4 aggregate_wall: the day in the campaign 2026-01-05, in the file 2026-01-04",
    ),
    "a value where the file has none": (
        _filled_in,
        f"{HERE} /runs/1 aggregate_wall: the value in the campaign 20.4, in the file absent",
    ),
    "a missing run": (_missing, "session t4, concurrent_users 4, aggregate_wall: in the file, not in the campaign"),
    "an extra run": (_extra, f"{HERE} /runs/8 aggregate_wall: the file has no such value"),
    "an extra run without a value": (
        _extra_count,
        f"{HERE} /runs/8: the file has no run without a value or a count of one",
    ),
}


@pytest.mark.parametrize("title", TAMPERED)
def test_verify_record_finds(title: str, scratch: Path, capfd: Captured) -> None:
    change, message = TAMPERED[title]
    _imported(scratch, "pairs", capfd)
    campaign = _campaign(scratch, "t-t4-users")
    change(campaign)
    (scratch / HERE).write_text(json.dumps(campaign))
    status, printed, errors = called(capfd, "verify-record", "t-t4-users", FIGURES / "pairs.json", "--root", scratch)
    number = len(campaign["runs"])
    assert (status, printed, errors) == (1, [message, f"{number} runs compared, 1 difference"], [])


WITH_ROWS = "h200-qwen3-random-strict-ngram"
RAW = f"{WITH_ROWS}-2026-11-30.raw.json"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A root with the vocabulary and one campaign with rows."""
    shutil.copytree(ROOT / "evidence" / WITH_ROWS, tmp_path / "evidence" / WITH_ROWS)
    (tmp_path / "content").mkdir()
    for name in ("site.yaml", "vocabulary.yaml"):
        shutil.copy(ROOT / "content" / name, tmp_path / "content" / name)
    return tmp_path


def _edit_rows(root: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = root / "evidence" / WITH_ROWS / "campaign.json"
    data = json.loads(path.read_text("utf-8"))
    change(data)
    path.write_text(json.dumps(data), "utf-8")


def test_verify_record_reads_the_originals_of_rows_again(capfd: Captured) -> None:
    for arguments, runs in (((), 66), ((WITH_ROWS,), 16), ((WITH_ROWS, ROOT / "evidence" / WITH_ROWS / RAW), 16)):
        assert called(capfd, "verify-record", *arguments) == (0, [f"{runs} runs compared, no differences"], [])


@pytest.mark.parametrize("arguments", [(), (WITH_ROWS,)], ids=["all", "one"])
def test_verify_record_finds_a_run_that_plan_and_rows_leave_out_together(
    rows: Path, capfd: Captured, arguments: tuple[str, ...]
) -> None:
    """Plan and rows agree, and the tool's own file has the run."""

    def change(data: dict[str, Any]) -> None:
        data["plan"][0]["servers"] = ["b"]
        data["runs"] = [run for run in data["runs"] if (run["arm"], run["server"]) != ("bf16-none", "a")]

    _edit_rows(rows, change)
    rules = {problem.rule for problem in pipeline.check(rows).report.problems}
    assert rules == {"mismatch.original", "reference.unused-evidence"}
    status, printed, errors = called(capfd, "verify-record", *arguments, "--root", rows)
    words = f"in the campaign no run of arm bf16-none, the suite, server a, first pass, in {RAW} measured, 12 requests"
    line = f"evidence/{WITH_ROWS}/campaign.json /runs: {words}"
    assert (status, printed, errors) == (1, [line, "15 runs compared, 1 difference"], [])


def test_verify_record_names_the_originals_that_no_importer_reads(rows: Path, capfd: Captured) -> None:
    path = rows / "evidence" / WITH_ROWS / RAW
    path.write_bytes(b'{"results": []}')
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    _edit_rows(rows, lambda data: data["originals"][0].update(sha256=digest))
    line = f"not compared, no importer reads it: evidence/{WITH_ROWS}/{RAW}"
    assert called(capfd, "verify-record", "--root", rows) == (
        0,
        [line, "nothing to compare: no campaign with rows has a file beside it that an importer reads"],
        [],
    )
    status, printed, errors = called(capfd, "verify-record", WITH_ROWS, "--root", rows)
    assert (status, printed) == (1, [])
    assert errors == [f"{path}: this is not a file of the static-batch harness: it has no 'arms'"]


@pytest.mark.parametrize(
    ("originals", "words"),
    [
        ([], "no original stands beside it, so there is nothing to compare with"),
        ([{"file": "../x.json", "sha256": "0" * 64}], "'../x.json' is not a file beside it"),
    ],
)
def test_verify_record_needs_an_original_of_rows(
    rows: Path, capfd: Captured, originals: list[dict[str, str]], words: str
) -> None:
    _edit_rows(rows, lambda data: data.update(originals=originals))
    line = f"evidence/{WITH_ROWS}/campaign.json: {words}"
    assert called(capfd, "verify-record", WITH_ROWS, "--root", rows) == (1, [], [line])


def test_verify_record_leaves_out_no_campaign_without_a_word(rows: Path, capfd: Captured) -> None:
    """One that is broken cannot be compared; "no differences" would hide it."""
    _edit_rows(rows, lambda data: data.update(digest="sha1"))
    status, printed, errors = called(capfd, "verify-record", "--root", rows)
    assert (status, printed) == (1, [])
    assert errors[-1] == "1 error"
    assert f"evidence/{WITH_ROWS}/campaign.json" in errors[0]


def test_verify_record_needs_the_file_of_a_transcription(capfd: Captured) -> None:
    words = "a transcription is compared with the file it was pinned to; name that file"
    assert called(capfd, "verify-record", "q9-c2-users") == (1, [], [f"evidence/q9-c2-users/campaign.json: {words}"])


def test_verify_record_needs_a_campaign(scratch: Path, capfd: Captured) -> None:
    status, _, errors = called(capfd, "verify-record", "typo", FIGURES / "pairs.json", "--root", scratch)
    assert status == 1
    assert errors[-1] == "1 error"


Figure = dict[str, Any]


def _with(path: Sequence[str | int], value: Any) -> Callable[[Figure], None]:
    def apply(data: Figure) -> None:
        here: Any = data
        for part in path[:-1]:
            here = here[part]
        if value is _GONE:
            del here[path[-1]]
        else:
            here[path[-1]] = value

    return apply


_GONE = object()
ODD: dict[str, tuple[str, Callable[[Figure], None], str]] = {
    "a headline without its statistic": (
        "pairs", _with(["strict_pairs"], []),
        "headline: neither a ladder nor pairs hold it, and it does not say which statistic it is",
    ),
    "a key that is not there": (
        "pairs", _with(["model", "checkpoint"], _GONE),
        "not a file of published figures, or one with another shape: 'checkpoint' is missing",
    ),
    "an axis": ("pairs", _with(["series", 1, "x"], "temperature"), "users: axis 'temperature' has no reading here"),
    "a metric": (
        "pairs", _with(["series", 1, "metric"], "joules"),
        "users: metric 'joules' over concurrent_users has no reading here",
    ),
    "a label": (
        "pairs", _with(["model", "quantization"], "Q9"),
        "no word in the vocabulary's quantizations has the label 'Q9'; add it to content/vocabulary.yaml",
    ),
    "a statistic that is not one": (
        "ladder", _with(["headline_ladder", 1, "fresh_servers", 0, "value"], 33.25),
        "headline_ladder depth 1: 33.25 is not the median of its class medians",
    ),
    "a rate that does not follow": (
        "ladder", _with(["series", 1, "points", 0, "value"], 4001.0), "rate-context x 1000: 4001.0 is not x over TTFT (4000.0)",
    ),
    "a rate without its times": (
        "ladder", _with(["series", 1, "campaign"], "S9"),
        "rate-context: derived from TTFT, and no TTFT series of the same configuration is there",
    ),
    "a median that is none": (
        "ladder", _with(["series", 3, "points", 0, "value"], 100.5), "ttft-users x 1: 100.5 is not the median of its attempts",
    ),
    "two values for one run": (
        "pairs", _with(["series", 1, "points", 1, "x"], 1),
        "two values for aggregate_wall of session t4 at x 1: 20.5 and 40.5",
    ),
    "speculation without a depth": (
        "pairs", _with(["series", 0, "config", "draft_depth"], 0), "speculation 'qwen3_5_mtp' without a draft depth",
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", ODD)
def test_what_the_reader_does_not_understand_it_says_in_a_sentence(title: str, scratch: Path, capfd: Captured) -> None:
    name, change, message = ODD[title]
    data = json.loads((FIGURES / f"{name}.json").read_bytes())
    change(data)
    path = scratch / "odd.json"
    path.write_text(json.dumps(data))
    arguments = ["--prefix", "t", "--measured-by", "Test lab", "--by", "setup" if name == "ladder" else "session"]
    assert called(capfd, "import", "record", path, *arguments, "--root", scratch) == (1, [], [f"{path}: {message}"])
    assert tree(scratch / "evidence") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "a list; published figures are one JSON object"),
        ("12", "a number; published figures are one JSON object"),
        ('"text"', "text; published figures are one JSON object"),
        ("null", "nothing; published figures are one JSON object"),
        ('[{"n_gen": 128, "n_prompt": 0}]', "this looks like llama-bench: import llama-bench"),
        ('{"arms": [{}]}', "this looks like a file of the static-batch harness: import static-batch"),
    ],
)
def test_figures_are_one_object(text: str, message: str, scratch: Path, capfd: Captured) -> None:
    path = scratch / "odd.json"
    path.write_text(text)
    result = called(capfd, "import", "record", path, "--prefix", "t", "--measured-by", "me", "--root", scratch)
    assert result == (1, [], [f"{path}: {message}"])


def test_a_file_to_import_is_named_as_it_was_typed(scratch: Path, capfd: Captured) -> None:
    """Was: the last part of the path, and 'a file in the repository', which it need not be in."""
    (scratch / "there").mkdir()
    (scratch / "packed.json").write_bytes(b"\x1f\x8b\x08\0")
    for name, message in (
        ("no.json", "reference.missing-file  there is no such file · a file that is there"),
        ("there", "reference.folder  a folder · a file · name a file inside the folder"),
        ("packed.json", "text.encoding  the file is compressed (gzip) · files are UTF-8 · unpack it first"),
    ):
        path = os.path.relpath(scratch / name)
        result = called(capfd, "import", "record", path, "--prefix", "t", "--measured-by", "me", "--root", scratch)
        assert result == (1, [], [f"{path}  {message}", "1 error"])


def _places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from _places(inner, (*path, key))


WHOLE = {name: json.loads((FIGURES / f"{name}.json").read_bytes()) for name in ("pairs", "ladder")}
PLACES = [(name, place) for name, data in WHOLE.items() for place in _places(data)]
ODD_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.just(2**70), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5), st.just([]), st.just({}), st.just([[1], {"x": None}]), st.just(_GONE),
)  # fmt: skip


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fuzzed")
    (root / "content").mkdir()
    shutil.copy(ROOT / "content" / "vocabulary.yaml", root / "content")
    return root


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), ODD_VALUES), min_size=1, max_size=3))
def test_no_shape_of_figures_makes_a_traceback(
    fuzzed: Path, changes: list[tuple[tuple[str, tuple[str | int, ...]], Any]]
) -> None:
    """Whatever stands in a file: campaigns that pass the schema, or a refusal in one sentence or in problems."""
    name = changes[0][0][0]
    data = deepcopy(WHOLE[name])
    for (other, place), value in changes:
        if other == name:
            try:
                _with(place, value)(data)
            except (LookupError, TypeError):  # an earlier change took the place away
                continue
    path = fuzzed / "odd.json"
    path.write_text(json.dumps(data))
    problem = ""
    try:
        taken = intake.records(
            fuzzed, [path], prefix="t", measured_by="me", grouping="setup" if name == "ladder" else "session"
        )
    except Refused as refused:
        problem = str(refused) or refused.report.summary()
    else:
        assert all(campaign.runs for campaign in taken.campaigns)
    assert len(problem.splitlines()) < 2


def test_static_batch_is_imported_with_its_original(scratch: Path, capfd: Captured) -> None:
    there = ROOT / "evidence" / "h200-qwen3-random-users"
    original = next(there.glob("*.raw.json"))
    arguments: list[str | Path] = [
        "--campaign",
        "h200-qwen3-random-users",
        "--measured-by",
        "Proofpress",
        "--root",
        scratch,
    ]
    status, printed, errors = called(capfd, "import", "static-batch", original, *arguments)
    runs = len(_campaign(scratch, "h200-qwen3-random-users")["runs"])
    last = f"evidence/h200-qwen3-random-users/campaign.json: {runs} runs"
    assert (status, printed, errors) == (0, [last], [])
    made = tree(scratch / "evidence" / "h200-qwen3-random-users")
    assert made == {name: (there / name).read_bytes() for name in ("campaign.json", original.name)}


def test_static_batch_says_what_it_does_not_know(scratch: Path, capfd: Captured) -> None:
    arguments: list[str | Path] = ["--campaign", "x", "--measured-by", "me", "--root", scratch]
    status, _, errors = called(capfd, "import", "static-batch", FIGURES / "pairs.json", *arguments)
    expected = f"{FIGURES / 'pairs.json'}: this is not a file of the static-batch harness: it has no 'arms'"
    assert (status, errors) == (1, [expected])


# --- explain ---------------------------------------------------------------------------------------------------------

H200 = "h200-qwen3-random-static-batch"


def test_explain_goes_down_to_the_requests(capfd: Captured) -> None:
    status, printed, errors = called(capfd, "explain", H200)
    assert (status, errors) == (0, [])
    assert printed[1] == "headline, fixed prompt suite: 256.866390803 tok/s"
    assert "Server a, first pass, /runs/10: 273.619393289 tok/s" in printed
    assert "Server b, first pass, /runs/14: 240.113388318 tok/s" in printed
    assert "The centre of two servers, 273.619393289 and 240.113388318: 256.866390803 tok/s." in printed
    text = "\n".join(printed)
    assert sum(line.startswith(("  s0", "  s1")) for line in printed) == 24
    assert "analysis 285.142775159, code 270.403313305" in text
    assert text.count("identity: 12/12 by token_ids, compared with") == 2


def test_explain_names_the_first_token_that_differs(edition: Edition) -> None:
    text = " ".join(" ".join(lines(edition, H200, "bf16-none_bf16-ngram1@3")).split())
    assert "Verdict: withheld, outputs differed: first pass, server a; first pass, server b." in text
    assert "Rules: withheld.identity." in text
    assert "identity: 5/12 by token_ids" in text
    assert text.count("equal tokens from arm bf16-none") == 14


def test_explain_gives_batches_for_many_users(edition: Edition) -> None:
    text = "\n".join(lines(edition, H200, "h200-qwen3-random-users.fp32.aggregate_wall.concurrent_users@4"))
    assert "batch 0" in text
    assert "batch 1" in text
    assert "identity: 8/8 by token_ids_sha256" in text


def test_explain_gives_what_a_record_has(edition: Edition) -> None:
    printed = list(lines(edition, "qwen35-9b-fp8-b70", "q9-c2-users.mtp3@16"))
    text = "\n".join(printed)
    assert "  identity: 15/16, method not-stated, basis counted" in printed
    assert "  does not qualify: withheld.identity" in printed
    assert "Transcribed from steveseguin/b70-optimization-lab, packages/catalog.json, commit eb0cae81" in text


def test_explain_says_whose_statistic_and_whose_answers_they_are(edition: Edition) -> None:
    """llama-bench makes a mean of its own; one user was compared with the other server."""
    text = " ".join(" ".join(lines(edition, "lfm25-26b-q8-b70", "plain.decode.context_depth@2048")).split())
    assert "Statistic: a rate that llama-bench itself reports." in text
    text = " ".join(" ".join(lines(edition, H200, "fp32.aggregate_wall@1")).split())
    assert "Compared with the answers to one user of both servers, those to one user with the other server's." in text


def test_every_number_of_every_card_can_be_explained(edition: Edition) -> None:
    for derived in edition.cards:
        for profile in derived.profiles:
            for finding in profile.findings:
                place = "suite" if finding.x is None else finding.x
                text = "\n".join(lines(edition, derived.id, f"{profile.id}@{place}"))
                for reading in finding.readings:
                    assert f", {reading.pointer}: " in text
                assert ("Verdict: withheld" in text) == (finding in profile.withheld)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("nothing@1", "no profile has 'nothing' in its id; there are headline, h200"),
        ("users@4", "several profiles have 'users' in their id; there are h200"),
        (
            "fp32.aggregate@3",
            "h200-qwen3-random-users.fp32.aggregate_wall.concurrent_users has no x 3; there are 1, 2, 4, 8",
        ),
        (
            "fp32.aggregate",
            "h200-qwen3-random-users.fp32.aggregate_wall.concurrent_users has no single x; there are 1, 2, 4, 8",
        ),
    ],
)
def test_explain_says_which_numbers_there_are(edition: Edition, number: str, message: str) -> None:
    with pytest.raises(NoSuchNumber) as caught:
        list(lines(edition, H200, number))
    assert str(caught.value).startswith(message)


def test_explain_explains_nothing_that_fails_the_checks(broken: Path, capfd: Captured) -> None:
    status, printed, errors = called(capfd, "explain", H200, "--root", broken)
    assert (status, printed) == (1, [])
    assert errors[-1] == "2 errors; only what passes the checks can be explained"


def test_the_reader_knows_the_shape_of_the_test_files() -> None:
    assert {name: len(figures.read(data).facts) for name, data in WHOLE.items()} == {"pairs": 15, "ladder": 15}
