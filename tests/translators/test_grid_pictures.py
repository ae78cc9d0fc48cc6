"""Pictures that grid puzzles have for free: shapes from characters, what lies below, kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from unpuzzle import find
from unpuzzle.drawing import ROLES, Circle, Text
from unpuzzle.rendering.scenes import picture_of
from unpuzzle.rendering.themes import THEMES, contrast
from unpuzzle.translators.shared.grid import GridPuzzle
from unpuzzle.translators.shared.pictures import HERO, LETTERS_ON, WALL, below, kinds, shapes_of
from unpuzzle.translators.sokoban.rules import Sokoban


class Lonely(GridPuzzle):
    name = "lonely"
    symbols = {"#": "a wall", ".": "floor", "@": "the walker", "+": "the walker on the flag", "F": "the flag"}
    looks = {"#": "██"}
    solid = "#"

    def following(self):
        return {}

    def solved(self):
        return "F" not in self.cells


def test_what_no_move_changes_is_the_ground() -> None:
    position = Lonely.parse("@.#\n..F\n")
    ground, pieces = picture_of(position)
    assert sorted(pieces) == [("@", 0, 0, "the walker"), ("F", 1, 2, "the flag")]
    assert ground.text == ". . ██\n. . . "
    assert ground is Lonely.parse("..#\n+..\n").ground()
    assert position.draw() == "@ . ██\n. . F"


def test_a_kind_is_what_a_symbol_is_without_where() -> None:
    assert kinds(Lonely) == {"@": "the walker", "+": "the walker", "F": "the flag"}
    assert below(Lonely) == {ord(symbol): under for symbol, under in zip("#.@+F", "#....", strict=True)}


def test_shapes_follow_from_characters() -> None:
    assert shapes_of("@") == HERO
    assert shapes_of("██") == shapes_of("#") == WALL
    assert [type(shape) for shape in shapes_of("Q")] == [Text]
    assert [type(shape) for shape in shapes_of(".")] == [Circle]
    assert shapes_of(" ") == ()


def test_symbols_of_a_kind_look_alike_where_nothing_else_is_known() -> None:
    looks = picture_of(Lonely.parse("@F"))[0].looks
    assert looks["+"].shapes == looks["@"].shapes == HERO
    assert (looks["+"].text, looks["+"].label) == ("+", "the walker on the flag")


def test_a_puzzle_may_say_what_lies_below_and_draw_shapes_of_its_own() -> None:
    class Own(Lonely):
        below = {"@": ".", "+": "F"}
        drawn = {"F": (Circle(0.5, 0.5, 0.4, fill="goal"),)}

    ground, pieces = picture_of(Own.parse("+.#\n..F\n"))
    assert pieces == [("+", 0, 0, "the walker")]
    assert ground.text.split() == ["F", ".", "██", ".", ".", "F"]
    assert ground.looks["F"].shapes == Own.drawn["F"]


# ---- pieces of several cells

RUSH_HOUR = find(str(Path(__file__).parent / "outside" / "rush_hour.py"))


def shaped(text):
    """The one look of a piece of several cells that stands in a text."""

    class Blocks(Lonely):
        symbols = {".": "floor", "A": "a block"}
        joined = "A"

    position = Blocks.parse(text)
    ((look, row, column, kind),) = position.pieces()
    return look, (row, column), kind, position.ground().looks[look]


def test_cells_that_touch_and_hold_the_same_are_one_piece() -> None:
    position = RUSH_HOUR.parse("..AB.\n..AB.\nXXAB.\n.....\n.CC..\n")
    ground, pieces = picture_of(position)
    assert sorted(pieces) == [
        ("A\nA\nA", 0, 2, "a car"),
        ("B\nB\nB", 0, 3, "a car"),
        ("CC", 4, 1, "a car"),
        ("XX", 2, 0, "the car that wants out"),
    ]
    assert position.groups() == ((2, 7, 12), (3, 8, 13), (10, 11), (21, 22))
    assert position.groups("AX") == ((2, 7, 12), (10, 11))
    assert [shape.fill for shape in ground.looks["XX"].shapes] == ["hero", "face"]
    assert [shape.fill for shape in ground.looks["CC"].shapes] == ["tile", "label"]
    assert "A" not in ground.looks
    assert ground == picture_of(position.apply("Cl"))[0]
    assert position.draw() == ". . A B .\n. . A B .\nX X A B .\n. . . . .\n. C C . ."


@pytest.mark.parametrize(
    ("text", "corners"),
    [
        ("A.\nAA", [[(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]]),
        (".AA\nAA.", [[(0, 1), (1, 1), (1, 0), (2, 0), (3, 0), (3, 1), (2, 1), (2, 2), (1, 2), (0, 2)]]),
    ],
)
def test_a_piece_that_is_no_rectangle_has_its_outline(text, corners) -> None:
    look, place, kind, drawn = shaped(text)
    assert (look, place, kind) == (text.replace(".", " "), (0, 0), "a block")
    assert [list(train) for train in drawn.shapes[0].trains] == corners
    letter = drawn.shapes[1]
    assert (letter.x, letter.y) == (text.index("A") + 0.5, 0.5)


def test_a_ring_has_an_outline_within() -> None:
    trains = shaped("AAA\nA.A\nAAA")[3].shapes[0].trains
    assert sorted(map(len, trains)) == [4, 12]
    inner = min(trains, key=len)
    assert set(inner) == {(1, 1), (2, 1), (2, 2), (1, 2)}


def test_a_ring_with_a_corner_in_its_hole_is_outlined_whole() -> None:
    """Where two corners touch, each side is still there once."""
    text = "AAAA\nA.AA\nAA.A\nAAAA"
    trains = shaped(text)[3].shapes[0].trains
    sides = [frozenset(side) for train in trains for side in zip(train, (*train[1:], train[0]), strict=True)]
    assert len(sides) == len(set(sides)) == 16 + 8
    assert all(len(side) == 2 for side in sides)


@pytest.mark.parametrize("role", [role for role in ROLES if role not in LETTERS_ON])
def test_no_letter_is_put_where_it_could_not_be_read(role: str) -> None:
    class Blocks(Lonely):
        symbols = {".": "floor", "A": "a block"}
        joined = "A"
        painted = {"A": role}

    ((look, *_),) = Blocks.parse("AA.").pieces()
    assert not any(isinstance(shape, Text) for shape in Blocks.parse("AA.").ground().looks[look].shapes)


def test_letters_can_be_read_on_what_they_are_put_on() -> None:
    for under, role in LETTERS_ON.items():
        assert min(contrast(theme[role], theme[under]) for theme in THEMES.values()) >= 4.5


def test_outside_of_ragged_levels_there_is_nothing() -> None:
    ground, _ = picture_of(Sokoban.parse("  ####\n###  #\n#@$ .#\n######\n"))
    floor = ground.shapes[0]
    assert floor.closed
    assert floor.trains[0] == ((2, 0), (6, 0), (6, 1), (2, 1))
