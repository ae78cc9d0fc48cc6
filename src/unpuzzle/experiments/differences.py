"""Differences between planners on tasks that both solved, and between an experiment and an older experiment.

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

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp
from typing import Any
from warnings import catch_warnings, simplefilter

from unpuzzle.base.values import Record
from unpuzzle.experiments.measures import COVERAGE, TASK, Grid, Measure

LEVEL, LEAST_TASKS = 0.95, 5
ALL_PAIRS = 12
SAME = 1e-9
"""Logarithms that differ by less count as equal."""
ROUNDING = 1e-5
"""The rounding error of sums of many numbers."""
OPPOSITES = {"lost": "gained", "dearer": "cheaper", "rarer": "oftener", "slower": "faster"}
"""The kinds of changes for the worse, with those for the better."""
KINDS = (*OPPOSITES, *OPPOSITES.values())
ENOUGH = 3
"""The least number of runs on either side to call a task slower or faster."""
COLUMNS: dict[str, Any] = {
    **{"runs": ("solved", "size"), "share": ("solved", "mean"), "cost": ("least", "min"), "log": ("log", "mean")},
    **{"times": ("seconds", "count"), "low": ("seconds", "min"), "high": ("seconds", "max")},
}
"""The columns of the table of tasks, and how each is summed up."""
PROCESSES = {"fresh": "each run in a new Python", "warm": "runs in warm copies", None: "runs in copies, as it seems"}


class Ratio(Record):
    """The ratio of a measure of the second planner to the same measure of the first planner.

    Attributes:
        first, second, measure: the names of the planners, and the compared measure, such as `cpu` or `cost`.
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


def interval(differences: Any, repeated: Any) -> tuple[float, float] | None:
    """Return the confidence interval of a mean; None if there are too few tasks or some task was run only once."""
    from scipy.stats import ttest_1samp

    if len(differences) < LEAST_TASKS or not repeated.all():
        return None
    if differences.max() - differences.min() < SAME:
        return float(differences.mean()), float(differences.mean())
    low, high = ttest_1samp(differences, 0).confidence_interval(LEVEL)
    return float(low), float(high)


def is_noise(between: tuple[float, float] | None) -> bool | None:
    """Return whether noise may explain a difference, given the interval of the difference; None if unknown."""
    return None if between is None else between[0] - ROUNDING <= 0 <= between[1] + ROUNDING


def _noise(differences: Any, repeated: Any) -> tuple[float | None, float | None, bool | None]:
    """Return the fields `low`, `high` and `noise` of a ratio, from the differences of logarithms per task."""
    between = interval(differences, repeated[differences.index])
    return *((None, None) if between is None else map(exp, between)), is_noise(between)


def sign_test(less: int, more: int) -> float | None:
    """Return the p-value of the sign test; None without differences."""
    from scipy.stats import binomtest

    return float(binomtest(less, less + more).pvalue) if less + more else None


def wilcoxon_test(differences: Any) -> float | None:
    """Return the p-value of Wilcoxon's test, exact up to fifty tasks without ties; None without differences."""
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


def ratios(grid: Grid) -> Iterator[Ratio]:
    """Yield the ratios of all pairs of planners, by all measures."""
    for measure in grid.figures:
        logs = grid.by_task(measure)
        for first, second in pairs_of(grid):
            differences = (logs[second] - logs[first]).dropna()
            if not len(differences):
                continue
            less, more = int((differences < -SAME).sum()), int((differences > SAME).sum())
            means = exp(differences.mean()), float(differences.transform("exp").median())
            low, high, noise = _noise(differences, grid.repeated(first, second))
            counts = less, len(differences) - less - more, more
            tests = sign_test(less, more), wilcoxon_test(differences)
            yield Ratio(first, second, measure.name, len(differences), *means, low, high, noise, *counts, *tests)


def tied(grid: Grid, measure: Measure, rows: Any = slice(None)) -> tuple[str, ...] | None:
    """Return the planners that are as good as the best except for noise, on the tasks in some rows; None if unknown."""
    table, totals = grid.by_task(measure)[rows], grid.totals(measure, rows)
    best = (max if measure.best == "more" else min)(totals, key=lambda name: totals[name])
    verdicts = {}
    for name in totals:
        differences, repeated = (table[name] - table[best]).dropna(), grid.repeated(best, name)
        if name != best and repeated[differences.index].all():
            verdicts[name] = is_noise(interval(differences, repeated[differences.index]))
    if all(noise is None for noise in verdicts.values()):
        return None
    return tuple(name for name, noise in verdicts.items() if noise)


# Two experiments: planners are matched by their short label, since usually their versions differ, and the difference is
# the question. The tasks that both experiments have are compared:
#
#     lost, gained         every run solved the task before and none does now, or the other way round
#     rarer, oftener       a smaller or a larger share of its runs solves it, perhaps by chance
#     dearer, cheaper      the best plan of the task costs more, or less
#     slower, faster       each run of the task took longer than each older run, or shorter, at least three of either
#
# Times of single tasks are compared by ranks (Mann and Whitney, 1947): with three runs on either side, chance alone
# reports one task in twenty in each direction. For a planner as a whole, see the interval.


class Change(Record):
    """A task on which the result of a planner has changed.

    Attributes:
        kind: `lost`, `dearer`, `rarer`, `slower`, `gained`, `cheaper`, `oftener` or `faster`.
        planner, domain, task: which planner, on which task.
        old, new: shares of solved runs, costs, or seconds.
    """

    kind: str
    planner: str
    domain: str
    task: str
    old: float
    new: float

    @property
    def unit(self) -> str:
        """The unit of the numbers: ` s` for seconds, empty for shares and costs."""
        return " s" if self.kind in ("slower", "faster") else ""


class Pace(Record):
    """The ratio of a planner's new time to its old time, on tasks that it solved in both experiments.

    Attributes:
        planner, tasks: its label, and how many tasks it solved both times.
        ratio: the geometric mean of new time over old time.
        low, high, noise: as in `Ratio`.
        old_coverage, new_coverage: on the tasks that both experiments have.
    """

    planner: str
    tasks: int
    ratio: float | None
    low: float | None
    high: float | None
    noise: bool | None
    old_coverage: float
    new_coverage: float


class Changes(Record):
    """The differences between an experiment and an older experiment.

    Attributes:
        paces: the ratio of times, by planner.
        tasks: each task that changed, the worst first.
        notes: reasons why the comparison is not quite fair.
    """

    paces: tuple[Pace, ...]
    tasks: tuple[Change, ...]
    notes: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """Whether a task is no longer solved or costs more, or a planner is slower than noise explains."""
        slower = any(pace.noise is False and (pace.ratio or 0) > 1 for pace in self.paces)
        return slower or any(change.kind in ("lost", "dearer") for change in self.tasks)


def changes(old: Grid, new: Grid) -> Changes:
    """Return the differences between an old experiment and a new one."""
    clock = old.clock if old.clock.name == new.clock.name else new.clock
    before, after = _by_planner(old, clock), _by_planner(new, clock)
    paces, tasks = [], list[Change]()
    for planner in [name for name in after if name in before]:
        both = after[planner].add_suffix("_new").join(before[planner].add_suffix("_old"), how="inner")
        paces.append(_pace(planner, both))
        tasks += [change for row in both.itertuples() for change in _changes(planner, row)]
    tasks.sort(key=lambda change: KINDS.index(change.kind))
    return Changes(tuple(paces), tuple(tasks), tuple(_notes(old, new, [*before], [*after])))


def _by_planner(grid: Grid, clock: Measure) -> dict[str, Any]:
    """Return one table per planner, by short label, with a row for each task; runs of all limits and versions count."""
    frame = grid.frame
    seconds = clock.values(frame).clip(lower=clock.floor)
    frame = frame.assign(seconds=seconds, log=seconds.transform("log"), least=frame.cost.where(frame.solved))
    labels = frame.planner.map({name: label.planner for name, label in grid.labels.items()})
    return {str(label): table.groupby(TASK, sort=False).agg(**COLUMNS) for label, table in frame.groupby(labels)}


def _notes(old: Grid, new: Grid, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield sentences about conditions, such as limits, in which two experiments differ."""
    for planner in after:
        kinds = [
            {tuple(sorted(label.limits.items())) for label in grid.labels.values() if label.planner == planner}
            for grid in (old, new)
        ]
        if kinds[0] and kinds[0] != kinds[1]:
            yield f"{planner} had other limits in the older experiment"
    if old.clock.name != new.clock.name:
        yield f"the older experiment has {old.clock.title}, this one {new.clock.title}; {new.clock.title} is compared"
    processes = [{run.process for run in grid.runs} for grid in (old, new)]
    if processes[0] != processes[1]:
        words = [" or ".join(sorted(PROCESSES[each] for each in those)) for those in processes]
        yield f"the older experiment made {words[0]}, this one {words[1]}: different start-up work counts"
    yield from [f"{planner} is not in the older experiment" for planner in after if planner not in before]
    yield from [f"{planner} is in the older experiment only" for planner in before if planner not in after]


def _changes(planner: str, row: Any) -> Iterator[Change]:
    """Yield the changed results of a planner on one task."""
    sure = {row.share_old, row.share_new} == {0.0, 1.0}
    found = [("lost" if sure else "rarer", -row.share_old, -row.share_new), ("dearer", row.cost_old, row.cost_new)]
    if min(row.times_old, row.times_new) >= ENOUGH and (row.high_old < row.low_new or row.high_new < row.low_old):
        found.append(("slower", exp(row.log_old), exp(row.log_new)))
    for worse, old, new in found:
        if old < new or old > new:  # neither is NaN
            kind, (domain, task) = worse if old < new else OPPOSITES[worse], row.Index
            yield Change(kind, planner, domain, task, abs(old), abs(new))


def _pace(planner: str, both: Any) -> Pace:
    """Return the ratio of a planner's new to its old times, over all tasks solved in both experiments."""
    coverage = [float(both.share_old.sum()), float(both.share_new.sum())]
    differences = (both.log_new - both.log_old).dropna()
    if not len(differences):
        return Pace(planner, 0, None, None, None, None, *coverage)
    noise = _noise(differences, (both.runs_old > 1) & (both.runs_new > 1))
    return Pace(planner, len(differences), exp(differences.mean()), *noise, *coverage)
