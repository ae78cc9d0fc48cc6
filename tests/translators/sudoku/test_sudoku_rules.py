"""Sudoku: texts of all sizes, refusals with their place, moves, and what the lab report says of its two boards."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.thorough import at_most
from unpuzzle import replay, solve
from unpuzzle.base.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.constraints import Search, conflict
from unpuzzle.model.capabilities import Constrained, Explaining, ForComponents, ModelFinding, offered
from unpuzzle.planning import registry, running
from unpuzzle.translators.sudoku import Sudoku
from unpuzzle.translators.sudoku.board import SIDES, board_of
from unpuzzle.translators.sudoku.making import full_board, without
from unpuzzle.translators.sudoku.techniques import has_other, solutions
from unpuzzle.verification.side_by_side import check

SOLVED = {
    "32-clues": "483921657967345821251876493548132976729564138136798245372689514814253769695417382",
    "25-clues": "687352149549186273123479586734568912268914357915237468372845691851693724496721835",
}
SEVENTEEN = [
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "000000010400000000020000000000050604008000300001090000300400200050100000000807000",
    "000000012000035000000600070700000300000400800100000000000120000080000040050000600",
]
"""From G. Royle's collection of boards with 17 clues."""
FOUR = "1234341221434321"
NATIVE = registry.missing("native")


def level(name):
    return Sudoku.parse(Sudoku.levels[name])


def rows(cells):
    side = round(len(cells) ** 0.5)
    return "\n".join(cells[start : start + side] for start in range(0, len(cells), side))


# ---- what the lab report says


@pytest.mark.parametrize("name", SOLVED)
def test_the_boards_of_the_report_have_the_one_solution_that_is_told(name):
    assert list(solutions(level(name).cells)) == [SOLVED[name]]


@pytest.mark.parametrize(("name", "clues", "redundant"), [("32-clues", 32, 21), ("25-clues", 25, 0)])
def test_so_many_clues_of_the_boards_of_the_report_could_go(name, clues, redundant):
    cells = level(name).cells
    given_cells = [cell for cell in range(81) if cells[cell] != "."]
    assert len(given_cells) == clues
    assert redundant == sum(not has_other(without(cells, [cell]), SOLVED[name], [cell]) for cell in given_cells)


@pytest.mark.parametrize("text", SEVENTEEN)
def test_boards_with_seventeen_clues_are_unique(text):
    position = Sudoku.parse(text)
    assert 81 - position.cells.count(".") == 17
    (solution,) = solutions(position.cells)
    assert Sudoku(solution).solved()
    assert all(symbol in (".", there) for symbol, there in zip(position.cells, solution, strict=True))


# ---- texts


@pytest.mark.parametrize("side", SIDES)
def test_one_line_and_rows_are_the_same_and_both_empties_too(side):
    cells = without(full_board(Random(1), side), range(0, side * side, 3))
    texts = (cells, rows(cells), rows(cells).replace(".", "0") + "\n", f"; a comment\n{cells} ; and another\n")
    for text in (*texts, *["\n".join(map(mark.join, rows(cells).split())) for mark in " ,\t|"]):
        assert Sudoku.parse(text) == Sudoku(cells)
    assert str(Sudoku.parse(rows(cells))) == f"{cells}\n"
    assert Sudoku(cells).line() == cells


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("." * 100, (1, 82), "there are 100 cells in one line: a sudoku must have 4, 9 or 16 rows"),
        ("." * 80, (1, 80), "80 cells in one line"),
        ("." * 82, (1, 82), "82 cells in one line"),
        ("...", (1, 1), "the text has no sudoku"),
        ("", (1, 1), "the level is empty"),
        (("." * 10 + "\n") * 10, (10, 1), "10 rows, the first of 10 cells"),
        (("." * 9 + "\n") * 10, (10, 1), "10 rows, the first of 9 cells"),
        ("....\n....\n.....\n....\n", (3, 5), "row 3 has 5 cells, but there are 4 rows"),
        ("....\n....\n....\n..\n", (4, 2), "row 4 has 2 cells, but there are 4 rows"),
        ("....\n..5.\n....\n....\n", (2, 3), "'5' is neither a value, 1 to 4, nor '.' or '0' for empty"),
        ("." * 80 + "A", (1, 81), "'A' is neither a value, 1 to 9,"),
        ("." * 255 + "g", (1, 256), "'g' is neither a value, 1 to 9 and A to G,"),
        ("....\n" * 8, (5, 1), "expected one sudoku, but there are 2; this is the second"),
    ],
)
def test_what_is_no_sudoku_is_refused_with_its_place(text, place, words):
    with pytest.raises(ParseError) as caught:
        Sudoku.parse(text, "my.sudoku")
    assert (caught.value.line, caught.value.column) == place
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place", "values"),
    [
        ("0123456789ABCDEF\n" + "................\n" * 15, (1, 1), "0 to F"),
        ("." * 16 + "00" + "." * 238, (1, 17), "0 to F"),
        ("12.0\n3...\n....\n....\n", (1, 4), "0 to 3"),
    ],
)
def test_a_text_in_which_zero_may_be_a_value_is_refused(text, place, values):
    """Its symbols are not told: `0` beside `.`, and no highest value."""
    with pytest.raises(UnsupportedFeature, match=f"the values must be {values}, which is not supported") as caught:
        Sudoku.parse(text)
    assert (caught.value.line, caught.value.column) == place
    assert Sudoku.parse("12.0\n3...\n....\n...4\n") == Sudoku.parse("1200\n3000\n0000\n0004\n")


def test_sixteen_small_sudokus_are_not_read_as_a_large_one():
    """A line is one of 4 by 4; rows of one of 16 by 16 would lack 12 of 16 values, so it would have many solutions."""
    small = "1.3..4.2.1..4..1\n"
    with pytest.raises(ParseError, match="expected one sudoku, but there are 16"):
        Sudoku.parse(small * 16)
    assert [level.board for level in Sudoku.read_collection(small * 16).levels] == [small] * 16
    rows = ["1234" + "." * 12, *["." * 16] * 15]
    assert Sudoku.parse("".join(rows)).board.side == 16
    assert Sudoku.parse("\n".join([*rows[:-1], "." * 15 + "5"])).board.side == 16
    assert Sudoku.parse("\n".join(["." * 16] * 16)).board.side == 16


def test_pictures_have_the_borders_of_the_boxes():
    assert level("4x4").draw() == (
        "┌─────┬─────┐\n│ 1 · │ 3 · │\n│ · 4 │ · 2 │\n├─────┼─────┤\n│ · 1 │ · · │\n│ 4 · │ · 1 │\n└─────┴─────┘"
    )
    for side in SIDES:
        lines = Sudoku("." * side * side).draw().split("\n")
        assert {len(line) for line in lines} == {2 * side + 2 * board_of(side).box + 1}
        assert len(lines) == side + board_of(side).box + 1


# ---- boards


@pytest.mark.parametrize("side", SIDES)
def test_every_cell_is_in_a_row_a_column_and_a_box(side):
    board = board_of(side)
    assert len(board.units) == len(board.unit_names) == 3 * side
    assert all(len(set(unit)) == side for unit in board.units)
    for cell, (row, column, box) in enumerate(board.units_of):
        assert board.names[cell] == f"r{row + 1}c{column - side + 1}"
        assert all(cell in board.units[unit] for unit in (row, column, box))
        assert len(board.peers[cell]) == 3 * side - 2 * board.box - 1
    assert board.units[2 * side + 1][: board.box] == tuple(range(board.box, 2 * board.box))


# ---- rules


def test_a_value_goes_where_nothing_around_has_it():
    position = level("4x4")
    assert position.moves()[:3] == ("r1c2=2", "r1c4=4", "r2c1=3")
    assert str(position.apply("r1c2=2")) == "123..4.2.1..4..1\n"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("r1c1=2", "r1c1=2 is not legal: r1c1 has 1"),
        ("r2c1=2", "row 2 has 2 at r2c4"),
        ("r3c1=4", "column 1 has 4 at r4c1"),
        ("r2c3=1", "r2c3=1 is not legal: box 2 has 1 at r1c4"),
        ("r1c2=5", "'r1c2=5' is not a move: a move is a cell and a value, 1 to 4, such as r1c2=3"),
        ("r5c1=1", "is not a move"),
        ("r1c2", "is not a move"),
        ("r1c2=12", "is not a move"),
        ("", "'' is not a move"),
    ],
)
def test_other_moves_are_refused(move, reason):
    with pytest.raises(IllegalMove) as caught:
        Sudoku("1231.4.2.1..4..1").apply(move)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("11..............", "row 1 has 1 twice, at r1c1 and r1c2"),
        ("1.......1.......", "column 1 has 1 twice, at r1c1 and r3c1"),
        ("1....1..........", "box 1 has 1 twice, at r1c1 and r2c2"),
        ("123....4........", "no value fits r1c4: its row, column and box have all of them"),
        ("12....3........3", "row 1 has no cell left for 3"),
        (FOUR[:-1] + "2", "row 4 has 2 twice, at r4c3 and r4c4"),
    ],
)
def test_what_cannot_be_solved_is_told_at_once(cells, reason):
    position = Sudoku(cells)
    assert position.impossible() == reason
    assert not position.solved()
    assert not list(solutions(cells))
    assert solve(position, "rules:dfs").status == UNSOLVABLE


def test_neither_rules_nor_pddl_take_contradictory_values_for_a_solution():
    """All cells that can be filled are; the PDDL agrees move by move, and no state of it is a goal."""
    position = Sudoku("1134" + FOUR[4:12] + "....")
    result = check(position)
    assert (result.same, result.exhaustive) == (True, True)
    assert running.run("reference", position.task()).status == UNSOLVABLE


def test_a_full_board_is_solved_and_has_no_moves():
    assert (Sudoku(FOUR).solved(), Sudoku(FOUR).moves(), Sudoku(FOUR).impossible()) == (True, (), None)


# ---- constraints, and all ways to solve it


def test_it_has_what_constraint_puzzles_have():
    for capability in (Constrained, Explaining, ForComponents, ModelFinding):
        assert offered(level("4x4"), capability) is not None


def test_plain_data_are_rows_of_numbers():
    assert level("4x4").plain() == [[1, None, 3, None], [None, 4, None, 2], [None, 1, None, None], [4, None, None, 1]]
    assert Sudoku("." * 255 + "G").plain()[15][14:] == [None, 16]


def test_given_values_are_named_like_moves():
    names = [relation.name for relation in Sudoku("." * 255 + "G").constraints().relations if relation.name]
    assert names == ["r16c16=G"]
    assert conflict(Sudoku("12....3........3").constraints()) == ("r1c1=1", "r1c2=2", "r2c3=3")


@given(st.integers(0, 10**6))
@settings(max_examples=at_most(60), derandomize=True, deadline=None)
def test_all_ways_to_solve_a_board_agree(seed):
    """The search on candidates, the constraints, the rules tried out, and the native planner."""
    position = Sudoku.sample(Random(seed))
    found = set(solutions(position.cells))
    by_constraints = list(Search(position.constraints()).solutions())
    assert len(by_constraints) == len(found)
    for values in by_constraints:
        played = replay(position, position.moves_to(values))
        assert played.solved
        assert played.position.line() in found
    assert solve(position, "rules:dfs").solved == bool(found)
    if NATIVE is None:
        status = running.run("native", position.task()).status
        assert status == (SOLVED_OPTIMALLY if found else UNSOLVABLE)


@pytest.mark.parametrize("name", [name for name in Sudoku.levels if "unsolvable" not in name])
def test_bundled_levels_have_one_solution(name):
    (solution,) = solutions(level(name).cells)
    assert Sudoku(solution).solved()
    assert len(list(Search(level(name).constraints()).solutions())) == 1


def test_an_empty_board_has_all_solutions():
    assert len(list(solutions("." * 16))) == len(set(solutions("." * 16))) == 288
