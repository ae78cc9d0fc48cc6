"""Names in PDDL: of cells (`r1c2`), objects, directions, actions; and the input that an action stands for.

An action's input is told by its last argument, if that is a direction, or else by the last word of its name.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DIRECTIONS = {"u": "up", "d": "down", "l": "left", "r": "right"}
WORDS = {**DIRECTIONS, "x": "action", "t": "tick"}
KEYS = {word: key for key, word in WORDS.items()}
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")


def cell_name(cell: int, height: int) -> str:
    """`r1c2` is in the first row and the second column."""
    column, row = divmod(cell, height)
    return f"r{row + 1}c{column + 1}"


def thing_names(objects: Sequence[str]) -> tuple[str, ...]:
    """Names of objects: letters, digits, `-` and `_`, beginning with a letter, no two alike."""
    found: dict[str, None] = {}
    for name in objects:
        plain = _plain(name)
        if not plain[:1].isalpha() or plain in KEYS or plain in ("cell", "thing", "direction") or _like_a_cell(plain):
            plain = f"thing-{plain}"
        number, free = 2, plain
        while free in found:
            free = f"{plain}-{number}"
            number += 1
        found[free] = None
    return tuple(found)


def _plain(name: str) -> str:
    """A name in small letters, digits, `-` and `_` alone."""
    return "".join([char if char in _PLAIN else "-" for char in name.lower()])


def _like_a_cell(name: str) -> bool:
    """Whether a name, which begins with a letter, could be that of a cell."""
    row, letter, column = name[1:].partition("c")
    return name[0] == "r" and letter == "c" and row.isdigit() and column.isdigit()


def key_of(name: str, arguments: Sequence[str]) -> str | None:
    """The input of an action; None if it is no action of ours."""
    if arguments and arguments[-1] in KEYS:
        return KEYS[arguments[-1]]
    return KEYS.get(name.rpartition("-")[2])


def domain_name(game: str) -> str:
    """The name of a game's domain."""
    plain = _plain(game)
    return plain if plain[:1].isalpha() else f"game-{plain}"
