"""Intake: files of results from anywhere, made into campaigns below `evidence/`, or compared with one that is there.

Comes in: paths that a person has named. Goes out: `Campaign` files, all of them or none; what is wrong is told as problems or as one sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeVar

from proofpress.check import beside, campaign_check, original
from proofpress.check.library import CampaignEntry, campaign_of, load
from proofpress.intake import figures, llama_bench, transcribe
from proofpress.intake.figures import Figures
from proofpress.intake.transcribe import Grouping
from proofpress.load.disk import path_problem, read_bytes
from proofpress.load.source import CAMPAIGN_LIMIT, Source, json_source, read_json, read_yaml
from proofpress.output import CannotWrite, write_new
from proofpress.problem import Problem, Refused, Report, Severity, quoted
from proofpress.records.campaign import RecordCampaign, RequestCampaign
from proofpress.records.schema import check, kind_of
from proofpress.records.vocabulary import Vocabulary
from proofpress.tools import static_batch

Read = TypeVar("Read")
TOOL = "llama-bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """Files of one new campaign by name, and what is worth a line."""

    id: str
    runs: int
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What an import gave, and what the source itself holds back."""

    campaigns: tuple[Made, ...]
    left_out: tuple[str, ...] = field(default=())


def records(root: Path, paths: Sequence[Path], *, prefix: str, measured_by: str, grouping: Grouping) -> Taken:
    """Campaigns of grade `record` from files of published figures. Raises `Refused`."""
    vocabulary = _vocabulary(root)
    made: dict[str, Made] = {}
    left_out: list[str] = []
    for path in paths:
        found = read_figures(path)
        campaigns = _understood(
            path,
            "published figures",
            partial(transcribe.campaigns, found, vocabulary, prefix=prefix, measured_by=measured_by, grouping=grouping),
        )
        for campaign_id, campaign in campaigns.items():
            if campaign_id in made:
                raise Refused(f"{path}: another file has made a campaign {campaign_id} already; import them one by one")
            text = transcribe.written(campaign)
            _valid(campaign_id, text, vocabulary)
            made[campaign_id] = Made(id=campaign_id, runs=len(campaign["runs"]), files={"campaign.json": text.encode()})
        left_out += found.unpublished
    return Taken(campaigns=tuple(made.values()), left_out=tuple(left_out))


def static_batches(root: Path, path: Path, *, campaign_id: str, measured_by: str, kind: str) -> Taken:
    """A campaign of grade `requests` from a file of the static-batch harness, which travels beside it. Raises `Refused`."""
    vocabulary = _vocabulary(root)
    source = _source(path)
    if path.name == "campaign.json":
        raise Refused(f"{path}: the file travels beside a campaign.json, so it needs another name")
    try:
        values = static_batch.read(
            source.raw.decode(), campaign_id=campaign_id, file=path.name, measured_by=measured_by, kind=kind
        )
    except static_batch.NotUnderstood as error:
        raise Refused(f"{path}: {error}") from error
    text = static_batch.written(values)
    _valid(campaign_id, text, vocabulary)
    files = {"campaign.json": text.encode(), path.name: source.raw}
    return Taken(campaigns=(Made(id=campaign_id, runs=len(values["runs"]), files=files),))


def llama_benches(root: Path, paths: Sequence[Path], stated: llama_bench.Stated) -> Taken:
    """A campaign of grade `record` from files of llama-bench, which travel beside it. Raises `Refused`."""
    vocabulary = _vocabulary(root)
    read: dict[str, tuple[object, bytes]] = {}
    for path in paths:
        if path.name == "campaign.json" or path.name in read:
            raise Refused(f"{path}: the file travels beside a campaign.json, so it needs a name of its own")
        raw = _raw(path)
        loaded = json_source(str(path), _understood(path, TOOL, partial(_llama_json, raw)))
        if loaded.source is None:
            raise Refused(problems=loaded.problems)
        read[path.name] = loaded.source.data, raw
    values, left_out = _understood(paths[0], TOOL, lambda: llama_bench.campaign(read, stated), paths)
    text = transcribe.written(values)
    _valid(stated.campaign_id, text, vocabulary)
    files = {"campaign.json": text.encode(), **{name: raw for name, (_, raw) in read.items()}}
    return Taken(campaigns=(Made(id=stated.campaign_id, runs=len(values["runs"]), files=files),), left_out=left_out)


def _llama_json(raw: bytes) -> bytes:
    return llama_bench.plain_json(raw.decode()).encode()


def store(root: Path, taken: Taken, *, replace: bool) -> Report:
    """Writes the campaigns, and answers with the warnings that the check will have of the originals beside them.

    None is written where one of their files is there and not to be replaced (`CannotWrite`), or has what the check refuses (`Refused`).
    """
    report = Report(
        problem
        for campaign in taken.campaigns
        for name, content in campaign.files.items()
        if name != "campaign.json"
        for problem in beside.confidential_problems(PurePosixPath("evidence", campaign.id, name), content)
    )
    if report.errors:
        raise Refused("nothing was written", report.problems)
    files = {
        root / "evidence" / campaign.id / name: content
        for campaign in taken.campaigns
        for name, content in campaign.files.items()
    }
    for path in files:
        if path.exists() and not replace:
            raise CannotWrite(f"{path} is already there; --replace overwrites it", usage=True)
    for path, content in files.items():
        write_new(path, content, replace=True)
    return report


def differences(root: Path, campaign_id: str, path: Path | None) -> tuple[int, tuple[str, ...]]:
    """How many runs a campaign has, and where it and its source differ. Raises `Refused`.

    The source of a transcription is the file that it was made from; that of a campaign with rows is each original beside it.
    """
    relative = f"evidence/{campaign_id}/campaign.json"
    loaded = read_json(root, relative)
    if loaded.source is None:
        raise Refused(problems=loaded.problems)
    campaign, problems = campaign_of(loaded.source)
    if campaign is None:
        raise Refused(problems=problems)
    if isinstance(campaign, RecordCampaign):
        if path is None:
            raise Refused(f"{relative}: a transcription is compared with the file it was pinned to; name that file")
        found = read_figures(path)
        words = _understood(path, "published figures", lambda: tuple(transcribe.differences(campaign, found)))
        return len(campaign.runs), tuple(f"{relative} {word}" if word.startswith("/") else word for word in words)
    return len(campaign.runs), _of_rows(campaign, _originals(root, campaign, path))


def _of_rows(campaign: RequestCampaign, originals: Mapping[str, RequestCampaign]) -> tuple[str, ...]:
    """Where a campaign with rows and what its originals make differ; each with its place."""
    return tuple(f"evidence/{campaign.id}/campaign.json {part}" for part in original.differences(campaign, originals))


def all_differences(root: Path) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """The same of every campaign with rows and originals; and the originals of tools without an importer, which were not compared.

    Raises `Refused` where a file has an error of its own: a campaign that cannot be read is not compared, and nobody would know.
    """
    library, problems = load(root)
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if library is None or errors:
        raise Refused(problems=errors)
    runs = 0
    words: list[str] = []
    others: list[str] = []
    for entry in library.campaigns.values():
        if not isinstance(entry.campaign, RequestCampaign) or not entry.campaign.originals:
            continue
        made = {one.file: _remade(entry, one.file) for one in entry.campaign.originals}
        unread = [f"evidence/{entry.id}/{file}" for file, campaign in made.items() if campaign is None]
        others += unread
        read = {file: campaign for file, campaign in made.items() if campaign}
        if read:
            runs += len(entry.campaign.runs)
            words += _of_rows(entry.campaign, read)
    return runs, tuple(words), tuple(others)


def _remade(entry: CampaignEntry, file: str) -> RequestCampaign | None:
    """What the importer makes of an original that was read with its campaign."""
    assert isinstance(entry.campaign, RequestCampaign)
    try:
        return original.remade(entry.campaign, file, entry.beside[file])
    except static_batch.NotUnderstood as error:
        raise Refused(f"evidence/{entry.id}/{file}: {error}") from error


def _originals(root: Path, campaign: RequestCampaign, path: Path | None) -> dict[str, RequestCampaign]:
    """What the importer makes of the originals beside a campaign, or of the one named file."""
    relative = f"evidence/{campaign.id}"
    for one in campaign.originals:
        if path_problem(one.file) is not None:
            raise Refused(f"{relative}/campaign.json: {quoted(one.file)} is not a file beside it")
    paths = [root / relative / one.file for one in campaign.originals] if path is None else [path]
    if not paths:
        raise Refused(f"{relative}/campaign.json: no original stands beside it, so there is nothing to compare with")
    return {path.name: _reread(campaign, path) for path in paths}


def _reread(campaign: RequestCampaign, path: Path) -> RequestCampaign:
    try:
        made = original.remade(campaign, path.name, _source(path).raw)
    except static_batch.NotUnderstood as error:
        raise Refused(f"{path}: {error}") from error
    if made is None:
        raise Refused(f"{path}: {static_batch.NO_ARMS}")
    return made


def read_figures(path: Path) -> Figures:
    """A file of published figures. Raises `Refused`."""
    data = _source(path).data
    if static_batch.recognises(data):
        raise Refused(f"{path}: this looks like a file of the static-batch harness: import static-batch")
    if isinstance(data, list) and llama_bench.recognises(data):
        raise Refused(f"{path}: this looks like llama-bench: import llama-bench")
    if not isinstance(data, dict):
        raise Refused(f"{path}: {kind_of(data)}; published figures are one JSON object")
    return _understood(path, "published figures", lambda: figures.read(data))


def _source(path: Path) -> Source:
    """A JSON file from anywhere, read with the same care as one of the repository's own."""
    loaded = json_source(str(path), _raw(path))
    if loaded.source is None:
        raise Refused(problems=loaded.problems)
    return loaded.source


def _raw(path: Path) -> bytes:
    read = read_bytes(path.absolute().parent, path.name, limit=CAMPAIGN_LIMIT)
    if read.raw is None:
        raise Refused(problems=[_as_typed(problem, path) for problem in read.problems])
    return read.raw


def _as_typed(problem: Problem, path: Path) -> Problem:
    """A problem of a file from anywhere: named as it was typed, and in the repository it need not be."""
    anywhere = problem.rule == "reference.missing-file"
    expected = "a file that is there" if anywhere else problem.expected
    return replace(problem, place=replace(problem.place, path=str(path)), expected=expected)


def _understood(path: Path, what: str, read: Callable[[], Read], others: Sequence[Path] = ()) -> Read:
    """What `read` gives of a file, or of it and others. A reader says what it does not understand; where it stumbles, the file has another shape."""
    try:
        return read()
    except (figures.NotUnderstood, llama_bench.NotUnderstood, static_batch.NotUnderstood) as error:
        words = str(error)
        meant = next((other for other in (path, *others) if words.startswith(f"{other.name}: ")), path)
        raise Refused(f"{meant}: {words.removeprefix(f'{meant.name}: ')}") from error
    except KeyError as error:
        raise Refused(f"{path}: not a file of {what}, or one with another shape: {error} is missing") from error
    except (TypeError, AttributeError, LookupError, ValueError, ArithmeticError) as error:
        raise Refused(f"{path}: not a file of {what}, or one with another shape: {error}") from error


def _vocabulary(root: Path) -> Vocabulary:
    loaded = read_yaml(root, "content/vocabulary.yaml")
    if loaded.source is None:
        raise Refused(problems=loaded.problems)
    checked = check(loaded.source, Vocabulary, noun="the vocabulary")
    if checked.record is None:
        raise Refused(problems=checked.problems)
    return checked.record


def _valid(campaign_id: str, text: str, vocabulary: Vocabulary) -> None:
    """The campaign as the build will read it: what the build would refuse is not written."""
    loaded = json_source(f"evidence/{campaign_id}/campaign.json", text.encode())
    if loaded.source is None:
        raise Refused("the campaign that this would make is not sound; nothing was written", loaded.problems)
    campaign, problems = campaign_of(loaded.source)
    if campaign is not None:
        problems = tuple(campaign_check.problems(loaded.source, campaign, vocabulary))
    report = Report(problems)
    if report.errors:
        raise Refused("the campaign that this would make is not sound; nothing was written", problems)
