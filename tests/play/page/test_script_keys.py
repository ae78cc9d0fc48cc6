"""Pages of PuzzleScript games: the clock, games without undo or restart, checkpoints, and what is won."""

from pathlib import Path
from typing import Any

import pytest

from support.browser import Window
from support.script_texts import PUSH, script
from unpuzzle.play.page_data import StateTable
from unpuzzle.play.web_page import PlayableLevel, page
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.state_space.exploration import explore

SAVING = f"{PUSH}\nlate [ Player Target ] -> checkpoint"
TIME = "realtime_interval 0.05\nnoaction"
SLIDING = f"{PUSH}\n[ stationary Crate ] -> [ right Crate ]"


def saving(**parts: str) -> ScriptGame:
    return game_of(script(SAVING, **{"levels": "p.o.*.", "wins": "some Crate on Target", **parts}), "saving")


def level_of(game: ScriptGame, **options: Any) -> PlayableLevel:
    return PlayableLevel.of(game.parse(game.levels["0"]), **options)


def text_of(game: ScriptGame) -> str:
    return page([level_of(game)])


def test_a_page_knows_what_the_keys_of_a_game_do() -> None:
    plain = level_of(game_of(script(), "plain")).head
    assert {"keyed", "interval", "noundo", "norestart", "checkpoints"} & set(plain) == {"keyed"}
    head = level_of(game_of(script(prelude=f"noundo\nnorestart\n{TIME}"), "bare")).head
    assert (head["noundo"], head["norestart"], head["interval"]) == (True, True, 0.05)
    assert "checkpoints" not in level_of(saving(prelude="norestart")).head


@pytest.mark.parametrize("restart", ["", "\n[ action Player ] -> restart"])
def test_checkpoints_are_those_of_the_engine(restart: str) -> None:
    game = game_of(script(SAVING + restart, levels="p.o.*.", wins="some Crate on Target"), "saving")
    start = game.parse(game.levels["0"])
    table, numbers = StateTable(explore(start)), level_of(game).head["checkpoints"]
    told = {tuple(numbers[at : at + 2]): numbers[at + 2] for at in range(0, len(numbers), 3)}
    assert len(told) >= 2
    for state, (position, edges) in enumerate(zip(table.positions, table.edges, strict=True)):
        for move, target in edges:
            play = game.engine.play(position.state)
            play.press(table.moves[move][0])
            saves = "player target" in str(table.positions[target]).split("\n")[0] and not play.outcome().won
            assert ((state, move) in told) == saves or restart
            if (state, move) in told:
                play.press("!")
                assert play.outcome().cells == table.positions[told[state, move]].state.cells


def test_a_large_level_with_checkpoints_is_played_by_positions() -> None:
    level = level_of(saving(levels="p.o.*.\n......\n......"), max_states=5)
    assert level.head["checkpoints"]
    assert "because the game has checkpoints" in level.limitation


# ---- in a browser


def test_without_undo_and_restart(opened: Any) -> None:
    window = opened(text_of(game_of(script(levels="p..*o", prelude="noundo\nnorestart"), "bare")))
    window.press("d", "z", "r", "Backspace", "Home", "y", "d")
    assert window.address() == "moves=rr"
    for name in ("undo", "redo", "restart"):
        assert not window.page.is_visible(f"#{name}")
    assert not {"undo", "restart"} & set(window.text("keys").replace(",", "").split())


def test_a_restart_leads_to_the_last_checkpoint(opened: Any) -> None:
    window = opened(text_of(saving()))
    window.press("d", "d", "d", "r")
    assert window.address() == "moves=rrr%21"
    assert "player in row 1, column 3" in window.page.text_content("#scene")
    window.press("z")
    assert "player in row 1, column 4" in window.page.text_content("#scene")
    window.press("z", "z", "z", "r")  # what was saved stays saved
    assert "player in row 1, column 3" in window.page.text_content("#scene")


def test_a_key_that_changes_nothing_may_set_a_checkpoint(opened: Any) -> None:
    """The crate at the edge does not move, and the rule that would push it saves the board."""
    text = script(f"{PUSH} checkpoint", levels="p..*\n....", wins="no Crate")
    window = opened(text_of(game_of(text, "edge")))
    window.press("s", "d", "w", "d", "d", "a", "r")
    assert "player in row 1, column 3" in window.page.text_content("#scene")
    window.press("z", "z", "z")
    assert "player in row 1, column 2" in window.page.text_content("#scene")


def test_a_clock_ticks_and_can_be_held(opened: Any) -> None:
    window = opened(text_of(game_of(script(SLIDING, levels="p#..\n##..\n*..o", prelude=TIME), "clock")))
    assert window.page.is_visible("#pause")
    window.press("p")
    window.page.wait_for_selector("#score.solved")
    assert window.address() == "moves=ttt"
    assert window.text("pause") == "Start"


def test_a_level_that_is_won_is_over(opened: Any) -> None:
    text = script(levels="p.o#", wins="some Player on Target", prelude="require_player_movement")
    window = opened(text_of(game_of(text, "walk")))
    assert window.page.text_content("#scene").startswith("Not won; ")
    window.press("d", "d", "d", "a")
    assert window.address() == "moves=rr"
    assert window.page.text_content("#scene").startswith("Won; ")
    window.press("z", "d")
    assert window.text("score").startswith("✓ Solved: 2 moves")


# ---- The rules beside the board, in a real browser


def _page(folder: Path) -> str:
    rules = f"{PUSH}\nlate [ Crate Target ] -> [ Target ] sfx1\n[ > Player | Wall ] -> cancel"
    game = game_of(script(rules, levels="p*o.#\n.*..."), "game")
    file = folder / "page.html"
    file.write_text(page([PlayableLevel.of(game.parse(game.levels["0"]), debug=True)]))
    return file.as_uri()


def test_a_step_marks_its_cells_and_shows_the_boards(browser: Any, tmp_path: Path) -> None:
    window = Window(browser)
    window.open(_page(tmp_path))
    assert "Make a move" in window.text("debug")
    window.page.keyboard.press("ArrowRight")
    window.page.wait_for_selector("#debug .step")
    steps = window.page.locator("#debug .step")
    assert steps.count() == 4
    assert "right" in steps.nth(0).inner_text()
    assert PUSH in steps.nth(0).inner_text()
    assert "Late line" in steps.nth(2).inner_text()
    assert "queues sfx1" in steps.nth(3).inner_text()
    steps.nth(0).click()
    assert window.page.locator("#marks .fired").count() == 2
    assert window.page.locator(".boards svg").count() == 2
    assert window.page.locator(".boards figure").nth(1).locator(".arrow").count() == 2
    steps.nth(0).click()
    assert window.page.locator("#marks .fired").count() == 0
    assert not window.errors


def test_keys_that_change_nothing_have_their_rules_too(browser: Any, tmp_path: Path) -> None:
    window = Window(browser)
    window.open(_page(tmp_path))
    window.page.keyboard.press("ArrowUp")
    assert "Key u changes nothing here" in window.text("debug")
    for _ in range(4):
        window.page.keyboard.press("ArrowRight")
    window.page.wait_for_selector("#debug .ends")
    assert "Cancelled" in window.text("debug")
    window.page.keyboard.press("ArrowDown")
    assert "key d" in window.text("debug")
    assert not window.errors
