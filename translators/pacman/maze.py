"""Pacman's level text, the `.lay` files, and the static parts: the size, the floor, and distances.

In the text one character is a cell, and the first row gives the width.
"""

from __future__ import annotations

from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count
from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.task import atom
from unpuzzle.translators.shared.cells import Distances, Layout, Memo, cell_names, neighbours
from unpuzzle.translators.shared.text import Page, Word

Atoms = Memo[int, frozenset[Atom]]


STEPS: dict[str, tuple[int, int]] = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
TREES_KEPT = 50_000
DOTS_PER_TICK = 64


class Maze(Layout):
    """A maze without Pacman and food; mazes are equal if size and floor are equal.

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
    """Minimum spanning trees of a maze's dots (R. C. Prim, Shortest connection networks, 1957).

    Many positions have the same dots: some trees are cached.
    """

    __slots__ = ("_distances", "_weights")

    def __init__(self, distances: Distances) -> None:
        self._distances = distances
        self._weights: dict[frozenset[int], float] = {}

    def weight(self, dots: frozenset[int]) -> float:
        """Return the weight of a minimum spanning tree of some dots, in steps through the maze."""
        weight = self._weights.get(dots)
        if weight is None:
            if len(self._weights) >= TREES_KEPT:
                self._weights.clear()
            first = min(dots)
            edges = {dot: self._distances.between(first, dot) for dot in dots}
            weight = self._weights[dots] = self.grow(edges)
        return weight

    def grow(self, edges: dict[int, float]) -> float:
        """Return the weight of a minimum tree from a start to dots; `edges` has the start's distance to each dot."""
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
    """Return the maze, the cell of the only `P`, and the cells with food."""
    page = Page(text, source)
    rows = _rows(page)
    cells, columns = "".join(rows), len(rows[0])
    where = {symbol: frozenset(i for i, other in enumerate(cells) if other == symbol) for symbol in "%.P"}
    words = [Word("P", cell // columns + 1, cell % columns + 1) for cell in sorted(where["P"])]
    page.require_one(words, "'P'", "no 'P': Pacman must start somewhere", start=Word("", 1, 1))
    maze = Maze(len(rows), columns, frozenset(range(len(cells))) - where["%"])
    others = sorted({*cells} - {*"%.P "})
    strange = next((place for place, symbol in enumerate(cells) if symbol not in ".P oG1234"), None)
    if strange is not None and not where["%"]:
        row, column = divmod(strange, columns)
        message = f"{cells[strange]!r} would count as floor, but there is no wall: walls are written '%'"
        raise page.error(message, row + 1, column + 1)
    if others:
        maze.remark = f"there are no ghosts and capsules in this game: {', '.join(map(repr, others))} count as floor"
    return maze, cells.index("P"), where["."]


def _rows(page: Page) -> list[str]:
    """Return the rows, all as wide as the first, without empty lines at the end.

    Blanks behind the first row are cells only if all rows have them.
    """
    lines = page.lines
    height = max((number for number, line in enumerate(lines, 1) if line), default=0)
    if not height:
        raise page.error("the level is empty")
    width = min([len(line.partition("\t")[0]) for line in lines[:height]])
    width = min(max(width, len(lines[0].rstrip(" "))), len(lines[0]))
    if not width:
        raise page.error("row 1 is empty")
    for number, line in enumerate(lines[:height], 1):
        page.require_printable(line, number)
        if "\t" in line[:width]:
            raise page.error("a tab is not a cell: write blanks", number, line.index("\t") + 1)
        if len(line) < width:
            raise page.error(
                f"row {number} has {count(len(line), 'cell')}, but row 1 has {width}", number, len(line) + 1
            )
        rest = line[width:]
        if rest.strip():
            column = width + len(rest) - len(rest.lstrip()) + 1
            raise page.error(f"row {number} is longer than the {count(width, 'cell')} of row 1", number, column)
    return [line[:width] for line in lines[:height]]
