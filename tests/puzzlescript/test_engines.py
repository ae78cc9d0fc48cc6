"""The engine in the core gives what the one in Python gives, on random games; it refuses what no compiler makes."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.puzzlescript_data import trace
from support.random_scripts import scripts
from support.script_texts import PUSH, script
from support.thorough import at_most
from unpuzzle.base.errors import ParseError
from unpuzzle.planners.native import _core
from unpuzzle.puzzlescript.compiling.compiled import bits
from unpuzzle.puzzlescript.engine.board import DOWN, LEFT, RIGHT, UP, BoardGrid
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.puzzlescript.rules import engine_of
from unpuzzle.puzzlescript.searching.native_engine import board_bytes, board_of, game_bytes

GAME = game_of(script(), "test")


def compiled(text: str) -> ScriptGame:
    """The game; texts that are none are not tried."""
    try:
        game = game_of(text, "random")
    except ParseError:
        assume(False)
    assume(game.levels)
    return game


@settings(max_examples=at_most(50))
@given(scripts(most=4), st.text("uldrxtz!", max_size=8), st.sampled_from("1a"))
def test_plays_are_equal(text: str, inputs: str, seed: str) -> None:
    game = compiled(text)
    found = [trace(game, "0", inputs, engine_of(name, game.compiled), seed) for name in ("python", "native")]
    for name in ("start", "boards", "won", "capped", "endless"):
        assert getattr(found[0], name) == getattr(found[1], name), name


@settings(max_examples=at_most(40))
@given(scripts(again=False, most=9), st.text("uldrx", min_size=1, max_size=6))
def test_successors_are_equal(text: str, keys: str) -> None:
    game = compiled(text)
    state = game.parse(game.levels["0"] + "\nseed 7\n").state
    python, native = (engine_of(name, game.compiled) for name in ("python", "native"))
    for key in keys:
        after = python.successors(state, "uldrxt")
        assert native.successors(state, "uldrxt") == after
        state = python.after(state, key) or state
        assert native.started(state) == python.started(state)


@pytest.mark.parametrize("name", ["python", "native"])
def test_an_input_is_followed_by_500_turns_of_again_at_most(name: str) -> None:
    """A crate that goes on by one cell in each turn, the first of which is the input's own."""
    rules = "[ Crate ] -> [ right Crate ] again"
    for cells, capped in ((501, False), (502, True)):
        game = game_of(script(rules=rules, levels=f"p*{'.' * cells}", wins=""), "sliding")
        assert trace(game, "0", "x", engine_of(name, game.compiled)).capped == capped


def test_boards_come_back() -> None:
    for objects in (3, 64, 65, 200):
        cells = (0, 1, (1 << objects) - 1)
        assert board_of(board_bytes(cells, objects), objects) == cells


def test_a_game_that_is_kept_until_the_end_is_no_leak() -> None:
    code = (
        "import sys, unpuzzle; game = unpuzzle.find('ice-walk'); unpuzzle.solve(game.parse(game.levels['1'])); "
        "import builtins; builtins.kept = game"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == ""


# ---- what no compiler makes


def core(data: bytes) -> _core.ScriptGame:
    return _core.ScriptGame(data)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_late_rules_run_after_those_of_rigid_bodies(engine: str) -> None:
    rules = f"rigid {PUSH}\nlate [ Player | Crate ] -> [ Player | Wall ]"
    game = game_of(script(rules=rules, levels="p*.o*"), "rigid")
    (board,) = trace(game, "0", "r", engine_of(engine, game.compiled)).boards
    assert board.split(",")[2] == "background wall"


def test_data_that_are_cut_or_changed_are_refused_or_play() -> None:
    """Whatever the core takes for a game can be played."""
    pull = "rigid [ Crate | ... | Wall ] -> [ > Crate | ... | Wall ]"
    rules = f"{PUSH}\n{pull}\nlate random [ Crate ] -> [ random Thing ] again"
    game = game_of(script(rules=rules, levels="p*o\n..*", legend="Thing = Wall or Crate"), "test")
    data, random, taken = game_bytes(game.compiled), Random(5), 0
    cells = board_bytes(game.compiled.levels[0].cells, len(game.compiled.objects))
    for _ in range(3000):
        changed = bytearray(data)
        for _ in range(random.choice((1, 1, 3))):
            changed[random.randrange(len(data))] = random.choice((0, 1, 2, 7, 64, 128, 255))
        if random.random() < 0.1:
            changed = changed[: random.randrange(len(data))]
        try:
            found = core(bytes(changed))
            play = _core.ScriptPlay(found, 3, 2, cells, None, b"1", 0, True, True)
            play.press("rdlux!zt")
            level = _core.ScriptLevel(found, 3, 2, cells, None, False, None, 0, "urx")
            level.search("astar", "sum", False, [1], max_expanded=50)
            level.space(max_states=50)
            taken += 1
        except ValueError:
            continue
    assert taken > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, b""), "no board of 0 by 1"),
        ((1 << 30, 1 << 30, b""), "no board of"),
        ((3, 1, bytes(16)), "has 24 bytes, not 16"),
        ((1, 1, b"\xff" * 8), "there is no object"),
    ],
)
def test_boards_that_the_game_cannot_have_are_refused(arguments: tuple[int, int, bytes], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.ScriptPlay(core(game_bytes(GAME.compiled)), *arguments, None, b"", 0, True, True)


def test_keys_and_draws_that_there_are_not_are_refused() -> None:
    play = _core.ScriptPlay(core(game_bytes(GAME.compiled)), 1, 1, bytes(8), None, b"", 0, True, True)
    with pytest.raises(ValueError, match="no key q"):
        play.press("q")
    with pytest.raises(ValueError, match="numbers drawn"):
        play.set(bytes(8), None, -1)


def test_numbers_that_do_not_fit_are_refused() -> None:
    for changed in (GAME.compiled._replace(player=1 << 70), GAME.compiled._replace(player=-1)):
        with pytest.raises((OverflowError, ValueError)):
            game_bytes(changed)
    group = GAME.compiled.rules[0]._replace(jump=99)
    with pytest.raises(ValueError, match="99 is not in"):
        core(game_bytes(GAME.compiled._replace(rules=(group,))))


@given(*[st.integers(1, 7)] * 3, st.sampled_from([UP, DOWN, LEFT, RIGHT]))
def test_anchors_are_the_cells_with_room(width: int, height: int, length: int, direction: int) -> None:
    grid = BoardGrid(width, height)
    wanted = [cell for cell in range(width * height) if grid.room(cell, direction) >= length]
    assert list(bits(grid.anchors(direction, length))) == wanted
