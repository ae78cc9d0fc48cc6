"""The measures of runs in one table, from which web pages, CSV, LaTeX and JSON are made.

A measure is a function that takes a table of runs (`Grid.frame`, a row each) and returns a number for each run. There
are two kinds:

    score     every run has one; a task's value is the mean of its runs, and tasks are summed up (for PAR10: averaged)
    figure    a run that solved its task has one; a task's value is the geometric mean of these runs, with
              values raised to the floor of the measure: a clock does not measure less than a millisecond, and
              zero has no logarithm

    coverage      1 for a task with a plan, else 0
    satisficing   best known cost / cost     the satisficing tracks since 2008 (Helmert, Do, Refanidis)
    agile         1 up to a second, then 1 - log(t) / log(limit), 0 from the limit on; the agile tracks of 2018 and 2023
    optimal       1 for a plan that is proved to be cheapest, or whose planner is declared optimal, else 0; the optimal
                  tracks; no claim under another condition counts
    par10         seconds to an answer, a plan or a proof that there is none; ten times the limit for a run without one
                  (Hutter et al., ParamILS, 2009); less is better

The best known cost is the least of any run in the report; the competitions also use reference plans. Agile and PAR10
need a time limit for every run. Time is processor time if every run that solved its task has it, else wall clock, else
the time in the planner's output: never a mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from unpuzzle.base.availability import require
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, STATUSES, UNSOLVABLE
from unpuzzle.base.text import unused
from unpuzzle.base.values import Record, field
from unpuzzle.experiments.runs import LAST_LAYER, ExperimentRun
from unpuzzle.planners.external.command import OPTIMAL as DECLARED

INVALID = "invalid_plan"
OUTCOMES = (*STATUSES, INVALID)
OPTIMAL_FOR = ("moves", "moves,pushes")
"""Objectives whose best plans have the least cost."""
TaskName = tuple[str, str]
"""A domain, and the name of a task within it."""
TASK, OF_PLANNER = ["domain", "task"], ["planner", "domain", "task"]
SCORE, FIGURE = "score", "figure"


def is_solved(run: ExperimentRun) -> bool:
    """Return whether a run has found a plan that is not known to be invalid."""
    return run.solved and run.valid is not False


def is_optimal(run: ExperimentRun) -> bool:
    """Return whether a run claims that the cost of its plan is the least possible."""
    return is_solved(run) and run.status == SOLVED_OPTIMALLY and run.objective in OPTIMAL_FOR


class Measure(Record):
    """A measure of runs, such as the time: a function that computes a number for each run, and its description.

    Attributes:
        name, title, unit: the column of a table of runs, its title for people, and a unit such as `s`.
        values: a function that returns the numbers of all runs in such a table, NaN if a run has none.
        kind, floor: `score` or `figure`; the least value, to which smaller ones are raised.
        best, all_in_all: whether `more` or `less` is better; how the tasks of a score are combined, `sum` or `mean`.
    """

    name: str
    title: str
    unit: str
    values: Callable[[Any], Any]
    kind: str = FIGURE
    floor: float = 1
    best: str = "less"
    all_in_all: str = "sum"


def satisficing(frame: Any) -> Any:
    """Return for each run the best known cost divided by the cost of its plan; 0 without a plan."""
    return (frame.best / frame.cost).where(frame.cost > 0, 1.0).where(frame.solved & frame.cost.notna(), 0.0)


def agile(frame: Any) -> Any:
    """Return the agile score of each run, from `solved`, `time` and `limit`; all limits must exceed one second."""
    score = 1 - frame.time.clip(lower=1).transform("log") / frame.limit.transform("log")
    timed = frame.solved & frame.time.notna()
    return score.where(frame.time < frame.limit, 0.0).where(frame.time > 1, 1.0).where(timed, 0.0)


def par10(frame: Any) -> Any:
    """Return for each run the time until its answer; for a run without an answer, ten times its time limit."""
    answered = frame.solved | frame.get("proved", False)
    return frame.time.where(answered & frame.time.notna(), 10 * frame.limit)


OWN = "attribute "
"""The beginning of the columns of attributes."""


def _column(name: str) -> Callable[[Any], Any]:
    return lambda frame: frame[name].where(frame.solved)


CLOCKS = (
    Measure("cpu", "processor time", "s", _column("cpu"), floor=0.001),
    Measure("wall", "wall clock", "s", _column("wall"), floor=0.001),
    Measure("total", "time that the planner reports", "s", _column("total"), floor=0.001),
)
FIGURES = (
    Measure("cost", "cost", "", _column("cost")),
    Measure("expanded", "expanded states", "", _column("expanded")),
    Measure("evaluated", "evaluated states", "", _column("evaluated")),
    Measure("generated", "generated states", "", _column("generated")),
    Measure("memory", "peak memory", "MiB", _column("memory")),
    Measure("length", "steps of the plan", "", _column("length")),
    Measure(LAST_LAYER, "expanded states before the last layer of f", "", _column(OWN + LAST_LAYER)),
)
COVERAGE = Measure("coverage", "coverage", "", lambda frame: frame.solved.astype(float), SCORE, best="more")
SCORES = (
    COVERAGE,
    Measure("satisficing", "satisficing score", "", satisficing, SCORE, best="more"),
    Measure("agile", "agile score", "", agile, SCORE, best="more"),
    Measure("optimal", "optimal score", "", lambda frame: frame.optimal.astype(float), SCORE, best="more"),
    Measure("par10", "PAR10", "s", par10, SCORE, all_in_all="mean"),
)

# Names for the planners of a report; another limit, version, objective or kind of process makes another planner.
#
#     native (10 s of wall clock)    native (60 s of wall clock)    lama (unpuzzle 0.8.2)
#
# A name contains only what differs among planners of the same label.

LIMITS = {"cpu": ("{:g} s of processor time", 1), "time": ("{:g} s of wall clock", 1), "memory": ("{:.3g} GiB", 2**30)}
"""The words for each limit, and its unit."""
NO_LIMITS = "no limits"


def labelled(runs: Iterable[ExperimentRun]) -> dict[str, list[ExperimentRun]]:
    """Return the runs of each planner by its unique name, sorted by name, independent of the order of the runs."""
    groups: dict[str, dict[tuple[tuple[str, str], ...], list[ExperimentRun]]] = {}
    for run in runs:
        how = {"configuration": run.configuration, "objective": f"for {run.objective}"}
        how |= {"process": "warm"} if run.process == "warm" else {}
        how |= _limits(run.limits)
        how |= {f"version of {name}": f"{name} {version}" for name, version in sorted(run.versions.items())}
        groups.setdefault(run.planner, {}).setdefault(tuple(how.items()), []).append(run)
    labels: dict[str, list[ExperimentRun]] = {}
    for planner, kinds in groups.items():
        shared = set[tuple[str, str]].intersection(*map(set, kinds))
        for identity, those in kinds.items():
            own = [text for name, text in identity if (name, text) not in shared]
            name = planner if len(kinds) == 1 else f"{planner} ({', '.join(own) or 'without'})"
            labels[unused(name, labels, ", ")] = those
    return dict(sorted(labels.items()))


def limits_text(limits: Mapping[str, float | None]) -> str:
    """Return limits in words, such as `10 s of processor time, 2 GiB`."""
    return ", ".join(_limits(limits).values()) or NO_LIMITS


def _limits(limits: Mapping[str, float | None]) -> dict[str, str]:
    known = {name: limit for name in LIMITS if (limit := limits.get(name)) is not None}
    return {name: LIMITS[name][0].format(limit / LIMITS[name][1]) for name, limit in known.items()}


class Grid(Record):
    """Runs as a pandas table, and the measures of these runs.

    Attributes:
        runs: all of them, in their order.
        labels: by the unique name of a planner its first run, which has all properties that its runs share.
        frame: a row for each run, with the columns that measures read.
        clock: the first measure of time that exists for every run with a plan; the last measure if none is complete.
    """

    runs: Sequence[ExperimentRun]
    labels: Mapping[str, ExperimentRun]
    frame: Any
    clock: Measure
    _logs: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Sequence[ExperimentRun]) -> Grid:
        """Return a grid of the given runs. Raises DependencyMissing without the extra `plots`."""
        require("plots", "reports need", "pandas", "scipy")
        import pandas as pd

        groups = labelled(runs)
        names = {run.key: name for name, those in groups.items() for run in those}
        frame = pd.DataFrame([{"planner": names[run.key], **_row(run)} for run in runs])
        frame[OF_PLANNER] = frame[OF_PLANNER].astype(object)  # any text is a name, even if it is not UTF-8
        numbers = frame.columns.difference([*OF_PLANNER, "outcome", "solved", "proved", "optimal"], sort=False)
        frame[numbers] = frame[numbers].apply(pd.to_numeric, errors="coerce").astype(float)
        clock = next((each for each in CLOCKS if each.values(frame)[frame.solved].notna().all()), CLOCKS[-1])
        first, other = ("cpu", "time") if clock.name == "cpu" else ("time", "cpu")
        frame["limit"] = frame[f"limit_{first}"].fillna(frame[f"limit_{other}"])
        frame["time"] = frame[clock.name]
        tasks = frame.assign(cost=frame.cost.where(frame.solved)).groupby(TASK)
        frame["proved"] &= ~tasks.solved.transform("any")  # a plan refutes proofs
        frame["best"] = tasks.cost.transform("min")
        frame["repeats"] = frame.groupby(OF_PLANNER).solved.transform("size")
        return cls(runs, {name: those[0] for name, those in groups.items()}, frame, clock)

    @property
    def tasks(self) -> tuple[TaskName, ...]:
        """All tasks by domain; domains and names have the order in which they first occur."""
        return tuple(self.sizes.index)

    @cached_property
    def figures(self) -> tuple[Measure, ...]:
        """The measures for which some run has a value: first the time, last the attributes that the user defined."""
        own = {name.removeprefix(OWN) for name in self.frame if name.startswith(OWN)}
        own -= {measure.name for measure in (*CLOCKS, *FIGURES, *SCORES)}
        every = (self.clock, *FIGURES, *[Measure(name, name, "", _column(OWN + name)) for name in sorted(own)])
        return tuple(each for each in every if each.values(self.frame).notna().any())

    @cached_property
    def scores(self) -> tuple[Measure, ...]:
        """The scores that can be computed for these runs."""
        limited = bool((self.frame.limit > 1).all())
        return tuple(each for each in SCORES if limited or each.name not in ("agile", "par10"))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The scores, that of coverage first, and the figures."""
        return (*self.scores, *self.figures)

    @cached_property
    def sizes(self) -> Any:
        """The number of runs by planner (a column) and task (a row); NaN without runs."""
        return self.frame.pivot_table(index=TASK, columns="planner", aggfunc="size", sort=False)[[*self.labels]]

    def by_task(self, measure: Measure) -> Any:
        """Return a measure by task and planner: the mean score, or the mean logarithm of a figure; NaN if unknown."""
        if measure.name not in self._logs:
            values = measure.values(self.frame)
            values = values if measure.kind == SCORE else values.clip(lower=measure.floor).transform("log")
            means = values.groupby([self.frame[name] for name in OF_PLANNER], sort=False).mean()
            self._logs[measure.name] = means.unstack("planner").reindex_like(self.sizes)
        return self._logs[measure.name]

    def values(self, measure: Measure) -> Any:
        """Return a table of the values of a figure, with a row for each task and a column for each planner."""
        return self.by_task(measure).transform("exp")

    def totals(self, measure: Measure, rows: Any = slice(None)) -> Mapping[str, float]:
        """Return the total of a measure for each planner, over all tasks or over the tasks in some rows of `by_task`.

        It is the sum of a score (or its mean), rounded so that three thirds are one, or the geometric mean of a figure
        on its `common` tasks; planners without any are left out.
        """
        table = self.common(measure, rows)
        if measure.kind == FIGURE:
            totals = table.mean().transform("exp").map("{:.9g}".format).astype(float)
        else:
            totals = getattr(table, measure.all_in_all)().round(9)
        return {str(name): float(value) for name, value in totals.dropna().items()}

    def common(self, measure: Measure, rows: Any = slice(None)) -> Any:
        """Return the rows of `by_task` without planners that have no value; for figures, only rows without gaps."""
        table = self.by_task(measure)[rows].dropna(axis=1, how="all")
        return table.dropna() if measure.kind == FIGURE else table

    def repeated(self, *planners: str) -> Any:
        """Return for each task (a row) whether all of the given planners ran more than once on the task."""
        return (self.sizes[[*planners]] > 1).all(axis=1)


def _row(run: ExperimentRun) -> dict[str, Any]:
    """Return the table columns of a run that the measures need."""
    declared = DECLARED in run.configuration
    return {
        "domain": run.domain,
        "task": run.task,
        "outcome": INVALID if run.valid is False else run.status,
        "solved": is_solved(run),
        "proved": run.status == UNSOLVABLE and not run.refuted_by,
        "optimal": is_optimal(run) and (declared or not run.condition),
        **{name: getattr(run, name) for name in ("cost", "expanded", "evaluated", "generated", "cpu", "wall")},
        "total": run.seconds.get("total"),
        "memory": None if run.peak_memory is None else run.peak_memory / 2**20,
        "length": None if run.plan is None else len(run.plan),
        **{f"limit_{name}": run.limits.get(name) for name in ("time", "cpu")},
        OWN + LAST_LAYER: None,
        **{OWN + name: value for name, value in run.attributes.items() if isinstance(value, int | float)},
    }
