"""Which objects no move changes: they neither come nor go nor move, whatever happens. Pictures have them as ground.

A rule is asked, cell by cell, what it may do to an object: put it, wipe it, or give its layer a direction. It can do
the latter two only where the object can lie beside what the cell pattern wants, and one layer holds one object.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Replacement


def lasting(game: Compiled) -> int:
    """The objects, as a set, that stay where a level has them."""
    changed = game.player
    for pattern, replacement in _replacements(game):
        changed |= _changed(game, pattern, replacement)
    return ((1 << len(game.objects)) - 1) & ~changed


def _replacements(game: Compiled) -> Iterator[tuple[CellPattern, Replacement]]:
    for group in (*game.rules, *game.late):
        for rule in group.rules:
            for row in rule.rows:
                for pattern in row:
                    if pattern is not None and pattern.replacement is not None:
                        yield pattern, pattern.replacement


def _changed(game: Compiled, pattern: CellPattern, replacement: Replacement) -> int:
    """The objects that a replacement may put, wipe or set in motion."""
    found = replacement.random_objects | (replacement.set & ~pattern.present)
    for number, layer in enumerate(game.layers):
        here = _possible(layer, pattern)
        found |= here & replacement.clear & ~replacement.set
        if replacement.random_objects & layer:
            found |= here
        directions = (replacement.moves_set | replacement.random_directions) >> (5 * number) & 0b11111
        if directions:
            found |= (here & ~replacement.clear) | (replacement.set & layer)
    return found


def _possible(layer: int, pattern: CellPattern) -> int:
    """The objects of a layer that can lie on a cell which matches a pattern."""
    wanted = layer & pattern.present
    if wanted:
        return wanted
    for any_of in pattern.any:
        if not any_of & ~layer:
            layer &= any_of
    return layer & ~pattern.missing
