"""Runs of experiments, made up: for reports, in files and in memory."""

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from unpuzzle.experiments.runs import BetterPlan, ExperimentRun

_numbers = count()
LIMITS = {"time": 100.0, "cpu": None, "memory": None}


def made(planner: str = "a", task: str = "p1", status: str = "solved", **fields: Any) -> ExperimentRun:
    """A run with a key of its own; `seconds` are of processor time."""
    seconds = fields.pop("seconds", 1.0)
    fields.setdefault("cost", 10 if status.startswith("solved") else None)
    fields.setdefault("valid", True if status.startswith("solved") else None)
    fields.setdefault("key", f"k{next(_numbers)}")
    fields.setdefault("domain", "d")
    fields.setdefault("configuration", planner)
    fields.setdefault("limits", LIMITS)
    return ExperimentRun(task=task, planner=planner, status=status, cpu=seconds, wall=seconds, **fields)


def noisy(
    speeds: dict[str, float], tasks: int = 12, repeat: int = 3, *, seed: int = 0, spread: float = 0.1, **fields: Any
) -> list[ExperimentRun]:
    """Runs of planners whose times differ by a factor, and by noise."""
    random = Random(seed)
    return [
        made(
            planner, f"p{task}", seconds=speed * (1 + task) * random.lognormvariate(0, spread), repetition=repetition,
            expanded=100 * task, **fields,
        )
        for task in range(tasks)
        for planner, speed in speeds.items()
        for repetition in range(repeat)
    ]  # fmt: skip


def every_kind() -> list[ExperimentRun]:
    """Runs with each outcome, several domains, plans of anytime planners, and texts that are markup."""
    random = Random(3)
    runs: list[ExperimentRun] = []
    statuses = ("timeout", "memout", "gave_up", "unsupported", "error", "cancelled", "guessed", "unsolvable")
    for task in range(30):
        for planner in ("native", "lama", "<b>'fast'&</b>"):
            status = statuses[task % 8] if random.random() < 0.2 else "solved"
            cost = 10 + task + random.randrange(5)
            solved = status == "solved"
            better = tuple(BetterPlan(0.1 * step, cost + 4 - step) for step in range(1, 5))
            runs.append(
                made(
                    planner, f"p{task:02d}", status, domain=f"domain-{task % 4}", seconds=0.05 * 1.3**task,
                    cost=cost if solved else None, expanded=1000 * task if solved else None,
                    log=f"log-{planner[:1]}{task}",
                    plan=("(move a b)",) * cost if solved else None, peak_memory=(20 + task) << 20,
                    message="" if solved else f"it was <i>{status}</i>",
                    plans=better if solved and planner == "lama" else (),
                    versions={"unpuzzle": "0.8.2"}, machine={"name": "here"},
                )
            )  # fmt: skip
    for planner, task, status, more in (
        ("native", "p99", "solved", {"valid": False, "message": "step 3 is not applicable"}),
        ("lama", "p98", "unsolvable", {}),
        ("native", "p98", "solved", {}),
    ):
        runs.append(made(planner, task, status, domain="domain-0", versions={"unpuzzle": "0.8.2"}, **more))
    return runs


def save(path: Path, runs: Iterable[ExperimentRun], logs: bool = True) -> Path:
    """Write runs, and a log for each that names one, as an experiment does."""
    own = [*runs]
    path.write_text("".join(json.dumps(run.to_dict()) + "\n" for run in own), encoding="utf-8")
    if logs:
        folder = path.with_suffix(".logs")
        folder.mkdir(exist_ok=True)
        for run in own:
            if run.log:
                (folder / run.log).write_text(
                    f"search began on {run.task}\n<script>alert(1)</script>\n", encoding="utf-8"
                )
    return path
