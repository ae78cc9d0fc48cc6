"""The picture of a level with picture lines: the part that no move changes, and the pieces.

If several lines about the looks of one thing hold, the last one counts. Lines that hold only in some states give a
thing several looks, one of them in each state. Below the board are the parts of the goal, each with a mark once it is
true; if there are many, only their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import Any

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.values import Record
from unpuzzle.drawing import At, Circle, Ground, Look, Path, Piece, Point, Rect, Shape, Text, terminal
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.formulas import Atom, Condition, conjuncts
from unpuzzle.pddl.linting.fault import WARNING, Fault
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.syntax import parse_error
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl.writer import text
from unpuzzle.pddl_game.layout import Layout, Script, Size
from unpuzzle.pddl_game.level import has_block
from unpuzzle.pddl_game.picture_lines import CODE, Appearance, Block, Term, read_block
from unpuzzle.translators.shared.pictures import GOAL, LETTERS_ON, SHAPES

MOST_GOALS = 12
"""The most parts of a goal that are listed; more are counted."""
GOAL_LETTERS, GOAL_LETTER = 0.34, 0.215
"""The size and the width of a letter in goals."""
HEADING = 1.3
"""The room for the word before the goals."""
BELOW = 0.15
"""The distance of the goals from the board."""
KEPT = 4_096
"""The number of states whose pieces are cached."""
WIDEST = 3.0
"""The width of the widest disc, in cells."""
LIGHT = ("tile", "circle", "none")
"""Shapes of equal size; a thing may have different ones in different states."""
LETTER = 0.6
"""The width of a letter of height 1."""
LONGEST = 14
"""The longest name in a picture; longer ones are cut."""
MOST_VARIANTS = 5
"""The most lines about one thing that may depend on the state."""


class Style(Record):
    """The style that picture lines give to an item; `width` is a fraction of the largest width, from 0 to 1."""

    glyph: str = ""
    colour: str = ""
    label: str = ""
    shape: str = ""
    width: float = 1.0


class Looks:
    """The styles that picture lines give to items and, once there is a layout, the appearances of the items.

    `across` is the number of terminal characters across a cell.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._widths: dict[int, Mapping[str, float]] = {}
        looks = script.block.looks
        self._changing = [number for number, line in enumerate(looks) if not script.is_static(line.condition)]
        # Of each thing the lines about it, each with the bit of the variants in which it holds; 0 if it always does.
        self._bits: dict[str, dict[int, int]] = {}
        for number, line in enumerate(looks):
            changing = number in self._changing
            if changing and (line.shape not in ("", *LIGHT) or line.width):
                what = "the width" if line.width else f"the shape {line.shape}"
                raise parse_error(
                    f"{what} of a thing can never change, but actions can change this condition", line.span, CODE
                )
            for name in script.candidates(line, line.thing):
                bits = self._bits.setdefault(name, {})
                if changing and self.variants(name) == 1 << MOST_VARIANTS:
                    message = f"at most {MOST_VARIANTS} lines about the looks of '{name}' may depend on the state"
                    raise parse_error(message, line.span, CODE)
                bits[number] = self.variants(name) if changing else 0
            if line.width is not None:
                self._widths[number] = self._parts(line, line.width)

    def _parts(self, line: Appearance, width: Term) -> Mapping[str, float]:
        """Return the widths that a picture line gives to items, as fractions of the largest width."""
        script, values = self._script, dict[str, int]()
        for binding in script.answers(line, script.start):
            values.setdefault(script.named(line.thing, binding), script.value(width, line, binding))
        least, most = min(values.values(), default=0), max(values.values(), default=0)
        return {name: (value - least + 1) / (most - least + 1) for name, value in values.items()}

    def variants(self, name: str) -> int:
        """Return how many appearances an item has; number 0 is used if no line that depends on the state applies."""
        return 2 * max(self._bits.get(name, {}).values(), default=0) or 1

    def variants_now(self, world: World) -> dict[str, int]:
        """Return the number of the appearance of each item in a state; items with the number 0 are left out."""
        script, found = self._script, dict[str, int]()
        for number in self._changing:
            line = script.block.looks[number]
            for name in {script.named(line.thing, binding) for binding in script.answers(line, world)}:
                if number in self._bits.get(name, {}):
                    found[name] = found.get(name, 0) | self._bits[name][number]
        return found

    def style(self, name: str, variant: int = 0) -> Style:
        """Return the style of an item in one of its appearances, merged from all lines that apply."""
        said: dict[str, Any] = {}
        for number, bit in self._bits.get(name, {}).items():
            if not bit or bit & variant:
                line = self._script.block.looks[number]
                said |= {key: value for key in ("glyph", "colour", "label", "shape") if (value := getattr(line, key))}
                if name in self._widths.get(number, {}):
                    said["width"] = self._widths[number][name]
        return Style(**said)

    def own_size(self, name: str, shape: str) -> Size:
        """Return the size that an item has without contents."""
        if shape == "disc":
            return WIDEST, 1.0
        if shape in ("cell", "none"):
            return 1.0, 1.0
        words = [self.words(name, variant) for variant in range(self.variants(name))]
        most = max([len(each) for each in words if each not in SHAPES], default=1)
        return max(1.0, ceil(most * 0.4) / 2), 1.0

    def words(self, name: str, variant: int = 0) -> str:
        """Return the text on an item: the glyph of the item if there is one, else the name."""
        return self.style(name, variant).glyph or shown(name)

    def fit(self, layout: Layout) -> None:
        """Store the layout, and compute how many terminal characters a cell needs."""
        self._layout = layout
        shapes = {name: layout.shape(name) for name in layout.script.things}
        parts = [
            (len(self._text_of(name)) + 1) / layout.body(name)[0] for name, shape in shapes.items() if shape != "disc"
        ]
        wide = not {"disc", "frame"}.isdisjoint(shapes.values())  # these have parts of a cell
        self.across: int = min(16, ceil(max([4.0 if wide else 2.0, *parts])))

    def _text_of(self, name: str) -> str:
        cell = self._layout.shape(name) == "cell" and not self.style(name).glyph
        return "·" if cell and not name.startswith('"') else self.words(name)

    def look(self, name: str, variant: int) -> Look:
        """Return the drawing of an item in one of its appearances."""
        style, shape = self.style(name, variant), self._layout.shape(name)
        shape = style.shape if shape in LIGHT and style.shape else shape
        label = style.label or ("" if shape == "cell" else name.strip('"'))
        if shape == "none":
            return Look(label=label)
        plain = {"cell": "grid", "peg": "wall", "frame": "ink" if self._layout.moves(name) else "grid"}
        colour = style.colour or plain.get(shape, "tile")
        if shape == "tile" and style.glyph in SHAPES:
            first, *rest = _moved(SHAPES[style.glyph], (self._layout.body(name)[0] - 1) / 2)
            if style.colour:
                first = first.replace(**{"fill" if first.fill else "line": colour})
            colour = first.fill or first.line
            return Look(first, *rest, text=self._middle(style.glyph, name), role=colour, label=label)
        shapes, text = self._shapes(name, shape, style, self.words(name, variant), colour)
        return Look(*shapes, text=text, role=colour, label=label)

    def _middle(self, words: str, name: str) -> str:
        """Return a text with blanks before it, so that it is centred in an item."""
        return " " * int((self._layout.body(name)[0] * self.across - len(words)) / 2) + words

    def _shapes(self, name: str, shape: str, style: Style, words: str, colour: str) -> tuple[Sequence[Shape], str]:
        """Return the shapes of an item, and its text for a terminal."""
        width, height = self._layout.body(name)
        middle, ink, outline = width / 2, LETTERS_ON.get(colour, "ink"), {"fill": "floor", "line": colour}
        paint = {"fill": colour, "line": "edge"} if colour in LETTERS_ON else outline
        inside: Sequence[Shape]
        match shape:
            case "cell":
                words = style.glyph or (words if name.startswith('"') else "")
                thick = 0.02 if colour == "grid" else 0.06
                body: Shape = Rect(0.03, 0.03, width - 0.06, height - 0.06, 0.05, thick=thick, **outline)
                inside = [Text(middle, height / 2, words, letters(words, width - 0.34, 0.34))] if words else []
                return (body, *(SHAPES.get(words) or inside)), self._middle(words or "·", name)
            case "disc":
                wide, room = 0.7 + (WIDEST * 0.94 - 0.7) * style.width, int(WIDEST * self.across)
                bar = Rect((WIDEST - wide) / 2, 0.06, wide, 0.88, 0.3, thick=0.04, **paint)
                blocks = max(1, round((room - 2) * style.width))
                text = Text(WIDEST / 2, 0.5, words, letters(words, wide - 0.2), ink)
                return (bar, text), " " * ((room - blocks) // 2) + "█" * blocks
            case "peg":  # a pole, with its base, and its name below
                top = height - self._layout.extent(name)[1] + 0.2
                pole, base = [(middle, top), (middle, 0.08)], [(middle - 1.2, 0.08), (middle + 1.2, 0.08)]
                lines = [Path(ends, line=colour, thick=0.14) for ends in (pole, base)]
                return (*lines, Text(middle, 0.55, words, 0.42)), words
            case "frame":  # its name is above the contents
                thick = 0.06 if self._layout.moves(name) else 0.04
                body = Rect(0.06, 0.06, width - 0.12, height - 0.1, 0.16, thick=thick, **outline)
                inside = [Text(middle, 0.55, words, letters(words, width - 0.4))]
                return (body, *(_moved(SHAPES.get(words, ()), middle - 0.5) or inside)), f"{words}:"
            case "circle":
                body = Circle(middle, height / 2, min(width, height) * 0.44, thick=0.04, **paint)
            case _:
                body = Rect(0.06, 0.06, width - 0.12, height - 0.12, 0.14, thick=0.04, **paint)
        text = Text(middle, height / 2, words, letters(words, width - 0.34), ink)
        return (body, text), self._middle(words, name)


def shown(name: str) -> str:
    """Return the name of an item as shown in a picture: without quotes, and shortened if it is too long."""
    name = name.strip('"')
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def letters(words: str, width: float, most: float = 0.42) -> float:
    """Return the largest font size at which words fit into a width."""
    return round(min(most, width / (LETTER * 1.05 * max(len(words), 1))), 3)


def _moved(shapes: Iterable[Any], right: float) -> list[Any]:
    """Return shapes of a glyph (circles, rectangles and paths), moved to the right by some cells."""
    moved = []
    for shape in shapes:
        if isinstance(shape, Path):
            trains = tuple(tuple((x + right, y) for x, y in train) for train in shape.trains)
            moved.append(shape.replace(trains=trains))
        else:
            moved.append(shape.replace(x=shape.x + right))
    return moved


class LevelPicture:
    """The picture of a level. Raises ParseError, with line and column, for picture lines that cannot be drawn."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self._semantics = semantics
        self.script = Script(block, semantics)
        self._looks = Looks(self.script)
        self._layout = Layout(self.script, lambda name: self._looks.style(name).shape, self._looks.own_size)
        self._looks.fit(self._layout)
        self._look_names: dict[tuple[str, int], str] = {}
        self.pieces: Callable[[frozenset[Atom]], Sequence[Piece]] = lru_cache(KEPT)(
            lambda atoms: tuple(self._pieces(atoms))
        )
        self._goals: list[Condition] = list(conjuncts(semantics.task.problem.goal))
        number, texts = len(self._goals), [_short(part) for part in self._goals]
        self._aims = tuple(texts[:MOST_GOALS])
        # The looks of each part of the goal, not true and true; of many parts, the looks of their number.
        self._goal_looks = [[_goal_look(words, held) for held in (False, True)] for words in texts]
        if number > MOST_GOALS:
            self._goal_looks = [[_goal_look(f"{held} of {number}", held == number) for held in range(number + 1)]]
        at = self._layout.places(self._layout.fixed)
        self._fixed = {name: place for name, place in at.items() if not self._layout.moves(name)}
        self._changing = frozenset(name for name in self._fixed if self._looks.variants(name) > 1)
        self._spots, self._size = self._goal_places()
        self.ground: Ground = self._ground()

    def _ground(self) -> Ground:
        """Return the part of the picture that no move changes."""
        layout, things, across = self._layout, self.script.things, self._looks.across
        area = {name: layout.body(name)[0] * layout.body(name)[1] for name in things}
        places, placeable = self.script.block.places, self.script.placeable
        first = {name: line for line, names in reversed([*enumerate(placeable)]) for name in names}
        order = sorted(things, key=lambda name: (-area[name], first.get(name, 0), things[name]))
        looks = self._shared_looks(order)
        rows, columns = layout.rows, layout.columns
        still = [name for name in order if name in self._fixed and name not in self._changing]
        fixed: list[Piece] = [(self._look_names[name, 0], *self._fixed[name], name) for name in still]
        marks = self._marks()
        looks |= {"goal mark": Look(*GOAL, text="×", role="goal", label="")} if marks else {}
        fixed += [("goal mark", row, column, "") for row, column in marks]
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
        self._look_names.clear()
        for name in order:
            for variant in range(self._looks.variants(name)):
                own = f"{name}~{variant}" if variant else name
                self._look_names[name, variant] = names.setdefault(self._looks.look(name, variant), own)
        return {name: look for look, name in names.items()}

    def _marks(self) -> list[Point]:
        """Return the positions of goal marks: fixed places where the goal requires something to be."""
        semantics, found = self._semantics, dict[Point, None]()
        wanted = [part for part in self._goals if isinstance(part, Atom)]
        atoms = [atom for atom in wanted if atom.predicate in semantics.fluent_predicates]
        init = [atom for atom in semantics.task.problem.init if atom.predicate in semantics.static_predicates]
        # A world whose fluents are the goal's atoms: where it places a thing, the goal wants that thing.
        world = World(semantics.types, fact_tables(init), atoms)
        for where in self.script.placed(world).values():
            if where.target in self._fixed and self.script.block.places[where.line].relation == "at":
                row, column = self._fixed[where.target]
                wide, high = self._layout.body(where.target)
                found[row + (high - 1) / 2, column + (wide - 1) / 2] = None
        return list(found)

    def _goal_places(self) -> tuple[list[Point], Size]:
        """Return the positions of the goal's parts, listed below the board, and the size of the picture."""
        rows, columns, across = self._layout.rows, self._layout.columns, self._looks.across
        if not self._goal_looks:
            return [], (rows, columns)
        most = max(len(look.text) for states in self._goal_looks for look in states) - len("[x] ")
        width = most * GOAL_LETTER + 0.8
        step, indent = max(width, (most + 6) / across), max(HEADING, 5 / across)
        abreast = max(1, int((columns - indent) / step))
        spots = [divmod(number, abreast) for number in range(len(self._goal_looks))]
        places = [(rows + BELOW + down, indent + right * step) for down, right in spots]
        return places, (places[-1][0] + 1, max(columns, indent + (abreast - 1) * step + width))

    def _pieces(self, atoms: frozenset[Atom]) -> Iterator[Piece]:
        world = self._semantics.world(atoms)
        variants = self._looks.variants_now(world)
        for name, (row, column) in self._layout.places(self.script.placed(world)).items():
            if name not in self._fixed or name in self._changing:
                yield self._look_names[name, variants.get(name, 0)], row, column, name
        held = [world.holds(part, {}) for part in self._goals]
        states = held if len(held) == len(self._goal_looks) else [sum(held)]
        for part, spot in enumerate(self._spots):
            yield f"goal {part} {int(states[part])}", *spot, f"goal {part}"


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


# Faults of picture lines for `lint`: warnings, since the game can still be played.


def picture_of(text: str, name: str | None, objects: Iterable[str], semantics: Semantics) -> LevelPicture:
    """Return the picture that picture lines describe, which may name `objects`. Raises ParseError for a fault."""
    block, faults = read_block(text, semantics.task.domain, name, objects)
    for fault in faults:
        raise fault
    return LevelPicture(block, semantics)


def picture_faults(text: str, name: str, tasks: Iterable[Task] = ()) -> list[Fault]:
    """Return the faults in the picture lines of a domain.

    Some show only with a task; they are reported for the first task that has any.
    """
    if not has_block(text):
        return []
    try:
        domain = parse_domain(text, name)
    except (ParseError, UnsupportedFeature):
        return []  # a text with errors gets no further warnings
    # The lines of a problem would win.
    tasks = [task for task in tasks if not ((span := task.problem.span) and has_block(span.source.text))]
    return _faults(text, name, domain, (), tasks)


def problem_picture_faults(text: str, name: str, task: Task) -> list[Fault]:
    objects = [item.name for item in task.problem.objects]
    return _faults(text, name, task.domain, objects, [task]) if has_block(text) else []


def _faults(text: str, name: str, domain: Domain, objects: Iterable[str], tasks: Iterable[Task]) -> list[Fault]:
    """Return the faults in picture lines, including those that show only in a picture of a task."""
    block, errors = read_block(text, domain, name, objects)
    try:
        for task in () if errors else tasks:
            LevelPicture(block, Semantics(task))
    except ParseError as error:
        errors = [error]
    ends = [(each, each.column and each.column + 1) for each in errors]
    return [Fault(each.file, each.line, each.column, WARNING, each.message, each.line, end, CODE) for each, end in ends]
