"""Pages in a real browser: keys, mouse and fingers, looks and words, addresses, frames and progress."""

from pathlib import Path
from typing import Any

import pytest

from support.browser import Opener, Window, bundled
from support.cars import Cars
from unpuzzle import find, solve
from unpuzzle.model.position import Position
from unpuzzle.play.web_page import PlayableLevel, page
from unpuzzle.rendering.themes import THEMES

SWIPE = """([right, down]) => {
  for (const [type, x, y] of [["pointerdown", 150, 300], ["pointerup", 150 + right, 300 + down]])
    $("board").dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y }));
}"""


# ---- keys, mouse, fingers


def test_a_long_name_of_a_level_does_not_run_into_the_arrow(shown: Opener) -> None:
    with shown(bundled("boxup", "1"), bundled("boxup", "2")) as window:
        assert window.run("() => getComputedStyle(document.getElementById('level')).textOverflow") == "ellipsis"


def test_keys_really_pressed(shown: Opener) -> None:
    with shown(bundled("boxup", "1")) as window:
        window.press("ArrowUp", "a")
        assert window.address() == "moves=UL"
        window.press("Control+z", "Backspace", "Shift+Backspace", "Control+y", "Control+z")
        assert window.address() == "moves=U"
        window.press("?")
        assert window.text("news") == "Hint: left"
        window.press("?", "End")
        window.page.wait_for_selector("#score.solved")
        assert window.text("score") == "✓ Solved: 5 moves, and no way is better"
        window.press("Home")
        assert window.text("score") == "5 moves left at best"
        window.press("Shift+Backspace")
        assert window.address() == "moves=U"


def test_buttons(shown: Opener) -> None:
    with shown(bundled("boxup", "1")) as window:
        button = lambda name: window.page.get_by_role("button", name=name, exact=True)  # noqa: E731
        for name in ("up", "left", "Undo", "Redo", "Undo", "Hint", "Hint"):
            button(name).click()
        assert window.address() == "moves=UL"
        button("up").click(force=True)  # which is not legal
        button("Restart").click()
        assert window.address() == ""
        assert button("Undo").get_attribute("aria-disabled") == "true"


@pytest.mark.parametrize(
    ("puzzle", "name", "points", "moves"),
    [
        ("boxup", "1", [(1.5, 0.5), (0.5, 0.5)], "UL"),
        ("pacman", "room", [(4.5, 5.5)], ""),
        ("lights-out", "3x3", [(0.5, 0.5), (1.4, 2.6)], "r1c1+r3c2"),
        ("sudoku", "4x4", [(1.5, 0.5)], ""),  # one value is left there, but nobody has said it
        ("sliding-tiles", "3x2", [(0.5, 0.5)], ""),
        ("hanoi", "3", [(0.9, 0.7), (7.5, 2)], "AC"),
    ],
)
def test_clicks(puzzle: str, name: str, points: list[tuple[float, float]], moves: str, shown: Opener) -> None:
    with shown(bundled(puzzle, name)) as window:
        for x, y in points:
            window.page.mouse.click(*window.point(x, y))
        assert window.address() == (f"moves={moves}" if moves else "")


def test_a_value_is_chosen_after_its_cell(shown: Opener) -> None:
    with shown(bundled("sudoku", "4x4")) as window:
        window.press("ArrowDown", "2")  # at the first cell, which is full
        assert window.address() == ""
        window.press("ArrowDown", "ArrowDown")
        assert window.text("moves").split() == ["r3c1=2", "r3c1=3"]
        window.press("2")
        assert window.address() == "moves=r3c1%3D2"


def test_letters_of_a_move(shown: Opener) -> None:
    with shown(bundled("hanoi", "3")) as window:
        window.press("a")
        assert window.text("moves").split() == ["AB", "AC"]
        window.press("c", "a", "B")
        assert window.address() == "moves=AC+AB"


def test_fingers_on_a_phone(shown: Opener) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    with shown(bundled("boxup", "3"), bundled("boxup", "1"), **phone) as window:
        for direction in ((50, 4), (-3, 40)):
            window.run(SWIPE, direction)
        window.page.get_by_role("button", name="left", exact=True).tap()
        assert window.address() == "moves=RDL"
        assert window.run("() => document.scrollingElement.scrollWidth") <= 360
        sizes = window.run(
            "() => [...document.querySelectorAll('button')].map((each) => each.getBoundingClientRect().height)"
        )
        assert min(size for size in sizes if size) >= 40


# ---- how it looks, and what is said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours(scheme: Any, shown: Opener) -> None:
    colour = "(style) => getComputedStyle(document.querySelector(style[0]))[style[1]]"
    with shown(bundled("boxup", "3"), color_scheme=scheme) as window:
        assert window.run(colour, ["body", "backgroundColor"]) == _rgb(THEMES[scheme]["paper"])
        assert window.run(colour, ["body", "color"]) == _rgb(THEMES[scheme]["ink"])
        assert window.run(colour, ["#board .paper", "fill"]) == _rgb(THEMES[scheme]["paper"])
        assert window.run(colour, ["#board .floor", "fill"]) == _rgb(THEMES[scheme]["floor"])


def test_a_theme_that_is_asked_for(shown: Opener) -> None:
    with shown(bundled("boxup", "1"), theme="dark") as window:
        assert window.run("() => getComputedStyle(document.body).backgroundColor") == _rgb(THEMES["dark"]["paper"])


def _rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def test_what_a_screen_reader_says(shown: Opener) -> None:
    with shown(bundled("boxup", "1")) as window:
        assert window.page.get_by_role("application", name="Board").count() == 1
        assert window.page.get_attribute("#board", "aria-describedby") == "scene"
        assert "the mover in row 2, column 2" in window.page.inner_text("#scene")
        assert window.page.get_by_role("status").count() == 2
        names = window.run("() => [...document.querySelectorAll('#pad button')].map((each) => each.ariaLabel)")
        assert names == ["up", "left", "down", "right"]
        assert window.page.get_by_role("heading", name="Boxup").count() == 1
        assert window.page.get_attribute("html", "lang") == "en"


# ---- the address, the frame, what is kept, what is locked


def test_moves_in_the_address(shown: Opener) -> None:
    with shown(bundled("boxup", "3"), bundled("boxup", "1"), address="#level=2&moves=UL") as window:
        assert window.text("score") == "3 moves left at best"
        window.run("() => { location.hash = '#level=2&moves=ULDRR' }")
        window.page.wait_for_selector("#score.solved")


def test_an_address_with_nonsense(shown: Opener) -> None:
    with shown(bundled("hanoi", "3"), address="#level=9&moves=AB+BB+AC") as window:
        assert window.address() == "moves=AB"


def test_a_frame_that_may_only_run_scripts(shown: Opener) -> None:
    result = solve(bundled("boxup", "1"))
    frame = result._repr_mimebundle_()["text/html"]
    with shown.text(f"<!doctype html><title>A notebook</title><body data-ready=1><p>cell</p>{frame}") as window:
        inside = window.page.frame_locator("iframe")
        inside.locator("#show").click()
        inside.locator("#score.solved").wait_for()
        inside.locator("#restart").click()
        inside.locator("#board").press("ArrowUp")
        assert inside.locator("#score").inner_text() == "4 moves left at best"


def test_a_frame_that_may_keep_nothing(shown: Opener) -> None:
    text = page([PlayableLevel.of(bundled("boxup", name), name) for name in ("1", "2")])
    quoted = text.replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe sandbox="allow-scripts" srcdoc="{quoted}"></iframe>'
    with shown.text(f"<!doctype html><title>x</title><body data-ready=1>{frame}") as window:
        inside = window.page.frame_locator("iframe")
        for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"):
            inside.locator("#board").press(key)
        assert inside.locator("#solved").inner_text() == "1 of 2 solved"


def test_progress_is_kept(shown: Opener) -> None:
    levels = [PlayableLevel.of(bundled("boxup", name), name) for name in ("1", "2")]
    with shown(*levels) as window:
        window.press("?", "?", "End")  # solved with help, which does not count
        window.page.wait_for_selector("#score.solved")
        assert window.text("solved") == "0 of 2 solved"
        window.press("Home", *("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"))
        assert window.text("solved") == "1 of 2 solved"
        window.page.get_by_role("button", name="Next").click()
        window.page.wait_for_selector("#score:text('14 moves left')")
        assert window.address() == "level=2"
        window.page.reload()
        window.page.wait_for_selector("body[data-ready]")
        assert window.text("solved") == "1 of 2 solved"
        assert window.text("score") == "14 moves left at best"
        assert window.run("() => [...$('level').options].map((each) => each.text)") == ["✓ 1", "2"]
        window.page.select_option("#level", "0")
        window.page.wait_for_selector("#score:text('5 moves left')")


def test_nothing_is_loaded_and_nothing_else_runs(shown: Opener) -> None:
    with shown(bundled("boxup", "1")) as window:
        assert [url for url in window.requests if not url.startswith("file:")] == []
        assert len(window.requests) == 1
        tried = """() => new Promise((done) => {
            const blocked = [];
            document.addEventListener("securitypolicyviolation", (event) => {
                if (blocked.push(event.effectiveDirective) === 3) done(blocked.sort());
            });
            const add = (name, values) => document.body.append(Object.assign(document.createElement(name), values));
            add("img", { src: "https://example.org/x.png" });
            add("script", { textContent: "window.ran = 1" });
            add("style", { textContent: "body { color: red }" });
        })"""
        assert window.run(tried) == ["img-src", "script-src-elem", "style-src-elem"]
        assert window.run("() => window.ran") is None
        window.errors.clear()  # the browser has told of these three


# ---- Pieces of several cells in a real browser: dragged by any of their cells, and no text is selected meanwhile


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
