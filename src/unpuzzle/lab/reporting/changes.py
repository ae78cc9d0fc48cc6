"""Compare an experiment with an older one, planner by planner: what became worse, and what became better.

Planners are matched by their short label: their versions differ as a rule, which is what one wants to know about.
Compared are the tasks that both experiments have.

    lost, gained         every run solved the task before and none does now, or the other way round
    rarer, oftener       a smaller or a larger share of its runs solves it, which chance may do
    dearer, cheaper      the best plan of the task costs more, or less
    slower, faster       each run of the task took longer than each older run, or shorter, at least three of either

Times of single tasks are told by ranks (Mann and Whitney, 1947): with three runs on either side chance alone gives one
such task in twenty either way. What holds of a planner on the whole is said by the paired bootstrap (see `noise`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp

from unpuzzle.base.values import Record
from unpuzzle.lab.reporting.grid import Grid, Measure, TaskName, geometric_mean, is_solved
from unpuzzle.lab.reporting.ratios import Bootstrap, is_noise
from unpuzzle.lab.runs import ExperimentRun

LOST, DEARER, RARER, SLOWER = "lost", "dearer", "rarer", "slower"
GAINED, CHEAPER, OFTENER, FASTER = "gained", "cheaper", "oftener", "faster"
WORSE = (LOST, DEARER, RARER, SLOWER)
KINDS = (*WORSE, GAINED, CHEAPER, OFTENER, FASTER)
ENOUGH = 3
"""The least number of runs on either side to call a task slower or faster."""


class Change(Record):
    """A task on which the results of a planner have changed.

    Attributes:
        kind: `lost`, `dearer`, `rarer`, `slower`, `gained`, `cheaper`, `oftener` or `faster`.
        planner, domain, task: who and where.
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
        """The unit of the numbers: ` s` for seconds, nothing for shares and costs."""
        return " s" if self.kind in (SLOWER, FASTER) else ""


class Pace(Record):
    """The ratio of a planner's new time to its old time, on the tasks that it solved both times.

    Attributes:
        planner: its label.
        tasks: how many tasks it solved both times.
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
    """The differences from an older experiment.

    Attributes:
        paces: by planner the time.
        tasks: each task that changed, the worst first.
        notes: what makes the comparison less than fair.
    """

    paces: tuple[Pace, ...]
    tasks: tuple[Change, ...]
    notes: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """Whether a task is lost or dearer, or a planner slower than noise explains."""
        slower = any(pace.noise is False and (pace.ratio or 0) > 1 for pace in self.paces)
        return slower or any(change.kind in (LOST, DEARER) for change in self.tasks)


Cells = Mapping[TaskName, Sequence[ExperimentRun]]


def changes(old: Grid, new: Grid) -> Changes:
    """Return the differences between an old experiment and a new one."""
    before, after = _by_planner(old), _by_planner(new)
    clock = old.clock if old.clock == new.clock else new.clock
    both = [planner for planner in after if planner in before]
    paces = [_pace(planner, before[planner], after[planner], clock) for planner in both]
    tasks = [
        change
        for planner in both
        for task in after[planner]
        if task in before[planner]
        for change in _changes(planner, task, before[planner][task], after[planner][task], clock)
    ]
    ordered = sorted(tasks, key=lambda change: KINDS.index(change.kind))
    return Changes(tuple(paces), tuple(ordered), tuple(_notes(old, new)))


def _by_planner(grid: Grid) -> dict[str, dict[TaskName, list[ExperimentRun]]]:
    """Return the runs by the short labels of planners, whatever their limits and versions."""
    found: dict[str, dict[TaskName, list[ExperimentRun]]] = {}
    for name, label in grid.labels.items():
        for task, runs in grid.cells[name].items():
            found.setdefault(label.planner, {}).setdefault(task, []).extend(runs)
    return found


def _notes(old: Grid, new: Grid) -> Iterator[str]:
    for planner in _by_planner(new):
        kinds = [
            {tuple(sorted(label.limits.items())) for label in grid.labels.values() if label.planner == planner}
            for grid in (old, new)
        ]
        if kinds[0] and kinds[0] != kinds[1]:
            yield f"{planner} had other limits in the older experiment"
    if old.clock != new.clock:
        yield f"the older experiment tells {old.clock.title}, this one {new.clock.title}; {new.clock.title} is compared"
    for planner in _by_planner(new):
        if planner not in _by_planner(old):
            yield f"{planner} is not in the older experiment"
    for planner in _by_planner(old):
        if planner not in _by_planner(new):
            yield f"{planner} is in the older experiment only"


def _changes(
    planner: str, task: TaskName, old: Sequence[ExperimentRun], new: Sequence[ExperimentRun], clock: Measure
) -> Iterator[Change]:
    shares = [_share(runs) for runs in (old, new)]
    if shares[0] != shares[1]:
        sure = {*shares} == {0.0, 1.0}
        kinds = (LOST, GAINED) if sure else (RARER, OFTENER)
        yield Change(kinds[shares[1] > shares[0]], planner, *task, *shares)
    costs = [[run.cost for run in runs if is_solved(run) and run.cost is not None] for runs in (old, new)]
    if all(costs) and min(costs[0]) != min(costs[1]):
        yield Change(DEARER if min(costs[1]) > min(costs[0]) else CHEAPER, planner, *task, min(costs[0]), min(costs[1]))
    times = [_times(runs, clock) for runs in (old, new)]
    if all(len(values) >= ENOUGH for values in times):
        means = [geometric_mean(values) for values in times]
        if max(times[0]) < min(times[1]):
            yield Change(SLOWER, planner, *task, *means)
        elif max(times[1]) < min(times[0]):
            yield Change(FASTER, planner, *task, *means)


def _share(runs: Sequence[ExperimentRun]) -> float:
    return sum(map(is_solved, runs)) / len(runs)


def _times(runs: Sequence[ExperimentRun], clock: Measure) -> list[float]:
    values = [clock.value(run) for run in runs if is_solved(run)]
    return [max(value, clock.floor) for value in values if value is not None]


def _pace(planner: str, old: Cells, new: Cells, clock: Measure) -> Pace:
    grids = [Grid((), {}, {planner: cells}) for cells in (old, new)]
    logs = [grid.logarithms(planner, clock) for grid in grids]
    common = [task for task in new if task in old]
    solved = [task for task in common if task in logs[0] and task in logs[1]]
    coverage = [sum(_share(cells[task]) for task in common) for cells in (old, new)]
    if not solved:
        return Pace(planner, 0, None, None, None, None, *coverage)
    means = [[sum(each[task]) / len(each[task]) for task in solved] for each in logs]
    ratio = exp((sum(means[1]) - sum(means[0])) / len(solved))
    between = None
    if all(len(cells[task]) > 1 for cells in (old, new) for task in solved):
        bootstrap = Bootstrap(common)
        for name, those in zip(("old", "new"), logs, strict=True):
            bootstrap.add(name, {task: those[task] for task in solved})
        between = bootstrap.interval("old", "new")
    low, high = between or (None, None)
    return Pace(
        planner, len(solved), ratio, None if low is None else exp(low), None if high is None else exp(high),
        is_noise(between), *coverage,
    )  # fmt: skip
