"""Make one run of an experiment, in a process that does nothing else.

Whatever a new Python loads for a run counts as time of the run, so only modules that every small task needs are
imported here; puzzles are loaded with the pickled games.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time

from unpuzzle.base.errors import LimitReached, UnpuzzleError, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import ERROR, UNSUPPORTED
from unpuzzle.base.run import Limits, Run, Usage
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planning.planner import MOVES, TASK, Planner
from unpuzzle.planning.registry import find
from unpuzzle.planning.result import Result
from unpuzzle.processes.worker import children_seconds
from unpuzzle.solving import read_by, solve

if TYPE_CHECKING:  # a task needs no puzzles
    from unpuzzle.model.position import Position

SHORTEST = 0.001
"""The seconds for a run whose time limit is over when its process has started."""


def make_run(
    report: Callable[[object], None],
    texts: tuple[str, ...],
    places: tuple[str, ...],
    reader: Callable[[str], Any] | None,
    configuration: str,
    given: Limits | None = None,
    objective: str = MOVES,
    anytime: bool = False,
) -> dict[str, Any]:
    """Solve a task or a level and report plans on the way; return the fields of the run's table row, and its log.

    The clock began with the process, which so far has done little but use the processor.

    Args:
        texts, places: of domain and problem, or of the level, with the names of both files, or of the level.
        reader: for a level: returns the game that reads its text.
        configuration, given, objective, anytime: the planner, the limits, and the others as in `experiment`.
    """
    spent, usage = process_time(), Usage(held=0)
    clock, used = perf_counter() - spent, spent
    usage.began = 0.0  # the process exists for this run, so all of its time counts
    given = given or Limits()
    time = None if given.time is None else max(given.time - spent, SHORTEST)
    limits = Limits(time, given.memory, given.cpu, held=0, usage=usage)

    def tell(plan: Result) -> None:
        report((round(plan.seconds["total"], 6), plan.cost or 0, _steps(plan) or ()))

    try:
        with Run(limits, "reading the task"):
            subject = read_subject(texts, places, reader)
            read = perf_counter() - clock
            planner = _fitting(configuration, subject)
            used = process_time()
            result = solve(
                subject,
                planner,
                objective=objective,
                clock=clock,
                on_plan=tell if planner.improves and (anytime or planner.goes_on) else None,
            ).lasting(read=read)
    except (LimitReached, UnpuzzleError) as error:
        status = error.status if isinstance(error, LimitReached) else ERROR
        status = UNSUPPORTED if isinstance(error, UnsupportedFeature) else status
        times = {"search": 0.0, "total": perf_counter() - clock}
        result = Result(status, configuration, message=str(error), seconds=times)
    same = "status cost valid expanded evaluated generated pushes message condition peak_memory log".split()
    times = {phase: round(value, 6) for phase, value in result.seconds.items()}
    search_cpu = round(process_time() - used + children_seconds(), 6)
    fields = {name: getattr(result, name) for name in same}
    return {**fields, "seconds": times, "plan": _steps(result), "search_cpu": search_cpu}


def read_subject(
    texts: tuple[str, ...], places: tuple[str, ...], reader: Callable[[str], Any] | None
) -> Task | Position:
    """Return the task or the position from the texts of a `RunRequest`. Raises ParseError, LimitReached."""
    if reader is not None:
        position: Position = reader(texts[0]).parse(texts[0], places[0])
        return position
    domain, problem = places or (None, None)
    return parse_task(*texts, domain_name=domain, problem_name=problem)


def _fitting(configuration: str, subject: Task | Position) -> Planner:
    """Return the planner of a run. Raises UnsupportedFeature if the planner cannot read the task or level."""
    planner = find(configuration, None if isinstance(subject, Task) else subject.game)
    try:
        if not isinstance(subject, Task):
            planner.require(subject)
            read_by(planner, subject)
        elif TASK not in planner.reads:
            why = "the planner reads the rules of a puzzle, not a PDDL task: choose a planner that reads PDDL"
            raise UsageError(why)
    except UsageError as error:
        raise UnsupportedFeature(str(error), feature="the task") from None
    return planner


def _steps(result: Result) -> tuple[str, ...] | None:
    if result.moves is not None:
        return result.moves
    return None if result.plan is None else tuple([str(step) for step in result.plan])
