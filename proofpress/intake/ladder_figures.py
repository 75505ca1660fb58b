"""Ladder figures: what a file of published figures says over prompt length, tokens in the cache and users.

Comes in: the parsed JSON. Goes out: `Fact` records on these axes. Rates over the time to first token are checked against that time and
not passed on: the build derives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from proofpress.intake.published import (
    Circumstances,
    Fact,
    Json,
    NotUnderstood,
    Variant,
    cache,
    canaries,
    counts,
    engine_version,
    image_digest,
    method_of,
    settings_of,
)
from proofpress.kernel.reading import exact_value
from proofpress.records.axis import Axis

APPROXIMATELY = 1e-3
"""How far a rate may be from x over TTFT where its source calls it approximate: a mean of ratios is not the ratio of means."""
EXACTLY = 1e-9
PASSES = {1: "first", 2: "second", 3: "third", 4: "fourth", "four-pass summary": "summary"}


def facts(data: Json) -> Iterator[Fact]:
    """All facts on the axes that have an x."""
    for series in data["series"]:
        if series["x"] == "speculative_tokens":
            continue  # a ladder over draft depth is made of suite runs
        if series.get("derived"):
            check_derived(data, series)
            continue
        yield from _series(data, series)
        for first in first_ladders(data, series):
            yield from _series(data, first, pass_="first")


def _series(data: Json, series: Json, *, pass_: str | None = None) -> Iterator[Fact]:
    config = series["config"]
    axis = _axis(series)
    stated_pass = config.get("shown_pass")
    shown = pass_ or PASSES.get(stated_pass, stated_pass)
    shown = shown or ("repeat" if first_ladders(data, series) else "first")
    variant = _variant(config)
    basis = series.get("identity_point_basis") or ""
    repeated = _repetition(series)
    template = Fact(
        circumstances=_circumstances(data, series, axis),
        variant=variant,
        oracle=variant.without_drafts if axis is Axis.CONTEXT_TOKENS and variant.depth else None,
        session=series["campaign"],
        measured_on=series["date"],
        axis=axis,
        x=None,
        server="a" if repeated.servers is None else "-".join("abcdefgh"[: repeated.servers]),
        pass_=shown,
        metric=_metric(series, axis),
        unit=series["unit"],
        value=None,
        samples=None,
        evidence_path=series["evidence_path"],
        pooled_servers=repeated.servers,
        displayed=pass_ is None,
    )
    attempts = _attempt_identity(data, series)
    for point in series["points"]:
        x = point["x"]
        if "attempt_values" in point:
            if exact_value(median(point["attempt_values"])) != exact_value(point["value"]):
                raise NotUnderstood(f"{series['id']} x {x}: {point['value']} is not the median of its attempts")
            for index, value in enumerate(point["attempt_values"]):
                of_attempts = attempts.get(x)
                identity = (*counts(of_attempts[index]), "counted") if of_attempts else None
                yield replace(template, x=x, server="abcdefgh"[index], value=value, identity=identity)
            continue
        yield replace(
            template,
            circumstances=_at_point(template.circumstances, point),
            x=x,
            value=point["value"],
            samples=point["samples"],
            sampled=repeated.of,
            combined=repeated.combined,
            identity=_identity(point, basis),
            conflict=_conflict(data, series, point),
        )
        others = point.get("other_passes", [])
        for other in others:
            yield replace(
                template,
                x=x,
                pass_=other["pass"],
                displayed=False,
                value=other["value"],
                samples=1 if other["value"] is not None else None,
                identity=(other["identity_matched"], other["identity_total"], "counted"),
            )
        if not others and series.get("qualified_passes") == 2 and x <= series["qualified_through_users"]:
            # the source says that both passes qualified here, without the other pass's value
            name = _other_pass(data, series)
            yield replace(template, x=x, pass_=name, identity=(x, x, "stated-qualified"), displayed=False)


def _other_pass(data: Json, series: Json) -> str:
    """What the session calls its pass beside the displayed one."""
    names = [
        other["pass"]
        for same in data["series"]
        if same["campaign"] == series["campaign"]
        for point in same["points"]
        for other in point.get("other_passes", ())
    ]
    return str(names[0]) if names else "first"


def _axis(series: Json) -> Axis:
    match series["x"]:
        case "context_tokens":
            return Axis.CONTEXT_DEPTH if series["config"].get("harness") == "llama-bench" else Axis.CONTEXT_TOKENS
        case "concurrent_users":
            return Axis.CONCURRENT_USERS
    raise NotUnderstood(f"{series['id']}: axis {series['x']!r} has no reading here")


def _metric(series: Json, axis: Axis) -> str:
    batched = series["config"].get("harness") == "llama-batched-bench"
    match series["metric"], axis:
        case "decode", Axis.CONTEXT_TOKENS | Axis.CONTEXT_DEPTH:
            return "decode"
        case "aggregate_decode", Axis.CONCURRENT_USERS:
            return "aggregate_batched_bench" if batched else "aggregate_wall"
        case "prefill", Axis.CONTEXT_TOKENS | Axis.CONTEXT_DEPTH:
            return "prefill_server"
        case ("ttft_p50" | "ttft_p95") as name, _:
            return str(name)
        case "ttft", _:
            return "ttft_mean"
    raise NotUnderstood(f"{series['id']}: metric {series['metric']!r} over {axis.value} has no reading here")


@dataclass(frozen=True, slots=True)
class _Repetition:
    """What the samples of a series are, how they became one value, and how many servers that value stands for."""

    of: str | None = None
    combined: str | None = None
    servers: int | None = None


def _repetition(series: Json) -> _Repetition:
    words = series.get("aggregation") or ""
    if match := re.fullmatch(r"median of (\d) fresh-server attempts", words):
        return _Repetition("servers", "median", int(match[1]))
    if match := re.fullmatch(r"median of (\d) fresh-server class medians", words):
        return _Repetition(None, None, int(match[1]))
    if re.fullmatch(r"(tg|pp)\d+, \d+ repetitions", words):
        return _Repetition("repetitions")
    if re.fullmatch(r"mean of \d+ one-card lanes", words):
        return _Repetition("lanes", "mean")
    return _Repetition("passes") if words == "four-pass summary" else _Repetition()


def _variant(config: Json) -> Variant:
    steps = tuple((step[0], step[1], step[2]) for step in config.get("speculation_schedule", ()))
    depth = config["draft_depth"]
    method = method_of(config["speculation"], depth=depth)
    if method is None:
        depth = 0
    elif config["speculation"] is not None and not depth and not steps:
        raise NotUnderstood(f"speculation {config['speculation']!r} without a draft depth")
    return Variant(
        cards=config["cards"],
        tensor_parallel=config["tensor_parallel"],
        method=method,
        depth=depth,
        draft_head=config.get("draft_head") if depth else None,
        verifier=config.get("target_verifier") if depth else None,
        schedule=steps,
    )


def _circumstances(data: Json, series: Json, axis: Axis) -> Circumstances:
    config = series["config"]
    users = axis is Axis.CONCURRENT_USERS
    harness = config.get("harness")
    classes = tuple(config.get("content_classes", ()))
    servers = config.get("fresh_servers")
    image = config.get("image")
    sweep = _of_sweep(data, series)
    return Circumstances(
        kind="users" if users else "context",
        image=image,
        image_digest=config.get("image_id") or image_digest(data, image),
        line=config.get("line"),
        settings=settings_of(config),
        suite=_suite(config, users=users),
        prompts=64 if str(config.get("suite", "")).startswith("64-prompt") else (len(classes) or None),
        classes=len(classes) or None,
        class_names=classes,
        output_tokens=next((one["output_tokens"] for one in sweep if one.get("output_tokens")), None),
        requests_per_x=config.get("requests_per_depth") or (len(classes) if servers and classes else None),
        api="completions" if "completions" in str(config.get("api", "")) else None,
        prefix_cache=cache(config.get("cache")),
        compile_caches=None,
        canaries=canaries(config.get("canaries")),
        prompt_tokens=next((one["prompt_tokens"] for one in sweep if one.get("prompt_tokens")), None),
        engine_version=engine_version(data, image),
        harness=harness,
    )


def _of_sweep(data: Json, series: Json) -> Sequence[dict[str, Any]]:
    """Its own configuration, and those of the other series that the same sweep of the same tool gave: llama-bench times both phases."""
    own = series["config"]
    if own.get("harness") != "llama-bench":
        return [own]
    others = [
        other["config"]
        for other in data["series"]
        if other is not series
        and other["evidence_path"] == series["evidence_path"]
        and settings_of(other["config"]) == settings_of(own)
    ]
    return [own, *others]


def _suite(config: Json, *, users: bool) -> str:
    if config.get("harness") in {"llama-bench", "llama-batched-bench"}:
        return str(config["harness"])
    if users:
        return "audited-users" if "context_pool_tokens" in config else "small-context"
    if str(config.get("fixture", "")).startswith("repeated-token"):
        return "repeated-token"
    return "unique-prompts" if config.get("prompts") == "unique" else "content-classes"


def _at_point(circumstances: Circumstances, point: Json) -> Circumstances:
    """A point that was measured with settings of its own."""
    own = settings_of(point)
    if not own:
        return circumstances
    return replace(circumstances, settings=tuple((dict(circumstances.settings) | dict(own)).items()))


def _identity(point: Json, basis: str) -> tuple[int, int, str] | None:
    matched, total = point["identity_matched"], point["identity_total"]
    if total is None:
        return None
    if matched is None:
        return min(point["identity_matched_range"]), total, "lowest-of-range"
    if "sequential_identity" in point:
        # what one user is answered decides; a batch of the same shape is another comparison, printed as a note
        return point["sequential_identity"]["matched"], point["sequential_identity"]["total"], "counted"
    if point.get("identity_scope") == "all passes":
        return matched, total, "all-passes"
    if "series total" in basis:
        return matched, total, "series-total"
    counted = matched != total or point["status"] != "published"
    return matched, total, "counted" if counted else "stated-qualified"


def _conflict(data: Json, series: Json, point: Json) -> tuple[str, str, str] | None:
    matched, total = point["identity_matched"], point["identity_total"]
    if "sequential_identity" in point:
        one_by_one = point["sequential_identity"]
        return (
            series["evidence_path"],
            f"{matched} of {total} outputs equal to a {point['identity_oracle']}",
            f"{one_by_one['matched']} of {one_by_one['total']} outputs equal to the answers given one at a time",
        )
    if point["status"] == "published" and point.get("identity_qualified") is False:
        low, high = point["identity_matched_range"]
        return (
            data["source"]["path"],
            "the value is published with the ladder",
            f"{low} to {high} of {total} outputs matched, depending on the pass",
        )
    if "page_stated_mismatches" not in point:
        return None
    wrong, stated_total = point["page_stated_mismatches"], point["page_stated_total"]
    if stated_total - wrong == matched:
        return None
    page = next(
        (origin["path"] for origin in data.get("other_sources", ()) if origin["path"].endswith(".html")),
        "the published page",
    )
    return page, f"{wrong} of {stated_total} outputs differed", f"{matched}/{total} outputs matched"


# --- what the file holds beside its published series -----------------------------------------------------------------


def _comparable(series: Json) -> tuple[object, ...]:
    """What must be equal for a ladder to be another pass of a published one."""
    config = series["config"]
    return (
        series["metric"],
        series["x"],
        config["cards"],
        config["draft_depth"] or 0,
        config.get("image"),
        config.get("max_model_len"),
    )


def first_ladders(data: Json, series: Json) -> list[Json]:
    """The ladders of other sessions that are other passes of a published one."""
    return [
        other
        for other in data.get("supplementary_series", ())
        if _comparable(other) == _comparable(series)
        and other["campaign"] != series["campaign"]
        and other["metric"] == "aggregate_decode"
    ]


def _attempt_identity(data: Json, series: Json) -> dict[int, Sequence[str]]:
    """Identity counts of the attempts of the same session, which the file keeps under another metric."""
    return {
        point["x"]: point["attempt_identity"]
        for other in data.get("supplementary_series", ())
        if other["campaign"] == series["campaign"] and other["x"] == series["x"]
        for point in other["points"]
        if "attempt_identity" in point
    }


def check_derived(data: Json, series: Json) -> float:
    """How far, as a share, a series of rates is from x over TTFT, which it says it was derived from.

    Such a rate is never passed on. Raises `NotUnderstood` where it is not what it says; an approximate one may be off by little.
    """
    ttft = next(
        (
            other
            for other in data["series"]
            if other["metric"].startswith("ttft")
            and other["config"] == series["config"]
            and other["campaign"] == series["campaign"]
        ),
        None,
    )
    if ttft is None:
        raise NotUnderstood(f"{series['id']}: derived from TTFT, and no TTFT series of the same configuration is there")
    times = {point["x"]: point["value"] for point in ttft["points"]}
    furthest = 0.0
    for point in series["points"]:
        rate = point["x"] / (times[point["x"]] / 1000)
        off = abs(rate - point["value"]) / rate
        if off > (APPROXIMATELY if series.get("approximate") else EXACTLY):
            raise NotUnderstood(f"{series['id']} x {point['x']}: {point['value']} is not x over TTFT ({rate})")
        furthest = max(furthest, off)
    return furthest
