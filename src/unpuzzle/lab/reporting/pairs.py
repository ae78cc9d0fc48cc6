"""Compare planners pair by pair, on the tasks that both solved: ratios, an interval, and two tests.

A ratio of 2 of `first` to `second` says that the second needs twice as much. Of up to twelve planners all pairs are
compared; of more each with the one that solves most. Everything is computed from the differences of logarithms, one a
task, by `scipy.stats`:

    interval      of Student's t (1908) for the mean difference, at 95%; the pairs are the tasks, and of each task the
                  mean over its runs counts, so that it holds chance in the runs and in which tasks were taken
    sign          the sign test (Arbuthnot 1710): whether the second needs more as often as less
    wilcoxon      the signed-rank test (Wilcoxon 1945), which also looks at how much

A difference whose interval has zero inside may be noise. Of that nothing is claimed without repetitions: every task in
it must have been run twice by both; and not of fewer than five tasks. The tests look at tasks alone, so they are there
without repetitions, too. They tell nothing about a single pair if one looks at many: no p-value is corrected for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import exp
from typing import Any
from warnings import catch_warnings, simplefilter

from unpuzzle.base.values import Record
from unpuzzle.lab.reporting.measures import COVERAGE, Grid, Measure

LEVEL, LEAST_TASKS = 0.95, 5
ALL_PAIRS = 12
SAME = 1e-9
"""Logarithms that differ by less are equal."""
ROUNDING = 1e-5
"""The rounding error of sums of many numbers."""
Interval = tuple[float, float]


class Ratio(Record):
    """The ratio of a second planner's measure to a first one's.

    Attributes:
        first, second: the names of the planners.
        measure: what is compared, such as `cpu` or `cost`.
        tasks: how many tasks both solved, and have the measure.
        geometric_mean, median: of the ratios.
        low, high: the interval of the geometric mean at 95%; None where nothing can be said of noise.
        noise: whether noise explains the difference; None where nothing can be said.
        less, equal, more: on how many tasks the second needs less, as much, or more than the first.
        sign, wilcoxon: the p-values of both tests, two-sided; None where all tasks are equal.
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
    sign: float | None
    wilcoxon: float | None


def interval(differences: Any, repeated: Any) -> Interval | None:
    """Return the interval of a mean; `repeated` says of each task whether it was run more than once by both.

    It is None where nothing may be claimed.
    """
    from scipy.stats import ttest_1samp

    if len(differences) < LEAST_TASKS or not repeated.all():
        return None
    if differences.max() - differences.min() < SAME:
        return float(differences.mean()), float(differences.mean())
    low, high = ttest_1samp(differences, 0).confidence_interval(LEVEL)
    return float(low), float(high)


def is_noise(between: Interval | None) -> bool | None:
    """Return whether noise explains a difference; None if that is unknown."""
    return None if between is None else between[0] - ROUNDING <= 0 <= between[1] + ROUNDING


def sign_test(less: int, more: int) -> float | None:
    """Return the p-value of the sign test; None without any difference."""
    from scipy.stats import binomtest

    return float(binomtest(less, less + more).pvalue) if less + more else None


def wilcoxon_test(differences: Any) -> float | None:
    """Return the p-value of the signed-rank test; None without any difference.

    Without ties it is exact up to fifty tasks; else it comes from the normal distribution.
    """
    from scipy.stats import wilcoxon

    differing = differences[abs(differences) > SAME].round(9)
    has_ties = abs(differing).duplicated().any()
    with catch_warnings():
        simplefilter("ignore")  # that the sample is small
        return float(wilcoxon(differing, method="approx" if has_ties else "auto").pvalue) if len(differing) else None


def pairs_of(grid: Grid) -> list[tuple[str, str]]:
    """Return the pairs of planners that are compared."""
    names = [*grid.labels]
    if len(names) <= ALL_PAIRS:
        return [*combinations(names, 2)]
    solved = (grid.by_task(COVERAGE) > 0).sum()
    most = max(names, key=lambda name: solved[name])
    return [(most, name) for name in names if name != most]


def ratios(grid: Grid) -> tuple[Ratio, ...]:
    """Return the ratios of all pairs by all measures."""
    return tuple(ratio for measure in grid.figures for ratio in _by_measure(grid, measure))


def _by_measure(grid: Grid, measure: Measure) -> Iterator[Ratio]:
    logs = grid.by_task(measure)
    for first, second in pairs_of(grid):
        differences = (logs[second] - logs[first]).dropna()
        if len(differences):
            between = interval(differences, grid.repeated(first, second)[differences.index])
            yield _ratio((first, second, measure.name), differences, between)


def _ratio(names: tuple[str, str, str], differences: Any, between: Interval | None) -> Ratio:
    import numpy as np

    less, more = int((differences < -SAME).sum()), int((differences > SAME).sum())
    low, high = between or (None, None)
    return Ratio(
        *names,
        tasks=len(differences),
        geometric_mean=exp(differences.mean()),
        median=float(np.exp(differences).median()),
        low=None if low is None else exp(low),
        high=None if high is None else exp(high),
        noise=is_noise(between),
        less=less,
        equal=len(differences) - less - more,
        more=more,
        sign=sign_test(less, more),
        wilcoxon=wilcoxon_test(differences),
    )


def tied(grid: Grid, measure: Measure, rows: Any = slice(None)) -> tuple[str, ...] | None:
    """Return the planners that only noise separates from the best one, in some rows of tasks; None if unknown."""
    table, totals = grid.by_task(measure)[rows], grid.totals(measure, rows)
    best = (max if measure.best == "more" else min)(totals, key=lambda name: totals[name])
    verdicts = {}
    for name in totals:
        differences = (table[name] - table[best]).dropna()
        if name != best and (repeated := grid.repeated(best, name)[differences.index]).all():
            verdicts[name] = is_noise(interval(differences, repeated))
    if all(noise is None for noise in verdicts.values()):
        return None
    return tuple(name for name, noise in verdicts.items() if noise)
