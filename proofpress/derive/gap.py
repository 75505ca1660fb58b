"""Gap: one line of 'still missing before this becomes an install guide', found by the build or written by the contributor.

Comes in: a derived card, its guide and the vocabulary. Goes out: gaps, each with what closes it; and problems for stale ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from proofpress.derive.caption import UNNAMED
from proofpress.derive.derivation import SPREAD_LIMIT, Derived, Profile
from proofpress.derive.finding import Finding, exact_through
from proofpress.derive.wording import configuration, counted, listed, percent
from proofpress.load.source import Source
from proofpress.problem import Problem, quoted
from proofpress.records.axis import Axis
from proofpress.records.card import FreeGap
from proofpress.records.guide import SECTIONS, Guide
from proofpress.records.reason import Reason
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One thing that is missing. `detail` says what the build saw."""

    id: str
    text: str
    detail: str
    close_with: str
    computed: bool


def gaps(derived: Derived, guide: Guide | None, vocabulary: Vocabulary) -> tuple[Gap, ...]:
    """All gaps of a card: the computed ones, merged with those that the card lists; each id once, the card's order first."""
    found = dict(_found(derived))
    listed_ids = [gap for gap in derived.card.missing if isinstance(gap, str)]
    order = list(dict.fromkeys([*listed_ids, *found]))
    named = [
        Gap(
            id=gap_id,
            text=_identity_text(derived) if gap_id == "identity-above" else vocabulary.gaps[gap_id].text,
            detail=found.get(gap_id, ""),
            close_with=vocabulary.gaps[gap_id].close_with,
            computed=gap_id in found,
        )
        for gap_id in order
    ]
    free = [
        Gap(id=f"card-{index}", text=gap.text, detail="", close_with=gap.close_with or "", computed=False)
        for index, gap in enumerate(derived.card.missing)
        if isinstance(gap, FreeGap)
    ]
    return (*named[: len(listed_ids)], *free, *named[len(listed_ids) :], *_guide_gaps(derived, guide))


def stale(derived: Derived, source: Source, vocabulary: Vocabulary) -> Iterator[Problem]:
    """Gaps on the card that the evidence has closed: the list must be true today."""
    found = dict(_found(derived))
    for index, gap in enumerate(derived.card.missing):
        if isinstance(gap, str) and gap in vocabulary.gaps and vocabulary.gaps[gap].computed and gap not in found:
            expected = "a gap that the evidence has closed is taken off the list"
            yield source.problem(
                "claim.stale-gap", ("missing", index), found=quoted(gap), expected=expected, hint="remove this line"
            )


def _found(derived: Derived) -> Iterator[tuple[str, str]]:
    card = derived.card
    users = derived.on_axis(Axis.CONCURRENT_USERS)
    if derived.headline is None:
        yield "headline-pending", derived.pending or ""
    if card.replay == "not-yet":
        yield "clean-host-replay", ""
    ends = [
        (profile, exact_through(profile.findings)) for profile in users if profile.withheld and _is_throughput(profile)
    ]
    if ends:
        yield "identity-above", "; ".join(_identity_ends(ends))
    if not _has(derived, "ttft", Axis.CONTEXT_TOKENS):
        yield "ttft-over-context", "no chart on this page shows it"
    if not derived.on_axis(Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH):
        yield "context-sweep", "no chart on this page shows it"
    if not users:
        yield "users-sweep", "no chart on this page shows it"
    old = [profile for profile in derived.profiles if profile.is_stale]
    if old:
        yield "stale-image", listed(sorted({_old_image(profile) for profile in old}))
    single = [profile for profile in users if all(_is_single(finding) for finding in profile.findings)]
    if single:
        yield (
            "single-pass",
            f"one pass only: {listed(list(dict.fromkeys(configuration(profile.arms[0]) for profile in single)))}",
        )
    if derived.headline is not None and derived.headline.finding.servers == 1:
        named = {reading.server for reading in derived.headline.finding.readings} != {UNNAMED}
        yield (
            "single-server",
            "the headline rests on one server" if named else "on how many servers the headline rests is not stated",
        )
    noisy = _noisy(derived)
    if noisy:
        yield "quiet-machine", noisy
    unproved = [
        profile
        for profile in derived.profiles
        if any(f.reason is Reason.NO_IDENTITY_EVIDENCE for f in profile.withheld)
    ]
    if unproved:
        yield "identity-evidence", f"values of {_places(unproved)} are withheld for want of it"


def _places(profiles: list[Profile]) -> str:
    """Where the card prints profiles: as charts, or as rows of the table of suite values."""
    rows = [profile for profile in profiles if profile.choice.axis is Axis.SUITE]
    charts = len(profiles) - len(rows)
    parts = [counted(charts, "chart")] if charts else []
    if rows:
        parts.append(f"{counted(len(rows), 'row')} of the suite table")
    return listed(parts)


def _is_single(finding: Finding) -> bool:
    """Whether one pass on one server is all there is; a later or pooled pass had others before or beside it."""
    return all(reading.pass_ == "first" and reading.servers == 1 for reading in finding.readings) and (
        len(finding.readings) == 1
    )


def _noisy(derived: Derived) -> str:
    """Where servers differ by more than a tenth of their centre: at the headline, and at how many levels, shown or withheld."""
    parts = []
    if derived.headline is not None:
        spread = derived.headline.finding.spread
        if spread is not None and spread > SPREAD_LIMIT:
            parts.append(f"the headline's servers differ by {percent(spread)}")
    found = [finding for profile in derived.profiles for finding in profile.findings if finding.spread is not None]
    wide = [finding for finding in found if (finding.spread or 0) > SPREAD_LIMIT]
    if wide:
        parts.append(
            f"servers differ by more than {percent(SPREAD_LIMIT)} at {len(wide)} of {len(found)} points that several servers measured"
        )
    return "; ".join(parts)


def _is_throughput(profile: Profile) -> bool:
    return profile.choice.metric.startswith("aggregate")


def _has(derived: Derived, metric: str, axis: Axis) -> bool:
    return any(profile.choice.metric.startswith(metric) and profile.choice.axis is axis for profile in derived.profiles)


def _identity_text(derived: Derived) -> str:
    """'Identity above 8 users': above the lowest level at which a profile of throughput ends."""
    profiles = [
        profile for profile in derived.on_axis(Axis.CONCURRENT_USERS) if profile.withheld and _is_throughput(profile)
    ]
    ends = [exact_through(profile.findings) or 0 for profile in profiles]
    lowest = min(ends, default=0)
    return f"Identity above {Axis.CONCURRENT_USERS.position(lowest)}" if lowest else "Identity with several users"


def _identity_ends(ends: list[tuple[Profile, int | None]]) -> Iterator[str]:
    """Where identity ends, one phrase for each level at which it does."""
    for through in sorted({through or 0 for _, through in ends}):
        names = [configuration(profile.arms[0]) for profile, end in ends if (end or 0) == through]
        level = f"exact through {Axis.CONCURRENT_USERS.position(through)}" if through else "no level exact"
        yield f"{level}: {names[0] if len(names) == 1 else counted(len(names), 'configuration')}"


def _old_image(profile: Profile) -> str:
    image = profile.campaign.setup.image
    name = f"image {image.name}" if image and image.name else "an image that is not stated"
    return f"{profile.campaign.id} on {name}"


def _guide_gaps(derived: Derived, guide: Guide | None) -> Iterator[Gap]:
    if guide is None:
        yield Gap(
            id="guide",
            text="A guide",
            detail="no guide yet",
            close_with="Write the seven sections of a guide from what is known.",
            computed=True,
        )
        return
    if guide.head.unknown:
        sections = listed([SECTIONS[section].lower() for section in SECTIONS if section in guide.head.unknown])
        yield Gap(
            id="guide-unknown",
            text="Steps of the guide that nobody has written down",
            detail=f"unknown in {sections}",
            close_with="Find them out, write the sections, and remove the lines from the guide's head.",
            computed=True,
        )
