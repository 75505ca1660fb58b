"""Guide page: how to repeat a deployment, step by step, with every identifier filled in from card and evidence."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from proofpress.check import prose
from proofpress.derive import fact, reference
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.pages.card_page import improve_href
from proofpress.pages.page import Crumb, Head
from proofpress.records.guide import SECTIONS, Guide


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One section of a guide; `unknown` names what nobody has written down."""

    id: str
    heading: str
    html: Markup
    unknown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePage:
    """The model of `guides/<card>.html`."""

    head: Head
    title: str
    card_href: str
    lead: str
    replayed: bool
    steps: tuple[Step, ...]
    markdown: str
    copy_href: str
    """The script that brings the Markdown to the copy button."""
    improve_href: str


def guide_page(edition: Edition, derived: Derived, guide: Guide) -> GuidePage:
    """The guide of one card."""
    known = fact.facts(derived, edition.evidence)
    vocabulary = edition.library.vocabulary

    def written(text: str) -> str:
        return fact.filled(reference.filled(text, derived, edition.evidence, vocabulary), known)

    texts = {section: written(text) for section, text in guide.sections.items()}
    unknown: dict[str, str] = {section: written(text) for section, text in guide.head.unknown.items()}
    lead = "From an empty machine to the measured set-up: preflight, model, launch, health, benchmark, stop, recover."
    title = f"Guide: {guide.head.title}"
    markdown = [f"# {title}", ""]
    for section, heading in SECTIONS.items():
        markdown += [f"## {heading}", ""]
        if texts[section].strip():
            markdown += [texts[section].strip(), ""]
        if section in unknown:
            markdown += [f"Not known: {unknown[section]}.", ""]
    return GuidePage(
        head=Head(
            path=f"guides/{derived.id}.html",
            title=title,
            description=f"{guide.head.title}. {lead}",
            crumbs=(
                Crumb(label="Library", href="../index.html"),
                Crumb(label=derived.card.name, href=f"../models/{derived.id}.html"),
                Crumb(label="Guide"),
            ),
            own="guide",
        ),
        title=guide.head.title,
        card_href=f"../models/{derived.id}.html",
        lead=lead,
        replayed=derived.card.replay != "not-yet",
        steps=tuple(
            Step(
                id=section,
                heading=heading,
                html=prose.html(texts[section], first_heading=3, id_prefix=section, command_name=heading),
                unknown=unknown.get(section, ""),
            )
            for section, heading in SECTIONS.items()
        ),
        markdown="\n".join(markdown),
        copy_href=f"{derived.id}.copy.js",
        improve_href=improve_href(edition, title, "../"),
    )
