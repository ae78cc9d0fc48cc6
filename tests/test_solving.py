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


def test_the_best_plan_is_kept_when_time_is_up():
    hard = translators.find("sliding-tiles")
    position = hard.parse("24 23 22 21 20\n19 18 17 16 15\n14 13 12 11 10\n9 8 7 6 5\n4 3 2 1 0\n")
    *before, last = improve(position, limits=Limits(4, 1 << 30))
    if before:
        assert (last.status, last.cost, last.valid) == ("solved", before[-1].cost, True)
        assert last.moves == before[-1].moves
    else:
        assert last.status in ("timeout", "memout")


def test_a_planner_that_gives_one_plan_is_refused():
    with pytest.raises(ParseError, match="one plan only"):
        next(improve(POSITION, "reference"))
