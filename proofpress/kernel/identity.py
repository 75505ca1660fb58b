"""Identity: how many complete outputs of a run equal its oracle's. Comes in: a campaign with rows. Goes out: counts.

What a run is compared with:

- `arm: <id>` — every run of that arm that stands at the same place (the same axis; one user on the users axis; the same x on
  the context axes), on every server and in every pass.
- `own_sequential`, for more than one user — the arm's own one-user runs of that axis. Its own server must have one; those of
  other servers are compared as well.
- `own_sequential`, for a run that is itself sequential — the arm's other runs at the same place: other servers, other passes.
  A run is never compared with itself.
- `own_sequential`, for a run of one user of an arm with speculation — nothing. Its one-user runs are the very runs that
  speculation has to be proved for, and that it repeats itself proves nothing; it needs a named arm.
- no oracle stated — as with `own_sequential` for a sequential run without speculation; nothing for any other.

A request matches when its output equals the one of *every* run it is compared with that answered the same prompt. A sequential
run without speculation that has nothing to be compared with is a reference run: it is an oracle and qualifies by being one.
Where it does have company, only prompts in common are counted, and the counts decide.

Outputs are compared by one method per run, the strongest that all rows concerned allow: `token_ids`, then
`token_ids_sha256` (computed from ids where a row has no digest and the campaign declares the encoding), then `text`. Nothing
is trimmed, cut to a common length or normalised: outputs of different length differ.

An oracle is *unstable* at a prompt where its own runs disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from proofpress.kernel.digest import digest_of
from proofpress.records.axis import Axis
from proofpress.records.campaign import (
    Arm,
    ArmOracle,
    Digest,
    Identity,
    MeasuredRun,
    Output,
    Request,
    RequestCampaign,
    RunId,
)

Method: TypeAlias = Literal["token_ids", "token_ids_sha256", "text"]
METHODS: tuple[Method, ...] = ("token_ids", "token_ids_sha256", "text")
Answer: TypeAlias = tuple[int, ...] | str
Spot: TypeAlias = tuple[str, Axis, int | None]
"""Arm, axis, and x where prompts are keyed by it: where sequential runs answer the same prompts."""

_KEYED_BY_X = frozenset({Axis.CONTEXT_TOKENS, Axis.CONTEXT_DEPTH})


def keyed_x(axis: Axis, x: int | None) -> int | None:
    """The x that belongs to a prompt's key: on the context axes the same id stands for another prompt at each length."""
    return x if axis in _KEYED_BY_X else None


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """A measured run with its requests by prompt id; the first where a prompt stands twice."""

    run: MeasuredRun
    by_prompt: Mapping[str, Request]

    @property
    def name(self) -> str:
        """'arm fp32-none, server a, first pass'."""
        return f"arm {self.run.arm}, server {self.run.server}, {self.run.pass_} pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One request held against its oracle's for the same prompt."""

    request: Request
    oracles: tuple[Answers, ...]
    """The runs that answered the prompt and were compared."""
    matches: bool
    different: tuple[Answers, Request] | None
    """The first of them that answered otherwise, with its answer; None also where nothing was there to compare."""
    disputed: bool
    """Whether the oracle's own runs disagree at this prompt: with each other, or, where the run is one of them, with it."""

    @property
    def detail(self) -> str:
        """The first token that differs, where there are arrays; empty where nothing does."""
        return _difference(self.request, *self.different) if self.different else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What comparing one run gave."""

    identity: Identity
    detail: str
    """The first prompt, and token where there are arrays, that differs; empty where all match."""
    unstable: bool
    """Whether every mismatch is at a prompt on which the oracle's own runs disagree: with each other, or, where the run is
    one of them, with it."""


class Oracles:
    """Who is compared with whom in one campaign."""

    def __init__(self, campaign: RequestCampaign) -> None:
        self._campaign = campaign
        self._arms: dict[str, Arm] = {}
        for arm in campaign.arms:
            self._arms.setdefault(arm.id, arm)
        self._digests: dict[int, str] = {}

    @cached_property
    def answers(self) -> Mapping[RunId, Answers]:
        """Every measured run's answers, in the order of the file; the first where a run stands twice."""
        found: dict[RunId, Answers] = {}
        for run in self._campaign.runs:
            if isinstance(run, MeasuredRun) and run.key not in found:
                by_prompt: dict[str, Request] = {}
                for request in run.requests():
                    by_prompt.setdefault(request.prompt, request)
                found[run.key] = Answers(run, by_prompt)
        return found

    @cached_property
    def _sequential(self) -> Mapping[Spot, Sequence[Answers]]:
        found: dict[Spot, list[Answers]] = {}
        for answers in self.answers.values():
            run = answers.run
            if run.sequential:
                found.setdefault((run.arm, run.axis, keyed_x(run.axis, run.x)), []).append(answers)
        return found

    def arm(self, run: MeasuredRun) -> Arm | None:
        return self._arms.get(run.arm)

    def stated(self, run: MeasuredRun) -> bool:
        """Whether the run's arm states an oracle for its axis."""
        arm = self.arm(run)
        return arm is not None and run.axis in arm.oracles

    def oracle_arm(self, run: MeasuredRun) -> str | None:
        """The arm whose sequential runs `run` is compared with; None where it is compared with nothing."""
        arm = self.arm(run)
        if arm is None:
            return None
        oracle = arm.oracles.get(run.axis)
        if isinstance(oracle, ArmOracle):
            return oracle.arm if oracle.arm != arm.id else None
        if oracle is None and not run.sequential:
            return None
        if arm.speculation is not None and (oracle is None or run.sequential):
            return None
        return arm.id

    def of(self, run: MeasuredRun) -> tuple[Answers, ...]:
        """The runs that `run` is compared with: its own server's first, otherwise in the order of the file."""
        name = self.oracle_arm(run)
        if name is None:
            return ()
        found = self._sequential.get((name, run.axis, keyed_x(run.axis, run.x)), ())
        if name == run.arm and not run.sequential and not any(other.run.server == run.server for other in found):
            return ()
        others = (other for other in found if other.run.key != run.key)
        return tuple(sorted(others, key=lambda other: other.run.server != run.server))

    def required(self, run: MeasuredRun) -> tuple[Answers, ...]:
        """Those of `of(run)` that must, between them, have answered every prompt of `run`."""
        others = self.of(run)
        if self.oracle_arm(run) != run.arm:
            return others
        return () if run.sequential else tuple(other for other in others if other.run.server == run.server)

    def is_reference(self, run: MeasuredRun) -> bool:
        """Whether a run can be an oracle without being compared itself: one user, no speculation."""
        arm = self.arm(run)
        return arm is not None and arm.speculation is None and run.sequential

    def rows_compared(self, run: MeasuredRun) -> Iterator[tuple[Request, list[tuple[Answers, Request]]]]:
        """Each prompt's request with its oracle's. Of a sequential run compared with its like, prompts in common only."""
        others = self.of(run)
        optional = self.oracle_arm(run) == run.arm and run.sequential
        for prompt, request in self.answers[run.key].by_prompt.items():
            rows = [(other, other.by_prompt[prompt]) for other in others if prompt in other.by_prompt]
            if rows or not optional:
                yield request, rows

    def method(self, requests: Iterable[Request]) -> Method | None:
        """The strongest method that every one of `requests` allows."""
        possible = set(METHODS)
        for request in requests:
            possible &= set(_methods(request.output, self._campaign.digest))
            if not possible:
                return None
        return next(method for method in METHODS if method in possible)

    def prompts(self, run: MeasuredRun) -> tuple[Method, tuple[Compared, ...]] | None:
        """Each prompt of `run` against its oracle; None where there is nothing to compare, or no method that all rows allow."""
        pairs = list(self.rows_compared(run)) if self.of(run) else []
        if not pairs:
            return None
        method = self.method(row for request, rows in pairs for row in (request, *(theirs for _, theirs in rows)))
        if method is None:
            return None
        among_equals = self.oracle_arm(run) == run.arm and run.sequential
        return method, tuple(self._compared(request, rows, method, among_equals) for request, rows in pairs)

    def _compared(
        self, request: Request, rows: Sequence[tuple[Answers, Request]], method: Method, among_equals: bool
    ) -> Compared:
        mine = self._answer(request, method)
        theirs = [self._answer(row, method) for _, row in rows]
        different = next((pair for pair, answer in zip(rows, theirs, strict=True) if answer != mine), None)
        return Compared(
            request=request,
            oracles=tuple(other for other, _ in rows),
            matches=bool(rows) and different is None,
            different=different,
            disputed=among_equals or len(set(theirs)) > 1,
        )

    def compare(self, run: MeasuredRun) -> Comparison | None:
        """`run` against its oracle, counted; None where `prompts` gives None."""
        found = self.prompts(run)
        if found is None:
            return None
        method, compared = found
        missed = [one for one in compared if not one.matches]
        return Comparison(
            identity=Identity(matched=len(compared) - len(missed), total=len(compared), method=method, basis="counted"),
            detail=next((one.detail for one in missed if one.different), ""),
            unstable=bool(missed) and all(one.disputed for one in missed),
        )

    def _answer(self, request: Request, method: Method) -> Answer:
        output = request.output
        assert output is not None  # `method` has seen every row
        if method == "token_ids":
            assert output.token_ids is not None
            return output.token_ids
        if method == "text":
            assert output.text is not None
            return output.text
        if output.token_ids_sha256 is not None:
            return output.token_ids_sha256
        if id(request) not in self._digests:
            assert output.token_ids is not None
            assert self._campaign.digest is not None
            self._digests[id(request)] = digest_of(output.token_ids, self._campaign.digest)
        return self._digests[id(request)]


def _methods(output: Output | None, digest: Digest | None) -> Iterator[Method]:
    if output is None:
        return
    if output.token_ids is not None:
        yield "token_ids"
    if output.token_ids_sha256 is not None or (output.token_ids is not None and digest is not None):
        yield "token_ids_sha256"
    if output.text is not None:
        yield "text"


def _difference(request: Request, other: Answers, theirs: Request) -> str:
    """'prompt s00 differs after 21 equal tokens from …': where two answers part, as far as their rows tell."""
    mine_ids = request.output.token_ids if request.output else None
    their_ids = theirs.output.token_ids if theirs.output else None
    if mine_ids is None or their_ids is None:
        return f"prompt {request.prompt} differs from {other.name}"
    for position, (mine, their) in enumerate(zip(mine_ids, their_ids, strict=False)):
        if mine != their:
            return (
                f"prompt {request.prompt} differs after {position} equal tokens from {other.name}: "
                f"token id {mine} instead of {their}"
            )
    return (
        f"prompt {request.prompt} differs in length from {other.name}: "
        f"{len(mine_ids)} tokens instead of {len(their_ids)}"
    )
