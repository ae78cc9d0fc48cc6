"""Boards on which one walker pushes boxes: generated levels of Sokoban, solved in turn in this process.

    python scripts/benchmarks/bench_boards.py PLANNER [--levels 200] [--size 8] [--boxes 4] [--seed 1]     prints one JSON object

The levels depend on the numbers alone, so two versions of unpuzzle that run this file solve the same ones, and their
statuses and costs can be compared. `cpu` is the processor time of solving, without making the levels.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from random import Random
from time import process_time

from unpuzzle import Limits, solve
from unpuzzle.base.errors import ParseError
from unpuzzle.translators import find

PATIENCE = 20
"""CPU seconds for a level."""


def levels(count: int, size: int, boxes: int, seed: int) -> list[object]:
    """Return levels that depend on the numbers alone."""
    rng, sokoban = Random(seed), find("sokoban")
    made: list[object] = []
    while len(made) < count:
        shape = {"size": (size, size), "boxes": rng.randint(2, boxes), "walls": rng.randint(size, 3 * size)}
        try:
            made.append(sokoban.generate(rng, shape))
        except ParseError:
            continue
    return made


def main() -> int:
    """Solve the levels and print the results."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("planner")
    for name, default in (("levels", 200), ("size", 8), ("boxes", 4), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    made = levels(options.levels, options.size, options.boxes, options.seed)
    start = process_time()
    results = [solve(level, options.planner, limits=Limits(cpu=PATIENCE)) for level in made]
    cpu = process_time() - start
    answers = [(result.status, result.cost) for result in results]
    print(json.dumps({"cpu": cpu, "answers": answers, "expanded": sum(result.expanded or 0 for result in results)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
