"""Explain which actions of a task are never applicable: `explain DOMAIN PROBLEM --actions`.

Most actions apply in one of the first states. Each of the others is explained like a goal: that some objects fulfil its
precondition (`reasons`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from unpuzzle.checking.reasons import NO_ACHIEVER, SECONDS, SMALL_EFFORT, Explainer, Explanation, Reason, with_goal
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, Limits, ticked
from unpuzzle.pddl.nodes import Action, Exists, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Plain, Shown
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import listing

FIRST_STATES = 40
"""States in which all actions are tried, before any of them is examined by itself."""


@dataclass(frozen=True, slots=True)
class Applicability(Shown, Plain):
    """The action schemas that are never applicable in a task.

    Attributes:
        never: the explanation for each of them, in the order of the domain.
        unknown: the names of schemas for which a limit left it open.
        status: `complete`, or the limit that ended the work.
    """

    never: tuple[Explanation, ...] = ()
    unknown: tuple[str, ...] = ()
    status: str = COMPLETE

    schema = "applicability"

    def __str__(self) -> str:
        if self.never or self.unknown:
            return "\n\n".join(map(str, self.never))
        return "every action is applicable in some state that can be reached"

    def unfinished(self) -> str:
        """Return the question that a limit left open; empty if there is none."""
        return f"whether {listing(self.unknown, 'or')} is ever applicable" if self.unknown else ""


def explain_actions(subject: Position | Task, *, limits: Limits | Deadline | None = None) -> Applicability:
    """Return the actions that are never applicable, each with the reasons.

    Without a time limit the work ends after 20 seconds. Raises UnsupportedFeature as planners do.
    """
    deadline = Deadline.of(limits, "explaining")
    deadline = deadline.within(SECONDS) if deadline.time_left() is None else deadline
    task = subject if isinstance(subject, Task) else subject.task()
    seen, never, unknown, status = set[str](), list[Explanation](), list[str](), COMPLETE
    try:
        _see(Semantics(task, limits=deadline), seen)
    except LimitReached as reached:
        status = reached.status
    for number, action in enumerate(actions := [each for each in task.domain.actions if each.name not in seen]):
        left = deadline.time_left()
        share = None if left is None else left / (len(actions) - number)
        explanation = _explained(task, action, Deadline(deadline.limits.lasting(share), "explaining"))
        if explanation.solvable is None:
            unknown.append(action.name)
            status = explanation.status
        elif not explanation.solvable:
            never.append(explanation)
    return Applicability(tuple(never), tuple(unknown), status if unknown else COMPLETE)


def _see(semantics: Semantics, seen: set[str]) -> None:
    """Add the names of the actions that are applicable in the first states, breadth first."""
    states = dict.fromkeys([semantics.initial])
    for number in range(FIRST_STATES):
        if number == len(states) or len(seen) == len(semantics.task.domain.actions):
            return
        state = list(states)[number]
        for action in ticked(semantics.applicable(state), semantics.types.tick):
            seen.add(action.name)
            if len(states) < FIRST_STATES:
                states.setdefault(semantics.apply(state, action))


def _explained(task: Task, action: Action, deadline: Deadline) -> Explanation:
    """Return why an action is never applicable, if it is not."""
    precondition = Exists(action.parameters, action.precondition) if action.parameters else action.precondition
    explainer = Explainer(with_goal(task, [precondition]), deadline, SMALL_EFFORT, wanting="its precondition")
    try:
        found = explainer.explanation(mending=False)
    except LimitReached as reached:
        found = replace(explainer.known, status=reached.status, unfinished=explainer.phase)
    reasons = found.reasons[1:] if found.kind == NO_ACHIEVER else found.reasons
    never = Reason(f"{action.name} is never applicable", (), (action.name,))
    return replace(found, action=action.name, reasons=(never, *reasons))
