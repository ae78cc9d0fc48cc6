"""Random FDR tasks with a variable that nearly all operators change, but for what was broken on purpose.

Pattern databases fold such a variable (`core/pdbs/selection.hpp`). What they say is a bound whether they do or not, so
nothing untrue is said where an axiom is broken; but only where all hold is it a folded variable.
"""

from collections.abc import Sequence

from support.fdr_twin import ACTION
from support.small_fdr import Random
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable

BREAKS = (
    "derived",  # there are derived variables: no databases at all
    "share",  # more than a tenth of the operators do not change it
    "alone",  # they change another variable, too
    "values",  # it has more than 64 values
    "goal",  # the goal is about no other variable
    "pays",  # of the operators that change it and cost something, more than a tenth change nothing else
)


class Folded(Random):
    """A random task from a seed; `breaks` names an axiom that may be broken."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        rng = self.rng
        self.breaks = rng.choice((*BREAKS, "", "", ""))
        self.common, self.domains = 0, self.domains[:5]
        self.domains[0] = rng.choice((65, 70)) if self.breaks == "values" else rng.choice((2, 3, 9, 40, 64))
        self.only_common = rng.choice((0.2, 0.5)) if self.breaks == "pays" else 0

    def operator(self, costs: Sequence[int]) -> Operator:
        if self.breaks == "share" and self.rng.random() < 0.3:
            fact = self.fact(self.rng.randrange(1, len(self.domains)))
            return Operator(ACTION, [self.fact(0), self.fact(fact[0])], [Effect([], *fact)], self.rng.choice(costs))
        operator = super().operator(costs)
        while self.breaks != "pays" and {effect.variable for effect in operator.effects} == {0}:
            operator = super().operator(costs)
        if self.breaks != "alone":
            return operator
        return Operator(ACTION, operator.precondition, [*operator.effects, Effect([], *self.fact(1))], operator.cost)

    def task(self) -> FDRTask:
        task = super().task()
        goal = [fact for fact in task.goal if fact[0] == 0] if self.breaks == "goal" else task.goal
        if self.breaks != "derived":
            return FDRTask(task.variables, task.initial, goal, task.operators)
        rules = [Rule(len(task.variables), [self.fact()])]
        return FDRTask([*task.variables, Variable((None, None), 0)], [*task.initial, 0], goal, task.operators, rules)


def _possible(effect: Effect) -> bool:
    return len({variable for variable, _ in effect.conditions}) == len(set(effect.conditions))


def broken(task: FDRTask) -> set[str]:
    """Return the axioms of a folded variable that a task breaks, whichever variable it would be."""
    changes = [{effect.variable for effect in operator.effects if _possible(effect)} for operator in task.operators]
    numbers = [sum(variable in some for some in changes) for variable in range(len(task.variables))]
    common = [variable for variable, number in enumerate(numbers) if number >= 0.9 * len(changes)]
    found = {"derived"} if task.axioms else set()
    if len(common) != 1:
        return found | {"alone" if common else "share"}
    costly = [
        some for some, operator in zip(changes, task.operators, strict=True) if operator.cost and common[0] in some
    ]
    found |= {"values"} if len(task.variables[common[0]].values) > 64 else set()
    found |= {"goal"} if all(variable == common[0] for variable, _ in task.goal) else set()
    return found | ({"pays"} if sum(some == {common[0]} for some in costly) > 0.1 * len(costly) else set())
