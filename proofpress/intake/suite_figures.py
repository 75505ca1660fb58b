"""Suite figures: what a file of published figures says about its fixed prompt suite, one user at a time.

Comes in: the parsed JSON. Goes out: `Fact` records on the suite axis. The suite's values stand in one of four places: a ladder over
draft depths, pairs of servers, a series over draft depth, or the headline alone; or in a headline that its source holds back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import repeat
from statistics import median
from typing import Any

from proofpress.intake.published import (
    NOT_STATED,
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
    images,
    method_of,
    settings_of,
)
from proofpress.kernel.reading import exact_value
from proofpress.records.axis import Axis

CLASS_BALANCED = "class_balanced_decode_1_100"
SESSION = re.compile(r"[A-Z]\d{2,4}")
"""How a session is called where other values of the headline's statistic are listed by session."""


def facts(data: Json) -> Iterator[Fact]:
    """All facts on the suite axis."""
    if data.get("headline_ladder"):
        yield from _ladder(data)
        return
    if data.get("strict_pairs"):
        yield from _pairs(data)
    yield from _depths(data)
    if data.get("headline") and not _stands_elsewhere(data):
        yield from _headline(data)
    if data.get("headline"):
        yield from _other_sessions(data)
        yield from _revalidation(data)
    if data.get("withheld_headline"):
        yield from _held_back(data)


# --- a ladder over draft depths, two servers each -------------------------------------------------------------------


def _ladder(data: Json) -> Iterator[Fact]:
    config = data["headline"]["config"]
    circumstances = _pair_circumstances(data, image=config.get("image"), settings=(), like_headline=True)
    reference = _pair_variant(config, depth=0)
    for rung in data["headline_ladder"]:
        if rung["status"] != "published":
            continue
        depth = rung["draft_depth"]
        identity = min(counts(text) for text in rung["identity"].values())
        for index, server in enumerate(rung["fresh_servers"]):
            classes = server.get("class_medians", {})
            if classes and exact_value(median(classes.values())) != exact_value(server["value"]):
                raise NotUnderstood(
                    f"headline_ladder depth {depth}: {server['value']} is not the median of its class medians"
                )
            yield Fact(
                circumstances=circumstances,
                variant=_pair_variant(config, depth=depth),
                oracle=reference if depth else None,
                session=rung["campaign"],
                measured_on=rung["date"],
                axis=Axis.SUITE,
                x=None,
                server="ab"[index],
                pass_="first",
                metric=CLASS_BALANCED,
                unit=rung["unit"],
                value=server["value"],
                samples=None,
                by_class=tuple(sorted(classes.items())),
                identity=(*identity, "counted"),
                evidence_path=rung["evidence_path"],
            )


def _pair_variant(config: Json, *, depth: int) -> Variant:
    return Variant(
        cards=config["cards"],
        tensor_parallel=config.get("tensor_parallel", config["cards"]),
        method=method_of(config["speculation"], depth=depth) if depth else None,
        depth=depth,
        draft_head=config.get("draft_head") if depth else None,
        verifier=config.get("target_verifier") if depth else None,
    )


def _pair_circumstances(
    data: Json, *, image: str | None, settings: tuple[tuple[str, Any], ...], like_headline: bool
) -> Circumstances:
    """`like_headline`: what the file says of the headline's caches and canaries holds here as well."""
    headline, runtime = data["headline"], data["runtime"]
    suite = headline["suite"]
    compiled = str(runtime.get("compile", "")).startswith("whole-graph")
    return Circumstances(
        kind="strict",
        image=image,
        image_digest=image_digest(data, image),
        line=headline["config"].get("line"),
        settings=(*settings, ("compile", "whole-graph")) if compiled else settings,
        suite="strict-12",
        prompts=suite["prompts"],
        classes=suite.get("classes"),
        class_names=(),
        output_tokens=suite.get("output_token_cap"),
        requests_per_x=None,
        api=None,
        prefix_cache=cache(headline.get("cache")) if like_headline else None,
        compile_caches="separate-empty"
        if like_headline and headline.get("compile_caches") == "separate, empty"
        else None,
        canaries=canaries(headline.get("canaries")) if like_headline else None,
        engine_version=engine_version(data, image),
    )


# --- pairs of servers, by session ------------------------------------------------------------------------------------


def _pairs(data: Json) -> Iterator[Fact]:
    headline = data["headline"]
    config = headline["config"]
    dates = {series["campaign"]: series["date"] for series in data["series"]} | {headline["campaign"]: headline["date"]}
    for pair in data["strict_pairs"]:
        depth = None if "schedule" in pair else pair["draft_depth"]
        graph = pair.get("graph", config.get("graph_capture"))
        circumstances = _pair_circumstances(
            data,
            image=_image_of(data, pair["campaign"]),
            settings=(("graph_capture", graph),) if graph else (),
            like_headline=len(images(data)) == 1,
        )
        variant = Variant(
            cards=pair["cards"],
            tensor_parallel=pair["cards"],
            method=None if depth == 0 else method_of(config["speculation"], depth=depth),
            depth=depth,
            draft_head=pair.get("draft_head") if depth else None,
            schedule=_schedule(data, pair) if "schedule" in pair else (),
        )
        identity = None if pair["matched"] is None else (pair["matched"], pair["total"], "counted")
        values = pair["fresh_server_values"] or [pair.get("value")]
        servers = "ab" if pair["fresh_server_values"] else (NOT_STATED,)
        for server, value in zip(servers, values, strict=True):
            yield Fact(
                circumstances=circumstances,
                variant=variant,
                oracle=variant.without_drafts if depth else None,
                session=pair["campaign"],
                measured_on=dates.get(pair["campaign"]),
                axis=Axis.SUITE,
                x=None,
                server=server,
                pass_="first",
                metric=CLASS_BALANCED,
                unit=headline["unit"],
                value=value,
                samples=None,
                identity=identity,
                oracle_unnamed=depth is None,
                evidence_path=headline["evidence_path"],
            )


def _image_of(data: Json, session: str | None) -> str | None:
    """The image of a session: the only one that the file names, or the one on which the same session measured ladders."""
    named = images(data)
    if len(named) == 1:
        return next(iter(named))
    of_session = {
        series["config"]["image"]
        for series in data["series"]
        if session is not None and series["campaign"] == session and series["config"].get("image")
    }
    return of_session.pop() if len(of_session) == 1 else None


def _schedule(data: Json, pair: Json) -> tuple[tuple[int, int, int], ...]:
    for series in data["series"]:
        steps = series["config"].get("speculation_schedule")
        if steps and pair["campaign"] in {series["campaign"], series.get("repeat_campaign")}:
            if "/".join(str(step[2]) for step in steps) != pair["schedule"]:
                raise NotUnderstood(f"strict_pairs {pair['campaign']}: another schedule than the session's ladder has")
            return tuple((step[0], step[1], step[2]) for step in steps)
    raise NotUnderstood(f"strict_pairs {pair['campaign']}: no ladder of this session says what the schedule is")


# --- a series over draft depth ---------------------------------------------------------------------------------------


def _depth_series(data: Json) -> list[Json]:
    return [series for series in data["series"] if series["x"] == "speculative_tokens"]


def _stands_elsewhere(data: Json) -> bool:
    """Whether the headline's value is one of a pair or of a series over draft depth."""
    headline = data["headline"]
    if any(point["value"] == headline["value"] for series in _depth_series(data) for point in series["points"]):
        return True
    return any(pair["campaign"] == headline.get("campaign") for pair in data.get("strict_pairs", ()))


def _depths(data: Json) -> Iterator[Fact]:
    for series in _depth_series(data):
        headline, config = data["headline"], series["config"]
        circumstances = _headline_circumstances(data, {**headline["config"], **_stated(config)})
        for point in series["points"]:
            depth = point["x"]
            variant = Variant(
                cards=config["cards"],
                tensor_parallel=config["tensor_parallel"],
                method=method_of(config["speculation"], depth=depth) if depth else None,
                depth=depth,
            )
            template = Fact(
                circumstances=circumstances,
                variant=variant,
                oracle=variant.without_drafts if depth else None,
                session=series["campaign"],
                measured_on=series["date"],
                axis=Axis.SUITE,
                x=None,
                server="a",
                pass_="first",
                metric=CLASS_BALANCED,
                unit=series["unit"],
                value=point["value"],
                samples=point["samples"],
                sampled="servers",
                identity=_point_identity(point),
                conflict=_uncounted(series, point),
                evidence_path=series["evidence_path"],
            )
            values = headline["fresh_server_values"] if point["value"] == headline["value"] else None
            if point["samples"] == 1:
                yield template
            elif values is None or len(values) != point["samples"]:
                raise NotUnderstood(f"{series['id']} depth {depth}: {point['samples']} servers and not their values")
            else:
                yield from _servers_and_centre(template, values)


def _stated(config: Json) -> dict[str, Any]:
    return {key: value for key, value in config.items() if value is not None}


def _point_identity(point: Json) -> tuple[int, int, str] | None:
    matched, total = point["identity_matched"], point["identity_total"]
    if total is None:
        return None
    return matched, total, "stated-qualified" if matched == total and point["samples"] == 1 else "counted"


def _uncounted(series: Json, point: Json) -> tuple[str, str, str] | None:
    """A source that calls a point exact and gives no count says two things; both are printed."""
    if not point.get("target_exact") or point["identity_total"] is not None:
        return None
    return series["evidence_path"], "outputs exact", "no count of compared outputs is given"


def _servers_and_centre(template: Fact, values: Sequence[float]) -> Iterator[Fact]:
    """A value that is the centre of several servers, and beside it what each of them gave."""
    identity = template.identity
    prompts = template.circumstances.prompts
    own = identity
    if identity is not None and prompts is not None and identity[1] == prompts * len(values):
        if identity[0] != identity[1]:
            raise NotUnderstood(
                f"{identity[0]}/{identity[1]} over {len(values)} servers: it is not said which differed"
            )
        own = (prompts, prompts, "series-total")
    letters = "abcdefgh"[: len(values)]
    yield replace(
        template,
        server="-".join(letters),
        pass_="centre",
        samples=len(values),
        sampled="servers",
        combined="median",
        pooled_servers=len(values),
    )
    for letter, value in zip(letters, values, strict=True):
        yield replace(template, server=letter, value=value, samples=None, sampled=None, identity=own, displayed=False)


# --- the headline alone ----------------------------------------------------------------------------------------------


def _headline(data: Json) -> Iterator[Fact]:
    headline = data["headline"]
    config = headline.get("config", {})
    variant = _headline_variant(data)
    oracle = headline.get("oracle")
    compared = oracle or headline.get("identity")
    if not headline.get("aggregation"):
        raise NotUnderstood("headline: neither a ladder nor pairs hold it, and it does not say which statistic it is")
    words = headline["aggregation"]
    template = Fact(
        circumstances=_headline_circumstances(data, config),
        variant=variant,
        oracle=variant.without_drafts if oracle else None,
        session=headline.get("campaign"),
        measured_on=headline.get("date"),
        axis=Axis.SUITE,
        x=None,
        server="a" if "one start" in words or headline.get("suite", {}).get("runs") == 1 else NOT_STATED,
        pass_="first",
        metric=_metric(words),
        unit=headline["unit"],
        value=headline["value"],
        samples=None,
        identity=(compared["matched"], compared["total"], "counted") if compared else None,
        oracle_unnamed=bool(compared) and not oracle and compared["between"] != "two fresh servers",
        evidence_path=headline["evidence_path"],
    )
    if oracle:
        yield replace(
            template,
            variant=variant.without_drafts,
            oracle=None,
            identity=None,
            value=oracle["value"],
            server=NOT_STATED,
        )
    yield from _by_server(template, headline["fresh_server_values"], words)


def _by_server(template: Fact, values: Sequence[float] | None, words: str) -> Iterator[Fact]:
    warm = re.fullmatch(r"mean of (\d+) promoted warm runs", words)
    if values is None and warm:
        yield replace(template, pass_="warm", samples=int(warm[1]), sampled="repetitions", combined="mean")
    elif values is None and "two fresh-server" in words:
        yield replace(template, server="a-b", pooled_servers=2, samples=2, sampled="servers", combined="median")
    elif values is None:
        yield template
    elif exact_value(median(values)) == exact_value(template.value or 0):
        for letter, value in zip("abcdefgh", values, strict=False):
            yield replace(template, server=letter, value=value)
    elif values[0] == template.value:
        # the source displays the first of its servers, so the others are other passes and not part of the value
        yield replace(template, server="a")
        for letter, value in zip("bcdefgh", values[1:], strict=False):
            yield replace(template, server=letter, value=value, pass_="repeat", displayed=False)
    else:
        stated = min(len(f"{value}".partition(".")[2]) for value in values)
        if abs(median(values) - (template.value or 0)) > 10.0**-stated:
            raise NotUnderstood(f"headline: {template.value} is not the centre of its servers' {list(values)}")
        yield from _servers_and_centre(template, values)


def _headline_variant(data: Json) -> Variant:
    headline = data["headline"]
    config = headline.get("config", {})
    words = config.get("speculation")
    if words is None:
        words = next((word for word in headline["label_keywords"] if word == "MTP-assisted"), None)
    depth = config.get("draft_depth")
    method = method_of(words, depth=depth)
    return Variant(
        cards=config.get("cards", data["hardware"]["cards"]),
        tensor_parallel=config.get("tensor_parallel"),
        method=method,
        depth=0 if method is None else depth,
        draft_head=config.get("draft_head") if method else None,
    )


def _headline_circumstances(data: Json, config: Json) -> Circumstances:
    headline = data["headline"]
    suite = headline.get("suite", {})
    stated = {**config, **({"kv": data["model"]["kv"]} if data["model"].get("kv") else {})}
    return Circumstances(
        kind="strict",
        image=config.get("image"),
        image_digest=image_digest(data, config.get("image")),
        line=config.get("line"),
        settings=settings_of(stated),
        suite=_suite(headline),
        prompts=suite.get("prompts"),
        classes=suite.get("classes"),
        class_names=(),
        output_tokens=suite.get("output_token_cap") or suite.get("output_tokens") or config.get("output_tokens"),
        requests_per_x=None,
        api=None,
        prefix_cache=cache(headline.get("cache")),
        compile_caches=None,
        canaries=None,
        prompt_tokens=config.get("prompt_tokens"),
        engine_version=engine_version(data, config.get("image")),
    )


def _suite(headline: Json) -> str:
    suite = headline.get("suite", {})
    match suite.get("prompts"), suite.get("classes"):
        case 12, 6:
            return "strict-12"
        case 12, _:
            return "fixed-12"
        case 13, _:
            return "sealed-13"
        case 3, _:
            return "canonical-3"
    return "fixed-length" if headline.get("config", {}).get("prompt_tokens") else NOT_STATED


def _metric(words: str) -> str:
    """The metric that the source's description of a headline means."""
    if "class-balanced" in words or "class medians" in words:
        return CLASS_BALANCED
    if words.startswith("99-interval median"):
        return "decode_1_100"
    if "mean of" in words:
        return "mean_output_rate"
    raise NotUnderstood(f"headline: the statistic {words!r} has no reading here")


def _other_sessions(data: Json) -> Iterator[Fact]:
    """Values of the same statistic from sessions that the file names."""
    headline = data["headline"]
    for session, value in headline.get("other_values", {}).items():
        if not SESSION.fullmatch(session) or headline.get("campaign") is None:
            continue
        circumstances = replace(_headline_circumstances(data, {}), settings=(), prefix_cache=None)
        yield _of_the_headline(data, circumstances, session=session, value=value)


def _revalidation(data: Json) -> Iterator[Fact]:
    """The headline measured again on another image."""
    headline, runtime = data["headline"], data["runtime"]
    again = headline.get("revalidation")
    if not again:
        return
    settings: tuple[tuple[str, Any], ...] = ()
    if again["image"] == runtime.get("image_name"):
        settings = tuple(
            (name, runtime[key]) for key, name in (("kernel_head", "xpu_kernels"), ("onednn_head", "onednn")) if key in runtime
        )  # fmt: skip
    circumstances = replace(
        _headline_circumstances(data, {"image": again["image"]}), settings=settings, prefix_cache=None
    )
    yield _of_the_headline(data, circumstances, session=None, value=again["value"])


def _of_the_headline(data: Json, circumstances: Circumstances, *, session: str | None, value: float) -> Fact:
    """A further value of the headline's statistic, of which the file says neither day nor server."""
    headline = data["headline"]
    return Fact(
        circumstances=circumstances,
        variant=_headline_variant(data),
        oracle=None,
        session=session,
        measured_on=None,
        axis=Axis.SUITE,
        x=None,
        server=NOT_STATED,
        pass_="first",
        metric=_metric(headline["aggregation"]),
        unit=headline["unit"],
        value=value,
        samples=None,
    )


# --- a headline that its source holds back ---------------------------------------------------------------------------


def _held_back(data: Json) -> Iterator[Fact]:
    held = data["withheld_headline"]
    compared = held.get("identity")
    circumstances = Circumstances(
        kind="strict",
        image=None,
        image_digest=None,
        line=None,
        settings=(),
        suite="fixed-12" if compared and compared["total"] == 12 else NOT_STATED,
        prompts=compared["total"] if compared else None,
        classes=None,
        class_names=(),
        output_tokens=None,
        requests_per_x=None,
        api=None,
        prefix_cache=None,
        compile_caches=None,
        canaries=None,
    )
    between_servers = bool(compared) and "servers" in compared["between"]
    places = (
        zip("abcdefgh", repeat("first"))
        if between_servers
        else zip(repeat("not-stated"), ("first", "second", "third", "fourth"))
    )
    for (server, pass_), value in zip(places, held["values"], strict=False):
        yield Fact(
            circumstances=circumstances,
            variant=Variant(cards=held["cards"], tensor_parallel=None, method=NOT_STATED, depth=None),
            oracle=None,
            session=held.get("campaign"),
            measured_on=held.get("date"),
            axis=Axis.SUITE,
            x=None,
            server=server,
            pass_=pass_,
            displayed=pass_ == "first",
            metric=CLASS_BALANCED if compared and compared["total"] == 12 else "decode",
            unit=held["unit"],
            value=value,
            samples=None,
            identity=(compared["matched"], compared["total"], "counted") if compared else None,
            oracle_unnamed=bool(compared) and not between_servers,
            evidence_path=held.get("evidence_path"),
            held_back="; ".join(held["reason_keywords"]),
        )
