"""The searches as planners use them: by name, on a puzzle, with a status that claims no more than is proved.

`ALGORITHMS` is the table. Each search itself, in the file of its name, knows nothing of puzzles and statuses; here
is what its answer means:

    no path       unsolvable: everything that can be reached was searched; but `gave_up` from a walker, and where a
                  heuristic that is not admissible has called positions hopeless
    a path        solved_optimally, if what the table's comment says holds; otherwise solved
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from unpuzzle.errors import UsageError
from unpuzzle.planners.rules.best_first import best_first
from unpuzzle.planners.rules.bidirectional import bidirectional
from unpuzzle.planners.rules.breadth_first import breadth_first
from unpuzzle.planners.rules.depth_first import depth_first
from unpuzzle.planners.rules.ida_star import ida_star
from unpuzzle.planners.rules.overwriting import PURPOSE, overwriting
from unpuzzle.planners.rules.search import Answer, Search
from unpuzzle.planners.rules.walkers import LEFT, RIGHT, mouse, wall_follower
from unpuzzle.puzzle.capabilities import Overwriting, Reversible, offered, required
from unpuzzle.puzzle.position import Position
from unpuzzle.result import GAVE_UP, SOLVED

Priority = Callable[[int, Position], float]


def _depth_first(search: Search) -> Answer:
    return search.answer(depth_first(search.start, **search.basics()))


def _breadth_first(search: Search) -> Answer:
    moves = breadth_first(search.start, **search.basics())
    return search.answer(moves, optimal=len(search.costs) <= 1)  # the moves of all positions that are less deep


def _best_first(search: Search, weight_of_cost: int, weight_of_estimate: float, optimal: bool) -> Answer:
    def priority(g: int, position: Position) -> float:
        return weight_of_cost * g + weight_of_estimate * search.estimate(position)

    moves = best_first(search.start, priority=priority, ties=search.ties, reopen=weight_of_cost > 0, **search.basics())
    return search.answer(moves, optimal)


def _uniform_cost(search: Search) -> Answer:
    moves = best_first(search.start, priority=lambda g, position: g, ties=search.ties, **search.basics())
    return search.answer(moves, optimal=True)  # costs are never negative


def _greedy(search: Search) -> Answer:
    return _best_first(search, 0, 1, optimal=False)


def _a_star(search: Search) -> Answer:
    return _best_first(search, 1, 1, optimal=search.heuristic.admissible)


def _weighted_a_star(search: Search) -> Answer:
    # Of at most weight times the least cost, if the heuristic is admissible.
    return _best_first(search, 1, search.weight, optimal=search.heuristic.admissible and search.weight == 1)


def _ida_star(search: Search) -> Answer:
    moves = ida_star(search.start, estimate=search.estimate, **search.basics())
    return search.answer(moves, optimal=search.heuristic.admissible)


def _bidirectional(search: Search, forward: Priority, backward: Priority, *, shortest: bool = False) -> Answer:
    end = required(search.start, Reversible, "cannot be searched from both ends").goal_position()
    assert end is not None
    moves = bidirectional(
        search.start,
        end,
        successors=search.successors,
        predecessors=search.predecessors,
        forward=forward,
        backward=backward,
        shortest=shortest,
        ties=search.ties,
        watch=search.watch,
        counts=search.counts,
        merge=search.merge,
        merge_behind=search.merge_behind,
        meet=search.meet,
    )
    # The moves between the two frontiers were not seen, so here the rules must say that all cost the same.
    return search.answer(moves, optimal=shortest and type(search.start).cost is Position.cost)


def _bidirectional_breadth_first(search: Search) -> Answer:
    def priority(depth: int, position: Position) -> float:
        return depth

    return _bidirectional(search, priority, priority, shortest=True)


def _bidirectional_greedy(search: Search, *, aimed: bool) -> Answer:
    def to_goal(depth: int, position: Position) -> float:
        return search.estimate(position)

    def to_start(depth: int, position: Position) -> float:
        return search.estimate_from_start(position)

    return _bidirectional(search, to_goal, to_start if aimed else to_goal)


def _walk(search: Search, hand: int | None = None) -> Answer:
    """Walk with a hand on the wall, or as a mouse."""
    if hand is None:
        moves, reason = mouse(search.start, rng=Random(search.seed), watch=search.watch, counts=search.counts)
    else:
        moves, reason = wall_follower(search.start, hand=hand, watch=search.watch, counts=search.counts)
    return (GAVE_UP, None, reason) if reason else (SOLVED, moves, "")


def _any(search: Search) -> None:
    """Let every puzzle pass."""


def _two_ends(search: Search) -> None:
    name, start = search.start.game.name, offered(search.start, Reversible)
    if start is None or start.goal_position() is None:
        raise UsageError(
            f"a bidirectional search starts at the goal, too: of this level of {name} no single one is known"
        )
    if start.predecessors() is None:
        raise UsageError(f"a bidirectional search undoes moves: {name} does not tell how")


def _two_aims(search: Search) -> None:
    _two_ends(search)
    if search.heuristic.between is None:
        raise UsageError(f"the heuristic {search.heuristic.name} only knows the way to the goal, not back to the start")


def _walker(search: Search) -> None:
    if not (game := search.start.game).compass:
        raise UsageError(f"mouse and wall followers walk on a grid; {game.name} has no compass to walk by")


def _letters(search: Search) -> None:
    required(search.start, Overwriting, PURPOSE)


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A search of `TABLE`.

    Attributes:
        about: what it is.
        run: makes the search.
        informed: whether it wants a heuristic.
        number: what `=NUMBER` stands for, or empty.
        require: raises UsageError for a puzzle that the search does not fit.
    """

    about: str
    run: Callable[[Search], Answer]
    informed: bool = False
    number: str = ""
    require: Callable[[Search], None] = _any


WEIGHT, SEED = "weight", "seed"

# Optimal: bfs, where all moves cost the same; ucs; astar and idastar, where the heuristic is admissible;
# bidirectional-bfs, where all moves cost 1.
TABLE = {
    "dfs": Algorithm("depth-first", _depth_first),
    "bfs": Algorithm("breadth-first: fewest moves", _breadth_first),
    "ucs": Algorithm("uniform cost: least cost", _uniform_cost),
    "greedy": Algorithm("greedy best-first: least estimate first", _greedy, informed=True),
    "astar": Algorithm("A*: least cost, with an admissible heuristic", _a_star, informed=True),
    "wastar": Algorithm(
        "A* with a weight on the estimate: at most that many times the least cost",
        _weighted_a_star,
        informed=True,
        number=WEIGHT,
    ),
    "idastar": Algorithm("IDA*: as A*, in next to no memory", _ida_star, informed=True),
    "bidirectional-bfs": Algorithm(
        "breadth-first from both ends: fewest moves", _bidirectional_breadth_first, require=_two_ends
    ),
    "bidirectional-greedy": Algorithm(
        "greedy from both ends, both by the estimate of the way to the goal, as published",
        partial(_bidirectional_greedy, aimed=False),
        informed=True,
        require=_two_ends,
    ),
    "bidirectional-greedy-aimed": Algorithm(
        "greedy from both ends, each towards the other",
        partial(_bidirectional_greedy, aimed=True),
        informed=True,
        require=_two_aims,
    ),
    "mouse": Algorithm("straight on in corridors, at random at junctions", _walk, number=SEED, require=_walker),
    "wall-left": Algorithm("wall follower, left hand", partial(_walk, hand=LEFT), require=_walker),
    "wall-right": Algorithm("wall follower, right hand", partial(_walk, hand=RIGHT), require=_walker),
    "dfs-overwriting": Algorithm(
        "depth-first, as published: words are written over others",
        partial(overwriting, consistent=False),
        require=_letters,
    ),
    "dfs-consistent": Algorithm(
        "depth-first, as published: words are written where they agree with what is there",
        partial(overwriting, consistent=True),
        require=_letters,
    ),
}

ALGORITHMS = {name: algorithm.about for name, algorithm in TABLE.items()}
"""By name, what each search is."""
RANDOM = tuple(name for name, algorithm in TABLE.items() if algorithm.number == SEED)
"""The searches that a seed makes different."""
UNTIED = ("dfs", "bfs", "idastar", "mouse", "wall-left", "wall-right", "dfs-overwriting", "dfs-consistent")
"""The searches without priorities, so without ties between them."""
