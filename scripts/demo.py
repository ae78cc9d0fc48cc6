"""The demonstration: from level text to a checked, drawn solution, by two planners."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from unpuzzle import check, pddl, solve, translators
from unpuzzle.planning import registry

LEVELS = (("boxup", "1"), ("sliding-tiles", "8-easy"), ("pacman", "loops"))


def show(name: str, level: str, planner_names: list[str]) -> bool:
    """Demonstrate one level; return whether all went well."""
    puzzle = translators.find(name)
    position = puzzle.parse(puzzle.levels[level], f"{name} {level}")
    print(f"━━ {name}, level {level}: {puzzle.title}\n\n{position.draw()}")
    domain, problem = pddl.write(position.task())
    with TemporaryDirectory() as folder:
        Path(folder, "domain.pddl").write_text(domain)
        Path(folder, "problem.pddl").write_text(problem)
        pddl.read(f"{folder}/domain.pddl", f"{folder}/problem.pddl")
    print(f"PDDL: {len(domain.splitlines())} lines of domain, {len(problem.splitlines())} of problem; it begins")
    print("\n".join(f"    {line}" for line in problem.splitlines()[:6]) + "\n    ...\n")
    fine = True
    for planner in planner_names:
        missing = registry.missing(planner)
        if missing is not None:
            print(f"{planner}: {missing}")
            continue
        result = solve(position, planner)
        fine = fine and result.status == "solved_optimally" and result.valid is True
        print(f"{planner}: {result.status}, cost {result.cost}, {result.seconds['total']:.3f} s")
        print(f"    moves {''.join(result.moves or ())}")
    for move in result.moves or ():
        position = position.apply(move)
    print(f"\nreplayed on the rules, {'solved' if position.solved() else 'NOT SOLVED'}:\n\n{position.draw()}")
    report = check(puzzle.parse(puzzle.levels[level]), max_states=2_000)
    print(f"check: {report}\n")
    return fine and position.solved() and report.same is not False


def main() -> int:
    """Run the demonstration; the exit code is 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--planner", action="append", help="default: native and fast-downward")
    chosen = parser.parse_args().planner or ["native", "fast-downward"]
    outcomes = [show(name, level, chosen) for name, level in LEVELS]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
