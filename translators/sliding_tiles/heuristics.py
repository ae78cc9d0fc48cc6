"""Heuristics for sliding tiles. The blank, and tiles without a goal cell, do not count.

All are admissible and consistent except *manhattan-with-blank*, the classic mistake, which is included as an example.

In a *linear conflict* (O. Hansson, A. Mayer and M. Yung, Criticizing solutions to relaxed problems yields powerful
admissible heuristics, 1992) two tiles are in the goal line of both, each beyond the other's place. Of k tiles in their
goal line, the most without conflicts are a longest increasing subsequence of their places; these may stay. So k less
its length is the least number of tiles that must leave the line, which takes each of them two steps that Manhattan
distance does not count. (To count 2 for every pair in conflict would be more, and not admissible.) It is consistent:
the tile that moves keeps its order in its line; of the two lines that it leaves and enters, at most one is its own.
Entering it brings it 1 nearer and adds 2 at most, leaving it takes it 1 away and saves 2 at most: the estimate changes
by 1.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from math import hypot
from operator import getitem

from unpuzzle.base.run import within_limits
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.puzzle.heuristic import NULL, Heuristic
from unpuzzle.puzzle.options import by_name

if TYPE_CHECKING:
    from unpuzzle.translators.sliding_tiles.rules import SlidingTiles

    Estimate = Callable[[SlidingTiles], float]
    Between = Callable[[SlidingTiles, SlidingTiles], float]

Goal = tuple[int | None, ...]
Measure = Callable[[int, int], float]
"""A function from the rows and columns between a tile and its place to the value of the tile."""


@lru_cache(maxsize=64)
def _apart(rows: int, columns: int, measure: Measure) -> tuple[tuple[float, ...], ...]:
    """Return the value of a tile, by its cell and its place."""
    places = [divmod(cell, columns) for cell in range(rows * columns)]
    return tuple(tuple(measure(abs(a - c), abs(b - d)) for c, d in places) for a, b in within_limits(places))


@lru_cache(maxsize=64)
def _table(rows: int, columns: int, goal: Goal, measure: Measure, blank: bool) -> tuple[tuple[float, ...], ...]:
    """Return for each cell, by tile, the value of the tile there."""
    apart = _apart(rows, columns, measure)
    places = {tile: cell for cell, tile in enumerate(goal) if tile is not None and (tile or blank)}
    tiles = range(len(goal))
    rows_of_cells = within_limits(enumerate(apart))
    return tuple(tuple(counts[places.get(tile, cell)] for tile in tiles) for cell, counts in rows_of_cells)


def _sum(measure: Measure, blank: bool = False) -> tuple[Estimate, Between]:
    """Return the functions that sum the values of all tiles, to the goal and to another position."""

    def estimate(position: SlidingTiles) -> float:
        table = _table(position.rows, position.columns, position.goal, measure, blank)
        return sum(map(getitem, table, position.tiles))

    def between(position: SlidingTiles, other: SlidingTiles) -> float:
        apart = _apart(position.rows, position.columns, measure)
        places = sorted(range(len(other.tiles)), key=other.tiles.__getitem__)
        return sum([apart[cell][places[tile]] for cell, tile in enumerate(position.tiles) if tile or blank])

    return estimate, between


@lru_cache(maxsize=64)
def _conflicts(position: SlidingTiles, goal: Goal) -> int:
    tiles, columns = position.tiles, position.columns
    lines = [slice(start, start + columns) for start in range(0, len(tiles), columns)]
    lines += [slice(column, None, columns) for column in range(columns)]
    return 2 * sum([_leaving(tiles[line], goal[line]) for line in lines])


@lru_cache(maxsize=1 << 17)
def _leaving(line: tuple[int, ...], goal: Goal) -> int:
    """Return the least number of tiles that must leave their own line."""
    places = [goal.index(tile) for tile in line if tile and tile in goal]
    ends: list[int] = []  # by length: the least end of an increasing subsequence
    for place in places:
        index = bisect_left(ends, place)
        ends[index : index + 1] = [place]
    return len(places) - len(ends)


def _no_place_for_the_blank(position: SlidingTiles) -> str | None:
    return None if 0 in position.goal else "the goal does not say where the blank should be"


def _sound(name: str, about: str, functions: tuple[Estimate, Between]) -> Heuristic:
    """Return a heuristic that is admissible and consistent, from distances to the goal and between positions."""
    estimate, between = functions
    return Heuristic(name, about, estimate, admissible=True, consistent=True, between=between)


_MANHATTAN = _sum(lambda rows, columns: rows + columns)
_LINEAR_CONFLICT = (
    lambda position: _MANHATTAN[0](position) + _conflicts(position, position.goal),
    lambda position, other: _MANHATTAN[1](position, other) + _conflicts(position, other.tiles),
)
_MISPLACED = _sum(lambda rows, columns: int(rows + columns > 0))
_WITH_BLANK = _sum(lambda rows, columns: rows + columns, blank=True)
_MISTAKE = _sound("manhattan-with-blank", "manhattan with the blank as if it were a tile; not admissible", _WITH_BLANK)

HEURISTICS: dict[str, Heuristic] = by_name(
    _sound("manhattan", "rows and columns between each tile and its place, summed", _MANHATTAN),
    _sound("linear-conflict", "manhattan, and 2 for each tile that must make way in its line", _LINEAR_CONFLICT),
    _sound("euclidean", "between each tile and its place in a straight line, summed", _sum(hypot)),
    _sound("misplaced", "number of tiles that are not in their places", _MISPLACED),
    _MISTAKE.replace(admissible=False, consistent=False, unfit=_no_place_for_the_blank),
    NULL,
)
