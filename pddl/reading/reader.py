"""Reading domains and problems.

    text ─lexer→ Form ─sections, effects, expressions→ nodes as written ─names→ all resolved
                                                       ─argument_types→ all of the right type ─normal→ Domain, Problem

Sections may come in any order and optional parts may be missing. Requirements need not be declared, but what they name
must be offered.

- A repeated parameter, `(?x - a ?x - b)`, is one variable: both types must hold, and both arguments of a ground action
  are the same object. In a quantifier, the second hides the first. So Fast Downward takes both.
- An object of type `(either a b)` is an `a` and a `b`; a variable of that type stands for the objects of either. A type
  may have several parents, by `either` or by several declarations.
- Costs: with `(:metric minimize (total-cost))` an action costs what it adds to `total-cost` (nothing, if it adds
  nothing); without a metric each action costs 1, whatever it adds. Several `increase` in one action add up.
- An argument must be of the type that its predicate takes: an atom that no object can make true is an error.
"""

from __future__ import annotations

from unpuzzle.limits import Deadline
from unpuzzle.pddl.judging import argument_types, names
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading import normal
from unpuzzle.pddl.reading.complaints import parse_error, read_text
from unpuzzle.pddl.reading.lexer import TokenSpan
from unpuzzle.pddl.reading.sections import domain_as_written, problem_as_written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from typing import NoReturn

    from unpuzzle.limits import Limits
    from unpuzzle.pddl.declarations import Domain, Problem
    from unpuzzle.pddl.node import Node

    Path = str | PathLike[str]
    Tick = Callable[[], None]


class Reading:
    """Reads a domain and then perhaps a problem; keeps both as they were written, and what is strange about them.

    Attributes: `domain`, `problem` (None before it is read), `complaints` (sentence, node and word of each warning
    about arguments and variables; `linting.warnings` has the rest).
    `tick` is called often, and may raise to end the reading.
    """

    domain: Domain
    problem: Problem | None = None

    def __init__(self, tick: Tick | None = None) -> None:
        self.tick = tick
        self.complaints: list[tuple[str, Node, str | None]] = []

    def task(self, domain_path: Path, problem_path: Path) -> Task:
        """A task from its two files. Raises OSError, ParseError, UnsupportedFeature or, by the `tick`, LimitReached."""
        deadline = self.tick if isinstance(self.tick, Deadline) else None
        domain = self.read_domain(*read_text(domain_path, deadline))
        return Task(domain, self.read_problem(domain, *read_text(problem_path, deadline)))

    def read_domain(self, text: str, name: str | None) -> Domain:
        self.domain = domain_as_written(text, name, self.tick)
        names.check_domain(self.domain, self.error)
        argument_types.check_domain_arguments(self)
        return normal.folded_domain(self.domain).trusted()

    def read_problem(self, domain: Domain, text: str, name: str | None) -> Problem:
        self.problem, denied = problem_as_written(text, domain, name, self.tick)
        names.check_problem(self.problem, domain, self.error, denied, self.tick)
        argument_types.check_problem_arguments(self, denied)
        return normal.folded_problem(self.problem, domain, self.tick).trusted(domain)

    def error(self, message: str, node: Node, word: str | None = None) -> NoReturn:
        """Raise ParseError at the word, from the node on."""
        span = node.span
        if word is not None and isinstance(span, TokenSpan):
            span = span.find(word)
        raise parse_error(message, span)

    def warning(self, message: str, node: Node, word: str | None = None) -> None:
        """Keep what is strange."""
        self.complaints.append((message, node, word))


def read(domain_path: Path, problem_path: Path, limits: Limits | Deadline | None = None) -> Task:
    """A task from its two files. Raises OSError, ParseError, UnsupportedFeature, LimitReached."""
    deadline = None if limits is None else Deadline.of(limits, "reading the task")
    return Reading(deadline).task(domain_path, problem_path)


def read_domain(path: Path, deadline: Deadline | None = None) -> Domain:
    return parse_domain(*read_text(path, deadline), deadline)


def read_problem(path: Path, domain: Domain | None, deadline: Deadline | None = None) -> Problem:
    """A problem from its file; without a domain, names are not resolved."""
    text, name = read_text(path, deadline)
    return parse_problem(text, domain, name, deadline)


def parse_task(
    domain_text: str,
    problem_text: str,
    domain_name: str | None = None,
    problem_name: str | None = None,
    tick: Tick | None = None,
) -> Task:
    """A task from two texts; the names are what to call them in messages."""
    domain = parse_domain(domain_text, domain_name, tick)
    return Task(domain, parse_problem(problem_text, domain, problem_name, tick))


def parse_domain(text: str, name: str | None = None, tick: Tick | None = None) -> Domain:
    """A domain from its text. Raises ParseError at the first fault, UnsupportedFeature for what is not offered.

    `tick` is called often, and may raise to end the reading.
    """
    return Reading(tick).read_domain(text, name)


def parse_problem(text: str, domain: Domain | None, name: str | None = None, tick: Tick | None = None) -> Problem:
    """A problem from its text; without a domain, names are not resolved."""
    if domain is None:
        return normal.folded_problem(problem_as_written(text, None, name, tick)[0], None, tick)
    reading = Reading(tick)
    reading.domain = domain
    return reading.read_problem(domain, text, name)
