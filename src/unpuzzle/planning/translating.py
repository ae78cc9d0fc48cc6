"""The PDDL task of a position, made within limits, because some games take long to translate."""

from __future__ import annotations

from unpuzzle.base.run import current, phase
from unpuzzle.pddl.nodes import Task
from unpuzzle.puzzle.capabilities import Translated, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.task import task_of

TRANSLATING = "translating the rules into PDDL"


def task_within(position: Position) -> Task:
    """Return the task of a position, made within the limits of the current run.

    Raises LimitReached, and UnsupportedFeature for a position without PDDL.
    """
    with phase(TRANSLATING):
        current().look()
        translated = offered(position, Translated)
        if translated is not None:
            translated.translate()
        task = position.task() if type(position).task is not Position.task else task_of(position)
        current().look()
        return task
