"""Random FDR tasks of parts that hardly concern each other, as stubborn sets like them, with any feature between parts.

Their mutex groups are read off the states that can be reached, so the groups are true, and as tight as they can be.
"""

import random

from support.fdr_twin import ACTION, distances, numbered, true_groups
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable

Facts = list[tuple[int, int]]


class Loose:
    """A random task from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.parts: list[list[int]] = []
        self.domains: list[int] = []
        for _ in range(rng.randint(2, 5)):
            sizes = [rng.choice((2, 2, 3)) for _ in range(rng.randint(1, 2))]
            self.parts.append(list(range(len(self.domains), len(self.domains) + len(sizes))))
            self.domains += sizes
        self.layers = {len(self.domains) + i: rng.randint(0, 2) for i in range(rng.choice((0, 0, 1, 3)))}
        self.between = rng.choice((0, 0.1, 0.3))  # how often something concerns another part
        self.conditional = rng.choice((0, 0, 0.3))
        self.bare = rng.choice((0, 0.3))  # how many effects have no precondition on their variable

    def fact(self, variables) -> tuple[int, int]:
        variable = self.rng.choice(list(variables))
        return variable, self.rng.randrange(2 if variable in self.layers else self.domains[variable])

    def elsewhere(self) -> Facts:
        """Sometimes a fact of any part, or a derived one."""
        if self.rng.random() >= self.between:
            return []
        return [self.fact(self.layers if self.layers and self.rng.random() < 0.5 else range(len(self.domains)))]

    def operator(self, costs) -> Operator:
        rng = self.rng
        part = rng.choice(self.parts)
        changed = rng.sample(part, rng.randint(1, len(part)))
        precondition = [self.fact([v]) for v in part if v not in changed or rng.random() >= self.bare]
        precondition = [fact for fact in precondition if fact[0] in changed or rng.random() < 0.3] + self.elsewhere()
        effects = []
        for variable in changed:
            conditions = [self.fact(part), *self.elsewhere()] if rng.random() < self.conditional else []
            effects.append(Effect(conditions, *self.fact([variable])))
            if conditions and rng.random() < 0.5:
                effects.append(Effect(self.elsewhere(), *self.fact([variable])))
        if rng.random() < self.between / 2:
            effects.append(Effect(self.elsewhere(), *self.fact(range(len(self.domains)))))
        return Operator(ACTION, precondition, effects, rng.choice(costs))

    def rule(self) -> Rule:
        head, layer = self.rng.choice(list(self.layers.items()))
        below = [variable for variable, other in self.layers.items() if other < layer]
        body = [self.fact([*range(len(self.domains)), *below]) for _ in range(self.rng.randint(1, 2))]
        same = [variable for variable, other in self.layers.items() if other == layer]
        return Rule(head, body + [(self.rng.choice(same), 1) for _ in range(self.rng.choice((0, 0, 1)))])

    def task(self) -> FDRTask:
        rng = self.rng
        costs = rng.choice(((1,), (0,), (0, 1), (0, 1, 2, 3)))
        operators = [self.operator(costs) for _ in range(rng.choice((8, 15, 30)))]
        rules = [self.rule() for _ in range(rng.randint(1, 6))] if self.layers else []
        variables = numbered(*self.domains) + [Variable((None, None), layer) for layer in self.layers.values()]
        initial = [self.fact([v])[1] for v in range(len(self.domains))] + [0] * len(self.layers)
        goal = [self.fact([v]) for v in range(len(variables)) if rng.random() < 0.6]
        task = FDRTask(variables, initial, goal, operators, rules)
        return task.replace(mutexes=true_groups(distances(task, lambda operator: 1), rng))
