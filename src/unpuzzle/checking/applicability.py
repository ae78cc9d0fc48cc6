"""Explain which actions of a task are never applicable: `explain DOMAIN PROBLEM --actions`.

Most actions apply in one of the first states. Each of the others is explained like a goal: that some objects fulfil its
precondition (`reasons`).
"""

from __future__ import annotations

from unpuzzle.checking.reasons import (
    NO_ACHIEVER,
    SECONDS,
    SMALL_EFFORT,
    Explainer,
    Explanation,
    Reason,
    usually,
    with_goal,
)
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Limits
from unpuzzle.pddl.nodes import Action, Exists, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.position import Position
from unpuzzle.run import Run, current

FIRST_STATES = 40
"""States in which all actions are tried, before any of them is examined by itself."""


def explain_actions(subject: Position | Task, *, limits: Limits | None = None) -> tuple[Explanation, ...]:
    """Return why some actions are never applicable: an explanation for each, with `action`, the name of the schema.

    It is not `solvable`, or None if a limit left that open. Without a time limit the work ends after 20 seconds. Raises
    UnsupportedFeature as planners do.
    """
    with usually(limits, "explaining"):
        task = subject if isinstance(subject, Task) else subject.task()
        seen = set[str]()
        try:
            _see(Semantics(task), seen)
        except LimitReached:
            pass  # each action that was not seen reports it
        actions = [each for each in task.domain.actions if each.name not in seen]
        explanations = []
        for number, action in enumerate(actions):
            share = (current().time_left() or SECONDS) / (len(actions) - number)
            explanations.append(_explained(task, action, share))
        return tuple([each for each in explanations if not each.solvable])


def _see(semantics: Semantics, seen: set[str]) -> None:
    """Add the names of the actions that are applicable in the first states, breadth first."""
    states = [semantics.initial]
    for state in states:
        for action in semantics.applicable(state):
            seen.add(action.name)
            if len(states) < FIRST_STATES and (after := semantics.apply(state, action)) not in states:
                states.append(after)
        if len(seen) == len(semantics.task.domain.actions):
            return


def _explained(task: Task, action: Action, seconds: float) -> Explanation:
    precondition = Exists(action.parameters, action.precondition) if action.parameters else action.precondition
    explainer = Explainer(with_goal(task, [precondition]), SMALL_EFFORT, wanting="its precondition")
    try:
        with Run(Limits(time=seconds)):
            found = explainer.explanation(mending=False)
    except LimitReached as reached:
        found = explainer.known.replace(status=reached.status)
    unfinished = f"whether {action.name} is ever applicable" if found.solvable is None else found.unfinished
    never = [Reason(f"{action.name} is never applicable", (), (action.name,))] * (found.solvable is False)
    reasons = found.reasons[1:] if found.kind == NO_ACHIEVER else found.reasons
    return found.replace(action=action.name, reasons=(*never, *reasons), unfinished=unfinished)
