"""Try the recognisers of walkers and of folded variables on random tasks that break their axioms on purpose.

    python scripts/compare/check_walkers.py [--tasks 20000] [--first 0] [--workers 2] [--law "walker"]

The laws are those of `tests/support/walker_laws.py`: `walker` (A* with walks folded away), `folded variable` (pattern
databases) and `pushes` (`--objective pushes` of native and reference). Each answer is compared with a search in plain
Python over all states. Prints a table, and each task with a fault by its seed; exits with 1 if there is one, or if an
axiom was broken in fewer than one of 20 tasks.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests/planners/helpers"))

from support.walker_laws import LAWS

BATCH = 100


def counted(name: str, first: int, tasks: int) -> tuple[Counter[str], list[str]]:
    """Return the counts of a law for a number of seeds, and the faults."""
    counts, faults = Counter[str](), list[str]()
    for seed in range(first, first + tasks):
        case = LAWS[name].check(seed)
        counts.update(case.broken)
        counts["recognised"] += case.recognised
        counts["wrong"] += bool(case.faults)
        faults += [f"{name}, seed {seed}: {fault}" for fault in case.faults]
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law", choices=LAWS)
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    good = True
    for name in [options.law] if options.law else LAWS:
        firsts = range(options.first, options.first + options.tasks, BATCH)
        sizes = [min(BATCH, options.first + options.tasks - first) for first in firsts]
        total = Counter[str]()
        with ProcessPoolExecutor(options.workers) as pool:
            for counts, faults in pool.map(counted, [name] * len(sizes), firsts, sizes):
                total += counts
                for fault in faults:
                    print(fault)
        print(
            f"{name}: {options.tasks:,} tasks, {total['recognised']:,} recognised, {total['wrong']:,} wrong", flush=True
        )
        for axiom in LAWS[name].axioms:
            print(f"    {total[axiom]:7,}  break '{axiom}'")
            good &= total[axiom] >= options.tasks / 20
        good &= not total["wrong"]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
