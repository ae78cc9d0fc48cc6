"""The dialect PuzzleScript Plus: each of its options is read, where it changes no level, or refused by name."""

from __future__ import annotations

import pytest

from support.script_texts import PUSH, script
from unpuzzle import solve
from unpuzzle.base.errors import ParseError
from unpuzzle.cli import main
from unpuzzle.puzzlescript.compiling.compiler import compile_game, compile_text
from unpuzzle.puzzlescript.compiling.sections import KNOWN, PLUS_LOOKS, PLUS_PLAY
from unpuzzle.puzzlescript.compiling.text import FaultCollector
from unpuzzle.puzzlescript.game import game_of

OPTIONS = {
    # of PuzzleScript itself, which Plus keeps
    "title": "read",
    "author": "read",
    "homepage": "read",
    "background_color": "read",
    "text_color": "read",
    "color_palette": "read",
    "key_repeat_interval": "read",
    "realtime_interval": "read",
    "again_interval": "read",
    "flickscreen": "read",
    "zoomscreen": "read",
    "youtube": "read",
    "run_rules_on_level_start": "read",
    "norepeat_action": "read",
    "require_player_movement": "read",
    "debug": "read",
    "verbose_logging": "read",
    "throttle_movement": "read",
    "noundo": "read",
    "noaction": "read",
    "norestart": "read",
    "scanline": "read",
    # screens and menus
    "smoothscreen": "read",
    "smoothscreen_debug": "read",
    "tween_length": "read",
    "tween_easing": "read",
    "tween_snap": "read",
    "sprite_size": "read",
    "custom_font": "read",
    "font_size": "read",
    "message_text_align": "read",
    "text_controls": "read",
    "text_message_continue": "read",
    "level_select": "read",
    "level_select_lock": "read",
    "level_select_unlocked_ahead": "read",
    "level_select_unlocked_rollover": "read",
    "level_select_solve_symbol": "read",
    "continue_is_level_select": "read",
    "show_level_title_in_menu": "read",
    "skip_title_screen": "read",
    "settings": "read",
    "title_color": "read",
    "author_color": "read",
    "keyhint_color": "read",
    "status_line": "read",
    "allow_undo_level": "read",
    "sitelock_origin_whitelist": "read",
    "sitelock_hostname_whitelist": "read",
    "runtime_metadata_twiddling": "read",
    "runtime_metadata_twiddling_debug": "read",
    # names, rules and inputs
    "case_sensitive": "refused",
    "local_radius": "refused",
    "nokeyboard": "refused",
    "mouse_left": "refused",
    "mouse_drag": "refused",
    "mouse_up": "refused",
    "mouse_right": "refused",
    "mouse_rdrag": "refused",
    "mouse_rup": "refused",
    "mouse_clicks": "refused",
    "mouse_obstacle": "refused",
}
"""Every option of its documentation, and what becomes of a game that has it."""
VALUES = {
    "flickscreen": "5x5",
    "zoomscreen": "5x5",
    "smoothscreen": "flick 5x5 3x3 0.1",
    "color_palette": "ega",
    "background_color": "blue",
    "text_color": "#ffffff",
    "again_interval": "0.1",
    "key_repeat_interval": "0.1",
    "realtime_interval": "0.5",
    "custom_font": "data:font/otf;base64,AAAA(not a comment)",
    "text_controls": "Arrows move. (X acts.)",
}


def test_the_list_is_whole():
    assert {name for name, fate in OPTIONS.items() if fate == "refused"} == PLUS_PLAY
    assert set(OPTIONS) == KNOWN | PLUS_LOOKS | PLUS_PLAY


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_read_or_refused_by_name(name):
    alone = name in ("scanline", "debug", "level_select", "settings") or name.startswith(
        ("no", "run", "req", "verb", "thr")
    )
    prelude = f"{name.upper()} {'' if alone else VALUES.get(name, 'Crate')}".strip()
    text = script(prelude=prelude)
    if OPTIONS[name] == "refused":
        with pytest.raises(
            ParseError, match=f"{name} belongs to the dialect PuzzleScript Plus, and changes the game"
        ) as caught:
            compile_game(text)
        assert (caught.value.line, caught.value.code) == (text.split("\n").index(prelude) + 1, "script-option")
        return
    game = compile_game(text)
    assert (game.faulty or None, game.levels) == (None, compile_game(script()).levels)
    faults = FaultCollector(text)
    compile_text(text, faults)
    assert not faults.errors()


@pytest.mark.parametrize("word", ["undo", "goto 2", "quit", "nosave", "link", "gosub x"])
def test_a_command_that_changes_play_is_refused_by_name(word):
    text = script(rules=f"[ > Player | Crate ] -> {word}\n{PUSH}")
    with pytest.raises(ParseError, match=f"{word.split()[0]} belongs to the dialect .* changes the game") as caught:
        compile_game(text)
    assert "-> " + word in text.split("\n")[caught.value.line - 1]
    assert compile_game(text.replace(word, "log")).faulty
    with pytest.raises(ParseError, match="once belongs to the dialect"):
        compile_game(script(rules=f"once {PUSH}"))


@pytest.mark.parametrize(
    ("before", "section"),
    [("OBJECTS", "TAGS\n====\nkind = a b"), ("LEGEND", "MAPPINGS\n\nkind => turned"), ("LEGEND", "===\nTAGS\n===")],
)
def test_a_section_of_another_dialect_is_refused_by_name(before, section):
    with pytest.raises(ParseError, match=r"(tags|mappings) belongs to the dialect .* changes the game"):
        compile_game(script().replace(before, f"{section}\n\n{before}", 1))


def test_lines_between_levels_name_them_and_are_no_levels():
    plain = compile_game(script())
    rows = plain.levels[0].text
    lines = [
        f"SECTION Easy ones\n\n{rows}\n",
        f"{rows}\n",
        "goto The End\n",
        "section The End",
        "level 3: last\n\n" + rows,
        "message done",
    ]
    text = script().replace(rows, "") + "\n" + "\n".join(lines)
    game = compile_game(text)
    assert [level.text for level in game.levels] == [rows, rows, rows, "done"]
    assert not game.faulty


def test_a_rule_for_the_whole_board_is_a_rule():
    """Without `local_radius` every rule is one."""
    assert compile_game(script(rules=f"global {PUSH}")) == compile_game(script())


def test_pictures_of_another_size_are_left_out():
    """Their objects are squares of their first colour; a picture of 5 by 5 points is as ever."""
    rows = "\n".join(["00111100"] * 8)
    large = script(prelude="sprite_size 8").replace("Crate\norange", f"Crate\norange brown\n{rows}")
    plain = script().replace("Crate\norange", "Crate\norange brown")
    faults = FaultCollector(large)
    game = compile_text(large, faults)
    assert not faults.listed
    for name in ("objects", "layers", "sprites", "wins", "glyphs"):
        assert getattr(game, name) == getattr(compile_game(plain), name)
    five = script(prelude="sprite_size 5").replace("Crate\norange", "Crate\norange\n" + "\n".join(["0.0.0"] * 5))
    assert compile_game(five).sprites != compile_game(script()).sprites


def test_games_of_this_dialect_are_solved_or_refused(tmp_path, capsys):
    costs = []
    for prelude in ("", "tween_length 0.1\nlevel_select\nsprite_size 5\nsmoothscreen 5x5"):
        game = game_of(script(prelude=prelude), "mine")
        costs.append(solve(game.parse(game.levels["0"])).cost)
    assert costs == [1, 1]
    path = tmp_path / "clicks.txt"
    path.write_text(script(prelude="mouse_left Crate"))
    assert main(["solve", str(path), "0"]) == 2
    assert f"{path}:" in (said := capsys.readouterr().err)
    assert "mouse_left belongs to the dialect PuzzleScript Plus, and changes the game: it is not supported" in said
    assert main(["lint", str(path), "--quiet"]) == 1
    assert "mouse_left" in capsys.readouterr().out
