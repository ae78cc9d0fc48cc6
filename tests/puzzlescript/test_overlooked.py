"""What happens in a game and is no move: ticks are moves, and where anything else is left out nothing is unsolvable."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.script_texts import PUSH, script
from unpuzzle import explore, replay, solve
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.cli import main
from unpuzzle.play.web_page import PlayableLevel
from unpuzzle.puzzlescript.debugging.covering import cover_level
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.servers.studio.levels import of_result, of_row
from unpuzzle.state_space.surveying import survey

LATER = "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ stationary Crate ] -> [ right Crate ]"
CLOSED = "p#..\n##..\n*..o"
PLANNERS = [
    "puzzlescript",
    "puzzlescript:bfs",
    "puzzlescript:idastar",
    "rules:bfs",
    "native",
    "native:bfs",
    "reference",
]


def in_real_time(interval: str = "0.5", **parts: str) -> ScriptGame:
    """A crate that slides by itself to its target, whatever a player without room does."""
    prelude = f"realtime_interval {interval}\nrequire_player_movement\nnoaction"
    return game_of(script(**{"rules": LATER, "levels": CLOSED, "prelude": prelude, **parts}), "clock")


@pytest.mark.parametrize("planner", PLANNERS)
def test_a_tick_is_a_move_of_cost_1(planner: str) -> None:
    game = in_real_time()
    level = game.parse(game.levels["0"])
    assert level.moves() == ("t",)
    result = solve(level, planner)
    assert (result.status, result.moves, result.cost) == ("solved_optimally", ("t",) * 3, 3)


def test_ticks_are_explored_surveyed_covered_and_put_into_pddl() -> None:
    game = in_real_time()
    level = game.parse(game.levels["0"])
    exploration = explore(level)
    assert (exploration.complete, exploration.cost, "t" in exploration.moves) == (True, 3, True)
    (row,) = survey(game)
    assert (row.status, row.cost) == ("solved_optimally", 3)
    assert cover_level(game, "0").in_all == (42,)
    actions = [level.decode(action) for action in solve(level.task()).plan or ()]
    assert (len(actions), replay(level, actions).solved) == (3, True)


def test_without_a_clock_there_are_no_ticks() -> None:
    for interval in ("0", "0.0", "soon", "1 second"):  # the reference never ticks then
        game = in_real_time(interval)
        assert "t" not in game.keys
        with pytest.raises(ParseError, match="after the board, only these lines are allowed"):
            game.parse("p#..\n##..\n*..o\n\nticks")
    game = in_real_time(".5 (a half)")
    assert game.parse("p#..\n##..\n*..o\n\nticks") == game.parse("p#..\n##..\n*..o")  # as levels were written before


# ---- what is left out

SLIDE = "[ stationary Crate ] -> [ right Crate ] again"
SAVE = f"{PUSH}\nlate [ Player Target ] -> checkpoint\n"
ROOM = "p.o#*"
KINDS = {
    "more than 500 turns": script(SLIDE, levels=f"p*{'.' * 520}o"),
    "the error in line": script(f"{PUSH}\n[ Crate | Nothing ] -> [ Crate | Target ]", levels="p#*.o"),
    "is random": script("random [ > Player | Crate ] -> [ | Wall ]", levels="#*.\n*p*\n#*o"),
    "where rules run at the start": script(SAVE, levels=ROOM, prelude="run_rules_on_level_start"),
    "`again` may be unfinished": script(SAVE + "[ action Player | Crate ] -> [ Player | ] again", levels=ROOM),
}


@pytest.fixture(params=KINDS)
def left_out(request: pytest.FixtureRequest) -> tuple[str, ScriptGame, str]:
    game = game_of(KINDS[request.param], "left-out", "left-out.txt" if "error" in request.param else None)
    return request.param, game, game.levels["0"] + ("\nseed 1\n" if "random" in request.param else "")


@pytest.mark.filterwarnings("ignore")
def test_no_search_calls_it_unsolvable(left_out: tuple[str, ScriptGame, str]) -> None:
    reason, game, text = left_out
    level = game.parse(text)
    assert level.impossible() is None
    for planner in ("puzzlescript", "puzzlescript:gbfs", "rules:bfs", "rules:dfs"):
        result = solve(level, planner)
        assert (result.status, reason in result.message) == ("gave_up", True), (planner, result.message)
    with pytest.raises(UnsupportedFeature, match="cannot be written as PDDL"):
        level.task()


@pytest.mark.filterwarnings("ignore")
def test_nothing_that_is_explored_calls_it_unsolvable(left_out: tuple[str, ScriptGame, str]) -> None:
    reason, game, text = left_out
    exploration = explore(game.parse(text))
    assert (exploration.complete, exploration.status, exploration.dead_ends) == (False, "gave_up", None)
    assert reason in exploration.reason
    (row,) = survey(game, ["it"], read=lambda name: text)
    assert (row.status, row.solvable, row.unique) == ("gave_up", None, None)
    page = PlayableLevel.of(game.parse(text))
    assert (page.unsolvable, reason in page.limitation) == ("", True)
    covered = cover_level(game, "0")
    assert not covered.whole or "random" not in reason


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("command", ["solve", "explore", "survey", "explain"])
def test_no_command_says_it(
    command: str, left_out: tuple[str, ScriptGame, str], tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    _, game, text = left_out
    file, level = tmp_path / "game.txt", tmp_path / "level.txt"
    file.write_text(game.source)
    level.write_text(text)
    code = main([command, str(file), *([] if command == "survey" and "seed" not in text else [str(level)]), "--json"])
    out, err = capsys.readouterr()
    assert code not in (0, 1), out
    assert "unsolvable" not in out + err
    assert "cannot be" not in (out + err).replace("cannot be written as PDDL", "")


def test_what_is_proved_is_still_said() -> None:
    for rules in (PUSH, f"{PUSH}\nlate [ Player Target ] -> checkpoint", f"{PUSH} again"):
        level = game_of(script(rules, levels="p.o#*"), "closed").parse("p.o#*")
        assert solve(level).status == "unsolvable"
        assert explore(level).cost is None
        assert explore(level).complete


def test_an_optimum_says_what_it_rests_on() -> None:
    rules = f"[ action Player ] [ Wall ] -> [ Player ] [ ]\n{SLIDE}"
    board = f"o.p{'.' * 520}\n*#{'.' * 521}"
    game = game_of(script(rules, levels=board, wins="some Player on Target"), "far")
    result = solve(game.parse(game.levels["0"]))
    assert (result.status, result.condition) == ("solved_optimally", "nothing overlooked is shorter")
    assert json.loads(json.dumps(result.to_dict()))["condition"] == result.condition


def test_the_studio_says_what_an_optimum_rests_on() -> None:
    level = game_of(script(PUSH, levels="p*.o."), "open").parse("p*.o.")
    condition = "nothing overlooked is shorter"
    result = solve(level).replace(condition=condition)
    assert result.status == "solved_optimally"
    [row] = survey(level.game, ["open"], read=lambda _: level)
    for badges in (of_result(level, result), of_row(level, row, condition)):
        assert (badges[0]["tone"], condition in badges[0]["about"]) == ("care", True)


@pytest.mark.filterwarnings("ignore")
def test_an_error_in_one_level_leaves_the_others_as_they_are() -> None:
    text = script(levels="p*o\n\np.o#*\n\np.?#*\n\np*o##?")
    rows = survey(game_of(text, "levels"))
    said = [f"the error in line {line} makes a part of the level unusable" for line in (51, 53)]
    assert [row.status for row in rows] == ["solved_optimally", "unsolvable", "gave_up", "gave_up"]
    assert [[row.message.count(each) for each in said] for row in rows] == [[0, 0], [0, 0], [1, 0], [0, 1]]
    at_start = game_of(text.replace("title", "run_rules_on_level_start\ntitle"), "levels")
    assert {row.status for row in survey(at_start)} == {"gave_up"}  # which level begins with a board is then unknown


@pytest.mark.filterwarnings("ignore")
def test_an_error_elsewhere_concerns_every_level() -> None:
    rows = survey(game_of(script(f"{PUSH}\n[ Crat ] -> [ ]", levels="p*o\n\np.o#*"), "levels", "game.txt"))
    assert {row.status for row in rows} == {"gave_up"}
