"""Figures of several positions, put together from what was found out: where two ways part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unpuzzle.checking.move_comparison import MovesComparison, positions_after
from unpuzzle.drawing import Piece
from unpuzzle.drawing.panels import Cell, Panel, Panels
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import label_of, picture_of
from unpuzzle.words import count


def panel_of(
    caption: Sequence[str], position: Position, before: Position | None = None, stuck: Iterable[Cell] = ()
) -> Panel:
    """Return a picture of a position; what moved since a position before is marked, and what is stuck."""
    ground, pieces = picture_of(position, before)
    moved = () if before is None else moved_cells(picture_of(before)[1], pieces)
    return Panel(tuple(caption), ground, pieces, moved, tuple(stuck))


def moved_cells(before: Iterable[Piece], after: Iterable[Piece]) -> list[Cell]:
    """Return the cells of the pieces that were not there before, each once."""
    known = {(kind, row, column) for _, row, column, kind in before}
    return [*dict.fromkeys((row, column) for _, row, column, kind in after if (kind, row, column) not in known)]


def comparison_panels(comparison: MovesComparison) -> Panels:
    """Return the position from which two ways differ, and beside it the positions after the next move of each."""
    number = len(comparison.first.moves) if comparison.step is None else comparison.step - 1
    panels = [panel_of((f"after {count(number, 'move')}" if number else "the start",), comparison.parting)]
    moves, names = comparison.next_moves(), ("first", comparison.kind.replace("_", " "))
    for name, move, after in zip(names, moves, positions_after(comparison), strict=True):
        if after is not None:
            other = "second" if name == "given" else name
            panels.append(panel_of((f"{other}: {move}",), after, comparison.parting))
    return Panels(f"{label_of(comparison.start)}: where two ways part", panels)
