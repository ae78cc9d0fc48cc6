"""Coverage, and the scores of the International Planning Competitions (IPC), as their organizers define them.

    coverage      1 for a task with a plan, else 0
    satisficing   best known cost / cost     the satisficing tracks since 2008 (Helmert, Do, Refanidis)
    agile         1 up to a second, then 1 - log(t) / log(limit), 0 from the limit on; the agile tracks of 2018 and 2023
    optimal       1 for a plan that is proved to be cheapest, under no condition, else 0; the optimal tracks

The best known cost is the least of any run in the report: the competitions use reference plans beside those. A task
that was run more than once counts by the mean of its runs.

Profiles show how scores grow with time: after so many seconds of wall clock, the sum of the satisficing scores of the
best plans until then, and how many tasks are solved after how much time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from math import fsum, log

from unpuzzle.base.outcomes import SOLVED_OPTIMALLY
from unpuzzle.lab.reporting.grid import Grid, Measure, TaskName, is_solved
from unpuzzle.lab.runs import ExperimentRun

COVERAGE, SATISFICING, AGILE, OPTIMAL = "coverage", "satisficing", "agile", "optimal"
SCORES = (COVERAGE, SATISFICING, AGILE, OPTIMAL)
OPTIMAL_FOR = ("moves", "moves,pushes")
"""Objectives whose best plans have the least cost."""
Score = Callable[[ExperimentRun], float]


def satisficing(cost: float, best: float) -> float:
    """Return the score of a plan by its cost and the best known one."""
    return best / cost if cost else 1.0


def agile(seconds: float, limit: float) -> float:
    """Return the score of a plan that was found after some seconds within a limit of more than a second."""
    if seconds <= 1:
        return 1.0
    return max(0.0, 1 - log(seconds) / log(limit)) if seconds < limit else 0.0


def is_optimal(run: ExperimentRun) -> bool:
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


def _satisficing(run: ExperimentRun, best: Mapping[TaskName, int]) -> float:
    if not is_solved(run) or run.cost is None:
        return 0.0
    return satisficing(run.cost, best[run.domain, run.task])


def _agile(run: ExperimentRun, grid: Grid) -> float:
    seconds, limit = grid.clock.value(run), _limit(run, grid)
    return 0.0 if not is_solved(run) or seconds is None or limit is None else agile(seconds, limit)


def _limit(run: ExperimentRun, grid: Grid) -> float | None:
    """Return the limit that belongs to the report's clock or, where there is none, the other one."""
    names = ("cpu", "time") if grid.clock.name == "cpu" else ("time", "cpu")
    first = run.limits.get(names[0])
    return run.limits.get(names[1]) if first is None else first


Steps = tuple[tuple[float, ...], tuple[float, ...]]
"""Increasing times, and the value from each of them on."""


def has_profiles(grid: Grid) -> bool:
    """Return whether some run found more than one plan."""
    return any(len(run.plans) > 1 for run in grid.runs)


def plans_of(run: ExperimentRun) -> list[tuple[float, int]]:
    """Return when a run found plans, in seconds of wall clock, and their costs; the last one ends with the run."""
    plans = [(plan.seconds, plan.cost) for plan in run.plans]
    end = run.seconds.get("total") if run.wall is None else run.wall
    if run.cost is not None and end is not None and not any(cost <= run.cost for _, cost in plans):
        plans.append((end, run.cost))
    return sorted(plans)


def anytime_profile(grid: Grid, label: str) -> Steps:
    """Return the sum of scores after each time at which some run of the planner found a better plan."""
    steps: list[tuple[float, float]] = []
    for task, runs in grid.solved[label].items():
        for run in runs:
            score = 0.0
            for seconds, cost in plans_of(run):
                better = satisficing(cost, min(cost, grid.best_costs[task]))
                if better > score:
                    steps.append((seconds, (better - score) / len(grid.cells[label][task])))
                    score = better
    return _summed(steps)


def solved_after(grid: Grid, label: str, measure: Measure) -> Steps:
    """Return how many tasks are solved after each time; a run of a task that was repeated counts as a part of one."""
    steps = []
    for task, runs in grid.solved[label].items():
        part = 1 / len(grid.cells[label][task])
        steps += [(max(value, measure.floor), part) for value in map(measure.value, runs) if value is not None]
    return _summed(steps)


def _summed(steps: Sequence[tuple[float, float]]) -> Steps:
    rising = sorted(steps)
    return tuple(place for place, _ in rising), tuple(accumulate(part for _, part in rising))
