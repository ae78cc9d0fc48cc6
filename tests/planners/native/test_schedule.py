"""The schedule of searches in the core: its parts, its turns, and what they share."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.pddl_texts import task as lifted
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle import solve, translators
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import CoreGrounding

PARTS = ("blind", "lmcut", "lmcut+stubborn", "bidirectional", "pdb")
FOR_PLANS = ("gbfs", "gbfs, leaping", "bfws", "lazywastar=5", "lazywastar=3", "lazywastar")
SCALES = (1e-6, 1e-4, 1.0)
"""With little, small tasks see all parts."""


def level(puzzle: str, name: str) -> Task:
    kind = translators.find(puzzle)
    return kind.parse(kind.levels[name]).task()


def in_turns(schedule: _core.Schedule, bound: int | None = None) -> _core.SearchResult:
    """Run a schedule with pauses."""
    effort, result = 1, schedule.run(max_effort=1, bound=bound)
    while result.status == "gave_up":
        effort *= 2
        result = schedule.run(max_effort=effort, bound=bound)
    return result


@settings(max_examples=at_most(200))
@given(st.integers(0, 2**32), st.sets(st.sampled_from(PARTS), min_size=1), st.sampled_from(SCALES), st.booleans())
def test_any_parts_agree_with_blind_search(seed: int, parts: set[str], scale: float, plans: bool) -> None:
    task = CoreGrounding(random_task(Random(seed), costs=None if seed % 2 else range(4))).task()
    expected = task.search("astar", "blind")
    try:
        schedule = _core.Schedule(task, parts=[*parts, *FOR_PLANS * plans], scale=scale, plans=plans)
        result = in_turns(schedule)
    except _core.UnsupportedTask:
        assert parts <= {"bidirectional", "pdb"}
        return
    assert (result.status, result.cost) == (expected.status, expected.cost)
    assert expected.cost is None or schedule.known <= expected.cost


@settings(max_examples=at_most(200))
@given(st.integers(0, 2**32), st.sampled_from(SCALES), st.booleans())
def test_plans_get_cheaper_until_the_last_is_proved(seed: int, scale: float, paused: bool) -> None:
    task = CoreGrounding(random_task(Random(seed), costs=None if seed % 2 else range(4))).task()
    expected = task.search("astar", "blind")
    schedule = _core.Schedule(task, scale=scale, anytime=True)
    costs, effort = [], 1
    while (result := schedule.run(max_effort=effort if paused else None)).status in ("gave_up", "solved"):
        effort *= 1 if result.status == "solved" else 2
        costs += [result.cost] if result.status == "solved" else []
    assert (result.status, result.cost) == (expected.status, expected.cost)
    assert costs == sorted({*costs}, reverse=True)
    assert expected.cost is None or all(cost >= expected.cost for cost in costs)
    for plan in (result.plan,) if result.plan is not None else ():
        assert task.improve(plan, max_expanded=0)[1] == result.cost


@settings(max_examples=at_most(100))
@given(st.integers(0, 2**32), st.sampled_from(SCALES), st.integers(0, 2))
def test_a_known_plan_is_proved_the_best_or_a_cheaper_one_is_found(seed: int, scale: float, more: int) -> None:
    task = CoreGrounding(random_task(Random(seed))).task()
    expected = task.search("astar", "blind")
    if expected.cost is None:
        return
    result = in_turns(_core.Schedule(task, scale=scale), expected.cost + more)
    assert result.status == "solved_optimally"
    assert result.plan is None or result.cost == expected.cost
    assert result.plan is not None or more == 0


def test_pauses_change_no_answer_and_no_turn_is_lost() -> None:
    task = CoreGrounding(level("sliding-tiles", "15-medium")).task()
    whole, paused = (_core.Schedule(task) for _ in range(2))
    first, second = whole.run(), in_turns(paused)
    assert (first.status, first.cost, first.plan) == (second.status, second.cost, second.plan)
    assert first.expanded == second.expanded


@pytest.mark.parametrize("plans", [False, True])
def test_a_limit_of_states_holds_for_all_parts_together(plans: bool) -> None:
    task = CoreGrounding(level("sliding-tiles", "15-hard")).task()
    schedule = _core.Schedule(task, parts=("lmcut", "gbfs"), scale=1e-4, plans=True) if plans else _core.Schedule(task)
    for most in (0, 1, 100, 12_000, *range(44_000, 50_000, 500), 50_000):
        result = schedule.run(max_expanded=most)
        assert (result.status, result.expanded) == ("gave_up", max(most, 0))
    assert sum(part.expanded for part in schedule.parts) == 50_000
    assert any(part.name == "windows" for part in schedule.parts) == plans


def test_unknown_walks_and_parts_are_refused() -> None:
    press = "(:predicates (on ?x)) (:action press :parameters (?x) :effect (on ?x))"
    task = CoreGrounding(lifted(press, "(:objects a b) (:init) (:goal (and (on a) (on b)))")).task()
    with pytest.raises(_core.UnsupportedTask):
        _core.Schedule(task, parts=["nothing"])
    with pytest.raises(_core.UnsupportedTask):
        _core.Schedule(task, "pushes").run()


def test_a_result_says_what_each_part_did() -> None:
    result = solve(level("hanoi", "5"), "native")
    assert result.expanded is not None
    assert sum(part["expanded"] for part in result.details["parts"]) == result.expanded
    assert [part["state"] for part in result.details["parts"]][-1] == "ended"


@settings(max_examples=at_most(300))
@given(st.integers(0, 2**32), st.sampled_from(((), ("gbfs",), ("gbfs, leaping",))), st.sampled_from(SCALES))
def test_some_plan_is_found_where_there_is_one(seed: int, parts: tuple[str, ...], scale: float) -> None:
    task = CoreGrounding(random_task(Random(seed), costs=None if seed % 2 else range(4))).task()
    expected = task.search("astar", "blind")
    schedule = _core.Schedule(task, soon=True, parts=parts, scale=scale)
    result = in_turns(schedule)
    assert (result.cost is None) == (expected.cost is None)
    if result.cost is None:
        assert result.status == expected.status == "unsolvable"
    else:
        assert result.cost >= expected.cost
        assert result.status == "solved" or result.cost == expected.cost == 0 or result.status == "solved_optimally"
    assert schedule.known == 0  # greedy searches prove no bound


def test_pauses_change_no_plan_that_is_found_soon() -> None:
    for name in ("15-medium", "15-hard"):
        task = CoreGrounding(level("sliding-tiles", name)).task()
        first, second = _core.Schedule(task, soon=True).run(), in_turns(_core.Schedule(task, soon=True))
        assert first.status == "solved"
        assert (first.cost, first.plan, first.expanded) == (second.cost, second.plan, second.expanded)


def test_each_search_for_some_plan_has_its_share() -> None:
    task = CoreGrounding(level("sliding-tiles", "8-unsolvable")).task()
    schedule = _core.Schedule(task, soon=True, parts=("gbfs(hadd,landmarks)", "gbfs, fewest moves first"))
    assert schedule.run(max_effort=100_000).status == "gave_up"
    first, second = (part.effort for part in schedule.parts)
    assert first < 2 * second < 4 * first


TOUR = """(:predicates (at ?s) (seen ?s) (leap ?s ?t))
(:action move :parameters (?s ?t) :precondition (and (at ?s) (leap ?s ?t) (not (seen ?t)))
 :effect (and (not (at ?s)) (at ?t) (seen ?t)))"""


def tour(rows: int, columns: int) -> Task:
    """A knight that is to see each square, and none twice."""
    squares = [(row, column) for row in range(rows) for column in range(columns)]
    leaps = [f"(leap s{a}-{b} s{c}-{d})" for a, b in squares for c, d in squares if {abs(a - c), abs(b - d)} == {1, 2}]
    names = [f"s{row}-{column}" for row, column in squares]
    goal = " ".join(f"(seen {name})" for name in names)
    init = f"(at s0-0) (seen s0-0) {' '.join(leaps)}"
    return lifted(TOUR, f"(:objects {' '.join(names)}) (:init {init}) (:goal (and {goal}))")


def test_a_plan_that_costs_as_much_as_the_bound_is_a_cheapest_one() -> None:
    """The length of a tour is known at once, and proofs alone look at nearly all that are begun."""
    task = CoreGrounding(tour(6, 6)).task()
    proofs = _core.Schedule(task).run(max_expanded=1_000_000)
    assert proofs.status == "gave_up"
    schedule = _core.Schedule(task, plans=True, scale=0.02)
    result = schedule.run(max_expanded=1_000_000)
    assert (result.status, result.cost, schedule.known) == ("solved_optimally", 35, 35)
    assert result.plan is not None
    assert task.improve(result.plan, max_expanded=0)[1] == 35
    assert schedule.ended_by is not None
    assert schedule.ended_by.name in PARTS  # what proved the bound


def test_a_knights_tour_is_found_at_once_by_the_fewest_moves_first() -> None:
    """The rule of Warnsdorff leads to a tour with hardly a step back."""
    schedule = _core.Schedule(CoreGrounding(tour(8, 8)).task(), soon=True, parts=("gbfs, fewest moves first",))
    assert schedule.run(max_expanded=200).status == "solved"


ROOMS = """(:predicates (in ?b ?r) (at ?r) (free ?h) (has ?h ?b) (room ?r) (ball ?b))
(:action move :parameters (?r ?s) :precondition (and (at ?r) (room ?s)) :effect (and (not (at ?r)) (at ?s)))
(:action pick :parameters (?b ?r ?h) :precondition (and (in ?b ?r) (at ?r) (free ?h))
 :effect (and (not (in ?b ?r)) (not (free ?h)) (has ?h ?b)))
(:action drop :parameters (?b ?r ?h) :precondition (and (has ?h ?b) (at ?r))
 :effect (and (in ?b ?r) (free ?h) (not (has ?h ?b))))"""


def balls(count: int) -> Task:
    """Return the task to carry balls, two at a time, to another room."""
    names = [f"b{i}" for i in range(count)]
    init = " ".join(f"(ball {name}) (in {name} r)" for name in names)
    return lifted(
        ROOMS,
        f"(:objects r s g h {' '.join(names)}) (:init (room r) (room s) (at r) (free g) (free h) {init})"
        f" (:goal (and {' '.join(f'(in {name} s)' for name in names)}))",
    )


def test_a_leap_follows_the_relaxed_plan_as_far_as_it_goes() -> None:
    """Two hands take two balls and bring them to the other room, and the way to them is made by the next leap."""
    schedule = _core.Schedule(CoreGrounding(balls(60)).task(), soon=True, parts=("gbfs, leaping",))
    result = schedule.run(max_expanded=200)
    assert result.status == "solved"
    assert result.plan is not None
    assert CoreGrounding(balls(60)).task().improve(result.plan, max_expanded=0)[1] == result.cost == 239


def test_of_states_that_are_symmetric_greedy_search_keeps_one() -> None:
    task = CoreGrounding(balls(40)).task()
    with_symmetries, without = (_core.Schedule(task, soon=True, parts=("gbfs",), scale=scale) for scale in (1e-3, 1))
    assert with_symmetries.run().status == without.run().status == "solved"
    assert 5 * with_symmetries.parts[0].expanded < without.parts[0].expanded


def test_a_task_is_searched_the_second_time_as_the_first() -> None:
    """Symmetries are found once for all searches of a task, and count in each as if they were found there."""
    task = CoreGrounding(balls(40)).task()
    first, second = (_core.Schedule(task, soon=True, scale=1e-3) for _ in range(2))
    assert first.run().plan == second.run().plan
    assert [part.effort for part in first.parts] == [part.effort for part in second.parts]


def test_the_first_plan_is_searched_as_if_each_step_cost_the_same() -> None:
    """A greedy search goes the way of few steps, and one that weighs costs the cheap way."""
    steps = "".join(
        f"(:action s{i} :parameters () :precondition (p{i}) :effect (and (p{i + 1}) (increase (total-cost) 1)))"
        for i in range(9)
    )
    dear = "".join(
        f"(:action d{i} :parameters () :precondition ({a}) :effect (and ({b}) (increase (total-cost) 99)))"
        for i, (a, b) in enumerate((("p0", "q"), ("q", "p9")))
    )
    facts = " ".join(f"(p{i})" for i in range(10))
    domain = f"(:predicates (q) {facts}) (:functions (total-cost)) {steps} {dear}"
    task = lifted(domain, "(:init (p0) (= (total-cost) 0)) (:goal (p9)) (:metric minimize (total-cost))")
    assert solve(task, "native:gbfs(ff)").cost == 198
    assert solve(task, "native:lazywastar(ff)").cost == 9


def grid(side: int) -> Task:
    """Return the task to visit all places of a grid."""
    places = [(x, y) for x in range(side) for y in range(side)]
    near = [f"(near p{x}-{y} p{x + a}-{y + b})" for x, y in places for a, b in ((1, 0), (0, 1), (-1, 0), (0, -1))
            if (x + a, y + b) in places]  # fmt: skip
    walk = "(:action walk :parameters (?p ?q) :precondition (and (at ?p) (near ?p ?q))"
    names = [f"p{x}-{y}" for x, y in places]
    return lifted(
        f"(:predicates (at ?p) (near ?p ?q) (seen ?p)) {walk} :effect (and (not (at ?p)) (at ?q) (seen ?q)))",
        f"(:objects {' '.join(names)}) (:init (at p0-0) (seen p0-0) {' '.join(near)})"
        f" (:goal (and {' '.join(f'(seen {name})' for name in names)}))",
    )


@pytest.mark.parametrize("side", [7, 16])
def test_databases_of_many_goals_wait_for_other_searches_where_a_plan_is_wanted_first(side: int) -> None:
    schedule = _core.Schedule(CoreGrounding(grid(side)).task(), anytime=True, parts=("lmcut", "pdb"))
    schedule.run(max_effort=1_500_000)
    assert {part.name: part.state for part in schedule.parts}["pdb"] == ("looks" if side == 16 else "paused")


def test_landmarks_that_were_dear_to_prepare_are_prepared_once_more_when_as_much_was_done() -> None:
    schedule = _core.Schedule(CoreGrounding(grid(30)).task(), soon=True)
    schedule.run(max_effort=1)
    first, *_ = schedule.parts
    schedule.run(max_effort=3 * first.effort)
    assert [part.name for part in schedule.parts if part.state == "looks" and "landmarks" in part.heuristic] != []
    assert schedule.run().status == "solved"


def test_a_first_look_of_states_that_are_dear_is_a_short_one() -> None:
    schedule = _core.Schedule(CoreGrounding(grid(14)).task(), soon=True, parts=("bfws",))
    schedule.run(max_effort=1)
    assert 0 < schedule.parts[0].expanded < 50


def test_the_first_look_of_blind_search_is_short_where_states_have_hundreds_of_successors() -> None:
    """It is one of 30,000 states elsewhere."""
    press = "(:predicates (on ?b)) (:action press :parameters (?b) :precondition (not (on ?b)) :effect (on ?b))"
    lamps = [f"b{number}" for number in range(300)]
    goal = " ".join(f"(on {lamp})" for lamp in lamps)
    task = lifted(press, f"(:objects {' '.join(lamps)}) (:init) (:goal (and {goal}))")
    schedule = _core.Schedule(CoreGrounding(task).task(), parts=("blind",))
    schedule.run(max_effort=1)
    assert 0 < schedule.parts[0].expanded < 10_000


DELIVERY = """(:predicates (thing ?k) (next ?t ?p ?q) (at ?x ?p) (in ?k ?t) (vehicle ?t))
(:action move :parameters (?t ?p ?q) :precondition (and (next ?t ?p ?q) (at ?t ?p))
 :effect (and (not (at ?t ?p)) (at ?t ?q)))
(:action load :parameters (?k ?t ?p) :precondition (and (thing ?k) (vehicle ?t) (at ?k ?p) (at ?t ?p))
 :effect (and (not (at ?k ?p)) (in ?k ?t)))
(:action unload :parameters (?k ?t ?p) :precondition (and (in ?k ?t) (at ?t ?p))
 :effect (and (not (in ?k ?t)) (at ?k ?p)))"""


def delivery(cities: int, size: int, things: int, seed: int) -> _core.Task:
    """Return the task to bring things from place to place, by a truck in each city and a plane between them."""
    rng = Random(seed)
    places = [[f"p{city}-{number}" for number in range(size)] for city in range(cities)]
    vehicles = {"plane": [city[0] for city in places]} | {f"t{i}": city for i, city in enumerate(places)}
    every, names = [place for city in places for place in city], [f"k{number}" for number in range(things)]
    facts = [f"(next {name} {a} {b})" for name, where in vehicles.items() for a in where for b in where if a != b]
    facts += [f"(vehicle {name}) (at {name} {rng.choice(where)})" for name, where in vehicles.items()]
    facts += [f"(thing {name}) (at {name} {rng.choice(every)})" for name in names]
    goal = " ".join(f"(at {name} {rng.choice(every)})" for name in names)
    objects = f"(:objects {' '.join([*every, *names, *vehicles])})"
    return CoreGrounding(lifted(DELIVERY, f"{objects} (:init {' '.join(facts)}) (:goal (and {goal}))")).task()


def efforts(schedule: _core.Schedule) -> dict[str, int]:
    return {part.name: part.effort for part in schedule.parts}


def test_of_two_searches_that_differ_in_pruning_one_has_most_of_the_effort() -> None:
    """Equal efforts would take twice what the better one needs alone."""
    schedule = _core.Schedule(delivery(4, 3, 8, 1), parts=("lmcut", "lmcut+stubborn"))
    schedule.run(max_effort=4_000_000)
    less, more = sorted(efforts(schedule).values())
    assert 0 < less < more / 4


def test_search_from_both_ends_waits_where_blind_search_is_hopeless() -> None:
    schedule = _core.Schedule(delivery(3, 3, 8, 1), parts=("blind", "lmcut", "bidirectional"))
    result = schedule.run()
    assert (result.status, result.cost) == ("solved_optimally", 33)
    assert efforts(schedule)["bidirectional"] == 0


@pytest.mark.parametrize("part", ["bidirectional", "lmcut+stubborn"])
def test_a_part_that_waits_for_all_others_goes_on_where_there_are_none(part: str) -> None:
    """Twenty states are too few to judge it, and it has seen one."""
    schedule = _core.Schedule(CoreGrounding(grid(4)).task(), parts=(part,), scale=1e-5)
    result = in_turns(schedule)
    assert (result.status, result.cost) == ("solved_optimally", 15)


def test_the_effort_of_landmark_cuts_counts_dead_ends() -> None:
    """To see that queens cannot be put any more takes about as long as a cut."""
    actions = "(:predicates (free ?r) (filled ?r) (on ?r ?c) (hits ?r ?c ?s ?d))"
    squares = [(row, column) for row in range(10) for column in range(10)]
    hits = [f"(hits r{a} c{b} r{c} c{d})" for a, b in squares for c, d in squares
            if a != c and (b == d or abs(a - c) == abs(b - d))]  # fmt: skip
    actions += "(:action put :parameters (?r ?c) :precondition (and (free ?r) (forall (?s ?d)"
    actions += " (imply (hits ?r ?c ?s ?d) (not (on ?s ?d))))) :effect (and (not (free ?r)) (filled ?r) (on ?r ?c)))"
    names = [f"{letter}{number}" for letter in "rc" for number in range(10)]
    init = " ".join([*hits, *(f"(free r{row})" for row in range(10))])
    goal = " ".join(f"(filled r{row})" for row in range(10))
    task = CoreGrounding(lifted(actions, f"(:objects {' '.join(names)}) (:init {init}) (:goal (and {goal}))")).task()
    schedule = _core.Schedule(task, parts=("lmcut",))
    schedule.run()
    assert schedule.parts[0].effort > 10 * schedule.parts[0].evaluated


def test_what_evaluates_all_successors_waits_where_operators_are_many() -> None:
    schedule = _core.Schedule(CoreGrounding(grid(30)).task(), soon=True, parts=("gbfs(ff)", "bfws"))
    schedule.run(max_effort=50_000)
    assert [part.state for part in schedule.parts] == ["looks", "paused"]
    schedule.run(max_effort=500_000)
    assert [part.state for part in schedule.parts] == ["paused", "paused"]


def test_effort_counts_the_words_of_states() -> None:
    """Each place of a grid is a bit, so a state of 256 of them has more than four words."""
    schedule = _core.Schedule(CoreGrounding(grid(16)).task(), parts=("blind",))
    schedule.run(max_expanded=10_000)
    (blind,) = schedule.parts
    assert 2 * blind.effort >= 5 * (blind.expanded + blind.generated - 5)


def test_a_first_look_at_landmark_cuts_begins_with_one_state() -> None:
    """Such a state takes so long that others may have a plan by then."""
    task = CoreGrounding(grid(60)).task()
    for anytime in (True, False):
        schedule = _core.Schedule(task, anytime=anytime, parts=("lmcut",))
        schedule.run(max_effort=1)
        assert [(part.expanded, part.state) for part in schedule.parts] == [(1, "looks")]


STACKS = """(:predicates (of ?o ?p) (waits ?o) (open ?o) (sent ?o) (made ?p) (free ?n) (next ?n ?m))
(:functions (total-cost))
(:action make :parameters (?p) :precondition (and (not (made ?p)) (forall (?o) (imply (of ?o ?p) (open ?o))))
 :effect (made ?p))
(:action start :parameters (?o ?n ?m) :precondition (and (waits ?o) (free ?n) (next ?m ?n))
 :effect (and (not (waits ?o)) (open ?o) (not (free ?n)) (free ?m)))
(:action send :parameters (?o ?n ?m)
 :precondition (and (open ?o) (forall (?p) (imply (of ?o ?p) (made ?p))) (free ?n) (next ?n ?m))
 :effect (and (not (open ?o)) (sent ?o) (not (free ?n)) (free ?m)))
(:action add :parameters (?n ?m) :precondition (and (free ?n) (next ?n ?m))
 :effect (and (not (free ?n)) (free ?m) (increase (total-cost) 1)))"""


def test_databases_that_leave_out_nothing_wait_for_blind_search() -> None:
    """Only a further stack costs anything, which patterns do not see, since any order alone is happy with one."""
    orders = 18
    pairs = {((i * step) % orders, i) for i in range(orders) for step in (1, 2, 7)}
    init = [f"(of o{a} p{b})" for a, b in sorted(pairs)] + [f"(waits o{i})" for i in range(orders)] + ["(free n0)"]
    init += [f"(next n{i} n{i + 1})" for i in range(orders)] + ["(= (total-cost) 0)"]
    objects = " ".join(f"{kind}{i}" for kind in "opn" for i in range(orders + 1))
    goal = " ".join(f"(sent o{i})" for i in range(orders))
    problem = f"(:objects {objects}) (:init {' '.join(init)}) (:goal (and {goal})) (:metric minimize (total-cost))"
    schedule = _core.Schedule(CoreGrounding(lifted(STACKS, problem)).task(), parts=("blind", "pdb"))
    assert schedule.run().status == "solved_optimally"
    blind, pdb = schedule.parts
    assert 0 < pdb.expanded <= blind.expanded / 4  # its first look of 10,000, and little more
    assert blind.expanded > 50_000
