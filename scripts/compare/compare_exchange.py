"""Take all IPC tasks of `$UNPUZZLE_DATA` to unified-planning and tarski and back; print differences, and counts.

    python scripts/compare/compare_exchange.py [--costs SECONDS] [unified-planning] [tarski]

Each task is compared, in normal form, with the result, and with the one that the library's own reader reads from its
files. With --costs, the cost of a plan is compared, too, by the library's own simulator; plans are found within so many
seconds each. Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.data import IPC
from support.exchanged import LIBRARIES, cost_by, exchanged
from unpuzzle import Limits, solve
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.pddl import Task, read


def compare(library: str, seconds: float | None) -> int:
    """Print the differences and the counts; return the number of tasks that differ."""
    counts: Counter[str] = Counter()
    for folder in sorted(path.parent for path in IPC.glob("*/*/domain.pddl")):
        name, task = str(folder.relative_to(IPC)), read(folder / "domain.pddl", folder / "problem.pddl")
        result = exchanged(task, folder, library)
        counts["tasks"] += 1
        counts["there and back, equal"] += result.there_and_back is True
        counts["unchanged to the letter"] += result.exact
        counts["refused"] += result.there_and_back is None
        counts["read there"] += result.read is not None
        counts["read there, equal"] += result.read is True
        if result.refusal or result.unread:
            print(f"{library}: {name}: refused: {result.refusal or '-'}; not read: {result.unread[:150] or '-'}")
        differs = False in (result.there_and_back, result.read)
        if seconds is not None and result.there_and_back is not None:
            differs |= not _costs_agree(library, name, task, seconds, counts)
        if differs:
            counts["different"] += 1
            print(f"{library}: {name}: DIFFERENT: {result}")
    print(f"{library}: {dict(counts)}")
    return counts["different"]


def _costs_agree(library: str, name: str, task: Task, seconds: float, counts: Counter[str]) -> bool:
    result = solve(task, "native:ff", limits=Limits(seconds))
    if result.plan is None:
        print(f"{library}: {name}: no plan to compare: {result.status}")
        return True
    try:
        theirs = cost_by(library, task, result.plan)
    except (UnsupportedFeature, NotImplementedError) as error:  # tarski's evaluator raises the latter for quantifiers
        print(f"{library}: {name}: its simulator cannot run the plan: {error or type(error).__name__}")
        return True
    counts["plans"] += 1
    counts["plans of equal cost"] += theirs == result.cost
    if theirs != result.cost:
        print(f"{library}: {name}: the plan costs {result.cost} here and {theirs} there")
    return theirs == result.cost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", default=LIBRARIES)
    parser.add_argument("--costs", type=float, metavar="SECONDS")
    options = parser.parse_args()
    return sum(compare(library, options.costs) for library in options.libraries)


if __name__ == "__main__":
    sys.exit(main() > 0)
