"""Snapshot: what a site says at one moment, from a built site, a checkout or a git revision; the two sides of a `diff`.

Comes in: a path or a revision. Goes out: every point, field, claim, page and evidence digest, keyed so that two snapshots can be held together.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from proofpress import pipeline
from proofpress.check.rule import registry
from proofpress.derive.edition import Edition
from proofpress.pages import twin
from proofpress.problem import Report
from proofpress.review import written
from proofpress.review.written import Written

PointKey: TypeAlias = tuple[str, str, str]
"""Card, 'headline' or profile id, and x as text ('' for none)."""


class NoSnapshot(Exception):
    """The side cannot be read: one sentence, and the problems where there are any."""

    def __init__(self, message: str, report: Report | None = None) -> None:
        super().__init__(message)
        self.report = report


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One number of the site with its verdict."""

    value: float | None
    unit: str
    verdict: str
    """'shown', or the reason why it is withheld."""
    identity: str
    """How many outputs were equal, of how many: '16/16'; 'none' where nothing was compared."""
    method: str
    """How outputs were compared, and what the count rests on; '' where nothing was compared."""
    evidence: str
    """SHA-256 of the campaign that it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What one side says."""

    cards: Mapping[str, Written | None]
    """By id; None where the side was built before a card's twin held the card itself."""
    campaigns: Mapping[str, Written]
    points: Mapping[PointKey, Point]
    claims: Mapping[str, frozenset[str]]
    """What a card and its guide state as measured, and their sentences on equal outputs, by card."""
    gaps: Mapping[str, frozenset[str]]
    pages: frozenset[str]
    inputs: Mapping[str, str]
    """SHA-256 of each file that the site is made from."""
    rules: Mapping[str, int]
    """How often each rule spoke."""


def take(side: str, repository: Path) -> Snapshot:
    """The snapshot of `side`: a built site, a checkout, or a revision of the git repository at `repository`. Raises `NoSnapshot`."""
    folder = Path(side)
    if (folder / "build.json").is_file():
        return _of_site(folder)
    if (folder / "content").is_dir():
        return _of_checkout(folder, side)
    return _of_revision(side, repository)


def _of_revision(revision: str, repository: Path) -> Snapshot:
    if revision.startswith("-"):
        raise NoSnapshot(f"{revision!r} is neither a folder nor a revision")
    found = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        raise NoSnapshot(f"{revision!r} is neither a built site, nor a checkout, nor a revision of {repository}")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        _git(["read-tree", found.stdout.strip()], repository, folder)
        names = _git(["ls-files", "-z", "--", "content", "evidence"], repository, folder)
        _git(["checkout-index", "-z", "--stdin", f"--prefix={tree}/"], repository, folder, names)
        prefix = _git(["rev-parse", "--show-prefix"], repository, folder).decode().strip()
        return _of_checkout(tree / prefix, revision)


def _git(words: Sequence[str], repository: Path, folder: str, given: bytes = b"") -> bytes:
    """What git answers, with an index of its own in `folder`: the repository's index and working tree stay untouched.

    Not `git archive`: an attribute `export-ignore` inside the tree would hide files from the reviewer.
    """
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", *words],
        cwd=repository,
        env={**os.environ, "GIT_INDEX_FILE": str(Path(folder) / "index")},
        input=given,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise NoSnapshot(done.stderr.decode(errors="replace").strip() or "git could not give the revision's files")
    return done.stdout


def _of_checkout(folder: Path, name: str) -> Snapshot:
    checked = pipeline.check(folder)
    if checked.edition is None:
        raise NoSnapshot(
            f"{name} does not pass the checks, so there is nothing to compare: {checked.report.summary()}",
            checked.report,
        )
    return of_edition(checked.edition)


def of_edition(edition: Edition) -> Snapshot:
    """The snapshot of an edition, from the same twins that the site ships."""
    models = [twin.model(derived, edition.gaps[derived.id], edition.library.vocabulary) for derived in edition.cards]
    record = twin.build(edition.library, edition.cards, edition.fired, tuple(registry()))
    campaigns: dict[str, Any] = {name: entry.source.data for name, entry in edition.library.campaigns.items()}
    return _of_records(models, campaigns, record, set(pipeline.build(edition).sorted()))


def _of_site(folder: Path) -> Snapshot:
    try:
        models = [_read(path) for path in sorted((folder / "models").glob("*.json"))]
        campaigns = {path.parent.name: _read(path) for path in sorted((folder / "evidence").glob("*/campaign.json"))}
        record = _read(folder / "build.json")
    except (OSError, ValueError) as error:
        raise NoSnapshot(f"{folder} is not a whole built site: {error}") from error
    pages = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    return _of_records(models, campaigns, record, pages)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _of_records(
    models: Sequence[Mapping[str, Any]],
    campaigns: Mapping[str, Mapping[str, Any]],
    record: Mapping[str, Any],
    pages: set[str],
) -> Snapshot:
    return Snapshot(
        cards={model["id"]: written.of_card(model["card"]) if "card" in model else None for model in models},
        campaigns={name: written.of_campaign(campaign) for name, campaign in campaigns.items()},
        points=dict(point for model in models for point in _points(model)),
        claims={card: frozenset(words) for card, words in record.get("claims", {}).items()},
        gaps={model["id"]: frozenset(gap["text"] for gap in model["missing"]) for model in models},
        pages=frozenset(page for page in pages if page.endswith(".html")),
        inputs=dict(record["inputs"]),
        rules={rule: count for rule, count in record["rules"].items() if count},
    )


def _points(model: Mapping[str, Any]) -> Iterator[tuple[PointKey, Point]]:
    headline = model["headline"]
    if "value" in headline:
        yield (model["id"], "headline", ""), _point(headline, headline["unit"], "shown", headline["evidence"]["sha256"])
    for profile in model["profiles"]:
        for verdict in ("shown", "withheld"):
            for point in profile[verdict]:
                x = "" if point["x"] is None else str(point["x"])
                word = "shown" if verdict == "shown" else f"withheld: {point['reason']}"
                yield (
                    (model["id"], profile["id"], x),
                    _point(point, profile["unit"], word, profile["evidence"]["sha256"]),
                )


def _point(point: dict[str, Any], unit: str, verdict: str, evidence: str) -> Point:
    identity = point["identity"]
    counts = f"{identity['matched']}/{identity['total']}" if identity else "none"
    method = f"{identity['method']}, {identity['basis']}" if identity else ""
    return Point(value=point["value"], unit=unit, verdict=verdict, identity=counts, method=method, evidence=evidence)
