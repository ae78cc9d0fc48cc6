"""The arrangements of sliding tiles in plain Python, for tests to compare with."""

from __future__ import annotations


def distances(tiles: tuple[int, ...], columns: int) -> dict[tuple[int, ...], int]:
    """Return all arrangements that can be reached from one, by rows and with 0 for the blank, with their distance."""
    steps = [
        [c + d for d, ok in ((-columns, c >= columns), (columns, c + columns < len(tiles))) if ok]
        + [c - 1] * (c % columns > 0)
        + [c + 1] * (c % columns < columns - 1)
        for c in range(len(tiles))
    ]
    found, layer, length = {tiles: 0}, [(tiles, tiles.index(0))], 0
    while layer:
        following, length = [], length + 1
        for state, blank in layer:
            for target in steps[blank]:
                cells = list(state)
                cells[blank], cells[target] = cells[target], 0
                if (new := tuple(cells)) not in found:
                    found[new] = length
                    following.append((new, target))
        layer = following
    return found
