"""Command: the words of the command line, and the exit status of each.

0 fine, 1 problems in content or evidence, 2 wrong usage, 3 the machine or a bug of ours.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import NoReturn
from urllib.parse import urlsplit

from proofpress import pipeline
from proofpress.check.library import load as library_of
from proofpress.derive.finding import evidence_of
from proofpress.intake import intake
from proofpress.output import CannotWrite, publish, write_new
from proofpress.pages import json_schema
from proofpress.problem import Problem, Report
from proofpress.records.schema import ID_PATTERN
from proofpress.review import difference, explain, preview, scaffold, snapshot
from proofpress.terminal import finish, prepare, say, show, tell

ROOT = Path(__file__).resolve().parent.parent
FINE, PROBLEMS, USAGE, MACHINE = 0, 1, 2, 3
PORT = 8000
"""Where the preview listens if nobody says otherwise and it is free."""


class _Stopped(BaseException):
    """The system asked us to stop. Not an `Exception`, so that nothing on the way takes it for a failure of its own."""


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns the exit status."""
    signal.signal(signal.SIGTERM, _stop)
    prepare()
    try:
        status = _run(arguments)
        finish()
    except CannotWrite as error:  # standard output itself
        tell(f"cannot write: {error}")
        return MACHINE
    except KeyboardInterrupt:
        tell("stopped; the site that was there is unchanged")
        return 128 + signal.SIGINT
    except _Stopped:
        tell("stopped; the site that was there is unchanged")
        return 128 + signal.SIGTERM
    except Exception:
        tell(traceback.format_exc().rstrip())
        tell("this is a mistake of the program and not of your files; the site that was there is unchanged")
        tell("please report it, with the lines above and what you called")
        return MACHINE
    return status


def _run(arguments: Sequence[str]) -> int:
    try:
        options = _parser().parse_args(_with_command(arguments))
        status: int = options.run(options)
    except SystemExit as error:  # argparse has said what is wrong
        return USAGE if error.code else FINE
    except _WrongUsage as error:
        tell(f"wrong usage: {error}")
        return USAGE
    except CannotWrite as error:
        tell(f"cannot write: {error}")
        return USAGE if error.usage else MACHINE
    except intake.Refused as error:
        show(error.report)
        tell(str(error) or error.report.summary())
        return PROBLEMS
    return status


class _WrongUsage(Exception):
    """An argument that no command can work with; one sentence."""


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Stopped


COMMANDS = ("build", "check", "diff", "explain", "import", "new", "schema", "serve", "verify-record")


def _with_command(arguments: Sequence[str]) -> list[str]:
    """`build` is the command where none is named."""
    first = arguments[0] if arguments else ""
    named = first in {*COMMANDS, "-h", "--help"} or (first and not first.startswith("-"))
    return list(arguments) if named else ["build", *arguments]


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
    _common(build, reporting=True)
    build.set_defaults(run=_build)

    checking = commands.add_parser("check", help="the same checks, nothing written")
    checking.add_argument("paths", nargs="*", metavar="PATH", help="report only on these files or folders")
    _common(checking, reporting=True)
    checking.set_defaults(run=_check)

    comparing = commands.add_parser("diff", help="what changed between two sides, as Markdown for a reviewer")
    for side in ("old", "new"):
        comparing.add_argument(side, metavar=side.upper(), help="a git revision, a checkout, or a built site")
    _common(comparing)
    comparing.set_defaults(run=_diff)

    new = commands.add_parser("new", help="scaffold a card, its guide and a place for its evidence")
    new.add_argument("card", metavar="CARD-ID", type=_id)
    new.add_argument(
        "--from",
        dest="campaign",
        metavar="CAMPAIGN",
        type=_id,
        help="a campaign to take everything from that can be known",
    )
    new.add_argument("--family", metavar="FAMILY", help="a family of the vocabulary")
    _common(new)
    new.set_defaults(run=_new)

    schema = commands.add_parser("schema", help="write the JSON Schemas that editors use, into schema/")
    _common(schema)
    schema.set_defaults(run=_schema)

    _serving(commands.add_parser("serve", help="a live preview on this machine, which writes nothing"))

    explaining = commands.add_parser("explain", help="print how a number is made, down to its rows")
    explaining.add_argument("card", metavar="CARD")
    explaining.add_argument(
        "number",
        nargs="?",
        default="headline",
        metavar="PROFILE@X",
        help="a profile's id, or a part of it that no other has, and an x; without it, the headline",
    )
    _common(explaining)
    explaining.set_defaults(run=_explain)

    importing = commands.add_parser("import", help="turn a file of results into campaigns")
    tools = importing.add_subparsers(required=True, metavar="TOOL")
    record = tools.add_parser("record", help="published figures, as campaigns of grade 'record'")
    record.add_argument("files", nargs="+", type=Path, metavar="FILE")
    record.add_argument("--prefix", required=True, type=_id, help="what the campaign ids begin with")
    record.add_argument(
        "--by",
        choices=("session", "setup"),
        default="session",
        help="one campaign for each session, or for each set-up",
    )
    _storing(record)
    record.set_defaults(run=_import_record)

    batch = tools.add_parser(
        "static-batch", help="what the static-batch harness wrote, as a campaign with every request"
    )
    batch.add_argument("files", nargs="+", type=Path, metavar="FILE")
    batch.add_argument("--campaign", required=True, type=_id, metavar="ID")
    batch.add_argument(
        "--kind", choices=("lab", "hobbyist", "vendor"), default="lab", help="what kind of party measured"
    )
    _storing(batch)
    batch.set_defaults(run=_import_static_batch)

    verify = commands.add_parser(
        "verify-record",
        help="compare a transcription with the file it was pinned to, or rows with the tool's file beside them",
    )
    verify.add_argument(
        "campaign",
        nargs="?",
        metavar="CAMPAIGN",
        type=_id,
        help="without it, every campaign with rows that has a tool's file beside it",
    )
    verify.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="what it was made from; rows have it beside them"
    )
    _common(verify)
    verify.set_defaults(run=_verify_record)
    return parser


def _serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, metavar="N", help="where it listens (default: 8000, or a free port)")
    parser.add_argument(
        "--watch", action=argparse.BooleanOptionalAction, default=True, help="build again when a file changes"
    )
    _common(parser)
    parser.set_defaults(run=_serve)


def _common(parser: argparse.ArgumentParser, *, reporting: bool = False) -> None:
    parser.add_argument(
        "--root",
        type=_folder,
        default=ROOT,
        help="the folder that holds content/ and evidence/ (default: this checkout)",
    )
    if reporting:
        parser.add_argument(
            "--format", choices=("text", "json", "github"), default="text", help="how problems are printed"
        )


def _storing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--measured-by", required=True, metavar="NAME", help="who measured")
    parser.add_argument("--replace", action="store_true", help="replace campaigns that are already there")
    _common(parser)


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not a folder")
    return path


def _id(text: str) -> str:
    if not re.fullmatch(ID_PATTERN, text):
        raise argparse.ArgumentTypeError(
            f"{text!r} cannot be an id: small letters, digits, points and hyphens, with a letter or digit first"
        )
    return text


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdecimal() else -1
    if not 0 <= port < 2**16:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a number up to 65535, 0 for any that is free")
    return port


def _base_url(text: str | None) -> str | None:
    """An address that canonical links can begin with."""
    if text is None:
        return None
    parts = urlsplit(text)
    plain = text.isprintable() and not set(text) & set(" \"'<>\\^`{|}")
    if parts.scheme not in {"https", "http"} or not parts.hostname or parts.username or not plain:
        raise _WrongUsage(f"--base-url {text!r}: an address such as https://example.org/measurements is wanted")
    if parts.query or parts.fragment:
        raise _WrongUsage(f"--base-url {text!r}: an address without '?' and '#' is wanted")
    return text


def _build(options: argparse.Namespace) -> int:
    checked = pipeline.check(options.root, base_url=_base_url(options.base_url), preview=options.preview)
    show(checked.report, options.format)
    out = options.out or options.root / "site"
    if checked.edition is None:
        tell(f"{checked.report.summary()}; {out} is as it was")
        return PROBLEMS
    files = pipeline.build(checked.edition)
    publish(files, out)
    if options.format == "text":
        cards = len(checked.edition.cards)
        warnings = f", {checked.report.summary()}" if checked.report.warnings else ""
        say(f"{cards} card{'s' if cards != 1 else ''}, {len(files)} files{warnings}: {(out / 'index.html').resolve()}")
    return FINE


def _check(options: argparse.Namespace) -> int:
    wanted = tuple(_below_root(path, options.root) for path in options.paths)
    report = pipeline.check(options.root).report
    elsewhere = 0
    if wanted:
        every = report
        report = Report(problem for problem in every.problems if _is_below(problem, wanted))
        elsewhere = every.errors - report.errors
    show(report, options.format)
    if options.format == "text":
        others = f"; elsewhere {elsewhere} error{'' if elsewhere == 1 else 's'}" if elsewhere else ""
        say(f"{report.summary()}{others}")
    return PROBLEMS if report.errors else FINE


def _below_root(text: str, root: Path) -> str:
    """A named path as problems write it: relative to the root. A path counts from the working folder, or else from the root."""
    top = root.resolve()
    for place in (Path(text), root / text):
        path = Path(os.path.abspath(place))  # noqa: PTH100 -- a link that the checks refuse is named by where it stands
        for base in (top, Path(os.path.abspath(root))):  # noqa: PTH100
            if path.is_relative_to(base) and os.path.lexists(path):
                return path.relative_to(base).as_posix()
    raise _WrongUsage(f"{text!r} is neither a file nor a folder below {root}")


def _is_below(problem: Problem, wanted: tuple[str, ...]) -> bool:
    path = problem.place.path
    return any(folder in (".", path) or path.startswith(f"{folder}/") for folder in wanted)


def _explain(options: argparse.Namespace) -> int:
    checked = pipeline.check(options.root)
    if checked.edition is None:
        show(checked.report)
        tell(f"{checked.report.summary()}; only what passes the checks can be explained")
        return PROBLEMS
    try:
        for line in explain.lines(checked.edition, options.card, options.number):
            say(line)
    except explain.NoSuchNumber as error:
        raise _WrongUsage(str(error)) from error
    return FINE


def _import_record(options: argparse.Namespace) -> int:
    taken = intake.records(
        options.root, options.files, prefix=options.prefix, measured_by=options.measured_by, grouping=options.by
    )
    return _store(options, taken)


def _import_static_batch(options: argparse.Namespace) -> int:
    if len(options.files) > 1:
        raise _WrongUsage("static-batch makes one campaign of one file; call it once for each")
    taken = intake.static_batches(
        options.root,
        options.files[0],
        campaign_id=options.campaign,
        measured_by=options.measured_by,
        kind=options.kind,
    )
    return _store(options, taken)


def _store(options: argparse.Namespace, taken: intake.Taken) -> int:
    intake.store(options.root, taken, replace=options.replace)
    for name in taken.left_out:
        say(f"left out: {name}")
    for campaign in taken.campaigns:
        say(f"evidence/{campaign.id}/campaign.json: {campaign.runs} run{'' if campaign.runs == 1 else 's'}")
    return FINE


def _verify_record(options: argparse.Namespace) -> int:
    if options.campaign is None:
        runs, differences, others = intake.all_differences(options.root)
        for name in others:
            say(f"not compared, no importer reads it: {name}")
    else:
        runs, differences = intake.differences(options.root, options.campaign, options.file)
    for line in differences:
        say(line)
    number = len(differences)
    say(f"{runs} run{'' if runs == 1 else 's'} compared, {number or 'no'} difference{'' if number == 1 else 's'}")
    return PROBLEMS if differences else FINE


def _diff(options: argparse.Namespace) -> int:
    try:
        old, new = (snapshot.take(side, options.root) for side in (options.old, options.new))
    except snapshot.NoSnapshot as error:
        if error.report is not None:
            show(error.report)
        tell(str(error))
        return USAGE if error.report is None else PROBLEMS
    block = difference.markdown(old, new)
    if block:
        say(block.rstrip())
    return FINE


def _new(options: argparse.Namespace) -> int:
    library, problems = library_of(options.root)
    if library is None:
        raise intake.Refused(problems=problems)
    families = sorted(library.vocabulary.families)
    if options.family not in families:
        raise _WrongUsage(
            f"--family is one of the vocabulary's families: {', '.join(families)}; a new one is added there first"
        )
    entry = library.campaigns.get(options.campaign) if options.campaign else None
    if options.campaign and entry is None:
        raise _WrongUsage(
            f"there is no campaign {options.campaign!r} that passes the checks; there are: {', '.join(sorted(library.campaigns))}"
        )
    evidence = evidence_of(entry.campaign, entry.source.sha256) if entry else None
    today = datetime.now(tz=UTC).date()
    made = scaffold.files(options.card, library.vocabulary, family=options.family, evidence=evidence, today=today)
    taken = [path for path in made if (options.root / path).exists()]
    if taken:
        raise _WrongUsage(f"already there: {', '.join(taken)}")
    for path, text in made.items():
        write_new(options.root / path, text.encode(), replace=False)
        say(path)
    say("next: write what is in your own words, then python build.py check")
    return FINE


def _serve(options: argparse.Namespace) -> int:
    try:
        server = preview.Server(PORT if options.port is None else options.port)
    except OSError as error:
        if options.port is not None:
            raise _WrongUsage(f"--port {options.port}: {error.strerror or error}") from error
        server = preview.Server(0)
    say(f"{server.address} (Ctrl-C stops it)")
    preview.serve(server, options.root, watch=options.watch, tell=tell)
    return FINE


def _schema(options: argparse.Namespace) -> int:
    library, problems = library_of(options.root)
    if library is None:
        raise intake.Refused(problems=problems)
    for name, schema in json_schema.schemas(library.vocabulary).items():
        text = json.dumps(schema, ensure_ascii=False, indent=1)
        write_new(options.root / "schema" / name, f"{text}\n".encode(), replace=True)
        say(f"schema/{name}")
    return FINE
