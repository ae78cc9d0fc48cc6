"""Make `moves` and `apply` from `following`, whose result is cached briefly: searches use all of it in a row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from unpuzzle.errors import IllegalMove
from unpuzzle.type_hints import Any
from unpuzzle.words import shorten


class _Itself:
    """A position that equals nothing but itself: positions of two games may be equal, or a `_key` be wrong."""

    __slots__ = ("position",)

    def __init__(self, position: Any) -> None:
        self.position = position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.position is self.position

    def __hash__(self) -> int:
        return id(self.position)


@lru_cache(maxsize=8)
def _following(itself: _Itself) -> Mapping[str, Any]:
    following: Mapping[str, Any] = itself.position.following()
    return following


def moves_by_following(position: Any) -> tuple[str, ...]:
    return tuple(_following(_Itself(position)))


def apply_by_following(position: Any, move: str) -> Any:
    """Return the position that `following` has for a move. Raises IllegalMove, with the legal moves."""
    legal = _following(_Itself(position))
    after = legal.get(move)
    if after is None:
        there_are = f"the moves are {', '.join(legal)}" if legal else "there are none"
        raise IllegalMove(f"{shorten(move)} is not a move here: {there_are}", move=move)
    return after
