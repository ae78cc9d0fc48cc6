"""Strong stubborn sets: they leave the cheapest plans, leave out what is known to be needless, say where they may."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from random import Random as Rng

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core, distances, goal_distance, renumbered
from support.loose_fdr import Loose
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY
from unpuzzle.pddl import read
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable
from unpuzzle.planners.native.planner import parse, prunings
from unpuzzle.planners.native.proofs import proof_of
from unpuzzle.planners.native.schedule import Stage
from unpuzzle.planning import registry, running

seeds = st.integers(0, 2**40)
many = settings(max_examples=at_most(800), deadline=None)
OPTIMAL = ("blind", "hmax", "lmcut")


# --- costs --------------------------------------------------------------------------------------------------------


@many
@given(seeds, st.sampled_from((2, 3)))
def test_weights_keep_their_bound(seed: int, weight: int) -> None:
    task = Loose(seed).task()
    best = goal_distance(task, distances(task, lambda operator: operator.cost))
    cost = core(task).search("astar", "lmcut", weight=weight, pruning="stubborn").cost
    assert cost is best is None or best <= cost <= weight * best


@settings(max_examples=at_most(150))
@given(st.integers(0, 2**32))
def test_random_tasks_with_all_of_adl(seed: int) -> None:
    task = random_task(Rng(seed))
    expected = running.run("native:blind", task)
    for name in ("blind", "lmcut", "bfs", "ff"):
        found = running.run(f"native:{name}+stubborn", task)
        assert found.valid is (True if found.solved else None), found.message
        assert found.solved == expected.solved
        if name in OPTIMAL:
            assert (found.status, found.cost) == (expected.status, expected.cost)


@pytest.mark.parametrize(
    "name", ["gripper/prob01", "logistics00/probLOGISTICS-4-0", "miconic-fulladl/f3-2", "psr-middle/p01-s17-n2-l2-f30"]
)
def test_ipc_tasks(name: str, data: Path) -> None:
    task = read(data / "ipc" / name / "domain.pddl", data / "ipc" / name / "problem.pddl")
    cost = json.loads((data / "ipc" / "optimal-costs.json").read_text())[name]
    full, pruned = (running.run(f"native:lmcut{method}", task) for method in ("", "+stubborn"))
    assert (pruned.status, pruned.cost, pruned.valid) == (SOLVED_OPTIMALLY, cost, True)
    assert pruned.expanded <= full.expanded


# --- what is left out ---------------------------------------------------------------------------------------------


def switches(count: int) -> FDRTask:
    """So many switches, each with an operator that turns it on; all are to be on."""
    operators = [Operator(ACTION, [(v, 0)], [Effect((), v, 1)], 1) for v in range(count)]
    return FDRTask([Variable((None, None))] * count, [0] * count, [(v, 1) for v in range(count)], operators)


@pytest.mark.parametrize(
    ("search", "once"), [(("bfs", "blind"), True), (("astar", "hmax"), True), (("idastar", "hmax"), False)]
)
def test_switches_are_turned_in_one_order(search: tuple[str, str], once: bool) -> None:
    count = 10
    full, pruned = (core(switches(count)).search(*search, pruning=method) for method in ("", "stubborn"))
    steps = count if once else count * (count + 1) // 2  # IDA*: as deep as 1, 2, 3, ...
    assert pruned.cost == full.cost == count
    assert (pruned.expanded, pruned.generated) == (steps, steps)
    assert full.expanded >= 2**count - count


def test_all_orders_of_doors_and_of_what_opens_them() -> None:
    """Of `count` pairs the first opens the second: one way through, where there are 3 ** count states."""
    count = 6
    operators = [Operator(ACTION, [(v, 0)], [Effect((), v, 1)], 1) for v in range(count)]
    operators += [Operator(ACTION, [(v, 1)], [Effect((), count + v, 1)], 1) for v in range(count)]
    goal = [(count + v, 1) for v in range(count)]
    task = core(FDRTask([Variable((None, None))] * (2 * count), [0] * (2 * count), goal, operators))
    assert task.search("bfs").expanded > 3**count - 2**count
    assert task.search("bfs", pruning="stubborn").expanded == 2 * count


A, B, C, D, E = range(5)  # variables: A and B are wanted, C is between them, D and E are derived
BIT = Variable((None, None))


def act(fact: tuple[int, int], *effects: Effect | tuple[int, int], needs: Sequence[tuple[int, int]] = ()) -> Operator:
    """The operator that changes a variable of two values, with more effects and preconditions."""
    more = [effect if isinstance(effect, Effect) else Effect((), *effect) for effect in effects]
    return Operator(ACTION, [(fact[0], 1 - fact[1]), *needs], [Effect((), *fact), *more], 1)


WALK = [act((C, 1)), act((C, 0))]
ORDERED = {
    "an operator that makes another one inapplicable": ([act((A, 1), needs=[(C, 0)]), act((B, 1), (C, 1))], []),
    "two that set a variable differently": ([act((A, 1), (C, 1)), act((B, 1), (C, 0))], []),
    "an effect that hangs on what another one sets": ([act((A, 1), Effect([(B, 1)], C, 1)), act((B, 1))], []),
    "the same where it must not fire": ([act((A, 1), Effect([(B, 1)], C, 0), (C, 1)), act((B, 1))], []),
    "an axiom that makes another one inapplicable": ([act((A, 1), needs=[(D, 1)]), act((B, 1))], [Rule(D, [(B, 0)])]),
    "an axiom on which an effect hangs": ([act((A, 1), Effect([(D, 1)], C, 1)), act((B, 1))], [Rule(D, [(B, 1)])]),
    "two axioms on which an effect hangs": (
        [act((A, 1), Effect([(D, 1)], C, 1)), act((B, 1))],
        [Rule(D, [(E, 1)]), Rule(E, [(B, 1)])],
    ),
    "one that has to be made inapplicable for a while": (
        [*WALK, act((A, 1), needs=[(C, 0)]), act((B, 1), needs=[(C, 1), (A, 0)])],
        [],
    ),
    "the same by an axiom": (
        [*WALK, act((A, 1), needs=[(D, 1)]), act((B, 1), needs=[(D, 0), (A, 0)])],
        [Rule(D, [(C, 0)])],
    ),
    "the same by two axioms": (
        [*WALK, act((A, 1), needs=[(D, 1)]), act((B, 1), needs=[(D, 0), (A, 0)])],
        [Rule(D, [(E, 1)]), Rule(E, [(C, 0)])],
    ),
}
"""By what is between them, operators (and axioms) of which some have to come before others."""


@pytest.mark.parametrize("name", ORDERED)
@pytest.mark.parametrize("third", [0, 1])
def test_orders_that_matter_are_kept(name: str, third: int) -> None:
    """Under all numberings of the variables, so that whatever is looked at first is so once."""
    operators, axioms = ORDERED[name]
    variables = [BIT, BIT, BIT, Variable((None, None), 1), Variable((None, None), 0)]
    for new in permutations(range(5)):
        for order in (operators, operators[::-1]):
            goal = [(A, 1), (B, 1), (C, third)]
            task = renumbered(FDRTask(variables, [0] * 5, goal, order, axioms), new)
            best = goal_distance(task, distances(task, lambda operator: operator.cost))
            outcome = core(task).search("astar", pruning="stubborn")
            assert outcome.cost == best, (new, [operator.effects for operator in order])


@pytest.mark.parametrize(("length", "given_up"), [(990, False), (1010, True)])
def test_it_is_given_up_where_it_prunes_nothing(length: int, given_up: bool) -> None:
    """A chain in which each operator wants what the last one set: nothing to choose from, as 1,000 states show.

    What is left out after that, where four switches can be turned on in any order, shows whether it was given up.
    """
    operators = [Operator(ACTION, [(0, at)], [Effect((), 0, at + 1)], 1) for at in range(length)]
    apart = [Operator(ACTION, [(0, length), (v, 0)], [Effect((), v, 1)], 1) for v in range(1, 5)]
    goal = [(0, length), *((v, 1) for v in range(1, 5))]
    variables = [Variable((None,) * (length + 1)), *[BIT] * 4]
    task = core(FDRTask(variables, [0] * 5, goal, operators + apart))
    full, pruned = (task.search("bfs", pruning=method) for method in ("", "stubborn"))
    assert pruned.cost == full.cost == length + 4
    assert (pruned.expanded == full.expanded) == given_up


def test_equal_calls_give_equal_answers() -> None:
    task = core(Loose(7).task())
    first, second = (task.search("astar", "lmcut", pruning="stubborn") for _ in range(2))
    assert (first.plan, first.expanded, first.generated) == (second.plan, second.expanded, second.generated)


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", prunings())
def test_all_that_may_be_pruned_are(name: str) -> None:
    algorithm, heuristic, _, pruning = parse(name)
    if pruning.endswith("stubborn"):
        assert core(switches(5)).search(algorithm, heuristic, pruning="stubborn").expanded == 5
    assert registry.find(f"native:{name}").name == f"native:{name}"


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ("gbfs+stubborn", "unknown configuration 'native:gbfs+stubborn'"),
        ("lazywastar=3+stubborn", "unknown configuration 'native:lazywastar=3+stubborn'"),
        ("orbits(lmcut)+stubborn", "unknown configuration 'native:orbits(lmcut)+stubborn'"),
        ("bidirectional+stubborn", "unknown configuration 'native:bidirectional+stubborn'"),
        (
            "wastar=2(pdb)+stuborn",
            "unknown configuration 'native:wastar=2(pdb)+stuborn', did you mean 'wastar+stubborn'",
        ),
        ("lmcut+", "unknown configuration 'native:lmcut+', did you mean 'lmcut+h2'?"),
        ("gbfs+h2+stubborn", "unknown configuration 'native:gbfs+h2+stubborn'"),
        ("lmcut+stubborn+h2", "did you mean 'lmcut+stubborn'?"),
        ("auto+stubborn", "unknown configuration 'native:auto'"),
        ("lmcut+stubborn(ff)", "native:lmcut"),
    ],
)
def test_names_that_cannot_be(config: str, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        registry.find(f"native:{config}")
    assert sentence in str(caught.value)


@pytest.mark.parametrize("algorithm", ["gbfs", "lazywastar", "bidirectional"])
def test_the_core_refuses_what_is_not_safe(algorithm: str) -> None:
    with pytest.raises(ValueError, match=f"{algorithm} do not go with pruning"):
        core(switches(2)).search(algorithm, pruning="stubborn")
    with pytest.raises(ValueError, match="symmetries do not go with pruning"):
        core(switches(2)).search("astar", pruning="stubborn", symmetries_after=0)
    with pytest.raises(ValueError, match="unknown pruning 'stuborn'"):
        core(switches(2)).search("astar", pruning="stuborn")


def test_a_proof_says_that_it_was_pruned() -> None:
    task = switches(3)
    out_of_reach = FDRTask([*task.variables, BIT], [0] * 4, [*task.goal, (3, 1)], task.operators)
    outcome = core(out_of_reach).search("astar", pruning="stubborn")
    assert outcome.status == "unsolvable"
    stage = Stage("blind+stubborn", "astar", "blind", pruned_by="stubborn")
    assert "blind+stubborn searched all states that can be reached by actions that pruning left" in proof_of(
        stage, outcome
    )
