"""Warn of actions that can never apply and goals that nothing reaches, by grounding, for `unpuzzle lint`.

Delete effects are ignored, so every report is certain, but some unreachable parts are missed. Applicable actions
without a cost are errors.
"""

from __future__ import annotations

from unpuzzle.errors import LimitReached, UnsupportedFeature
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.costs import may_lack_costs
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.judging.fault import Fault
from unpuzzle.pddl.judging.lint_report import fault_at
from unpuzzle.pddl.nodes import Node, Task
from unpuzzle.pddl.writer import write
from unpuzzle.planners import native
from unpuzzle.planners.native.grounding import survey
from unpuzzle.words import listing


def undefined_costs(task: Task, limits: Limits) -> list[Fault]:
    """Return an error for each applicable action without a defined cost; limits and core as in `unreachable`."""
    if not may_lack_costs(task) or native.missing() is not None:
        return []
    try:
        errors = survey.costless(task, Deadline(limits, "grounding"))
    except (LimitReached, UnsupportedFeature):  # such as a cost that is too large for the core
        return []
    return [
        Fault(error.file, error.line, error.column, "error", error.message, code="undefined-cost") for error in errors
    ]


def unreachable(task: Task, limits: Limits) -> list[Fault]:
    """Return warnings about a well-formed task; none without the compiled core, or if a limit ends the grounding.

    None either for a task that the core refuses.
    """
    if native.missing() is not None:
        return []
    try:
        actions, goals = survey.unreachable(task, list(conjuncts(task.problem.goal)), Deadline(limits, "grounding"))
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
