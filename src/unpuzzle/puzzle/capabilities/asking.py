"""Whether a game or position has a capability: the only place that looks for the attributes."""

from __future__ import annotations

from functools import cache

from unpuzzle.errors import ParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from unpuzzle.puzzle.game import Game
    from unpuzzle.puzzle.position import Position

    Capability = TypeVar("Capability")


def offered(subject: Any, capability: type[Capability]) -> Capability | None:
    """The game or position, if it has a capability; else None."""
    found: Capability | None = subject if not _missing(subject, capability) else None
    return found


def required(subject: Game | Position, capability: type[Capability], purpose: str) -> Capability:
    """The game or position. Raises ParseError where it lacks a capability, naming the `purpose` it was wanted for."""
    found = offered(subject, capability)
    if found is None:
        name = str(getattr(getattr(subject, "game", subject), "name", "this"))
        raise ParseError(f"{name} {purpose}: it does not define {' and '.join(_missing(subject, capability))}")
    return found


def _missing(subject: object, capability: type) -> list[str]:
    """The names of the protocol's attributes that a game or position does not have."""
    return [name for name in _attributes(capability) if not hasattr(subject, name)]


@cache
def _attributes(capability: type) -> tuple[str, ...]:
    """The names of a protocol's attributes."""
    names = {**vars(capability).get("__annotations__", {}), **vars(capability)}
    return tuple(name for name in names if not name.startswith("_"))
