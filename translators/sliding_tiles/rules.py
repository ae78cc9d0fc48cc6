"""Sliding tiles: the 8-puzzle, the 15-puzzle and boards of any other size.

    1 2 5        rows of numbers, 0 the blank; below them, optionally, the goal, `*` for "don't care".
    3 4 0        Without it the goal is the blank, then the tiles in order, or the tiles, then the blank:
    goal         the one of the two that can be reached, or else the blank first.
    0 * *
    * 4 5

A move is the direction of the blank: U, D, L, R. Half of all arrangements are unreachable: see board.py.

A random arrangement is any solvable one, or some random moves away from the goal. In pictures, a tile in its goal cell
has a line below.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import hypot
from operator import getitem
from random import Random
from typing import Any, ClassVar, Self, TypeVar

from unpuzzle.base.errors import IllegalMove
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import shorten
from unpuzzle.drawing import At, Ground, Look, Path, Piece, Rect, Text
from unpuzzle.model.capabilities import ForComponents, HasHeuristics, Pictured, Reversible, Staged, Symmetric
from unpuzzle.model.heuristic import NULL, Heuristic, Subgoal
from unpuzzle.model.options import Choice, Number, Option, Size, by_name
from unpuzzle.model.position import Generating, Puzzle, by_text
from unpuzzle.model.task import atom, foreign, objects
from unpuzzle.pddl.nodes import And, Atom, GroundAction, Problem, Task
from unpuzzle.translators.shared.cells import Memo, Symmetry, step, symmetries
from unpuzzle.translators.shared.text import levels_beside
from unpuzzle.translators.sliding_tiles.board import (
    STEPS,
    Goal,
    TilesBoard,
    assumed_goal,
    completions,
    read,
    reason,
    subgoals,
    usual_goals,
)

# Heuristics for sliding tiles. The blank, and tiles without a goal cell, do not count.
#
# All are admissible and consistent except *manhattan-with-blank*, the classic mistake, which is included as an example.
#
# In a *linear conflict* (O. Hansson, A. Mayer and M. Yung, Criticizing solutions to relaxed problems yields powerful
# admissible heuristics, 1992) two tiles are in the goal line of both, each beyond the other's place. Of k tiles in
# their goal line, the most without conflicts are a longest increasing subsequence of their places; these may stay. So k
# less its length is the least number of tiles that must leave the line, which takes each of them two steps that
# Manhattan distance does not count. (To count 2 for every pair in conflict would be more, and not admissible.) It is
# consistent: the tile that moves keeps its order in its line; of the two lines that it leaves and enters, at most one
# is its own. Entering it brings it 1 nearer and adds 2 at most, leaving it takes it 1 away and saves 2 at most: the
# estimate changes by 1.

Estimate = Callable[["SlidingTiles"], float]
Between = Callable[["SlidingTiles", "SlidingTiles"], float]
Measure = Callable[[int, int], float]
"""A function from the rows and columns between a tile and its place to the value of the tile."""


@lru_cache(maxsize=64)
def _apart(rows: int, columns: int, measure: Measure) -> tuple[tuple[float, ...], ...]:
    """Return the distance between each two cells; `measure` computes it from the rows and columns between them."""
    places = [divmod(cell, columns) for cell in range(rows * columns)]
    return tuple(tuple(measure(abs(a - c), abs(b - d)) for c, d in places) for a, b in within_limits(places))


@lru_cache(maxsize=64)
def _table(rows: int, columns: int, goal: Goal, measure: Measure, blank: bool) -> tuple[tuple[float, ...], ...]:
    """Return, for each tile, the distance of each cell to the tile's goal cell."""
    apart = _apart(rows, columns, measure)
    places = {tile: cell for cell, tile in enumerate(goal) if tile is not None and (tile or blank)}
    tiles = range(len(goal))
    rows_of_cells = within_limits(enumerate(apart))
    return tuple(tuple(counts[places.get(tile, cell)] for tile in tiles) for cell, counts in rows_of_cells)


def _sum(measure: Measure, blank: bool = False) -> tuple[Estimate, Between]:
    """Return two functions that sum the tiles' distances by `measure`: to the goal, and to another position."""

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
    """Return how many tiles must leave a row or column at least, so that the others can pass each other."""
    places = [goal.index(tile) for tile in line if tile and tile in goal]
    ends: list[int] = []  # by length: the least end of an increasing subsequence
    for place in places:
        index = bisect_left(ends, place)
        ends[index : index + 1] = [place]
    return len(places) - len(ends)


def _no_place_for_the_blank(position: SlidingTiles) -> str | None:
    return None if 0 in position.goal else "the goal does not say where the blank should be"


def _sound(name: str, about: str, functions: tuple[Estimate, Between]) -> Heuristic:
    """Return an admissible and consistent heuristic from two functions: distances to the goal and to positions."""
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


Position = TypeVar("Position", bound=Puzzle)

OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of the board", (3, 3), most=10),
    Choice("goal", "where the blank ends: before or after the tiles", "blank-first", ("blank-first", "blank-last")),
    Number("scramble", "random moves away from the goal; 0: any arrangement that can be solved", 0, most=1000),
)


def scrambled(rng: Random, position: Position, moves: int) -> Position:
    """Return the position after random moves; a move undoes the one before only if there is no other move."""
    before = position
    for _ in range(moves):
        following = [position.apply(move) for move in position.moves()]
        onward = [after for after in following if after != before] or following
        if not onward:
            break
        position, before = rng.choice(onward), position
    return position


def shuffled(rng: Random, rows: int, columns: int, tiles: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return two random arrangements of the tiles; from at least one of them, `tiles` can be reached."""
    if min(rows, columns) == 1:  # the order never changes, only the blank's place
        order = [tile for tile in tiles if tile]
        order.insert(rng.randrange(len(tiles)), 0)
        return order, order
    order = list(tiles)
    rng.shuffle(order)
    other = order.copy()
    one, two = [cell for cell, tile in enumerate(order) if tile][:2]
    other[one], other[two] = other[two], other[one]  # changes the parity, by which half of them can be reached
    return order, other


_EDGES = {"U": "top row", "D": "bottom row", "L": "first column", "R": "last column"}
_BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}
_NOTHING: frozenset[Atom] = frozenset()
_BLANK_STEP = {"N": "D", "S": "U", "W": "R", "E": "L"}  # by the step of the tile


class SlidingTiles(Puzzle, Generating, HasHeuristics, Pictured, Symmetric, Reversible, Staged, ForComponents):
    """A position of sliding tiles: the tile in each cell, row by row; 0 is the blank."""

    __slots__ = ("_blank", "_board", "tiles")

    name = "sliding-tiles"
    title = "Sliding tiles: the 8-puzzle, the 15-puzzle, and boards of any size with any goal"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    options: Mapping[str, Option] = OPTIONS
    heuristics: Mapping[str, Heuristic] = HEURISTICS

    def __init__(self, board: TilesBoard, tiles: Sequence[int], blank: int | None = None) -> None:
        self._board = board
        self.tiles: tuple[int, ...] = tuple(tiles)
        self._blank: int = tiles.index(0) if blank is None else blank

    def _key(self) -> Hashable:
        return self._board, self.tiles

    @property
    def rows(self) -> int:
        return self._board.rows

    @property
    def columns(self) -> int:
        return self._board.columns

    @property
    def goal(self) -> Goal:
        """The tile of each cell in the goal; None for a cell that any tile may have."""
        return self._board.goal

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        rows, columns, goal, tiles = read(text, source)
        board = TilesBoard(rows, columns, goal or tuple(range(len(tiles))))
        if goal is None and (assumed := assumed_goal(board, tiles)) != board.goal:
            board = TilesBoard(rows, columns, assumed)
        return cls(board, tiles)

    def __str__(self) -> str:
        return self._lines(self.tiles) + ("" if self._is_assumed() else "goal\n" + self._lines(self.goal))

    def _is_assumed(self) -> bool:
        """Return whether the goal is the default goal, which a level has if its text states none."""
        goal = self.goal
        return goal in usual_goals(len(goal)) and goal == assumed_goal(self._board, self.tiles)

    def remarks(self) -> tuple[str, ...]:
        """Return a sentence about the goal, if the text of the level has no goal."""
        return (f"the goal is {usual_goals(len(self.goal))[self.goal]}",) if self._is_assumed() else ()

    def _lines(self, tiles: Sequence[int | None]) -> str:
        width = len(str(len(tiles) - 1))
        rows = [["*" if tile is None else str(tile) for tile in row] for row in self._in_rows(tiles)]
        return "".join(" ".join(word.rjust(width) for word in row) + "\n" for row in rows)

    def moves(self) -> tuple[str, ...]:
        return tuple(self._board.steps[self._blank])

    def apply(self, move: str) -> Self:
        target = self._board.steps[self._blank].get(move)
        if target is None:
            edge = f"{move}: the blank is in the {_EDGES[move]}" if move in STEPS else ""
            raise IllegalMove(edge or f"{shorten(move)} is not a move: the moves are U, D, L and R", move=move)
        tiles = list(self.tiles)
        tiles[self._blank], tiles[target] = tiles[target], 0
        return type(self)(self._board, tuple(tiles), target)

    def solved(self) -> bool:
        for expected, tile in zip(self.goal, self.tiles, strict=True):  # `all` would take several times as long
            if expected is not None and expected != tile:
                return False
        return True

    def goal_position(self) -> Self | None:
        """Return the solved position; None if there are several."""
        if self.solved():
            return self
        if self.goal.count(None) > 1:
            return None
        return type(self)(self._board, next(completions(self.goal, self.tiles)))

    def predecessors(self) -> list[tuple[str, Self]]:
        return [(_BACK[move], self.apply(move)) for move in self.moves()]

    def impossible(self) -> str | None:
        return reason(self._board, self.tiles)

    def subgoals(self) -> Sequence[Subgoal]:
        return subgoals(self._board, self.tiles)

    def plain(self) -> list[list[int | None]]:
        """Return rows of numbers, 0 the blank."""
        return self._in_rows(self.tiles)

    def component_arguments(self) -> dict[str, object]:
        """Return the rows of the goal; None for a cell in which any tile will do."""
        return {"goal": self._in_rows(self.goal)}

    def assumed_arguments(self) -> tuple[str, ...]:
        """Return the argument name `goal` if the goal is the default (blank first, tiles in order), otherwise none."""
        return ("goal",) if self.goal == tuple(range(len(self.goal))) else ()

    def _in_rows(self, tiles: Sequence[int | None]) -> list[list[int | None]]:
        return [list(tiles[i : i + self.columns]) for i in range(0, len(tiles), self.columns)]

    def symmetries(self) -> Iterable[Self]:
        """Return the images under reflections and rotations, with the tiles renamed so that the goal is in order.

        So a usual goal remains one if the blank is first or last.
        """
        return dict.fromkeys(map(self._turned, symmetries(self.rows, self.columns)))

    def _turned(self, symmetry: Symmetry) -> Self:
        goal = symmetry.moved(self.goal)
        names = dict(zip(filter(None, goal), filter(None, self.goal), strict=True))
        board = TilesBoard(symmetry.rows, symmetry.columns, tuple([names.get(t, t) if t else t for t in goal]))
        return type(self)(board, [names.get(tile, tile) for tile in symmetry.moved(self.tiles)])

    def canonical(self) -> Self:
        return min([position._renamed() for position in self.symmetries()], key=by_text)

    def _renamed(self) -> Self:
        """Return the position with the tiles renamed to 1, 2, ... in the order of the goal."""
        named = [tile for tile in self.goal if tile]
        order = [*named, *(tile for tile in self.tiles if tile and tile not in named)]
        names = {tile: name for name, tile in enumerate(order, 1)}
        board = TilesBoard(self.rows, self.columns, tuple([names[tile] if tile else tile for tile in self.goal]))
        return type(self)(board, [names.get(tile, 0) for tile in self.tiles])

    def task(self) -> Task:
        board, cells = self._board, self._board.cells
        goal = [board.atom(tile, cell) for cell, tile in enumerate(self.goal) if tile is not None]
        pairs = [(cell, other) for cell in cells for other in board.steps[cell].values()]
        adjacent = [atom("adjacent", board.name(cell), board.name(other)) for cell, other in pairs]
        problem = Problem(
            name=f"sliding-tiles-{self.rows}x{self.columns}",
            domain_name="sliding-tiles",
            objects=(
                *objects([f"t{tile}" for tile in cells if tile], "tile"),
                *objects(map(board.name, cells), "cell"),
            ),
            init=(*adjacent, *map(board.atom, self.tiles, cells)),
            goal=And(tuple(goal)),
        )
        return Task(self.game.domain(), problem)

    def atoms(self) -> frozenset[Atom]:
        board = self._board
        return _NOTHING.union(*map(board.atoms.__getitem__, zip(self.tiles, board.cells, strict=True)))

    def decode(self, action: GroundAction) -> str:
        if action.name != "slide" or len(action.arguments) != 3:
            raise foreign(action, "the action must be (slide TILE FROM TO)")
        return _BLANK_STEP[step(action, 1, 2)]

    def ground(self) -> Ground:
        return ground(self._board)

    def pieces(self) -> list[Piece]:
        place = places(self._board).__getitem__
        return [place(pair) for pair in zip(self.tiles, self._board.cells, strict=True) if pair[0]]

    @classmethod
    def sample(cls, rng: Random) -> Self:
        rows, columns = rng.choice([(1, 2), (1, 5), (4, 1), (2, 2), (2, 3), (3, 2), (2, 3), (3, 2)])
        tiles, goal = list(range(rows * columns)), list(range(rows * columns))
        rng.shuffle(tiles)
        if rng.random() < 0.7:
            rng.shuffle(goal)
        wild = rng.sample(goal, rng.choice([0, 0, 1, 2, 3, len(goal)]) % (len(goal) + 1))
        return cls(TilesBoard(rows, columns, tuple(None if tile in wild else tile for tile in goal)), tiles)

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        solved = cls._solved(options)
        if options["scramble"]:
            return scrambled(rng, solved, options["scramble"])
        one, other = [cls(solved._board, order) for order in shuffled(rng, solved.rows, solved.columns, solved.tiles)]
        return one if one.impossible() is None else other

    @classmethod
    def every(cls, options: Mapping[str, Any]) -> Iterator[Self] | None:
        if options["scramble"]:
            return None
        solved = cls._solved(options)
        positions = (cls(solved._board, order) for order in permutations(solved._board.cells))
        return (position for position in positions if position.impossible() is None)

    @classmethod
    def _solved(cls, options: Mapping[str, Any]) -> Self:
        rows, columns = options["size"]
        tiles = tuple(range(rows * columns))
        goal = (*tiles[1:], 0) if options["goal"] == "blank-last" else tiles
        return cls(TilesBoard(rows, columns, goal), goal)


@lru_cache(maxsize=64)
def ground(board: TilesBoard) -> Ground:
    """Return the fixed part of the picture, and the drawings of tiles in their goal cells and elsewhere."""
    tiles = range(1, board.rows * board.columns)
    width = len(str(len(tiles))) + 2
    elsewhere = {str(tile): _tile(tile, width, "tile", "") for tile in tiles}
    at_home = {f"{tile}!": _tile(tile, width, "home", ", at home") for tile in tiles}
    frame = Rect(0, 0, board.columns, board.rows, 0.14, fill="floor", line="edge", thick=0.04)
    looks = {**BODIES, **elsewhere, **at_home}
    text = _text(board, width)
    aims = [f"tile {tile} in {board.place(cell)}" for cell, tile in enumerate(board.goal) if tile]
    return Ground(board.rows, board.columns, looks, [frame], text, (2, width + 1), (1, 1), role="grid", aims=aims)


def _tile(tile: int, width: int, role: str, where: str) -> Look:
    number = Text(0.5, 0.48, str(tile), 0.5 if tile < 100 else 0.36, fill="label")
    return Look(At(0, 0, role), number, text=str(tile).center(width), role=role, label=f"tile {tile}{where}")


_UNDERLINE = Path([(0.36, 0.79), (0.64, 0.79)], line="label", thick=0.05)
BODIES = {
    role: Look(Rect(0.06, 0.06, 0.88, 0.88, 0.1, fill=role, line="edge", thick=0.03), *more)
    for role, more in (("tile", ()), ("home", (_UNDERLINE,)))
}


def _text(board: TilesBoard, width: int) -> str:
    line = "│" + "│".join([" " * width] * board.columns) + "│"
    top, middle, bottom = (
        left + inner.join(["─" * width] * board.columns) + right for left, inner, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    return "\n".join([top, f"\n{middle}\n".join([line] * board.rows), bottom])


@lru_cache(maxsize=64)
def places(board: TilesBoard) -> Memo[tuple[int, int], Piece]:
    """Return the piece of the picture for each tile in each cell, so that pieces are made only once."""

    def piece(pair: tuple[int, int]) -> Piece:
        tile, cell = pair
        look = f"{tile}!" if board.goal[cell] == tile else str(tile)
        return look, cell // board.columns, cell % board.columns, str(tile)

    return Memo(piece)
