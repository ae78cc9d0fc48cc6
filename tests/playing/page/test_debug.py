"""The rules beside the board, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.browser import Window
from support.script_texts import PUSH, script
from unpuzzle.playing.page.levels import PlayableLevel
from unpuzzle.playing.page.making import page
from unpuzzle.puzzlescript.game import game_of


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
