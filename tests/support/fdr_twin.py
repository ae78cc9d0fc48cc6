"""The slow twin of the search core: the meaning of an FDR task in a page of plain Python."""

import heapq

from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding.fdr import FDRTask, Operator, Variable

State = tuple[int, ...]
ACTION = GroundAction("act", ())


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
    """Dijkstra over all that can be reached."""
    start = derive(task, task.initial)
    found, queue = {start: 0}, [(0, start)]
    while queue:
        g, state = heapq.heappop(queue)
        if g > found[state]:
            continue
        for number, child in successors(task, state):
            cost = g + cost_of(task.operators[number])
            if cost < found.get(child, cost + 1):
                found[child] = cost
                heapq.heappush(queue, (cost, child))
    return found


def goal_distance(task: FDRTask, reached: dict[State, int]) -> int | None:
    return min((g for state, g in reached.items() if holds(task.goal, state)), default=None)


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
