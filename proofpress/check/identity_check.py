"""Identity check: what must hold before outputs are compared. Comes in: a campaign with rows. Goes out: problems.

Malformed is refused here: rows that are missing, doubled, empty, or of another prompt. What is merely absent, or differs, is
counted and withheld elsewhere (`identity`, `recount`).
"""

from __future__ import annotations

from collections.abc import Iterator

from proofpress.check.row_check import batches, rows, runs
from proofpress.kernel.identity import Oracles, keyed_x
from proofpress.kernel.plan import run_name
from proofpress.load.source import Location, Source
from proofpress.problem import Problem, quoted
from proofpress.records.axis import Axis
from proofpress.records.campaign import ArmOracle, Campaign, MeasuredRun, Request, RequestCampaign, arm_of


def own_oracle(source: Source, campaign: Campaign) -> Iterator[Problem]:
    """identity.own-oracle: an arm that names itself."""
    for index, arm in enumerate(campaign.arms):
        for axis, oracle in arm.oracles.items():
            if isinstance(oracle, ArmOracle) and oracle.arm == arm.id:
                yield source.problem(
                    "identity.own-oracle",
                    ("arms", index, "oracles", axis.value, "arm"),
                    found=quoted(oracle.arm),
                    expected="no run is compared with itself",
                    hint='to compare with the arm\'s own one-user runs, write {"kind": "own_sequential"}',
                )


def speculating_oracle(source: Source, campaign: Campaign) -> Iterator[Problem]:
    """identity.speculating-oracle: a named oracle arm that speculates itself."""
    for index, arm in enumerate(campaign.arms):
        for axis, oracle in arm.oracles.items():
            other = arm_of(campaign, oracle.arm) if isinstance(oracle, ArmOracle) else None
            if other is None or other is arm or other.speculation is None:
                continue
            yield source.problem(
                "identity.speculating-oracle",
                ("arms", index, "oracles", axis.value, "arm"),
                found=f"{quoted(other.id)}, which speculates with {other.speculation.method} at depth {other.depth}",
                expected="a named oracle has no speculation: two ways of guessing can agree and both be wrong",
                hint="name the same configuration without speculation",
            )


def draft_settings(source: Source, campaign: Campaign) -> Iterator[Problem]:
    """mismatch.draft-settings: settings of drafting in a campaign of which no arm says that it drafts."""
    if any(arm.speculates is not False for arm in campaign.arms):
        return
    for name, value in campaign.setup.settings.items():
        if name.startswith("draft_") and value not in (0, "none"):  # False is 0
            yield source.problem(
                "mismatch.draft-settings",
                ("setup", "settings", name),
                key=True,
                found=f"{name} is {quoted(value)}, and 'speculation' is null in every arm",
                expected="a campaign whose engine was set up to draft has an arm that drafts",
                hint="state the speculation of the arm, with its method and depth, or remove the setting",
            )


def other_setup(source: Source, campaign: Campaign) -> Iterator[Problem]:
    """identity.other-setup: an oracle arm of another number format, or, where neither speculates, with other weights; unknown is unlike known."""
    for index, arm in enumerate(campaign.arms):
        for axis, oracle in arm.oracles.items():
            other = arm_of(campaign, oracle.arm) if isinstance(oracle, ArmOracle) else None
            if other is None:
                continue
            parts: list[tuple[str, object, object]] = [("dtype", arm.dtype, other.dtype)]
            if arm.speculation is None and other.speculation is None:  # a draft model has weights of its own
                parts.append(("weight_bytes", arm.weight_bytes, other.weight_bytes))
            for name, mine, its in parts:
                if mine != its:
                    yield source.problem(
                        "identity.other-setup",
                        ("arms", index, "oracles", axis.value, "arm"),
                        found=f"arm {arm.id} has {name} {_stated(mine)}, its oracle {other.id} has {_stated(its)}",
                        expected="an oracle is the same set-up; speculation and the number of cards may differ",
                        hint=""
                        if mine and its
                        else "what is not known cannot be called the same: state it for both, or for neither",
                    )


def _stated(value: object) -> str:
    return "not stated" if value is None else str(value)


def no_batches(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.nothing-to-compare: a run without batches."""
    for place, run in runs(campaign):
        if not run.batches:
            yield source.problem(
                "identity.nothing-to-compare",
                (*place, "batches"),
                found="no batches",
                expected="a measured run has rows; of nothing, everything is equal",
                hint='if it was not measured, write "not_measured" and the reason instead',
            )


def batch_size(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.batch-size: a batch that is not x requests, or on the sequential axes not one."""
    for place, run, batch in batches(campaign):
        wanted = (run.x or 1) if run.axis is Axis.CONCURRENT_USERS else 1
        found = len(batch.requests)
        if found != wanted:
            yield source.problem(
                "identity.batch-size",
                (*place, "requests"),
                found=f"{wanted} request{'s' * (wanted != 1)} stated, {found} found",
                expected=f"each batch of {wanted} in flight has all its rows"
                if run.axis is Axis.CONCURRENT_USERS
                else f"on the axis {run.axis.value} one request is in flight at a time: batches of one",
                hint="send every row of the batch, failing ones too",
            )


def double_prompt(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.double-prompt: the same prompt twice in one run."""
    for place, run in runs(campaign):
        seen: set[str] = set()
        for number, batch in enumerate(run.batches):
            for row, request in enumerate(batch.requests):
                if request.prompt in seen:
                    yield source.problem(
                        "identity.double-prompt",
                        (*place, "batches", number, "requests", row, "prompt"),
                        found=f"{quoted(request.prompt)} a second time in this run",
                        expected="each prompt of a run is answered once; a copied row would hide a failing one",
                    )
                seen.add(request.prompt)


def other_prompt(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.other-prompt: one prompt id, with another hash or another number of tokens than elsewhere on the axis."""
    first: dict[tuple[Axis, int | None, str], tuple[Request, str]] = {}
    for place, run, request in rows(campaign):
        key = (run.axis, keyed_x(run.axis, run.x), request.prompt)
        known, where = first.setdefault(key, (request, run_name(run.key)))
        if (
            known.prompt_sha256 is not None
            and request.prompt_sha256 is not None
            and known.prompt_sha256 != request.prompt_sha256
        ):
            field, mine, theirs = "prompt_sha256", f"{request.prompt_sha256[:12]}…", f"{known.prompt_sha256[:12]}…"
        elif known.prompt_tokens != request.prompt_tokens and run.axis is not Axis.CONTEXT_TOKENS:
            field, mine, theirs = "prompt_tokens", str(request.prompt_tokens), str(known.prompt_tokens)
        else:
            continue
        yield source.problem(
            "identity.other-prompt",
            (*place, field),
            found=f"{mine} for prompt {quoted(request.prompt)}",
            expected=f"{theirs}, as in {where}: one id is one prompt on an axis",
        )


def prompt_without_oracle(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.prompt-without-oracle: a prompt that no run of the oracle answered."""
    oracles = Oracles(campaign)
    for place, run in runs(campaign):
        required = oracles.required(run)
        if not required:
            continue
        for location, request in _rows_of(place, run):
            if not any(request.prompt in other.by_prompt for other in required):
                yield source.problem(
                    "identity.prompt-without-oracle",
                    (*location, "prompt"),
                    found=quoted(request.prompt),
                    expected=f"its oracle answered the same prompt ({_names(required[0].run)})",
                    hint="send the oracle's row as well",
                )


def empty_output(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.empty-output: an answer of no tokens, no ids or no text: empty against empty would be equal."""
    for place, _, request in rows(campaign):
        output = request.output
        found = ""
        if request.output_tokens == 0:
            found = "0 output tokens"
        elif output is not None and (output.token_ids == () or output.text == ""):
            found = f"{request.output_tokens} output tokens stated, an empty output"
        if found:
            yield source.problem(
                "identity.empty-output",
                (*place, "output_tokens" if request.output_tokens == 0 else "output"),
                found=found,
                expected="an answer has at least one token; nothing against nothing is not a comparison",
                hint="a request that failed makes its run not measured; say so with the reason",
            )


def no_output(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.no-output: no output recorded where an oracle is stated, or an output object that holds nothing."""
    oracles = Oracles(campaign)
    for place, run, request in rows(campaign):
        if request.output is None:
            missing = oracles.stated(run)
        else:
            kinds = (request.output.token_ids, request.output.token_ids_sha256, request.output.text)
            missing = all(kind is None for kind in kinds)
        if missing:
            yield source.problem(
                "identity.no-output",
                (*place, "output"),
                found="no output recorded",
                expected=f"arm {run.arm} states an oracle for {run.axis.value}, so each row has ids, their digest or text"
                if oracles.stated(run)
                else "an output holds ids, their digest or text",
                hint="without outputs, leave the oracle out and write null; the run is then withheld as unproved",
            )


def mixed_methods(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.mixed-methods: rows of a run and its oracle that no one method can compare."""
    oracles = Oracles(campaign)
    for place, run in runs(campaign):
        if not oracles.of(run) or oracles.answers[run.key].run is not run:
            continue
        involved = [
            row
            for request, others in oracles.rows_compared(run)
            for row in (request, *(theirs for _, theirs in others))
        ]
        kinds = sorted({kind for row in involved for kind in _kinds(row)})
        method = oracles.method(involved)
        # one row that lacks its ids must not make text decide where ids or digests have already told outputs apart
        weakened = method == "text" and kinds != ["text"]
        if all(_kinds(row) for row in involved) and involved and (method is None or weakened):
            yield source.problem(
                "identity.mixed-methods",
                place,
                found=f"outputs recorded as {' here and '.join(kinds)} there",
                expected="the rows of a run and of its oracle are compared by one method, never by several",
                hint="record the same kind of output on both sides; ids and digests meet where 'digest' is declared",
            )


def other_cap(source: Source, campaign: RequestCampaign) -> Iterator[Problem]:
    """identity.other-cap: a run and its oracle that were both ended by length, at different lengths.

    Where the workload states the cap, `mismatch.answer-length` says it better.
    """
    if campaign.workload.output_tokens is not None:
        return
    oracles = Oracles(campaign)
    for place, run in runs(campaign):
        theirs = {
            row.prompt: (row.output_tokens, other.name)
            for other in oracles.of(run)
            for row in other.by_prompt.values()
            if row.finish == "length"
        }
        for location, request in _rows_of(place, run):
            cap, name = theirs.get(request.prompt, (request.output_tokens, ""))
            if request.finish == "length" and request.output_tokens != cap:
                yield source.problem(
                    "identity.other-cap",
                    (*location, "output_tokens"),
                    found=f"ended by length after {request.output_tokens} tokens",
                    expected=f"its oracle ({name}) ended by length after {cap}: the same cap on both sides",
                )
                break


def _rows_of(place: Location, run: MeasuredRun) -> Iterator[tuple[Location, Request]]:
    for number, batch in enumerate(run.batches):
        for row, request in enumerate(batch.requests):
            yield (*place, "batches", number, "requests", row), request


def _kinds(request: Request) -> list[str]:
    output = request.output
    if output is None:
        return []
    kinds = {"token ids": output.token_ids, "digest": output.token_ids_sha256, "text": output.text}
    return [name for name, value in kinds.items() if value is not None]


def _names(run: MeasuredRun) -> str:
    return f"arm {run.arm}, server {run.server}"
