"""The stages of a puzzle that names its subgoals, solved one after the other by A*."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unpuzzle.planners.rules.best_first import best_first
from unpuzzle.planners.rules.counts import Counts
from unpuzzle.puzzle.capabilities import subgoals_of
from unpuzzle.record import Plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.limits import Deadline
    from unpuzzle.planning.planner import SearchOptions
    from unpuzzle.puzzle.heuristic import Subgoal
    from unpuzzle.puzzle.position import Position


@dataclass(frozen=True, slots=True)
class SolvedStage(Plain):
    """A stage that was solved: its group of subgoals, the states it expanded, and its length in steps."""

    group: str
    expanded: int | None
    length: int


class Stages:
    """One search by subgoals.

    Attributes:
        done: the stages solved so far.
        moves: those of all stages done, joined.
        expanded, evaluated, generated: views, also those of a stage that was not solved.
        frontier: the most views that waited at one time.
    """

    def __init__(self, puzzle: Position, ties: str, watch: Deadline, options: SearchOptions) -> None:
        self.puzzle = puzzle
        self.subgoals: Sequence[Subgoal] = subgoals_of(puzzle) or ()
        self.ties = ties
        self.watch = watch
        self.tell = options.progress
        self.counts: list[Counts] = []
        self.done: list[SolvedStage] = []
        self.moves: list[str] = []

    def run(self) -> Subgoal | None:
        """Solve all stages; the first one that has no solution ends it, and is returned. `watch` may raise."""
        position = self.puzzle
        for subgoal in () if position.solved() else self.subgoals:
            self._announce(subgoal)
            counts = Counts()
            self.counts.append(counts)
            moves = self._search(subgoal, position, counts)
            if moves is None:
                return subgoal
            for move in moves:
                position = position.apply(move)
            self.moves += moves
            self.done.append(SolvedStage(subgoal.name, counts.expanded, len(moves)))
        return None

    def _search(self, subgoal: Subgoal, position: Position, counts: Counts) -> list[str] | None:
        estimate = subgoal.estimate
        return best_first(
            subgoal.view(position),
            successors=subgoal.successors,
            goal=subgoal.achieved,
            priority=lambda g, view: g + estimate(view),
            ties=self.ties,
            key=subgoal.key,
            reopen=False,
            watch=self.watch,
            counts=counts,
        )

    def _announce(self, subgoal: Subgoal) -> None:
        number = f"stage {len(self.done) + 1} of {len(self.subgoals)} ({subgoal.name})"
        self.watch.phase = f"searching, at {number}"
        if self.tell is not None:
            self.tell(number)

    @property
    def optimal(self) -> bool:
        """Whether the moves of all stages cost no more than they must: nothing was to be done, or one stage did it."""
        return not self.moves or (len(self.subgoals) == 1 and self.subgoals[0].admissible)

    @property
    def expanded(self) -> int:
        return sum(counts.expanded for counts in self.counts)

    @property
    def evaluated(self) -> int:
        return sum(counts.evaluated for counts in self.counts)

    @property
    def generated(self) -> int:
        return sum(counts.generated for counts in self.counts)

    @property
    def frontier(self) -> int:
        return max([counts.frontier for counts in self.counts], default=0)
