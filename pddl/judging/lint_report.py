"""The collector of the faults that lint's checks report: a domain, perhaps a problem, and the faults so far."""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Domain, Problem, folded_domain, folded_problem
from unpuzzle.pddl.formulas import Atom, Node, Source, Span, walk
from unpuzzle.pddl.judging.fault import ERROR, WARNING, Edit, Fault
from unpuzzle.pddl.judging.names import Arguments, Misfit
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.syntax import TokenSpan


class Lint:
    """A domain and perhaps a problem, both as written, and the faults found so far.

    `denied` are the atoms that the problem's `:init` negates.
    """

    def __init__(self, domain: Domain, problem: Problem | None, denied: tuple[Atom, ...] = ()) -> None:
        self.domain = domain
        self.problem = problem
        self.denied = denied
        self.faults: list[Fault] = []
        self.arguments: Arguments | None = None
        self.misfits: list[tuple[Fault, Misfit]] = []
        self._semantics: Semantics | None = None

    def semantics(self, problem: Problem) -> Semantics:
        """Return the semantics of the domain with a problem; both must be without errors."""
        if self._semantics is None:
            domain = folded_domain(self.domain).trusted()
            folded = folded_problem(problem, domain).trusted(domain)
            self._semantics = Semantics(Task(domain, folded))
        return self._semantics

    def nodes(self) -> Iterator[Any]:
        """Yield all parts of all conditions and effects in the domain and problem."""
        for action in self.domain.actions:
            yield from walk(action.precondition)
            yield from walk(action.effect)
        for axiom in self.domain.axioms:
            yield from walk(axiom.body)
        if self.problem:
            yield from walk(self.problem.goal)

    def error(
        self, code: str, message: str, node: Node, word: str | None = None, better: str | None = None, sure: bool = True
    ) -> None:
        """Report an error; `better` should replace the word, but is only a suggestion unless `sure`."""
        self.warning(code, message, node, word, better, sure=sure, severity=ERROR)

    def warning(
        self,
        code: str,
        message: str,
        where: Node | Span | None,
        word: str | None = None,
        better: str | None = None,
        fix: Edit | None = None,
        *,
        sure: bool = True,
        severity: str = WARNING,
    ) -> None:
        """Report a warning; `better` should replace the word, and `fix` is any other correction."""
        span = where.span if isinstance(where, Node) else where
        if word is not None and isinstance(span, TokenSpan):
            span = span.find(word)
        if span is None:
            self.faults.append(Fault(None, None, None, severity, message, code=code))
            return
        edit = replaced(span, better) if better is not None else fix
        if isinstance(where, Domain | Problem) and span is where.span:
            span = Span(span.source, span.start, span.start + 1)  # point at one character instead of the whole file
        self.faults.append(fault_at(span, severity, code, message).corrected(edit, sure))


def fault_at(span: Span, severity: str, code: str, message: str) -> Fault:
    (line, column), (end_line, end_column) = (span.source.position(offset) for offset in (span.start, span.end))
    return Fault(span.file, line, column, severity, message, end_line, end_column, code)


def replaced(span: Span, text: str) -> Edit:
    return edit_of(span.source, span.start, span.end, text)


def edit_of(source: Source, start: int, end: int, text: str) -> Edit:
    return Edit(*source.position(start), *source.position(end), text)


def removal(node: Node) -> Edit | None:
    """Return the edit that removes a node from its text, including the blanks before the node."""
    span = node.span
    if span is None:
        return None
    start = span.start
    while start and span.source.text[start - 1] in " \t":
        start -= 1
    return edit_of(span.source, start, span.end, "")
