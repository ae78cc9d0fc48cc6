"""The planner `clues`: fills a crossword that has clues and no candidates, and says how sure it is of each answer.

Nothing proves such an answer, so the result's details have `guess`, true, and people are told that it is a guess.

clues                       all sources that are on this machine
clues:gcide,words           only some of them
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import DependencyMissing, LimitReached
from unpuzzle.limits import Deadline
from unpuzzle.planners.clues.settings import INSTALL
from unpuzzle.planning.planner import CLUES, USUAL, Planner, SearchOptions
from unpuzzle.puzzle.capabilities import Clued, required
from unpuzzle.result import SOLVED, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.planners.clues.filling import Filling
    from unpuzzle.planners.clues.settings import Settings
    from unpuzzle.puzzle.position import Position

EMPTY, BLOCK = ".", "#"
PURPOSE = "cannot be solved by clues"


class Clues(Planner):
    """The planner; see the head of this file."""

    reads = (CLUES,)
    reports = True

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.settings = settings

    def require(self, subject: Any) -> None:
        """Raises ParseError for a position without clues."""
        required(subject, Clued, PURPOSE)

    def solve(self, position: Position, limits: Limits, options: SearchOptions = USUAL) -> Result:
        """The filled grid, in the result's details. Raises DependencyMissing where there is no source at all."""
        _require_numpy()
        from unpuzzle.planners.clues.work import Work

        began = perf_counter()
        clued = required(position, Clued, PURPOSE)
        watch = Deadline(limits, "looking for answers")
        work = Work(self.settings, watch, options.progress or (lambda _: None))
        try:
            filling = work.fill(clued)
        except LimitReached as reached:
            seconds = {"search": perf_counter() - began}
            return Result(reached.status, self.name, message=str(reached), seconds=seconds, peak_memory=watch.peak())
        details = {"guess": True, **fields_of(filling, clued), "sources": work.asked, "links": work.links}
        return Result(
            SOLVED,
            self.name,
            seconds={**work.seconds, "search": perf_counter() - began},
            peak_memory=watch.peak(),
            message="; ".join(work.remarks),
            details=details,
        )


def _require_numpy() -> None:
    from importlib.util import find_spec

    if find_spec("numpy") is None:
        raise DependencyMissing(f"clues needs numpy; get it with: {INSTALL}", dependency="clues")


def fields_of(filling: Filling, position: Clued) -> dict[str, Any]:
    """A filled grid as plain data."""
    cells = [
        there if there != EMPTY else (letter or EMPTY)
        for there, letter in zip(position.letters, filling.letters, strict=True)
    ]
    rows = ["".join(row) for row in _split(cells, position.columns)]
    sure = [None if cell == BLOCK else round(value, 4) for cell, value in zip(cells, filling.confidence, strict=True)]
    answers = {
        name: {
            "answer": answer.word,
            "confidence": round(answer.confidence, 4),
            "alternatives": [
                {"answer": word, "confidence": round(confidence, 4)} for word, confidence in answer.alternatives
            ],
        }
        for name, answer in filling.answers.items()
    }
    return {
        "solutions": None,
        "unique": None,
        "solution": "/".join(rows),
        "answers": answers,
        "letter_confidence": _split(sure, position.columns),
    }


def _split(cells: list[Any], columns: int) -> list[list[Any]]:
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]
