"""What no plan contains is left out, and nothing else: pruned tasks against all states of small ones.

A state *leads on* if it can be reached and the goal can be reached from it. Plans are the paths through such states, so
pruning must keep every transition between them; it may keep more.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core, distances, goal_distance, replay
from support.loose_fdr import Loose
from support.random_fdr import Random as Any
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.base.run import Limits
from unpuzzle.pddl import read
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import CoreGrounding, Effect, FDRTask, Operator, Rule, Variable
from unpuzzle.planners.native.planner import prunings
from unpuzzle.planning import running

ENOUGH = 1 << 40

State = tuple[int, ...]


@st.composite
def tasks(draw: st.DrawFn) -> FDRTask:
    """Few variables, so that many states are dead ends; without conditional effects.

    Operators may set one variable several times; then the last effect counts.
    """
    domains = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))

    def facts(most: int) -> list[tuple[int, int]]:
        chosen = draw(st.lists(st.integers(0, len(domains) - 1), max_size=most, unique=True))
        return [(variable, draw(st.integers(0, domains[variable] - 1))) for variable in chosen]

    operators = [
        Operator(ACTION, facts(3), [Effect((), *fact) for fact in facts(3) + facts(2)], draw(st.integers(0, 3)))
        for _ in range(draw(st.integers(0, 12)))
    ]
    initial = [draw(st.integers(0, domain - 1)) for domain in domains]
    return FDRTask([Variable((None,) * domain) for domain in domains], initial, facts(3), operators)


def pruned(task: _core.Task, work: int = ENOUGH) -> _core.Task:
    return task.pruned(work)[0] or task


def leading_on(task: FDRTask) -> dict[State, list[tuple[int, State]]]:
    """The states that lead on, each with the operators that keep to such states and where they lead."""
    whole, start = core(task), tuple(task.initial)
    edges: dict[State, list[tuple[int, State]]] = {}
    pending = [start]
    while pending:
        state = pending.pop()
        if state not in edges:
            edges[state] = [(op, tuple(after)) for op, after in whole.successors(state)]
            pending += [after for _, after in edges[state]]
    good = {state for state in edges if all(state[variable] == value for variable, value in task.goal)}
    grown = True
    while grown:
        more = {state for state in edges if any(after in good for _, after in edges[state])} | good
        grown, good = more != good, more
    return {state: [(op, after) for op, after in edges[state] if after in good] for state in edges if state in good}


@settings(max_examples=at_most(400))
@given(tasks(), st.sampled_from([100, ENOUGH]))
def test_all_plans_stay(task: FDRTask, work: int) -> None:
    good = leading_on(task)
    smaller = pruned(core(task), work)
    assert smaller.operators >= len({op for edges in good.values() for op, _ in edges})
    start = tuple(task.initial)
    if start not in good:
        return
    # Side by side: a state of the task, and the state of the smaller one that the same operators lead to.
    pairs, pending = {start: tuple(smaller.initial)}, [start]
    while pending:
        state = pending.pop()
        after_by = {op: tuple(after) for op, after in smaller.successors(pairs[state])}
        for op, after in good[state]:
            assert op in after_by
            if after not in pairs:
                pairs[after] = after_by[op]
                pending.append(after)
            assert pairs[after] == after_by[op]


@settings(max_examples=at_most(100))
@given(tasks())
def test_twice_finds_no_more(task: FDRTask) -> None:
    once, complete = core(task).pruned(ENOUGH)
    assert complete
    if once is not None:
        assert once.pruned(ENOUGH) == (None, True)


def test_dead_ends_and_what_is_never_reached() -> None:
    # One variable goes round 0, 1, 2; from 3 nothing leads back; a key, once broken (2), is never whole again.
    operators = [
        Operator(ACTION, [(0, 0)], [Effect((), 0, 1)], 1),
        Operator(ACTION, [(0, 1), (1, 1)], [Effect((), 0, 2)], 1),
        Operator(ACTION, [(0, 0)], [Effect((), 0, 3)], 1),  # a dead end
        Operator(ACTION, [(1, 0)], [Effect((), 1, 1)], 1),
        Operator(ACTION, [(1, 1)], [Effect((), 1, 2)], 1),  # a dead end: the goal wants it whole
        Operator(ACTION, [(0, 2), (1, 0)], [Effect((), 0, 0)], 1),  # never: the key was needed before
    ]
    task = FDRTask([Variable((None,) * 4), Variable((None,) * 3)], [0, 0], [(0, 2), (1, 1)], operators)
    smaller = pruned(core(task))
    assert smaller.operators == 3
    assert smaller.bits_per_state < core(task).bits_per_state
    assert smaller.search("astar").plan in ([0, 3, 1], [3, 0, 1])


def test_what_has_no_plan_needs_no_search() -> None:
    # Two switches that exclude each other, and a goal that wants both.
    operators = [
        Operator(ACTION, [(1, 0)], [Effect((), 0, 1)], 1),
        Operator(ACTION, [(0, 0)], [Effect((), 1, 1)], 1),
    ]
    task = FDRTask([Variable((None, None))] * 2, [0, 0], [(0, 1), (1, 1)], operators)
    found = pruned(core(task)).search("astar")
    assert (found.status, found.expanded) == ("unsolvable", 0)


def test_what_is_not_supported_stays() -> None:
    rule = FDRTask([Variable((None, None)), Variable((None, None), 0)], [0, 0], [(1, 1)], [], [Rule(1, [(0, 1)])])
    when = FDRTask([Variable((None, None))] * 2, [0, 0], [(0, 1)], [Operator(ACTION, [], [Effect([(1, 0)], 0, 1)], 1)])
    assert core(rule).pruned(ENOUGH) == (None, True)
    assert core(when).pruned(ENOUGH) == (None, True)


def test_variables_that_claim_billions_of_values_keep_those_that_come_up() -> None:
    huge = Variable(range(2**31 - 1))
    task = FDRTask([huge] * 3, [0, 0, 0], [(0, 1)], [Operator(ACTION, [], [Effect((), 0, 1)], 1)])
    smaller = pruned(core(task))
    assert (smaller.bits_per_state, core(task).bits_per_state) == (1, 93)
    assert smaller.search("astar").plan == [0]


@settings(max_examples=at_most(60))
@given(st.integers(0, 2**32))
def test_the_default_agrees_with_the_reference(seed: int) -> None:
    """All parts of the default, with no first look that would make short work of a small task."""
    task = random_task(Random(seed))
    expected = running.run("reference", task, limits=Limits(time=600))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unpuzzle.planners.native.schedule.SCALE", 1e-5)
        found = running.run("native", task, limits=Limits(time=600))
    assert (found.status, found.cost) == (expected.status, expected.cost)
    assert found.valid is (True if found.solved else None)


def test_an_effect_that_a_later_one_overwrites_may_set_a_value_that_is_gone() -> None:
    step = Operator(ACTION, [], [Effect((), 0, 1), Effect((), 0, 2)], 1)
    found = pruned(core(FDRTask([Variable((None,) * 3)], [0], [(0, 2)], [step]))).search("astar")
    assert (found.plan, found.cost) == ([0], 1)


@settings(max_examples=at_most(2_000), deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([20, 100, 400, ENOUGH]))
def test_pruned_tasks_are_legal_and_cost_the_same(seed: int, work: int) -> None:
    """Tasks of any kind, compared with all their states; what is not supported stays as it is."""
    task = (Loose if seed % 2 else Any)(seed // 2).task()
    whole = core(task)
    smaller, complete = whole.pruned(work)
    if whole.features.axioms or whole.features.conditional_effects:
        assert (smaller, complete) == (None, True)
    if smaller is None:
        return
    least = goal_distance(task, distances(task, lambda operator: operator.cost))
    for after in (None, 0):
        found = smaller.search("astar", symmetries_after=after)
        assert (found.status, found.cost) == (("unsolvable", None) if least is None else ("solved_optimally", least))
        assert least is None or replay(task, found.plan or []) == least


def test_limits_leave_the_task_as_it_is(data: Path) -> None:
    folder = data / "ipc/snake-opt18-strips/p01"
    task = CoreGrounding(read(str(folder / "domain.pddl"), str(folder / "problem.pddl"))).task()
    assert task.pruned(ENOUGH, time_limit=0) == (None, False)
    assert task.pruned(ENOUGH, memory_limit=10_000) == (None, False)
    assert task.pruned(1000) == (None, False)
    with pytest.raises(ValueError, match="not a number"):
        task.pruned(ENOUGH, time_limit=float("nan"))


BY_PAIRS = tuple([name for name in prunings() if "h2" in name])


@settings(max_examples=at_most(200))
@given(st.integers(0, 2**32), st.sampled_from(BY_PAIRS))
def test_every_search_may_leave_out_what_pairs_rule_out(seed: int, name: str) -> None:
    task = random_task(Random(seed), costs=None if name.startswith("bfs") else (0, 3))
    expected = running.run("reference", task)
    found = running.run(f"native:{name}", task)
    if found.status == "unsupported":
        return
    assert found.valid or (found.status, expected.status) == ("unsolvable", "unsolvable")
    assert found.status != "solved_optimally" or found.cost == expected.cost
