"""Turns made quickly: what is told of whole sets of cells is what looking cell by cell tells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from support.script_texts import script
from unpuzzle.model.replaying import decoded_moves
from unpuzzle.pddl.linting.faults import check_task
from unpuzzle.puzzlescript.compiling.compiled import WinCondition
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.engine.board import DOWN, LEFT, RIGHT, UP, BoardGrid, board_of, conditions_hold
from unpuzzle.puzzlescript.engine.engine import PythonEngine
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.solving import solve

GAME = compile_game(script())
SETS = st.integers(0, 2 ** len(GAME.objects) - 1)
WINS = st.builds(WinCondition, st.sampled_from([-1, 0, 1]), st.booleans(), st.booleans(), SETS, st.booleans(), SETS)


def has(cell: int, objects: int, whole: bool) -> bool:
    return cell & objects == objects if whole else bool(cell & objects)


def holds(win: WinCondition, cells: list[int]) -> bool:
    """Whether a condition holds, cell by cell."""
    found = [cell for cell in cells if has(cell, win.first, win.first_is_aggregate)]
    on = [win.anything or has(cell, win.second, win.second_is_aggregate) for cell in found]
    return {1: all(on), 0: any(on), -1: not any(on)}[win.quantifier]


@given(st.lists(SETS, min_size=1, max_size=12), st.lists(WINS, max_size=3))
def test_win_conditions_hold_as_they_do_cell_by_cell(cells: list[int], wins: list[WinCondition]) -> None:
    game = GAME._replace(wins=tuple(wins))
    assert conditions_hold(game, board_of(cells, game)) == (bool(wins) and all(holds(win, cells) for win in wins))


@given(st.integers(1, 5), st.integers(1, 5), st.sampled_from([UP, DOWN, LEFT, RIGHT]), st.integers(0, 24))
def test_room_is_how_many_steps_stay_on_the_board(width: int, height: int, direction: int, cell: int) -> None:
    column, row = divmod(cell % (width * height), height)
    dx, dy = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}[direction]
    steps = 0
    while 0 <= column + steps * dx < width and 0 <= row + steps * dy < height:
        steps += 1
    assert BoardGrid(width, height).room(cell % (width * height), direction) == steps


def test_a_plan_by_forking_is_decoded_without_playing_it() -> None:
    level = game_of(script(levels="#######\n#p*..o#\n#######"), "pushed").parse("#######\n#p*..o#\n#######")
    plan = solve(level.task(), "native:blind").plan
    assert plan is not None
    engine = level.game.engine
    assert isinstance(engine, PythonEngine)
    played: list[str] = []

    def successors(state: object, keys: tuple[str, ...]) -> list[None]:
        played.extend(keys)
        raise AssertionError("a turn is made")

    engine.successors = successors  # type: ignore[method-assign, assignment]
    assert "".join(decoded_moves(level, plan)) == "rrr"
    assert not played


def test_the_task_of_a_level_is_sound() -> None:
    for rules in (
        "[ > Player | Crate ] -> [ > Player | > Crate ]",
        "[ > Player | Crate ] -> [ Player | > Crate ] again",
    ):
        level = game_of(script(rules=rules, levels="#######\n#p*..o#\n#.....#\n#######"), "sound").parse(
            "#######\n#p*..o#\n#.....#\n#######"
        )
        task = level.task()
        check_task(task.domain, task.problem)  # raises ParseError for what is not
