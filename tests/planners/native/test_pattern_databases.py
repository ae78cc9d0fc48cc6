"""Pattern databases: never more than the true distance, and sums that count nothing twice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core
from support.small_fdr import Random, explore, goal_distances, tiles
from support.thorough import at_most
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.pddl import parse_task
from unpuzzle.planners.native import Native, _core
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable
from unpuzzle.translators.sliding_tiles import SlidingTiles

# --- the twin -------------------------------------------------------------------------------------------------------

seeds = st.integers(0, 2**40)


@settings(max_examples=at_most(300), deadline=None)
@given(seeds)
def test_no_operator_counts_twice_in_a_sum(seed):
    check_sums(Random(seed).task())


@pytest.mark.parametrize("level", ["3x2", "8-hard", "15-easy", "15-hard"])
def test_no_operator_counts_twice_in_a_sum_of_tiles(level):
    task = tiles(SlidingTiles.levels[level])
    check_sums(task)
    for sum_ in core(task).pattern_sums(1):
        seen = [variable for variables, _, _ in sum_ for variable in variables]
        assert len(seen) == len(set(seen))
        for variables, folded, cost_mask in sum_:
            assert folded is not None
            assert folded not in variables
            for number in cost_mask:  # what costs something in a pattern changes none of the others
                changed = {effect.variable for effect in task.operators[number].effects} - {folded}
                assert changed <= set(variables)


def check_sums(task: FDRTask) -> None:
    for stage in range(2):
        for sum_ in core(task).pattern_sums(stage):
            paying = [number for _, _, numbers in sum_ for number in numbers]
            assert len(paying) == len(set(paying))
            for variables, folded, numbers in sum_:
                assert list(variables) == sorted(set(variables))
                for number in numbers:
                    changed = {effect.variable for effect in task.operators[number].effects}
                    assert changed & {*variables, folded}


# --- made by hand ---------------------------------------------------------------------------------------------------


def test_a_common_variable_that_pays_for_its_moves_is_kept():
    """A walker on a line of ten, two lamps at its ends: steps cost, lighting too; all in one table is exact."""
    steps = [
        Operator(ACTION, [(0, a)], [Effect([], 0, b)], 1) for a in range(10) for b in (a - 1, a + 1) if 0 <= b < 10
    ]
    light = [Operator(ACTION, [(0, at)], [Effect([], lamp, 1)], 1) for lamp, at in ((1, 0), (2, 9))]
    task = FDRTask([Variable((None,) * n) for n in (10, 2, 2)], [4, 0, 0], [(1, 1), (2, 1)], [*steps, *light])
    before = explore(task, 100)
    exact = goal_distances(task, before)
    assert core(task).estimates("pdb", list(before)) == [exact[state] for state in before]


def test_mutexes_keep_two_tiles_apart():
    """Without groups, databases of tiles say no more than the distances of single tiles."""
    task = tiles("0 2 1\n3 4 5\n6 8 7\n")
    loose = FDRTask(task.variables, task.initial, task.goal, task.operators)
    assert task.mutexes
    with_groups, without = (core(t).estimates("pdb", [t.initial], 1)[0] for t in (task, loose))
    assert without <= 4
    assert with_groups >= without + 6


def test_conditional_effects_within_a_pattern_are_exact():
    """Three places that two operators permute, written as `when v=a: v:=b`."""
    turns = [
        Operator(ACTION, [], [Effect([(v, a)], v, to[a]) for v in range(3) for a in range(4)], 1)
        for to in ([1, 0, 2, 3], [1, 2, 3, 0])
    ]
    task = FDRTask([Variable((None,) * 4)] * 3, [3, 0, 1], [(0, 0), (1, 1), (2, 2)], turns)
    before = explore(task, 100)
    exact = goal_distances(task, before)
    assert core(task).estimates("pdb", list(before), 1) == [exact[state] for state in before]


def test_corner_cases():
    variables = [Variable((None, None)), Variable((None,) * 3)]
    step = Operator(ACTION, [(0, 0)], [Effect([], 0, 1)], 3)
    assert core(FDRTask([], [], [], [])).search("astar", "pdb").plan == []
    assert core(FDRTask(variables, [0, 0], [], [step])).search("astar", "pdb").plan == []
    assert core(FDRTask(variables, [0, 0], [(0, 1)], [step])).search("astar", "pdb").cost == 3
    assert core(FDRTask(variables, [0, 0], [(0, 0), (0, 1)], [step])).search("astar", "pdb").status == "unsolvable"
    stuck = core(FDRTask(variables, [0, 0], [(1, 2)], [step])).search("astar", "pdb")
    assert (stuck.status, stuck.expanded) == ("unsolvable", 0)
    wide = Variable(range(2**31 - 1))
    far = Operator(ACTION, [], [Effect([], 0, 2**30)], 1)
    assert core(FDRTask([wide], [0], [(0, 2**30)], [far])).search("astar", "pdb").plan == [0]


def test_axioms_are_unsupported():
    variables = [Variable((None, None)), Variable((None, None), layer=0)]
    task = FDRTask(variables, [0, 0], [(1, 1)], [Operator(ACTION, [], [Effect([], 0, 1)], 1)], [Rule(1, [(0, 1)])])
    with pytest.raises(_core.UnsupportedTask, match="axioms"):
        core(task).search("astar", "pdb")
    with pytest.raises(_core.UnsupportedTask, match="axioms"):
        core(task).pattern_sums()


def test_the_planner_says_what_is_unsupported():
    domain = """(define (domain d) (:requirements :derived-predicates) (:predicates (p) (q))
        (:derived (q) (p)) (:action a :parameters () :precondition (and) :effect (p)))"""
    task = parse_task(domain, "(define (problem x) (:domain d) (:init) (:goal (q)))")
    with pytest.raises(UnsupportedFeature, match="native:pdb") as caught:
        Native("pdb").solve(task)
    assert caught.value.feature == "axioms"
