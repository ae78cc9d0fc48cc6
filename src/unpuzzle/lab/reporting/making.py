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
from unpuzzle.lab.reporting.changes import WORSE, Changes, changes
from unpuzzle.lab.reporting.faults import CERTAIN, Fault, faults_of
from unpuzzle.lab.reporting.measures import (
    COVERAGE,
    OUTCOMES,
    SCORE,
    SCORES,
    Grid,
    Label,
    Measure,
    limits_text,
    outcome,
    score_over_time,
    solved_after,
)
from unpuzzle.lab.reporting.pairs import Ratio, ratios, tied
from unpuzzle.lab.reporting.reading import unique
from unpuzzle.lab.runs import ExperimentRun
from unpuzzle.lab.tables import Table
from unpuzzle.table import notebook_bundle


class PlannerRow(Record):
    """The figures of one planner.

    Attributes:
        name: its label, unique within the report.
        configuration: its full name.
        limits: in words.
        versions: by name.
        runs, tasks: how many.
        outcomes: by outcome how many runs; an outcome is a status or `invalid_plan`.
        scores: by name the sum over all tasks, of `par10` the mean; `agile` and `par10` only where every run had a
            limit on its time.
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


class DomainFigure(Record):
    """A measure of the planners in one domain.

    Attributes:
        measure: its name.
        domain: its name; None for all domains together.
        tasks: how many count: of a score all, of another measure those that all planners with a value solved.
        values: by the name of the planner the sum of a score (of `par10` the mean), the geometric mean of another
            measure; without those that have none.
    """

    measure: str
    domain: str | None
    tasks: int
    values: Mapping[str, float]


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
        measures: every measure by domain.
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

    Raises UsageError without runs, DependencyMissing without the extra `plots`.
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
        measures=tuple(_measures(grid)),
        _grid=grid,
    )


def names_of(grid: Grid) -> dict[str, str]:
    """Return the name of the planner by the key of each run."""
    return dict(zip([run.key for run in grid.runs], grid.frame.planner, strict=True))


def _planners(grid: Grid) -> tuple[PlannerRow, ...]:
    totals = {score.name: grid.totals(score) for score in grid.scores}
    ties = {score.name: names for score in grid.scores if (names := tied(grid, score)) is not None}
    ended = grid.frame.groupby("planner").outcome.value_counts()
    sizes = grid.frame.planner.value_counts()
    return tuple(
        PlannerRow(
            name,
            label.configuration,
            limits_text(label.limits),
            label.versions,
            int(sizes[name]),
            int(grid.sizes[name].count()),
            {each: int(ended[name, each]) for each in OUTCOMES if (name, each) in ended},
            {score: totals[score][name] for score in totals},
            tuple(score for score in ties if name in ties[score]) if ties else None,
        )
        for name, label in grid.labels.items()
    )


def _domains_of(grid: Grid) -> list[str]:
    return sorted({domain for domain, _ in grid.tasks})


def _domains(grid: Grid) -> tuple[DomainRow, ...]:
    rows = {domain: [each == domain for each, _ in grid.tasks] for domain in _domains_of(grid)}
    return tuple(
        DomainRow(domain, sum(of), grid.totals(COVERAGE, of), tied(grid, COVERAGE, of)) for domain, of in rows.items()
    )


def _measures(grid: Grid) -> Iterator[DomainFigure]:
    """Yield every measure in each domain and, at last, in all of them."""
    for measure in (*grid.scores, *grid.figures):
        for domain in (*_domains_of(grid), None):
            rows = [domain in (each, None) for each, _ in grid.tasks]
            yield DomainFigure(measure.name, domain, len(grid.common(measure, rows)), grid.totals(measure, rows))


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
    tasks = {name: int(grid.sizes[name].count()) for name in grid.labels}
    lacking = [name for name in tasks if tasks[name] < len(grid.tasks)]
    for name in lacking[:5]:
        notes.append(f"{name} ran on {tasks[name]:,} of the {len(grid.tasks):,} tasks: sums are not comparable.")
    if len(lacking) > 5:
        notes.append(f"So did {count(len(lacking) - 5, 'other')}.")
    if len(grid.scores) < len(SCORES):
        notes.append("There is no agile score, and no PAR10: not every run had a time limit of more than a second.")
    notes += _times(grid)
    machines = {str(run.machine.get("name")) for run in grid.runs if run.machine.get("name")}
    if len(machines) > 1:
        notes.append(f"The runs are of {len(machines)} machines: their times may not be comparable.")
    if not grid.is_repeated:
        notes.append("Every planner had each task once: nothing is said about which differences are noise.")
    return notes


def _times(grid: Grid) -> list[str]:
    """Return what the times of the runs count, where that is told."""
    notes, kinds = [], [run.process for run in grid.runs]
    if "warm" in kinds:
        notes.append(f"{count(kinds.count('warm'), 'run')} began in a warm copy: its start does not count.")
    if None in kinds and {*kinds} != {None}:
        old = count(kinds.count(None), "run")
        notes.append(f"How {old} of an older version began is not told: as a rule in warm copies.")
    for planner, what in dict.fromkeys((run.planner, run.includes) for run in grid.runs if run.includes):
        notes.append(f"The times of {planner} include {what}.")
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
NOISE = {None: UNKNOWN, True: "noise explains it", False: "more than noise"}
WHICH = ("domain", "task", "repetition", "status")
MEASURED = (
    *("cost", "valid", "expanded", "evaluated", "generated", "wall", "cpu", "peak_memory", "configuration", "message"),
    *("log", "key", "process", "includes", "search_cpu"),
)


def report_text(report: ExperimentReport, quiet: bool = False) -> str:
    """Return the table of scores and, unless quiet, the summary and the notes."""
    table = planner_table(report)
    parts = [table.only(["planner", *scores_of(report), *outcomes_of(report)]).text()]
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
            ratio = f"{pace.ratio:.3g}"
            time = "as long as before" if ratio == "1" else f"{ratio} times as long"
            line += f"; takes {time} on {count(pace.tasks, 'task')} ({NOISE[pace.noise]})"
        lines.append(line)
    for change in changes.tasks[:MOST]:
        where = f"{change.planner} on {change.domain} {change.task}"
        lines.append(f"{change.kind}: {where}: {change.old:.4g}{change.unit} before, {change.new:.4g}{change.unit} now")
    if len(changes.tasks) > MOST:
        lines.append(f"and {count(len(changes.tasks) - MOST, 'task')} more that changed")
    return "\n".join(lines)


def scores_of(report: ExperimentReport) -> list[str]:
    """Return the names of the scores that the runs allow."""
    return [score.name for score in report.grid.scores]


def outcomes_of(report: ExperimentReport) -> list[str]:
    """Return the outcomes that some run has."""
    return [name for name in OUTCOMES if any(name in row.outcomes for row in report.planners)]


def planner_table(report: ExperimentReport, title: str = "Scores, as sums over tasks; PAR10 is a mean") -> Table:
    """Return a row for each planner, with its scores and how its runs ended."""
    scores = {score.name: score for score in SCORES}
    rows = [
        (row.name, row.configuration, row.limits, row.runs, row.tasks, *map(row.scores.get, scores),
         *(row.outcomes.get(name, 0) for name in OUTCOMES))
        for row in report.planners
    ]  # fmt: skip
    head = ("planner", "configuration", "limits", "runs", "tasks", *scores, *OUTCOMES)
    marks = dict[tuple[int, int], str]()
    for name in scores_of(report):
        values = {row.name: row.scores[name] for row in report.planners}
        ties = {row.name for row in report.planners if name in (row.tied or ())}
        marks |= _marks(head.index(name), [*values], values, ties, scores[name])
    return Table("planners", title, head, rows, ("configuration", "limits"), marks)


def _marks(
    row: int, names: Sequence[str], values: Mapping[str, float], ties: Iterable[str], measure: Measure, few: int = 0
) -> dict[tuple[int, int], str]:
    """Return the marks of values along a column, by planner; of the best only where at most `few` are as good."""
    ends = [value for value in values.values() if value or measure.best == "less"]
    best = (max if measure.best == "more" else min)(ends, default=None)
    bests = [name for name in names if name in values and values[name] == best]
    bests = bests if not few or len(bests) <= few else []
    found = dict.fromkeys(ties, "noise") | dict.fromkeys(bests, "best")
    return {(names.index(name), row): mark for name, mark in found.items() if name in names}


def domain_table(report: ExperimentReport, measure: Measure) -> Table:
    """Return a measure by domain, a column for each planner; of coverage with what noise explains."""
    names = [planner.name for planner in report.planners]
    ties = {row.name: row.tied or () for row in report.domains} if measure.name == COVERAGE.name else {}
    mine = [each for each in report.measures if each.measure == measure.name]
    marks = {
        (number, 2 + column): mark
        for number, each in enumerate(mine)
        for (column, _), mark in _marks(
            0, names, each.values, ties.get(each.domain or "", ()), measure, max(1, len(names) // 2)
        ).items()
        if each.domain is not None
    }
    words = "sums" if measure.all_in_all == "sum" else "means"
    what = f"{words} over tasks" if measure.kind == SCORE else "geometric means on the tasks that all of them solved"
    unit = f", {measure.unit}" if measure.unit else ""
    return Table(
        "coverage" if measure.name == COVERAGE.name else f"domains-{measure.name}",
        f"{measure.title.capitalize() if measure.title.islower() else measure.title}{unit}, by domain: {what}",
        ("domain", "tasks", *names),
        [(each.domain or "all", each.tasks, *map(each.values.get, names)) for each in mine],
        marks=marks,
        kinds={len(mine) - 1: "sum"},
        digits=",.1f" if measure.kind == SCORE else ",.3g",
    )


def ratio_table(report: ExperimentReport, measure: Measure) -> Table:
    """Return the ratios of all pairs by a measure, as people read them."""
    found = [each for each in report.ratios if each.measure == measure.name]
    rows = [
        (f"{each.second} / {each.first}", each.tasks, each.geometric_mean,
         None if each.low is None else f"{each.low:.3g} to {each.high:.3g}", each.median, each.less, each.equal,
         each.more, each.sign, each.wilcoxon)
        for each in found
    ]  # fmt: skip
    head = ("second / first", "tasks", "geometric mean", "95% interval", "median", "less", "equal", "more", "sign test",
            "Wilcoxon test")  # fmt: skip
    noise = [number for number, each in enumerate(found) if each.noise]
    return Table(
        f"ratios-{measure.name}", f"Ratios of {measure.title} on the tasks that both solved", head, rows,
        marks={(number, 2): "noise" for number in noise}, kinds=dict.fromkeys(noise, "noise"), digits=".3g",
    )  # fmt: skip


def fault_table(report: ExperimentReport) -> Table:
    """Return what cannot be right, or did not work, as people read it."""
    rows = [
        (fault.kind.replace("_", " "), " ".join(filter(None, (fault.domain, fault.task))) or "several",
         len(fault.keys), fault.text)
        for fault in report.faults
    ]  # fmt: skip
    kinds = {number: "grave" for number, fault in enumerate(report.faults) if fault.kind in CERTAIN}
    head = ("what", "where", "runs", "details")
    return Table("faults", "What cannot be right, or did not work", head, rows, ("where", "details"), kinds=kinds)


def pace_table(changes: Changes) -> Table:
    """Return the planners old and new, as people read it."""
    rows = [
        (pace.planner, f"{pace.old_coverage:,.4g} → {pace.new_coverage:,.4g}", pace.tasks, pace.ratio,
         None if pace.low is None else f"{pace.low:.3g} to {pace.high:.3g}", NOISE[pace.noise])
        for pace in changes.paces
    ]  # fmt: skip
    head = ("planner", "solved, old → new", "tasks solved both times", "time, new / old", "95% interval", "difference")
    noise = [number for number, pace in enumerate(changes.paces) if pace.noise]
    return Table(
        "paces", "Planners, old and new", head, rows, ("difference",), {(number, 3): "noise" for number in noise},
        dict.fromkeys(noise, "noise"), ".3g",
    )  # fmt: skip


def change_table(changes: Changes) -> Table:
    """Return the tasks that changed, as people read it."""
    rows = [
        (each.kind, each.planner, f"{each.domain} {each.task}",
         *(f"{value:.4g}{each.unit}" for value in (each.old, each.new)))
        for each in changes.tasks
    ]  # fmt: skip
    kinds = {number: "grave" for number, each in enumerate(changes.tasks) if each.kind in WORSE}
    head = ("what", "planner", "task", "old", "new")
    return Table("changes", "Tasks that changed", head, rows, ("planner", "task"), kinds=kinds)


def tables_of(report: ExperimentReport) -> dict[str, str]:
    """Return the texts of all tables by the names of their files: CSV, and LaTeX of those that a paper prints."""
    printed = [
        planner_table(report).only(["planner", *scores_of(report), *outcomes_of(report)]),
        *[domain_table(report, measure) for measure in (*report.grid.scores, *report.grid.figures)],
        *[table for measure in report.grid.figures if (table := ratio_table(report, measure)).rows],
    ]
    changes = None if report.changes is None else report.changes
    printed += [] if changes is None else [pace_table(changes), *([change_table(changes)] if changes.tasks else [])]
    files = {f"{table.name}.tex": table.latex() for table in printed}
    return files | {f"{table.name}.csv": table.csv() for table in _tables(report)}


def _tables(report: ExperimentReport) -> Iterator[Table]:
    """Yield the tables for other programs, whose values are not rounded."""
    yield planner_table(report)
    yield from [domain_table(report, measure) for measure in (*report.grid.scores, *report.grid.figures)]
    changed = () if report.changes is None else report.changes.tasks
    for name, values in (("ratios", report.ratios), ("faults", report.faults), ("changes", changed)):
        if values:
            head = values[0]._fields
            yield Table(name, name, head, [[getattr(value, field) for field in head] for value in values])
    for name, number, steps in (("cactus", "solved", solved_after), ("anytime", "score", score_over_time)):
        names = [planner.name for planner in report.planners]
        rows = [(planner, *step) for planner in names for step in zip(*steps(report.grid, planner), strict=True)]
        yield Table(name, name, ("planner", "seconds", number), rows)
    yield _runs(report)


def _runs(report: ExperimentReport) -> Table:
    attributes = sorted({name for run in report.grid.runs for name in run.attributes})
    rows = [
        (name, *(getattr(run, field) for field in WHICH), outcome(run),
         *(plain(getattr(run, field)) for field in MEASURED), run.seconds.get("total"),
         *map(run.attributes.get, attributes))
        for run, name in zip(report.grid.runs, report.grid.frame.planner, strict=True)
    ]  # fmt: skip
    return Table("runs", "Runs", ("planner", *WHICH, "outcome", *MEASURED, "seconds", *attributes), rows)
