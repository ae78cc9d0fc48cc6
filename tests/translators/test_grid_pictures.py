"""Pictures that grid puzzles have for free: shapes from characters, what lies below, kinds."""

from __future__ import annotations

from unpuzzle.picture import Circle, Text, picture_of
from unpuzzle.translators.shared.grid import GridPuzzle
from unpuzzle.translators.shared.grid_picture import HERO, WALL, below, kinds, shapes_of
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


def test_outside_of_ragged_levels_there_is_nothing() -> None:
    ground, _ = picture_of(Sokoban.parse("  ####\n###  #\n#@$ .#\n######\n"))
    floor = ground.shapes[0]
    assert floor.closed
    assert floor.trains[0] == ((2, 0), (6, 0), (6, 1), (2, 1))
