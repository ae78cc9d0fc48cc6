"""Profiles of planners, which show how scores grow with time.

After so many seconds of wall clock, the sum of the satisficing scores of the best plans until then (IPC score over
time); and how many tasks are solved after how much time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from unpuzzle.lab.reporting.measures import Grid, task_of
from unpuzzle.lab.runs import ExperimentRun

Steps = tuple[tuple[float, ...], tuple[float, ...]]
"""Increasing times, and the value from each of them on."""


def plans_of(run: ExperimentRun) -> list[tuple[float, int]]:
    """Return times (wall clock seconds) and costs of a run's plans; an unreported plan counts at the end of the run."""
    plans = [(plan.seconds, plan.cost) for plan in run.plans]
    end = run.seconds.get("total") if run.wall is None else run.wall
    if run.cost is not None and end is not None and not any(cost <= run.cost for _, cost in plans):
        plans.append((end, run.cost))
    return sorted(plans)


def score_over_time(grid: Grid, label: str) -> Steps:
    """Return the sum of satisficing scores after each time at which a run of the planner found a better plan."""
    steps: list[tuple[float, float]] = []
    frame = grid.frame[(grid.frame.planner == label) & grid.frame.solved]
    for number, best in frame.best.items():
        run, score = grid.runs[number], 0.0
        for seconds, cost in plans_of(run):
            better = min(best, cost) / cost if cost else 1.0
            if better > score:
                steps.append((seconds, (better - score) / grid.sizes.at[task_of(run), label]))
                score = better
    return _summed(steps)


def solved_after(grid: Grid, label: str) -> Steps:
    """Return how many tasks are solved after each time; each of n repeated runs of a task counts as 1/n."""
    frame = grid.frame[(grid.frame.planner == label) & grid.frame.solved & grid.frame.time.notna()]
    sizes = [grid.sizes.at[task, label] for task in zip(frame.domain, frame.task, strict=True)]
    return _summed([*zip(frame.time.clip(lower=grid.clock.floor), [1 / size for size in sizes], strict=True)])


def _summed(steps: Sequence[tuple[float, float]]) -> Steps:
    rising = sorted(steps)
    return tuple(float(place) for place, _ in rising), tuple(accumulate(float(part) for _, part in rising))
