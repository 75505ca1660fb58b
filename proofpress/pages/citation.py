"""Citation: how a card is cited, computed: who measured, what, when, with which result, and the digest of the evidence."""

from __future__ import annotations

from proofpress.derive import wording
from proofpress.derive.derivation import Derived
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Shown


def citation(edition: Edition, derived: Derived) -> str:
    """One paragraph of plain text. It names the evidence by digest, so that what was cited can be told from what came later."""
    measured = [edition.evidence[campaign].campaign.measured_by.name for campaign in derived.campaigns]
    names = wording.listed(list(dict.fromkeys(measured))) or edition.library.lab.name
    parts = [
        f"{names} ({derived.updated.year}).",
        f"{derived.card.name}.",
        f"{edition.library.lab.name}, {_address(edition, derived)}, updated {wording.day(derived.updated)}.",
    ]
    headline = derived.headline
    if headline is not None and isinstance(headline.finding, Shown):
        unit = edition.library.vocabulary.metrics[headline.choice.metric].unit
        identity = f", {headline.finding.identity} outputs identical" if headline.finding.identity else ""
        parts.append(f"{wording.brief(headline.finding.value)} {unit} for one user{identity}.")
    digests = [f"{campaign} sha256:{edition.evidence[campaign].sha256}" for campaign in derived.campaigns[:1]]
    others = len(derived.campaigns) - 1
    more = f" and {wording.counted(others, 'further campaign')}" if others > 0 else ""
    if digests:
        parts.append(f"Evidence: {digests[0]}{more}.")
    return " ".join(parts)


def _address(edition: Edition, derived: Derived) -> str:
    page = f"models/{derived.id}.html"
    return f"{edition.base_url}/{page}" if edition.base_url else page
