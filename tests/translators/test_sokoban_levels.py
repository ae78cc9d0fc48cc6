"""Levels of Sokoban that are made: rooms of patterns, and changes of given levels with cells that are locked."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.command_line import run, run_json
from unpuzzle import solve
from unpuzzle.base.distances import distances
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.model.capabilities import completed
from unpuzzle.model.options import Cells, cells_in
from unpuzzle.translators.sokoban.making import HALLS, made_room
from unpuzzle.translators.sokoban.rules import Sokoban

ROOM = "########\n#   #  #\n#@$ *. #\n#   #  #\n########\n"
RAGGED = "  #####\n###   #\n#@$ . #\n### * #\n  #####\n"


def made(seed: int, **options: Any) -> Sokoban:
    return Sokoban.generate(Random(seed), completed(Sokoban, options))


@given(st.integers(0, 10**6), st.integers(4, 8), st.integers(4, 9), st.integers(1, 3))
def test_a_room_that_looks_made_can_be_solved(seed: int, rows: int, columns: int, boxes: int) -> None:
    level = made(seed, layout="rooms", size=(rows, columns), boxes=boxes)
    assert len(level.where("$*")) == len(level.where(".+*")) == boxes
    free = set(level.where("@+$*.-"))
    assert free == set(distances([level.player], lambda cell: free.intersection(level.around[cell].values())))
    if boxes < 3:
        assert solve(level).solved


def test_rooms_are_no_halls_and_have_no_long_alleys() -> None:
    for seed in range(40):
        cells, width = made_room(Random(seed), (7, 8), 3)
        free = {divmod(cell, width) for cell, symbol in enumerate(cells) if symbol not in "# "}
        for high, wide in HALLS:
            blocks = [{(r + y, c + x) for y in range(high) for x in range(wide)} for r, c in free]
            assert not any(block <= free for block in blocks)
        near = {cell: [to for to in _beside(*cell) if to in free] for cell in free}
        assert not any(len(near[cell]) == 1 and len(near[near[cell][0]]) <= 2 for cell in free)


def _beside(row: int, column: int) -> list[tuple[int, int]]:
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def test_rooms_differ_and_are_the_same_for_the_same_seed() -> None:
    texts = [str(made(seed, layout="rooms", size=(6, 6))) for seed in range(30)]
    assert len(set(texts)) > 25
    assert texts == [str(made(seed, layout="rooms", size=(6, 6))) for seed in range(30)]


@given(st.integers(0, 10**6), st.integers(1, 30), st.sampled_from([ROOM, RAGGED]))
def test_a_changed_level_is_a_level_of_the_same_shape(seed: int, changes: int, text: str) -> None:
    given_level = Sokoban.parse(text)
    level = made(seed, **{"from": (text,), "changes": changes})
    assert (level.rows, level.columns) == (given_level.rows, given_level.columns)
    assert len(level.where("@+")) == 1
    assert 1 <= len(level.where("$*")) <= len(level.where(".+*"))
    outside = given_level.where(" ")
    assert all(level.cells[cell] in " #" for cell in outside)
    assert Sokoban.parse(str(level)) == level


@given(st.integers(0, 10**6))
def test_locked_cells_stay(seed: int) -> None:
    start = Sokoban.parse(ROOM)
    level = made(seed, **{"from": (ROOM,), "changes": 12, "locked": "c5,r2c2-r3c3"})
    for row, column in ((2, 2), (2, 3), (3, 2), (3, 3), *[(row, 5) for row in range(1, 6)]):
        cell = (row - 1) * start.columns + column - 1
        assert level.cells[cell] == start.cells[cell]


def test_changes_change() -> None:
    assert len({str(made(seed, **{"from": (ROOM,), "changes": 3})) for seed in range(40)}) > 20
    everything = made(1, **{"from": (ROOM,), "changes": 9, "locked": "r1-r5"})
    assert str(everything) == ROOM


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"from": (ROOM,), "locked": "r9c1"}, "there is no cell r9c1 in a level of 5 rows and 8 columns"),
        ({"from": (ROOM,), "size": "5x5"}, "--size is for levels that are made without --from"),
        ({"locked": "r1c1"}, "--locked is for levels that are made with --from"),
        ({"layout": "rooms", "walls": 7}, "--walls works only with --layout noise"),
        ({"layout": "rooms", "size": "2x2", "boxes": 5}, "is too small for moving 5 boxes"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParseError, match=sentence):
        made(1, **options)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("r1c2,r3c4", {(1, 2), (3, 4)}),
        ("r1c1-r2c2", {(1, 1), (1, 2), (2, 1), (2, 2)}),
        ("r2", {(2, 1), (2, 2), (2, 3), (2, 4)}),
        ("c4 r1c1", {(1, 4), (2, 4), (3, 4), (1, 1)}),
        ("r2-r3", {(row, column) for row in (2, 3) for column in range(1, 5)}),
        ("none", set()),
    ],
)
def test_cells_by_name(text: str, cells: set[tuple[int, int]]) -> None:
    option = Cells("locked", "")
    value = option.value(text)
    assert cells_in(value, 3, 4) == cells
    assert option.value(option.show(value)) == value


@pytest.mark.parametrize("text", ["", "x", "r0c1", "r1c2-", "r1c1-r2", "r3-r1", "1,2", "c", "r1c1-r2c2-r3c3"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    option = Cells("locked", "")
    if text:
        with pytest.raises(UsageError, match="is not cells such as r1c2,r3c4"):
            option.value(text)
    else:
        assert option.value(text) == ()


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "sokoban", "--from", "1", "--locked", "r2c2", "--count", "2", "--workers", "1"]
    code, answer = run_json(capsys, *words)
    assert code == 0
    assert answer["options"] | {"from": "1", "locked": "r2c2", "changes": "4"} == answer["options"]
    assert run(capsys, *words, "--layout", "rooms")[0] == 2
