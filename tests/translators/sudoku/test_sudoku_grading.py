"""Techniques, grades and explanations: each technique on a board that was made to need it, all steps true."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unpuzzle.base.text import listing
from unpuzzle.model.capabilities import completed
from unpuzzle.translators.sudoku import Sudoku
from unpuzzle.translators.sudoku.board import board_of
from unpuzzle.translators.sudoku.techniques import (
    GRADES,
    LADDER,
    Candidates,
    grade,
    next_step,
    solutions,
    steps_to_a_value,
    values_of,
)

NEEDING = {
    "naked single": "3.........72....6.1....3..8..5..634.....5.2..847....5...396.8....91.2..52..8.....",
    "hidden single": "8.........4.....28........1..8.7.3..1...34..5...86.....25....3..6.98.......6..75.",
    "locked candidates": "..2...7.3.....6....5.1....69......3732..6.....45..8.....93.5.....39...51.....2..8",
    "naked pair": "...64......37..2...5......14.......7.12..7..3....9.6..2..16.9..3..9........82..6.",
    "hidden pair": ".1.5.8.37........5.67..2.89.79...........4.....56........1.7..8.24..9..3.....376.",
    "X-wing": ".6.2..3.9...61..8.4..95...275...2...2......4...6....3...4....6..2......41....5...",
    "search": "38...9.6....6.37........58.4.......7.91...3..6...2..59..7........42.....25.1...4.",
}
"""Boards by the hardest technique that they need."""
seeds = st.integers(0, 10**6).map(Random)


def notes_of(side, left):
    """Notes of an empty board in which some cells have only these values left: `{"r1c1": "12"}`."""
    notes = Candidates("." * side * side)
    for name, symbols in left.items():
        bits = sum(1 << notes.board.symbols.index(symbol) for symbol in symbols)
        notes.left[notes.board.names.index(name)] = bits
    return notes


def one(notes, technique):
    """The first step of a technique as plain data."""
    return next(LADDER[technique](notes)).plain(notes.board.names)


def remains(side, value, unit, places):
    """Notes in which a value of a unit can only go to these of its cells."""
    board = board_of(side)
    cells = board.units[board.unit_names.index(unit)]
    others = board.symbols.replace(value, "")
    return {board.names[cell]: others for cell in cells if board.names[cell] not in places}


# ---- each technique by itself


def test_a_naked_single():
    step = one(notes_of(9, {"r4c7": "6"}), "naked single")
    assert (step["cells"], step["values"], step["placed"], step["removed"]) == (["r4c7"], [6], {"r4c7": 6}, {})
    assert step["reason"] == "6 is the only value left for r4c7"


def test_a_hidden_single():
    step = one(notes_of(9, remains(9, "5", "column 2", ["r8c2"])), "hidden single")
    assert step["placed"] == {"r8c2": 5}
    assert step["reason"] == "in column 2, 5 can only go to r8c2"


def test_locked_candidates_of_a_box_point_along_a_line():
    step = one(notes_of(9, remains(9, "4", "box 5", ["r4c4", "r4c6"])), "locked candidates")
    assert step["cells"] == ["r4c4", "r4c6"]
    assert step["removed"] == {f"r4c{column}": [4] for column in (1, 2, 3, 7, 8, 9)}
    assert step["reason"] == "in box 5, 4 can only be where row 4 crosses it; so no other cell of row 4 is 4"


def test_locked_candidates_of_a_line_claim_a_box():
    step = one(notes_of(9, remains(9, "4", "row 4", ["r4c4", "r4c6"])), "locked candidates")
    assert step["removed"] == {f"r{row}c{column}": [4] for row in (5, 6) for column in (4, 5, 6)}
    assert step["reason"] == "in row 4, 4 can only be where box 5 crosses it; so no other cell of box 5 is 4"


def test_a_naked_pair():
    step = one(notes_of(4, {"r1c1": "12", "r1c4": "12"}), "naked pair")
    assert (step["cells"], step["values"]) == (["r1c1", "r1c4"], [1, 2])
    assert step["removed"] == {"r1c2": [1, 2], "r1c3": [1, 2]}
    assert step["reason"] == "r1c1 and r1c4 have only 1 and 2 left; so no other cell of row 1 is 1 or 2"


def test_a_hidden_pair():
    left = dict.fromkeys(("r1c2", "r1c4"), "34")
    step = one(notes_of(4, left), "hidden pair")
    assert step["cells"] == ["r1c1", "r1c3"]
    assert step["removed"] == {"r1c1": [3, 4], "r1c3": [3, 4]}
    assert step["reason"] == "in row 1, 1 and 2 can only go to r1c1 and r1c3; so these have no other values"


@pytest.mark.parametrize(("lines", "across", "cell"), [("row", "column", "r{}c{}"), ("column", "row", "r{1}c{0}")])
def test_an_x_wing_along_rows_and_along_columns(lines, across, cell):
    left = {}
    for line in (2, 6):
        left |= remains(9, "7", f"{lines} {line}", [cell.format(line, 1), cell.format(line, 5)])
    step = one(notes_of(9, left), "X-wing")
    assert step["cells"] == [cell.format(line, end) for line in (2, 6) for end in (1, 5)]
    others = {cell.format(line, end): [7] for line in (1, 3, 4, 5, 7, 8, 9) for end in (1, 5)}
    assert step["removed"] == others
    assert f"in {lines} 2 and in {lines} 6, 7 can only be in {across} 1 or {across} 5" in step["reason"]


def test_where_nothing_is_gained_there_is_no_step():
    assert next_step(Candidates("." * 81)) is None
    for technique in LADDER.values():
        assert not list(technique(Candidates("." * 81)))


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists_of_words(words, said):
    assert listing(words) == said


# ---- all steps are true


@given(seeds)
@settings(max_examples=12, derandomize=True, deadline=None)
def test_every_step_of_every_technique_holds_for_all_solutions(rng):
    """Boards of which clues were left out, so that they have several solutions."""
    cells = list(Sudoku.generate(rng, completed(Sudoku, {})).cells)
    for cell in rng.sample([cell for cell in range(81) if cells[cell] != "."], rng.choice([0, 1])):
        cells[cell] = "."
    board = "".join(cells)
    found = [[int(symbol) for symbol in solution] for solution in islice(solutions(board), 30)]
    notes = Candidates(board)
    while (step := next_step(notes)) is not None:
        for technique in LADDER.values():
            for each in technique(notes):
                assert each.placed or each.removed
                for values in found:
                    assert all(values[cell] == value for cell, value in each.placed.items())
                    assert all(values[cell] not in gone for cell, gone in each.removed.items())
        notes.take(step)
    assert all(not bits or values[cell] in values_of(bits) for values in found for cell, bits in enumerate(notes.left))


# ---- grades


@pytest.mark.parametrize(("name", "board"), NEEDING.items())
def test_the_grade_is_the_hardest_technique_needed(name, board):
    assert Sudoku(board).grade() == (GRADES.index(name), name)
    assert _solved_without(board, name) is False


def _solved_without(board, name):
    """Whether all easier techniques together, in the opposite order, solve a board."""
    notes, easier = Candidates(board), list(LADDER)
    easier = easier[: easier.index(name)] if name in easier else easier
    while any(notes.left):
        found = (step for each in reversed(easier) for step in LADDER[each](notes))
        step = next(found, None)
        if step is None:
            return False
        notes.take(step)
    return True


def test_grades_get_harder():
    assert ("nothing to do", *NEEDING) == GRADES
    assert list(LADDER) == list(NEEDING)[:-1]


@pytest.mark.parametrize("board", ["." * 16, "12....3........3", "11" + "." * 14, "." * 81])
def test_without_one_solution_there_is_no_grade(board):
    assert grade(board) is None


def test_a_full_board_is_no_work():
    assert grade("1234341221434321") == (0, "nothing to do")


# ---- explanations


@pytest.mark.parametrize("board", NEEDING.values())
def test_explanations_lead_to_the_solution(board):
    position = Sudoku(board)
    (solution,) = solutions(board)
    for _ in range(board.count(".")):
        text, data = position.explain()
        ((name, value),) = data["steps"][-1]["placed"].items()
        assert text.endswith(f"so {name}={value}")
        assert text.count("\n") == len(data["steps"])
        assert all(not step["placed"] for step in data["steps"][:-1])
        assert {**data, "steps": None} == {**data["steps"][0], "steps": None}
        position = position.apply(f"{name}={value}")
    assert position.cells == solution


def test_no_step_of_an_explanation_can_be_left_out():
    board = NEEDING["naked pair"]
    longest = []
    position = Sudoku(board)
    while not position.solved():
        steps = steps_to_a_value(position.cells)
        longest = max(longest, steps, key=len)
        for left_out in steps[:-1]:
            notes = Candidates(position.cells)
            for step in steps:
                if step is left_out:
                    continue
                possible = [each.reason for each in LADDER[step.technique](notes)]
                if step.reason not in possible:
                    break
                notes.take(step)
            else:
                pytest.fail(f"{left_out.reason} is of no use")
        ((cell, value),) = steps[-1].placed.items()
        position = position.apply(f"{position.board.names[cell]}={value}")
    assert len(longest) > 1


def test_a_search_is_told_as_such():
    position = Sudoku(NEEDING["search"])
    while (data := position.explain()[1])["technique"] != "search":
        ((name, value),) = data["steps"][-1]["placed"].items()
        position = position.apply(f"{name}={value}")
    ((name, value),) = data["placed"].items()
    assert data["values"][0] == value
    others = [str(other) for other in data["values"][1:]]
    assert data["reason"].endswith(f"of the values left for {name}, {listing(others)} would lead to a contradiction")
    for other in others:
        assert not list(solutions(position.apply(f"{name}={other}").cells))


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("1234341221434321", "all cells are filled"),
        ("12....3........3", "row 1 has no cell left for 3"),
        ("1234341221433422", "row 4 has 2 twice, at r4c3 and r4c4"),
        ("." * 16, "there are several solutions, and no technique helps: r"),
    ],
)
def test_where_there_is_no_step_the_reason_is_told(board, words):
    text, data = Sudoku(board).explain()
    assert data["technique"] is None
    assert data["steps"] == []
    assert data["reason"] == text
    assert text.startswith(words)


def test_values_that_contradict_each_other_are_told():
    """Nothing is wrong at once; only trying out shows that there is no solution."""
    found = [b for b in _boards_without_solution() if Sudoku(b).impossible() is None]
    assert found
    text = Sudoku(found[0]).explain()[0]
    assert text.startswith("there is no solution: ")
    assert text.endswith(" contradict each other")
    named = [word.strip(",") for word in text.split() if "=" in word]
    kept = Sudoku("." * 16)
    for move in named:
        kept = kept.apply(move)
    assert not list(solutions(kept.cells))
    for move in named:
        fewer = Sudoku("." * 16)
        for other in named:
            fewer = fewer if other == move else fewer.apply(other)
        assert list(solutions(fewer.cells))


def _boards_without_solution():
    for seed in range(3000):
        rng = Random(seed)
        position = Sudoku("." * 16)
        for _ in range(4):
            position = position.apply(rng.choice(position.moves()))
        if not list(solutions(position.cells)):
            yield position.cells
