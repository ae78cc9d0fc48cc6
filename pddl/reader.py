"""Reading domains and problems.

    text ─lexer→ Form ─sections, effects, expressions→ nodes as written ─names→ all resolved ─normal→ Domain, Problem

Sections may come in any order and optional parts may be missing. Requirements need not be declared, but what they name
must be offered.

- A repeated parameter, `(?x - a ?x - b)`, is one variable: both types must hold, and both arguments of a ground action
  are the same object. In a quantifier, the second hides the first. So Fast Downward takes both.
- An object of type `(either a b)` is an `a` and a `b`; a variable of that type stands for the objects of either. A type
  may have several parents, by `either` or by several declarations.
- Costs: with `(:metric minimize (total-cost))` an action costs what it adds to `total-cost` (nothing, if it adds
  nothing); without a metric each action costs 1, whatever it adds. Several `increase` in one action add up.
- Any atom of the right arity is read, whatever the types of its arguments; lint judges those.
"""

from __future__ import annotations

from unpuzzle.limits import Deadline
from unpuzzle.pddl import names, normal
from unpuzzle.pddl.complaints import parse_error, read_text
from unpuzzle.pddl.lexer import TokenSpan
from unpuzzle.pddl.nodes import Domain, Problem, Task
from unpuzzle.pddl.sections import domain_as_written, problem_as_written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from typing import NoReturn

    from unpuzzle.limits import Limits
    from unpuzzle.pddl.nodes import Node

    Path = str | PathLike[str]
    Tick = Callable[[], None]


def read(domain_path: Path, problem_path: Path, limits: Limits | Deadline | None = None) -> Task:
    """A task from its two files. Raises OSError, ParseError, UnsupportedFeature or LimitReached."""
    deadline = None if limits is None else Deadline.of(limits, "reading the task")
    domain = read_domain(domain_path, deadline)
    return Task(domain, read_problem(problem_path, domain, deadline))


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
    domain = domain_as_written(text, name, tick)
    names.check_domain(domain, _raise)
    return normal.folded_domain(domain).trusted()


def parse_problem(text: str, domain: Domain | None, name: str | None = None, tick: Tick | None = None) -> Problem:
    """A problem from its text; without a domain, names are not resolved."""
    problem = problem_as_written(text, domain, name, tick)
    if domain is None:
        return normal.folded_problem(problem, None, tick)
    names.check_problem(problem, domain, _raise, tick)
    return normal.folded_problem(problem, domain, tick).trusted(domain)


def _raise(message: str, node: Node, word: str | None = None) -> NoReturn:
    span = node.span
    if word is not None and isinstance(span, TokenSpan):
        span = span.find(word)
    raise parse_error(message, span)
