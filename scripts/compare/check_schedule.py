"""Run the core's schedule on random tasks, with random parts and pauses, and compare its answers with blind search.

    python scripts/compare/check_schedule.py [--tasks 20000] [--first 0] [--workers 2]

Five of nine tasks ask for some plan soon, the others for a cheapest one, with plans on the way in half of them. Prints
how many tasks each part has ended, and each wrong answer by its seed. Exits with 1 if there is one, or if a part has
ended fewer than one of 20 tasks.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random

from compare_planners import task_of

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import CoreGrounding

BATCH = 250
CHEAPEST = ("blind", "lmcut", "lmcut+stubborn", "bidirectional", "pdb")
SOON = (
    *("gbfs", "gbfs, leaping", "bfws", "gbfs(ff)", "gbfs, deepest first", "gbfs, fewest moves first"),
    *("gbfs(hadd,landmarks)", "gbfs(landmarks)", "wastar=5(pdb)"),
)
IMPROVING = (
    *("lazywastar=5", "lazywastar=3", "lazywastar=2", "lazywastar", "wastar=3(pdb)", "wastar=2(pdb)"),
    *(f"lazywastar{weight}(hadd,landmarks)" for weight in ("=5", "=3", "=2", "")),
)
SCALES = (1.0, 1e-2, 1e-5)


def checked(seed: int) -> tuple[str, str]:
    """Return the part that ended the task of a seed, and the fault of its answer; either may be empty."""
    rng = Random(seed)
    soon = seed % 9 < 5
    waiting = (*["bidirectional"] * 4, "lmcut+stubborn", *["pdb"] * 2)
    names, rares = (SOON, ("wastar=5(pdb)",)) if soon else (CHEAPEST, waiting)
    rare = rng.choice(rares)  # supports few tasks, or waits
    often, several = (0.05, (*[1] * 9, 4)) if soon else (0.35, (1, 1, 1, 4))  # so that each ends its part of the tasks
    parts = [rare] if rng.random() < often else rng.sample(names, rng.choice(several))
    mode = "soon" if soon else rng.choice(("plans", "anytime", "", ""))
    if mode in ("plans", "anytime"):
        parts += rng.sample(SOON, rng.choice((1, 3))) + rng.sample(IMPROVING, rng.choice((1, 3)))
    try:
        task = CoreGrounding(task_of(seed)).task()
        schedule = _core.Schedule(task, parts=parts, scale=rng.choice(SCALES), **({mode: True} if mode else {}))
        expected = task.search("astar", "blind")
        known = None if soon or expected.cost is None else rng.choice((None, expected.cost, expected.cost + 1))
        effort, result = 1, schedule.run(max_effort=1, bound=known)
        while result.status == "gave_up" or (mode == "anytime" and result.status == "solved"):
            effort *= rng.choice((2, 8))
            result = schedule.run(max_effort=effort, bound=known)
    except (UnsupportedFeature, _core.UnsupportedTask):
        return "", ""
    ended = schedule.ended_by.name if schedule.ended_by else ""
    answer = result.status, result.cost
    if expected.cost is None:
        right = answer == ("unsolvable", None)
    elif soon:
        right = result.status in ("solved", "solved_optimally") and (result.cost or 0) >= expected.cost
    elif known == expected.cost:
        right = answer in (("solved_optimally", None), ("solved_optimally", expected.cost))
    else:
        right = answer == ("solved_optimally", expected.cost)
    wrong = "" if right else f"seed {seed}: {answer} by {ended} of {parts}, not {expected.status}, {expected.cost}"
    if right and result.plan and task.improve(result.plan, max_expanded=0)[1] != result.cost:
        wrong = f"seed {seed}: the plan of {ended} does not cost {result.cost}"
    return ended, wrong


def counted(first: int, tasks: int) -> tuple[Counter[str], list[str]]:
    """Return how many tasks each part ended, and the faults."""
    outcomes = [checked(seed) for seed in range(first, first + tasks)]
    return Counter(part for part, _ in outcomes), [wrong for _, wrong in outcomes if wrong]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    ended, faults = Counter[str](), list[str]()
    starts = range(options.first, options.first + options.tasks, BATCH)
    with ProcessPoolExecutor(options.workers) as pool:
        for counts, wrong in pool.map(counted, starts, [BATCH] * len(starts)):
            ended.update(counts)
            faults += wrong
    for part in (*CHEAPEST, *SOON, ""):
        print(f"{ended[part]:7,}  {part or 'no part'}")
    print(*faults, f"{len(faults)} wrong", sep="\n")
    few = [part for part in (*CHEAPEST, *SOON) if 20 * ended[part] < options.tasks]
    if few:
        print(f"ended fewer than one of 20: {', '.join(few)}")
    return int(bool(faults or few))


if __name__ == "__main__":
    sys.exit(main())
