"""The tables of a report as text, LaTeX and CSV, and the growth of scores over time.

    planner_table(report).only(["planner", "coverage"]).latex()

`score_over_time` is, after so many seconds of wall clock, the sum of the satisficing scores of the best plans until
then (IPC score over time); `solved_after` is the number of tasks solved after so much time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import TypeVar

from unpuzzle.base.tables import align_columns, csv_of, csv_of_fields
from unpuzzle.base.text import count
from unpuzzle.base.values import Record, plain
from unpuzzle.experiments.differences import OPPOSITES, Changes, Pace, Ratio
from unpuzzle.experiments.measures import COVERAGE, OUTCOMES, SCORE, SCORES, Grid, Measure
from unpuzzle.experiments.reporting import CERTAIN, ExperimentReport
from unpuzzle.experiments.runs import ExperimentRun

Steps = tuple[tuple[float, ...], tuple[float, ...]]
"""Increasing times, and the value from each of them on."""
K = TypeVar("K")
ROW_END = r" \\"
"""The end of a row in LaTeX."""
SAME = 1e-9
"""What is nearer to a whole number is written as one."""
LATEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "≈": r"\,$\approx$", "–": "--", "…": r"\dots{}"},
}
"""What LaTeX would read as something else, or lacks."""
MOST_CHANGES = 20
"""The most changed tasks that are listed one by one."""
UNKNOWN = "too few repetitions or tasks to tell it from noise"
NOISE = {None: UNKNOWN, True: "noise explains it", False: "more than noise"}
WHICH = ("domain", "task", "repetition", "status")
MEASURED = (
    *("cost", "valid", "expanded", "evaluated", "generated", "wall", "cpu", "peak_memory", "configuration", "message"),
    *("log", "key", "process", "includes", "search_cpu"),
)
"""The columns of the table of runs after the outcome; `WHICH` are those before it."""


def plans_of(run: ExperimentRun) -> list[tuple[float, int]]:
    """Return times (wall clock seconds) and costs of a run's plans; a plan without a time counts at the run's end."""
    plans = [(plan.seconds, plan.cost) for plan in run.plans]
    end = run.seconds.get("total") if run.wall is None else run.wall
    if run.cost is not None and end is not None and not any(cost <= run.cost for _, cost in plans):
        plans.append((end, run.cost))
    return sorted(plans)


def score_over_time(grid: Grid, label: str) -> Steps:
    """Return the sum of satisficing scores after each time at which a run of the planner found a better plan."""
    steps: list[tuple[float, float]] = []
    frame = grid.frame[(grid.frame.planner == label) & grid.frame.solved]
    for number, best, repeats in frame[["best", "repeats"]].itertuples():
        score = 0.0
        for seconds, cost in plans_of(grid.runs[number]):
            better = min(best, cost) / cost if cost else 1.0
            if better > score:
                steps.append((seconds, (better - score) / repeats))
                score = better
    return _summed(steps)


def solved_after(grid: Grid, label: str) -> Steps:
    """Return how many tasks are solved after each time; each of n repeated runs of a task counts as 1/n."""
    frame = grid.frame[(grid.frame.planner == label) & grid.frame.solved & grid.frame.time.notna()]
    return _summed(zip(frame.time.clip(lower=grid.clock.floor), 1 / frame.repeats, strict=True))


def _summed(steps: Iterable[tuple[float, float]]) -> Steps:
    rising = sorted(steps)
    return tuple(float(place) for place, _ in rising), tuple(accumulate(float(part) for _, part in rising))


class Table(Record):
    """A table of a report, which can be written as text, HTML, LaTeX and CSV.

    Attributes:
        name, title: of its files, and for people.
        head: the names of the columns, the first of which names the rows.
        rows: the values, a sequence for each row; None is what is not known.
        words: columns that stand to the left, besides the first.
        marks: by row and column, as numbers: `best`, or `noise` where noise explains the distance to the best.
        kinds: by row: `sum` of the others, `noise`, or `grave`.
        digits: the format of numbers that are not whole.
    """

    name: str
    title: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    words: tuple[str, ...] = ()
    marks: Mapping[tuple[int, int], str] = {}
    kinds: Mapping[int, str] = {}
    digits: str = ",.1f"

    def only(self, columns: Iterable[str]) -> Table:
        """Return this table with only the named columns."""
        kept = [self.head.index(name) for name in columns]
        marks = {(row, kept.index(column)): mark for (row, column), mark in self.marks.items() if column in kept}
        rows = [[row[number] for number in kept] for row in self.rows]
        return self.replace(head=tuple([self.head[number] for number in kept]), rows=rows, marks=marks)

    def shown(self) -> list[list[str]]:
        """Return the texts of the cells, with the sign ≈ where noise can explain the difference from the best value."""
        return [
            [self._text(value) + "≈" * (self.marks.get((row, column)) == "noise") for column, value in enumerate(cells)]
            for row, cells in enumerate(self.rows)
        ]

    def _text(self, value: object) -> str:
        if isinstance(value, float):
            return f"{value:,.0f}" if abs(value - round(value)) < SAME else f"{value:{self.digits}}"
        return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)

    def text(self) -> str:
        """Return the table as text in aligned columns."""
        return align_columns(self.head, self.shown(), (self.head[0], *self.words))

    def csv(self) -> str:
        """Return the table as CSV."""
        return csv_of(self.head, self.rows)

    def latex(self) -> str:
        """Return the table as LaTeX, for the package booktabs."""
        sides = "".join(["l" if name in (self.head[0], *self.words) else "r" for name in self.head])
        lines = [f"% {latex_escaped(self.title)}", rf"\begin{{tabular}}{{{sides}}}"]
        lines += [r"\toprule", " & ".join(map(latex_escaped, self.head)) + ROW_END, r"\midrule"]
        for number, shown in enumerate(self.shown()):
            cells = [*map(latex_escaped, shown)]
            for column in [column for row, column in self.marks if (row, self.marks[row, column]) == (number, "best")]:
                cells[column] = rf"\textbf{{{cells[column]}}}"
            lines += [r"\midrule"] if self.kinds.get(number) == "sum" else []
            lines.append(" & ".join(cells) + ROW_END)
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def latex_escaped(text: str) -> str:
    """Return a text escaped for LaTeX; an unprintable character becomes a question mark."""
    return "".join([LATEX.get(char, char if char.isprintable() else "?") for char in text])


def report_text(report: ExperimentReport, quiet: bool = False) -> str:
    """Return the text of a report: the table of scores, any changes and, unless `quiet`, the summary and notes."""
    parts, changes = [scores_table(report).text()], report.changes
    if changes is not None:
        lines = [*changes.notes, *map(_pace_text, changes.paces)]
        for each in changes.tasks[:MOST_CHANGES]:
            where = f"{each.planner} on {each.domain} {each.task}"
            lines.append(f"{each.kind}: {where}: {each.old:.4g}{each.unit} before, {each.new:.4g}{each.unit} now")
        if len(changes.tasks) > MOST_CHANGES:
            lines.append(f"and {count(len(changes.tasks) - MOST_CHANGES, 'task')} more that changed")
        parts.append("\n".join(lines))
    if not quiet:
        summary = f"{count(report.runs, 'run')}, {count(report.tasks, 'task')}; time is {report.grid.clock.title}"
        parts.append("\n".join([summary, *report.notes]))
    return "\n\n".join(parts)


def _pace_text(pace: Pace) -> str:
    solved = f"{pace.planner}: solved {pace.old_coverage:.4g} before, {pace.new_coverage:.4g} now"
    if pace.ratio is None:
        return solved
    time = "as long as before" if f"{pace.ratio:.3g}" == "1" else f"{pace.ratio:.3g} times as long"
    return f"{solved}; takes {time} on {count(pace.tasks, 'task')} ({NOISE[pace.noise]})"


def outcomes_of(report: ExperimentReport) -> list[str]:
    """Return the possible outcomes, such as `solved`, that at least one run in a report has."""
    return [name for name in OUTCOMES if any(name in row.outcomes for row in report.planners)]


def planner_table(report: ExperimentReport, title: str = "Scores, as sums over tasks; PAR10 is a mean") -> Table:
    """Return a table with a row for each planner: the scores and the outcomes of the planner's runs."""
    scores = [score.name for score in SCORES]
    rows = [
        (row.name, row.configuration, row.limits, row.runs, row.tasks, *map(row.scores.get, scores),
         *(row.outcomes.get(name, 0) for name in OUTCOMES))
        for row in report.planners
    ]  # fmt: skip
    head = ("planner", "configuration", "limits", "runs", "tasks", *scores, *OUTCOMES)
    marks = dict[tuple[int, int], str]()
    for score in report.grid.scores:
        values = {number: row.scores[score.name] for number, row in enumerate(report.planners)}
        ties = [number for number, row in enumerate(report.planners) if score.name in (row.tied or ())]
        marks |= {(number, head.index(score.name)): mark for number, mark in _marks(values, ties, score).items()}
    return Table("planners", title, head, rows, ("configuration", "limits"), marks)


def scores_table(report: ExperimentReport) -> Table:
    """Return a table of the scores and outcomes that occur in the report."""
    return planner_table(report).only(["planner", *[score.name for score in report.grid.scores], *outcomes_of(report)])


def _marks(values: Mapping[K, float], ties: Iterable[K], measure: Measure, most: int | None = None) -> dict[K, str]:
    """Return the marks of planners: `best`, unless more than `most` are best, and `noise` for ties within noise."""
    ends = [value for value in values.values() if value or measure.best == "less"]
    best = (max if measure.best == "more" else min)(ends, default=None)
    bests = [name for name in values if values[name] == best]
    marks = {name: "noise" for name in ties if name not in bests}
    return marks | dict.fromkeys(bests if most is None or len(bests) <= most else [], "best")


def domain_table(report: ExperimentReport, measure: Measure) -> Table:
    """Return a table of a measure: a row per domain, a column per planner; for coverage, with ties marked."""
    names = [planner.name for planner in report.planners]
    ties = {row.name: row.tied or () for row in report.domains} if measure.name == COVERAGE.name else {}
    mine = [each for each in report.measures if each.measure == measure.name]
    marks = {
        (number, 2 + names.index(name)): mark
        for number, each in enumerate(mine[:-1])
        for name, mark in _marks(each.values, ties.get(each.domain or "", ()), measure, max(1, len(names) // 2)).items()
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


def ratio_tables(report: ExperimentReport) -> dict[str, Table]:
    """Return a table of the ratios of all pairs of planners for each measure that has some."""
    head = ("second / first", "tasks", "geometric mean", "95% interval", "median", "less", "equal", "more", "sign test",
            "Wilcoxon test")  # fmt: skip
    tables = {}
    for measure in report.grid.figures:
        found = [each for each in report.ratios if each.measure == measure.name]
        rows = [
            (f"{each.second} / {each.first}", each.tasks, each.geometric_mean, _interval(each), each.median, each.less,
             each.equal, each.more, each.sign, each.wilcoxon)
            for each in found
        ]  # fmt: skip
        noise = [number for number, each in enumerate(found) if each.noise]
        title = f"Ratios of {measure.title} on the tasks that both solved"
        marks, kinds = {(number, 2): "noise" for number in noise}, dict.fromkeys(noise, "noise")
        if found:
            name = f"ratios-{measure.name}"
            tables[measure.name] = Table(name, title, head, rows, marks=marks, kinds=kinds, digits=".3g")
    return tables


def _interval(ratio: Ratio | Pace) -> str | None:
    return None if ratio.low is None else f"{ratio.low:.3g} to {ratio.high:.3g}"


def fault_table(report: ExperimentReport) -> Table:
    """Return a table of faults: results that cannot be right, and runs that did not work."""
    rows = [
        (fault.kind.replace("_", " "), " ".join(filter(None, (fault.domain, fault.task))) or "several",
         len(fault.keys), fault.text)
        for fault in report.faults
    ]  # fmt: skip
    kinds = {number: "grave" for number, fault in enumerate(report.faults) if fault.kind in CERTAIN}
    head = ("what", "where", "runs", "details")
    return Table("faults", "What cannot be right, or did not work", head, rows, ("where", "details"), kinds=kinds)


def pace_table(changes: Changes) -> Table:
    """Return a table that compares each planner's results in an older and in a newer experiment."""
    rows = [
        (pace.planner, f"{pace.old_coverage:,.4g} → {pace.new_coverage:,.4g}", pace.tasks, pace.ratio,
         _interval(pace), NOISE[pace.noise])
        for pace in changes.paces
    ]  # fmt: skip
    head = ("planner", "solved, old → new", "tasks solved both times", "time, new / old", "95% interval", "difference")
    noise = [number for number, pace in enumerate(changes.paces) if pace.noise]
    return Table(
        "paces", "Planners, old and new", head, rows, ("difference",), {(number, 3): "noise" for number in noise},
        dict.fromkeys(noise, "noise"), ".3g",
    )  # fmt: skip


def change_table(changes: Changes) -> Table:
    """Return a table of the tasks whose results changed between an older and a newer experiment."""
    rows = [
        (each.kind, each.planner, f"{each.domain} {each.task}",
         *(f"{value:.4g}{each.unit}" for value in (each.old, each.new)))
        for each in changes.tasks
    ]  # fmt: skip
    kinds = {number: "grave" for number, each in enumerate(changes.tasks) if each.kind in OPPOSITES}
    head = ("what", "planner", "task", "old", "new")
    return Table("changes", "Tasks that changed", head, rows, ("planner", "task"), kinds=kinds)


def tables_of(report: ExperimentReport) -> dict[str, str]:
    """Return the texts of all tables by file name: as LaTeX for papers; as CSV, unrounded, for other programs."""
    grid, changes = report.grid, report.changes
    domains = [domain_table(report, measure) for measure in grid.measures]
    changed = [] if changes is None else [pace_table(changes), *([change_table(changes)] if changes.tasks else [])]
    papers = (scores_table(report), *domains, *ratio_tables(report).values(), *changed)
    files = {f"{table.name}.tex": table.latex() for table in papers}
    files |= {f"{table.name}.csv": table.csv() for table in (planner_table(report), *domains)}
    fields = {"ratios": report.ratios, "faults": report.faults, "changes": changes.tasks if changes else ()}
    files |= {f"{name}.csv": csv_of_fields(values[0]._fields, values) for name, values in fields.items() if values}
    for name, number, steps in (("cactus", "solved", solved_after), ("anytime", "score", score_over_time)):
        rows = [(row.name, *step) for row in report.planners for step in zip(*steps(grid, row.name), strict=True)]
        files[f"{name}.csv"] = csv_of(("planner", "seconds", number), rows)
    attributes = sorted({name for run in grid.runs for name in run.attributes})
    runs = [
        (name, *(getattr(run, field) for field in WHICH), outcome, *(plain(getattr(run, field)) for field in MEASURED),
         run.seconds.get("total"), *map(run.attributes.get, attributes))
        for run, name, outcome in zip(grid.runs, grid.frame.planner, grid.frame.outcome, strict=True)
    ]  # fmt: skip
    return files | {"runs.csv": csv_of(("planner", *WHICH, "outcome", *MEASURED, "seconds", *attributes), runs)}
