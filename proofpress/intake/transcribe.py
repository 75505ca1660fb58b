"""Transcribe: campaigns of grade `record` made from published figures, and a campaign held against the file it was made from.

No number is retyped: values go from the file into `campaign.json` as they stand there.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal

from proofpress.intake.figures import Figures
from proofpress.intake.published import NOT_STATED, Circumstances, Fact, NotUnderstood, Variant
from proofpress.kernel.reading import exact_value
from proofpress.records.campaign import FORMAT, Arm, Record, RecordCampaign, RecordRun
from proofpress.records.vocabulary import Vocabulary

Grouping = Literal["session", "setup"]


def campaigns(
    figures: Figures, vocabulary: Vocabulary, *, prefix: str, measured_by: str, grouping: Grouping
) -> dict[str, dict[str, Any]]:
    """The campaigns of one file, by id, ready to be written as JSON.

    `grouping` 'session' makes a campaign of each of the lab's sessions; 'setup' joins sessions whose circumstances are equal, for ladders
    that were measured over several sittings. Raises `NotUnderstood` for a label that the vocabulary does not have, and for sessions that
    belong together.
    """
    if grouping == "session":
        _no_torn_passes(figures)
    setup = {
        "accelerator": _word(vocabulary, "accelerators", figures.accelerator_label),
    }
    engine = _word(vocabulary, "engines", figures.engine_label)
    model = {
        "checkpoint": figures.checkpoint,
        "revision": figures.revision,
        "quantization": _word(vocabulary, "quantizations", figures.quantization_label),
    }
    made: dict[str, dict[str, Any]] = {}
    for name, facts in _groups(figures, grouping):
        circumstances = facts[0].circumstances
        campaign_id = f"{prefix}-{name}"
        if campaign_id in made:
            raise NotUnderstood(
                f"two groups of runs would be called {campaign_id}: they differ in settings or workload"
            )
        made[campaign_id] = {
            "format": FORMAT,
            "id": campaign_id,
            "grade": "record",
            "measured_by": {"name": measured_by, "kind": "lab"},
            "origin": {"repository": figures.repository, "commit": figures.commit, "path": figures.path},
            "setup": {
                **setup,
                "engine": _engine(figures, engine, circumstances),
                "image": _image(circumstances),
                "model": model,
                "settings": _settings(circumstances),
            },
            "workload": _workload(circumstances),
            "arms": _arms(figures, facts),
            "select": {"passes": _passes(facts)},
            "runs": list(_runs(figures, facts)),
        }
    return made


def _no_torn_passes(figures: Figures) -> None:
    """Passes of one ladder decide together; in campaigns of their own, the one that failed would no longer count."""
    seen: dict[tuple[object, ...], Fact] = {}
    for fact in figures.facts:
        rung = (fact.circumstances, fact.variant, fact.axis, fact.x, fact.metric)
        other = seen.setdefault(rung, fact)
        if other.session != fact.session and other.pass_ != fact.pass_:
            raise NotUnderstood(
                f"sessions {other.session} and {fact.session} are passes of one ladder, and all passes count; "
                "join them with --by setup"
            )


def written(campaign: Mapping[str, Any]) -> str:
    """The campaign as the text of its file: a line for each run, so that a change shows as one line."""
    head = {key: value for key, value in campaign.items() if key != "runs"}
    text = json.dumps(head, indent=1, ensure_ascii=False)
    runs = ",\n".join(f"  {json.dumps(run, ensure_ascii=False)}" for run in campaign["runs"])
    return f'{text[:-2]},\n "runs": [\n{runs}\n ]\n}}\n'


def differences(campaign: RecordCampaign, figures: Figures) -> Iterator[str]:
    """Where a campaign and the file it was transcribed from say different things, one sentence each."""
    stated = {fact.key: fact for fact in figures.facts}
    sessions = {run.session for run in campaign.runs}
    arms = {arm.id: arm for arm in campaign.arms}
    kept: set[tuple[object, ...]] = set()
    for index, run in enumerate(campaign.runs):
        if not run.records:
            yield f"/runs/{index}: the file has no run without a value or a count of one"
        for record in run.records:
            key = _key(campaign, arms[run.arm], run, record)
            kept.add(key)
            fact = stated.get(key)
            where = f"/runs/{index} {record.metric}"
            if fact is None:
                yield f"{where}: the file has no such value"
                continue
            for noun, ours, theirs in _pairs(run, record, fact):
                if ours != theirs:
                    mine, other = ("null" if words == "None" else words for words in (ours, theirs))
                    yield f"{where}: {noun} in the campaign {mine}, in the file {other}"
    axes = {run.axis for run in campaign.runs}
    for key, fact in stated.items():
        if (
            key not in kept
            and fact.session in sessions
            and fact.axis in axes
            and _image(fact.circumstances) == _image_of(campaign)
            and fact.circumstances.settings == _settings_of(campaign)
        ):
            yield f"session {fact.session}, {fact.axis.value} {fact.x}, {fact.metric}: in the file, not in the campaign"


def _said(identity: tuple[int, int, str] | None) -> str:
    return "absent" if identity is None else f"{identity[0]}/{identity[1]} ({identity[2]})"


def _image_of(campaign: RecordCampaign) -> dict[str, str | None] | None:
    image = campaign.setup.image
    return image.model_dump() if image else None


def _settings_of(campaign: RecordCampaign) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (key, tuple(value) if isinstance(value, list) else value) for key, value in campaign.setup.settings.items()
    )


def _key(campaign: RecordCampaign, arm: Arm, run: RecordRun, record: Record) -> tuple[object, ...]:
    """What `Fact.key` is for a fact."""
    speculation, image = arm.speculation, _image_of(campaign)
    steps = speculation.schedule if speculation else ()
    return (
        run.session,
        run.axis,
        run.x,
        arm.cards,
        speculation.method if speculation else None,
        arm.depth,
        speculation.draft_head if speculation else None,
        tuple((step.from_users, step.through_users, step.depth) for step in steps),
        run.server,
        run.pass_,
        record.metric,
        image["name"] if image else None,
        _settings_of(campaign),
    )


def _pairs(run: RecordRun, record: Record, fact: Fact) -> Iterator[tuple[str, str, str]]:
    """What a record says and what the file says: a noun, and both as text."""
    identity = (run.identity.matched, run.identity.total, run.identity.basis) if run.identity else None
    yield "the value", _number(record.value), _number(fact.value)
    yield "the unit", record.unit, fact.unit
    yield "the number of samples", str(record.samples), str(fact.samples)
    yield "the identity", _said(identity), _said(fact.identity)
    yield "the day", str(run.measured_on), str(fact.measured_on)
    yield "what the samples are", str(record.sampled), str(fact.sampled)
    yield "how the samples were combined", str(record.combined), str(fact.combined)
    yield "the number of pooled servers", str(run.pooled_servers), str(fact.pooled_servers)
    yield "the reason for holding it back", str(run.held_back), str(fact.held_back)
    classes = record.by_class or {}
    for name in sorted({*classes, *dict(fact.by_class)}):
        yield f"the median of class {name}", _number(classes.get(name)), _number(dict(fact.by_class).get(name))


def _number(value: float | None) -> str:
    return "absent" if value is None else repr(exact_value(value))


def _groups(figures: Figures, grouping: Grouping) -> Iterator[tuple[str, Sequence[Fact]]]:
    """Facts of equal circumstances, each group with the name that its campaign gets after the prefix."""

    def name(fact: Fact) -> str:
        return f"{_sitting(figures, fact, grouping)}{fact.circumstances.kind}"

    def order(fact: Fact) -> tuple[str, str]:
        return (name(fact), repr(fact.circumstances))

    groups = [
        (group, tuple(facts))
        for (group, _), facts in groupby(sorted(figures.facts, key=order), key=order)
    ]  # fmt: skip
    names = Counter(group for group, _ in groups)
    for group, facts in groups:
        cache_format = dict(facts[0].circumstances.settings).get("kv")
        if names[group] > 1 and cache_format:  # the same sweep with the cache in another number format
            kind = facts[0].circumstances.kind
            yield f"{group.removesuffix(kind)}{_slug(cache_format)}-{kind}", facts
        else:
            yield group, facts


def _sitting(figures: Figures, fact: Fact, grouping: Grouping) -> str:
    """'r1-': the part of a campaign's name that says when or with what it was measured; empty where nothing says so."""
    circumstances = fact.circumstances
    settings = dict(circumstances.settings)
    joined = circumstances.line or circumstances.image
    if grouping == "setup" and joined:
        words = joined
    elif "server_profile" in settings:
        words = settings["server_profile"]
    elif circumstances.harness:
        words = circumstances.harness.removeprefix("llama-")
    elif fact.session:
        words = fact.session
    elif circumstances.image:
        words = circumstances.image
    elif fact.variant.cards != figures.cards:
        words = f"tp{fact.variant.cards}"
    else:
        return ""
    return f"{_slug(words)}-"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.lower())


def _word(vocabulary: Vocabulary, list_name: str, label: str) -> str:
    for word, entry in vocabulary.words(list_name).items():
        if getattr(entry, "label", None) == label:
            return word
    raise NotUnderstood(
        f"no word in the vocabulary's {list_name} has the label {label!r}; add it to content/vocabulary.yaml"
    )


def _image(circumstances: Circumstances) -> dict[str, str | None] | None:
    if circumstances.image is None and circumstances.image_digest is None:
        return None
    return {"name": circumstances.image, "digest": circumstances.image_digest}


def _settings(circumstances: Circumstances) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in circumstances.settings}


def _engine(figures: Figures, name: str, circumstances: Circumstances) -> dict[str, Any]:
    engine: dict[str, Any] = {"name": name, "version": circumstances.engine_version}
    if figures.engine_sources:
        engine["sources"] = [
            {"repository": repository, "commit": commit, "patches_required": patched}
            for repository, commit, patched in figures.engine_sources
        ]
    return engine


def _workload(circumstances: Circumstances) -> dict[str, Any]:
    workload = {
        "suite": circumstances.suite,
        "prompts": circumstances.prompts,
        "prompt_classes": circumstances.classes,
        "class_names": list(circumstances.class_names),
        "output_tokens": circumstances.output_tokens,
        "requests_per_x": circumstances.requests_per_x,
        "api": circumstances.api,
        "sampling": None,
        "prefix_cache": circumstances.prefix_cache,
        "compile_caches": circumstances.compile_caches,
        "canaries": circumstances.canaries,
        "token_counts_from": None,
    }
    if circumstances.prompt_tokens:
        workload["prompt_tokens"] = circumstances.prompt_tokens
    return workload


def _arm_id(figures: Figures, variant: Variant, variants: Sequence[Variant]) -> str:
    """'mtp3', with '-tp2' on another number of accelerators than the deployment's and '-int4-head' where only the draft head tells arms apart."""
    name = _speculation_id(figures, variant)
    if variant.cards is not None and variant.cards != figures.cards:
        name += f"-tp{variant.cards}"
    heads = {other.draft_head for other in variants if other.depth == variant.depth and other.cards == variant.cards}
    return f"{name}-{variant.draft_head}-head" if len(heads) > 1 else name


def _speculation_id(figures: Figures, variant: Variant) -> str:
    """'mtp3'; 'mtp0' without speculation where the file has multi-token prediction at all, else 'plain'."""
    if variant.method == NOT_STATED:
        return "unstated"
    if variant.method is None:
        drafts = {method for fact in figures.facts if (method := fact.variant.method) not in (None, NOT_STATED)}
        return "mtp0" if any("mtp" in method.lower() for method in drafts if method) else "plain"
    word = "mtp" if "mtp" in variant.method.lower() else _slug(variant.method)
    if variant.schedule:
        return f"{word}-scheduled"
    return word if variant.depth is None else f"{word}{variant.depth}"


def _arms(figures: Figures, facts: Sequence[Fact]) -> list[dict[str, Any]]:
    variants = _variants(facts)
    return [
        {
            "id": _arm_id(figures, variant, variants),
            "cards": variant.cards,
            "tensor_parallel": variant.tensor_parallel,
            "speculation": _speculation(variant),
            "oracles": _oracles(figures, variant, facts, variants),
        }
        for variant in variants
    ]


def _variants(facts: Sequence[Fact]) -> list[Variant]:
    named = {fact.variant for fact in facts} | {fact.oracle for fact in facts if fact.oracle}
    return sorted(named, key=_variant_order)


def _speculation(variant: Variant) -> dict[str, Any] | None:
    if variant.method is None:
        return None
    speculation: dict[str, Any] = {
        "method": variant.method,
        "depth": variant.depth,
        "draft_head": variant.draft_head,
        "verifier": variant.verifier,
    }
    if variant.schedule:
        speculation["schedule"] = [
            {"from_users": start, "through_users": end, "depth": depth} for start, end, depth in variant.schedule
        ]
    return speculation


def _variant_order(variant: Variant) -> tuple[int, int, str]:
    """By cards, then by depth; unknown depths last."""
    return (variant.cards or 0, sys.maxsize if variant.depth is None else variant.depth, variant.draft_head or "")


def _oracles(figures: Figures, variant: Variant, facts: Sequence[Fact], variants: Sequence[Variant]) -> dict[str, Any]:
    oracles: dict[str, Any] = {}
    for fact in facts:
        if fact.variant != variant:
            continue
        if fact.oracle is not None:
            oracles[fact.axis.value] = {"kind": "arm", "arm": _arm_id(figures, fact.oracle, variants)}
        elif fact.identity is not None and not fact.oracle_unnamed:
            oracles[fact.axis.value] = {"kind": "own_sequential"}
    return oracles


def _passes(facts: Sequence[Fact]) -> list[str]:
    """The passes that the source displays, 'first' as the last of them, then all others."""
    shown = {fact.pass_ for fact in facts if fact.displayed}
    others = {fact.pass_ for fact in facts} - shown
    return [*sorted(shown, key=lambda name: (name == "first", name)), *sorted(others)]


def _runs(figures: Figures, facts: Sequence[Fact]) -> Iterator[dict[str, Any]]:
    variants = _variants(facts)

    def order(fact: Fact) -> tuple[Any, ...]:
        return (
            *_variant_order(fact.variant),
            fact.axis.value,
            fact.x or 0,
            fact.server,
            fact.pass_ == "first",
            fact.pass_,
            fact.session or "",
        )

    for _, group in groupby(sorted(facts, key=lambda fact: (*order(fact), fact.metric)), key=order):
        records = list(group)
        fact = records[0]
        if len({record.identity for record in records}) > 1:
            raise NotUnderstood(f"session {fact.session} x {fact.x}: two identity counts for one run")
        run: dict[str, Any] = {
            "arm": _arm_id(figures, fact.variant, variants),
            "axis": fact.axis.value,
            "x": fact.x,
            "server": fact.server,
            "pass": fact.pass_,
            "session": fact.session,
            "measured_on": fact.measured_on,
            "identity": _identity(fact),
            "records": [_record(record) for record in records],
        }
        if fact.pooled_servers:
            run["pooled_servers"] = fact.pooled_servers
        if fact.held_back:
            run["held_back"] = fact.held_back
        if fact.conflict:
            run["conflict"] = dict(zip(("source", "stated", "found"), fact.conflict, strict=True))
        origin = next((o for o in figures.other_origins if o[2] == fact.evidence_path and o[1] != figures.commit), None)
        if origin:
            run["origin"] = dict(zip(("repository", "commit", "path"), origin, strict=True))
        yield run


def _identity(fact: Fact) -> dict[str, Any] | None:
    if fact.identity is None:
        return None
    matched, total, basis = fact.identity
    return {"matched": matched, "total": total, "method": "not-stated", "basis": basis}


def _record(fact: Fact) -> dict[str, Any]:
    record: dict[str, Any] = {"metric": fact.metric, "value": fact.value, "unit": fact.unit, "samples": fact.samples}
    if fact.sampled:
        record["sampled"] = fact.sampled
    if fact.combined:
        record["combined"] = fact.combined
    if fact.by_class:
        record["by_class"] = dict(fact.by_class)
    return record
