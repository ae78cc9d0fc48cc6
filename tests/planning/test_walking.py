"""Who walks, and which steps are pushes, in tasks and by the rules of games."""

from __future__ import annotations

from random import Random

import pytest

from support.limited import within
from support.pushes import RULES_THAT_TELL
from unpuzzle import find
from unpuzzle.base.errors import EffortSpent, IllegalMove, LimitReached
from unpuzzle.base.run import Limits
from unpuzzle.model.position import Position
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Atom, GroundAction, Plan, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planning.planner import OBJECTIVES
from unpuzzle.planning.walking import walker_of, weigh
from unpuzzle.translators import names

WALKERS = {
    **dict.fromkeys(("boxup", "pacman"), "(at ?)"),
    "sokoban": "(player ?)",
    **dict.fromkeys(
        ("falling-crates", "grass-fire", "ice-walk", "long-loads", "storeroom", "three-alike"), "the walker"
    ),
}
ROADS = """(define (domain roads) (:requirements :typing) (:types truck town parcel - object)
 (:predicates (road ?a ?b - town) (at ?t - truck ?a - town) (lies ?p - parcel ?a - town) (in ?p - parcel ?t - truck)
  (been ?a - town))
 (:action drive :parameters (?t - truck ?a ?b - town)
  :precondition (and (road ?a ?b) (at ?t ?a)) :effect (and (not (at ?t ?a)) (at ?t ?b)%s))
 (:action load :parameters (?p - parcel ?t - truck ?a - town)
  :precondition (and (at ?t ?a) (lies ?p ?a)) :effect (and (not (lies ?p ?a)) (in ?p ?t)))
 (:action shift :parameters (?p - parcel ?a ?b - town)
  :precondition (and (road ?a ?b) (lies ?p ?a)) :effect (and (not (lies ?p ?a)) (lies ?p ?b))))"""


def roads(edges: str, trucks: str = "t1", *, more: str = "") -> Task:
    """Return a task on roads such as `ab ba`; all trucks, and the parcel, are in town a."""
    towns = sorted({town for edge in edges.split() for town in edge})
    facts = [f"(road {a} {b})" for a, b in edges.split()] + [f"(at {truck} a)" for truck in trucks.split()]
    domain = parse_domain(ROADS % more)
    text = f"""(define (problem p) (:domain roads) (:objects {trucks} - truck {" ".join(towns)} - town p - parcel)
      (:init (lies p a) {" ".join(facts)}) (:goal (in p {trucks.split(maxsplit=1)[0]})))"""
    return Task(domain, parse_problem(text, domain))


@pytest.mark.parametrize("name", names())
def test_walkers_of_the_bundled_games(name: str) -> None:
    game = find(name)
    walker = walker_of(game.parse(next(iter(game.levels.values()))))
    assert (None if walker is None else walker.name) == WALKERS.get(name)


def wandered(position: Position, rng: Random, most: int) -> tuple[list[str], list[Position]]:
    moves, positions = [], [position]
    while len(moves) < most and (legal := positions[-1].moves()):
        moves.append(rng.choice(legal))
        positions.append(positions[-1].apply(moves[-1]))
    return moves, positions


@pytest.mark.parametrize("name", RULES_THAT_TELL)
def test_rules_and_pddl_agree_on_walks(name: str) -> None:
    """And each walk is taken back by one, which is a walk, too."""
    game, seen = find(name), set()
    for seed in range(12):
        start = game.sample(Random(f"walks {name} {seed}"))
        by_rules, semantics = walker_of(start), Semantics(start.task())
        in_states = walker_of(semantics)
        if by_rules is None or in_states is None:  # where nobody can make a step
            assert by_rules is in_states
            continue
        moves, positions = wandered(start, Random(seed), 12)
        state, pushes = semantics.initial, 0
        for before, move, after in zip(positions, moves, positions[1:], strict=False):
            action = next(action for action in semantics.applicable(state) if before.decode(action) == move)
            walk = not RULES_THAT_TELL[name](before, move, after)
            assert walk == by_rules.is_walk(before, move)
            assert walk == in_states.is_walk(state, action) == by_rules.is_walk(before, move, after)
            if walk:
                assert any(after.apply(back) == before and by_rules.is_walk(after, back) for back in after.moves())
            seen.add(walk)
            pushes += not walk
            state = semantics.apply(state, action)
        assert by_rules.pushes(start, moves) == pushes
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("edges", "trucks", "name"),
    [
        ("ab ba", "t1", "(at t1 ?)"),  # the parcel may be shifted on the same roads: the first by name
        ("ab ba", "t2 t1", "(at t1 ?)"),
        ("ab bc ca", "t1", None),
        ("ab", "t1", None),
    ],
)
def test_the_thing_that_walks(edges: str, trucks: str, name: str | None) -> None:
    walker = walker_of(roads(edges, trucks))
    assert (None if walker is None else walker.name) == name


def test_what_never_comes_back_is_known_by_its_roads_alone() -> None:
    assert walker_of(roads("ab bc ca", "t1 t2"), most=1) is None
    assert walker_of(roads("aa", "t1 t2"), most=1) is None
    with pytest.raises(EffortSpent):
        walker_of(roads("ab bc cb", "t1 t2"), most=1)


def test_what_a_road_allows_once_is_a_push() -> None:
    """One town is left for good; and a note of where one has been is made once."""
    task = roads("ab ba bc", more=" (been ?b)")
    drives = [GroundAction("drive", ("t1", *ends)) for ends in ("ab", "ba", "ab", "ba", "ab", "bc")]
    walker = walker_of(task)
    assert walker is not None
    walks, state, semantics = [], Semantics(task).initial, Semantics(task)
    for action in drives:
        walks.append(walker.is_walk(state, action))
        state = semantics.apply(state, action)
    assert walks == [False, False, True, True, True, False]
    assert walker.pushes(task, Plan(tuple(drives))) == 3


def test_what_is_at_two_places_does_not_walk() -> None:
    task = roads("ab ba")
    two = task.problem.replace(init=(*task.problem.init, Atom("at", ("t1", "b"))))
    walker = walker_of(Task(task.domain, two))
    assert walker is not None
    assert walker.name == "(lies p ?)"


def test_limits_and_faults() -> None:
    task = roads("ab ba bc cb", "t1 t2")
    with pytest.raises(EffortSpent):
        walker_of(task, most=3)
    limits = Limits()
    limits.cancel()
    with pytest.raises(LimitReached):
        within(limits, walker_of, task)
    walker = walker_of(task)
    assert walker is not None
    with pytest.raises(IllegalMove):
        walker.pushes(task, [GroundAction("drive", ("t1", "b", "c"))])


def test_weights_put_plans_in_order() -> None:
    plans = [(cost, pushes) for cost in range(4) for pushes in range(4)]
    keys = {
        "moves": lambda plan: plan[0],
        "pushes": lambda plan: plan[1],
        "pushes,moves": lambda plan: plan[::-1],
        "moves,pushes": lambda plan: plan,
    }
    assert tuple(keys) == OBJECTIVES
    for objective, key in keys.items():
        weights = [weigh(objective, *plan) for plan in sorted(plans, key=key)]
        assert weights == sorted(weights)
        assert weigh(objective, 3, 1) + weigh(objective, 1, 2) == weigh(objective, 4, 3)
