"""What a page plays by where a level has too many states for a table.

By its ground operators (`operators.py`): then it can be played freely. Where there are none, as in most games in
PuzzleScript and where an action stands for one move here and another there: by a table of a part of the states, those
that are near to the start or, if a search finds a solution soon, to that. Work is counted and not timed, so equal
levels have equal pages: see `telling.py`, `SEARCHED` and `PART`, and for the PDDL of a game in PuzzleScript its own
bound.
"""

from __future__ import annotations

from unpuzzle.errors import DependencyMissing, LimitReached, UnpuzzleError, UnsupportedFeature
from unpuzzle.limits import Deadline
from unpuzzle.playing.page.operators import Operators
from unpuzzle.playing.page.partial import solution_space, space_around
from unpuzzle.playing.page.tables import Table
from unpuzzle.result import UNSOLVABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from unpuzzle.puzzle.position import Position

SEARCHED = 40_000
"""How many states a search for a solution may expand."""
PART = 1_000
"""How many states a table has that is a part, if the solution does not need more."""
FREE = "It can be played, but this page knows no hints for it"
SHOWN = "This page knows one solution and the positions near to it"
NEAR = "This page knows the positions near to the start, and no solution"
FILM = "Only one solution can be played here, by Solution or move by move."


class Large:
    """How a large level is played.

    Attributes:
        played: what it is played by.
        head: what the page is told besides.
        sentence: why there are no hints, and what there is instead.
        unsolvable: why it cannot be solved, as far as that is known.
    """

    played: Table | Operators

    def __init__(self, position: Position, watch: Deadline) -> None:
        self._position = position
        self._watch = watch.during("looking for what a page can play a large level by")
        self.unsolvable = position.impossible() or ""
        self.sentence = ""
        self.head: dict[str, Any] = {}

    def play(self, why: str, solution: Sequence[str], free: bool) -> None:
        """Find what to play by; `why` there is no table of all states, `solution` and `free` as in `Level`.

        Raises LimitReached, and for a game that leaves something to chance UnsupportedFeature.
        """
        if solution and not free:
            self._film(solution)
            return
        try:
            self.played, what = Operators(self._position, self._half()), FREE
        except (UnsupportedFeature, DependencyMissing, LimitReached) as error:
            self._watch.look()
            if solution:
                self._film(solution)
                return
            what, why = self._part(), f"{why}, and {error}"
        self.sentence = f"{why}. {what}"
        self.head["note"] = f"{what}: {why}."

    def _half(self) -> Deadline:
        """Half of the time that is left: what it does not suffice for is done without."""
        limits = self._watch.limits
        return Deadline(limits.lasting(limits.time and limits.time / 2), self._watch.phase)

    def _film(self, solution: Sequence[str]) -> None:
        """The states of a solution, and nothing else."""
        self.played = Table(solution_space(self._position, solution, self._watch), self._watch)
        self.sentence, self.head = FILM, {"note": FILM, "film": 1}

    def _part(self) -> str:
        """The states near to a solution or, where none is found, to the start; returns what it is."""
        solution = () if self.unsolvable else self._searched()
        space, ends = space_around(self._position, solution, PART, self._watch)
        self.played = Table(space, self._watch)
        self.head["open"] = [number for number, each in enumerate(self.played.positions) if each in ends]
        if solution:
            self.head["solution"] = list(solution)
        return SHOWN if solution else NEAR

    def _searched(self) -> Sequence[str]:
        """The moves of a solution, if one is found soon."""
        from unpuzzle.solving import solve

        try:
            result = solve(self._position, limits=self._half(), max_expanded=SEARCHED)
        except UnpuzzleError:
            self._watch.look()
            return ()
        if result.status == UNSOLVABLE:
            self.unsolvable = result.message or "a search of all that can be reached has found no solution"
        self._watch.look()
        return result.moves or ()
