"""A PuzzleScript game as a game of unpuzzle."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random

import pytest

from support.puzzlescript_data import trace
from support.script_texts import script
from unpuzzle import solve, translators
from unpuzzle.base.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.model.replaying import replay
from unpuzzle.puzzlescript.compiling.compiled import LONG, bits
from unpuzzle.puzzlescript.engine import states
from unpuzzle.puzzlescript.engine.engine import PythonEngine
from unpuzzle.puzzlescript.engine.states import Draws, draws_at
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.puzzlescript.rules import engine_of
from unpuzzle.testing import laws

TWO_LEVELS = "message Push it\n\n#####\n#p*o#\n#####\n\nmessage Now twice.\n\n######\n#p*.o#\n#..*o#\n######"
GAME = game_of(script(levels=TWO_LEVELS), "test")
RESTARTING = game_of(
    script(rules="late [ Player Target ] -> checkpoint\nlate [ Player | Wall ] -> restart", levels="p.o.#", wins=""),
    "back",
)
CHANCE = "[ stationary Crate ] -> [ randomdir Crate ]"
SEEDED = game_of(script(rules=CHANCE, levels="p..\n.*.\n...", wins=""), "chance")

test_laws = laws(game_of(script(levels="#####\n#p*o#\n#...#\n#####\n\np.*o\n.*.o"), "laws"))


def test_levels_are_numbered_with_messages_and_named_by_them() -> None:
    assert list(GAME.levels) == ["1", "3"]
    assert GAME.levels["now twice"] == GAME.levels["3"]
    assert "Push it" in GAME.levels
    assert "elsewhere" not in GAME.levels


def test_a_file_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "two levels.txt"
    file.write_text(script(levels=TWO_LEVELS, title="Two levels"))
    game = translators.find(file)
    assert (game.name, game.title) == ("two levels", "Two levels")
    assert solve(game.parse(game.levels["1"])).moves == ("r",)
    assert pickle.loads(pickle.dumps(game)).levels == game.levels
    with pytest.raises(ParseError, match="there is no such file"):
        translators.find(tmp_path / "none.txt")


def test_positions_are_boards_or_rows_of_glyphs() -> None:
    position = GAME.parse("P*O\n...")
    text = "background player,background crate,background target/background,background,background\n"
    assert str(position) == text
    assert GAME.parse(text) == position
    assert position.draw() == "p*o\n..."
    assert position.moves() == ("d", "r")
    won = position.apply("r")
    assert str(won).endswith("\nwon\n")
    assert won.solved()
    assert pickle.loads(pickle.dumps(won)) == won
    assert won.apply("l").solved()
    command = game_of(script(rules="[ > Player | Crate ] -> win", levels="p*o", wins=""), "command").parse("p*o")
    assert not command.apply("r").apply("l").solved()


def test_what_changes_nothing_is_no_move() -> None:
    position = GAME.parse("#p#*")
    assert position.moves() == ()
    with pytest.raises(IllegalMove, match="it changes nothing"):
        position.apply("r")
    with pytest.raises(IllegalMove, match="the moves are u, l, d, r, x"):
        position.apply("t")
    with pytest.raises(IllegalMove, match="the moves are u, l, d, r"):
        game_of(script(prelude="noaction"), "no action").parse("p").apply("x")


def test_endless_again_is_no_move() -> None:
    rules = "[ Crate ] -> [ Target ] again\n[ Wall ] -> [ Crate ] again\nlate [ Target ] -> [ Wall ]"
    game = game_of(script(rules=rules, levels="p*.", wins=""), "endless")
    with pytest.raises(IllegalMove, match="500 turns of `again`"):
        game.parse("p*.").apply("r")


def test_a_level_that_never_comes_to_rest_is_refused() -> None:
    rules = "[ Crate ] -> [ Target ] again\n[ Wall ] -> [ Crate ] again\nlate [ Target ] -> [ Wall ]"
    game = game_of(script(rules=rules, levels="p*.", wins="", prelude="run_rules_on_level_start"), "endless")
    with pytest.raises(ParseError, match="never comes to rest"):
        game.parse("p*.")
    assert trace(game, "0", "r", engine_of("python", game.compiled)).capped


def test_rows_of_glyphs_that_look_like_names_are_rows() -> None:
    text = script(levels="11\np1").replace("Crate\norange", "11\norange").replace("Crate", "11").replace("* =", "1 =")
    assert game_of(text, "digits").parse("11\np1").draw() == "11\np1"


def test_boards_without_ground_come_back() -> None:
    game = game_of(script(rules="[ Crate ] -> [ no Background ]", levels="p*\n..", wins=""), "bare")
    bare = game.parse("p*\n..").apply("d")
    assert str(bare) == "background,/background player,background\n"
    assert game.parse(str(bare)) == bare


def test_a_restart_target_is_part_of_a_position() -> None:
    start = RESTARTING.parse("p.o.#")
    there = replay(start, "rr").position
    board = "background,background,background player target,background,background wall"
    assert str(there) == f"{board}\nrestart {board}\n"
    assert RESTARTING.parse(str(there)) == RESTARTING.parse(board) == there
    with pytest.raises(IllegalMove, match="changes nothing"):
        there.apply("r")


def test_numbers_that_were_drawn_are_drawn_again() -> None:
    draws = Draws("a")
    for _ in range(2345):
        draws.below(2)
    assert draws.below(10**9) == draws_at("a", 2345).copy().below(10**9)
    assert draws_at("a", 200_000).drawn == 200_000


def test_a_level_with_faults_is_what_the_compiler_makes_of_it() -> None:
    game = game_of(script(levels="p*o?"), "faulty")
    start = game.parse(game.levels["0"])
    assert [game.compiled.objects[n] for n in bits(start.state.cells[3])] == []  # nor is a background put there
    assert solve(start).cost == 1
    with pytest.raises(ParseError, match="is not a glyph"):
        game.parse("p*.o?")


def test_members_of_long_sets_are_those_of_short_ones() -> None:
    rng = Random(3)
    for _ in range(20):
        number = rng.getrandbits(3 * LONG) & rng.getrandbits(3 * LONG)
        assert list(bits(number)) == [place for place in range(3 * LONG) if number >> place & 1]


def test_chance_needs_a_seed() -> None:
    with pytest.raises(UnsupportedFeature, match="this rule is random") as caught:
        SEEDED.parse("p.*").moves()
    assert caught.value.line == 39
    level = "p..\n.*.\n...\n\nseed a"
    played = [str(replay(SEEDED.parse(level), "dddd").position) for _ in range(2)]
    assert played[0] == played[1]
    assert SEEDED.parse(played[0]).moves()
    assert "seed a " in played[0]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the text is empty"),
        ("p*q", 1, "the character q is not a glyph"),
        ("background,background/background", 1, "is 1 wide, but the first row is 2"),
        ("background crate wall", 1, "wall and crate are in one layer"),
        ("background player\nwon much", 2, "after the board, only these lines are allowed"),
        ("background player\nrestart background,background", 2, "of the same size"),
        ("background player\nrestart dragon", 2, "no object dragon"),
        ("p" * 1001 + "\n." * 1000, 1, "a board of 1,001 x 1,001 cells"),
        ("p*o\n\nseed", 3, "after the board, only these lines are allowed"),
        ("p*o\n\nseed 1 1000001", 3, "at most 1,000,000 drawn"),
        (f"p*o\n\nseed 1 {'9' * 5000}", 3, "at most 1,000,000 drawn"),
    ],
)
def test_refused_positions(text: str, line: int, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        GAME.parse(text, "level")
    assert (caught.value.file, caught.value.line) == ("level", line)


def test_a_trace_goes_through_levels() -> None:
    found = trace(GAME, "1", "rlrr", engine_of("python", GAME.compiled), through=True)
    second = GAME.text.board(GAME.compiled.levels[3].cells, 6, 4)
    assert found.boards[0] == second
    assert found.won is None
    assert trace(GAME, "1", "rlrr", engine_of("python", GAME.compiled)).won == 1


def test_the_engine_says_what_follows_a_state() -> None:
    engine = PythonEngine(GAME.compiled)
    state = GAME.parse("p*o").state
    assert engine.successors(state, "rl") == [engine.after(state, "r"), state]


def test_a_refusal_of_an_indented_row_shows_it_as_it_is_written():
    with pytest.raises(ParseError) as caught:
        GAME.parse("#.#\n  #?#\n")
    assert (caught.value.line, caught.value.column, caught.value.text) == (2, 4, "  #?#")


def test_the_source_of_chance_is_keyed_once_for_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    keyed: list[str] = []

    class Noted(states.Draws):
        def __init__(self, seed: str) -> None:
            keyed.append(seed)
            super().__init__(seed)

    monkeypatch.setattr(states, "Draws", Noted)
    states.draws_at.cache_clear()
    position = GAME.parse(GAME.levels["1"])
    for move in position.moves():
        position.apply(move).moves()
    assert keyed == [""]
