"""Compare algorithms and planners on one level, and write the results or runs as tables (text or CSV).

A *contestant* is an algorithm on the puzzle's rules (`planners.rules`) or a planner on its PDDL. They run one after the
other within the same limits. A random algorithm runs once for each seed and gives three rows, by steps: the least, the
median (of an even number the lower) and the most; runs without a solution count as longest. Names are looked up first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from gc import collect
from time import perf_counter
from typing import Any

from unpuzzle.base.defaults import SEEDS
from unpuzzle.base.errors import DependencyMissing, LimitReached, ParseError, UsageError, WorkersFailed
from unpuzzle.base.outcomes import ERROR
from unpuzzle.base.run import Limits
from unpuzzle.base.tables import align_columns, csv_of, csv_of_fields
from unpuzzle.base.values import Record, schema_name
from unpuzzle.experiments.runs import ExperimentRun, settle
from unpuzzle.model.capabilities import heuristic_of, score_of
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.rules.planner import ANY_OBJECTIVE, FORMS, RANDOM, TABLE, Rules
from unpuzzle.planning import registry
from unpuzzle.planning.planner import MOVES, Planner, SearchOptions
from unpuzzle.planning.registry import read_configuration
from unpuzzle.planning.result import Result
from unpuzzle.planning.running import timed
from unpuzzle.processes.parallel import each
from unpuzzle.processes.worker import CallOutcome
from unpuzzle.solving import default_planner, solve
from unpuzzle.table import notebook_bundle

FIELDS = ("algorithm", "status", "cost", "pushes", "steps", "expanded", "generated", "frontier", "seconds", "score")
MORE_FIELDS = ("planner", "objective", "which", "seed", "seeds", "message", "condition", "refuted_by")
RUN_COLUMNS = {
    **dict.fromkeys(("domain", "task", "planner", "run", "status"), ""),
    **{"cost": ",", "expanded": ",", "wall": ".3f", "cpu": ".3f", "MiB": ".0f"},
}
"""The columns of the table of runs, each with the format of its values."""


class ComparisonRow(Record):
    """A row of the table of a comparison; unknown numbers are None.

    Attributes:
        algorithm: the name as the caller wrote it; of random ones with `which`, as in `mouse (median)`.
        status, message, condition: as in `Result`.
        cost, pushes, steps: of the solution; of a task, the steps of the plan. Pushes are the steps that do more than
            walk; None where nothing walks.
        expanded, generated, frontier: numbers of states; `frontier` is the greatest size of the frontier.
        seconds: wall clock, to the validated answer.
        score: the puzzle's points.
        planner: the full name, with configuration.
        objective: the minimized quantity, as in `Result`.
        refuted_by: the row whose plan shows that this one's claim is false: itself, where its own path is cheaper than
            an estimate of its heuristic; None if none does.
        which, seed, seeds: of random algorithms `least`, `median` or `most`, the seed of that run, the number of seeds.
    """

    algorithm: str
    status: str
    cost: int | None
    steps: int | None
    expanded: int | None
    generated: int | None
    frontier: int | None
    seconds: float
    score: int | None
    planner: str
    which: str | None = None
    seed: int | None = None
    seeds: int | None = None
    message: str = ""
    pushes: int | None = None
    objective: str = MOVES
    condition: str | None = None
    refuted_by: str | None = None

    schema = "compare"

    def to_dict(self) -> dict[str, Any]:
        """Return the row as data for JSON, with the fields in the order of the table columns."""
        return {"schema": schema_name(self.schema), **{name: getattr(self, name) for name in (*FIELDS, *MORE_FIELDS)}}


class Comparison(tuple[ComparisonRow, ...]):
    """The rows of a comparison, in order."""

    __slots__ = ()

    _repr_mimebundle_ = notebook_bundle


Contestant = tuple[str, Mapping[int | None, str]]
"""The name of an algorithm or planner, and the planners to run by their seeds; None is the seed of one without."""


def compare(
    subject: Position | Task,
    algorithms: Iterable[str] | None = None,
    *,
    planners: Iterable[str] | None = None,
    heuristic: str | None = None,
    seeds: int = SEEDS,
    objective: str = MOVES,
    limits: Limits | None = None,
    on_row: Callable[[ComparisonRow], None] | None = None,
    progress: Callable[[str], None] | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> Comparison:
    """Solve a level with several algorithms and planners, and return a table: algorithms first, in the given order.

    A row that another one refutes, such as an optimum beside a cheaper plan, no longer claims it: see `runs.settle`.

    Args:
        subject: a position, or a PDDL task, which only planners read.
        algorithms: names such as `bfs`, `wastar=2`, `astar(misplaced)`; without names of either kind, all that fit.
        planners: names such as `native` or `fast-downward:lama-first`.
        heuristic: for the informed algorithms that name none; None is the puzzle's first.
        seeds: how many runs a random algorithm gets, with the seeds 0, 1, ...
        objective: the quantity to minimize, as in `solve`; by default only algorithms that minimize it take part.
        limits: for each single run.
        on_row, progress: called with each new row, not yet refuted, and with a sentence about the run that begins.
        workers: how many algorithms and planners run at a time. With more than one, each has its own process; if that
            breaks, only its rows are lost.
        scheduler: the address of a Dask cluster whose machines do that instead.

    Raises UsageError for an unknown name or one that does not fit the level, DependencyMissing for a planner that is
    not installed, both before anything runs. A later refusal by another program is a row of status `error`, unless it
    is the first row.
    """
    if not isinstance(subject, Position | Task):
        raise UsageError(f"compare() takes a position or a PDDL task, not a {type(subject).__name__}")
    rows: list[ComparisonRow] = []
    say, apart = progress or (lambda sentence: None), workers > 1 or scheduler is not None

    def emit(row: ComparisonRow) -> None:
        rows.append(row)
        if on_row is not None:
            on_row(row)

    SearchOptions(objective=objective)  # which refuses unknown ones
    if seeds < 1:
        raise UsageError(f"the number of seeds must be at least 1, not {seeds}")
    takers = _contestants(subject, algorithms, planners, heuristic, seeds, objective)
    limits = limits or Limits() if apart else limits
    jobs = [(taker, subject, objective, limits, number > 0) for number, taker in enumerate(takers)]
    if apart:
        most = max([len(taker[1]) for taker in takers], default=1)
        outcomes = each(compete, jobs, limits, workers=workers, scheduler=scheduler, runs=most)
        for taker, outcome in zip(takers, outcomes, strict=False):
            for row in _rows_of(taker, outcome, subject, objective):
                emit(row)
                say(f"rows: {len(rows)}")
    else:
        for number, job in enumerate(jobs, 1):
            where = f"{number} of {len(jobs)}: {job[0][0]}"
            compete(*job, emit, lambda seed, where=where: say(where + seed))  # type: ignore[misc]
    return Comparison(settle(rows))


def _contestants(
    subject: Position | Task,
    algorithms: Iterable[str] | None,
    planners: Iterable[str] | None,
    heuristic: str | None,
    seeds: int,
    objective: str,
) -> list[Contestant]:
    """Return the algorithms and planners to compare; if none are named, all that fit. Raises UsageError."""
    found, game = list[Contestant](), subject.game if isinstance(subject, Position) else None
    if isinstance(subject, Position):
        if heuristic is not None:
            heuristic_of(subject, heuristic)
        names = fitting(subject, heuristic, objective)[0] if algorithms is None and planners is None else algorithms
        found = [_algorithm(subject, name, heuristic, seeds) for name in dict.fromkeys(names or ())]
    elif algorithms is not None or heuristic is not None:
        why = "algorithms on the rules need a position of a puzzle; to compare planners on a PDDL task, name planners"
        raise UsageError(why)
    elif not planners:
        planners = [default_planner(subject)]
    for name in dict.fromkeys(planners or ()):
        require_installed(name, game).require(subject)
        found.append((name, {None: name}))
    return found


def _rows_of(taker: Contestant, outcome: CallOutcome, subject: Position | Task, objective: str) -> list[ComparisonRow]:
    """Return the table rows of an algorithm or planner, from the result or the failure of the process that ran it."""
    try:
        return outcome.value()  # type: ignore[no-any-return]
    except (LimitReached, WorkersFailed) as error:
        status = error.status if isinstance(error, LimitReached) else ERROR
        (name, planners), seconds = taker, {"total": outcome.wall}
        result = Result(status, next(iter(planners.values())), message=str(error), seconds=seconds, objective=objective)
        return [_row(name, result, subject, None)]


def fitting(
    position: Position, heuristic: str | None = None, objective: str = MOVES
) -> tuple[list[str], dict[str, str]]:
    """Return the names of the algorithms that fit a level, and, for every other algorithm, the reason."""
    unfit = {}
    for name in TABLE:
        try:
            _algorithm(position, name, heuristic, 1)
            if objective != MOVES and name != ANY_OBJECTIVE:
                unfit[name] = f"they do not support the objective '{objective}'"
        except (ParseError, UsageError) as error:
            unfit[name] = str(error)
    return [name for name in TABLE if name not in unfit], unfit


def _algorithm(position: Position, word: str, heuristic: str | None, seeds: int) -> Contestant:
    """Return the algorithm with a name such as `astar`. Raises UsageError if the algorithm does not fit the level."""
    config = word.removeprefix("rules:")
    chosen = read_configuration("rules", config, FORMS)
    if TABLE[chosen.name].informed and not chosen.arguments and heuristic is not None:
        config = f"{config}({heuristic})"
    Rules(config).require(position)
    if chosen.name in RANDOM and chosen.number is None:
        return word, {seed: f"rules:{chosen.name}={seed}" for seed in range(seeds)}
    return word, {None: f"rules:{config}"}


def require_installed(name: str, game: Game | None = None) -> Planner:
    """Return a planner. Raises UsageError for an unknown name, DependencyMissing for one that is not installed."""
    planner = registry.find(name, game)
    if (reason := registry.missing(name)) is not None:
        raise DependencyMissing(reason, dependency=name)
    return planner


def compete(
    contestant: Contestant,
    subject: Position | Task,
    objective: str,
    limits: Limits | None,
    late: bool,
    emit: Callable[[ComparisonRow], None] = lambda row: None,
    tell: Callable[[str], None] = lambda seed: None,
) -> list[ComparisonRow]:
    """Run an algorithm or planner once per seed, and return its rows; if `late`, an error becomes a row, too."""
    collect()  # what others have left must not count against this one's memory limit
    rows: list[ComparisonRow] = []
    try:
        for seed, name in contestant[1].items():
            began = perf_counter()
            tell("" if seed is None else f", seed {seed}")
            try:
                result = solve(subject, name, objective=objective, limits=limits)
            except LimitReached as reached:  # by code that does not look at its limits
                result = timed(Result(reached.status, name, message=str(reached), objective=objective), began)
            except (ParseError, UsageError, DependencyMissing) as error:
                if not late:
                    raise
                result = Result(ERROR, name, message=str(error), seconds={"total": 0.0}, objective=objective)
            rows.append(_row(contestant[0], result, subject, seed))
    finally:  # interrupted, the runs that were made still count
        rows = _spread(rows) if len(rows) > 1 else rows
        for row in rows:
            emit(row)
    return rows


def _row(name: str, result: Result, subject: Position | Task, seed: int | None) -> ComparisonRow:
    """Return the table row for a result of the algorithm or planner `name`."""
    steps = result.plan if result.moves is None else result.moves
    score = score_of(subject, result.moves) if isinstance(subject, Position) and result.moves is not None else None
    same = "status cost expanded generated frontier planner message pushes objective condition".split()
    return ComparisonRow(
        name,
        steps=None if steps is None else len(steps),
        seconds=round(result.seconds["total"], 6),
        score=score,
        seed=seed,
        refuted_by=name if "refutation" in result.details else None,
        **{each: getattr(result, each) for each in same},
    )


def _spread(rows: list[ComparisonRow]) -> list[ComparisonRow]:
    """Return three rows of one random algorithm: the runs with the least, the median and the most steps."""
    ranked = sorted(rows, key=lambda row: float("inf") if row.steps is None else row.steps)
    chosen = {"least": ranked[0], "median": ranked[(len(ranked) - 1) // 2], "most": ranked[-1]}
    return [
        row.replace(algorithm=f"{row.algorithm} ({which})", which=which, seeds=len(rows))
        for which, row in chosen.items()
    ]


def comparison_table(rows: Sequence[ComparisonRow]) -> str:
    """Return the table as text: one line per row, `-` for unknown values, pushes and scores only if they are used."""
    shown = {"pushes": any(row.objective != MOVES for row in rows), "score": any(row.score is not None for row in rows)}
    names = [name for name in FIELDS if shown.get(name, True)]
    cells = [[_cell(getattr(row, name), ".3f" * (name == "seconds")) for name in names] for row in rows]
    return align_columns(names, cells, ("algorithm", "status"))


def _cell(value: Any, form: str) -> str:
    return "-" if value is None else format(value, form)


def comparison_csv(rows: Sequence[ComparisonRow]) -> str:
    """Return all fields of the rows of a comparison as CSV; unknown values are empty."""
    return csv_of_fields((*FIELDS, *MORE_FIELDS), rows)


def runs_table(runs: Sequence[ExperimentRun]) -> str:
    """Return one line per run, with `-` for unknown values; memory is the peak, in MiB."""
    return align_columns(*run_rows(runs), ("domain", "task", "planner", "status"))


def run_rows(runs: Sequence[ExperimentRun]) -> tuple[list[str], list[list[str]]]:
    """Return the column names, and the cells of each run; the column `run` is omitted if no run is repeated."""
    kept = [name for name in RUN_COLUMNS if name != "run" or any(run.repetition for run in runs)]
    rows = [dict(zip(RUN_COLUMNS, _values(run), strict=True)) for run in runs]
    return kept, [[_cell(row[name], RUN_COLUMNS[name]) for name in kept] for row in rows]


def _values(run: ExperimentRun) -> tuple[object, ...]:
    memory = None if run.peak_memory is None else round(run.peak_memory / 2**20, 1)
    place = (run.domain, run.task, run.planner, run.repetition)
    return (*place, run.status, run.cost, run.expanded, run.wall, run.cpu, memory)


def runs_csv(runs: Sequence[ExperimentRun]) -> str:
    """Return all columns of the table of runs as CSV; unknown values are empty."""
    return csv_of([*RUN_COLUMNS], map(_values, runs))
