"""A level without a player, and a game without levels: told in a sentence with the line, by every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.script_texts import PUSH, script
from unpuzzle.cli import main
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.solving import solve

TOLD = "this level (line 47) has no player, and no rule does anything without one"


def game_file(tmp_path: Path, rules: str = PUSH, levels: str = "*.o") -> str:
    file = tmp_path / "game.txt"
    file.write_text(script(rules=rules, levels=levels))
    return str(file)


@pytest.mark.parametrize(
    ("words", "code"), [(["solve"], 1), (["check"], 0), (["pddl"], 0), (["trace", "rx"], 0), (["explore"], 0)], ids=str
)
def test_a_level_without_a_player_is_told(
    tmp_path: Path, words: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], game_file(tmp_path), "0", *words[1:]]) == code
    told = capsys.readouterr()
    assert TOLD in told.err + told.out


def test_a_survey_tells_which_level_has_no_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["survey", game_file(tmp_path, levels="p*o\n\n*.o")]) == 1
    assert "level 1: unsolvable: this level (line 49) has no player" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rules", "levels", "cost"),
    [
        ("[ Crate | ] -> [ | Crate ]", "*o", 1),  # rules that act without a player
        ("late [ Crate | no Player ] -> [ Crate | Player ]\n" + PUSH, "*o.", 1),  # that make one
        (PUSH, "...", 1),  # a level that any input wins
    ],
)
def test_levels_without_a_player_can_be_played_where_something_happens(rules: str, levels: str, cost: int) -> None:
    game = game_of(script(rules=rules, levels=levels), "acting")
    level = game.parse(game.levels["0"])
    assert level.impossible() is None
    result = solve(level)
    assert "no player" not in result.message
    if result.solved:
        assert result.cost == cost


def test_a_level_left_to_chance_is_not_judged() -> None:
    game = game_of(script(rules="[ Crate ] -> [ randomdir Crate ]", levels="*.o"), "chance")
    assert game.parse(game.levels["0"]).impossible() is None


@pytest.mark.parametrize("words", [["solve", "0"], ["check", "0"], ["trace", "0", "r"], ["pddl", "0"], ["survey"]])
@pytest.mark.parametrize(
    ("levels", "told"), [("", "has no levels"), ("message Hello\n\nmessage You", "only messages (from line 47 on)")]
)
def test_a_game_without_levels_is_told(
    tmp_path: Path, words: list[str], levels: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = game_file(tmp_path, levels=levels)
    assert main([words[0], file, *words[1:]]) == 2
    assert told in capsys.readouterr().err


def test_a_message_is_no_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = game_file(tmp_path, levels="message Hello\n\np*o")
    assert main(["solve", file, "0"]) == 2
    said = f"number 0 of {file} is not a level, but the message in line 47; its levels are 1"
    assert said in capsys.readouterr().err
