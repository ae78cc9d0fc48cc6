"""Blind A* where a state has few bits: what the compact table must not change, and what it saves."""

from __future__ import annotations

import random
from operator import attrgetter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core, distances, goal_distance, numbered, padded, replay
from support.thorough import at_most
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable

MOST_BITS = 40


counts = attrgetter("status", "cost", "expanded", "generated", "evaluated", "reopened", "states")
"""What must not depend on how states are kept."""


def same_both_ways(task: FDRTask, **limits):
    """The outcome, and that of the same search where states have too many bits to be kept compactly."""
    too_many = MOST_BITS + 1 - core(task).bits_per_state
    compact = core(task).search("astar", "blind", **limits)
    usual = core(padded(task, too_many)).search("astar", "blind", **limits)
    assert counts(compact) == counts(usual)
    if compact.plan is not None:
        assert replay(task, compact.plan) == compact.cost
    return compact, usual


def chosen(rng: random.Random, sizes: list[int], costs: list[int]) -> Operator:
    """An operator that can be undone: it asks for all that it sets."""
    wanted = rng.sample(range(len(sizes)), rng.randint(1, min(2, len(sizes))))
    before = {v: rng.randrange(sizes[v]) for v in sorted(wanted)}
    effects = [Effect([], v, rng.randrange(sizes[v])) for v in before if rng.random() < 0.8]
    return Operator(ACTION, list(before.items()), effects, rng.choice(costs))


@settings(max_examples=at_most(150), deadline=None)
@given(
    st.integers(0, 2**40),
    st.sampled_from(([0, 1], [0, 0, 0, 1], [1, 2], [3, 5, 255], [1, 65535], [0, 65535])),
)
def test_the_same_states_in_the_same_order(seed, costs):
    rng = random.Random(seed)
    sizes = [rng.randint(2, 5) for _ in range(rng.randint(3, 9))]
    steps = [chosen(rng, sizes, costs) for _ in range(rng.randint(10, 120))]
    steps += [Operator(ACTION, [(0, 0)], [Effect([], 0, 1)], cost) for cost in costs]  # or they might be the same
    goal = [(v, rng.randrange(size)) for v, size in enumerate(sizes) if rng.random() < 0.8]
    task = FDRTask(numbered(*sizes), [0] * len(sizes), goal, steps)
    left = MOST_BITS - core(task).bits_per_state
    task = padded(task, rng.choice((0, rng.randint(0, left), left)))
    compact, _ = same_both_ways(task)
    if compact.expanded < 300:
        assert compact.cost == goal_distance(task, distances(task, lambda operator: operator.cost))


def bits_set(bits: int, costs: tuple[int, ...]) -> FDRTask:
    """Any bit may be set, one after the other; there is no plan."""
    steps = [Operator(ACTION, [(i, 0)], [Effect([], i, 1)], costs[i % len(costs)]) for i in range(bits)]
    return FDRTask(numbered(*[2] * (bits + 1)), [0] * (bits + 1), [(bits, 1)], steps)


@pytest.mark.parametrize(("all_bits", "bits"), [(20, 19), (36, 19), (38, 21)])
def test_a_state_costs_two_narrow_slots_and_where_it_waits(all_bits, bits):
    compact, usual = same_both_ways(padded(bits_set(bits, (1, 2)), all_bits - bits - 1))
    assert (compact.status, compact.states) == ("unsolvable", 2**bits)
    slots, waiting = 2 * 4, 7
    assert compact.bytes <= 2**bits * (slots + waiting)
    assert compact.bytes < 0.8 * usual.bytes


def test_wide_slots_cost_hardly_more_than_rows_and_a_table():
    compact, usual = same_both_ways(padded(bits_set(18, (1, 2)), MOST_BITS - 19))
    assert (compact.status, compact.states) == ("unsolvable", 2**18)
    assert compact.bytes < 1.2 * usual.bytes


@pytest.mark.parametrize("all_bits", [13, 20, 24, 28, 32, 36, 40])
@pytest.mark.parametrize("dearest", [2, 300, 65535])
def test_costs_that_outgrow_their_slots(all_bits, dearest):
    """A long walk: the more bits a state has, the fewer are left for its cost in a narrow slot."""
    rng, places = random.Random(all_bits), 4096
    steps = [Operator(ACTION, [(0, i)], [Effect([], 0, i + 1)], dearest) for i in range(places - 1)]
    steps += [Operator(ACTION, [(0, i), (1, 0)], [Effect([], 1, 1)], 1) for i in rng.sample(range(places), 40)]
    task = FDRTask(numbered(places, 2), [0, 0], [(0, places - 1), (1, 1)], steps)
    compact, _ = same_both_ways(padded(task, all_bits - 13))
    assert compact.cost == (places - 1) * dearest + 1


def test_steps_dearer_than_two_bytes_are_searched_as_ever():
    steps = [Operator(ACTION, [(0, i)], [Effect([], 0, i + 1)], 65536 + i) for i in range(9)]
    task = FDRTask(numbered(10), [0], [(0, 9)], steps)
    compact, _ = same_both_ways(task)
    assert compact.cost == 9 * 65536 + 36


def test_the_way_back_does_not_run_in_circles():
    """All steps along a ring are free, in both directions; only the one that leaves it costs something."""
    ring = 500
    steps = []
    for i in range(ring):
        after = (i + 1) % ring
        steps.append(Operator(ACTION, [(0, i)], [Effect([], 0, after)], 0))
        steps.append(Operator(ACTION, [(0, after)], [Effect([], 0, i)], 0))
    steps.append(Operator(ACTION, [(0, 7), (1, 0)], [Effect([], 1, 1)], 1))
    task = FDRTask(numbered(ring, 2), [3, 0], [(0, 250), (1, 1)], steps)
    compact, _ = same_both_ways(task)
    assert compact.cost == 1
    assert len(compact.plan) < 2 * ring


def test_the_way_back_heeds_derived_variables():
    """By its cost, state 4 might be the one before state 2, but there the light would have to be on."""
    light, dark = (2, 1), (2, 0)
    steps = [
        Operator(ACTION, [(0, 0), dark], [Effect([], 0, 4)], 1),
        Operator(ACTION, [(0, 4), light], [Effect([], 0, 2)], 2),
        Operator(ACTION, [(0, 0), dark], [Effect([], 0, 1)], 1),
        Operator(ACTION, [(0, 1), dark], [Effect([], 0, 2)], 2),
        Operator(ACTION, [(0, 2), dark], [Effect([], 0, 3)], 0),
    ]
    variables = [*numbered(5, 2), Variable(numbered(2)[0].values, 0)]
    task = FDRTask(variables, [0, 0, 0], [(0, 3)], steps, [Rule(2, [(1, 1)])])
    compact, _ = same_both_ways(task)
    assert (compact.plan, compact.cost) == ([2, 3, 4], 3)


@pytest.mark.parametrize("limit", [20_000, 200_000, 2_000_000, 5_000_000])
def test_memory_that_does_not_suffice(limit):
    task = core(padded(bits_set(19, (1, 2)), 20))
    outcome = task.search("astar", memory_limit=limit)
    assert outcome.status == "memout"
    assert outcome.bytes <= limit
    assert 0 <= outcome.states < 2**19


def test_a_limit_on_expansions_ends_it_where_it_ends_any_search():
    task = bits_set(15, (0, 1))
    for most in (0, 1, 31, 32, 33, 1000):
        compact, _ = same_both_ways(task, max_expanded=most)
        assert (compact.status, compact.expanded) == ("gave_up", most)
