"""Twin: the machine-readable side of the pages: `models/<card>.json`, `index.json` and `build.json`. Keys are fixed, formats versioned.

Comes in: derived cards. Goes out: plain dicts of the shapes in `twin_shape`, ready for JSON. Values are those of the pages, from the same
findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proofpress import __version__
from proofpress.charts.chart import per_user
from proofpress.check import passages, prose
from proofpress.check.library import Library
from proofpress.derive import equality
from proofpress.derive.absence import failing
from proofpress.derive.caption import of_profile
from proofpress.derive.derivation import Derived, Headline, Profile
from proofpress.derive.finding import Evidence, Finding, Shown, Withheld
from proofpress.derive.gap import Gap
from proofpress.derive.statement import stated
from proofpress.derive.wording import brief
from proofpress.kernel.reading import Reading
from proofpress.pages.twin_shape import (
    BuildTwin,
    EvidenceShape,
    HeadlineRowShape,
    HeadlineShape,
    IdentityShape,
    IndexRowShape,
    IndexTwin,
    ModelTwin,
    NoProjectionShape,
    PerUser,
    ProfileShape,
    ProjectionShape,
    ReceiptShape,
    RunShape,
    ShownShape,
    WithheldShape,
)
from proofpress.records.campaign import Identity
from proofpress.records.card import NoProjection, ProjectionInputs
from proofpress.records.vocabulary import Vocabulary


def model(derived: Derived, gaps: Sequence[Gap], vocabulary: Vocabulary) -> ModelTwin:
    """`models/<card>.json`."""
    card = derived.card
    return {
        "format": "proofpress.model/1",
        "id": derived.id,
        "name": card.name,
        "family": card.family,
        "status": card.status,
        "published": card.published.isoformat(),
        "updated": derived.updated.isoformat(),
        "facts": {
            "publisher": card.publisher,
            "checkpoint": card.model.checkpoint,
            "revision": card.model.revision,
            "weight_bytes": derived.weight_bytes,
            "draft": card.model.draft,
            "quantization": card.quantization,
            "compression": card.compression,
            "engine": card.engine,
            "accelerator": card.hardware.accelerator,
            "cards": card.hardware.cards,
            "cards_measured": list(card.hardware.cards_measured),
            "host_memory_bytes": card.hardware.host_memory_bytes,
            "operating_systems": list(card.operating_systems),
            "delivery": list(card.delivery),
            "good_for": list(card.good_for),
        },
        "headline": _headline(derived.headline, vocabulary) if derived.headline else {"pending": derived.pending},
        "profiles": [_profile(profile, vocabulary) for profile in derived.profiles],
        "missing": [
            {
                "id": gap.id,
                "text": gap.text,
                "detail": gap.detail or None,
                "computed": gap.computed,
                "close_with": gap.close_with or None,
            }
            for gap in gaps
        ],
        "projection": _projection(derived),
        # no warnings: what chooses between the forms of a field looks at plain values and does not know a record
        "card": card.model_dump(mode="json", by_alias=True, warnings=False),
    }


def _headline(headline: Headline, vocabulary: Vocabulary) -> HeadlineShape:
    finding = headline.finding
    return {
        "value": finding.value,
        "display": brief(finding.value) if finding.value is not None else None,
        "unit": vocabulary.metrics[headline.choice.metric].unit,
        "metric": headline.choice.metric,
        "arm": headline.choice.arm,
        "grade": headline.evidence.campaign.grade,
        "identity": _identity(finding.identity),
        "runs": _runs(finding),
        "oracle": None
        if headline.oracle is None
        else {
            "arm": headline.oracle.arm,
            "value": headline.oracle.value,
            "identity": _identity(headline.oracle.identity),
            "runs": _runs(headline.oracle),
        },
        "evidence": _evidence(headline.evidence),
    }


def _profile(profile: Profile, vocabulary: Vocabulary) -> ProfileShape:
    metric = vocabulary.metrics[profile.choice.metric]
    return {
        "id": profile.id,
        "campaign": profile.choice.campaign,
        "arm": profile.choice.arm,
        "arms": [arm.id for arm in profile.arms] if profile.choice.arms else None,
        "metric": profile.choice.metric,
        "axis": profile.choice.axis.value,
        "unit": metric.unit,
        "derived": metric.derived,
        "cards": profile.arms[0].cards,
        "stale": profile.is_stale,
        "caption": str(of_profile(profile, vocabulary)),
        "grade": profile.campaign.grade,
        "evidence": _evidence(profile.evidence),
        "shown": [_shown(finding) for finding in profile.shown],
        "withheld": [_withheld(finding) for finding in profile.withheld],
    }


def _shown(finding: Shown) -> ShownShape:
    rate: PerUser = {"per_user": per_user(finding)} if finding.metric.startswith("aggregate") else {}
    return {
        "x": finding.x,
        "value": finding.value,
        **rate,
        "samples": finding.samples,
        "identity": _identity(finding.identity),
        "reference": finding.is_reference,
        "runs": _runs(finding),
    }


def _withheld(finding: Withheld) -> WithheldShape:
    return {
        "x": finding.x,
        "value": finding.value,
        "reason": finding.reason.value,
        "failing": failing(finding),
        "samples": finding.samples,
        "identity": _identity(finding.identity),
        "runs": _runs(finding),
    }


def _identity(identity: Identity | None) -> IdentityShape | None:
    if identity is None:
        return None
    return {
        "matched": identity.matched,
        "total": identity.total,
        "method": identity.method,
        "basis": identity.basis,
    }


def _runs(finding: Finding) -> list[RunShape]:
    return [_run(reading, finding.metric, displayed=reading in finding.displayed) for reading in finding.readings]


def _run(reading: Reading, metric: str, *, displayed: bool) -> RunShape:
    measured = reading.values.get(metric)
    return {
        "server": reading.server,
        "pass": reading.pass_,
        "session": reading.session,
        "measured_on": reading.measured_on.isoformat() if reading.measured_on else None,
        "value": measured.value if measured else None,
        "displayed": displayed,
        "identity": _identity(reading.identity),
        "reason": reading.reason.value if reading.reason else None,
        "detail": reading.detail or None,
        "acceptance": reading.acceptance,
        "conflict": None
        if reading.conflict is None
        else {"source": reading.conflict.source, "stated": reading.conflict.stated, "found": reading.conflict.found},
        "pooled_servers": reading.servers if reading.servers > 1 else None,
        "pointer": reading.pointer,
    }


def _evidence(evidence: Evidence) -> EvidenceShape:
    return {"campaign": evidence.campaign.id, "sha256": evidence.sha256}


def _projection(derived: Derived) -> NoProjectionShape | ProjectionShape | None:
    inputs = derived.card.projection
    if isinstance(inputs, NoProjection):
        return {"none": inputs.none}
    if derived.projection is None or not isinstance(inputs, ProjectionInputs):
        return None
    return {
        "inputs": inputs.model_dump(exclude={"limiter"}),
        "ceiling": derived.projection.ceiling,
        "target": derived.projection.target,
        "grade": "modelled",
        "limiter": inputs.limiter,
    }


def index(cards: Sequence[Derived], gaps: Mapping[str, Sequence[Gap]], vocabulary: Vocabulary) -> IndexTwin:
    """`index.json`: every card in short."""
    return {
        "format": "proofpress.index/1",
        "cards": [_index_row(derived, gaps[derived.id], vocabulary) for derived in cards],
    }


def _index_row(derived: Derived, gaps: Sequence[Gap], vocabulary: Vocabulary) -> IndexRowShape:
    card = derived.card
    axes = sorted({profile.choice.axis.value for profile in derived.profiles if profile.shown})
    return {
        "id": derived.id,
        "name": card.name,
        "family": card.family,
        "facets": {
            "quantization": card.quantization,
            "engine": card.engine,
            "accelerator": card.hardware.accelerator,
            "cards_measured": list(card.hardware.cards_measured),
            "speculation": _speculates(derived),
            "status": card.status,
            "grades": sorted({profile.campaign.grade for profile in derived.profiles}),
            "axes": axes,
            "has_ttft": any(profile.choice.metric.startswith("ttft") and profile.shown for profile in derived.profiles),
        },
        "headline": _headline_row(derived.headline, vocabulary) if derived.headline else None,
        "missing": len(gaps),
        "updated": derived.updated.isoformat(),
        "page": f"models/{derived.id}.html",
        "twin": f"models/{derived.id}.json",
    }


def _speculates(derived: Derived) -> bool:
    if derived.headline is not None:
        return derived.headline.arm.speculates is True
    return any(arm.speculates for profile in derived.profiles for arm in profile.arms)


def _headline_row(headline: Headline, vocabulary: Vocabulary) -> HeadlineRowShape:
    value = headline.finding.value
    unit = vocabulary.metrics[headline.choice.metric].unit
    return {
        "value": value,
        "display": brief(value) if value is not None else None,
        "unit": unit,
        "metric": headline.choice.metric,
    }


def receipts(cards: Sequence[Derived]) -> list[ReceiptShape]:
    """One line per point: where it stands, the verdict, the rules that decided, and the runs it rests on."""
    found: list[ReceiptShape] = []
    for derived in cards:
        if derived.headline is not None:
            found.append(_receipt(derived.id, "headline", derived.headline.finding, derived.headline.evidence))
        for profile in derived.profiles:
            found += [_receipt(derived.id, profile.id, finding, profile.evidence) for finding in profile.findings]
    return found


def _receipt(card_id: str, profile: str, finding: Finding, evidence: Evidence) -> ReceiptShape:
    withheld = isinstance(finding, Withheld)
    return {
        "card": card_id,
        "profile": profile,
        "x": finding.x,
        "value": finding.value,
        "verdict": "withheld" if withheld else "shown",
        "rules": sorted({reading.reason.rule for reading in finding.failing if reading.reason})
        if isinstance(finding, Withheld)
        else [],
        "reason": finding.reason.value if isinstance(finding, Withheld) else None,
        "campaign": evidence.campaign.id,
        "runs": [reading.pointer for reading in finding.readings],
    }


def _claims(library: Library, derived: Derived) -> list[str]:
    """What the prose of a card and its guide states as measured, and its sentences on equal outputs; sorted, each once."""
    guide = library.guides.get(derived.card.guide or "")
    written = [*passages.of_card(derived.card, library.cards[derived.id].source), *(guide.passages() if guide else ())]
    texts = [prose.read(passage.words, markdown=not passage.as_written) for passage in written]
    return sorted({claim for text in texts for claim in (*stated(text), *equality.sentences(text))})


def build(library: Library, cards: Sequence[Derived], fired: Mapping[str, int], rules: Sequence[str]) -> BuildTwin:
    """`build.json`: tool version, digest of every input, how often each rule spoke, and a receipt per point."""
    points = receipts(cards)
    withheld: dict[str, int] = {}
    for point in points:
        for rule in point["rules"]:
            withheld[rule] = withheld.get(rule, 0) + 1
    return {
        "format": "proofpress.build/1",
        "version": __version__,
        "inputs": dict(library.inputs),
        "rules": {
            rule: fired.get(rule, 0) + withheld.get(rule, 0)
            for rule in dict.fromkeys((*rules, *sorted({*fired, *withheld})))
        },
        "points": points,
        "claims": {derived.id: claims for derived in cards if (claims := _claims(library, derived))},
    }
