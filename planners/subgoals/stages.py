"""The stages of a puzzle with subgoals, solved one after the other by A*."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unpuzzle.base.outcomes import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import phase
from unpuzzle.base.values import Record
from unpuzzle.planners.rules.search import Counts, SearchGraph
from unpuzzle.planners.rules.strategies import best_first
from unpuzzle.planning.planner import SearchOptions
from unpuzzle.puzzle.capabilities import subgoals_of
from unpuzzle.puzzle.heuristic import Subgoal, exceeds
from unpuzzle.puzzle.position import Position

SUMS = ("expanded", "evaluated", "generated")


class SolvedStage(Record):
    """A solved stage: its group of subgoals, its number of expanded states, and its length in steps."""

    group: str
    expanded: int | None
    length: int


class Stages:
    """One search that achieves the subgoals of a puzzle in stages.

    Attributes:
        done: the stages solved so far.
        moves: the moves of all stages solved so far, joined.
        condition: the claim of the game's author on which the answer depends, as in `Result`.
    """

    def __init__(self, puzzle: Position, ties: str, options: SearchOptions) -> None:
        self.puzzle: Position = puzzle
        self.subgoals: Sequence[Subgoal] = subgoals_of(puzzle) or ()
        self.ties: str = ties
        self.tell: Callable[[str], None] | None = options.progress
        self._counts: list[Counts] = []
        self.done: list[SolvedStage] = []
        self.moves: list[str] = []
        self.condition: str | None = None

    def run(self) -> tuple[str, str]:
        """Solve the stages until one has no solution; return a status and a message. Raises LimitReached."""
        if (reason := self.puzzle.impossible()) is not None:
            self.condition = "impossible() is right"
            return UNSOLVABLE, reason
        position = self.puzzle
        for subgoal in () if position.solved() else self.subgoals:
            number = f"stage {len(self.done) + 1} of {len(self.subgoals)} ({subgoal.name})"
            if self.tell is not None:
                self.tell(number)
            with phase(f"searching, at {number}"):
                moves = self._search(subgoal, position)
            if moves is None:
                return GAVE_UP, f"{number} has no solution after those before it"
            for move in moves:
                position = position.apply(move)
            self.moves += moves
            self.done.append(SolvedStage(subgoal.name, self._counts[-1].expanded, len(moves)))
        # Optimal if no moves were needed, or if there was only one stage with an admissible estimate.
        if not self.moves:
            return SOLVED_OPTIMALLY, ""
        if len(self.subgoals) > 1 or not self.subgoals[0].admissible:
            return SOLVED, ""
        name, counts = self.subgoals[0].name, self._counts[0]
        if exceeds(counts.bound, counts.cost):
            return SOLVED, f"the estimate of the subgoal {name} is not admissible: a path costs {counts.cost}"
        self.condition = f"the estimate of the subgoal {name} is admissible and consistent"
        return SOLVED_OPTIMALLY, f"optimal if {self.condition}"

    def _search(self, subgoal: Subgoal, position: Position) -> list[str] | None:
        graph = SearchGraph(subgoal.view(position), subgoal.successors, subgoal.achieved)
        self._counts.append(graph.counts)
        estimate = subgoal.estimate
        return best_first(graph, lambda g, view: g + estimate(view), ties=self.ties, key=subgoal.key, reopen=False)

    def counts(self) -> dict[str, int]:
        """Return the numbers of states expanded, evaluated and generated in all stages, and the largest frontier."""
        sums = {name: sum(getattr(counts, name) for counts in self._counts) for name in SUMS}
        return sums | {"frontier": max([counts.frontier for counts in self._counts], default=0)}
