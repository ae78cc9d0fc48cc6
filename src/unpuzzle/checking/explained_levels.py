"""Explain in the words of a game why a level has no solution: the goal parts that can be reached, and the nearest miss.

All reachable positions are explored, and the parts of the goal that they fulfil are reported (`spaces.shortfalls`). The
reasons from the PDDL (`reasons.explain`) are added if the parts explain nothing, since there is only one, or if the
game names no parts. If the level is too large to explore, only the reasons are given; so is the game's own reason
for a level that consists of constraints.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from unpuzzle.base.distances import Explorer
from unpuzzle.base.errors import LimitReached, UnsupportedFeature
from unpuzzle.base.limits import Limits
from unpuzzle.base.run import Run, current, part
from unpuzzle.checking.reasons import (
    NO_ACHIEVER,
    SEARCH,
    SECONDS,
    SMALL_EFFORT,
    WHETHER,
    Explainer,
    Explanation,
    Reason,
    explain,
    usually,
    with_goal,
)
from unpuzzle.pddl.nodes import Action, Exists, Task
from unpuzzle.pddl.semantics import Semantics, State
from unpuzzle.puzzle.position import Position
from unpuzzle.solving import is_filled_in
from unpuzzle.spaces.exploration import Exploration, explore
from unpuzzle.spaces.shortfalls import Shortfall, find_shortfall, searched
from unpuzzle.spaces.space import COMPLETE

MOST_STATES = 200_000
"""The most positions of a level for which its nearest miss is searched for."""
SHARE = 0.5
"""The share of the time for exploring; the rest is for the reasons."""


def explain_level(position: Position, *, limits: Limits | None = None) -> Explanation:
    """Return why a level has no solution, or the first step of a solution.

    Without a time limit the work ends after 20 seconds. Raises Interrupted as `explain` does, and UnsupportedFeature if
    neither the rules nor the PDDL of the game can be searched.
    """
    with usually(limits, "explaining"):
        try:
            said = position.impossible()
        except LimitReached as reached:
            return Explanation(None, status=reached.status, unfinished=WHETHER)
        if said is not None and is_filled_in(position):
            return Explanation(False, SEARCH, (Reason(said),))
        exploration, shortfall = _searched(position)
        if exploration is not None and exploration.cost is not None:
            plan = exploration.space.plan() or ()
            return Explanation(True, step=str(plan[0]) if plan else None)
        try:
            told = shortfall is not None and len(shortfall.parts) > 1 and bool(position.goal_parts())
            explanation = None if told else explain(position)
        except UnsupportedFeature:  # there is no PDDL: only the rules can explain
            if exploration is None:
                raise
            explanation = None
        if explanation is None or (explanation.solvable is None and shortfall is not None):
            explanation = _by_rules(position, exploration, said)
        explanation = _with_impossible(said, explanation)
        return explanation if shortfall is None else explanation.replace(shortfall=shortfall)


def _with_impossible(said: str | None, explanation: Explanation) -> Explanation:
    """Return an explanation that begins with the reason that the game itself gives, if it gives one."""
    if said is None or explanation.solvable:
        return explanation
    reasons = (Reason(said), *[reason for reason in explanation.reasons if reason.text != said])
    if explanation.solvable is None:
        explanation = explanation.replace(solvable=False, kind=SEARCH, status=COMPLETE, unfinished="")
    return explanation.replace(reasons=reasons)


def _searched(position: Position) -> tuple[Exploration | None, Shortfall | None]:
    """Return the state space if it is complete in time, and the nearest miss of an unsolvable level."""
    exploration = shortfall = None
    with suppress(LimitReached), part("exploring", share=SHARE):
        explored = explore(position, max_states=MOST_STATES)
        if explored.complete:
            exploration = explored
            shortfall = None if explored.cost is not None else find_shortfall(explored)
    return exploration, shortfall


def _by_rules(position: Position, exploration: Exploration | None, said: str | None) -> Explanation:
    """Return an explanation according to the rules of the game, from the explored state space if it is given."""
    if exploration is None:
        return explain(position)
    reason = Reason(said or searched(exploration.states))
    return Explanation(False, SEARCH, (reason,), states=exploration.states)


# Explain which actions of a task are never applicable: `explain DOMAIN PROBLEM --actions`.
#
# Most actions apply in one of the first states. Each of the others is explained like a goal: that some objects fulfil
# its precondition (`reasons`).

FIRST_STATES = 40
"""States in which all actions are tried, before any of them is examined by itself."""


def explain_actions(subject: Position | Task, *, limits: Limits | None = None) -> tuple[Explanation, ...]:
    """Return an explanation for each action schema that is never applicable; its `action` is the schema's name.

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
    """Add the names of the actions that are applicable in the first states of a breadth-first search."""

    def steps(state: State) -> Iterator[tuple[None, State, str]]:
        for action in semantics.applicable(state):
            seen.add(action.name)
            yield None, semantics.apply(state, action), action.name

    explorer = Explorer(semantics.initial, steps)
    while explorer.depth is not None and len(seen) < len(semantics.task.domain.actions):
        explorer.expand(FIRST_STATES)


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
