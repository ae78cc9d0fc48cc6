"""Errors in domains and tasks made in Python, with the same messages as from the reader and lint.

Without a text there is no line to point at, so a message begins with the place:

    for 'r1c1' in the objects of problem 'maze': unknown type 'cel', did you mean 'cell'?
    in (at r1c9) in the initial state of problem 'maze': unknown object 'r1c9', did you mean 'r1c3'?
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.type_hints import NoReturn
from unpuzzle.pddl.declarations import Domain, Function, Predicate, Problem
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import Atom, Exists, Forall, FunctionTerm, Increase, TypedName, effects, walk
from unpuzzle.pddl.judging import names, shapes
from unpuzzle.pddl.judging.argument_types import Arguments
from unpuzzle.pddl.node import Node
from unpuzzle.pddl.reading.complaints import parse_error, unsupported
from unpuzzle.pddl.syntax import TokenSpan


def check_domain(domain: Domain) -> None:
    """Raise ParseError for the first fault of a domain, UnsupportedFeature for numeric effects that are not costs."""
    if type(domain) is not Domain:
        shapes.Shape("a task").one(domain, Domain)
    shapes.check_domain(domain)
    report = FirstFault(domain, None)
    names.check_domain(domain, report.error)
    Arguments(report).check_domain()
    for action in domain.actions:
        for part in effects(action.effect):
            if not isinstance(part, Increase):
                continue
            if part.target != FunctionTerm(TOTAL_COST):
                message = f"increasing '{part.target}' is not supported: only (total-cost) may grow"
            elif part.amount == FunctionTerm(TOTAL_COST):
                message = "a cost that depends on (total-cost) is not supported"
            else:
                continue
            raise unsupported(f"in the effect of action '{action.name}': {message}", ":numeric-fluents")


def check_task(domain: Domain, problem: Problem) -> None:
    """Raise ParseError for the first fault of a problem of a valid domain, UnsupportedFeature for an unsupported
    metric.
    """
    shapes.Shape("a task").one(domain, Domain)
    shapes.Shape("a task").one(problem, Problem)
    shapes.check_problem(problem)
    report = FirstFault(domain, problem)
    names.check_problem(problem, domain, report.error)
    for value in problem.values:
        if value.term.function == TOTAL_COST and value.number:
            report.error("bad-number", "(total-cost) must be 0 in the initial state", value)
    if problem.metric is not None:
        objects = frozenset(item.name for item in (*domain.constants, *problem.objects))
        names.Names(domain, report.error).applied(problem.metric, objects)
        if problem.metric != FunctionTerm(TOTAL_COST):
            message = f"the metric {problem.metric} is not supported: only 'minimize (total-cost)' is"
            raise unsupported(f"in problem '{problem.name}': {message}", ":numeric-fluents")
    Arguments(report).check_problem()


class FirstFault:
    """A report that raises ParseError for the first error, and ignores warnings."""

    def __init__(self, domain: Domain, problem: Problem | None) -> None:
        self.domain = domain
        self.problem = problem

    def warning(self, code: str, message: str, node: Node, word: str | None = None) -> None:
        pass

    def error(self, code: str, message: str, node: Node, word: str | None = None, *_: object) -> NoReturn:
        span = node.span
        if span is not None:
            raise parse_error(message, span.find(word) if word and isinstance(span, TokenSpan) else span, code)
        place = next((place for place, nodes in self._places() if any(other is node for other in nodes)), None)
        whole = f"domain '{self.domain.name}'" if self.problem is None else f"problem '{self.problem.name}'"
        inside = f"for '{node.name}' " if isinstance(node, TypedName) else ""
        if isinstance(node, Atom | FunctionTerm):
            inside = f"in {node} "
        raise parse_error(f"{inside}in {place or whole}: {message}", code=code)

    def _places(self) -> Iterator[tuple[str, Iterator[Node]]]:
        """Yield a phrase and the nodes for each part of the problem or, if there is no problem, of the domain."""
        domain, problem = self.domain, self.problem
        if problem is not None:
            yield f"the objects of problem '{problem.name}'", iter(problem.objects)
            terms = (value.term for value in problem.values)
            yield f"the initial state of problem '{problem.name}'", iter((*problem.init, *problem.values, *terms))
            yield f"the goal of problem '{problem.name}'", _nodes(problem.goal)
            yield f"the metric of problem '{problem.name}'", iter(() if problem.metric is None else (problem.metric,))
            return
        yield f"the types of domain '{domain.name}'", iter(domain.types)
        yield f"the constants of domain '{domain.name}'", iter(domain.constants)
        declared: tuple[Predicate | Function, ...] = (*domain.predicates, *domain.functions)
        for node in declared:
            yield f"the declaration of '{node.name}'", iter((node, *node.parameters))
        for action in domain.actions:
            yield f"the parameters of action '{action.name}'", iter(action.parameters)
            yield f"the precondition of action '{action.name}'", _nodes(action.precondition)
            yield f"the effect of action '{action.name}'", _nodes(action.effect)
        for axiom in domain.axioms:
            yield f"the axiom for '{axiom.head.name}'", iter((axiom, *axiom.head.parameters, *_nodes(axiom.body)))


def _nodes(formula: Node) -> Iterator[Node]:
    """Yield all nodes of a condition or an effect, including quantified parameters and cost terms."""
    for node in walk(formula):  # type: ignore[arg-type]
        yield node
        if isinstance(node, Exists | Forall):
            yield from node.parameters
        elif isinstance(node, Increase):
            yield from (node.target, *([node.amount] if isinstance(node.amount, FunctionTerm) else []))
