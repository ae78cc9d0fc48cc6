"""State spaces are those of the reference semantics: states, transitions, distances, dead ends, numbers of plans."""

from random import Random

import pytest

from support.random_tasks import random_task
from support.slow_space import SlowSpace
from unpuzzle import Limits, translators
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Run
from unpuzzle.model import Puzzle
from unpuzzle.pddl import parse_domain, parse_problem, validate
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.state_space.space import ENDLESS, MANY, Spaces, StateSpace, reachable
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles

# --- the twin -----------------------------------------------------------------------------------------------------


class Twin(SlowSpace):
    """The same by the reference semantics."""

    def __init__(self, task: Task, most_states: int = 400) -> None:
        semantics = Semantics(task)

        def steps(state):
            for action in semantics.applicable(state):
                yield str(action), semantics.cost(action), semantics.fluents(semantics.apply(state, action))

        super().__init__(semantics.fluents(semantics.initial), steps, semantics.solved, most_states)

    def plans(self, state, path=frozenset()) -> int | None:
        """By following all optimal plans; None if one of them comes back to where it was."""
        if state in path:
            return None
        total = int(state in self.goals)
        for _, cost, after in self.steps[state]:
            if after in self.left and self.left[state] == cost + self.left[after]:
                found = self.plans(after, path | {state})
                if found is None:
                    return None
                total += found
        return total


def assert_like_twin(space: StateSpace, twin: Twin) -> None:
    places = [space.atoms(state) for state in range(space.states)]
    assert set(places) == set(twin.steps)
    assert len(places) == len(twin.steps)
    assert space.transitions == sum(map(len, twin.steps.values()))
    distance = twin.least([twin.start])
    for state, other in enumerate(places):
        successors = {str(action): places[target] for action, target in space.successors(state)}
        assert successors == {action: after for action, _, after in twin.steps[other]}
        assert space.depth[state] == twin.depth[other]
        assert space.distance[state] == distance[other]
        assert space.goal_distance[state] == twin.left.get(other, -1)
        assert bool(space.goals[state]) == (other in twin.goals)
    assert space.dead_ends == [state for state, other in enumerate(places) if other not in twin.left]
    assert sum(space.depths()) == space.states


def assert_plans(space: StateSpace, twin: Twin, states) -> None:
    for state in states:
        other = space.atoms(state)
        expected = twin.plans(other) if other in twin.left else 0
        assert space.optimal_plans(state) == expected
        assert space.plans[state] == (ENDLESS if expected is None else expected)


# --- against the twin ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "level",
    [
        Boxup.parse(Boxup.levels["1"]),
        Boxup.parse("@  .\nn! W!\n.  #\n"),
        SlidingTiles.parse("2 1 0\n3 4 5\n"),
        SlidingTiles.parse("1 0 2\n"),
        Pacman.parse("%%%%%%\n%P ..%\n%.%%.%\n%%%%%%\n"),
    ],
    ids=str,
)
def test_levels(level: Puzzle):
    space, twin = reachable(level), Twin(level.task())
    assert twin.complete
    assert space.atoms(0) == level.atoms()
    assert_like_twin(space, twin)
    near = [state for state in range(space.states) if 0 <= space.goal_distance[state] <= 8]
    assert_plans(space, twin, near[:: max(1, len(near) // 20)])


def random_spaces():
    for seed in range(80):
        rng = Random(seed)
        task = random_task(rng, costs=rng.choice((None, range(4), (2, 3))))
        twin = Twin(task)
        if twin.complete:
            yield seed, task, twin


def test_random_tasks():
    compared = largest = 0
    for _, task, twin in random_spaces():
        space = reachable(task)
        assert_like_twin(space, twin)
        if space.states <= 20:
            assert_plans(space, twin, range(space.states))
        for state in range(0, space.states, 7):
            plan = space.plan(state)
            assert (plan is None) == (space.goal_distance[state] < 0)
        plan = space.plan()
        if plan is not None:
            verdict = validate(task, plan)
            assert verdict.valid, verdict.reason
            assert verdict.cost == space.goal_distance[0]
        compared, largest = compared + 1, max(largest, space.states)
    assert compared > 40
    assert largest > 50


# --- figures that are known ---------------------------------------------------------------------------------------


def task(body: str, init: str, goal: str) -> Task:
    domain = parse_domain(f"(define (domain d) (:requirements :adl :action-costs) {body})")
    text = f"(define (problem p) (:domain d) (:init {init}) (:goal {goal}) (:metric minimize (total-cost)))"
    return Task(domain, parse_problem(text, domain))


def test_a_goal_that_is_out_of_reach():
    space = reachable(task("(:predicates (p) (q)) (:action a :parameters () :precondition () :effect (p))", "", "(q)"))
    assert (space.states, space.transitions, space.hardest, space.dead_ends) == (2, 2, None, [0, 1])
    assert space.plan() is None
    assert space.optimal_plans() == 0


def test_cycles_of_cost_0_give_endless_plans():
    body = """(:predicates (p) (q)) (:functions (total-cost))
              (:action turn :parameters () :precondition () :effect (and (when (p) (not (p))) (when (not (p)) (p))))
              (:action go :parameters () :precondition (p) :effect (and (q) (increase (total-cost) 3)))"""
    space = reachable(task(body, "(= (total-cost) 0)", "(q)"))
    assert space.optimal_plans() is None
    assert space.plans[0] == ENDLESS
    assert [str(action) for action in space.plan()] == ["(turn)", "(go)"]
    assert [space.distance[0], space.goal_distance[0]] == [0, 3]


def test_more_plans_than_64_bits_hold():
    steps = 70
    bits = " ".join(f"(b{number})" for number in range(steps + 1))
    ways = "".join(
        f"(:action {way}{n} :parameters () :precondition (b{n}) :effect (and (not (b{n})) (b{n + 1})))"
        for n in range(steps)
        for way in ("left", "right")
    )
    space = reachable(task(f"(:predicates {bits}) {ways}", "(b0)", f"(b{steps})"))
    assert space.transitions == 2 * steps
    assert space.plans[0] == MANY
    assert space.optimal_plans() == 2**steps


# --- limits -------------------------------------------------------------------------------------------------------

LARGE = SlidingTiles.parse("0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n")


@pytest.mark.parametrize(
    ("limits", "most", "status"),
    [
        (Limits(time=0.3), None, "timeout"),
        (Limits(memory=30_000_000, held=0), None, "memout"),
        (None, 10_000, "gave_up"),
    ],
)
def test_limits(limits, most, status):
    space = reachable(LARGE, limits=limits, max_states=most)
    assert (space.complete, space.status) == (False, status)


def test_a_space_of_just_the_limit_is_complete():
    level = SlidingTiles.parse("2 1 0\n3 4 5\n")
    assert reachable(level, max_states=360).states == 360
    assert reachable(level, max_states=359).message == "there are more than 359 states"


def test_there_is_no_such_state():
    space = reachable(SlidingTiles.parse("1 0 2\n"))
    with pytest.raises(IndexError):
        space.atoms(space.states)


# --- many at once -------------------------------------------------------------------------------------------------


def described(space: StateSpace) -> tuple[object, ...]:
    """All that does not depend on the order in which states are met."""
    states = {
        space.atoms(s): (space.depth[s], space.distance[s], space.goal_distance[s], space.plans[s], space.goals[s])
        for s in range(space.states)
    }
    return states, space.transitions, space.atoms(0), len(space.dead_ends), space.optimal_plans()


def test_spaces_of_many_levels_are_those_of_each():
    rng = Random(5)
    levels = [puzzle.sample(rng) for puzzle in (Boxup, Pacman, SlidingTiles, Boxup, Boxup, Pacman) for _ in range(4)]
    spaces = Spaces(levels)
    numbers = list(range(len(levels)))
    rng.shuffle(numbers)
    for number in numbers:
        space = spaces.of(number)
        assert space.atoms(0) == levels[number].atoms()
        assert described(space) == described(reachable(levels[number]))
        plan = space.plan()
        assert plan is None or validate(levels[number].task(), plan)


def test_limits_of_many():
    levels = [Boxup.parse(Boxup.levels[name]) for name in "12"]
    spaces = Spaces(levels, max_states=150)
    assert spaces.of(0).states == 140
    with pytest.raises(LimitReached, match="more than 150 states"):
        spaces.of(1)
    with pytest.raises(LimitReached) as caught, Run(Limits(time=1e-6)):
        Spaces(levels).of(0)
    assert caught.value.status == "timeout"


def test_a_game_that_explores_itself_does_not_begin_with_cancelled_limits() -> None:
    """Its smallest levels are explored before the core asks whether the work was cancelled."""
    game, limits = translators.find("falling-crates"), Limits()
    limits.cancel()
    space = reachable(game.parse(game.levels["1"]), limits=limits)
    assert (space.complete, space.status) == (False, "cancelled")
