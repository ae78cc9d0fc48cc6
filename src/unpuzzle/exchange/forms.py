"""A normal form of tasks; tasks in different words but with the same meaning become equal.

It is for comparison: it simplifies more than any translation here, but keeps states, applicable actions and costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from unpuzzle.pddl import formulas
from unpuzzle.pddl.declarations import Action, Axiom, Domain, Function, Predicate, Problem, ancestors, type_parents
from unpuzzle.pddl.formulas import TOTAL_COST
from unpuzzle.pddl.nodes import FunctionTerm, Task, TypedName
from unpuzzle.pddl.rewriting import quantified_effects, substituted, typed_names
from unpuzzle.pddl.world import Types, amounts

TRUE, FALSE = formulas.And(), formulas.Or()
TOTAL = FunctionTerm(TOTAL_COST)


def normal_form(task: Task) -> Task:
    """Return the normal form of a task; tasks that differ only in their wording have equal normal forms.

    Declarations, facts, effects, quantified variables and the parts of `and` and `or` are sorted; nested ones are
    merged; implications become disjunctions; no variable hides another; all objects are constants; types without
    objects and variables are left out. Costs are dropped without a metric, and if every action costs 1. Axioms of one
    predicate are merged.
    """
    domain, problem, types = task.domain, task.problem, Types(task)
    costs = _costs(task)
    actions = [
        action.replace(
            precondition=_normal(
                substituted(action.precondition, {each.name: each.name for each in action.parameters})
            ),
            effect=formulas.And((*_sorted(_effects(action, types)), *costs.get(action.name, ()))),
        )
        for action in domain.actions
    ]
    declared = {each.name: each for each in (*problem.objects, *domain.constants)}
    parents = type_parents(domain)
    whole = Task(
        Domain(
            domain.name,
            (),
            _sorted(TypedName(name, tuple(sorted(above))) for name, above in parents.items()),
            _sorted(TypedName(each.name, tuple(sorted(each.types))) for each in declared.values()),
            _sorted(_declaration(each) for each in domain.predicates),
            _sorted(_declaration(each) for each in domain.functions),
            _sorted(actions),
            _sorted(_axiom(each) for each in merged_axioms(domain.axioms)),
        ),
        Problem(
            problem.name,
            domain.name,
            (),
            (),
            _sorted(problem.init),
            _sorted(problem.values),
            _normal(substituted(problem.goal, {})),
            TOTAL if costs else None,
        ),
    )
    used = ancestors((name for each in typed_names(whole) for name in each.types), parents)
    types_used = tuple(each for each in whole.domain.types if each.name in used)
    return Task(whole.domain.replace(types=types_used), whole.problem)


def _costs(task: Task) -> dict[str, tuple[formulas.Increase, ...]]:
    """Return the costs of actions, by name; empty if every action costs 1."""
    if task.problem.metric is None:
        return {}
    costs = {action.name: amounts(action) for action in task.domain.actions}
    if all(parts == (1,) for parts in costs.values()):
        return {}
    return {name: tuple(formulas.Increase(TOTAL, part) for part in _sorted(parts)) for name, parts in costs.items()}


def _sorted(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(sorted(things, key=repr)))


def _declaration(node: Predicate | Function) -> Predicate | Function:
    """Return a declaration whose parameters are named by numbers, because the old names have no meaning."""
    return type(node)(
        node.name, tuple(TypedName(f"?{place}", each.types) for place, each in enumerate(node.parameters))
    )


def numbered(parameters: Iterable[TypedName]) -> tuple[tuple[TypedName, ...], dict[str, str]]:
    """Return parameters renamed to numbers, and a mapping from the old names to the new ones."""
    scope = {each.name: f"?{number}" for number, each in enumerate(parameters)}
    return tuple(TypedName(scope[each.name], each.types) for each in parameters), scope


def _effects(action: Action, types: Types) -> Iterator[formulas.Effect]:
    for each in quantified_effects(action, types):
        yield each.replace(parameters=_sorted(each.parameters), conditions=(_normal(each.condition),)).formula


def merged_axioms(axioms: Iterable[Axiom]) -> list[Axiom]:
    """Return one axiom for each predicate, with the parameters of the first axiom of the predicate."""
    heads: dict[str, Predicate] = {}
    bodies: dict[str, list[formulas.Condition]] = {}
    for axiom in axioms:
        head = heads.setdefault(axiom.head.name, axiom.head)
        places = zip(axiom.head.parameters, head.parameters, strict=True)
        names = {theirs.name: ours.name for theirs, ours in places}
        bodies.setdefault(head.name, []).append(substituted(axiom.body, names))
    return [Axiom(head, formulas.Or(tuple(bodies[name]))) for name, head in heads.items()]


def _axiom(axiom: Axiom) -> Axiom:
    bound, scope = numbered(axiom.head.parameters)
    return Axiom(Predicate(axiom.head.name, bound), _normal(substituted(axiom.body, scope)))


def _normal(condition: Any) -> Any:
    """Return a condition without implications, nested connectives and redundant constants."""
    if isinstance(condition, formulas.Imply):
        return _normal(formulas.Or((formulas.Not(condition.premise), condition.conclusion)))
    if isinstance(condition, formulas.Not):
        return _negated(_normal(condition.operand))
    if isinstance(condition, formulas.Exists | formulas.Forall):
        return type(condition)(_sorted(condition.parameters), _normal(condition.body))
    if not isinstance(condition, formulas.And | formulas.Or):
        return condition
    kind, other = (formulas.And, FALSE) if isinstance(condition, formulas.And) else (formulas.Or, TRUE)
    parts: list[Any] = []
    for part in map(_normal, condition.operands):
        parts += part.operands if isinstance(part, kind) else [part]
    ordered = _sorted(parts)
    if other in ordered:
        return other
    return ordered[0] if len(ordered) == 1 else kind(ordered)


def _negated(condition: Any) -> Any:
    if isinstance(condition, formulas.Not):
        return condition.operand
    return {TRUE: FALSE, FALSE: TRUE}.get(condition, formulas.Not(condition))
