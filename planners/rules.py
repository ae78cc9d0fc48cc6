"""Textbook searches on a puzzle's own rules: no PDDL, no grounding. For teaching, for comparing, and as ground truth.

rules:bfs    breadth-first; the queue is first in, first out, and the goal is tested when a position is generated
"""

from __future__ import annotations

from collections import deque
from time import perf_counter

from unpuzzle.errors import ParseError
from unpuzzle.result import MEMOUT, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE, Limits, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.puzzle import Puzzle

POSITIONS_PER_LOOK = 64

CONFIGURATIONS_HELP = ":bfs"


def make(config: str | None) -> BreadthFirst:
    """The planner `rules:config`. Raises ParseError for an unknown search."""
    if config not in (None, "bfs"):
        raise ParseError(f"unknown search 'rules:{config}'; known is bfs")
    return BreadthFirst()


def missing() -> str | None:
    """None: these searches need nothing but Python."""
    return None


class BreadthFirst:
    """Fewest moves first. Optimal where all moves cost the same, otherwise the answer is only `solved`.

    `expanded` counts positions whose moves were tried, `generated` the successors so made.
    """

    name = "rules:bfs"
    reads = "rules"

    def solve(self, puzzle: Puzzle, limits: Limits) -> Result:
        start = perf_counter()
        status, moves = self._search(puzzle, limits, start)
        return Result(
            status,
            self.name,
            moves=moves,
            expanded=self.expanded,
            evaluated=len(self.parents),
            generated=self.generated,
            seconds={"search": perf_counter() - start},
            message={
                UNSOLVABLE: "all reachable positions were searched: there is no solution",
                TIMEOUT: "the time limit was reached while searching",
                MEMOUT: "the memory limit was reached while searching",
            }.get(status, ""),
        )

    def _search(self, puzzle: Puzzle, limits: Limits, start: float) -> tuple[str, tuple[str, ...] | None]:
        self.parents: dict[Puzzle, tuple[Puzzle, str] | None] = {puzzle: None}
        self.expanded = self.generated = 0
        costs: set[int] = set()
        if puzzle.solved():
            return SOLVED_OPTIMALLY, ()
        queue = deque([puzzle])
        while queue:
            if self.expanded % POSITIONS_PER_LOOK == 0:
                ended = _limit_reached(limits, start)
                if ended is not None:
                    return ended, None
            position = queue.popleft()
            self.expanded += 1
            for move in position.moves():
                self.generated += 1
                costs.add(position.cost(move))
                following = position.apply(move)
                if following not in self.parents:
                    self.parents[following] = (position, move)
                    if following.solved():
                        return SOLVED_OPTIMALLY if len(costs) == 1 else SOLVED, self._path(following)
                    queue.append(following)
        return UNSOLVABLE, None

    def _path(self, position: Puzzle) -> tuple[str, ...]:
        moves = []
        step = self.parents[position]
        while step is not None:
            position, move = step
            moves.append(move)
            step = self.parents[position]
        return tuple(reversed(moves))


def _limit_reached(limits: Limits, start: float) -> str | None:
    if limits.time is not None and perf_counter() - start > limits.time:
        return TIMEOUT
    if limits.memory is not None:
        import psutil

        if psutil.Process().memory_info().rss > limits.memory:
            return MEMOUT
    return None
