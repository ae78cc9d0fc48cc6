"""Judge explanations of why there is no plan: by every state that the reference semantics reaches, and by mending.

    faults(task, explain(task))          sentences about false claims; none for a true explanation
    for what, easier in without_reason(task, explanation): assert_solvable(easier)

The second is for tasks with only one fault: once the reason's facts are removed from the goal, there is a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unpuzzle.explanation.chains import FactChains
from unpuzzle.explanation.excuses import excused
from unpuzzle.explanation.reasons import GOAL_SET, MUTEX, NO_ACHIEVER, SEARCH, SMALLER, Explanation, with_goal
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import And, Atom, Condition, Not, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import text
from unpuzzle.solving import solve

MOST_STATES = 20_000
MOST_EXPANDED = 200_000


def faults(task: Task, explanation: Explanation, most_states: int = MOST_STATES) -> list[str]:
    """Return the false claims of an explanation; for tasks with more states, only those that show without search."""
    reached = _Reached(task, most_states)
    wrong = [f"{excuse} there is still no plan" for excuse in explanation.excuses if not _solved(excused(task, excuse))]
    if not reached.complete:
        return wrong
    solvable = reached.some([task.problem.goal])
    if explanation.solvable is not None and explanation.solvable != solvable:
        return [*wrong, f"it says {explanation.solvable}, and is {'' if solvable else 'not '}solvable"]
    return [*wrong, *_false_reasons(task, explanation, reached)] if explanation.solvable is False else wrong


def without_reason(task: Task, explanation: Explanation) -> Iterator[tuple[str, Task]]:
    """Yield a task for each way to remove the reason's facts from the goal, with the removed part.

    If a set of goals cannot all be reached, all but any one of them can, and so can the other goals.
    """
    goals, facts = _goals(task), explanation.reasons[0].facts
    if explanation.kind == NO_ACHIEVER:
        lost = FactChains(task).unreachable(goals.values())
        yield "what is out of reach", with_goal(task, [goal for goal in goals.values() if goal not in lost])
    for fact in facts if explanation.kind == MUTEX else ():
        yield fact, with_goal(task, [goal for name, goal in goals.items() if name != fact])
    if explanation.kind == GOAL_SET:
        yield "all of the set", with_goal(task, [goal for name, goal in goals.items() if name not in facts])
    for fact in facts if explanation.kind == GOAL_SET and len(facts) > 1 else ():
        yield fact, with_goal(task, [goals[name] for name in facts if name != fact])


class _Reached:
    """The states that can be reached, if they are few enough."""

    def __init__(self, task: Task, most: int) -> None:
        self._semantics = Semantics(task)
        self.states = [self._semantics.initial]
        seen = {self._semantics.initial}
        for state in self.states:
            if len(self.states) > most:
                break
            for action in self._semantics.applicable(state):
                after = self._semantics.apply(state, action)
                if after not in seen:
                    seen.add(after)
                    self.states.append(after)
        self.complete: bool = len(self.states) <= most

    def some(self, conditions: Sequence[Condition]) -> bool:
        """Return whether a state satisfies all of some conditions."""
        condition = And(tuple(conditions))
        return any(self._semantics.holds(state, condition) for state in self.states)


def _false_reasons(task: Task, explanation: Explanation, reached: _Reached) -> Iterator[str]:
    goals = _goals(task)
    named = [goals.get(fact) or _condition(fact) for fact in explanation.reasons[0].facts]
    if explanation.kind == NO_ACHIEVER:
        facts = [fact for reason in explanation.reasons[1:] for fact in reason.facts[: 1 if reason.actions else None]]
        conditions = [*named, *[_condition(fact) for fact in facts if "?" not in fact]]
        for condition in conditions:
            if condition is not None and reached.some([condition]):
                yield f"{condition} can be true"
    elif explanation.kind in (MUTEX, GOAL_SET):
        parts = [each for each in named if each is not None]
        if len(parts) < len(named) or reached.some(parts):
            yield f"{explanation.reasons[0].facts} can be true together"
        for part in parts if len(parts) > 1 and explanation.kind == GOAL_SET else ():
            sure = explanation.unfinished != SMALLER
            if sure and not reached.some([each for each in parts if each is not part]):
                yield f"without {part} it cannot be reached either"
    elif explanation.kind != SEARCH:
        yield f"{explanation.kind!r} is not a kind of reason"
    if explanation.states is not None and explanation.states != len(reached.states):
        yield f"the states are {len(reached.states)}, not {explanation.states}"


def _goals(task: Task) -> dict[str, Condition]:
    return {text(goal, {}): goal for goal in conjuncts(task.problem.goal)}


def _condition(fact: str) -> Condition | None:
    """Return the literal of a text; None for other conditions."""
    negated = fact.startswith("(not (")
    words = fact.removeprefix("(not ").strip("()").split()
    if "(" in " ".join(words) or fact.startswith(("(and", "(or", "(exists", "(forall")):
        return None
    atom = Atom(words[0], tuple(words[1:]))
    return Not(atom) if negated else atom


def _solved(task: Task) -> bool:
    return solve(task, "native:gbfs", max_expanded=MOST_EXPANDED).solved
