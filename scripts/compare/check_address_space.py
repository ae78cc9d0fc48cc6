"""Plan tasks under nine pairs of a limit of address space and one of memory, and compare the answers.

    python scripts/compare/check_address_space.py [FOLDER] [--planner native] [--tasks 30] [--seconds 4] [--seed 1]

FOLDER (default: `ipc` in UNPUZZLE_DATA) has a folder for each task, with `domain.pddl` and `problem.pddl`.
Tasks are drawn until enough were solved without limits in so many seconds of processor time. Status, cost, plan and
counts must be equal under all pairs; `tests/support/address_space.py` says which. Exits with 1 if one differs. Linux
only.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.address_space import PAIRS, differences, planned


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(os.environ.get("UNPUZZLE_DATA", ".")) / "ipc")
    parser.add_argument("--planner", default="native")
    parser.add_argument("--tasks", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    planner = ("--planner", options.planner)
    domains = sorted(options.folder.rglob("domain.pddl"))
    Random(options.seed).shuffle(domains)
    tried = faults = 0
    for domain in domains:
        if tried == options.tasks:
            break
        files = domain, domain.with_name("problem.pddl")
        alone = planned(files, (*planner, "--cpu-limit", str(options.seconds)))
        name = domain.parent.relative_to(options.folder)
        if alone.answer["status"] not in ("solved_optimally", "unsolvable"):
            print(f"{name}: left out, {alone.answer['status']}", flush=True)
            continue
        tried += 1
        found = differences(files, alone, planner)
        faults += len(found)
        print(
            f"{name}: {alone.seconds:.1f} s, {alone.peak >> 20} MB, {len(found)} differ", *found, sep="\n  ", flush=True
        )
    print(f"{tried} tasks, {tried * len(PAIRS)} runs, {faults} differ")
    return int(faults > 0 or tried == 0)


if __name__ == "__main__":
    sys.exit(main())
