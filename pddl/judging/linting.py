"""lint: every fault of a text at once, not only the first.

    errors      the reader refuses the text
    warnings    it is read, but is probably not what was meant, or other programs may refuse it

A text whose brackets or sections make no sense is not linted: its syntax error is raised. A check is a function that
takes a `Lint` and reports to it; all of them stand in `CHECKS`.
"""

from __future__ import annotations

from unpuzzle.limits import looked
from unpuzzle.pddl.features import TOTAL_COST
from unpuzzle.pddl.formulas import FunctionTerm, Increase, conjuncts
from unpuzzle.pddl.judging import names
from unpuzzle.pddl.judging.argument_types import Arguments
from unpuzzle.pddl.node import Node
from unpuzzle.pddl.reading.complaints import tick_of
from unpuzzle.pddl.reading.lexer import TokenSpan
from unpuzzle.pddl.reading.sections import domain_as_written, problem_as_written
from unpuzzle.record import Record
from unpuzzle.words import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.pddl.declarations import Domain, Problem
    from unpuzzle.pddl.formulas import Atom
    from unpuzzle.pddl.node import Span
    from unpuzzle.pddl.reading.complaints import Tick
    from unpuzzle.pddl.reading.reader import Reading


class Fault(Record):
    """One fault: its place (line and column from 1), `severity` `error` or `warning`, and a sentence."""

    file: str | None
    line: int | None
    column: int | None
    severity: str
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message}"


class Lint:
    """A domain and perhaps a problem, as they were written, and their faults so far.

    `denied` are the atoms that the problem's `:init` negates; `tick` is called often, and may raise.
    """

    tick: Callable[[], None] | None = None

    def __init__(self, domain: Domain, problem: Problem | None, denied: tuple[Atom, ...] = ()) -> None:
        self.domain = domain
        self.problem = problem
        self.denied = denied
        self.faults: list[Fault] = []

    def error(self, message: str, node: Node, word: str | None = None) -> None:
        self._report("error", message, node, word)

    def warning(self, message: str, where: Node | Span | None, word: str | None = None) -> None:
        self._report("warning", message, where, word)

    def _report(self, severity: str, message: str, where: Node | Span | None, word: str | None) -> None:
        span = where.span if isinstance(where, Node) else where
        if word is not None and isinstance(span, TokenSpan):
            span = span.find(word)
        file, line, column = (span.file, span.line, span.column) if span else (None, None, None)
        self.faults.append(Fault(file, line, column, severity, message))


def lint(
    domain_text: str,
    problem_text: str | None = None,
    *,
    domain_name: str | None = None,
    problem_name: str | None = None,
    limits: Limits | Tick | None = None,
) -> list[Fault]:
    """Return all faults of a domain and perhaps a problem, by file and position.

    Raises ParseError for a syntax error, UnsupportedFeature for a feature that is not offered, LimitReached.
    """
    tick = tick_of(limits, "looking for faults")
    domain = domain_as_written(domain_text, domain_name, tick)
    report = Lint(
        domain,
        *(problem_as_written(problem_text, domain, problem_name, tick) if problem_text is not None else (None,)),
    )
    report.tick = tick
    for check in looked(CHECKS, tick):
        check(report)
    return _by_place(report)


def warnings(reading: Reading) -> list[Fault]:
    """Return the warnings that bear on a planner's verdict about a task, in the order of `lint`.

    Warnings about requirements are left out: they concern other programs.
    """
    report = Lint(reading.domain, reading.problem)
    for message, node, word in reading.complaints:
        report.warning(message, node, word)
    for check in looked(MODEL_CHECKS, reading.tick):
        check(report)
    return _by_place(report)


def _by_place(report: Lint) -> list[Fault]:
    """Return the faults of the domain, then those of the problem, each once, by position."""
    of_domain = report.domain.span and report.domain.span.file
    order = {fault: (fault.file != of_domain, fault.line or 0, fault.column or 0) for fault in report.faults}
    return sorted(order, key=order.__getitem__)


def check_names(report: Lint) -> None:
    """Report names that are unknown or declared twice, and wrong numbers of arguments."""
    names.check_domain(report.domain, report.error)
    if report.problem:
        names.check_problem(report.problem, report.domain, report.error, report.denied, report.tick)


def check_arguments(report: Lint) -> None:
    """Report arguments and variables of wrong types."""
    arguments = Arguments(report)
    arguments.check_domain()
    arguments.check_problem(report.denied)


def check_domain_name(report: Lint) -> None:
    """Report a problem that is of another domain."""
    domain, problem = report.domain, report.problem
    if problem and problem.domain_name != domain.name:
        span = problem.span.find(":domain") if isinstance(problem.span, TokenSpan) else problem.span
        message = f"the problem is of the domain '{problem.domain_name}', but this domain is '{domain.name}'"
        report.warning(message, span, problem.domain_name)


def check_parents(report: Lint) -> None:
    """Report types that are only named as a parent."""
    declared = {item.name for item in report.domain.types}
    unreported = {parent for item in report.domain.types for parent in item.types} - {"object", *declared}
    for item in report.domain.types:
        for parent in item.types:
            if parent in unreported:
                unreported.remove(parent)
                message = f"the type '{parent}' is not declared, only used as a parent{suggestion(parent, declared)}"
                report.warning(message, item, parent)


def check_repetitions(report: Lint) -> None:
    """Report equal declarations; `names` reports those that differ."""
    domain, problem = report.domain, report.problem
    objects = (*domain.constants, *(problem.objects if problem else ()))
    groups: dict[str, Iterable[Any]] = {"type": domain.types, "object": objects}
    groups |= {"predicate": domain.predicates, "function": domain.functions}
    for kind, nodes in groups.items():
        for node in _repeated(nodes, lambda node: node.name):
            report.warning(f"the {kind} '{node.name}' is declared twice", node, node.name)
    for node in _repeated((*problem.init, *problem.values), lambda node: node) if problem else ():
        report.warning(f"{getattr(node, 'term', node)} is given twice in the initial state", node)


def _repeated(nodes: Iterable[Any], key: Callable[[Any], Any]) -> Iterator[Any]:
    earlier = set()
    for node in nodes:
        if key(node) in earlier:
            yield node
        earlier.add(key(node))


def check_requirements(report: Lint) -> None:
    """Report requirements that are missing, in the problem only those that its domain lacks, and superfluous ones."""
    from unpuzzle.pddl.judging import requirements

    domain, problem = report.domain, report.problem
    by_domain = requirements.of_domain(domain)
    by_problem = requirements.of_problem(problem) if problem else set()
    in_domain = requirements.covered(domain.requirements)
    missing: list[tuple[Domain | Problem, set[str]]] = [(domain, by_domain - in_domain)]
    if problem:
        missing.append((problem, by_problem - by_domain - in_domain - requirements.covered(problem.requirements)))
    for node, lacking in missing:
        for requirement in sorted(lacking):
            report.warning(f"the requirement '{requirement}' is missing", node, ":requirements")
        for requirement in node.requirements:
            if requirement != ":strips" and not requirements.covered([requirement]) & (by_domain | by_problem):
                report.warning(f"the requirement '{requirement}' is superfluous", node, requirement)


def check_costs(report: Lint) -> None:
    """Report a total-cost that is not declared, does not start at 0, or is not minimized."""
    domain, problem = report.domain, report.problem
    increases: list[Increase] = []
    for action in domain.actions:
        own = [effect for effect in conjuncts(action.effect) if isinstance(effect, Increase)]
        increases += own
        for increase in own[1:]:
            report.warning(f"'{action.name}' adds to total-cost twice: some planners count only one", increase)
    first = increases[0] if increases else None
    if first and TOTAL_COST not in {function.name for function in domain.functions}:
        report.warning("the function 'total-cost' is not declared", first, TOTAL_COST)
    if not (problem and first):
        return
    functions = {value.term.function for value in problem.values}
    if not any(value.term == FunctionTerm(TOTAL_COST) for value in problem.values):
        report.warning("(total-cost) has no initial value: write (= (total-cost) 0)", problem, ":init")
    if problem.metric is None:
        report.warning("actions add to total-cost, but no metric asks for it: each costs 1", problem)
    amounts = [increase.amount for increase in increases]
    for function in dict.fromkeys(amount.function for amount in amounts if isinstance(amount, FunctionTerm)):
        if function not in functions:
            report.warning(f"the function '{function}' has no value in the initial state", problem, ":init")


MODEL_CHECKS: tuple[Callable[[Lint], None], ...] = (check_domain_name, check_parents, check_repetitions, check_costs)
CHECKS = (check_names, check_arguments, *MODEL_CHECKS, check_requirements)
