"""Sudoku as formulas for Mace4, and its models: examples made by hand from the documented formats.

What the formulas mean is tested by trying them out: a small reader of our own evaluates them on boards.
"""

from __future__ import annotations

import re
from itertools import product

import pytest

from unpuzzle.base.errors import ParseError
from unpuzzle.translators.sudoku import Sudoku
from unpuzzle.translators.sudoku.techniques import solutions

SMALL = Sudoku("12..34..2.4.43.1")
SOLUTION = "1234341221434321"
MODEL = """
interpretation( 4, [number={number}, seconds=0], [

        function(f(_,_), [
\t\t\t   1, 2, 3, 0,
\t\t\t   3, 0, 1, 2,
\t\t\t   2, 1, 0, 3,
\t\t\t   0, 3, 2, 1 ]),

        relation(same_interval(_,_), [
\t\t\t   1, 1, 0, 0,
\t\t\t   1, 1, 0, 0,
\t\t\t   0, 0, 1, 1,
\t\t\t   0, 0, 1, 1 ])
]).
"""
"""A model as Mace4 prints it, of 4x4; the last value is 0."""


def formulas(text, name):
    """The formulas of a list, without their full stops."""
    body = re.search(rf"formulas\({name}\)\.\n(.*?)end_of_list\.", text, re.S)[1]
    return [line.strip().removesuffix(".") for line in body.splitlines()]


def holds(formula, values, together, side):
    """Whether a formula of the rules is true of a board, for all its variables."""
    premise, conclusion = formula.split(" -> ")
    names = sorted(set(re.findall(r"\b[u-z]\b", formula)))
    for numbers in product(range(side), repeat=len(names)):
        given = dict(zip(names, numbers, strict=True))

        def term(text, given=given):
            cell = re.fullmatch(r"f\((\w),(\w)\)", text)
            return given[text] if cell is None else values[given[cell[1]], given[cell[2]]]

        def literal(text, given=given, term=term):
            near = re.fullmatch(r"same_interval\((\w),(\w)\)", text)
            if near is not None:
                return (given[near[1]], given[near[2]]) in together
            left, right = text.split(" = ")
            return term(left) == term(right)

        if all(map(literal, premise.split(" & "))) and not all(map(literal, conclusion.split(" & "))):
            return False
    return True


# ---- the writer


def test_the_formulas_of_a_small_board():
    text = SMALL.mace4_input()
    assert text.startswith("assign(domain_size, 4).\n")
    assert formulas(text, "given") == [
        "f(0,0) = 1",
        "f(0,1) = 2",
        "f(1,0) = 3",
        "f(1,1) = 0",
        "f(2,0) = 2",
        "f(2,2) = 0",
        "f(3,0) = 0",
        "f(3,1) = 3",
        "f(3,3) = 1",
    ]
    bands = formulas(text, "bands")
    assert "same_interval(0,1)" in bands
    assert "-same_interval(1,2)" in bands
    assert len(bands) == 16
    assert "f(0,3) = 0" in formulas(Sudoku("...9" + "." * 77).mace4_input(), "given")
    assert "max_models" not in text


def test_an_empty_board_has_no_list_of_given_values():
    text = Sudoku("." * 256).mace4_input()
    assert "formulas(given)" not in text
    assert text.count("formulas(") == text.count("end_of_list.") == 2
    assert sum(formula[0] != "-" for formula in formulas(text, "bands")) == 16 * 4


def test_the_formulas_hold_for_solutions_and_for_nothing_else():
    text = Sudoku("." * 16).mace4_input()
    pairs = (re.fullmatch(r"(-?)same_interval\((\d),(\d)\)", formula) for formula in formulas(text, "bands"))
    together = {(int(pair[2]), int(pair[3])) for pair in pairs if not pair[1]}
    boards = [*list(solutions("." * 16))[:20], SOLUTION[:-1] + "2", "1234" * 4, "1234234134124123", "1" * 16]
    for board in boards:
        values = {(cell // 4, cell % 4): int(symbol) % 4 for cell, symbol in enumerate(board)}
        true = all(holds(formula, values, together, 4) for formula in formulas(text, "rules"))
        assert true == Sudoku(board).solved()


# ---- the reader


def test_models_are_read():
    text = f"=== Mace4 starting on domain size 4. ===\n{MODEL.format(number=1)}\n===== end of model =====\n"
    (solution,) = SMALL.from_mace4(text)
    assert solution == {name: int(symbol) for name, symbol in zip(SMALL.board.names, SOLUTION, strict=True)}
    assert [*SMALL.moves_to(solution)] == [
        "r1c3=3",
        "r1c4=4",
        "r2c3=1",
        "r2c4=2",
        "r3c2=1",
        "r3c4=3",
        "r4c3=2",
    ]
    assert len(SMALL.from_mace4(MODEL.format(number=1) + MODEL.format(number=2))) == 2
    assert SMALL.from_mace4("Exiting with failure.\n") == []


@pytest.mark.parametrize("lost", [2, 10, 60, 150, 250])
def test_a_model_that_breaks_off_is_left_out(lost):
    text = MODEL.format(number=1) + MODEL.format(number=2)
    assert len(SMALL.from_mace4(text[:-lost])) == 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("interpretation( 4", "interpretation( 9", "a model of Mace4 has the size 9, but size 4 was requested"),
        ("function(f(_,_)", "function(g(_,_)", "a model of Mace4 has no function f"),
        ("1, 2, 3, 0", "1, 2, 3, 4", "a model of Mace4 contains '4', but the numbers must be from 0 to 3"),
        ("1, 2, 3, 0", "1, 2, x, 0", "a model of Mace4 contains 'x'"),
        ("1, 2, 3, 0,", "1, 2, 3,", "a model of Mace4 has 15 values of the function f, not 16"),
    ],
)
def test_what_is_no_model_of_the_formulas_is_refused(old, new, words):
    text = MODEL.format(number=1)
    assert old in text
    with pytest.raises(ParseError, match=re.escape(words)):
        SMALL.from_mace4(text.replace(old, new, 1))
