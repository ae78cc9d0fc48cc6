"""Compare planners by ratios, on the tasks that both solved: median, geometric mean, and whether noise explains them.

A ratio of 2 of `first` to `second` says that the second needs twice as much. Of up to twelve planners all pairs are
compared; of more each with the one that solves most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import exp
from statistics import median
from typing import Any

from unpuzzle.base.extras import require
from unpuzzle.base.values import Record
from unpuzzle.lab.reporting.grid import Grid, Measure

# Tell differences from noise: would other runs, of other tasks like these, show them again?
#
# A *paired bootstrap* (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13): the pairs are
# the tasks. 1,000 times the tasks are drawn with replacement, and of each task as many of its runs, with replacement,
# as there are, of either planner (two levels: Davison and Hinkley, Bootstrap Methods and their Application, 1997,
# section 3.8). Each time the difference of the means is taken over those drawn tasks that both planners have; the
# interval holds the middle 95% of these. A difference whose interval has zero inside may be noise.
#
# Nothing is claimed without repetitions: every task in it must have been run twice by both; and not of fewer than five
# tasks, of which the bootstrap knows too little. The seed is fixed: equal runs give equal intervals.

ROUNDS, LEVEL, SEED = 1_000, 0.95, 2024
LEAST_TASKS = 5
ROUNDING = 1e-5
"""The rounding error of sums of many numbers."""
Samples = Mapping[Any, Sequence[float]]
"""The numbers from the runs of each task."""
Interval = tuple[float, float]


class Bootstrap:
    """The means of each task, in each round, of planners that are compared with each other."""

    def __init__(self, tasks: Iterable[Any]) -> None:
        require("plots", "reports need", "matplotlib")  # which brings numpy
        self.place = {task: number for number, task in enumerate(tasks)}
        self.weights = _weights(len(self.place))
        self.sums: dict[str, Any] = {}
        self.has: dict[str, Any] = {}

    def add(self, name: str, samples: Samples) -> None:
        """Draw the runs of a planner, once. Tasks of others are left out."""
        if name not in self.has:
            import numpy as np

            means, has = np.zeros_like(self.weights), np.zeros(len(self.place), np.float32)
            _draw(means, {self.place[task]: samples[task] for task in samples if task in self.place}, len(self.has))
            has[[self.place[task] for task in samples if task in self.place]] = 1
            self.sums[name], self.has[name] = self.weights * means, has

    def interval(self, first: str, second: str) -> Interval | None:
        """Return the interval of the mean difference, second less first; None for too few tasks that both have."""
        import numpy as np

        common = self.has[first] * self.has[second]
        if common.sum() < LEAST_TASKS:
            return None
        sizes = self.weights @ common
        differences = self.sums[second] @ self.has[first] - self.sums[first] @ self.has[second]
        means = np.sort(differences[sizes > 0] / sizes[sizes > 0])
        tail = int(len(means) * (1 - LEVEL) / 2)
        return float(means[tail]), float(means[-1 - tail])


@lru_cache(maxsize=2)
def _weights(size: int) -> Any:
    """Return how often each task is drawn in each round."""
    import numpy as np

    drawn = np.random.default_rng(SEED).integers(0, size, (ROUNDS, size))
    return np.stack([np.bincount(row, minlength=size) for row in drawn]).astype(np.float32)


def _draw(means: Any, samples: Mapping[int, Sequence[float]], seed: int) -> None:
    """Fill the columns of tasks with the means of drawn runs, a row each round."""
    import numpy as np

    generator = np.random.default_rng([SEED, seed])
    sizes: dict[int, list[int]] = {}
    for column, values in samples.items():
        if min(values) == max(values):
            means[:, column] = values[0]
        else:
            sizes.setdefault(len(values), []).append(column)
    for size, columns in sizes.items():
        table = np.array([samples[column] for column in columns], np.float32).ravel()
        starts = size * np.arange(len(columns), dtype=np.int32)
        total = np.zeros((ROUNDS, len(columns)), np.float32)
        for _ in range(size):
            total += table[starts + generator.integers(0, size, total.shape, np.uint16)]
        means[:, columns] = total / size


def is_noise(between: Interval | None) -> bool | None:
    """Return whether noise explains a difference; None if that is unknown."""
    return None if between is None else between[0] - ROUNDING <= 0 <= between[1] + ROUNDING


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
