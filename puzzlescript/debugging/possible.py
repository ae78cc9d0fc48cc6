"""An overestimate of everything possible in a game: objects, movements, and rules that may match.

It begins with the objects in the levels and the pushes of players, and adds the effects of all rules whose patterns
could match, each cell by itself, until nothing changes. So it may contain too much, but never too little: everything
outside is proved impossible.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Replacement, Rule
from unpuzzle.puzzlescript.playing.sets import bits

ALL = 0b11111


class Possible:
    """The objects, movements and rules that are possible in a game.

    Attributes: `objects` and `moves`, as sets (`compiled`), that some cell may have; `lines` of rules that may match.
    """

    def __init__(self, game: Compiled) -> None:
        self.game = game
        self.objects: int = reduce(or_, [cell for level in game.levels for cell in level.cells], 0)
        self.moves: int = 0
        self.lines: set[int] = set()
        layers = game.layers_by_object()
        for number in bits(game.player):
            if layers[number] >= 0:
                self.moves |= ALL << 5 * layers[number]
        waiting = game.all_rules()
        while True:
            found = [rule for rule in waiting if self._may_match(rule)]
            if not found:
                return
            waiting = [rule for rule in waiting if not self._may_match(rule)]
            for rule in found:
                self._add(rule)

    def _may_match(self, rule: Rule) -> bool:
        return all(self._may_hold(cell) for row in rule.rows for cell in row if cell is not None)

    def _may_hold(self, cell: CellPattern) -> bool:
        if cell.present & ~self.objects or cell.moves_present & ~self.moves:
            return False
        return all(members & self.objects for members in cell.any)

    def _add(self, rule: Rule) -> None:
        self.lines.add(rule.line)
        for _, new in rule.replacements():
            self.objects |= new.set | new.random_objects
            self.moves |= new.moves_set | _drawn(new)


def _drawn(new: Replacement) -> int:
    """Return the movements that a replacement may draw: its layers are given as bits 0 and 2."""
    return reduce(or_, [0b01111 << bit for bit in bits(new.random_directions) if bit % 5 == 0], 0)
