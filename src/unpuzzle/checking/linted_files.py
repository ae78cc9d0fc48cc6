"""Lint many files at once: match problems to domains, check plans and games in files, and correct faults in place.

    files = [ListedFile("d.pddl", text), ListedFile("p1.pddl", text), ListedFile("plan.txt", text)]
    lint_files(files)            the faults of all of them, by file in their order
    mended(files)                the texts after corrections, as long as these make no new errors

The text decides whether a file is a domain, a problem or a plan. A problem belongs to the domain that it names, first
to one in its own folder, or to the only domain given.

Actions that can never apply and goals that nothing reaches are found by grounding. Delete effects are ignored, so every
report is certain, but some unreachable parts are missed. Applicable actions without a cost are errors.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature
from unpuzzle.base.limits import Limits
from unpuzzle.base.run import Run, phase
from unpuzzle.base.text import listing
from unpuzzle.base.values import Record
from unpuzzle.pddl.costs import may_lack_costs
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.judging.fault import ERROR, Fault, edited
from unpuzzle.pddl.judging.lint_report import fault_at
from unpuzzle.pddl.judging.linting import lint
from unpuzzle.pddl.judging.plan_faults import lint_plan
from unpuzzle.pddl.judging.understanding import fault_of, kind_of, swapped, understood
from unpuzzle.pddl.node import Source
from unpuzzle.pddl.nodes import Node, Task
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.writer import write
from unpuzzle.pddl_game.picturing.picture import picture_faults, problem_picture_faults
from unpuzzle.planners import native
from unpuzzle.planners.native.grounding import survey

DOMAIN, PROBLEM, PLAN = "domain", "problem", "plan"
GROUNDING_SECONDS = 10.0
"""Seconds for grounding to find unreachable actions and goals; a larger task is not judged."""
BEGINNING = 1_000_000
"""Characters of a text that are read to find out its kind."""
ROUNDS = 20
"""The most rounds of corrections, each made in the text after the earlier ones."""
_NAME = re.compile(r"\(\s*define\s*\(\s*domain\s+([^\s()]+)", re.IGNORECASE)
_OF = re.compile(r"\(\s*:domain\s+([^\s()]+)", re.IGNORECASE)
STDIN = "<stdin>"
_STEP = re.compile(
    r"\s*(?:(?:step\s*)?[\d.]*\s*[.):-]?\s*)?\(?[\w-]+[\s(),\w.-]*\)?\s*(?:\[[\d.]+\])?\s*", re.IGNORECASE
)


class ListedFile(Record):
    """A text with its name, its kind, and notes made while it was read."""

    name: str
    text: str
    kind: str = ""
    notes: tuple[Note, ...] = ()

    def faults(self) -> list[Fault]:
        source = Source(self.text, self.name)
        return [fault_of(note, source) for note in self.notes]


def kind_of_file(name: str, text: str) -> str:
    """Return the kind of a text: domain, problem or plan; a text without definitions and steps counts as a domain.

    Steps without brackets look like levels of puzzles, so they make a plan only where the file's name does not.
    """
    text = text[:BEGINNING]
    if (kind := kind_of(text)) is not None:
        return kind
    lines = [line.partition(";")[0].strip() for line in text.split("\n")]
    lines = [line for line in lines if line and not line.startswith("```")]
    steps = [line for line in lines if _STEP.fullmatch(line) and not line.startswith("(:")]
    named = os.path.splitext(name)[1] in (".plan", ".soln") or "plan" in os.path.basename(name).lower()
    alone = len(steps) == len(lines) and (name == STDIN or any("(" in line for line in lines))
    if "define" not in text and ((steps and (named or alone)) or (named and text.lstrip()[:1] in ("[", "{", "<"))):
        return PLAN
    return PROBLEM if re.search(r"\(\s*(problem\s|:init|:goal)", text) else DOMAIN


def lint_files(files: Sequence[ListedFile], *, texts_only: bool = False) -> list[Fault]:
    """Return the faults of all files, in their order. Raises LimitReached.

    With `texts_only`, no task is grounded and no picture made, which takes longer than reading; their faults are left
    out.
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
            faults, task = _of_domain(domain, own, found, texts_only)
            tasks |= task
            found[domain.name] += faults
            if not texts_only:
                found[domain.name] += picture_faults(domain.text, domain.name, task.values())
        for problem in problems:
            if problem.name in tasks and not texts_only:
                found[problem.name] += problem_picture_faults(problem.text, problem.name, tasks[problem.name])
        for plan in files:
            if plan.kind == PLAN:
                found[plan.name] += lint_plan(plan.text, plan.name, _task_of(plan, problems, tasks))
        return [fault for faults in found.values() for fault in faults]


def _task_of(plan: ListedFile, problems: list[ListedFile], tasks: dict[str, Task]) -> Task | None:
    """Return the task of a plan: of the only problem, or of the one whose name begins alike."""
    names = [problem.name for problem in problems]
    if len(names) != 1:
        names = [name for name in names if name.split(".")[0] == plan.name.split(".")[0]]
    return tasks.get(names[0]) if len(names) == 1 else None


def without_domain(files: Sequence[ListedFile]) -> list[ListedFile]:
    """Return the problems whose domain is not among the files."""
    domains = [file for file in files if file.kind == DOMAIN]
    return [file for file in files if file.kind == PROBLEM and _home(file, domains) is None]


def domain_of(problem: ListedFile) -> str | None:
    """Return the name of the domain that a problem names."""
    wanted = _OF.search(problem.text)
    return wanted[1].lower() if wanted else None


def domain_name(domain: ListedFile) -> str | None:
    name = _NAME.search(domain.text)
    return name[1].lower() if name else None


def _of_domain(
    domain: ListedFile, problems: list[ListedFile], found: dict[str, list[Fault]], texts_only: bool
) -> tuple[list[Fault], dict[str, Task]]:
    """Return the faults that a domain has with each of its problems, and the tasks without errors by problem.

    The faults of the problems are added to `found`.
    """
    if not problems:
        return _faults(domain, None, texts_only)[0], {}
    common: dict[Fault, None] | None = None
    tasks: dict[str, Task] = {}
    for problem in problems:
        faults, task = _faults(domain, problem, texts_only)
        own = dict.fromkeys(fault for fault in faults if fault.file != problem.name)
        found[problem.name] += [fault for fault in faults if fault.file == problem.name]
        common = own if common is None else {fault: None for fault in common if fault in own}
        tasks |= {problem.name: task} if task else {}
    return list(common or ()), tasks


def _faults(domain: ListedFile, problem: ListedFile | None, texts_only: bool) -> tuple[list[Fault], Task | None]:
    text, name = (problem.text, problem.name) if problem else (None, None)
    faults = lint(domain.text, text, domain_name=domain.name, problem_name=name)
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


def _home(problem: ListedFile, domains: list[ListedFile]) -> ListedFile | None:
    wanted = domain_of(problem)
    named = [domain for domain in domains if wanted is not None and domain_name(domain) == wanted]
    beside = [domain for domain in named if os.path.dirname(domain.name) == os.path.dirname(problem.name)]
    return next(iter([*beside, *named, *(domains if len(domains) == 1 else [])]), None)


def are_swapped(files: Sequence[ListedFile]) -> bool:
    """Return whether two files are a problem and its domain, in this order."""
    return len(files) == 2 and swapped(files[0].text, files[1].text)


def mended(
    files: Sequence[ListedFile], find: Callable[[Sequence[ListedFile]], list[Fault]]
) -> tuple[list[ListedFile], dict[str, int]]:
    """Return the files after corrections, and the number of corrections in each.

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
    """Return an error for each applicable action without a defined cost; limits and core as in `unreachable`."""
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
    """Return warnings about a well-formed task; none without the compiled core, or if a limit ends the grounding.

    None either for a task that the core refuses.
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
