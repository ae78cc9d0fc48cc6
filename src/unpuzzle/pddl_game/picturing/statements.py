"""The lines of a picture block as plain values: the places and the looks of things."""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.pddl.formulas import Condition
from unpuzzle.pddl.node import Span
from unpuzzle.record import Record

GRID = "grid"
HELD = ("at", "on", "in")
"""The relations of things to their holders."""
BESIDE = {"above": (-1, 0), "below": (1, 0), "left of": (0, -1), "right of": (0, 1)}
"""The relations to neighbours, each with a thing's offset in rows down and columns to the right."""
SHAPES = ("tile", "disc", "circle", "peg", "frame", "cell", "none")

COLOURS = ("tile", "home", "hero", "box", "goal", "food", "mark", "wall", "ink", "grid")
"""The roles of paint that things may have; the first three are filled, the others are outlines."""


class Thing(Record):
    """A variable such as `?x`, an object, or a quoted place of the picture that is not an object, such as `"hand"`."""

    name: str
    span: Span
    quoted: bool = False

    @property
    def variable(self) -> bool:
        return not self.quoted and self.name.startswith("?")


class Term(Record):
    """A row, a column or a width: a number, the rank of an object in its type, or a number in its name (`part`)."""

    span: Span
    number: int | None = None
    variable: str = ""
    part: int = 0


class Line(Record):
    """One line of the block: its thing, the types of its variables, and its condition."""

    thing: Thing
    types: Mapping[str, tuple[str, ...]]
    condition: Condition | None
    span: Span

    def variables(self) -> tuple[str, ...]:
        """Return the variables of the line, its own first."""
        return tuple(self.types)


class Place(Line):
    """`place THING RELATION TARGET` or `place THING row TERM column TERM`, with the relation `grid`."""

    relation: str
    target: Thing | None = None
    row: Term | None = None
    column: Term | None = None


class Appearance(Line):
    """`look THING ...`; omitted attributes are empty."""

    glyph: str = ""
    colour: str = ""
    label: str = ""
    shape: str = ""
    width: Term | None = None


class Block(Record):
    """All lines of one file, in their order."""

    places: tuple[Place, ...]
    looks: tuple[Appearance, ...]
