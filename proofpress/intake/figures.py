"""Figures: a file of published figures (one deployment, numbers and identifiers only) as a flat list of facts.

Comes in: the parsed JSON of such a file. Goes out: `Figures`, which `transcribe` groups into campaigns and verifies them against.
Anything that the readers do not understand is a problem, never skipped; what stays out is listed in `unpublished`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from proofpress.intake import ladder_figures, suite_figures
from proofpress.intake.published import Fact, Json, NotUnderstood, Variant

__all__ = ["Fact", "Figures", "NotUnderstood", "Variant", "read"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One file: who and what, and its facts. `unpublished` names what stays out, each with its reason."""

    package: str
    repository: str
    commit: str
    path: str
    other_origins: tuple[tuple[str, str, str], ...]
    cards: int
    """The deployment's number of accelerators; arms on another number say so in their id."""
    accelerator_label: str
    engine_label: str
    engine_sources: tuple[tuple[str, str, bool | None], ...]
    """Repository, commit and whether it must be patched, of each project that the engine was built from."""
    checkpoint: str
    revision: str | None
    quantization_label: str
    facts: tuple[Fact, ...]
    unpublished: tuple[str, ...] = field(default=())


def read(data: Json) -> Figures:
    """The facts of one file.

    Raises `NotUnderstood` for a shape, an axis or a metric that has no reading here, and for a stated statistic that its parts contradict.
    """
    model, runtime, source = data["model"], data["runtime"], data["source"]
    facts = [*suite_figures.facts(data), *ladder_figures.facts(data)]
    _no_two_values(facts)
    return Figures(
        package=data["package_id"],
        repository=source["repository"],
        commit=source["commit"],
        path=source["path"],
        other_origins=tuple((o["repository"], o["commit"], o["path"]) for o in data.get("other_sources", ())),
        cards=data["hardware"]["cards"],
        accelerator_label=data["hardware"]["accelerator"],
        engine_label=runtime["label"],
        engine_sources=tuple(_sources(runtime)),
        checkpoint=model["checkpoint"],
        revision=model.get("revision"),
        quantization_label=model["quantization"],
        facts=tuple(facts),
        unpublished=tuple(_left_out(data)),
    )


def _sources(runtime: Json) -> Iterator[tuple[str, str, bool | None]]:
    if runtime.get("project") and runtime.get("revision"):
        yield runtime["project"], runtime["revision"], runtime.get("patches_required")
    if runtime.get("secondary"):
        repository, _, commit = runtime["secondary"].partition("@")
        yield repository, commit, None


def _no_two_values(facts: Sequence[Fact]) -> None:
    seen: dict[tuple[object, ...], Fact] = {}
    for fact in facts:
        other = seen.setdefault(fact.key, fact)
        if other is not fact:
            raise NotUnderstood(
                f"two values for {fact.metric} of session {fact.session} at x {fact.x}: {other.value} and {fact.value}"
            )


STATISTIC = "another statistic, or one whose set-up is not stated"


def _left_out(data: Json) -> Iterator[str]:
    """What stays out and why: ladders that the source does not publish, and numbers beside the published statistic."""
    for rung in data.get("headline_ladder", ()):
        if rung["status"] != "published":
            yield f"headline_ladder depth {rung['draft_depth']}: its source does not publish it"
    for other in data.get("supplementary_series", ()):
        if not any(other in ladder_figures.first_ladders(data, series) for series in data["series"]):
            yield f"{other['id']}: its source does not publish it"
    yield from _beside(data)
    for series in data["series"]:
        if series.get("derived"):
            off = ladder_figures.check_derived(data, series)
            about = f", called approximate, off by at most {100 * off:.2g} %" if series.get("approximate") else ""
            yield f"{series['id']}: derived here from the time to first token{about}"
        if series.get("canaries"):
            yield f"{series['id']} canaries: known prompts that were answered, not measurements"


def _beside(data: Json) -> Iterator[str]:
    """Numbers beside the headline that are another statistic or of another set-up."""
    headline = data.get("headline") or {}
    beside = [name for name in headline.get("other_values", {}) if not suite_figures.SESSION.fullmatch(name)]
    beside += [name for name in ("previous_record", "previous_line_value", "draft_acceptance_rate") if name in headline]
    beside += ["ttft_ms"] if "ttft_ms" in headline and data.get("strict_pairs") else []
    yield from (f"headline {name}: {STATISTIC}" for name in beside)
    yield from (f"{observation['kind']}: {STATISTIC}" for observation in data.get("other_observations", ()))
