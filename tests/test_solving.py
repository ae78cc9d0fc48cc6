"""improve(): ever better checked answers, and solve(on_plan=...), which tells of them."""

import pytest

from unpuzzle import Limits, Result, UsageError, improve, pddl, replay, solve, translators
from unpuzzle.planning.planner import RULES, Planner

LEVEL = translators.find("sliding-tiles").levels["8-medium"]
POSITION = translators.find("sliding-tiles").parse(LEVEL)


def test_each_is_better_and_the_last_is_proved():
    *before, last = improve(POSITION)
    assert last.status == "solved_optimally"
    assert last.cost == 20
    assert not last.intermediate
    assert before
    assert all(result.status == "solved" and result.intermediate and result.valid for result in before)
    assert all(replay(POSITION, result.moves).solved for result in before)
    costs = [result.cost for result in before]
    assert costs == sorted(set(costs), reverse=True)


def test_a_task_works_too_and_nothing_is_searched_ahead():
    answers = improve(POSITION.task())
    first = next(answers)
    assert pddl.validate(POSITION.task(), first.plan).valid
    answers.close()


def test_on_plan_hears_of_every_better_plan_once():
    costs = []
    result = solve(POSITION, on_plan=lambda better: costs.append(better.cost))
    assert result.cost == costs[-1] == 20
    assert costs == sorted(set(costs), reverse=True)


def test_known_to_be_unsolvable():
    swapped = translators.find("sliding-tiles").parse(translators.find("sliding-tiles").levels["8-unsolvable"])
    assert [result.status for result in improve(swapped)] == ["unsolvable"]


def test_the_best_plan_is_kept_when_time_is_up(monkeypatch):
    day, found = 86_400.0, []
    monkeypatch.setattr("unpuzzle.limits.perf_counter", lambda: day if found else 0.0)
    hard = translators.find("sliding-tiles")
    answers = improve(hard.parse(hard.levels["15-notebook"]), limits=Limits(day / 2))
    found.append(next(answers))  # and now the time is up
    *between, last = answers
    best = [*found, *between][-1]
    assert (last.status, last.intermediate, last.valid) == ("solved", False, True)
    assert (last.moves, last.cost) == (best.moves, best.cost)


def test_a_planner_that_gives_one_plan_is_refused():
    with pytest.raises(UsageError, match="one plan only"):
        next(improve(POSITION, "reference"))


ROADS = pddl.parse_task(
    """(define (domain roads) (:predicates (at ?x) (road ?x ?y)) (:functions (length ?x ?y))
        (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
         :effect (and (not (at ?x)) (at ?y) (increase (total-cost) (length ?x ?y)))))""",
    """(define (problem three) (:domain roads) (:objects a b c)
        (:init (at a) (road a b) (road b c) (= (length a b) 3) (= (length b c) 4)) (:goal (at c))
        (:metric minimize (total-cost)))""",
)


class Told(Planner):
    """A planner that says what it is told to say."""

    name = "told"

    def __init__(self, reads, claimed, steps):
        self.reads = (reads,)
        self.claimed = claimed
        self.steps = steps

    def solve(self, subject, limits, options):
        if RULES in self.reads:
            return Result("solved", self.name, moves=self.steps, cost=self.claimed)
        return Result("solved", self.name, plan=pddl.parse_plan(self.steps), cost=self.claimed)


@pytest.mark.parametrize("claimed", [None, 1, 7])
def test_a_plan_that_nobody_judges_still_has_its_cost(claimed):
    by_task = solve(ROADS, Told("task", claimed, "(go a b) (go b c)"), validate=False)
    assert (by_task.cost, by_task.valid) == (7, None)
    moves = solve(POSITION, "native").moves
    by_rules = solve(POSITION, Told("rules", claimed, moves), validate=False)
    assert (by_rules.cost, by_rules.valid) == (20, None)


@pytest.mark.parametrize("planner", ["native", "reference"])
def test_the_cost_without_validation_is_the_cost_with_it(planner):
    judged, unjudged = (solve(ROADS, planner, validate=validate) for validate in (True, False))
    assert (judged.cost, judged.valid) == (7, True)
    assert (unjudged.cost, unjudged.valid) == (7, None)


@pytest.mark.parametrize(("subject", "reads"), [(ROADS, "task"), (POSITION, "rules")])
def test_who_claims_a_solution_without_giving_one_is_not_believed(subject, reads):
    class Empty(Told):
        def solve(self, subject, limits, options):
            return Result("solved", self.name, cost=7)

    result = solve(subject, Empty(reads, 7, ()))
    assert (result.status, result.valid, result.cost) == ("error", False, None)
    assert "gives no plan" in result.message


def test_of_steps_that_nobody_knows_the_claimed_cost_is_told():
    assert solve(ROADS, Told("task", 5, "(fly a c)"), validate=False).cost == 5
    assert solve(POSITION, Told("rules", 5, ("U",) * 9), validate=False).cost == 5


def test_a_game_that_states_constraints_has_them_solved_before_the_limit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its default planner does not read them, and reaches its half of the time."""
    game = translators.find("sudoku")
    monkeypatch.setattr(game, "planner", "")
    level = game.parse(game.levels["32-clues"])
    asked = []

    def late(planner: object, subject: object, limits: Limits, *_: object) -> Result:
        asked.append(limits.time)
        return Result("timeout", "native")

    monkeypatch.setattr("unpuzzle.planners.native.planner.Native.solve", late)
    monkeypatch.setattr("unpuzzle.planners.native.planner.Native.goes_on", False)
    result = solve(level, limits=Limits(time=100))
    assert (result.status, result.planner, len(asked)) == ("solved_optimally", "cp-sat", 1)
    assert 0 < asked[0] <= 50
    assert solve(level).status == "timeout"  # without a limit there is no share
    assert solve(level, "native", limits=Limits(time=100)).status == "timeout"
