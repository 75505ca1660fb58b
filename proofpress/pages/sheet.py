"""Sheet: the data of one chart as CSV, one row for each measured point, shown or withheld, with its conditions and its evidence.

Text cells are made inert: a spreadsheet must not take a name for a formula. Numbers are the twin's, digit for digit.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from proofpress.charts.chart import per_user
from proofpress.derive import wording
from proofpress.derive.derivation import Derived, Profile
from proofpress.derive.finding import Finding, Shown, Withheld
from proofpress.records.axis import Axis
from proofpress.records.vocabulary import Vocabulary

COLUMNS = (
    "card",
    "campaign",
    "arm",
    "configuration",
    "metric",
    "unit",
    "axis",
    "x",
    "state",
    "value",
    "per_user",
    "samples",
    "identity_matched",
    "identity_total",
    "identity_basis",
    "reason",
    "runs",
    "grade",
    "image",
    "measured_on",
    "evidence_sha256",
)


def sheet(derived: Derived, profile: Profile, vocabulary: Vocabulary) -> bytes:
    """The CSV of one profile: UTF-8, a head line, CRLF as the format asks."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for finding in profile.findings:
        writer.writerow(
            {name: _cell(value) for name, value in dict(_row(derived, profile, finding, vocabulary)).items()}
        )
    return text.getvalue().encode()


def _row(
    derived: Derived, profile: Profile, finding: Finding, vocabulary: Vocabulary
) -> Iterator[tuple[str, str | float | None]]:
    arm = next(arm for arm in profile.arms if arm.id == finding.arm)
    image = profile.campaign.setup.image
    identity = finding.identity
    yield "card", derived.id
    yield "campaign", profile.choice.campaign
    yield "arm", finding.arm
    yield "configuration", wording.configuration(arm)
    yield "metric", profile.choice.metric
    yield "unit", vocabulary.metrics[profile.choice.metric].unit
    yield "axis", profile.choice.axis.value
    yield "x", None if profile.choice.axis is Axis.SUITE else finding.x
    yield "state", "measured" if isinstance(finding, Shown) else "withheld"
    yield "value", finding.value
    yield (
        "per_user",
        per_user(finding) if finding.metric.startswith("aggregate") and finding.value is not None else None,
    )
    yield "samples", finding.samples
    yield "identity_matched", identity.matched if identity else None
    yield "identity_total", identity.total if identity else None
    yield "identity_basis", identity.basis if identity else ("reference" if finding.is_reference else "none")
    yield "reason", finding.reason.value if isinstance(finding, Withheld) else None
    yield "runs", "; ".join(_runs(finding))
    yield "grade", profile.campaign.grade
    yield "image", image.name if image else None
    yield "measured_on", " ".join(day.isoformat() for day in profile.measured_on)
    yield "evidence_sha256", profile.evidence.sha256


def _runs(finding: Finding) -> Iterator[str]:
    for reading in finding.readings:
        measured = reading.values.get(finding.metric)
        value = "no value" if measured is None else f"{measured.value:.12g}"
        counts = f" {reading.identity}" if reading.identity else ""
        yield f"{reading.pass_} {reading.server} {value}{counts}"


def _cell(value: str | float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return inert(value)
    return f"{value:.12g}"


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def inert(text: str) -> str:
    """`text` as a cell that no spreadsheet runs: what could begin a formula gets an apostrophe before it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
