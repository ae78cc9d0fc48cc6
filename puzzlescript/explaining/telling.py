"""Explanations of places in a game's text: an object with its picture, a name of the legend, a glyph, a rule.

A rule is expanded as the compiler does: to a rule for each direction and each choice of its words.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from unpuzzle.puzzlescript.compiling.choices import Directed, TooManyError, choices_of
from unpuzzle.puzzlescript.compiling.compiled import Sprite
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.names import Names, read_names
from unpuzzle.puzzlescript.compiling.objects import read_objects, sprites_of
from unpuzzle.puzzlescript.compiling.rule_text import Rows, read_rules
from unpuzzle.puzzlescript.compiling.sections import read_prelude
from unpuzzle.puzzlescript.compiling.text import Line, sections_of
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.words import count

MOST_RULES = 20
"""The largest number of expanded rules shown."""
POINT = 12
"""Side of a point of a picture, in pixels."""
_WORD = re.compile(r"[^\s\[\]|,]+")


class Told(NamedTuple):
    """Text in Markdown about a range of a line; columns from 1, the end exclusive."""

    text: str
    line: int
    column: int
    end_column: int


class ReadText:
    """The names of a text, and its rules as far as they can be read."""

    def __init__(self, text: str) -> None:
        self.faults = Faults(text)
        self.sections = sections_of(text, self.faults)
        _, self.settings = read_prelude(self.sections["prelude"], self.faults)
        things, synonyms = read_objects(self.sections["objects"], self.faults)
        legend, layers = self.sections["legend"], self.sections["collisionlayers"]
        self.names: Names = read_names(things, synonyms, legend, layers, self.faults)

    def line(self, number: int) -> tuple[str, Line | None]:
        """Return the section of a line, and the line without comments; None for an empty line."""
        for section, lines in self.sections.items():
            for line in lines:
                if line.number == number:
                    return section, line
        return "", None


def told(text: str, line: int, column: int) -> Told | None:
    """Return the explanation of a place, with line and column from 1; None if there is none."""
    source = ReadText(text)
    section, code = source.line(line)
    if code is None:
        return None
    if section == "levels":
        return _glyph(source.names, code, column)
    match = next((m for m in _WORD.finditer(code.code) if m.start() < column <= m.end() + 1), None)
    if match is not None and source.names.defines(match[0]):
        return Told(_name(source, match[0]), line, match.start() + 1, match.end() + 1)
    if section == "rules":
        start = len(code.code) - len(code.code.lstrip())
        return Told(_rule(source, code), line, start + 1, len(code.code.rstrip()) + 1)
    return None


def _glyph(names: Names, line: Line, column: int) -> Told | None:
    """Return the explanation of a character of a level."""
    glyph = line.code[column - 1 : column]
    if line.code.strip().startswith("message") or glyph not in names.glyphs:
        return None
    things = [names.objects[number] for number in bits(names.glyphs[glyph])]
    return Told(f"`{glyph}` is {' and '.join(things) or 'nothing'}", line.number, column, column + 1)


def _name(source: ReadText, name: str) -> str:
    """Return the explanation of a name, with the picture of an object."""
    names = source.names
    if name in names.aggregates:
        return f"**{name}** is all of {', '.join(names.aggregates[name])} in one cell"
    if name in names.properties:
        return f"**{name}** is any of {', '.join(names.properties[name])}"
    thing = names.things[names.synonyms.get(name, name)]
    layer = names.layer_of.get(thing.name)
    lies = "in no collision layer" if layer is None else f"in collision layer {layer + 1} of {len(names.layers)}"
    first = f"**{name}** is {thing.name}, {lies}" if name in names.synonyms else f"**{name}**, an object {lies}"
    [sprite] = sprites_of([thing], source.settings)
    glyphs = [glyph for glyph, mask in names.glyphs.items() if mask >> names.number.get(thing.name, 0) & 1]
    written = f"in levels: {' '.join(f'`{glyph}`' for glyph in glyphs[:10])}" if glyphs and layer is not None else ""
    rows = "\n".join(["".join([letter * 2 for letter in row]) for row in thing.rows])
    drawn = f"```text\n{rows}\n```" if rows else ""
    parts = [first, _image(thing.name, sprite), drawn, f"colours: {', '.join(thing.colours)}", written]
    return "\n\n".join([part for part in parts if part])


def _image(name: str, sprite: Sprite) -> str:
    """Return the picture of an object, as an image within the text."""
    points = "".join(
        f'<rect x="{x * POINT}" y="{y * POINT}" width="{POINT}" height="{POINT}" fill="{colour}"/>'
        for y, row in enumerate(sprite)
        for x, colour in enumerate(row)
        if colour
    )
    side = POINT * len(sprite)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">{points}</svg>'
    return f"![{name}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"


def _rule(source: ReadText, line: Line) -> str:
    """Return the expansion of a rule."""
    rules, _ = read_rules([line], source.names, source.faults)
    if not rules:
        return "this line is not a rule that can be played"
    try:
        choices = list(islice(choices_of(rules[0], source.names, source.faults), 10_000))
    except TooManyError as error:
        return str(error)
    shown = "\n".join(map(_written, choices[:MOST_RULES]))
    more = f"\n\nand {len(choices) - MOST_RULES:,} more" if len(choices) > MOST_RULES else ""
    late = "late, when all has moved: " if rules[0].late else ""
    return f"{late}{count(len(choices), 'rule')}\n\n```text\n{shown}\n```{more}"


def _written(rule: Directed) -> str:
    arrow = f" -> {_side(rule.right)}" if rule.right else " ->"
    commands = " ".join(rule.source.commands)
    return f"{rule.direction} {_side(rule.left)}{arrow}{f' {commands}' if commands else ''}"


def _side(rows: Rows) -> str:
    return " ".join([f"[ {' | '.join(_cells(row))} ]" for row in rows])


def _cells(row: tuple[tuple[tuple[str, str], ...], ...]) -> Iterator[str]:
    for cell in row:
        yield " ".join([name if word == name else f"{word} {name}".strip() for word, name in cell])
