"""The picture of a level with picture lines: the part that no move changes, and the pieces.

A `Layout` has the sizes and places that no move changes, in cells, and from these the places in a state:

    relation of a line        place of the thing
    row, column, neighbours   in a slot of the grid, above its lower edge; columns are as wide as their widest thing
    at                        in the middle of the other thing
    on                        on top of it; a slot is as high as its highest possible tower
    in                        inside its frame: below the name, a shelf for each line

Several things in one place are spread; on a shelf they are side by side, and overlap if there are too many. Lines about
looks that hold only in some states give a thing several looks, one of them in each state. Below the board are the parts
of the goal, each with a mark once it is true; if there are many, only their number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise, product
from math import ceil, sqrt
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.drawing import At, Circle, Ground, Look, Path, Piece, Point, Rect, Shape, Text, terminal
from unpuzzle.pddl.formulas import Atom, Condition, conjuncts
from unpuzzle.pddl.linting.fault import WARNING, Fault
from unpuzzle.pddl.linting.understanding import fault_of_error
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.syntax import parse_error
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl.writer import text
from unpuzzle.pddl_game.level import has_block
from unpuzzle.pddl_game.picture_lines import CODE, Block, Line, Placed, Script, Slot, neighbours, read_block
from unpuzzle.translators.shared.pictures import GOAL, LETTERS_ON, SHAPES

Size = tuple[float, float]  # columns and rows
ABREAST, ABREAST_OF_FIXED = (3, 1), (4, 3)
"""The most columns and rows of a shelf, in a moving and in a fixed thing."""
PADDING = 0.24
"""The space between a frame and its contents. No multiple of it is half a line of a terminal."""
HEADER, SPREAD = 1.0, 0.3
WIDEST = 3.0  # the widest disc
MOST_CELLS = 40_000
MOST_GOALS = 12  # parts of a goal that are listed; more are counted
GOAL_LETTERS, GOAL_LETTER = 0.34, 0.215  # the size and the width of a letter in goals
HEADING, BELOW = 1.3, 0.15  # the room for the word before the goals, and their distance from the board
KEPT = 4_096  # states whose pieces are cached
LETTER = 0.6  # the width of a letter of height 1


class Layout:
    """The layout of a picture: the sizes of items, and the rows and columns of the grid."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.body = cache(self._body)
        self.extent = cache(self._extent)
        self.shelf = cache(self._shelf)
        places = script.block.places
        standing = [script.placeable[number] for number, place in enumerate(places) if place.relation == "on"]
        self._standing = {name for names in standing for name in names}
        slots = [slot for place in places if not place.relation for slot in self._slots(place)]
        # Neighbours are in slots, too: in separate columns, to the right of all others.
        self._near = neighbours(script, max([column + 1 for *_, column in slots if column is not None], default=0))
        start = {name: at for name, at in script.placed(script.start).items() if at.line in script.static_lines}
        self.fixed: dict[str, Placed] = start | self._near
        # By relation and item, the lines that may place other items so to this item.
        self._lines_onto: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, place in enumerate(places):
            for name in self._targets(place):
                self._lines_onto[place.relation, name].append(number)
        self._grid([*slots, *((name, at.row, at.column) for name, at in self._near.items())])

    def _targets(self, place: Line) -> set[str]:
        """Return the items to which a line may place others, and fixed items like them: of one type, by one line."""
        types = self.script.semantics.types
        kinds = {name: (at.line, name in types and types.of(name)) for name, at in self.fixed.items()}
        targets = set(self.script.values(place, place.target))
        alike = {kinds[name] for name in targets if name in kinds}
        return targets.union(name for name, kind in kinds.items() if kind in alike)

    def _slots(self, place: Line) -> list[Slot]:
        """Return items with the rows and columns that a line may give them."""
        script = self.script
        if script.is_static(place):
            bindings = script.answers(place, script.start)
        else:
            terms = [term.variable for term in (place.row, place.column) if term is not None]
            variables = [name for name in dict.fromkeys((place.thing, *terms)) if name.startswith("?")]
            rows = product(*[script.values(place, name) for name in variables])
            bindings = [dict(zip(variables, row, strict=True)) for row in rows]
        return [script.slot(place, binding) for binding in bindings]

    def shape(self, name: str) -> str:
        """Return the shape of an item: a frame if items can be in it, else the shape in a picture line or a default."""
        if self._lines_onto["in", name]:
            return "frame"
        plain = "cell" if self._lines_onto["at", name] and not self.moves(name) else "tile"
        return self.script.style(name).shape or plain

    def moves(self, name: str) -> bool:
        """Return whether an item can move; an item that is placed on a moving item moves, too."""
        below = distances([name], lambda item: [at.target] if (at := self.fixed.get(item)) and at.target else [])
        return not any(item in self.fixed and not self.fixed[item].target for item in below)

    def _body(self, name: str, path: frozenset[int] = frozenset()) -> Size:
        """Return the size of an item including its contents; `path` are the lines whose sizes are being computed."""
        shape, script = self.shape(name), self.script
        variants = 0 if shape in ("disc", "cell", "none") else script.variants(name)
        words = [script.words(name, variant) for variant in range(variants)]
        longest = max([len(each) for each in words if each not in SHAPES], default=1)
        wide = WIDEST if shape == "disc" else max(1.0, ceil(longest * 0.4) / 2)
        if shape == "cell":
            return _largest([(wide, 1.0), *self._sizes_at(name, path)])
        if shape != "frame":
            return wide, 1.0
        shelves = [self.shelf(name, line, path) for line in self._lines_onto["in", name] if line not in path]
        width = max([wide, *(columns * cell[0] for columns, _, cell in shelves)]) + 2 * PADDING
        return width, HEADER + PADDING + max(1.0, sum(rows * cell[1] for _, rows, cell in shelves))

    def _sizes_at(self, name: str, path: frozenset[int]) -> list[Size]:
        """Return the sizes of all items that may be drawn at the place of the given item."""
        lines = [line for line in self._lines_onto["at", name] if line not in path]
        return [self._held_size(other, path | {line}) for line in lines for other in self.script.placeable[line]]

    def _shelf(self, name: str, line: int, path: frozenset[int] = frozenset()) -> tuple[int, int, Size]:
        """Return the columns and rows of a shelf (a grid inside an item), and the size of each place in it."""
        inside = [other for other in self.script.placeable[line] if other != name]
        if line in self.script.static_lines:
            inside = [other for other in inside if self.fixed.get(other) == Placed(line, name)]
        cell = _largest([self._held_size(other, path | {line}) for other in inside] or [(1.0, 1.0)])
        most, highest = ABREAST if self.moves(name) else ABREAST_OF_FIXED
        columns = min(most, len(inside) if highest == 1 or len(inside) < 3 else ceil(sqrt(len(inside)))) or 1
        return columns, max(1, min(highest, ceil(len(inside) / columns))), cell

    def _held_size(self, name: str, path: frozenset[int]) -> Size:
        """Return the size of an item that is at or in another one; if it can be stacked, without items on it."""
        return self.body(name, path) if name in self._standing else self.extent(name, path)

    def _extent(self, name: str, path: frozenset[int] = frozenset()) -> Size:
        """Return the size of an item including all items that may be in, at and on the item, on these and so on."""
        placeable = self.script.placeable

        def onto(item: str) -> list[int]:
            return [line for line in self._lines_onto["on", item] if line not in path]

        tower = distances([name], lambda item: [other for line in onto(item) for other in placeable[line]])
        lines = path.union(line for item in tower for line in onto(item))
        width, height = _largest([self.body(name, path), *self._sizes_at(name, path)])
        sizes = [self.body(other, lines) for other in tower if other != name]
        return max([width, *(wide for wide, _ in sizes)]), height + sum(high for _, high in sizes)

    def _grid(self, slots: Sequence[Slot]) -> None:
        """Compute the heights of the rows and the widths of the columns."""
        given = {row for _, row, _ in slots}
        rows, columns = _filled(given), _filled({column for *_, column in slots})
        if None in given and len(given) > 1:
            rows.append(rows[-1] + 1)  # below all others
        self._ground = rows[-1], columns[0]
        if len(rows) * len(columns) > MOST_CELLS:
            message = f"a picture of {len(rows):,} rows and {len(columns):,} columns is too large"
            raise parse_error(message, self.script.block.places[0].span, CODE)
        high, wide = dict.fromkeys(rows, 0.0), dict.fromkeys(columns, 0.0)
        for name, *slot in slots:
            (row, column), (width, height) = self._slot(*slot), self.extent(name)
            high[row], wide[column] = max(high[row], height), max(wide[column], width)
        self._rows, self.rows = _edges(high)
        self._columns, self.columns = _edges(wide)

    def _slot(self, row: int | None, column: int | None) -> tuple[int, int]:
        """Return row and column; the lowest row replaces an omitted row, the first column an omitted column."""
        return self._ground[0] if row is None else row, self._ground[1] if column is None else column

    def places(self, placed: Mapping[str, Placed]) -> dict[str, Point]:
        """Return row and column of the upper left corner of each item; items without a place are omitted."""
        slots: dict[tuple[int, int], list[str]] = defaultdict(list)
        holders: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for name, at in sorted({**placed, **self._near}.items(), key=lambda item: self.script.things[item[0]]):
            (holders[at.target][at.line] if at.target else slots[self._slot(at.row, at.column)]).append(name)
        found: dict[str, Point] = {}
        for (row, column), names in slots.items():
            (_, bottom), (left, right) = _nearest(self._rows, row), _nearest(self._columns, column)
            found |= self._abreast(names, (left + right) / 2, bottom)
        waiting = [*found]
        for name in waiting:
            for line, names in sorted(holders[name].items() if name in holders else ()):
                others = [other for other in names if other not in found]
                found |= self._held(name, found[name], line, others)
                waiting += others
        for name, (top, left) in found.items():  # a tower may be higher than expected
            wide, high = self.body(name)
            found[name] = max(0.0, min(top, self.rows - high)), max(0.0, min(left, self.columns - wide))
        return found

    def _abreast(self, names: Sequence[str], middle: float, bottom: float) -> dict[str, Point]:
        """Return the positions of items that share one place, side by side around the middle of the place."""
        step = min(SPREAD, 0.8 / max(len(names), 1))
        return {
            name: (bottom - high, middle - wide / 2 + (number - (len(names) - 1) / 2) * step)
            for number, (name, (wide, high)) in enumerate([(name, self.body(name)) for name in names])
        }

    def _held(self, holder: str, corner: Point, line: int, names: Sequence[str]) -> dict[str, Point]:
        """Return the positions of the items that a line places at, on or in an item."""
        top, left = corner
        wide, high = self.body(holder)
        relation = self.script.block.places[line].relation
        if relation != "in":
            found = self._abreast(names, left + wide / 2, top)
            down = {name: (high + self.body(name)[1]) / 2 if relation == "at" else 0.0 for name in names}
            return {name: (row + down[name], column) for name, (row, column) in found.items()}
        above = (self.shelf(holder, other) for other in self._lines_onto["in", holder] if other < line)
        top += HEADER + sum(rows * cell[1] for _, rows, cell in above)
        columns, rows, cell = self.shelf(holder, line)
        across = max(columns, ceil(len(names) / rows))
        step = cell[0] if across <= columns else cell[0] * (columns - 1) / max(across - 1, 1)
        return {
            name: (top + (number // across + 1) * cell[1] - self.body(name)[1], left + PADDING + number % across * step)
            for number, name in enumerate(names)
        }


def _largest(sizes: Sequence[Size]) -> Size:
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _filled(numbers: Collection[int | None]) -> list[int]:
    """Return sorted numbers with gaps filled, unless the gaps are too large; [0] for no numbers."""
    own = sorted(number for number in numbers if number is not None) or [0]
    return [*range(own[0], own[-1] + 1)] if own[-1] - own[0] <= 3 * len(own) else own


def _edges(sizes: Mapping[int, float]) -> tuple[dict[int, tuple[float, float]], float]:
    """Return the start and the end of each row or column, and the last end; an empty one has the size 1."""
    ends = [*accumulate([size or 1.0 for size in sizes.values()], initial=0.0)]
    return dict(zip(sizes, pairwise(ends), strict=True)), ends[-1]


def _nearest(edges: Mapping[int, tuple[float, float]], number: int) -> tuple[float, float]:
    """Return the edges of a row or column or, if there is no such one, of the nearest."""
    return edges.get(number) or edges[min(edges, key=lambda other: abs(other - number))]


def letters(words: str, width: float, most: float = 0.42) -> float:
    """Return the largest font size at which words fit into a width."""
    return round(min(most, width / (LETTER * 1.05 * max(len(words), 1))), 3)


class LevelPicture:
    """The picture of a level. Raises ParseError, with line and column, for picture lines that cannot be drawn."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self._semantics = semantics
        self._script = Script(block, semantics)
        self._layout = Layout(self._script)
        shapes = {name: self._layout.shape(name) for name in self._script.things}
        texts = {name: self._words(name) or "·" for name, shape in shapes.items() if shape != "disc"}
        parts = [(len(words) + 1) / self._layout.body(name)[0] for name, words in texts.items()]
        wide = not {"disc", "frame"}.isdisjoint(shapes.values())  # these have parts of a cell
        self._across = min(16, ceil(max([4.0 if wide else 2.0, *parts])))  # characters of a terminal
        self.pieces: Callable[[frozenset[Atom]], Sequence[Piece]] = lru_cache(KEPT)(self._pieces)
        self._goals: list[Condition] = list(conjuncts(semantics.task.problem.goal))
        number, goals = len(self._goals), [_short(part) for part in self._goals]
        self._aims = tuple(goals[:MOST_GOALS])
        # The looks of each part of the goal, not true and true; of many parts, the looks of their number.
        self._goal_looks = [[_goal_look(words, held) for held in (False, True)] for words in goals]
        if number > MOST_GOALS:
            self._goal_looks = [[_goal_look(f"{held} of {number}", held == number) for held in range(number + 1)]]
        at = self._layout.places(self._layout.fixed)
        self._fixed = {name: place for name, place in at.items() if not self._layout.moves(name)}
        self._still = {name for name in self._fixed if self._script.variants(name) == 1}
        self._spots, self._size = self._goal_places()
        self.ground: Ground = self._ground()

    def _words(self, name: str, variant: int = 0) -> str:
        """Return the text on an item; cells that are objects do not show their names."""
        named = self._layout.shape(name) != "cell" or name.startswith('"')
        return self._script.words(name, variant) if named else self._script.style(name, variant).glyph

    def _look(self, name: str, variant: int) -> Look:
        """Return the drawing of an item in one of its appearances."""
        style, shape = self._script.style(name, variant), self._layout.shape(name)
        label = style.label or ("" if shape == "cell" else name.strip('"'))
        if shape == "none":
            return Look(label=label)
        plain = {"cell": "grid", "peg": "wall", "frame": "ink" if self._layout.moves(name) else "grid"}
        colour, words = style.colour or plain.get(shape, "tile"), self._words(name, variant)
        width, height = self._layout.body(name)
        centred = " " * int((width * self._across - len(words or "·")) / 2) + (words or "·")
        if shape == "tile" and width == 1 and style.glyph in SHAPES:
            first: Any = SHAPES[style.glyph][0]
            if style.colour:
                first = first.replace(**{"fill" if first.fill else "line": colour})
            return Look(first, *SHAPES[style.glyph][1:], text=centred, role=first.fill or first.line, label=label)
        middle, ink, outline = width / 2, LETTERS_ON.get(colour, "ink"), {"fill": "floor", "line": colour}
        paint = {"fill": colour, "line": "edge"} if colour in LETTERS_ON else outline
        shapes: Sequence[Shape] = ()
        match shape:
            case "cell":
                thick = 0.02 if colour == "grid" else 0.06
                body: Shape = Rect(0.03, 0.03, width - 0.06, height - 0.06, 0.05, thick=thick, **outline)
                inside = [Text(middle, height / 2, words, letters(words, width - 0.34, 0.34))] if words else []
                shapes = [body, *(SHAPES.get(words) or inside)]
            case "disc":
                wide, room = 0.7 + (WIDEST * 0.94 - 0.7) * style.width, int(WIDEST * self._across)
                bar = Rect((WIDEST - wide) / 2, 0.06, wide, 0.88, 0.3, thick=0.04, **paint)
                blocks = max(1, round((room - 2) * style.width))
                centred = " " * ((room - blocks) // 2) + "█" * blocks
                shapes = [bar, Text(WIDEST / 2, 0.5, words, letters(words, wide - 0.2), ink)]
            case "peg":  # a pole, with its base, and its name below
                top = height - self._layout.extent(name)[1] + 0.2
                pole, base = [(middle, top), (middle, 0.08)], [(middle - 1.2, 0.08), (middle + 1.2, 0.08)]
                shapes = [Path(ends, line=colour, thick=0.14) for ends in (pole, base)]
                shapes, centred = [*shapes, Text(middle, 0.55, words, 0.42)], words
            case "frame":  # its name is above the contents
                thick = 0.06 if self._layout.moves(name) else 0.04
                body = Rect(0.06, 0.06, width - 0.12, height - 0.1, 0.16, thick=thick, **outline)
                shapes, centred = [body, Text(middle, 0.55, words, letters(words, width - 0.4))], f"{words}:"
            case "circle":
                body = Circle(middle, height / 2, min(width, height) * 0.44, thick=0.04, **paint)
            case _:
                body = Rect(0.06, 0.06, width - 0.12, height - 0.12, 0.14, thick=0.04, **paint)
        shapes = shapes or [body, Text(middle, height / 2, words, letters(words, width - 0.34), ink)]
        return Look(*shapes, text=centred, role=colour, label=label)

    def _ground(self) -> Ground:
        """Return the part of the picture that no move changes."""
        layout, things, across = self._layout, self._script.things, self._across
        area = {name: layout.body(name)[0] * layout.body(name)[1] for name in things}
        places, placeable = self._script.block.places, self._script.placeable
        first = {name: line for line, names in reversed([*enumerate(placeable)]) for name in names}
        order = sorted(things, key=lambda name: (-area[name], first.get(name, 0), things[name]))
        looks = self._shared_looks(order)
        rows, columns, marks = layout.rows, layout.columns, self._marks()
        still = [name for name in order if name in self._still]
        fixed: list[Piece] = [(self._look_names[name, 0], *self._fixed[name], name) for name in still]
        fixed += [("goal mark", *mark, "") for mark in marks]
        looks |= {"goal mark": Look(*GOAL, text="×", role="goal", label="")} if marks else {}
        shapes: list[Shape] = [Rect(0, 0, columns, rows, 0.1, fill="floor")]
        grounded = [names for place, names in zip(places, placeable, strict=True) if not (place.relation or place.row)]
        if any(layout.shape(name) not in ("frame", "peg", "cell") for names in grounded for name in names):
            shapes.append(Path([(0.05, rows), (columns - 0.05, rows)], line="wall", thick=0.1))
        shapes += [At(row, column, look) for look, row, column, _ in fixed]
        lines = terminal(Ground(rows, columns, looks, step=(1, across)), fixed).split("\n")
        for part, states in enumerate(self._goal_looks):
            looks |= {f"goal {part} {state}": look for state, look in enumerate(states)}
        if self._spots:
            top = self._spots[0][0]
            shapes.append(Text(0.1, top + 0.5, "goal", GOAL_LETTERS, left=True))
            lines += [*([""] * (round(top) - len(lines))), "goal"]
        return Ground(*self._size, looks, shapes, "\n".join(lines), (1, across), role="ink", aims=self._aims)

    def _shared_looks(self, order: Iterable[str]) -> dict[str, Look]:
        """Return the appearances of items by name; items with equal appearances share one, to save space."""
        names: dict[Look, str] = {}
        self._look_names: dict[tuple[str, int], str] = {}
        for name in order:
            for variant in range(self._script.variants(name)):
                own = f"{name}~{variant}" if variant else name
                self._look_names[name, variant] = names.setdefault(self._look(name, variant), own)
        return {name: look for look, name in names.items()}

    def _marks(self) -> list[Point]:
        """Return the positions of goal marks: fixed places where the goal requires something to be."""
        semantics, found = self._semantics, dict[Point, None]()
        init = [atom for atom in semantics.task.problem.init if atom.predicate in semantics.static_predicates]
        fluent = semantics.fluent_predicates
        atoms = [part for part in self._goals if isinstance(part, Atom) and part.predicate in fluent]
        # A world whose fluents are the goal's atoms: where it places a thing, the goal wants that thing.
        world = World(semantics.types, fact_tables(init), atoms)
        for where in self._script.placed(world).values():
            if where.target in self._fixed and self._script.block.places[where.line].relation == "at":
                row, column = self._fixed[where.target]
                wide, high = self._layout.body(where.target)
                found[row + (high - 1) / 2, column + (wide - 1) / 2] = None
        return list(found)

    def _goal_places(self) -> tuple[list[Point], Size]:
        """Return the positions of the goal's parts, listed below the board, and the size of the picture."""
        rows, columns, across = self._layout.rows, self._layout.columns, self._across
        if not self._goal_looks:
            return [], (rows, columns)
        most = max(len(look.text) for states in self._goal_looks for look in states) - len("[x] ")
        width = most * GOAL_LETTER + 0.8
        step, indent = max(width, (most + 6) / across), max(HEADING, 5 / across)
        abreast = max(1, int((columns - indent) / step))
        numbers = range(len(self._goal_looks))
        places = [(rows + BELOW + number // abreast, indent + number % abreast * step) for number in numbers]
        return places, (places[-1][0] + 1, max(columns, indent + (abreast - 1) * step + width))

    def _pieces(self, atoms: frozenset[Atom]) -> Sequence[Piece]:
        world = self._semantics.world(atoms)
        variants, at = self._script.variants_now(world), self._layout.places(self._script.placed(world))
        held = [world.holds(part, {}) for part in self._goals]
        states = held if len(held) == len(self._goal_looks) else [sum(held)]
        return (
            *((self._look_names[name, variants[name]], *at[name], name) for name in at if name not in self._still),
            *((f"goal {part} {int(states[part])}", *spot, f"goal {part}") for part, spot in enumerate(self._spots)),
        )


def _short(part: Condition) -> str:
    """Return a part of a goal as a short text, such as `on a b`."""
    words = text(part, {})
    return words[1:-1] if isinstance(part, Atom) else words if len(words) <= 60 else words[:59] + "…"


def _goal_look(words: str, held: bool) -> Look:
    """Return the appearance of a part of the goal: a box, which is ticked if the part holds, and the text."""
    box: list[Shape] = [Rect(0.12, 0.32, 0.36, 0.36, 0.06, fill="goal" if held else "floor", line="goal", thick=0.05)]
    if held:
        box.append(Path([(0.2, 0.51), (0.28, 0.59), (0.41, 0.41)], line="floor", thick=0.06))
    mark, state = ("[x] ", "holds") if held else ("[ ] ", "is missing")
    box.append(Text(0.62, 0.5, words, GOAL_LETTERS, left=True))
    return Look(*box, text=mark + words, role="goal", label=f"goal {words} {state}")


def picture_of(text: str, name: str | None, objects: Iterable[str], semantics: Semantics) -> LevelPicture:
    """Return the picture that picture lines describe, which may name `objects`. Raises ParseError for a fault."""
    block, faults = read_block(text, semantics.task.domain, name, objects)
    for fault in faults:
        raise fault
    return LevelPicture(block, semantics)


def picture_faults(text: str, name: str, tasks: Sequence[Task] = (), of_problem: bool = False) -> list[Fault]:
    """Return the faults in the picture lines of a domain or, with `of_problem`, of the problem of the only task.

    They are warnings, since the game can still be played. Some show only with a task; they are reported for the first
    task that has any.
    """
    if not has_block(text):
        return []
    try:
        domain = tasks[0].domain if of_problem else parse_domain(text, name)
    except (ParseError, UnsupportedFeature):
        return []  # a text with errors gets no further warnings
    objects = [item.name for task in tasks if of_problem for item in task.problem.objects]
    block, errors = read_block(text, domain, name, objects)
    try:
        for task in () if errors else tasks:
            span = task.problem.span
            if of_problem or span is None or not has_block(span.source.text):  # the lines of a problem win
                LevelPicture(block, Semantics(task))
    except ParseError as error:
        errors = [error]
    return [fault_of_error(error).replace(severity=WARNING) for error in errors]
