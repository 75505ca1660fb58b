"""Command: the words of the command line, and the exit status of each.

0 fine, 1 problems in content or evidence, 2 wrong usage, 3 the machine or a bug of ours.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from proofpress import figures, pipeline, transcribe
from proofpress.campaign import RecordCampaign
from proofpress.disk import read_bytes
from proofpress.library import campaign_of
from proofpress.output import CannotWrite, publish, write_new
from proofpress.problem import Problem, Report
from proofpress.schema import check
from proofpress.source import CAMPAIGN_LIMIT, Source, json_source, read_json, read_yaml
from proofpress.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parent.parent
FINE, PROBLEMS, USAGE, MACHINE = 0, 1, 2, 3


class _Stopped(Exception):
    """The person or the system asked us to stop."""


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns the exit status."""
    signal.signal(signal.SIGTERM, _stop)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # whatever the locale is
    try:
        options = _parser().parse_args(_with_command(arguments))
        status: int = options.run(options)
    except SystemExit as error:  # argparse has said what is wrong
        return USAGE if error.code else FINE
    except CannotWrite as error:
        print(f"cannot write: {error}", file=sys.stderr)
        return USAGE if error.usage else MACHINE
    except (KeyboardInterrupt, _Stopped):
        print("stopped; the site that was there is unchanged", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # the reader of our output has closed it, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    return status


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Stopped


COMMANDS = ("build", "check", "import", "verify-record")


def _with_command(arguments: Sequence[str]) -> list[str]:
    """`build` is the command where none is named."""
    first = arguments[0] if arguments else ""
    return list(arguments) if first in {*COMMANDS, "-h", "--help"} else ["build", *arguments]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="build.py",
        description="Builds a website of inference measurements in which every number is computed from evidence.",
        epilog="Without a command, the site is built. Exit status: 0 fine, 1 problems in content or evidence, 2 wrong usage, 3 the machine.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    build = commands.add_parser("build", help="check everything and print the site")
    build.add_argument("--out", type=Path, default=None, metavar="DIR", help="where the site goes (default: site/)")
    build.add_argument(
        "--base-url", metavar="URL", help="address the site will have, for canonical links and the sitemap"
    )
    build.add_argument("--preview", metavar="TEXT", help="a banner on every page")
    _reporting(build)
    build.set_defaults(run=_build)

    checking = commands.add_parser("check", help="the same checks, nothing written")
    checking.add_argument("paths", nargs="*", metavar="PATH", help="report only on these files or folders")
    _reporting(checking)
    checking.set_defaults(run=_check)

    importing = commands.add_parser("import", help="turn a file of results into campaigns")
    tools = importing.add_subparsers(required=True, metavar="TOOL")
    record = tools.add_parser("record", help="published figures, as campaigns of grade 'record'")
    record.add_argument("files", nargs="+", type=Path, metavar="FILE")
    record.add_argument("--prefix", required=True, help="what the campaign ids begin with")
    record.add_argument("--measured-by", required=True, metavar="NAME", help="who measured")
    record.add_argument(
        "--by",
        choices=("session", "setup"),
        default="session",
        help="one campaign for each session, or for each set-up",
    )
    record.add_argument("--replace", action="store_true", help="replace campaigns that are already there")
    record.set_defaults(run=_import_record)

    verify = commands.add_parser("verify-record", help="compare a transcription with the file it was pinned to")
    verify.add_argument("campaign", metavar="CAMPAIGN")
    verify.add_argument("file", type=Path, metavar="FILE")
    verify.set_defaults(run=_verify_record)
    return parser


def _reporting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root", type=Path, default=ROOT, help="the folder that holds content/ and evidence/ (default: this checkout)"
    )
    parser.add_argument("--format", choices=("text", "json", "github"), default="text", help="how problems are printed")


def _print_report(report: Report, style: str) -> None:
    match style:
        case "json":
            sys.stdout.write(report.json())
        case "github":
            sys.stdout.write(report.github())
        case _:
            stream = sys.stderr
            stream.write(report.text(colour=stream.isatty() and "NO_COLOR" not in os.environ))


def _build(options: argparse.Namespace) -> int:
    checked = pipeline.check(options.root, base_url=options.base_url, preview=options.preview)
    _print_report(checked.report, options.format)
    out = options.out or options.root / "site"
    if checked.edition is None:
        print(f"{checked.report.summary()}; {out} is as it was", file=sys.stderr)
        return PROBLEMS
    files = pipeline.build(checked.edition)
    publish(files, out)
    if options.format == "text":
        cards = len(checked.edition.cards)
        warnings = f", {checked.report.summary()}" if checked.report.warnings else ""
        print(
            f"{cards} card{'s' if cards != 1 else ''}, {len(files)} files{warnings}: {(out / 'index.html').resolve()}"
        )
    return FINE


def _check(options: argparse.Namespace) -> int:
    checked = pipeline.check(options.root)
    report = checked.report
    if options.paths:
        wanted = tuple(str(path).rstrip("/") for path in options.paths)
        report = Report(problem for problem in report.problems if _is_below(problem, wanted))
    _print_report(report, options.format)
    if options.format == "text":
        print(report.summary())
    return PROBLEMS if report.errors else FINE


def _is_below(problem: Problem, wanted: tuple[str, ...]) -> bool:
    return any(problem.place.path == path or problem.place.path.startswith(f"{path}/") for path in wanted)


def _load(path: Path) -> tuple[Source | None, tuple[Problem, ...]]:
    """A JSON file from anywhere, which a person has named on the command line."""
    read = read_bytes(path.absolute().parent, path.name, limit=CAMPAIGN_LIMIT)
    if read.raw is None:
        return None, read.problems
    loaded = json_source(str(path), read.raw)
    return loaded.source, loaded.problems


def _read_figures(path: Path) -> figures.Figures | None:
    source, problems = _load(path)
    sys.stderr.write(Report(problems).text())
    if source is None:
        return None
    if not isinstance(source.data, dict):
        print(f"{path}: published figures are one JSON object", file=sys.stderr)
        return None
    try:
        return figures.read(source.data)
    except figures.NotUnderstood as error:
        print(f"{path}: {error}", file=sys.stderr)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        print(f"{path}: not a file of published figures; missing or misshapen: {error}", file=sys.stderr)
    return None


def _vocabulary() -> Vocabulary | None:
    loaded = read_yaml(ROOT, "content/vocabulary.yaml")
    checked = check(loaded.source, Vocabulary, noun="the vocabulary") if loaded.source else None
    sys.stderr.write(Report([*loaded.problems, *(checked.problems if checked else ())]).text())
    return checked.record if checked else None


def _import_record(options: argparse.Namespace) -> int:
    vocabulary = _vocabulary()
    made: dict[str, dict[str, Any]] = {}
    for path in options.files:
        found = _read_figures(path)
        if found is None or vocabulary is None:
            return PROBLEMS
        try:
            campaigns = transcribe.campaigns(
                found, vocabulary, prefix=options.prefix, measured_by=options.measured_by, grouping=options.by
            )
        except figures.NotUnderstood as error:
            print(f"{path}: {error}", file=sys.stderr)
            return PROBLEMS
        made |= campaigns
        for name in found.unpublished:
            print(f"left out, as its source does not publish it: {name}")
    for campaign_id, campaign in made.items():
        path = ROOT / "evidence" / campaign_id / "campaign.json"
        write_new(path, transcribe.written(campaign).encode(), replace=options.replace)
        print(f"evidence/{campaign_id}/campaign.json: {len(campaign['runs'])} runs")
    return FINE


def _verify_record(options: argparse.Namespace) -> int:
    relative = f"evidence/{options.campaign}/campaign.json"
    loaded = read_json(ROOT, relative)
    campaign, problems = campaign_of(loaded.source) if loaded.source else (None, ())
    sys.stderr.write(Report([*loaded.problems, *problems]).text())
    found = _read_figures(options.file)
    if campaign is None or found is None:
        return PROBLEMS
    if not isinstance(campaign, RecordCampaign):
        print(
            f"{relative}: grade '{campaign.grade}' is recomputed from its rows; there is no transcription to verify",
            file=sys.stderr,
        )
        return PROBLEMS
    differences = list(transcribe.differences(campaign, found))
    for difference in differences:
        print(f"{relative}{difference}" if difference.startswith("/") else difference)
    print(
        f"{len(campaign.runs)} runs compared, {len(differences) or 'no'} difference{'' if len(differences) == 1 else 's'}"
    )
    return PROBLEMS if differences else FINE
