"""Measure time, memory and size of the report of an experiment: `scripts/bench --jobs report`.

10,000 runs are made up: four planners on 2,500 tasks, and twelve planners on 278 tasks with three repetitions, half of
them anytime planners; each run has a log of twenty lines. `unpuzzle report` is measured as a whole process.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from peers import UNPUZZLE, run

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Shape:
    """An experiment: the numbers of planners, tasks and repetitions."""

    planners: int
    tasks: int
    repeat: int

    def __str__(self) -> str:
        return f"{self.planners} planners, {self.tasks} tasks, {self.repeat} each"


SHAPES = (Shape(4, 2500, 1), Shape(12, 278, 3))
LIMIT = 30.0


def measured() -> Iterator[tuple[str, float, float]]:
    """Yield the experiment, CPU seconds of the whole process, and the size of the page in MB."""
    for shape in SHAPES:
        with TemporaryDirectory() as folder:
            write(shape, Path(folder))
            finished = run([UNPUZZLE, "report", "runs.jsonl", "-o", "report.html", "--quiet"], folder)
            yield str(shape), finished.cpu, os.path.getsize(Path(folder, "report.html")) / 1e6


def write(shape: Shape, folder: Path) -> None:
    """Write the runs of an experiment and their logs."""
    random = Random(1)
    (folder / "runs.logs").mkdir()
    hardness = [random.lognormvariate(0, 2.2) for _ in range(shape.tasks)]
    with (folder / "runs.jsonl").open("w") as file:
        for task, hard in enumerate(hardness):
            for planner in range(shape.planners):
                usual = hard * (0.4 + 0.3 * planner) * random.lognormvariate(0, 0.8)
                for repetition in range(shape.repeat):
                    row = _row(random, task, planner, repetition, usual * random.lognormvariate(0, 0.08))
                    (folder / "runs.logs" / row["key"]).write_text(_log(random, row["cpu"]))
                    file.write(json.dumps(row) + "\n")


def _row(random: Random, task: int, planner: int, repetition: int, seconds: float) -> dict[str, object]:
    solved, cost = seconds < LIMIT, 10 + random.randrange(60)
    used = min(seconds, LIMIT)
    key = f"{task}-{planner}-{repetition}"
    better = [{"seconds": used * step / 5, "cost": cost + 5 - step, "plan": []} for step in range(1, 6)]
    return {
        "schema": "unpuzzle/run/1", "key": key, "log": key, "domain": f"domain-{task % 40:02d}", "task": f"p{task}",
        "planner": f"planner-{planner:02d}", "configuration": f"planner-{planner}", "repetition": repetition,
        "status": "solved" if solved else "timeout", "cost": cost if solved else None, "valid": solved or None,
        "expanded": int(used * 9e4), "evaluated": int(used * 1e5), "generated": int(used * 3e5),
        "limits": {"time": LIMIT, "cpu": LIMIT, "memory": 2**31}, "seconds": {"search": used, "total": used + 0.02},
        "wall": used + 0.03, "cpu": used, "peak_memory": int(2e7 + used * 5e6),
        "plan": [f"(move a{step} b)" for step in range(cost)] if solved else None,
        "plans": better if solved and planner % 2 else [], "versions": {"unpuzzle": "1", "python": "3"},
        "machine": {"name": "a", "system": "Linux", "processor": "x86-64", "cores": 2}, "message": "",
    }  # fmt: skip


def _log(random: Random, seconds: float) -> str:
    lines = [f"[t={seconds * step / 20:.3f}s] f = {step}, {random.randrange(10**6)} expanded" for step in range(20)]
    return "\n".join(lines) + "\n"
