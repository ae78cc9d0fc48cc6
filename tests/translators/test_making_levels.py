"""Levels that puzzles make when they are asked for: they are of the shape that was asked for."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from unpuzzle.base.errors import ParseError
from unpuzzle.model.capabilities import completed
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import SHARES, Pacman, carve
from unpuzzle.translators.sliding_tiles import SlidingTiles


def made(puzzle, count=30, **options):
    own = completed(puzzle, options)
    return [puzzle.generate(Random(seed), own) for seed in range(count)]


def every(puzzle, **options):
    return list(puzzle.every(completed(puzzle, options)))


def keys(positions):
    return {str(position.canonical()) for position in positions}


# ---- Boxup


@pytest.mark.parametrize(("size", "boxes", "walls"), [("2x5", 2, 0), ("3x3", 4, 2), ("1x4", 3, 1), ("4x2", 8, 4)])
def test_boxup_has_the_boxes_and_walls_that_were_asked_for(size, boxes, walls):
    rows, columns = map(int, size.split("x"))
    mixtures = set()
    for level in made(Boxup, size=size, boxes=boxes, walls=walls):
        text = str(level)
        lines = [line.split() for line in text.splitlines()]
        assert (len(lines), {len(line) for line in lines}) == (rows, {columns})
        assert text.count("#") == walls
        smalls, larges = (sum(text.count(letter) for letter in letters) for letters in ("nesw", "NESW"))
        assert smalls + larges == boxes
        assert text.count("!") == 2
        mixtures.add(smalls)
    assert len(mixtures) == min(boxes - 1, 2 * (rows * columns - walls) - boxes + 1)


@pytest.mark.parametrize(("size", "boxes", "walls"), [("1x1", 3, 0), ("2x2", 2, 4), ("2x2", 2, 80), ("2x2", 7, 1)])
def test_boxup_without_room_is_refused(size, boxes, walls):
    with pytest.raises(ParseError, match=f"{size} cells with {walls} walls have no room for {boxes} boxes"):
        made(Boxup, size=size, boxes=boxes, walls=walls)
    with pytest.raises(ParseError, match="have no room"):
        every(Boxup, size=size, boxes=boxes, walls=walls)


def test_in_a_third_of_the_samples_of_boxup_the_mover_gets_around():
    """Of levels at random, a sixth are like that."""
    assert sum(len(reachable(Boxup.sample(Random(seed)), 20)) >= 20 for seed in range(60)) >= 20


def reachable(level, most):
    """Return positions that moves lead to, in the order of a breadth-first search, about so many at most."""
    found = {level: None}
    while (layer := [p for q in found for p in q.following().values() if p not in found]) and len(found) < most:
        found |= dict.fromkeys(layer)
    return found


def by_brute_force(rows, columns, boxes, walls):
    """All Boxup texts of a shape: any content in any cell."""
    larges = ["", *(side + mark for side in "NESW" for mark in ("", "!"))]
    contents = [
        "#",
        *(large + small + mover for large in larges for small in map(str.lower, larges) for mover in ("", "@")),
    ]
    for cells in product([content or "." for content in contents], repeat=rows * columns):
        text = "".join(cells)
        if (text.count("@"), text.count("#"), text.count("!")) != (1, walls, 2):
            continue
        if sum(text.count(side) for side in "NESWnesw") != boxes:
            continue
        try:
            yield Boxup.parse("\n".join(" ".join(cells[i : i + columns]) for i in range(0, len(cells), columns)))
        except ParseError:  # two marked boxes of one size
            continue


@pytest.mark.parametrize(("size", "boxes", "walls"), [((1, 2), 2, 0), ((1, 2), 3, 0), ((2, 1), 4, 0), ((1, 3), 2, 1)])
def test_every_boxup_level_is_there(size, boxes, walls):
    listed = every(Boxup, size=size, boxes=boxes, walls=walls)
    assert len(set(listed)) == len(listed)
    assert keys(listed) == keys(by_brute_force(*size, boxes, walls))


def test_the_classes_of_three_by_three_with_two_boxes():
    # Burnside's lemma: of 9 * 36 * 36 levels the identity leaves all as they are, each of the two reflections that
    # keep two sides in their places leaves (3 cells of the axis) * (3 cells * 2 sides)^2, all others none.
    assert len(keys(every(Boxup))) == (9 * 36 * 36 + 2 * 3 * 6 * 6) // 8 == 1485


def test_random_boxup_levels_are_among_all():
    assert keys(made(Boxup, 50, size="2x2", boxes=3, walls=1)) <= keys(every(Boxup, size="2x2", boxes=3, walls=1))


# ---- sliding tiles


@pytest.mark.parametrize("size", [(1, 1), (1, 5), (4, 1), (2, 2), (2, 3), (4, 4)])
@pytest.mark.parametrize("goal", ["blank-first", "blank-last"])
def test_tiles_can_be_solved(size, goal):
    for level in made(SlidingTiles, size=size, goal=goal):
        assert (level.rows, level.columns) == size
        assert level.impossible() is None
        tiles = range(size[0] * size[1])
        assert level.goal == ((*tiles[1:], 0) if goal == "blank-last" else tuple(tiles))


def test_all_arrangements_are_equally_likely():
    counts = {}
    for level in made(SlidingTiles, 1200, size="2x2"):
        counts[level.tiles] = counts.get(level.tiles, 0) + 1
    assert set(counts) == {level.tiles for level in every(SlidingTiles, size="2x2")}
    assert len(counts) == 12
    assert min(counts.values()) > 60


@pytest.mark.parametrize(("size", "number"), [("1x1", 1), ("1x4", 4), ("2x3", 360), ("3x2", 360)])
def test_every_arrangement_is_there(size, number):
    listed = every(SlidingTiles, size=size)
    assert len(set(listed)) == len(listed) == number
    assert all(level.impossible() is None for level in listed)


def test_scrambled_tiles_are_as_many_moves_away_at_most():
    for level in made(SlidingTiles, size="3x3", scramble=3):
        near = {level}
        for _ in range(3):
            near |= {position.apply(move) for position in near for move in position.moves()}
        assert any(position.solved() for position in near)
        assert not level.solved()  # three moves of which none undoes the one before
    assert {str(level) for level in made(SlidingTiles, size="1x1", scramble=9)} == {"0\n"}
    assert len({str(level) for level in made(SlidingTiles, size="1x2", scramble=5)}) == 1
    assert SlidingTiles.every(completed(SlidingTiles, {"scramble": 3})) is None


# ---- Pacman


@pytest.mark.parametrize("kind", SHARES)
def test_mazes_are_of_their_kind(kind):
    for level in made(Pacman, size="4x6", kind=kind, dots=5):
        assert (level.rows, level.columns, len(level.food)) == (9, 13, 5)
        assert level.impossible() is None
        floor = {cell for cell in range(9 * 13) if str(level).replace("\n", "")[cell] != "%"}
        passages = sum((cell + 1 in floor) + (cell + 13 in floor) for cell in floor)
        walls = 4 * 5 + 3 * 6 - 23
        if kind == "perfect":  # a spanning tree: one passage fewer than cells
            assert (len(floor), passages) == (47, 46)
        else:
            assert len(floor) >= 47 + int(SHARES[kind] * walls)
            assert passages > len(floor)


def test_a_perfect_maze_joins_all_rooms():
    floor, walls = carve(5, 7, Random(3))
    assert {(2 * row + 1, 2 * column + 1) for row in range(5) for column in range(7)} <= floor
    assert len(floor) == 2 * 35 - 1
    assert floor.isdisjoint(walls)


def test_more_dots_than_cells_are_refused():
    assert len(made(Pacman, 1, size="1x2", dots=2)[0].food) == 2
    with pytest.raises(
        ParseError, match="3 dots and Pacman do not fit into 1x2 rooms, as a maze of this size may have only 3 cells"
    ):
        made(Pacman, 1, size="1x2", dots=3)
    with pytest.raises(ParseError, match="1 dot and Pacman"):
        made(Pacman, 1, size="1x1")
