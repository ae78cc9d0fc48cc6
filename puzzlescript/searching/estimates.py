"""Heuristics for the number of moves to a win, from the win conditions; and for which games they are admissible.

    distance    the largest distance of an object from its place in a win condition
    goalcount   the number of cells for which conditions fail; may overestimate
    sum         distances summed over objects; may overestimate, too

Distances are Manhattan distances over all cells. `distance` is admissible if no move brings an object more than one
cell further: no `again`, no command that wins or restarts, and objects of the conditions are only moved, never created
or removed. A distance is divided by two if both its ends may move. `doubt` returns the reason if it is not admissible.

The core computes the same (`planners/native/core/script/estimate.cpp`); this is the slow version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzlescript.compiling.compiled import (
    AGAIN,
    RESTART,
    WIN,
    CellPattern,
    Compiled,
    Replacement,
    Rule,
    bits,
    has,
)
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.playing.turns import ALL

ABOUT = {
    "distance": "distance of the farthest object from its place in a win condition",
    "goalcount": "number of cells for which win conditions fail",
    "sum": "distances of all objects from their places in win conditions, summed",
}
NAMES: tuple[str, ...] = tuple(ABOUT)
STEPS = 0b01111
"""Movements of a layer that are not `action`."""


def heuristics(game: Compiled) -> Mapping[str, Heuristic]:
    sure = {name: name == "distance" and doubt(game) is None for name in NAMES}
    return {
        name: Heuristic(name, about, Estimator(game, name).of_position, admissible=sure[name], consistent=sure[name])
        for name, about in ABOUT.items()
    }


class Estimator:
    """A heuristic of a game, computed from the win conditions."""

    def __init__(self, game: Compiled, name: str) -> None:
        self.game = game
        self.name = name
        self.shortened: tuple[int, ...] = shortened(game)

    def of_position(self, position: object) -> int:
        return self.of(position.state)  # type: ignore[attr-defined]

    def of(self, state: State) -> int:
        """Return the estimate for a state: 0 if the state is won, else 1 or more."""
        if state.won:
            return 0
        parts = [self._condition(number, state) for number in range(len(self.game.wins))]
        return max(1, max(parts, default=0) if self.name == "distance" else sum(parts))

    def _condition(self, number: int, state: State) -> int:
        win, shortened = self.game.wins[number], self.shortened[number]
        first = _cells(state, win.first, win.first_is_aggregate)
        second = range(len(state.cells)) if win.anything else _cells(state, win.second, win.second_is_aggregate)
        there = set(second)
        wrong = [cell for cell in first if (cell in there) != (win.quantifier > 0)]
        if not win.quantifier:
            wrong = [] if wrong else first
        count = len(wrong) if win.quantifier else int(not any(cell in there for cell in first))
        if not count:
            return 0
        if self.name == "goalcount" or win.quantifier < 0 or win.anything or not shortened:
            return 1 if self.name == "distance" else count
        distances = _distances(wrong, there, state.height)
        if win.quantifier:
            distance = max(distances) if self.name == "distance" else sum(distances)
        else:
            distance = min(distances, default=1)
        return -(-distance // shortened)


def _distances(cells: Sequence[int], ends: Iterable[int], height: int) -> list[int]:
    """Return the distance from each cell to the nearest of `ends`; 1 if there are no ends."""
    places = [divmod(cell, height) for cell in ends]
    starts = [divmod(cell, height) for cell in cells]
    return [min([abs(column - x) + abs(row - y) for x, y in places], default=1) for column, row in starts]


def _cells(state: State, mask: int, whole: bool) -> list[int]:
    return [cell for cell, objects in enumerate(state.cells) if has(objects, mask, whole)]


def shortened(game: Compiled) -> tuple[int, ...]:
    """Return, per win condition, the most by which one move can shorten its distances; 0 for useless distances."""
    layer_of = game.layers_by_object()
    moving = {layer_of[number] for number in bits(game.player)}
    for rule in game.all_rules():
        for _, new in rule.replacements():
            moving |= {bit // 5 for bit in bits(new.moves_set | new.random_directions) if bit % 5 < 4}
    ends = []
    for win in game.wins:
        moves = [any(layer_of[number] in moving for number in bits(mask)) for mask in (win.first, win.second)]
        vague = win.quantifier < 0 or win.anything or win.first_is_aggregate or win.second_is_aggregate
        ends.append(0 if vague else max(1, sum(moves)))
    return tuple(ends)


def doubt(game: Compiled) -> str | None:
    """Return why distances may overestimate the number of moves; None if distances never do so."""
    for rule in game.all_rules():
        if rule.commands & (AGAIN | RESTART | WIN):
            return f"the rule in line {rule.line} repeats turns, wins or restarts"
    if (rule_of_two := game.stacking()) is not None:
        return f"the rule in line {rule_of_two.line} puts two objects of one layer into one cell"
    if not any(shortened(game)):
        return "no win condition says where objects should be"
    wins = zip(game.wins, shortened(game), strict=True)
    named = reduce(or_, [win.first | win.second for win, by in wins if by], 0)
    layers = [(number, mask) for number, mask in enumerate(game.layers) if mask & named]
    late = {id(rule) for group in game.late for rule in group.rules}
    replacements = [(rule, cell, new) for rule in game.all_rules() for cell, new in rule.replacements()]
    for rule, cell, new in replacements:
        for number, mask in layers:
            if _remakes(cell, new, named & mask, mask) or not _steady(rule, cell, new, number, mask, id(rule) in late):
                return f"the rule in line {rule.line} does more than move objects of a win condition"
    return None


def _remakes(cell: CellPattern, new: Replacement, named: int, layer: int) -> bool:
    """Return whether a rule may create or remove named objects of a layer."""
    if new.random_objects & layer:
        return True
    gone = new.clear & ~new.set & named & ~cell.missing
    if cell.present & layer:
        gone &= cell.present
    for group in cell.any:
        if not group & ~layer:
            gone &= group
    return bool(gone or new.set & ~cell.present & named)


def _steady(rule: Rule, cell: CellPattern, new: Replacement, number: int, layer: int, late: bool) -> bool:
    """Return whether a rule only moves existing objects on a layer, so that nothing moves twice in a turn."""
    moves = (new.moves_set >> 5 * number & STEPS) or (new.random_directions >> 5 * number & ALL)
    empties = bool(new.clear & layer & ~cell.missing) and not new.set & layer
    if empties and (moves or (new.moves_clear | new.moves_layers) >> 5 * number & ALL != ALL or len(rule.rows) > 1):
        return False
    sure = new.set & layer or cell.present & layer or any(not group & ~layer for group in cell.any)
    return not moves or (bool(sure) and not late)
