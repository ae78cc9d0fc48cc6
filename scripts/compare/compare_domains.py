"""Check the relations that `diff` and `grade` report, on disguised tasks and on mutants of domains.

    python scripts/compare/compare_domains.py [--renamings 300] [--mutants 500] [--seed 0] [--states 300]

The tasks are from bundled puzzles and the test data, with at most so many states. A task with other names must be
`renamed`, by a bijection that the reference semantics confirms, and a task itself `identical`. Mutants have a fault
planted in their domain, and are graded unchanged and with other names for everything but objects. Their true relation
follows from the definitions: naive refinement of all states, and a trial of every bijection of the schemas with their
parameters. Exits with 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import cycle
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.relations import VERDICTS, broken_renaming, bundled, handed_over, judged, mutants, small

BUNDLED_SAMPLES = 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renamings", type=int, default=300)
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--states", type=int, default=300)
    options = parser.parse_args()
    tasks = [*small(bundled(BUNDLED_SAMPLES), options.states), *small(handed_over(), options.states)]
    print(f"{len(tasks)} tasks")
    wrong = 0
    for seed, (name, task, one) in zip(range(options.renamings), cycle(tasks), strict=False):
        said = broken_renaming(name, task, one, options.seed + seed)
        wrong += bool(said)
        if said:
            print(said)
    print(f"{options.renamings} renamings, {wrong} wrong")
    verdicts: Counter[str] = Counter()
    faults = mutants(tasks, Random(options.seed), options.mutants)
    for name, one, task, mutant in faults:
        rows, truth = judged(one, task, mutant, 4 * options.states)
        verdicts[f"{' and '.join(f'{row.verdict} ({row.relation})' for row in rows)}, in truth {truth}"] += 1
        for row in rows if truth is not None else ():
            if row.verdict != VERDICTS[truth]:
                wrong += 1
                print(f"wrong: {name}: {row.verdict}, in truth {truth}: {row.difference}")
    for words, number in sorted(verdicts.items()):
        print(f"{number:6,} {words}")
    print(f"{wrong} wrong in all")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
