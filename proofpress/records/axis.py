"""Axis: what a run varies. The words that evidence files use for it, and how a position on it is read aloud."""

from __future__ import annotations

from enum import StrEnum

KIBI = 1024


class Axis(StrEnum):
    """What stands on the horizontal axis of a profile."""

    SUITE = "suite"
    """A fixed suite of prompts, one user; there is no x."""
    CONTEXT_TOKENS = "context_tokens"
    """x prompt tokens are sent."""
    CONTEXT_DEPTH = "context_depth"
    """x tokens already stand in the cache (llama-bench); 0 is allowed."""
    CONCURRENT_USERS = "concurrent_users"
    """x requests are in flight at once."""
    DRAFT_DEPTH = "draft_depth"
    """x tokens are drafted per step; derived from the suite findings of several arms, never a run's own axis."""

    @property
    def measured(self) -> bool:
        """Whether a run can have this axis."""
        return self is not Axis.DRAFT_DEPTH

    def lowest(self) -> int:
        """The smallest x that can be measured."""
        return 0 if self in {Axis.CONTEXT_DEPTH, Axis.DRAFT_DEPTH} else 1

    def position(self, x: int) -> str:
        """`x` as a reader says it: '8 users', '16K tokens', 'depth 3'."""
        match self:
            case Axis.SUITE:
                return "the suite"
            case Axis.CONTEXT_TOKENS:
                return f"{tokens(x)} tokens"
            case Axis.CONTEXT_DEPTH:
                return f"{tokens(x)} cached tokens"
            case Axis.CONCURRENT_USERS:
                return "1 user" if x == 1 else f"{x} users"
            case Axis.DRAFT_DEPTH:
                return f"depth {x}"


def tokens(count: int) -> str:
    """A token count in the short form of axis ticks: 2048 is '2K'; a count that is no multiple of 1024 stands in full."""
    if count >= KIBI and count % KIBI == 0:
        return f"{count // KIBI}K"
    return str(count)
