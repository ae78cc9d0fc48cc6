"""survey(): each row is what `explore` says of that level; limits, faults and what is required."""

import pytest

from support.limited import within
from support.script_texts import script
from unpuzzle import explore, find, survey
from unpuzzle.base.errors import UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import TIMEOUT
from unpuzzle.base.run import Limits
from unpuzzle.model import Puzzle
from unpuzzle.model.position import Position
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.state_space.difficulty import REQUIREMENTS
from unpuzzle.state_space.exploration import Exploration
from unpuzzle.state_space.space import SeenSpace, SpaceLimitError
from unpuzzle.state_space.surveying import FIELDS, SurveyRow, explore_or_search, search

STUCK = "\n\n".join(["#####\n#p*o#\n#####", "p..\n*.o", "####\n#p*#\n#.o#\n####", "p*o\n...\n..."])
GAME = game_of(script(levels=STUCK), "four")


@pytest.mark.parametrize("game", [find("boxup"), find("hanoi"), GAME])
def test_a_row_is_what_exploring_tells(game: Puzzle) -> None:
    names = list(game.levels)[:4]
    for name, row in zip(names, survey(game, names), strict=True):
        found = explore(game.parse(game.levels[name]))
        assert (row.level, row.cost, row.states) == (name, found.cost, found.states)
        assert (row.dead_ends, row.optimal_plans) == (found.dead_ends, found.optimal_plans)
        assert (row.solvable, row.complete, row.message) == (found.cost is not None, True, found.reason)


def test_all_levels_are_surveyed_in_their_order() -> None:
    told: list[SurveyRow] = []
    rows = survey(GAME, on_row=told.append)
    assert rows == told
    assert [row.level for row in rows] == list(GAME.levels)
    assert [row.status for row in rows] == ["solved_optimally", "unsolvable", "unsolvable", "solved_optimally"]
    assert [row.cost for row in rows] == [1, None, None, 1]
    assert [row.optimal_plans for row in rows] == [1, 0, 0, 1]
    assert [row.dead_ends for row in rows][:3] == [0, rows[1].states, rows[2].states]
    assert all(list(row.to_dict()) == ["schema", *FIELDS] for row in rows)


def test_what_is_required() -> None:
    first, second, _, last = survey(GAME)
    assert [first.meets(name) for name in REQUIREMENTS] == [True, True, True]
    assert [second.meets(name) for name in REQUIREMENTS] == [False, False, False]
    assert [last.meets(name) for name in REQUIREMENTS] == [True, True, False]
    unseen = SurveyRow("x", "timeout")
    assert [unseen.meets(name) for name in REQUIREMENTS] == [None, None, None]
    assert unseen.solvable is None


def test_a_level_beyond_a_limit_is_searched_and_the_others_go_on() -> None:
    rows = survey(GAME, max_states=3)
    assert [row.status for row in rows[:1]] == ["solved_optimally"]
    assert (rows[3].status, rows[3].states, rows[3].complete) == ("gave_up", 3, False)
    assert (rows[3].solvable, rows[3].cost, rows[3].dead_ends, rows[3].optimal_plans) == (True, 1, None, None)
    assert [rows[3].meets(name) for name in REQUIREMENTS] == [True, None, None]
    assert rows[3].message == "there are more than 3 states"
    (hard,) = survey(GAME, ["2"], max_states=1)
    assert (hard.solvable, hard.cost, hard.states) == (None, None, 1)
    assert hard.message.endswith("; searched instead: the limit of expanded states was reached while searching")


def test_what_is_too_large_to_be_explored_in_time_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(position: Position, **named: object) -> Exploration:
        return Exploration(position, SeenSpace(SpaceLimitError(TIMEOUT, 7, None)))

    monkeypatch.setattr("unpuzzle.state_space.surveying.explore", late)
    rows = survey(GAME)
    assert [(row.status, row.states, row.complete) for row in rows] == [("timeout", 7, False)] * 4
    assert [(row.solvable, row.cost) for row in rows] == [(True, 1), (False, None), (False, None), (True, 1)]
    assert [row.meets("unique") for row in rows] == [None, False, False, None]
    assert "no time is left" in within(Limits(1e-9), search, GAME.parse("p*o"), None).message


def test_what_cannot_be_explored_is_told_in_its_row() -> None:
    chance = game_of(script(rules="[ stationary Crate ] -> [ randomdir Crate ]", levels="p*o\n\np*o"), "chance")
    assert [row.status for row in survey(chance)] == ["unsupported"] * 2
    assert "this rule is random" in survey(chance)[0].message
    (broken,) = survey(GAME, ["mine"], read=lambda name: "p*o?")
    assert (broken.status, broken.level) == ("bad_input", "mine")
    assert "mine:1:4" in broken.message


def test_what_cannot_be_surveyed_is_refused() -> None:
    with pytest.raises(UsageError, match="no level '9'; the levels are 0, 1, 2, 3"):
        survey(GAME, ["0", "9"])
    with pytest.raises(UsageError, match="has no levels to survey"):
        survey(GAME, [])
    with pytest.raises(UsageError, match="max_states must be at least 1, not 0"):
        survey(GAME, max_states=0)


# ---- one solution only


def test_where_constraints_are_stated_one_solution_of_these_is_unique() -> None:
    """However many orders there are to make its moves in."""
    (row,) = survey(find("sudoku"), ["4x4"])
    assert (row.cost, row.states, row.unique, row.meets("unique")) == (9, None, True, True)
    rows = {row.level: row for row in survey(find("lights-out"))}
    assert {name: row.meets("unique") for name, row in rows.items()} == {
        "3x3": True,
        "4x3": True,
        "torus": False,
        "unsolvable": False,
    }
    (twice,) = survey(
        find("sudoku"), ["two"], read=lambda name: "1...|..1.|....|....".replace("|", "") + "\n", max_states=50
    )
    assert twice.meets("unique") is False


def test_elsewhere_one_optimal_plan_is_unique() -> None:
    rows = survey(find("boxup"), ["1"])
    assert [(row.optimal_plans, row.unique, row.constrained) for row in rows] == [(1, True, False)]


def test_solutions_are_counted_where_not_all_states_can_be_seen() -> None:
    (row,) = survey(find("sudoku"), ["25-clues"], max_states=100)
    assert (row.status, row.solvable, row.optimal_plans, row.unique) == ("solved_optimally", True, None, True)


def test_orders_of_filling_are_not_explored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a game consists of constraints, or states too many parities to see all states."""
    monkeypatch.setattr("unpuzzle.state_space.surveying.explore", None)
    rows = survey(find("sudoku")) + survey(find("gogen"), limits=Limits(time=60)) + survey(find("crossword"))
    assert all(row.constrained and row.states is None and row.unique is not None for row in rows)
    assert {row.status for row in rows} == {"solved_optimally", "unsolvable"}
    (lights,) = survey(find("lights-out"), ["5x5"], read=lambda _: "11...\n1....\n.....\n.....\n.....\n")
    assert (lights.status, lights.cost, lights.unique, lights.states) == ("solved_optimally", 1, False, None)
    (lights,) = survey(find("lights-out"), ["7x7"], read=lambda _: "11.....\n1......\n" + ".......\n" * 5)
    assert (lights.cost, lights.unique, lights.states) == (1, True, None)


def test_what_is_known_to_be_impossible_is_not_explored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.state_space.surveying.explore", None)
    board = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\ngoal\n0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n"
    (row,) = survey(find("sliding-tiles"), ["far"], read=lambda _: board)
    assert (row.status, row.solvable, row.unique, row.states) == ("unsolvable", False, False, None)
    assert row.message.startswith("parity: the goal (the blank, then the tiles in order) ")


def test_an_objective_that_a_level_does_not_have_is_refused_before_anything_is_explored() -> None:
    seen = list[int]()
    with pytest.raises(UnsupportedFeature, match="pushes"):
        explore_or_search(find("hanoi").parse("A: 2 1\nB:\nC:\n"), objective="pushes", progress=seen.append)
    assert seen == []
