"""Card: one deployment as its contributor describes it, `content/cards/<id>.yaml`. No measured number stands on a card."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from proofpress.records.axis import Axis
from proofpress.records.schema import Closed, Id, Link, Positive, Prose, Sentence, Word

_COMPUTED = dict.fromkeys(
    ("caption", "label", "title", "note", "scope", "subtitle", "legend"),
    "remove it: captions, labels and notes are computed from the campaign, so that none can describe another series",
)
_MEASURED = dict.fromkeys(
    ("value", "values", "points", "unit", "samples", "statistic", "tok_s", "ttft_ms", "kind"),
    "remove it: no measured number stands on a card; it comes from the campaign that the card names",
)


class CardModel(Closed):
    """The model that the deployment serves."""

    checkpoint: Word
    revision: Word | None
    weight_bytes: Positive | None
    draft: Sentence | None = None
    """The draft model or head, in words."""


class CardHardware(Closed):
    """What the deployment runs on. `cards_measured` lists every number of accelerators that evidence exists for, none at first."""

    accelerator: Word
    cards: Positive
    cards_measured: tuple[Positive, ...]
    host_memory_bytes: Positive | None


class HeadlineChoice(Closed):
    """Which finding is the card's one big number."""

    campaign: Id
    arm: Id
    metric: Word

    not_fields: ClassVar[Mapping[str, str]] = _MEASURED


class PendingHeadline(Closed):
    """No big number yet, and why."""

    pending: Sentence


class ProfileChoice(Closed):
    """One series of findings that the card shows. `arms` belongs to the draft-depth axis, `arm` to all others."""

    campaign: Id
    arm: Id | None = None
    arms: tuple[Id, ...] | None = None
    metric: Word
    axis: Axis
    exact_through: Positive | None = None
    """A claim: every x up to this one is identity-qualified. It is checked."""

    not_fields: ClassVar[Mapping[str, str]] = {**_COMPUTED, **_MEASURED}


class FreeGap(Closed):
    """A line of 'still missing' in the contributor's words."""

    text: Sentence
    close_with: Sentence | None = None


class Replay(Closed):
    """The campaign that replayed the guide on a clean host."""

    campaign: Id


class Credit(Closed):
    """Who did what."""

    name: Word
    kind: Literal["lab", "hobbyist", "vendor", "publisher", "upstream"]
    contribution: Sentence
    link: Link | None = None


class NoProjection(Closed):
    """Why there is no modelled ceiling."""

    none: Sentence


class ProjectionInputs(Closed):
    """A roofline over memory bandwidth. Units: bytes per second of one accelerator, bytes read per output token, a share."""

    memory_bandwidth_bytes_per_s: Positive
    bytes_per_token: Positive
    reachable_share: Annotated[float, Field(gt=0, le=1)]
    limiter: Sentence
    basis: Sentence


class Launch(Closed):
    """Facts that a guide prints as commands."""

    image: Word | None = None
    environment: dict[Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")], Word] = {}


def _tag(*tags: str, otherwise: str) -> Discriminator:
    """Chooses the branch by the one field that only it has, so that a mistake gives one message."""

    def choose(value: Any) -> str:
        return next((tag for tag in tags if isinstance(value, dict) and tag in value), otherwise)

    return Discriminator(choose)


def _text_or_mapping(value: Any) -> str:
    return "mapping" if isinstance(value, dict) else "text"


Headline = Annotated[
    Annotated[PendingHeadline, Tag("pending")] | Annotated[HeadlineChoice, Tag("choice")],
    _tag("pending", otherwise="choice"),
]
Projection = Annotated[
    Annotated[NoProjection, Tag("none")] | Annotated[ProjectionInputs, Tag("inputs")], _tag("none", otherwise="inputs")
]
Missing = Annotated[Annotated[Id, Tag("text")] | Annotated[FreeGap, Tag("mapping")], Discriminator(_text_or_mapping)]
ReplayState = Annotated[
    Annotated[Literal["not-yet"], Tag("text")] | Annotated[Replay, Tag("mapping")], Discriminator(_text_or_mapping)
]


class Card(Closed):
    """One deployment: model, quantization, engine, number of accelerators."""

    format: Literal["proofpress.card/1"]
    name: Word
    family: Id
    publisher: Word
    model: CardModel
    quantization: Word
    compression: Sentence
    engine: Word
    hardware: CardHardware
    operating_systems: tuple[Word, ...]
    delivery: tuple[Word, ...]
    good_for: tuple[Word, ...]
    status: Word
    published: date
    withdrawn: date | None = None
    withdrawn_because: Sentence | None = None
    superseded_by: Id | None = None
    guide: Id | None
    launch: Launch = Launch()
    replay: ReplayState
    headline: Headline
    profiles: tuple[ProfileChoice, ...]
    missing: tuple[Missing, ...]
    limits: tuple[Sentence, ...]
    credits: Annotated[tuple[Credit, ...], Field(min_length=1)]
    related: tuple[Id, ...] = ()
    projection: Projection
    summary: Prose

    not_fields: ClassVar[Mapping[str, str]] = _MEASURED

    @property
    def rests_on(self) -> frozenset[str]:
        """Ids of the campaigns that its numbers rest on: those of its headline and its profiles."""
        choices = (self.headline, *self.profiles)
        return frozenset(choice.campaign for choice in choices if isinstance(choice, HeadlineChoice | ProfileChoice))

    @property
    def campaigns(self) -> frozenset[str]:
        """Ids of all campaigns that it names, that of its replay as well."""
        return self.rests_on | ({self.replay.campaign} if isinstance(self.replay, Replay) else frozenset())
