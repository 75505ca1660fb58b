"""Command: the words of the command line, and the exit status of each.

0 fine, 1 problems in content or evidence, 2 wrong usage, 3 the machine or a bug of ours. A command loads what it needs
when it runs, so that a check need not wait for templates and charts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from textwrap import fill
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, TypeAlias
from urllib.parse import urlsplit

from proofpress import pipeline
from proofpress.check import library
from proofpress.check.scope import EVERYTHING, Scope
from proofpress.output import CannotWrite, publish, write_new
from proofpress.problem import Problem, Refused, Report, counted
from proofpress.records.schema import ID_PATTERN
from proofpress.terminal import finish, prepare, progress, say, show, tell

if TYPE_CHECKING:
    from proofpress.intake.intake import Taken

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
    except ModuleNotFoundError:
        raise  # whoever called says which line installs it
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
    except Refused as error:
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

    build = _command(
        commands,
        "build",
        _build,
        words="check everything and print the site",
        description="Checks content and evidence and prints the site. With an error nothing is written, and the site that was there stays.",
        example='build --out preview --preview "Not published"',
    )
    build.add_argument("--out", type=Path, default=None, metavar="DIR", help="where the site goes (default: site/)")
    build.add_argument(
        "--base-url", metavar="URL", help="address the site will have, for canonical links and the sitemap"
    )
    build.add_argument("--preview", metavar="TEXT", help="a banner on every page")
    _common(build, reporting=True)

    checking = _command(
        commands,
        "check",
        _check,
        words="the same checks, nothing written",
        description="Makes all checks of a build and writes nothing. With paths, it reports on these files alone and reads what they need.",
        example="check content/cards/my-card.yaml",
    )
    checking.add_argument("paths", nargs="*", metavar="PATH", help="report only on these files or folders")
    _common(checking, reporting=True)

    comparing = _command(
        commands,
        "diff",
        _diff,
        words="what changed between two sides, as Markdown for a reviewer",
        description="Says in Markdown which numbers, verdicts, claims and files differ between two sides. Without a difference it prints nothing.",
        example="diff main .",
    )
    for side in ("old", "new"):
        comparing.add_argument(side, metavar=side.upper(), help="a git revision, a checkout, or a built site")
    _common(comparing)

    explaining = _command(
        commands,
        "explain",
        _explain,
        words="print how a number is made, down to its rows",
        description="Prints how one number of a card was made: its runs, their rows or records, the comparison of outputs, and the rules that decided.",
        example="explain my-card users@8",
    )
    explaining.add_argument("card", metavar="CARD")
    explaining.add_argument(
        "number",
        nargs="?",
        default="headline",
        metavar="PROFILE@X",
        help="a profile's id, or a part of it that no other has, and an x; without it, the headline",
    )
    _common(explaining)

    _importing(commands)

    new = _command(
        commands,
        "new",
        _new,
        words="scaffold a card, its guide and a place for its evidence",
        description="Writes a card and its guide with all that can be known, and marks what is left to say. Nothing that is there is overwritten.",
        example="new my-card --family my-family --from my-campaign",
    )
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

    schema = _command(
        commands,
        "schema",
        _schema,
        words="write the JSON Schemas that editors use, into schema/",
        description="Writes the JSON Schemas that editors complete and check with. Call it again after a change of the vocabulary.",
        example="schema",
    )
    _common(schema)

    serving = _command(
        commands,
        "serve",
        _serve,
        words="a live preview on this machine, which writes nothing",
        description="Shows the site as it would be built now to this machine alone, and renews it when a file changes; while one is wrong, the report.",
        example="serve --port 8000",
    )
    serving.add_argument("--port", type=_port, metavar="N", help="where it listens (default: 8000, or a free port)")
    serving.add_argument(
        "--watch", action=argparse.BooleanOptionalAction, default=True, help="build again when a file changes"
    )
    _common(serving)

    verify = _command(
        commands,
        "verify-record",
        _verify_record,
        words="compare a transcription with the file it was pinned to, or rows with the tool's file beside them",
        description="Compares a campaign of grade 'record' with the published file it was transcribed from, or one with rows with the tool's file beside it.",
        example="verify-record my-campaign results.json",
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
    return parser


Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _importing(commands: Parsers) -> None:
    """The importers, one for each kind of file."""
    importing = commands.add_parser(
        "import",
        help="turn a file of results into campaigns",
        description="Turns files of results into campaigns, so that no number is retyped. Each kind of file has a word of its own.",
        epilog=_example("import record --help"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    tools = importing.add_subparsers(required=True, metavar="TOOL")
    record = _command(
        tools,
        "record",
        _import_record,
        words="published figures, as campaigns of grade 'record'",
        description="Makes campaigns of grade 'record' from files of published figures. All are written or none.",
        example='import record results.json --prefix my-lab --measured-by "My lab"',
    )
    record.add_argument("files", nargs="+", type=Path, metavar="FILE")
    record.add_argument("--prefix", required=True, type=_id, help="what the campaign ids begin with")
    record.add_argument(
        "--by",
        choices=("session", "setup"),
        default="session",
        help="one campaign for each session, or for each set-up",
    )
    _storing(record)

    batch = _command(
        tools,
        "static-batch",
        _import_static_batch,
        words="what the static-batch harness wrote, as a campaign with every request",
        description="Makes one campaign of grade 'requests' from a file of the static-batch harness, which is copied beside it.",
        example='import static-batch results.raw.json --campaign my-campaign --measured-by "My lab"',
    )
    batch.add_argument("files", nargs="+", type=Path, metavar="FILE")
    batch.add_argument("--campaign", required=True, type=_id, metavar="ID")
    batch.add_argument(
        "--kind", choices=("lab", "hobbyist", "vendor"), default="lab", help="what kind of party measured"
    )
    _storing(batch)

    bench = _command(
        tools,
        "llama-bench",
        _import_llama_bench,
        words="what llama-bench prints as JSON, as a record without identity",
        description="Makes one campaign of grade 'record' of what llama-bench printed as JSON. It keeps no outputs, so every point is withheld.",
        example="import llama-bench bench.json --campaign my-campaign --help",
    )
    bench.add_argument("files", nargs="+", type=Path, metavar="FILE")
    bench.add_argument("--campaign", required=True, type=_id, metavar="ID")
    bench.add_argument(
        "--origin",
        required=True,
        type=_origin,
        metavar="OWNER/NAME@COMMIT[:FOLDER]",
        help="where the files are published, under the names that they have here",
    )
    for name, words in (("accelerator", "accelerators"), ("engine", "engines"), ("quantization", "quantizations")):
        bench.add_argument(f"--{name}", required=True, metavar="WORD", help=f"one of the vocabulary's {words}")
    bench.add_argument("--checkpoint", required=True, metavar="NAME", help="the model that was loaded")
    for name, what in (("prompt", "reading"), ("output", "producing")):
        bench.add_argument(
            f"--{name}-tokens",
            type=int,
            metavar="N",
            help=f"take the tests of {what} N tokens, where there are several",
        )
    bench.add_argument(
        "--kind", choices=("lab", "hobbyist", "vendor"), default="lab", help="what kind of party measured"
    )
    _storing(bench)


def _command(
    parsers: Parsers, name: str, run: Callable[[argparse.Namespace], int], *, words: str, description: str, example: str
) -> argparse.ArgumentParser:
    """A command with its help: a few words in the list of all, one or two sentences and an example on its own page."""
    parser = parsers.add_parser(
        name,
        help=words,
        description=fill(description, 79),
        epilog=_example(example),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def _example(call: str) -> str:
    return f"example:\n  python build.py {call}"


def _origin(text: str) -> tuple[str, str, str]:
    """Repository, commit and folder."""
    match = re.fullmatch(r"([\w.-]+/[\w.-]+)@([0-9a-f]{40})(?::([^:]*))?", text, re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not owner/name@commit or owner/name@commit:folder, the commit as 40 small hexadecimal digits"
        )
    return match[1], match[2], (match[3] or "").strip("/")


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
    out = options.out or options.root / "site"
    base_url = _base_url(options.base_url)
    with progress() as watch:
        checked = pipeline.check(options.root, base_url=base_url, preview=options.preview, watch=watch)
    show(checked.report, options.format)
    if checked.edition is None:
        tell(f"{checked.report.summary()}; {out} is as it was")
        return PROBLEMS
    with progress() as watch:
        files = pipeline.build(checked.edition, watch)
        publish(files, out)
    if options.format == "text":
        cards = counted(len(checked.edition.cards), "card")
        warnings = f", {checked.report.summary()}" if checked.report.warnings else ""
        say(f"{cards}, {len(files)} files{warnings}: {(out / 'index.html').resolve()}")
    return FINE


def _check(options: argparse.Namespace) -> int:
    named = tuple(_below_root(path, options.root) for path in options.paths)
    scope = Scope(named) if named else EVERYTHING
    with progress() as watch:
        every = pipeline.problems_of(options.root, scope, watch)
    report = Report(problem for problem in every.problems if _is_in(problem, scope))
    show(report, options.format)
    if options.format == "text":
        say(_last_line(report, every.errors - report.errors, library.files(options.root), scope))
    return PROBLEMS if report.errors else FINE


def _last_line(report: Report, elsewhere: int, files: Sequence[PurePosixPath], scope: Scope) -> str:
    """The number of problems, and how much was looked at: 'no problems' says nothing of a file that was not."""
    number = sum(scope.holds(path) for path in files)
    if number == len(files) and not elsewhere:
        return f"{report.summary()} in {counted(number, 'file')}"
    others = f"at least {counted(elsewhere, 'error')} in the others" if elsewhere else "the others were not checked"
    return f"{report.summary()} in {number} of {counted(len(files), 'file')}; {others}"


def _below_root(text: str, root: Path) -> str:
    """A named path as problems write it: relative to the root. A path counts from the working folder, or else from the root."""
    top = root.resolve()
    for place in (Path(text), root / text):
        path = Path(os.path.abspath(place))  # noqa: PTH100 -- a link that the checks refuse is named by where it stands
        for base in (top, Path(os.path.abspath(root))):  # noqa: PTH100
            if path.is_relative_to(base) and os.path.lexists(path):
                return path.relative_to(base).as_posix()
    raise _WrongUsage(f"{text!r} is neither a file nor a folder below {root}")


def _is_in(problem: Problem, scope: Scope) -> bool:
    return scope.holds(PurePosixPath(problem.place.path))


def _explain(options: argparse.Namespace) -> int:
    from proofpress.review import explain

    with progress() as watch:
        checked = pipeline.check(options.root, watch=watch)
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
    from proofpress.intake import intake

    taken = intake.records(
        options.root, options.files, prefix=options.prefix, measured_by=options.measured_by, grouping=options.by
    )
    return _store(options, taken)


def _import_static_batch(options: argparse.Namespace) -> int:
    from proofpress.intake import intake

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


def _import_llama_bench(options: argparse.Namespace) -> int:
    from proofpress.intake import intake
    from proofpress.intake.llama_bench import Stated

    repository, commit, folder = options.origin
    stated = Stated(
        campaign_id=options.campaign,
        measured_by=options.measured_by,
        kind=options.kind,
        accelerator=options.accelerator,
        engine=options.engine,
        checkpoint=options.checkpoint,
        quantization=options.quantization,
        repository=repository,
        commit=commit,
        folder=folder,
        prompt_tokens=options.prompt_tokens,
        output_tokens=options.output_tokens,
    )
    return _store(options, intake.llama_benches(options.root, options.files, stated))


def _store(options: argparse.Namespace, taken: Taken) -> int:
    from proofpress.intake import intake

    intake.store(options.root, taken, replace=options.replace)
    for name in taken.left_out:
        say(f"left out: {name}")
    for campaign in taken.campaigns:
        say(f"evidence/{campaign.id}/campaign.json: {counted(campaign.runs, 'run')}")
    return FINE


def _verify_record(options: argparse.Namespace) -> int:
    from proofpress.intake import intake

    if options.campaign is None:
        runs, differences, others = intake.all_differences(options.root)
        for name in others:
            say(f"not compared, no importer reads it: {name}")
    else:
        runs, differences = intake.differences(options.root, options.campaign, options.file)
    for line in differences:
        say(line)
    found = counted(len(differences), "difference") if differences else "no differences"
    say(f"{counted(runs, 'run')} compared, {found}")
    return PROBLEMS if differences else FINE


def _diff(options: argparse.Namespace) -> int:
    from proofpress.review import difference, snapshot

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
    from proofpress.derive.finding import evidence_of
    from proofpress.review import scaffold

    whole = _library(options.root)
    families = sorted(whole.vocabulary.families)
    if options.family not in families:
        raise _WrongUsage(
            f"--family is one of the vocabulary's families: {', '.join(families)}; a new one is added there first"
        )
    entry = whole.campaigns.get(options.campaign) if options.campaign else None
    if options.campaign and entry is None:
        raise _WrongUsage(
            f"there is no campaign {options.campaign!r} that passes the checks; there are: {', '.join(sorted(whole.campaigns))}"
        )
    evidence = evidence_of(entry.campaign, entry.source.sha256) if entry else None
    today = datetime.now(tz=UTC).date()
    made = scaffold.files(options.card, whole.vocabulary, family=options.family, evidence=evidence, today=today)
    taken = [path for path in made if (options.root / path).exists()]
    if taken:
        raise _WrongUsage(f"already there: {', '.join(taken)}")
    for path, text in made.items():
        write_new(options.root / path, text.encode(), replace=False)
        say(path)
    say("next: write what is in your own words, then python build.py check")
    return FINE


def _serve(options: argparse.Namespace) -> int:
    from proofpress.review import preview

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
    from proofpress.pages import json_schema

    whole = _library(options.root)
    for name, schema in json_schema.schemas(whole.vocabulary).items():
        text = json.dumps(schema, ensure_ascii=False, indent=1)
        write_new(options.root / "schema" / name, f"{text}\n".encode(), replace=True)
        say(f"schema/{name}")
    return FINE


def _library(root: Path) -> library.Library:
    """Everything below `root` that passes the checks of one file. Raises `Refused` where site or vocabulary cannot be used."""
    whole, problems = library.load(root)
    if whole is None:
        raise Refused(problems=problems)
    return whole
