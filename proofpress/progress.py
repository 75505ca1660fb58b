"""Progress: how far long work is. The steps of a build tell it to whoever watches; they do not know whether anybody does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeAlias, TypeVar

Watch: TypeAlias = Callable[[str, int, int], None]
"""Is told the name of a step, how many things of it are done, and how many there are."""

Thing = TypeVar("Thing")


def unwatched(_step: str, _done: int, _of: int) -> None:
    """Nobody looks."""


def told(things: Collection[Thing], step: str, watch: Watch) -> Iterator[Thing]:
    """The things of a step, one after another; before each, `watch` is told how many are done."""
    for done, thing in enumerate(things):
        watch(step, done, len(things))
        yield thing
