"""Pieces of several cells in a real browser: dragged by any of their cells, and no text is selected meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.browser import Window
from support.cars import Cars
from unpuzzle import find
from unpuzzle.playing.page.levels import PlayableLevel
from unpuzzle.playing.page.making import page
from unpuzzle.puzzle.position import Position

START = Cars.parse(Cars.levels["1"])
"""The long car in row 1 from the left edge, the short one in row 2 one cell from it, the corner below."""


def dragged(
    browser: Any, folder: Path, position: Position, *ways: tuple[float, float, float, float]
) -> tuple[str, str]:
    """What the address is after drags from a point of the board to another, and what text is selected."""
    file = folder / "level.html"
    file.write_text(page([PlayableLevel.of(position)]), encoding="utf-8")
    window = Window(browser)
    window.open(file.as_uri())
    mouse = window.page.mouse
    for x, y, to_x, to_y in ways:
        mouse.move(*window.point(x, y))
        mouse.down()
        for part in (0.3, 0.6, 1):
            mouse.move(*window.point(x + part * (to_x - x), y + part * (to_y - y)))
        mouse.up()
    answer = window.address(), window.run("() => String(getSelection())")
    assert not window.errors
    window.context.close()
    return answer


@pytest.mark.parametrize(
    ("x", "y", "right", "moves"),
    [
        (0.5, 0.5, 1, "Ar"),
        (1.5, 0.5, 1, "Ar"),
        (2.5, 0.5, 1, "Ar"),
        (2.5, 0.5, 3, "Ar"),  # further than it can go
        (1.5, 1.5, 1, "Br"),
        (2.5, 1.5, 1, "Br"),
        (2.5, 1.5, -1, "Bl"),
        (0.5, 2.5, 1, "Cr"),
        (1.5, 3.5, 1, "Cr"),
        (1.5, 3.5, 2, "Cr+Cr"),
        (0.5, 3.4, 0.6, "Cr"),
        (1.5, 2.5, 1, ""),  # beside the corner
        (3.5, 0.5, -1, ""),  # an empty cell
    ],
)
def test_a_piece_is_dragged_by_any_of_its_cells(
    x: float, y: float, right: float, moves: str, browser: Any, tmp_path: Path
) -> None:
    address, selected = dragged(browser, tmp_path, START, (x, y, x + right, y + 0.1))
    assert address == (f"moves={moves}" if moves else "")
    assert selected == ""


def test_back_and_forth(browser: Any, tmp_path: Path) -> None:
    ways = [(2.5, 0.5, 3.6, 0.5), (2.5, 0.5, 1.4, 0.5)]
    assert dragged(browser, tmp_path, START, *ways)[0] == "moves=Ar+Al"


def test_leaving_the_board_ends_the_drag_and_selects_nothing(browser: Any, tmp_path: Path) -> None:
    assert dragged(browser, tmp_path, START, (2.5, 0.5, 9, 0.5)) == ("moves=Ar", "")


def test_a_click_on_a_cell_that_only_one_move_reaches(browser: Any, tmp_path: Path) -> None:
    assert dragged(browser, tmp_path, START, (3.5, 0.5, 3.5, 0.5))[0] == "moves=Ar"
    assert dragged(browser, tmp_path, START, (2.5, 0.5, 2.5, 0.5))[0] == "moves=Ar"  # the last cell of the car


def test_discs_and_tiles_are_dragged_too(browser: Any, tmp_path: Path) -> None:
    hanoi, tiles = find("hanoi"), find("sliding-tiles")
    discs = hanoi.parse(hanoi.levels["3"])
    assert dragged(browser, tmp_path, discs, (1.3, 0.75, 6.5, 1.7))[0] == "moves=AC"
    start = tiles.parse("1 0\n2 3\n5 4\ngoal\n0 1\n2 3\n5 4\n")
    assert dragged(browser, tmp_path, start, (0.5, 0.5, 1.5, 0.5))[0] == "moves=L"
