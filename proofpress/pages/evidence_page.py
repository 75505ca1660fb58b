"""Evidence page: one campaign as a proof: set-up, every run and pass, requests where there are rows, and the numbers that rest on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from proofpress.check import prose
from proofpress.derive import wording
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Evidence, Shown
from proofpress.kernel.reading import Reading
from proofpress.pages.curve import anchor, run_id
from proofpress.pages.matrix import Matrix, Verdict, matrices
from proofpress.pages.page import Cell, Column, Crumb, Head, Row, State, Table, conflict_note, numbers, without_blanks
from proofpress.pages.request_table import request_table
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, Campaign, MeasuredRun, RequestCampaign, Workload, arm_of
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """All runs of one arm on one axis."""

    anchor: str
    heading: str
    oracle: str
    table: Table
    matrix: MatrixView | None
    """Which answers are equal; only where there are rows."""
    requests: tuple[RequestsView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """One answer: a sign and a word, and the state that colours it."""

    sign: str
    word: str
    state: State | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixView:
    """Prompts down, runs across."""

    caption: str
    heads: tuple[tuple[str, str], ...]
    """The label of each run, and the way to its row."""
    rows: tuple[tuple[str, tuple[MatrixCell, ...]], ...]
    counts: tuple[tuple[str, State], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestsView:
    """All requests of one run."""

    id: str
    heading: str
    table: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A series of numbers that rests on the campaign."""

    label: str
    href: str
    counts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePage:
    """The model of `evidence/<campaign>.html`."""

    head: Head
    id: str
    lead: str
    json_href: str
    sha256: str
    size: str
    beside: tuple[tuple[str, str], ...]
    origin: tuple[tuple[str, str], ...]
    setup: tuple[tuple[str, Markup], ...]
    workload: tuple[tuple[str, Markup], ...]
    arms: Table
    notes: tuple[str, ...]
    runs: tuple[RunTable, ...]
    resting: tuple[Resting, ...]


def evidence_page(edition: Edition, campaign_id: str) -> EvidencePage:
    """The page of one campaign."""
    evidence = edition.evidence[campaign_id]
    campaign = evidence.campaign
    entry = edition.library.campaigns[campaign_id]
    vocabulary = edition.library.vocabulary
    lead = _lead(campaign, evidence, vocabulary)
    return EvidencePage(
        head=Head(
            path=f"evidence/{campaign_id}.html",
            title=f"Evidence {campaign_id}",
            description=lead,
            crumbs=(Crumb(label="Library", href="../index.html"), Crumb(label="Evidence"), Crumb(label=campaign_id)),
            data=(_dataset(edition, campaign, lead),),
            own="evidence",
        ),
        id=campaign_id,
        lead=lead,
        json_href=f"{campaign_id}/campaign.json",
        sha256=evidence.sha256,
        size=f"{entry.source.size:,} bytes",
        beside=tuple((name, f"{campaign_id}/{name}") for name in sorted(entry.beside)),
        origin=tuple(_origin(campaign)),
        setup=tuple(_setup(campaign, vocabulary)),
        workload=tuple(_workload(campaign.workload, vocabulary)),
        arms=_arms(campaign, vocabulary),
        notes=tuple(
            conflict_note(reading.conflict, f"{reading.arm}, {reading.axis.position(reading.x or 0)}")
            for reading in evidence.readings
            if reading.conflict is not None
        ),
        runs=tuple(_runs(edition, evidence, vocabulary)),
        resting=tuple(_resting(edition, campaign_id, vocabulary)),
    )


def _lead(campaign: Campaign, evidence: Evidence, vocabulary: Vocabulary) -> str:
    accelerator = vocabulary.accelerators[campaign.setup.accelerator].short
    axes = wording.listed(
        [vocabulary.axes[axis.value].label for axis in dict.fromkeys(reading.axis for reading in evidence.readings)]
    )
    grade = (
        "every request is in the repository"
        if campaign.grade == "requests"
        else "transcribed from a published record, its origin pinned"
    )
    runs = wording.counted(len(evidence.readings), "run")
    return f"{runs[:1].upper()}{runs[1:]} of {campaign.setup.model.checkpoint} on {accelerator} over {axes}; {grade}."


def _dataset(edition: Edition, campaign: Campaign, lead: str) -> dict[str, object]:
    dataset: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Campaign {campaign.id}",
        "description": lead,
        "creator": {"@type": "Organization", "name": campaign.measured_by.name},
    }
    if edition.base_url is not None:
        address = f"{edition.base_url}/evidence/{campaign.id}/campaign.json"
        dataset["distribution"] = {"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": address}
    return dataset


def _origin(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Where the record was taken from, and where single runs were; each pinned to a commit."""
    origins = [campaign.origin, *(getattr(run, "origin", None) for run in campaign.runs)]
    for origin in dict.fromkeys(origin for origin in origins if origin is not None):
        label = f"{origin.path} at {origin.commit[:8]}"
        yield label, f"https://github.com/{origin.repository}/blob/{origin.commit}/{origin.path}"


def _setup(campaign: Campaign, vocabulary: Vocabulary) -> Iterator[tuple[str, Markup]]:
    setup = campaign.setup
    yield "Measured by", prose.breakable(campaign.measured_by.name)
    yield "Accelerator", prose.breakable(vocabulary.accelerators[setup.accelerator].label)
    yield (
        "Engine",
        prose.breakable(
            f"{vocabulary.engines[setup.engine.name].label}{f' {setup.engine.version}' if setup.engine.version else ', version not stated'}"
        ),
    )
    for source in setup.engine.sources:
        patches = {True: ", with the lab's patches", False: ", unpatched", None: ""}[source.patches_required]
        yield "Built from", prose.code(f"{source.repository} at {source.commit}{patches}")
    if setup.image is None:
        yield "Image", Markup("not stated")
    else:
        yield "Image", prose.code(f"{setup.image.name or 'unnamed'}, {setup.image.digest or 'digest not stated'}")
    yield "Checkpoint", prose.breakable(setup.model.checkpoint)
    yield "Revision", prose.code(setup.model.revision) if setup.model.revision else Markup("not stated")
    yield "Quantization", prose.breakable(vocabulary.quantizations[setup.model.quantization].label)
    for key, value in setup.settings.items():
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


def _workload(workload: Workload, vocabulary: Vocabulary) -> Iterator[tuple[str, Markup]]:
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


def _arms(campaign: Campaign, vocabulary: Vocabulary) -> Table:
    columns = (
        Column(label="Arm"),
        Column(label="Cards", numeric=True),
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


def _runs(edition: Edition, evidence: Evidence, vocabulary: Vocabulary) -> Iterator[RunTable]:
    groups: dict[tuple[str, Axis], list[Reading]] = {}
    for reading in evidence.readings:
        groups.setdefault((reading.arm, reading.axis), []).append(reading)
    campaign = evidence.campaign
    found = (
        {(matrix.arm, matrix.axis): matrix for matrix in matrices(campaign)}
        if isinstance(campaign, RequestCampaign)
        else {}
    )
    users = _users_of_runs(edition, campaign.id, vocabulary)
    for (arm_id, axis), readings in groups.items():
        arm = arm_of(campaign, arm_id)
        if arm is None:
            continue
        matrix = found.get((arm_id, axis))
        yield RunTable(
            anchor=f"runs-{arm_id}-{axis.value.replace('_', '-')}",
            heading=f"{arm_id}: {vocabulary.axes[axis.value].label}",
            oracle=_oracle(arm, axis),
            table=_run_table(readings, vocabulary, users),
            matrix=_matrix(matrix) if matrix else None,
            requests=tuple(_requests(campaign, matrix)) if matrix and isinstance(campaign, RequestCampaign) else (),
        )


def _users_of_runs(edition: Edition, campaign_id: str, vocabulary: Vocabulary) -> dict[str, list[tuple[str, str]]]:
    """For each run, by pointer, the numbers of the site that rest on it: a label and the way there."""
    users: dict[str, list[tuple[str, str]]] = {}
    for derived, profile_id, findings in edition.resting_on(campaign_id):
        place = _place(derived, profile_id)
        for finding in findings:
            verb = "shown" if isinstance(finding, Shown) else "withheld"
            metric = "headline" if profile_id == "headline" else vocabulary.metrics[finding.metric].short
            for reading in finding.readings:
                users.setdefault(reading.pointer, []).append(
                    (f"{metric}, {verb}", f"../models/{derived.id}.html#{place}")
                )
    return users


def _place(derived: Derived, profile_id: str) -> str:
    """The id on a card's page of what a profile or the headline is printed in."""
    if profile_id == "headline":
        return "headline"
    profile = next(profile for profile in derived.profiles if profile.id == profile_id)
    return "suite" if profile.choice.axis is Axis.SUITE else anchor(profile)


_SIGNS: dict[Verdict, tuple[str, State | None]] = {
    Verdict.EQUAL: ("=", None),
    Verdict.DIFFERENT: ("≠", "withheld"),
    Verdict.ORACLE: ("○", None),
    Verdict.UNPROVED: ("?", "withheld"),
    Verdict.ABSENT: ("·", "pending"),
}


def _matrix(matrix: Matrix) -> MatrixView:
    levels = matrix.axis is not Axis.SUITE
    heads = tuple(
        (f"{f'{run.x} ' if levels else ''}{run.server} {run.pass_}", f"#{run_id(run.pointer)}") for run in matrix.runs
    )
    rows = tuple(
        (
            row.prompt,
            tuple(
                MatrixCell(sign=_SIGNS[verdict][0], word=verdict.value, state=_SIGNS[verdict][1], detail=detail)
                for verdict, detail in zip(row.verdicts, row.details, strict=True)
            ),
        )
        for row in matrix.rows
    )
    counts: tuple[tuple[str, State], ...] = tuple(
        ("oracle", "measured")
        if not run.total and any(row.verdicts[index] is Verdict.ORACLE for row in matrix.rows)
        else (f"{run.matched}/{run.total}", "measured" if run.total and run.matched == run.total else "withheld")
        for index, run in enumerate(matrix.runs)
    )
    caption = "Each row is a prompt, each column a run: level, server, pass. = equal to the oracle, ≠ different, ○ is the oracle, ? not compared, · not sent."
    return MatrixView(caption=caption, heads=heads, rows=rows, counts=counts)


def _requests(campaign: RequestCampaign, matrix: Matrix) -> Iterator[RequestsView]:
    for column in matrix.runs:
        index = int(column.pointer.rpartition("/")[2])
        run = campaign.runs[index]
        if isinstance(run, MeasuredRun):
            level = f"{matrix.axis.position(run.x)}, " if run.x is not None else ""
            heading = f"{run.arm}: {level}{run.pass_} pass, server {run.server}"
            yield RequestsView(
                id=f"requests-{index}", heading=heading, table=request_table(run, matrix, column.pointer)
            )


def _oracle(arm: Arm, axis: Axis) -> str:
    oracle = arm.oracles.get(axis)
    if oracle is None:
        return "Compared with nothing; a reference run." if arm.speculation is None else "Compared with nothing."
    if oracle.kind == "arm":
        return f"Compared with the answers of arm {oracle.arm}."
    if axis is Axis.CONCURRENT_USERS:
        return "Compared with the same server's own answers to one user."
    return "Answers of its servers were compared with each other."


def _run_table(readings: list[Reading], vocabulary: Vocabulary, users: dict[str, list[tuple[str, str]]]) -> Table:
    known = list(vocabulary.metrics)
    metrics = sorted(
        {metric for reading in readings for metric in (*reading.values, *reading.unvalued)}, key=known.index
    )
    has_drafts = any(reading.acceptance is not None for reading in readings)
    columns = [
        Column(label="Level", numeric=True),
        Column(label="Server"),
        Column(label="Pass"),
        Column(label="Session"),
        Column(label="Day"),
        *(
            Column(label=f"{vocabulary.metrics[metric].short}, {vocabulary.metrics[metric].unit}", numeric=True)
            for metric in metrics
        ),
        Column(label="Identical", numeric=True),
        Column(label="Basis"),
        *([Column(label="Drafts accepted", numeric=True)] if has_drafts else []),
        Column(label="Pointer"),
        Column(label="Rests on it"),
    ]
    values = [
        numbers([reading.values[metric].value if metric in reading.values else None for reading in readings])
        for metric in metrics
    ]
    rows = tuple(
        Row(
            id=run_id(reading.pointer),
            state="measured" if reading.reason is None else "withheld",
            mark="qualifies" if reading.reason is None else f"withheld: {reading.reason.value}",
            cells=(
                Cell(text="suite" if reading.x is None else f"{reading.x:,}"),
                Cell(text=reading.server),
                Cell(text=reading.pass_),
                Cell(text=reading.session or "–"),
                Cell(text=reading.measured_on.isoformat() if reading.measured_on else "–"),
                *(column[index] for column in values),
                Cell(
                    text=str(reading.identity)
                    if reading.identity
                    else ("reference" if reading.is_reference else "none")
                ),
                Cell(text=reading.identity.basis.replace("-", " ") if reading.identity else "–"),
                *([_acceptance(reading)] if has_drafts else []),
                Cell(text=reading.pointer),
                Cell(text="–", lines=tuple(users.get(reading.pointer, ()))),
            ),
        )
        for index, reading in enumerate(readings)
    )
    caption = "Every run, with its place in campaign.json."
    return without_blanks(Table(caption=caption, columns=tuple(columns), rows=rows))


def _acceptance(reading: Reading) -> Cell:
    return Cell(text="–" if reading.acceptance is None else wording.percent(reading.acceptance))


def _resting(edition: Edition, campaign_id: str, vocabulary: Vocabulary) -> Iterator[Resting]:
    for derived, profile_id, findings in edition.resting_on(campaign_id):
        shown = sum(isinstance(finding, Shown) for finding in findings)
        if profile_id == "headline":
            yield Resting(
                label=f"{derived.card.name}: headline",
                href=f"../models/{derived.id}.html#headline",
                counts=f"{shown} shown",
            )
            continue
        profile = next(profile for profile in derived.profiles if profile.id == profile_id)
        place = _place(derived, profile_id)
        counts = f"{shown} shown, {len(findings) - shown} withheld"
        metric = vocabulary.metrics[profile.choice.metric].label
        words = (
            wording.configuration(profile.arms[0])
            if profile.choice.axis is not Axis.DRAFT_DEPTH
            else "ladder over draft depth"
        )
        yield Resting(
            label=f"{derived.card.name}: {metric}, {words}", href=f"../models/{derived.id}.html#{place}", counts=counts
        )
