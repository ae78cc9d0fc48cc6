"""Small random FDR tasks, all of whose states are explored in plain Python: what estimates are compared with.

Their mutex groups are read off the states that can be reached, so the groups are true, and as tight as they can be.
"""

from __future__ import annotations

import random

from support.dijkstra import distances
from support.fdr_twin import ACTION, ground, holds, numbered, successors, true_groups
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator
from unpuzzle.translators.sliding_tiles import SlidingTiles


def tiles(text: str) -> FDRTask:
    return ground(SlidingTiles.parse(text).task())


def explore(task: FDRTask, most: int):
    """All states that can be reached, each with its predecessors; None if there are more than `most`."""
    start = tuple(task.initial)
    before, pending = {start: []}, [start]
    while pending:
        state = pending.pop()
        for number, child in successors(task, state):
            if child not in before:
                if len(before) == most:
                    return None
                before[child] = []
                pending.append(child)
            before[child].append((task.operators[number].cost, state))
    return before


def goal_distances(task: FDRTask, before):
    return distances([state for state in before if holds(task.goal, state)], before.__getitem__)


class Random:
    """A random task from a seed; about half have a common variable, one that all operators change."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.domains = [rng.choice((2, 2, 3, 4)) for _ in range(rng.randint(2, 7))]
        self.common = rng.choice((None, 0, 0))
        if self.common is not None:
            self.domains[0] = rng.choice((2, 3, 9, 40, 70))  # 70: too many to be folded
        self.conditional = rng.choice((0, 0, 0.3))
        self.bare = rng.choice((0, 0.2))  # how many effects have no precondition on their variable
        self.only_common = rng.choice((0, 0.05, 0.5))

    def fact(self, variable: int | None = None) -> tuple[int, int]:
        rng = self.rng
        if variable is None:
            variable = rng.randrange(len(self.domains))
        return variable, rng.randrange(min(self.domains[variable], 5))

    def operator(self, costs) -> Operator:
        rng = self.rng
        changed = rng.sample(range(len(self.domains)), min(len(self.domains), rng.randint(1, 2)))
        if self.common is not None:
            changed = [self.common] if rng.random() < self.only_common else sorted({self.common, *changed})
        precondition = {v: self.fact(v) for v in changed if rng.random() >= self.bare}
        if rng.random() < 0.3:
            fact = self.fact()
            precondition.setdefault(fact[0], fact)
        effects = [
            Effect([self.fact() for _ in range(rng.randint(1, 2))] if rng.random() < self.conditional else [], *fact)
            for fact in map(self.fact, changed)
        ]
        if rng.random() < self.conditional:
            variable, values = (v := rng.choice(changed)), range(min(self.domains[v], 5))
            effects += [Effect([(variable, a)], variable, rng.choice(values)) for a in values]
        return Operator(ACTION, list(precondition.values()), effects, rng.choice(costs))

    def task(self) -> FDRTask:
        rng = self.rng
        costs = rng.choice(((1,), (1,), (7,), (0, 1), (0, 1, 2, 3), (0, 2**31, 2**31 - 1)))
        operators = [self.operator(costs) for _ in range(rng.choice((3, 10, 20, 40)))]
        initial = [self.fact(v)[1] for v in range(len(self.domains))]
        goal = [self.fact(v) for v in range(len(self.domains)) if rng.random() < 0.7]
        return FDRTask(numbered(*self.domains), initial, goal, operators)


def with_mutexes(task: FDRTask, reached, rng: random.Random) -> FDRTask:
    """The task with some groups of facts of which no reached state has two."""
    return FDRTask(task.variables, task.initial, task.goal, task.operators, (), true_groups(reached, rng))
