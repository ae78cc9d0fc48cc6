"""Symmetries of ground tasks, and searches that keep one state of each orbit, against the slow twin."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core, distances, numbered, replay
from support.random_fdr import Random
from support.symmetric_fdr import Symmetric
from support.thorough import at_most, some_of
from unpuzzle.base.run import Limits
from unpuzzle.pddl import read
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator, Rule, Variable
from unpuzzle.planning import running

seeds = st.integers(0, 2**40)
many = settings(max_examples=at_most(400), deadline=None)
MANY_ELEMENTS = 100


def image(symmetry, state):
    """What a symmetry makes of a state's stored variables; the derived ones stay as they are."""
    after = list(state)
    for variable, (becomes, values) in symmetry.items():
        after[becomes] = values[state[variable]]
    return after


def orbit_of(symmetries, state) -> set[tuple[int, ...]]:
    orbit = [tuple(state)]
    known = set(orbit)
    for member in orbit:
        for symmetry in symmetries:
            other = tuple(image(symmetry, member))
            if other not in known:
                known.add(other)
                orbit.append(other)
    return known


def closed(task: FDRTask, symmetries) -> set[tuple[tuple[int, int], ...]]:
    """The group: each element as what becomes of each mentioned fact of the stored variables."""
    identity = tuple([(v, a) for v, a in mentioned(task) if task.variables[v].layer < 0])
    group = [identity]
    known = {identity}
    for element in group:
        for symmetry in symmetries:
            product = tuple([(symmetry[v][0], symmetry[v][1][a]) if v in symmetry else (v, a) for v, a in element])
            if product not in known:
                known.add(product)
                group.append(product)
        if len(group) > MANY_ELEMENTS:
            break
    return known


def mentioned(task: FDRTask) -> list[tuple[int, int]]:
    facts = {*task.goal}
    for operator in task.operators:
        facts |= {*operator.precondition, *[(effect.variable, effect.value) for effect in operator.effects]}
        facts |= {fact for effect in operator.effects for fact in effect.conditions}
    for rule in task.axioms:
        facts |= {*rule.body}
    return sorted(facts)


# --- the symmetries -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", some_of([range(first, first + 50) for first in range(0, 400, 50)]), ids=str)
def test_symmetries_that_were_put_in_are_found(seeds):
    for seed in seeds:
        planted = Symmetric(seed)
        task = planted.task()
        group = closed(task, core(task).symmetries())
        facts = [(v, a) for v, a in mentioned(task) if task.variables[v].layer < 0]
        if len(group) <= MANY_ELEMENTS:
            assert {tuple([(element[v][0], element[v][1][a]) for v, a in facts]) for element in planted.group} <= group


def moves_facts(task: FDRTask, planted: Symmetric) -> bool:
    facts = mentioned(task)
    return any((element[v][0], element[v][1][a]) != (v, a) for element in planted.group for v, a in facts)


@pytest.mark.parametrize("seeds", some_of([range(first, first + 100) for first in range(0, 800, 100)]), ids=str)
def test_what_a_glance_calls_asymmetric_has_no_symmetries(seeds):
    told = 0
    for seed in seeds:
        planted = Symmetric(seed)
        task = planted.task()
        assert not (moves_facts(task, planted) and core(task).asymmetric_at_a_glance())
        told += core(Random(seed).task()).asymmetric_at_a_glance()
    assert told > len(seeds) / 20


def test_a_glance_sees_how_often_and_by_what_facts_are_set():
    """A ring of four values, walked through one way to a goal: nothing can be exchanged. Without a goal, all can."""
    ring = [Operator(ACTION, [(0, a)], [Effect([], 0, (a + 1) % 4)], 1) for a in range(4)]
    assert core(FDRTask(numbered(4), [0], [(0, 2)], ring)).asymmetric_at_a_glance()
    assert not core(FDRTask(numbered(4), [0], [], ring)).asymmetric_at_a_glance()
    both_ways = [*ring, *[Operator(ACTION, [(0, (a + 1) % 4)], [Effect([], 0, a)], 1) for a in range(4)]]
    assert not core(FDRTask(numbered(4), [0], [(0, 2)], both_ways)).asymmetric_at_a_glance()
    both_ways[0] = both_ways[0].replace(cost=2)
    assert core(FDRTask(numbered(4), [0], [(0, 2)], both_ways)).asymmetric_at_a_glance()


def test_all_symmetries_of_many_things_and_two_hands_are_found():
    """Things are carried by either hand, so 119 transpositions of things and one of hands generate all symmetries."""
    things, free = 120, (120, 121)
    variables = numbered(*[4] * things, 2, 2)  # here, in a hand, there; a hand is free or not
    moves = [
        Operator(ACTION, [(thing, start), (free[hand], begin)],
                 [Effect([], thing, end), Effect([], free[hand], 1 - begin)], 1)
        for thing in range(things) for hand in (0, 1) for start, begin, end in ((0, 1, 1 + hand), (1 + hand, 0, 3))
    ]  # fmt: skip
    found = core(FDRTask(variables, [0] * things + [1, 1], [(t, 3) for t in range(things)], moves)).symmetries()
    joined = {frozenset(symmetry) & frozenset(range(things)) for symmetry in found}
    assert len([pair for pair in joined if len(pair) == 2]) == things - 1


def test_the_order_of_effects_counts():
    """Both operators set both variables, but the condition overwrites in one of them and not in the other."""
    last = [Effect([], 0, 1), Effect([(2, 1)], 0, 2)]
    first = [Effect([(3, 1)], 1, 2), Effect([], 1, 1)]
    toggles = [Operator(ACTION, [(v, a)], [Effect([], v, 1 - a)], 1) for v in (2, 3) for a in (0, 1)]
    task = FDRTask(
        numbered(3, 3, 2, 2), [0, 0, 0, 0], [], [*toggles, *[Operator(ACTION, [], e, 1) for e in (last, first)]]
    )
    assert not any(0 in symmetry for symmetry in core(task).symmetries())


def test_costs_and_goals_are_not_exchanged():
    def task(costs, goal):
        moves = [Operator(ACTION, [(v, 0)], [Effect([], v, 1)], cost) for v, cost in enumerate(costs)]
        return core(FDRTask(numbered(2, 2), [0, 0], goal, moves))

    assert task((1, 1), [(0, 1), (1, 1)]).symmetries() == [{0: (1, [0, 1]), 1: (0, [0, 1])}]
    assert task((1, 2), [(0, 1), (1, 1)]).symmetries() == []
    assert task((1, 1), [(0, 1)]).symmetries() == []


# --- the searches -------------------------------------------------------------------------------------------------


@many
@given(seeds)
def test_a_whole_space_is_one_state_for_each_orbit(seed):
    """Beside the initial state, which is kept as it is. A large group may leave more."""
    task = Symmetric(seed).task()
    task = without_a_goal(task)
    symmetries = core(task).symmetries()
    if len(closed(task, symmetries)) > MANY_ELEMENTS:
        return
    left, orbits = {stored_only(task, state) for state in distances(task, lambda operator: 1)}, 0
    while left:
        left -= orbit_of(symmetries, min(left))
        orbits += 1
    outcome = core(task).search("astar", symmetries_after=0)
    assert outcome.status == "unsolvable"
    assert outcome.states in (orbits, orbits + 1)


def stored_only(task: FDRTask, state) -> tuple[int, ...]:
    return tuple([0 if v.layer >= 0 else value for v, value in zip(task.variables, state, strict=True)])


def without_a_goal(task: FDRTask) -> FDRTask:
    """The goal is one more variable, which no operator changes."""
    never = len(task.variables)
    variables = [*task.variables, Variable((None, None))]
    return FDRTask(variables, [*task.initial, 0], [*task.goal, (never, 1)], task.operators, task.axioms)


def lamps(number: int, *, start: int = 0) -> FDRTask:
    """Lamps of three states that are switched on one by one and off again; all must be on. Any two may be exchanged."""
    steps = [(a, b) for a, b in ((0, 1), (1, 0), (1, 2), (2, 1))]
    switch = [Operator(ACTION, [(v, a)], [Effect([], v, b)], 1) for v in range(number) for a, b in steps]
    return FDRTask(numbered(*[3] * number), [start] * number, [(v, 2) for v in range(number)], switch)


@pytest.mark.parametrize(("number", "states"), [(4, 15), (6, 28)])
def test_a_listed_group(number, states):
    """24 and 720 elements: as many states as there are multisets."""
    outcome = core(lamps(number)).search("bfs", symmetries_after=0)
    assert (outcome.status, outcome.cost, outcome.states) == ("solved_optimally", 2 * number, states)


@pytest.mark.parametrize("algorithm", ["astar", "bfs"])
def test_a_group_too_large_to_be_listed(algorithm):
    """12! elements; exchanging neighbours sorts the lamps, so here, too, there is one state an orbit."""
    task = lamps(12)
    outcome = core(task).search(algorithm, symmetries_after=0)
    assert (outcome.status, outcome.cost, outcome.states) == ("solved_optimally", 24, 91)
    assert replay(task, outcome.plan) == 24


def test_both_ends_do_without_a_group_too_large_to_be_listed():
    plain, orbits = [core(lamps(8)).search("bidirectional", symmetries_after=after) for after in (None, 0)]
    assert (plain.cost, plain.states) == (orbits.cost, orbits.states)


def test_equal_calls_give_equal_plans_whatever_was_found_before():
    task = core(lamps(6))
    first = task.search("astar", symmetries_after=100)
    again = task.search("astar", symmetries_after=100)
    assert (first.plan, first.expanded, first.states) == (again.plan, again.expanded, again.states)


def test_little_memory_means_no_symmetries():
    """The graph of the task would take more than the search does."""
    limit = 200_000
    outcome = core(lamps(6)).search("astar", symmetries_after=0, memory_limit=limit)
    assert (outcome.status, outcome.states) == ("solved_optimally", 3**6)


def test_a_start_that_must_be_symmetric():
    """All lamps off: any exchange keeps that. Lamps that are all in different states leave nothing to gain."""
    plain, symmetric = [
        core(lamps(4)).search("bfs", symmetries_after=0, symmetric_start=wanted) for wanted in (False, True)
    ]
    assert plain.states == symmetric.states == 15
    task = lamps(2).replace(initial=[0, 1])
    plain, symmetric = [
        core(task).search("bfs", symmetries_after=0, symmetric_start=wanted) for wanted in (False, True)
    ]
    assert (plain.cost, plain.states) == (3, 6)
    assert (symmetric.cost, symmetric.states) == (3, 9)


# --- symmetries that hold from some point on ------------------------------------------------------------------------


def with_starts(task: FDRTask, rng: random.Random) -> FDRTask:
    """Each variable begins at a value of its own, which it leaves once, in its own way and at its own cost."""
    begins = [len(variable.values) if variable.layer < 0 else None for variable in task.variables]
    variables = [
        variable if begin is None else numbered(begin + 1)[0]
        for variable, begin in zip(task.variables, begins, strict=True)
    ]
    stored = [number for number, begin in enumerate(begins) if begin is not None]
    leave = []
    for number in stored:
        for _ in range(rng.randint(1, 2)):
            other = rng.randrange(len(begins))
            values = 2 if begins[other] is None else begins[other] + 1
            wants = [(other, rng.randrange(values))] if other != number and rng.random() < 0.6 else []
            effect = Effect([], number, rng.randrange(begins[number]))
            leave.append(Operator(ACTION, sorted([(number, begins[number]), *wants]), [effect], rng.randrange(3)))
    initial = [
        old if begin is None or rng.random() < 0.2 else begin for old, begin in zip(task.initial, begins, strict=True)
    ]
    return FDRTask(variables, initial, task.goal, [*task.operators, *leave], task.axioms)


def assert_equally_dear(task: FDRTask, algorithm: str, heuristic: str) -> None:
    """Compare a search with symmetries from the first state on with blind search without any."""
    expected = core(task).search("astar", "blind")
    outcome = core(task).search(algorithm, heuristic, symmetries_after=0)
    assert (outcome.cost is None) == (expected.cost is None)
    if outcome.plan is not None:
        assert replay(task, outcome.plan) == outcome.cost
        assert algorithm != "astar" or outcome.cost == expected.cost


@many
@given(seeds, st.sampled_from([("astar", "blind"), ("bfs", "blind"), ("astar", "lmcut"), ("gbfs", "ff")]))
def test_late_symmetries_change_no_cost(seed, how):
    assert_equally_dear(with_starts(Symmetric(seed).task(), random.Random(seed)), *how)


def errands(rng: random.Random) -> FDRTask:
    """Somebody walks between places, takes things where they are, for good, and uses them at places, at some cost.

    In every second task all ways are there, and things differ only in where they are and where they are used.
    """
    alike = rng.random() < 0.5
    places, things = rng.randint(2, 5), rng.randint(2, 5 if alike else 4)
    ways = [(a, b) for a in range(places) for b in range(places) if a != b]
    walk = [
        Operator(ACTION, [(0, a)], [Effect([], 0, b)], 1) for a, b in ways if alike or a + 1 == b or rng.random() < 0.8
    ]
    take, use = [], []
    for thing in range(1, things + 1):
        for place in rng.sample(range(places), 1 if alike else rng.choice((1, 1, 2))):
            cost = 1 if alike else rng.choice((1, 1, 2))
            take.append(Operator(ACTION, [(0, place), (thing, 0)], [Effect([], thing, 1)], cost))
        for place in rng.sample(range(places), 1 if alike else rng.choice((1, 1, places))):
            wants = [(rng.randint(1, things), 2)] if not alike and rng.random() < 0.2 else []
            facts = dict([(0, place), *wants, (thing, 1)])
            use.append(Operator(ACTION, sorted(facts.items()), [Effect([], thing, 2)], 1))
    again = [] if alike else [Operator(ACTION, [(t, 2)], [Effect([], t, 1)], 1) for t in (1, 2) if rng.random() < 0.5]
    goal = [(thing, 2) for thing in range(1, things + 1) if alike or rng.random() < 0.8]
    goal += [(0, rng.randrange(places))] if rng.random() < 0.3 else []
    return FDRTask(numbered(places, *[3] * things), [0] * (things + 1), sorted(goal), [*walk, *take, *use, *again])


@many
@given(seeds, st.sampled_from([("astar", "blind"), ("bfs", "blind"), ("astar", "lmcut"), ("astar", "pdb")]))
def test_errands_cost_the_same_with_late_symmetries(seed, how):
    assert_equally_dear(errands(random.Random(seed)), *how)


def tools(number: int) -> FDRTask:
    """Somebody walks one way past tools, each at its own place, takes any, and uses up half of them at the end."""
    places = number + 1
    walker, at = numbered(places), numbered(*[2] * number)
    used, done = numbered(*[2] * number), numbered(number // 2 + 1)
    walk = [Operator(ACTION, [(0, p)], [Effect([], 0, p + 1)], 1) for p in range(number)]
    take = [Operator(ACTION, [(0, t), (1 + t, 0)], [Effect([], 1 + t, 1)], 1) for t in range(number)]
    use = [
        Operator(ACTION, [(0, number), (1 + t, 1), (1 + number + t, 0), (1 + 2 * number, n)],
                 [Effect([], 1 + number + t, 1), Effect([], 1 + 2 * number, n + 1)], 1)
        for t in range(number) for n in range(number // 2)
    ]  # fmt: skip
    goal = [(1 + 2 * number, number // 2)]
    return FDRTask([*walker, *at, *used, *done], [0] * (2 * number + 2), goal, [*walk, *take, *use])


def test_things_from_different_places_are_alike_in_the_hand():
    """At the end of the way, only how many of the taken ones are used up counts, not which."""
    task = tools(8)
    plain, late = [core(task).search("astar", "blind", symmetries_after=after) for after in (None, 0)]
    assert plain.cost == late.cost == replay(task, late.plan) == 16
    at_the_end = sum(min(4, number.bit_count()) + 1 for number in range(2**8))
    on_the_way = sum(2**passed for passed in range(1, 9))
    assert late.states <= on_the_way + at_the_end < plain.states * 0.6


@pytest.mark.parametrize("near", [0, 1])
def test_things_are_not_alike_before_they_left_their_places(near: int) -> None:
    """Each of two things is marked, taken and used; one of them lies at the other end of the way."""
    at, marked, place, done = (0, 1), (2, 3), 4, 5
    mark = [Operator(ACTION, [(marked[t], 0)], [Effect([], marked[t], 1)], 1) for t in (0, 1)]
    take = [
        Operator(ACTION, [(at[t], 0), (marked[t], 1), (place, int(t != near))], [Effect([], at[t], 1)], 1)
        for t in (0, 1)
    ]
    use = [Operator(ACTION, [(at[t], 1), (marked[t], 1)], [Effect([], done, 1)], 1) for t in (0, 1)]
    walk = Operator(ACTION, [(place, 0)], [Effect([], place, 1)], 1)
    task = FDRTask(numbered(*[2] * 6), [0] * 6, [(done, 1)], [*mark, *take, *use, walk])
    for algorithm in ("astar", "bfs"):
        outcome = core(task).search(algorithm, symmetries_after=0)
        assert outcome.cost == replay(task, outcome.plan) == 3


def test_what_hangs_on_derived_facts_is_not_alike_either() -> None:
    """Two things in the hand differ in their marks: taking the third needs the mark of the first, by an axiom."""
    things, marks, place, still = (0, 1, 2), (3, 4), 5, 6
    both, marked = 7, (8, 9)  # derived
    wants = [[(place, 0), (still, 0)], [(place, 1), (still, 0)], [(both, 1), (marked[0], 1)]]
    take = [Operator(ACTION, [(t, 0), *wants[t]], [Effect([], t, 1)], 1) for t in things]
    mark = [Operator(ACTION, [(m, 0)], [Effect([], m, 1)], 1) for m in marks]
    wipe = [Operator(ACTION, [(t, 1), (marks[t], 1)], [Effect([], marks[t], 0)], 1) for t in (0, 1)]
    walk = [Operator(ACTION, [(place, 1 - p)], [Effect([], place, p)], 1) for p in (0, 1)]
    rules = [Rule(both, [(0, 1), (1, 1)]), *[Rule(marked[t], [(marks[t], 1)]) for t in (0, 1)]]
    variables = [*numbered(*[2] * 7), *[Variable((None, None), 0)] * 3]
    task = FDRTask(variables, [0] * 10, [(t, 1) for t in things], [*take, *mark, *wipe, *walk], rules)
    for algorithm in ("astar", "bfs"):
        outcome = core(task).search(algorithm, symmetries_after=0)
        assert outcome.cost == replay(task, outcome.plan) == 5


def test_of_lamps_that_are_alike_one_is_switched() -> None:
    """Of the lamps in each state there are two moves at most that differ: 91 states, and at most 4 moves in each."""
    assert core(lamps(12)).search("astar", symmetries_after=0).generated <= 4 * 91 < 12 * 91


# --- in the default -----------------------------------------------------------------------------------------------


def test_symmetries_that_a_stage_found_are_used_by_the_next_at_once(data: Path):
    """In peg solitaire, the first two stages expand more states than come before symmetries."""
    task = read(data / "ipc/pegsol-opt11-strips/p02/domain.pddl", data / "ipc/pegsol-opt11-strips/p02/problem.pddl")
    found = running.run("native", task, limits=Limits(time=600))
    assert (found.status, found.cost) == ("solved_optimally", 10)
    assert found.expanded < 257_580 / 4
