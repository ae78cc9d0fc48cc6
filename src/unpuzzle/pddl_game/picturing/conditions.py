"""Conditions in picture blocks: read and checked like conditions of actions, with the places of faults in the file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NoReturn

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import Condition, TypedName, free_variables
from unpuzzle.pddl.judging.argument_types import Arguments
from unpuzzle.pddl.judging.names import Names
from unpuzzle.pddl.node import Node, Span
from unpuzzle.pddl.reading.complaints import parse_error
from unpuzzle.pddl.reading.expressions import Expressions
from unpuzzle.pddl.reading.lexer import Form, Text, TokenSpan, read_form
from unpuzzle.pddl.reading.sections import arities_of

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
