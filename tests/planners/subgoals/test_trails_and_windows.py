"""Plans made better: loops against all paths, windows against the planners; and the stages of PDDL tasks."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.clocks import SecondsPerLook
from support.limited import within
from support.random_tasks import random_task
from support.thorough import at_most, some_of
from unpuzzle import solve, solve_by_subgoals, translators
from unpuzzle.base.errors import IllegalMove, LimitReached, UnsupportedFeature, UsageError
from unpuzzle.base.run import Limits
from unpuzzle.pddl import parse_task, validate
from unpuzzle.pddl.nodes import Atom, Not, Plan, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planners.subgoals import Trail, optimise, shorten, trail_of, walk, without_loops

TILES, BOXUP = translators.find("sliding-tiles"), translators.find("boxup")


def wandering(task: Task, rng: Random, most: int = 60) -> list | None:
    """A plan found by walking at random, or None."""
    semantics = Semantics(task)
    state, actions = semantics.initial, []
    while not semantics.solved(state):
        choices = semantics.applicable(state)
        if not choices or len(actions) == most:
            return None
        actions.append(rng.choice(choices))
        state = semantics.apply(state, actions[-1])
    return actions


# ---- trails


def letters(states: str) -> Trail:
    return Trail(states, [one + other for one, other in pairwise(states)], [1] * (len(states) - 1))


@pytest.mark.parametrize(
    ("states", "shortened", "loop_free"),
    [
        ("a", "a", "a"),
        ("aba", "a", "a"),
        ("abcba", "aba", "a"),  # one pass: what meets only then stays
        ("ababa", "a", "a"),
        ("abcda", "abcda", "a"),
        ("abacdc", "ac", "ac"),
        ("abcdbefcgh", "abcdbefcgh", "abcgh"),
        ("xabcyabdyz", "xabcyabdyz", "xabdyz"),
    ],
)
def test_shorten_and_loops(states: str, shortened: str, loop_free: str) -> None:
    trail = letters(states)
    assert "".join(shorten(trail).states) == shortened
    assert len(without_loops(trail).states) == len(loop_free)
    for better in (shorten(trail), without_loops(trail)):
        assert list(better.steps) == [one + other for one, other in pairwise(better.states)]


@given(st.lists(st.integers(0, 7), min_size=1, max_size=25), st.data())
@settings(max_examples=at_most(150), deadline=None)
def test_loops_are_cut_out_in_the_best_way(states: list[int], data: st.DataObject) -> None:
    costs = data.draw(st.lists(st.integers(0, 3), min_size=len(states) - 1, max_size=len(states) - 1))
    trail = Trail(states, range(len(costs)), costs)
    best = without_loops(trail)
    assert len(set(best.states)) == len(best.states)
    assert (best.states[0], best.states[-1]) == (states[0], states[-1])
    assert all(best.states[n] == states[step] for n, step in enumerate(best.steps))
    least = {states[0]: 0}  # Bellman and Ford: as many rounds as there may be steps
    for _ in costs:
        for (one, other), cost in zip(pairwise(states), costs, strict=True):
            if one in least:
                least[other] = min(least.get(other, 10**9), least[one] + cost)
    assert best.cost == least[states[-1]]


def test_trails_of_moves_and_of_plans_are_alike() -> None:
    level = BOXUP.parse(BOXUP.levels["2"])
    result = solve(level)
    moves, actions = walk(level, result.moves), trail_of(level.task(), result.plan)
    assert moves.costs == actions.costs
    assert [state.atoms() for state in moves.states] == [
        Semantics(level.task()).fluents(state) for state in actions.states
    ]
    with pytest.raises(IllegalMove):
        walk(level, ["U", "U", "U", "U", "U"])


# ---- windows


@pytest.mark.parametrize("level", ["8-medium", "8-hard", "3x2", "corner", "row"])
@pytest.mark.parametrize("seed", range(2))
def test_windows_of_moves(level: str, seed: int) -> None:
    """A bad plan of a small puzzle becomes the best one, and that is proved."""
    start, rng = TILES.parse(TILES.levels[level]), Random(seed)
    moves, position = [], start
    for _ in range(40):
        moves.append(rng.choice(position.moves()))
        position = position.apply(moves[-1])
    moves += solve(position).moves
    better = optimise(start, walk(start, moves))
    assert better.optimal
    assert walk(start, better.steps).states[-1].solved()
    assert len(better.steps) == solve(start).cost
    again = optimise(start, walk(start, moves))
    assert (again.steps, again.windows, again.expanded) == (better.steps, better.windows, better.expanded)


@pytest.mark.parametrize("level", some_of(list(BOXUP.levels)))
def test_windows_where_steps_cannot_be_undone(level: str) -> None:
    start = BOXUP.parse(BOXUP.levels[level])
    task, best = start.task(), solve(start).cost
    plan = solve(task, "native:gbfs").plan
    better = optimise(task, trail_of(task, plan))
    verdict = validate(task, Plan(better.steps))
    assert verdict.valid
    assert verdict.cost <= len(plan)
    assert not better.optimal or verdict.cost == best


@pytest.mark.parametrize("seed", range(at_most(150)))
def test_windows_of_random_tasks(seed: int) -> None:
    """Costs 0 to 3, conditional effects, axioms: never invalid, never dearer, and optimal only where it is."""
    rng = Random(seed)
    task = random_task(rng)
    plan = wandering(task, rng)
    if plan is None:
        return
    old = validate(task, Plan(tuple(plan))).cost
    better = optimise(task, trail_of(task, plan))
    verdict = validate(task, Plan(better.steps))
    assert verdict.valid, verdict.reason
    assert verdict.cost <= old
    if better.optimal:
        assert verdict.cost == solve(task, "reference").cost


def test_without_a_budget_nothing_is_lost() -> None:
    start = TILES.parse(TILES.levels["8-hard"])
    moves = solve(start, "subgoals").moves
    for budget in (0, 1, 500, 5_000):
        better = optimise(start, walk(start, moves), budget=budget)
        assert walk(start, better.steps).states[-1].solved()
        assert len(better.steps) <= len(moves)
    assert optimise(start, walk(start, moves), budget=0).windows == 0


def test_windows_tell_when_grounding_takes_too_long() -> None:
    start = TILES.parse(TILES.levels["15-hard"])
    with pytest.raises(LimitReached):
        within(Limits(memory=1, held=0), optimise, start, walk(start, []))


# ---- PDDL

LOCKED = """(define (domain locked) (:requirements :strips :negative-preconditions)
  (:predicates (key) (door) (drawer) (light))
  (:action open-door :parameters () :precondition (key) :effect (and (door) (not (key))))
  (:action open-drawer :parameters () :precondition (key) :effect (drawer))
  (:action turn-off :parameters () :precondition (light) :effect (not (light))))"""


def locked(goal: str, init: str = "(key) (light)") -> Task:
    return parse_task(LOCKED, f"(define (problem p) (:domain locked) (:init {init}) (:goal {goal}))")


def test_a_dead_end_proves_nothing() -> None:
    task = locked("(and (door) (drawer) (not (light)))")
    result = solve_by_subgoals(task)
    assert result.status == "gave_up"
    assert result.message == "stage 2 of 3, (drawer), has no plan from the state in which the previous stage ended"
    assert result.details["stages"] == [{"group": "(door)", "expanded": 1, "length": 1}]


def test_groups_are_achieved_in_their_order() -> None:
    task = locked("(and (door) (drawer) (not (light)))")
    dark = Not(Atom("light"))
    result = solve_by_subgoals(task, [{dark}, {Atom("drawer")}, {Atom("door")}])
    assert (result.status, result.valid) == ("solved", True)
    assert [str(step) for step in result.plan] == ["(turn-off)", "(open-drawer)", "(open-door)"]
    assert [stage["group"] for stage in result.details["stages"]] == ["(not (light))", "(drawer)", "(door)"]
    rest = solve_by_subgoals(task, [[Atom("drawer")]])
    assert [stage["group"] for stage in rest.details["stages"]] == ["(drawer)", "(door) (not (light))"]
    assert rest.valid


def test_what_is_proved_is_said() -> None:
    task = locked("(and (door) (drawer) (not (light)))")
    whole = solve_by_subgoals(task, [[*task.problem.goal]])
    assert (whole.status, whole.cost) == ("solved_optimally", 3)
    assert solve_by_subgoals(task, [[Atom("drawer")]], improvement="windows").status == "solved_optimally"
    assert solve_by_subgoals(locked("(key)")).status == "solved_optimally"
    assert solve_by_subgoals(locked("(and)")).plan == Plan(())
    assert solve_by_subgoals(locked("(door)", "(light)")).status == "unsolvable"
    after_nothing = solve_by_subgoals(locked("(and (light) (door))", "(light)"))
    assert (after_nothing.status, len(after_nothing.details["stages"])) == ("unsolvable", 1)


def test_groups_that_are_none() -> None:
    task = locked("(and (door) (drawer))")
    with pytest.raises(UsageError, match=r"\(dor\) is not a literal of the goal, did you mean '\(door\)'\?"):
        solve_by_subgoals(task, [[Atom("dor")]])
    with pytest.raises(UsageError, match=r"\(not \(light\)\) is not a literal of the goal; its literals are \(door\)"):
        solve_by_subgoals(task, [[Not(Atom("light"))]])
    with pytest.raises(UnsupportedFeature, match="subgoals are literals, but the goal has 'or' in it"):
        solve_by_subgoals(locked("(or (door) (drawer))"))
    with pytest.raises(UsageError, match="reads the rules of a puzzle"):
        solve_by_subgoals(task, planner="rules:bfs")
    with pytest.raises(UsageError, match=r"unknown improvement 'window', did you mean 'windows'\?"):
        solve_by_subgoals(task, improvement="window")


@pytest.mark.parametrize("planner", ["native", "reference", "native:gbfs"])
@pytest.mark.parametrize("improvement", [None, "shorten", "loop-free", "windows"])
def test_a_puzzles_task_in_stages(planner: str, improvement: str | None) -> None:
    task = TILES.parse(TILES.levels["2x3"]).task()
    order = sorted(task.problem.goal, key=str, reverse=True)
    result = solve_by_subgoals(task, [[literal] for literal in order], planner=planner, improvement=improvement)
    assert result.valid
    assert result.cost >= 21
    if improvement == "windows":
        assert (result.status, result.cost) == ("solved_optimally", 21)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=at_most(60), deadline=None, derandomize=True)
def test_random_tasks_in_stages(seed: int) -> None:
    task = random_task(Random(seed))
    try:
        result = solve_by_subgoals(task, improvement="loop-free")
    except UnsupportedFeature:
        return
    truth = solve(task, "reference")
    assert result.valid or result.status in ("gave_up", "unsolvable")
    assert (result.status == "unsolvable") <= (truth.status == "unsolvable")
    assert (result.status == "solved_optimally") <= (result.cost == truth.cost)


def test_limits_hold_for_all_stages_together(seconds_per_look: SecondsPerLook) -> None:
    task = TILES.parse(TILES.levels["15-notebook"]).task()
    within(Limits(time=1e9), Semantics, task)  # as the first stage does
    ready = seconds_per_look.reads
    result = solve_by_subgoals(task, limits=Limits(time=ready + 20))
    assert result.status == "timeout"
    assert result.message.startswith("at stage ")
    assert seconds_per_look.reads <= 2 * ready + 40  # a second each: the limit, and a few for those who note it
    assert solve_by_subgoals(task, limits=Limits(memory=1, held=0)).status == "memout"
