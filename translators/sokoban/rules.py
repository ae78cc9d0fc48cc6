"""Sokoban (H. Imabayashi, 1981): a warehouse keeper pushes boxes onto goals, one at a time, and cannot pull.

    #######     `#` wall, `@` player, `$` box, `.` goal, blank or `-` or `_` floor;
    #. $@ #     `+` player on a goal, `*` box on a goal. These are the symbols of XSB files.
    #######     SOK files may have `p P b B` for `@ + $ *`.
                A move is a step u, d, l or r, or a push U, D, L or R; each costs 1.

It is solved when every box is on a goal; there may be more goals. Boxes are interchangeable. Rows may be of
different lengths; cells outside the text are wall.

Floor that the player can never reach does not count. So equivalent texts have one normal form, without empty
rows and columns around it, and with walls at open edges of floor. (A row that ends in floor, because walls are left
out, is written with `-` there.)

A collection of levels as text has each board with its notes below it, then its solutions:

#####
#@$.#
#####
Title: Tiny
Author: somebody
Comment:
several lines
Comment-End:

Solution (moves 1, pushes 1)
R
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, Self

from unpuzzle.base.distances import distances
from unpuzzle.base.run import checkpoint
from unpuzzle.model.capabilities import ForComponents, Generating, HasHeuristics
from unpuzzle.model.collection import Collected, CollectedSolution
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Option, by_name
from unpuzzle.model.position import Position
from unpuzzle.translators.shared.cells import cell_of
from unpuzzle.translators.shared.grid import GridPuzzle
from unpuzzle.translators.shared.text import levels_beside
from unpuzzle.translators.sokoban.boards import SIDES, dead_squares, pushes, written_out
from unpuzzle.translators.sokoban.files import XML, read_collection, write_collection
from unpuzzle.translators.sokoban.making import OPTIONS, level_of

# Heuristics for Sokoban: lower bounds on the number of pushes, without walking.
#
# All are infinite if a box is on a dead square, and `matching` also if boxes have no distinct goals. All are
# admissible: other boxes and the player's way only make solutions longer. All are consistent: a push moves one box by
# one cell, which changes each of these numbers by at most 1, and a step changes none; and infinite values remain
# infinite, since a box is never pushed from a dead square to one that is not dead.

NEVER = float("inf")
FAR = 10**9
"""The number for infinity in sums and differences."""


def _matching(position: Sokoban) -> float:
    return _matched(position.floor, position.columns, tuple(position.where("$*")))


def _pushes(position: Sokoban) -> float:
    goals = pushes(position.floor, position.columns)
    return sum([min([goal.get(box, NEVER) for goal in goals], default=NEVER) for box in position.where("$")])


def _dead_squares(position: Sokoban) -> float:
    boxes = position.where("$")
    return len(boxes) if dead_squares(position.floor, position.columns).isdisjoint(boxes) else NEVER


@lru_cache(maxsize=1 << 16)
def _matched(floor: str, columns: int, boxes: tuple[int, ...]) -> float:
    """Return the estimate of the heuristic `matching`, which is cached by the cells of the boxes."""
    goals = pushes(floor, columns)
    if len(boxes) > len(goals):
        return NEVER
    least = assignment([[goal.get(box, FAR) for goal in goals] for box in boxes])
    return least if least < FAR else NEVER


def assignment(costs: Sequence[Sequence[int]]) -> int:
    """Return the least sum of costs, one from each row and all from different columns.

    The Hungarian method (H. W. Kuhn, The Hungarian method for the assignment problem, 1955): row after row gets a
    column by a shortest path of exchanges, with costs reduced by potentials. Columns count from 1; in column 0 a new
    row waits.
    """
    columns = len(costs[0]) + 1 if costs else 1
    rows, lower = [0] * (len(costs) + 1), [0] * columns  # potentials
    owner = [0] * columns  # by column: the row, from 1, that uses it; 0 if none
    for row in range(1, len(costs) + 1):
        owner[0], column = row, 0
        slack, before, done = [NEVER] * columns, [0] * columns, [False] * columns
        while owner[column]:
            checkpoint()
            done[column], this = True, owner[column]
            for other in range(1, columns):
                reduced = costs[this - 1][other - 1] - rows[this] - lower[other]
                if not done[other] and reduced < slack[other]:
                    slack[other], before[other] = reduced, column
            nearest = min((other for other in range(1, columns) if not done[other]), key=slack.__getitem__)
            step = int(slack[nearest])
            for other in range(columns):
                if done[other]:
                    rows[owner[other]] += step
                    lower[other] -= step  # so reduced costs stay 0 along the path, and never become negative
                else:
                    slack[other] -= step
            column = nearest
        while column:
            owner[column], column = owner[before[column]], before[column]
    return -lower[0]  # the sum of all steps


_sound = partial(Heuristic, admissible=True, consistent=True)
HEURISTICS: dict[str, Heuristic] = by_name(
    _sound("matching", "pushes of all boxes to distinct goals, around walls", _matching),
    _sound("pushes", "pushes of each box to its nearest goal, summed", _pushes),
    _sound("dead-squares", "number of boxes that are not on goals; infinite if one can never be", _dead_squares),
    NULL,
)


NOTHING = " "
PLAIN_FLOOR = str.maketrans("-_", "  ")
WORDS = {"u": "up", "d": "down", "l": "left", "r": "right"}
# The change of a cell that the player leaves, that the player enters, and to which a box is pushed.
LEFT = {"@": "-", "+": "."}
ENTERED = {"-": "@", ".": "+", "$": "@", "*": "+"}
PUSHED = {"-": "$", ".": "*"}


class Sokoban(GridPuzzle, Generating, HasHeuristics, ForComponents, Collected):
    """A position of Sokoban: the cells of the player and the boxes, in a level with walls and goals."""

    __slots__ = ()

    name = "sokoban"
    title = "Sokoban: push all boxes onto goals"
    endings: Mapping[str, str] = {**Collected.endings, XML: ""}
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    options: Mapping[str, Option] = OPTIONS
    heuristics: Mapping[str, Heuristic] = HEURISTICS
    symbols: ClassVar[Mapping[str, str]] = {
        "#": "a wall",
        "@": "the player",
        "+": "the player on a goal",
        "$": "a box",
        "*": "a box on a goal",
        ".": "a goal",
        "-": "floor",
    }
    aliases: ClassVar[Mapping[str, str]] = {"_": "-", " ": "-", "p": "@", "P": "+", "b": "$", "B": "*"}
    filler = NOTHING
    single: ClassVar[Mapping[str, str]] = {"player": "@+"}
    directions: ClassVar[Mapping[str, tuple[int, int]]] = SIDES
    looks: ClassVar[Mapping[str, str]] = {"#": "██", "$": "□", "*": "■", ".": "·", "-": " "}
    predicates: ClassVar[Mapping[str, Sequence[str]]] = {
        **dict.fromkeys("@+", ("player", "clear")),
        **dict.fromkeys("$*", ("box",)),
        **dict.fromkeys(".-", ("clear",)),
    }
    solid = "#" + NOTHING
    below: ClassVar[Mapping[str, str]] = {"@": "-", "+": ".", "$": "-", "*": "."}
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {
        "walk": "{1[0]}",
        "push": lambda position, player, side, box, beyond: side[0].upper(),
    }

    parts: Mapping[str, str] = {"box": "a box by its first place, such as `box r3c4`, which then cannot be pushed"}

    @property
    def player(self) -> int:
        return max(self.cells.find("@"), self.cells.find("+"))

    @property
    def floor(self) -> str:
        """The cells of the level without player and boxes."""
        return self.cells.translate({ord(symbol): under for symbol, under in self.below.items()})

    def plain(self) -> list[str]:
        """Return the rows in XSB symbols, all of equal length; a blank is floor or outside."""
        return [row.translate(PLAIN_FLOOR) for row in self._rows()]

    def respelled(self, plain: object) -> object:
        """Replace the floor symbols `-` and `_` in the JSON form of a position by blanks."""
        if not isinstance(plain, list) or not all(isinstance(row, str) for row in plain):
            return plain
        return [row.translate(PLAIN_FLOOR) for row in plain]

    def _inside(self) -> frozenset[int]:
        """Return the cells that the player could reach if there were no boxes."""
        around, free = self.around, set(self.where("@+$*.-"))
        return frozenset(distances([self.player], lambda cell: free.intersection(around[cell].values())))

    def _normal(self) -> Self:
        inside = self._inside()
        edges = [cell for cell in self.where(NOTHING) if not inside.isdisjoint(self.around[cell].values())]
        lost = [cell for cell in self.where("-") if cell not in inside]
        return GridPuzzle._normal(self.changed({**dict.fromkeys(edges, "#"), **dict.fromkeys(lost, NOTHING)}))

    def _lines(self) -> Iterator[str]:
        for row in super()._lines():
            begin = row.rstrip("-")
            yield begin.replace("-", " ") + row[len(begin) :]

    def following(self) -> Mapping[str, Self]:
        cells, around, player = self.cells, self.around, self.player
        positions = {}
        for side, to in around[player].items():
            beyond = around[to].get(side)
            step = {player: LEFT[cells[player]], to: ENTERED.get(cells[to], "")}
            if cells[to] in "-.":
                positions[side] = self.changed(step)
            elif cells[to] in "$*" and beyond is not None and cells[beyond] in "-.":
                positions[side.upper()] = self.changed({**step, beyond: PUSHED[cells[beyond]]})
        return positions

    def solved(self) -> bool:
        return "$" not in self.cells

    def impossible(self) -> str | None:
        if len(self.where("$*")) > len(self.where(".+*")):
            return "there are more boxes than goals"
        inside, dead = self._inside(), dead_squares(self.floor, self.columns)
        for box in self.where("$"):
            if box not in inside:
                return f"the player can never reach the box at {self.place(box)}, which is not on a goal"
            if box in dead:
                return f"the box at {self.place(box)} is on a dead square: it cannot be pushed to any goal"
        return None

    def objects(self) -> Mapping[str, Iterable[str]]:
        return {**super().objects(), "side": WORDS.values()}

    def statics(self) -> Iterable[tuple[str, ...]]:
        return [("next", self.names[cell], WORDS[side], self.names[to]) for cell, side, to in self.steps()]

    def goal_condition(self) -> Iterable[tuple[str, ...]]:
        """Return the goal: a box on each goal or, if there are more goals than boxes, each box on a goal."""
        goals = self.where(".+*")
        if len(goals) == len(self.where("$*")):
            return [("box", self.names[cell]) for cell in goals]
        return [("clear", self.names[cell]) for cell in self.where("@$-")]

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls(*level_of(rng, options, cls._given))._normal()

    @classmethod
    def variation(cls, position: Position, rng: Random, options: Mapping[str, Any]) -> Self | None:
        return cls.generate(rng, {**options, "from": (position.level_text(),)}) if options["from"] else None

    @classmethod
    def without(cls, position: Position, kind: str, name: str) -> Position | str:
        """Return the level with a wall in place of a box, or a sentence on why a box that is not on a goal is stuck."""
        if not isinstance(position, Sokoban):
            return position
        cell = cell_of(name, position.rows, position.columns)
        if cell is None or position.cells[cell] not in "$*":
            return position
        if position.cells[cell] == "$":
            return f"the box at {position.place(cell)} is not on a goal, and cannot be pushed"
        return position.changed({cell: "#"})._normal()

    @classmethod
    def _given(cls, level: str) -> tuple[str, int]:
        """Return the cells of a level and its number of columns; `level` is a text or the name of a bundled level."""
        position = cls.parse(cls.levels.get(level, level))
        return position.cells, position.columns

    read_collection = staticmethod(read_collection)
    write_collection = staticmethod(write_collection)

    @classmethod
    def read_moves(cls, text: str) -> tuple[str, ...]:
        """Return the moves in a text, with repetitions such as `r2R` or `2(rU)` written out."""
        return tuple(written_out("".join(text.split()))[0])

    @classmethod
    def moves_of(cls, position: Position, solution: CollectedSolution) -> tuple[str, ...]:
        """Return the moves of a solution, in which pushes may be written in small letters."""
        written = cls.read_moves(solution.moves)
        if any(map(str.isupper, written)):
            return written
        moves = []
        for letter in written:
            following = position.following()
            move = letter.upper() if letter.upper() in following else letter
            moves.append(move)
            position = following.get(move, position)
        return tuple(moves)

    @classmethod
    def pushes_in(cls, moves: Sequence[str]) -> int:
        return sum(map(str.isupper, moves))
