"""The runs of a report, by planner and task, and their measures.

A run has *solved* its task where its status says so and its plan is not invalid; its outcome is its status, or
`invalid_plan`. A task's value for a planner is the geometric mean over the runs that solved it, of values that are at
least the floor of the measure: a clock does not tell less than a millisecond, and a count of nothing has no logarithm.

Time is processor time where every run that solved its task has it, else wall clock, else what the planner said: never a
mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import exp, log
from typing import Any

from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, STATUSES
from unpuzzle.base.values import Record, field
from unpuzzle.lab.runs import ExperimentRun

# Name the planners of a report; another limit, version or objective makes another planner.
#
#     native (10 s of wall clock)    native (60 s of wall clock)    lama (unpuzzle 0.8.2)
#
# A name says only what differs among the planners that share it.

GIB = 2**30
NO_LIMITS = "no limits"
Identity = tuple[tuple[str, str], ...]
"""The properties that distinguish planners, as pairs of a name and a text."""


class Label(Record):
    """A planner of a report, with its limits and versions.

    Attributes:
        name: unique within the report.
        planner, configuration, limits, versions, objective: as in `ExperimentRun`.
    """

    name: str
    planner: str
    configuration: str
    limits: Mapping[str, float | None]
    versions: Mapping[str, str]
    objective: str


def labelled(runs: Iterable[ExperimentRun]) -> list[tuple[Label, list[ExperimentRun]]]:
    """Return labels with their runs, by name: runs may have come in any order."""
    groups: dict[str, dict[Identity, list[ExperimentRun]]] = {}
    seen: dict[tuple[Any, ...], Identity] = {}  # so that the identity is made once for each kind of run
    for run in runs:
        kind = (run.configuration, run.objective, *run.limits.items(), None, *run.versions.items())
        if kind not in seen:
            seen[kind] = _identity(run)
        groups.setdefault(run.planner, {}).setdefault(seen[kind], []).append(run)
    labels: dict[str, tuple[Label, list[ExperimentRun]]] = {}
    for planner, kinds in groups.items():
        for identity, those in kinds.items():
            name = base = planner + _difference(identity, [*kinds])
            number = 1
            while name in labels:
                number += 1
                name = f"{base}, {number}"
            first = those[0]
            limits, versions = dict(first.limits), dict(first.versions)
            labels[name] = Label(name, planner, first.configuration, limits, versions, first.objective), those
    return sorted(labels.values(), key=lambda pair: pair[0].name)


def limits_text(limits: Mapping[str, float | None]) -> str:
    """Return limits in words, such as `10 s of processor time, 2 GiB`."""
    return ", ".join(text for _, text in _limits(limits)) or NO_LIMITS


def _identity(run: ExperimentRun) -> Identity:
    versions = [(f"version of {name}", f"{name} {version}") for name, version in sorted(run.versions.items())]
    objective = [("objective", f"for {run.objective}")]
    return (("configuration", run.configuration), *objective, *_limits(run.limits), *versions)


def _limits(limits: Mapping[str, float | None]) -> list[tuple[str, str]]:
    time, cpu, memory = (limits.get(name) for name in ("time", "cpu", "memory"))
    texts = []
    if cpu is not None:
        texts.append(("cpu", f"{cpu:g} s of processor time"))
    if time is not None:
        texts.append(("time", f"{time:g} s of wall clock"))
    if memory is not None:
        texts.append(("memory", f"{memory / GIB:.3g} GiB"))
    return texts


def _difference(identity: Identity, others: Sequence[Identity]) -> str:
    """Return the words that distinguish a planner from others of the same name, such as its limits."""
    if len(others) == 1:
        return ""
    every = set(others[0]).intersection(*map(set, others[1:]))
    own = [text for name, text in identity if (name, text) not in every]
    return f" ({', '.join(own) or 'without'})"


INVALID = "invalid_plan"
OUTCOMES = (*STATUSES, INVALID)
TaskName = tuple[str, str]
"""A domain, and the name of a task within it."""


class Measure(Record):
    """A measure of runs: `value` returns it, or None; in ratios, smaller values count as `floor`."""

    name: str
    title: str
    unit: str
    value: Callable[[ExperimentRun], float | None]
    floor: float = 1


CLOCKS = (
    Measure("cpu", "processor time", "s", lambda run: run.cpu, 0.001),
    Measure("wall", "wall clock", "s", lambda run: run.wall, 0.001),
    Measure("total", "time that the planner says", "s", lambda run: run.seconds.get("total"), 0.001),
)
OTHERS = (
    Measure("cost", "cost", "", lambda run: run.cost),
    Measure("expanded", "expanded states", "", lambda run: run.expanded),
    Measure("evaluated", "evaluated states", "", lambda run: run.evaluated),
    Measure("generated", "generated states", "", lambda run: run.generated),
    Measure("memory", "peak memory", "MiB", lambda run: None if run.peak_memory is None else run.peak_memory / 2**20),
    Measure("length", "steps of the plan", "", lambda run: None if run.plan is None else len(run.plan)),
)


def is_solved(run: ExperimentRun) -> bool:
    """Return whether a run has found a plan that is not known to be invalid."""
    return run.status in (SOLVED, SOLVED_OPTIMALLY) and run.valid is not False


def outcome(run: ExperimentRun) -> str:
    """Return the status of a run, or `invalid_plan`."""
    return INVALID if run.valid is False else run.status


def task_of(run: ExperimentRun) -> TaskName:
    """Return the domain and the task of a run."""
    return run.domain, run.task


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean of positive values, at least one."""
    logs = [log(value) for value in values]
    return exp(sum(logs) / len(logs))


class Grid(Record):
    """Runs by planner and task.

    Attributes:
        runs: all of them, in their order.
        labels: by name the planners.
        cells: by name of the planner and by task its runs.
    """

    runs: Sequence[ExperimentRun]
    labels: Mapping[str, Label] = field(default_factory=dict)
    cells: Mapping[str, Mapping[TaskName, Sequence[ExperimentRun]]] = field(default_factory=dict)
    _logs: dict[tuple[str, str], Mapping[TaskName, Sequence[float]]] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Sequence[ExperimentRun]) -> Grid:
        """Return the grid of some runs."""
        labels, cells = {}, {}
        for label, those in labelled(runs):
            labels[label.name] = label
            by_task: dict[TaskName, list[ExperimentRun]] = {}
            for run in those:
                by_task.setdefault(task_of(run), []).append(run)
            cells[label.name] = by_task
        return cls(runs, labels, cells)

    @cached_property
    def tasks(self) -> tuple[TaskName, ...]:
        """All tasks, by domain, in the order in which they came."""
        domains: dict[str, dict[TaskName, None]] = {}
        for run in self.runs:
            domains.setdefault(run.domain, {})[task_of(run)] = None
        return tuple(task for tasks in domains.values() for task in tasks)

    @cached_property
    def best_costs(self) -> Mapping[TaskName, int]:
        """The least cost of a plan, of the tasks that have one."""
        best: dict[TaskName, int] = {}
        for run in filter(is_solved, self.runs):
            if run.cost is not None:
                best[task_of(run)] = min(run.cost, best.get(task_of(run), run.cost))
        return best

    @cached_property
    def clock(self) -> Measure:
        """The measure of time that every run with a plan has; the last one, where none is complete."""
        solved = [*filter(is_solved, self.runs)]
        for clock in CLOCKS:
            if all(clock.value(run) is not None for run in solved):
                return clock
        return CLOCKS[-1]

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that some run with a plan has, time first."""
        solved = [*filter(is_solved, self.runs)]
        return tuple(each for each in (self.clock, *OTHERS) if any(each.value(run) is not None for run in solved))

    @cached_property
    def is_repeated(self) -> bool:
        """Whether some planner had a task more than once."""
        return any(len(runs) > 1 for tasks in self.cells.values() for runs in tasks.values())

    @cached_property
    def solved(self) -> Mapping[str, Mapping[TaskName, Sequence[ExperimentRun]]]:
        """The runs that solved a task, by the planner's name and the task."""
        every = {
            name: {task: [*filter(is_solved, runs)] for task, runs in cells.items()}
            for name, cells in self.cells.items()
        }
        return {name: {task: runs for task, runs in cells.items() if runs} for name, cells in every.items()}

    def logarithms(self, label: str, measure: Measure) -> Mapping[TaskName, Sequence[float]]:
        """Return the logarithms of a measure for the runs with a plan, by task."""
        known = self._logs.get((label, measure.name))
        if known is None:
            read, floor = measure.value, measure.floor
            some = {task: [*map(read, runs)] for task, runs in self.solved[label].items()}
            logs = {
                task: [log(max(value, floor)) for value in values if value is not None] for task, values in some.items()
            }
            known = self._logs[label, measure.name] = {task: values for task, values in logs.items() if values}
        return known

    def values(self, label: str, measure: Measure) -> Mapping[TaskName, float]:
        """Return the value of each task that the planner solved."""
        return {task: exp(sum(logs) / len(logs)) for task, logs in self.logarithms(label, measure).items()}
