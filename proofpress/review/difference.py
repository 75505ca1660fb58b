"""Difference: two snapshots held together, as one block of Markdown for the one who has to merge. Empty when nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from proofpress.derive.literal import code, escaped
from proofpress.derive.wording import counted, exact
from proofpress.review import written
from proofpress.review.snapshot import Point, PointKey, Snapshot

MAX_LINES = 60
"""A part of the block with more lines than this is cut, with a count of the rest."""


def markdown(old: Snapshot, new: Snapshot) -> str:
    """What changed: numbers, verdicts, facts, claims, gaps, pages, every input file, rules. '' where nothing did."""
    parts = (
        ("Numbers", list(_numbers(old, new))),
        ("Verdicts", list(_verdicts(old, new))),
        ("Facts", list(_facts(old, new))),
        ("Claims in prose", list(_words(old.claims, new.claims, "now says", "no longer says"))),
        ("Still missing", list(_gaps(old, new))),
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
    return f"{code(card)} {profile}{f' @ {x}' if x else ''}"


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


def _facts(old: Snapshot, new: Snapshot) -> Iterator[str]:
    """What cards and campaigns that both sides have state differently, cards first."""
    for card in sorted({*old.cards} & {*new.cards}):
        before, after = old.cards[card], new.cards[card]
        if before is None or after is None:
            yield f"card {code(card)}: not compared, because one side is a site that was built before it shipped the card itself"
        else:
            yield from (f"card {code(card)} {line}" for line in written.differences(before, after))
    for campaign in sorted({*old.campaigns} & {*new.campaigns}):
        lines = written.differences(old.campaigns[campaign], new.campaigns[campaign])
        yield from (f"campaign {code(campaign)} {line}" for line in lines)


def _gaps(old: Snapshot, new: Snapshot) -> Iterator[str]:
    """Gaps of cards that both sides have: a card that goes takes its gaps along and closes none, and a new one opens none."""
    both = {*old.cards} & {*new.cards}
    before, after = ({card: side.gaps[card] for card in both} for side in (old, new))
    return _words(before, after, "new gap:", "closed:")


def _words(
    before: Mapping[str, frozenset[str]], after: Mapping[str, frozenset[str]], added: str, removed: str
) -> Iterator[str]:
    for card in sorted({*before, *after}):
        for word in sorted(after.get(card, frozenset()) - before.get(card, frozenset())):
            yield f"{code(card)} {added} “{escaped(word)}”"
        for word in sorted(before.get(card, frozenset()) - after.get(card, frozenset())):
            yield f"{code(card)} {removed} “{escaped(word)}”"


def _pages(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for page in sorted(old.pages - new.pages):
        yield f"gone: {code(page)}"
    for folder, pages in groupby(sorted(new.pages - old.pages), key=lambda page: page.rpartition("/")[0]):
        names = list(pages)
        yield (
            f"new: {code(names[0])}"
            if len(names) == 1
            else f"new: {counted(len(names), 'page')} in {code(folder or '.')}"
        )


def _published(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for path, digest in _below(old, evidence=True).items():
        now = new.inputs.get(path)
        if now is None:
            yield f"{code(path)} was published and is gone"
        elif now != digest:
            yield f"{code(path)} was published and changed: {digest[:12]}… → {now[:12]}…"


def _new_evidence(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for path, digest in _below(new, evidence=True).items():
        if path not in old.inputs:
            yield f"{code(path)}: {digest[:12]}…"


def _others(old: Snapshot, new: Snapshot) -> Iterator[str]:
    before, after = _below(old, evidence=False), _below(new, evidence=False)
    for path in sorted({*before, *after}):
        was, now = before.get(path), after.get(path)
        if was is None:
            yield f"{code(path)} is new"
        elif now is None:
            yield f"{code(path)} is gone"
        elif was != now:
            yield f"{code(path)} changed: {was[:12]}… → {now[:12]}…"


def _below(side: Snapshot, *, evidence: bool) -> dict[str, str]:
    """The digests of the files below `evidence/`, or those of all others, by path."""
    return {path: side.inputs[path] for path in sorted(side.inputs) if path.startswith("evidence/") == evidence}


def _rules(old: Snapshot, new: Snapshot) -> Iterator[str]:
    for rule in sorted({*old.rules, *new.rules}):
        before, after = old.rules.get(rule, 0), new.rules.get(rule, 0)
        if before != after:
            yield f"{code(rule)}: {before} → {after}"
