"""Compare planners pairwise on the tasks that both solved: ratios, a confidence interval, and two tests.

A ratio of 2 of `first` to `second` means that the second needs twice as much. Up to twelve planners are compared in all
pairs; more than twelve, each with the one that solves most. Everything is computed from the differences of logarithms,
one a task, by `scipy.stats`:

    interval      of Student's t (1908) for the mean difference, at 95%; each task gives one difference, between means
                  over its runs, so that the interval covers chance in the runs and in the choice of tasks
    sign          the sign test (Arbuthnot 1710): whether the second needs more about as often as less
    wilcoxon      the signed-rank test (Wilcoxon 1945), which also looks at how much

A difference whose interval contains zero may be noise. Nothing is claimed about noise without repetitions (both must
have run every task twice), or for fewer than five tasks. The tests look at tasks alone, so they need no repetitions. If
you look at many pairs, a p-value proves little about a single one: none is corrected for that.
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
"""Logarithms that differ by less count as equal."""
ROUNDING = 1e-5
"""The rounding error of sums of many numbers."""
Interval = tuple[float, float]


class Ratio(Record):
    """The ratio of a measure of the second planner to the same measure of the first planner.

    Attributes:
        first, second: the names of the planners.
        measure: the compared measure, such as `cpu` or `cost`.
        tasks: the number of tasks that both solved with a value of the measure.
        geometric_mean, median: the means of the ratios.
        low, high: the interval of the geometric mean at 95%; None if nothing can be said about noise.
        noise: whether noise explains the difference; None if that is unknown.
        less, equal, more: the number of tasks on which the second needs less than the first, as much, or more.
        sign, wilcoxon: the p-values of both tests, two-sided; None if all tasks are equal.
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
    """Return the confidence interval of a mean; `repeated` says for each task whether both sides ran repeatedly.

    It is None if nothing can be claimed.
    """
    from scipy.stats import ttest_1samp

    if len(differences) < LEAST_TASKS or not repeated.all():
        return None
    if differences.max() - differences.min() < SAME:
        return float(differences.mean()), float(differences.mean())
    low, high = ttest_1samp(differences, 0).confidence_interval(LEVEL)
    return float(low), float(high)


def is_noise(between: Interval | None) -> bool | None:
    """Return whether noise may explain a difference, given its interval; None if that is unknown."""
    return None if between is None else between[0] - ROUNDING <= 0 <= between[1] + ROUNDING


def sign_test(less: int, more: int) -> float | None:
    """Return the p-value of the sign test; None without differences."""
    from scipy.stats import binomtest

    return float(binomtest(less, less + more).pvalue) if less + more else None


def wilcoxon_test(differences: Any) -> float | None:
    """Return the p-value of the signed-rank test (Wilcoxon); None without differences.

    Without ties it is exact up to fifty tasks; else it comes from the normal distribution.
    """
    from scipy.stats import wilcoxon

    differing = differences[abs(differences) > SAME].round(9)
    has_ties = abs(differing).duplicated().any()
    with catch_warnings():
        simplefilter("ignore")  # that the sample is small
        return float(wilcoxon(differing, method="approx" if has_ties else "auto").pvalue) if len(differing) else None


def pairs_of(grid: Grid) -> list[tuple[str, str]]:
    """Return the pairs of planners that are to be compared."""
    names = [*grid.labels]
    if len(names) <= ALL_PAIRS:
        return [*combinations(names, 2)]
    solved = (grid.by_task(COVERAGE) > 0).sum()
    most = max(names, key=lambda name: solved[name])
    return [(most, name) for name in names if name != most]


def ratios(grid: Grid) -> tuple[Ratio, ...]:
    """Return the ratios of all pairs of planners, by all measures."""
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
    """Return the planners that differ from the best only by noise, on the tasks in some rows; None if unknown."""
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
