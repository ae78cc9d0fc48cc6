"""Several PDDL problems for one command: files of a folder, or the definitions in standard input, one after another.

    cat p1.pddl p2.pddl | unpuzzle grade reference.pddl student.pddl --problems -

A problem in standard input has the name in its definition. Places in messages refer to the whole text.
"""

from __future__ import annotations

import re

from unpuzzle.base.errors import ParseError
from unpuzzle.cli.files import read_text
from unpuzzle.pddl.nodes import Domain, Problem
from unpuzzle.pddl.reading.reader import parse_problem, read_problem

STDIN = "<stdin>"
Problems = dict[str, str | None]
"""By name: the text of a problem from standard input, None for a file."""
_PARTS = re.compile(r";[^\n]*|[()]")
_NAME = re.compile(r"\(\s*define\s*\(\s*problem\s+([^\s()]+)", re.IGNORECASE)
_COMMENT = re.compile(r";[^\n]*")


def problems_in_stdin() -> Problems:
    """Return the problems in standard input. Raises ParseError, with its place, for other text or a missing name."""
    text, _ = read_text("-")
    problems: Problems = {}
    for start, end in _definitions(text):
        match = _NAME.match(_COMMENT.sub("", text[start:end]))
        line = text.count("\n", 0, start) + 1
        if match is None:
            raise ParseError("expected '(define (problem NAME) ...)'", file=STDIN, line=line, column=1)
        name = match[1].lower()
        if name in problems:
            raise ParseError(f"there is already a problem '{name}'", file=STDIN, line=line, column=1)
        problems[name] = "\n" * (line - 1) + text[start:end]
    if not problems:
        raise ParseError("there is no problem in standard input", file=STDIN)
    return problems


def problem_of(path: str, text: str | None, domain: Domain) -> Problem:
    """Return the problem in a text from standard input or, without one, in a file."""
    return read_problem(path, domain) if text is None else parse_problem(text, domain, STDIN)


def _definitions(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each outermost bracket; an unclosed one ends with the text."""
    places, depth, start = [], 0, 0
    for part in _PARTS.finditer(text):
        if part[0] == "(":
            start = part.start() if depth == 0 else start
            depth += 1
        elif part[0] == ")":
            depth -= 1
            if depth == 0:
                places.append((start, part.end()))
            elif depth < 0:
                line = text.count("\n", 0, part.start()) + 1
                column = part.start() - (text.rfind("\n", 0, part.start()) + 1) + 1
                raise ParseError("nothing is open that ')' could close", file=STDIN, line=line, column=column)
    return [*places, (start, len(text))] if depth else places
