"""Set-up list: what a campaign was measured with, ready to print: machine and engine, what was asked, and the arms."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from proofpress.check import prose
from proofpress.derive import wording
from proofpress.pages.page import Cell, Column, Row, Table
from proofpress.records.campaign import Arm, Campaign, Workload
from proofpress.records.vocabulary import Vocabulary


def setup(campaign: Campaign, vocabulary: Vocabulary) -> Iterator[tuple[str, Markup]]:
    """What the model ran on: each thing with what it was."""
    used = campaign.setup
    yield "Measured by", prose.breakable(campaign.measured_by.name)
    yield "Accelerator", prose.breakable(vocabulary.accelerators[used.accelerator].label)
    yield (
        "Engine",
        prose.breakable(
            f"{vocabulary.engines[used.engine.name].label}{f' {used.engine.version}' if used.engine.version else ', version not stated'}"
        ),
    )
    for source in used.engine.sources:
        patches = {True: ", with the lab's patches", False: ", unpatched", None: ""}[source.patches_required]
        yield "Built from", prose.code(f"{source.repository} at {source.commit}{patches}")
    if used.image is None:
        yield "Image", Markup("not stated")
    else:
        yield "Image", prose.code(f"{used.image.name or 'unnamed'}, {used.image.digest or 'digest not stated'}")
    yield "Checkpoint", prose.breakable(used.model.checkpoint)
    yield "Revision", prose.code(used.model.revision) if used.model.revision else Markup("not stated")
    yield "Quantization", prose.breakable(vocabulary.quantizations[used.model.quantization].label)
    for key, value in used.settings.items():
        text = (", ".join(map(str, value)) or "none") if isinstance(value, list) else _plain(value)
        yield (
            vocabulary.settings[key].label[:1].upper() + vocabulary.settings[key].label[1:],
            prose.code(text),
        )


def _plain(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


_CACHES = {
    "separate-empty": "separate and empty for each server",
    "shared": "shared between servers",
    None: "not stated",
}
_CANARIES = {
    "every-server": "answered on every server",
    "before-and-after": "answered before and after the runs",
    None: "not stated",
}


def workload(workload: Workload, vocabulary: Vocabulary) -> Iterator[tuple[str, Markup]]:
    """What the model was asked, and how."""

    def number(count: int | None) -> Markup:
        return Markup("not stated") if count is None else Markup(f"{count:,}")

    yield "Suite", prose.breakable(vocabulary.suites[workload.suite].label)
    yield "Prompts", number(workload.prompts)
    yield (
        "Prompt classes",
        prose.breakable(wording.listed(workload.class_names))
        if workload.class_names
        else number(workload.prompt_classes),
    )
    yield (
        "Longest answer",
        Markup("not stated") if workload.output_tokens is None else Markup(f"{workload.output_tokens:,} tokens"),
    )
    if workload.requests_per_x:
        yield "Requests at each level", number(workload.requests_per_x)
    yield "Interface", prose.breakable(vocabulary.apis[workload.api].label if workload.api else "not stated")
    sampling = "not stated" if workload.sampling is None else f"temperature {workload.sampling.temperature:g}"
    yield "Sampling", prose.breakable("greedy, temperature 0" if sampling == "temperature 0" else sampling)
    yield "Prefix cache", prose.breakable(workload.prefix_cache or "not stated")
    yield "Compile caches", prose.breakable(_CACHES[workload.compile_caches])
    yield "Canaries", prose.breakable(_CANARIES[workload.canaries])
    yield "Token counts from", prose.breakable(workload.token_counts_from or "not stated")


def arms(campaign: Campaign, vocabulary: Vocabulary) -> Table:
    """The arms, with what they differ in."""
    columns = (
        Column(label="Arm"),
        Column(label="Accelerators", numeric=True),
        Column(label="Tensor parallel", numeric=True),
        Column(label="Speculation"),
    )
    rows = tuple(
        Row(
            state="measured",
            cells=(
                Cell(text=arm.id),
                Cell(text=str(arm.cards or "unknown")),
                Cell(text=str(arm.tensor_parallel or "unknown")),
                Cell(text=_speculation(arm, vocabulary)),
            ),
        )
        for arm in campaign.arms
    )
    return Table(caption="The arms of the campaign; they differ in nothing else.", columns=columns, rows=rows)


def _speculation(arm: Arm, vocabulary: Vocabulary) -> str:
    if arm.speculation is None:
        return "none" + (f", {arm.dtype}" if arm.dtype else "")
    method = vocabulary.speculation_methods[arm.speculation.method].label
    parts = [method, wording.speculation(arm)]
    if arm.speculation.verifier:
        parts.append(f"verified in {arm.speculation.verifier}")
    if arm.dtype:
        parts.append(arm.dtype)
    return ", ".join(parts)
