"""Compare planners by ratios, on the tasks that both solved: median, geometric mean, and whether noise explains them.

A ratio of 2 of `first` to `second` says that the second needs twice as much. Of up to twelve planners all pairs are
compared; of more each with the one that solves most.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import exp
from statistics import median

from unpuzzle.lab.reporting.grid import Grid, Measure
from unpuzzle.lab.reporting.noise import Bootstrap, is_noise
from unpuzzle.record import Record

ALL_PAIRS = 12
SAME = 1e-9
"""Logarithms that differ by less are equal."""


class Ratio(Record):
    """The ratio of a second planner's measure to a first one's.

    Attributes:
        first, second: the names of the planners.
        measure: what is compared, such as `cpu` or `cost`.
        tasks: how many tasks both solved, and have the measure.
        geometric_mean, median: of the ratios.
        low, high: the interval of the geometric mean by the bootstrap; None where nothing can be said of noise.
        noise: whether noise explains the difference; None where nothing can be said.
        less, equal, more: on how many tasks the second needs less, as much, or more than the first.
    """

    first: str
    second: str
    measure: str
    tasks: int
    geometric_mean: float
    median: float
    low: float | None
    high: float | None
    noise: bool | None
    less: int
    equal: int
    more: int


def pairs_of(grid: Grid) -> list[tuple[str, str]]:
    """Return the pairs of planners that are compared."""
    names = [*grid.labels]
    if len(names) <= ALL_PAIRS:
        return [*combinations(names, 2)]
    most = max(names, key=lambda name: len(grid.values(name, grid.clock)))
    return [(most, name) for name in names if name != most]


def ratios(grid: Grid) -> tuple[Ratio, ...]:
    """Return the ratios of all pairs by all measures."""
    return tuple(ratio for measure in grid.measures for ratio in _by_measure(grid, measure))


def _by_measure(grid: Grid, measure: Measure) -> Iterator[Ratio]:
    logs = {name: grid.logarithms(name, measure) for name in grid.labels}
    means = {
        name: {task: sum(values) / len(values) for task, values in by_task.items()} for name, by_task in logs.items()
    }
    repeated = {name: {task for task, runs in tasks.items() if len(runs) > 1} for name, tasks in grid.cells.items()}
    bootstrap: Bootstrap | None = None
    for first, second in pairs_of(grid):
        tasks = [task for task in means[first] if task in means[second]]
        if not tasks:
            continue
        differences = [means[second][task] - means[first][task] for task in tasks]
        between = None
        if all(task in repeated[first] and task in repeated[second] for task in tasks):
            bootstrap = bootstrap or Bootstrap(grid.tasks)
            for name in (first, second):
                bootstrap.add(name, logs[name])
            between = bootstrap.interval(first, second)
        yield _ratio((first, second, measure.name), differences, between)


def _ratio(names: tuple[str, str, str], differences: list[float], between: tuple[float, float] | None) -> Ratio:
    less = sum(difference < -SAME for difference in differences)
    more = sum(difference > SAME for difference in differences)
    low, high = between or (None, None)
    return Ratio(
        *names,
        tasks=len(differences),
        geometric_mean=exp(sum(differences) / len(differences)),
        median=median(map(exp, differences)),
        low=None if low is None else exp(low),
        high=None if high is None else exp(high),
        noise=is_noise(between),
        less=less,
        equal=len(differences) - less - more,
        more=more,
    )
