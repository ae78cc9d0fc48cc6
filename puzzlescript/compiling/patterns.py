"""Cell patterns: what a cell of a rule looks for, and what it does, as sets of objects and movements."""

from __future__ import annotations

from unpuzzle.puzzlescript.compiling.compiled import ACTION, DOWN, LEFT, RIGHT, UP, CellPattern, Replacement
from unpuzzle.puzzlescript.compiling.directions import Directed
from unpuzzle.puzzlescript.compiling.names import Names
from unpuzzle.puzzlescript.compiling.rule_text import ELLIPSIS, Cell, Rows

ALL = 0b11111
_BITS = {"": 0, "up": 1 << UP, "down": 1 << DOWN, "left": 1 << LEFT, "right": 1 << RIGHT, "action": 1 << ACTION}
_BY_CHANCE = 0b00101


class NeverMatchesError(Exception):
    """A cell wants what cannot be: the message says what. `harmless`: PuzzleScript only warns of it."""

    def __init__(self, message: str, harmless: bool = False) -> None:
        super().__init__(message)
        self.harmless = harmless


def stationary_where_spawned(rule: Directed, names: Names) -> Rows:
    """Return the right side, on which objects that are new in their layers, and have no direction, are stationary."""
    if rule.source.late or not rule.right:
        return rule.right

    def spawned(before: Cell, after: Cell) -> Cell:
        if all(word or name not in names.number for word, name in after):
            return after
        touched = {names.layer_of.get(member) for _, name in before for member in names.members(name)}
        new = {name for _, name in after if name in names.number and names.layer_of.get(name) not in touched}
        return tuple([("stationary" if not word and name in new else word, name) for word, name in after])

    return tuple([tuple(map(spawned, befores, afters)) for befores, afters in zip(rule.left, rule.right, strict=True)])


class Patterns:
    """Makes cell patterns; equal cells share one."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._made: dict[tuple[Cell, Cell | None], CellPattern | NeverMatchesError] = {}

    def rows(self, left: Rows, right: Rows) -> tuple[tuple[CellPattern | None, ...], ...]:
        """Return the patterns of a rule. Raises NeverMatchesError for one that never matches."""
        if not right:
            return tuple([tuple([self._cell(cell, None) for cell in row]) for row in left])
        pairs = zip(left, right, strict=True)
        return tuple([tuple(map(self._cell, befores, afters)) for befores, afters in pairs])

    def _cell(self, before: Cell, after: Cell | None) -> CellPattern | None:
        if before == ELLIPSIS:
            return None
        key = (before, after)
        pattern = self._made.get(key)
        if pattern is None:
            try:
                pattern = self._pattern(before, after)
            except NeverMatchesError as error:
                pattern = error
            self._made[key] = pattern
        if isinstance(pattern, NeverMatchesError):
            raise pattern
        return pattern

    def _pattern(self, before: Cell, after: Cell | None) -> CellPattern:
        left = _Left(before, self.names)
        replacement = None if after is None else _Right(after, self.names).replacement(left, self.names)
        return CellPattern(
            left.present, left.missing, tuple(left.any), left.moves_present, left.moves_missing, replacement
        )


class _Left:
    """The left side of a cell."""

    def __init__(self, cell: Cell, names: Names) -> None:
        self.present = self.missing = self.moves_present = self.moves_missing = self.object_layers = 0
        self.any: list[int] = []
        self.used: dict[int, str] = {}
        for word, name in cell:
            if word == "no":
                self.missing |= names.masks[name]
            elif word != "random" and (layer := names.layer(name)) is not None:
                self._require(word, name, layer, names)
        if self.present & self.missing:
            raise NeverMatchesError("it looks for an object and for its absence in one cell", harmless=True)

    def _require(self, word: str, name: str, layer: int, names: Names) -> None:
        if layer in self.used:
            raise NeverMatchesError(f"{self.used[layer]} and {name} lie in one layer and never in one cell")
        self.used[layer] = name
        if name in names.number:
            self.present |= names.masks[name]
            self.object_layers |= ALL << 5 * layer
        else:
            self.any.append(names.masks[name])
        if word == "stationary":
            self.moves_missing |= ALL << 5 * layer
        else:
            self.moves_present |= _BITS.get(word, 0) << 5 * layer


class _Right:
    """The right side of a cell."""

    def __init__(self, cell: Cell, names: Names) -> None:
        self.clear = self.set = self.moves_clear = self.moves_set = self.moves_layers = 0
        self.random_objects = self.random_directions = self.object_layers = 0
        self.used: dict[int, str] = {}
        for word, name in cell:
            if word == "no":
                self.clear |= names.masks[name]
            elif word == "random":
                self.random_objects |= names.masks[name]
            elif (layer := names.layer(name)) is not None:
                self._put(word, name, layer, names)

    def _put(self, word: str, name: str, layer: int, names: Names) -> None:
        if layer in self.used:
            raise NeverMatchesError(f"{self.used[layer]} and {name} lie in one layer and never in one cell")
        self.used[layer] = name
        if word:
            self.moves_layers |= ALL << 5 * layer
        if name in names.number:
            self.set |= names.masks[name]
            self.clear |= names.layers[layer]
            self.object_layers |= ALL << 5 * layer
        if word == "stationary":
            self.moves_clear |= ALL << 5 * layer
        elif word == "randomdir":
            self.random_directions |= _BY_CHANCE << 5 * layer
        else:
            self.moves_set |= _BITS.get(word, 0) << 5 * layer

    def replacement(self, left: _Left, names: Names) -> Replacement | None:
        """Return what a rule does to a cell that matches; None for nothing."""
        if left.present & ~self.set:
            self.clear |= left.present
        if left.moves_present & ~self.moves_set:
            self.moves_clear |= left.moves_present
        for layer in left.used:
            if layer not in self.used:
                self.clear |= names.layers[layer]
                self.moves_layers |= ALL << 5 * layer
        self.moves_layers |= left.object_layers & ~self.object_layers
        new = Replacement(
            self.clear,
            self.set,
            self.moves_clear,
            self.moves_set,
            self.moves_layers,
            self.random_objects,
            self.random_directions,
        )
        return new if any(new) else None
