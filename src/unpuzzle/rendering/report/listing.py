"""The runs of a report and their logs, packed into its page.

The table has what one looks for; message, plan and log of a run are in blocks of forty, of which a page unpacks one when
somebody asks for it. Long logs lose their middle, so that the page stays small; those of runs that went wrong keep more.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any

from unpuzzle.lab.reporting.grid import INVALID, OUTCOMES, Grid, outcome
from unpuzzle.lab.reporting.labels import limits_text
from unpuzzle.lab.reporting.making import names_of
from unpuzzle.lab.reporting.reading import log_folder
from unpuzzle.lab.runs import Run
from unpuzzle.rendering.report.scatter import packed
from unpuzzle.result import ERROR

ROOM = 2_600_000
"""The most characters that all blocks may take in a page."""
RAW = 10_000_000
"""Bytes of logs and plans before they are packed: about four times as much as there is room for."""
MOST, GRAVE = 60_000, 8
"""The most bytes of one log, and how many times as much a run keeps that went wrong."""
BLOCK = 40
TRIES = 4


@dataclass(frozen=True)
class Logs:
    """Where the logs of runs lie: by key of a run the file. Nothing outside of the folder beside the runs is read."""

    files: Mapping[str, str]

    @classmethod
    def beside(cls, runs_by_path: Mapping[str, Sequence[Run]]) -> Logs:
        """Return the logs in the folders beside files of runs."""
        files: dict[str, str] = {}
        for path, runs in runs_by_path.items():
            folder = log_folder(path)
            for run in runs if os.path.isdir(folder) else ():
                if run.log and run.log == os.path.basename(run.log) and run.log not in (".", ".."):
                    files.setdefault(run.key, os.path.join(folder, run.log))
        return cls(files)

    def text(self, run: Run, most: int) -> str:
        """Return the log of a run, without its middle where it is long."""
        path = self.files.get(run.key)
        if path is None or os.path.islink(path) or not os.path.isfile(path):
            return ""
        try:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size <= most:
                    return file.read().decode("utf-8", "replace")
                head = file.read(most // 3).decode("utf-8", "replace")
                file.seek(size - 2 * most // 3)
                tail = file.read(2 * most // 3).decode("utf-8", "replace")
        except OSError as error:
            return f"the log cannot be read: {error.strerror}"
        return f"{head}\n\n[… {size - most:,} bytes are left out here; they are in {os.path.basename(path)} …]\n\n{tail}"


def packed_table(grid: Grid) -> str:
    """Return the table of all runs, column by column, packed."""
    names = names_of(grid)
    labels = {name: number for number, name in enumerate(grid.labels)}
    tasks = {task: number for number, task in enumerate(grid.tasks)}
    columns: dict[str, list[Any]] = {
        "planner": [labels[names[run.key]] for run in grid.runs],
        "task": [tasks[run.domain, run.task] for run in grid.runs],
        "repetition": [run.repetition for run in grid.runs],
        "outcome": [OUTCOMES.index(outcome(run)) for run in grid.runs],
        "cost": [run.cost for run in grid.runs],
        "time": [_rounded(grid.clock.value(run)) for run in grid.runs],
        "expanded": [run.expanded for run in grid.runs],
        "memory": [None if run.peak_memory is None else round(run.peak_memory / 2**20, 1) for run in grid.runs],
    }
    return packed(dumps(columns, separators=(",", ":")).encode())


def packed_details(runs: Sequence[Run], logs: Logs) -> list[str]:
    """Return the blocks: of each run a list of lines about it, its plan and its log."""
    most = min(MOST, RAW // max(1, len(runs)))
    blocks: list[str] = []
    for _ in range(TRIES):
        blocks = [_block(runs[start : start + BLOCK], logs, most) for start in range(0, len(runs), BLOCK)]
        size = sum(map(len, blocks))
        if size <= ROOM:
            return blocks
        most = int(0.8 * most * ROOM / size)
    return [_block(runs[start : start + BLOCK], Logs({}), 0) for start in range(0, len(runs), BLOCK)]


def _block(runs: Sequence[Run], logs: Logs, most: int) -> str:
    return packed(dumps([_details(run, logs, most) for run in runs], separators=(",", ":"), ensure_ascii=False).encode())


def _details(run: Run, logs: Logs, most: int) -> dict[str, Any]:
    own = most * GRAVE if outcome(run) in (ERROR, INVALID) else most
    plan = "\n".join(run.plan or ())
    if len(plan) > own:
        plan = f"{plan[:own]}\n… {len(run.plan or ()):,} steps in all"
    return {"about": _about(run), "plan": plan, "log": logs.text(run, min(own, MOST)), "file": run.log or ""}


def _about(run: Run) -> str:
    """Return what the table does not say of a run."""
    parts = [
        run.message,
        f"configuration {run.configuration}",
        f"limits: {limits_text(run.limits)}",
        "" if run.seed is None else f"seed {run.seed}",
        ", ".join(f"{phase} {seconds:.3g} s" for phase, seconds in run.seconds.items()),
        ", ".join(f"{name} {version}" for name, version in run.versions.items()),
        " ".join(str(run.machine[name]) for name in ("name", "system", "processor") if run.machine.get(name)),
        run.started,
        f"key {run.key}",
    ]
    return "\n".join(filter(None, parts))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
