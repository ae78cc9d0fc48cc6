"""Search for unreachable actions and conditions, and for actions without a cost, by delete relaxation.

This is grounding up to the ground operators, for `unpuzzle lint` and for planners that do not use our grounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from unpuzzle.base.errors import ParseError
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Axiom, Domain, Predicate
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, Imply, Not, Or, walk
from unpuzzle.pddl.nodes import Action, Task
from unpuzzle.pddl.normal_form import fluent_predicates, rewritten, substituted
from unpuzzle.pddl.world import Types
from unpuzzle.planners.native.grounding import ground, undefined_costs
from unpuzzle.planners.native.grounding.flatten import Flat

START, FALSE = "unpuzzle-start-", "unpuzzle-false-"
MOST_INSTANCES = 64
"""The most instances of a `forall` that are listed."""


def unreachable(task: Task, conditions: Sequence[Condition]) -> tuple[tuple[Action, ...], tuple[Condition, ...]]:
    """Return the actions that are never applicable, and the conditions that are never true, if deletes are ignored.

    Deleted facts count as true and as false, so all of these are certain, but there may be more. Raises as `ground`
    does.
    """
    positive = PositiveForm(task)
    flat = Flat(positive.task, goals=[positive.condition(each) for each in conditions])
    grounding = ground(flat, instances_only=True)
    actions = zip(task.domain.actions, grounding.applicable, strict=True)
    goals = zip(conditions, grounding.goals, strict=True)
    return tuple([action for action, may in actions if not may]), tuple([goal for goal, may in goals if not may])


def costless(task: Task) -> list[ParseError]:
    """Return one error for each action cost that has no value. Raises the same exceptions as `ground`."""
    flat = Flat(task)
    return list(undefined_costs(flat, ground(flat, instances_only=True)))


class PositiveForm:
    """A copy of a task in which no condition negates a changeable atom, so that delete relaxation is possible.

    Negated fluents become separate facts, so that relaxed reachability can handle them:

    (not (locked ?f))    (or (not (start-locked ?f)) (false-locked ?f))

    `start-locked` are the facts at the start, which nothing changes. An effect that deletes `(locked f)` adds
    `(false-locked f)`. So no fact that is false at the start has to be listed, however many there are. Without deletes,
    each condition holds wherever the original one may hold, and maybe elsewhere. So a negated derived fact counts as
    true if some rule negates anything: the rule may hold too often in this form.
    """

    def __init__(self, task: Task) -> None:
        domain, problem = task.domain, task.problem
        self._types = Types(task)
        self._init = frozenset(problem.init)
        self._fluents = fluent_predicates(domain)
        negating = any(isinstance(part, Not | Imply) for axiom in domain.axioms for part in walk(axiom.body))
        self._unsure: set[str] = {axiom.head.name for axiom in domain.axioms if negating}
        more = [
            Predicate(prefix + each.name, each.parameters)
            for prefix in (START, FALSE)
            for each in domain.predicates
            if each.name in self._fluents
        ]
        actions = [
            each.replace(
                precondition=self.condition(each.precondition),
                effect=rewritten(each.effect, self.condition, self._effect),
            )
            for each in domain.actions
        ]
        axioms = [Axiom(each.head, self.condition(each.body)) for each in domain.axioms]
        start = [
            Atom(START + each.predicate, each.arguments) for each in problem.init if each.predicate in self._fluents
        ]
        changed: Domain = domain.replace(
            predicates=(*domain.predicates, *more), actions=tuple(actions), axioms=tuple(axioms)
        )
        goal = self.condition(problem.goal)
        self.task: Task = Task(changed, problem.replace(init=(*problem.init, *start), goal=goal).trusted(changed))

    def condition(self, condition: Any, sign: bool = True) -> Any:
        """Convert a condition, or its negation if `sign` is False, to a condition that negates no changeable atom."""
        if isinstance(condition, Not):
            return self.condition(condition.operand, not sign)
        if isinstance(condition, Atom):
            if sign or condition.predicate not in self._fluents:
                return condition if sign else And() if condition.predicate in self._unsure else Not(condition)
            start, false = (Atom(prefix + condition.predicate, condition.arguments) for prefix in (START, FALSE))
            if any(term.startswith("?") for term in condition.arguments):
                return Or((Not(start), false))
            return false if condition in self._init else And()
        if isinstance(condition, Imply):
            parts = self.condition(condition.premise, not sign), self.condition(condition.conclusion, sign)
            return Or(parts) if sign else And(parts)
        if isinstance(condition, Exists | Forall):
            kind = Exists if isinstance(condition, Exists) == sign else Forall
            sizes = [len(self._types.members(each.types)) for each in condition.parameters]
            if kind is Forall and prod(sizes) <= MOST_INSTANCES:  # reachability tests no `forall` before it has ended
                bindings = self._types.assignments(condition.parameters, {})
                return And(tuple([self.condition(substituted(condition.body, each), sign) for each in bindings]))
            return kind(condition.parameters, self.condition(condition.body, sign))
        joined = And if isinstance(condition, And) == sign else Or
        return joined(tuple([self.condition(part, sign) for part in condition.operands]))

    def _effect(self, effect: Any) -> Any:
        if not isinstance(effect, Not):
            return effect
        atom: Any = effect.operand
        return And((effect, Atom(FALSE + atom.predicate, atom.arguments)))
