"""Evidence page: one campaign as a proof: set-up, every run and pass, requests where there are rows, and the numbers that rest on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from proofpress.check import original
from proofpress.check.library import CampaignEntry
from proofpress.derive import wording
from proofpress.derive.absence import Absent, unmeasured_heading, unmeasured_line
from proofpress.derive.edition import Edition
from proofpress.derive.finding import Evidence, Shown
from proofpress.pages import setup_list
from proofpress.pages.page import Crumb, Head, Table, conflict_note
from proofpress.pages.run_table import RunTable, place_of, run_tables
from proofpress.records.axis import Axis
from proofpress.records.campaign import Campaign, NotMeasured, arm_of
from proofpress.records.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A series of numbers that rests on the campaign."""

    label: str
    href: str
    counts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePage:
    """The model of `evidence/<campaign>.html`."""

    head: Head
    id: str
    lead: str
    json_href: str
    sha256: str
    size: str
    beside: tuple[tuple[str, str], ...]
    origin: tuple[tuple[str, str], ...]
    setup: tuple[tuple[str, Markup], ...]
    workload: tuple[tuple[str, Markup], ...]
    arms: Table
    notes: tuple[str, ...]
    support: str
    """What stands behind the rows, in a sentence; empty for a record, whose origin is pinned."""
    unmeasured_heading: str
    unmeasured: tuple[Absent, ...]
    """Runs that were planned and not made, each with its reason."""
    runs: tuple[RunTable, ...]
    resting: tuple[Resting, ...]


def evidence_page(edition: Edition, campaign_id: str) -> EvidencePage:
    """The page of one campaign."""
    evidence = edition.evidence[campaign_id]
    campaign = evidence.campaign
    entry = edition.library.campaigns[campaign_id]
    vocabulary = edition.library.vocabulary
    lead = _lead(campaign, evidence, vocabulary)
    not_made = [run for run in campaign.runs if isinstance(run, NotMeasured)]
    return EvidencePage(
        head=Head(
            path=f"evidence/{campaign_id}.html",
            title=f"Evidence {campaign_id}",
            description=lead,
            crumbs=(Crumb(label="Library", href="../index.html"), Crumb(label="Evidence"), Crumb(label=campaign_id)),
            data=(_dataset(edition, campaign, lead),),
            own="evidence",
        ),
        id=campaign_id,
        lead=lead,
        json_href=f"{campaign_id}/campaign.json",
        sha256=evidence.sha256,
        size=f"{entry.source.size:,} bytes",
        beside=tuple((name, f"{campaign_id}/{name}") for name in sorted(entry.beside)),
        origin=tuple(_origin(campaign)),
        setup=tuple(setup_list.setup(campaign, vocabulary)),
        workload=tuple(setup_list.workload(campaign.workload, vocabulary)),
        arms=setup_list.arms(campaign, vocabulary),
        notes=tuple(
            conflict_note(reading.conflict, f"{reading.arm}, {reading.axis.position(reading.x or 0)}")
            for reading in evidence.readings
            if reading.conflict is not None
        ),
        support=_support(entry),
        unmeasured_heading=unmeasured_heading(not_made),
        unmeasured=tuple(
            replace(line, where=f"{run.arm}, {line.where}")
            for run in not_made
            for line in [unmeasured_line(run, arm_of(campaign, run.arm), run.axis)]
        ),
        runs=tuple(run_tables(edition, evidence, vocabulary)),
        resting=tuple(_resting(edition, campaign_id, vocabulary)),
    )


def _lead(campaign: Campaign, evidence: Evidence, vocabulary: Vocabulary) -> str:
    accelerator = vocabulary.accelerators[campaign.setup.accelerator].short
    axes = wording.listed(
        [vocabulary.axes[axis.value].label for axis in dict.fromkeys(reading.axis for reading in evidence.readings)]
    )
    grade = (
        "every request is in the repository"
        if campaign.grade == "requests"
        else "transcribed from a published record, its origin pinned"
    )
    runs = wording.counted(len(evidence.readings), "run")
    return f"{runs[:1].upper()}{runs[1:]} of {campaign.setup.model.checkpoint} on {accelerator} over {axes}; {grade}."


def _support(entry: CampaignEntry) -> str:
    """What the rows were held against."""
    originals = [one.file for one in entry.campaign.originals]
    if entry.campaign.grade != "requests":
        return ""
    if not originals:
        return "No tool's own file lies beside these rows: they were held against nothing but themselves."
    unread = [file for file in originals if not original.is_read(entry.beside[file])]
    no_reader = f"No importer reads {wording.listed(unread)}" if unread else ""
    read = [file for file in originals if file not in unread]
    if not read:
        return f"{no_reader}: these rows were held against nothing but themselves."
    return f"Every row says what {wording.listed(read)} says, the tool's own file.{f' {no_reader}.' if unread else ''}"


def _dataset(edition: Edition, campaign: Campaign, lead: str) -> dict[str, object]:
    dataset: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Campaign {campaign.id}",
        "description": lead,
        "creator": {"@type": "Organization", "name": campaign.measured_by.name},
    }
    if edition.base_url is not None:
        address = f"{edition.base_url}/evidence/{campaign.id}/campaign.json"
        dataset["distribution"] = {"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": address}
    return dataset


def _origin(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Where the record was taken from, and where single runs were; each pinned to a commit."""
    origins = [campaign.origin, *(getattr(run, "origin", None) for run in campaign.runs)]
    for origin in dict.fromkeys(origin for origin in origins if origin is not None):
        label = f"{origin.path} at {origin.commit[:8]}"
        yield label, f"https://github.com/{origin.repository}/blob/{origin.commit}/{origin.path}"


def _resting(edition: Edition, campaign_id: str, vocabulary: Vocabulary) -> Iterator[Resting]:
    for derived, profile_id, findings in edition.resting_on(campaign_id):
        shown = sum(isinstance(finding, Shown) for finding in findings)
        if profile_id == "headline":
            yield Resting(
                label=f"{derived.card.name}: headline",
                href=f"../models/{derived.id}.html#headline",
                counts=f"{shown} shown",
            )
            continue
        profile = next(profile for profile in derived.profiles if profile.id == profile_id)
        place = place_of(derived, profile_id)
        counts = f"{shown} shown, {len(findings) - shown} withheld"
        metric = vocabulary.metrics[profile.choice.metric].label
        words = (
            wording.configuration(profile.arms[0])
            if profile.choice.axis is not Axis.DRAFT_DEPTH
            else "ladder over draft depth"
        )
        yield Resting(
            label=f"{derived.card.name}: {metric}, {words}", href=f"../models/{derived.id}.html#{place}", counts=counts
        )
