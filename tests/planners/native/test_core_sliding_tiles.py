"""The search core on sliding tiles, by place and by cell: known numbers of states, known lengths, runs alike."""

from __future__ import annotations

from array import array

import pytest

from support.fdr_twin import ACTION, core, numbered, replay
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator

# --- sliding tiles ------------------------------------------------------------------------------------------------


def neighbours(rows: int, columns: int) -> list[tuple[int, int]]:
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    return [(r * columns + c, s * columns + d) for r, c in cells for s, d in cells if abs(r - s) + abs(c - d) == 1]


def tiles_by_place(rows: int, columns: int, start: list[int]) -> FDRTask:
    """One variable a tile (0 is the blank): where it is."""
    count = rows * columns
    moves = [
        Operator(ACTION, [(0, to), (tile, place)], [Effect([], 0, place), Effect([], tile, to)], 1)
        for to, place in neighbours(rows, columns)
        for tile in range(1, count)
    ]
    initial = [start.index(tile) for tile in range(count)]
    return FDRTask(numbered(*[count] * count), initial, [(tile, tile) for tile in range(count)], moves)


def tiles_by_cell(rows: int, columns: int, start: list[int]) -> FDRTask:
    """One variable a cell: what is in it."""
    count = rows * columns
    moves = [
        Operator(ACTION, [(to, 0), (place, tile)], [Effect([], to, tile), Effect([], place, 0)], 1)
        for to, place in neighbours(rows, columns)
        for tile in range(1, count)
    ]
    return FDRTask(numbered(*[count] * count), start, [(cell, cell) for cell in range(count)], moves)


@pytest.mark.parametrize("encode", [tiles_by_place, tiles_by_cell])
@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_eight_puzzle_half_space(encode, algorithm):
    outcome = core(encode(3, 3, [0, 2, 1, 3, 4, 5, 6, 7, 8])).search(algorithm)
    assert outcome.status == "unsolvable"
    assert outcome.expanded == outcome.evaluated == outcome.states == 181_440
    assert outcome.generated == 483_840


@pytest.mark.parametrize("encode", [tiles_by_place, tiles_by_cell])
@pytest.mark.parametrize("start", [[8, 7, 6, 0, 4, 1, 2, 5, 3], [8, 0, 6, 5, 4, 7, 2, 3, 1]])
def test_the_hardest_eight_puzzles(encode, start):
    task = encode(3, 3, start)
    outcome = core(task).search("bfs")
    assert outcome.status == "solved_optimally"
    assert outcome.cost == replay(task, outcome.plan) == 31


def test_a_board_that_is_not_square():
    task = tiles_by_place(2, 4, [0, 2, 1, 3, 4, 5, 6, 7])
    outcome = core(task).search("bfs")
    assert (outcome.status, outcome.expanded) == ("unsolvable", 20_160)


def test_costs_leave_the_blind_search_the_same_states():
    """Costs that differ take A* away from layers; it must still expand every state once."""
    task = tiles_by_place(2, 4, [0, 2, 1, 3, 4, 5, 6, 7])
    operators = [operator.replace(cost=number % 4) for number, operator in enumerate(task.operators)]
    outcome = core(task.replace(operators=operators)).search("astar")
    assert (outcome.status, outcome.states) == ("unsolvable", 20_160)
    assert outcome.expanded == 20_160 + outcome.reopened


def test_runs_are_alike():
    native = core(tiles_by_cell(3, 3, [8, 7, 6, 0, 4, 1, 2, 5, 3]))

    def facts(outcome):
        return outcome.plan, outcome.expanded, outcome.generated, outcome.states, outcome.bytes

    first = facts(native.search("bfs"))
    assert facts(native.search("bfs")) == first
    # The same on every machine; changes only with the order in which successors come.
    assert first[1:4] == GOLDEN


GOLDEN = (181_392, 483_698, 181_440)


# --- the face -----------------------------------------------------------------------------------------------------


def test_wide_numbers_are_taken_too():
    task = tiles_by_place(2, 2, [3, 2, 1, 0])
    wide = {name: array("q", numbers) for name, numbers in task.buffers().items()}
    narrow = {name: array("i", numbers) for name, numbers in task.buffers().items()}
    expected = core(task).search("bfs").plan
    assert _core.Task(**wide).search("bfs").plan == expected
    assert _core.Task(**narrow).search("bfs").plan == expected
