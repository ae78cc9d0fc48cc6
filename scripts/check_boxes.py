"""Compare the search for boards with blind search on random small levels of Sokoban.

    python scripts/check_boxes.py [--levels 100000] [--seed 1]

No level that blind search solves may be called unsolvable, at its start or at a position of a blind plan; no
other may be solved. Prints each level on which they differ, and counts; exits with 1 if there is one.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from random import Random

from unpuzzle.errors import ParseError
from unpuzzle.limits import Deadline, Limits
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.puzzle.puzzle import Position
from unpuzzle.translators import find

SOKOBAN = find("sokoban")


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
    ground = CoreGrounding(level.task(), Deadline(Limits(), "grounding"))
    task = ground.task()
    if not ground.goal_possible or not task.has_boxes:
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
    later = CoreGrounding(level.task(), Deadline(Limits(), "grounding")).task()
    if blind.plan and later.has_boxes:
        answer = later.push_boxes()
        counts["on the way"] += 1
        return answer is not None and answer.status == "solved"
    return True


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, counts, differ = Random(options.seed), Counter[str](), 0
    for _ in range(options.levels):
        level = random_level(rng)
        if not compare(level, counts, rng):
            differ += 1
            print(level, end="\n\n", flush=True)
    print(dict(counts), f"{differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
