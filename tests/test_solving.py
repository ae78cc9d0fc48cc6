"""improve(): ever better checked answers, and solve(on_plan=...), which tells of them."""

import pytest

from unpuzzle import Limits, ParseError, improve, pddl, replay, solve, translators

LEVEL = translators.find("sliding-tiles").levels["8-hard"]
POSITION = translators.find("sliding-tiles").parse(LEVEL)


def test_each_is_better_and_the_last_is_proved():
    *before, last = improve(POSITION)
    assert last.status == "solved_optimally"
    assert last.cost == 31
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
    assert result.cost == costs[-1] == 31
    assert costs == sorted(set(costs), reverse=True)


def test_known_to_be_unsolvable():
    swapped = translators.find("sliding-tiles").parse(translators.find("sliding-tiles").levels["8-unsolvable"])
    assert [result.status for result in improve(swapped)] == ["unsolvable"]


def test_the_best_plan_is_kept_when_time_is_up(monkeypatch):
    day, found = 86_400.0, []
    monkeypatch.setattr("unpuzzle.planners.watch.perf_counter", lambda: day if found else 0.0)
    hard = translators.find("sliding-tiles")
    answers = improve(hard.parse(hard.levels["15-notebook"]), limits=Limits(day / 2))
    found.append(next(answers))  # and now the time is up
    *between, last = answers
    best = [*found, *between][-1]
    assert (last.status, last.intermediate, last.valid) == ("solved", False, True)
    assert (last.moves, last.cost) == (best.moves, best.cost)


def test_a_planner_that_gives_one_plan_is_refused():
    with pytest.raises(ParseError, match="one plan only"):
        next(improve(POSITION, "reference"))
