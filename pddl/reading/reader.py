"""Readers of domains and problems.

    text ─syntax→ Form ─sections, expressions→ nodes as written ─names→ all resolved
                                                       ─argument_types→ all of the right type ─normal→ Domain, Problem

Sections may come in any order and optional parts may be missing. Requirements need not be declared, but declared ones
must be supported.

- A repeated parameter, `(?x - a ?x - b)`, is one variable: both types must hold, and both arguments of a ground action
  are the same object. In a quantifier, the second hides the first. Fast Downward reads both in this way.
- An object of type `(either a b)` is an `a` and a `b`; a variable of that type stands for the objects of either. A type
  may have several parents, by `either` or by several declarations.
- Costs: with `(:metric minimize (total-cost))` an action costs what it adds to `total-cost` (nothing, if it adds
  nothing); without a metric each action costs 1, whatever it adds. Several `increase` in one action add up.
- An argument must be of the type that its predicate takes: an atom that no object can make true is an error.
"""

from __future__ import annotations

from unpuzzle.base.run import Limits, Run
from unpuzzle.base.type_hints import NoReturn
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.judging import argument_types, names
from unpuzzle.pddl.node import Node
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading import normal
from unpuzzle.pddl.reading.complaints import Path, parse_error, read_text
from unpuzzle.pddl.reading.sections import domain_as_written, problem_as_written
from unpuzzle.pddl.syntax import TokenSpan


class Reading:
    """Reads a domain and perhaps a problem; stores both as written, and warnings about both.

    Attributes: `domain`, `problem` (None before it is read), `complaints` (code, sentence, node and word of each
    warning about arguments and variables; `linting.warnings` has the rest).
    """

    domain: Domain
    problem: Problem | None = None

    def __init__(self) -> None:
        self.complaints: list[tuple[str, str, Node, str | None]] = []

    def task(self, domain_path: Path, problem_path: Path) -> Task:
        """Return the task in two files. Raises OSError, ParseError, UnsupportedFeature, LimitReached."""
        domain = self.read_domain(*read_text(domain_path))
        return Task(domain, self.read_problem(domain, *read_text(problem_path)))

    def read_domain(self, text: str, name: str | None) -> Domain:
        self.domain = domain_as_written(text, name)
        names.check_domain(self.domain, self.error)
        argument_types.Arguments(self).check_domain()
        return normal.folded_domain(self.domain).trusted()

    def read_problem(self, domain: Domain, text: str, name: str | None) -> Problem:
        self.problem, denied = problem_as_written(text, domain, name)
        names.check_problem(self.problem, domain, self.error, denied)
        argument_types.Arguments(self).check_problem(denied)
        return normal.folded_problem(self.problem, domain).trusted(domain)

    def error(self, code: str, message: str, node: Node, word: str | None = None, *_: object) -> NoReturn:
        """Raise ParseError at the place of a node or, if given, of the first occurrence of a word in the node."""
        span = node.span
        if word is not None and isinstance(span, TokenSpan):
            span = span.find(word)
        if self.problem is not None and (of := self.problem.domain_name) != (own := self.domain.name):
            message = f"the problem is of the domain '{of}', but this domain is '{own}': {message}"
        raise parse_error(message, span, code)

    def warning(self, code: str, message: str, node: Node, word: str | None = None) -> None:
        """Store a warning."""
        self.complaints.append((code, message, node, word))


def read(domain_path: Path, problem_path: Path, *, limits: Limits | None = None) -> Task:
    """Read a task from two files. Raises OSError, ParseError, UnsupportedFeature, LimitReached."""
    with Run(limits, "reading the task"):
        return Reading().task(domain_path, problem_path)


def read_domain(path: Path, *, limits: Limits | None = None) -> Domain:
    """Read a domain from its file. Raises the same errors as `read`."""
    with Run(limits, "reading the domain"):
        return Reading().read_domain(*read_text(path))


def read_problem(path: Path, domain: Domain | None, *, limits: Limits | None = None) -> Problem:
    """Read a problem from its file; without a domain, names are not checked. Raises the same errors as `read`."""
    with Run(limits, "reading the problem"):
        return _problem(domain, *read_text(path))


def parse_task(
    domain_text: str,
    problem_text: str,
    *,
    domain_name: str | None = None,
    problem_name: str | None = None,
    limits: Limits | None = None,
) -> Task:
    """Read a task from two texts; the names are used in messages. Raises the same errors as `parse_domain`."""
    with Run(limits, "reading the task"):
        domain = Reading().read_domain(domain_text, domain_name)
        return Task(domain, _problem(domain, problem_text, problem_name))


def parse_domain(text: str, name: str | None = None, *, limits: Limits | None = None) -> Domain:
    """Read a domain from its text. Raises ParseError at the first fault, UnsupportedFeature, LimitReached."""
    with Run(limits, "reading the task"):
        return Reading().read_domain(text, name)


def parse_problem(
    text: str, domain: Domain | None, name: str | None = None, *, limits: Limits | None = None
) -> Problem:
    """Read a problem from a text; without a domain, names are not checked. Raises the errors of `parse_domain`."""
    with Run(limits, "reading the task"):
        return _problem(domain, text, name)


def _problem(domain: Domain | None, text: str, name: str | None) -> Problem:
    reading = Reading()
    if domain is None:
        return normal.folded_problem(problem_as_written(text, None, name)[0], None)
    reading.domain = domain
    return reading.read_problem(domain, text, name)
