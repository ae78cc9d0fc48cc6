"""How many words must be written at the least, and which: enough slots that each empty cell is in one of them.

Whatever the solution is, an empty cell is filled by the word across it or by the one down it. So the words that are
written cover all empty cells; and a least cover, written with the words of any solution, is a shortest way to it. Cells
are the edges between slots across and slots down, so it is a least vertex cover of a bipartite graph, which a largest
matching gives (D. König, Graphs and matrices, 1931).
"""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.puzzle.heuristic import NULL, Heuristic
from unpuzzle.puzzle.options import by_name
from unpuzzle.translators.crossword.slots import EMPTY, slots_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from unpuzzle.translators.crossword.rules import Crossword
    from unpuzzle.translators.crossword.slots import Slot

    Edges = Mapping[str, list[str]]
    """By slot across, the slots down that share an empty cell with it."""

NEVER = float("inf")
KNOWN = str.maketrans(dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "x"))


def cover(letters: str, columns: int) -> tuple[Slot, ...]:
    """The fewest slots that hold all empty cells of a grid, in the order of slots."""
    return _cover(letters.translate(KNOWN), columns)


@lru_cache(maxsize=1 << 12)
def _cover(cells: str, columns: int) -> tuple[Slot, ...]:
    """The same for all letters, so it is kept."""
    slots = slots_of(cells.replace("x", EMPTY), columns)
    through: dict[int, list[Slot]] = {}
    for slot in slots:
        for cell in slot.cells:
            if cells[cell] == EMPTY:
                through.setdefault(cell, []).append(slot)
    chosen = {pair[0].name for pair in through.values() if len(pair) == 1}
    edges: dict[str, list[str]] = {}
    for pair in through.values():
        if chosen.isdisjoint(slot.name for slot in pair):
            edges.setdefault(pair[0].name, []).append(pair[1].name)
    chosen |= _vertex_cover(edges)
    return tuple([slot for slot in slots if slot.name in chosen])


def _vertex_cover(edges: Edges) -> set[str]:
    """A least set of slots with an end of each edge."""
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


def _match(across: str, edges: Edges, partner: dict[str, str], seen: set[str]) -> bool:
    """Find a partner for a slot, perhaps by giving others new ones (H. W. Kuhn, 1955)."""
    for other in edges[across]:
        if other not in seen:
            seen.add(other)
            if other not in partner or _match(partner[other], edges, partner, seen):
                partner[other] = across
                return True
    return False


def _estimate(position: Crossword) -> float:
    level = position.level
    if any(not position.fitting(slot) for slot in level.slots):
        return NEVER
    return len(cover(position.letters, level.columns))


HEURISTICS = by_name(
    Heuristic(
        "cover",
        "the fewest slots that hold all empty cells; infinite if a slot has no candidate left",
        _estimate,
        admissible=True,
        consistent=True,
    ),
    NULL,
)
"""A word takes one slot out of any cover, so the estimate goes down by 1 at most; what has no candidate gets none."""
