"""Pictures of PuzzleScript games: palettes, sprites, what is ground; in a terminal and in files."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from support.command_line import Terminal
from support.script_texts import PUSH, script
from unpuzzle.cli import main
from unpuzzle.play.web_page import PlayableLevel
from unpuzzle.puzzlescript.compiling.objects import COLOURS, DEFAULT, NAMES, PALETTES, colour_of, palette_of
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.puzzlescript.painter import lasting_objects

GAME = game_of(script(levels="#####\n#p*o#\n#####"), "plain")
DRAWN = script(levels="p*o").replace("Player\npink", "Player\npink #0F0 transparent\n.000.\n.111.\n22222\n.000.\n.0.3.")


def names(game: ScriptGame) -> set[str]:
    found = lasting_objects(game.compiled)
    return {name for number, name in enumerate(game.compiled.objects) if found >> number & 1}


def test_every_named_colour_is_in_every_palette() -> None:
    assert {*NAMES, "transparent"} | {name.replace("grey", "gray") for name in NAMES} == COLOURS
    assert len(PALETTES) == 14
    assert all(len(palette) == len(NAMES) for palette in PALETTES.values())


def test_palettes_have_names_and_numbers() -> None:
    assert palette_of("Atari") == palette_of("6") == PALETTES["atari"]
    assert palette_of("14") == PALETTES["whitingjp"]
    assert palette_of("15") == palette_of("nothing") == palette_of("") == PALETTES[DEFAULT]


@pytest.mark.parametrize(
    ("word", "colour"),
    [
        ("Red", "#be2633"),
        ("darkgray", "#697175"),
        ("#0F8", "#00ff88"),
        ("#ABCDEF", "#abcdef"),
        ("transparent", ""),
        ("#12", ""),
        ("#ggg", ""),
    ],
)
def test_colours(word: str, colour: str) -> None:
    assert colour_of(word, PALETTES[DEFAULT]) == colour


def test_a_sprite_is_the_object_s_own() -> None:
    compiled = game_of(DRAWN, "drawn").compiled
    sprites = dict(zip(compiled.objects, compiled.sprites, strict=True))
    pink, green = "#de65e2", "#00ff00"
    assert sprites["player"] == (
        ("", pink, pink, pink, ""),
        ("", green, green, green, ""),
        ("",) * 5,
        ("", pink, pink, pink, ""),
        ("", pink, "", "", ""),  # there is no colour 3
    )
    assert sprites["wall"] == (("#a46422",) * 5,) * 5


def test_the_prelude_says_palette_and_screen() -> None:
    compiled = game_of(script(prelude="color_palette 8\nbackground_color blue"), "ega").compiled
    assert compiled.screen == "#5555ff"
    assert compiled.sprites[compiled.objects.index("wall")][0][0] == "#aa5500"
    assert GAME.compiled.screen == "#000000"


def test_what_no_rule_changes_is_ground() -> None:
    assert names(GAME) == {"background", "wall", "target"}
    position = GAME.parse(GAME.levels["0"])
    assert sorted(piece[0] for piece in position.pieces()) == ["crate", "player"]


@pytest.mark.parametrize(
    ("rules", "changes"),
    [
        ("[ Player | Wall ] -> [ Player | ]", "wall"),
        ("[ Player | no Wall ] -> [ Player | Wall ]", "wall"),
        ("[ > Player | Wall ] -> [ > Player | > Wall ]", "wall"),
        ("[ Player | Background ] -> [ Player | random Target ]", "target"),
        ("[ Player | Target ] -> [ Player | randomdir Target ]", "target"),
        ("late [ Crate | ] -> [ Crate | Target ]", "target"),
        ("[ Player | ] -> [ Player | Crate ]", "wall"),
    ],
)
def test_what_a_rule_may_change_is_none(rules: str, changes: str) -> None:
    assert changes not in names(game_of(script(rules=rules), "changing"))


def test_what_lies_above_something_that_changes_is_a_piece() -> None:
    above = script(levels="p*o").replace("Target\nPlayer, Wall, Crate", "Player, Wall, Crate\nTarget")
    game = game_of(above, "above")
    pieces = game.parse("p*o").pieces()
    assert "target" in names(game)
    assert [piece[0] for piece in pieces] == ["player", "crate", "target"]


def test_grounds_stay_in_random_play() -> None:
    rng = Random(7)
    game = game_of(script(rules="[ > Player | Crate ] -> [ > Player | Target ]", levels="p*.*\n.*.#"), "walk")
    position = game.parse(game.levels["0"])
    first = position.ground()
    for _ in range(30):
        position = position.apply(rng.choice(position.moves()))
        assert position.ground() == first


def test_a_player_that_turns_is_one_piece() -> None:
    turning = script(legend="Hero = Player or Wall").replace("Player\npink", "PlayerA\npink\n\nPlayerB\nred")
    turning = turning.replace("P = Player", "P = PlayerA\nPlayer = PlayerA or PlayerB").replace(
        "Player, Wall", "PlayerA, PlayerB, Wall"
    )
    pieces = game_of(turning, "turning").parse("p*o").pieces()
    assert ("playera", 0, 0, "player") in pieces


def test_in_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(script(levels="p*o"))

    def drawn(**variables: str) -> str:
        for name in ("NO_COLOR", "TERM", "COLORTERM", "COLUMNS"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {"COLUMNS": "80", **variables}.items():
            monkeypatch.setenv(name, value)
        terminal = Terminal()
        monkeypatch.setattr("sys.stdout", terminal)
        assert main(["draw", str(file), "0"]) == 0
        return terminal.getvalue()

    assert drawn(NO_COLOR="1") == drawn(TERM="dumb") == drawn(COLUMNS="14") == "p*o\n"
    assert drawn(COLORTERM="truecolor").count("\n") == 3
    assert "38;2;222;101;226" in drawn(COLORTERM="truecolor")
    assert "38;2" not in drawn()
    assert "38;5;" in drawn()


def test_a_gif_of_a_solution(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    pytest.importorskip("resvg_py")
    (tmp_path / "game.txt").write_text(script(levels="p*o"))
    assert main(["solve", str(tmp_path / "game.txt"), "0", "-o", str(tmp_path / "x.gif"), "--quiet"]) == 0
    assert (tmp_path / "x.gif").read_bytes().startswith(b"GIF89a")


@pytest.mark.parametrize(
    "condition", ["all Target on Crate", "all Crate on Target", "some Target on Crate", "no Target on Wall"]
)
def test_those_who_cannot_see_it_hear_of_goals_and_checkpoints_on_the_ground(condition: str) -> None:
    rules = f"{PUSH}\nlate [ Player Flag ] -> checkpoint\nlate [ Player Gem ] -> restart"
    text = script(rules, "p*og.\n..f..", condition, "F = Flag\nG = Gem\n")
    text = text.replace("LEGEND", "Flag\nred\n\nGem\nblue\n\nLEGEND")
    text = text.replace("Target\nPlayer, ", "Target\nFlag, Gem\nPlayer, ")
    game = game_of(text, "flags")
    aims = game.parse(game.levels["0"]).ground().aims
    words = {condition.lower(), "checkpoint at flag", "restart at gem"}
    assert words | {"target in row 1, column 3", "flag in row 2, column 3", "gem in row 1, column 4"} <= set(aims)
    assert not any("player in" in aim or "background in" in aim for aim in aims)
    head = PlayableLevel.of(game.parse(game.levels["0"])).head
    assert tuple(head["goals"]) == aims
