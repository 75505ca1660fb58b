"""Beside: the files in a campaign's folder besides `campaign.json`. They are published byte for byte, so each is data or text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath

from proofpress.check import confidential
from proofpress.load.disk import path_problem, read_bytes
from proofpress.load.source import CAMPAIGN_LIMIT, Source
from proofpress.load.text import LFS_POINTER, Text
from proofpress.problem import Problem, Severity, of_file, quoted
from proofpress.records.campaign import Campaign
from proofpress.records.schema import did_you_mean

_HEAD = 4096
"""Bytes at the beginning of a file in which its kind is looked for; browsers look at fewer."""

_MARKUP = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\t\n\f\r ]*"
    rb"(<(?:!--|\?xml|(?:!doctype html|html|head|body|title|style|script|iframe|svg|div|table|font|h1|a|b|br|p)(?=[\s/>])))",
    re.IGNORECASE,
)
"""How a file begins that a browser takes for a page or a drawing, whatever its name, when a server does not say what it is."""

ENDINGS = frozenset({".csv", ".json", ".jsonl", ".log", ".md", ".ndjson", ".tsv", ".txt", ".yaml", ".yml"})
"""Endings of the files that may stand beside a campaign: data and text. They are published as they are, so nothing that a browser runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What was read, and every problem with it."""

    files: Mapping[str, bytes]
    """By name."""
    digests: Mapping[str, str]
    """SHA-256 of each, by path."""
    problems: tuple[Problem, ...]


def read(root: Path, folder: Iterable[PurePosixPath], campaign: PurePosixPath) -> Beside:
    """The files of `folder` that stand beside `campaign`."""
    files: dict[str, bytes] = {}
    digests: dict[str, str] = {}
    problems: list[Problem] = []
    taken = {campaign.name: campaign}
    for path in sorted(
        folder, key=lambda path: (path.name != path.name.lower(), path)
    ):  # of two, the plainer name stays
        if path == campaign:
            continue
        other = taken.setdefault(path.name.lower(), path)
        if path.suffix.lower() not in ENDINGS:
            expected = f"data or text stands beside a campaign: {' '.join(sorted(ENDINGS))}"
            hint = "it would be published as it is, and a browser would run it or nobody could read it"
            problems.append(of_file("path.not-evidence", path, expected=expected, hint=hint))
        elif other != path:
            expected, hint = "names are unique, capital letters aside", f"also {other.name}"
            problems.append(of_file("duplicate.id", path, expected=expected, hint=hint))
        else:
            found = read_bytes(root, str(path), limit=CAMPAIGN_LIMIT)
            problems += found.problems
            if found.raw is not None:
                digests[str(path)] = sha256(found.raw).hexdigest()
                problems += confidential_problems(path, found.raw)
                problems += _markup(path, found.raw)
                problems += _pointer(path, found.raw)
                files[path.name] = found.raw
    return Beside(files=files, digests=digests, problems=tuple(problems))


def _markup(path: PurePosixPath, raw: bytes) -> Iterator[Problem]:
    """A page or drawing under the name of data: only how it begins says so."""
    begins = _MARKUP.match(raw[:_HEAD].replace(b"\0", b""))  # UTF-16 hides nothing
    if begins:
        yield of_file(
            "path.not-evidence",
            path,
            found=f"begins with {quoted(begins[1].decode())}",
            expected="data or text beside a campaign does not begin like a page",
            hint="a saved page is no measurement; begin a text with a heading, as '# Title'",
        )


def _pointer(path: PurePosixPath, raw: bytes) -> Iterator[Problem]:
    """What Git LFS leaves in place of a file that was not fetched."""
    if raw.startswith(LFS_POINTER.encode()):
        found, hint = "a Git LFS pointer instead of the file", "run 'git lfs pull', or commit the file without LFS"
        yield of_file("syntax.git-lfs-pointer", path, found=found, expected="the file itself", hint=hint)


def confidential_problems(path: PurePosixPath, raw: bytes) -> Iterator[Problem]:
    """What stands in a file beside a campaign and should not, the first of each rule: a secret refuses, a host path is a warning.

    A tool's original stays as the tool wrote it, so a path in it is told and no more.
    """
    raw = raw.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf")  # UTF-16 hides nothing
    for find, at in confidential.first_finds(raw):
        text = Text(str(path), raw.decode("utf-8", "backslashreplace"))
        start = len(raw[:at].decode("utf-8", "backslashreplace"))
        secret = find.rule == "text.secret"
        problem = text.problem(
            find.rule,
            start,
            start + len(find.words),
            found=quoted(find.words),
            expected=find.expected,
            hint=find.hint
            if secret
            else "call the tool with a relative path and measure again, or let it be published as it stands",
            severity=Severity.ERROR if secret else Severity.WARNING,
        )
        # a message is public as well: the line that holds a secret is not quoted
        yield replace(problem, place=replace(problem.place, excerpt="")) if secret else problem


_DATA = frozenset({".csv", ".json", ".jsonl", ".ndjson", ".tsv"})
"""Endings of what a tool writes; a README and a log are text."""


def unlisted(campaign: Campaign, folder: PurePosixPath, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """reference.unlisted-original: a tool's file beside rows which does not stand in `originals`, so that nothing holds them against it."""
    listed = {one.file for one in campaign.originals}
    for name, raw in files.items():
        if campaign.grade == "requests" and name not in listed and _is_data(name, raw):
            yield of_file(
                "reference.unlisted-original",
                folder / name,
                expected="a tool's file beside rows is listed under 'originals', so that they are held against it",
                hint=f'add {{"file": "{name}", "sha256": "{sha256(raw).hexdigest()}"}}, or remove the file',
            )


def _is_data(name: str, raw: bytes) -> bool:
    """By its ending, or because it is JSON whatever its name."""
    if PurePosixPath(name).suffix.lower() in _DATA:
        return True
    if raw.lstrip()[:1] not in {b"{", b"["}:
        return False
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def original_problems(source: Source, campaign: Campaign, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """Originals that a campaign names, held against the files beside it."""
    for index, original in enumerate(campaign.originals):
        location = ("originals", index, "file")
        wrong = path_problem(original.file)
        if wrong is not None:
            yield source.problem(wrong.rule, location, found=wrong.found, expected=wrong.expected, hint=wrong.hint)
        elif original.file not in files:
            expected, hint = "the file stands beside campaign.json", did_you_mean(original.file, files)
            yield source.problem(
                "reference.missing-original", location, found=quoted(original.file), expected=expected, hint=hint
            )
        elif (digest := sha256(files[original.file]).hexdigest()) != original.sha256:
            expected = f"the file's SHA-256, {digest}"
            hint = "originals stay byte for byte as the tool wrote them: restore the file, or state what it is now"
            place = ("originals", index, "sha256")
            yield source.problem(
                "reference.original-changed", place, found=original.sha256, expected=expected, hint=hint
            )
