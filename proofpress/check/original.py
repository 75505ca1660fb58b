"""Original: a campaign with rows held against the tool's own files beside it. Comes in: both. Goes out: where they part.

What a file does not say (an image, a prompt's digest) the campaign may add. What it says stands in the campaign, and every run that it
has is there with its rows: one that was measured was not "not measured".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from pydantic import BaseModel, ValidationError

from proofpress.kernel.plan import run_name
from proofpress.load.source import Location, Source
from proofpress.problem import Problem, counted, quoted
from proofpress.records.campaign import MeasuredRun, NotMeasured, RequestCampaign, RunId, arm_of, workload_on
from proofpress.tools import static_batch
from proofpress.tools.static_batch import NotUnderstood

_ARM = ("dtype", "weight_bytes", "cards", "tensor_parallel", "oracles")
_SETUP = ("accelerator", "engine", "model", "settings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing of which the campaign and a tool's file say different things."""

    location: Location
    """In the campaign."""
    ours: str
    theirs: str
    file: str

    def __str__(self) -> str:
        """'/runs/9/batches/0/wall_s: in the campaign 1.5, in x.raw.json 0.7'."""
        pointer = "".join(f"/{part}" for part in self.location)
        return f"{pointer}: in the campaign {self.ours}, in {self.file} {self.theirs}"


def problems(source: Source, campaign: RequestCampaign, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """mismatch.original: rows that the listed originals, among `files`, contradict. Files of tools without an importer say nothing."""
    originals: dict[str, RequestCampaign] = {}
    for index, one in enumerate(campaign.originals):
        try:
            made = remade(campaign, one.file, files[one.file])
        except NotUnderstood as error:
            expected = "a file of the static-batch harness, to hold the rows against"
            hint = "restore the file as the harness wrote it"
            yield source.problem(
                "mismatch.original", ("originals", index), found=str(error), expected=expected, hint=hint
            )
            return
        if made is not None:
            originals[one.file] = made
        elif _is_broken(one.file, files[one.file]):
            yield source.problem(
                "mismatch.original",
                ("originals", index, "file"),
                found=f"{quoted(one.file)} cannot be read as JSON",
                expected="an original is as its tool wrote it, and rows are held against it",
                hint="restore the file; a compressed or renamed one is listed under a name that says so",
            )
    for part in differences(campaign, originals) if originals else ():
        yield source.problem(
            "mismatch.original",
            part.location,
            found=part.ours,
            expected=f"{part.theirs}, as {part.file} says",
            hint="import the file again; what is wrong in it is measured again, under another pass or campaign",
        )


def remade(campaign: RequestCampaign, file: str, raw: bytes) -> RequestCampaign | None:
    """What the importer makes of a tool's file beside `campaign`; None where it is no file of the harness. Raises `NotUnderstood`."""
    if not is_read(raw):
        return None
    measurer = campaign.measured_by
    values = static_batch.read(
        _text(raw), campaign_id=campaign.id, file=file, measured_by=measurer.name, kind=measurer.kind
    )
    try:
        return RequestCampaign.model_validate_json(json.dumps(values, default=float))
    except ValidationError as error:
        raise NotUnderstood("the campaign that this would make is not sound") from error


def is_read(raw: bytes) -> bool:
    """Whether a file is of a tool whose files an importer with rows reads."""
    try:
        return static_batch.recognises(json.loads(_text(raw)))
    except (ValueError, RecursionError):  # no JSON, so no file of the harness
        return False


def _text(raw: bytes) -> str:
    """The characters of a file; a byte-order mark hides nothing. Raises `UnicodeDecodeError`."""
    return raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")


def _is_broken(file: str, raw: bytes) -> bool:
    """Whether a file that is JSON by its name cannot be read as such, so that nobody knows what is in it."""
    if not file.endswith(".json"):
        return False
    try:
        json.loads(_text(raw))
    except (ValueError, RecursionError):
        return True
    return False


def differences(campaign: RequestCampaign, originals: Mapping[str, RequestCampaign]) -> Iterator[Difference]:
    """Where the campaign and what the importer makes of its originals, by file, say different things.

    One tool makes a campaign: where one of its files is read, a run that is in none of those that are read has no source.
    """
    for file, original in originals.items():
        yield from _set_up(campaign, original, file)
    theirs: dict[RunId, list[tuple[MeasuredRun, str]]] = {}
    for file, original in originals.items():
        for run in original.runs:
            if isinstance(run, MeasuredRun):
                theirs.setdefault(run.key, []).append((run, file))
    for index, own in enumerate(campaign.runs):
        where: Location = ("runs", index)
        if own.key not in theirs and isinstance(own, MeasuredRun):
            file = " or ".join(originals)
            yield Difference(location=where, ours=run_name(own.key), theirs="no such run", file=file)
        for measured, file in theirs.get(own.key, ()):
            if isinstance(own, NotMeasured):
                reason, place = quoted(own.not_measured), (*where, "not_measured")
                yield Difference(location=place, ours=reason, theirs=f"measured, {_size(measured)}", file=file)
            else:
                # the first of a run: rows that moved by one would fill pages
                yield from islice(_parts(where, own, measured, file), 1)
    named = {run.key for run in campaign.runs}
    for key, found in theirs.items():
        if key in named:
            continue
        measured, file = found[0]
        ours = f"no run of {run_name(key)}"
        yield Difference(location=("runs",), ours=ours, theirs=f"measured, {_size(measured)}", file=file)


def _size(run: MeasuredRun) -> str:
    return counted(sum(1 for _ in run.requests()), "request")


def _set_up(campaign: RequestCampaign, original: RequestCampaign, file: str) -> Iterator[Difference]:
    for name in _SETUP:
        yield from _parts(("setup", name), getattr(campaign.setup, name), getattr(original.setup, name), file)
    yield from _workload(campaign, original, file)
    for index, arm in enumerate(campaign.arms):
        other = arm_of(original, arm.id)
        if other is None:
            continue
        where: Location = ("arms", index)
        if other.speculation is None and arm.speculation is not None:  # null is a statement here: there is none
            ours = quoted(arm.speculation.method)
            yield Difference(location=(*where, "speculation"), ours=ours, theirs="none", file=file)
        for name in (*_ARM, "speculation"):
            yield from _parts((*where, name), getattr(arm, name), getattr(other, name), file)


def _workload(campaign: RequestCampaign, original: RequestCampaign, file: str) -> Iterator[Difference]:
    """What was sent, on each axis that the file has; what differs on all of them is said once."""
    found: dict[Location, Difference] = {}
    for axis in dict.fromkeys(run.axis for run in original.runs):
        own = campaign.workload.by_axis.get(axis)
        ours, theirs = workload_on(campaign, axis), workload_on(original, axis)
        for name in type(ours).model_fields.keys() - {"by_axis"}:
            where: Location = ("workload", name)
            if own is not None and name in type(own).model_fields:
                where = ("workload", "by_axis", axis.value, name)
            for part in _parts(where, getattr(ours, name), getattr(theirs, name), file):
                found.setdefault(part.location, part)
    yield from (found[location] for location in sorted(found, key=str))


def _parts(where: Location, ours: object, theirs: object, file: str) -> Iterator[Difference]:
    """The smallest parts that differ; nothing where they agree, or the file does not say."""
    if ours == theirs or theirs is None or theirs == ():
        return
    if isinstance(theirs, BaseModel) and type(ours) is type(theirs):
        for name, field in type(theirs).model_fields.items():
            yield from _parts((*where, field.alias or name), getattr(ours, name), getattr(theirs, name), file)
    elif isinstance(theirs, dict) and isinstance(ours, dict):
        for name, value in theirs.items():
            yield from _parts((*where, name), ours.get(name), value, file)
    elif isinstance(theirs, tuple) and isinstance(ours, tuple):
        if len(ours) != len(theirs):
            yield Difference(location=where, ours=f"{len(ours)} in number", theirs=str(len(theirs)), file=file)
            return
        for index, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _parts((*where, index), mine, other, file)
    else:
        yield Difference(location=where, ours=_words(ours), theirs=_words(theirs), file=file)


def _words(value: object) -> str:
    if isinstance(value, BaseModel):
        return quoted(value.model_dump(mode="json", by_alias=True, exclude_none=True))
    return str(value) if isinstance(value, date) else quoted(value)
