"""What recognisers of walkers and folded variables promise, as laws about random tasks that break their axioms.

A law looks at the task of a seed and returns a `Case`: which axioms the task breaks, by all its states; whether the
recogniser said yes; and what is wrong. Each answer is compared with a search in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from support.dijkstra import cheapest_first
from support.fdr_twin import State, core, holds, replay
from support.folded_fdr import BREAKS as FOLDED_BREAKS
from support.folded_fdr import Folded, broken
from support.pushing_roads import Counted, pushing_task
from support.small_fdr import explore, goal_distances, with_mutexes
from support.walking_fdr import BREAKS as WALKING_BREAKS
from support.walking_fdr import Walked, Walking
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import FDRTask
from unpuzzle.planning.planner import OBJECTIVES, SearchOptions
from unpuzzle.planning.running import run
from unpuzzle.planning.walking import weigh

HEURISTICS = ("blind", "lmcut", "pdb", "hmax")


@dataclass
class Case:
    """One task: the axioms that it breaks, whether it was recognised, and what is wrong."""

    broken: set[str] = field(default_factory=set)
    recognised: bool = False
    faults: list[str] = field(default_factory=list)

    def expect(self, right: bool, fault: str) -> None:
        if not right:
            self.faults.append(fault)


def _price(task: FDRTask, plan: list[int] | None) -> int | None:
    """Return the cost of a plan; None without one, and of what is no plan."""
    try:
        return None if plan is None else replay(task, plan)
    except AssertionError:
        return None


# ---- walkers of finite-domain tasks


def walker(seed: int) -> Case:
    """What walks is what can be taken back, and plans of the folded task are as cheap as those of the task."""
    walked = Walked(Walking(seed))
    case, task = Case({axiom for axiom, _ in walked.broken}), core(walked.task)
    found = task.walker()
    if found is None:
        return case
    case.recognised = True
    variable, walks = found[0], set(found[1])
    case.expect(not walked.lost_walks(variable, walks), "a walk is not taken back by one")
    for axiom, op in walked.broken:
        case.expect(op is not None and not (variable == 0 and op in walks), f"recognised, though {axiom}")
    heuristic = HEURISTICS[seed % len(HEURISTICS)]
    cost = _least(walked, lambda state, op, after: walked.task.operators[op].cost)
    for name in dict.fromkeys(("blind", heuristic)):
        result = task.search("astar", name, folded=True)
        case.expect(result.status == (UNSOLVABLE if cost is None else SOLVED_OPTIMALLY), f"{name}: {result.status}")
        case.expect(result.cost == cost, f"{name}: {result.cost} instead of {cost}")
        case.expect(_price(walked.task, result.plan) == cost, f"{name}: another plan")
    _pushes_between(case, walked, task.search("astar", heuristic, objective="pushes"), variable, walks)
    return case


def _pushes_between(case: Case, walked: Walked, result: _core.SearchResult, variable: int, walks: set[int]) -> None:
    """Look whether the least pushes are between what they are with all shadows, and with none."""
    aside = walked.aside() if variable == 0 else set()
    bounds = []
    for may_change in ({variable, *aside}, {variable}):

        def pushes(state: State, op: int, after: State, may: set[int] = may_change) -> int:
            changed = {v for v, value in enumerate(after) if value != state[v]}
            return int(op not in walks or variable not in changed or not changed <= may)

        bounds.append(_least(walked, pushes))
    if bounds[0] is None or result.plan is None:
        case.expect(result.status == UNSOLVABLE and bounds[0] is None, f"pushes: {result.status}")
        return
    if _price(walked.task, result.plan) is None:
        case.faults.append("pushes: no plan")
        return
    state, number = next(iter(walked.space)), 0
    for step in result.plan:
        after = dict(walked.space[state])[step]
        number += pushes(state, step, after, {variable, *aside})
        state = after
    assert bounds[1] is not None
    case.expect(bounds[0] <= number <= bounds[1], f"pushes: {number} instead of {bounds}")


def _least(walked: Walked, price: Callable[[State, int, State], int]) -> int | None:
    def steps(state: State) -> list[tuple[int, State]]:
        return [(price(state, op, after), after) for op, after in walked.space[state]]

    found = cheapest_first([next(iter(walked.space))], steps)
    return next((cost for cost, state in found if holds(walked.task.goal, state)), None)


# ---- folded variables of pattern databases


def folded_variable(seed: int) -> Case:
    """No estimate is more than the distance, none is missing but of dead ends, and A* with them is optimal."""
    task = Folded(seed).task()
    case = Case(broken(task))
    if task.axioms:
        try:
            core(task).pattern_sums()
            case.recognised = True
        except _core.UnsupportedTask:
            return case
    before = explore(task, 1_000)
    if before is None:
        return Case()
    task = with_mutexes(task, list(before), Random(seed))
    exact, states, search = goal_distances(task, before), list(before), core(task)
    for stage in range(2):
        case.recognised |= any(folded is not None for sum_ in search.pattern_sums(stage) for _, folded, _ in sum_)
        for state, h in zip(states, search.estimates("pdb", states, stage), strict=True):
            least = exact.get(state)
            case.expect(least is None or (h is not None and h <= least), f"{h} for {state}, which costs {least}")
    case.expect(not (case.recognised and case.broken), f"recognised, though {case.broken}")
    result, least = search.search("astar", "pdb"), exact.get(states[0])
    case.expect(result.status == (UNSOLVABLE if least is None else SOLVED_OPTIMALLY), result.status)
    case.expect(result.cost == least, f"{result.cost} instead of {least}")
    case.expect(_price(task, result.plan) == least, "another plan")
    return case


# ---- pushes of tasks in PDDL


def pushes(seed: int) -> Case:
    """Both planners say the same: the least by the count over all states, or that it cannot be told."""
    task = pushing_task(seed)
    counted = Counted(task)
    case = Case(set(_unclear(task, counted)) if counted.complete else set())
    if not counted.complete:
        return case
    objective = OBJECTIVES[1 + seed // 3 % 3]
    least = counted.least(objective)
    answers = []
    for name in ("native", "reference"):
        result = run(name, task, options=SearchOptions(objective=objective))
        if result.status == UNSUPPORTED:
            case.expect("walker" in result.message, f"{name}: {result.message}")
        else:
            case.recognised = True
            case.expect(
                result.status == (UNSOLVABLE if least is None else SOLVED_OPTIMALLY), f"{name}: {result.status}"
            )
            weight = None if result.plan is None else weigh(objective, result.cost or 0, result.pushes or 0)
            case.expect(weight == least, f"{name}: {weight} instead of {least} for {objective}")
        answers.append((result.status, result.pushes))
    case.expect(answers[0] == answers[1], f"{answers}")
    return case


def _unclear(task: Task, counted: Counted) -> Iterator[str]:
    actions = {action.name: action for action in task.domain.actions}
    if any(atom.predicate == "free" for atom in task.problem.init) and not counted.complementary:
        yield "complementary"
    if not counted.taken_back:
        yield "taken back"
    if not counted.walks:
        yield "walks"
    if "run" in actions and "free" in str(actions["run"].effect) and counted.complementary:
        yield "second way"


@dataclass(frozen=True)
class Law:
    """A law about the tasks of seeds, with all axioms that they may break."""

    check: Callable[[int], Case]
    axioms: tuple[str, ...]
    refused: bool = True
    """Whether nothing that breaks an axiom is recognised; else it is answered rightly."""


LAWS = {
    "walker": Law(walker, WALKING_BREAKS),
    "folded variable": Law(folded_variable, FOLDED_BREAKS),
    "pushes": Law(pushes, ("complementary", "taken back", "walks", "second way"), refused=False),
}
