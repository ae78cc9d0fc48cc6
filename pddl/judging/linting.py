"""lint: all faults of a text at once, not only the first.

    errors      the reader refuses the text
    warnings    it is read, but is probably a mistake, or other programs may refuse it

A text that the reader refuses is read again by the tolerant reader, which notes each fault at its place and continues;
its result is checked for errors only. A fault that occurs in several places is reported once, at the first. The checks
are in `checks`, questions about correct texts in `suspicions`, and the joining of faults with one cause in `joining`.
"""

from __future__ import annotations

from unpuzzle.limits import Limits, looked
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.judging.checks import CHECKS, NAME_CHECKS
from unpuzzle.pddl.judging.fault import ERROR, Fault, Faults
from unpuzzle.pddl.judging.joining import joined, told_once, with_whole_words
from unpuzzle.pddl.judging.lint_report import Lint
from unpuzzle.pddl.judging.task_warnings import by_place, suspect
from unpuzzle.pddl.judging.understanding import Understood, swapped, understood
from unpuzzle.pddl.reading.complaints import Tick, tick_of


def lint(
    domain_text: str,
    problem_text: str | None = None,
    *,
    domain_name: str | None = None,
    problem_name: str | None = None,
    limits: Limits | Tick | None = None,
) -> Faults:
    """Return all faults of a domain and perhaps a problem, by file and position. Raises LimitReached."""
    tick = tick_of(limits, "looking for faults")
    if problem_text is not None and swapped(domain_text, problem_text):
        message = "the files are swapped: this is the problem, and the domain comes first"
        fault = Fault(domain_name, 1, 1, ERROR, message, 1, 1, "swapped-files")
        others = lint(problem_text, domain_text, domain_name=problem_name, problem_name=domain_name, limits=tick)
        return Faults([fault, *others])
    domain = understood(domain_text, "domain", domain_name, None, tick)
    problem = None if problem_text is None else understood(problem_text, "problem", problem_name, domain.domain, tick)
    broken = domain.broken or (problem is not None and problem.broken)
    faults = [*domain.faults, *(problem.faults if problem else ())]
    if domain.domain is not None:
        found = _checked(domain.domain, problem, broken, tick)
        unsure = {"wrong-type", "unknown-type"} if any(fault.code == "typed-list" for fault in faults) else set()
        faults += [fault for fault in found if not broken or (fault.severity == ERROR and fault.code not in unsure)]
    texts = {domain_name: domain_text}
    if problem_text is not None:
        texts = {problem_name: problem_text} | texts if problem_name != domain_name else {}
    return Faults(with_whole_words(told_once(by_place(faults, domain_name), texts, domain.domain), texts))


def _checked(domain: Domain, problem: Understood | None, broken: bool, tick: Tick | None) -> list[Fault]:
    """Return the faults found by the checks; suspicions are checked only if there are no errors."""
    report = Lint(domain, problem.problem if problem else None, problem.denied if problem else ())
    report.tick = tick
    for check in looked(NAME_CHECKS if broken else CHECKS, tick):
        check(report)
    errors = {fault.code for fault in report.faults if fault.severity == ERROR}
    if not broken and not errors:
        suspect(report, unsolvable=False)
    if "unknown-variable" in errors:  # a misspelt variable counts as used
        report.faults = [fault for fault in report.faults if fault.code not in ("unused-variable", "wide-type")]
    return joined(report)
