"""Reasons are right: judged by all states that can be reached, and by what becomes of a task without them."""

import runpy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.explanations import faults, without_reason
from support.modules import ROOT
from support.thorough import at_most
from unpuzzle import solve
from unpuzzle.explanation.reasons import GOAL_SET, MUTEX, NO_ACHIEVER, SEARCH, Reason, explain
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "benchmarks" / "unsolvable_tasks.py"))
TASKS = SCRIPT["TASKS"]
LARGE = {name for name in TASKS if any(word in name for word in "large 9x9 walled hands exclusive-tiles 2x4".split())}
LARGE |= {"exclusive tiles", "exclusive boxes", "dead_end boxes-wall", "few coins-8", "few trucks-fuel-three"}
KINDS = {
    "no_achiever": {NO_ACHIEVER},
    "exclusive": {MUTEX},
    "dead_end": {NO_ACHIEVER, MUTEX, GOAL_SET},
    "few": {GOAL_SET, SEARCH},
    "cut": {NO_ACHIEVER},
}


def test_there_are_six_of_each_kind() -> None:
    names = [SCRIPT["kind_of"](name) for name in TASKS]
    assert {kind: names.count(kind) for kind in names} == dict.fromkeys(SCRIPT["KINDS"], 6)


@pytest.mark.parametrize("name", sorted(set(TASKS) - LARGE))
def test_the_reason_is_right(name: str) -> None:
    task = TASKS[name]()
    explanation = explain(task)
    assert (explanation.solvable, faults(task, explanation)) == (False, [])
    assert explanation.kind in KINDS[SCRIPT["kind_of"](name)]
    easier = dict(without_reason(task, explanation))
    assert all(solve(each).solved for each in easier.values())
    assert easier or explanation.kind == SEARCH
    reference = solve(task, "reference")
    assert reference.status == "unsolvable"
    if explanation.states is not None:
        assert explanation.states == reference.expanded


@pytest.mark.parametrize("name", ["no_achiever rooms-60", "exclusive tiles", "cut trucks-large", "cut ice-9x9"])
def test_the_reason_of_a_large_task_is_right(name: str) -> None:
    """Nobody searches these whole."""
    task = TASKS[name]()
    explanation = explain(task)
    assert explanation.kind in KINDS[SCRIPT["kind_of"](name)]
    assert faults(task, explanation, 0) == []
    assert all(solve(each, "native:gbfs").solved for _, each in without_reason(task, explanation))


@settings(max_examples=at_most(200), deadline=None)
@given(st.integers(0, 2**32))
def test_of_random_tasks_nothing_false_is_claimed(seed: int) -> None:
    task = SCRIPT["any_task"](seed)
    explanation = explain(task)
    assert faults(task, explanation, 3_000) == []
    status = solve(task, "reference", max_expanded=3_000).status
    assert explanation.solvable in (
        {"solved_optimally": [True], "unsolvable": [False]}.get(status, [True, False, None])
    )


@pytest.mark.parametrize("name", ["no_achiever rooms-4", "exclusive trucks", "few keys", "few trucks-fuel-one"])
def test_false_explanations_are_found_out(name: str) -> None:
    """Or else the tests above could not fail."""
    task = TASKS[name]()
    explanation = explain(task)
    reached = {NO_ACHIEVER: ("(seen r1)",), MUTEX: ("(at k0 p1)", "(at t0 p1)"), GOAL_SET: ("(seen r0)", "(seen r1)")}
    lies = [explanation.replace(solvable=True), explanation.replace(kind="fate")]
    if explanation.kind in reached:
        lies.append(explanation.replace(reasons=(Reason("", reached[explanation.kind]),)))
    else:
        lies.append(explanation.replace(states=55))
    if explanation.kind == GOAL_SET:
        some = explanation.reasons[0].facts
        lies.append(explanation.replace(reasons=(Reason("", (*some, "(in hall)")),)))
    if explanation.excuses and explanation.excuses[0].add:
        lies.append(explanation.replace(excuses=(explanation.excuses[0].replace(add=()),)))
    for lie in lies:
        assert faults(task, lie), lie


def test_a_chain_names_the_key_that_lies_nowhere() -> None:
    assert str(explain(TASKS["no_achiever rooms-60"]())).splitlines() == [
        "nothing can ever make (seen r42) true, which the goal needs",
        "only walk makes (seen r42) true, and it needs (passage r41 r42) or (in r43) (no alternative can become true)",
        "only unlock and force make (passage r41 r42) true; force never can, and unlock needs (carried k20)",
        "only take makes (carried k20) true, and it needs (lies k20 ?r) for some ?r",
        "(lies k20 ?r) is false at the start for every ?r, and no action makes any fact of lies true",
        "it would be solvable if (lies k20 r0) were true at the start",
    ]


def test_a_circle_says_what_can_be_reached() -> None:
    lines = str(explain(TASKS["cut trucks"]())).splitlines()
    assert lines[-2] == (
        "so each of (at t0 p5), (at t0 p4) and (at t0 p3) needs one of them first,"
        " and none of them is true at the start; (at t0 …) can only be true for p0, p1 and p2"
    )


def test_pairs_are_told_with_what_keeps_them_apart() -> None:
    said = explain(TASKS["exclusive blocks-below-each-other"]()).reasons[0].text
    assert said == (
        "the goal asks for both (on b0 b1) and (on b1 b0), but they are never true together, nor at the start"
        " (proved by h^2): every action that makes (on b0 b1) true needs (holding b0), which excludes (on b1 b0), and"
        " every action that makes (on b1 b0) true needs (holding b1), which excludes (on b0 b1)"
    )
