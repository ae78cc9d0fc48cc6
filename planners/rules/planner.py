"""Textbook searches on a puzzle's own rules, without PDDL and grounding; for teaching, for comparisons, and as
ground truth.

    rules:NAME[=NUMBER][(HEURISTIC)]        rules:bfs, rules:astar(manhattan), rules:wastar=2, rules:mouse=7

    dfs, bfs, ucs                           depth-first, breadth-first (which `rules` alone is), uniform cost
    greedy, astar, wastar=WEIGHT, idastar   with a heuristic of the puzzle's, by its name
    bidirectional-bfs                       from both ends, if the puzzle knows its goal position
    bidirectional-greedy                    the same, greedily: both ends are guided by the estimate of the way *to the
                                            goal*, which is a mistake backwards, but was published
    bidirectional-greedy-aimed              corrected: each end is guided to the other
    mouse=SEED, wall-left, wall-right       walkers in a maze
    dfs-overwriting, dfs-consistent         of crosswords: depth-first with the successors of published work

Without a number the weight is 2 and the seed 0; without a heuristic, the puzzle's first that is not `null` is taken.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.base.errors import MEMOUT, LimitReached, UsageError
from unpuzzle.base.run import current, phase
from unpuzzle.planners.rules.algorithms import SEED, TABLE, UNTIED, WEIGHT
from unpuzzle.planners.rules.search import RulesSearch
from unpuzzle.planning.planner import MOVES, OBJECTIVES, RULES, TIES, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.registry import Form, Number, read_configuration, require_ties
from unpuzzle.planning.result import Result
from unpuzzle.puzzle.capabilities import heuristic_of
from unpuzzle.puzzle.heuristic import NULL
from unpuzzle.puzzle.position import Position

DEFAULT = "bfs"
USUAL_WEIGHT, MOST_WEIGHT = 2, 1000
ANY_OBJECTIVE = "ucs"
"""The search that supports all objectives."""


_NUMBERS = {WEIGHT: Number(WEIGHT, 1, MOST_WEIGHT, fractions=True), SEED: Number(SEED)}
FORMS = {name: Form(_NUMBERS.get(row.number), int(row.informed)) for name, row in TABLE.items()}


class Rules(Planner):
    """A planner that runs one of the textbook searches.

    Args:
        config: its name, with number and heuristic.
        ties: which of several best positions is first, for the searches with a priority; see `best_first`.
        order: moves in the order of trying; all others (or all, if None) follow in the puzzle's order.
        seed: the seed of the mouse; None is the number in `config`, or 0.

    Raises UsageError for an unknown search or ties, and for arguments that the search does not take.
    """

    reads: tuple[str, ...] = (RULES,)

    def __init__(
        self,
        config: str | None = None,
        *,
        ties: str = TIES[0],
        order: tuple[str, ...] | None = None,
        seed: int | None = None,
    ) -> None:
        self.name: str = f"rules:{DEFAULT if config is None else config}"
        chosen = read_configuration("rules", DEFAULT if config is None else config, FORMS)
        self.algorithm: str = chosen.name
        self.objectives: tuple[str, ...] = OBJECTIVES if chosen.name == ANY_OBJECTIVE else (MOVES,)
        self.heuristic: str | None = chosen.arguments[0] if chosen.arguments else None
        self.ties: str = require_ties(ties)
        if ties != TIES[0] and chosen.name in UNTIED:
            raise UsageError(f"ties can be set only for a search with priorities, and {self.name} has none")
        self.order: tuple[str, ...] | None = order
        seeded = TABLE[chosen.name].number == SEED
        self.weight: float = USUAL_WEIGHT if chosen.number is None or seeded else chosen.number
        self.seed: int = int((chosen.number if seeded else None) or 0) if seed is None else seed

    def solve(self, subject: Position, options: SearchOptions = USUAL) -> Result:
        """Search on the rules of a puzzle. Raises UsageError if search or heuristic do not fit the puzzle."""
        began = perf_counter()
        search = self._search(subject, options.max_expanded, options.objective)
        try:
            with phase("searching"):
                status, moves, message = TABLE[self.algorithm].run(search)
        except LimitReached as reached:
            status, moves, message = reached.status, None, str(reached)
        except MemoryError:
            status, moves, message = MEMOUT, None, "the memory ran out while searching"
        return Result(
            status,
            self.name,
            moves=None if moves is None else tuple(moves),
            seconds={"search": perf_counter() - began},
            peak_memory=current().peak(),
            message=message,
            condition=search.condition,
            details={} if search.refutation is None else {"refutation": search.refutation},
            **search.counts.figures(),
        )

    def require(self, subject: Position) -> None:
        self._search(subject)

    def _search(self, start: Position, most: int | None = None, objective: str = MOVES) -> RulesSearch:
        algorithm = TABLE[self.algorithm]
        heuristic = heuristic_of(start, self.heuristic) if algorithm.informed else NULL
        search = RulesSearch(start, heuristic, self.weight, self.seed, self.ties, self.order, objective, most)
        algorithm.require(search)
        return search


class RulesKind(PlannerKind):
    """The planner kind `rules`, whose planners search on the rules of a puzzle."""

    name: str = "rules"
    configurations: str = f"[:{'|:'.join(TABLE)}]"
    settings: tuple[str, ...] = ("ties", "order", "seed")
    planner = Rules
