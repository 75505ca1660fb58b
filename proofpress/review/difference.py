"""Difference: two snapshots held together, as one block of Markdown for the one who has to merge. Empty when nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from proofpress.derive.wording import counted, exact
from proofpress.review.snapshot import Point, PointKey, Snapshot

MAX_LINES = 60
"""A part of the block with more lines than this is cut, with a count of the rest."""


def markdown(old: Snapshot, new: Snapshot) -> str:
    """What changed: numbers, verdicts, claims, gaps, pages, every input file, rules. '' where nothing did."""
    parts = (
        ("Numbers", list(_numbers(old, new))),
        ("Verdicts", list(_verdicts(old, new))),
        ("Claims in prose", list(_words(old.claims, new.claims, "now says", "no longer says"))),
        ("Still missing", list(_words(old.gaps, new.gaps, "new gap:", "closed:"))),
        ("Pages", list(_pages(old, new))),
        ("Published evidence that changed", list(_published(old, new))),
        ("New evidence files", list(_new_evidence(old, new))),
        ("Other files that changed", list(_others(old, new))),
        ("Rules that spoke", list(_rules(old, new))),
    )
    blocks = [block for heading, lines in parts if (block := _block(heading, lines))]
    return "\n".join(blocks)


def _block(heading: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    kept = [f"- {line}" for line in lines[:MAX_LINES]]
    if len(lines) > MAX_LINES:
        kept.append(f"- and {len(lines) - MAX_LINES} more")
    return "\n".join([f"### {heading}", "", *kept, ""])


def _name(key: PointKey) -> str:
    card, profile, x = key
    return f"`{card}` {profile}{f' @ {x}' if x else ''}"


def _value(point: Point) -> str:
    return "no value" if point.value is None else f"{exact(point.value)} {point.unit}"


def _numbers(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for key in sorted({*old.points, *new.points}, key=_order):
        before, after = old.points.get(key), new.points.get(key)
        if before is None and after is not None:
            yield f"{_name(key)}: new, {_value(after)}, {after.verdict}, identity {after.identity}"
        elif after is None and before is not None:
            yield f"{_name(key)}: gone, was {_value(before)}, {before.verdict}"
        elif before is not None and after is not None and before.value != after.value:
            why = (
                "its evidence changed"
                if before.evidence != after.evidence
                else "the same evidence, another selection or formula"
            )
            yield f"{_name(key)}: {_value(before)} → {_value(after)} ({why})"


def _verdicts(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for key in sorted({*old.points} & {*new.points}, key=_order):
        before, after = old.points[key], new.points[key]
        if (before.verdict, before.identity, before.method) != (after.verdict, after.identity, after.method):
            method = before.method != after.method
            yield f"{_name(key)}: {_verdict(before, method=method)} → {_verdict(after, method=method)}"


def _verdict(point: Point, *, method: bool) -> str:
    """A verdict with its count, and with the method and basis of the count where those changed."""
    how = f", {point.method}" if method and point.method else ""
    return f"{point.verdict} ({point.identity}{how})"


def _order(key: PointKey) -> tuple[str, bool, str, float]:
    card, profile, x = key
    return (card, profile != "headline", profile, float(x or -1))


def _words(
    before: Mapping[str, frozenset[str]], after: Mapping[str, frozenset[str]], added: str, removed: str
) -> Iterator[str]:
    for card in sorted({*before, *after}):
        for word in sorted(after.get(card, frozenset()) - before.get(card, frozenset())):
            yield f"`{card}` {added} “{word}”"
        for word in sorted(before.get(card, frozenset()) - after.get(card, frozenset())):
            yield f"`{card}` {removed} “{word}”"


def _pages(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for page in sorted(old.pages - new.pages):
        yield f"gone: `{page}`"
    for folder, pages in groupby(sorted(new.pages - old.pages), key=lambda page: page.rpartition("/")[0]):
        names = list(pages)
        yield f"new: `{names[0]}`" if len(names) == 1 else f"new: {counted(len(names), 'page')} in `{folder or '.'}`"


def _published(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for path, digest in _below(old, evidence=True).items():
        now = new.inputs.get(path)
        if now is None:
            yield f"`{path}` was published and is gone"
        elif now != digest:
            yield f"`{path}` was published and changed: {digest[:12]}… → {now[:12]}…"


def _new_evidence(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for path, digest in _below(new, evidence=True).items():
        if path not in old.inputs:
            yield f"`{path}`: {digest[:12]}…"


def _others(old: Snapshot, new: Snapshot) -> Iterator[str]:
    before, after = _below(old, evidence=False), _below(new, evidence=False)
    for path in sorted({*before, *after}):
        was, now = before.get(path), after.get(path)
        if was is None:
            yield f"`{path}` is new"
        elif now is None:
            yield f"`{path}` is gone"
        elif was != now:
            yield f"`{path}` changed: {was[:12]}… → {now[:12]}…"


def _below(side: Snapshot, *, evidence: bool) -> dict[str, str]:
    """The digests of the files below `evidence/`, or those of all others, by path."""
    return {path: side.inputs[path] for path in sorted(side.inputs) if path.startswith("evidence/") == evidence}


def _rules(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for rule in sorted({*old.rules, *new.rules}):
        before, after = old.rules.get(rule, 0), new.rules.get(rule, 0)
        if before != after:
            yield f"`{rule}`: {before} → {after}"
