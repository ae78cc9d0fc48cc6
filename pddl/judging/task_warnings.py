"""Warnings and suspicions about a task that the reader accepts, for the commands that search for a plan."""

from __future__ import annotations

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import within_limits
from unpuzzle.pddl.judging.checks import MODEL_CHECKS
from unpuzzle.pddl.judging.fault import Fault
from unpuzzle.pddl.judging.lint_report import Lint
from unpuzzle.pddl.reading.reader import Reading

LET_MORE_HAPPEN = frozenset("not-deleted delete-unasked equal-arguments unbound-parameter type-line".split())
"""Codes of suspicions that cannot explain a missing plan, unless the task requires atoms to be false."""


def warnings(reading: Reading) -> list[Fault]:
    """Return the warnings that matter for a planner's result, in the order of `lint`.

    Warnings about requirements are left out: they concern other programs.
    """
    report = Lint(reading.domain, reading.problem)
    for code, message, node, word in reading.complaints:
        report.warning(code, message, node, word)
    for check in within_limits(MODEL_CHECKS, long=True):
        check(report)
    return by_place(report.faults, reading.domain.span.file if reading.domain.span else None)


def suspicions(reading: Reading, *, unsolvable: bool = False) -> list[Fault]:
    """Return the suspicions about a task, in the order of `lint`; none if a limit ends the search.

    `unsolvable`: leave out those that cannot explain a missing plan.
    """
    report = Lint(reading.domain, reading.problem)
    try:
        suspect(report, unsolvable=unsolvable)
    except LimitReached:
        return []
    return by_place(report.faults, reading.domain.span.file if reading.domain.span else None)


def by_place(faults: list[Fault], of_domain: str | None) -> list[Fault]:
    """Return the faults by position, without repetitions; the domain's faults come before the problem's faults."""
    order = {fault: (fault.file != of_domain, fault.line or 0, fault.column or 0) for fault in faults}
    return sorted(order, key=order.__getitem__)


def suspect(report: Lint, *, unsolvable: bool) -> None:
    """Report suspicions; if `unsolvable`, report only those that may explain why there is no plan."""
    from unpuzzle.pddl.judging.suspicions import SUSPICIONS, asks_for_what_is_false

    for suspicion in within_limits(SUSPICIONS, long=True):
        suspicion(report)
    if unsolvable and not asks_for_what_is_false(report):
        report.faults = [fault for fault in report.faults if fault.code not in LET_MORE_HAPPEN]
