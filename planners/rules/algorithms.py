"""The table of searches: each is chosen by name, runs on a puzzle, and returns a status that claims only proved facts.

`ALGORITHMS` is the table. The searches themselves, each in the file of its name, do not know puzzles and statuses;
this module interprets their answers:

    no path       unsolvable: everything that can be reached was searched; but `gave_up` from a walker, and where a
                  heuristic that is not admissible has called positions hopeless
    a path        solved_optimally, if the table's comment says so; otherwise solved

Both may depend on claims of the game's author, such as an admissible heuristic: the answer then names the claim as its
condition, unless the search itself refutes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from unpuzzle.base.errors import GAVE_UP, SOLVED, UsageError
from unpuzzle.base.values import Record
from unpuzzle.planners.rules.best_first import best_first
from unpuzzle.planners.rules.bidirectional import Priority, bidirectional
from unpuzzle.planners.rules.graph import NEVER, Node, SearchGraph, moves_to
from unpuzzle.planners.rules.search import EXHAUSTED, Answer, RulesSearch
from unpuzzle.planners.rules.uninformed import breadth_first, depth_first
from unpuzzle.planners.rules.walkers import LEFT, RIGHT, mouse, wall_follower
from unpuzzle.puzzle.capabilities import Overwriting, Reversible, offered, required
from unpuzzle.puzzle.faults import after
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay

ONE_END = "all positions that one end reaches were searched: there is no solution"
TWO_ENDS = "goal_position() and predecessors() leave out no way"
TO_OVERWRITE = "has no letters to overwrite, as crosswords have"


def _breadth_first(search: RulesSearch) -> Answer:
    moves = breadth_first(search.graph())
    return search.answer(moves, optimal=len(search.costs) <= 1)  # the moves of all positions that are less deep


def _uniform_cost(search: RulesSearch) -> Answer:
    moves = best_first(search.weighted_graph(), lambda g, position: g, ties=search.ties)
    return search.answer(moves, optimal=True)  # weights are never negative


def _best_first(search: RulesSearch, cost: int = 1, weight: float | None = 1) -> Answer:
    """Run best-first search with the priority cost × g + weight × h; None means the configured weight."""
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
    graphs = search.graph(), search.backward_graph()
    moves = bidirectional(*graphs, (forward, backward), shortest=shortest, ties=search.ties, meet=search.meet)
    if moves is not None and (wrong := _one_sided(search, moves)):
        return SOLVED, moves, wrong
    # The moves between the two frontiers were not seen, so here the rules must say that all cost the same.
    status, moves, message = search.answer(moves, shortest and type(search.start).cost is Position.cost, TWO_ENDS)
    return status, moves, message.replace(EXHAUSTED, ONE_END)


def _one_sided(search: RulesSearch, moves: list[str]) -> str:
    """Return a sentence about the first position that refutes the game's claims for backward search; empty if none."""
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
    def to_goal(depth: int, position: Position) -> float:
        return search.estimate(position)

    def to_start(depth: int, position: Position) -> float:
        return search.estimate_from_start(position)

    return _bidirectional(search, to_goal, to_start if aimed else to_goal)


def _overwriting(search: RulesSearch, consistent: bool) -> Answer:
    """Search depth-first with published successors, which overwrite words; with `consistent`, letters must agree.

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
        return SOLVED, legal, f"the search overwrote letters on a way of {len(moves)} words; these write its last grid"
    return GAVE_UP, None, "the search overwrote given letters: no legal moves lead to the grid that it ended in"


def _require_two_ends(search: RulesSearch) -> None:
    name, start = search.start.game.name, offered(search.start, Reversible)
    if start is None or start.goal_position() is None:
        raise UsageError(
            f"a bidirectional search also starts at the goal, and this level of {name} has no single known goal"
        )
    if start.predecessors() is None:
        raise UsageError(f"a bidirectional search undoes moves, and {name} does not define how")


def _require_two_aims(search: RulesSearch) -> None:
    _require_two_ends(search)
    if search.heuristic.between is None:
        raise UsageError(f"the heuristic {search.heuristic.name} only knows the way to the goal, not back to the start")


def _require_compass(search: RulesSearch) -> None:
    if not (game := search.start.game).compass:
        raise UsageError(
            f"mouse and wall followers need a grid with directions; {game.name} defines none (`compass` is empty)"
        )


def _require_letters(search: RulesSearch) -> None:
    required(search.start, Overwriting, TO_OVERWRITE)


class Algorithm(Record):
    """A row of `TABLE`: a description and the function of a search.

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
        "A* with a weight on the estimate: at most that many times the least cost",
        partial(_best_first, weight=None),
        informed=True,
        number=WEIGHT,
    ),
    "idastar": Algorithm("IDA*: as A*, in next to no memory", _ida_star, informed=True),
    "bidirectional-bfs": Algorithm(
        "breadth-first from both ends: fewest moves", _bidirectional_breadth_first, require=_require_two_ends
    ),
    "bidirectional-greedy": Algorithm(
        "greedy from both ends, both by the estimate of the way to the goal, as published",
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


# IDA*: repeated depth-first search within a growing bound on g + h (R. E. Korf, 1985).
#
# It stores only one path, so it needs little memory, but a position with many paths to it is expanded once for each of
# them, and again in each round. The next bound is the least g + h beyond the last bound; so with an admissible
# heuristic the first solution is optimal. A path never returns to a position on it: that would be no shorter and, with
# moves of cost 0, endless.

Estimate = Callable[[Any], float]


def ida_star(graph: SearchGraph, estimate: Estimate) -> list[str] | None:
    """Return the moves of a path to a goal, or None if there is none.

    `estimate` is the heuristic, infinity for a dead end. `counts.frontier` is the length of the longest path.
    """
    bound = estimate(graph.start)
    while bound < NEVER:
        moves, bound = _round(graph, estimate, bound)
        if moves is not None:
            return moves
    return None


def _round(graph: SearchGraph, estimate: Estimate, bound: float) -> tuple[list[str] | None, float]:
    """Search depth-first within a bound on g + h; return the moves, or None, and the least g + h beyond the bound."""
    counts = graph.counts
    beyond = NEVER
    path: dict[Any, Node] = {}  # the positions in order
    node: Node | None = None  # the last of them
    # Before each position of the path, and after the last.
    untried: list[Iterator[tuple[str | None, Any, int]]] = [iter([(None, graph.start, 0)])]
    while untried:
        step = next(untried[-1], None)
        if step is None:
            untried.pop()
            if node is not None:
                node = path.popitem()[1][2]
            continue
        move, position, g = step
        if position in path:
            graph.merge(path[position], (position, move, node))
            continue
        counts.evaluated += 1
        rest = estimate(position)
        value = rest if rest == NEVER else g + rest  # g may be too large for a float
        if value > bound:
            beyond = min(beyond, value)
            continue
        node = path[position] = (position, move, node)
        counts.frontier = max(counts.frontier, len(path))
        if graph.goal(position):
            counts.bound, counts.cost = bound, g
            return moves_to(node), bound
        graph.look()
        counts.expanded += 1
        untried.append(_steps(graph, position, g))
    return None, beyond


def _steps(graph: SearchGraph, position: Any, g: int) -> Iterator[tuple[str, Any, int]]:
    for move, following, cost in graph.successors(position):
        graph.counts.generated += 1
        yield move, following, g + cost
