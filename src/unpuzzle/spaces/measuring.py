"""Measure an explored level within limits: the number of its optimal lines, and its difficulty."""

from __future__ import annotations

from typing import Any

from unpuzzle.errors import LimitReached
from unpuzzle.pddl.nodes import Task
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Record
from unpuzzle.run import phase
from unpuzzle.spaces.contents import fold
from unpuzzle.spaces.difficulty import MEASURES, Difficulty, measure
from unpuzzle.spaces.lines import Lines, count_lines
from unpuzzle.spaces.space import Space

MEASURED = ("optimal_lines", "least_lines", *MEASURES)
"""The figures of `Measures.figures`, in the order of tables."""


class Measures(Record):
    """The lines and the difficulty of a level.

    Attributes:
        lines: None if a limit was reached before, or not the whole space was seen.
        difficulty: the same.
        message: the limit that was reached.
    """

    lines: Lines | None = None
    difficulty: Difficulty | None = None
    message: str = ""

    def figures(self) -> dict[str, Any]:
        lines, difficulty = self.lines, self.difficulty
        counts = (None, None) if lines is None else (lines.number, lines.least)
        return dict(zip(MEASURED[:2], counts, strict=True)) | {
            name: None if difficulty is None else getattr(difficulty, name) for name in MEASURES
        }


def measured(subject: Position | Task, space: Space[Any], *, hard: bool = True) -> Measures:
    """Measure a position or a task by its space; without `hard` only its lines.

    If a limit is reached, unfinished measures are None.
    """
    if not space.complete:
        return Measures()
    lines = None
    try:
        with phase("measuring the difficulty"):
            folding = fold(subject, space)
            lines = count_lines(folding)
            return Measures(lines, measure(subject, folding) if hard else None)
    except LimitReached as reached:
        return Measures(lines, None, str(reached))
