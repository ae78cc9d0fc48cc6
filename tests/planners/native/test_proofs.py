"""What proved that there is no plan is said as it was: where nothing was searched, nobody claims to have searched."""

from __future__ import annotations

from random import Random

import pytest

from support.dijkstra import distances
from support.fdr_twin import ACTION, core, numbered
from support.pddl_texts import task
from support.random_tasks import random_task
from unpuzzle import solve
from unpuzzle.base.outcomes import UNSOLVABLE
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planners.native.grounding import CoreGrounding, Effect, FDRTask, Operator
from unpuzzle.planners.native.proofs import proof_of
from unpuzzle.planners.native.schedule import Stage
from unpuzzle.planning.result import Result
from unpuzzle.translators.sokoban import Sokoban

WALK = (
    "(:predicates (at ?x) (way ?x ?y) (left ?x))"
    "(:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y) (not (left ?y)))"
    " :effect (and (not (at ?x)) (at ?y) (left ?x)))"
)
CIRCLE = (
    "(:objects x y z w) (:init (at x) (way x y) (way y z) (way z w) (way w y))"
    "(:goal (and (left x) (not (left y)) (left w)))"
)
"""Who goes from w has been at y, and left it."""
ROW = "(:objects y z w) (:init (at y) (way y z) (way z w)) (:goal (and (left z) (not (left y))))"


def unsolvable(subject: Task, planner: str) -> Result:
    result = solve(subject, planner)
    assert result.status == UNSOLVABLE
    return result


def reachable(subject: Task) -> int:
    semantics = Semantics(subject)
    steps = lambda state: [(1, semantics.apply(state, action)) for action in semantics.applicable(state)]  # noqa: E731
    return len(distances([semantics.initial], steps))


@pytest.mark.parametrize("planner", ["native", "native:blind", "native:pdb", "native:idastar", "native:bidirectional"])
def test_what_grounding_proves_is_not_searched(planner: str) -> None:
    """The walker visits all places but the island, and has been asked to be there."""
    walk = task(
        "(:predicates (at ?x) (way ?x ?y))"
        "(:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y)) :effect (and (not (at ?x)) (at ?y)))",
        "(:objects a b c island) (:init (at a) (way a b) (way b c) (way c a)) (:goal (at island))",
    )
    assert reachable(walk) == 3
    result = unsolvable(walk, planner)
    assert (result.expanded, result.evaluated, result.generated) == (0, 0, 0)
    assert "grounding proved that the goal cannot be reached" in result.message
    assert "searched all" not in result.message


@pytest.mark.parametrize("planner", ["native", "native:blind", "native:bfs"])
def test_a_search_that_ends_says_how_many_states_it_expanded(planner: str) -> None:
    circle = task(WALK, CIRCLE)
    result = unsolvable(circle, planner)
    assert result.expanded == reachable(circle) == 4
    assert "searched all states that can be reached, 4 expanded" in result.message


@pytest.mark.parametrize("heuristic", ["hmax", "lmcut", "ff", "pdb"])
def test_dead_ends_of_a_heuristic_are_told_from_states_that_were_searched(heuristic: str) -> None:
    circle = task(WALK, CIRCLE)
    result = unsolvable(circle, f"native:{heuristic}")
    assert result.expanded is not None
    assert 0 < result.expanded < reachable(circle)
    assert f"but dead ends of the heuristic {heuristic}, {result.expanded} expanded" in result.message


def test_a_heuristic_that_knows_it_of_the_initial_state_is_named() -> None:
    result = unsolvable(task(WALK, ROW), "native:pdb")
    assert (result.expanded, result.evaluated) == (0, 1)
    assert "the heuristic pdb proved it for the initial state; nothing was searched" in result.message


def test_both_ends() -> None:
    assert "searched from both ends" in unsolvable(task(WALK, CIRCLE), "native:bidirectional").message


@pytest.mark.parametrize("planner", ["native:blind+h2", "native:pdb+h2+stubborn", "native:gbfs+h2"])
def test_pairs_of_facts(planner: str) -> None:
    result = unsolvable(task(WALK, CIRCLE), planner)
    assert result.message.startswith(
        "there is no plan: pairs of facts that exclude each other (h^2) rule out every action"
    )


def test_what_earlier_searches_expanded_is_no_part_of_the_proof() -> None:
    stage = Stage("pdb", "astar", "pdb")
    outcome = CoreGrounding(task(WALK, ROW)).task().search("astar", "pdb")
    said = proof_of(stage, outcome, earlier=30_000)
    assert said.endswith("initial state; earlier searches without an answer: 30,000 expanded")


def test_actions_that_pairs_leave_out_are_told() -> None:
    stage = Stage("blind", "astar", "blind")
    outcome = CoreGrounding(task(WALK, CIRCLE)).task().search("astar", "blind")
    assert "by actions that pairs of facts (h^2) do not rule out" in proof_of(stage, outcome, fewer=True)
    assert "symmetric" not in proof_of(stage, outcome)


STUCK = "######\n#. ..#\n# $$ #\n# $@ #\n######\n"
"""Three boxes at a wall and side by side: whoever looks at the board knows it."""
APART = "######\n#. $ #\n# *@##\n#    #\n#  ###\n######\n"


def test_boxes_that_are_stuck_at_the_start_are_not_searched() -> None:
    result = unsolvable(Sokoban.parse(STUCK).task(), "native:boxes")
    assert (result.expanded, "nothing was searched" in result.message) == (0, True)
    assert "the boxes cannot all be pushed from their initial cells to goals" in result.message
    assert "states" not in result.message


def test_boxes_that_were_pushed_say_what_was_left_out() -> None:
    result = unsolvable(Sokoban.parse(APART).task(), "native:boxes")
    assert (
        "boxes searched all positions that pushes lead to, except those from which the boxes cannot" in result.message
    )
    assert "2 expanded (walking is not counted)" in result.message


def test_goal_states_that_exclude_each_other_are_not_searched_from_the_other_end() -> None:
    """Neither value of the second variable goes with the goal."""
    flip = [Operator(ACTION, [(1, 0)], [Effect([], 1, 1)], 1)]
    groups = [[(0, 1), (1, 0)], [(0, 1), (1, 1)]]
    outcome = core(FDRTask(numbered(2, 2), [0, 0], [(0, 1)], flip, mutexes=groups)).search("bidirectional")
    assert (outcome.status, outcome.expanded) == (UNSOLVABLE, 0)
    said = proof_of(Stage("bidirectional", "bidirectional", "blind"), outcome)
    assert said.endswith("nothing was searched")
    assert "heuristic" not in said


def test_depth_first_search_does_not_say_that_states_count_once() -> None:
    said = unsolvable(task(WALK, CIRCLE), "native:idastar(hmax)").message
    assert "may count again" in said
    assert "count once" not in said


def test_two_heuristics_are_named_as_two() -> None:
    assert (
        "but dead ends of the heuristics ff and landmarks, 1 expanded"
        in unsolvable(task(WALK, ROW), "native:gbfs").message
    )


def test_walks_that_cost_nothing_are_told() -> None:
    """Who walks for nothing, and pays for each flag, of which there is one too few."""
    flags = task(
        "(:predicates (at ?x) (way ?x ?y) (flag ?x) (up ?x) (used ?f) (cloth ?f)) (:functions (total-cost))"
        "(:action walk :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y)) :effect (and (not (at ?x)) (at ?y)))"
        "(:action raise :parameters (?x ?f) :precondition (and (at ?x) (flag ?x) (cloth ?f) (not (used ?f)))"
        " :effect (and (up ?x) (used ?f) (increase (total-cost) 1)))",
        "(:objects a b c f g) (:init (at a) (way a b) (way b a) (way b c) (way c b) (flag a) (flag b) (flag c)"
        " (cloth f) (cloth g)) (:goal (and (up a) (up b) (up c))) (:metric minimize (total-cost))",
    )
    assert ", or in where a walk leads, count once" in unsolvable(flags, "native").message
    assert "walk leads" not in unsolvable(flags, "native:blind").message


EVERY = ("bidirectional", "gbfs", "lazywastar", "orbits(lmcut)", "hmax", "lmcut", "bfs", "blind+stubborn")


@pytest.mark.parametrize("planner", ["native", *[f"native:{name}" for name in EVERY]])
def test_nobody_searched_where_nothing_was_expanded(planner: str) -> None:
    plain = {"axioms": False, "conditional_effects": False}
    unsolvable = 0
    for seed in range(60):
        result = solve(random_task(Random(seed), **plain), planner)
        if result.status != UNSOLVABLE:
            continue
        unsolvable += 1
        none = "nothing was searched" in result.message or "rule out every action" in result.message
        assert none == (result.expanded == 0), result
    assert unsolvable
