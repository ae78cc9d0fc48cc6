"""The looks of things: their styles by the lines of a block, and the shapes and characters made from these.

If several lines about one thing hold, the last one counts. Lines that hold only in some states give a thing several
looks, one of them in each state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from unpuzzle.base.values import Record
from unpuzzle.drawing import Circle, Look, Painted, Path, Rect, Shape, Text
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.world import World
from unpuzzle.pddl_game.picturing.block import CODE, Appearance, Term
from unpuzzle.pddl_game.picturing.layout import Layout, Size
from unpuzzle.pddl_game.picturing.scene import Script
from unpuzzle.translators.shared.grid_picture import LETTERS_ON, SHAPES

WIDEST = 3.0
"""The width of the widest disc, in cells."""
LIGHT = ("tile", "circle", "none")
"""Shapes of equal size; a thing may have different ones in different states."""
LETTER = 0.6
"""The width of a letter of height 1."""
LONGEST = 14
"""Longer names are cut in pictures."""
MOST_VARIANTS = 5
"""The most lines about one thing that may depend on the state."""


class Style(Record):
    """The style of a thing by the lines; `width` is a part of the widest, from 0 to 1."""

    glyph: str = ""
    colour: str = ""
    label: str = ""
    shape: str = ""
    width: float = 1.0


class Styles:
    """The styles of the things of a script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._widths: dict[int, Mapping[str, float]] = {}
        self._always: dict[str, list[int]] = {}
        self._sometimes: dict[str, list[int]] = {}
        for number, line in enumerate(script.block.looks):
            static = script.is_static(line.condition)
            if not static and (line.shape not in ("", *LIGHT) or line.width):
                what = "the width" if line.width else f"the shape {line.shape}"
                raise parse_error(f"actions change this condition, but {what} never changes", line.span, CODE)
            for name in script.candidates(line, line.thing):
                (self._always if static else self._sometimes).setdefault(name, []).append(number)
            if line.width is not None:
                self._widths[number] = self._parts(line, line.width)
        for name, lines in self._sometimes.items():
            if len(lines) > MOST_VARIANTS:
                message = f"at most {MOST_VARIANTS} lines about the looks of '{name}' may depend on the state"
                raise parse_error(message, script.block.looks[lines[MOST_VARIANTS]].span, CODE)

    def _parts(self, line: Appearance, width: Term) -> Mapping[str, float]:
        """Return the widths that a line gives, as parts of the widest."""
        script, values = self._script, dict[str, int]()
        for binding in script.answers(line, script.start):
            values.setdefault(script.named(line.thing, binding), script.value(width, line, binding))
        least, most = min(values.values(), default=0), max(values.values(), default=0)
        return {name: (value - least + 1) / (most - least + 1) for name, value in values.items()}

    def variants(self, name: str) -> int:
        """Return the number of looks of a thing; look 0 is the one without state-dependent lines."""
        return 1 << len(self._sometimes.get(name, ()))

    def variants_now(self, world: World) -> dict[str, int]:
        """Return the number of each thing's present look; things with look 0 are left out."""
        script, found = self._script, dict[str, int]()
        for number in sorted({line for lines in self._sometimes.values() for line in lines}):
            line = script.block.looks[number]
            for name in {script.named(line.thing, binding) for binding in script.answers(line, world)}:
                if number in self._sometimes.get(name, ()):
                    found[name] = found.get(name, 0) | 1 << self._sometimes[name].index(number)
        return found

    def style(self, name: str, variant: int = 0) -> Style:
        now = [number for place, number in enumerate(self._sometimes.get(name, ())) if variant >> place & 1]
        style = Style()
        for number in sorted([*self._always.get(name, ()), *now]):
            line = self._script.block.looks[number]
            said = {key: value for key in ("glyph", "colour", "label", "shape") if (value := getattr(line, key))}
            style = style.replace(**said)
            if number in self._widths:
                style = style.replace(width=self._widths[number].get(name, style.width))
        return style

    def shape(self, name: str) -> str:
        return self.style(name).shape

    def own_size(self, name: str, shape: str) -> Size:
        """Return the size of an empty thing."""
        if shape == "disc":
            return WIDEST, 1.0
        if shape in ("cell", "none"):
            return 1.0, 1.0
        words = [self.words(name, variant) for variant in range(self.variants(name))]
        most = max([len(each) for each in words if each not in SHAPES], default=1)
        return max(1.0, ceil(most * 0.4) / 2), 1.0

    def words(self, name: str, variant: int = 0) -> str:
        """Return the text on a thing: its glyph or its name."""
        return self.style(name, variant).glyph or shown(name)


def shown(name: str) -> str:
    """Return the name of a thing for a picture."""
    name = name.strip('"')
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


class Looks:
    """A maker of the looks of things; `across` is the number of terminal characters across a cell."""

    def __init__(self, layout: Layout, styles: Styles) -> None:
        self._layout = layout
        self._styles = styles
        shapes = {name: layout.shape(name) for name in layout.script.things}
        parts = [
            (len(self._text_of(name)) + 1) / layout.body(name)[0] for name, shape in shapes.items() if shape != "disc"
        ]
        wide = not {"disc", "frame"}.isdisjoint(shapes.values())  # these have parts of a cell
        self.across = min(16, ceil(max([4.0 if wide else 2.0, *parts])))

    def _text_of(self, name: str) -> str:
        cell = self._layout.shape(name) == "cell" and not self._styles.style(name).glyph
        return "·" if cell and not name.startswith('"') else self._styles.words(name)

    def look(self, name: str, variant: int) -> Look:
        style, shape = self._styles.style(name, variant), self._layout.shape(name)
        shape = style.shape if shape in LIGHT and style.shape else shape
        label = style.label or ("" if shape == "cell" else name.strip('"'))
        if shape == "none":
            return Look(label=label)
        plain = {"cell": "grid", "peg": "wall", "frame": "ink" if self._layout.moves(name) else "grid"}
        colour = style.colour or plain.get(shape, "tile")
        shapes: Sequence[Shape]
        if shape in ("tile", "") and style.glyph in SHAPES:
            shapes = _moved(SHAPES[style.glyph], (self._layout.body(name)[0] - 1) / 2)
            colour = style.colour or next((role for each in shapes for role in each.roles if role), "ink")
            shapes, text = _painted(shapes, style.colour), self._middle(style.glyph, name)
        else:
            shapes, text = self._shapes(name, shape, style, self._styles.words(name, variant), colour)
        return Look(*shapes, text=text, role=colour, label=label)

    def _middle(self, words: str, name: str) -> str:
        """Return a text with blanks before it, so that it stands in the middle of a thing."""
        return " " * int((self._layout.body(name)[0] * self.across - len(words)) / 2) + words

    def _shapes(self, name: str, shape: str, style: Style, words: str, colour: str) -> tuple[Sequence[Shape], str]:
        """Return the shapes of a thing and its characters for a terminal."""
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
            case "frame":  # its name stands above the contents
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


def letters(words: str, width: float, most: float = 0.42) -> float:
    """Return a size of letters for which words fit into a width."""
    return round(min(most, width / (LETTER * 1.05 * max(len(words), 1))), 3)


def _painted(shapes: Sequence[Shape], colour: str) -> Sequence[Shape]:
    """Return shapes with a colour for the first one, or for texts."""
    if not colour or not shapes or not isinstance(shapes[0], Painted):
        return [shape.replace(fill=colour) if colour and isinstance(shape, Text) else shape for shape in shapes]
    first = shapes[0]
    return [first.replace(fill=colour) if first.fill else first.replace(line=colour), *shapes[1:]]


def _moved(shapes: Sequence[Shape], right: float) -> Sequence[Shape]:
    """Return shapes further to the right."""
    moved: list[Shape] = []
    for shape in shapes if right else ():
        if isinstance(shape, Path):
            trains = [[(x + right, y) for x, y in train] for train in shape.trains]
            moved.append(Path(*trains, closed=shape.closed, fill=shape.fill, line=shape.line, thick=shape.thick))
        elif isinstance(shape, Rect | Circle | Text):
            moved.append(shape.replace(x=shape.x + right))
    return moved or shapes
