"""Card page: everything about one deployment, in the order in which a reader asks: the number, its proof, what is missing, the curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from proofpress.charts import chart, drawing
from proofpress.charts.figure import Figure
from proofpress.check import prose
from proofpress.derive import caption, claim, proof, wording
from proofpress.derive.caption import Caption, WithheldLine
from proofpress.derive.derivation import Derived, Headline, Profile
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Finding, Shown, Withheld
from proofpress.derive.gap import Gap
from proofpress.derive.proof import SHORT_BASES, Making
from proofpress.kernel.reading import Reading
from proofpress.pages.citation import citation
from proofpress.pages.page import Cell, Column, Crumb, Head, Row, State, Table, conflict_note, numbers
from proofpress.records.axis import Axis
from proofpress.records.campaign import workload_on
from proofpress.records.card import ProjectionInputs
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineView:
    """The big number, or that it is pending."""

    state: State
    number: str
    exact: str | None
    unit: str
    statistic: str
    checked: str
    slip: tuple[tuple[str, str, str | None], ...]
    """Facts under the number: label, text, link."""
    steps: tuple[str, ...]
    """How the number is made, sentence by sentence."""
    spread: str


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
    withheld: tuple[WithheldLine, ...]
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
    close_with: str = ""
    withheld: tuple[WithheldLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionView:
    """The projection, or why there is none."""

    none: str = ""
    ceiling: str = ""
    target: str = ""
    limiter: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """Another card of the same family, or this one."""

    name: str
    href: str
    cards: str
    number: Cell
    state: State
    is_this: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """The model of `models/<card>.html`."""

    head: Head
    name: str
    sentence: str
    summary: Markup
    has_contents: bool
    """Whether there are so many curves that the page lists them."""
    headline: HeadlineView
    guide_href: str | None
    improve_href: str
    compare_href: str
    """The compare page with this card chosen."""
    siblings_href: str | None
    """The compare page with this card and up to three of its family; None where it stands alone."""
    json_href: str
    markdown: str
    copy_href: str
    """The script that brings the Markdown to the copy button."""
    citation: str
    making: Making
    """How its numbers are made."""
    facts: tuple[tuple[str, Markup], ...]
    gaps: tuple[Gap, ...]
    sections: tuple[Section, ...]
    projection: ProjectionView
    limits: tuple[Markup, ...]
    credits: tuple[tuple[str, Markup, str | None], ...]
    siblings: tuple[Sibling, ...]
    family: str
    figures: tuple[Figure, ...]
    """The figures behind the drawings, for the script that makes charts touchable."""


def card_page(edition: Edition, derived: Derived) -> CardPage:
    """The page of one card."""
    card, vocabulary = derived.card, edition.library.vocabulary
    sections, figures = _sections(edition, derived)
    sentence = _sentence(derived, vocabulary)
    summary = claim.filled(card.summary, derived, edition.evidence, vocabulary)
    family = vocabulary.families[card.family].label
    path = f"models/{derived.id}.html"
    return CardPage(
        head=Head(
            path=path,
            title=card.name,
            description=_description(derived, sentence, vocabulary),
            crumbs=(
                Crumb(label="Library", href="../index.html"),
                Crumb(label=family, href=f"../families/{card.family}.html"),
                Crumb(label=card.name),
            ),
            data=_structured(edition, derived, sentence),
            has_charts=bool(figures),
            figures=f"../charts/{derived.id}.js" if figures else None,
        ),
        name=card.name,
        sentence=sentence,
        summary=prose.html(summary, first_heading=3, id_prefix="summary"),
        has_contents=len(derived.profiles) > FEW_PROFILES,
        headline=_headline(edition, derived),
        guide_href=f"../guides/{derived.id}.html" if card.guide else None,
        improve_href=improve_href(edition, card.name, "../"),
        compare_href=f"../compare.html?cards={derived.id}",
        siblings_href=_siblings_href(edition, derived),
        json_href=f"{derived.id}.json",
        markdown=markdown(edition, derived),
        copy_href=f"{derived.id}.copy.js",
        citation=citation(edition, derived),
        making=proof.making(derived, edition.evidence, vocabulary),
        facts=tuple(_facts(edition, derived)),
        gaps=edition.gaps[derived.id],
        sections=sections,
        projection=_projection(derived),
        limits=tuple(prose.inline(claim.filled(limit, derived, edition.evidence, vocabulary)) for limit in card.limits),
        credits=tuple((credit.name, prose.inline(credit.contribution), credit.link) for credit in card.credits),
        siblings=_siblings(edition, derived),
        family=family,
        figures=figures,
    )


def improve_href(edition: Edition, subject: str, root: str) -> str:
    """Where 'submit an improvement' leads: the site's own address with the subject filled in, or the contribute page."""
    improve = edition.library.lab.improve
    if improve is None:
        return f"{root}contribute.html"
    return f"{improve.url}?{improve.title_parameter}={_query(subject)}"


def _query(text: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415

    return quote(text, safe="")


def _sentence(derived: Derived, vocabulary: Vocabulary) -> str:
    card = derived.card
    engine = vocabulary.engines[card.engine].label
    accelerator = vocabulary.accelerators[card.hardware.accelerator].short
    delivery = wording.listed([vocabulary.delivery[word].label for word in card.delivery])
    where = f"{engine}, {delivery}, {wording.counted(card.hardware.cards, 'card')} of type {accelerator}."
    if derived.headline is None:
        return where
    speculation = derived.headline.arm.speculation
    if speculation is None:
        return f"{where} Every token comes from the full model."
    if speculation.depth is None:
        return f"{where} {wording.sentence(wording.speculation(derived.headline.arm))}"
    drafted = wording.counted(speculation.depth, "token")
    return f"{where} {drafted[:1].upper()}{drafted[1:]} drafted per step, each checked by the full model."


def _description(derived: Derived, sentence: str, vocabulary: Vocabulary) -> str:
    if derived.headline is None or derived.headline.finding.value is None:
        return f"{sentence} The single-user number is pending."
    unit = vocabulary.metrics[derived.headline.choice.metric].unit
    identity = derived.headline.finding.identity
    proof = f", {identity} outputs equal to the oracle's" if identity else ""
    return f"{wording.brief(derived.headline.finding.value)} {unit} for one user{proof}. {sentence}"


# --- headline --------------------------------------------------------------------------------------------------------


def _headline(edition: Edition, derived: Derived) -> HeadlineView:
    vocabulary = edition.library.vocabulary
    headline = derived.headline
    if headline is None or headline.finding.value is None:
        return HeadlineView(
            state="pending", number="pending", exact=None, unit="tok/s, one user", statistic=wording.sentence(derived.pending or ""),
            checked="", slip=(), steps=(), spread="",
        )  # fmt: skip
    unit = vocabulary.metrics[headline.choice.metric].unit
    return HeadlineView(
        state="measured",
        number=wording.brief(headline.finding.value),
        exact=f"{headline.finding.value:.12g}",
        unit=f"{unit}, one user",
        statistic=caption.headline_statistic(headline, vocabulary),
        checked=caption.headline_check(headline),
        slip=tuple(_slip(headline, vocabulary)),
        steps=tuple(_steps(headline, vocabulary)),
        spread=caption.spread_note(headline.finding),
    )


def proof_href(headline: Headline, root: str) -> str:
    """Where the rows behind the big number are: the requests of its run, or the run itself where there are no requests."""
    campaign = headline.evidence.campaign
    number = headline.finding.displayed[0].pointer.rpartition("/")[2] if headline.finding.displayed else "0"
    place = "requests" if campaign.grade == "requests" else "run"
    return f"{root}evidence/{campaign.id}.html#{place}-{number}"


def _slip(headline: Headline, vocabulary: Vocabulary) -> list[tuple[str, str, str | None]]:
    finding = headline.finding
    rows_href = proof_href(headline, "../")
    days = [reading.measured_on for reading in finding.readings if reading.measured_on]
    identity = "reference run" if finding.identity is None else f"{finding.identity} equal to the oracle"
    grade = vocabulary.terms[f"grade-{headline.evidence.campaign.grade}"].label
    rows: list[tuple[str, str, str | None]] = [("Identity", identity, None)]
    if isinstance(headline.oracle, Shown):
        without = "Without speculation" if headline.oracle_arm and headline.oracle_arm.speculation is None else "Oracle"
        rows.append(
            (without, f"{wording.brief(headline.oracle.value)} {vocabulary.metrics[headline.choice.metric].unit}", None)
        )
    rows.append(("Evidence", grade, rows_href))
    rows.append(("Measured", wording.day(max(days)) if days else "day not stated", None))
    return rows


def _steps(headline: Headline, vocabulary: Vocabulary) -> list[str]:
    campaign, finding = headline.evidence.campaign, headline.finding
    workload = workload_on(campaign, Axis.SUITE)
    prompts = f"{wording.counted(workload.prompts, 'prompt')}" if workload.prompts else "The prompts of the suite"
    classes = f" in {wording.counted(workload.prompt_classes, 'class', 'classes')}" if workload.prompt_classes else ""
    cap = f", with answers of at most {workload.output_tokens} tokens" if workload.output_tokens else ""
    conditions = []
    if workload.compile_caches == "separate-empty":
        conditions.append("a separate, empty compile cache for each server")
    if workload.prefix_cache == "off":
        conditions.append("no prefix cache")
    if workload.canaries == "every-server":
        conditions.append("canaries answered on every server")
    elif workload.canaries == "before-and-after":
        conditions.append("canaries answered before and after")
    graph = campaign.setup.settings.get("graph_capture")
    if graph:
        conditions.append(f"graph capture {graph}")
    steps = [
        f"{wording.sentence(f'{prompts}{classes} were sent one after the other to a fresh server{cap}')}",
        wording.sentence(
            f"Set-up: {wording.configuration(headline.arm)}{''.join(f', {condition}' for condition in conditions)}"
        ),
        wording.sentence(f"Each server's value is the {vocabulary.metrics[headline.choice.metric].statistic}"),
    ]
    servers = [
        f"server {reading.server} {wording.exact(reading.values[headline.choice.metric].value)}"
        for reading in finding.server_values
    ]
    value = wording.exact(finding.value or 0)
    if finding.servers > 1 and not servers:
        steps.append(
            f"The source gives {value} for {wording.number(finding.servers)} fresh servers together, printed as {wording.brief(finding.value or 0)}."
        )
    elif len(servers) > 1:
        centre = "centre" if len(servers) == 2 else "median"
        steps.append(
            f"{wording.sentence(wording.listed(servers))} Their {centre} is {value}, printed as {wording.brief(finding.value or 0)}."
        )
    else:
        steps.append(wording.sentence(f"{wording.listed(servers)}, printed as {wording.brief(finding.value or 0)}"))
    steps.append(caption.headline_check(headline))
    steps += proof.headline_steps(headline)
    pointers = wording.listed([reading.pointer for reading in finding.displayed])
    steps.append(f"Evidence: campaign {campaign.id}, {pointers}, SHA-256 {headline.evidence.sha256}.")
    if campaign.origin is not None:
        steps.append(
            f"Transcribed from {campaign.origin.repository}, {campaign.origin.path} at commit {campaign.origin.commit}."
        )
    return steps


# --- sections with profiles ------------------------------------------------------------------------------------------

_SECTIONS: tuple[tuple[str, str, tuple[Axis, ...], str], ...] = (
    ("context", "Speed over context", (Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH), "context-sweep"),
    ("users", "Many people at once", (Axis.CONCURRENT_USERS,), "users-sweep"),
    ("depth", "How far ahead to draft", (Axis.DRAFT_DEPTH,), ""),
)


FEW_PROFILES = 4
"""A card with more profiles than this gets a list of its curves, and most of its tables closed."""


def _sections(edition: Edition, derived: Derived) -> tuple[tuple[Section, ...], tuple[Figure, ...]]:
    vocabulary = edition.library.vocabulary
    sections: list[Section] = []
    figures: list[Figure] = []
    is_long = len(derived.profiles) > FEW_PROFILES
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
                sections.append(_section(name, section_heading, tuple(view for view, _ in views), missing, vocabulary))
    suite = derived.on_axis(Axis.SUITE)
    if suite:
        sections.append(_suite(edition, suite))
    return tuple(sections), tuple(figures)


def _section(
    section_id: str, heading: str, views: tuple[ProfileView, ...], gap_id: str, vocabulary: Vocabulary
) -> Section:
    if views:
        return Section(id=section_id, heading=heading, profiles=views)
    close_with = vocabulary.gaps[gap_id].close_with if gap_id in vocabulary.gaps else ""
    return Section(
        id=section_id, heading=heading, profiles=(), absent="Not measured for this set-up.", close_with=close_with
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
    view = ProfileView(
        profile=profile.id,
        anchor=anchor(profile),
        heading=_profile_heading(derived, profile, vocabulary),
        state="measured" if not withheld else "withheld",
        state_text=f"{shown} of {total} measured" if not withheld else f"{withheld} of {total} withheld",
        caption=caption.of_profile(profile, vocabulary),
        figure_id=figure.id,
        wide=Markup(drawing.svg(figure, narrow=False, prefix=prefix)) if drawn else None,
        narrow=Markup(drawing.svg(figure, narrow=True, prefix=prefix)) if drawn else None,
        table=_table(profile, vocabulary),
        withheld_heading=f"Withheld: {withheld} of {total}",
        withheld=tuple(
            caption.withheld_line(finding, profile.choice.axis, unit, vocabulary) for finding in profile.withheld
        ),
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
    """The id of the table of an arm's runs on the campaign's page."""
    return f"runs-{profile.arms[0].id}-{profile.source_axis.value.replace('_', '-')}"


def run_id(pointer: str) -> str:
    """The id of a run's row on its campaign's page: '/runs/9' is 'run-9'."""
    return f"run-{pointer.rpartition('/')[2]}"


def _image_name(profile: Profile) -> str:
    image = profile.campaign.setup.image
    return image.name if image is not None and image.name else "its name is not stated"


def _profile_heading(derived: Derived, profile: Profile, vocabulary: Vocabulary) -> str:
    """Configuration and metric, and what tells it from the card's other profiles of the same configuration and metric."""
    own = _plain_heading(profile, vocabulary)
    others = [other for other in derived.profiles if _plain_heading(other, vocabulary) == own]
    return wording.sentence(", ".join([own, *caption.distinction(profile, others, vocabulary)]))[:-1]


def _plain_heading(profile: Profile, vocabulary: Vocabulary) -> str:
    arm = profile.arms[0]
    words = wording.ladder(arm) if profile.choice.axis is Axis.DRAFT_DEPTH else wording.configuration(arm)
    return f"{words}: {vocabulary.metrics[profile.choice.metric].label}"


_X_LABEL = {
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
        label=_X_LABEL[profile.choice.axis],
        unit=metric.unit,
        caption_text=caption_text,
        metric=profile.choice.metric,
    )


def _findings_table(
    findings: Sequence[Finding], heads: Sequence[Cell], *, label: str, unit: str, caption_text: str, metric: str
) -> Table:
    aggregate = metric.startswith("aggregate")
    columns = [
        Column(label=label, numeric=label != "Configuration"),
        Column(label=f"{unit}, together" if aggregate else unit, numeric=True),
    ]
    values = numbers([finding.value for finding in findings])
    parts = [list(heads), [_once(cell, finding) for cell, finding in zip(values, findings, strict=True)]]
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
    parts.append([Cell(text=_identity_cell(finding)) for finding in findings])
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
            mark="measured" if isinstance(finding, Shown) else f"withheld: {finding.reason.value}",
        )
        for index, finding in enumerate(findings)
    )
    return Table(caption=wording.sentence(caption_text), columns=tuple(columns), rows=rows)


def _once(cell: Cell, finding: Finding) -> Cell:
    """`cell` without its number in full where its text is that already, or the only run in the same row prints it."""
    said = len(finding.readings) == 1 or cell.text.replace(",", "") == cell.value
    return replace(cell, value=None) if said else cell


def _identity_cell(finding: Finding) -> str:
    if finding.identity is not None:
        return str(finding.identity)
    return "reference" if finding.is_reference else "none"


def _run_line(finding: Finding, reading: Reading) -> tuple[str, str]:
    """One pass and server in a line, and the way to its run on the campaign's page."""
    measured = reading.values.get(finding.metric)
    value = wording.exact(measured.value) if measured else "no value given"
    counts = f", {reading.identity} {SHORT_BASES[reading.identity.basis]}" if reading.identity else ""
    return (
        f"{reading.pass_}, {reading.server}: {value}{counts}",
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
    )
    withheld = tuple(
        caption.withheld_line(
            finding, Axis.SUITE, metric.unit, vocabulary, where=f"{profile.choice.campaign} {finding.arm}"
        )
        for profile, finding in zip(owners, findings, strict=True)
        if isinstance(finding, Withheld)
    )
    return Section(
        id="suite",
        heading="One user, the fixed suite, other configurations",
        profiles=(),
        table=table,
        intro=f"Each value is the {metric.statistic}.",
        withheld=withheld,
    )


def _setting_difference(profile: Profile) -> str:
    graph = profile.campaign.setup.settings.get("graph_capture")
    return f", graph capture {graph}" if graph == "off" else ""


# --- the rest of the page --------------------------------------------------------------------------------------------


def _facts(edition: Edition, derived: Derived) -> list[tuple[str, Markup]]:
    card, vocabulary = derived.card, edition.library.vocabulary
    accelerator = vocabulary.accelerators[card.hardware.accelerator]
    image = None
    if derived.headline is not None:
        image = derived.headline.evidence.campaign.setup.image
    status = vocabulary.statuses[card.status]
    facts: list[tuple[str, Markup]] = [
        ("Status", prose.breakable(f"{status.label}: {_lower(status.explain)}")),
        ("Model", prose.breakable(vocabulary.families[card.family].label)),
        ("Publisher", prose.breakable(card.publisher)),
        ("Checkpoint", prose.breakable(card.model.checkpoint)),
        ("Revision", prose.code(card.model.revision) if card.model.revision else Markup("not known")),
        ("Compression", prose.breakable(card.compression)),
        ("Software", prose.breakable(_software(derived, vocabulary))),
    ]
    if image is not None:
        facts.append(("Image", prose.code(f"{image.name or 'unnamed'}, {image.digest or 'digest not known'}")))
    if card.launch.environment:
        variables = ", ".join(f"{name}={value}" for name, value in sorted(card.launch.environment.items()))
        facts.append(("Environment", prose.code(variables)))
    facts += [
        (
            "Cards",
            Markup('<a href="../hardware/{}.html">{}</a>').format(
                card.hardware.accelerator, prose.breakable(f"{card.hardware.cards} × {accelerator.label}")
            ),
        ),
        ("Cards measured", prose.breakable(wording.listed([str(count) for count in card.hardware.cards_measured]))),
        (
            "Weights",
            prose.breakable(wording.gigabytes(card.model.weight_bytes) if card.model.weight_bytes else "not known"),
        ),
        (
            "Host memory",
            prose.breakable(
                f"at least {wording.gibibytes(card.hardware.host_memory_bytes)}"
                if card.hardware.host_memory_bytes
                else "not known"
            ),
        ),
        (
            "Systems",
            prose.breakable(
                wording.listed([vocabulary.operating_systems[word].label for word in card.operating_systems])
            ),
        ),
        ("Delivery", prose.breakable(wording.listed([vocabulary.delivery[word].label for word in card.delivery]))),
        ("Good for", prose.breakable(wording.listed([vocabulary.good_for[word].label for word in card.good_for]))),
        ("Published", prose.breakable(wording.day(card.published))),
        ("Updated", prose.breakable(wording.day(derived.updated))),
        ("Clean-host replay", prose.breakable("not yet" if card.replay == "not-yet" else "done")),
    ]
    if card.model.draft:
        facts.insert(6, ("Draft", prose.breakable(card.model.draft)))
    return facts


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _software(derived: Derived, vocabulary: Vocabulary) -> str:
    engine = vocabulary.engines[derived.card.engine].label
    evidence = [derived.headline.evidence] if derived.headline else [profile.evidence for profile in derived.profiles]
    if not evidence:
        return f"{engine}, version not stated"
    stated = evidence[0].campaign.setup.engine
    if stated.version and derived.headline:
        return f"{engine} {stated.version}"
    if stated.sources:
        return (
            f"{engine}, {wording.listed([f'{source.repository} at {source.commit[:8]}' for source in stated.sources])}"
        )
    return f"{engine}, version not stated"


def _projection(derived: Derived) -> ProjectionView:
    inputs = derived.card.projection
    if not isinstance(inputs, ProjectionInputs) or derived.projection is None:
        return ProjectionView(none=wording.sentence(getattr(inputs, "none", "")))
    return ProjectionView(
        ceiling=f"{wording.brief(derived.projection.ceiling)} tok/s",
        target=f"{wording.brief(derived.projection.target)} tok/s",
        limiter=wording.sentence(inputs.limiter),
        facts=(
            ("Memory bandwidth of one card", f"{inputs.memory_bandwidth_bytes_per_s / 1e9:g} GB/s"),
            ("Bytes read per token", wording.gigabytes(inputs.bytes_per_token)),
            ("Share that can be reached", wording.percent(inputs.reachable_share)),
            ("Basis", inputs.basis),
        ),
    )


def _siblings_href(edition: Edition, derived: Derived) -> str | None:
    family = [other for other in edition.cards if other.card.family == derived.card.family and other.id != derived.id]
    family.sort(key=lambda other: (other.card.hardware.accelerator != derived.card.hardware.accelerator, other.id))
    ids = ",".join([derived.id, *(other.id for other in family[:3])])
    return f"../compare.html?cards={ids}" if family else None


def _siblings(edition: Edition, derived: Derived) -> tuple[Sibling, ...]:
    family = [
        other for other in edition.cards if other.card.family == derived.card.family or other.id in derived.card.related
    ]
    if len(family) < 2:
        return ()
    cells = numbers([other.headline.finding.value if other.headline else None for other in family])
    return tuple(
        Sibling(
            name=other.card.name,
            href=f"{other.id}.html",
            cards=str(other.card.hardware.cards),
            number=cell,
            state="measured" if other.headline else "pending",
            is_this=other.id == derived.id,
        )
        for other, cell in zip(family, cells, strict=True)
    )


def _structured(edition: Edition, derived: Derived, sentence: str) -> tuple[dict[str, object], ...]:
    card, lab = derived.card, edition.library.lab
    base = edition.base_url
    article: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "headline": card.name,
        "description": sentence,
        "datePublished": card.published.isoformat(),
        "dateModified": derived.updated.isoformat(),
        "author": [{"@type": "Organization", "name": credit.name} for credit in card.credits],
        "publisher": {"@type": "Organization", "name": lab.name},
    }
    dataset: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Measurements of {card.name}",
        "description": f"Inference speeds with identity counts and withheld points. {sentence}",
        "creator": [{"@type": "Organization", "name": name} for name in _measurers(edition, derived)],
        "dateModified": derived.updated.isoformat(),
        "variableMeasured": sorted(
            {edition.library.vocabulary.metrics[profile.choice.metric].label for profile in derived.profiles}
        ),
    }
    if base is not None:
        article["mainEntityOfPage"] = f"{base}/models/{derived.id}.html"
        dataset["distribution"] = [
            {
                "@type": "DataDownload",
                "encodingFormat": "application/json",
                "contentUrl": f"{base}/models/{derived.id}.json",
            }
        ]
    return article, dataset


def _measurers(edition: Edition, derived: Derived) -> list[str]:
    return sorted({edition.evidence[campaign].campaign.measured_by.name for campaign in derived.campaigns})


def markdown(edition: Edition, derived: Derived) -> str:
    """The card as Markdown, for those who paste it elsewhere: the number, its proof, tables, what is withheld and what is missing."""
    vocabulary = edition.library.vocabulary
    lines = [f"# {derived.card.name}", "", _sentence(derived, vocabulary), ""]
    headline = derived.headline
    if headline is not None and headline.finding.value is not None:
        unit = vocabulary.metrics[headline.choice.metric].unit
        lines.append(
            f"**{wording.brief(headline.finding.value)} {unit}, one user.** {caption.headline_statistic(headline, vocabulary)}"
        )
        lines += [caption.headline_check(headline), ""]
    else:
        lines += [f"**Single-user number pending.** {derived.pending or ''}", ""]
    for profile in derived.profiles:
        unit = vocabulary.metrics[profile.choice.metric].unit
        lines += [
            f"## {_profile_heading(derived, profile, vocabulary)}",
            "",
            str(caption.of_profile(profile, vocabulary)),
            "",
        ]
        if profile.shown:
            lines += [f"| {_X_LABEL[profile.choice.axis]} | {unit} | identical |", "|---:|---:|---:|"]
            lines += [
                f"| {finding.x if finding.x is not None else 'suite'} | {wording.exact(finding.value)} | {_identity_cell(finding)} |"
                for finding in profile.shown
            ]
            lines.append("")
        lines += [
            f"- withheld: {caption.withheld_line(finding, profile.choice.axis, unit, vocabulary)}"
            for finding in profile.withheld
        ]
        lines += [""] if profile.withheld else []
    lines += ["## Still missing", ""]
    lines += [f"- {gap.text}{f' ({gap.detail})' if gap.detail else ''}" for gap in edition.gaps[derived.id]]
    return "\n".join(lines) + "\n"
