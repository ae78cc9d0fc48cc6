"""Positive normal form: negated fluents become facts of their own, so that relaxed reachability judges them, too.

    (not (locked ?f))    (or (not (start-locked ?f)) (false-locked ?f))

`start-locked` are the facts at the start, which nothing changes. An effect that deletes `(locked f)` adds
`(false-locked f)`. So no fact that is false at the start has to be listed, however many there are. Without deletes,
each condition holds wherever the original one may hold, and maybe elsewhere. So a negated derived fact counts as true
if some rule negates anything: the rule may hold too often in this form.
"""

from __future__ import annotations

from unpuzzle.pddl.declarations import Action, Axiom, Domain, Predicate
from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, Imply, Not, Or, When, effects, walk
from unpuzzle.pddl.nodes import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

START, FALSE = "unpuzzle-start-", "unpuzzle-false-"


class PositiveForm:
    """A task in positive normal form. It is the same task if no effect deletes anything."""

    def __init__(self, task: Task) -> None:
        domain, problem = task.domain, task.problem
        parts = [part for action in domain.actions for part in effects(action.effect)]
        self._fluents: set[str] = {part.predicate for part in parts if isinstance(part, Atom)}
        negating = any(isinstance(part, Not | Imply) for axiom in domain.axioms for part in walk(axiom.body))
        self._unsure: set[str] = {axiom.head.name for axiom in domain.axioms if negating}
        more = [
            Predicate(prefix + each.name, each.parameters)
            for prefix in (START, FALSE)
            for each in domain.predicates
            if each.name in self._fluents
        ]
        actions = [
            Action(each.name, each.parameters, self.condition(each.precondition), self._effect(each.effect))
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
        """Return a condition or, unless `sign`, its negation in positive normal form."""
        if isinstance(condition, Not):
            return self.condition(condition.operand, not sign)
        if isinstance(condition, Atom):
            if sign or condition.predicate not in self._fluents:
                return condition if sign else And() if condition.predicate in self._unsure else Not(condition)
            names = [prefix + condition.predicate for prefix in (START, FALSE)]
            start, false = (Atom(name, condition.arguments) for name in names)
            return Or((Not(start), false))
        if isinstance(condition, Imply):
            parts = self.condition(condition.premise, not sign), self.condition(condition.conclusion, sign)
            return Or(parts) if sign else And(parts)
        if isinstance(condition, Exists | Forall):
            kind = Exists if isinstance(condition, Exists) == sign else Forall
            return kind(condition.parameters, self.condition(condition.body, sign))
        kind = And if isinstance(condition, And) == sign else Or
        return kind(tuple([self.condition(part, sign) for part in condition.operands]))

    def _effect(self, effect: Any) -> Any:
        if isinstance(effect, Not):
            atom = effect.operand
            return And((effect, Atom(FALSE + atom.predicate, atom.arguments)))
        if isinstance(effect, When):
            return When(self.condition(effect.condition), self._effect(effect.effect))
        return effect.rebuilt([self._effect(part) for part in effect.children()])
