"""The runs of a report and their logs, compressed into the report's page.

The table has what one looks for; message, plan and log of a run are in blocks of forty, of which a page unpacks one
when somebody asks for it. Long logs lose their middle, so that the page stays small; those of runs that went wrong keep
more.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from json import dumps
from math import isnan
from typing import Any
from zlib import DEFLATED, compressobj

from unpuzzle.base.found_files import is_found
from unpuzzle.base.outcomes import ERROR
from unpuzzle.base.values import Record
from unpuzzle.lab.reporting.making import names_of
from unpuzzle.lab.reporting.measures import INVALID, OUTCOMES, Grid, limits_text, outcome
from unpuzzle.lab.runs import ExperimentRun, logs_folder

ROOM = 2_600_000
"""The most characters that all blocks may take in a page."""
RAW = 10_000_000
"""Bytes of logs and plans before they are packed: about four times as much as there is room for."""
MOST, GRAVE = 60_000, 8
"""The most bytes of a log, and the factor for runs that went wrong."""
BLOCK = 40
TRIES, SAMPLE = 6, 12


class Logs(Record):
    """The log files, by the key of each run, from the log folders next to the files of runs."""

    files: Mapping[str, str]

    @classmethod
    def beside(cls, runs_by_path: Mapping[str, Sequence[ExperimentRun]]) -> Logs:
        """Return the logs in the folders that belong to files of runs."""
        files: dict[str, str] = {}
        for path, runs in runs_by_path.items():
            folder = logs_folder(path)
            for run in runs if os.path.isdir(folder) and not os.path.islink(folder) else ():
                place = os.path.join(folder, os.path.basename(run.log or ""))
                if run.log == os.path.basename(place) and is_found(place, folder):
                    files.setdefault(run.key, place)
        return cls(files)

    def text(self, run: ExperimentRun, most: int = ROOM) -> str:
        """Return the log of a run; if the log is too long, the middle is left out."""
        path = self.files.get(run.key)
        try:
            if path is None:
                return ""
            with open(path, "rb", buffering=0) as file:
                size = os.fstat(file.fileno()).st_size
                if size <= most:
                    return file.read().decode("utf-8", "replace")
                head = file.read(most // 3).decode("utf-8", "replace")
                file.seek(size - 2 * most // 3)
                tail = file.read(2 * most // 3).decode("utf-8", "replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            return f"the log cannot be read: {error.strerror}"
        return (
            f"{head}\n\n[… {size - most:,} bytes are left out here; they are in {os.path.basename(path)} …]\n\n{tail}"
        )


def packed_table(grid: Grid) -> str:
    """Return the table of all runs, column by column, as compressed text."""
    names = names_of(grid)
    labels = {name: number for number, name in enumerate(grid.labels)}
    tasks = {task: number for number, task in enumerate(grid.tasks)}
    columns: dict[str, list[Any]] = {
        "planner": [labels[names[run.key]] for run in grid.runs],
        "task": [tasks[run.domain, run.task] for run in grid.runs],
        "repetition": [run.repetition for run in grid.runs],
        "outcome": [OUTCOMES.index(outcome(run)) for run in grid.runs],
        "cost": [run.cost for run in grid.runs],
        "time": [None if isnan(value) else round(value, 3) for value in grid.frame.time],
        "expanded": [run.expanded for run in grid.runs],
        "memory": [None if run.peak_memory is None else round(run.peak_memory / 2**20, 1) for run in grid.runs],
    }
    return packed(dumps(columns, separators=(",", ":")).encode())


def packed_details(grid: Grid, logs: Logs) -> list[str]:
    """Return compressed blocks with the message, plan and log of each run."""
    about = {key: _about_planner(grid.labels[name]) for key, name in names_of(grid).items()}
    packer = _Packer(grid.runs, logs, about)
    most = min(MOST, RAW // len(grid.runs))
    for _ in range(TRIES):
        most = packer.fitting(most)
        blocks = packer.blocks(most)
        size = sum(map(len, blocks))
        if size <= ROOM:
            return blocks
        most = int(0.8 * most * ROOM / size)
    return _Packer(grid.runs, Logs({}), about).blocks(0)


class _Packer(Record):
    """A packer for the details of runs; `about` maps the key of a run to lines about the planner."""

    runs: Sequence[ExperimentRun]
    logs: Logs
    about: Mapping[str, str]

    def blocks(self, most: int, step: int = 1) -> list[str]:
        """Return all blocks, or every `step`-th block, with no more than `most` bytes of each log."""
        return [self._block(start, most) for start in range(0, len(self.runs), step * BLOCK)]

    def fitting(self, most: int) -> int:
        """Estimate, from a sample of blocks, the greatest log length at which all blocks fit on the page."""
        step = max(1, len(self.runs) // BLOCK // SAMPLE)
        for _ in range(TRIES):
            size = step * sum(map(len, self.blocks(most, step)))
            if step == 1 or size <= 0.9 * ROOM:
                break
            most = int(0.8 * most * ROOM / size)
        return most

    def _block(self, start: int, most: int) -> str:
        details = [self._details(run, most) for run in self.runs[start : start + BLOCK]]
        return packed(dumps(details, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace"))

    def _details(self, run: ExperimentRun, most: int) -> dict[str, Any]:
        own = most * GRAVE if outcome(run) in (ERROR, INVALID) else most
        plan = "\n".join(run.plan or ())
        if len(plan) > own:
            plan = f"{plan[:own]}\n… {len(run.plan or ()):,} steps in all"
        about = _about(run, self.about[run.key], own)
        return {"about": about, "plan": plan, "log": self.logs.text(run, min(own, MOST)), "file": run.log or ""}


def _about_planner(label: ExperimentRun) -> str:
    """Return the details of a planner that the table does not show."""
    versions = ", ".join(f"{name} {version}" for name, version in label.versions.items())
    parts = (f"configuration {label.configuration}", f"limits: {limits_text(label.limits)}", versions)
    return "\n".join(filter(None, parts))


def _about(run: ExperimentRun, planner: str, most: int) -> str:
    """Return the details of a run that the table does not show."""
    machine = " ".join([str(run.machine[name]) for name in ("name", "system", "processor") if run.machine.get(name)])
    seconds = ", ".join([f"{phase} {seconds:.3g} s" for phase, seconds in run.seconds.items() if seconds is not None])
    seed = "" if run.seed is None else f"seed {run.seed}"
    message = run.message if len(run.message) <= max(most, 200) else f"{run.message[:most]} …"
    return "\n".join(filter(None, (message, planner, seed, seconds, machine, run.started, f"key {run.key}")))


def packed(data: bytes) -> str:
    """Return data, compressed by deflate and encoded in base64, for the page's script."""
    deflate = compressobj(6, DEFLATED, -15)
    return b64encode(deflate.compress(data) + deflate.flush()).decode()
