"""Make the report of an experiment: all figures in one value, for JSON, pages and notebooks.

>>> from unpuzzle.lab.reporting import read_runs, report              # doctest: +SKIP
>>> report(read_runs("runs.jsonl")).planners[0].coverage              # doctest: +SKIP
17.0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import count
from unpuzzle.base.values import Record, plain
from unpuzzle.lab.claims import settle_tasks
from unpuzzle.lab.reporting.changes import Changes, changes
from unpuzzle.lab.reporting.faults import CERTAIN, Fault, faults_of
from unpuzzle.lab.reporting.grid import OUTCOMES, Grid, Label, TaskName, limits_text, outcome
from unpuzzle.lab.reporting.ratios import LEAST_TASKS, Bootstrap, Ratio, Samples, is_noise, ratios
from unpuzzle.lab.reporting.reading import unique
from unpuzzle.lab.reporting.scores import (
    AGILE,
    COVERAGE,
    SCORES,
    anytime_profile,
    by_task,
    has_profiles,
    mean,
    score_functions,
    solved_after,
    total,
)
from unpuzzle.lab.runs import ExperimentRun
from unpuzzle.lab.tables import align_columns, csv_of
from unpuzzle.table import notebook_bundle

Table = Mapping[str, Mapping[str, float]]


class PlannerRow(Record):
    """The figures of one planner.

    Attributes:
        name: its label, unique within the report.
        configuration: its full name.
        limits: in words.
        versions: by name.
        runs, tasks: how many.
        outcomes: by outcome how many runs; an outcome is a status or `invalid_plan`.
        scores: by name the sum over all tasks; `agile` only where every run had a limit on its time.
        tied: the scores in which noise explains the distance to the best planner; None without enough repetitions.
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
        name: of the domain.
        tasks: how many.
        coverage: by the name of the planner how many are solved; without those that had none of its tasks.
        tied: the planners whose distance to the best one noise explains; None without enough repetitions or tasks.
    """

    name: str
    tasks: int
    coverage: Mapping[str, float]
    tied: tuple[str, ...] | None = None


class ExperimentReport(Record):
    """The figures of an experiment.

    Attributes:
        title: of the page.
        runs, tasks: how many.
        time: what is meant by time: `cpu`, `wall` or `total`, what the planner says.
        notes: what has to be known to read the figures.
        faults: what cannot be right, the gravest first.
        planners, domains: a row each.
        ratios: of pairs of planners, on the tasks that both solved.
        changes: what is otherwise than in an older experiment; None where there is none to compare with.
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
    _grid: Grid

    schema = "report"
    _uncompared = ("_grid",)

    @property
    def grid(self) -> Grid:
        """The runs by planner and task."""
        return self._grid

    @property
    def is_faulty(self) -> bool:
        """Whether some answer is certainly wrong."""
        return any(fault.kind in CERTAIN for fault in self.faults)

    _repr_mimebundle_ = notebook_bundle


def report(
    runs: Iterable[ExperimentRun], *, compare: Iterable[ExperimentRun] = (), title: str = "Report"
) -> ExperimentReport:
    """Return the figures of runs and, if older runs are given, the differences from them.

    Raises UsageError without runs, DependencyMissing without the extra `plots` where runs were repeated.
    """
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
    return ExperimentReport(
        title=title,
        runs=len(own),
        tasks=len(grid.tasks),
        time=grid.clock.name,
        notes=tuple(_notes(grid, twice)),
        faults=tuple(fault for fault in faults if fault.kind in CERTAIN or {*fault.keys} & {*names}),
        planners=_planners(grid),
        domains=_domains(grid),
        ratios=ratios(grid),
        changes=None if old is None else changes(old, grid),
        _grid=grid,
    )


def names_of(grid: Grid) -> dict[str, str]:
    """Return the name of the planner by the key of each run."""
    return {run.key: name for name, tasks in grid.cells.items() for runs in tasks.values() for run in runs}


def _planners(grid: Grid) -> tuple[PlannerRow, ...]:
    functions = score_functions(grid)
    samples = {
        score: {name: by_task(grid, name, function) for name in grid.labels} for score, function in functions.items()
    }
    totals: dict[str, dict[str, float]] = {
        score: {name: total(map(mean, tasks.values())) for name, tasks in those.items()}
        for score, those in samples.items()
    }
    ties = {score: _tied(samples[score], totals[score]) for score in samples}
    rows = []
    for name, label in grid.labels.items():
        runs = [run for those in grid.cells[name].values() for run in those]
        found = [outcome(run) for run in runs]
        known = [score for score in ties if ties[score] is not None]
        tied = tuple(score for score in known if name in (ties[score] or ()))
        rows.append(
            PlannerRow(
                name,
                label.configuration,
                limits_text(label.limits),
                label.versions,
                len(runs),
                len(grid.cells[name]),
                {each: found.count(each) for each in OUTCOMES if each in found},
                {score: totals[score][name] for score in totals},
                tied if known else None,
            )
        )
    return tuple(rows)


def _tied(samples: Mapping[str, Samples], totals: Mapping[str, float]) -> set[str] | None:
    """Return the planners that only noise separates from the best; None if that is unknown."""
    best = max(totals, key=lambda name: totals[name])
    tied, known = set(), False
    bootstrap: Bootstrap | None = None
    for name in totals:
        tasks = [task for task in samples[best] if task in samples[name]]
        if name == best or not all(len(samples[each][task]) > 1 for each in (best, name) for task in tasks):
            continue
        bootstrap = bootstrap or Bootstrap(samples[best])
        for each in (best, name):
            bootstrap.add(each, {task: values for task, values in samples[each].items() if task in samples[best]})
        noise = is_noise(bootstrap.interval(best, name))
        known |= noise is not None
        tied |= {name} if noise else set()
    return tied if known else None


def _domains(grid: Grid) -> tuple[DomainRow, ...]:
    tasks: dict[str, list[str]] = {}
    for domain, task in grid.tasks:
        tasks.setdefault(domain, []).append(task)
    samples: dict[str, dict[str, dict[TaskName, Sequence[float]]]] = {domain: {} for domain in tasks}
    coverage = score_functions(grid)[COVERAGE]
    for name in grid.labels:
        for place, scores in by_task(grid, name, coverage).items():
            samples[place[0]].setdefault(name, {})[place] = scores
    return tuple(_domain(domain, len(names), samples[domain]) for domain, names in sorted(tasks.items()))


def _domain(name: str, tasks: int, samples: Mapping[str, Samples]) -> DomainRow:
    solved = {planner: total(map(mean, those.values())) for planner, those in samples.items()}
    ties = _tied(samples, solved) if tasks >= LEAST_TASKS else None
    return DomainRow(name, tasks, solved, None if ties is None else tuple(each for each in solved if each in ties))


def _notes(grid: Grid, twice: int) -> list[str]:
    """Return warnings to read before the figures, such as planners that did not run on all tasks."""
    notes = []
    if twice:
        notes.append(f"{count(twice, 'run')} stood there twice, and counted once.")
    several = _several(grid.labels)
    for planner, names in several.items():
        notes.append(
            f"Runs of {planner} had different limits, versions or settings, and are told apart: {', '.join(names)}."
        )
    lacking = [name for name in grid.labels if len(grid.cells[name]) < len(grid.tasks)]
    for name in lacking[:5]:
        notes.append(
            f"{name} ran on {len(grid.cells[name]):,} of the {len(grid.tasks):,} tasks: sums are not comparable."
        )
    if len(lacking) > 5:
        notes.append(f"So did {count(len(lacking) - 5, 'other')}.")
    if AGILE not in score_functions(grid):
        notes.append("There is no agile score: not every run had a limit on its time of more than a second.")
    machines = {str(run.machine.get("name")) for run in grid.runs if run.machine.get("name")}
    if len(machines) > 1:
        notes.append(f"The runs are of {len(machines)} machines: their times may not be comparable.")
    if not grid.is_repeated:
        notes.append("Every planner had each task once: nothing is said about which differences are noise.")
    return notes


def _several(labels: Mapping[str, Label]) -> dict[str, list[str]]:
    """Return the labels of each planner that has several."""
    found: dict[str, list[str]] = {}
    for name, label in labels.items():
        found.setdefault(label.planner, []).append(name)
    return {planner: names for planner, names in found.items() if len(names) > 1}


# A report as text (scores and outcomes in columns, and what changed), and its figures and runs as CSV.

MOST = 20
"""The most changed tasks that are listed one by one."""
UNKNOWN = "too few repetitions or tasks to tell it from noise"
WHICH = ("domain", "task", "repetition", "status")
MEASURED = (
    *("cost", "valid", "expanded", "evaluated", "generated", "wall", "cpu", "peak_memory", "configuration", "message"),
    *("log", "key"),
)


def report_text(report: ExperimentReport, quiet: bool = False) -> str:
    """Return the table of scores and, unless quiet, the summary and the notes."""
    scores = [name for name in SCORES if any(name in row.scores for row in report.planners)]
    outcomes = [name for name in OUTCOMES if any(name in row.outcomes for row in report.planners)]
    head = ["planner", *scores, *outcomes]
    rows = [
        [
            row.name,
            *(f"{row.scores[name]:.1f}".removesuffix(".0") + "≈" * (name in (row.tied or ())) for name in scores),
            *(str(row.outcomes.get(name, 0)) for name in outcomes),
        ]
        for row in report.planners
    ]
    parts = [align_columns(head, rows, ("planner",))]
    if report.changes is not None:
        parts.append(_changes(report.changes))
    if not quiet:
        summary = f"{count(report.runs, 'run')}, {count(report.tasks, 'task')}; time is {report.grid.clock.title}"
        parts.append("\n".join([summary, *report.notes]))
    return "\n\n".join(parts)


def _changes(changes: Changes) -> str:
    lines = [*changes.notes]
    for pace in changes.paces:
        line = f"{pace.planner}: solved {pace.old_coverage:.4g} before, {pace.new_coverage:.4g} now"
        if pace.ratio is not None:
            known = {None: UNKNOWN, True: "noise explains it", False: "more than noise"}[pace.noise]
            ratio = f"{pace.ratio:.3g}"
            time = "as long as before" if ratio == "1" else f"{ratio} times as long"
            line += f"; takes {time} on {count(pace.tasks, 'task')} ({known})"
        lines.append(line)
    for change in changes.tasks[:MOST]:
        where = f"{change.planner} on {change.domain} {change.task}"
        lines.append(f"{change.kind}: {where}: {change.old:.4g}{change.unit} before, {change.new:.4g}{change.unit} now")
    if len(changes.tasks) > MOST:
        lines.append(f"and {count(len(changes.tasks) - MOST, 'task')} more that changed")
    return "\n".join(lines)


Rows = Iterable[Sequence[object]]


def tables_of(report: ExperimentReport) -> dict[str, str]:
    """Return the texts of all tables by the names of their files."""
    return {f"{name}.csv": csv_of(head, rows) for name, head, rows in _tables(report)}


def _tables(report: ExperimentReport) -> Iterator[tuple[str, Sequence[str], Rows]]:
    grid, planners = report.grid, report.planners
    names = [planner.name for planner in planners]
    yield (
        "planners",
        ("planner", "configuration", "limits", "runs", "tasks", *SCORES, *OUTCOMES),
        [
            (each.name, each.configuration, each.limits, each.runs, each.tasks, *map(each.scores.get, SCORES),
             *(each.outcomes.get(name, 0) for name in OUTCOMES))
            for each in planners
        ],
    )  # fmt: skip
    yield (
        "coverage",
        ("domain", "tasks", *names),
        [(d.name, d.tasks, *map(d.coverage.get, names)) for d in report.domains],
    )
    for name, values in (("ratios", report.ratios), ("faults", report.faults)):
        if values:
            head = values[0]._fields
            yield name, head, [[_flat(getattr(value, field)) for field in head] for value in values]
    if report.changes is not None and report.changes.tasks:
        head = report.changes.tasks[0]._fields
        yield "changes", head, [[getattr(change, field) for field in head] for change in report.changes.tasks]
    cactus = [(name, *step) for name in names for step in zip(*solved_after(grid, name, grid.clock), strict=True)]
    yield "cactus", ("planner", "seconds", "solved"), cactus
    if has_profiles(grid):
        profile = [(name, *step) for name in names for step in zip(*anytime_profile(grid, name), strict=True)]
        yield "anytime", ("planner", "seconds", "score"), profile
    yield "runs", *_runs(report)


def _flat(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


def _runs(report: ExperimentReport) -> tuple[Sequence[str], Rows]:
    names = names_of(report.grid)
    head = ("planner", *WHICH, "outcome", *MEASURED, "seconds")
    return head, [
        (
            names[run.key],
            *(getattr(run, field) for field in WHICH),
            outcome(run),
            *(plain(getattr(run, field)) for field in MEASURED),
            run.seconds.get("total"),
        )
        for run in report.grid.runs
    ]
