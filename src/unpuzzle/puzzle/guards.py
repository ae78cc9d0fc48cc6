"""Refuse positions and moves on which a search cannot rely, each with the place of the method in the game's own file.

A puzzle defines by `_key` which positions are equal. If the key leaves out a difference that matters, the second
position is never explored, and the answers are wrong. So `require_same` is called whenever a known position is reached
again. If not all attributes are equal, facts, text, moves, costs and goal must be. Values stored for later in slots
make attributes differ, and so searches slower; a `functools.cached_property` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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

THINGS_SHOWN = 3
MOVES_SHOWN = 20
_VIEWS: tuple[tuple[str, str, Callable[[Position], str]], ...] = (
    ("texts", "the text is", lambda position: repr(str(position))),
    ("moves", "the moves are", lambda position: " ".join(sorted(position.moves())) or "none"),
    ("costs", "the costs are", lambda position: " ".join(f"{m}: {position.cost(m)}" for m in sorted(position.moves()))),
    ("goals", "the position is", lambda position: "solved" if position.solved() else "not solved"),
)
"""What must be the same in equal positions, besides facts: its name, the beginning of a sentence, and its text."""


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
    """Raise GameFault, with the place of `_key`, for two equal positions that are not the same.

    `ways` returns in words how each was reached, such as "after L U"; it is called only if they differ.
    """
    if attributes_of(type(known))(known, reached) or not (difference := _difference(known, reached)):
        return
    what, first, second = difference
    one, two = ways()
    cure = "_key() must tell the two apart" + (", or __str__() must not" if what == "texts" else "")
    raise fault_at(known, "_key", f"equal positions, different {what}: {one} {first}; {two} {second}; {cure}")


def _difference(known: Position, reached: Position) -> tuple[str, str, str] | None:
    """Return in words the first difference between two positions: what differs, and its value in each."""
    if offered(known, Translated) is None:  # otherwise facts are expensive, and follow from the text
        with suppress(UnsupportedFeature):
            before, now = known.atoms(), reached.atoms()
            if before != now:
                return "facts", only(before - now), only(now - before)
    for what, begin, view in _VIEWS:
        if (first := view(known)) != (second := view(reached)):
            return what, f"{begin} {first}", f"{begin} {second}"
    return None


def only(atoms: Iterable[object]) -> str:
    """Return in words the facts that are true of only one position."""
    return f"{listed(sorted(map(str, atoms)), THINGS_SHOWN) or 'nothing'} holds alone"


def after(moves: Sequence[str]) -> str:
    """Return in words when a position is reached: `after 2 moves (L U)`, or `at the start`."""
    if not moves:
        return "at the start"
    words = list(moves)
    if len(words) > MOVES_SHOWN:
        words[MOVES_SHOWN // 2 : -MOVES_SHOWN // 2] = ["..."]
    return f"after {count(len(moves), 'move')} ({' '.join(words)})"


@lru_cache(maxsize=64)
def attributes_of(kind: type) -> Callable[[Any, Any], bool]:
    """Return a fast function that compares the attributes of two positions; False also means that it cannot tell."""
    members = [member for base in kind.__mro__ for member in vars(base).items()]
    slots = [name for name, value in members if isinstance(value, MemberDescriptorType)]
    cached = {name for name, value in members if isinstance(value, cached_property)}
    names = [*slots, "__dict__"] if kind.__dictoffset__ else slots
    values: Callable[[Any], Any] = attrgetter(*names or ["__class__"])  # of a position without attributes

    def lasting(position: Any) -> list[Any]:
        own = {name: value for name, value in vars(position).items() if name not in cached}
        return [own, *[getattr(position, name) for name in slots]]

    def alike(one: Any, other: Any) -> bool:
        try:
            return True if values(one) == values(other) else bool(cached) and lasting(one) == lasting(other)
        except Exception:  # values that cannot be compared, such as arrays, or a slot without a value
            return False

    return alike
