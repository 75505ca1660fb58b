"""Grammar: the words of the command line, what may stand for each, and its help. What a command does is `command`'s."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path, PurePosixPath
from textwrap import fill
from typing import TypeAlias
from urllib.parse import urlsplit

from proofpress.check.library import id_problem
from proofpress.problem import quoted
from proofpress.records.schema import as_id

ROOT = Path(__file__).resolve().parent.parent
WORDS = {"accelerator": "accelerators", "engine": "engines", "quantization": "quantizations"}
"""Options that take a word of the vocabulary, and its list of them."""
STATED = (*WORDS, "cards", "checkpoint")
"""The options of `new` that say what a card cannot be without, where no campaign does."""


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a call; `options.command` is the name of its command, as 'check' or 'import record'.

    Raises `SystemExit` with a status, once argparse has printed what is wrong or the help that was asked for.
    """
    return parser().parse_args(_with_command(arguments))


def _with_command(arguments: Sequence[str]) -> list[str]:
    """`build` is the command where none is named."""
    first = arguments[0] if arguments else ""
    named = first in {"-h", "--help"} or (first and not first.startswith("-"))
    return list(arguments) if named else ["build", *arguments]


def parser() -> argparse.ArgumentParser:
    """Every command with its help."""
    whole = argparse.ArgumentParser(
        prog="build.py",
        description="Builds a website of inference measurements in which every number is computed from evidence.",
        epilog="Without a command, the site is built. Exit status: 0 fine, 1 problems in content or evidence, 2 wrong usage, 3 the machine or a bug of ours.",
    )
    commands = whole.add_subparsers(required=True, metavar="COMMAND")

    build = _command(
        commands,
        "build",
        words="check everything and print the site",
        description="Checks content and evidence and prints the site. With an error nothing is written, and the site that was there stays.",
        example='build --out preview --preview "Not published"',
    )
    build.add_argument("--out", type=Path, default=None, metavar="DIR", help="where the site goes (default: site/)")
    build.add_argument(
        "--base-url",
        type=_base_url,
        metavar="URL",
        help="address the site will have, for canonical links and the sitemap",
    )
    build.add_argument("--preview", metavar="TEXT", help="a banner on every page")
    _common(build, reporting=True)

    checking = _command(
        commands,
        "check",
        words="the same checks, nothing written",
        description="Makes all checks of a build and writes nothing. With paths, it reports on these files alone and reads what they need.",
        example="check content/cards/my-card.yaml",
    )
    checking.add_argument("paths", nargs="*", metavar="PATH", help="report only on these files or folders")
    _common(checking, reporting=True)

    comparing = _command(
        commands,
        "diff",
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
        words="scaffold a card, its guide and a place for its evidence",
        description=(
            "Writes a card and its guide with all that a campaign (--from) says, or with what is stated instead; --family is always needed."
            " Nothing that is there is overwritten, and how many texts are left to write is said."
        ),
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
    new.add_argument("--family", metavar="FAMILY", help="a family of the vocabulary; always needed")
    for name, words in WORDS.items():
        new.add_argument(f"--{name}", metavar="WORD", help=f"one of the vocabulary's {words}; needed without --from")
    new.add_argument(
        "--cards", type=_count, metavar="N", help="number of accelerators; needed where no campaign says it"
    )
    new.add_argument("--checkpoint", metavar="NAME", help="the model that is loaded; needed without --from")
    _common(new)

    schema = _command(
        commands,
        "schema",
        words="write the JSON Schemas that editors use, into schema/",
        description="Writes the JSON Schemas that editors complete and check with. Call it again after a change of the vocabulary.",
        example="schema",
    )
    _common(schema)

    serving = _command(
        commands,
        "serve",
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
    return whole


Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _importing(commands: Parsers) -> None:
    """The importers, one for each kind of file."""
    importing = commands.add_parser(
        "import",
        help="turn a file of results into campaigns",
        description=fill(
            "Turns files of results into campaigns, so that no number is retyped. Each kind of file has a word of its own.",
            79,
        ),
        epilog=_example('import record results.json --prefix my-lab --measured-by "My lab"'),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    tools = importing.add_subparsers(required=True, metavar="TOOL")
    record = _command(
        tools,
        "record",
        within="import ",
        words="published figures, as campaigns of grade 'record'",
        description="Makes campaigns of grade 'record' from files of published figures. All are written or none.",
        example='import record results.json --prefix my-lab --measured-by "My lab"',
    )
    record.add_argument("files", nargs="+", type=Path, metavar="FILE")
    record.add_argument("--prefix", required=True, type=_prefix, help="what the campaign ids begin with")
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
        within="import ",
        words="what the static-batch harness wrote, as a campaign with every request",
        description=(
            "Makes one campaign of grade 'requests' from a file of the static-batch harness, which is copied beside it."
            " Such a file is one JSON object with the keys arms, machine, software, model and workload."
        ),
        example='import static-batch results.raw.json --campaign my-campaign --measured-by "My lab"',
    )
    batch.add_argument("files", nargs="+", type=Path, metavar="FILE")
    batch.add_argument("--campaign", required=True, type=_id, metavar="ID")
    batch.add_argument(
        "--kind",
        choices=("lab", "hobbyist", "vendor"),
        default="lab",
        help="what kind of party measured (default: lab)",
    )
    _storing(batch)

    bench = _command(
        tools,
        "llama-bench",
        within="import ",
        words="what llama-bench prints as JSON, as a record without identity",
        description="Makes one campaign of grade 'record' of what llama-bench printed as JSON. No prompt is answered, so its points are reference runs.",
        example=(
            "import llama-bench bench.json --campaign my-campaign --origin my-lab/results@0123456789abcdef0123456789abcdef01234567"
            ' --accelerator my-accelerator --engine my-engine --quantization my-format --checkpoint my/model --measured-by "My lab"'
        ),
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
    for name, words in WORDS.items():
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
        "--kind",
        choices=("lab", "hobbyist", "vendor"),
        default="lab",
        help="what kind of party measured (default: lab)",
    )
    _storing(bench)


def _command(
    parsers: Parsers, name: str, *, within: str = "", words: str, description: str, example: str
) -> argparse.ArgumentParser:
    """A command with its help: a few words in the list of all, one or two sentences and an example on its own page."""
    parser = parsers.add_parser(
        name,
        help=words,
        description=fill(description, 79),
        epilog=_example(example),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=f"{within}{name}")
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
        parser.add_argument(
            "--today", type=_day, metavar="YYYY-MM-DD", help="refuse dates later than this day; no clock is read"
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


def _id(text: str, *, behind: str = "") -> str:
    """An id, by the rules of the check; `behind` is what will be put behind it."""
    problem = id_problem(f"{text}{behind}", PurePosixPath(text))
    if problem is not None:
        near = as_id(text)
        hint = f"; did you mean '{near}'?" if near and id_problem(near, PurePosixPath(near)) is None else ""
        raise argparse.ArgumentTypeError(f"{quoted(text)} cannot be an id: {problem.expected}{hint}")
    return text


def _day(text: str) -> date:
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a day: year, month and day, as 2026-11-30")


def _prefix(text: str) -> str:
    """What ids can begin with: a hyphen and a word come behind it."""
    return _id(text, behind="-x")


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: a whole number of at least 1 is wanted")
    return number


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdecimal() else -1
    if not 0 <= port < 2**16:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a number up to 65535, 0 for any that is free")
    return port


def _base_url(text: str) -> str:
    """An address that canonical links can begin with."""
    parts = urlsplit(text)
    plain = text.isprintable() and not set(text) & set(" \"'<>\\^`{|}")
    if parts.scheme not in {"https", "http"} or not parts.hostname or parts.username or not plain:
        raise argparse.ArgumentTypeError(f"{text!r}: an address such as https://example.org/measurements is wanted")
    if parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(f"{text!r}: an address without '?' and '#' is wanted")
    return text
