"""The grounding in C++ refuses in words what it cannot ground, and arrays that no task has."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ground
from support.pddl_texts import task
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.base.errors import ParseError, UnsupportedFeature


def test_refusals() -> None:
    costs = "(:predicates (p)) (:functions (total-cost)) (:action a :parameters () :effect (and (p) {}))"
    problem = "(:init) (:goal (p)) (:metric minimize (total-cost))"
    huge = " ".join(["(increase (total-cost) 2147483647)"] * 2)
    with pytest.raises(UnsupportedFeature, match="2\\^31"):
        ground(task(costs.format(huge), problem))
    with pytest.raises((UnsupportedFeature, ParseError), match="cost"):
        ground(task(costs.format("(when (p) (increase (total-cost) 2))"), problem))
    negated = "(:predicates (p) (q)) (:derived (q) (not (q))) (:action a :parameters () :precondition (q) :effect (p))"
    with pytest.raises(ParseError, match="own negation"):
        ground(task(negated, "(:init) (:goal (p))"))


def test_numbers_that_no_cost_uses_may_be_large() -> None:
    found = ground(
        task(
            "(:predicates (p)) (:functions (total-cost) (price) (weight))"
            "(:action a :parameters () :effect (and (p) (increase (total-cost) (price))))",
            "(:init (= (total-cost) 0) (= (price) 2) (= (weight) 3000000000)) (:goal (p))"
            " (:metric minimize (total-cost))",
        )
    )
    assert [operator.cost for operator in found.operators] == [2]


@settings(max_examples=at_most(300))
@given(st.integers(0, 2**32), st.data())
def test_hostile_arrays_are_refused_or_ground(seed: int, draw: st.DataObject) -> None:
    from unpuzzle.planners.native import _core
    from unpuzzle.planners.native.grounding.flatten import Flat as Arrays

    random, common = random_task(Random(seed % 50)), draw.draw(st.booleans())
    whole = Arrays(random, starts=[frozenset(random.problem.init), frozenset()] if common else ())
    arrays = whole.buffers()
    later = dict(zip(("domains", "goal"), whole.goal(random.problem.goal), strict=True))
    numbers = st.one_of(st.integers(-3, 12), st.sampled_from([2**31 - 1, -(2**31), 10**6]))
    for _ in range(draw.draw(st.integers(1, 3))):
        changed = later if common and draw.draw(st.booleans()) else arrays
        array = changed[draw.draw(st.sampled_from(sorted(changed)))]
        if len(array):
            place = draw.draw(st.integers(0, len(array) - 1))
            if draw.draw(st.booleans()):
                array[place] = draw.draw(numbers)
            else:
                del array[place : place + draw.draw(st.integers(1, 3))]
    with suppress(ValueError):
        limits = {"time_limit": 1, "memory_limit": 50_000_000}
        found = _core.ground(len(whole.objects), **arrays, common=common, faithful=draw.draw(st.booleans()), **limits)
        assert found.status != ""
        if common and found.status == "ground":
            for _ in range(2):
                assert found.goal(**later, **limits)[0] in {"told", "unknown", "timeout", "memout"}


@pytest.mark.parametrize("objects", [-1, 2**40])
def test_a_number_of_objects_that_cannot_be(objects: int) -> None:
    from array import array

    from unpuzzle.planners.native import _core

    empty = dict.fromkeys(
        ("domains", "predicates", "functions", "initial", "starts", "actions", "axioms", "goals", "values"), array("i")
    )
    with pytest.raises(ValueError, match="objects"):
        _core.ground(objects=objects, **empty)
