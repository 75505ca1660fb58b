"""Requests and batches in few words, for tests of formulas."""

from __future__ import annotations

from collections.abc import Sequence

from proofpress.records.campaign import Batch, Request


def request(
    *,
    first: float = 0.1,
    last: float = 1.1,
    tokens: int = 11,
    start: float = 0.0,
    class_: str | None = "code",
    times: Sequence[float] | None = None,
    prompt: str = "p0",
    prompt_tokens: int = 64,
) -> Request:
    """One answered prompt; by default ten tokens after the first in one second."""
    return Request.model_validate(
        {
            "prompt": prompt,
            "class": class_,
            "prompt_sha256": None,
            "prompt_tokens": prompt_tokens,
            "output_tokens": tokens,
            "cached_tokens": 0,
            "start_s": start,
            "first_token_s": first,
            "last_token_s": last,
            "token_times_s": None if times is None else tuple(times),
            "finish": None,
            "output": None,
        }
    )


def batch(*requests: Request, wall: float | None = None) -> Batch:
    """Requests in flight together; by default the wall time ends with the last token."""
    last = max((row.last_token_s for row in requests), default=1.0)
    return Batch(wall_s=last if wall is None else wall, requests=requests)
