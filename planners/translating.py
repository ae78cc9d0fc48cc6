"""A position's task, found within limits: for most games that takes no time, for some it is work of its own."""

from __future__ import annotations

from unpuzzle.limits import Deadline, Limits
from unpuzzle.puzzle.capabilities import Translated, offered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.nodes import Task
    from unpuzzle.puzzle.position import Position


def task_within(position: Position, time: float | None, memory: int | None = None) -> Task:
    """The task of a position, found in so many seconds and bytes; None is no limit.

    Raises LimitReached, and UnsupportedFeature for a position without PDDL.
    """
    translated = offered(position, Translated)
    if translated is not None:
        watch = Deadline(Limits(None if time is None else max(time, 1e-9), memory), "translating the rules into PDDL")
        translated.translate(watch.look)
    return position.task()
