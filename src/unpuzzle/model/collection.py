"""Collections: files of several levels of a game, with titles, authors, comments and solutions.

    class Sokoban(Puzzle, Collected): ...

A board is kept as text until its position is needed, so that one broken level leaves the others readable.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from unpuzzle.base.values import Record
from unpuzzle.model.position import Position

Place = tuple[int, Sequence[int], str]
"""The place of a board's row: the line, the column of each cell, and the text of the line; numbers from 1."""


class CollectedSolution(Record):
    """The moves of a level's solution as written in a file; they may be wrong.

    Attributes:
        moves: their text, runs written out.
        label: the file's heading for them, without the word for a solution; mostly empty.
    """

    moves: str
    label: str = ""


class CollectedLevel(Record):
    """A level of a collection, with its notes and solutions.

    Attributes:
        title, author: of the level, or empty texts.
        comments: lines about it.
        board: the rows of the level as text, as the game reads it.
        solutions: the solutions in the file.
        properties: other lines `NAME: VALUE` of the file, as pairs.
    """

    title: str = ""
    author: str = ""
    comments: tuple[str, ...] = ()
    board: str = ""
    solutions: tuple[CollectedSolution, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    _places: tuple[Place, ...] = ()
    _end: tuple[int, int] = (0, 0)
    """The place in the file for a solution of ours: the line, from 1, and the symbols before it there."""

    _uncompared = ("_places", "_end")

    @property
    def line(self) -> int | None:
        """The number of the line at which the board begins in its file; None for a level that is in no file."""
        return self._places[0][0] if self._places else None


class Collection(Record):
    """The levels of a file, with the notes on the whole file.

    Attributes:
        title, author: of the collection, or empty texts.
        comments: lines about it.
        levels: the levels in their order.
        properties: other lines `NAME: VALUE` above the first level, as pairs.
        unread: the lines of the file that are not understood, with their numbers; they are kept, too.
    """

    title: str = ""
    author: str = ""
    comments: tuple[str, ...] = ()
    levels: tuple[CollectedLevel, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    unread: tuple[tuple[int, str], ...] = ()
    _text: str = ""
    """The text of the file, which is written back unchanged, except for new solutions."""

    _uncompared = ("unread", "_text")

    @property
    def has_text(self) -> bool:
        """Whether the collection was read from a text, so that its changes can be written into that text."""
        return bool(self._text)


class Collected:
    """A game with files of several levels; `endings` are the file name endings."""

    __slots__ = ()

    endings: Mapping[str, str] = {".sok": "", ".xsb": "", ".txt": ""}
    """The endings of file names for writing, each with the parts that such a file cannot have, such as "solutions"."""

    @classmethod
    @abstractmethod
    def read_collection(cls, text: str) -> Collection:
        """Return the levels in a text; all lines that are neither boards nor notes on levels become comments."""

    @classmethod
    @abstractmethod
    def write_collection(cls, collection: Collection, ending: str = "") -> str:
        """Return a collection as text, from which `read_collection` reads an equal collection if possible.

        `ending` is one of `endings`, which has what may get lost; without one, the text has all that it can.
        """

    @classmethod
    def moves_of(cls, position: Position, solution: CollectedSolution) -> tuple[str, ...]:
        """Return the moves of a solution as a file writes it; they may be illegal."""
        return position.game.read_moves(solution.moves)

    @classmethod
    def pushes_in(cls, moves: Sequence[str]) -> int:
        """Return the number of moves that are not walks; by default the number of all moves."""
        return len(moves)
