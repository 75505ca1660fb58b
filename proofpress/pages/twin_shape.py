"""Twin shape: the fixed keys of `models/<card>.json`, `index.json` and `build.json`. `twin` fills them, `json_schema` prints them as schemas.

A key that is added is a change that readers can live with; one that is renamed, removed or given another meaning needs a new format number.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic asks for this one below Python 3.12


class IdentityShape(TypedDict):
    """How many outputs equalled the oracle's, how they were compared, and where the count comes from."""

    matched: int
    total: int
    method: Literal["token_ids", "token_ids_sha256", "text", "not-stated"]
    basis: Literal["counted", "stated-qualified", "series-total", "all-passes", "lowest-of-range"]


class ConflictShape(TypedDict):
    """Two sources that disagree."""

    source: str
    stated: str
    found: str


RunShape = TypedDict(
    "RunShape",
    {
        "server": str,
        "pass": str,
        "session": str | None,
        "measured_on": str | None,
        "value": float | None,
        "displayed": bool,
        "identity": IdentityShape | None,
        "reason": str | None,
        "detail": str | None,
        "acceptance": float | None,
        "conflict": ConflictShape | None,
        "pooled_servers": int | None,
        "pointer": str,
    },
)
"""One pass on one server, with its place in the evidence file."""


class EvidenceShape(TypedDict):
    """The campaign that a number rests on, and the digest of its file."""

    campaign: str
    sha256: str


class OracleShape(TypedDict):
    """The arm whose outputs the headline's were compared with, and its own number."""

    arm: str
    value: float | None
    identity: IdentityShape | None
    runs: list[RunShape]


class HeadlineShape(TypedDict):
    """The card's one big number."""

    value: float | None
    display: str | None
    unit: str
    metric: str
    arm: str
    grade: Literal["requests", "record"]
    identity: IdentityShape | None
    runs: list[RunShape]
    oracle: OracleShape | None
    evidence: EvidenceShape


class PendingShape(TypedDict):
    """Why there is no big number yet."""

    pending: str | None


class PerUser(TypedDict, total=False):
    """What each user got of a rate that all shared; there for aggregate metrics only."""

    per_user: float


class ShownShape(TypedDict):
    """A point that may be published. `x` is null on the suite axis."""

    x: int | None
    value: float
    per_user: NotRequired[float]
    samples: int | None
    identity: IdentityShape | None
    reference: bool
    runs: list[RunShape]


class WithheldShape(TypedDict):
    """A point that was measured and is not claimed."""

    x: int | None
    value: float | None
    reason: str
    failing: str
    samples: int | None
    identity: IdentityShape | None
    runs: list[RunShape]


class ProfileShape(TypedDict):
    """One charted series."""

    id: str
    campaign: str
    arm: str | None
    arms: list[str] | None
    metric: str
    axis: Literal["suite", "context_tokens", "context_depth", "concurrent_users", "draft_depth"]
    unit: str
    derived: bool
    cards: int | None
    stale: bool
    caption: str
    grade: Literal["requests", "record"]
    evidence: EvidenceShape
    shown: list[ShownShape]
    withheld: list[WithheldShape]


class FactsShape(TypedDict):
    """What the card says of the deployment."""

    publisher: str
    checkpoint: str
    revision: str | None
    weight_bytes: int | None
    draft: str | None
    quantization: str
    compression: str
    engine: str
    accelerator: str
    cards: int
    cards_measured: list[int]
    host_memory_bytes: int | None
    operating_systems: list[str]
    delivery: list[str]
    good_for: list[str]


class GapShape(TypedDict):
    """One line of what is still missing."""

    id: str
    text: str
    detail: str | None
    computed: bool
    close_with: str | None


class NoProjectionShape(TypedDict):
    """Why there is no modelled number."""

    none: str


class ProjectionShape(TypedDict):
    """A modelled number, never a measured one."""

    inputs: dict[str, Any]
    ceiling: float
    target: float
    grade: Literal["modelled"]
    limiter: str


class ModelTwin(TypedDict):
    """`models/<card>.json`: everything a card's page says."""

    format: Literal["proofpress.model/1"]
    id: str
    name: str
    family: str
    status: str
    published: str
    updated: str
    facts: FactsShape
    headline: HeadlineShape | PendingShape
    profiles: list[ProfileShape]
    missing: list[GapShape]
    projection: NoProjectionShape | ProjectionShape | None
    card: dict[str, Any]
    """The card as its contributor wrote it, in the form that its own `format` names: summary, limits, credits, and all the rest."""


class FacetsShape(TypedDict):
    """What a card can be found by."""

    quantization: str
    engine: str
    accelerator: str
    cards_measured: list[int]
    speculation: bool
    status: str
    grades: list[Literal["requests", "record"]]
    axes: list[str]
    has_ttft: bool


class HeadlineRowShape(TypedDict):
    """The big number in short."""

    value: float | None
    display: str | None
    unit: str
    metric: str


class IndexRowShape(TypedDict):
    """One card in short."""

    id: str
    name: str
    family: str
    facets: FacetsShape
    headline: HeadlineRowShape | None
    missing: int
    updated: str
    page: str
    twin: str


class IndexTwin(TypedDict):
    """`index.json`: all cards."""

    format: Literal["proofpress.index/1"]
    cards: list[IndexRowShape]


class ReceiptShape(TypedDict):
    """One point: where it stands, the verdict, and what it rests on."""

    card: str
    profile: str
    x: int | None
    value: float | None
    verdict: Literal["shown", "withheld"]
    rules: list[str]
    reason: str | None
    campaign: str
    runs: list[str]


class BuildTwin(TypedDict):
    """`build.json`: tool version, the digest of every input, how often each rule spoke, and a receipt for every point."""

    format: Literal["proofpress.build/1"]
    version: str
    inputs: dict[str, str]
    rules: dict[str, int]
    points: list[ReceiptShape]
    claims: dict[str, list[str]]


TWINS = {"twin-model": ModelTwin, "twin-index": IndexTwin, "twin-build": BuildTwin}
"""The shape of each kind of file that the site ships for programs, by the name of its schema."""
