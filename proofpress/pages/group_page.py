"""Group pages: the cards of one model family, and those of one kind of accelerator, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from proofpress.derive import proof, wording
from proofpress.derive.derivation import Derived, Headline
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Finding, Shown, Withheld, exact_through
from proofpress.pages.big_number import other_configuration, state_of
from proofpress.pages.page import Cell, Column, Crumb, Head, Row, Table, numbers
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm

AT_CONTEXT = 16384
"""The prompt length at which cards are put side by side: long enough to matter, short enough that most were measured there."""


READING = (
    "Numbers side by side are not a comparison by themselves: set-ups that differ in engine, quantization, accelerators or prompts answer different questions.",
    "Identical: so many of the compared outputs were equal.",
    "Users is the highest number up to which every level is shown. With what its answers were compared, and how, stands on the card.",
    "Where a cell names a configuration, its number is not of the one named beside the set-up. Withheld: measured, and not claimed. A dash: not measured.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPage:
    """The model of `families/<family>.html` and `hardware/<accelerator>.html`."""

    head: Head
    title: str
    lead: str
    table: Table
    reading: tuple[str, ...]
    """How to read the table, in sentences."""


def group_pages(edition: Edition) -> tuple[GroupPage, ...]:
    """A page for each family and each accelerator that a card names, families first, by id."""
    vocabulary = edition.library.vocabulary
    families = sorted({derived.card.family for derived in edition.cards})
    accelerators = sorted({derived.card.hardware.accelerator for derived in edition.cards})
    pages = []
    for word in families:
        family = vocabulary.families[word]
        members = [derived for derived in edition.cards if derived.card.family == word]
        pages.append(
            _page(
                edition,
                members,
                path=f"families/{word}.html",
                title=family.label,
                lead=f"{family.explain} Published by {family.publisher}.",
            )
        )
    for word in accelerators:
        accelerator = vocabulary.accelerators[word]
        members = [derived for derived in edition.cards if derived.card.hardware.accelerator == word]
        pages.append(
            _page(edition, members, path=f"hardware/{word}.html", title=accelerator.label, lead=accelerator.explain)
        )
    return tuple(pages)


def _page(edition: Edition, members: Sequence[Derived], *, path: str, title: str, lead: str) -> GroupPage:
    count = wording.counted(len(members), "set-up")
    description = f"{title}: {count} side by side, with what is proved and what is missing."
    return GroupPage(
        head=Head(
            path=path,
            title=title,
            description=description,
            crumbs=(Crumb(label="Library", href="../index.html"), Crumb(label=title)),
            own="tables",
        ),
        title=title,
        lead=lead,
        table=_table(edition, members),
        reading=READING,
    )


def _table(edition: Edition, members: Sequence[Derived]) -> Table:
    ordered = sorted(members, key=lambda derived: (-(_single(derived) or 0.0), derived.card.name))
    singles = numbers([_single(derived) for derived in ordered])
    contexts = _contexts(ordered)
    rows = tuple(
        Row(
            state=state_of(derived),
            mark=state_of(derived),
            cells=(
                Cell(text=derived.card.name, href=f"../models/{derived.id}.html", note=_setup(edition, derived)),
                singles[index],
                contexts[index],
                _users(derived),
                Cell(text=str(len(edition.gaps[derived.id]))),
            ),
        )
        for index, derived in enumerate(ordered)
    )
    columns = (
        Column(label="Set-up"),
        Column(label="tok/s, one user", numeric=True),
        Column(label=f"tok/s at {AT_CONTEXT // 1024}K context", numeric=True),
        Column(label="Users", numeric=True),
        Column(label="Missing", numeric=True),
    )
    return Table(caption="Fastest qualified single-user number first, pending last.", columns=columns, rows=rows)


def _setup(edition: Edition, derived: Derived) -> str:
    card, vocabulary = derived.card, edition.library.vocabulary
    accelerator = vocabulary.accelerators[card.hardware.accelerator].short
    parts = [
        vocabulary.engines[card.engine].label,
        vocabulary.quantizations[card.quantization].label,
        f"{card.hardware.cards} × {accelerator}",
    ]
    if derived.headline is None:
        return ", ".join(parts)
    return f"{', '.join([*parts, wording.speculation(derived.headline.arm)])}. {_identical(derived.headline)}"


def _single(derived: Derived) -> float | None:
    return derived.headline.finding.value if derived.headline else None


def _identical(headline: Headline) -> str:
    """How many outputs behind the single-user number were equal, to what, and how that was found."""
    identity = headline.finding.identity
    return f"{identity} identical {proof.compared(headline)}" if identity else "Reference run"


def _contexts(ordered: Sequence[Derived]) -> list[Cell]:
    """Decode speed at the common prompt length, of the headline's configuration, or of another that the card shows there."""
    found = [_at_context(derived) for derived in ordered]
    cells = numbers([finding.value if isinstance(finding, Shown) else None for _, finding in found])
    return [
        replace(
            cell,
            text="withheld" if isinstance(finding, Withheld) else cell.text,
            note=other_configuration(derived, arm) if arm else "",
        )
        for derived, (arm, finding), cell in zip(ordered, found, cells, strict=True)
    ]


def _at_context(derived: Derived) -> tuple[Arm | None, Finding | None]:
    candidates = [
        (profile.arms[0], finding)
        for profile in derived.on_axis(Axis.CONTEXT_TOKENS)
        if profile.choice.metric == "decode"
        for finding in profile.findings
        if finding.x == AT_CONTEXT
    ]
    return min(
        candidates,
        key=lambda one: (isinstance(one[1], Withheld), other_configuration(derived, one[0]) != ""),
        default=(None, None),
    )


def _users(derived: Derived) -> Cell:
    """The highest number of users up to which the headline's configuration, or else any of the card's, is exact."""
    profiles = [
        profile for profile in derived.on_axis(Axis.CONCURRENT_USERS) if profile.choice.metric.startswith("aggregate")
    ]
    ends = [(end, profile.arms[0]) for profile in profiles if (end := exact_through(profile.findings)) is not None]
    if not ends:
        return Cell(text="withheld" if profiles else "–")
    end, arm = max(ends, key=lambda one: (other_configuration(derived, one[1]) == "", one[0]))
    return Cell(text=f"{end:,}", value=str(end), note=other_configuration(derived, arm))
