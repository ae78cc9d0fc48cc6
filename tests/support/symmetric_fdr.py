"""Random FDR tasks that have symmetries by construction: a random task, and all that a random group makes of it.

The group permutes variables of equal domain and their values; operators, axioms and the goal are closed under it, the
initial state is not. (That the task may have symmetries besides is welcome.)
"""

import random

from support.fdr_twin import ACTION, numbered
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable

Fact = tuple[int, int]
Permutation = tuple[tuple[int, tuple[int, ...]], ...]  # by variable: what it becomes, and how its values are renamed


def numbers_of(operator: Operator) -> object:
    """What tells operators apart."""
    effects = [(tuple(effect.conditions), effect.variable, effect.value) for effect in operator.effects]
    return tuple(operator.precondition), tuple(effects), operator.cost


class Symmetric:
    """A random symmetric task from a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.domain = rng.choice((2, 2, 3, 4))
        self.stored = rng.randint(2, 5)
        self.derived = rng.choice((0, 0, 0, 2, 3))
        self.group = self.closed([self.permutation() for _ in range(rng.choice((1, 1, 2)))])

    def permutation(self) -> Permutation:
        rng = self.rng
        stored, derived = list(range(self.stored)), list(range(self.stored, self.stored + self.derived))
        rng.shuffle(stored)
        rng.shuffle(derived)
        same = tuple(range(self.domain))
        renamed = [tuple(rng.sample(same, self.domain)) if rng.random() < 0.5 else same for _ in stored]
        return (*zip(stored, renamed, strict=True), *[(variable, (0, 1)) for variable in derived])

    def closed(self, generators: list[Permutation], most: int = 24) -> list[Permutation]:
        """The group, or the identity alone if it is larger than that."""
        group = [(*[(v, tuple(range(self.domain))) for v in range(self.stored)],)]
        group = [(*group[0], *[(v, (0, 1)) for v in range(self.stored, self.stored + self.derived)])]
        identity = group[0]
        for element in group:
            for generator in generators:
                product = tuple(
                    [(generator[v][0], tuple([generator[v][1][a] for a in values])) for v, values in element]
                )
                if product not in group:
                    group.append(product)
            if len(group) > most:
                return [identity]
        return group

    def facts(self, most: int, derived: float = 0.0) -> list[Fact]:
        rng = self.rng
        chosen = []
        for _ in range(rng.randint(0, most)):
            if self.derived and rng.random() < derived:
                chosen.append((rng.randrange(self.stored, self.stored + self.derived), rng.randint(0, 1)))
            else:
                chosen.append((rng.randrange(self.stored), rng.randrange(self.domain)))
        return sorted(dict(chosen).items())

    def effect(self) -> Effect:
        rng = self.rng
        conditions = self.facts(2, 0.2) if rng.random() < 0.4 else []
        return Effect(conditions, rng.randrange(self.stored), rng.randrange(self.domain))

    def operators(self) -> list[Operator]:
        rng = self.rng
        costs = rng.choice(((1,), (1,), (0, 1, 2, 3)))
        operators = {}
        for _ in range(rng.randint(1, 4)):
            one = Operator(ACTION, self.facts(2, 0.2), [self.effect() for _ in range(rng.randint(1, 3))], 0)
            cost = rng.choice(costs)
            for element in self.group:
                image = self.image(one, element, cost)
                operators[numbers_of(image)] = image
        shuffled = list(operators.values())
        rng.shuffle(shuffled)
        return shuffled

    def image(self, operator: Operator, element: Permutation, cost: int) -> Operator:
        effects = [
            Effect(self.mapped(e.conditions, element), *self.mapped([(e.variable, e.value)], element)[0])
            for e in operator.effects
        ]
        return Operator(ACTION, self.mapped(operator.precondition, element), effects, cost)

    @staticmethod
    def mapped(facts, element: Permutation) -> list[Fact]:
        return sorted((element[variable][0], element[variable][1][value]) for variable, value in facts)

    def goal(self) -> list[Fact]:
        """Facts whose images are facts of the goal, too; none, where they would contradict each other."""
        goal: list[Fact] = []
        for _ in range(10):
            fact = self.facts(1, 0.2)
            orbit = {image for element in self.group for image in self.mapped([*fact, *goal], element)}
            if len(dict(orbit)) == len(orbit):
                goal = sorted(orbit)
        return goal

    def rules(self) -> list[Rule]:
        rules = {}
        for _ in range(self.rng.randint(1, 3) if self.derived else 0):
            head, body = self.rng.randrange(self.stored, self.stored + self.derived), self.facts(2)
            for element in self.group:
                rule = Rule(element[head][0], self.mapped(body, element))
                rules[rule.variable, tuple(rule.body)] = rule
        return list(rules.values())

    def task(self) -> FDRTask:
        variables = numbered(*[self.domain] * self.stored)
        variables += [Variable((None, None), 0) for _ in range(self.derived)]
        initial = [self.rng.randrange(self.domain) for _ in range(self.stored)] + [0] * self.derived
        operators, rules = self.operators(), self.rules()
        return FDRTask(variables, initial, self.goal(), operators, rules)
