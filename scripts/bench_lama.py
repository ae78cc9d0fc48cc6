"""First plans and good plans, against LAMA (Richter and Westphal 2010): whole processes, CPU time, run in turn.

    scripts/bench --jobs lama                 all puzzle tasks of the collection and some made here, 10 CPU seconds each
    python scripts/bench_lama.py FOLDER...    your own tasks: folders with domain.pddl and problem.pddl
    LAMA_LIMITS=1,10,60 LAMA_PROFILES=FILE    other limits; each run is a line of the file as soon as it ends, and what
                                              is there already is not run again

One run of each planner gives its plans with the seconds at which they came, so it tells of every shorter limit as well.
The first plan is compared with `lama-first`, by whole processes. The score of a task is its least known cost divided by
the plan's cost; 0 without a plan.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import grounding_tasks
from peers import fast_downward, run

from unpuzzle import translators
from unpuzzle.pddl import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIMITS = tuple(sorted({int(text) for text in os.environ.get("LAMA_LIMITS", "1,10").split(",")}))
"""CPU seconds in the table; the last is the time of each planner."""
PROFILES = os.environ.get("LAMA_PROFILES", "")
MEMORY = 2
"""Gigabytes."""
LAMA = "seq-sat-lama-2011"
PUZZLES = "blocks pegsol ricochet rubiks snake sokoban storage termes tidybot trucks visitall".split()
"""The beginnings of names of the collection's puzzle domains."""

ANYTIME = f"""
from time import process_time
from unpuzzle import Limits, improve
from unpuzzle.pddl import read
for found in improve(read("domain.pddl", "problem.pddl"), "native", limits=Limits(memory={MEMORY} << 30)):
    if found.solved:
        print("plan", found.cost, process_time(), flush=True)
"""

Texts = tuple[str, str]


@dataclass
class Profile:
    """The plans of one run: CPU seconds and cost, each cheaper than the one before."""

    plans: list[tuple[float, int]] = field(default_factory=list)

    def add(self, seconds: float, cost: int) -> None:
        if not self.plans or cost < self.plans[-1][1]:
            self.plans.append((seconds, cost))

    def cost(self, limit: float) -> int | None:
        """Return the cost of the best plan within some seconds."""
        return next((cost for seconds, cost in reversed(self.plans) if seconds <= limit), None)


def ours(folder: Path, seconds: int) -> Profile:
    """The anytime planner, stopped when its CPU time is up."""
    profile = Profile()
    for line in _output([sys.executable, "-c", ANYTIME], folder, seconds).splitlines():
        if line.startswith("plan "):
            _, cost, taken = line.split()
            profile.add(float(taken), int(cost))
    return profile


def lama(folder: Path, seconds: int) -> Profile:
    """LAMA; its translator and its search tell their own CPU times, and what starts them is not counted."""
    with TemporaryDirectory() as scratch:
        task = [str(folder / "domain.pddl"), str(folder / "problem.pddl")]
        limits = ["--overall-time-limit", f"{seconds}s", "--overall-memory-limit", f"{MEMORY}G"]
        command = [sys.executable, fast_downward(), *limits, "--alias", LAMA, *task]
        output = _output(command, Path(scratch), 2 * seconds)
    translated = re.search(r"Done! \[([\d.]+)s CPU", output)
    before, now, profile = float(translated[1]) if translated else 0.0, 0.0, Profile()
    for line in output.splitlines():
        if told := re.search(r"\[t=([\d.e-]+)s", line):
            now = float(told[1])
        if told := re.search(r"Plan cost: (\d+)", line):
            profile.add(before + now, int(told[1]))
    return profile


def lama_first(folder: Path, seconds: int) -> float | None:
    """CPU seconds of the whole process that ends with LAMA's first plan; None if there is none in time."""
    task = [str(folder / "domain.pddl"), str(folder / "problem.pddl")]
    with TemporaryDirectory() as scratch:
        command = [
            sys.executable,
            fast_downward(),
            "--overall-time-limit",
            f"{seconds}s",
            "--alias",
            "lama-first",
            *task,
        ]
        finished = run(command, scratch)
    return finished.cpu if "Solution found" in finished.output else None


def _output(command: list[str], folder: Path, seconds: int) -> str:
    limited = ["prlimit", f"--cpu={seconds}", *command]
    return subprocess.run(limited, cwd=folder, capture_output=True, text=True, check=False).stdout


class Profiles:
    """The profiles of all runs, in a file if there is one, so that hours of work are not lost."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        lines = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
        self._known = {(run["planner"], run["task"], run["limit"]): run["plans"] for run in map(json.loads, lines)}

    def of(self, planner: Callable[[Path, int], Profile], task: str, folder: Path, limit: int) -> Profile:
        """Return the known profile of a run, or else run the planner."""
        known = self._known.get((planner.__name__, task, limit))
        if known is not None:
            return Profile([(seconds, cost) for seconds, cost in known])
        profile = planner(folder, limit)
        if self._file:
            run = {"planner": planner.__name__, "task": task, "limit": limit, "plans": profile.plans}
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(run) + "\n")
        return profile


def compare(
    tasks: dict[str, Path], known: dict[str, int] | None = None
) -> Iterator[tuple[str, float, float | None, str, float | None, str]]:
    """Yield rows of the table: what, ours, theirs, unit, ratio, target. `known`: least costs, by task."""
    runs = Profiles(Path(PROFILES) if PROFILES else None)
    profiles = {
        name: tuple(runs.of(planner, name, folder, LIMITS[-1]) for planner in (ours, lama))
        for name, folder in tasks.items()
    }
    least = dict(known or {})
    for name, pair in profiles.items():
        least[name] = min([cost for profile in pair for _, cost in profile.plans] + [least.get(name, sys.maxsize)])
    for limit in LIMITS:
        costs = {name: [profile.cost(limit) for profile in pair] for name, pair in profiles.items()}
        mine, others = (sum(pair[side] is not None for pair in costs.values()) for side in (0, 1))
        yield f"{limit} s, of {len(tasks)} solved", mine, others, "tasks", mine / max(others, 1), ">= 1"
        good, rivals = (sum(_score(least[name], pair[side]) for name, pair in costs.items()) for side in (0, 1))
        yield f"{limit} s, best known cost / cost", good, rivals, "sum", good / max(rivals, 1e-9), ">= 1"
    firsts = {name: lama_first(folder, LIMITS[-1]) for name, folder in tasks.items() if profiles[name][0].plans}
    first = [profiles[name][0].plans[0][0] / seconds for name, seconds in firsts.items() if seconds is not None]
    if first:
        yield "seconds to the first plan, median of ratios", median(first), None, "x", median(first), "<= 0.5"


def _score(least: int, cost: int | None) -> float:
    return 0.0 if cost is None else 1.0 if cost == least else least / cost


def puzzle_tasks(scratch: Path, collection: Path) -> dict[str, Path]:
    """The puzzle tasks of the collection, by name, then levels and larger tasks, written into a folder."""
    tasks = {
        str(problem.parent.relative_to(collection)): problem.parent
        for problem in sorted(collection.glob("*/*/problem.pddl"))
        if problem.parent.parent.name.split("-")[0] in PUZZLES
    }
    for name, make in MADE.items():
        tasks[name] = scratch / name
        tasks[name].mkdir(parents=True)
        for file, text in zip(("domain.pddl", "problem.pddl"), make(), strict=True):
            (tasks[name] / file).write_text(text, encoding="utf-8")
    return tasks


def _level(puzzle: str, name: str) -> Texts:
    kind = translators.find(puzzle)
    return write(kind.parse(kind.levels[name]).task())


MADE: dict[str, Callable[[], Texts]] = {
    **{
        f"{puzzle} {name}": partial(_level, puzzle, name)
        for puzzle in ("boxup", "hanoi", "pacman", "sliding-tiles", "sokoban")
        for name in translators.find(puzzle).levels
        if "unsolvable" not in name
    },
    **{f"blocks, {count}": partial(grounding_tasks.blocks, count) for count in (10, 20, 30, 40)},
    **{f"visitall, {size}x{size}": partial(grounding_tasks.visitall, size, size) for size in (8, 12, 16, 20, 30)},
    **{f"sokoban, {size}x{size}": partial(grounding_tasks.sokoban, size, size, size // 2) for size in (8, 10, 14)},
}


def main() -> int:
    """Compare on your own tasks."""
    tasks = {folder: Path(folder).resolve() for folder in sys.argv[1:]}
    if not tasks:
        with TemporaryDirectory() as scratch:
            collection = Path(os.environ.get("UNPUZZLE_DATA", "../shared/data"), "ipc").resolve()
            for row in compare(puzzle_tasks(Path(scratch), collection)):
                print(*row, sep="\t", flush=True)
        return 0
    for row in compare(tasks):
        print(*row, sep="\t", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
