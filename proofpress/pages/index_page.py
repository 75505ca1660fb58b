"""Index page: all deployments as a list to scan: name, set-up, single-user number with its state, curves in small, what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from proofpress.charts import chart, drawing
from proofpress.charts.scale import three_figures, x_text
from proofpress.derive import proof, wording
from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Shown
from proofpress.pages import big_number, facet
from proofpress.pages.big_number import proof_href
from proofpress.pages.curve import anchor
from proofpress.pages.page import Head, State
from proofpress.records.axis import Axis
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A small curve and what it says in words."""

    label: str
    drawing: Markup
    words: str
    href: str | None
    """The chart on the card's page; None where there is no curve."""
    end: float | None
    """The value at the line's end, which is among the words and which a list can be sorted by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One deployment in the list."""

    id: str
    href: str
    name: str
    setup: str
    words: dict[str, tuple[str, ...]]
    """Its words by facet, for the filter."""
    search: str
    state: State
    number: str
    exact: str | None
    unit: str
    proof: str
    proof_href: str
    compared: str
    """With what its outputs were compared, and how; empty where nothing was."""
    curves: tuple[Curve, ...]
    is_for_use: bool
    """Whether it stands among the deployments in a list sorted by speed."""
    missing: int
    updated: str
    updated_iso: str

    @property
    def users(self) -> float | None:
        """What a list sorted by speed with many users goes by: the value that its curve over users ends with."""
        return self.curves[-1].end


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A question that readers come with, its answer in a few words, and the address that narrows the list to it."""

    question: str
    query: str
    answer: str
    link: str
    """What leads to the narrowed list, where there is anything in it."""
    found: tuple[tuple[str, str], ...]
    """The set-ups themselves, name and address, for those without scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """The model of `index.html`."""

    head: Head
    description: str
    entries: tuple[Entry, ...]
    facets: tuple[facet.Facet, ...]
    presets: tuple[Preset, ...]
    shown: int
    withheld: int
    aside: str
    """Why some numbers stand below lower ones; empty where none does."""


def index_page(edition: Edition) -> IndexPage:
    """The list of all cards: deployments from the fastest single-user number, then what is not for use, pending last."""
    lab, vocabulary = edition.library.lab, edition.library.vocabulary
    ordered = sorted(
        edition.cards,
        key=lambda derived: (
            facet.single(derived) is None,
            not facet.for_use(derived, vocabulary),
            -(facet.single(derived) or 0.0),
            derived.card.name,
            derived.id,
        ),
    )
    findings = [finding for derived in edition.cards for profile in derived.profiles for finding in profile.findings]
    shown = sum(isinstance(finding, Shown) for finding in findings)
    return IndexPage(
        head=Head(
            path="index.html", title=lab.name, description=lab.description, data=(_structured(edition),), own="library"
        ),
        description=lab.description,
        entries=tuple(_entry(edition, derived) for derived in ordered),
        facets=facet.facets(ordered, vocabulary),
        presets=tuple(_presets(ordered, edition)),
        shown=shown,
        withheld=len(findings) - shown,
        aside=_aside(ordered, vocabulary),
    )


def _aside(ordered: Sequence[Derived], vocabulary: Vocabulary) -> str:
    """Why set-ups that are not for use stand last in the list and in no answer, whatever their speed."""
    kinds = sorted(
        {
            _not_for_use(derived, vocabulary)
            for derived in ordered
            if facet.single(derived) is not None and not facet.for_use(derived, vocabulary)
        }
    )
    return f"Set-ups that are {wording.listed(kinds)} stand below those for use, whatever their speed." if kinds else ""


def _not_for_use(derived: Derived, vocabulary: Vocabulary) -> str:
    """'withdrawn', 'of no stated use', 'for checking the method only': said at a set-up that is not a deployment."""
    if derived.card.withdrawn is not None:
        return "withdrawn"
    if not derived.card.good_for:
        return "of no stated use"
    return f"for {wording.listed([vocabulary.good_for[word].label for word in derived.card.good_for])} only"


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


def _presets(ordered: Sequence[Derived], edition: Edition) -> Iterator[Preset]:
    """The questions that the library answers before anybody searches."""
    vocabulary = edition.library.vocabulary
    winner = facet.fastest(ordered, 1, vocabulary)
    if winner is not None and winner.headline is not None:
        unit = vocabulary.metrics[winner.headline.choice.metric].unit
        yield Preset(
            question="Fastest on one accelerator",
            query="?number=1&sort=single",
            answer=f"{wording.brief(facet.single(winner) or 0.0)} {unit} for one user",
            link="All on one accelerator, fastest first",
            found=((winner.card.name, f"models/{winner.id}.html"),),
        )
    questions = (
        ("Fits one accelerator", "?cards=1", "cards", "1"),
        ("Has time to first token", "?curve=ttft", "curve", "ttft"),
    )
    for question, query, name, word in questions:
        found = [derived for derived in ordered if word in facet.words(derived)[name]]
        yield Preset(
            question=question,
            query=query,
            answer=f"{len(found)} of {len(ordered)} set-up{'' if len(ordered) == 1 else 's'}",
            link="Show it" if len(found) == 1 else "Show them",
            found=tuple((derived.card.name, f"models/{derived.id}.html") for derived in found),
        )


def _entry(edition: Edition, derived: Derived) -> Entry:
    card, vocabulary = derived.card, edition.library.vocabulary
    accelerator = vocabulary.accelerators[card.hardware.accelerator].short
    parts = [
        vocabulary.engines[card.engine].label,
        vocabulary.quantizations[card.quantization].label,
        f"{card.hardware.cards} × {accelerator}",
    ]
    value = facet.single(derived)
    if derived.headline is not None:
        parts.append(wording.speculation(derived.headline.arm))
    if card.withdrawn is not None or (card.good_for and not facet.for_use(derived, vocabulary)):
        parts.append(_not_for_use(derived, vocabulary))
    identity = derived.headline.finding.identity if derived.headline else None
    unit = vocabulary.metrics[derived.headline.choice.metric].unit if derived.headline else "tok/s"
    return Entry(
        id=derived.id,
        href=f"models/{derived.id}.html",
        name=card.name,
        setup=", ".join(parts),
        words=facet.words(derived),
        search=facet.search_text(derived, vocabulary),
        state=big_number.state_of(derived),
        number="pending" if value is None else wording.brief(value),
        exact=None if value is None else f"{value:.12g}",
        unit=unit,
        proof="" if value is None else (f"{identity} identical" if identity else "reference run"),
        proof_href="" if derived.headline is None else proof_href(derived.headline, ""),
        compared="" if derived.headline is None else proof.compared(derived.headline),
        curves=tuple(_curves(edition, derived)),
        is_for_use=facet.for_use(derived, vocabulary),
        missing=len(edition.gaps[derived.id]),
        updated=wording.day(derived.updated),
        updated_iso=derived.updated.isoformat(),
    )


_CURVES = (
    ("decode", ((Axis.CONTEXT_TOKENS, "over context"), (Axis.CONTEXT_DEPTH, "over cached context"))),
    ("aggregate", ((Axis.CONCURRENT_USERS, "over users"),)),
)
"""The metric of each small curve, and the axes that it is looked for on, in this order, with its label."""


def _curves(edition: Edition, derived: Derived) -> list[Curve]:
    """One curve over context and one over users: those of the headline's set-up where it has them, else the card's first.

    The words are the ends of the line, with the drawing's three figures.
    """
    curves = []
    for metric, axes in _CURVES:
        found = [(own, axis, label) for axis, label in axes if (own := usual(derived, axis, metric))]
        if not found:
            curves.append(Curve(label=axes[0][1], drawing=Markup(""), words="no curve", href=None, end=None))
            continue
        profile, axis, label = found[0]
        figure = chart.figure_of(profile, derived.id, edition.library.vocabulary)
        first, last = profile.shown[0], profile.shown[-1]
        other = big_number.other_configuration(derived, profile.arms[0])
        whose = f", {other}" if other else ""
        withheld = f", {len(profile.withheld)} withheld" if profile.withheld else ""
        ends = (f"{three_figures(end.value)} at {x_text(axis, end.x or 0)}" for end in (first, last))
        curves.append(
            Curve(
                label=f"{label}{whose}{withheld}",
                drawing=Markup(drawing.sparkline(figure.series[0], axis=axis)),
                words=", ".join(dict.fromkeys(ends)),
                href=f"models/{derived.id}.html#{anchor(profile)}",
                end=last.value,
            )
        )
    return curves


def usual(derived: Derived, axis: Axis, metric: str) -> Profile | None:
    """The profile that stands for a card where there is room for one: of the headline's set-up if it has one, else the first."""
    fitting = [
        profile for profile in derived.on_axis(axis) if profile.choice.metric.startswith(metric) and profile.shown
    ]
    if derived.headline is not None:
        arm = derived.headline.arm
        fitting.sort(
            key=lambda profile: (
                profile.arms[0].depth != arm.depth,
                profile.arms[0].cards != derived.card.hardware.cards,
            )
        )
    return fitting[0] if fitting else None
