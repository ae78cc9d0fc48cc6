"""Textbook searches on a puzzle's own rules: no PDDL, no grounding. For teaching, for comparing, and as ground truth.

    rules:NAME[=NUMBER][(HEURISTIC)]        rules:bfs, rules:astar(manhattan), rules:wastar=2, rules:mouse=7

    dfs, bfs, ucs                           depth-first, breadth-first (which `rules` alone is), uniform cost
    greedy, astar, wastar=WEIGHT, idastar   with a heuristic of the puzzle's, by its name
    bidirectional-bfs                       from both ends; where the puzzle knows its goal position
    bidirectional-greedy                    the same, greedily: both ends are guided by the estimate of the way *to the
                                            goal*, which is a mistake backwards, but what is published
    bidirectional-greedy-aimed              as it should be: each end is guided to the other
    mouse=SEED, wall-left, wall-right       walkers in a maze
    dfs-overwriting, dfs-consistent         of crosswords: depth-first with the successors of published work

What is not given: weight 2, seed 0, and of the puzzle's heuristics the first that is not `null`. The searches and their
conventions are in the other files of this folder: successors in the order of the puzzle's moves, the goal tested when a
position is taken from the frontier, first in first out among equals.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import LimitReached, ParseError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.planners.rules.algorithms import TABLE, UNTIED, WEIGHT
from unpuzzle.planners.rules.search import Search
from unpuzzle.planning.planner import RULES, TIES, Planner
from unpuzzle.planning.watch import within
from unpuzzle.puzzle.capabilities import heuristic_of
from unpuzzle.puzzle.heuristic import NULL
from unpuzzle.result import GAVE_UP, MEMOUT, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unpuzzle.planners.rules.search import Answer
    from unpuzzle.puzzle.position import Position

DEFAULT = "bfs"
USUAL_WEIGHT, MOST_WEIGHT = 2, 1000

CONFIGURATIONS_HELP = f"[:{'|:'.join(TABLE)}]"


def make(config: str | None) -> Rules:
    """The planner `rules:config`. Raises ParseError for an unknown search, and for what it does not take."""
    return Rules(config)


def missing() -> str | None:
    """None: these searches need nothing but Python."""
    return None


def parse(config: str) -> tuple[str, float | None, str | None]:
    """Name, number and heuristic of `NAME[=NUMBER][(HEURISTIC)]`; None for what is not there."""
    head, parenthesis, inner = config.partition("(")
    name, equals, number = head.partition("=")
    if name not in TABLE:
        raise ParseError(_unknown(f"search 'rules:{config}'", name, TABLE))
    if parenthesis and not (TABLE[name].informed and inner.endswith(")") and inner != ")"):
        informed = ", ".join(known for known, algorithm in TABLE.items() if algorithm.informed)
        raise ParseError(f"'rules:{config}': a heuristic stands in parentheses, and only {informed} take one")
    return name, _number(config, name, number) if equals else None, inner[:-1] if parenthesis else None


def _unknown(what: str, word: str, known: Iterable[str]) -> str:
    from unpuzzle.words import suggestion

    return f"unknown {what}{suggestion(word, known) or '; known are ' + ', '.join(known)}"


def _number(config: str, name: str, text: str) -> float:
    """The weight or the seed that a text says."""
    kind = TABLE[name].number
    if not kind:
        numbered = " and ".join(f"{known} (a {row.number})" for known, row in TABLE.items() if row.number)
        raise ParseError(f"'rules:{config}': only {numbered} take a number")
    whole, point, fraction = text.partition(".")
    digits = text.isascii() and len(text) < 20 and whole.isdigit() and (fraction.isdigit() or not point)
    if kind == WEIGHT and digits and 1 <= float(text) <= MOST_WEIGHT:
        return float(text) if point else int(text)
    if kind != WEIGHT and digits and not point:
        return int(text)
    wanted = f"a weight from 1 to {MOST_WEIGHT}, such as 1.5" if kind == WEIGHT else "a seed, a whole number"
    raise ParseError(f"'rules:{config}': {name} takes {wanted}")


class Rules(Planner):
    """One of the searches. What may be chosen before `solve`:

    Attributes:
        ties: which of several best positions is first, for the searches with a priority; see `best_first`.
        order: moves in the order in which they are tried; None, and for moves that are not named, is the puzzle's.
        seed: of the mouse.
        max_expanded: positions to expand before it gives up; None is no limit.
    """

    reads = (RULES,)
    breaks_ties = True

    def __init__(self, config: str | None = None) -> None:
        self.name = f"rules:{DEFAULT if config is None else config}"
        self.algorithm, number, self.heuristic = parse(DEFAULT if config is None else config)
        self.ties = TIES[0]
        self.order: tuple[str, ...] | None = None
        self.max_expanded: int | None = None
        seeded = number is not None and TABLE[self.algorithm].number != WEIGHT
        self.weight: float = USUAL_WEIGHT if number is None or seeded else number
        self.seed = int(number or 0) if seeded else 0

    def solve(self, puzzle: Position, limits: Limits) -> Result:
        """Search. Raises ParseError where search or heuristic do not fit the puzzle."""
        began = perf_counter()
        deadline = Deadline.of(limits, "searching")
        search = self._search(puzzle, deadline)
        with within(puzzle.game, deadline, "searching"):
            status, moves, message = _run(TABLE[self.algorithm].run, search)
        counts = search.counts
        return Result(
            status,
            self.name,
            moves=None if moves is None else tuple(moves),
            expanded=counts.expanded,
            evaluated=counts.evaluated,
            generated=counts.generated,
            frontier=counts.frontier,
            seconds={"search": perf_counter() - began},
            peak_memory=deadline.peak(),
            message=message,
        )

    def require(self, puzzle: Position) -> None:
        """Raises ParseError where search, ties or heuristic do not fit the puzzle."""
        self._search(puzzle, Deadline())

    def _search(self, puzzle: Position, deadline: Deadline) -> Search:
        if self.ties not in TIES:
            raise ParseError(_unknown(f"ties '{self.ties}'", self.ties, TIES))
        if self.ties != TIES[0] and self.algorithm in UNTIED:
            raise ParseError(f"ties are between equal priorities; {self.name} has none")
        algorithm = TABLE[self.algorithm]
        search = Search(
            puzzle,
            heuristic_of(puzzle, self.heuristic) if algorithm.informed else NULL,
            weight=self.weight,
            seed=self.seed,
            ties=self.ties,
            order=self.order,
            watch=deadline.look,
        )
        algorithm.require(search)
        if self.max_expanded is not None:
            search.watch = _counting(search, self.max_expanded)
        return search


def _counting(search: Search, most: int) -> Callable[[], None]:
    """The watch of a search, called before each expansion, that ends it as well after so many of them."""
    watch = search.watch

    def look() -> None:
        watch()
        if search.counts.expanded >= most:
            raise LimitReached(GAVE_UP, f"{most:,} positions were expanded, and more are not allowed")

    return look


def _run(algorithm: Callable[[Search], Answer], search: Search) -> Answer:
    """The algorithm's answer, or which limit ended it."""
    try:
        return algorithm(search)
    except LimitReached as reached:
        return reached.status, None, str(reached)
    except MemoryError:
        return MEMOUT, None, "the memory ran out while searching"
