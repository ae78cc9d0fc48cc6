"""Sliding tiles: known figures, exact impossibility, the text's refusals."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.arrangements import distances
from support.thorough import at_most
from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.translators.sliding_tiles import SlidingTiles


def manhattan(position):
    """The distance of all tiles from their place in the usual goal of a 4×4 board."""
    return sum(abs(t // 4 - cell // 4) + abs(t % 4 - cell % 4) for cell, t in enumerate(position.tiles) if t)


def matches(tiles, goal):
    return all(wanted in (None, tile) for tile, wanted in zip(tiles, goal, strict=True))


def level(name):
    return SlidingTiles.parse(SlidingTiles.levels[name])


@pytest.fixture(scope="module")
def eight():
    """Distances to the usual goal of the 8-puzzle; a move can be undone, so they are those from it, too."""
    return distances(tuple(range(9)), 3)


# ---- known figures


def test_the_eight_puzzle(eight):
    assert len(eight) == 181_440
    assert max(eight.values()) == 31
    hardest = {tiles for tiles, length in eight.items() if length == 31}
    assert hardest == {level("8-hard").tiles, level("8-harder").tiles}


def test_the_unsolvable_one(eight):
    assert level("8-unsolvable").tiles not in eight
    assert level("8-unsolvable").impossible().startswith("parity: ")
    assert [name for name in SlidingTiles.levels if level(name).impossible()] == ["8-unsolvable"]


def test_fifteen_puzzle_of_a_course_notebook():
    position = level("15-notebook")
    assert str(position) == " 0 14  8 12\n10 11 13  9\n 6  2  4 15\n 3  5  7  1\n"
    assert manhattan(position) == 52


# ---- impossible, exactly


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (1, 3), (3, 1), (1, 4), (1, 1), (1, 2)])
def test_impossible_is_exact_on_tiny_boards(rows, columns):
    """For every start, and every goal with every set of don't cares."""
    size = rows * columns
    start = tuple(Random(size).sample(range(size), size))
    reached = set(distances(start, columns))
    for goal in permutations(range(size)):
        for mask in range(2**size):
            wanted = tuple(None if mask >> i & 1 else tile for i, tile in enumerate(goal))
            position = SlidingTiles.parse(text(start, wanted, columns))
            assert (position.impossible() is None) == any(matches(tiles, wanted) for tiles in reached), str(position)


@pytest.fixture(scope="module")
def reachable():
    """Both halves of the arrangements of a 2×3 and of a 3×2 board."""
    halves = {}
    for columns in (2, 3):
        for start in ((0, 1, 2, 3, 4, 5), (0, 2, 1, 3, 4, 5)):
            half = frozenset(distances(start, columns))
            halves |= {(columns, tiles): half for tiles in half}
    return halves


@given(st.sampled_from([2, 3]), st.permutations(range(6)), st.permutations(range(6)), st.sets(st.integers(0, 5)))
@settings(max_examples=at_most(150), derandomize=True, deadline=None)
def test_impossible_is_exact_on_six_cells(reachable, columns, start, goal, wild):
    wanted = tuple(None if cell in wild else tile for cell, tile in enumerate(goal))
    position = SlidingTiles.parse(text(start, wanted, columns))
    possible = any(matches(tiles, wanted) for tiles in reachable[columns, tuple(start)])
    assert (position.impossible() is None) == possible


def text(tiles, goal, columns):
    words = ["*" if tile is None else str(tile) for tile in (*tiles, *goal)]
    lines = [" ".join(words[i : i + columns]) for i in range(0, len(words), columns)]
    return "\n".join([*lines[: len(lines) // 2], "goal", *lines[len(lines) // 2 :]])


# ---- text and rules


FIRST, LAST = ("the goal is the blank, then the tiles in order",), ("the goal is the tiles in order, then the blank",)


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (1, 4), (4, 1), (1, 1), (1, 2)])
def test_a_text_without_a_goal_has_the_usual_goal_that_can_be_reached(rows, columns):
    """For every arrangement; only with even numbers of rows and of columns can exactly one goal be reached."""
    size, seen = rows * columns, set()
    first, last = tuple(range(size)), (*range(1, size), 0)
    from_first, from_last = distances(first, columns), distances(last, columns)
    for tiles in permutations(range(size)):
        words = " ".join(map(str, tiles)).split()
        board = "\n".join(" ".join(words[i : i + columns]) for i in range(0, size, columns))
        position = SlidingTiles.parse(board)
        only_last = tiles in from_last and tiles not in from_first
        assert position.goal == (last if only_last else first)
        assert position.remarks() == (LAST if only_last else FIRST)
        assert position.assumed_arguments() == (() if only_last else ("goal",))
        assert (position.impossible() is None) == (tiles in from_first or tiles in from_last)
        for goal in (first, last):
            named = SlidingTiles.parse(text(tiles, goal, columns))
            assert SlidingTiles.parse(str(named)) == named
            assert ("goal" in str(named)) == (not named.remarks()) == (goal != position.goal)
        seen.add(only_last)
    assert seen == ({True, False} if rows % 2 == columns % 2 == 0 else {False})


def test_usual_boards_of_four_by_four():
    board = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 {}\n"
    solved, near = (SlidingTiles.parse(board.format(end)) for end in ("15 0", "0 15"))
    exchanged = SlidingTiles.parse(board.format("15 0").replace("14 15", "15 14"))
    assert solved.solved()
    assert (near.apply("R"), near.remarks()) == (solved, LAST)
    assert (exchanged.remarks(), exchanged.impossible()) == (FIRST, None)
    assert SlidingTiles.parse(f"{board.format('15 0')}goal\n0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15").impossible() == (
        "parity: the goal (the blank, then the tiles in order) needs an odd number of exchanges of two tiles, but "
        "the blank's moves make an even number"
    )
    assert SlidingTiles.parse("1 2 3\n4 5 6\n7 8 0").goal == tuple(range(9))  # both can be reached


def test_the_goal_is_written_where_a_text_without_one_has_another():
    assert str(SlidingTiles.parse("1 0\n3 2\ngoal\n0 1\n2 3")) == "1 0\n3 2\ngoal\n0 1\n2 3\n"
    assert str(SlidingTiles.parse("1 0\n2 3\ngoal\n0 1\n2 3")) == "1 0\n2 3\n"
    assert str(SlidingTiles.parse(" 1 0 ; blank\n3   2\n\ngoal\n* 1\n* *\n")) == "1 0\n3 2\ngoal\n* 1\n* *\n"
    assert SlidingTiles.parse("1 0\ngoal\n0 1") != SlidingTiles.parse("1 0\ngoal\n1 0")
    assert SlidingTiles.parse("1 0\n3 2") != SlidingTiles.parse("1 0 3 2")
    assert str(SlidingTiles.parse("001 0\n3 2")) == "1 0\n3 2\n"
    assert str(SlidingTiles.parse("  0   1   2   3\n")) == "0 1 2 3\n"


@pytest.mark.parametrize(
    ("level_text", "place", "message"),
    [
        ("1 2\n3 4", (2, 3), "no tile 4 on this board: its 4 cells contain 0 to 3"),
        ("1 2 0\n3 4", (2, 3), "row 2 has 2 cells, but row 1 has 3"),
        ("1 2\n0 3 4", (2, 5), "row 2 has 3 cells, but row 1 has 2"),
        ("1 2\n1 0", (2, 1), "tile 1 is listed twice; first at 1:1"),
        ("0 2\n1 0", (2, 3), "the blank, 0, is listed twice; first at 1:1"),
        ("1 2\n3 -1", (2, 3), "'-1' is not a number"),
        ("1 *\n3 0", (1, 3), "'*' is allowed in the goal only"),
        ("1 x\n3 0", (1, 3), "'x' is not a number"),
        ("1 ²\n3 0", (1, 3), "'²' is not a number"),
        ("1 ٣\n3 0", (1, 3), "'٣' is not a number"),
        ("1 99999999999999999999999\n3 0", (1, 3), "no tile 99999999999999999... on this board"),
        ("1 2\n3 0\ngoal", (3, 1), "nothing below 'goal'"),
        ("1 2\n3 0\ngoal\n1 2", (4, 1), "the goal has 1 row, the board has 2"),
        ("1 2\n3 0\ngoal\n1 2\n3 0\n* *", (4, 1), "the goal has 3 rows, the board has 2"),
        ("1 2\n3 0\ngoal\n1 2\n3 0 *", (5, 5), "goal row 2 has 3 cells, the board's rows have 2"),
        ("1 2\n3 0\ngoal\n1 2\n3", (5, 1), "goal row 2 has 1 cell, the board's rows have 2"),
        ("1 2\n3 0\ngoal\n1 1\n* *", (4, 3), "tile 1 is listed twice; first at 4:1"),
        ("1 2\n3 0\ngoal\n0 0\n* *", (4, 3), "the blank, 0, is listed twice"),
        ("1 2\n3 0\ngoal\n1 4\n* *", (4, 3), "no tile 4 on this board"),
        ("1 2\n3 0\ngoal\n1 ?\n* *", (4, 3), "'?' is not a number, or '*' for don't care"),
        ("1 2\n3 0\ngoal 1 2\n3 0", (3, 6), "'goal' must be on a separate line"),
        ("1 2\n3 0\ngoal\n1 2\ngoal\n1 2", (5, 1), "there is a second 'goal', but only one is allowed"),
        ("goal\n1 0", (1, 1), "nothing above 'goal'"),
        ("Goal 1\n1 0", (1, 1), "'Goal' is not a number"),
    ],
)
def test_refusals(level_text, place, message):
    with pytest.raises(ParseError) as caught:
        SlidingTiles.parse(level_text, "a.tiles")
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == ("a.tiles", *place)


@pytest.mark.parametrize(
    ("move", "reason"),
    [("U", "in the top row"), ("L", "in the first column"), ("D", "in the bottom row"), ("R", "in the last column")],
)
def test_the_blank_stops_at_the_edge(move, reason):
    with pytest.raises(IllegalMove, match=f"{move}: the blank is {reason}"):
        SlidingTiles.parse("0").apply(move)


def test_a_move_says_where_the_blank_goes():
    position = SlidingTiles.parse("1 2\n3 0\n5 4")
    assert position.moves() == ("U", "D", "L")
    assert str(position.apply("D")) == "1 2\n3 4\n5 0\n"
    assert position.decode(GroundAction("slide", ("t4", "r3c2", "r2c2"))) == "D"


def test_a_picture_looked_at():
    assert (
        SlidingTiles.parse("10 1 2 3\n4 5 6 7\n8 9 0 11").draw()
        == """\
┌────┬────┬────┬────┐
│ 10 │ 1  │ 2  │ 3  │
├────┼────┼────┼────┤
│ 4  │ 5  │ 6  │ 7  │
├────┼────┼────┼────┤
│ 8  │ 9  │    │ 11 │
└────┴────┴────┴────┘"""
    )
