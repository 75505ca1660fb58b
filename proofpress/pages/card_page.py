"""Card page: everything about one deployment, in the order in which a reader asks: the number, its proof, what is missing, the curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from proofpress.charts.figure import Figure
from proofpress.check import prose
from proofpress.derive import absence, proof, reference, wording
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.gap import Gap
from proofpress.derive.omission import omissions
from proofpress.derive.proof import Making
from proofpress.pages.big_number import HeadlineView, headline_view, state_of
from proofpress.pages.card_text import one_sentence
from proofpress.pages.citation import citation
from proofpress.pages.curve import FEW_PROFILES, Section, runs_anchor, sections
from proofpress.pages.page import SITE_HEADER, Cell, Crumb, Head, State, numbers
from proofpress.records.card import ProjectionInputs
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionView:
    """The projection, or why there is none."""

    none: str = ""
    ceiling: str = ""
    target: str = ""
    limiter: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """What a campaign measured and no chart shows."""

    heading: str
    lines: tuple[tuple[str, str], ...]
    """Each series with its counts, and the way to its runs."""


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
    markdown_href: str
    copy_href: str
    """The script that brings the Markdown to the copy button."""
    citation: str
    making: Making
    """How its numbers are made."""
    facts: tuple[tuple[str, Markup], ...]
    gaps: tuple[Gap, ...]
    sections: tuple[Section, ...]
    omitted: tuple[Omitted, ...]
    """What its campaigns measured and no chart shows."""
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
    parts, figures = sections(edition, derived)
    sentence = one_sentence(derived, vocabulary)
    summary = reference.filled(card.summary, derived, edition.evidence, vocabulary)
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
            paint_after=next((view.anchor for part in parts for view in part.profiles), SITE_HEADER),
        ),
        name=card.name,
        sentence=sentence,
        summary=prose.html(summary, first_heading=3, id_prefix="summary"),
        has_contents=len(derived.profiles) > FEW_PROFILES,
        headline=headline_view(edition, derived),
        guide_href=f"../guides/{derived.id}.html" if card.guide else None,
        improve_href=improve_href(edition, card.name, "../"),
        compare_href=f"../compare.html?cards={derived.id}",
        siblings_href=_siblings_href(edition, derived),
        json_href=f"{derived.id}.json",
        markdown_href=f"{derived.id}.md",
        copy_href=f"{derived.id}.copy.js",
        citation=citation(edition, derived),
        making=proof.making(derived, edition.evidence, vocabulary),
        facts=tuple(_facts(edition, derived)),
        gaps=edition.gaps[derived.id],
        sections=parts,
        omitted=tuple(_omitted(edition, derived)),
        projection=_projection(derived),
        limits=tuple(
            prose.inline(reference.filled(limit, derived, edition.evidence, vocabulary)) for limit in card.limits
        ),
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


def _description(derived: Derived, sentence: str, vocabulary: Vocabulary) -> str:
    if derived.headline is None or derived.headline.finding.value is None:
        return f"{sentence} The single-user number is pending."
    unit = vocabulary.metrics[derived.headline.choice.metric].unit
    identity = derived.headline.finding.identity
    proof = f", {identity} outputs equal to the oracle's" if identity else ""
    return f"{wording.brief(derived.headline.finding.value)} {unit} for one user{proof}. {sentence}"


def _facts(edition: Edition, derived: Derived) -> list[tuple[str, Markup]]:
    card, vocabulary = derived.card, edition.library.vocabulary
    accelerator = vocabulary.accelerators[card.hardware.accelerator]
    image = None
    if derived.headline is not None:
        image = derived.headline.evidence.campaign.setup.image
    status = vocabulary.statuses[card.status]
    facts: list[tuple[str, Markup]] = [
        ("Status", prose.breakable(f"{status.label}: {_lower(status.explain)}") + _newer(edition, card.superseded_by)),
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
            "Accelerators",
            Markup('<a href="../hardware/{}.html">{}</a>').format(
                card.hardware.accelerator, prose.breakable(f"{card.hardware.cards} × {accelerator.label}")
            ),
        ),
        (
            "Accelerators measured",
            prose.breakable(wording.listed([str(count) for count in card.hardware.cards_measured]) or "none yet"),
        ),
        (
            "Weights",
            prose.breakable(wording.gigabytes(derived.weight_bytes) if derived.weight_bytes else "not known"),
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
            prose.breakable(_listed([vocabulary.operating_systems[word].label for word in card.operating_systems])),
        ),
        ("Delivery", prose.breakable(_listed([vocabulary.delivery[word].label for word in card.delivery]))),
        ("Good for", prose.breakable(_listed([vocabulary.good_for[word].label for word in card.good_for]))),
        ("Published", prose.breakable(wording.day(card.published))),
        ("Updated", prose.breakable(wording.day(derived.updated))),
        ("Clean-host replay", prose.breakable("not yet" if card.replay == "not-yet" else "done")),
    ]
    if card.model.draft:
        facts.insert(6, ("Draft", prose.breakable(card.model.draft)))
    return facts


def _newer(edition: Edition, card_id: str | None) -> Markup:
    if card_id is None:
        return Markup("")
    return Markup(' Superseded by <a href="{}.html">{}</a>.').format(card_id, edition.card_names()[card_id])


def _listed(labels: Sequence[str]) -> str:
    return wording.listed(labels) or "not stated"


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _software(derived: Derived, vocabulary: Vocabulary) -> str:
    engine = vocabulary.engines[derived.card.engine].label
    evidence = [derived.headline.evidence] if derived.headline else [profile.evidence for profile in derived.profiles]
    if not evidence:
        return f"{engine}, version not stated"
    stated = evidence[0].campaign.setup.engine
    if stated.version:
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
            ("Memory bandwidth of one accelerator", f"{inputs.memory_bandwidth_bytes_per_s / 1e9:g} GB/s"),
            ("Bytes read per token", wording.gigabytes(inputs.bytes_per_token)),
            ("Share that can be reached", wording.percent(inputs.reachable_share)),
            ("Basis", inputs.basis),
        ),
    )


def _omitted(edition: Edition, derived: Derived) -> Iterator[Omitted]:
    vocabulary = edition.library.vocabulary
    found = omissions(derived, edition.cards, edition.evidence)
    for campaign, group in groupby(found, key=lambda omission: omission.campaign):
        lines = tuple(
            (
                absence.omitted(omission, vocabulary),
                f"../evidence/{campaign}.html#{runs_anchor(omission.arm, omission.axis)}",
            )
            for omission in group
        )
        yield Omitted(heading=f"{campaign}: {len(lines)} series", lines=lines)


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
            state=state_of(other),
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
        "author": [_party(credit.kind, credit.name) for credit in card.credits],
        "publisher": {"@type": "Organization", "name": lab.name},
    }
    dataset: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Measurements of {card.name}",
        "description": f"Inference speeds with identity counts and withheld points. {sentence}",
        "creator": [_party(kind, name) for name, kind in sorted(_kinds(edition, derived).items())],
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


def measurers(edition: Edition, derived: Derived) -> list[str]:
    """Who measured what the card shows, sorted."""
    return sorted(_kinds(edition, derived))


def _kinds(edition: Edition, derived: Derived) -> dict[str, str]:
    """The kind of each of them, by name."""
    found = (edition.evidence[campaign].campaign.measured_by for campaign in derived.campaigns)
    return {one.name: one.kind for one in found}


def _party(kind: str, name: str) -> dict[str, str]:
    """A person or an organization, as search engines ask."""
    return {"@type": "Person" if kind == "hobbyist" else "Organization", "name": name}
