"""Published: one value or count as its publisher gives it, and what it was measured with. The nouns of `figures`.

Comes in: nothing. Goes out: the records `Variant`, `Circumstances` and `Fact`, and the readings of single words that all figures share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from proofpress.records.axis import Axis

Json = Mapping[str, Any]

SETTINGS = {
    "max_model_len": "max_model_len",
    "max_num_seqs": "max_num_seqs",
    "slots": "max_num_seqs",
    "max_num_batched_tokens": "max_num_batched_tokens",
    "graph_capture": "graph_capture",
    "graph_capture_sizes": "graph_capture_sizes",
    "graph": "graph",
    "compile": "compile",
    "splitting_ops": "splitting_ops",
    "transport": "transport",
    "activations": "activations",
    "kv": "kv",
    "draft_kv": "draft_kv",
    "flash_attention": "flash_attention",
    "context_tokens": "context_size",
    "context_pool_tokens": "context_size",
    "configured_context_tokens": "context_size",
    "context_per_slot_tokens": "context_per_slot",
    "expert_parallel": "expert_parallel",
    "split": "split",
    "classpad": "classpad",
    "draft_shortlist_rows": "draft_shortlist_rows",
    "draft_shortlist": "draft_shortlist",
    "reasoning": "reasoning",
    "vision_projector": "vision_projector",
    "lanes": "lanes",
    "profile": "server_profile",
}
"""The configuration keys that become engine settings, with the settings' names, in the order in which they are written."""

METHODS = {
    "external Q4_0 MTP": "mtp-external-q4_0",
    "MTP draft": "mtp",
    "MTP": "mtp",
    "MTP-assisted": "mtp",
    "DFlash": "dflash",
    "qwen3_5_mtp, scheduled by batch": "qwen3_5_mtp",
}
"""What figures call a speculation method, and the vocabulary's word for it; a word that is not here is the vocabulary's own."""

NOT_STATED = "not-stated"


class NotUnderstood(ValueError):
    """The file has a shape that this reader does not know; the text says where and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What becomes an arm: cards, tensor parallel and speculation."""

    cards: int | None
    tensor_parallel: int | None
    method: str | None
    """None without speculation; `NOT_STATED` where the file does not say whether there was any."""
    depth: int | None
    """0 without speculation, None where it is not stated or follows `schedule`."""
    draft_head: str | None = None
    verifier: str | None = None
    schedule: tuple[tuple[int, int, int], ...] = ()
    """Draft depth by users: from, through, depth."""

    @property
    def without_drafts(self) -> Variant:
        """The same without speculation: what its outputs are compared with."""
        return replace(self, method=None, depth=0, draft_head=None, verifier=None)


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
    prompt_tokens: int | None = None
    engine_version: str | None = None
    harness: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One published value or count of one run, in the words of the file."""

    circumstances: Circumstances
    variant: Variant
    oracle: Variant | None
    """The variant whose outputs this one's were compared with, where the file names it."""
    session: str | None
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
    oracle_unnamed: bool = False
    """Whether the file gives a count and does not say what was compared."""
    conflict: tuple[str, str, str] | None = None
    evidence_path: str | None = None
    sampled: str | None = None
    """What the samples are, where they are not requests."""
    combined: str | None = None
    """'mean' or 'median': how the samples became one value, where that is not the metric's own way."""
    pooled_servers: int | None = None
    """How many servers the one value stands for."""
    displayed: bool = True
    """Whether the source displays this pass; the others stand beside it."""
    held_back: str | None = None
    """Why the file itself does not publish the value."""

    @property
    def key(self) -> tuple[object, ...]:
        """What tells one published value from another."""
        variant, circumstances = self.variant, self.circumstances
        return (
            self.session,
            self.axis,
            self.x,
            variant.cards,
            variant.method,
            variant.depth,
            variant.draft_head,
            variant.schedule,
            self.server,
            self.pass_,
            self.metric,
            circumstances.image,
            circumstances.settings,
        )


def settings_of(config: Json) -> tuple[tuple[str, Any], ...]:
    """The engine settings among the keys of a configuration. Empty and unknown ones are not there."""
    found: dict[str, Any] = {}
    for key, name in SETTINGS.items():
        if config.get(key) not in (None, []):
            found.setdefault(name, _plain(config[key]))
    return tuple(found.items())


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def method_of(words: str | None, *, depth: int | None) -> str | None:
    """The vocabulary's word for a speculation method. None for none; `NOT_STATED` where the file does not say."""
    if words == "none" or (words is None and depth == 0):
        return None
    return NOT_STATED if words is None else METHODS.get(words, words)


def images(data: Json) -> set[str]:
    """The names of all images that the file says anything was measured on."""
    configs = [data["headline"].get("config", {}) if data.get("headline") else {}]
    configs += [series["config"] for series in data["series"]]
    return {config["image"] for config in configs if config.get("image")}


def image_digest(data: Json, name: str | None) -> str | None:
    """The digest of the image called `name`, where the file gives it."""
    runtime = data["runtime"]
    for label, image in (("image_name", "image"), ("record_image_name", "record_image")):
        if name is not None and runtime.get(label) == name and runtime.get(image):
            return str(runtime[image]).partition("@")[2] or None
    return None


def engine_version(data: Json, image: str | None) -> str | None:
    """The engine's version, which the file gives for one image."""
    words = str(data["runtime"].get("engine") or "")
    return words.split(" ", 1)[1] if " " in words and image == data["runtime"].get("image_name") else None


def counts(text: str) -> tuple[int, int]:
    """'7/8' as two numbers."""
    matched, _, total = text.partition("/")
    return int(matched), int(total)


def cache(word: str | None) -> str | None:
    """Whether prompts were kept from one request to the next, as the workload says it."""
    return "off" if word in {"zero", "disabled"} else None


def canaries(words: object) -> str | None:
    """When known prompts were asked, as the workload says it."""
    if words == "every server":
        return "every-server"
    return "before-and-after" if words == ["before", "after"] else None
