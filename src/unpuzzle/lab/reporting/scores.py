"""Coverage, and the scores of the International Planning Competitions (IPC), as their organizers define them.

    coverage      1 for a task with a plan, else 0
    satisficing   best known cost / cost     the satisficing tracks since 2008 (Helmert, Do, Refanidis)
    agile         1 up to a second, then 1 - log(t) / log(limit), 0 from the limit on; the agile tracks of 2018 and 2023
    optimal       1 for a plan that is proved to be cheapest, under no condition, else 0; the optimal tracks

The best known cost is the least of any run in the report: the competitions use reference plans beside those. A task
that was run more than once counts by the mean of its runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum, log

from unpuzzle.lab.reporting.grid import Grid, TaskName, is_solved
from unpuzzle.lab.runs import Run
from unpuzzle.result import SOLVED_OPTIMALLY

COVERAGE, SATISFICING, AGILE, OPTIMAL = "coverage", "satisficing", "agile", "optimal"
SCORES = (COVERAGE, SATISFICING, AGILE, OPTIMAL)
OPTIMAL_FOR = ("moves", "moves,pushes")
"""Objectives whose best plans have the least cost."""
Score = Callable[[Run], float]


def satisficing(cost: float, best: float) -> float:
    """Return the score of a plan by its cost and the best known one."""
    return best / cost if cost else 1.0


def agile(seconds: float, limit: float) -> float:
    """Return the score of a plan that was found after some seconds within a limit of more than a second."""
    if seconds <= 1:
        return 1.0
    return max(0.0, 1 - log(seconds) / log(limit)) if seconds < limit else 0.0


def is_optimal(run: Run) -> bool:
    """Return whether the cost of a run is claimed to be the least one."""
    return is_solved(run) and run.status == SOLVED_OPTIMALLY and run.objective in OPTIMAL_FOR


def score_functions(grid: Grid) -> dict[str, Score]:
    """Return the scores that the runs allow, by name: the agile one needs a limit on the time of every run."""
    limits = [_limit(run, grid) for run in grid.runs]
    scores: dict[str, Score] = {
        COVERAGE: lambda run: float(is_solved(run)),
        SATISFICING: lambda run: _satisficing(run, grid.best_costs),
    }
    if all(limit is not None and limit > 1 for limit in limits):
        scores[AGILE] = lambda run: _agile(run, grid)
    return scores | {OPTIMAL: lambda run: float(is_optimal(run) and not run.condition)}


def by_task(grid: Grid, label: str, score: Score) -> Mapping[TaskName, Sequence[float]]:
    """Return the scores of a planner's runs by task."""
    return {task: [score(run) for run in runs] for task, runs in grid.cells[label].items()}


def mean(values: Iterable[float]) -> float:
    """Return the mean of values, at least one."""
    numbers = [*values]
    return sum(numbers) / len(numbers)


def total(values: Iterable[float]) -> float:
    """Return the sum of shares, so that three thirds are one."""
    return round(fsum(values), 9)


def _satisficing(run: Run, best: Mapping[TaskName, int]) -> float:
    if not is_solved(run) or run.cost is None:
        return 0.0
    return satisficing(run.cost, best[run.domain, run.task])


def _agile(run: Run, grid: Grid) -> float:
    seconds, limit = grid.clock.value(run), _limit(run, grid)
    return 0.0 if not is_solved(run) or seconds is None or limit is None else agile(seconds, limit)


def _limit(run: Run, grid: Grid) -> float | None:
    """Return the limit that belongs to the report's clock or, where there is none, the other one."""
    names = ("cpu", "time") if grid.clock.name == "cpu" else ("time", "cpu")
    first = run.limits.get(names[0])
    return run.limits.get(names[1]) if first is None else first
