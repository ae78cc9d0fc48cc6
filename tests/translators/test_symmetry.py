"""The eight symmetries of the grid, seen on single levels of each puzzle."""

from __future__ import annotations

import pytest

from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.shared.cells import symmetries
from unpuzzle.translators.sliding_tiles import SlidingTiles


def test_the_eight_of_a_grid():
    found = [(turn.rows, turn.columns, "".join(turn.moved("abcdef"))) for turn in symmetries(2, 3)]
    assert found == [
        (2, 3, "abcdef"),
        (2, 3, "cbafed"),
        (2, 3, "defabc"),
        (2, 3, "fedcba"),
        (3, 2, "adbecf"),
        (3, 2, "daebfc"),
        (3, 2, "cfbead"),
        (3, 2, "fcebda"),
    ]


@pytest.mark.parametrize("turn", symmetries(3, 4))
def test_sides_turn_as_cells_do(turn):
    middle = 5  # all of whose neighbours are in the grid
    for side, neighbour in {"N": 1, "E": 6, "S": 9, "W": 4}.items():
        step = turn.cells[neighbour] - turn.cells[middle]
        assert step == {"N": -turn.columns, "E": 1, "S": turn.columns, "W": -1}[turn.sides[side]]


def texts(position):
    return {str(other) for other in position.symmetries()}


def test_boxes_are_turned_with_their_grid():
    assert texts(Boxup.parse("n! #  W!@\n")) == {
        "n!  #   W!@\n",
        "E!@ #   n!\n",
        "s!  #   W!@\n",
        "E!@ #   s!\n",
        "w!\n#\nN!@\n",
        "S!@\n#\nw!\n",
        "e!\n#\nN!@\n",
        "S!@\n#\ne!\n",
    }


def test_mazes_are_turned():
    assert texts(Pacman.parse("P .\n% %\n")) == {
        *("P .\n% %\n", ". P\n% %\n", "% %\nP .\n", "% %\n. P\n"),
        *("P%\n  \n.%\n", ".%\n  \nP%\n", "%P\n  \n%.\n", "%.\n  \n%P\n"),
    }


def test_what_is_symmetric_has_fewer():
    assert texts(Pacman.parse(".P.\n")) == {".P.\n", ".\nP\n.\n"}


# 1 3 6 / 2 4 7 / 0 5 8 is the board transposed, 0 3 6 / 1 4 7 / 2 5 8 its goal: 1 and 3, 2 and 6, 5 and 7 change names.
TRANSPOSED = "3 1 2\n6 4 5\n0 7 8\n"


def test_tiles_are_renamed_so_that_the_goal_stays_the_default_where_it_can():
    found = texts(SlidingTiles.parse("1 2 0\n3 4 5\n6 7 8\n"))
    assert {text for text in found if "goal" not in text} == {"1 2 0\n3 4 5\n6 7 8\n", TRANSPOSED}
    assert len(found) == 8


def test_names_of_tiles_do_not_count_for_the_canonical_position():
    level = SlidingTiles.parse("8 7 6\n0 4 1\n2 5 3\ngoal\n0 1 *\n3 * *\n* * *\n")
    renamed = SlidingTiles.parse("3 7 6\n0 4 8\n2 5 1\ngoal\n0 8 *\n1 * *\n* * *\n")
    swapped = SlidingTiles.parse("8 7 6\n0 5 1\n2 4 3\ngoal\n0 1 *\n3 * *\n* * *\n")
    other = SlidingTiles.parse("8 7 6\n0 4 1\n2 3 5\ngoal\n0 1 *\n3 * *\n* * *\n")
    assert level.canonical() == renamed.canonical() == swapped.canonical()
    assert level.canonical() != other.canonical()


def test_what_only_looks_alike_is_told_apart():
    assert Boxup.parse("n! @  W!\n").canonical() != Boxup.parse("n! @  E!\n").canonical()
    assert Pacman.parse("P .\n% %\n").canonical() != Pacman.parse("P .\n %%\n").canonical()
    assert SlidingTiles.parse("1 0\n2 3\n").canonical() != SlidingTiles.parse("1 3\n2 0\n").canonical()
