"""Card in Markdown: what a card's page says, in its order, for those who paste it elsewhere and for programs that read words.

Comes in: the page's own model, and the card behind it. Goes out: the bytes' text of `models/<card>.md`. Words of others are escaped; the
summary and the limits, which are Markdown, keep their markup and lose their tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from proofpress.derive import absence, caption, reference, wording
from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.edition import Edition
from proofpress.derive.literal import escaped
from proofpress.pages.big_number import HeadlineView
from proofpress.pages.card_page import CardPage, measurers
from proofpress.pages.curve import X_LABEL, heading, identity_cell
from proofpress.records.vocabulary import Vocabulary

_TAG = re.compile(r"(?<!\\)<(?=[a-zA-Z/!?])")


def markdown(edition: Edition, derived: Derived, page: CardPage) -> str:
    """The card as Markdown. Links are absolute where the site's address is known, else as on the page."""
    parts = (
        _lead(edition, derived, page),
        _headline(edition, derived, page.headline),
        ["## Still missing before an install guide", ""],
        [f"- {escaped(gap.text)}{f' ({escaped(gap.detail)})' if gap.detail else ''}" for gap in page.gaps],
        ["", "## Facts", ""],
        _facts(page.facts),
        ["", "## Summary", "", _filled(derived.card.summary, edition, derived).strip(), ""],
        *(_profile(derived, profile, edition.library.vocabulary) for profile in derived.profiles),
        _omitted(page),
        _projection(page),
        ["## Known limits", ""],
        [f"- {' '.join(_filled(limit, edition, derived).split())}" for limit in derived.card.limits] or ["None is written down."],
        ["", "## Credits", ""],
        [
            f"- {escaped(credit.name)}{f' (<{credit.link}>)' if credit.link else ''}: {_tagless(credit.contribution)}"
            for credit in derived.card.credits
        ],
        ["", "## Cite this page", "", escaped(page.citation)],
    )  # fmt: skip
    return "\n".join(line for part in parts for line in part) + "\n"


def _lead(edition: Edition, derived: Derived, page: CardPage) -> Iterator[str]:
    yield from (f"# {escaped(page.name)}", "", escaped(page.sentence), "")
    if edition.base_url is not None:
        yield from (f"Page: <{edition.base_url}/models/{derived.id}.html>", "")


def _headline(edition: Edition, derived: Derived, view: HeadlineView) -> Iterator[str]:
    yield from ("## What we measured", "")
    if view.exact:
        yield f"**{view.number} {view.unit}** ({view.state}). {escaped(view.statistic)}"
    else:
        yield f"**Single-user number pending.** {escaped(view.statistic)}"
    yield ""
    if view.checked:
        yield from (escaped(view.checked), "")
    if view.spread:
        yield from (escaped(view.spread), "")
    for label, text, href in view.slip:
        proof = f", [proof]({_absolute(edition, href)})" if href else ""
        yield f"- {escaped(label)}: {escaped(text)}{proof}"
    if names := measurers(edition, derived):
        yield f"- Measured by: {escaped(wording.listed(names))}"
    yield ""
    if view.steps:
        yield from ("### How this number is made", "")
        yield from (f"{number}. {escaped(step)}" for number, step in enumerate(view.steps, start=1))
        yield ""


def _absolute(edition: Edition, href: str) -> str:
    return f"{edition.base_url}/{href.removeprefix('../')}" if edition.base_url is not None else href


def _facts(facts: Sequence[tuple[str, Markup]]) -> Iterator[str]:
    """The page's facts without their markup, each escaped for its new place."""
    return (f"- {label}: {escaped(value.striptags())}" for label, value in facts)


def _filled(words: str, edition: Edition, derived: Derived) -> str:
    return _tagless(reference.filled(words, derived, edition.evidence, edition.library.vocabulary))


def _tagless(words: str) -> str:
    """Markdown in which no tag is one: pages show it as text as well."""
    return _TAG.sub(r"\\<", words)


def _profile(derived: Derived, profile: Profile, vocabulary: Vocabulary) -> Iterator[str]:
    unit = vocabulary.metrics[profile.choice.metric].unit
    yield from (f"## {escaped(heading(derived, profile, vocabulary))}", "")
    yield from (escaped(str(caption.of_profile(profile, vocabulary))), "")
    if profile.shown:
        yield from (f"| {X_LABEL[profile.choice.axis]} | {unit} | identical |", "|---:|---:|---:|")
        for finding in profile.shown:
            x = finding.x if finding.x is not None else "suite"
            yield f"| {x} | {wording.exact(finding.value)} | {identity_cell(finding)} |"
        yield ""
    said = absence.first_differences(profile)
    for withheld in profile.withheld:
        line = absence.withheld_line(withheld, profile.choice.axis, unit, vocabulary, said=said)
        yield f"- withheld: {escaped(str(line))}"
    for difference in said:
        yield f"- where they first differ: {escaped(difference)}"
    for line in absence.unmeasured(profile):
        yield f"- planned: {escaped(str(line))}"
    if profile.withheld or profile.not_measured:
        yield ""


def _omitted(page: CardPage) -> Iterator[str]:
    if page.omitted:
        yield from ("## Not on this card", "")
        yield from (f"- {escaped(text)}" for campaign in page.omitted for text, _ in campaign.lines)
        yield ""


def _projection(page: CardPage) -> Iterator[str]:
    yield from ("## How much faster could this get?", "")
    view = page.projection
    if view.none:
        yield from (f"No projection. {escaped(view.none)}", "")
        return
    yield f"Projected, not measured: {view.target} within reach, {view.ceiling} at most. {escaped(view.limiter)}"
    yield ""
    yield from (f"- {label}: {escaped(text)}" for label, text in view.facts)
    yield ""
