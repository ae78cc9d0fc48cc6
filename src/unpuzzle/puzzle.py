"""What a puzzle is: the base class of the translators. A leaf: imports only `errors` and `pddl`.

A `Puzzle` is an immutable *position*; a move makes a new one. One file in `translators/` is one puzzle; its file name
is the registry (`sliding_tiles.py` is puzzle `sliding-tiles`), and its domain is `pddl/domains/NAME.pddl`.

Laws that every puzzle obeys, and that the tests hold for each of them:

    parse(str(p)) == p                               text comes back, for every reachable position
    {m : m in p.moves()} == {decode(a) : a applicable in PDDL}      check() compares both, state by state
    p.apply(m).atoms() == PDDL successor             fluents only: no static and no derived atoms
    p.solved() == PDDL goal
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from unpuzzle.errors import IllegalMove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from random import Random
    from typing import ClassVar, Self

    from unpuzzle.pddl.nodes import Atom, GroundAction, Task


class Puzzle(ABC):
    """A position of a puzzle. Subclasses say what makes two positions equal in `_key()`."""

    __slots__ = ()

    name: ClassVar[str] = ""
    """The puzzle's name on the command line, e.g. `sliding-tiles`."""
    title: ClassVar[str] = ""
    """One line for people: what the puzzle is."""
    levels: ClassVar[Mapping[str, str]] = {}
    """The bundled levels: text by name."""
    one_letter_moves: ClassVar[bool] = True
    """Whether every move is one letter, so that moves may be written run together: `ULDRR`."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        """The position that a text describes; `source` is its file name, for errors.

        Raises ParseError with line and column where the text is not a position.
        """

    @abstractmethod
    def __str__(self) -> str:
        """The text of this position, as `parse` reads it, ending with a newline."""

    @abstractmethod
    def moves(self) -> tuple[str, ...]:
        """The legal moves, in the puzzle's fixed order; a solved position has them, too."""

    @abstractmethod
    def apply(self, move: str) -> Self:
        """The position after a move. Raises IllegalMove, saying why."""

    def cost(self, move: str) -> int:
        """The cost of a legal move: a whole number, 0 or more; 1 unless the puzzle says otherwise."""
        return 1

    @abstractmethod
    def solved(self) -> bool:
        """Whether this position is a goal."""

    @abstractmethod
    def task(self) -> Task:
        """This position as a PDDL task."""

    @abstractmethod
    def atoms(self) -> frozenset[Atom]:
        """This position as PDDL: the fluent atoms that are true, no static and no derived ones."""

    @abstractmethod
    def decode(self, action: GroundAction) -> str:
        """The one move that a ground action of `task()` stands for.

        Raises ParseError for an action that is none of this puzzle's.
        """

    @abstractmethod
    def draw(self) -> str:
        """A picture of the position, as text of one or more lines."""

    @classmethod
    @abstractmethod
    def sample(cls, rng: Random) -> Self:
        """A random small level (up to some thousands of states), for tests. May be unsolvable."""

    def impossible(self) -> str | None:
        """A reason, known without search, why the goal cannot be reached; None if no such reason is known."""
        return None

    @abstractmethod
    def _key(self) -> Hashable:
        """All that distinguishes this position from others of its class."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"


class Replay:
    """What became of a sequence of moves.

    Attributes: `legal` (all moves are), `solved` (legal, and the last position is a goal), `cost` of the moves played,
    `step` (number, from 1, of the first illegal move, or None), `reason` (a sentence, empty if solved), `position` (the
    last one reached).
    """

    __slots__ = ("cost", "legal", "position", "reason", "solved", "step")

    def __init__(self, position: Puzzle, cost: int, step: int | None, reason: str) -> None:
        self.position = position
        self.cost = cost
        self.step = step
        self.legal = step is None
        self.solved = self.legal and position.solved()
        self.reason = reason or ("" if self.solved else "the goal is not reached after the last move")


def replay(puzzle: Puzzle, moves: Iterable[str]) -> Replay:
    """Play moves on the rules, up to the first illegal one."""
    position, cost = puzzle, 0
    for step, move in enumerate(moves, 1):
        try:
            following = position.apply(move)
        except IllegalMove as error:
            return Replay(position, cost, step, f"move {step} is illegal: {error}")
        cost += position.cost(move)
        position = following
    return Replay(position, cost, None, "")


def split_moves(puzzle: type[Puzzle] | Puzzle, text: str) -> tuple[str, ...]:
    """The moves of a text: separated by blanks or, where all moves are one letter, run together."""
    words = text.split()
    return tuple("".join(words)) if puzzle.one_letter_moves else tuple(words)
