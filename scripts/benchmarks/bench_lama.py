"""Compare first plans and good plans with LAMA's (Richter and Westphal 2010), in an experiment, in CPU time.

    scripts/bench --jobs lama [--output FILE]                  all puzzle tasks of the collection and some made here
    python scripts/benchmarks/bench_lama.py [--output FILE] WHAT ...      your own tasks: folders or files of PDDL
    LAMA_LIMITS=1,10,60                                        CPU seconds in the table; the last is the limit of a run

The runs are added to FILE as they end, and those in it are not made again; `unpuzzle report FILE` draws them. A run
records when each plan came, so it gives the results for every shorter limit, too; the CPU seconds until then are a
share of the whole run's. The first plan is compared with `lama-first`, by whole processes. The score of a task is its
least known cost divided by the plan's cost; 0 without a plan.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import grounding_tasks
from peers import starting_seconds

from unpuzzle import Limits, experiment, translators
from unpuzzle.pddl import parse_task, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.experiments import ExperimentRun

LIMITS = tuple(sorted({int(text) for text in os.environ.get("LAMA_LIMITS", "1,10").split(",")}))
"""CPU seconds in the table; the last is the time of each planner."""
MEMORY = 2 << 30
OURS, LAMA, FIRST = "ours", "lama", "lama-first"
PLANNERS = {OURS: "native", LAMA: "fast-downward:seq-sat-lama-2011", FIRST: "fast-downward:lama-first"}
PUZZLES = "blocks pegsol ricochet rubiks snake sokoban storage termes tidybot trucks visitall".split()
"""The beginnings of names of the collection's puzzle domains."""


def plans_of(run: ExperimentRun) -> list[tuple[float, int]]:
    """Return the plans of a run, by the CPU seconds at which they came, with their costs."""
    share = (run.cpu or 0.0) / (run.wall or 1.0)
    return [(share * plan.seconds, plan.cost) for plan in run.plans]


def compare(
    tasks: object, known: dict[str, int], output: str
) -> Iterator[tuple[str, float, float | None, str, float | None, str]]:
    """Yield rows of the table: what, ours, theirs, unit, ratio, target. `known`: least costs, by task."""
    limits = Limits(cpu=LIMITS[-1], memory=MEMORY)
    runs = {
        (run.task, run.planner): run for run in experiment(tasks, PLANNERS, limits=limits, anytime=True, output=output)
    }
    names = [name for name, planner in runs if planner == OURS]
    plans = {name: [plans_of(runs[name, planner]) for planner in (OURS, LAMA)] for name in names}
    least = {
        name: min([cost for each in pair for _, cost in each] + [known.get(name, sys.maxsize)])
        for name, pair in plans.items()
    }
    for limit in LIMITS:
        costs = {name: [_cost(each, limit) for each in pair] for name, pair in plans.items()}
        mine, others = (sum(pair[side] is not None for pair in costs.values()) for side in (0, 1))
        yield f"{limit} s, of {len(names)} solved", mine, others, "tasks", mine / max(others, 1), ">= 1"
        good, rivals = (sum(_score(least[name], pair[side]) for name, pair in costs.items()) for side in (0, 1))
        yield f"{limit} s, best known cost / cost", good, rivals, "sum", good / max(rivals, 1e-9), ">= 1"
    start = starting_seconds()
    firsts = {name: runs[name, FIRST].cpu for name in names if plans[name][0] and runs[name, FIRST].solved}
    ratios = [(start + plans[name][0][0][0]) / seconds for name, seconds in firsts.items() if seconds]
    if ratios:
        yield "seconds to the first plan, median of ratios", median(ratios), None, "x", median(ratios), "<= 0.5"


def _cost(plans: list[tuple[float, int]], limit: float) -> int | None:
    """Return the cost of the best plan within some seconds."""
    return min([cost for seconds, cost in plans if seconds <= limit], default=None)


def _score(least: int, cost: int | None) -> float:
    return 0.0 if cost is None else 1.0 if cost == least else least / cost


def puzzle_tasks(collection: Path) -> dict[str, object]:
    """The puzzle tasks of the collection, by name, then levels and larger tasks."""
    tasks: dict[str, object] = {
        str(problem.parent.relative_to(collection)): problem
        for problem in sorted(collection.glob("*/*/problem.pddl"))
        if problem.parent.parent.name.split("-")[0] in PUZZLES
    }
    return tasks | {name: parse_task(*make()) for name, make in MADE.items()}


def _level(puzzle: str, name: str) -> tuple[str, str]:
    kind = translators.find(puzzle)
    return write(kind.parse(kind.levels[name]).task())


MADE: dict[str, Callable[[], tuple[str, str]]] = {
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
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tasks", nargs="*", metavar="WHAT", help="folders or files of PDDL")
    parser.add_argument("--output", metavar="FILE", help="record the runs there, and continue with those")
    options = parser.parse_args()
    collection = Path(os.environ.get("UNPUZZLE_DATA", "../shared/data"), "ipc").resolve()
    with TemporaryDirectory() as scratch:
        output = options.output or str(Path(scratch, "runs.jsonl"))
        for row in compare(options.tasks or puzzle_tasks(collection), {}, output):
            print(*row, sep="\t", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
