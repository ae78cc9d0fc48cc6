"""Groups of rules that undo what they do, and so would be applied without end: found on tiny boards.

A group is applied again as long as it changes something. For each of its rules a board is made on which there is just
what the rule asks for, and the group is run there. Where it is cut off, it undoes itself in the game, too, whenever
such a place comes about; so `lint` warns of it. What needs more than one row of cells, an ellipsis or chance is not
tried: no warning is no proof.
"""

from __future__ import annotations

from unpuzzle.puzzlescript.playing.applying import ListRunner, Queue
from unpuzzle.puzzlescript.playing.board import board_of
from unpuzzle.puzzlescript.playing.draws import draws_at
from unpuzzle.puzzlescript.playing.matching import DOWN, LEFT, UP, Grid
from unpuzzle.puzzlescript.playing.sets import bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Group, Rule
    from unpuzzle.puzzlescript.playing.board import Board

MOST_RULES = 50
"""Larger groups are not tried: they come of rules that stand for many, and take long."""


def undoing(game: Compiled, tick: Callable[[], None]) -> Iterator[int]:
    """Yield the line of each group that undoes itself on some tiny board; `tick` is called for each board."""
    for group in (*game.rules, *game.late):
        if group.random or len(group.rules) > MOST_RULES:
            continue
        if any(_goes_round(group, rule, game, tick) for rule in group.rules):
            yield group.rules[0].line


def _goes_round(group: Group, rule: Rule, game: Compiled, tick: Callable[[], None]) -> bool:
    """Return whether the group is cut off on the board that has just what one of its rules asks for."""
    tick()
    row = rule.rows[0]
    if len(rule.rows) > 1 or not rule.has_right or any(cell is None or _drawn(cell) for cell in row):
        return False
    cells = [cell for cell in row if cell is not None]
    shape = (1, len(cells)) if rule.direction in (UP, DOWN) else (len(cells), 1)
    runner = ListRunner([group._replace(jump=-1)], game, Grid(*shape))
    board = _board(cells[::-1] if rule.direction in (UP, LEFT) else cells, game)
    queue = Queue(tick, set())
    runner.run(board, queue, draws_at("", 0).copy())
    return bool(queue.endless)


def _drawn(cell: CellPattern) -> bool:
    new = cell.replacement
    return new is not None and bool(new.random_objects or new.random_directions)


def _board(cells: list[CellPattern], game: Compiled) -> Board:
    """Return the board with what the cells ask for: of each property its first member that fits in."""
    board = board_of([_objects(cell, game) for cell in cells], game)
    for number, cell in enumerate(cells):
        board.put(number, board.cells[number], cell.moves_present)
    return board


def _objects(cell: CellPattern, game: Compiled) -> int:
    objects = cell.present
    for members in cell.any:
        if not objects & members:
            objects |= next((1 << n for n in bits(members) if _free(1 << n, objects, game)), 0)
    if not objects & game.background_layer:
        objects |= game.background & ~cell.missing
    return objects


def _free(thing: int, objects: int, game: Compiled) -> bool:
    """Return whether nothing lies yet in the layer of a thing."""
    return all(not (layer & thing and layer & objects) for layer in game.layers)
