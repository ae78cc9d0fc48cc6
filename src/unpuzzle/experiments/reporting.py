"""Make the report of an experiment: a record with all figures, for JSON, web pages and notebooks.

>>> from unpuzzle.experiments import read_runs
>>> from unpuzzle.experiments.reporting import report
>>> report(read_runs("runs.jsonl")).planners[0].scores["coverage"]    # doctest: +SKIP
17.0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import ERROR, UNSOLVABLE
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.experiments.differences import Changes, Ratio, changes, ratios, tied
from unpuzzle.experiments.measures import COVERAGE, OUTCOMES, SCORES, Grid, is_optimal, is_solved, limits_text
from unpuzzle.experiments.reading import unique
from unpuzzle.experiments.runs import ExperimentRun, settle_tasks
from unpuzzle.table import notebook_bundle

CONTRADICTION, INVALID_PLAN = "contradiction", "invalid_plan"
CERTAIN = (CONTRADICTION, INVALID_PLAN)
"""The kinds of faults that prove an answer wrong; an error gives no answer."""


# Faults of the runs. Tasks with equal names count as the same task; whether their texts are equal is not known here:
#
#     contradiction    two costs are both called optimal; a plan is cheaper than an optimal one; unsolvable, and solved
#     invalid_plan     the plan does not solve the task
#     error            the planner broke; runs of one planner with one message are reported together


class Fault(Record):
    """A fault in one or several runs of a task.

    Attributes:
        kind: `contradiction`, `invalid_plan` or `error`.
        domain, task: where; empty for an error in several tasks.
        text, keys: a sentence, and the keys of the runs with this fault.
    """

    kind: str
    domain: str
    task: str
    text: str
    keys: tuple[str, ...]


def faults_of(runs: Sequence[ExperimentRun], names: Mapping[str, str]) -> tuple[Fault, ...]:
    """Return all faults, the worst first; `names` maps the key of each run to the name of its planner."""
    by_task: dict[tuple[str, str], list[ExperimentRun]] = {}
    errors: dict[tuple[str, str], list[ExperimentRun]] = {}
    for run in runs:
        by_task.setdefault((run.domain, run.task), []).append(run)
        if run.status == ERROR and run.valid is not False:
            errors.setdefault((names[run.key], run.message), []).append(run)
    found = [fault for those in by_task.values() for fault in _contradictions(those, names)]
    told = {key for fault in found for key in fault.keys}
    for run in settle_tasks(runs):
        if run.refuted_by and run.key not in told:  # such as by fewer pushes
            found.append(_fault(CONTRADICTION, [run], f"{names[run.key]}: {run.message}"))
    for run in [run for run in runs if run.valid is False]:
        why = f": {run.message}" if run.message else ""
        found.append(_fault(INVALID_PLAN, [run], f"the plan of {names[run.key]} is invalid{why}"))
    for (planner, message), those in sorted(errors.items(), key=lambda item: -len(item[1])):
        found.append(_fault(ERROR, those, f"{planner}: {message or 'it broke without a message'}"))
    return tuple(found)


def _fault(kind: str, runs: Sequence[ExperimentRun], text: str) -> Fault:
    tasks = {(run.domain, run.task) for run in runs}
    domain, task = tasks.pop() if len(tasks) == 1 else ("", "")
    return Fault(kind, domain, task, text, tuple(run.key for run in runs))


def _contradictions(runs: Sequence[ExperimentRun], names: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the contradictions among the runs of one task."""

    def who(runs: Iterable[ExperimentRun]) -> str:
        return ", ".join(dict.fromkeys(names[run.key] for run in runs))

    solved = [run for run in runs if is_solved(run)]
    unsolvable = [run for run in runs if run.status == UNSOLVABLE]
    if solved and unsolvable:
        text = f"{who(solved)} solved it, {who(unsolvable)} proved that there is no solution"
        yield _fault(CONTRADICTION, solved + unsolvable, text)
    optimal = [run for run in solved if run.cost is not None and is_optimal(run)]
    costs = {cost: [run for run in optimal if run.cost == cost] for cost in sorted({run.cost or 0 for run in optimal})}
    if len(costs) > 1:
        parts = [f"{cost:,} ({who(those)})" for cost, those in costs.items()]
        yield _fault(CONTRADICTION, optimal, f"several costs are called optimal: {', '.join(parts)}")
    least = min(costs, default=0)
    if cheaper := [run for run in solved if run.cost is not None and run.cost < least]:
        text = f"a plan of {who(cheaper)} costs {min(run.cost or 0 for run in cheaper):,}, "
        text += f"less than {least:,}, which {who(costs[least])} called optimal"
        yield _fault(CONTRADICTION, cheaper + costs[least], text)


class PlannerRow(Record):
    """The figures of one planner.

    Attributes:
        name, configuration: its label, unique within the report, and its full name.
        limits, versions: in words, and by the name of a program.
        runs, tasks: how many.
        outcomes: the number of runs by outcome: a status or `invalid_plan`.
        scores: by name the sum over all tasks, but the mean of `par10`; `agile` and `par10` only if every run had a
            time limit.
        tied: the scores in which noise explains the difference from the best planner; None without enough repetitions.
    """

    name: str
    configuration: str
    limits: str
    versions: Mapping[str, str]
    runs: int
    tasks: int
    outcomes: Mapping[str, int]
    scores: Mapping[str, float]
    tied: tuple[str, ...] | None


class DomainRow(Record):
    """The figures of one domain.

    Attributes:
        name, tasks: its name, and how many tasks it has.
        coverage: the number of solved tasks by planner; without planners that had none of its tasks.
        tied: the planners whose difference from the best one noise explains; None without enough repetitions or tasks.
    """

    name: str
    tasks: int
    coverage: Mapping[str, float]
    tied: tuple[str, ...] | None = None


class DomainFigure(Record):
    """The values of one measure for the planners in one domain.

    Attributes:
        measure, domain: their names; no domain is all domains together.
        tasks: the number of tasks that count: all for a score, else those that all planners with a value solved.
        values: by planner the sum of a score (the mean of `par10`), or the geometric mean of another measure; without
            planners that have no value.
    """

    measure: str
    domain: str | None
    tasks: int
    values: Mapping[str, float]


class ExperimentReport(Record):
    """The figures of an experiment.

    Attributes:
        title, runs, tasks: of the page; how many.
        time: the clock that was used: `cpu`, `wall` or `total`, the time in the planner's own output.
        notes: warnings for readers of the figures.
        faults: answers that are wrong, and errors, the worst first.
        planners, domains: a row each.
        ratios: the ratios of pairs of planners, on the tasks that both solved.
        changes: the differences from an older experiment; None if there is none.
        measures: each measure by domain.
    """

    title: str
    runs: int
    tasks: int
    time: str
    notes: tuple[str, ...]
    faults: tuple[Fault, ...]
    planners: tuple[PlannerRow, ...]
    domains: tuple[DomainRow, ...]
    ratios: tuple[Ratio, ...]
    changes: Changes | None
    measures: tuple[DomainFigure, ...]
    _grid: Grid

    schema = "report"
    _uncompared = ("_grid",)

    @property
    def grid(self) -> Grid:
        """The runs as a table, in which measures can be computed by planner and task."""
        return self._grid

    @property
    def is_faulty(self) -> bool:
        """Whether the experiment has a result that is certainly wrong."""
        return any(fault.kind in CERTAIN for fault in self.faults)

    _repr_mimebundle_ = notebook_bundle


def report(
    runs: Iterable[ExperimentRun], *, compare: Iterable[ExperimentRun] = (), title: str = "Report"
) -> ExperimentReport:
    """Return the figures of runs and, if older runs are given, the differences from the older runs.

    Raises UsageError without runs or for the name of a file, DependencyMissing without the extra `plots`.
    """
    if isinstance(runs, str) or isinstance(compare, str):
        raise UsageError("report() takes runs, not the name of a file: read_runs(FILE) returns the runs of a file")
    own, twice = unique(runs)
    older, _ = unique(compare)
    if not own:
        raise UsageError("there are no runs to report on")
    grid = Grid.of(settle_tasks(own))
    names = names_of(grid)
    old = Grid.of(settle_tasks(older)) if older else None
    judged = {run.key: run for run in (*older, *own)}
    before = {} if old is None else {key: f"{name} (older)" for key, name in names_of(old).items()}
    faults = faults_of([*judged.values()], before | names)
    domains = {name: [name == each for each, _ in grid.tasks] for name in sorted({name for name, _ in grid.tasks})}
    return ExperimentReport(
        title=title,
        runs=len(own),
        tasks=len(grid.tasks),
        time=grid.clock.name,
        notes=tuple(_notes(grid, twice)),
        faults=tuple(fault for fault in faults if fault.kind in CERTAIN or {*fault.keys} & {*names}),
        planners=tuple(_planners(grid)),
        domains=tuple(
            DomainRow(name, sum(rows), grid.totals(COVERAGE, rows), tied(grid, COVERAGE, rows))
            for name, rows in domains.items()
        ),
        ratios=tuple(ratios(grid)),
        changes=None if old is None else changes(old, grid),
        measures=tuple(
            DomainFigure(measure.name, name, len(grid.common(measure, rows)), grid.totals(measure, rows))
            for measure in grid.measures
            for name, rows in (*domains.items(), (None, slice(None)))
        ),
        _grid=grid,
    )


def names_of(grid: Grid) -> dict[str, str]:
    """Return the planner's name in the report, for the key of each run."""
    return dict(zip([run.key for run in grid.runs], grid.frame.planner, strict=True))


def _planners(grid: Grid) -> Iterator[PlannerRow]:
    """Yield the figures of each planner."""
    totals = {score.name: grid.totals(score) for score in grid.scores}
    ties = {score.name: names for score in grid.scores if (names := tied(grid, score)) is not None}
    ended = grid.frame.groupby("planner").outcome.value_counts()
    for name, label in grid.labels.items():
        yield PlannerRow(
            name,
            label.configuration,
            limits_text(label.limits),
            label.versions,
            runs=int(ended[name].sum()),
            tasks=int(grid.sizes[name].count()),
            outcomes={each: int(ended[name, each]) for each in OUTCOMES if (name, each) in ended},
            scores={score: totals[score][name] for score in totals},
            tied=tuple(score for score in ties if name in ties[score]) if ties else None,
        )


def _notes(grid: Grid, twice: int) -> Iterator[str]:
    """Yield warnings that readers should see first, such as planners that did not run on all tasks."""
    if twice:
        yield f"{count(twice, 'run')} occurred twice, and counted once."
    for planner in dict.fromkeys(label.planner for label in grid.labels.values()):
        names = [name for name, label in grid.labels.items() if label.planner == planner]
        if len(names) > 1:
            why = "had different limits, versions or settings, and are shown separately"
            yield f"Runs of {planner} {why}: {', '.join(names)}."
    tasks = {name: int(grid.sizes[name].count()) for name in grid.labels}
    lacking = [name for name in tasks if tasks[name] < len(grid.tasks)]
    for name in lacking[:5]:
        yield f"{name} ran on {tasks[name]:,} of the {len(grid.tasks):,} tasks: sums are not comparable."
    if len(lacking) > 5:
        yield f"So did {count(len(lacking) - 5, 'other')}."
    if len(grid.scores) < len(SCORES):
        yield "There is no agile score, and no PAR10: not every run had a time limit of more than a second."
    kinds = [run.process for run in grid.runs]
    if "warm" in kinds:
        yield f"{count(kinds.count('warm'), 'run')} began in a warm copy: its start does not count."
    if None in kinds and {*kinds} != {None}:
        yield f"How {count(kinds.count(None), 'run')} of an older version began is unknown: usually in warm copies."
    for planner, what in dict.fromkeys((run.planner, run.includes) for run in grid.runs if run.includes):
        yield f"The times of {planner} include {what}."
    machines = {str(run.machine.get("name")) for run in grid.runs if run.machine.get("name")}
    if len(machines) > 1:
        yield f"The runs are of {len(machines)} machines: their times may not be comparable."
    if not (grid.sizes > 1).any(axis=None):
        yield "Every planner ran on each task once: which differences are noise is unknown."
