"""Snapshot: what a site says at one moment, from a built site, a checkout or a git revision; the two sides of a `diff`.

Comes in: a path or a revision. Goes out: every point, claim, page and evidence digest, keyed so that two snapshots can be held together.
"""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
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
    evidence: str
    """SHA-256 of the campaign that it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What one side says."""

    points: Mapping[PointKey, Point]
    claims: Mapping[str, frozenset[str]]
    """Measured numbers and claims in a card's words, by card."""
    gaps: Mapping[str, frozenset[str]]
    pages: frozenset[str]
    evidence: Mapping[str, str]
    """SHA-256 of each file below `evidence/`."""
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
    archive = subprocess.run(
        ["git", "archive", found.stdout.strip(), "content", "evidence"],
        cwd=repository,
        capture_output=True,
        check=False,
    )
    if archive.returncode:
        raise NoSnapshot(
            f"{revision}: {archive.stderr.decode(errors='replace').strip() or 'git could not give its files'}"
        )
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        return _of_checkout(Path(folder), revision)


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
    pages = set(pipeline.build(edition).sorted())
    return _of_records(models, record, pages)


def _of_site(folder: Path) -> Snapshot:
    try:
        models = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "models").glob("*.json"))]
        record = json.loads((folder / "build.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NoSnapshot(f"{folder} is not a whole built site: {error}") from error
    pages = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    return _of_records(models, record, pages)


def _of_records(models: Sequence[Mapping[str, Any]], record: Mapping[str, Any], pages: set[str]) -> Snapshot:
    return Snapshot(
        points=dict(point for model in models for point in _points(model)),
        claims={card: frozenset(words) for card, words in record.get("claims", {}).items()},
        gaps={model["id"]: frozenset(gap["text"] for gap in model["missing"]) for model in models},
        pages=frozenset(page for page in pages if page.endswith(".html")),
        evidence={path: digest for path, digest in record["inputs"].items() if path.startswith("evidence/")},
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
    return Point(value=point["value"], unit=unit, verdict=verdict, identity=counts, evidence=evidence)
