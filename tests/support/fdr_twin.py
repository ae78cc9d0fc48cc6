"""The slow twin of the search core: the meaning of an FDR task in a page of plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from support import dijkstra
from unpuzzle.pddl.nodes import GroundAction, Task
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import CoreGrounding, Effect, FDRTask, Operator, Rule, Variable

State = tuple[int, ...]
Facts = list[tuple[int, int]]
ACTION = GroundAction("act", ())


def ground(task: Task) -> FDRTask:
    return CoreGrounding(task).fdr()


def core(task: FDRTask) -> _core.Task:
    return _core.Task(**task.buffers())


def holds(facts, state: State) -> bool:
    return all(state[variable] == value for variable, value in facts)


def derive(task: FDRTask, state) -> State:
    """The state with its derived variables, layer by layer, each to its fixpoint."""
    values = [0 if variable.layer >= 0 else value for variable, value in zip(task.variables, state, strict=True)]
    for layer in sorted({variable.layer for variable in task.variables} - {-1}):
        rules = [rule for rule in task.axioms if task.variables[rule.variable].layer == layer]
        changed = True
        while changed:
            changed = False
            for rule in rules:
                if values[rule.variable] == 0 and holds(rule.body, values):
                    values[rule.variable] = 1
                    changed = True
    return tuple(values)


def apply(task: FDRTask, operator: Operator, state: State) -> State:
    after = list(state)
    for effect in operator.effects:
        if holds(effect.conditions, state):
            after[effect.variable] = effect.value
    return derive(task, after)


def successors(task: FDRTask, state: State) -> list[tuple[int, State]]:
    return [
        (number, apply(task, operator, state))
        for number, operator in enumerate(task.operators)
        if holds(operator.precondition, state)
    ]


def distances(task: FDRTask, cost_of) -> dict[State, int]:
    """The least costs of all states that can be reached."""
    return dijkstra.distances(
        [derive(task, task.initial)],
        lambda state: [(cost_of(task.operators[number]), child) for number, child in successors(task, state)],
    )


def goal_distance(task: FDRTask, reached: dict[State, int]) -> int | None:
    return min((g for state, g in reached.items() if holds(task.goal, state)), default=None)


def true_groups(reached: Iterable[State], rng: random.Random, facts: Facts | None = None) -> list[Facts]:
    """Some groups of facts, of these or of those that are reached, of which no reached state has two."""
    states = list(reached)
    facts = facts or sorted({(v, state[v]) for state in states for v in range(len(state))})
    together = {(one, two) for state in states for one in enumerate(state) for two in enumerate(state)}
    groups = []
    for _ in range(rng.randint(0, 6)):
        group: Facts = []
        for fact in rng.sample(facts, len(facts)):
            if all(other[0] == fact[0] or (other, fact) not in together for other in group):
                group.append(fact)
        groups.append(sorted(group))
    return groups


def replay(task: FDRTask, plan: list[int]) -> int:
    """The plan's cost; every step must be applicable and the goal must hold at the end."""
    state = derive(task, task.initial)
    for number in plan:
        assert holds(task.operators[number].precondition, state)
        state = apply(task, task.operators[number], state)
    assert holds(task.goal, state)
    return sum(task.operators[number].cost for number in plan)


def numbered(*sizes: int) -> list[Variable]:
    return [Variable((None,) * size) for size in sizes]


def padded(task: FDRTask, bits: int) -> FDRTask:
    """The same task with so many bits more in each state, which never change."""
    extra = numbered(*[2**20] * (bits // 20), *[2] * (bits % 20))
    return FDRTask(
        [*task.variables, *extra], [*task.initial, *[1] * len(extra)], task.goal, task.operators, task.axioms
    )


def renumbered(task: FDRTask, new: Sequence[int]) -> FDRTask:
    """The task in which variable v is called `new[v]`."""

    def facts(old: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(new[variable], value) for variable, value in old]

    variables = [task.variables[new.index(variable)] for variable in range(len(new))]
    operators = [
        Operator(
            operator.action,
            facts(operator.precondition),
            [Effect(facts(effect.conditions), new[effect.variable], effect.value) for effect in operator.effects],
            operator.cost,
        )
        for operator in task.operators
    ]
    rules = [Rule(new[rule.variable], facts(rule.body)) for rule in task.axioms]
    initial = [task.initial[new.index(variable)] for variable in range(len(new))]
    return FDRTask(variables, initial, sorted(facts(task.goal)), operators, rules)
