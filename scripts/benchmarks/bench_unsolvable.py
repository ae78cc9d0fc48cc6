"""Explain tasks without a plan, and measure how long that takes and whether it is right.

    scripts/bench unsolvable [--only WORD ...]            the thirty tasks of unsolvable_tasks.py
    scripts/bench unsolvable --random N [--seed S]        N random tasks, solvable ones and others

Explanations are checked by other means: if a reason names parts of the goal, the task without them is solved; an excuse
is applied, and the task solved; if the space is small enough, all claims are checked in every state that the reference
semantics reaches, and counts are compared. Random tasks are compared with the reference planner first. The exit code is
1 if something is wrong or took too long.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

import unsolvable_tasks

from unpuzzle.base.run import Limits
from unpuzzle.explanation.reasons import Explanation, explain
from unpuzzle.pddl import Task
from unpuzzle.solving import solve
from unpuzzle.state_space.space import reachable

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.explanations import faults, without_reason

SECONDS = 10
"""Seconds for each explanation."""
MOST_COUNTED, MOST_EXPANDED = 100_000, 1_000_000
MOST_OF_REFERENCE = 3_000


def main() -> int:
    """Run the requested part; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--random", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.random is not None:
        return random_tasks(options.random, options.seed)
    print(f"{'task':38} {'reason':12} {'seconds':>7} {'states':>9}  verified by")
    rows = [made(name) for name in unsolvable_tasks.TASKS if all(word in name for word in options.only)]
    print(f"{len(rows)} tasks, {sum(rows)} wrong or too late")
    return min(sum(rows), 1)


def made(name: str) -> bool:
    """Explain a task, and print a row; return whether something is wrong."""
    task = unsolvable_tasks.TASKS[name]()
    start = perf_counter()
    explanation = explain(task, limits=Limits(SECONDS))
    seconds = perf_counter() - start
    space = reachable(task, max_states=MOST_COUNTED)
    evidence, wrong = verified(task, explanation, space.states if space.complete else None)
    if seconds > SECONDS or explanation.solvable is not False:
        wrong.append(f"solvable: {explanation.solvable} ({explanation.status}) after {seconds:.1f} s")
    if not evidence:
        wrong.append("nothing verifies it")
    states = f"{space.states:,}" if space.complete else f"> {MOST_COUNTED:,}"
    print(f"{name:38} {explanation.kind:12} {seconds:7.2f} {states:>9}  {', '.join(evidence)}", flush=True)
    for sentence in wrong:
        print(f"    ! {sentence}")
    return bool(wrong)


def verified(task: Task, explanation: Explanation, states: int | None) -> tuple[list[str], list[str]]:
    """Return evidence for an explanation, and its faults; `states`: the reachable ones, None for very many."""
    few = states is not None and states <= unsolvable_tasks.MOST_OF_REFERENCE
    wrong, evidence = faults(task, explanation, states if few and states else 0), []
    easier = list(without_reason(task, explanation))
    unsolved = [what for what, each in easier if not solvable(each)]
    wrong += [f"without {what} it is not seen to be solvable" for what in unsolved]
    evidence += ["reason taken away"] * (bool(easier) and not unsolved) + ["excuse"] * bool(explanation.excuses)
    if few:
        reference = solve(task, "reference")
        if (reference.status, reference.expanded) == ("unsolvable", states):
            evidence.append("reference")
        else:
            wrong.append(f"the reference says {reference.status} after {reference.expanded} of {states} states")
    return evidence, wrong


def solvable(task: Task) -> bool:
    """Return whether some planner finds a plan, which is validated."""
    planners = ("native:gbfs", "native")
    return any(solve(task, planner, max_expanded=MOST_EXPANDED).solved for planner in planners)


def random_tasks(number: int, first: int) -> int:
    """Explain random tasks, and print the results; return the exit code."""
    became, wrong = Counter[str](), 0
    for seed in range(first, first + number):
        task = unsolvable_tasks.any_task(seed)
        truth = solve(task, "reference", max_expanded=MOST_OF_REFERENCE).status
        explanation = explain(task, limits=Limits(SECONDS))
        became[f"{truth}: {explanation.kind or {True: 'a plan', None: 'unknown'}[explanation.solvable]}"] += 1
        became["with an excuse"] += bool(explanation.excuses)
        known = {"solved_optimally": True, "unsolvable": False}.get(truth)
        sentences = faults(task, explanation, MOST_OF_REFERENCE)
        if None not in (known, explanation.solvable) and known != explanation.solvable:
            sentences.append(f"the reference says {truth}")
        wrong += bool(sentences)
        for sentence in sentences:
            print(f"seed {seed}: {sentence}", flush=True)
    for what, times in sorted(became.items()):
        print(f"{times:6} {what}")
    print(f"{number} tasks from seed {first}, {wrong} wrong")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
