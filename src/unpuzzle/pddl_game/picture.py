"""The picture of a level with picture lines: the part that no move changes, and the pieces.

If several lines about the looks of one thing hold, the last one counts. Lines that hold only in some states give a
thing several looks, one of them in each state. Below the board are the parts of the goal, each with a mark once it is
true; if there are many, only their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import Any

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.drawing import At, Circle, Ground, Look, Path, Piece, Point, Rect, Shape, Text, terminal
from unpuzzle.pddl.formulas import Atom, Condition, conjuncts
from unpuzzle.pddl.linting.fault import WARNING, Fault
from unpuzzle.pddl.linting.understanding import fault_of_error
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl.writer import text
from unpuzzle.pddl_game.layout import WIDEST, Layout, Script, Size
from unpuzzle.pddl_game.level import has_block
from unpuzzle.pddl_game.picture_lines import Block, read_block
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
LETTER = 0.6
"""The width of a letter of height 1."""


class Looks:
    """The drawings of the items of a layout; `across` is the number of terminal characters across a cell."""

    def __init__(self, layout: Layout) -> None:
        self._layout, self._script = layout, layout.script
        shapes = {name: layout.shape(name) for name in self._script.things}
        texts = {name: self._words(name) or "·" for name, shape in shapes.items() if shape != "disc"}
        parts = [(len(words) + 1) / layout.body(name)[0] for name, words in texts.items()]
        wide = not {"disc", "frame"}.isdisjoint(shapes.values())  # these have parts of a cell
        self.across: int = min(16, ceil(max([4.0 if wide else 2.0, *parts])))

    def _words(self, name: str, variant: int = 0) -> str:
        """Return the text on an item; cells that are objects do not show their names."""
        named = self._layout.shape(name) != "cell" or name.startswith('"')
        return self._script.words(name, variant) if named else self._script.style(name, variant).glyph

    def look(self, name: str, variant: int) -> Look:
        """Return the drawing of an item in one of its appearances."""
        style, shape = self._script.style(name, variant), self._layout.shape(name)
        label = style.label or ("" if shape == "cell" else name.strip('"'))
        if shape == "none":
            return Look(label=label)
        plain = {"cell": "grid", "peg": "wall", "frame": "ink" if self._layout.moves(name) else "grid"}
        colour, words = style.colour or plain.get(shape, "tile"), self._words(name, variant)
        width, height = self._layout.body(name)
        centred = " " * int((width * self.across - len(words or "·")) / 2) + (words or "·")
        if shape == "tile" and style.glyph in SHAPES:
            first, *rest = _moved(SHAPES[style.glyph], (width - 1) / 2)
            if style.colour:
                first = first.replace(**{"fill" if first.fill else "line": colour})
            colour = first.fill or first.line
            return Look(first, *rest, text=centred, role=colour, label=label)
        middle, ink, outline = width / 2, LETTERS_ON.get(colour, "ink"), {"fill": "floor", "line": colour}
        paint = {"fill": colour, "line": "edge"} if colour in LETTERS_ON else outline
        shapes: Sequence[Shape] = [Text(middle, height / 2, words, letters(words, width - 0.34), ink)]
        match shape:
            case "cell":
                thick = 0.02 if colour == "grid" else 0.06
                body: Shape = Rect(0.03, 0.03, width - 0.06, height - 0.06, 0.05, thick=thick, **outline)
                inside = [Text(middle, height / 2, words, letters(words, width - 0.34, 0.34))] if words else []
                shapes = [body, *(SHAPES.get(words) or inside)]
            case "disc":
                wide, room = 0.7 + (WIDEST * 0.94 - 0.7) * style.width, int(WIDEST * self.across)
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
                inside = [Text(middle, 0.55, words, letters(words, width - 0.4))]
                shapes, centred = [body, *(_moved(SHAPES.get(words, ()), middle - 0.5) or inside)], f"{words}:"
            case "circle":
                shapes = [Circle(middle, height / 2, min(width, height) * 0.44, thick=0.04, **paint), *shapes]
            case _:
                shapes = [Rect(0.06, 0.06, width - 0.12, height - 0.12, 0.14, thick=0.04, **paint), *shapes]
        return Look(*shapes, text=centred, role=colour, label=label)


def letters(words: str, width: float, most: float = 0.42) -> float:
    """Return the largest font size at which words fit into a width."""
    return round(min(most, width / (LETTER * 1.05 * max(len(words), 1))), 3)


def _moved(shapes: Iterable[Any], right: float) -> list[Any]:
    """Return shapes of a glyph (circles, rectangles and paths), moved to the right by some cells."""
    return [
        shape.replace(trains=tuple(tuple((x + right, y) for x, y in train) for train in shape.trains))
        if isinstance(shape, Path)
        else shape.replace(x=shape.x + right)
        for shape in shapes
    ]


class LevelPicture:
    """The picture of a level. Raises ParseError, with line and column, for picture lines that cannot be drawn."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self._semantics = semantics
        self._script = Script(block, semantics)
        self._layout = Layout(self._script)
        self._looks = Looks(self._layout)
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
        self._still = {name for name in self._fixed if self._script.variants(name) == 1}
        self._spots, self._size = self._goal_places()
        self.ground: Ground = self._ground()

    def _ground(self) -> Ground:
        """Return the part of the picture that no move changes."""
        layout, things, across = self._layout, self._script.things, self._looks.across
        area = {name: layout.body(name)[0] * layout.body(name)[1] for name in things}
        places, placeable = self._script.block.places, self._script.placeable
        first = {name: line for line, names in reversed([*enumerate(placeable)]) for name in names}
        order = sorted(things, key=lambda name: (-area[name], first.get(name, 0), things[name]))
        looks = self._shared_looks(order)
        rows, columns = layout.rows, layout.columns
        fixed: list[Piece] = [
            (self._look_names[name, 0], *self._fixed[name], name) for name in order if name in self._still
        ]
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
        self._look_names: dict[tuple[str, int], str] = {}
        for name in order:
            for variant in range(self._script.variants(name)):
                own = f"{name}~{variant}" if variant else name
                self._look_names[name, variant] = names.setdefault(self._looks.look(name, variant), own)
        return {name: look for look, name in names.items()}

    def _marks(self) -> list[Point]:
        """Return the positions of goal marks: fixed places where the goal requires something to be."""
        semantics, found = self._semantics, dict[Point, None]()
        init = [atom for atom in semantics.task.problem.init if atom.predicate in semantics.static_predicates]
        wanted = [part for part in self._goals if isinstance(part, Atom)]
        atoms = [atom for atom in wanted if atom.predicate in semantics.fluent_predicates]
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
        variants = self._script.variants_now(world)
        for name, (row, column) in self._layout.places(self._script.placed(world)).items():
            if name not in self._still:
                yield self._look_names[name, variants[name]], row, column, name
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
