"""Set-up list: what a campaign was measured with, ready to print: machine and engine, what was asked, and the arms."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from proofpress.check import prose
from proofpress.derive import wording
from proofpress.pages.page import Cell, Column, Row, Table, without_blanks
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, AxisWorkload, Campaign, Workload
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
        text = wording.setting(value, vocabulary.settings[key].unit)
        yield (
            vocabulary.settings[key].label[:1].upper() + vocabulary.settings[key].label[1:],
            prose.code(text),
        )


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


def _number(count: int | None) -> Markup:
    return Markup("not stated") if count is None else Markup(f"{count:,}")


def workload(workload: Workload, vocabulary: Vocabulary) -> Iterator[tuple[str, Markup]]:
    """What the model was asked, and how; last, what was sent on axes that have prompts of their own."""

    yield "Suite", prose.breakable(vocabulary.suites[workload.suite].label)
    yield "Prompts", _number(workload.prompts)
    yield (
        "Prompt classes",
        prose.breakable(wording.listed(workload.class_names))
        if workload.class_names
        else _number(workload.prompt_classes),
    )
    yield (
        "Longest answer",
        Markup("not stated") if workload.output_tokens is None else Markup(f"{workload.output_tokens:,} tokens"),
    )
    if workload.prompt_tokens:
        yield "Prompt length", Markup(f"{workload.prompt_tokens:,} tokens")
    if workload.requests_per_x:
        yield "Requests at each level", _number(workload.requests_per_x)
    yield "Interface", prose.breakable(vocabulary.apis[workload.api].label if workload.api else "not stated")
    sampling = "not stated" if workload.sampling is None else f"temperature {workload.sampling.temperature:g}"
    yield "Sampling", prose.breakable("greedy, temperature 0" if sampling == "temperature 0" else sampling)
    yield "Prefix cache", prose.breakable(workload.prefix_cache or "not stated")
    yield "Compile caches", prose.breakable(_CACHES[workload.compile_caches])
    yield "Canaries", prose.breakable(_CANARIES[workload.canaries])
    yield "Token counts from", prose.breakable(workload.token_counts_from or "not stated")
    for axis, own in workload.by_axis.items():
        yield _over(axis, vocabulary), prose.breakable(_own_prompts(own, vocabulary))


def _over(axis: Axis, vocabulary: Vocabulary) -> str:
    return f"Over {vocabulary.axes[axis.value].label}"


def _own_prompts(own: AxisWorkload, vocabulary: Vocabulary) -> str:
    """What was sent on one axis in place of the campaign's prompts."""
    parts = [vocabulary.suites[own.suite].label]
    parts.append(wording.counted(own.prompts, "prompt") if own.prompts else "number of prompts not stated")
    if own.requests_per_x:
        parts.append(f"{wording.counted(own.requests_per_x, 'request')} at each level")
    return ", ".join(parts)


def arms(campaign: Campaign, vocabulary: Vocabulary) -> Table:
    """The arms, with what they differ in."""
    columns = (
        Column(label="Arm"),
        Column(label="Accelerators", numeric=True),
        Column(label="Tensor parallel", numeric=True),
        Column(label="Speculation"),
        Column(label="Number format"),
    )
    rows = tuple(
        Row(
            state="measured",
            cells=(
                Cell(text=arm.id),
                Cell(text=str(arm.cards or "unknown")),
                Cell(text=str(arm.tensor_parallel or "unknown")),
                Cell(text=_speculation(arm, vocabulary)),
                Cell(text=arm.dtype or "–"),
            ),
        )
        for arm in campaign.arms
    )
    return without_blanks(
        Table(caption="The arms of the campaign; they differ in nothing else.", columns=columns, rows=rows)
    )


def _speculation(arm: Arm, vocabulary: Vocabulary) -> str:
    if arm.speculation is None:
        return "none"
    method = vocabulary.speculation_methods[arm.speculation.method].label
    parts = [method, wording.speculation(arm)]
    if arm.speculation.verifier:
        parts.append(f"verified in {arm.speculation.verifier}")
    return ", ".join(parts)
