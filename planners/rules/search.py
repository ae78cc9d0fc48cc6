"""The graph, the counts, the settings and the answer of one search on a puzzle's rules.

A `SearchGraph` is what the searches of `strategies` take, a puzzle's or any other; a `RulesSearch` is one on a puzzle.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import ceil
from typing import Any, Union

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import checkpoint, current
from unpuzzle.base.values import Record, field
from unpuzzle.model.capabilities import Reversible, required
from unpuzzle.model.faults import after, attributes_of, require_cost, require_same, require_unchanged
from unpuzzle.model.heuristic import NULL, TOLERANCE, Heuristic, exceeds
from unpuzzle.model.position import Position
from unpuzzle.planning.planner import MOVES
from unpuzzle.planning.walking import Walker, walker_of, weigh

Answer = tuple[str, list[str] | None, str]
"""The answer of a search: status, moves, and a sentence."""
EXHAUSTED = "all reachable positions were searched: there is no solution"
BUT_DEAD_ENDS = "all reachable positions but dead ends of the heuristic {} were searched: there is no solution"
UNEQUAL = "{} is not admissible, or differs for equal positions: g + h had reached {} where a path costs {}"
REFUTED = "{} is not admissible: {}, the estimate is {}, and the rest of this path costs {}\n{}"
MOVES_PER_TICK = 16
LARGE = 2**31
"""The least cost of a move for which sums with fractional estimates could lose a unit."""
Successors = Callable[[Any], Iterable[tuple[str, Any, int]]]
"""A function from a position to its moves, the positions after them, and their costs of 0 or more."""
Node = tuple[Any, str | None, Union["Node", None]]
"""A position, the move to it and its parent node; the last two are None at the start."""
Merge = Callable[[Node, Node], None]
NEVER = float("inf")


@dataclasses.dataclass(slots=True)
class Counts:
    """The counts of a search, such as expanded positions, which are updated while the search runs.

    Attributes:
        expanded: positions whose successors were computed; repetitions count.
        generated: the successors computed.
        evaluated: positions that got a priority or, in searches without priorities, that were found.
        frontier: the largest number of waiting positions.
        bound: the largest priority taken from the frontier, or the last bound of IDA*. If g + h is the priority and no
            h is too high, no path to a goal costs less.
        cost: the cost of the path that was found.
    """

    expanded: int = 0
    generated: int = 0
    evaluated: int = 0
    frontier: int = 0
    bound: float = 0
    cost: int = 0

    def check_limits(self, most: int | None) -> None:
        """Raise LimitReached if a limit of the run is reached or if `most` positions have been expanded."""
        current().look()
        if most is not None and self.expanded >= most:
            raise LimitReached(GAVE_UP, f"the limit of {most:,} expanded positions was reached")

    def figures(self) -> dict[str, Any]:
        """Return the counts by name."""
        return {name: getattr(self, name) for name in ("expanded", "generated", "evaluated", "frontier")}


def trust(old: Node, new: Node) -> None:
    """Do nothing; searches that do not compare equal positions use this function as their `merge`."""


class SearchGraph(Record):
    """A graph to be searched: its start, its successors and a test for goals; a node is any hashable object.

    Attributes:
        start: the position where the search begins.
        successors: position → (move, following position, cost of the move).
        goal: whether the search may end at a position.
        counts: filled in by the search.
        merge: called with two nodes with equal positions, before a search drops one of them; may raise.
        most: the positions that may be expanded; None for no limit.
    """

    start: Any
    successors: Successors
    goal: Callable[[Any], bool]
    counts: Counts = field(default_factory=Counts)
    merge: Merge = trust
    most: int | None = None

    def check_limits(self) -> None:
        """Raise LimitReached if a limit of the run is reached or if `most` positions have been expanded."""
        self.counts.check_limits(self.most)


def moves_to(node: Node) -> list[str]:
    moves = []
    _, move, parent = node
    while move is not None and parent is not None:
        moves.append(move)
        _, move, parent = parent
    return moves[::-1]


@dataclasses.dataclass
class RulesSearch:
    """The settings and counts of one search on a puzzle's rules.

    Settings: `weight` is for weighted A*, `seed` for random walks, `ties` for `best_first`; the moves in `order` are
    tried first, in that order. `most` positions may be expanded. `objective` gives the costs of `weighted`
    successors. Counts: `counts`, the different `costs` of all moves tried, the largest of them (`dearest`), and the
    number of infinite estimates (`hopeless`).

    An answer depends on the `condition`, the unproved claims of the game's author; `refutation` is
    the position that refutes the claim of the heuristic.
    """

    start: Position
    heuristic: Heuristic = NULL
    weight: float = 1
    seed: int = 0
    ties: str = "fifo"
    order: tuple[str, ...] | None = None
    objective: str = MOVES
    most: int | None = None
    counts: Counts = dataclasses.field(default_factory=Counts)
    costs: set[int] = dataclasses.field(default_factory=set)
    dearest: int = 0
    hopeless: int = 0
    condition: str | None = None
    refutation: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self._alike = attributes_of(type(self.start))
        self._estimate, self._admissible = self.heuristic.watched(), self.heuristic.admissible
        self._rank = {move: number for number, move in enumerate(self.order or ())}

    def successors(self, position: Position) -> Iterator[tuple[str, Position, int]]:
        """Yield the moves of a position, each with the next position and the cost of the move."""
        known = hash(position)  # before `moves`, which may make the next positions already
        moves = position.moves()
        for number, move in enumerate(sorted(moves, key=self._place) if self._rank else moves, 1):
            if number % MOVES_PER_TICK == 0:  # a level may have 90,000 moves
                checkpoint()
            cost = position.cost(move)
            if cost not in self.costs:
                require_cost(position, move, cost)
                self.costs.add(cost)
                self.dearest = max(self.costs)
            following = position.apply(move)
            require_unchanged(position, known)
            yield move, following, cost

    def predecessors(self, position: Position) -> Iterator[tuple[str, Position, int]]:
        steps = required(position, Reversible, "cannot be searched backwards").predecessors() or ()
        for move, previous in sorted(steps, key=lambda step: self._place(step[0])) if self._rank else steps:
            yield move, previous, previous.cost(move)

    def _place(self, move: str) -> int:
        return self._rank.get(move, len(self._rank))

    def estimate(self, position: Position) -> float:
        """Return the heuristic's estimate of the remaining cost; an admissible heuristic gives 0 for goals."""
        estimate = self._estimate(position)
        if estimate and self._admissible and position.solved():
            return 0
        if estimate == NEVER:
            self.hopeless += 1
        elif self.dearest >= LARGE and isinstance(estimate, float):
            return ceil(estimate - TOLERANCE)
        return estimate

    def estimate_from_start(self, position: Position) -> float:
        assert self.heuristic.between is not None
        estimate = self.heuristic.number(self.heuristic.between(self.start, position), position)
        self.hopeless += estimate == NEVER
        return estimate

    def graph(self) -> SearchGraph:
        solved = type(self.start).solved
        return SearchGraph(self.start, self.successors, solved, self.counts, self.merge, self.most)

    def weighted_graph(self) -> SearchGraph:
        """Return the graph of positions from the start, with costs by the objective, such as the number of pushes."""
        walker = None if self.objective == MOVES else walker_of(self.start)
        return self.graph() if walker is None else self.graph().replace(successors=partial(self._weighted, walker))

    def _weighted(self, walker: Walker, position: Position) -> Iterator[tuple[str, Position, int]]:
        for move, following, cost in self.successors(position):
            yield move, following, weigh(self.objective, cost, not walker.is_walk(position, move, following))

    def backward_graph(self) -> SearchGraph:
        """Return the graph from the goal to predecessors. Raises UsageError if the game has no `predecessors`."""
        end = required(self.start, Reversible, "cannot be searched from both ends").goal_position()
        merge = self.merge_behind
        return SearchGraph(end, self.predecessors, self.start.__eq__, self.counts, merge, self.most)

    # Equal positions that are not the same are refused, since the search continues from only one of them.

    def merge(self, old: Node, new: Node) -> None:
        """Raise GameFault if two nodes of the forward search have equal positions with different moves."""
        if not self._alike(old[0], new[0]):
            require_same(old[0], new[0], lambda: (after(moves_to(old)), after(moves_to(new))))

    def merge_behind(self, old: Node, new: Node) -> None:
        """Raise GameFault if two nodes of the backward search have equal positions that behave differently."""
        require_same(old[0], new[0], lambda: (before(moves_to(old)), before(moves_to(new))))

    def meet(self, here: Node, there: Node) -> None:
        """Raise GameFault if two nodes, one of each search direction, have equal positions that behave differently."""
        require_same(here[0], there[0], lambda: (after(moves_to(here)), before(moves_to(there))))

    def answer(self, moves: list[str] | None, optimal: bool = False, *claims: str) -> Answer:
        """Return the status, the moves and the message of a finished search; `claims` are the conditions of a proof."""
        name, rests = self.heuristic.name, ""
        if moves is None and self.hopeless:
            if not self._admissible:
                return GAVE_UP, None, f"the heuristic {name}, which may be wrong, left no position to search"
            claims = (f"{name} is admissible", *claims)
        if claims and (moves is None or optimal):
            self.condition = " and ".join(claims)
            rests = f" if {self.condition}"
        if moves is None:
            return UNSOLVABLE, None, (BUT_DEAD_ENDS.format(name) if self.hopeless else EXHAUSTED) + rests
        return SOLVED_OPTIMALLY if optimal else SOLVED, moves, rests and f"optimal{rests}"

    def estimated(self, moves: list[str] | None) -> Answer:
        """Return an A* search's answer: optimal, unless the path found proves that the heuristic is not admissible.

        With an admissible heuristic no search takes a path whose g + h is more than the cost of any solution.
        """
        name, position, left = self.heuristic.name, self.start, self.counts.cost
        if moves is None or not self._admissible or self.heuristic is NULL:
            return self.answer(moves, self._admissible)
        for number in range(len(moves) + 1):
            if exceeds(estimate := self._estimate(position), left):
                self.refutation = _refutation(position, moves, number, estimate, left)
                where = after(moves[:number])
                return SOLVED, moves, REFUTED.format(name, where, estimate, left, str(position).rstrip())
            if number < len(moves):
                left -= position.cost(moves[number])
                position = position.apply(moves[number])
        bound, cost = self.counts.bound, self.counts.cost
        if exceeds(bound, cost):
            self.refutation = _refutation(self.start, moves, 0, bound, cost)
            return SOLVED, moves, UNEQUAL.format(name, bound, cost)
        return self.answer(moves, True, f"{name} is admissible")


def _refutation(position: Position, moves: list[str], number: int, estimate: float, cost: int) -> dict[str, Any]:
    """Describe, as data for JSON, a position from which the solution costs less than the heuristic's estimate."""
    way = {"moves": moves[:number], "position": str(position), "solution": moves[number:]}
    return {**way, "estimate": estimate, "cost": cost}


def before(undone: list[str]) -> str:
    """Describe a position by the moves from there to the goal, which are `undone` in reverse order."""
    return f"with {' '.join(reversed(undone))} still to play" if undone else "at the goal"
