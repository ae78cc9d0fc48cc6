"""Refuse positions and moves on which a search cannot rely, each with the place of the method in the game's own file.

A puzzle defines by `_key` which positions are equal. If that leaves out a difference that matters, the second one is
never explored, and the answers are wrong. So `require_same` is called whenever a known position is reached again: if
not all attributes are equal, facts, text, moves, costs and goal must be. Values stored for later in slots make
attributes differ, and so searches slower; a `functools.cached_property` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.puzzle.capabilities import Translated, offered
from unpuzzle.puzzle.classes import fault_at
from unpuzzle.puzzle.position import Position
from unpuzzle.words import count, listed

THINGS_SHOWN, MOVES_SHOWN = 3, 20
_VIEWS: tuple[tuple[str, Callable[[Position], str]], ...] = (
    ("texts", lambda one: f"the text is {str(one)!r}"),
    ("moves", lambda one: f"the moves are {' '.join(sorted(one.moves())) or 'none'}"),
    ("costs", lambda one: f"the costs are {' '.join([f'{move}: {one.cost(move)}' for move in sorted(one.moves())])}"),
    ("goals", lambda one: f"the position is {'solved' if one.solved() else 'not solved'}"),
)
"""What must be the same in equal positions, besides facts: its name, and its value in words."""


def require_cost(position: Position, move: str, cost: object) -> None:
    """Raise GameFault for an invalid cost of a move: searches might never end."""
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise fault_at(position, "cost", f"cost({move!r}) gave {cost!r:.60}, which is not a whole number, 0 or more")


def require_once(position: Position, moves: Sequence[str]) -> None:
    """Raise GameFault for a move that is offered twice: solutions would count twice."""
    if len(set(moves)) < len(moves):
        twice = next(move for number, move in enumerate(moves) if move in moves[:number])
        raise fault_at(position, "moves", f"moves() gave {twice!r} twice")


def require_unchanged(position: Position, known: int) -> None:
    """Raise GameFault if a position no longer has its hash after a move: nothing is then certain."""
    if hash(position) != known:
        raise fault_at(position, "apply", "apply() changed the position itself: a move makes a new position")


def require_same(known: Position, reached: Position, ways: Callable[[], tuple[str, str]]) -> None:
    """Raise GameFault, at `_key`, for equal positions that differ; only then is `ways` asked how each was reached."""
    if attributes_of(type(known))(known, reached):
        return
    for what, first, second in _views(known, reached):
        if first != second:
            one, two = ways()
            cure = "_key() must tell the two apart" + (", or __str__() must not" if what == "texts" else "")
            raise fault_at(known, "_key", f"equal positions, different {what}: {one} {first}; {two} {second}; {cure}")


def _views(known: Position, reached: Position) -> Iterator[tuple[str, str, str]]:
    """Yield what must be the same in equal positions: its name, and its value in each, in words."""
    if offered(known, Translated) is None:  # otherwise facts are expensive, and follow from the text
        with suppress(UnsupportedFeature):
            before, now = known.atoms(), reached.atoms()
            yield "facts", only(before - now), only(now - before)
    for what, view in _VIEWS:
        yield what, view(known), view(reached)


def only(atoms: Iterable[object]) -> str:
    """Return in words the facts that are true of only one position."""
    return f"{listed(sorted(map(str, atoms)), THINGS_SHOWN) or 'nothing'} holds alone"


def after(moves: Sequence[str]) -> str:
    """Return in words when a position is reached: `after 2 moves (L U)`, or `at the start`."""
    if not moves:
        return "at the start"
    half = MOVES_SHOWN // 2
    shown = [*moves[:half], "...", *moves[-half:]] if len(moves) > MOVES_SHOWN else moves
    return f"after {count(len(moves), 'move')} ({' '.join(shown)})"


@lru_cache(maxsize=64)
def attributes_of(kind: type) -> Callable[[Any, Any], bool]:
    """Return a fast function that compares the attributes of two positions; False also means that it cannot tell."""
    members = [member for base in kind.__mro__ for member in vars(base).items()]
    slots = [name for name, value in members if isinstance(value, MemberDescriptorType)]
    kept = {name: None for name, value in members if isinstance(value, cached_property)}
    fixed: Callable[[Any], Any] = attrgetter(*slots or ["__class__"])
    values: Callable[[Any], Any] = attrgetter(*slots, "__dict__") if kind.__dictoffset__ else fixed

    def alike(one: Any, other: Any) -> bool:
        try:
            if values(one) == values(other):
                return True
            return bool(kept) and vars(one) | kept == vars(other) | kept and fixed(one) == fixed(other)
        except Exception:  # values that cannot be compared, such as arrays, or a slot without a value
            return False

    return alike
