"""Run planners on tasks, each run in a separate process with enforced limits, and record all runs in a file.

    runs = experiment(["ipc/", "sokoban"], ["native", "fast-downward:lama"], limits=Limits(time=60, memory=2 << 30))

A run is a task, a planner with its configuration and version, limits, and the number of the repetition; the digest of
these is its key. A run whose key is in the file, and that did not break, is not made again, so an interrupted
experiment continues where it ended. Another version or other limits give other keys: the old runs stay in the file, but
are not part of the new table.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from random import Random
from statistics import fmean

from unpuzzle.base.defaults import ORDERS
from unpuzzle.base.defaults import RUNS_FILE as OUTPUT
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.base.values import Record
from unpuzzle.lab.claims import settle_tasks
from unpuzzle.lab.entrants import Entrant, entrants, version_of
from unpuzzle.lab.jobs import Job, here, limits_told, row_of
from unpuzzle.lab.runs import ExperimentRun, Runs, RunsFile
from unpuzzle.lab.subjects import Subject, subjects_of
from unpuzzle.planning.planner import MOVES, SearchOptions
from unpuzzle.processes.parallel import is_over, workers_at
from unpuzzle.processes.worker import CallOutcome

KEY = 20
"""The length of a key, in letters."""


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
    output: str | os.PathLike[str] = OUTPUT,
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
    `lab.claims`.

    Args:
        subjects: folders of PDDL, files, names of puzzles, positions, tasks, or a list of these (see `lab.subjects`); a
            mapping gives names.
        planners: names as in `solve`, `LABEL=NAME`, or by label (see `lab.entrants`).
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
    limits = Limits() if limits is None else limits
    those, digests = entrants(planners), _digests(subjects_of(subjects))
    jobs = [
        _job(subject, digest, entrant, number, seed + number, limits, objective, anytime, warm)
        for number in range(repeat)
        for subject, digest in digests
        for entrant in those
    ]
    with RunsFile(output) as file:
        making = _Making(jobs, file, progress, on_run, workers)
        due = [job for job in jobs if job.key not in making.runs]
        if order == "random":
            Random(seed).shuffle(due)
        over = is_over(limits)
        if due and not over():
            with workers_at(workers, scheduler, here) as team:
                making.width = team.ahead
                # The files of a task are read only when its turn comes.
                for job, outcome in team.results(((job, job.call()) for job in due), over):
                    making.take(job, outcome)
    return Runs(settle_tasks(making.runs[job.key] for job in jobs if job.key in making.runs))


def _job(
    subject: Subject, digest: str, entrant: Entrant, repetition: int, seed: int, limits: Limits, objective: str,
    anytime: bool, warm: bool,
) -> Job:  # fmt: skip
    """Return the job of a run, without the texts; runs in fresh processes keep the keys of older versions."""
    configuration = entrant.configuration(seed)
    version = version_of(configuration)
    told = [subject.domain, subject.name, digest, configuration, version, [*limits_told(limits).values()], repetition]
    told += [objective, anytime, *(["warm"] if warm else [])]
    key = sha256(json.dumps(told).encode()).hexdigest()[:KEY]
    own = seed if entrant.is_random else None
    return Job(key, subject, entrant.label, configuration, version, repetition, own, limits, objective, anytime, warm)


def _digests(subjects: Iterable[Subject]) -> list[tuple[Subject, str]]:
    """Return each task or level once, with a digest. Raises UsageError if different ones have the same name."""
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


class _Making:
    """The runs of an experiment; each run is added when it ends."""

    def __init__(
        self,
        jobs: Sequence[Job],
        file: RunsFile,
        progress: Callable[[ExperimentProgress], None] | None,
        on_run: Callable[[ExperimentRun], None] | None,
        width: int,
    ) -> None:
        self.width = width
        self._file, self._progress, self._on_run = file, progress, on_run
        self._jobs = {job.key: job for job in jobs}
        self._seconds: dict[str, list[float]] = {}
        self.runs: dict[str, ExperimentRun] = {}
        for run in file.runs:
            if (job := self._jobs.get(run.key)) is not None and not run.broke:
                self._note(run.replace(planner=job.label))
        tasks = {(job.subject.domain, job.subject.name, job.configuration, job.repetition) for job in jobs}
        same = [run for run in file.runs if (run.domain, run.task, run.configuration, run.repetition) in tasks]
        self._others = sum(run.key not in self._jobs for run in same)
        self._tell()

    def take(self, job: Job, outcome: CallOutcome) -> None:
        """Add the run of a job that has ended to the file and the results. Raises OSError."""
        run, log = row_of(job, outcome, datetime.now(UTC))
        self._file.append(run, log)
        self._note(run)
        if self._on_run is not None:
            self._on_run(run)
        self._tell()

    def _note(self, run: ExperimentRun) -> None:
        self.runs[run.key] = run
        self._seconds.setdefault(run.planner, []).append(run.wall or 0.0)

    def _tell(self) -> None:
        if self._progress is not None:
            solved = sum(run.solved for run in self.runs.values())
            self._progress(ExperimentProgress(len(self.runs), len(self._jobs), solved, self._others, self._left()))

    def _left(self) -> float | None:
        """Return an estimate of the seconds that the remaining runs take; None before the first run has ended."""
        if not self._seconds:
            return None
        usual = fmean([seconds for each in self._seconds.values() for seconds in each])
        means = {label: fmean(each) for label, each in self._seconds.items()}
        return sum(means.get(job.label, usual) for job in self._jobs.values() if job.key not in self.runs) / self.width
