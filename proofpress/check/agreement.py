"""Agreement: what must hold between files. References lead somewhere, a card and its campaigns speak of the same thing.

Comes in: a `Library`. Goes out: problems. A file that already failed is not complained about a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from itertools import combinations

from proofpress.check import original, placeholder
from proofpress.check.campaign_check import FIRST_YEAR, LAST_YEAR, confidential_texts
from proofpress.check.confidential import finds
from proofpress.check.library import CampaignEntry, CardEntry, Library
from proofpress.check.prose import not_pinned
from proofpress.load.passage import Passage
from proofpress.load.source import Location, Source
from proofpress.problem import Problem, Severity, quoted
from proofpress.records.axis import Axis
from proofpress.records.campaign import Arm, NotMeasured, RequestCampaign, arm_of
from proofpress.records.card import HeadlineChoice, ProfileChoice, Replay
from proofpress.records.schema import did_you_mean, is_at_a_branch
from proofpress.records.vocabulary import unknown_word


def problems(library: Library) -> Iterator[Problem]:
    """Everything that does not agree between the library's files."""
    for entry in library.cards.values():
        for rule in CARD_RULES:
            yield from rule(library, entry)
    yield from _originals(library)
    yield from _same_originals(library)
    yield from _newer_campaigns(library)
    yield from _cycles(library)
    yield from _unused(library)
    yield from _guides(library)
    yield from placeholder.problems(library)
    for source in (*(guide.source for guide in library.guides.values()), *library.pages.values()):
        yield from _secrets(source)


def _words(library: Library, entry: CardEntry) -> Iterator[Problem]:
    card = entry.card
    single = (
        (("family",), card.family, "families"),
        (("quantization",), card.quantization, "quantizations"),
        (("engine",), card.engine, "engines"),
        (("hardware", "accelerator"), card.hardware.accelerator, "accelerators"),
        (("status",), card.status, "statuses"),
    )
    lists = (
        ("operating_systems", card.operating_systems, "operating_systems"),
        ("delivery", card.delivery, "delivery"),
        ("good_for", card.good_for, "good_for"),
    )
    words: list[tuple[Location, str, str]] = list(single)
    words += [((field, index), word, name) for field, several, name in lists for index, word in enumerate(several)]
    words += [(("profiles", index, "metric"), profile.metric, "metrics") for index, profile in enumerate(card.profiles)]
    words += [(("missing", index), gap, "gaps") for index, gap in enumerate(card.missing) if isinstance(gap, str)]
    if isinstance(card.headline, HeadlineChoice):
        words.append((("headline", "metric"), card.headline.metric, "metrics"))
    for location, word, name in words:
        yield from unknown_word(entry.source, location, word=word, list_name=name, vocabulary=library.vocabulary)


def _reference(
    entry: CardEntry,
    location: Location,
    name: str,
    known: Iterable[str],
    failed: frozenset[str],
    *,
    rule: str,
    what: str,
) -> Iterator[Problem]:
    kind = rule.rpartition("-")[2]
    names = {*known, *(other.removeprefix(f"{kind}:") for other in failed if other.startswith(f"{kind}:"))}
    if name not in names:
        yield entry.source.problem(rule, location, found=quoted(name), expected=what, hint=did_you_mean(name, names))


def _references(library: Library, entry: CardEntry) -> Iterator[Problem]:
    card, failed = entry.card, library.failed
    wanted: list[tuple[Location, str]] = [
        (("profiles", index, "campaign"), profile.campaign) for index, profile in enumerate(card.profiles)
    ]
    if isinstance(card.headline, HeadlineChoice):
        wanted.append((("headline", "campaign"), card.headline.campaign))
    if isinstance(card.replay, Replay):
        wanted.append((("replay", "campaign"), card.replay.campaign))
    for location, name in wanted:
        what = "a campaign, evidence/<id>/campaign.json"
        yield from _reference(
            entry, location, name, library.campaigns, failed, rule="reference.missing-campaign", what=what
        )
    others: list[tuple[Location, str]] = [(("related", index), name) for index, name in enumerate(card.related)]
    if card.superseded_by not in {None, entry.id}:  # superseded by itself is a circle
        others.append((("superseded_by",), str(card.superseded_by)))
    for location, name in others:
        what = "another card, content/cards/<id>.yaml"
        yield from _reference(
            entry, location, name, set(library.cards) - {entry.id}, failed, rule="reference.missing-card", what=what
        )
    if card.guide is not None:
        what = "a guide, content/guides/<id>.md"
        for problem in _reference(
            entry, ("guide",), card.guide, library.guides, failed, rule="reference.missing-guide", what=what
        ):
            own = f"did you mean '{entry.id}'?" if entry.id in library.guides else ""
            yield replace(problem, hint=problem.hint or own)


def _choices(
    library: Library, entry: CardEntry
) -> Iterator[tuple[Location, HeadlineChoice | ProfileChoice, CampaignEntry]]:
    """Headline and profiles with the campaign they name, where it exists."""
    card = entry.card
    named: list[tuple[Location, HeadlineChoice | ProfileChoice]] = [
        (("profiles", index), profile) for index, profile in enumerate(card.profiles)
    ]
    if isinstance(card.headline, HeadlineChoice):
        named.insert(0, (("headline",), card.headline))
    for location, choice in named:
        campaign = library.campaigns.get(choice.campaign)
        if campaign is not None:
            yield location, choice, campaign


def _arms(library: Library, entry: CardEntry) -> Iterator[Problem]:
    for location, choice, campaign in _choices(library, entry):
        known = [arm.id for arm in campaign.campaign.arms]
        wanted: list[tuple[Location, str]] = []
        if choice.arm is not None:
            wanted.append(((*location, "arm"), choice.arm))
        if isinstance(choice, ProfileChoice):
            wanted += [((*location, "arms", index), arm) for index, arm in enumerate(choice.arms or ())]
        for place, name in wanted:
            if name not in known:
                expected = f"an arm of campaign {campaign.id}: {', '.join(known)}"
                yield entry.source.problem(
                    "reference.missing-arm",
                    place,
                    found=quoted(name),
                    expected=expected,
                    hint=did_you_mean(name, known),
                )


def _shape(library: Library, entry: CardEntry) -> Iterator[Problem]:
    """`arms` on the draft-depth axis, `arm` on every other; at most one claim of users."""
    for index, profile in enumerate(entry.card.profiles):
        ladder = profile.axis is Axis.DRAFT_DEPTH
        if ladder and (profile.arms is None or profile.arm is not None or len(profile.arms) < 2):
            expected = "a profile over draft depth lists two or more 'arms', and no 'arm'"
            yield entry.source.problem(
                "schema.profile-arms", ("profiles", index), found=_arms_found(profile), expected=expected
            )
        if not ladder and (profile.arm is None or profile.arms is not None):
            expected = f"a profile over {profile.axis.value} has one 'arm', and no 'arms'"
            yield entry.source.problem(
                "schema.profile-arms", ("profiles", index), found=_arms_found(profile), expected=expected
            )
        if profile.exact_through is not None and profile.axis is not Axis.CONCURRENT_USERS:
            expected = "only a profile over concurrent_users can claim a number of users"
            place = ("profiles", index, "exact_through")
            yield entry.source.problem(
                "schema.profile-claim", place, found=str(profile.exact_through), expected=expected
            )
        for campaign, arms in [(library.campaigns.get(profile.campaign), profile.arms or ())]:
            if ladder and campaign is not None:
                yield from _ladder(entry, index, [arm for name in arms if (arm := arm_of(campaign.campaign, name))])


NAME_LIMIT = 200
"""Characters of a chart's file name; file systems end at 255, and endings come behind it."""


def _names(library: Library, entry: CardEntry) -> Iterator[Problem]:
    """P8: a chart's file is named after campaign, arms, metric and axis."""
    for index, profile in enumerate(entry.card.profiles):
        arms = "_".join(profile.arms or (profile.arm or "",))
        size = len(f"{profile.campaign}.{arms}.{profile.metric}.{profile.axis.value}")
        if size > NAME_LIMIT:
            found, expected = f"a file name of {size} characters", f"at most {NAME_LIMIT} characters"
            hint = "the chart's file is named after campaign, arms, metric and axis: choose shorter ids"
            yield entry.source.problem("limit.length", ("profiles", index), found=found, expected=expected, hint=hint)


def _arms_found(profile: ProfileChoice) -> str:
    arms = [f"'arms' with {len(profile.arms)}"] if profile.arms is not None else []
    return " and ".join([*(["'arm'"] if profile.arm is not None else []), *arms]) or "neither 'arm' nor 'arms'"


def _ladder(entry: CardEntry, index: int, arms: list[Arm]) -> Iterator[Problem]:
    place = ("profiles", index, "arms")
    for arm in arms:
        if arm.depth is None:
            expected = "each arm of a ladder over draft depth has one known depth"
            yield entry.source.problem(
                "schema.profile-arms", place, found=f"{arm.id}, of no one depth", expected=expected
            )
    for first, second in combinations(arms, 2):
        if first.depth == second.depth:
            expected = "each draft depth once"
            yield entry.source.problem(
                "duplicate.draft-depth",
                place,
                found=f"{first.id} and {second.id}, both depth {first.depth}",
                expected=expected,
            )
    for arm in arms[1:]:
        for name in ("cards", "tensor_parallel", "dtype"):
            one, other = getattr(arms[0], name), getattr(arm, name)
            if one != other:
                yield entry.source.problem(
                    "mismatch.ladder-arms",
                    place,
                    found=f"{name} is {quoted(other)} in {arm.id} and {quoted(one)} in {arms[0].id}",
                    expected="the arms of a ladder differ in speculation alone",
                    hint="make two profiles of them",
                )
                break


def _subject(library: Library, entry: CardEntry) -> Iterator[Problem]:
    """Campaigns measured what the card describes: F3."""
    card = entry.card
    first = {campaign.id: (location, campaign) for location, _, campaign in reversed([*_choices(library, entry)])}
    replay = library.campaigns.get(card.replay.campaign) if isinstance(card.replay, Replay) else None
    if replay is not None:
        first.setdefault(replay.id, (("replay",), replay))
    if replay is not None and replay.id in card.rests_on:
        yield entry.source.problem(
            "reference.own-replay",
            ("replay", "campaign"),
            found=quoted(replay.id),
            expected="a replay is a campaign of its own, made by following the guide on a clean host",
            hint="the card's own numbers rest on this one; name the campaign of the replay, or write not-yet",
        )
    for location, campaign in first.values():
        setup = campaign.campaign.setup
        hint = f"campaign {campaign.id} measured something else: name another campaign, or correct the card"
        words = library.vocabulary
        for what, found, expected, is_stated in (
            ("checkpoint", setup.model.checkpoint, card.model.checkpoint, True),
            ("revision", setup.model.revision, card.model.revision, card.model.revision and setup.model.revision),
            ("quantization", setup.model.quantization, card.quantization, card.quantization in words.quantizations),
            ("engine", setup.engine.name, card.engine, card.engine in words.engines),
            (
                "accelerator",
                setup.accelerator,
                card.hardware.accelerator,
                card.hardware.accelerator in words.accelerators,
            ),
        ):
            if found != expected and is_stated:  # a word that is unknown was told already
                yield entry.source.problem(
                    "reference.other-subject",
                    (*location, "campaign"),
                    found=f"{what} {quoted(found)} in the campaign",
                    expected=f"the card's {what}, {quoted(expected)}",
                    hint=hint,
                )


def _cards_measured(library: Library, entry: CardEntry) -> Iterator[Problem]:
    if not entry.card.rests_on <= set(library.campaigns):
        return  # what the missing campaign measured is not known
    counts = {
        arm.cards
        for _, choice, campaign in _choices(library, entry)
        for arm in campaign.campaign.arms
        if arm.id in _arms_of(choice)
    }
    measured = {count for count in counts if count is not None}
    stated = set(entry.card.hardware.cards_measured)
    if (measured or not counts) and measured != stated:  # a number that no campaign states can be known to the card
        expected = "the numbers of accelerators that its headline and profiles measured"
        yield entry.source.problem(
            "mismatch.cards-measured",
            ("hardware", "cards_measured"),
            found=f"[{', '.join(map(str, sorted(stated)))}]",
            expected=f"{expected}, [{', '.join(map(str, sorted(measured)))}]",
        )


def _weights(library: Library, entry: CardEntry) -> Iterator[Problem]:
    """The size of the weights, where the arms that the card shows state theirs."""
    stated = entry.card.model.weight_bytes
    measured = {
        arm.weight_bytes
        for _, choice, campaign in _choices(library, entry)
        for arm in campaign.campaign.arms
        if arm.weight_bytes is not None and arm.id in _arms_of(choice)
    }
    if stated is not None and measured and stated not in measured:
        yield entry.source.problem(
            "mismatch.weight-bytes",
            ("model", "weight_bytes"),
            found=str(stated),
            expected=f"the size that an arm of the card states: {' or '.join(map(str, sorted(measured)))}",
            hint="write null, and the page prints that of the headline's arm",
        )


def _arms_of(choice: HeadlineChoice | ProfileChoice) -> tuple[str | None, ...]:
    return (choice.arm, *((choice.arms or ()) if isinstance(choice, ProfileChoice) else ()))


def _profiles_once(library: Library, entry: CardEntry) -> Iterator[Problem]:
    seen: dict[tuple[object, ...], int] = {}
    for index, profile in enumerate(entry.card.profiles):
        key = (profile.campaign, profile.arm, profile.arms, profile.metric, profile.axis)
        first = seen.setdefault(key, index)
        if first != index:
            expected = "each series stands on a card once"
            yield entry.source.problem(
                "duplicate.profile", ("profiles", index), found=f"the same as profiles[{first}]", expected=expected
            )


def _dates(library: Library, entry: CardEntry) -> Iterator[Problem]:
    card = entry.card
    for field, day in (("published", card.published), ("withdrawn", card.withdrawn)):
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            expected = f"a day between {FIRST_YEAR} and {LAST_YEAR}, year first"
            yield entry.source.problem("number.date", (field,), found=day.isoformat(), expected=expected)
            return
    days = [day for _, _, campaign in _choices(library, entry) for day in _days(campaign)]
    latest = max([card.published, *days])
    if card.withdrawn is not None and card.withdrawn < latest:
        expected = f"not before the newest measurement or publication, {latest}"
        yield entry.source.problem("mismatch.date-order", ("withdrawn",), found=str(card.withdrawn), expected=expected)
    replay = library.campaigns.get(card.replay.campaign) if isinstance(card.replay, Replay) else None
    replayed = _days(replay) if replay is not None else []
    if days and replayed and max(replayed) < min(days):
        expected = f"a replay is not older than everything that it replays, first measured on {min(days)}"
        yield entry.source.problem(
            "mismatch.date-order", ("replay", "campaign"), found=f"last measured on {max(replayed)}", expected=expected
        )


def _days(entry: CampaignEntry) -> list[date]:
    """The days on which a campaign's runs were measured, where they are known."""
    return [
        run.measured_on
        for run in entry.campaign.runs
        if not isinstance(run, NotMeasured) and run.measured_on is not None
    ]


def _status(library: Library, entry: CardEntry) -> Iterator[Problem]:
    """What became of a card is told by its status, with the day and the reason, or with the newer card."""
    card = entry.card
    withdrawal = {
        "status: withdrawn": card.status == "withdrawn",
        "withdrawn": card.withdrawn is not None,
        "withdrawn_because": card.withdrawn_because is not None,
    }
    stated = [field for field, there in withdrawal.items() if there]
    absent = [field for field in withdrawal if field not in stated]
    if stated and absent:
        found = f"{' and '.join(stated)} without {' and '.join(absent)}"
        expected = "a card that is taken back has the status 'withdrawn', the day and the reason"
        place = (stated[0].partition(":")[0],)
        yield entry.source.problem("mismatch.status", place, field="", found=found, expected=expected)
    if card.status == "superseded" and card.superseded_by is None:
        expected = "a superseded card names the newer one under 'superseded_by'"
        yield entry.source.problem("mismatch.status", ("status",), found="superseded by nothing", expected=expected)


def _links(library: Library, entry: CardEntry) -> Iterator[Problem]:
    for index, credit in enumerate(entry.card.credits):
        if credit.link is not None and is_at_a_branch(credit.link):
            passage = Passage(source=entry.source, location=("credits", index, "link"), words=credit.link)
            yield not_pinned(passage, 0, credit.link)


def _private(library: Library, entry: CardEntry) -> Iterator[Problem]:
    """text.*: host paths, secrets and addresses, which a card would publish."""
    return confidential_texts(entry.source)


CARD_RULES: tuple[Callable[[Library, CardEntry], Iterator[Problem]], ...] = (
    _words,
    _references,
    _arms,
    _shape,
    _subject,
    _cards_measured,
    _weights,
    _profiles_once,
    _names,
    _dates,
    _status,
    _links,
    _private,
)


def _secrets(source: Source) -> Iterator[Problem]:
    """text.secret in a Markdown file. Paths and addresses are what a guide is about."""
    passage = Passage(source=source, location=(), words=str(source.data), first_line=1)
    for find in finds(passage.words):
        if find.rule == "text.secret":
            start = passage.words.find(find.words.removesuffix("…"))
            problem = passage.problem(find.rule, start, find.words, expected=find.expected, hint=find.hint)
            yield replace(problem, place=replace(problem.place, excerpt=""))


def _guides(library: Library) -> Iterator[Problem]:
    """A guide that no card names is not printed."""
    used = {entry.card.guide for entry in library.cards.values()}
    failed = any(name.startswith("card:") for name in library.failed)  # the card that names it may be among these
    for guide in library.guides.values():
        if guide.id not in used and not failed:
            yield guide.source.problem(
                "reference.unused-guide",
                (),
                field="",
                found=quoted(guide.id),
                expected="every guide is named by a card",
                hint=f"write 'guide: {guide.id}' on its card",
                severity=Severity.WARNING,
            )


def _originals(library: Library) -> Iterator[Problem]:
    for entry in library.campaigns.values():
        if isinstance(entry.campaign, RequestCampaign):
            yield from original.problems(entry.source, entry.campaign, entry.beside)


def _same_originals(library: Library) -> Iterator[Problem]:
    """One raw file is one measurement, under one name."""
    first: dict[str, str] = {}
    for entry in sorted(library.campaigns.values(), key=lambda entry: entry.id):
        for index, one in enumerate(entry.campaign.originals):
            where = f"evidence/{entry.id}/{one.file}"
            other = first.setdefault(one.sha256, where)
            if other != where:
                yield entry.source.problem(
                    "duplicate.original",
                    ("originals", index, "sha256"),
                    found=f"{quoted(one.file)} is {other}, byte for byte",
                    expected="a tool's file is the original of one campaign",
                    hint="what was measured once is published once: keep one of the two",
                )


def _newer_campaigns(library: Library) -> Iterator[Problem]:
    for entry in library.campaigns.values():
        newer = entry.campaign.superseded_by
        if newer not in {None, *library.campaigns} and f"campaign:{newer}" not in library.failed:
            expected, hint = "a campaign, evidence/<id>/campaign.json", did_you_mean(newer, library.campaigns)
            yield entry.source.problem(
                "reference.missing-campaign", ("superseded_by",), found=quoted(newer), expected=expected, hint=hint
            )


def _cycles(library: Library) -> Iterator[Problem]:
    """F7: A superseded by B, B superseded by A. A circle is reported once, at the first of its ids."""
    cards = {entry.id: (entry.card.superseded_by, entry.source) for entry in library.cards.values()}
    campaigns = {entry.id: (entry.campaign.superseded_by, entry.source) for entry in library.campaigns.values()}
    for noun, newer in (("card", cards), ("campaign", campaigns)):
        for start, (first, source) in newer.items():
            walked, current = [start], first
            while current is not None and current in newer and current not in walked:
                walked.append(current)
                current, _ = newer[current]
            if current == start and start == min(walked):
                expected = f"superseding leads to a newest {noun}"
                yield source.problem(
                    "reference.cycle", ("superseded_by",), found=" → ".join([*walked, start]), expected=expected
                )


def _unused(library: Library) -> Iterator[Problem]:
    """F8: evidence that no card uses is forgotten evidence."""
    used = {choice.campaign for entry in library.cards.values() for _, choice, _ in _choices(library, entry)}
    used |= {entry.card.replay.campaign for entry in library.cards.values() if isinstance(entry.card.replay, Replay)}
    if any(name.startswith("card:") for name in library.failed):
        return  # a card that could not be read may be the one that uses it
    for entry in library.campaigns.values():
        if entry.id not in used:
            expected = "every campaign is used by a card"
            hint = "add a profile or headline that names it"
            yield entry.source.problem(
                "reference.unused-evidence",
                (),
                field="",
                found=quoted(entry.id),
                expected=expected,
                hint=hint,
                severity=Severity.WARNING,
            )
