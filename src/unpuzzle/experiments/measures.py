"""The measures of runs, in one table, which is the basis of pages, CSV, LaTeX and JSON.

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
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, STATUSES, UNSOLVABLE
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
    return run.status in (SOLVED, SOLVED_OPTIMALLY) and run.valid is not False


def is_optimal(run: ExperimentRun) -> bool:
    """Return whether a run claims that the cost of its plan is the least possible."""
    return is_solved(run) and run.status == SOLVED_OPTIMALLY and run.objective in OPTIMAL_FOR


def outcome(run: ExperimentRun) -> str:
    """Return the status of a run, or `invalid_plan` if the plan of the run is invalid."""
    return INVALID if run.valid is False else run.status


def task_of(run: ExperimentRun) -> TaskName:
    """Return the domain and the task of a run."""
    return run.domain, run.task


class Measure(Record):
    """A measure: a function that computes a number for each run, and a description of these numbers.

    Attributes:
        name, title, unit: the column of a table of runs, its title for people, and a unit such as `s`.
        values: a function that returns the numbers of all runs in such a table, NaN if a run has none.
        kind: `score` or `figure`.
        floor: the least value; smaller ones are raised to it.
        best: whether `more` or `less` is better.
        all_in_all: how the tasks of a score are combined, `sum` or `mean`.
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
    """Return, for each run, the best known cost divided by its cost; the table has `solved`, `cost` and `best`."""
    return (frame.best / frame.cost).where(frame.cost > 0, 1.0).where(frame.solved & frame.cost.notna(), 0.0)


def agile(frame: Any) -> Any:
    """Return the agile score of each run, from `solved`, `time` and `limit`; all limits must exceed one second."""
    import numpy as np

    score = 1 - np.log(frame.time.clip(lower=1)) / np.log(frame.limit)
    return score.where(frame.time < frame.limit, 0.0).where(frame.time > 1, 1.0).where(_timed(frame), 0.0)


def par10(frame: Any) -> Any:
    """Return the time of each run, or ten times its limit if it has no answer.

    The table has `solved`, `time`, `limit` and perhaps `proved`: a proof that there is no plan is an answer.
    """
    answered = frame.solved | frame.get("proved", False)
    return frame.time.where(answered & frame.time.notna(), 10 * frame.limit)


def _timed(frame: Any) -> Any:
    return frame.solved & frame.time.notna()


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
OF_LIMITS = ("agile", "par10")
"""The scores that need a time limit."""

# Names for the planners of a report; another limit, version, objective or kind of process makes another planner.
#
#     native (10 s of wall clock)    native (60 s of wall clock)    lama (unpuzzle 0.8.2)
#
# A name contains only what differs among planners of the same label.

GIB = 2**30
NO_LIMITS = "no limits"
Identity = tuple[tuple[str, str], ...]
"""The properties that distinguish planners, as pairs of a name and a text."""


def labelled(runs: Iterable[ExperimentRun]) -> dict[str, list[ExperimentRun]]:
    """Return the runs of each planner by its unique name, sorted by name, independent of the order of the runs."""
    groups: dict[str, dict[Identity, list[ExperimentRun]]] = {}
    seen: dict[tuple[Any, ...], Identity] = {}  # so that the identity is computed once for each kind of run
    for run in runs:
        kind = (run.configuration, run.objective, run.process, *run.limits.items(), None, *run.versions.items())
        if kind not in seen:
            seen[kind] = _identity(run)
        groups.setdefault(run.planner, {}).setdefault(seen[kind], []).append(run)
    labels: dict[str, list[ExperimentRun]] = {}
    for planner, kinds in groups.items():
        for identity, those in kinds.items():
            name = base = planner + _difference(identity, [*kinds])
            number = 1
            while name in labels:
                number += 1
                name = f"{base}, {number}"
            labels[name] = those
    return dict(sorted(labels.items()))


def limits_text(limits: Mapping[str, float | None]) -> str:
    """Return limits in words, such as `10 s of processor time, 2 GiB`."""
    return ", ".join(text for _, text in _limits(limits)) or NO_LIMITS


def _identity(run: ExperimentRun) -> Identity:
    versions = [(f"version of {name}", f"{name} {version}") for name, version in sorted(run.versions.items())]
    told = [("objective", f"for {run.objective}"), *([("process", "warm")] if run.process == "warm" else [])]
    return (("configuration", run.configuration), *told, *_limits(run.limits), *versions)


def _limits(limits: Mapping[str, float | None]) -> list[tuple[str, str]]:
    words = (
        ("cpu", "{:g} s of processor time", 1), ("time", "{:g} s of wall clock", 1), ("memory", "{:.3g} GiB", GIB),
    )  # fmt: skip
    known = [(name, text, size, limits.get(name)) for name, text, size in words]
    return [(name, text.format(limit / size)) for name, text, size, limit in known if limit is not None]


def _difference(identity: Identity, others: Sequence[Identity]) -> str:
    """Return the text that distinguishes a planner from others with the same name, such as its limits."""
    if len(others) == 1:
        return ""
    every = set(others[0]).intersection(*map(set, others[1:]))
    own = [text for name, text in identity if (name, text) not in every]
    return f" ({', '.join(own) or 'without'})"


class Grid(Record):
    """Runs as a pandas table, and the measures of these runs.

    Attributes:
        runs: all of them, in their order.
        labels: by the unique name of a planner its first run, which has all properties that its runs share.
        frame: a row for each run, with the columns that measures read.
    """

    runs: Sequence[ExperimentRun]
    labels: Mapping[str, ExperimentRun]
    frame: Any
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
        numbers = [
            name for name in frame.columns if name not in (*OF_PLANNER, "outcome", "solved", "proved", "optimal")
        ]
        frame[numbers] = frame[numbers].apply(pd.to_numeric, errors="coerce").astype(float)
        clock = next((each for each in CLOCKS if each.values(frame)[frame.solved].notna().all()), CLOCKS[-1])
        first, other = ("cpu", "time") if clock.name == "cpu" else ("time", "cpu")
        frame["limit"] = frame[f"limit_{first}"].fillna(frame[f"limit_{other}"])
        frame["time"] = frame[clock.name]
        frame["proved"] &= ~frame.solved.groupby([frame.domain, frame.task]).transform("any")  # a plan refutes proofs
        frame["best"] = frame.cost.where(frame.solved).groupby([frame.domain, frame.task]).transform("min")
        return cls(runs, {name: those[0] for name, those in groups.items()}, frame)

    @cached_property
    def tasks(self) -> tuple[TaskName, ...]:
        """All tasks, grouped by domain, in the order of the runs."""
        domains: dict[str, dict[TaskName, None]] = {}
        for run in self.runs:
            domains.setdefault(run.domain, {})[task_of(run)] = None
        return tuple(task for tasks in domains.values() for task in tasks)

    @cached_property
    def clock(self) -> Measure:
        """The first measure of time that exists for every run with a plan; the last measure if none is complete."""
        return next(each for each in CLOCKS if self.frame.time.equals(self.frame[each.name]))

    @cached_property
    def figures(self) -> tuple[Measure, ...]:
        """The measures that exist for some run with a plan: the time first, last the attributes defined by the user."""
        own = {name.removeprefix(OWN) for name in self.frame if name.startswith(OWN)}
        own -= {measure.name for measure in (*CLOCKS, *FIGURES, *SCORES)}
        every = (self.clock, *FIGURES, *[Measure(name, name, "", _column(OWN + name)) for name in sorted(own)])
        return tuple(each for each in every if each.values(self.frame).notna().any())

    @cached_property
    def scores(self) -> tuple[Measure, ...]:
        """The scores that can be computed for these runs."""
        limited = bool((self.frame.limit > 1).all())
        return tuple(each for each in SCORES if limited or each.name not in OF_LIMITS)

    @cached_property
    def is_repeated(self) -> bool:
        """Whether some planner ran several times on a task."""
        return bool((self.sizes > 1).any(axis=None))

    @cached_property
    def sizes(self) -> Any:
        """The number of runs by planner (a column) and task (a row); NaN without runs."""
        return self._by_planner(self.frame.groupby(OF_PLANNER, sort=False).size())

    def by_task(self, measure: Measure) -> Any:
        """Return a measure by task (a row) and planner (a column); NaN if there is no value.

        It is the mean of a score, or the logarithm of the geometric mean of a figure.
        """
        if measure.name not in self._logs:
            import numpy as np

            values = measure.values(self.frame)
            values = values if measure.kind == SCORE else np.log(values.clip(lower=measure.floor))
            means = values.groupby([self.frame[name] for name in OF_PLANNER], sort=False).mean()
            self._logs[measure.name] = self._by_planner(means)
        return self._logs[measure.name]

    def values(self, measure: Measure) -> Any:
        """Return the values of a figure by task (a row) and planner (a column)."""
        import numpy as np

        return np.exp(self.by_task(measure))

    def totals(self, measure: Measure, rows: Any = slice(None)) -> Mapping[str, float]:
        """Return a measure by planner, over the tasks in some rows of `by_task`, or over all.

        It is the sum of a score (or its mean), rounded so that three thirds are one, or the geometric mean of a figure
        on its `common` tasks; planners without any are left out.
        """
        import numpy as np

        table = self.common(measure, rows)
        if measure.kind == FIGURE:
            totals = np.exp(table.mean()).map("{:.9g}".format).astype(float)
        else:
            totals = getattr(table, measure.all_in_all)().round(9)
        return {str(name): float(value) for name, value in totals.dropna().items()}

    def common(self, measure: Measure, rows: Any = slice(None)) -> Any:
        """Return rows of `by_task` for planners with a value; for figures, only tasks with values of all these."""
        table = self.by_task(measure)[rows].dropna(axis=1, how="all")
        return table.dropna() if measure.kind == FIGURE else table

    def repeated(self, *planners: str) -> Any:
        """Return for each task (a row) whether all of the given planners ran more than once on the task."""
        return (self.sizes[[*planners]] > 1).all(axis=1)

    def _by_planner(self, values: Any) -> Any:
        import pandas as pd

        places = [pd.Index(column, dtype=object) for column in zip(*self.tasks, strict=True)]
        names = pd.Index([*self.labels], dtype=object, name="planner")
        return values.unstack("planner").reindex(index=pd.MultiIndex.from_arrays(places, names=TASK), columns=names)


def _row(run: ExperimentRun) -> dict[str, Any]:
    """Return the table columns of a run that the measures need."""
    declared = DECLARED in run.configuration
    return {
        "domain": run.domain,
        "task": run.task,
        "outcome": outcome(run),
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
