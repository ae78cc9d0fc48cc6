"""Keys, words and layout of pages in a real browser: what players press, read and see."""

from typing import Any

import pytest

from support.browser import bundled
from support.script_texts import script
from unpuzzle import find
from unpuzzle.play.web_page import PlayableLevel, page
from unpuzzle.puzzlescript.game import game_of

SCRIPT = script(
    prelude="author Ada <b>\nhomepage www.example.org/games",
    levels="message Mind the wall\n\n#######\n#.p*o.#\n#.....#\n#######\n\n"
    "message Well\nmessage done\n\np#*o\n\nmessage The end",
)
"""A level, one that cannot be solved; messages before, between and after."""
TWO_SIDED = script(
    rules="[ action Player | Crate ] -> [ Player | ]\n[ > Player | Crate ] -> [ > Player | > Crate ]",
    levels="p*.\n...",
    wins="no Crate",
)
PHONES = [(740, 340), (667, 331), (568, 320)]
TOUCH = {"has_touch": True, "is_mobile": True}


def levels_of(text: str, *names: str) -> list[PlayableLevel]:
    game = game_of(text, "game")
    return [PlayableLevel.of(game.parse(game.levels[name]), name) for name in names]


# ---- keys


@pytest.mark.parametrize(
    ("keys", "moves"),
    [
        ("d", "r"),
        ("D", "r"),
        ("d s a w", "rdlu"),
        ("r", ""),
        ("l", ""),
        ("d d r", "rr%21"),
        ("d d r z", "rr"),
        ("d r r d z z", "r"),
        ("d s z", "r"),
        ("d s u", "r"),
        ("ArrowRight ArrowDown Backspace", "r"),
        ("s s d z z y", "d"),
    ],
)
def test_letters_are_keys_where_moves_are_directions(keys: str, moves: str, opened: Any) -> None:
    game = game_of(script(levels="......\n.p*.o.\n......"), "game")
    window = opened(page([PlayableLevel.of(game.parse(game.levels["0"]))]))
    window.press(*keys.split())
    address = window.address()
    assert address == (f"moves={moves}" if moves else ""), keys


@pytest.mark.parametrize("key", ["x", "X", "Enter"])
def test_x_and_enter_act(key: str, opened: Any) -> None:
    window = opened(page(levels_of(TWO_SIDED, "0")))
    window.press(key)
    assert window.text("score").startswith("✓ Solved: 1 move")
    assert "X or Enter acts" in window.text("keys")
    assert [each.inner_text() for each in window.page.query_selector_all("#pad button")] == ["↑", "←", "↓", "→", "Act"]


def test_enter_on_a_button_presses_the_button(opened: Any) -> None:
    window = opened(page(levels_of(TWO_SIDED, "0")))
    window.page.get_by_role("button", name="right", exact=True).focus()
    window.press("Enter")
    assert window.address() == "moves=r"


def test_a_compass_has_the_same_keys(opened: Any) -> None:
    window = opened(page([PlayableLevel.of(bundled("pacman", "room"))]))
    start = bundled("pacman", "room")
    keys = dict(zip("NWSE", "wasd", strict=True))
    move = start.moves()[0]
    window.press(keys[move])
    assert window.address() == f"moves={move}"


def test_in_other_games_letters_are_no_commands(opened: Any) -> None:
    window = opened(page([PlayableLevel.of(bundled("hanoi", "3"))]))
    window.press("a", "c", "u", "z", "r")
    assert window.address() == "moves=AC"
    assert "letters type the name of a move" in window.text("keys")
    window.press("Backspace")
    assert window.address() == ""


def test_the_keys_are_shown(opened: Any) -> None:
    window = opened(page([PlayableLevel.of(bundled("boxup", "1"))]))
    assert window.text("keys") == "Keys: arrows or W A S D move, Z or U undo, R restart, ? hint, End solution"
    assert window.page.get_attribute("#undo", "title") == "Z or U"


# ---- words


def test_messages_author_homepage_and_titles(opened: Any) -> None:
    window = opened(page(levels_of(SCRIPT, "1", "4")))
    assert "by Ada <b>, www.example.org/games" in window.page.inner_text("header")
    assert window.page.get_attribute("header a", "href") == "https://www.example.org/games"
    assert window.text("message") == "Mind the wall"
    assert window.run("() => [...$('level').options].map((each) => each.text)") == ["1: Mind the wall", "4"]
    window.page.select_option("#level", "1")
    window.page.wait_for_selector("#message:text('Well')")
    assert window.text("message") == "Well\ndone"


def test_a_long_message_is_a_title_in_part(opened: Any) -> None:
    text = script(levels="message Wooden crates are pushed, ice crates are kicked!\n\np*o\n\np.*o")
    window = opened(page(levels_of(text, "1", "2")))
    titles = window.run("() => [...$('level').options].map((each) => each.text)")
    assert titles == ["1: Wooden crates are pushed, ice crates ...", "2"]
    assert window.text("message") == "Wooden crates are pushed, ice crates are kicked!"


def test_a_key_that_never_does_anything_is_not_named(opened: Any) -> None:
    window = opened(page(levels_of(SCRIPT, "1")))
    assert "Enter acts" not in window.text("keys")
    assert "Act" not in [each.inner_text() for each in window.page.query_selector_all("#pad button")]
    window.press("x", "Enter")
    assert window.address() == ""


def test_the_message_after_the_last_level_is_told_when_it_is_solved(opened: Any) -> None:
    text = script(levels="p*o\n\nmessage The end")
    window = opened(page(levels_of(text, "0")))
    assert not window.page.is_visible("#message")
    window.press("d")
    assert window.text("message") == "The end"


@pytest.mark.parametrize("homepage", ["javascript:alert(1)", 'x.org/"onclick="alert(1)', "nowhere", "data:text/html,x"])
def test_only_web_pages_are_linked(homepage: str) -> None:
    text = page(levels_of(script(prelude=f"author Ada\nhomepage {homepage}", levels="p*o"), "0"))
    assert "<a " not in text
    assert "by Ada, " in text


def test_a_level_without_solution_says_so(opened: Any) -> None:
    [level] = levels_of(SCRIPT, "4")
    assert level.unsolvable
    window = opened(page([level]))
    assert window.text("note").startswith("This level cannot be solved: ")


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (lambda: bundled("sokoban", "1"), "Goals: a goal in row "),
        (lambda: bundled("storeroom", "1"), "Goals: all crate on mark; mark in row "),
        (lambda: bundled("hanoi", "3"), "Goals: disc 3 and disc 2 and disc 1 on peg C"),
        (lambda: bundled("sliding-tiles", "3x2"), "tile 1 in row 1, column 2"),
        (lambda: bundled("blocksworld", "sussman"), "block a on block b on block c on the table"),
    ],
)
def test_goals_are_spoken(position: Any, words: str, opened: Any) -> None:
    window = opened(page([PlayableLevel.of(position())]))
    assert words in window.page.inner_text("#scene")


def test_without_hints(opened: Any) -> None:
    window = opened(page([PlayableLevel.of(bundled("boxup", "1"))], hints=False))
    window.press("?", "?", "End")
    assert window.text("score") == "5 moves left at best"
    assert not window.page.is_visible("#hint")
    assert not window.page.is_visible("#show")
    assert "hint" not in window.text("keys")


def test_without_count(opened: Any) -> None:
    window = opened(page([PlayableLevel.of(bundled("boxup", "1"))], count=False))
    assert window.text("score") == "0 moves"
    window.press("ArrowUp", "ArrowLeft", "ArrowDown")
    assert window.text("score") == "3 moves"
    window.press("r", "End")
    window.page.wait_for_selector("#score.solved", timeout=60_000)
    assert window.text("score") == "✓ Solved: 5 moves"


# ---- layout


@pytest.mark.parametrize(("width", "height"), PHONES)
@pytest.mark.parametrize("puzzle", ["boxup", "grass-fire", "sokoban"])
def test_a_landscape_phone_does_not_scroll(puzzle: str, width: int, height: int, opened: Any) -> None:
    names = list(find(puzzle).levels)[:2]
    levels = [PlayableLevel.of(bundled(puzzle, name), name) for name in names]
    window = opened(page(levels), viewport={"width": width, "height": height}, **TOUCH)
    size = window.run("() => [document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]")
    assert size == [width, height]
    buttons = [button for button in window.page.query_selector_all("#pad button, #tools button") if button.is_visible()]
    assert len(buttons) >= 8
    for button in buttons:
        box = button.bounding_box()
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    assert window.page.query_selector("#board").bounding_box()["height"] > 0.9 * height


@pytest.mark.parametrize(("width", "height"), [*PHONES, (360, 640), (390, 700), (1280, 800)])
def test_no_word_touches_its_button(width: int, height: int, opened: Any) -> None:
    window = opened(
        page([PlayableLevel.of(bundled("boxup", "1"))]), viewport={"width": width, "height": height}, **TOUCH
    )
    room = """() => [...document.querySelectorAll("#tools button")].map((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const [text, box] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
        return Math.min(text.left - box.left, box.right - text.right);
    })"""
    assert min(window.run(room)) >= 4


def test_the_board_uses_the_window(opened: Any) -> None:
    window = opened(page([PlayableLevel.of(bundled("sokoban", "1"))]), viewport={"width": 1600, "height": 1000})
    box = window.page.query_selector("#board").bounding_box()
    assert box["height"] > 900 or box["width"] > 1000
