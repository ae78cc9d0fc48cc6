"""Lights out: which boards can be solved, in how many presses; and its constraints."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from unpuzzle import count_solutions, solve
from unpuzzle.base.errors import LimitReached, ParseError
from unpuzzle.constraints import Constraints, Relation, parity_solution, parity_solutions, violated
from unpuzzle.translators.lights_out import LightsOut


def board(rows, columns, lit=(), torus=False):
    cells = "".join("1" if cell in lit else "." for cell in range(rows * columns))
    return LightsOut(cells, columns, frozenset(["torus"] if torus else []))


def pressed(position, names):
    for name in names:
        position = position.apply(name)
    return position


def masks(position):
    """By press: the lights that it switches, as the bits of a number."""
    return [sum(1 << light for light in position.switched(cell)) for cell in range(len(position.cells))]


def span(numbers):
    """All sums, over GF(2), of some numbers."""
    sums = {0}
    for number in numbers:
        sums |= {number ^ other for other in sums}
    return sums


def kernel(rows):
    """All sets of rows that add up to nothing, from row reduction on rows that remember what they are made of."""
    reduced, basis = [], []
    for index, row in enumerate(rows):
        made_of = 1 << index
        for pivot, other, others in reduced:
            if row & pivot:
                row, made_of = row ^ other, made_of ^ others
        if row:
            reduced.append((row & -row, row, made_of))
        else:
            basis.append(made_of)
    return span(basis)


# ---- rules


def test_a_press_switches_a_cross():
    assert str(board(3, 4).apply("r2c2")) == ".1..\n111.\n.1..\n"
    assert str(board(3, 4).apply("r1c4")) == "..11\n...1\n....\n"
    assert str(board(3, 4, torus=True).apply("r1c4")) == "torus\n1.11\n...1\n...1\n"


def test_on_small_tori_a_light_is_switched_once():
    assert str(board(1, 1, torus=True).apply("r1c1")) == "torus\n1\n"
    assert str(board(2, 2, torus=True).apply("r1c1")) == "torus\n11\n1.\n"


@pytest.mark.parametrize("text", ["1.\n1\n", "10\n", "torus\n", "1\ntorus\n", "rotus\n1.\n", "1 .\n"])
def test_what_is_no_board_is_refused(text):
    with pytest.raises(ParseError):
        LightsOut.parse(text)


def test_pictures():
    assert LightsOut.parse("torus\n1.\n.1\n").draw() == "● ○\n○ ●"


# ---- which boards have a solution


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 5), (2, 3), (3, 2), (3, 3), (3, 4), (2, 5)])
@pytest.mark.parametrize("torus", [False, True])
def test_the_solvable_boards_are_those_that_some_presses_make(rows, columns, torus):
    solvable = span(masks(board(rows, columns, torus=torus)))
    for lit in range(1 << (rows * columns)):
        lights = {cell for cell in range(rows * columns) if lit >> cell & 1}
        assert (board(rows, columns, lights, torus).impossible() is None) == (lit in solvable)


def test_exactly_a_quarter_of_all_boards_of_5_by_5_has_a_solution():
    """25 presses, of which 4 sets switch nothing: 2^25 / 4 boards are made by presses. And `impossible` knows them:
    it is right about every single light, and whether a board can be solved is linear, which random boards bear out.
    """
    presses = masks(board(5, 5))
    quiet = kernel(presses)
    assert len(quiet) == 4
    for lit in [*({cell} for cell in range(25)), *(set(Random(seed).sample(range(25), 12)) for seed in range(300))]:
        # The matrix is symmetric: what the presses make is what is orthogonal to what they cancel out in.
        even = all(sum(pattern >> cell & 1 for cell in lit) % 2 == 0 for pattern in quiet)
        assert (board(5, 5, lit).impossible() is None) == even


def test_a_large_board_is_told_at_once():
    level = board(40, 40, {0, 5, 99})
    assert level.impossible() is None  # 40 x 40 has no quiet pattern
    assert board(29, 29, {0}).impossible() is not None


# ---- constraints


def test_parities_that_contradict_each_other():
    pair = [Relation("parity", ("a", "b"), 1), Relation("parity", ("b", "c"), 1), Relation("parity", ("a", "c"), 0)]
    domains = dict.fromkeys("abc", (0, 1))
    solution = parity_solution(Constraints(domains, pair))
    assert solution["a"] == solution["c"] != solution["b"]
    assert parity_solution(Constraints(domains, [*pair, Relation("parity", ("c", "a"), 1)])) is None
    assert parity_solution(Constraints(domains, [*pair, Relation("all_different", ("a", "b"))])) == solution
    assert parity_solution(Constraints({}, [])) == {}


# ---- the least solution, by linear algebra


def test_the_least_solution_is_the_least_of_all():
    """Against all sets of presses, with other costs, too; half of the models have a kernel."""
    kernels = set()
    for seed in range(60):
        rng = Random(seed)
        names = "abcdefgh"[: rng.randint(1, 8)]
        relations = [Relation("parity", rng.choices(names, k=3), rng.randint(0, 1)) for _ in range(rng.randint(0, 6))]
        costs = None if seed % 3 == 0 else {name: {0: rng.randint(0, 2), 1: rng.randint(0, 3)} for name in names}
        model = Constraints(dict.fromkeys(names, (0, 1)), relations, costs)
        every = [dict(zip(names, values, strict=True)) for values in product((0, 1), repeat=len(names))]
        holding = [values for values in every if violated(model, values) is None]
        linear = parity_solutions(model)
        kernels.add(len(linear.kernel))
        assert sorted(map(str, map(linear.values, linear.every()))) == sorted(map(str, holding))
        least = linear.least()
        assert (least is None) == (not holding)
        assert least is None or model.cost(least) == min(map(model.cost, holding))
    assert len(kernels) > 4


@pytest.mark.parametrize(
    ("size", "torus", "vectors"), [(7, False, 0), (9, False, 8), (5, False, 2), (8, True, 0), (5, True, 8)]
)
def test_large_boards_are_solved_in_the_fewest_presses(size, torus, vectors):
    level = board(size, size, torus=torus)
    level = pressed(level, Random(size).sample(level.names, size * size // 2))
    result = solve(level)
    assert (result.status, result.valid, result.details["kernel"]) == ("solved_optimally", True, vectors)
    quiet = [{level.names[cell] for cell in range(size * size) if mask >> cell & 1} for mask in kernel(masks(level))]
    assert min(len({*result.moves} ^ pattern) for pattern in quiet) == result.cost
    assert count_solutions(level, 3).unique is (vectors == 0)


def test_of_too_many_solutions_one_is_given_and_it_is_said(monkeypatch):
    monkeypatch.setattr("unpuzzle.planners.constraint.MOST_VECTORS", 1)
    level = pressed(board(5, 5), ["r1c1", "r2c3"])
    assert solve(level).status == "solved_optimally"  # the planner searches itself, and has time

    def late(finder, model):
        raise LimitReached("timeout", "late")

    monkeypatch.setattr("unpuzzle.planners.constraint._BacktrackingFinder.best", late)
    result = solve(level, "backtracking")
    assert (result.status, result.valid) == ("solved", True)
    assert result.message == "the kernel has 2 vectors, so not all solutions were compared"
    assert solve(board(5, 5, {0}), "backtracking").status == "unsolvable"


@pytest.mark.parametrize("head", ["torus\n", "Torus\n", "TORUS \n\n", "\ntorus\n \n"])
def test_the_keyword_may_be_in_capitals_and_followed_by_blank_lines(head):
    assert LightsOut.parse(f"{head}1.1\n.1.\n1..\n") == LightsOut.parse("torus\n1.1\n.1.\n1..\n")
    with pytest.raises(ParseError, match="there is a second 'torus', but only one is allowed"):
        LightsOut.parse(f"{head}torus\n1.1\n.1.\n1..\n")
