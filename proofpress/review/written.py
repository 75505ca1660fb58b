"""Written: what a card or a campaign states, field by field, so that two sides can be held together; and in words what differs.

Comes in: plain values of a card or of a `campaign.json`. Goes out: lines of Markdown, sorted, none where nothing differs.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from proofpress.derive.literal import code
from proofpress.derive.wording import counted

Items: TypeAlias = tuple[str, ...]
"""What a field holds: one text, or the items of a list. A field that holds nothing is not there."""
Fields: TypeAlias = Mapping[str, Items]

_SHORT = 80
"""Characters up to which a field is shown whole on both sides; longer text is quoted by the sentences that differ."""
_CONTEXT = 6
"""Words of what is equal that stay beside a difference inside one long sentence."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_RUN = ("arm", "axis", "x", "server", "pass")
"""What tells a run from every other one of its campaign."""
_NAMES = ("id", "metric")
"""What tells the parts of a list apart, where they have it: arms by id, records by metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A card or a campaign as it is written. `runs` are a campaign's, by name."""

    fields: Fields
    runs: Mapping[str, Fields]


def of_card(card: Mapping[str, Any]) -> Written:
    """What a card states."""
    return Written(fields=dict(_flat(card)), runs={})


def of_campaign(campaign: Mapping[str, Any]) -> Written:
    """What a campaign states. The requests of a run are one field, by their digest."""
    fields = {key: value for key, value in campaign.items() if key != "runs"}
    return Written(fields=dict(_flat(fields)), runs={_run_name(run): dict(_of_run(run)) for run in campaign["runs"]})


def _run_name(run: Mapping[str, Any]) -> str:
    return " ".join(str(run[key]) for key in _RUN if run[key] is not None)


def _of_run(run: Mapping[str, Any]) -> Iterator[tuple[str, Items]]:
    rows = run.get("batches")
    if rows is not None:
        yield "batches", (f"sha256:{hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:12]}…",)
    yield from _flat({key: value for key, value in run.items() if key not in {*_RUN, "batches"}})


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Items]]:
    """Every field below `value`, by its path."""
    inner = f"{path}." if path else ""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _flat(part, f"{inner}{key}")
    elif isinstance(value, list) and (name := _name_of_parts(value)):
        for part in value:
            rest = {key: field for key, field in part.items() if key != name}
            yield f"{inner}{part[name]}", ("there",)
            yield from _flat(rest, f"{inner}{part[name]}")
    elif isinstance(value, list):
        if value:
            yield path, tuple(map(_text, value))
    elif value is not None:
        yield path, (_text(value),)


def _name_of_parts(parts: Sequence[Any]) -> str | None:
    if not parts or not all(isinstance(part, Mapping) for part in parts):
        return None
    return next((name for name in _NAMES if len({part.get(name) for part in parts} - {None}) == len(parts)), None)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(part)}" for key, part in value.items() if part is not None)
    return json.dumps(value, ensure_ascii=False)


def differences(before: Written, after: Written) -> Iterator[str]:
    """A line for each field that differs; what differs alike in several runs is one line."""
    for path, words in _changed_fields(before.fields, after.fields):
        yield f"{code(path)}: {words}"
    yield from _runs(before.runs, after.runs)


def _changed_fields(before: Fields, after: Fields) -> Iterator[tuple[str, str]]:
    for path in sorted({*before, *after}):
        was, now = before.get(path, ()), after.get(path, ())
        if was != now:
            yield path, _change(was, now)


def _runs(before: Mapping[str, Fields], after: Mapping[str, Fields]) -> Iterator[str]:
    alike: dict[tuple[str, str], list[str]] = {}
    for name in sorted({*before} & {*after}):
        for change in _changed_fields(before[name], after[name]):
            alike.setdefault(change, []).append(name)
    for (path, words), names in sorted(alike.items()):
        yield f"{code(path)} of {_named(names)}: {words}"
    for what, one, other in (("new", after, before), ("gone", before, after)):
        if names := sorted(one.keys() - other.keys()):
            yield f"{what}: {_named(names)}"


def _named(names: Sequence[str]) -> str:
    """'run `mtp3 suite a first`', or how many runs, and the first of them."""
    return f"run {code(names[0])}" if len(names) == 1 else f"{counted(len(names), 'run')} from {code(names[0])} on"


def _change(was: Items, now: Items) -> str:
    whole = [", ".join(items) for items in (was, now)]
    if max(map(len, whole)) <= _SHORT and "\n" not in "".join(whole):
        return " → ".join(code(text) if text else "nothing" for text in whole)
    parts = list(_quoted(_sentences(was), _sentences(now)))
    return "; ".join(parts) or "spaces or line breaks changed"


def _sentences(items: Items) -> list[str]:
    return [" ".join(part.split()) for item in items for part in _SENTENCE_END.split(item.strip())]


def _quoted(was: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    """What stood on one side only, in the order of the text. Nothing that differs is left out, however long it is."""
    for kind, a, b, c, d in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        removed, added = _apart(" ".join(was[a:b]), " ".join(now[c:d]))
        if removed:
            yield f"removed {code(removed)}"
        if added:
            yield f"added {code(added)}"


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two texts without most of the words that both begin or end with."""
    if not one or not other:
        return one, other
    was, now = one.split(" "), other.split(" ")
    start = _alike(was, now)
    end = _alike(was[start:][::-1], now[start:][::-1])
    first, behind = max(0, start - _CONTEXT), max(0, end - _CONTEXT)

    def cut(words: list[str]) -> str:
        kept = words[first : len(words) - behind]
        return " ".join([*(["…"] if first else []), *kept, *(["…"] if behind else [])])

    return cut(was), cut(now)


def _alike(was: Sequence[str], now: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = enumerate(zip(was, now, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(was), len(now)))
