"""Request table: every request of one run, as a page prints it. Times in milliseconds from the start of the batch."""

from __future__ import annotations

from proofpress.derive.wording import counted
from proofpress.pages.matrix import Matrix, Verdict
from proofpress.pages.page import Cell, Column, Row, State, Table, numbers
from proofpress.records.campaign import MeasuredRun, Request

_STATES: dict[Verdict, State] = {
    Verdict.EQUAL: "measured",
    Verdict.ORACLE: "measured",
    Verdict.DIFFERENT: "withheld",
    Verdict.UNPROVED: "withheld",
    Verdict.ABSENT: "pending",
}


def request_table(run: MeasuredRun, matrix: Matrix, pointer: str) -> Table:
    """The requests of `run`, in the order of the file, each with its verdict from the matrix of its arm and axis."""
    column = next(index for index, other in enumerate(matrix.runs) if other.pointer == pointer)
    verdicts = {row.prompt: row.verdicts[column] for row in matrix.rows}
    requests = [(number, request) for number, batch in enumerate(run.batches) for request in batch.requests]
    starts, firsts, lasts = (
        numbers([_milliseconds(getattr(request, field)) for _, request in requests])
        for field in ("start_s", "first_token_s", "last_token_s")
    )
    rates = numbers([_rate(request) for _, request in requests])
    rows = tuple(
        Row(
            state=_STATES[verdicts[request.prompt]],
            mark=verdicts[request.prompt].value,
            cells=(
                Cell(text=request.prompt),
                Cell(text=request.class_ or "–"),
                Cell(text=str(batch)),
                Cell(text=f"{request.prompt_tokens:,}"),
                Cell(text=f"{request.output_tokens:,}"),
                starts[index],
                firsts[index],
                lasts[index],
                rates[index],
                Cell(text=_drafts(request)),
                Cell(text=verdicts[request.prompt].value),
                Cell(text=_output(request)),
            ),
        )
        for index, (batch, request) in enumerate(requests)
    )
    walls = ", ".join(f"{batch.wall_s:g} s" for batch in run.batches[:8]) + (", …" if len(run.batches) > 8 else "")
    return Table(
        caption=f"{counted(len(requests), 'request').capitalize()} in {counted(len(run.batches), 'batch', 'batches')}; wall time {walls}.",
        columns=(
            Column(label="Prompt"),
            Column(label="Class"),
            Column(label="Batch", numeric=True),
            Column(label="Sent, tokens", numeric=True),
            Column(label="Answer, tokens", numeric=True),
            Column(label="Start, ms", numeric=True),
            Column(label="First token, ms", numeric=True),
            Column(label="Last token, ms", numeric=True),
            Column(label="Decode, tok/s", numeric=True),
            Column(label="Accepted of drafted", numeric=True),
            Column(label="Verdict"),
            Column(label="Output"),
        ),
        rows=rows,
    )


def _milliseconds(seconds: float) -> float:
    return float(f"{seconds * 1000:.12g}")


def _rate(request: Request) -> float | None:
    """Tokens after the first over the time they took, as in the metric `decode`."""
    took = request.last_token_s - request.first_token_s
    return float(f"{(request.output_tokens - 1) / took:.12g}") if took > 0 and request.output_tokens > 1 else None


def _drafts(request: Request) -> str:
    return f"{request.drafts.accepted} of {request.drafts.drafted}" if request.drafts else "–"


def _output(request: Request) -> str:
    """The first digits of the output's digest, or how many token ids are recorded."""
    output = request.output
    if output is None:
        return "not recorded"
    if output.token_ids_sha256 is not None:
        return f"sha256 {output.token_ids_sha256[:12]}…"
    if output.token_ids is not None:
        return f"{len(output.token_ids)} token ids"
    return "text"
