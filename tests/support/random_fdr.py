"""Random FDR tasks that have few reachable states by construction, so that a slow twin explores all of them.

At most five variables change, each among at most four of its values, whatever the widths of the variables.
"""

import random

from support.fdr_twin import ACTION, renumbered
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable


class Random:
    """A random task from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rng = self.rng
        self.domains = self.random_domains()
        active = rng.sample(range(len(self.domains)), min(len(self.domains), rng.randint(1, 5)))
        self.values = {v: rng.sample(range(self.domains[v]), min(self.domains[v], rng.randint(1, 4))) for v in active}
        self.initial = [rng.randrange(domain) for domain in self.domains]
        for variable, values in self.values.items():
            self.initial[variable] = rng.choice(values)
        self.layers = {len(self.domains) + i: rng.randint(0, 2) for i in range(rng.choice((0, 0, 2, 4)))}
        self.shuffled = list(range(len(self.domains) + len(self.layers)))
        rng.shuffle(self.shuffled)  # derived variables stand anywhere

    def random_domains(self) -> list[int]:
        rng = self.rng
        kind = rng.randrange(4)
        if kind == 0:
            return [rng.randint(1, 5) for _ in range(rng.randint(1, 6))]
        if kind == 1:
            return [rng.randint(1, 70) for _ in range(rng.randint(8, 60))]  # 1 to 7 words
        if kind == 2:
            return [rng.choice((2, 3, 65, 70)) for _ in range(rng.randint(100, 180))]  # more than 512 bits
        return [rng.choice((2, 2**31 - 1, 2**20 + 1, 64)) for _ in range(rng.randint(1, 12))]

    def fact(self, below: int = 3) -> tuple[int, int]:
        """Any variable that changes, sometimes another; derived ones of layers less than `below`."""
        rng = self.rng
        derived = [variable for variable, layer in self.layers.items() if layer < below]
        if derived and rng.random() < 0.3:
            return rng.choice(derived), rng.randint(0, 1)
        if rng.random() < 0.1:
            variable = rng.randrange(len(self.domains))
            return variable, rng.choice((self.initial[variable], rng.randrange(self.domains[variable])))
        variable = rng.choice(list(self.values))
        return variable, rng.choice(self.values[variable])

    def facts(self, most: int, below: int = 3) -> list[tuple[int, int]]:
        return [self.fact(below) for _ in range(self.rng.randint(0, most))]

    def effect(self) -> Effect:
        rng = self.rng
        variable = rng.choice(list(self.values))
        conditions = self.facts(2) if rng.random() < 0.4 else []
        return Effect(conditions, variable, rng.choice(self.values[variable]))

    def permutation(self) -> list[Effect]:
        """Effects `when v=a: v:=b` for all values, as in permutation puzzles."""
        variable, values = self.rng.choice(list(self.values.items()))
        return [Effect([(variable, a)], variable, self.rng.choice(values)) for a in values]

    def operator(self, costs) -> Operator:
        effects = [self.effect() for _ in range(self.rng.randint(0, 4))]
        if self.rng.random() < 0.2:
            effects += self.permutation()
        self.rng.shuffle(effects)
        return Operator(ACTION, self.facts(3), effects, self.rng.choice(costs))

    def rule(self) -> Rule:
        head, layer = self.rng.choice(list(self.layers.items()))
        body = self.facts(2, below=layer)
        same = [variable for variable, other in self.layers.items() if other == layer]
        body += [(self.rng.choice(same), 1) for _ in range(self.rng.choice((0, 0, 1)))]
        return Rule(head, body)

    def task(self) -> FDRTask:
        rng = self.rng
        costs = rng.choice(((1,), (7,), (0,), (0, 1, 2, 3), (0, 1, 2, 3), (0, 2**31, 2**31 - 1)))
        operators = [self.operator(costs) for _ in range(rng.choice((0, 1, 5, 10, 20)))]
        rules = [self.rule() for _ in range(rng.randint(0, 8))] if self.layers else []
        goal = self.facts(3) if rng.random() < 0.9 else []
        # A huge domain stands for itself: only its length is asked for.
        variables = [Variable(range(domain)) for domain in self.domains]
        variables += [Variable(range(2), layer) for layer in self.layers.values()]
        initial = [*self.initial, *[rng.randint(0, 1) for _ in self.layers]]
        return renumbered(FDRTask(variables, initial, goal, operators, rules), self.shuffled)
