"""Break the axioms of special methods on purpose, and compare their answers with exhaustive search.

    python scripts/compare/check_symmetries.py [METHOD ...] [--tasks 20000] [--seed 1]

Prints a row for each method: the number of examples, how many violate each axiom, the number of faults; and the faults.
A fault is a method that was used although an axiom is violated, or an answer other than that of exhaustive search.
Exits with 1 if there is one, or if an axiom was violated in less than a twentieth of the examples.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

TESTS = Path(__file__).parents[2] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "planners" / "helpers")]

from support.broken_axioms import LAWS, tried  # noqa: E402

FEWEST = 20
"""Each axiom is violated in at least one of this many examples."""


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=", ".join(LAWS))
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = False
    for name in options.methods or LAWS:
        law = LAWS[name]
        counts, faults = tried(law, options.tasks, options.seed)
        rare = [axiom for axiom in law.axioms if counts[axiom] * FEWEST < counts["examples"]]
        print(f"{name}: {dict(counts)}, {len(faults)} faults", f"too rare: {rare}" if rare else "", flush=True)
        print(*faults[:20], sep="\n", end="\n" if faults else "", flush=True)
        failed = failed or bool(faults or rare)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
