"""Campaign: one measuring session of one fixed set-up, as written in `evidence/<id>/campaign.json`.

Two grades, two types: a `RecordCampaign` transcribes published aggregates, a `RequestCampaign` holds every request.
Nothing in either can state a verdict about itself. Units: seconds in fields that end in `_s`, bytes in `_bytes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from proofpress.records.axis import Axis
from proofpress.records.schema import Closed, Commit, Count, Id, ImageDigest, Positive, Sentence, Sha256, Word

FORMAT = "proofpress.campaign/1"
LLAMA_BENCH = "llama-bench"
"""The suite of llama-bench. Its rates are means over repetitions, and it keeps no outputs."""
NOT_STATED = "not-stated"
"""The speculation method of an arm whose source does not say whether there was any."""

Scalar: TypeAlias = int | float | bool | str
Rate = Annotated[float, Field(gt=1e-4, lt=1e9)]
Seconds = Annotated[float, Field(ge=0, lt=1e7)]
X = Annotated[int, Field(ge=0, le=2**31)]
RunId: TypeAlias = tuple[str, Axis, int | None, str, str]
"""Arm, axis, x, server and pass."""


class Measurer(Closed):
    """Who measured."""

    name: Word
    kind: Literal["lab", "hobbyist", "vendor"]


class Origin(Closed):
    """Where a transcription was taken from: one file at one commit."""

    repository: Word
    commit: Commit
    path: Word


class EngineSource(Closed):
    """A project at the commit that an engine was built from. `patches_required` is null where it is not stated."""

    repository: Word
    commit: Commit
    patches_required: bool | None


class Engine(Closed):
    """The inference engine and its version, null where it is not known, and what it was built from where that is stated."""

    name: Word
    version: Word | None
    sources: tuple[EngineSource, ...] = ()


class Image(Closed):
    """The container image: the lab's name of it and its digest, null where not known."""

    name: Word | None
    digest: ImageDigest | None


class Checkpoint(Closed):
    """The model that was served."""

    checkpoint: Word
    revision: Word | None
    quantization: Word


class Setup(Closed):
    """What stays the same over a whole campaign."""

    accelerator: Word
    engine: Engine
    image: Image | None
    model: Checkpoint
    settings: dict[str, Scalar | list[Scalar]]


class Sampling(Closed):
    """How the next token was chosen. Temperature 0 is greedy."""

    temperature: Annotated[float, Field(ge=0, le=10)]


class AxisWorkload(Closed):
    """What was sent on one axis, where that differs from what the campaign sent elsewhere."""

    suite: Word
    prompts: Positive | None
    """Different prompt ids; on the context axes each of them stands for one prompt per x."""
    requests_per_x: Positive | None = None


class Workload(Closed):
    """What was sent, the same for every run. null says: not known."""

    suite: Word
    prompts: Positive | None
    prompt_classes: Positive | None
    class_names: tuple[Word, ...] = ()
    output_tokens: Positive | None
    """The cap on answers, in tokens."""
    prompt_tokens: Positive | None = None
    """Tokens in each prompt, where all prompts have the same number and x is not that number."""
    requests_per_x: Positive | None = None
    api: Word | None
    sampling: Sampling | None
    prefix_cache: Literal["off", "on"] | None
    compile_caches: Literal["separate-empty", "shared"] | None = None
    canaries: Literal["every-server", "before-and-after"] | None = None
    """Known prompts answered to see that a server is sane: on every server, or before and after the runs."""
    token_counts_from: Literal["server", "client"] | None
    by_axis: dict[Axis, AxisWorkload] = Field(default_factory=dict)
    """Suite and number of prompts of an axis that was measured with prompts of its own; read through `workload_on`."""


class ScheduleStep(Closed):
    """The draft depth while so many users are served."""

    from_users: Positive
    through_users: Positive
    depth: Count


class Speculation(Closed):
    """Draft tokens that the full model verifies.

    `depth` is how many are drafted per step, null where it is not stated or follows `schedule`. The method `not-stated` is for a source
    that does not say whether tokens were drafted at all.
    """

    method: Word
    depth: Positive | None
    draft_head: Word | None = None
    verifier: Word | None = None
    """Number format in which the full model verifies drafts, where that is not the arm's own."""
    schedule: tuple[ScheduleStep, ...] = ()
    """Draft depth by number of users, where it changes with it."""


class OwnSequential(Closed):
    """Runs are compared with the same arm's own answers, one user at a time, on the same server."""

    kind: Literal["own_sequential"]


class ArmOracle(Closed):
    """Runs are compared with the answers of another arm of this campaign."""

    kind: Literal["arm"]
    arm: Id


Oracle = Annotated[OwnSequential | ArmOracle, Field(discriminator="kind")]


class Arm(Closed):
    """One configuration inside a campaign. Arms of a campaign differ in nothing that is not stated here."""

    id: Id
    cards: Positive | None
    tensor_parallel: Positive | None
    dtype: Word | None = None
    weight_bytes: Positive | None = None
    speculation: Speculation | None
    oracles: dict[Axis, Oracle]

    @property
    def depth(self) -> int | None:
        """Tokens drafted per step; 0 without speculation, None where it is not one known number."""
        return self.speculation.depth if self.speculation else 0

    @property
    def speculates(self) -> bool | None:
        """Whether tokens are drafted; None where nobody says."""
        if self.speculation is None:
            return False
        return None if self.speculation.method == NOT_STATED else True


class Select(Closed):
    """Which pass is displayed: the first of these that exists at an x. All passes count for identity."""

    passes: Annotated[tuple[Id, ...], Field(min_length=1)]


class Identity(Closed):
    """How many requests gave exactly their oracle's output: `matched` of `total`."""

    matched: Count
    total: Positive
    method: Literal["token_ids", "token_ids_sha256", "text", "not-stated"]
    basis: Literal["counted", "stated-qualified", "series-total", "all-passes", "lowest-of-range"]

    @model_validator(mode="after")
    def _no_more_than_all(self) -> Identity:
        if self.matched > self.total:
            raise PydanticCustomError(
                "identity.more-than-total",
                "at most as many outputs can match as there are",
                {"found": f"{self.matched}/{self.total}"},
            )
        return self

    @property
    def exact(self) -> bool:
        return self.matched == self.total

    def __str__(self) -> str:
        return f"{self.matched}/{self.total}"


class Record(Closed):
    """One transcribed aggregate. `value` is null where the source gives a count and no value."""

    metric: Word
    value: Rate | None
    unit: Word
    samples: Positive | None
    sampled: Literal["requests", "repetitions", "servers", "passes", "lanes"] | None = None
    """What the samples are, where they are not requests."""
    combined: Literal["mean", "median"] | None = None
    """How the samples became one value, where that is stated and not the metric's own way."""
    by_class: dict[Word, Rate] | None = None
    """The medians of the prompt classes that `value` is the median of."""


class Conflict(Closed):
    """Two sources that disagree; printed as a note, not resolved."""

    source: Word
    stated: Sentence
    found: Sentence


class RunKey(Closed):
    """What every run says of itself. `x` is null on the suite axis."""

    arm: Id
    axis: Axis
    x: X | None
    server: Id
    pass_: Annotated[Id, Field(alias="pass")]
    session: Word | None = None

    @property
    def key(self) -> RunId:
        """What tells this run from every other one of its campaign."""
        return (self.arm, self.axis, self.x, self.server, self.pass_)

    @property
    def sequential(self) -> bool:
        """Whether one request was in flight at a time."""
        return self.axis is not Axis.CONCURRENT_USERS or self.x == 1


class RecordRun(RunKey):
    """A run of grade `record`. `measured_on` is null where the source does not date it."""

    measured_on: date | None
    identity: Identity | None
    records: tuple[Record, ...]
    pooled_servers: Positive | None = None
    """How many fresh servers the one value stands for, where the source does not give them one by one, or rounds them."""
    held_back: Sentence | None = None
    """Why the source itself does not publish the value. Such a run is no reference and proves nothing."""
    conflict: Conflict | None = None
    origin: Origin | None = None


class Output(Closed):
    """What was answered: ids, their digest, or text; at least one of them."""

    token_ids: tuple[Annotated[int, Field(ge=0, lt=2**32)], ...] | None = None
    token_ids_sha256: Sha256 | None = None
    text: str | None = None


class DraftCounts(Closed):
    """Tokens drafted and accepted while one request was answered."""

    drafted: Count
    accepted: Count

    @model_validator(mode="after")
    def _no_more_than_drafted(self) -> DraftCounts:
        if self.accepted > self.drafted:
            raise PydanticCustomError(
                "number.accepted-over-drafted",
                "at most as many draft tokens are accepted as are drafted",
                {"found": f"{self.accepted} of {self.drafted}"},
            )
        return self


class Request(Closed):
    """One prompt answered. Times are seconds from the start of its batch."""

    prompt: Id
    class_: Annotated[Word | None, Field(alias="class")]
    prompt_sha256: Sha256 | None
    prompt_tokens: Positive
    output_tokens: Count
    cached_tokens: Count | None
    start_s: Seconds
    first_token_s: Seconds
    last_token_s: Seconds
    token_times_s: tuple[Seconds, ...] | None
    finish: Literal["length", "stop"] | None
    output: Output | None
    drafts: DraftCounts | None = None


class Batch(Closed):
    """Requests that were in flight together, and the wall time from the first start to the last token."""

    wall_s: Annotated[float, Field(gt=0, lt=1e7)]
    requests: tuple[Request, ...]


class MeasuredRun(RunKey):
    """A run of grade `requests`, with its rows."""

    measured_on: date
    batches: tuple[Batch, ...]

    def requests(self) -> Iterator[Request]:
        """Every request of every batch, in the order of the file."""
        return (request for batch in self.batches for request in batch.requests)


class NotMeasured(RunKey):
    """A run that was planned and not made, and why."""

    not_measured: Sentence


def _kind_of_run(value: Any) -> str:
    """A tag that is no name of a field: it stands in the place that an error has."""
    return "planned only" if isinstance(value, dict) and "not_measured" in value else "made"


RequestRun = Annotated[
    Annotated[MeasuredRun, Tag("made")] | Annotated[NotMeasured, Tag("planned only")], Discriminator(_kind_of_run)
]


MAX_PLANNED = 10_000
"""Runs that one line of a plan may stand for; nobody makes more, and each is looked up."""


class PlanExcept(Closed):
    """Part of a plan line that was not planned: where every stated field agrees."""

    x: X | None = None
    server: Id | None = None
    pass_: Annotated[Id | None, Field(alias="pass")] = None


class PlanLine(Closed):
    """Runs that were planned: every combination of x, server and pass, less the exceptions."""

    arm: Id
    axis: Axis
    x: tuple[X | None, ...]
    servers: tuple[Id, ...]
    passes: tuple[Id, ...]
    batches: Positive | None = None
    """Batches per run, where the plan fixed it."""
    except_: Annotated[tuple[PlanExcept, ...], Field(alias="except")] = ()

    @model_validator(mode="after")
    def _no_more_than_can_be_made(self) -> PlanLine:
        runs = len(self.x) * len(self.servers) * len(self.passes)
        if runs > MAX_PLANNED:
            raise PydanticCustomError(
                "limit.length", f"at most {MAX_PLANNED:,} runs in one line of a plan", {"found": f"{runs:,} runs"}
            )
        return self


class Digest(Closed):
    """How output token ids were digested."""

    algorithm: Literal["sha256"]
    encoding: Literal["u32le", "json-compact", "decimal-comma"]


class Original(Closed):
    """A tool's own file kept beside the campaign, byte for byte."""

    file: Word
    sha256: Sha256


class _Campaign(Closed):
    format: Literal["proofpress.campaign/1"]
    id: Id
    measured_by: Measurer
    setup: Setup
    workload: Workload
    arms: Annotated[tuple[Arm, ...], Field(min_length=1)]
    select: Select
    superseded_by: Id | None = None
    originals: tuple[Original, ...] = ()


class RecordCampaign(_Campaign):
    """Published aggregates, transcribed; the origin is pinned."""

    grade: Literal["record"]
    origin: Origin
    runs: Annotated[tuple[RecordRun, ...], Field(min_length=1)]


class RequestCampaign(_Campaign):
    """Every request that was made; the build recomputes everything."""

    grade: Literal["requests"]
    origin: Origin | None = None
    digest: Digest | None
    plan: Annotated[tuple[PlanLine, ...], Field(min_length=1)]
    runs: Annotated[tuple[RequestRun, ...], Field(min_length=1)]


Campaign: TypeAlias = RecordCampaign | RequestCampaign
GRADES: dict[str, type[RecordCampaign] | type[RequestCampaign]] = {
    "record": RecordCampaign,
    "requests": RequestCampaign,
}


def arm_of(campaign: Campaign, arm_id: str) -> Arm | None:
    """The arm called `arm_id`, if the campaign has it."""
    return next((arm for arm in campaign.arms if arm.id == arm_id), None)


def workload_on(campaign: Campaign, axis: Axis) -> Workload:
    """What was sent on `axis`: the campaign's workload, with suite and prompt counts of the axis where it has its own."""
    own = campaign.workload.by_axis.get(axis)
    if own is None:
        return campaign.workload
    return campaign.workload.model_copy(
        update={"suite": own.suite, "prompts": own.prompts, "requests_per_x": own.requests_per_x}
    )
