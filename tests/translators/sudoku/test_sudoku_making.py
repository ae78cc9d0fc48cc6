"""Sudokus that are made: unique, minimal, of the wanted pattern, any full board, the same for equal seeds."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.model.capabilities import completed
from unpuzzle.translators.sudoku import Sudoku, making
from unpuzzle.translators.sudoku.techniques import lattice_of, solutions


def made(seed, **options):
    return Sudoku.generate(Random(seed), completed(Sudoku, options))


def unique(cells):
    return len(list(islice(solutions(cells), 2))) == 1


def clues(position):
    return len(position.cells) - position.cells.count(".")


def require_minimal(position, groups):
    """No group of clues can go, by counting solutions: not the way in which the maker looks."""
    assert unique(position.cells)
    for group in groups:
        if position.cells[group[0]] != ".":
            assert not unique(making.without(position.cells, group))


def test_fifty_boards_are_unique_and_minimal_with_twenty_to_thirty_clues():
    boards = [made(seed) for seed in range(50)]
    assert len(set(boards)) == 50
    for board in boards:
        assert 20 <= clues(board) <= 30
        require_minimal(board, [(cell,) for cell in range(81)])


@pytest.mark.parametrize("symmetry", list(making.SYMMETRIES))
@pytest.mark.parametrize("size", ["4", "9"])
def test_symmetric_patterns_of_which_no_group_can_go(size, symmetry):
    groups = making.orbits(int(size), making.SYMMETRIES[symmetry])
    assert sorted(cell for group in groups for cell in group) == list(range(int(size) ** 2))
    for seed in range(3):
        board = made(seed, size=size, symmetry=symmetry)
        assert all(len({board.cells[cell] == "." for cell in group}) == 1 for group in groups)
        require_minimal(board, groups)


def test_groups_of_cells_are_those_of_the_symmetry():
    groups = {name: making.orbits(9, turns) for name, turns in making.SYMMETRIES.items()}
    assert {name: len(found) for name, found in groups.items()} == {
        "none": 81,
        "rotation": 41,
        "quarter": 21,
        "horizontal": 45,
        "vertical": 45,
        "diagonal": 45,
    }
    assert (0, 80) in groups["rotation"]
    assert (0, 8, 72, 80) in groups["quarter"]
    assert (1, 73) in groups["horizontal"]
    assert (9, 17) in groups["vertical"]
    assert (1, 9) in groups["diagonal"]


@pytest.mark.parametrize(
    ("number", "symmetry"), [(22, "none"), (30, "none"), (40, "rotation"), (25, "rotation"), (81, "none")]
)
def test_so_many_clues_as_were_asked_for(number, symmetry):
    board = made(1, clues=number, symmetry=symmetry)
    assert clues(board) == number
    assert unique(board.cells)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"clues": 16}, "a 9x9 sudoku with one solution must have from 17 to 81, not 16"),
        ({"clues": 82}, "from 17 to 81, not 82"),
        ({"clues": 3, "size": "4"}, "from 4 to 16, not 3"),
        ({"clues": 5, "size": "4", "symmetry": "rotation"}, "of 5 clues on 4x4 cells has the symmetry wanted"),
        ({"size": "10"}, "size: '10' is not one of 4, 9, 16"),
        ({"symmetry": "rotatoin"}, "did you mean 'rotation'?"),
        ({"clues": "many"}, "clues: 'many' is not a whole number"),
    ],
)
def test_what_is_not_to_be_had_is_refused(options, words):
    with pytest.raises((ParseError, UsageError)) as caught:
        made(0, **options)
    assert words in str(caught.value)


def test_a_number_of_clues_that_does_not_come_up_is_refused_after_some_boards(monkeypatch):
    monkeypatch.setitem(making.EFFORT, 9, (2, 1))
    with pytest.raises(ParseError, match="no 9x9 sudoku of 17 clues was found on 2 boards; ask for more clues"):
        made(0, clues=17)


def test_the_size_may_be_a_number():
    assert made(2, size=4) == made(2, size="4")
    with pytest.raises(UsageError, match="size: '10' is not one of 4, 9, 16"):
        made(2, size=10)


def test_equal_seeds_give_equal_boards():
    assert made(7) == made(7) != made(8)
    assert str(made(0, size="4")) == str(made(0, size="4"))


def test_every_full_board_comes_up():
    """All 288 of 4x4; so the boards are not one board with its rows, columns and values exchanged."""
    rng = Random(0)
    assert len({making.full_board(rng, 4) for _ in range(4000)}) == 288


def test_a_full_board_of_sixteen():
    board = Sudoku(making.full_board(Random(3), 16))
    assert board.solved()
    assert Sudoku(making.without(board.cells, [0, 17])).impossible() is None


def test_a_search_that_ends_early_begins_anew(monkeypatch):
    """The first searches for a board find nothing in 8 nodes, and yet there is a board, and the same one each time."""
    monkeypatch.setitem(making.PATIENCE, 9, 8)
    lattice = lattice_of(9)
    assert next(lattice.solutions(lattice.full, Random(1), 8), None) is None
    monkeypatch.setitem(making.PATIENCE, 9, 60)
    assert making.full_board(Random(1), 9) == making.full_board(Random(1), 9)
