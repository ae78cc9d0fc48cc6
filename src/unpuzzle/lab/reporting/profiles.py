"""Tell how scores grow with time: after so many seconds of wall clock, the sum of the satisficing scores of the best
plans until then, and how many tasks are solved after how much time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from unpuzzle.lab.reporting.grid import Grid, Measure
from unpuzzle.lab.reporting.scores import satisficing
from unpuzzle.lab.runs import Run

Steps = tuple[tuple[float, ...], tuple[float, ...]]
"""Increasing times, and the value from each of them on."""


def has_profiles(grid: Grid) -> bool:
    """Return whether some run found more than one plan."""
    return any(len(run.plans) > 1 for run in grid.runs)


def plans_of(run: Run) -> list[tuple[float, int]]:
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
