"""Command: what each command of the command line does, and its exit status. Its words are the `grammar`'s.

0 fine, 1 problems in content or evidence, 2 wrong usage, 3 the machine or a bug of ours. A command loads what it needs
when it runs, so that a check need not wait for templates and charts.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from proofpress import pipeline
from proofpress.check import library
from proofpress.check.scope import EVERYTHING, Scope
from proofpress.grammar import STATED, WORDS, parsed
from proofpress.output import CannotWrite, publish, write_new
from proofpress.problem import Problem, Refused, Report, Severity, counted, quoted, visible
from proofpress.records.schema import WORD_LIMIT, did_you_mean
from proofpress.terminal import finish, prepare, progress, say, show, tell

if TYPE_CHECKING:
    from proofpress.intake.intake import Taken
    from proofpress.records.campaign import Campaign
    from proofpress.records.vocabulary import Vocabulary
    from proofpress.review.scaffold import Stated

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
        options = parsed(arguments)
        status = COMMANDS[options.command](options)
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


def _build(options: argparse.Namespace) -> int:
    out = options.out or options.root / "site"
    with progress() as watch:
        checked = pipeline.check(
            options.root, base_url=options.base_url, preview=options.preview, today=options.today, watch=watch
        )
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
    files = library.files(options.root)
    named = tuple(_below_root(path, options.root, files) for path in options.paths)
    scope = Scope(named) if named else EVERYTHING
    with progress() as watch:
        every = pipeline.problems_of(options.root, scope, options.today, watch)
    report = Report(problem for problem in every.problems if _is_in(problem, scope))
    if not report.problems and not any(map(scope.holds, files)):
        raise _WrongUsage(f"{' and '.join(map(repr, options.paths))} holds no file that is checked")
    show(report, options.format)
    if options.format == "text":
        elsewhere = Report(problem for problem in every.problems if not _is_in(problem, scope))
        refused = {PurePosixPath(problem.place.path) for problem in every.problems if _stands_in(problem, options.root)}
        say(_last_line(report, elsewhere, {*files, *refused}, scope))
    return PROBLEMS if report.errors else FINE


def _stands_in(problem: Problem, root: Path) -> bool:
    """Whether a problem is one of something that is there and no folder: also of a link, which is never read."""
    place = root / problem.place.path
    return os.path.lexists(place) and (place.is_symlink() or not place.is_dir())


def _last_line(report: Report, elsewhere: Report, files: Collection[PurePosixPath], scope: Scope) -> str:
    """The number of problems, and how much was looked at: 'no problems' says nothing of a file that was not."""
    number = sum(scope.holds(path) for path in files)
    if number == len(files) and not elsewhere.errors:
        return f"{report.summary()} in {counted(number, 'file')}"
    others = "the others were not checked"
    if elsewhere.errors:
        paths = sorted({problem.place.path for problem in elsewhere.problems if problem.severity is Severity.ERROR})
        more = " …" if len(paths) > MAX_NAMED else ""
        others = f"at least {counted(elsewhere.errors, 'error')} in the others: {', '.join(map(visible, paths[:MAX_NAMED]))}{more}"
    return f"{report.summary()} in {number} of {counted(len(files), 'file')}; {others}"


MAX_NAMED = 3
"""So many of the other files with an error are named."""


def _below_root(text: str, root: Path, files: Sequence[PurePosixPath]) -> str:
    """A named path as problems write it: relative to the root. A path counts from the working folder, or else from the root."""
    top = root.resolve()
    for place in (Path(text), root / text):
        path = Path(os.path.abspath(place))  # noqa: PTH100 -- a link that the checks refuse is named by where it stands
        for base in (top, Path(os.path.abspath(root))):  # noqa: PTH100
            if text and path.is_relative_to(base) and os.path.lexists(path):
                relative = path.relative_to(base)
                if relative.parts[:1] not in {(), ("content",), ("evidence",)}:
                    raise _WrongUsage(
                        f"{text!r} is neither content nor evidence: a check is about files in content/ and evidence/"
                    )
                return relative.as_posix()
    near = _file_of(text, files) or did_you_mean(text, map(str, files))
    raise _WrongUsage(f"{text!r} is neither a file nor a folder below {root}{near and f'; {near}'}")


def _file_of(text: str, files: Sequence[PurePosixPath]) -> str:
    """The hint for an id in place of a path: the card, guide or campaign that it is."""
    for known in (f"content/cards/{text}.yaml", f"content/guides/{text}.md", f"evidence/{text}/campaign.json"):
        if PurePosixPath(known) in files:
            return f"did you mean '{known}'?"
    return ""


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

    show(intake.store(options.root, taken, replace=options.replace))
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
    if not runs and not differences:
        say("nothing to compare: no campaign with rows has a file beside it that an importer reads")
        return FINE
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
    wrong = list(_not_stated(options, whole.vocabulary))
    if wrong:
        raise _WrongUsage("\n  ".join(wrong))
    evidence = None
    if options.campaign is None:
        stated = scaffold.Stated(**{name: getattr(options, name) for name in STATED})
    else:
        entry = whole.campaigns.get(options.campaign)
        if entry is None:
            near = did_you_mean(options.campaign, whole.campaigns)
            there = f"there are: {', '.join(sorted(whole.campaigns)) or 'none'}"
            raise _WrongUsage(f"there is no campaign {options.campaign!r} that passes the checks; {near or there}")
        stated = _of_campaign(entry.campaign, options.cards)
        evidence = evidence_of(entry.campaign, entry.source.sha256, whole.vocabulary.metrics.keys())
    made = scaffold.files(
        options.card,
        whole.vocabulary,
        family=options.family,
        stated=stated,
        evidence=evidence,
        today=datetime.now(tz=UTC).date(),
    )
    taken = [path for path in made if (options.root / path).exists()]
    if taken:
        raise _WrongUsage(f"already there: {', '.join(taken)}")
    for path, text in made.items():
        write_new(options.root / path, text.encode(), replace=False)
        say(path)
    report = pipeline.problems_of(options.root, Scope(tuple(made)))
    left = sum(problem.rule == "text.placeholder" and problem.place.path in made for problem in report.problems)
    names = " ".join(path for path in made if path.startswith("content/"))
    say(f"{counted(left, 'text')} left to write; each is named by: python build.py check {names}")
    return FINE


def _not_stated(options: argparse.Namespace, vocabulary: Vocabulary) -> Iterator[str]:
    """What is wrong with the options that say what a new card is about: each in a sentence."""
    wanted = {"family": "families"} | (WORDS if options.campaign is None else {})
    for name, list_name in wanted.items():
        word, words = getattr(options, name), vocabulary.words(list_name)
        if word not in words:
            found = "" if word is None else f", not {quoted(word)}"
            near = did_you_mean(word, words) if word else ""
            known = near or f"known: {', '.join(sorted(words)) or 'none yet'};"
            yield f"--{name} is one of the vocabulary's {list_name}{found}: {known} a new one is added there first"
    if options.campaign is not None:
        given = [f"--{name}" for name in STATED if getattr(options, name) is not None and name != "cards"]
        if given:
            yield f"{' and '.join(given)}: the campaign says it"
        return
    if options.cards is None:
        yield "--cards is the number of accelerators"
    if not options.checkpoint:
        yield "--checkpoint is the name of the model that is loaded"
    elif len(options.checkpoint) > WORD_LIMIT or not options.checkpoint.isprintable():
        yield f"--checkpoint is a printable name of at most {WORD_LIMIT} characters"


def _of_campaign(campaign: Campaign, cards: int | None) -> Stated:
    """What the campaign states; its number of accelerators has to be given only where none of its arms has one."""
    from proofpress.review import scaffold

    counts = scaffold.counts(campaign)
    if counts and cards is not None:
        raise _WrongUsage("--cards: the campaign says it")
    if not counts and cards is None:
        raise _WrongUsage(f"--cards is the number of accelerators, which campaign {campaign.id} does not say")
    return scaffold.stated_by(campaign, cards=cards or counts[0])


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


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "build": _build,
    "check": _check,
    "diff": _diff,
    "explain": _explain,
    "new": _new,
    "schema": _schema,
    "serve": _serve,
    "verify-record": _verify_record,
    "import record": _import_record,
    "import static-batch": _import_static_batch,
    "import llama-bench": _import_llama_bench,
}
"""What each command of the grammar runs; it returns the exit status."""
