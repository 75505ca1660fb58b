"""Library: everything in `content/` and `evidence/`, loaded and checked on its own. What must agree between files is `agreement`'s.

A file that fails stays known by its id, so that nothing which refers to it is reported a second time. So does a file that is
not read because the check is about others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias, TypeVar

from proofpress.check import beside, campaign_check
from proofpress.check.scope import EVERYTHING, Scope
from proofpress.load.disk import list_files, read_bytes
from proofpress.load.source import CAMPAIGN_LIMIT, CARD_LIMIT, Source, read_json, read_text, read_yaml
from proofpress.problem import Problem, Severity, of_file, quoted
from proofpress.progress import Watch, told, unwatched
from proofpress.records.campaign import FORMAT, GRADES, Campaign
from proofpress.records.card import Card
from proofpress.records.guide import Guide, parse
from proofpress.records.lab import Lab
from proofpress.records.schema import as_id, check, did_you_mean, is_id
from proofpress.records.vocabulary import Vocabulary

_SITE_NAMES = (
    "404 api assets build changes charts compare embed evidence families feed glossary guides hardware index llms models"
    " robots rules schema sitemap"
)
RESERVED = frozenset(_SITE_NAMES.split(" "))
"""Ids that would meet the site's own files and folders."""

DEVICES = frozenset({"con", "nul", "aux", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
"""Names that Windows keeps for devices, whatever their ending."""

ENDINGS = (".html", ".json", ".js", ".css", ".svg", ".csv", ".md", ".yaml", ".yml", ".xml", ".txt", ".png")
"""Endings of the site's files; an id with one of them would be a file on one page's side and a folder on another's."""


READ = frozenset({".json", ".md", ".yaml", ".yml"})
"""Endings of what contributors write."""


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
    """All that a site is made from, or what a check is about.

    `failed` holds the ids of files that could not be used or were not read, as 'card:x' or 'campaign:y'.
    """

    lab: Lab
    vocabulary: Vocabulary
    cards: Mapping[str, CardEntry]
    campaigns: Mapping[str, CampaignEntry]
    guides: Mapping[str, Guide]
    pages: Mapping[str, Source]
    settings: tuple[Source, ...]
    """The files of the site's description and of the vocabulary."""
    inputs: Mapping[str, str]
    """SHA-256 of every input file, by path."""
    failed: frozenset[str]


class _Loading:
    """What gathers while files are read: problems, digests, and the ids that failed."""

    def __init__(self, root: Path, scope: Scope, watch: Watch) -> None:
        self.root = root
        self.scope = scope
        self.watch = watch
        self.problems: list[Problem] = []
        self.inputs: dict[str, str] = {}
        self.failed: set[str] = set()
        self.settings: list[Source] = []

    def note(self, source: Source | None, problems: tuple[Problem, ...]) -> Source | None:
        self.problems += problems
        if source is not None:
            self.inputs[source.path] = source.sha256
        if any(problem.severity is Severity.ERROR for problem in problems):
            return None
        return source


def load(
    root: Path, *, scope: Scope = EVERYTHING, watch: Watch = unwatched
) -> tuple[Library | None, tuple[Problem, ...]]:
    """The library below `root`, and every problem that one file shows by itself. None where site or vocabulary cannot be used.

    With a smaller scope only what it needs is read. Then the problems of the files in it are complete, those of others are not.
    """
    loading = _Loading(root, scope, watch)
    lab = _configuration(loading, "content/site.yaml", Lab, "the site's description")
    vocabulary = _configuration(loading, "content/vocabulary.yaml", Vocabulary, "the vocabulary")
    content = _files(loading, "content")
    evidence = _files(loading, "evidence")
    cards, guides, campaigns = (dict(_ids(loading, *found)) for found in _found(content, evidence))
    needed = _Needed(
        guides={guide_id for guide_id, path in guides.items() if scope.holds(path)},
        campaigns={campaign_id for campaign_id, path in campaigns.items() if scope.meets(path.parent)},
    )
    read_cards = _cards(loading, cards, needed)
    read_guides = dict(_guides(loading, _wanted(loading, guides, needed.guides, "guide")))
    pages = dict(_pages(loading, content))
    wanted = _wanted(loading, campaigns, needed.campaigns, "campaign")
    read_campaigns = dict(_campaigns(loading, wanted, evidence, vocabulary))
    twins = _twins(loading, campaigns, read_campaigns)
    read_campaigns |= dict(_campaigns(loading, twins, evidence, vocabulary))
    loading.problems += _unread(content, evidence)
    if lab is None or vocabulary is None:
        return None, tuple(loading.problems)
    library = Library(
        lab=lab,
        vocabulary=vocabulary,
        cards=read_cards,
        campaigns=read_campaigns,
        guides=read_guides,
        pages=pages,
        settings=tuple(loading.settings),
        inputs=dict(sorted(loading.inputs.items())),
        failed=frozenset(loading.failed),
    )
    return library, tuple(loading.problems)


Configuration = TypeVar("Configuration", Lab, Vocabulary)


def files(root: Path) -> tuple[PurePosixPath, ...]:
    """All files that a check of everything is about."""
    loading = _Loading(root, EVERYTHING, unwatched)
    return (*_files(loading, "content"), *_files(loading, "evidence"))


def _configuration(loading: _Loading, path: str, model: type[Configuration], noun: str) -> Configuration | None:
    loaded = read_yaml(loading.root, path)
    source = loading.note(loaded.source, loaded.problems)
    if source is None:
        return None
    loading.settings.append(source)
    checked = check(source, model, noun=noun)
    loading.problems += checked.problems
    if isinstance(checked.record, Vocabulary):
        incomplete = tuple(checked.record.problems(source))
        loading.problems += incomplete
        return None if incomplete else checked.record
    return checked.record


def _files(loading: _Loading, folder: str) -> tuple[PurePosixPath, ...]:
    paths, problems = list_files(loading.root, folder)
    loading.problems += problems
    found = [PurePosixPath(path) for path in paths]
    loading.problems += _hidden(found)
    return tuple(path for path in found if not path.name.startswith("."))


def _hidden(paths: Iterable[PurePosixPath]) -> Iterator[Problem]:
    """Files that would be read if their names did not begin with a point. What editors and systems leave behind is none of these."""
    for path in paths:
        if path.name.startswith(".") and not path.name.startswith((".#", "._")) and path.suffix in READ:
            expected, hint = "no file that is read has a name that begins with a point", "rename it, or delete it"
            yield of_file("path.id", path, expected=expected, hint=hint)


def _unread(content: tuple[PurePosixPath, ...], evidence: tuple[PurePosixPath, ...]) -> Iterator[Problem]:
    """Files that no page is made of. Nothing that somebody sent disappears without a word."""
    measured = {path.parent for path in evidence if path.name == "campaign.json" and len(path.parts) == 3}
    for path in content:
        wanted = {"cards": ".yaml", "guides": ".md", "pages": ".md"}.get(path.parts[1] if len(path.parts) > 2 else "")
        deep = len(path.parts) > 3 and path.parts[1] != "pages"
        known = str(path) in {"content/site.yaml", "content/vocabulary.yaml"} or (path.suffix == wanted and not deep)
        if not known and path.stem.lower() != "readme":
            hint = f"rename it to {path.stem}{wanted}" if wanted and not deep else "move it, or delete it"
            yield of_file("path.unread", path, expected="every file in content/ is one that the build reads", hint=hint)
    for path in evidence:
        if path.parent in measured or path.stem.lower() == "readme":
            continue
        above = next((folder for folder in path.parents if folder in measured), None)
        hint = f"move it into {above}/ itself" if above else "a campaign is evidence/<id>/campaign.json; move it there"
        yield of_file("path.unread", path, expected="every file in evidence/ belongs to a campaign", hint=hint)


Named: TypeAlias = Iterator[tuple[str, PurePosixPath]]
Paths: TypeAlias = Mapping[str, PurePosixPath]
"""Where files stand, by id."""


def _found(content: tuple[PurePosixPath, ...], evidence: tuple[PurePosixPath, ...]) -> Iterator[tuple[str, Named]]:
    """Cards, guides and campaigns: the kind, and what each is called with where it stands."""
    for kind, folder, ending in (("card", "content/cards", ".yaml"), ("guide", "content/guides", ".md")):
        there = (path for path in content if path.parent == PurePosixPath(folder) and path.suffix == ending)
        yield kind, ((path.stem, path) for path in there)
    there = (path for path in evidence if path.name == "campaign.json" and path.parts[:-2] == ("evidence",))
    yield "campaign", ((path.parent.name, path) for path in there)


def _ids(loading: _Loading, kind: str, paths: Named) -> Named:
    """The paths whose ids may be used; an id that is malformed, reserved or taken is a problem."""
    taken: dict[str, PurePosixPath] = {}
    for name, path in sorted(
        paths, key=lambda pair: (not is_id(pair[0]), pair[1])
    ):  # the well-formed of two comes first
        lowered = name.lower()
        problem = id_problem(name, path)
        if lowered in taken:
            expected, hint = "ids are unique, capital letters aside", f"also in {taken[lowered]}"
            problem = of_file("duplicate.id", path, found=quoted(name), expected=expected, hint=hint)
        taken.setdefault(lowered, path)
        if problem is None:
            yield name, path
        else:
            loading.problems.append(problem)
            loading.failed.add(f"{kind}:{name}")


def id_problem(name: str, path: PurePosixPath) -> Problem | None:
    """What is wrong with one id, which is the name of a file or folder."""
    if name.startswith(".") or name.endswith((".", *ENDINGS)) or ".." in name or not is_id(name):
        expected = "an id is small letters, digits, single points and hyphens, begins with a letter or digit, and is at most 80 long"
        if is_id(name) and ".." not in name:
            expected = "an id does not end in a point or like a file"
        near = as_id(name)
        hint = (
            f"rename it, for example to {near}; ids are never changed for you"
            if near not in {"", name}
            else "rename it"
        )
        return of_file("path.id", path, found=quoted(name), expected=expected, hint=hint)
    if name in RESERVED or name.split(".", maxsplit=1)[0] in DEVICES:
        whose = "the site itself" if name in RESERVED else "Windows"
        return of_file(
            "path.reserved",
            path,
            found=quoted(name),
            expected=f"'{name.split('.', maxsplit=1)[0]}' is a name that {whose} needs",
            hint="choose another id",
        )
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Needed:
    """Ids of the guides and campaigns that the scope is about; those that its cards rest on are added as cards are read."""

    guides: set[str]
    campaigns: set[str]


def _wanted(loading: _Loading, paths: Paths, ids: Set[str], kind: str) -> Paths:
    """Those of the paths whose ids are needed. The others are known by their ids."""
    loading.failed |= {f"{kind}:{name}" for name in paths if name not in ids}
    return {name: path for name, path in paths.items() if name in ids}


def _cards(loading: _Loading, paths: Paths, needed: _Needed) -> Mapping[str, CardEntry]:
    """The cards of the scope, those that name its guides and campaigns, and those by which they are superseded."""
    cards: dict[str, CardEntry] = {}
    read: set[str] = set()

    def take(ids: Iterable[str]) -> None:
        for card_id in ids:
            if card_id not in read:
                read.add(card_id)
                entry = _card(loading, card_id, paths[card_id])
                if entry is not None:
                    cards[card_id] = entry

    asked_for = needed.guides | needed.campaigns
    held = {card_id for card_id, path in paths.items() if loading.scope.holds(path)}
    take(card_id for card_id, path in paths.items() if card_id in held or _may_name(loading.root, path, asked_for))
    named = {name for entry in cards.values() for name in (entry.card.guide, *entry.card.campaigns)}
    if not asked_for <= named:  # that no card at all names it can be said when all have been read
        take(paths)
    for entry in [entry for entry in cards.values() if entry.id in held or entry.card.guide in needed.guides]:
        needed.campaigns.update(entry.card.campaigns)
        if entry.card.guide is not None:
            needed.guides.add(entry.card.guide)
        walked = {entry.id}
        newer = entry.card.superseded_by
        while newer is not None and newer in paths and newer not in walked:
            walked.add(newer)
            take([newer])
            newer = cards[newer].card.superseded_by if newer in cards else None
    loading.failed |= {f"card:{card_id}" for card_id in paths if card_id not in read}
    return {card_id: cards[card_id] for card_id in paths if card_id in cards}


def _may_name(root: Path, path: PurePosixPath, ids: Set[str], limit: int = CARD_LIMIT) -> bool:
    """Whether a file's text holds one of the ids, or an escape that could spell it; a file without either cannot name it."""
    if not ids:
        return False
    raw = read_bytes(root, str(path), limit=limit).raw or b""
    return b"\\" in raw or any(name.encode() in raw for name in ids)


def _card(loading: _Loading, card_id: str, path: PurePosixPath) -> CardEntry | None:
    loaded = read_yaml(loading.root, str(path))
    source = loading.note(loaded.source, loaded.problems)
    if source is not None:
        checked = check(source, Card, noun="a card")
        loading.problems += checked.problems
        if checked.record is not None:
            return CardEntry(id=card_id, card=checked.record, source=source)
    loading.failed.add(f"card:{card_id}")
    return None


def _guides(loading: _Loading, paths: Paths) -> Iterator[tuple[str, Guide]]:
    for guide_id, path in paths.items():
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
    """Written pages by name, `contribute` or `decisions/withholding`; each part of a name is an id."""
    found = (
        (str(path.relative_to("content/pages").with_suffix("")), path)
        for path in content
        if path.is_relative_to("content/pages") and path.suffix == ".md"
    )
    taken: dict[str, PurePosixPath] = {}
    for name, path in found:
        problem = next(filter(None, (id_problem(part, path) for part in name.split("/"))), None)
        if name.lower() in taken and problem is None:
            hint = f"also in {taken[name.lower()]}"
            problem = of_file("duplicate.id", path, expected="names are unique, capital letters aside", hint=hint)
        taken.setdefault(name.lower(), path)
        if problem is not None:
            loading.problems.append(problem)
        elif loading.scope.holds(path):
            loaded = read_text(loading.root, str(path))
            source = loading.note(loaded.source, loaded.problems)
            if source is not None:
                yield name, source


def _campaigns(
    loading: _Loading, paths: Paths, evidence: tuple[PurePosixPath, ...], vocabulary: Vocabulary | None
) -> Iterator[tuple[str, CampaignEntry]]:
    folders: dict[PurePosixPath, list[PurePosixPath]] = {}
    for path in evidence:
        folders.setdefault(path.parent, []).append(path)
    for campaign_id, path in told(paths.items(), "reading evidence", loading.watch):
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
        found = beside.read(loading.root, folders[path.parent], path)
        loading.inputs |= found.digests
        loading.problems += found.problems
        problems += tuple(beside.original_problems(source, campaign, found.files))
        problems += tuple(beside.unlisted(campaign, path.parent, found.files))
        loading.problems += problems
        if any(problem.severity is Severity.ERROR for problem in problems):
            loading.failed.add(f"campaign:{campaign_id}")
            continue
        yield campaign_id, CampaignEntry(id=campaign_id, campaign=campaign, source=source, beside=found.files)


def campaign_of(source: Source) -> tuple[Campaign | None, tuple[Problem, ...]]:
    """The campaign in `source`, by its format version and grade, so that one mistake gives one message."""
    if isinstance(source.data, dict):
        version = source.data.get("format")
        if version != FORMAT:
            newer = isinstance(version, str) and re.fullmatch(r"proofpress\.campaign/[2-9]\d*", version)
            hint = "this file is newer than the program: update the program" if newer else f'write "format": "{FORMAT}"'
            expected = f"campaigns say their format, and this program reads {FORMAT}"
            found = quoted(version) if "format" in source.data else "missing"
            return None, (source.problem("schema.format", ("format",), found=found, expected=expected, hint=hint),)
        grade = source.data.get("grade")
        if not isinstance(grade, str) or grade not in GRADES:
            hint = did_you_mean(grade, GRADES)
            found = quoted(grade) if "grade" in source.data else "missing"
            expected = "'record' for published figures, 'requests' where every request is here"
            problem = source.problem("schema.grade", ("grade",), found=found, expected=expected, hint=hint)
            return None, (problem,)
        checked = check(source, GRADES[grade], noun="a campaign")
        return checked.record, checked.problems
    empty = check(source, GRADES["record"], noun="a campaign")
    return empty.record, empty.problems


def _twins(loading: _Loading, paths: Paths, read: Mapping[str, CampaignEntry]) -> Paths:
    """The campaigns that were not read and list an original of one in the scope: the same file may not be published twice."""
    listed = {
        one.sha256
        for entry in read.values()
        if loading.scope.meets(paths[entry.id].parent)
        for one in entry.campaign.originals
    }
    others = {name: path for name, path in paths.items() if f"campaign:{name}" in loading.failed and name not in read}
    twins = {name: path for name, path in others.items() if _may_name(loading.root, path, listed, CAMPAIGN_LIMIT)}
    loading.failed -= {f"campaign:{name}" for name in twins}
    return twins


def _named_as_folder(source: Source, campaign: Campaign, campaign_id: str) -> Iterator[Problem]:
    if campaign.id != campaign_id:
        expected = f"the name of its folder, '{campaign_id}'"
        yield source.problem("mismatch.campaign-id", ("id",), found=quoted(campaign.id), expected=expected)
