"""Pacman grids without ghosts: mazes with one food to find, or many dots to eat.

    %%%%%%     `%` wall, `.` food, `P` Pacman; all other symbols are floor. One character is a cell.
    %. P %     A move is a step N, S, E or W; entering a cell eats its food; the goal is that none is left.
    %%%%%%

The symbols come from the `.lay` files of Berkeley's Pacman projects (J. DeNero and D. Klein, 2010). The first row of a
text gives the width.

In pictures, walls are lines that join their neighbours. A cell is two characters wide in text, so that it looks square.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import lru_cache, partial
from math import hypot
from operator import add
from random import Random
from typing import Any, ClassVar, Self

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count, shorten
from unpuzzle.drawing import Circle, Ground, Look, Path, Piece, Point, Rect
from unpuzzle.model.capabilities import Generating, HasHeuristics, Pictured, Reversible, Scored, Staged, Symmetric
from unpuzzle.model.heuristic import NULL, Heuristic, Subgoal
from unpuzzle.model.options import Choice, Number, Option, Size, by_name
from unpuzzle.model.position import Puzzle
from unpuzzle.model.task import atom, foreign, objects
from unpuzzle.pddl.nodes import And, Atom, GroundAction, Not, Problem, Task
from unpuzzle.translators.shared.cells import (
    Distances,
    Layout,
    Memo,
    Symmetry,
    cell_names,
    neighbours,
    reachable,
    step,
    symmetries,
)
from unpuzzle.translators.shared.text import Page, Word, levels_beside

Atoms = Memo[int, frozenset[Atom]]
Cells = set[tuple[int, int]]

STEPS: dict[str, tuple[int, int]] = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
TREES_KEPT = 50_000
DOTS_PER_TICK = 64
COMPASS = ("N", "E", "S", "W")
_WORDS = {"N": "north", "S": "south", "E": "east", "W": "west"}
AROUND = ((-1, 0), (0, 1), (1, 0), (0, -1))
SHARES: dict[str, float] = {"perfect": 0.0, "loops": 0.25, "room": 0.9}
"""By kind of maze, the share of the walls of a perfect maze that is removed."""
OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of rooms; with walls between them and around", (5, 5), most=25),
    Choice("kind", "perfect: one way from any cell to any other; loops: several; room: few walls", "perfect", SHARES),
    Number("dots", "how much food, at random places", 1, least=1, most=1000),
)
UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8


class Maze(Layout):
    """The floor of a maze, without Pacman and without food.

    `at` and `food` have, by cell, a set with the atom for Pacman, or for food, in the cell.
    """

    __slots__ = ("at", "distances", "food", "names", "remark", "steps", "trees")

    remark: str
    """The extra symbols of the text: ghosts, capsules. They are not part of the maze."""

    def __init__(self, rows: int, columns: int, floor: frozenset[int]) -> None:
        super().__init__(rows, columns, floor)
        self.remark = ""
        names, around = cell_names(rows, columns), neighbours(rows, columns, STEPS)
        self.names: dict[int, str] = {cell: names[cell] for cell in sorted(floor)}
        self.steps: dict[int, dict[str, int]] = {
            cell: {move: to for move, to in around[cell].items() if to in floor} for cell in self.names
        }
        self.at: Atoms = Memo(lambda cell: frozenset([atom("at", names[cell])]))
        self.food: Atoms = Memo(lambda cell: frozenset([atom("food", names[cell])]))
        self.distances: Distances = Distances({cell: tuple(steps.values()) for cell, steps in self.steps.items()})
        self.trees: Trees = Trees(self.distances)


class Trees:
    """A calculator of minimum spanning trees of the dots in a maze (R. C. Prim, 1957), which caches their weights.

    Many positions have the same dots: some trees are cached.
    """

    __slots__ = ("_distances", "_weights")

    def __init__(self, distances: Distances) -> None:
        self._distances = distances
        self._weights: dict[frozenset[int], float] = {}

    def weight(self, dots: frozenset[int]) -> float:
        """Return the weight, in steps, of a minimum spanning tree of the dots."""
        weight = self._weights.get(dots)
        if weight is None:
            if len(self._weights) >= TREES_KEPT:
                self._weights.clear()
            first = min(dots)
            edges = {dot: self._distances.between(first, dot) for dot in dots}
            weight = self._weights[dots] = self.grow(edges)
        return weight

    def grow(self, edges: dict[int, float]) -> float:
        """Return the weight of a minimum spanning tree of dots; `edges` has the distances from one to the others."""
        between = self._distances.between
        weight: float = 0
        while edges:
            if len(edges) % DOTS_PER_TICK == 0:
                checkpoint()
            nearest = min(edges, key=edges.__getitem__)
            weight += edges.pop(nearest)
            for dot, distance in edges.items():
                edges[dot] = min(distance, between(nearest, dot))
        return weight


def read(text: str, source: str | None) -> tuple[Maze, int, frozenset[int]]:
    """Read a level; return the maze, Pacman's cell and the cells with food."""
    page = Page(text, source)
    lines = page.lines[: max((number for number, line in enumerate(page.lines, 1) if line), default=0)]
    if not lines:
        raise page.error("the level is empty")
    # Blanks behind the first row are cells only if all rows have them.
    columns = min([len(line.partition("\t")[0]) for line in lines])
    columns = min(max(columns, len(lines[0].rstrip(" "))), len(lines[0]))
    if not columns:
        raise page.error("row 1 of the level is empty")
    for number, line in enumerate(lines, 1):
        page.require_printable(line, number)
        if "\t" in line[:columns]:
            raise page.error("a tab is not a cell: write blanks instead", number, line.index("\t") + 1)
        if len(line) < columns:
            message = f"row {number} has {count(len(line), 'cell')}, but row 1 has {columns}"
            raise page.error(message, number, len(line) + 1)
        if rest := line[columns:].lstrip():
            message = f"row {number} is longer than the {count(columns, 'cell')} of row 1"
            raise page.error(message, number, len(line) - len(rest) + 1)
    cells = "".join([line[:columns] for line in lines])
    where = {symbol: frozenset(i for i, other in enumerate(cells) if other == symbol) for symbol in "%.P"}
    words = [Word("P", cell // columns + 1, cell % columns + 1) for cell in sorted(where["P"])]
    page.require_one(words, "'P'", "no 'P': Pacman must start somewhere", start=Word("", 1, 1))
    maze = Maze(len(lines), columns, frozenset(range(len(cells))) - where["%"])
    others = sorted({*cells} - {*"%.P "})
    strange = next((place for place, symbol in enumerate(cells) if symbol not in ".P oG1234"), None)
    if strange is not None and not where["%"]:
        row, column = divmod(strange, columns)
        message = f"{cells[strange]!r} would count as floor, but there is no wall: walls are written '%'"
        raise page.error(message, row + 1, column + 1)
    if others:
        maze.remark = f"there are no ghosts and capsules in this game: {', '.join(map(repr, others))} count as floor"
    return maze, cells.index("P"), where["."]


# Heuristics for Pacman. With one dot left they are distances to it; with more, they combine distances.
#
# A plan leads to every dot, so no distance to a dot exceeds its length; a move changes each distance by at most 1, and
# an eaten dot was 1 away.
#
# *spanning-tree* is admissible: the plan reaches some dot first, the nearest at best, and its rest joins all dots. It
# is consistent: if a move eats the dot f, the estimate was 1 + tree(F), and joining f by the shortest edge to the tree
# of the others gives tree(F) ≤ tree(F - f) + (steps from f to the nearest other dot), the estimate afterwards.
# *joined-tree* is admissible for the same reason and often higher, but not consistent: where Pacman enters a crossing
# with dots at the ends of three other arms, every edge of the tree gets shorter by 1, with a single move. (The trees:
# R. C. Prim, Shortest connection networks and some generalizations, 1957.)


def _steps(position: Pacman, other: Pacman) -> float:
    return position.maze.distances.between(position.cell, other.cell)


def _edges(position: Pacman) -> dict[int, float]:
    between, cell = position.maze.distances.between, position.cell
    return {dot: between(cell, dot) for dot in position.food}


def _farthest_steps(position: Pacman) -> float:
    return max(_edges(position).values(), default=0)


def _spanning_tree(position: Pacman) -> float:
    if not position.food:
        return 0
    return min(_edges(position).values()) + position.maze.trees.weight(position.food)


def _joined_tree(position: Pacman) -> float:
    return position.maze.trees.grow(_edges(position))


_sound = partial(Heuristic, admissible=True, consistent=True)


def _farthest(name: str, about: str, measure: Callable[[int, int], float]) -> Heuristic:
    """Return a heuristic: the largest distance to a dot; `measure` computes it from differences of rows and columns."""

    def apart(position: Pacman, cell: int) -> float:
        row, column = divmod(position.cell, position.columns)
        other_row, other_column = divmod(cell, position.columns)
        return measure(abs(row - other_row), abs(column - other_column))

    def estimate(position: Pacman) -> float:
        return max([apart(position, dot) for dot in position.food], default=0)

    return _sound(name, about, estimate, between=lambda position, other: apart(position, other.cell))


_STEPS = "steps through the maze to the farthest dot"
_TREE = "steps to the nearest dot and a minimum spanning tree of the dots"
_JOINED = "a minimum spanning tree of Pacman and the dots; not consistent"
HEURISTICS: dict[str, Heuristic] = by_name(
    _farthest("manhattan", "rows and columns to the dot that is farthest in this measure, walls ignored", add),
    _farthest("euclidean", "straight distance to the dot that is farthest in this measure", hypot),
    _sound("farthest", _STEPS, _farthest_steps, between=_steps),
    _sound("spanning-tree", _TREE, _spanning_tree),
    Heuristic("joined-tree", _JOINED, _joined_tree, admissible=True, consistent=False),
    _sound("dots", "how many are left", lambda position: len(position.food)),
    NULL,
)


# Random mazes: they are perfect, have loops, or are open rooms. A perfect maze is a spanning tree: a depth-first walk
# that breaks through to a random unvisited room, and returns if there is none (the "recursive backtracker"). Loops come
# from removing some more walls, a room from removing most (and the posts without walls). Rooms are at odd rows and
# columns, with walls between them and around:
#
#     %%%%%%%       2 x 3 rooms are 5 x 7 cells
#     %   % %
#     %%% % %
#     %     %
#     %%%%%%%


def carve(rows: int, columns: int, rng: Random) -> tuple[Cells, list[tuple[int, int]]]:
    """Return the floor of a random maze without cycles, and the walls that are left between two rooms."""
    floor, path = {(1, 1)}, [(1, 1)]
    walls = {(2 * row + 1, 2 * column) for row in range(rows) for column in range(1, columns)}
    walls |= {(2 * row, 2 * column + 1) for row in range(1, rows) for column in range(columns)}
    while path:
        row, column = path[-1]
        steps = [(down, right) for down, right in AROUND if (row + down, column + right) in walls]
        steps = [(down, right) for down, right in steps if (row + 2 * down, column + 2 * right) not in floor]
        if not steps:
            path.pop()
            continue
        down, right = rng.choice(steps)
        walls.remove((row + down, column + right))
        path.append((row + 2 * down, column + 2 * right))
        floor |= {(row + down, column + right), path[-1]}
    return floor, sorted(walls)


def random_floor(rows: int, columns: int, share: float, rng: Random) -> Cells:
    """Return the floor of a random maze in which the fraction `share` of the walls between rooms is removed."""
    floor, walls = carve(rows, columns, rng)
    floor |= set(rng.sample(walls, int(share * len(walls))))
    posts = [(row, column) for row in range(2, 2 * rows, 2) for column in range(2, 2 * columns, 2)]
    return floor | {post for post in posts if all((post[0] + down, post[1] + right) in floor for down, right in AROUND)}


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[Maze, int, frozenset[int]]:
    """Return a random maze, Pacman's cell and the cells with food. Raises ParseError for too many dots."""
    (rows, columns), dots = options["size"], options["dots"]
    least = 2 * rows * columns - 1  # the cells of a perfect maze; other kinds have more
    if dots >= least:
        raise ParseError(
            f"{count(dots, 'dot')} and Pacman do not fit into {rows}x{columns} rooms, "
            f"as a maze of this size may have only {count(least, 'cell')}"
        )
    width = 2 * columns + 1
    places = sorted(random_floor(rows, columns, SHARES[options["kind"]], rng))
    floor = [row * width + column for row, column in places]
    cell, *food = rng.sample(floor, 1 + dots)
    return Maze(2 * rows + 1, width, frozenset(floor)), cell, frozenset(food)


class Pacman(Puzzle, Generating, HasHeuristics, Pictured, Symmetric, Reversible, Staged, Scored):
    """A position of Pacman: the cell of Pacman and the cells with food."""

    __slots__ = ("cell", "food", "maze")

    name = "pacman"
    title = "Pacman: walk through a maze and eat all the food"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    options: Mapping[str, Option] = OPTIONS
    heuristics: Mapping[str, Heuristic] = HEURISTICS
    compass = COMPASS
    wall = "%"

    def __init__(self, maze: Maze, cell: int, food: frozenset[int]) -> None:
        self.maze: Maze = maze
        self.cell: int = cell
        self.food: frozenset[int] = food

    def _key(self) -> Hashable:
        return self.maze, self.cell, self.food

    @property
    def rows(self) -> int:
        return self.maze.rows

    @property
    def columns(self) -> int:
        return self.maze.columns

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        return cls(*read(text, source))

    def __str__(self) -> str:
        symbols = dict.fromkeys(self.maze.names, " ") | dict.fromkeys(self.food, ".") | {self.cell: "P"}
        cells = [symbols.get(cell, "%") for cell in range(self.rows * self.columns)]
        return "".join("".join(cells[i : i + self.columns]) + "\n" for i in range(0, len(cells), self.columns))

    def remarks(self) -> tuple[str, ...]:
        return (self.maze.remark,) if self.maze.remark else ()

    def moves(self) -> tuple[str, ...]:
        return tuple(self.maze.steps[self.cell])

    def apply(self, move: str) -> Self:
        target = self.maze.steps[self.cell].get(move)
        if target is None:
            raise IllegalMove(self._complaint(move), move=move)
        return type(self)(self.maze, target, self.food - {target} if target in self.food else self.food)

    def solved(self) -> bool:
        return not self.food

    def level_score(self, moves: Iterable[str]) -> int:
        """Return the score in the usual course project: 500 for winning, 10 for each dot, minus 1 for each move."""
        played, end = tuple(moves), self
        for move in played:
            end = end.apply(move)
        return 500 * end.solved() + 10 * (len(self.food) - len(end.food)) - len(played)

    def goal_position(self) -> Self | None:
        if len(self.food) > 1:
            return None
        return type(self)(self.maze, min(self.food), frozenset()) if self.food else self

    def predecessors(self) -> list[tuple[str, Self]] | None:
        """Return each move by which the position may be reached, with the position before it; None for several dots."""
        if len(self.food) > 1:
            return None
        dot = self.food or frozenset([self.cell])
        steps = [(side, cell) for side, cell in self.maze.steps[self.cell].items() if cell not in dot]
        return [(COMPASS[COMPASS.index(side) - 2], type(self)(self.maze, cell, dot)) for side, cell in steps]

    def _complaint(self, move: str) -> str:
        """Return why a move is illegal."""
        if move not in STEPS:
            return f"{shorten(move)} is not a move: the moves are N, S, E and W"
        row, column = map(sum, zip(divmod(self.cell, self.columns), STEPS[move], strict=True))
        here = f"{_WORDS[move]} of {self.maze.place(self.cell)}"
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return f"{move}: there is a wall {here}"
        return f"{move}: the maze ends {here}"

    def impossible(self) -> str | None:
        lost = self.food - reachable(self.cell, self.maze.steps)
        return f"the food at {self.maze.place(min(lost))} cannot be reached" if lost else None

    def subgoals(self) -> list[Subgoal]:
        """Return the dots as subgoals, always the nearest of the remaining dots first."""
        cell, left, stages = self.cell, set(self.food), []
        while left:
            nearest = self.maze.distances.nearest(cell, left)
            cell = min(left) if nearest is None else nearest
            left.remove(cell)
            stages.append(self._walk_to(cell))
        return stages

    def _walk_to(self, dot: int) -> Subgoal:
        """Return the subgoal to walk to a dot and eat it."""
        steps, columns = self.maze.steps, self.columns
        row, column = divmod(dot, columns)
        return Subgoal(
            self.maze.names[dot],
            view=lambda position: position.cell,
            successors=lambda cell: [(move, to, 1) for move, to in steps[cell].items()],
            achieved=lambda cell: cell == dot,
            estimate=lambda cell: abs(cell // columns - row) + abs(cell % columns - column),
            admissible=True,
            key=lambda cell: cell,
        )

    def symmetries(self) -> Iterable[Self]:
        return dict.fromkeys(map(self._turned, symmetries(self.rows, self.columns)))

    def _turned(self, symmetry: Symmetry) -> Self:
        cells = symmetry.cells
        maze = Maze(symmetry.rows, symmetry.columns, frozenset(cells[cell] for cell in self.maze.names))
        return type(self)(maze, cells[self.cell], frozenset(cells[cell] for cell in self.food))

    def task(self) -> Task:
        names, steps = self.maze.names, self.maze.steps
        adjacent = [atom("adjacent", names[cell], names[to]) for cell in names for to in steps[cell].values()]
        food = [atom("food", names[cell]) for cell in sorted(self.food)]
        problem = Problem(
            name=f"pacman-{self.rows}x{self.columns}",
            domain_name="pacman",
            objects=objects(names.values(), "cell"),
            init=(*adjacent, atom("at", names[self.cell]), *food),
            goal=And(tuple(Not(atom) for atom in food)),
        )
        return Task(self.game.domain(), problem)

    def atoms(self) -> frozenset[Atom]:
        maze = self.maze
        return maze.at[self.cell].union(*map(maze.food.__getitem__, self.food))

    def decode(self, action: GroundAction) -> str:
        if action.name != "move" or len(action.arguments) != 2:
            raise foreign(action, "the action must be (move FROM TO)")
        return step(action, 0, 1)

    def ground(self) -> Ground:
        return ground(self.maze)

    def pieces(self) -> list[Piece]:
        columns = self.maze.columns
        food: list[Piece] = [("·", cell // columns, cell % columns, "food") for cell in self.food]
        return [*food, ("@", self.cell // columns, self.cell % columns, "Pacman")]

    @classmethod
    def sample(cls, rng: Random) -> Self:
        rows, columns = rng.choice([(1, 6), (5, 1), (2, 3), (3, 4), (4, 3), (4, 5)])
        cells = rng.sample(range(rows * columns), rows * columns)
        walls, food = rng.randint(0, len(cells) // 3), rng.randint(0, 5)
        floor = cells[walls:]
        return cls(Maze(rows, columns, frozenset(floor)), floor[0], frozenset(floor[1 : food + 1]))

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls(*random_level(rng, options))


Joints = Mapping[tuple[int, int], int]
"""By row and column of a wall cell: the lines from it, as a sum."""

_TEXTS = ("▪ ", *[char + ("─" if lines & RIGHT else " ") for lines, char in enumerate("╵╶└╷│┌├╴┘─┴┐┤┬┼", 1)], "  ")
"""Two characters for each sum of lines; the last ones are for cells without visible walls."""

LOOKS = {
    "·": Look(Circle(0.5, 0.5, 0.16, fill="food"), text="·", role="food", label="food"),
    "@": Look(
        Circle(0.5, 0.5, 0.4, fill="hero", line="ink", thick=0.05),
        Path([(0.5, 0.53), (0.93, 0.33), (0.93, 0.73)], fill="floor", closed=True),
        Path([(0.864, 0.36), (0.5, 0.53), (0.864, 0.7)], line="ink", thick=0.05),
        Circle(0.53, 0.29, 0.05, fill="face"),
        text="@",
        role="hero",
        label="Pacman",
    ),
}


@lru_cache(maxsize=64)
def ground(maze: Maze) -> Ground:
    """Return the part of the picture that no move changes: the maze."""
    rows, columns, floor = maze.rows, maze.columns, maze.names
    edge = any(cell // columns in (0, rows - 1) or cell % columns in (0, columns - 1) for cell in floor)
    joints = _wall_lines(rows, columns, floor, edge)
    lines = [
        "".join([_TEXTS[joints.get((row, column), -1)] for column in range(-edge, columns + edge)])
        for row in range(-edge, rows + edge)
    ]
    # The text has one column more at each side, and two characters for each cell.
    around = Rect(-edge, -edge, columns + 2 * edge, rows + 2 * edge, 0.3, fill="floor")
    walls = Path(*_wall_paths(joints), line="wall", thick=0.3)
    text = "\n".join(lines).rstrip()
    return Ground(rows, columns, LOOKS, (around, walls), text, start=(edge, 2 * edge), margin=edge + 0.2)


def _wall_lines(rows: int, columns: int, floor: Collection[int], edge: bool) -> Joints:
    """Return the shapes of the walls of a maze.

    Two walls are joined if there is floor beside one of them, left or right of the joint; so the inside of thick walls
    is empty, and has no entry. A wall without joints has an entry if there is floor beside it.
    """
    width = columns + 4  # two cells of wall all around, so that no cell outside is looked at
    is_floor = bytearray(width * (rows + 4))
    for cell in floor:
        is_floor[(cell // columns + 2) * width + cell % columns + 2] = True
    joints = {}
    for row in range(-edge, rows + edge):
        for column in range(-edge, columns + edge):
            here = (row + 2) * width + column + 2
            if not is_floor[here]:
                north_west, north, north_east = is_floor[here - width - 1 : here - width + 2]
                west, _, east = is_floor[here - 1 : here + 2]
                south_west, south, south_east = is_floor[here + width - 1 : here + width + 2]
                lines = (
                    UP * (not north and (west or east or north_west or north_east))
                    | RIGHT * (not east and (north or south or north_east or south_east))
                    | DOWN * (not south and (west or east or south_west or south_east))
                    | LEFT * (not west and (north or south or north_west or south_west))
                )
                if lines or north or east or south or west:
                    joints[row, column] = lines
    return joints


def _wall_paths(joints: Joints) -> Iterable[list[Point]]:
    """Yield the corners of lines through the centres of wall cells; a wall of one cell is one point."""
    for (row, column), lines in joints.items():
        if not lines:
            yield [(column + 0.5, row + 0.5)] * 2
        for onward, back, down, right in ((RIGHT, LEFT, 0, 1), (DOWN, UP, 1, 0)):
            if lines & onward and not lines & back:
                length = 1
                while joints[row + length * down, column + length * right] & onward:
                    length += 1
                start = (column + 0.5, row + 0.5)
                yield [start, (start[0] + length * right, start[1] + length * down)]
