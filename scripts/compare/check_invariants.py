"""Check the certain claims of lint, invariants and exclusions in all states of treacherous random tasks.

    python scripts/compare/check_invariants.py [--tasks 5000] [--seed 0]

The tasks are those of `tests/support/shifting_tasks.py`, by their seeds from --seed on, so that each can be reproduced.
Prints the false claims, and how often each claim and each treacherous shape occurs. Exit 1 if a claim is false.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.shifting_tasks import false_claims, shapes, shifting_task


def main(words: Sequence[str] | None = None) -> int:
    """Return 1 if a claim is false, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    found: Counter[str] = Counter()
    number = 0
    for seed in range(options.seed, options.seed + options.tasks):
        task = shifting_task(seed)
        wrong, claims = false_claims(task, seed)
        found.update(claims)
        found.update(shapes(task))
        number += len(wrong)
        for each in wrong:
            print(f"{seed}: {each}")
    print(f"{number} false claims about {options.tasks} tasks")
    print(", ".join(f"{name}: {many}" for name, many in found.most_common()))
    return int(number > 0)


if __name__ == "__main__":
    sys.exit(main())
