"""Where a schema applies: neighbours in a direction and static objects, if that says just where, else a table.

A shape of steps is found at some places. The guard of its schema must hold there and at no other place that matters:
not where a player never stands, nor where another step, which needs no more, does the same.

    next       the cells that the steps of a level are about form a net; the schema's cells lie in it as in the shape
    fixed      of objects that no move changes, whether one lies on a cell
    place-N    all places, one by one: where nothing else will do
"""

from __future__ import annotations

from typing import NamedTuple

from unpuzzle.translators._puzzlescript.board import bits
from unpuzzle.translators._puzzlescript.forking.frames import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence

    from unpuzzle.translators._puzzlescript.forking.effort import Effort
    from unpuzzle.translators._puzzlescript.forking.frames import Frames, Offset, Shape

MOST_BETWEEN = 3
"""So many cells that a step is not about may be parameters, to lead from one of its cells to another."""

PER_PLACE = 16
"""Steps of effort, for each cell."""


class Guard(NamedTuple):
    """`offsets` of the schema's cells, how they are neighbours (from, to, quarter turns), and what is fixed there."""

    offsets: tuple[Offset, ...]
    steps: tuple[tuple[Offset, Offset, bool], ...]
    """From one cell to the next: ahead or, if True, to the right."""
    fixed: tuple[tuple[Offset, int, bool], ...]


class Guards:
    """Finds guards on a level. `net` are the cells that steps are about; `static` by cell what is there for good."""

    def __init__(
        self,
        frames: Frames,
        net: Collection[int],
        static: Sequence[int],
        origins: Collection[int],
        effort: Effort,
    ) -> None:
        self.frames = frames
        self.net = net
        self.static = static
        self.origins = origins
        self.effort = effort
        union = everywhere = 0
        for number, cell in enumerate(sorted(net)):
            union |= static[cell]
            everywhere = static[cell] if not number else everywhere & static[cell]
        self.telling = union & ~everywhere

    def find(
        self, shape: Shape, wanted: Collection[Place], harmless: Container[Place], directions: Iterable[str]
    ) -> Guard | None:
        """A guard for the places of a shape in these directions; None where neighbours and static objects tell none."""
        connected = self._connected(shape.offsets())
        if connected is None:
            return None
        offsets, steps = connected
        self.effort.spend(PER_PLACE * len(self.origins) * len(offsets))
        found: dict[Place, list[int]] = {}
        for direction in directions:
            for origin in self.origins:
                place = Place(direction, origin)
                cells = [self.frames.cell(place, offset) for offset in offsets]
                inside = [cell for cell in cells if cell is not None and cell in self.net]
                if len(inside) == len(cells):
                    found[place] = inside
        if any(place not in found for place in wanted):
            return None
        extras = [place for place in found if place not in wanted and place not in harmless]
        fixed = self._fixed(offsets, found, wanted, extras)
        return None if fixed is None else Guard(tuple(offsets), tuple(steps), tuple(fixed))

    def _connected(self, offsets: Sequence[Offset]) -> tuple[list[Offset], list[tuple[Offset, Offset, bool]]] | None:
        """The cells with those between them, and how one leads to another; None if there are too many between."""
        reached: list[Offset] = [(0, 0)]
        steps: list[tuple[Offset, Offset, bool]] = []
        between = 0
        for offset in offsets:
            while offset not in reached:
                near = min(reached, key=lambda r: abs(r[0] - offset[0]) + abs(r[1] - offset[1]))
                ahead, right = offset[0] - near[0], offset[1] - near[1]
                if ahead:
                    new, turned = (near[0] + (1 if ahead > 0 else -1), near[1]), False
                else:
                    new, turned = (near[0], near[1] + (1 if right > 0 else -1)), True
                backwards = (ahead if ahead else right) < 0
                steps.append((new, near, turned) if backwards else (near, new, turned))
                reached.append(new)
                between += new not in offsets
        return None if between > MOST_BETWEEN else (reached, steps)

    def _fixed(
        self,
        offsets: Sequence[Offset],
        found: Mapping[Place, Sequence[int]],
        wanted: Collection[Place],
        extras: list[Place],
    ) -> list[tuple[Offset, int, bool]] | None:
        """Static objects on the cells, or their absence, that rule out all places which are not wanted."""
        chosen: list[tuple[Offset, int, bool]] = []
        common = self._common(offsets, found, wanted) if extras else []
        while extras:
            best: list[Place] = extras
            choice = None
            for index, number, there in common:
                left = [place for place in extras if bool(self.static[found[place][index]] >> number & 1) == there]
                if len(left) < len(best):
                    best, choice = left, (offsets[index], number, there)
            if choice is None:
                return None
            chosen.append(choice)
            extras = best
        return chosen

    def _common(
        self, offsets: Sequence[Offset], found: Mapping[Place, Sequence[int]], wanted: Collection[Place]
    ) -> list[tuple[int, int, bool]]:
        """What the cells of all wanted places have in common."""
        common = []
        for index in range(len(offsets)):
            masks = [self.static[found[place][index]] for place in wanted]
            for number in bits(self.telling):
                values = {bool(mask >> number & 1) for mask in masks}
                if len(values) == 1:
                    common.append((index, number, values.pop()))
        return common
