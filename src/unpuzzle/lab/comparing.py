"""compare(): one level, many ways to solve it, one table. The lab report of a course on search.

A *contestant* is an algorithm on the puzzle's rules (`planners.rules`) or a planner on its PDDL. They run one
after the other, within the same limits, and give a row each; a random algorithm runs once for each seed and gives
three: the run with the least steps, the median one (of an even number the lower) and the one with the most. A run that
did not arrive counts as longer than any that did. Everything is looked up before the first one runs, so that a
misspelt name costs no time.
"""

from __future__ import annotations

from functools import partial

from unpuzzle.errors import DependencyMissing, ParseError, UsageError
from unpuzzle.planners.rules.algorithms import RANDOM, TABLE
from unpuzzle.planners.rules.planner import FORMS, Rules
from unpuzzle.planning import registry
from unpuzzle.planning.configuration import read_configuration
from unpuzzle.puzzle.capabilities import score_of
from unpuzzle.puzzle.heuristic import heuristic_of
from unpuzzle.result import ERROR, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.puzzle.position import Position

DEFAULT_SEEDS = 10
FIELDS = ("algorithm", "status", "cost", "steps", "expanded", "generated", "frontier", "seconds", "score")
MORE_FIELDS = ("planner", "which", "seed", "seeds", "message")
LEAST, MEDIAN, MOST = "least", "median", "most"


class Row:
    """One line of the table.

    Attributes:
        algorithm: the name as it was asked for; random ones with which run it is: `mouse (median)`.
        status: as in `Result`.
        cost, steps: of the moves found, or None.
        expanded, generated, frontier: counts, or None where they are not told; `frontier` is its greatest size.
        seconds: of wall clock, to the validated answer.
        score: the puzzle's points, or None.
        planner: the full name, with configuration.
        which, seed, seeds: for random algorithms `least`, `median` or `most`, the seed of that run, and how many there
            were; otherwise None.
        message: what there is to say about the status.
    """

    __slots__ = (*FIELDS, *MORE_FIELDS)

    def __init__(self, algorithm: str, result: Result, score: int | None, seed: int | None = None) -> None:
        self.algorithm = algorithm
        self.status = result.status
        self.cost = result.cost
        self.steps = None if result.moves is None else len(result.moves)
        self.expanded = result.expanded
        self.generated = result.generated
        self.frontier = result.frontier
        self.seconds = round(result.seconds["total"], 6)
        self.score = score
        self.planner = result.planner
        self.which: str | None = None
        self.seed = seed
        self.seeds: int | None = None
        self.message = result.message

    def fields(self) -> dict[str, Any]:
        """All of it by name, the columns of the table first."""
        return {name: getattr(self, name) for name in (*FIELDS, *MORE_FIELDS)}

    def __repr__(self) -> str:
        return f"Row({self.algorithm!r}, {self.status!r}, cost={self.cost}, expanded={self.expanded})"


class Comparison(list[Row]):
    """The rows of a comparison, in their order."""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Mapping[str, str]:
        """What notebooks show."""
        from unpuzzle.drawing import mimebundle

        return mimebundle(self)


class Contestant:
    """What gives rows: `name` as it was asked for, and the names of planners to run: one for each seed, or just one."""

    __slots__ = ("is_random", "name", "planners")

    def __init__(self, name: str, planners: Sequence[str], *, is_random: bool = False) -> None:
        self.name = name
        self.planners = planners
        self.is_random = is_random


def compare(
    level: Position,
    algorithms: Iterable[str] | None = None,
    planners: Iterable[str] | None = None,
    *,
    heuristic: str | None = None,
    seeds: int = DEFAULT_SEEDS,
    limits: Limits | None = None,
    on_row: Callable[[Row], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Comparison:
    """The rows of a table, algorithms first, in the order asked for.

    Args:
        level: what is to be solved.
        algorithms: names such as `bfs`, `wastar=2`, `astar(misplaced)`; with neither these nor planners, all that fit.
        planners: names such as `native` or `fast-downward:lama-first`.
        heuristic: of the informed algorithms that name none; None is the puzzle's first.
        seeds: how many runs a random algorithm gets, with the seeds 0, 1, ...
        limits: of each single run.
        on_row: called with each row as soon as it is known.
        progress: called with a sentence about what is running.

    Raises ParseError for an unknown name or what does not fit the level, DependencyMissing for a planner that is not
    installed, both before anything runs. What other programs refuse only when they are started is a row of status
    `error`, unless it is the first.
    """
    rows = Comparison()

    def emit(row: Row) -> None:
        rows.append(row)
        if on_row is not None:
            on_row(row)

    takers = contestants(level, algorithms, planners, heuristic=heuristic, seeds=seeds)
    for number, contestant in enumerate(takers, 1):
        tell = None if progress is None else partial(_tell, progress, f"{number} of {len(takers)}: {contestant.name}")
        _compete(contestant, level, limits, tell, emit, late=number > 1)
    return rows


def _tell(progress: Callable[[str], None], where: str, seed: int | None) -> None:
    progress(where if seed is None else f"{where}, seed {seed}")


def contestants(
    level: Position,
    algorithms: Iterable[str] | None = None,
    planners: Iterable[str] | None = None,
    *,
    heuristic: str | None = None,
    seeds: int = DEFAULT_SEEDS,
) -> list[Contestant]:
    """Who takes part; arguments and errors are those of `compare`."""
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, not {seeds}")
    if heuristic is not None:
        heuristic_of(level, heuristic)
    if algorithms is None and planners is None:
        algorithms = fitting(level, heuristic)[0]
    found = [_algorithm(level, name, heuristic, seeds) for name in dict.fromkeys(algorithms or ())]
    return found + [_planner(level, name) for name in dict.fromkeys(planners or ())]


def fitting(level: Position, heuristic: str | None = None) -> tuple[list[str], dict[str, str]]:
    """The names of the algorithms that fit a level, and for each of the others the reason why it does not."""
    fit, unfit = [], {}
    for name in TABLE:
        try:
            _algorithm(level, name, heuristic, 1)
            fit.append(name)
        except (ParseError, UsageError) as error:
            unfit[name] = str(error)
    return fit, unfit


def _algorithm(level: Position, word: str, heuristic: str | None, seeds: int) -> Contestant:
    """The contestant of a name such as `astar`, refused in words if it does not fit the level."""
    config = word.removeprefix("rules:")
    chosen = read_configuration("rules", config, FORMS)
    if TABLE[chosen.name].informed and not chosen.arguments and heuristic is not None:
        config = f"{config}({heuristic})"
    Rules(config).require(level)
    if chosen.name in RANDOM and chosen.number is None:
        return Contestant(word, [f"rules:{chosen.name}={seed}" for seed in range(seeds)], is_random=True)
    return Contestant(word, [f"rules:{config}"])


def _planner(level: Position, name: str) -> Contestant:
    planner = registry.find(name, level.game)
    reason = registry.missing(name)
    if reason is not None:
        raise DependencyMissing(reason, dependency=name)
    planner.require(level)
    return Contestant(name, [name])


# ---- runs


def _compete(
    contestant: Contestant,
    level: Position,
    limits: Limits | None,
    tell: Callable[[int | None], None] | None,
    emit: Callable[[Row], None],
    late: bool,
) -> None:
    from gc import collect

    collect()  # what others have left must not count against this one's memory limit
    rows: list[Row] = []
    try:
        for number, name in enumerate(contestant.planners):
            seed = number if contestant.is_random else None
            if tell is not None:
                tell(seed)
            rows.append(_run(contestant, name, level, limits, seed, late))
    finally:  # interrupted, the runs that were made still count
        for row in _spread(rows) if len(rows) > 1 else rows:
            emit(row)


def _run(
    contestant: Contestant, name: str, level: Position, limits: Limits | None, seed: int | None, late: bool
) -> Row:
    """The row of one run. Some planners refuse a name only when they start: if it is late, that is a row, too."""
    from unpuzzle.solving import solve

    try:
        result = solve(level, name, limits=limits)
    except (ParseError, UsageError, DependencyMissing) as error:
        if not late:
            raise
        result = Result(ERROR, name, message=str(error), seconds={"total": 0.0})
    score = None if result.moves is None else score_of(level, result.moves)
    return Row(contestant.name, result, score, seed)


def _spread(rows: list[Row]) -> list[Row]:
    """The least, the median and the most of one algorithm's rows, by steps."""
    ranked = sorted(rows, key=lambda row: float("inf") if row.steps is None else row.steps)
    chosen = {LEAST: ranked[0], MEDIAN: ranked[(len(ranked) - 1) // 2], MOST: ranked[-1]}
    return [_named(row, which, len(rows)) for which, row in chosen.items()]


def _named(row: Row, which: str, seeds: int) -> Row:
    from copy import copy

    named = copy(row)  # the same run may be two of the three
    named.algorithm, named.which, named.seeds = f"{row.algorithm} ({which})", which, seeds
    return named
