"""Checks of many files at once: problems are matched to domains, plans and games checked, and faults corrected.

    files = [PddlText("d.pddl", text, DOMAIN), PddlText("p1.pddl", text, PROBLEM), ...]
    lint_files(files)            the faults of all of them, by file in their order
    mended(files)                the texts after corrections, as long as these make no new errors

A problem belongs to the domain that it names, as `pddl.matching` finds it among the texts, or to the only one given.

Actions that can never apply and goals that nothing reaches are found by grounding. Delete effects are ignored, so every
report is certain, but some unreachable parts are missed. Applicable actions without a cost are errors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.base.text import listing
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.judging.fault import ERROR, Fault, edited
from unpuzzle.pddl.judging.lint_report import fault_at
from unpuzzle.pddl.judging.linting import found_faults
from unpuzzle.pddl.judging.plan_faults import lint_plan
from unpuzzle.pddl.judging.understanding import swapped, understood
from unpuzzle.pddl.matching import DOMAIN, PLAN, PROBLEM, PddlText, domain_for, problem_for
from unpuzzle.pddl.nodes import Node, Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.world import may_lack_costs
from unpuzzle.pddl.writer import write
from unpuzzle.pddl_game.picture import picture_faults, problem_picture_faults
from unpuzzle.planners import native
from unpuzzle.planners.native.grounding import survey

GROUNDING_SECONDS = 10.0
"""Seconds for grounding to find unreachable actions and goals; a larger task is not judged."""
ROUNDS = 20
"""The most rounds of corrections, each made in the text after the earlier ones."""


def lint_files(files: Sequence[PddlText], *, texts_only: bool = False, suspicions: bool = True) -> list[Fault]:
    """Return the faults of all files, in the order of the files. Raises LimitReached.

    With `texts_only`, no task is grounded and no picture made, which takes longer than reading; their faults are left
    out, and so are suspicions about texts without errors, unless they are requested.
    """
    with phase("looking for faults"):
        domains = [file for file in files if file.kind == DOMAIN]
        problems = [file for file in files if file.kind == PROBLEM]
        found: dict[str, list[Fault]] = {file.name: file.faults() for file in files}
        tasks: dict[str, Task] = {}
        homes = {problem.name: _home(problem, domains) for problem in problems}
        for problem in problems:
            if homes[problem.name] is None:
                found[problem.name] += understood(problem.text, PROBLEM, problem.name, None).faults
        for domain in domains:
            own = [problem for problem in problems if homes[problem.name] is domain]
            faults, own_tasks = _of_domain(domain, own, found, texts_only, suspicions)
            tasks |= own_tasks
            found[domain.name] += faults
            if not texts_only:
                found[domain.name] += picture_faults(domain.text, domain.name, own_tasks.values())
        for problem in problems:
            if problem.name in tasks and not texts_only:
                found[problem.name] += problem_picture_faults(problem.text, problem.name, tasks[problem.name])
        for plan in files:
            if plan.kind == PLAN:
                own_problem = problem_for(plan.name, problems)
                task = None if own_problem is None else tasks.get(own_problem.name)
                found[plan.name] += lint_plan(plan.text, plan.name, task)
        return [fault for faults in found.values() for fault in faults]


def without_domain(files: Sequence[PddlText]) -> list[PddlText]:
    """Return the problems that have no domain among the files."""
    domains = [file for file in files if file.kind == DOMAIN]
    return [file for file in files if file.kind == PROBLEM and _home(file, domains) is None]


def _of_domain(
    domain: PddlText, problems: list[PddlText], found: dict[str, list[Fault]], texts_only: bool, suspicions: bool
) -> tuple[list[Fault], dict[str, Task]]:
    """Return the faults that a domain has with each problem, and the error-free tasks by problem.

    The faults of the problems are added to `found`.
    """
    if not problems:
        return _faults(domain, None, texts_only, suspicions)[0], {}
    common: dict[Fault, None] | None = None
    tasks: dict[str, Task] = {}
    for problem in problems:
        faults, task = _faults(domain, problem, texts_only, suspicions)
        own = dict.fromkeys(fault for fault in faults if fault.file != problem.name)
        found[problem.name] += [fault for fault in faults if fault.file == problem.name]
        common = own if common is None else {fault: None for fault in common if fault in own}
        tasks |= {problem.name: task} if task else {}
    return list(common or ()), tasks


def _faults(
    domain: PddlText, problem: PddlText | None, texts_only: bool, suspicions: bool
) -> tuple[list[Fault], Task | None]:
    text, name = (problem.text, problem.name) if problem else (None, None)
    faults: list[Fault] = found_faults(domain.text, text, domain.name, name, suspicions=suspicions)
    if problem is None or texts_only or any(fault.severity == ERROR for fault in faults):
        return faults, None
    try:
        task = parse_task(domain.text, problem.text, domain_name=domain.name, problem_name=name)
    except (ParseError, UnsupportedFeature):  # the reader refuses it, and lint only warns
        return faults, None
    costless = undefined_costs(task)
    if costless:  # these say more than the warning
        return [fault for fault in faults if fault.code != "no-value-given"] + costless, task
    never = {fault.message.split("'")[1] for fault in faults if fault.code == "never-enabled"}
    further = unreachable(task)
    return faults + [fault for fault in further if not {*fault.message.split("'")[1::2]} <= never or not never], task


def _home(problem: PddlText, domains: list[PddlText]) -> PddlText | None:
    """Return a problem's domain: the named domain, first from the problem's folder, or the only domain; else None."""
    folder = os.path.dirname(problem.name)
    beside = [domain for domain in domains if os.path.dirname(domain.name) == folder]
    try:
        return domain_for(problem, (beside, domains))
    except UsageError:
        return domains[0] if len(domains) == 1 else None


def are_swapped(files: Sequence[PddlText]) -> bool:
    """Return whether two files are in the wrong order: a problem and then its domain."""
    return len(files) == 2 and swapped(files[0].text, files[1].text)


def mended(
    files: Sequence[PddlText], find: Callable[[Sequence[PddlText]], list[Fault]]
) -> tuple[list[PddlText], dict[str, int]]:
    """Return the files with corrections applied, and the number of corrections in each file.

    `find` returns the faults of files. Corrections that add errors are dropped.
    """
    now = list(files)
    numbers = dict.fromkeys((file.name for file in files), 0)
    faults = find(now)
    for _ in range(ROUNDS):
        progress = False
        for at, file in enumerate(now):
            fixes = list(dict.fromkeys(fault.fix for fault in faults if fault.file == file.name and fault.fix))
            for chosen in [fixes, *([fix] for fix in fixes if len(fixes) > 1)]:
                other = [*now[:at], file.replace(text=edited(file.text, chosen)), *now[at + 1 :]]
                after = find(other) if chosen and other[at] != file else faults
                if _weight(after) < _weight(faults):
                    now, faults, progress = other, after, True
                    numbers[file.name] += len(chosen)
                    break
        if not progress:
            break
    return now, numbers


def _weight(faults: list[Fault]) -> tuple[int, int, int]:
    errors = sum(fault.severity == ERROR for fault in faults)
    return errors, len(faults), sum(fault.places for fault in faults)


def undefined_costs(task: Task) -> list[Fault]:
    """Return an error for each applicable action without a defined cost; no errors without the core or at a limit."""
    if not may_lack_costs(task) or native.missing() is not None:
        return []
    try:
        with Run(Limits(time=GROUNDING_SECONDS), "grounding"):
            errors = survey.costless(task)
    except (LimitReached, UnsupportedFeature):  # such as a cost that is too large for the core
        return []
    return [
        Fault(error.file, error.line, error.column, "error", error.message, code="undefined-cost") for error in errors
    ]


def unreachable(task: Task) -> list[Fault]:
    """Return warnings about a well-formed task; no warnings without the compiled core, or if grounding hits a limit.

    There are none for a task that the core refuses, either.
    """
    if native.missing() is not None:
        return []
    try:
        with Run(Limits(time=GROUNDING_SECONDS), "grounding"):
            actions, goals = survey.unreachable(task, list(conjuncts(task.problem.goal)))
    except (LimitReached, UnsupportedFeature):  # such as a cost that is too large for the core
        return []
    faults = []
    if actions:
        names = listing([f"'{action.name}'" for action in actions])
        what = f"action {names}" if len(actions) == 1 else f"actions {names}"
        message = f"the {what} can never be applied in this problem"
        faults.append(_warning("unreachable-action", message, actions[0]))
    if goals:
        what = "this part" if len(goals) == 1 else "these parts"
        message = f"nothing can make {what} of the goal true: {' '.join(map(write, goals))}"
        faults.append(_warning("unreachable-goal", message, goals[0]))
    return faults


def _warning(code: str, message: str, node: Node) -> Fault:
    if node.span is None:
        return Fault(None, None, None, "warning", message, code=code)
    return fault_at(node.span, "warning", code, message)
