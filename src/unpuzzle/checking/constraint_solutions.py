"""Compare the solutions of a puzzle's constraints with its rules.

    each solution of the constraints    its moves are legal, solve the level, and cost what the constraints say
    each reachable solved position      is reached by the moves of some solution
    the least cost                      is the same by the rules and by the constraints

The last two need all reachable positions and all solutions, up to `MOST_SOLUTIONS` and `MOST_NODES` of the search.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import accumulate

from unpuzzle.checking.report import CONSTRAINTS, Difference, listed
from unpuzzle.constraints import Constraints, Search, TooManyNodesError
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline
from unpuzzle.puzzle.capabilities import Constrained, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.spaces.by_rules import RulesSpace, reachable_by_rules
from unpuzzle.walks import distances

Values = Mapping[str, Hashable]

MOST_SOLUTIONS = 10_000
MOST_NODES = 100_000
VALUES_SHOWN = 6


class Apart(Exception):
    """A difference between rules and constraints after some moves: what each of them says, in words."""

    def __init__(self, moves: tuple[str, ...], rules: str, constraints: str) -> None:
        self.difference: Difference = Difference(moves, rules, "", CONSTRAINTS, constraints=constraints)
        super().__init__(str(self.difference))


class Solutions:
    """The comparison of one level.

    Attributes:
        number: the number of solutions compared; None for a puzzle without constraints.
        all_compared: whether all solutions and all solved positions were compared.
        difference: the first one, or None.
    """

    def __init__(self, level: Position) -> None:
        self._level = level
        self._constrained = offered(level, Constrained)
        self._ends: set[Position] = set()
        self._costs: dict[int, tuple[str, ...]] = {}
        self.number: int | None = None if self._constrained is None else 0
        self.all_compared: bool = self._constrained is None
        self.difference: Difference | None = None

    def compare(self, exhaustive: bool, watch: Deadline) -> None:
        """Compare until a difference is found; if `exhaustive`, with all solved positions. Raises LimitReached."""
        if self._constrained is None:
            return
        try:
            if self._compare_solutions(self._constrained, watch) and exhaustive:
                space = reachable_by_rules(self._level, limits=watch)
                if not space.complete:
                    raise LimitReached(space.status, space.message)
                self._compare_ends(space)
                self._compare_least(space)
                self.all_compared = True
        except TooManyNodesError:
            return
        except Apart as apart:
            self.difference = apart.difference

    def _compare_solutions(self, constrained: Constrained, watch: Deadline) -> bool:
        """Replay the moves of each solution, up to MOST_SOLUTIONS; return whether these are all."""
        model = constrained.constraints()
        search = Search(model, limits=watch, most_nodes=MOST_NODES)
        for number, values in enumerate(search.solutions()):
            if number == MOST_SOLUTIONS:
                return False
            self._play(tuple(constrained.moves_to(values)), values, model)
            self.number = number + 1
        return True

    def _play(self, moves: tuple[str, ...], values: Values, model: Constraints) -> None:
        words = f"{' '.join(moves) or 'nothing to do'} solves it: {_shown(values)}"
        played = replay(self._level, moves)
        if not played.solved:
            legal = moves if played.step is None else moves[: played.step - 1]
            raise Apart(legal, played.reason, words)
        if model.costs is not None and model.cost(values) != played.cost:
            theirs = f"it costs {model.cost(values)}: {_shown(values)}"
            raise Apart(moves, f"{' '.join(moves)} costs {played.cost}", theirs)
        self._ends.update(accumulate(moves, lambda position, move: position.apply(move), initial=self._level))
        self._costs.setdefault(played.cost, moves)
        if model.costs is None and len(self._costs) > 1:
            (cost, first), (other, second) = self._costs.items()
            rules = f"{' '.join(first)} costs {cost}, {' '.join(second)} costs {other}"
            raise Apart(moves, rules, "all solutions cost the same")

    def _compare_ends(self, space: RulesSpace) -> None:
        """Require that each solved position, the first one on its path, is reached by some solution."""
        goals = space.goals

        def after(state: int) -> list[int]:
            return [] if goals[state] else [target for _, target in space.successors(state)]

        for state in distances([0], after):
            if goals[state] and space.positions[state] not in self._ends:
                raise Apart(space.path(state), "the puzzle is solved", f"none of {self.number:,} solutions leads here")

    def _compare_least(self, space: RulesSpace) -> None:
        cost, plan = space.goal_distance[0], space.plan()
        if plan is not None and self._costs and cost != min(self._costs):
            rules = f"{' '.join(plan)} solves it, and costs {cost}"
            raise Apart(plan, rules, f"no solution costs less than {min(self._costs)}")


def _shown(values: Values) -> str:
    return listed([f"{name}={value}" for name, value in values.items()], VALUES_SHOWN)
