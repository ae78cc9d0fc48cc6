"""A position's task, found within limits: for most games that takes no time, for some it is work of its own."""

from __future__ import annotations

from unpuzzle.limits import Deadline, ticking
from unpuzzle.puzzle.capabilities import Translated, offered
from unpuzzle.puzzle.position import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.limits import Limits
    from unpuzzle.pddl.nodes import Task

TRANSLATING = "translating the rules into PDDL"


def task_within(position: Position, limits: Limits | Deadline | None = None) -> Task:
    """Return the task of a position, made within limits.

    Raises LimitReached, and UnsupportedFeature for a position without PDDL.
    """
    deadline = Deadline.of(limits, TRANSLATING)
    deadline.look()
    translated = offered(position, Translated)
    if translated is not None:
        translated.translate(deadline.look)
    with ticking(deadline):
        task = _task(position, deadline)
    deadline.look()
    return task


def _task(position: Position, deadline: Deadline) -> Task:
    """Return the task; the deadline is looked at between the parts of a position."""
    if type(position).task is not Position.task:
        return position.task()
    from unpuzzle.puzzle.task import task_of

    return task_of(position, deadline)
