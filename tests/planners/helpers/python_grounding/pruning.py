"""What a ground task can do without; `core/grounding/pruning.hpp` says why."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .formulas import Conjunction
    from .ground_task import GroundOperator, GroundTask


def simplify(task: GroundTask) -> set[int]:
    """Drop what is impossible and what is certain; `goal` becomes None if it is impossible.

    Returns the literals that can hold.
    """
    certain: set[int] = set()  # derived facts that are always true
    while True:
        possible = _possible(task, certain)
        _reduce(task, possible)
        found = {head for head, body in task.axioms if not body}
        if not found:
            return possible
        certain |= found


def _possible(task: GroundTask, certain: set[int]) -> set[int]:
    needs: list[int] = []
    gives: list[int] = []
    waiting: dict[int, list[int]] = {}
    possible: set[int] = set()
    pending: list[int] = []

    def reach(literal: int) -> None:
        if literal not in possible:
            possible.add(literal)
            pending.append(literal)

    for fact in range(len(task.facts)):
        starts = task.every_start if fact in certain else task.initial.get(fact, 0)
        if starts:
            reach(fact)
        if starts != task.every_start:
            reach(~fact)
    for needed, given in _changes(task):
        missing = set(needed)
        for literal in missing:
            waiting.setdefault(literal, []).append(len(needs))
        needs.append(len(missing))
        gives.append(given)
        if not missing:
            reach(given)
    while pending:
        for change in waiting.get(pending.pop(), ()):
            needs[change] -= 1
            if not needs[change]:
                reach(gives[change])
    return possible


def _changes(task: GroundTask) -> Iterator[tuple[Conjunction, int]]:
    """Pairs: where all these literals can hold, that one can."""
    for operator in task.operators:
        for effect in operator.effects:
            yield operator.precondition + effect.condition, effect.fact if effect.add else ~effect.fact
    for head, body in task.axioms:
        yield body, head


def _reduce(task: GroundTask, possible: set[int]) -> None:
    def reduced(literals: Conjunction) -> Conjunction | None:
        if not possible.issuperset(literals):
            return None
        return tuple([literal for literal in literals if ~literal in possible])

    operators = []
    for operator in task.operators:
        precondition = reduced(operator.precondition)
        if precondition is not None:
            operator.precondition = precondition
            effects = []
            for effect in operator.effects:
                condition = reduced(effect.condition)
                if condition is not None and (~effect.fact if effect.add else effect.fact) in possible:
                    effects.append(type(effect)(condition, effect.fact, effect.add))
            operator.effects = tuple(effects)
            operators.append(operator)
    task.operators = operators
    task.axioms = [
        (head, body) for head, whole in task.axioms if ~head in possible and (body := reduced(whole)) is not None
    ]
    if task.goal is not None:
        task.goal = reduced(task.goal)
    task.kept = {literal for literal in task.kept if literal in possible and ~literal in possible}


def prune_irrelevant(task: GroundTask) -> set[int]:
    """Drop effects on facts that the goal and `kept` do not depend on, however indirectly, then operators without
    effects. Returns the facts that remain.
    """
    assert task.goal is not None
    by_fact: dict[int, list[tuple[GroundOperator | None, Conjunction]]] = {}
    for operator in task.operators:
        for effect in operator.effects:
            by_fact.setdefault(effect.fact, []).append((operator, effect.condition))
    for head, body in task.axioms:
        by_fact.setdefault(head, []).append((None, body))
    relevant: set[int] = set()
    pending = [*task.goal, *task.kept]
    if task.faithful:
        pending.extend(literal for operator in task.operators for literal in operator.precondition)
    seen: set[int] = set()
    while pending:
        literal = pending.pop()
        fact = literal if literal >= 0 else ~literal
        if fact in relevant:
            continue
        relevant.add(fact)
        for owner, condition in by_fact.get(fact, ()):
            pending.extend(condition)
            if owner is not None and id(owner) not in seen:
                seen.add(id(owner))
                pending.extend(owner.precondition)
    for operator in task.operators:
        operator.effects = tuple([effect for effect in operator.effects if effect.fact in relevant])
    if not task.faithful:
        task.operators = [operator for operator in task.operators if operator.effects]
    task.axioms = [(head, body) for head, body in task.axioms if head in relevant]
    task.initial = {fact: starts for fact, starts in task.initial.items() if fact in relevant}
    return relevant
