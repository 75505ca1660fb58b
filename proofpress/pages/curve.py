"""Curve: one profile of a card as a page prints it: heading, caption, both drawings, its table, what is withheld, its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from proofpress.charts import chart, drawing
from proofpress.charts.figure import Figure
from proofpress.derive import absence, caption, wording
from proofpress.derive.absence import Absent
from proofpress.derive.caption import Caption
from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Finding, Shown, Withheld
from proofpress.derive.omission import omissions
from proofpress.derive.proof import SHORT_BASES
from proofpress.kernel.reading import Reading
from proofpress.pages.page import Cell, Column, Row, State, Table, conflict_note, numbers, without_blanks
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileView:
    """One chart with its caption, its table and what is withheld."""

    profile: str
    """The profile's id, which is also the name of its files."""
    anchor: str
    heading: str
    state: State
    state_text: str
    caption: Caption
    figure_id: str
    wide: Markup | None
    narrow: Markup | None
    """The two static drawings; None where every point is withheld."""
    table: Table
    withheld_heading: str
    withheld: tuple[Absent, ...]
    unmeasured_heading: str
    unmeasured: tuple[Absent, ...]
    """Runs that were planned and not made, each with its reason."""
    differences: tuple[str, ...]
    """What several withheld points have in common, in sentences."""
    is_open: bool
    """Whether its table is open when the page opens."""
    notes: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Profiles of one kind; where there are none, the gap that says so."""

    id: str
    heading: str
    profiles: tuple[ProfileView, ...]
    table: Table | None = None
    intro: str = ""
    absent: str = ""
    absent_state: str = ""
    """Two words for why it has no profiles."""
    close_with: str = ""
    withheld: tuple[Absent, ...] = ()
    unmeasured_heading: str = ""
    unmeasured: tuple[Absent, ...] = ()


_SECTIONS: tuple[tuple[str, str, tuple[Axis, ...], str], ...] = (
    ("context", "Speed over context", (Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH), "context-sweep"),
    ("users", "Many people at once", (Axis.CONCURRENT_USERS,), "users-sweep"),
    ("depth", "How far ahead to draft", (Axis.DRAFT_DEPTH,), ""),
)


FEW_PROFILES = 4
"""A card with more profiles than this gets a list of its curves, and most of its tables closed."""


def sections(edition: Edition, derived: Derived) -> tuple[tuple[Section, ...], tuple[Figure, ...]]:
    vocabulary = edition.library.vocabulary
    sections: list[Section] = []
    figures: list[Figure] = []
    is_long = len(derived.profiles) > FEW_PROFILES
    omitted = omissions(derived, edition.cards, edition.evidence)
    for section_id, heading, axes, gap_id in _SECTIONS:
        profiles = derived.on_axis(*axes)
        groups = {section_id: [p for p in profiles if not p.choice.metric.startswith("ttft")]}
        if section_id == "context":
            groups["ttft"] = [p for p in profiles if p.choice.metric.startswith("ttft")]
        else:
            groups[section_id] = list(profiles)
        for name, members in groups.items():
            # a long page opens the first table of each section; the others are one click away
            views = [
                _profile(edition, derived, profile, is_open=not is_long or not index)
                for index, profile in enumerate(members)
            ]
            figures += [figure for _, figure in views if figure.drawn]
            section_heading = "Time to first token" if name == "ttft" else heading
            missing = "ttft-over-context" if name == "ttft" else gap_id
            if views or missing:
                shown = tuple(view for view, _ in views)
                left_out = any(
                    one.axis in axes and one.metric.startswith("ttft") == (name == "ttft") for one in omitted
                )
                sections.append(_section(name, section_heading, shown, missing, vocabulary, left_out=left_out))
    suite = derived.on_axis(Axis.SUITE)
    if suite:
        sections.append(_suite(edition, suite))
    return tuple(sections), tuple(figures)


def _section(
    section_id: str,
    heading: str,
    views: tuple[ProfileView, ...],
    gap_id: str,
    vocabulary: Vocabulary,
    *,
    left_out: bool,
) -> Section:
    if views:
        return Section(id=section_id, heading=heading, profiles=views)
    if left_out:
        absent = "Measured, and shown in no chart of this card; its levels are counted below."
        return Section(id=section_id, heading=heading, profiles=(), absent=absent, absent_state="not shown")
    close_with = vocabulary.gaps[gap_id].close_with if gap_id in vocabulary.gaps else ""
    return Section(
        id=section_id,
        heading=heading,
        profiles=(),
        absent="Not measured for this set-up.",
        absent_state="not measured",
        close_with=close_with,
    )


def _profile(edition: Edition, derived: Derived, profile: Profile, *, is_open: bool) -> tuple[ProfileView, Figure]:
    vocabulary = edition.library.vocabulary
    figure = chart.figure_of(profile, derived.id, vocabulary)
    shown, withheld = len(profile.shown), len(profile.withheld)
    total = shown + withheld
    drawn = figure.drawn > 0
    prefix = f"curve-{[other.id for other in derived.profiles].index(profile.id) + 1}"
    unit = vocabulary.metrics[profile.choice.metric].unit
    notes = [caption.spread_notes(profile)]
    notes += [
        conflict_note(reading.conflict, profile.choice.axis.position(finding.x or 0))
        for finding in profile.findings
        for reading in finding.readings
        if reading.conflict is not None
    ]
    if profile.is_stale:
        notes.append(f"Measured on an older image than the headline: {_image_name(profile)}.")
    if vocabulary.metrics[profile.choice.metric].derived:
        notes.append(
            f"Derived: each value is the {vocabulary.metrics[profile.choice.metric].statistic.partition(';')[0]}."
        )
    said = absence.first_differences(profile)
    view = ProfileView(
        profile=profile.id,
        anchor=anchor(profile),
        heading=heading(derived, profile, vocabulary),
        state="measured" if not withheld else "withheld",
        state_text=f"{shown} of {total} measured" if not withheld else f"{withheld} of {total} withheld",
        caption=caption.of_profile(profile, vocabulary),
        figure_id=figure.id,
        wide=Markup(drawing.svg(figure, narrow=False, prefix=prefix)) if drawn else None,
        narrow=Markup(drawing.svg(figure, narrow=True, prefix=prefix)) if drawn else None,
        table=_table(profile, vocabulary),
        withheld_heading=f"Withheld: {withheld} of {total}",
        withheld=tuple(
            absence.withheld_line(finding, profile.choice.axis, unit, vocabulary, said=said)
            for finding in profile.withheld
        ),
        unmeasured_heading=absence.unmeasured_heading(profile.not_measured),
        unmeasured=absence.unmeasured(profile),
        differences=tuple(f"Where they first differ: {text}." for text in said),
        is_open=is_open,
        notes=tuple(note for note in notes if note),
        links=tuple(_links(derived, profile, drawn=drawn)),
    )
    return view, figure


def _links(derived: Derived, profile: Profile, *, drawn: bool) -> list[tuple[str, str]]:
    files = f"../charts/{derived.id}/{profile.id}"
    links = [
        (f"Proof: {profile.choice.campaign}", f"../evidence/{profile.choice.campaign}.html#{run_anchor(profile)}"),
        ("CSV", f"{files}.csv"),
    ]
    return [*links, ("SVG", f"{files}.svg"), ("Chart alone", f"{files}.html")] if drawn else links


def anchor(profile: Profile) -> str:
    """The id of a profile's place on its card's page."""
    return f"profile-{profile.id}"


def run_anchor(profile: Profile) -> str:
    """The id of the table of a profile's runs on the campaign's page."""
    return runs_anchor(profile.arms[0], profile.source_axis)


def runs_anchor(arm: Arm, axis: Axis) -> str:
    """The id of the table of an arm's runs on one axis on the campaign's page."""
    return f"runs-{arm.id}-{axis.value.replace('_', '-')}"


def run_id(pointer: str) -> str:
    """The id of a run's row on its campaign's page: '/runs/9' is 'run-9'."""
    return f"run-{pointer.rpartition('/')[2]}"


def _image_name(profile: Profile) -> str:
    image = profile.campaign.setup.image
    return image.name if image is not None and image.name else "its name is not stated"


def heading(derived: Derived, profile: Profile, vocabulary: Vocabulary) -> str:
    """Configuration and metric, and what tells it from the card's other profiles of the same configuration and metric."""
    own = _plain_heading(profile, vocabulary)
    others = [other for other in derived.profiles if _plain_heading(other, vocabulary) == own]
    return wording.sentence(", ".join([own, *caption.distinction(profile, others, vocabulary)]))[:-1]


def _plain_heading(profile: Profile, vocabulary: Vocabulary) -> str:
    arm = profile.arms[0]
    words = wording.ladder(arm) if profile.choice.axis is Axis.DRAFT_DEPTH else wording.configuration(arm)
    return f"{words}: {vocabulary.metrics[profile.choice.metric].label}"


X_LABEL = {
    Axis.SUITE: "Configuration",
    Axis.CONTEXT_TOKENS: "Prompt tokens",
    Axis.CONTEXT_DEPTH: "Cached tokens",
    Axis.CONCURRENT_USERS: "Users",
    Axis.DRAFT_DEPTH: "Draft depth",
}


def _table(profile: Profile, vocabulary: Vocabulary) -> Table:
    metric = vocabulary.metrics[profile.choice.metric]
    heads = [Cell(text=f"{finding.x:,}" if finding.x is not None else "suite") for finding in profile.findings]
    caption_text = (
        f"{metric.label}, {metric.unit}; {wording.configuration(profile.arms[0])}; campaign {profile.choice.campaign}"
    )
    if profile.choice.axis is Axis.DRAFT_DEPTH:
        caption_text = (
            f"{metric.label}, {metric.unit}; {wording.ladder(profile.arms[0])}; campaign {profile.choice.campaign}"
        )
    return _findings_table(
        profile.findings,
        heads,
        label=X_LABEL[profile.choice.axis],
        unit=metric.unit,
        caption_text=caption_text,
        metric=profile.choice.metric,
        vocabulary=vocabulary,
    )


def _findings_table(
    findings: Sequence[Finding],
    heads: Sequence[Cell],
    *,
    label: str,
    unit: str,
    caption_text: str,
    metric: str,
    vocabulary: Vocabulary,
) -> Table:
    aggregate = metric.startswith("aggregate")
    columns = [
        Column(label=label, numeric=label != "Configuration"),
        Column(label=f"{unit}, together" if aggregate else unit, numeric=True),
    ]
    values = numbers([finding.value for finding in findings])
    parts = [list(heads), [_once(cell) for cell in values]]
    if aggregate:
        columns.append(Column(label="each", numeric=True))
        parts.append(
            list(numbers([chart.per_user(finding) if finding.value is not None else None for finding in findings]))
        )
    columns += [
        Column(label="Samples", numeric=True),
        Column(label="Identical", numeric=True),
        Column(label="Every pass and server"),
    ]
    parts.append([Cell(text="–" if finding.samples is None else str(finding.samples)) for finding in findings])
    parts.append([Cell(text=identity_cell(finding)) for finding in findings])
    parts.append(
        [
            Cell(text="", lines=tuple(_run_line(finding, reading) for reading in finding.readings))
            for finding in findings
        ]
    )
    rows = tuple(
        Row(
            state="measured" if isinstance(finding, Shown) else "withheld",
            cells=tuple(part[index] for part in parts),
            mark="measured"
            if isinstance(finding, Shown)
            else f"withheld: {vocabulary.reasons[finding.reason.value].label}",
        )
        for index, finding in enumerate(findings)
    )
    if any(wording.exact(finding.value) != wording.tabular(finding.value) for finding in findings if finding.value):
        caption_text += "; values are rounded to three decimals, those of single runs are not"
    return Table(caption=wording.sentence(caption_text), columns=tuple(columns), rows=rows)


def _once(cell: Cell) -> Cell:
    """`cell` without its number in full where its text is that already."""
    return replace(cell, value=None) if cell.text.replace(",", "") == cell.value else cell


def identity_cell(finding: Finding) -> str:
    if finding.identity is not None:
        return str(finding.identity)
    return "reference" if finding.is_reference else "none"


def _run_line(finding: Finding, reading: Reading) -> tuple[str, str]:
    """One pass and server in a line, and the way to its run on the campaign's page."""
    measured = reading.values.get(finding.metric)
    value = wording.exact(measured.value) if measured else "no value given"
    counts = f", {reading.identity} {SHORT_BASES[reading.identity.basis]}" if reading.identity else ""
    return (
        f"{reading.pass_}, {reading.server_name}: {value}{counts}",
        f"../evidence/{reading.campaign}.html#{run_id(reading.pointer)}",
    )


def _suite(edition: Edition, profiles: Sequence[Profile]) -> Section:
    """All suite profiles in one table: one row each, since a suite has no x."""
    vocabulary = edition.library.vocabulary
    findings = [finding for profile in profiles for finding in profile.findings]
    owners = [profile for profile in profiles for _ in profile.findings]
    heads = [
        Cell(
            text=wording.sentence(
                f"{wording.configuration(profile.arms[0])}{_setting_difference(profile)}, campaign {profile.choice.campaign}"
            )[:-1],
            href=f"../evidence/{profile.choice.campaign}.html",
        )
        for profile in owners
    ]
    metric = vocabulary.metrics[profiles[0].choice.metric]
    caption_text = f"{metric.label}, {metric.unit}"
    table = _findings_table(
        findings,
        heads,
        label="Configuration",
        unit=metric.unit,
        caption_text=caption_text,
        metric=profiles[0].choice.metric,
        vocabulary=vocabulary,
    )
    withheld = tuple(
        absence.withheld_line(
            finding, Axis.SUITE, metric.unit, vocabulary, where=f"{profile.choice.campaign} {finding.arm}"
        )
        for profile, finding in zip(owners, findings, strict=True)
        if isinstance(finding, Withheld)
    )
    return Section(
        id="suite",
        heading="One user, the fixed suite, other configurations",
        profiles=(),
        table=without_blanks(table),
        intro=f"Each value is the {metric.statistic}.",
        withheld=withheld,
        unmeasured_heading=absence.unmeasured_heading([run for profile in profiles for run in profile.not_measured]),
        unmeasured=tuple(
            replace(line, where=f"{profile.choice.campaign} {profile.arms[0].id}")
            for profile in profiles
            for line in absence.unmeasured(profile)
        ),
    )


def _setting_difference(profile: Profile) -> str:
    graph = profile.campaign.setup.settings.get("graph_capture")
    return f", graph capture {graph}" if graph == "off" else ""
