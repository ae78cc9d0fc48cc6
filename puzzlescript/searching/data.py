"""A compiled PuzzleScript game as bytes for the core, and boards; `core/script/game.cpp` reads them.

All is made of little-endian words of eight bytes: whole numbers, flags, and sets of objects or movements, which have as
many words as the game needs. Patterns come once each; the cells of rules are their numbers, -1 for an ellipsis.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

BYTES = 8
BITS = 64
_DIRECTIONS = {1: 0, 2: 1, 4: 2, 8: 3}
_NUMBERS = tuple([number.to_bytes(BYTES, "little") for number in range(256)])
_ELLIPSIS = (-1).to_bytes(BYTES, "little", signed=True)


def _number(number: int) -> bytes:
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else number.to_bytes(BYTES, "little", signed=True)


def set_bytes(members: int) -> int:
    """Return how many bytes a set of numbers below `members` takes."""
    return BYTES * ((members + BITS - 1) // BITS)


def board_bytes(cells: Iterable[int], objects: int) -> bytes:
    """Return a board of a game with so many objects as bytes. Raises OverflowError for objects beyond these."""
    size = set_bytes(objects)
    if size == BYTES:
        return array("Q", cells).tobytes()
    return b"".join([cell.to_bytes(size, "little") for cell in cells])


def board_of(data: bytes, objects: int) -> tuple[int, ...]:
    """Return the board that bytes stand for."""
    size = set_bytes(objects)
    if size == BYTES:
        return tuple(memoryview(data).cast("Q"))
    return tuple([int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)])


def game_bytes(game: Any) -> bytes:
    """Return a compiled game as bytes. Raises ValueError or OverflowError for numbers that no compiler makes."""
    return _Writer(game).write()


class _Writer:
    """Writes one game."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.objects = set_bytes(len(game.objects))
        self.moves = set_bytes(5 * len(game.layers))
        self.patterns: dict[Any, int] = {}
        self.cells: list[bytes] = []

    def write(self) -> bytes:
        """Return all bytes; patterns stand before the rules, and are found while these are written."""
        groups = [self._groups(self.game.rules), self._groups(self.game.late)]
        patterns = [_number(len(self.patterns)), *self.cells]
        return b"".join([*self._head(), *patterns, *groups[0], *groups[1]])

    def _head(self) -> Iterable[bytes]:
        game, options = self.game, self.game.options
        yield from (_number(len(game.objects)), _number(len(game.layers)))
        yield from (self._objects(layer) for layer in game.layers)
        yield from (_number(game.player_is_aggregate), self._objects(game.player))
        yield from (_number(options.require_player_movement), _number(options.run_rules_on_level_start))
        yield from (_number(options.noaction), _number(options.noundo), _number(options.norestart))
        yield _number(len(game.wins))
        for win in game.wins:
            yield from (_number(win.quantifier), _number(win.first_is_aggregate), _number(win.second_is_aggregate))
            yield from (_number(win.anything), self._objects(win.first), self._objects(win.second))
        yield _number(len(game.rigid_groups))
        yield from (_number(group) for group in game.rigid_groups)

    def _groups(self, groups: Sequence[Any]) -> list[bytes]:
        parts = [_number(len(groups))]
        for group in groups:
            parts += (_number(group.random), _number(group.jump), _number(len(group.rules)))
            for rule in group.rules:
                parts += self._rule(rule)
        return parts

    def _rule(self, rule: Any) -> list[bytes]:
        parts = [_number(_DIRECTIONS.get(rule.direction, -1)), _number(rule.has_right), _number(rule.commands)]
        parts += (_number(rule.distinct_commands), _number(rule.rigid_group), _number(len(rule.rows)))
        for row in rule.rows:
            parts.append(_number(len(row)))
            parts += [_ELLIPSIS if cell is None else self._pattern(cell) for cell in row]
        return parts

    def _pattern(self, cell: Any) -> bytes:
        """Return the number of a pattern, which is written down if it is new."""
        number = self.patterns.setdefault(cell, len(self.patterns))
        if number == len(self.cells):
            self.cells.append(self._cell(cell))
        return _number(number)

    def _cell(self, cell: Any) -> bytes:
        parts = [self._objects(cell.present), self._objects(cell.missing)]
        parts += (self._moves(cell.moves_present), self._moves(cell.moves_missing), _number(len(cell.any)))
        parts += [self._objects(group) for group in cell.any]
        new = cell.replacement
        parts.append(_number(new is not None))
        if new is not None:
            parts += (self._objects(new.clear), self._objects(new.set), self._moves(new.moves_clear))
            parts += (self._moves(new.moves_set), self._moves(new.moves_layers))
            parts += (self._objects(new.random_objects), self._moves(new.random_directions))
        return b"".join(parts)

    def _objects(self, members: int) -> bytes:
        return members.to_bytes(self.objects, "little")

    def _moves(self, members: int) -> bytes:
        return members.to_bytes(self.moves, "little")
