"""The lines of a picture block as plain values: the places and the looks of things."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NoReturn

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import Condition, TypedName, free_variables
from unpuzzle.pddl.judging.argument_types import Arguments
from unpuzzle.pddl.judging.names import Names
from unpuzzle.pddl.node import Node, Span
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.reading.expressions import Expressions
from unpuzzle.pddl.reading.lexer import Form, Text, TokenSpan, read_form
from unpuzzle.pddl.reading.sections import arities_of

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


# Conditions in picture blocks: read and checked like conditions of actions, with the places of faults in the file.

CODE = "picture"


def read_condition(
    span: Span, domain: Domain, types: Mapping[str, tuple[str, ...]], objects: Collection[str]
) -> Condition:
    """Return the condition at a place of a file; its variables may have types. Raises ParseError."""
    line, column = span.source.position(span.start)
    text = Text("\n" * (line - 1) + " " * (column - 1) + span.text, span.file)
    try:
        outer = Form([read_form(text, "a condition")])
        outer.at = -1
        condition = Expressions(text, arities_of(domain.predicates)).condition(outer, 0)
        report = _Report(domain)
        Names(domain, report.error).condition(condition, frozenset(types) | free_variables(condition) | set(objects))
        arguments = Arguments(report)
        arguments.walk(condition, arguments.constants | {name: [TypedName(name, own)] for name, own in types.items()})
    except (ParseError, UnsupportedFeature) as error:
        shown = span.source.line(error.line) if error.line else None
        raise ParseError(
            error.message, file=error.file, line=error.line, column=error.column, text=shown, code=CODE
        ) from None
    return condition


class _Report:
    """Raises for the first error, and ignores warnings."""

    problem: Problem | None = None

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def warning(self, code: str, message: str, node: Node, word: str | None = None) -> None:
        pass

    def error(self, code: str, message: str, node: Node, word: str | None = None, *_: object) -> NoReturn:
        span = node.span
        raise parse_error(message, span.find(word) if word and isinstance(span, TokenSpan) else span, code)


# Finding picture lines in a text. This is quick, since every game does it; `block.py` reads the lines.

MARK = "picture:"
LINE = re.compile(r"^[ \t]*;+[ \t]*picture:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)


def has_block(text: str) -> bool:
    return MARK in text.lower() and LINE.search(text) is not None


def block_text(text: str) -> str:
    """Return the picture lines of a text, one below the other."""
    return "".join([f"; {MARK} {match[1].strip()}\n" for match in LINE.finditer(text)])
