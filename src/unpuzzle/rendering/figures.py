"""Figures of several positions: where two solutions diverge, traps, and nearest misses of unsolvable levels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unpuzzle.base.text import count
from unpuzzle.checking.move_comparison import MovesComparison, positions_after
from unpuzzle.drawing import Piece
from unpuzzle.drawing.panels import Cell, Panel, Panels
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves, replay
from unpuzzle.rendering.scenes import label_of, picture_of
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.lost_moves import Trap, Traps, cells_of, reason_of
from unpuzzle.spaces.shortfalls import Shortfall

FEW = 3
"""The most missing parts of a goal that a caption names."""


def panel_of(
    caption: Sequence[str],
    position: Position,
    before: Position | None = None,
    stuck: Iterable[Cell] = (),
    area: Iterable[Cell] = (),
) -> Panel:
    """Return a picture of a position, with marks on pieces moved since `before`, on stuck cells, and on an area."""
    ground, pieces = picture_of(position, before)
    moved = () if before is None else moved_cells(picture_of(before)[1], pieces)
    return Panel(tuple(caption), ground, pieces, moved, tuple(stuck), tuple(area))


def moved_cells(before: Iterable[Piece], after: Iterable[Piece]) -> list[Cell]:
    """Return the cells of `after` whose pieces were not there in `before`, each cell once."""
    known = {(kind, row, column) for _, row, column, kind in before}
    return [*dict.fromkeys((row, column) for _, row, column, kind in after if (kind, row, column) not in known)]


def comparison_panels(comparison: MovesComparison) -> Panels:
    """Return the last common position of two move sequences, and the position after the next move of each sequence."""
    number = len(comparison.first.moves) if comparison.step is None else comparison.step - 1
    panels = [panel_of((f"after {count(number, 'move')}" if number else "the start",), comparison.parting)]
    moves, names = comparison.next_moves(), ("first", comparison.kind.replace("_", " "))
    for name, move, after in zip(names, moves, positions_after(comparison), strict=True):
        if after is not None:
            other = "second" if name == "given" else name
            panels.append(panel_of((f"{other}: {move}",), after, comparison.parting))
    return Panels(f"{label_of(comparison.start)}: where two ways part", panels)


def trap_panel(exploration: Exploration, trap: Trap, number: int, walks: bool) -> Panel:
    """Return the position after a move that makes a level unsolvable, with marks for the reason."""
    before = exploration.position(trap.before)
    way = joined_moves(before.game, trap.moves)
    reason = reason_of(trap, before, walks)
    caption = (f"{number}. {trap.move}" + (f" after {way}" if way else " at the start"), reason)
    stuck = cells_of([place for _, place in trap.stuck])
    return panel_of(caption, before.apply(trap.move), before, stuck, cells_of(trap.area))


def trap_panels(exploration: Exploration, traps: Traps) -> list[Panels]:
    label = f"{label_of(exploration.subject)}: a move that makes it unsolvable"
    every = [trap_panel(exploration, trap, number, traps.walks) for number, trap in enumerate(traps.traps, 1)]
    return [Panels(label, (panel,)) for panel in every]


def traps_sheet(exploration: Exploration, traps: Traps) -> Panels:
    """Return all traps on one sheet."""
    every = [panel for panels in trap_panels(exploration, traps) for panel in panels.panels]
    return Panels(f"{label_of(exploration.subject)}: where players get lost", every)


def shortfall_panels(start: Position, shortfall: Shortfall) -> Panels:
    """Return the position with the most true goal parts; for two exclusive goal parts, one with each part."""
    nearest = shortfall.nearest
    panels = [_reached(start, nearest.moves, f"nearest miss: {_lacking(nearest.missing)}")]
    ways = {part.text: part.moves for part in shortfall.parts}
    for name in shortfall.apart[0] if shortfall.apart and len(shortfall.apart[0]) == 2 else ():
        panels.append(_reached(start, ways[name] or (), f"alone: {name}"))
    return Panels(f"{label_of(start)}: why it has no solution", panels)


def _reached(start: Position, moves: Sequence[str], caption: str) -> Panel:
    """Return the position after moves, with a mark on the pieces of the last move."""
    before = replay(start, moves[:-1]).position if moves else None
    way = joined_moves(start.game, moves)
    position = start if before is None else before.apply(moves[-1])
    return panel_of((f"after {way}" if way else "the start", caption), position, before)


def _lacking(missing: Sequence[str]) -> str:
    shown = "; ".join(missing[:FEW])
    return f"it lacks {shown}" + (f"; and {len(missing) - FEW} more" if len(missing) > FEW else "")
