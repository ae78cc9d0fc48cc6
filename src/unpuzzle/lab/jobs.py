"""Jobs of an experiment: the call that makes a run in a separate process, and the table row from its outcome."""

from __future__ import annotations

import pickle
import platform
import re
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from unpuzzle.base.errors import ERROR, MEMOUT, SOLVED, WorkersFailed
from unpuzzle.base.platform_facts import usable_processors
from unpuzzle.base.run import Limits
from unpuzzle.base.values import Record, field
from unpuzzle.lab import rehearsing
from unpuzzle.lab.entrants import version_of
from unpuzzle.lab.making_runs import RunRequest, make_run
from unpuzzle.lab.runs import PRINTED, BetterPlan, ExperimentRun, attributes_in
from unpuzzle.lab.subjects import Subject
from unpuzzle.planning.planner import MOVES
from unpuzzle.processes.worker import Call, CallOutcome
from unpuzzle.version import __version__

FRESH, WARM = "fresh", "warm"
INCLUDES = {"fast-downward": "the driver of Fast Downward"}
"""By the kind of a planner, what its times include besides the planner."""
SEARCH_TIME = re.compile(r" Search time: ([\d.e-]+)s")
"""The processor time of the search in Fast Downward's output."""
ENDINGS = {
    "timeout": "the process of the run was ended at its time limit",
    "memout": "the process of the run was ended at its memory limit",
    "cancelled": "the run was cancelled",
}


class Job(Record):
    """A run that is yet to be made; `subject` is the task or level."""

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
    warm: bool = False

    def call(self) -> Call:
        """Return the call that makes the run in a separate process."""
        limits = self.limits
        request = RunRequest(*self.subject.about(), self.configuration, limits, self.objective, self.anytime)
        return Call(
            make_run.__module__, make_run.__name__, pickle.dumps((request,)), limits.time, limits.cpu, limits.memory,
            self.configuration, preload=(rehearsing.__name__,), fresh=not self.warm,
        )  # fmt: skip


def row_of(job: Job, outcome: CallOutcome, ended: datetime) -> tuple[ExperimentRun, str]:
    """Return the table row of a run, and its log.

    Raises WorkersFailed if the planner had another version there: such runs would be mixed unnoticed.
    """
    machine, python, version = outcome.place or here(job.configuration)
    if version != job.version:
        where = f"on the machine {machine['name']} the planner {job.label}"
        raise WorkersFailed(f"{where} has version {version}, not {job.version}")
    fields = _fields(outcome)
    log = "\n".join(filter(None, (fields.pop("log", ""), outcome.printed)))
    peak = fields.pop("peak_memory", None) or outcome.peak_memory
    same = {name: getattr(job, name) for name in ("key", "configuration", "repetition", "seed", "objective")}
    run = ExperimentRun(
        domain=job.subject.domain,
        task=job.subject.name,
        planner=job.label,
        limits=limits_told(job.limits),
        plans=tuple([BetterPlan(*part) for part in outcome.parts]),
        wall=round(outcome.wall, 6),
        cpu=round(outcome.cpu, 6),
        peak_memory=peak,
        log=f"{job.key}.txt" if log else None,
        versions={"unpuzzle": __version__, "python": python, "planner": job.version},
        machine=machine,
        started=(ended - timedelta(seconds=outcome.wall)).isoformat(timespec="milliseconds"),
        process=WARM if job.warm else FRESH,
        includes=INCLUDES.get(job.configuration.partition(":")[0], ""),
        **same,
        **fields,
    )
    told = SEARCH_TIME.findall(log)
    run = run.replace(search_cpu=float(told[-1])) if told else run
    return attributes_in(run, log, PRINTED), log


def limits_told(limits: Limits) -> dict[str, float | None]:
    """Return limits as they are stored in a table row, with all seconds as floats."""
    time, cpu = (None if seconds is None else float(seconds) for seconds in (limits.time, limits.cpu))
    return {"time": time, "cpu": cpu, "memory": limits.memory}


def _fields(outcome: CallOutcome) -> dict[str, Any]:
    """Return the fields of a table row that describe the result of the run."""
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
        best = BetterPlan(*outcome.parts[-1])
        broke |= {"status": SOLVED, "cost": best.cost, "valid": True, "plan": best.plan}
    return broke


def here(configuration: str) -> tuple[dict[str, Any], str, str]:
    """Return a description of this machine, the version of Python, and the version of a planner on this machine."""
    return _machine(), platform.python_version(), version_of(configuration)


@cache
def _machine() -> dict[str, Any]:
    """Return a description of this machine, with the name of its processor or, if unknown, the architecture."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        processor = names[0] if names else processor
    system = f"{platform.system()} {platform.release()}"
    return {"name": platform.node(), "system": system, "processor": processor, "cores": usable_processors()}
