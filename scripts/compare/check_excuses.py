"""Check excuses of tasks whose start has one planted fault: a fact is missing, or names a wrong object.

    python scripts/compare/check_excuses.py [--tasks 2000] [--seed 0]

The tasks are those of `tests/support/mutated_starts.py`. Prints each excuse that puts a thing into two places, takes it
away, or leaves no plan; how many tasks got one that changes the start, and how many got the planted one. Exits with 1
if an excuse is wrong, or if fewer than 90% got one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.mutated_starts import judged, mutants
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits, Run
from unpuzzle.explanation.excuses import excuses


def main(words: Sequence[str] | None = None) -> int:
    """Return 1 if an excuse is wrong, or if too few tasks got one, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    wrong, excused, planted, number = 0, 0, 0, 0
    for number, (task, natural) in enumerate(islice(mutants(Random(options.seed)), options.tasks), 1):
        try:
            found = excuses(task, Run(Limits(time=60), "explaining"))
        except LimitReached:
            found = ()
        faults = [fault for each in found for fault in judged(task, each)]
        own = any(not each.drop for each in found)
        if faults or not own:
            print(f"{task.domain.name} {number}: {natural}: {' or '.join(map(str, found)) or 'none'}", *faults)
        wrong += bool(faults)
        excused += own
        planted += any((each.add, each.delete) == (natural.add, natural.delete) for each in found)
    print(
        f"{number} tasks: {wrong} with wrong excuses, {excused} with changes of the start, {planted} the planted ones"
    )
    return int(wrong > 0 or excused < 0.9 * number)


if __name__ == "__main__":
    sys.exit(main())
