"""explore(): all that can happen in a level. How many positions, how deep; where is the player lost, what is hardest?

The state space comes from the native core (`by_task.py`), or, where that was not compiled, from the rules in plain
Python (`by_rules.py`), with the same answers. The core knows states of the PDDL: the position of a state is found by
playing moves from the start to it.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.limits import Deadline
from unpuzzle.planning import registry
from unpuzzle.puzzle.replaying import replay, require_solution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from networkx import MultiDiGraph

    from unpuzzle.limits import Limits
    from unpuzzle.puzzle.position import Position
    from unpuzzle.spaces.space import Space


class Hardest:
    """The position that is farthest from any goal.

    Attributes: `position`, the least `cost` from there, `moves` that cost it, and the `number` of positions as far.
    """

    __slots__ = ("cost", "moves", "number", "position")

    def __init__(self, position: Position, cost: int, moves: tuple[str, ...], number: int) -> None:
        self.position = position
        self.cost = cost
        self.moves = moves
        self.number = number

    def __repr__(self) -> str:
        return f"Hardest({self.position!r}, cost={self.cost})"


class Branching:
    """How many moves a position has: `mean`, `least` and `most`."""

    __slots__ = ("least", "mean", "most")

    def __init__(self, mean: float, least: int, most: int) -> None:
        self.mean = mean
        self.least = least
        self.most = most

    def __repr__(self) -> str:
        return f"Branching(mean={self.mean}, least={self.least}, most={self.most})"


class Exploration:
    """What can be reached from a position: from solved positions, too, it goes on.

    Attributes:
        level: the position at the start, which is state 0.
        space: the arrays behind all this; its actions are those of the PDDL, or moves.
    """

    def __init__(self, level: Position, space: Space[Any]) -> None:
        self.level = level
        self.space = space
        self._moves: dict[Any, str] = {
            action: action if isinstance(action, str) else level.decode(action) for action in set(space.actions)
        }

    @property
    def states(self) -> int:
        """How many positions there are."""
        return self.space.states

    @property
    def transitions(self) -> int:
        """How many legal moves there are, over all positions."""
        return self.space.transitions

    @cached_property
    def depths(self) -> list[int]:
        """By fewest moves from the start, how many positions there are."""
        return self.space.depths()

    @cached_property
    def goals(self) -> int:
        """How many positions are solved."""
        return sum(self.space.goals)

    @cached_property
    def dead_ends(self) -> int:
        """From how many positions no goal can be reached."""
        return len(self.space.dead_ends)

    @property
    def cost(self) -> int | None:
        """The least cost from the start to a goal; None if there is no way."""
        cost: int = self.space.goal_distance[0]
        return None if cost < 0 else cost

    @property
    def reason(self) -> str:
        """Why there is no way from the start to a goal; empty if there is one."""
        if self.cost is not None:
            return ""
        return self.level.impossible() or "everything that can be reached was searched, and there is no goal"

    @property
    def optimal_plans(self) -> int | None:
        """How many sequences of moves from the start to a goal have least cost, order mattering; 0 from a dead end.

        1 says that there is one way only. None: there is no end to them, since moves of cost 0 go round. Where a goal
        can be left at no cost, sequences that go on to another goal count, too.
        """
        return self.space.optimal_plans()

    @cached_property
    def branching(self) -> Branching:
        """How many moves a position has."""
        offsets = self.space.offsets.tolist()
        numbers = [end - start for start, end in pairwise(offsets)]
        return Branching(self.transitions / self.states, min(numbers), max(numbers))

    @cached_property
    def hardest(self) -> Hardest | None:
        """The hardest start; of several the one that is first reached. None if all positions are dead ends."""
        state = self.space.hardest
        if state is None:
            return None
        moves = tuple([self._moves[action] for action in self.space.plan(state) or ()])
        costs = self.space.goal_distance.tolist()
        hardest = Hardest(self.position(state), costs[state], moves, costs.count(costs[state]))
        require_solution(hardest.position, moves, hardest.cost)
        return hardest

    def position(self, state: int) -> Position:
        """The position of a state, found by playing."""
        return replay(self.level, self.way(state)).position

    def way(self, state: int) -> tuple[str, ...]:
        """Fewest moves from the start to a state."""
        return tuple([self._moves[action] for action in self.space.path(state)])

    def positions(self) -> list[Position]:
        """The positions of all states."""
        known: dict[int, Position] = {0: self.level}
        for state in range(self.states):
            for move, target, _ in self.successors(state):
                if target not in known:
                    known[target] = known[state].apply(move)
        return [known[state] for state in range(self.states)]

    @cached_property
    def moves(self) -> list[str]:
        """The moves that the operators of `space` stand for, by their numbers; several may stand for one."""
        return [self._moves[action] for action in self.space.actions]

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        """The legal moves in a state, each with the state it leads to and its cost."""
        space = self.space
        edges = range(space.offsets[state], space.offsets[state + 1])
        found = [(space.operators[edge], space.targets[edge]) for edge in edges]
        return [(self._moves[space.actions[operator]], target, space.costs[operator]) for operator, target in found]

    def graph(self) -> MultiDiGraph:
        """The state space as a graph of networkx; see `graphs.py`."""
        from unpuzzle.spaces.graphs import to_networkx

        return to_networkx(self)

    def __repr__(self) -> str:
        return f"Exploration({self.states} states, {self.transitions} transitions)"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Mapping[str, str]:
        """What notebooks show."""
        from unpuzzle.drawing import mimebundle

        return mimebundle(self)


def explore(
    level: Position,
    limits: Limits | Deadline | None = None,
    *,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exploration:
    """Everything that can be reached from a position. (For a PDDL task: `reachable`.)

    Args:
        level: the position.
        limits: of time and memory, of all that it takes.
        max_states: the most states that there may be.
        progress: called now and then with the number of positions whose moves have been tried.

    Raises LimitReached where a limit is too small: its `status` is `timeout`, `memout` or, for `max_states`,
    `gave_up`.
    """
    deadline = Deadline.of(limits, "exploring")
    if registry.missing("native") is None:
        from unpuzzle.spaces.by_task import reachable

        try:
            return Exploration(
                level, reachable(level, deadline.during("grounding"), max_states=max_states, progress=progress)
            )
        except UnsupportedFeature:
            pass  # a game without PDDL, or whose actions stand for one move here and another there
    from unpuzzle.spaces.by_rules import reachable_by_rules

    return Exploration(level, reachable_by_rules(level, deadline, max_states=max_states, progress=progress))
