"""improve(): ever better checked answers, and solve(on_plan=...), which tells of them."""

import json
from pathlib import Path

import pytest

from support.command_line import run
from unpuzzle import Result, count_solutions, find, improve, pddl, replay, solve, translators
from unpuzzle.base.errors import DependencyMissing, ModelMismatch, UsageError
from unpuzzle.base.outcomes import SOLVED, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import Limits, current
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
    monkeypatch.setattr("unpuzzle.base.run.perf_counter", lambda: day if found else 0.0)
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

    def solve(self, subject, options):
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
        def solve(self, subject, options):
            return Result("solved", self.name, cost=7)

    result = solve(subject, Empty(reads, 7, ()))
    assert (result.status, result.valid, result.cost) == ("error", False, None)
    assert "gave no plan" in result.message


def test_of_steps_that_nobody_knows_the_claimed_cost_is_told():
    assert solve(ROADS, Told("task", 5, "(fly a c)"), validate=False).cost == 5
    assert solve(POSITION, Told("rules", 5, ("U",) * 9), validate=False).cost == 5


def test_a_game_that_states_constraints_has_them_solved_before_the_limit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its default planner does not read them, and reaches its half of the time."""
    game = translators.find("sudoku")
    monkeypatch.setattr(game, "planner", "")
    level = game.parse(game.levels["32-clues"])
    asked = []

    def late(planner: object, subject: object, *_: object) -> Result:
        asked.append(current().limits.time)
        return Result("timeout", "native")

    monkeypatch.setattr("unpuzzle.planners.native.planner.Native.solve", late)
    monkeypatch.setattr("unpuzzle.planners.native.planner.Native.goes_on", False)
    result = solve(level, limits=Limits(time=100))
    assert (result.status, result.planner, len(asked)) == ("solved_optimally", "cp-sat", 1)
    assert 0 < asked[0] <= 50
    assert solve(level).status == "timeout"  # without a limit there is no share
    assert solve(level, "native", limits=Limits(time=100)).status == "timeout"


# ---- count_solutions() and `solve --count`: one, several and where they differ, none and why


OUTSIDE = str(Path(__file__).parent / "translators" / "outside" / "lights_out.py")


def level(name: str):
    game = find("lights-out")
    return game.parse(game.levels[name])


@pytest.mark.parametrize("planner", [None, "cp-sat", "backtracking"])
def test_one_several_none(planner: str | None) -> None:
    one, several, none = (count_solutions(level(name), 20, planner=planner) for name in ("3x3", "torus", "unsolvable"))
    assert (one.unique, len(one.solutions), one.result.status, one.result.valid) == (True, 1, SOLVED, True)
    assert one.differences() == {}
    assert (several.unique, len(several.solutions)) == (False, 16)
    assert all(position.solved() for position in several.positions)
    first, second = several.solutions[:2]
    assert several.differences() == {name: (first[name], second[name]) for name in first if first[name] != second[name]}
    assert (none.unique, none.solutions, none.result.status) == (False, [], UNSOLVABLE)


def test_one_is_not_unique_unless_a_second_was_looked_for() -> None:
    assert count_solutions(level("3x3"), 1).unique is None
    assert count_solutions(level("torus"), 1).unique is None
    assert count_solutions(level("torus"), 2).unique is False


def test_what_cannot_be_asked() -> None:
    boxup = find("boxup")
    with pytest.raises(UsageError, match="boxup cannot have its solutions counted"):
        count_solutions(boxup.parse(boxup.levels["1"]))
    with pytest.raises(UsageError, match="must be at least 1, not 0"):
        count_solutions(level("3x3"), 0)
    with pytest.raises(UsageError, match="'native' finds one solution only; these planners count solutions: cp-sat"):
        count_solutions(level("3x3"), 2, planner="native")


def test_the_time_limit_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch, seconds_per_look) -> None:
    found = count_solutions(level("torus"), 20, planner="backtracking", limits=Limits(time=4))
    assert found.result.status == TIMEOUT
    assert len(found.solutions) < 16
    assert found.unique in (None, False)


def test_without_or_tools_another_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.planners.constraint.missing_cp_sat", lambda: "OR-tools is not here")
    assert count_solutions(level("3x3")).result.planner == "backtracking"
    with pytest.raises(DependencyMissing, match="OR-tools is not here"):
        count_solutions(level("3x3"), planner="cp-sat")


def test_constraints_that_are_not_the_game() -> None:
    game = find(OUTSIDE)

    class Wrong(game):
        def moves_to(self, solution):
            return ["r1c1"]

    with pytest.raises(ModelMismatch, match="the constraints differ from the rules: the goal is not reached"):
        count_solutions(Wrong.parse(game.levels["3x3"]))


# ---- the command line


@pytest.mark.parametrize("game", ["lights-out", OUTSIDE])
def test_json(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", game, "3x3", "--count", "2", "--json")
    fields = json.loads(out)
    assert (code, fields["solutions"], fields["unique"], fields["solution"]) == (0, 1, True, None)
    assert (fields["status"], fields["cost"], fields["valid"]) == ("solved", 9, True)
    assert (fields["differences"], fields["conflict"]) == ({}, None)


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", "lights-out", "3x3", "--count", "2", "--planner", "backtracking")
    assert (code, err) == (0, "")
    assert "; one solution only, 9 moves" in out
    code, out, _ = run(capsys, "solve", "lights-out", "torus", "--count", "2", "--planner", "backtracking")
    assert code == 0
    assert "; two of at least 2 solutions: " in out
    code, out, _ = run(capsys, "solve", "lights-out", "torus", "--count", "99", "--planner", "backtracking")
    assert "; two of 16 solutions: " in out
    code, out, err = run(capsys, "solve", "lights-out", "unsolvable", "--count", "2")
    assert (code, out) == (1, "")
    assert err.startswith("unpuzzle: unsolvable: no set of presses")


@pytest.mark.parametrize("option", [["--draw"], ["--anytime"], ["--plan-file", "x.plan"], ["--ties", "fifo"]])
def test_options_that_do_not_fit(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "solve", "lights-out", "3x3", "--count", "2", *option)
    assert code == 2
    assert f"--count cannot be combined with {option[0]}" in err


def test_of_a_game_without_explanations_it_is_told_that_there_is_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", "boxup", "1")
    assert (code, out) == (
        0,
        "there is a plan; it begins with the move U, in PDDL (walk r2c2 north r1c2 south west east)\n",
    )
    found = json.loads(run(capsys, "explain", "boxup", "1", "--json")[1])
    assert (found["step"], found["move"]) == ("(walk r2c2 north r1c2 south west east)", "U")


def test_the_first_step_of_a_pddl_task_is_an_action_and_of_a_game_on_rules_a_move(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(capsys, "pddl", "boxup", "1", "--output", str(tmp_path))[0] == 0
    code, out, _ = run(capsys, "explain", str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl"))
    assert (code, out) == (0, "there is a plan; it begins with (walk r2c2 north r1c2 south west east)\n")
    code, out, _ = run(capsys, "explain", "storeroom", "1")
    assert (code, out) == (0, "there is a plan; it begins with the move r\n")
