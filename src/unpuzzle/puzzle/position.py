"""Position: what a player sees and may do next. Immutable; a move makes a new one.

Laws that every position obeys, and that `unpuzzle.testing.laws` holds for each game:

    game.parse(str(p)) == p                          text comes back, for every reachable position
    {m : m in p.moves()} == {p.decode(a) : a applicable in PDDL}    `check` compares both, state by state
    p.apply(m).atoms() == PDDL successor             fluents only: no static and no derived atoms
    p.solved() == PDDL goal

To write: `__str__`, `solved`, and the rules: either `following`, all legal moves with the positions after them, or
`moves` and `apply`, which is faster where a move can be made without looking at the others. For PDDL either the parts
(`objects`, `statics`, `values`, `facts`, `goal_condition`, and on the game `actions`), as plain tuples, or `task`,
`atoms` and `decode` themselves. What else a position may offer is in `capabilities`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache

from unpuzzle.errors import IllegalMove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any, Self

    from unpuzzle.pddl.nodes import Atom, Condition, GroundAction, Task
    from unpuzzle.puzzle.game import Game

    Fact = tuple[str, ...] | Atom
    """A predicate with its arguments: `("at", "r1c1")` is `(at r1c1)`."""
    Value = tuple[str | int, ...]
    """A function with its arguments, and a whole number, 0 or more."""


class Position(ABC):
    """A position of a game."""

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that this is a position of."""

    @abstractmethod
    def __str__(self) -> str:
        """The text of this position, as the game's `parse` reads it, ending with a newline."""

    # ---- rules

    @abstractmethod
    def moves(self) -> tuple[str, ...]:
        """The legal moves, in the game's fixed order; a solved position has them, too. A move has no blanks.

        Raises UnsupportedFeature, of the feature `moves`, for a game whose solutions are guessed.
        """

    @abstractmethod
    def apply(self, move: str) -> Self:
        """The position after a move. Raises IllegalMove, saying why."""

    def following(self) -> Mapping[str, Self]:
        """The position after each legal move, in the game's fixed order of moves.

        A class that defines this one needs no `moves` and no `apply`.
        """
        return {move: self.apply(move) for move in self.moves()}

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "following" in vars(cls):
            for name, derived in (("moves", _moves), ("apply", _apply)):
                if getattr(getattr(cls, name), "__isabstractmethod__", False):
                    setattr(cls, name, derived)

    def cost(self, move: str) -> int:
        """The cost of a legal move: a whole number, 0 or more; 1 unless the game says otherwise."""
        return 1

    @abstractmethod
    def solved(self) -> bool:
        """Whether this position is a goal."""

    def impossible(self) -> str | None:
        """A reason, known without search, why the goal cannot be reached; None if no such reason is known."""
        return None

    # ---- PDDL

    def task(self) -> Task:
        """This position as a PDDL task; by default put together from the parts below."""
        from unpuzzle.puzzle.task import task_of

        return task_of(self)

    def atoms(self) -> frozenset[Atom]:
        """This position as PDDL: the fluent atoms that are true, no static and no derived ones; by default `facts`."""
        from unpuzzle.puzzle.task import atoms_of

        return atoms_of(self.facts())

    def decode(self, action: GroundAction) -> str:
        """The one move that an action stands for, which is applicable here; by default as the game's `actions` say.

        It may look at this position, in which the action is applied: to solve, check and replay, that will do. Where
        all actions of a level are translated at once (`generate --unique`, pages of large levels) there is no position
        to look at: these take a `decode` that goes by the action's name and arguments alone.

        Raises ParseError for an action that is none of this game's.
        """
        from unpuzzle.puzzle.task import decoded

        return decoded(self, action)

    def objects(self) -> Mapping[str, Iterable[str]]:
        """The names of the objects, by type."""
        return {}

    def statics(self) -> Iterable[Fact]:
        """The facts that no move changes."""
        return ()

    def values(self) -> Iterable[Value]:
        """The values of the domain's functions, which no move changes: `("dist", "r1c1", "r1c2", 7)` is
        `(= (dist r1c1 r1c2) 7)`, for actions with `(increase (total-cost) (dist ?from ?to))`.
        """
        return ()

    def facts(self) -> Iterable[Fact]:
        """The facts that moves change, as far as they are true here, in an order for readers.

        Raises UnsupportedFeature for a game that has no PDDL.
        """
        from unpuzzle.errors import UnsupportedFeature

        raise UnsupportedFeature(
            f"{self.game.name} has no PDDL: its positions define neither facts() nor atoms()", feature="PDDL"
        )

    def goal_condition(self) -> Condition | Iterable[Fact]:
        """The goal: a condition, or facts that must all hold: `("not", "lit", "r1c1")` is `(not (lit r1c1))`."""
        return ()

    # ---- picture and equality

    def draw(self) -> str:
        """A picture of the position, as text of one or more lines; by default as it describes it, or else its text."""
        from unpuzzle.puzzle.capabilities import Pictured, offered

        described = offered(self, Pictured)
        if described is None:
            return str(self).rstrip("\n")
        from unpuzzle.drawing import terminal

        return terminal(described.ground(), described.pieces())

    def canonical(self) -> Position:
        """One and the same position for all that are the same but for symmetry: the shortest and then least text.

        It may be of another shape (rows and columns exchanged), so it tells whether two levels are the same, and not
        which of them to show.
        """
        from unpuzzle.puzzle.capabilities import symmetries_of

        return min(symmetries_of(self), key=by_text)

    def _key(self) -> Hashable:
        """All that distinguishes this position from others of its game; by default its text, which is slow.

        Equal positions must have equal facts, texts, moves, costs and goals: searches go on from one of them alone.
        Two that are equal and not the same are refused where they are met (`puzzle.equality`).
        """
        return str(self)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({str(self)!r})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Mapping[str, str]:
        """What notebooks show."""
        from unpuzzle.drawing import mimebundle

        return mimebundle(self)


# ---- rules that are told by `following`


class _Itself:
    """A position that equals nothing but itself: positions of two games may be equal, or a `_key` be wrong."""

    __slots__ = ("position",)

    def __init__(self, position: Position) -> None:
        self.position = position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.position is self.position

    def __hash__(self) -> int:
        return id(self.position)


@lru_cache(maxsize=8)
def _following(itself: _Itself) -> Mapping[str, Position]:
    """Kept for a moment: a search asks for all moves of a position, then makes them one after the other."""
    return itself.position.following()


def _moves(self: Position) -> tuple[str, ...]:
    return tuple(_following(_Itself(self)))


def _apply(self: Position, move: str) -> Position:
    legal = _following(_Itself(self))
    found = legal.get(move)
    if found is None:
        shown = move if len(move) <= 20 else move[:17] + "..."
        there_are = f"the moves are {', '.join(legal)}" if legal else "there are none"
        raise IllegalMove(f"{shown!r} is not a move here: {there_are}", move=move)
    return found


def by_text(position: Position) -> tuple[int, str]:
    """A key that sorts positions: shorter texts first."""
    text = str(position)
    return len(text), text
