"""Compare the search for boards with blind search on random graphs and on random small levels of Sokoban.

    python scripts/compare/check_boxes.py [--graphs 100000] [--first 0] [--levels 20000] [--seed 1] [--workers 2]

No task that blind search solves may be called unsolvable, of levels also at a position of a blind plan; no other may be
solved. Half of the graphs (`tests/support/random_boards.py`, by their seeds) are made to break an axiom of boards, and
none that does may be recognised as a board; plans must be valid, and improving may not make them worse. Prints each
task with a wrong answer, and counts; exits with 1 if there is one, or if an axiom was broken in less than a hundredth
of the graphs.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support import random_boards
from unpuzzle.base.errors import ParseError
from unpuzzle.model.position import Position
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.translators import find

SOKOBAN = find("sokoban")
CHUNK = 500


def random_level(rng: Random) -> Position:
    while True:
        rows, columns, boxes = rng.randint(3, 6), rng.randint(3, 6), rng.randint(1, 4)
        walls = rng.randint(0, max(0, min(8, rows * columns - 2 * boxes - 2)))
        try:
            return SOKOBAN.generate(rng, {"size": (rows, columns), "boxes": boxes, "walls": walls})
        except ParseError:
            continue


def compare(level: Position, counts: Counter[str], rng: Random) -> bool:
    """Return whether the searches agree, at the start and at one position of a plan of blind search."""
    ground = CoreGrounding(level.task())
    task = ground.task()
    if not ground.goal_possible or not task.has_boxes():
        counts["passed over"] += 1
        return True
    outcome, blind = task.push_boxes(), task.search("astar", "blind")
    assert outcome is not None
    counts[outcome.status] += 1
    if (outcome.status == "solved") != (blind.status == "solved_optimally"):
        return False
    for number in (blind.plan or [])[: rng.randrange(len(blind.plan or [0]) or 1)]:
        action = ground.action(number)
        side = action.arguments[1][0]
        level = level.apply(side.upper() if action.name == "push" else side)
    later = CoreGrounding(level.task()).task()
    if blind.plan and later.has_boxes():
        answer = later.push_boxes()
        counts["on the way"] += 1
        return answer is not None and answer.status == "solved"
    return True


def compare_graphs(seeds: Iterable[int]) -> tuple[Counter[str], list[str]]:
    """Return counts, and the faults found with the graphs of these seeds."""
    counts = Counter[str]()
    return counts, [f"graph {seed}: {wrong}" for seed in seeds if (wrong := random_boards.compare(seed, counts))]


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--levels", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    chunks = [range(start, start + CHUNK) for start in range(options.first, options.first + options.graphs, CHUNK)]
    graphs, differ = Counter[str](), 0
    with ProcessPoolExecutor(options.workers) as pool:
        for counts, wrong in pool.map(compare_graphs, chunks):
            graphs += counts
            differ += len(wrong)
            print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
    print(*(f"{count:8,} {what}" for what, count in sorted(graphs.items())), sep="\n")
    rare = [axiom for axiom in random_boards.BREAKS if 100 * graphs[f"broken: {axiom}"] < options.graphs]
    print(*(f"broken too rarely: {axiom}" for axiom in rare), sep="\n", end="\n" if rare else "")
    rng, levels = Random(options.seed), Counter[str]()
    for _ in range(options.levels):
        level = random_level(rng)
        if not compare(level, levels, rng):
            differ += 1
            print(level, end="\n\n", flush=True)
    print(dict(levels), f"{differ} differ")
    return 1 if differ or rare else 0


if __name__ == "__main__":
    sys.exit(main())
