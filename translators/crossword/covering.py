"""How many words must be written at the least, and which: enough slots that each empty cell is in one of them.

Whatever the solution is, an empty cell is filled by the word across it or by the one down it. So the words that are
written cover all empty cells; and a least cover, written with the words of any solution, is a shortest way to it. Cells
are the edges between slots across and slots down, so it is a least vertex cover of a bipartite graph, which a largest
matching gives (D. König, Graphs and matrices, 1931).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from unpuzzle.translators.crossword.slots import EMPTY, Slot, slots_of

Edges = Mapping[str, list[str]]
"""By slot across, the slots down that share an empty cell with it."""

ANY_LETTER = str.maketrans(dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "x"))


def cover(letters: str, columns: int) -> tuple[Slot, ...]:
    """Return the fewest slots that hold all empty cells of a grid, in the order of slots."""
    return _cover(letters.translate(ANY_LETTER), columns)


@lru_cache(maxsize=1 << 12)
def _cover(cells: str, columns: int) -> tuple[Slot, ...]:
    """Return the cover of a grid in which every letter is `x`: it does not depend on the letters."""
    slots = slots_of(cells.replace("x", EMPTY), columns)
    through: dict[int, list[Slot]] = {}
    for slot in slots:
        for cell in slot.cells:
            if cells[cell] == EMPTY:
                through.setdefault(cell, []).append(slot)
    names = {pair[0].name for pair in through.values() if len(pair) == 1}
    edges: dict[str, list[str]] = {}
    for pair in through.values():
        if names.isdisjoint(slot.name for slot in pair):
            edges.setdefault(pair[0].name, []).append(pair[1].name)
    names |= _vertex_cover(edges)
    return tuple([slot for slot in slots if slot.name in names])


def _vertex_cover(edges: Edges) -> set[str]:
    """Return a least set of slots with an end of each edge."""
    partner: dict[str, str] = {}  # by slot down, the one across that it is matched with
    for across in edges:
        _match(across, edges, partner, set())
    reached = set(edges) - set(partner.values())  # then all that alternating paths lead to from there
    waiting = sorted(reached)
    down: set[str] = set()
    while waiting:
        for other in edges[waiting.pop()]:
            if other not in down:
                down.add(other)
                if partner[other] not in reached:
                    reached.add(partner[other])
                    waiting.append(partner[other])
    return (set(edges) - reached) | down


def _match(across: str, edges: Edges, partner: dict[str, str], tried: set[str]) -> bool:
    """Find a partner for a slot, perhaps by giving others new ones (H. W. Kuhn, 1955)."""
    for other in edges[across]:
        if other not in tried:
            tried.add(other)
            if other not in partner or _match(partner[other], edges, partner, tried):
                partner[other] = across
                return True
    return False
