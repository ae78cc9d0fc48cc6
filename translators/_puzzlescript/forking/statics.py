"""What rules can never change: objects that stay where they are, whatever is played.

An object may change if a rule puts it, or takes it away, or lets its layer move, in a cell on which it may lie where the
rule matches; or if it is a player, who is pushed by keys. Of the rules nothing else is looked at, so that this is true
of every level of the game.
"""

from __future__ import annotations

from unpuzzle.translators._puzzlescript.applying import ALL, layers_by_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.translators._puzzlescript.compiled import CellPattern, Compiled, Replacement


def changing_objects(game: Compiled) -> int:
    """The set of objects that a rule or a key may change."""
    layer_of = layers_by_object(game)
    found = game.player
    for pattern, new in replacements(game):
        found |= new.set & ~pattern.present
        for number, layer in enumerate(layer_of):
            bit = 1 << number
            changes = bool(new.clear & ~new.set & bit) or (layer >= 0 and new.moves_set >> 5 * layer & ALL)
            if changes and layer >= 0 and _may_lie(bit, game.layers[layer], pattern):
                found |= bit
    return found


def _may_lie(bit: int, layer: int, pattern: CellPattern) -> bool:
    """Whether an object may be on a cell that matches."""
    return (
        not pattern.present & layer & ~bit
        and not pattern.missing & bit
        and all(bit & group for group in pattern.any if not group & ~layer)
    )


def replacements(game: Compiled) -> Iterable[tuple[CellPattern, Replacement]]:
    """The patterns of all rules that replace something."""
    for group in (*game.rules, *game.late):
        for rule in group.rules:
            for row in rule.rows:
                for cell in row:
                    if cell is not None and cell.replacement is not None and rule.has_right:
                        yield cell, cell.replacement
