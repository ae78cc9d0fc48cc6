"""Faults of picture lines for `lint`: warnings, since the game can still be played."""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.judging.fault import WARNING, Fault
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl_game.picturing.block import read_tolerantly
from unpuzzle.pddl_game.picturing.picture import LevelPicture
from unpuzzle.pddl_game.picturing.statements import CODE, has_block


def picture_faults(text: str, name: str, tasks: Iterable[Task] = ()) -> list[Fault]:
    """Return the faults of a domain's picture lines.

    Some show only with a task; they are reported for the first task that has any.
    """
    if not has_block(text):
        return []
    try:
        domain = parse_domain(text, name)
    except (ParseError, UnsupportedFeature):
        return []  # a text with errors gets no further warnings
    return _faults(text, name, domain, (), tasks)


def problem_picture_faults(text: str, name: str, task: Task) -> list[Fault]:
    objects = [item.name for item in task.problem.objects]
    return _faults(text, name, task.domain, objects, [task]) if has_block(text) else []


def _faults(text: str, name: str, domain: Domain, objects: Iterable[str], tasks: Iterable[Task]) -> list[Fault]:
    block, errors = read_tolerantly(text, domain, name, tuple(objects))
    for task in () if errors else tasks:
        try:
            if not has_own_block(task) or objects:
                _ = LevelPicture(block, Semantics(task)).ground
        except ParseError as error:
            errors = [error]
            break
    return [_fault(error) for error in errors]


def has_own_block(task: Task) -> bool:
    """Return whether the problem of a task has picture lines, which replace the domain's."""
    span = task.problem.span
    return span is not None and has_block(span.source.text)


def _fault(error: ParseError) -> Fault:
    end = None if error.column is None else error.column + 1
    return Fault(error.file, error.line, error.column, WARNING, error.message, error.line, end, CODE)
