"""Index page: all deployments as a list to scan: name, set-up, single-user number with its state, curves in small, what is missing."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from proofpress import chart, drawing, wording
from proofpress.axis import Axis
from proofpress.derivation import Derived
from proofpress.edition import Edition
from proofpress.finding import Shown
from proofpress.page import Head, State
from proofpress.scale import three_figures, x_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A small curve and what it says in words."""

    label: str
    drawing: Markup
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One deployment in the list."""

    href: str
    name: str
    setup: str
    state: State
    number: str
    exact: str | None
    unit: str
    proof: str
    curves: tuple[Curve, ...]
    missing: int
    updated: str
    updated_iso: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """The model of `index.html`."""

    head: Head
    tagline: str
    description: str
    entries: tuple[Entry, ...]
    shown: int
    withheld: int


def index_page(edition: Edition) -> IndexPage:
    """The list of all cards, fastest qualified single-user number first, pending last."""
    lab = edition.library.lab
    ordered = sorted(edition.cards, key=lambda derived: (-(_value(derived) or 0.0), derived.card.name, derived.id))
    findings = [finding for derived in edition.cards for profile in derived.profiles for finding in profile.findings]
    shown = sum(isinstance(finding, Shown) for finding in findings)
    return IndexPage(
        head=Head(path="index.html", title=lab.name, description=lab.description, data=(_structured(edition),)),
        tagline=lab.tagline,
        description=lab.description,
        entries=tuple(_entry(edition, derived) for derived in ordered),
        shown=shown,
        withheld=len(findings) - shown,
    )


def _structured(edition: Edition) -> dict[str, object]:
    lab = edition.library.lab
    data: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": lab.name,
        "description": lab.description,
    }
    if edition.base_url is not None:
        data["url"] = f"{edition.base_url}/"
    return data


def _value(derived: Derived) -> float | None:
    return derived.headline.finding.value if derived.headline else None


def _entry(edition: Edition, derived: Derived) -> Entry:
    card, vocabulary = derived.card, edition.library.vocabulary
    accelerator = vocabulary.accelerators[card.hardware.accelerator].short
    parts = [
        vocabulary.engines[card.engine].label,
        vocabulary.quantizations[card.quantization].label,
        f"{card.hardware.cards} × {accelerator}",
    ]
    value = _value(derived)
    if derived.headline is not None:
        parts.append(wording.speculation(derived.headline.arm))
    identity = derived.headline.finding.identity if derived.headline else None
    unit = vocabulary.metrics[derived.headline.choice.metric].unit if derived.headline else "tok/s"
    return Entry(
        href=f"models/{derived.id}.html",
        name=card.name,
        setup=", ".join(parts),
        state="pending" if value is None else "measured",
        number="pending" if value is None else wording.brief(value),
        exact=None if value is None else f"{value:.12g}",
        unit=unit,
        proof="" if value is None else (f"{identity} identical" if identity else "reference run"),
        curves=tuple(_curves(edition, derived)),
        missing=len(edition.gaps[derived.id]),
        updated=wording.day(derived.updated),
        updated_iso=derived.updated.isoformat(),
    )


_CURVES = ((Axis.CONTEXT_TOKENS, "decode", "over context"), (Axis.CONCURRENT_USERS, "aggregate", "over users"))


def _curves(edition: Edition, derived: Derived) -> list[Curve]:
    """One curve over context and one over users: those of the headline's set-up where it has them, else the card's first.

    The words are the ends of the line, with the drawing's three figures.
    """
    curves = []
    for axis, metric, label in _CURVES:
        fitting = [
            profile for profile in derived.on_axis(axis) if profile.choice.metric.startswith(metric) and profile.shown
        ]
        if derived.headline is not None:
            depth = derived.headline.arm.depth
            fitting.sort(
                key=lambda profile: (
                    profile.arms[0].depth != depth,
                    profile.arms[0].cards != derived.card.hardware.cards,
                )
            )
        if not fitting:
            curves.append(Curve(label=label, drawing=Markup(""), words="no curve"))
            continue
        profile = fitting[0]
        figure = chart.figure_of(profile, derived.id, edition.library.vocabulary)
        first, last = profile.shown[0], profile.shown[-1]
        withheld = f", {len(profile.withheld)} withheld" if profile.withheld else ""
        ends = (f"{three_figures(end.value)} at {x_text(axis, end.x or 0)}" for end in (first, last))
        words = ", ".join(dict.fromkeys(ends))
        curves.append(
            Curve(
                label=f"{label}{withheld}", drawing=Markup(drawing.sparkline(figure.series[0], axis=axis)), words=words
            )
        )
    return curves
