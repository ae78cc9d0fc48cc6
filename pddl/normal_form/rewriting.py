"""Functions that rewrite effects and conditions part by part; and the positive normal form of a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Axiom, Domain, Predicate
from unpuzzle.pddl.formulas import (
    And,
    Atom,
    Condition,
    Effect,
    Exists,
    Forall,
    Imply,
    Node,
    Not,
    Or,
    TypedName,
    When,
    effects,
    walk,
)
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.normal_form.single_effects import substituted
from unpuzzle.pddl.world import Types

Guards = Callable[[Sequence[TypedName]], tuple[Atom, ...]]
"""A function from variables to conditions on the objects that they stand for."""
START, FALSE = "unpuzzle-start-", "unpuzzle-false-"
MOST_INSTANCES = 64
"""The most instances of a `forall` that are listed."""


def _same(part: Any) -> Any:
    return part


def rewritten(effect: Effect, condition: Callable[[Any], Any] = _same, single: Callable[[Any], Any] = _same) -> Any:
    """Return an effect with conditions replaced by `condition`, and with literals and costs replaced by `single`."""
    if isinstance(effect, When):
        return When(condition(effect.condition), rewritten(effect.effect, condition, single), span=effect.span)
    if isinstance(effect, And | Forall):
        return effect.rebuilt([rewritten(part, condition, single) for part in effect.children()])
    return single(effect)


def restricted(condition: Condition, guards: Guards) -> Any:
    """Return a condition with each quantifier restricted to objects that satisfy the guard conditions."""
    own = guards(condition.parameters) if isinstance(condition, Exists | Forall) else ()
    rebuilt: Any = condition.rebuilt([restricted(part, guards) for part in condition.children()])
    if not own:
        return rebuilt
    body = And((*own, rebuilt.body)) if isinstance(rebuilt, Exists) else Imply(And(own), rebuilt.body)
    return rebuilt.replace(body=body)


def restricted_effect(effect: Effect, guards: Guards) -> Any:
    """Return an effect with each quantifier restricted to objects that satisfy the guard conditions."""
    if isinstance(effect, When):
        return When(restricted(effect.condition, guards), restricted_effect(effect.effect, guards))
    own = guards(effect.parameters) if isinstance(effect, Forall) else ()
    rebuilt: Any = effect.rebuilt([restricted_effect(part, guards) for part in effect.children()])
    return rebuilt.replace(body=When(And(own), rebuilt.body)) if own else rebuilt


def fluent_predicates(domain: Domain) -> frozenset[str]:
    """Return the predicates of all atoms that actions may change."""
    parts = [part for action in domain.actions for part in effects(action.effect)]
    return frozenset(part.predicate for part in parts if isinstance(part, Atom))


def typed_names(*parts: Any) -> Iterator[TypedName]:
    """Yield the objects and variables that are declared in nodes, or in tuples of nodes, each with its types."""
    for part in parts:
        if isinstance(part, TypedName):
            yield part
        elif isinstance(part, tuple):
            yield from typed_names(*part)
        elif isinstance(part, Node) and not isinstance(part, Atom):
            yield from typed_names(*[getattr(part, name) for name in part._fields if name != "types"])


class PositiveForm:
    """A task in positive normal form, which is equivalent to the original task if effects delete nothing.

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
        """Return a condition (or, unless `sign`, its negation) in positive normal form."""
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
