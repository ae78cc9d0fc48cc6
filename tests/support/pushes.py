"""What is a push, by game, as somebody says who knows the game."""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.model.position import Position

RULES_THAT_TELL: dict[str, Callable[[Position, str, Position], bool]] = {
    "sokoban": lambda before, move, after: move.isupper(),
    "pacman": lambda before, move, after: len(before.atoms()) != len(after.atoms()),
    "boxup": lambda before, move, after: (
        {a for a in before.atoms() if a.predicate != "at"} != {a for a in after.atoms() if a.predicate != "at"}
    ),
}
