"""Make one run of an experiment in its own process, and turn the answer into a row.

This module loads what most runs need, before the process is copied for the first of them.
"""

from __future__ import annotations

import pickle
import platform
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from time import perf_counter
from typing import Any

from unpuzzle.base.errors import LimitReached, UnpuzzleError, UnsupportedFeature, UsageError, WorkersFailed
from unpuzzle.base.limits import Limits, Usage
from unpuzzle.base.outcomes import ERROR, MEMOUT, SOLVED, UNSUPPORTED
from unpuzzle.base.platform_facts import usable_processors
from unpuzzle.base.run import Run
from unpuzzle.base.values import Record, field
from unpuzzle.lab.entrants import version_of
from unpuzzle.lab.runs import BetterPlan, ExperimentRun
from unpuzzle.lab.subjects import Subject
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planners.external import fast_downward, plan_files
from unpuzzle.planners.external.fast_downward_dialect import in_its_words
from unpuzzle.planning.planner import MOVES, TASK, Planner
from unpuzzle.planning.registry import find
from unpuzzle.planning.result import Result
from unpuzzle.processes import program
from unpuzzle.processes.process_tree import ProcessTree
from unpuzzle.processes.worker import Call, CallOutcome
from unpuzzle.puzzle.position import Position
from unpuzzle.solving import read_by, solve
from unpuzzle.version import __version__

ENDINGS = {
    "timeout": "the process of the run was ended at its limit of time",
    "memout": "the process of the run was ended at its memory limit",
    "cancelled": "the run was cancelled",
}


class Job(Record):
    """A run that is still to be made; `subject` has its texts."""

    key: str
    subject: Subject
    label: str
    configuration: str
    version: str
    repetition: int = 0
    seed: int | None = None
    limits: Limits = field(default_factory=Limits)
    objective: str = MOVES
    anytime: bool = False

    def call(self) -> Call:
        """Return the call that makes the run in a process of its own."""
        time, cpu, memory = self.limits.time, self.limits.cpu, self.limits.memory
        return Call(__name__, make_run.__name__, pickle.dumps((self,)), time, cpu, memory, self.configuration)


def prepare() -> None:
    """Rehearse a run; the server of a worker calls this before the first one."""
    rehearse(lambda subject, planner: make_run(lambda plan: None, Job("", subject, "", planner, "")))


def make_run(report: Callable[[object], None], job: Job) -> dict[str, Any]:
    """Solve the subject of a job, and return fields of its row, with the text of its log; report plans on the way."""
    clock, usage = perf_counter(), Usage(held=0)
    usage.began = 0.0  # the process exists for this run: all that it takes counts
    limits = Limits(job.limits.time, job.limits.memory, job.limits.cpu, held=0, usage=usage)

    def tell(plan: Result) -> None:
        report(BetterPlan(round(plan.seconds["total"], 6), plan.cost or 0, _steps(plan) or ()))

    try:
        with Run(limits, "reading the task"):
            subject = job.subject.read()
            read = perf_counter() - clock
            planner = _fitting(job.configuration, subject)
            result = solve(
                subject,
                planner,
                objective=job.objective,
                clock=clock,
                on_plan=tell if planner.improves and (job.anytime or planner.goes_on) else None,
            ).lasting(read=read)
    except (LimitReached, UnpuzzleError) as error:
        result = _refused(job, error, perf_counter() - clock)
    same = "status cost valid expanded evaluated generated pushes message condition peak_memory log".split()
    seconds = {phase: round(value, 6) for phase, value in result.seconds.items()}
    return {**{name: getattr(result, name) for name in same}, "seconds": seconds, "plan": _steps(result)}


def _fitting(configuration: str, subject: Task | Position) -> Planner:
    """Return the planner of a run. Raises UnsupportedFeature if it cannot read the subject."""
    planner = find(configuration, None if isinstance(subject, Task) else subject.game)
    try:
        if isinstance(subject, Task):
            if TASK not in planner.reads:
                raise UsageError("it reads the rules of a puzzle, not a PDDL task")
        else:
            planner.require(subject)
            read_by(planner, subject)
    except UsageError as error:
        raise UnsupportedFeature(str(error), feature="the task") from None
    return planner


def _steps(result: Result) -> tuple[str, ...] | None:
    if result.moves is not None:
        return result.moves
    return None if result.plan is None else tuple([str(step) for step in result.plan])


def _refused(job: Job, error: UnpuzzleError, seconds: float) -> Result:
    """Return the result of a run that ended before its planner answered."""
    status = error.status if isinstance(error, LimitReached) else ERROR
    status = UNSUPPORTED if isinstance(error, UnsupportedFeature) else status
    return Result(status, job.configuration, message=str(error), seconds={"search": 0.0, "total": seconds})


def row_of(job: Job, outcome: CallOutcome, ended: datetime) -> tuple[ExperimentRun, str]:
    """Return the row of a run, and its log.

    Raises WorkersFailed where the planner had another version there: such runs would be mixed in silence.
    """
    plans, place = outcome.parts, outcome.place or here(job.configuration)
    if place.version != job.version:
        where, wanted = place.machine["name"], f"not {job.version}"
        raise WorkersFailed(f"on the machine {where} the planner {job.label} has version {place.version}, {wanted}")
    fields = _fields(outcome)
    log = "\n".join(filter(None, (fields.pop("log", ""), outcome.printed)))
    peak = fields.pop("peak_memory", None) or outcome.peak_memory
    run = ExperimentRun(
        key=job.key,
        domain=job.subject.domain,
        task=job.subject.name,
        planner=job.label,
        configuration=job.configuration,
        repetition=job.repetition,
        seed=job.seed,
        limits=limits_told(job.limits),
        objective=job.objective,
        plans=plans,
        wall=round(outcome.wall, 6),
        cpu=round(outcome.cpu, 6),
        peak_memory=peak,
        log=f"{job.key}.txt" if log else None,
        versions={"unpuzzle": __version__, "python": place.python, "planner": job.version},
        machine=place.machine,
        started=(ended - timedelta(seconds=outcome.wall)).isoformat(timespec="milliseconds"),
        **fields,
    )
    return run, log


def limits_told(limits: Limits) -> dict[str, float | None]:
    """Return limits in the form of a row, with all seconds as floats."""
    time, cpu = (None if seconds is None else float(seconds) for seconds in (limits.time, limits.cpu))
    return {"time": time, "cpu": cpu, "memory": limits.memory}


def _fields(outcome: CallOutcome) -> dict[str, Any]:
    """Return the fields of a row that describe the answer of the run."""
    broke: dict[str, Any] = {"seconds": {"total": round(outcome.wall, 6)}, "message": ""}
    if outcome.answer is not None:
        returned, value = pickle.loads(outcome.answer)  # noqa: S301  # of our own process
        if returned:
            return dict(value)
        broke["status"] = MEMOUT if isinstance(value, MemoryError) else ERROR
        broke["message"] = f"{type(value).__name__}: {value}" if broke["status"] == ERROR else str(value)
    elif outcome.limit:
        broke |= {"status": outcome.limit, "message": ENDINGS[outcome.limit]}
    else:
        broke |= {"status": ERROR, "message": outcome.ending()}
    if outcome.parts and broke["status"] != ERROR:  # the best plan so far is the answer
        best: BetterPlan = outcome.parts[-1]
        broke |= {"status": SOLVED, "cost": best.cost, "valid": True, "plan": best.plan}
    return broke


class Place(Record):
    """Where a run was made: the machine, its Python, and the version of the planner there."""

    machine: dict[str, Any]
    python: str
    version: str


def here(configuration: str) -> Place:
    """Return this machine, its Python, and the version of a planner here."""
    return Place(_machine(), platform.python_version(), version_of(configuration))


@cache
def _machine() -> dict[str, Any]:
    return {
        "name": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": usable_processors(),
    }


def _processor() -> str:
    """Return the name of the processor, or its architecture if the system reports no more."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


# A rehearsal of a run, in the process that is copied for each run of an experiment.
#
# The first runs in a process take longer than the later ones: modules are loaded, patterns compiled, and the
# interpreter adapts its code to what it runs. After a rehearsal every copy begins with that done. Nothing is left of
# it.

TIMES = 8
"""How often the interpreter calls a function before it adapts its code."""
DOMAIN = """(define (domain small) (:requirements :strips :typing) (:types place)
 (:predicates (at ?x - place) (road ?x ?y - place))
 (:action go :parameters (?x ?y - place)
  :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
PROBLEM = """(define (problem small) (:domain small) (:objects a b c - place)
 (:init (at a) (road a b) (road b c)) (:goal (at c)))"""
SMALL = Subject("small", "small", texts=(DOMAIN, PROBLEM))
PROGRAM = """command:sh -c 'printf "(go a b)\\n(go b c)\\n" >"$2"' {domain} {problem} {plan}"""
"""A program that knows the plan of the small task, as quick as programs are."""


def rehearse(run: Callable[[Subject, str], object]) -> None:
    """Make runs of a tiny task by a program, and do what runs of Fast Downward do besides."""
    task = parse_task(DOMAIN, PROBLEM)
    for _ in range(TIMES):
        run(SMALL, PROGRAM)
        fast_downward.missing()
        in_its_words(task)
        ProcessTree("rehearsal").usage()
    for thread in threading.enumerate():
        if thread.name in (program.THREAD, plan_files.THREAD):
            thread.join()
