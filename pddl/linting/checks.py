"""The list of lint's checks; each check is a function that reports faults to a `Lint`.

`warnings` and `suspicions` are about a task that the reader accepts, for the commands that search for a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import within_limits
from unpuzzle.base.text import corrected, nearest, suggestion
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.formulas import TOTAL_COST, FunctionTerm, Increase, When, conjuncts
from unpuzzle.pddl.linting import names
from unpuzzle.pddl.linting.fault import Fault, Lint, removal
from unpuzzle.pddl.linting.names import Arguments
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.pddl.syntax import TokenSpan

LET_MORE_HAPPEN = frozenset("not-deleted delete-unasked equal-arguments unbound-parameter type-line".split())
"""Codes of suspicions that cannot explain a missing plan, unless the task requires atoms to be false."""
LEAST_COSTED = 3
"""The least number of actions with a cost beside which one without is suspicious; of three, one is often free."""


def check_names(report: Lint) -> None:
    """Report unknown names, contradictory declarations of one name, and wrong numbers of arguments."""
    names.check_domain(report.domain, report.error)
    if report.problem:
        names.check_problem(report.problem, report.domain, report.error, report.denied)


def check_arguments(report: Lint) -> None:
    """Report arguments whose types do not fit the parameters, and variables that are unused, hidden or repeated."""
    report.arguments = arguments = Arguments(report)
    arguments.check_domain()
    arguments.check_problem(report.denied)
    found = [fault for fault in report.faults if fault.code in ("wrong-type", "wide-type")]
    report.misfits = list(zip(found, arguments.misfits, strict=True))


def check_domain_name(report: Lint) -> None:
    domain, problem = report.domain, report.problem
    if problem and problem.domain_name != domain.name:
        span = problem.span.find(":domain") if isinstance(problem.span, TokenSpan) else problem.span
        message = f"the problem is of the domain '{problem.domain_name}', but this domain is '{domain.name}'"
        sure = corrected(problem.domain_name, (domain.name,)) is not None
        report.warning("domain-name", message, span, problem.domain_name, domain.name, sure=sure)


def check_parents(report: Lint) -> None:
    """Report types that are used as a parent type but are not declared."""
    declared = {item.name for item in report.domain.types}
    unreported = {parent for item in report.domain.types for parent in item.types} - {"object", *declared}
    for item in report.domain.types:
        for parent in item.types:
            if parent in unreported:
                unreported.remove(parent)
                message = f"the type '{parent}' is not declared, only used as a parent{suggestion(parent, declared)}"
                sure = corrected(parent, declared) is not None
                report.warning("parent-only", message, item, parent, nearest(parent, declared), sure=sure)


def check_repetitions(report: Lint) -> None:
    """Report equal declarations of one name, and facts that occur twice in the initial state."""
    domain, problem = report.domain, report.problem
    objects = (*domain.constants, *(problem.objects if problem else ()))
    groups: dict[str, Iterable[Any]] = {"type": domain.types, "object": objects}
    groups |= {"predicate": domain.predicates, "function": domain.functions}
    others = [fault.message for fault in report.faults if fault.code in ("declared-differently", "type-circle")]
    for kind, nodes in groups.items():
        for node in _repeated(nodes, lambda node: node.name):
            if any(f"'{node.name}'" in other or f"{node.name} is of type" in other for other in others):
                continue
            report.warning("declared-twice", f"the {kind} '{node.name}' is declared twice", node, node.name)
    for node in _repeated((*problem.init, *problem.values), lambda node: node) if problem else ():
        message = f"{getattr(node, 'term', node)} is given twice in the initial state"
        report.warning("given-twice", message, node, fix=removal(node))


def _repeated(nodes: Iterable[Any], key: Callable[[Any], Any]) -> Iterator[Any]:
    earlier = set()
    for node in nodes:
        if key(node) in earlier:
            yield node
        earlier.add(key(node))


def check_costs(report: Lint) -> None:
    """Report if `total-cost` is not declared, does not start at 0, or is not minimized."""
    domain, problem = report.domain, report.problem
    increases: list[Increase] = []
    for action in domain.actions:
        own = [effect for effect in conjuncts(action.effect) if isinstance(effect, Increase)]
        increases += own
        for increase in own[1:]:
            message = f"'{action.name}' adds to total-cost twice: some planners count only one"
            report.warning("two-costs", message, increase)
    free = [each for each in domain.actions if not any(isinstance(part, Increase) for part in conjuncts(each.effect))]
    if len(free) == 1 and len(domain.actions) > LEAST_COSTED and (problem is None or problem.metric is not None):
        message = (
            f"'{free[0].name}' adds nothing to total-cost, unlike the other {len(domain.actions) - 1} actions, so it"
            f" costs 0: write (increase (total-cost) 0) if that is meant"
        )
        report.warning("no-cost", message, free[0], free[0].name)
    first = increases[0] if increases else None
    if first and TOTAL_COST not in {function.name for function in domain.functions}:
        report.warning("cost-undeclared", "the function 'total-cost' is not declared", first, TOTAL_COST)
    if not (problem and first):
        return
    functions = {value.term.function for value in problem.values}
    if not any(value.term == FunctionTerm(TOTAL_COST) for value in problem.values):
        message = "(total-cost) has no initial value: write (= (total-cost) 0)"
        report.warning("cost-not-started", message, problem, ":init", ":init (= (total-cost) 0)")
    if problem.metric is None:
        report.warning(
            "no-metric", "actions add to total-cost, but no metric minimizes it: every action costs 1", problem
        )
    amounts = [increase.amount for increase in increases]
    for function in dict.fromkeys(amount.function for amount in amounts if isinstance(amount, FunctionTerm)):
        if function not in functions:
            message = f"the function '{function}' has no value in the initial state"
            report.warning("no-value-given", message, problem, ":init")


def check_nesting(report: Lint) -> None:
    """Report a `when` inside a `when`, which PDDL does not allow."""
    for action in report.domain.actions:
        for outer in _conditional(action.effect):
            inner = next(_conditional(outer.effect), None)
            if inner is not None:
                message = "a 'when' inside a 'when', which other programs refuse: join the conditions by (and ...)"
                report.warning("nested-when", message, inner)


def _conditional(effect: Any) -> Iterator[When]:
    """Yield the outermost conditional effects in an effect, but none that is inside another conditional effect."""
    if isinstance(effect, When):
        yield effect
    else:
        for part in effect.children():
            yield from _conditional(part)


NAME_CHECKS = (check_names, check_arguments)
MODEL_CHECKS: tuple[Callable[[Lint], None], ...] = (check_domain_name, check_parents, check_repetitions, check_costs)


def warnings(reading: Reading) -> list[Fault]:
    """Return the warnings to show together with a planner's result, in the order of `lint`.

    Warnings about requirements are left out: they concern other programs.
    """
    report = Lint(reading.domain, reading.problem)
    for code, message, node, word in reading.complaints:
        report.warning(code, message, node, word)
    for check in within_limits(MODEL_CHECKS, long=True):
        check(report)
    return by_place(report.faults, reading.domain.span.file if reading.domain.span else None)


def suspicions(reading: Reading, *, unsolvable: bool = False) -> list[Fault]:
    """Return the suspicions about a task: warnings about code that is valid but probably wrong.

    `unsolvable`: leave out those that cannot explain a missing plan.
    """
    report = Lint(reading.domain, reading.problem)
    try:
        suspect(report, unsolvable=unsolvable)
    except LimitReached:
        return []
    return by_place(report.faults, reading.domain.span.file if reading.domain.span else None)


def by_place(faults: list[Fault], of_domain: str | None) -> list[Fault]:
    """Sort faults by position, the domain's before the problem's, and remove duplicates."""
    order = {fault: (fault.file != of_domain, fault.line or 0, fault.column or 0) for fault in faults}
    return sorted(order, key=order.__getitem__)


def suspect(report: Lint, *, unsolvable: bool) -> None:
    """Run all checks for suspicious code; if `unsolvable`, keep only faults that may explain why no plan exists."""
    from unpuzzle.pddl.linting.suspicions import SUSPICIONS, may_require_false_atoms

    for suspicion in within_limits(SUSPICIONS, long=True):
        suspicion(report)
    if unsolvable and not may_require_false_atoms(report):
        report.faults = [fault for fault in report.faults if fault.code not in LET_MORE_HAPPEN]
