"""Library: everything in `content/` and `evidence/`, loaded and checked on its own. What must agree between files is `agreement`'s.

A file that fails stays known by its id, so that nothing which refers to it is reported a second time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TypeVar

from proofpress import campaign_check
from proofpress.campaign import FORMAT, GRADES, Campaign
from proofpress.card import Card
from proofpress.disk import list_files, read_bytes
from proofpress.guide import Guide, parse
from proofpress.lab import Lab
from proofpress.problem import Place, Problem, Severity, quoted
from proofpress.schema import ID_PATTERN, check, did_you_mean
from proofpress.source import CAMPAIGN_LIMIT, Source, read_json, read_text, read_yaml
from proofpress.vocabulary import Vocabulary

RESERVED = frozenset(
    {
        "index",
        "assets",
        "api",
        "models",
        "guides",
        "families",
        "hardware",
        "evidence",
        "charts",
        "schema",
        "404",
        "con",
        "nul",
        "aux",
        "prn",
    }
)
"""Ids that would meet the site's own files, or that some systems cannot store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardEntry:
    """A checked card with the file it came from."""

    id: str
    card: Card
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignEntry:
    """A checked campaign with the file it came from and the bytes of the originals beside it."""

    id: str
    campaign: Campaign
    source: Source
    beside: Mapping[str, bytes]
    """Files in the campaign's folder besides `campaign.json`, by name: a README and a tool's originals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """All that a site is made from. `failed` holds the ids of files that could not be used, as 'card:x' or 'campaign:y'."""

    lab: Lab
    vocabulary: Vocabulary
    cards: Mapping[str, CardEntry]
    campaigns: Mapping[str, CampaignEntry]
    guides: Mapping[str, Guide]
    pages: Mapping[str, Source]
    inputs: Mapping[str, str]
    """SHA-256 of every input file, by path."""
    failed: frozenset[str]


class _Loading:
    """What gathers while files are read: problems, digests, and the ids that failed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[Problem] = []
        self.inputs: dict[str, str] = {}
        self.failed: set[str] = set()

    def note(self, source: Source | None, problems: tuple[Problem, ...]) -> Source | None:
        self.problems += problems
        if source is not None:
            self.inputs[source.path] = source.sha256
        if any(problem.severity is Severity.ERROR for problem in problems):
            return None
        return source


def load(root: Path) -> tuple[Library | None, tuple[Problem, ...]]:
    """The library below `root`, and every problem that one file shows by itself. None where site or vocabulary cannot be used."""
    loading = _Loading(root)
    lab = _configuration(loading, "content/site.yaml", Lab, "the site's description")
    vocabulary = _configuration(loading, "content/vocabulary.yaml", Vocabulary, "the vocabulary")
    content = _files(loading, "content")
    evidence = _files(loading, "evidence")
    cards = dict(_cards(loading, content))
    guides = dict(_guides(loading, content))
    pages = dict(_pages(loading, content))
    campaigns = dict(_campaigns(loading, evidence, vocabulary))
    if lab is None or vocabulary is None:
        return None, tuple(loading.problems)
    library = Library(
        lab=lab,
        vocabulary=vocabulary,
        cards=cards,
        campaigns=campaigns,
        guides=guides,
        pages=pages,
        inputs=dict(sorted(loading.inputs.items())),
        failed=frozenset(loading.failed),
    )
    return library, tuple(loading.problems)


Configuration = TypeVar("Configuration", Lab, Vocabulary)


def _configuration(loading: _Loading, path: str, model: type[Configuration], noun: str) -> Configuration | None:
    loaded = read_yaml(loading.root, path)
    source = loading.note(loaded.source, loaded.problems)
    if source is None:
        return None
    checked = check(source, model, noun=noun)
    loading.problems += checked.problems
    return checked.record


def _files(loading: _Loading, folder: str) -> tuple[PurePosixPath, ...]:
    paths, problems = list_files(loading.root, folder)
    loading.problems += problems
    return tuple(PurePosixPath(path) for path in paths if not PurePosixPath(path).name.startswith("."))


def _ids(
    loading: _Loading, paths: Iterator[tuple[str, PurePosixPath]], kind: str
) -> Iterator[tuple[str, PurePosixPath]]:
    """The paths whose ids may be used; an id that is malformed, reserved or taken is a problem."""
    taken: dict[str, PurePosixPath] = {}
    for name, path in paths:
        place = Place(path=str(path))
        if name.lower() in taken:
            other = taken[name.lower()]
            expected = "ids are unique, capital letters aside"
            loading.problems.append(
                Problem(
                    rule="duplicate.id",
                    place=place,
                    field="",
                    found=quoted(name),
                    expected=expected,
                    hint=f"also in {other}",
                )
            )
        elif not re.fullmatch(ID_PATTERN, name) or name.endswith(".") or ".." in name or len(name) > 80:
            expected = (
                "an id is small letters, digits, points and hyphens, starts with a letter or digit, and has at most 80"
            )
            loading.problems.append(
                Problem(
                    rule="path.id",
                    place=place,
                    field="",
                    found=quoted(name),
                    expected=expected,
                    hint="rename the file; ids are never changed for you",
                )
            )
        elif name in RESERVED:
            expected = f"'{name}' is the name of a part of the site itself"
            loading.problems.append(
                Problem(
                    rule="path.reserved",
                    place=place,
                    field="",
                    found=quoted(name),
                    expected=expected,
                    hint="choose another id",
                )
            )
        else:
            taken[name.lower()] = path
            yield name, path
            continue
        taken.setdefault(name.lower(), path)
        loading.failed.add(f"{kind}:{name}")


def _cards(loading: _Loading, content: tuple[PurePosixPath, ...]) -> Iterator[tuple[str, CardEntry]]:
    found = (
        (path.stem, path)
        for path in content
        if path.parent == PurePosixPath("content/cards") and path.suffix == ".yaml"
    )
    for card_id, path in _ids(loading, found, "card"):
        loaded = read_yaml(loading.root, str(path))
        source = loading.note(loaded.source, loaded.problems)
        if source is not None:
            checked = check(source, Card, noun="a card")
            loading.problems += checked.problems
            if checked.record is not None:
                yield card_id, CardEntry(id=card_id, card=checked.record, source=source)
                continue
        loading.failed.add(f"card:{card_id}")


def _guides(loading: _Loading, content: tuple[PurePosixPath, ...]) -> Iterator[tuple[str, Guide]]:
    found = (
        (path.stem, path) for path in content if path.parent == PurePosixPath("content/guides") and path.suffix == ".md"
    )
    for guide_id, path in _ids(loading, found, "guide"):
        loaded = read_text(loading.root, str(path))
        source = loading.note(loaded.source, loaded.problems)
        if source is not None:
            guide, problems = parse(source, guide_id)
            loading.problems += problems
            if guide is not None:
                yield guide_id, guide
                continue
        loading.failed.add(f"guide:{guide_id}")


def _pages(loading: _Loading, content: tuple[PurePosixPath, ...]) -> Iterator[tuple[str, Source]]:
    for path in content:
        if path.is_relative_to("content/pages") and path.suffix == ".md":
            loaded = read_text(loading.root, str(path))
            source = loading.note(loaded.source, loaded.problems)
            if source is not None:
                yield str(path.relative_to("content/pages").with_suffix("")), source


def _campaigns(
    loading: _Loading, evidence: tuple[PurePosixPath, ...], vocabulary: Vocabulary | None
) -> Iterator[tuple[str, CampaignEntry]]:
    found = (
        (path.parent.name, path)
        for path in evidence
        if path.name == "campaign.json" and path.parent.parent == PurePosixPath("evidence")
    )
    for campaign_id, path in _ids(loading, found, "campaign"):
        loaded = read_json(loading.root, str(path))
        source = loading.note(loaded.source, loaded.problems)
        campaign, problems = campaign_of(source) if source is not None else (None, ())
        loading.problems += problems
        if source is None or campaign is None:
            loading.failed.add(f"campaign:{campaign_id}")
            continue
        problems = tuple(_named_as_folder(source, campaign, campaign_id))
        if vocabulary is not None:
            problems += tuple(campaign_check.problems(source, campaign, vocabulary))
        beside = dict(_beside(loading, evidence, path))
        problems += tuple(_originals(source, campaign, loading.inputs, path))
        loading.problems += problems
        if any(problem.severity is Severity.ERROR for problem in problems):
            loading.failed.add(f"campaign:{campaign_id}")
            continue
        yield campaign_id, CampaignEntry(id=campaign_id, campaign=campaign, source=source, beside=beside)


def campaign_of(source: Source) -> tuple[Campaign | None, tuple[Problem, ...]]:
    """The campaign in `source`, by its format version and grade, so that one mistake gives one message."""
    if isinstance(source.data, dict):
        version = source.data.get("format")
        if version != FORMAT:
            newer = isinstance(version, str) and re.fullmatch(r"proofpress\.campaign/[2-9]\d*", version)
            hint = "this file is newer than the program: update the program" if newer else f'write "format": "{FORMAT}"'
            expected = f"campaigns say their format, and this program reads {FORMAT}"
            return None, (
                source.problem("schema.format", ("format",), found=quoted(version), expected=expected, hint=hint),
            )
        grade = source.data.get("grade")
        if grade not in GRADES:
            hint = did_you_mean(grade, GRADES)
            problem = source.problem(
                "schema.grade", ("grade",), found=quoted(grade), expected="'record' or 'requests'", hint=hint
            )
            return None, (problem,)
        checked = check(source, GRADES[grade], noun="a campaign")
        return checked.record, checked.problems
    empty = check(source, GRADES["record"], noun="a campaign")
    return empty.record, empty.problems


def _named_as_folder(source: Source, campaign: Campaign, campaign_id: str) -> Iterator[Problem]:
    if campaign.id != campaign_id:
        expected = f"the name of its folder, '{campaign_id}'"
        yield source.problem("mismatch.campaign-id", ("id",), found=quoted(campaign.id), expected=expected)


def _beside(
    loading: _Loading, evidence: tuple[PurePosixPath, ...], campaign: PurePosixPath
) -> Iterator[tuple[str, bytes]]:
    for path in evidence:
        if path.parent == campaign.parent and path != campaign:
            read = read_bytes(loading.root, str(path), limit=CAMPAIGN_LIMIT)
            loading.problems += read.problems
            if read.raw is not None:
                loading.inputs[str(path)] = sha256(read.raw).hexdigest()
                yield path.name, read.raw


def _originals(source: Source, campaign: Campaign, inputs: Mapping[str, str], path: PurePosixPath) -> Iterator[Problem]:
    for index, original in enumerate(campaign.originals):
        found = inputs.get(str(path.parent / original.file))
        if found is None:
            expected = "the file stands beside campaign.json"
            yield source.problem(
                "reference.missing-original",
                ("originals", index, "file"),
                found=quoted(original.file),
                expected=expected,
            )
        elif found != original.sha256:
            expected = f"the file's SHA-256, {found}"
            hint = "originals stay byte for byte as the tool wrote them"
            yield source.problem(
                "reference.original-changed",
                ("originals", index, "sha256"),
                found=original.sha256,
                expected=expected,
                hint=hint,
            )
