"""Run planners on tasks, each run in a separate process with enforced limits, and record all runs in a file.

    runs = experiment(["ipc/", "sokoban"], ["native", "fast-downward:lama"], limits=Limits(time=60, memory=2 << 30))

A run is a task, a planner with its configuration and version, limits, and the number of the repetition; the digest of
these is its key. A run whose key is in the file, and that did not break, is not made again, so an interrupted
experiment continues where it ended. Another version or other limits give other keys: the old runs stay in the file, but
are not part of the new table.

`LABEL=` before a planner gives its label; others get a short one, made from their names. `{seed}` in a name is the
seed of the run, and a random search on the rules, such as `rules:mouse`, takes it, too.
"""

from __future__ import annotations

import json
import os
import pickle
import platform
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import file_digest, sha256
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, product
from operator import attrgetter
from random import Random
from statistics import fmean
from typing import Any

from unpuzzle.base.availability import ENGINE_PACKAGES
from unpuzzle.base.defaults import ORDERS, RUNS_FILE
from unpuzzle.base.errors import UsageError, WorkersFailed
from unpuzzle.base.outcomes import CANCELLED, ERROR, MEMOUT, SOLVED
from unpuzzle.base.platform_facts import usable_processors
from unpuzzle.base.run import Limits
from unpuzzle.base.text import unused
from unpuzzle.base.values import Record
from unpuzzle.experiments import rehearsing
from unpuzzle.experiments.comparing import require_installed
from unpuzzle.experiments.making_runs import make_run
from unpuzzle.experiments.runs import PRINTED, BetterPlan, ExperimentRun, Runs, RunsFile, attributes_in, settle_tasks
from unpuzzle.experiments.subjects import Subject, subjects_of
from unpuzzle.planners.external.command import words_of
from unpuzzle.planners.external.mace4 import PROGRAM as MACE4
from unpuzzle.planners.native.compiled import core
from unpuzzle.planners.rules.planner import RANDOM
from unpuzzle.planning import registry
from unpuzzle.planning.planner import MOVES, SearchOptions
from unpuzzle.processes.parallel import is_over, workers_at
from unpuzzle.processes.worker import Call, CallOutcome
from unpuzzle.table import offers
from unpuzzle.version import __version__

KEY, DIGITS = 20, 12
"""The letters of a key, and of the digest of a program."""
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
PLACE = attrgetter("domain", "task", "configuration", "repetition")
"""What runs have in common that differ in version, limits or kind of process."""
SEED = "{seed}"
LONGEST = 24
"""The most letters of an automatic label."""
_LABEL = re.compile(r"([\w.+ -]+)=(?=[\w-]+)(.+)", re.DOTALL)
DISTRIBUTIONS = {"fast-downward": ("up-fast-downward",), "up": ("unified-planning",), "cp-sat": ("ortools",)}
"""The distributions that give a planner its version, by its kind."""


class ExperimentProgress(Record):
    """The progress of an experiment: the numbers of runs, and the estimated time left.

    Attributes:
        made, all: the number of runs in the file, and of all runs of the experiment.
        solved: the runs with a plan.
        others: runs in the file of the same tasks and planners with another version, limits or kind of process.
        seconds_left: an estimate from the times of each planner's runs; None before the first.
    """

    made: int
    all: int
    solved: int
    others: int = 0
    seconds_left: float | None = None


def experiment(
    subjects: object,
    planners: Iterable[str] | Mapping[str, str],
    *,
    limits: Limits | None = None,
    repeat: int = 1,
    output: str | os.PathLike[str] = RUNS_FILE,
    workers: int = 1,
    scheduler: str | None = None,
    order: str = "given",
    seed: int = 0,
    objective: str = MOVES,
    anytime: bool = False,
    warm: bool = False,
    on_run: Callable[[ExperimentRun], None] | None = None,
    progress: Callable[[ExperimentProgress], None] | None = None,
) -> Runs:
    """Run each planner on each task, and return the runs, sorted by repetition, task and planner.

    If another run of the task refutes a run's claim, the run is returned without it (not so in the file): see
    `settle_tasks`.

    Args:
        subjects: folders of PDDL, files, names of puzzles, positions, tasks, or a list of these (see
            `experiments.subjects`); a mapping gives names.
        planners: names as in `solve`, `LABEL=NAME`, or by label (see `entrants`).
        limits: for each run. `limits.cancel()` ends the experiment; the runs so far are in the file, and are returned.
        repeat: how often each planner runs on each task; random ones with the seeds `seed`, `seed + 1`, ...
        output: the file to which the runs are added, a line of JSON each; their logs are in a folder beside it.
        workers: how many runs at a time. They share the machine, so times can be compared only if it has as many
            processors and enough memory.
        scheduler: the address of a Dask cluster that makes the runs instead.
        order: `given` or `random`; then a temporary disturbance of the machine does not affect one planner alone.
        objective: the quantity to minimize, as in `solve`.
        anytime: make planners that can do so find better and better plans, and record each with its time.
        warm: make each run in a copy of a process that has loaded everything, whose start does not count, instead of a
            new Python, which counts in full. Rows say which it was (`process`), and are not mixed.
        on_run, progress: called with each run as it ends, and with the progress of the experiment.

    Raises before anything runs: UsageError for an unknown name, ParseError for a file that is not runs or tasks,
    DependencyMissing for a planner that is not installed, OSError. WorkersFailed if a cluster is missing or ends.
    """
    if order not in ORDERS:
        raise UsageError(f"the order of the runs must be {' or '.join(ORDERS)}, not {order!r}")
    for name, number in (("repeat", repeat), ("workers", workers)):
        if not isinstance(number, int) or number < 1:
            raise UsageError(f"{name} must be a whole number of at least 1, not {number!r}")
    SearchOptions(objective=objective)  # which refuses unknown ones
    limits, those = limits or Limits(), entrants(planners)
    how = {"limits": _amounts(limits), "objective": objective, "process": WARM if warm else FRESH}
    turns = product(range(repeat), _digests(subjects_of(subjects)), those.items())
    planned = [Job.of(*task, *planner, number, seed + number, anytime, how) for number, task, planner in turns]
    jobs = {job.row.key: job for job in planned}
    with RunsFile(output) as file:
        known = [run for run in file.runs if run.key in jobs and not run.broke]
        runs = {run.key: run.replace(planner=jobs[run.key].row.planner) for run in known}
        places = {PLACE(job.row) for job in jobs.values()}
        others = sum(PLACE(run) in places and run.key not in jobs for run in file.runs)
        due = [job for key, job in jobs.items() if key not in runs]
        if progress is not None:
            progress(_progress(runs, jobs, others, workers))
        if order == "random":
            Random(seed).shuffle(due)
        over, told = is_over(limits), on_run or (lambda run: None)
        if due and not over():
            with workers_at(workers, scheduler, here) as team:
                for job, outcome in team.results(((job, job.call()) for job in due), over):  # files are read in turn
                    run, log = row_of(job.row, outcome, datetime.now(UTC))
                    file.append(run, log)
                    runs[run.key] = run
                    told(run)
                    if progress is not None:
                        progress(_progress(runs, jobs, others, team.ahead))
    return Runs(settle_tasks(runs[key] for key in jobs if key in runs))


def _amounts(limits: Limits) -> dict[str, float | None]:
    """Return limits as a row has them, with all seconds as floats."""
    time, cpu = (None if seconds is None else float(seconds) for seconds in (limits.time, limits.cpu))
    return {"time": time, "cpu": cpu, "memory": limits.memory}


def _progress(
    runs: Mapping[str, ExperimentRun], jobs: Mapping[str, Job], others: int, width: int
) -> ExperimentProgress:
    """Return the progress of jobs of which `width` run at a time, with an estimate from the runs that have ended."""
    walls: dict[str, list[float]] = {}
    for run in runs.values():
        walls.setdefault(run.planner, []).append(run.wall or 0.0)
    left, solved = None, sum(run.solved for run in runs.values())
    if runs:
        usual, means = fmean(chain(*walls.values())), {name: fmean(each) for name, each in walls.items()}
        left = sum(means.get(job.row.planner, usual) for key, job in jobs.items() if key not in runs) / width
    return ExperimentProgress(len(runs), len(jobs), solved, others, left)


def _digests(subjects: Iterable[Subject]) -> list[tuple[Subject, str]]:
    """Return each task or level once, with a digest. Raises UsageError if two different ones have the same name."""
    known: dict[tuple[str, str], tuple[Subject, str]] = {}
    for subject in subjects:
        digest = subject.digest()
        first = known.setdefault((subject.domain, subject.name), (subject, digest))
        if first[1] != digest:
            places = [" and ".join(each.files) for each in (first[0], subject) if each.files]
            where = f": {'; '.join(places)}" if places else ""
            raise UsageError(f"two different tasks are called {subject.domain} {subject.name}{where}")
    if not known:
        raise UsageError("an experiment needs at least one task")
    return list(known.values())


# The planners of an experiment: their labels, versions and digests.


def entrants(planners: Iterable[str] | Mapping[str, str]) -> dict[str, str]:
    """Return the planners by unique labels; a name may contain `{seed}`. Raises UsageError, DependencyMissing."""
    if isinstance(planners, str):
        planners = [planners]
    chosen: dict[str, str] = {}
    for label, name in planners.items() if isinstance(planners, Mapping) else map(_parted, planners):
        kind, _, config = name.partition(":")
        planner = f"{name}={SEED}" if kind == "rules" and config in RANDOM else name
        require_installed(planner.replace(SEED, "0"))
        if label in chosen:
            raise UsageError(f"two planners have the label '{label}': give them different labels")
        if planner in chosen.values():
            raise UsageError(f"the planner '{name}' is named twice: name it once")
        short = os.path.basename((words_of(config) or [name])[0]) if kind == "command" else name
        short = short if len(short) <= LONGEST else f"{short[: LONGEST - 1]}…"
        chosen[label or unused(short, chosen)] = planner
    if not chosen:
        raise UsageError("an experiment needs at least one planner")
    return chosen


def _parted(text: str) -> tuple[str, str]:
    """Return the label and the planner in `LABEL=PLANNER`; the label is empty if the text names only a planner."""
    match = _LABEL.fullmatch(text)
    return (match[1].strip(), match[2]) if match else ("", text)


@cache
def version_of(name: str) -> str:
    """Return the version of a planner as exactly as possible, because different versions may behave differently.

    For our planners it is the version of unpuzzle and a digest of the compiled core; for a distribution its version;
    for a program a digest of its file, and of the files that its command line names.
    """
    kind, _, config = name.partition(":")
    if kind in ("command", MACE4):
        program, *words = [MACE4] if kind == MACE4 else words_of(config)
        paths = [shutil.which(program) or "", *filter(os.path.isfile, words)]
        return ", ".join([f"{os.path.basename(path)} {_digest(path)}" for path in paths if path]) or "not found"
    if kind not in registry.KINDS:
        found = [entry.dist.version for entry in offers(registry.GROUP).get(kind, ()) if entry.dist is not None]
        return found[-1] if found else ""
    engine = ENGINE_PACKAGES.get(config) if kind == "up" else None
    versions = [_version(package) for package in (*DISTRIBUTIONS.get(kind, ()), *filter(None, [engine]))]
    if kind not in ("fast-downward", "up"):
        file = getattr(core, "__file__", None)
        versions.insert(0, __version__ if file is None else f"{__version__}+core.{_digest(file)}")
    return ", ".join(versions)


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} not installed"


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()[:DIGITS]
    except OSError:
        return "unreadable"


class Job(Record):
    """A run that is yet to be made: its task or level, and its table row without the result."""

    subject: Subject
    row: ExperimentRun
    anytime: bool = False

    @classmethod
    def of(
        cls,
        subject: Subject,
        digest: str,
        label: str,
        planner: str,
        number: int,
        seed: int,
        anytime: bool,
        how: Mapping[str, Any],
    ) -> Job:
        """Return the job that makes a run, without its texts; the job's key is the same as in older versions."""
        name = planner.replace(SEED, str(seed))
        fields = {"planner": label, "repetition": number, "seed": seed if SEED in planner else None, **how}
        version, includes = version_of(name), INCLUDES.get(name.partition(":")[0], "")
        known = {"domain": subject.domain, "task": subject.name, "configuration": name, "includes": includes, **fields}
        row = ExperimentRun(key="", status=CANCELLED, versions={"planner": version}, **known)
        told = [row.domain, row.task, digest, name, version, [*row.limits.values()], row.repetition]
        told += [row.objective, anytime, *(["warm"] if row.process == WARM else [])]
        key = sha256(json.dumps(told).encode()).hexdigest()[:KEY]
        return cls(subject, row.replace(key=key), anytime)

    def call(self) -> Call:
        """Return the call that makes the run in a separate process."""
        row, limits = self.row, Limits(**self.row.limits)  # type: ignore[arg-type]
        request = (*self.subject.about(), row.configuration, limits, row.objective, self.anytime)
        return Call(
            make_run.__module__, make_run.__name__, pickle.dumps(request), limits.time, limits.cpu, limits.memory,
            row.configuration, preload=(rehearsing.__name__,), fresh=row.process == FRESH,
        )  # fmt: skip


def row_of(row: ExperimentRun, outcome: CallOutcome, ended: datetime) -> tuple[ExperimentRun, str]:
    """Return a job's row with its result, and the log. Raises WorkersFailed for another version of the planner."""
    machine, python, version = outcome.place or here(row.configuration)
    if version != row.versions["planner"]:
        where, own = f"on the machine {machine['name']} the planner {row.planner}", row.versions["planner"]
        raise WorkersFailed(f"{where} has version {version}, not {own}; install the same version on all machines")
    fields = _fields(outcome)
    log = "\n".join(filter(None, (fields.pop("log", ""), outcome.printed)))
    fields["peak_memory"] = fields.get("peak_memory") or outcome.peak_memory
    if told := SEARCH_TIME.findall(log):
        fields["search_cpu"] = float(told[-1])
    run = row.replace(
        plans=tuple([BetterPlan(*part) for part in outcome.parts]),
        wall=round(outcome.wall, 6),
        cpu=round(outcome.cpu, 6),
        log=f"{row.key}.txt" if log else None,
        versions={"unpuzzle": __version__, "python": python, "planner": version},
        machine=machine,
        started=(ended - timedelta(seconds=outcome.wall)).isoformat(timespec="milliseconds"),
        **fields,
    )
    return attributes_in(run, log, PRINTED), log


def _fields(outcome: CallOutcome) -> dict[str, Any]:
    """Return the fields of a table row that describe the result of the run."""
    status, message = ERROR, outcome.ending()
    if outcome.answer is not None:
        returned, value = pickle.loads(outcome.answer)  # noqa: S301  # of our own process
        if returned:
            return dict(value)
        is_memory = isinstance(value, MemoryError)
        status, message = (MEMOUT, str(value)) if is_memory else (ERROR, f"{type(value).__name__}: {value}")
    elif outcome.limit:
        status, message = outcome.limit, ENDINGS[outcome.limit]
    broke: dict[str, Any] = {"seconds": {"total": round(outcome.wall, 6)}, "message": message, "status": status}
    if outcome.parts and status != ERROR:  # the best plan so far is the answer
        best = BetterPlan(*outcome.parts[-1])
        broke |= {"status": SOLVED, "cost": best.cost, "valid": True, "plan": best.plan}
    return broke


def here(configuration: str) -> tuple[dict[str, Any], str, str]:
    """Return a description of this machine, the version of Python, and the version of a planner on this machine."""
    return _machine(), platform.python_version(), version_of(configuration)


@cache
def _machine() -> dict[str, Any]:
    """Return a description of this machine, with the name of its processor or, if unknown, the architecture."""
    names = [platform.processor() or platform.machine()]
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")] or names
    system = f"{platform.system()} {platform.release()}"
    return {"name": platform.node(), "system": system, "processor": names[0], "cores": usable_processors()}
