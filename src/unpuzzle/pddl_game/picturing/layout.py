"""The layout of things: sizes and places, in cells, that no move changes, and from these the places in a state.

    relation of a line        place of the thing
    row, column, neighbours   in a slot of the grid, above its lower edge; columns are as wide as their widest thing
    at                        in the middle of the other thing
    on                        on top of it; a slot is as high as its highest possible tower
    in                        inside its frame: below the name, a shelf for each line

Several things in one place are spread; on a shelf they stand side by side, and overlap if there are too many.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import accumulate, product
from math import ceil, sqrt

from unpuzzle.drawing import Point
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl_game.picturing.block import CODE, HELD, Place, Term
from unpuzzle.pddl_game.picturing.scene import Placed, Script, neighbours

Size = tuple[float, float]
"""Columns and rows, in cells."""

ABREAST = (3, 1)
"""The most columns and rows of a shelf in a moving thing."""
ABREAST_OF_FIXED = (4, 3)
PADDING = 0.24
"""The space between a frame and its contents. No multiple of it is half a line of a terminal."""
HEADER = 1.0
SPREAD = 0.3
MOST_CELLS = 40_000


class Layout:
    """The sizes of things, and the slots of the grid.

    `shape` gives the shape that a line names for a thing, or "", `own_size` the size of an empty thing with some shape.
    """

    def __init__(self, script: Script, shape: Callable[[str], str], own_size: Callable[[str, str], Size]) -> None:
        self.script = script
        self._shape, self._own_size = shape, own_size
        self.body = cache(self._body)
        self.extent = cache(self._extent)
        self._shelves = cache(self._shelf_of)
        places = script.block.places
        self._candidates = [script.candidates(place, place.thing) for place in places]
        self._targets: dict[int, frozenset[str]] = {
            number: frozenset(script.candidates(place, place.target))
            for number, place in enumerate(places)
            if place.relation in HELD and place.target is not None
        }
        on = [line for line in self._targets if places[line].relation == "on"]
        self._standing = {name for line in on for name in self._candidates[line]}
        start = script.placed(script.start)
        self.fixed: dict[str, Placed] = {name: at for name, at in start.items() if at.line in script.static_lines}
        self._neighbours: Mapping[str, tuple[int, int, int]] = neighbours(script)
        self._widen_targets()
        self._grid()

    def _widen_targets(self) -> None:
        """Let a line place things also on all similar targets: things of the same type, placed by one line.

        So an unreachable cell looks like the others.
        """
        groups: dict[object, set[str]] = {}
        for name in (*self.fixed, *self._neighbours):
            line = -1 if name in self._neighbours else self.fixed[name].line
            groups.setdefault((line, self.script.types.get(name)), set()).add(name)
        for line, targets in self._targets.items():
            alike = [group for group in groups.values() if not group.isdisjoint(targets)]
            self._targets[line] = targets.union(*alike)

    def lines_onto(self, name: str, relation: str) -> list[int]:
        """Return the lines that may place things at, on or in a thing."""
        places = self.script.block.places
        return [
            line for line, targets in self._targets.items() if name in targets and places[line].relation == relation
        ]

    def shape(self, name: str) -> str:
        """Return the shape of a thing: as a line names it, otherwise by the things in it or at it."""
        named = self._shape(name)
        if self.lines_onto(name, "in"):
            return "frame"
        return named or ("cell" if self.lines_onto(name, "at") and not self.moves(name) else "tile")

    def moves(self, name: str) -> bool:
        """Return whether a thing may move; things placed on moving things do."""
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            if name in self._neighbours:
                return False
            placed = self.fixed.get(name)
            if placed is None:
                return True
            if not placed.target:
                return False
            name = placed.target
        return True

    def _body(self, name: str, path: frozenset[int] = frozenset()) -> Size:
        """Return the size of a thing with its contents; `path` has the lines that are being measured."""
        shape = self.shape(name)
        wide, high = self._own_size(name, shape)
        if shape == "cell":
            return _largest([(wide, high), *self._sizes_at(name, path)])
        if shape != "frame":
            return wide, high
        shelves = [self.shelf(name, line, path) for line in self.lines_onto(name, "in") if line not in path]
        width = max([wide, *(columns * cell[0] for columns, _, cell in shelves)]) + 2 * PADDING
        return width, HEADER + PADDING + max(1.0, sum(rows * cell[1] for _, rows, cell in shelves))

    def _sizes_at(self, name: str, path: frozenset[int]) -> list[Size]:
        """Return the sizes of the things that may be at a thing."""
        lines = [line for line in self.lines_onto(name, "at") if line not in path]
        return [self._held_size(other, path | {line}) for line in lines for other in self._candidates[line]]

    def shelf(self, name: str, line: int, path: frozenset[int] = frozenset()) -> tuple[int, int, Size]:
        """Return columns and rows of a shelf, and the size of each of its places."""
        inside = [other for other in self._candidates[line] if other != name]
        if line in self.script.static_lines:
            inside = [other for other in inside if self.fixed.get(other) == Placed(line, name)]
        cell = _largest([self._held_size(other, path | {line}) for other in inside] or [(1.0, 1.0)])
        most, highest = ABREAST if self.moves(name) else ABREAST_OF_FIXED
        columns = min(most, len(inside) if highest == 1 or len(inside) < 3 else ceil(sqrt(len(inside)))) or 1
        return columns, max(1, min(highest, ceil(len(inside) / columns))), cell

    def _held_size(self, name: str, path: frozenset[int]) -> Size:
        """Return the size of a thing at or in another one; things that may stand on others carry nothing there."""
        return self.body(name, path) if name in self._standing else self.extent(name, path)

    def _extent(self, name: str, path: frozenset[int] = frozenset()) -> Size:
        """Return the size of a thing with everything that may be in, at and on it."""
        width, height = _largest([self.body(name, path), *self._sizes_at(name, path)])
        above, lines = self._tower(name, path)
        sizes = [self.body(other, path | lines) for other in above]
        return max([width, *(wide for wide, _ in sizes)]), height + sum(high for _, high in sizes)

    def _tower(self, name: str, path: frozenset[int]) -> tuple[list[str], frozenset[int]]:
        """Return the things that may stand on a thing, directly or not, and the lines that put them there."""
        lines = {line for line in self.lines_onto(name, "on") if line not in path}
        above: dict[str, None] = {}
        waiting = [*lines]
        for line in waiting:
            for other in self._candidates[line]:
                if other not in above and other != name:
                    above[other] = None
                    more = [each for each in self.lines_onto(other, "on") if each not in lines and each not in path]
                    lines.update(more)
                    waiting += more
        return [*above], frozenset(lines)

    def _grid(self) -> None:
        """Find the slots, and the sizes of rows and columns."""
        slots = self._slots()
        base = max([column + 1 for _, _, column in slots if column is not None], default=0)
        self._first: dict[int, int] = {}  # the first column of each group of neighbours
        for group, _, column in sorted(self._neighbours.values()):
            self._first.setdefault(group, base)
            base = max(base, self._first[group] + column + 1)
        slots += [(name, row, self._first[group] + column) for name, (group, row, column) in self._neighbours.items()]
        rows = _filled({row for _, row, _ in slots if row is not None})
        if any(row is None for _, row, _ in slots) and any(row is not None for _, row, _ in slots):
            rows.append(rows[-1] + 1)  # below all others
        columns = _filled({column for _, _, column in slots if column is not None})
        self._ground = rows[-1], columns[0]
        high, wide = dict.fromkeys(rows, 0.0), dict.fromkeys(columns, 0.0)
        if len(high) * len(wide) > MOST_CELLS:
            message = f"a picture of {len(high):,} rows and {len(wide):,} columns is too large"
            raise parse_error(message, self.script.block.places[0].span, CODE)
        for name, *slot in slots:
            (row, column), (width, height) = self._slot(*slot), self.extent(name)
            high[row], wide[column] = max(high[row], height), max(wide[column], width)
        self._rows, self._columns = _edges(high), _edges(wide)
        self.rows: float = max(end for _, end in self._rows.values())
        self.columns: float = max(end for _, end in self._columns.values())

    def _slot(self, row: int | None, column: int | None) -> tuple[int, int]:
        """Return a slot in which a left out row is the lowest one, and a left out column the first one."""
        return self._ground[0] if row is None else row, self._ground[1] if column is None else column

    def _slots(self) -> list[tuple[str, int | None, int | None]]:
        """Return the things with the rows and columns in which lines may put them; None for one that is left out."""
        found: list[tuple[str, int | None, int | None]] = []
        script = self.script
        for number, place in enumerate(script.block.places):
            if place.relation:
                continue
            if script.is_static(place.condition):
                for binding in script.answers(place, script.start):
                    found.append((script.named(place.thing, binding), *script.slot(place, binding)))
                continue
            for name in self._candidates[number]:
                terms = [self._values(place, term, name) for term in (place.row, place.column)]
                found += [(name, row, column) for row, column in product(*terms)]
        return found

    def _values(self, place: Place, term: Term | None, name: str) -> set[int | None]:
        """Return the possible numbers of a term when the line places a thing of this name."""
        if term is None:
            return {None}
        own = place.thing.variable and term.variable == place.thing.name
        names = (name,) if own or not term.variable else self.script.values(place, term.variable)
        return {self.script.value(term, place, {term.variable: each}) for each in names}

    def places(self, placed: Mapping[str, Placed]) -> dict[str, Point]:
        """Return the row and column of each thing's upper left corner; things without a place are left out."""
        slots: dict[tuple[int, int], list[str]] = {}
        holders: dict[str, dict[int, list[str]]] = {}
        for name, (group, row, column) in self._neighbours.items():
            slots.setdefault((row, self._first[group] + column), []).append(name)
        for name in sorted(placed, key=self.script.things.__getitem__):
            where = placed[name]
            if where.target:
                holders.setdefault(where.target, {}).setdefault(where.line, []).append(name)
            elif name not in self._neighbours:
                slots.setdefault(self._slot(where.row, where.column), []).append(name)
        found: dict[str, Point] = {}
        for (row, column), names in slots.items():
            (_, bottom), (left, right) = _nearest(self._rows, row), _nearest(self._columns, column)
            found |= self._abreast(names, (left + right) / 2, bottom)
        waiting = [*found]
        for name in waiting:
            for line, names in sorted(holders.get(name, {}).items()):
                others = [other for other in names if other not in found]
                found |= self._held(name, found[name], line, others)
                waiting += others
        for name, (row, column) in found.items():  # a tower may be higher than expected
            wide, high = self.body(name)
            found[name] = max(0.0, min(row, self.rows - high)), max(0.0, min(column, self.columns - wide))
        return found

    def _abreast(self, names: Sequence[str], middle: float, bottom: float) -> dict[str, Point]:
        """Return the places of things that stand in one place, spread around its middle."""
        found = {}
        for number, name in enumerate(names):
            wide, high = self.body(name)
            shift = (number - (len(names) - 1) / 2) * min(SPREAD, 0.8 / len(names))
            found[name] = bottom - high, middle - wide / 2 + shift
        return found

    def _held(self, holder: str, corner: Point, line: int, names: Sequence[str]) -> dict[str, Point]:
        """Return the places of the things that a line puts at, on or in a thing."""
        top, left = corner
        wide, high = self.body(holder)
        relation = self.script.block.places[line].relation
        if relation == "on":
            return self._abreast(names, left + wide / 2, top)
        if relation == "at":
            found = self._abreast(names, left + wide / 2, top)
            return {name: (top + (high - self.body(name)[1]) / 2, column) for name, (_, column) in found.items()}
        shift, columns, rows, cell = self._shelves(holder, line)
        across = max(columns, ceil(len(names) / rows))
        step = cell[0] if across <= columns else cell[0] * (columns - 1) / max(across - 1, 1)
        found = {}
        for number, name in enumerate(names):
            row, column = divmod(number, across)
            bottom = top + shift + (row + 1) * cell[1]
            found[name] = bottom - self.body(name)[1], left + PADDING + column * step
        return found

    def _shelf_of(self, holder: str, line: int) -> tuple[float, int, int, Size]:
        """Return a shelf with its distance from the frame's upper edge."""
        above = (self.shelf(holder, other) for other in self.lines_onto(holder, "in") if other < line)
        return HEADER + sum(rows * cell[1] for _, rows, cell in above), *self.shelf(holder, line)


def _largest(sizes: Sequence[Size]) -> Size:
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _filled(numbers: Collection[int]) -> list[int]:
    """Return sorted numbers with the gaps filled, unless the gaps are large; [0] without numbers."""
    own = sorted(numbers) or [0]
    return [*range(own[0], own[-1] + 1)] if own[-1] - own[0] <= 3 * len(own) else own


def _edges(sizes: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """Return the begin and end of each row or column; empty ones have the size 1."""
    own = {number: size or 1.0 for number, size in sizes.items()}
    ends = accumulate(own.values())
    return {number: (end - size, end) for (number, size), end in zip(own.items(), ends, strict=True)}


def _nearest(edges: Mapping[int, tuple[float, float]], number: int) -> tuple[float, float]:
    """Return the edges of a row or column or, for an unexpected number, of the nearest one."""
    return edges[number] if number in edges else edges[min(edges, key=lambda other: abs(other - number))]
