"""The planner `rules`, which runs textbook searches on the rules of a puzzle, for teaching and comparisons.

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

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from time import perf_counter

from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED
from unpuzzle.base.run import current, phase
from unpuzzle.base.values import Record
from unpuzzle.model.capabilities import Overwriting, Reversible, heuristic_of, offered, required
from unpuzzle.model.faults import after
from unpuzzle.model.heuristic import NULL
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import replay
from unpuzzle.planners.rules.search import EXHAUSTED, NEVER, Answer, RulesSearch
from unpuzzle.planners.rules.strategies import (
    LEFT,
    RIGHT,
    Priority,
    best_first,
    bidirectional,
    breadth_first,
    depth_first,
    ida_star,
    mouse,
    wall_follower,
)
from unpuzzle.planning.planner import MOVES, OBJECTIVES, RULES, TIES, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.registry import ConfigurationSyntax, NumberSyntax, read_configuration, require_ties
from unpuzzle.planning.result import Result

DEFAULT = "bfs"
USUAL_WEIGHT, MOST_WEIGHT = 2, 1000
ANY_OBJECTIVE = "ucs"
"""The search that supports all objectives."""

ONE_END = "all positions that are reachable from one end were searched: there is no solution"
TWO_ENDS = "goal_position() and predecessors() are complete"
TO_OVERWRITE = "has no letters to overwrite, as crosswords have"


def _breadth_first(search: RulesSearch) -> Answer:
    moves = breadth_first(search.graph())
    return search.answer(moves, optimal=len(search.costs) <= 1)  # the moves of all positions that are less deep


def _uniform_cost(search: RulesSearch) -> Answer:
    moves = best_first(search.weighted_graph(), lambda g, position: g, ties=search.ties)
    return search.answer(moves, optimal=True)  # weights are never negative


def _best_first(search: RulesSearch, cost: int = 1, weight: float | None = 1) -> Answer:
    """Run best-first search with priority cost × g + weight × h; if `weight` is None, the search's weight is used."""
    factor = search.weight if weight is None else weight
    factor = int(factor) if factor == int(factor) else factor  # whole numbers stay exact

    def priority(g: int, position: Position) -> float:
        estimate = search.estimate(position)
        if estimate == NEVER:
            return NEVER
        try:
            value: float = cost * g + factor * estimate
        except OverflowError:
            value = NEVER
        if value < NEVER:
            return value
        # Large, but no dead end; priorities are compared only.
        return cost * g + Fraction(factor) * Fraction(estimate)  # type: ignore[return-value]

    moves = best_first(search.graph(), priority, ties=search.ties, reopen=cost > 0)
    return search.estimated(moves) if cost == factor == 1 else search.answer(moves)


def _ida_star(search: RulesSearch) -> Answer:
    return search.estimated(ida_star(search.graph(), search.estimate))


def _bidirectional(search: RulesSearch, forward: Priority, backward: Priority, *, shortest: bool = False) -> Answer:
    """Search from the start and from the goal by two priorities; return the answer."""
    graphs = search.graph(), search.backward_graph()
    moves = bidirectional(*graphs, (forward, backward), shortest=shortest, ties=search.ties, meet=search.meet)
    if moves is not None and (wrong := _disproof(search, moves)):
        return SOLVED, moves, wrong
    # The moves between the two frontiers were not seen, so here the rules must say that all cost the same.
    status, moves, message = search.answer(moves, shortest and type(search.start).cost is Position.cost, TWO_ENDS)
    return status, moves, message.replace(EXHAUSTED, ONE_END)


def _disproof(search: RulesSearch, moves: list[str]) -> str:
    """Return a sentence if a solution disproves the game's `predecessors` or `goal_position`, else an empty text."""
    position = search.start
    for number, move in enumerate(moves):
        if position.solved():
            return f"goal_position() is not the only goal: it is solved {after(moves[:number])}"
        following = position.apply(move)
        if (move, position) not in [*(required(following, Reversible, "has no way back").predecessors() or ())]:
            return f"predecessors() misses the move {move} that leads to the position {after(moves[: number + 1])}"
        position = following
    return ""


def _bidirectional_breadth_first(search: RulesSearch) -> Answer:
    def priority(depth: int, position: Position) -> float:
        return depth

    return _bidirectional(search, priority, priority, shortest=True)


def _bidirectional_greedy(search: RulesSearch, *, aimed: bool) -> Answer:
    """Search greedily from the start and the goal; if `aimed`, the backward search uses estimates to the start."""

    def to_goal(depth: int, position: Position) -> float:
        return search.estimate(position)

    def to_start(depth: int, position: Position) -> float:
        return search.estimate_from_start(position)

    return _bidirectional(search, to_goal, to_start if aimed else to_goal)


def _overwriting(search: RulesSearch, consistent: bool) -> Answer:
    """Search a crossword depth-first as in publications: new words overwrite old ones, and crossings may differ.

    In AutoToS (D. Cao, M. Katz and others, 2024) a language model writes the successors and the goal test of small
    crosswords, for a search to run with. Its successors overwrite letters, so a path to a solved grid may break the
    rules of the game: only the grid counts, and its words are turned into legal moves here. The conventions, for counts
    that compare with theirs:

        successors   each candidate of the right length for each slot, rows before columns, in the order of the lists;
                     repeated candidates repeat, and those that change nothing count, too
        frontier     last in first out; when a grid is taken from it, it is looked up in the closed set, then tested
        expanded     grids whose successors were requested            generated    all successors that were made
    """
    start = search.start
    ends = [start]

    def successors(position: Position) -> Iterator[tuple[str, Position, int]]:
        for move, following in required(position, Overwriting, TO_OVERWRITE).writings(consistent):
            yield move, following, 1

    def goal(position: Position) -> bool:
        ends[0] = position
        return position.solved()

    moves = depth_first(search.graph().replace(successors=successors, goal=goal))
    if moves is None or replay(start, moves).solved:
        return search.answer(moves)
    legal = list(required(start, Overwriting, TO_OVERWRITE).moves_towards(ends[0]))
    if replay(start, legal).solved:
        return SOLVED, legal, f"the search overwrote letters on a path of {len(moves)} words; these write its last grid"
    return GAVE_UP, None, "the search overwrote given letters: no legal moves lead to its last grid"


def _require_two_ends(search: RulesSearch) -> None:
    """Raise UsageError if a level has no single known goal, or a game does not define how moves are undone."""
    name, start = search.start.game.name, offered(search.start, Reversible)
    if start is None or start.goal_position() is None:
        raise UsageError(
            f"this level of {name} has no single known goal for a bidirectional search: choose another search"
        )
    if start.predecessors() is None:
        raise UsageError(f"a bidirectional search undoes moves, and {name} does not define how: choose another search")


def _require_two_aims(search: RulesSearch) -> None:
    _require_two_ends(search)
    if search.heuristic.between is None:
        raise UsageError(
            f"this search needs a heuristic that also estimates the cost back to the start, which the heuristic "
            f"'{search.heuristic.name}' does not do: choose another heuristic or search"
        )


def _require_compass(search: RulesSearch) -> None:
    if not (game := search.start.game).compass:
        raise UsageError(
            f"{game.name} has no directions for mouse and wall followers (`compass` is empty): choose another search"
        )


def _require_letters(search: RulesSearch) -> None:
    required(search.start, Overwriting, TO_OVERWRITE)


class Algorithm(Record):
    """A search of the planner `rules`: its description, and the function that runs it.

        no path       unsolvable: everything that can be reached was searched; but `gave_up` from a walker, and where a
                      heuristic that is not admissible has called positions hopeless
        a path        solved_optimally, if the table's comment says so; otherwise solved

    Both may depend on claims of the game's author, such as an admissible heuristic: the answer then names the claim as
    its condition, unless the search itself refutes it.

    `informed` searches take a heuristic; `number` is the meaning of `=NUMBER`, if any; `require` raises UsageError for
    an unfit puzzle.
    """

    about: str
    run: Callable[[RulesSearch], Answer]
    informed: bool = False
    number: str = ""
    require: Callable[[RulesSearch], None] = lambda search: None


WEIGHT, SEED = "weight", "seed"

# Optimal: bfs, where all moves cost the same; ucs; astar and idastar, where the heuristic is admissible;
# bidirectional-bfs, where all moves cost 1.
TABLE = {
    "dfs": Algorithm("depth-first", lambda search: search.answer(depth_first(search.graph()))),
    "bfs": Algorithm("breadth-first: fewest moves", _breadth_first),
    "ucs": Algorithm("uniform cost: least cost, or least by another objective", _uniform_cost),
    "greedy": Algorithm("greedy best-first: least estimate first", partial(_best_first, cost=0), informed=True),
    "astar": Algorithm("A*: least cost, with an admissible heuristic", _best_first, informed=True),
    "wastar": Algorithm(
        "weighted A*: at most WEIGHT times the least cost",
        partial(_best_first, weight=None),
        informed=True,
        number=WEIGHT,
    ),
    "idastar": Algorithm("IDA*: like A*, with very little memory", _ida_star, informed=True),
    "bidirectional-bfs": Algorithm(
        "breadth-first from both ends: fewest moves", _bidirectional_breadth_first, require=_require_two_ends
    ),
    "bidirectional-greedy": Algorithm(
        "greedy from both ends, both by the estimated cost to the goal, as published",
        partial(_bidirectional_greedy, aimed=False),
        informed=True,
        require=_require_two_ends,
    ),
    "bidirectional-greedy-aimed": Algorithm(
        "greedy from both ends, each towards the other",
        partial(_bidirectional_greedy, aimed=True),
        informed=True,
        require=_require_two_aims,
    ),
    "mouse": Algorithm("straight on in corridors, at random at junctions", mouse, False, SEED, _require_compass),
    "wall-left": Algorithm("wall follower, left hand", partial(wall_follower, hand=LEFT), require=_require_compass),
    "wall-right": Algorithm("wall follower, right hand", partial(wall_follower, hand=RIGHT), require=_require_compass),
    "dfs-overwriting": Algorithm(
        "depth-first, as published: words may overwrite others",
        partial(_overwriting, consistent=False),
        require=_require_letters,
    ),
    "dfs-consistent": Algorithm(
        "depth-first, as published: words must agree with the letters in the grid",
        partial(_overwriting, consistent=True),
        require=_require_letters,
    ),
}

ALGORITHMS = {name: algorithm.about for name, algorithm in TABLE.items()}
RANDOM = tuple(name for name, algorithm in TABLE.items() if algorithm.number == SEED)
"""The searches that depend on a seed."""
UNTIED = ("dfs", "bfs", "idastar", "mouse", "wall-left", "wall-right", "dfs-overwriting", "dfs-consistent")
"""The searches without priorities, so without ties between them."""
_NUMBERS = {WEIGHT: NumberSyntax(WEIGHT, 1, MOST_WEIGHT, fractions=True), SEED: NumberSyntax(SEED)}
FORMS = {name: ConfigurationSyntax(_NUMBERS.get(row.number), int(row.informed)) for name, row in TABLE.items()}


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
        """Solve a puzzle by its rules. Raises UsageError if the search or its heuristic does not fit the puzzle."""
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
    """The planner kind `rules`, which makes planners of the class `Rules`."""

    name: str = "rules"
    configurations: str = f"[:{'|:'.join(TABLE)}]"
    settings: tuple[str, ...] = ("ties", "order", "seed")
    planner = Rules
