"""Estimates of the moves to a win, from the win conditions; and for which games they are admissible.

    distance    how far the farthest object that a condition asks for is from where it should be
    goalcount   for how many cells conditions do not hold; may be more than the moves that it takes
    sum         distances summed over objects; may be more, too

Distances are Manhattan distances over all cells. `distance` is admissible where no move brings an object more than a
cell further: no `again`, no command that wins or restarts, and what the conditions name is neither made nor unmade,
only moved. Then a distance is divided by two where both ends of it may move. `doubt` says in words what stands against.

The core computes the same (`planners/native/core/script/estimate.cpp`); this is the slow twin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzlescript.compiling.compiled import (
    AGAIN,
    RESTART,
    WIN,
    CellPattern,
    Compiled,
    Replacement,
    Rule,
    WinCondition,
)
from unpuzzle.puzzlescript.playing.applying import ALL, layers_by_object
from unpuzzle.puzzlescript.playing.engine import replacements_of, rules_of
from unpuzzle.puzzlescript.playing.sets import bits, has
from unpuzzle.puzzlescript.playing.states import State

NAMES = ("distance", "goalcount", "sum")
STEPS = 0b01111
"""Movements of a layer that are not `action`."""


def heuristics(game: Compiled) -> Mapping[str, Heuristic]:
    """Return the heuristics of a game, for searches on the rules."""
    sure = doubt(game) is None
    about = {
        "distance": "how far the farthest object is from where a win condition wants it",
        "goalcount": "for how many cells win conditions do not hold",
        "sum": "how far objects are from where win conditions want them, in all",
    }
    table = {}
    for name in NAMES:
        certain = sure and name == "distance"
        estimate = Estimator(game, name).of_position
        table[name] = Heuristic(name, about[name], estimate, admissible=certain, consistent=certain)
    return table


class Estimator:
    """One of the heuristics of a game."""

    def __init__(self, game: Compiled, name: str) -> None:
        self.game = game
        self.name = name
        self.shortened: tuple[int, ...] = shortened(game)

    def of_position(self, position: object) -> int:
        """Return the estimate for a position of the game."""
        return self.of(position.state)  # type: ignore[attr-defined]

    def of(self, state: State) -> int:
        """Return the estimate for a state: 0 if it is won, else 1 or more."""
        if state.won:
            return 0
        parts = [self._condition(win, by, state) for win, by in zip(self.game.wins, self.shortened, strict=True)]
        return max(1, max(parts, default=0) if self.name == "distance" else sum(parts))

    def _condition(self, win: WinCondition, shortened: int, state: State) -> int:
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
        return -(-self._distance(win, wrong, there, state.height) // shortened)

    def _distance(self, win: WinCondition, wrong: Sequence[int], there: set[int], height: int) -> int:
        places = [divmod(cell, height) for cell in there]
        distances = [
            min([abs(cell // height - x) + abs(cell % height - y) for x, y in places], default=1) for cell in wrong
        ]
        if win.quantifier == 0:
            return min(distances, default=1)
        return max(distances) if self.name == "distance" else sum(distances)


def _cells(state: State, mask: int, whole: bool) -> list[int]:
    return [cell for cell, objects in enumerate(state.cells) if has(objects, mask, whole)]


def shortened(game: Compiled) -> tuple[int, ...]:
    """Return for each win condition how much one move may shorten its distances; 0: they say nothing."""
    layer_of = layers_by_object(game)
    pushed = {layer_of[number] for number in bits(game.player)}
    moving = pushed.union(*[_moved(new) for rule in rules_of(game) for _, new in replacements_of(rule)])

    def ends(win: WinCondition) -> int:
        if win.quantifier < 0 or win.anything or win.first_is_aggregate or win.second_is_aggregate:
            return 0
        moves = [any(layer_of[number] in moving for number in bits(mask)) for mask in (win.first, win.second)]
        return max(1, sum(moves))

    return tuple([ends(win) for win in game.wins])


def doubt(game: Compiled) -> str | None:
    """Return why distances may be more than the moves that it takes; None if they are not."""
    for rule in rules_of(game):
        if rule.commands & (AGAIN | RESTART | WIN):
            return f"the rule in line {rule.line} repeats turns, wins or restarts"
    if not any(shortened(game)):
        return "no win condition says where objects should be"
    named = 0
    for win, by in zip(game.wins, shortened(game), strict=True):
        named |= (win.first | win.second) if by else 0
    return _unsteady(game, named)


def _unsteady(game: Compiled, named: int) -> str | None:
    """Return a sentence about the first rule that does more to objects than to move them by a cell."""
    layers = [(number, mask) for number, mask in enumerate(game.layers) if mask & named]
    late = {id(rule) for group in game.late for rule in group.rules}
    replaced = [(rule, cell, new) for rule in rules_of(game) for cell, new in replacements_of(rule)]
    for rule, cell, new in replaced:
        for number, mask in layers:
            if _remakes(cell, new, named & mask, mask) or not _steady(rule, cell, new, number, mask, id(rule) in late):
                return f"the rule in line {rule.line} does more to objects of a win condition than to move them"
    return None


def _remakes(cell: CellPattern, new: Replacement, named: int, layer: int) -> bool:
    """Return whether named objects of a layer may be made or unmade."""
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
    """Return whether what moves on a layer is always an object that is there: then nothing moves twice in a turn."""
    moves = (new.moves_set >> 5 * number & STEPS) or (new.random_directions >> 5 * number & ALL)
    empties = bool(new.clear & layer & ~cell.missing) and not new.set & layer
    if empties and (moves or (new.moves_clear | new.moves_layers) >> 5 * number & ALL != ALL or len(rule.rows) > 1):
        return False
    sure = new.set & layer or cell.present & layer or any(not group & ~layer for group in cell.any)
    return not moves or (bool(sure) and not late)


def _moved(new: Replacement) -> set[int]:
    """Return the layers to which a replacement gives movement."""
    return {bit // 5 for bit in bits(new.moves_set | new.random_directions) if bit % 5 < 4}
