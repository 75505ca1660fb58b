"""Figures: a file of published figures (one deployment, numbers and identifiers only) as a flat list of facts.

Comes in: the parsed JSON of such a file. Goes out: `Fact` records, which `transcribe` groups into campaigns and verifies them against.
The shape of the file is described in `content/pages/formats.md`. Anything that the reader does not understand is a problem, never skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from proofpress.axis import Axis
from proofpress.reading import exact_value

Json = Mapping[str, Any]

SETTINGS = (
    "max_model_len",
    "max_num_seqs",
    "max_num_batched_tokens",
    "graph_capture",
    "graph_capture_sizes",
    "graph",
    "compile",
    "splitting_ops",
    "transport",
    "activations",
    "kv",
)
"""The configuration keys that become engine settings, in the order in which they are written."""


class NotUnderstood(ValueError):
    """The file has a shape that this reader does not know; the text says where and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What becomes an arm: cards, tensor parallel and speculation."""

    cards: int | None
    tensor_parallel: int | None
    method: str | None
    depth: int
    draft_head: str | None = None
    verifier: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What must be equal for runs to stand in one campaign, besides the model and the machine."""

    kind: str
    """'strict', 'context' or 'users'."""
    image: str | None
    image_digest: str | None
    line: str | None
    settings: tuple[tuple[str, Any], ...]
    suite: str
    prompts: int | None
    classes: int | None
    class_names: tuple[str, ...]
    output_tokens: int | None
    requests_per_x: int | None
    api: str | None
    prefix_cache: str | None
    compile_caches: str | None
    canaries: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One published value or count of one run, in the words of the file."""

    circumstances: Circumstances
    variant: Variant
    oracle: Variant | None
    """The variant whose outputs this one's were compared with, where the file names it."""
    session: str
    measured_on: str | None
    axis: Axis
    x: int | None
    server: str
    pass_: str
    metric: str
    unit: str
    value: float | None
    samples: int | None
    by_class: tuple[tuple[str, float], ...] = ()
    identity: tuple[int, int, str] | None = None
    """Matched, total, basis."""
    conflict: tuple[str, str, str] | None = None
    evidence_path: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What tells one published value from another."""
        variant = self.variant
        return (
            self.session,
            self.axis,
            self.x,
            variant.cards,
            variant.depth,
            variant.draft_head,
            self.server,
            self.pass_,
            self.metric,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One file: who and what, and its facts. `unpublished` counts values that the source itself holds back and that stay out."""

    package: str
    repository: str
    commit: str
    path: str
    other_origins: tuple[tuple[str, str, str], ...]
    cards: int
    """The deployment's number of accelerators; arms on another number say so in their id."""
    accelerator_label: str
    engine_label: str
    engine_version: str | None
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
    engine = runtime.get("engine")
    facts = [*_strict_facts(data), *_series_facts(data)]
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
        engine_version=engine.split(" ", 1)[1] if engine and " " in engine else None,
        checkpoint=model["checkpoint"],
        revision=model.get("revision"),
        quantization_label=model["quantization"],
        facts=tuple(facts),
        unpublished=tuple(_left_out(data)),
    )


def _no_two_values(facts: Sequence[Fact]) -> None:
    seen: dict[tuple[object, ...], Fact] = {}
    for fact in facts:
        other = seen.setdefault(fact.key, fact)
        if other is not fact:
            raise NotUnderstood(
                f"two values for {fact.metric} of session {fact.session} at x {fact.x}: {other.value} and {fact.value}"
            )


# --- the fixed suite -------------------------------------------------------------------------------------------------


def _strict_facts(data: Json) -> Iterator[Fact]:
    """The suite's values: a ladder over draft depths where there is one, else pairs, else the headline with its oracle."""
    if data.get("headline_ladder"):
        return _ladder_facts(data)
    if data.get("strict_pairs"):
        return _pair_facts(data)
    if data.get("headline"):
        raise NotUnderstood("headline: neither a ladder nor pairs stand beside it, so its session is not known")
    return iter(())


def _strict_circumstances(data: Json, *, settings: tuple[tuple[str, Any], ...]) -> Circumstances:
    headline, runtime = data["headline"], data["runtime"]
    suite = headline["suite"]
    return Circumstances(
        kind="strict",
        image=headline["config"].get("image"),
        image_digest=_image_digest(data, headline["config"].get("image")),
        line=headline["config"].get("line"),
        settings=(*settings, *_compile_settings(runtime)),
        suite="strict-12",
        prompts=suite["prompts"],
        classes=suite.get("classes"),
        class_names=(),
        output_tokens=suite.get("output_token_cap"),
        requests_per_x=None,
        api=None,
        prefix_cache=_cache(headline.get("cache")),
        compile_caches="separate-empty" if headline.get("compile_caches") == "separate, empty" else None,
        canaries=_canaries(headline.get("canaries")),
    )


def _compile_settings(runtime: Json) -> tuple[tuple[str, Any], ...]:
    return (("compile", "whole-graph"),) if str(runtime.get("compile", "")).startswith("whole-graph") else ()


def _ladder_facts(data: Json) -> Iterator[Fact]:
    config = data["headline"]["config"]
    circumstances = _strict_circumstances(data, settings=())
    reference = _strict_variant(config, depth=0)
    for rung in data["headline_ladder"]:
        if rung["status"] != "published":
            continue
        depth = rung["draft_depth"]
        identity = _lowest(rung["identity"].values())
        for index, server in enumerate(rung["fresh_servers"]):
            classes = server.get("class_medians", {})
            if classes and exact_value(median(classes.values())) != exact_value(server["value"]):
                raise NotUnderstood(
                    f"headline_ladder depth {depth}: {server['value']} is not the median of its class medians"
                )
            yield Fact(
                circumstances=circumstances,
                variant=_strict_variant(config, depth=depth),
                oracle=reference if depth else None,
                session=rung["campaign"],
                measured_on=rung["date"],
                axis=Axis.SUITE,
                x=None,
                server="ab"[index],
                pass_="first",
                metric="class_balanced_decode_1_100",
                unit=rung["unit"],
                value=server["value"],
                samples=None,
                by_class=tuple(sorted(classes.items())),
                identity=(*identity, "counted"),
                evidence_path=rung["evidence_path"],
            )


def _strict_variant(config: Json, *, depth: int) -> Variant:
    return Variant(
        cards=config["cards"],
        tensor_parallel=config.get("tensor_parallel", config["cards"]),
        method=config["speculation"] if depth else None,
        depth=depth,
        draft_head=config.get("draft_head") if depth else None,
        verifier=config.get("target_verifier") if depth else None,
    )


def _pair_facts(data: Json) -> Iterator[Fact]:
    headline = data["headline"]
    config = headline["config"]
    dates = {series["campaign"]: series["date"] for series in data["series"]} | {headline["campaign"]: headline["date"]}
    for pair in data["strict_pairs"]:
        depth = pair["draft_depth"]
        graph = pair.get("graph", config.get("graph_capture"))
        circumstances = _strict_circumstances(data, settings=(("graph_capture", graph),) if graph else ())
        variant = Variant(
            cards=pair["cards"],
            tensor_parallel=pair["cards"],
            method=config["speculation"] if depth else None,
            depth=depth,
            draft_head=pair.get("draft_head") if depth else None,
        )
        identity = None if pair["matched"] is None else (pair["matched"], pair["total"], "counted")
        values = pair["fresh_server_values"] or [pair.get("value")]
        servers = "ab" if pair["fresh_server_values"] else ("not-stated",)
        for server, value in zip(servers, values, strict=True):
            yield Fact(
                circumstances=circumstances,
                variant=variant,
                oracle=replace(variant, method=None, depth=0, draft_head=None) if depth else None,
                session=pair["campaign"],
                measured_on=dates.get(pair["campaign"]),
                axis=Axis.SUITE,
                x=None,
                server=server,
                pass_="first",
                metric="class_balanced_decode_1_100",
                unit=headline["unit"],
                value=value,
                samples=None,
                identity=identity,
                evidence_path=headline["evidence_path"],
            )


# --- ladders over context and users ----------------------------------------------------------------------------------


def _series_facts(data: Json) -> Iterator[Fact]:
    for series in data["series"]:
        if series.get("derived"):
            _check_derived(data, series)
            continue
        yield from _series(data, series)
        for first in _first_ladders(data, series):
            yield from _series(data, first, pass_="first")


def _series(data: Json, series: Json, *, pass_: str | None = None) -> Iterator[Fact]:
    config = series["config"]
    axis = _axis(series)
    metric = _metric(series, axis)
    shown = pass_ or config.get("shown_pass") or ("repeat" if _has_first_ladder(data, series) else "first")
    variant = _variant(config)
    basis = series.get("identity_point_basis") or ""
    template = Fact(
        circumstances=_circumstances(data, series, axis),
        variant=variant,
        oracle=replace(variant, method=None, depth=0, draft_head=None, verifier=None)
        if axis is Axis.CONTEXT_TOKENS and variant.depth
        else None,
        session=series["campaign"],
        measured_on=series["date"],
        axis=axis,
        x=None,
        server="a",
        pass_=shown,
        metric=metric,
        unit=series["unit"],
        value=None,
        samples=None,
        evidence_path=series["evidence_path"],
    )
    attempts = _attempt_identity(data, series)
    for point in series["points"]:
        x = point["x"]
        if "attempt_values" in point:
            if exact_value(median(point["attempt_values"])) != exact_value(point["value"]):
                raise NotUnderstood(f"{series['id']} x {x}: {point['value']} is not the median of its attempts")
            for index, value in enumerate(point["attempt_values"]):
                counts = attempts.get(x)
                identity = (*_counts(counts[index]), "counted") if counts else None
                yield replace(template, x=x, server="abcdefgh"[index], value=value, identity=identity)
            continue
        yield replace(
            template,
            x=x,
            value=point["value"],
            samples=point["samples"],
            identity=_identity(point, basis),
            conflict=_conflict(data, point),
        )
        others = point.get("other_passes", [])
        for other in others:
            yield replace(
                template,
                x=x,
                pass_=other["pass"],
                value=other["value"],
                samples=1 if other["value"] is not None else None,
                identity=(other["identity_matched"], other["identity_total"], "counted"),
            )
        if not others and series.get("qualified_passes") == 2 and x <= series["qualified_through_users"]:
            # the source says that both passes qualified here, without the other pass's value
            yield replace(template, x=x, pass_="first", identity=(x, x, "stated-qualified"))


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


def _variant(config: Json) -> Variant:
    depth = config["draft_depth"] or 0
    if config["speculation"] not in (None, "none") and not depth:
        raise NotUnderstood(f"speculation {config['speculation']!r} without a draft depth")
    return Variant(
        cards=config["cards"],
        tensor_parallel=config["tensor_parallel"],
        method=config["speculation"] if depth else None,
        depth=depth,
        draft_head=config.get("draft_head") if depth else None,
        verifier=config.get("target_verifier") if depth else None,
    )


def _circumstances(data: Json, series: Json, axis: Axis) -> Circumstances:
    config = series["config"]
    users = axis is Axis.CONCURRENT_USERS
    classes = tuple(config.get("content_classes", ()))
    return Circumstances(
        kind="users" if users else "context",
        image=config.get("image"),
        image_digest=config.get("image_id") or _image_digest(data, config.get("image")),
        line=config.get("line"),
        settings=tuple((key, _plain(config[key])) for key in SETTINGS if config.get(key) not in (None, [])),
        suite="small-context" if users else "content-classes",
        prompts=64 if str(config.get("suite", "")).startswith("64-prompt") else (len(classes) or None),
        classes=len(classes) or None,
        class_names=classes,
        output_tokens=config.get("output_tokens"),
        requests_per_x=config.get("requests_per_depth"),
        api="completions" if "completions" in str(config.get("api", "")) else None,
        prefix_cache=_cache(config.get("cache")),
        compile_caches=None,
        canaries=_canaries(config.get("canaries")),
    )


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _identity(point: Json, basis: str) -> tuple[int, int, str] | None:
    matched, total = point["identity_matched"], point["identity_total"]
    if total is None:
        return None
    if "series total" in basis:
        return matched, total, "series-total"
    counted = matched != total or point["status"] != "published"
    return matched, total, "counted" if counted else "stated-qualified"


def _conflict(data: Json, point: Json) -> tuple[str, str, str] | None:
    if "page_stated_mismatches" not in point:
        return None
    wrong, total = point["page_stated_mismatches"], point["page_stated_total"]
    if total - wrong == point["identity_matched"]:
        return None
    page = next(
        (origin["path"] for origin in data.get("other_sources", ()) if origin["path"].endswith(".html")),
        "the published page",
    )
    return (
        page,
        f"{wrong} of {total} outputs differed",
        f"{point['identity_matched']}/{point['identity_total']} outputs matched",
    )


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


def _first_ladders(data: Json, series: Json) -> list[Json]:
    return [
        other
        for other in data.get("supplementary_series", ())
        if _comparable(other) == _comparable(series)
        and other["campaign"] != series["campaign"]
        and other["metric"] == "aggregate_decode"
    ]


def _has_first_ladder(data: Json, series: Json) -> bool:
    return bool(_first_ladders(data, series))


def _attempt_identity(data: Json, series: Json) -> dict[int, Sequence[str]]:
    """Identity counts of the attempts of the same session, which the file keeps under another metric."""
    return {
        point["x"]: point["attempt_identity"]
        for other in data.get("supplementary_series", ())
        if other["campaign"] == series["campaign"] and other["x"] == series["x"]
        for point in other["points"]
        if "attempt_identity" in point
    }


def _left_out(data: Json) -> Iterator[str]:
    """Ids of the ladders that the source holds back and that no published series needs as another pass."""
    for rung in data.get("headline_ladder", ()):
        if rung["status"] != "published":
            yield f"headline_ladder depth {rung['draft_depth']}"
    for other in data.get("supplementary_series", ()):
        if not any(other in _first_ladders(data, series) for series in data["series"]):
            yield other["id"]


def _check_derived(data: Json, series: Json) -> None:
    """A rate over TTFT is never imported; it is checked against the TTFT series that it was derived from."""
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
    for point in series["points"]:
        rate = point["x"] / (times[point["x"]] / 1000)
        if abs(rate - point["value"]) > rate * 1e-9:
            raise NotUnderstood(f"{series['id']} x {point['x']}: {point['value']} is not x over TTFT ({rate})")


def _image_digest(data: Json, name: str | None) -> str | None:
    """The digest of the image called `name`, where the file gives it."""
    runtime = data["runtime"]
    image = runtime.get("image")
    if name is None or image is None or runtime.get("image_name") != name:
        return None
    return str(image).partition("@")[2] or None


def _counts(text: str) -> tuple[int, int]:
    matched, _, total = text.partition("/")
    return int(matched), int(total)


def _lowest(counts: Any) -> tuple[int, int]:
    return min(_counts(text) for text in counts)


def _cache(word: str | None) -> str | None:
    return "off" if word in {"zero", "disabled"} else None


def _canaries(words: object) -> str | None:
    if words == "every server":
        return "every-server"
    return "before-and-after" if words == ["before", "after"] else None
