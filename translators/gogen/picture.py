"""A Gogen as text: the grid, and beside it the words in columns; those that can be traced already have a tick."""

from __future__ import annotations

from unpuzzle.translators.gogen.grid import EMPTY, SIDE, traceable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLUMNS = 3


def picture(cells: str, places: Mapping[str, int], words: Sequence[str]) -> str:
    """The lines of the picture."""
    rows = [" ".join(cells[i : i + SIDE]).replace(EMPTY, "·") for i in range(0, len(cells), SIDE)]
    listed = [f"{'✓' if traceable(places, word) else ' '} {word}" for word in words]
    height = max(SIDE, -(-len(listed) // COLUMNS))
    columns = [listed[i : i + height] for i in range(0, len(listed), height)]
    widths = [max(map(len, column)) for column in columns]
    rows += [" " * len(rows[0])] * (height - SIDE)
    lines = []
    for number, row in enumerate(rows):
        beside = [
            column[number].ljust(width) for column, width in zip(columns, widths, strict=True) if number < len(column)
        ]
        lines.append("   ".join([row, *beside]).rstrip())
    return "\n".join(lines)
