"""lint: every fault of a text at once, not only the first.

    errors      the reader refuses the text
    warnings    it is read, but is probably not what was meant, or other programs may refuse it

A text that the reader refuses is read again by the tolerant reader, which notes each fault at its place and goes on;
what it understood is checked for errors only. A fault that shows in several places is told once, at the first. The
checks stand in `checks`, what a correct text may still have been meant to say in `suspicions`.
"""

from __future__ import annotations

from unpuzzle.errors import LimitReached
from unpuzzle.limits import looked
from unpuzzle.pddl.formulas import OBJECT
from unpuzzle.pddl.judging.checks import CHECKS, MODEL_CHECKS, NAME_CHECKS
from unpuzzle.pddl.judging.fault import ERROR, Fault, Faults, together
from unpuzzle.pddl.judging.lint_report import Lint
from unpuzzle.pddl.reading.complaints import tick_of
from unpuzzle.words import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.limits import Limits
    from unpuzzle.pddl.declarations import Domain
    from unpuzzle.pddl.judging.understanding import Understood
    from unpuzzle.pddl.reading.complaints import Tick
    from unpuzzle.pddl.reading.reader import Reading

_MOST_LINES = 5
"""The most lines that are named where one fault occurs in several places."""


def lint(
    domain_text: str,
    problem_text: str | None = None,
    *,
    domain_name: str | None = None,
    problem_name: str | None = None,
    limits: Limits | Tick | None = None,
) -> Faults:
    """Return all faults of a domain and perhaps a problem, by file and position. Raises LimitReached."""
    from unpuzzle.pddl.judging.understanding import swapped, understood

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
    return Faults(_told_once(_by_place(faults, domain_name), texts))


def _checked(domain: Domain, problem: Understood | None, broken: bool, tick: Tick | None) -> list[Fault]:
    """Return what the checks find; suspicions only about what has no errors."""
    report = Lint(domain, problem.problem if problem else None, problem.denied if problem else ())
    report.tick = tick
    for check in looked(NAME_CHECKS if broken else CHECKS, tick):
        check(report)
    errors = {fault.code for fault in report.faults if fault.severity == ERROR}
    if not broken and not errors:
        from unpuzzle.pddl.judging.suspicions import SUSPICIONS

        for suspicion in looked(SUSPICIONS, tick):
            suspicion(report)
    if "unknown-variable" in errors:  # that which is misspelt is used
        report.faults = [fault for fault in report.faults if fault.code not in ("unused-variable", "wide-type")]
    _join_parameters(report)
    _join_untyped(report)
    return _without_sections(report)


def _join_parameters(report: Lint) -> None:
    """Put one fault for all unknown variables of an action that has no parameters at all."""
    for action in report.domain.actions:
        span = action.span
        if action.parameters or span is None:
            continue
        lines = range(span.line, span.source.position(span.end)[0] + 1)
        own = [
            fault
            for fault in report.faults
            if fault.code == "unknown-variable" and fault.file == span.file and fault.line in lines
        ]
        variables = " ".join(dict.fromkeys(fault.message.split("'")[1] for fault in own))
        if " " in variables:
            message = f"'{action.name}' has no parameters, and uses some: write :parameters ({variables})"
            joined = own[0].replace(message=message, fix=None)
            report.faults = [joined if fault is own[0] else fault for fault in report.faults if fault not in own[1:]]


def _join_untyped(report: Lint) -> None:
    """Put one fault for all objects that were declared without a type, and are of a wrong one."""
    untyped = {item.name for item in (report.problem.objects if report.problem else ()) if item.types == OBJECT}
    own = [
        fault
        for fault in report.faults
        if fault.code == "wrong-type"
        and fault.message.startswith("the object")
        and fault.message.split("'")[1] in untyped
    ]
    names = list(dict.fromkeys(fault.message.split("'")[1] for fault in own))
    types = list(dict.fromkeys(fault.message.split("'")[-2] for fault in own))
    if len(own) > 1:
        write = f"- {types[0]} after {'it' if len(names) == 1 else 'them'}" if len(types) == 1 else "- TYPE after each"
        have = "has" if len(names) == 1 else "have"
        message = f"{listing(repr(name) for name in names)} {have} no type in (:objects ...): write {write}"
        joined = own[0].replace(message=message, places=len(own))
        report.faults = [joined if fault is own[0] else fault for fault in report.faults if fault not in own[1:]]


def _without_sections(report: Lint) -> list[Fault]:
    """Return the faults of a report, with one fault for all names of a section that is not there."""
    domain, problem = report.domain, report.problem
    lacking = {
        "unknown-predicate": (not domain.predicates, "predicates", ":predicates"),
        "unknown-type": (not domain.types, "types", ":types"),
        "unknown-object": (problem is not None and not problem.objects, "objects", ":objects"),
    }
    faults, told = [], set()
    for fault in report.faults:
        empty, what, section = lacking.get(fault.code, (False, "", ""))
        same = [other.message for other in report.faults if empty and other.code == fault.code]
        names = list(dict.fromkeys(message.split("'")[1] for message in same))
        if len(names) < 2:
            faults.append(fault)
        elif fault.code not in told:
            told.add(fault.code)
            listed = ", ".join(names[:10])
            message = f"no {what} are declared, so all are unknown: write ({section} ...) with {listed}"
            faults.append(fault.replace(message=message, code="no-section", fix=None))
    return faults


def warnings(reading: Reading) -> list[Fault]:
    """Return the warnings that bear on a planner's verdict about a task, in the order of `lint`.

    Warnings about requirements are left out: they concern other programs.
    """
    report = Lint(reading.domain, reading.problem)
    for code, message, node, word in reading.complaints:
        report.warning(code, message, node, word)
    for check in looked(MODEL_CHECKS, reading.tick):
        check(report)
    return _by_place(report.faults, reading.domain.span.file if reading.domain.span else None)


def suspicions(reading: Reading) -> list[Fault]:
    """Return what a task was perhaps not meant to say, in the order of `lint`; none where limits end the search."""
    from unpuzzle.pddl.judging.suspicions import SUSPICIONS

    report = Lint(reading.domain, reading.problem)
    report.tick = reading.tick
    try:
        for suspicion in looked(SUSPICIONS, reading.tick):
            suspicion(report)
    except LimitReached:
        return []
    return _by_place(report.faults, reading.domain.span.file if reading.domain.span else None)


def _by_place(faults: list[Fault], of_domain: str | None) -> list[Fault]:
    """Return the faults of the domain, then those of the problem, each once, by position."""
    order = {fault: (fault.file != of_domain, fault.line or 0, fault.column or 0) for fault in faults}
    return sorted(order, key=order.__getitem__)


_OF_THE_DOMAIN = frozenset("unknown-predicate unknown-function unknown-type arity".split())
"""Codes of faults that show in the problem, too, when the domain declares something wrong."""


def _told_once(faults: list[Fault], texts: dict[str | None, str]) -> list[Fault]:
    """Return the faults; one that shows in several places stands at the first, and names the lines of the others."""
    first: dict[tuple[str | None, str, str], list[Fault]] = {}
    for fault in faults:
        file = None if fault.code in _OF_THE_DOMAIN else fault.file
        first.setdefault((file, fault.code, fault.message), []).append(fault)
    return [_joined(same, texts) for same in first.values()]


def _joined(faults: list[Fault], texts: dict[str | None, str]) -> Fault:
    """Return one fault for several that say the same."""
    first, *others = faults
    here = [fault for fault in others if fault.file == first.file]
    if not others:
        return first
    lines = list(dict.fromkeys(str(fault.line) for fault in here))
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    where = [f"line{'s' if len(lines) > 1 else ''} {', '.join(lines[:_MOST_LINES])}{more}"] if lines else []
    where += ["the problem"] if len(here) < len(others) else []
    fixes = [fault.fix for fault in (first, *here) if fault.fix is not None]
    fix = together(texts[first.file], fixes) if here and first.file in texts and len(fixes) > len(here) else first.fix
    message = f"{first.message} (also in {' and in '.join(where)})"
    return first.replace(message=message, fix=fix, places=len(faults))
