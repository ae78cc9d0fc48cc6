"""Substitution of variables, conversion of effects to lists of single effects, and the normal form of tasks.

Terms are substituted for free variables without capture: (exists (?y) (road ?x ?y)) with ?x = ?y is
(exists (?y-2) (road ?y ?y-2)). A single effect changes one atom, and has its variables and conditions:

(forall (?k) (when (in ?k ?t) (and (not (at ?k ?from)) (at ?k ?to))))

parameters (?k)   conditions (in ?k ?t)   (not (at ?k ?from))
parameters (?k)   conditions (in ?k ?t)   (at ?k ?to)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Action, Axiom, Domain, Predicate, Problem, ancestors, type_parents
from unpuzzle.pddl.formulas import (
    TOTAL_COST,
    And,
    Atom,
    Condition,
    Effect,
    Exists,
    Forall,
    FunctionTerm,
    Imply,
    Increase,
    Node,
    Not,
    Or,
    TypedName,
    When,
    conjunction,
    effects,
    free_variables,
    walk,
)
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.world import Types, amounts

Scope = Mapping[str, str]
"""The new name of each variable."""
TRUE, FALSE = And(), Or()
TOTAL = FunctionTerm(TOTAL_COST)
Guards = Callable[[Sequence[TypedName]], tuple[Atom, ...]]
"""A function from variables to conditions on the objects that they stand for."""


def substituted(formula: Any, binding: Mapping[str, str]) -> Any:
    """Replace the free variables of a condition or effect by their terms in `binding`.

    Quantified variables that are named like a variable or a term of the binding are renamed.
    """
    if isinstance(formula, Atom):
        terms = tuple([binding.get(term, term) for term in formula.arguments])
        return formula if terms == formula.arguments else Atom(formula.predicate, terms, span=formula.span)
    if isinstance(formula, Increase) and isinstance(formula.amount, FunctionTerm):
        term = formula.amount
        return formula.replace(amount=term.replace(arguments=tuple([binding.get(t, t) for t in term.arguments])))
    if isinstance(formula, Exists | Forall):
        bound, inner = fresh(formula.parameters, binding)
        return type(formula)(bound, substituted(formula.body, inner), span=formula.span)
    return formula.rebuilt([substituted(part, binding) for part in formula.children()])


def fresh(parameters: Iterable[TypedName], scope: Mapping[str, str]) -> tuple[tuple[TypedName, ...], dict[str, str]]:
    """Rename quantified variables that clash with names in `scope`; return them, and `scope` with the new names."""
    inner, bound = dict(scope), []
    taken = {*scope, *scope.values()}
    for each in parameters:
        inner[each.name] = unused(each.name, taken)
        taken.add(inner[each.name])
        bound.append(TypedName(inner[each.name], each.types))
    return tuple(bound), inner


def unused(name: str, taken: Iterable[str], mark: str = "-") -> str:
    """Return the name if it is not in `taken`, else a free name such as NAME-2; `mark` stands before the number."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name}{mark}{number}", number + 1
    return free


class SingleEffect(Record):
    """One literal of an action's effect, with the quantified parameters and the conditions that apply to it."""

    parameters: tuple[TypedName, ...]
    conditions: tuple[Condition, ...]
    literal: Atom | Not

    @property
    def atom(self) -> Atom:
        atom = self.literal.operand if isinstance(self.literal, Not) else self.literal
        assert isinstance(atom, Atom)
        return atom

    @property
    def condition(self) -> Condition:
        """The conjunction of the effect's conditions."""
        condition: Condition = conjunction(self.conditions)
        return condition

    @property
    def formula(self) -> Atom | Not | When | Forall:
        """The effect as a PDDL node, such as `When` or `Forall`."""
        effect = self.literal if self.condition == And() else When(self.condition, self.literal)
        return Forall(self.parameters, effect) if self.parameters else effect

    @property
    def adds(self) -> bool:
        """Whether this is an add effect, not a delete effect."""
        return isinstance(self.literal, Atom)

    @property
    def always(self) -> bool:
        """Whether the effect has no condition and no quantifier."""
        return not self.parameters and not self.conditions


def single_effects(action: Action) -> Iterator[SingleEffect]:
    """Yield each literal of an action's effect as a `SingleEffect`; quantified variables get unique names."""
    scope = None  # most actions quantify nothing, and then no name has to change
    if any(isinstance(part, Exists | Forall) for part in walk(action.effect)):
        scope = {parameter.name: parameter.name for parameter in action.parameters}
    yield from _flat(action.effect, scope, (), ())


def _flat(
    effect: Any, scope: Scope | None, parameters: tuple[TypedName, ...], conditions: tuple[Condition, ...]
) -> Iterator[SingleEffect]:
    """Yield the single effects in an effect that stands below quantified `parameters` and `conditions`."""
    if isinstance(effect, And):
        for part in effect.operands:
            yield from _flat(part, scope, parameters, conditions)
    elif isinstance(effect, When):
        yield from _flat(effect.effect, scope, parameters, (*conditions, _renamed(effect.condition, scope)))
    elif isinstance(effect, Forall):
        bound, inner = fresh(effect.parameters, scope or {})
        yield from _flat(effect.body, inner, parameters + bound, conditions)
    elif not isinstance(effect, Increase):
        yield SingleEffect(parameters, conditions, _renamed(effect, scope))


def changes(effects: Iterable[SingleEffect]) -> tuple[list[Atom], list[Atom]]:
    """Return two sets: the atoms that the given effects add, and the atoms that they delete."""
    adds, deletes = list[Atom](), list[Atom]()
    for each in effects:
        (adds if each.adds else deletes).append(each.atom)
    return adds, deletes


def _renamed(formula: Any, scope: Scope | None) -> Any:
    return formula if scope is None else substituted(formula, scope)


def quantified_effects(action: Action, types: Types) -> Iterator[SingleEffect]:
    """Yield the single effects of an action, except effects that quantify over a type without objects."""
    for effect in single_effects(action):
        if all(types.members(each.types) for each in effect.parameters):
            used = free_variables(effect.condition) | free_variables(effect.literal)
            yield effect.replace(parameters=tuple([each for each in effect.parameters if each.name in used]))


def _same(part: Any) -> Any:
    return part


def rewritten(effect: Effect, condition: Callable[[Any], Any] = _same, single: Callable[[Any], Any] = _same) -> Any:
    """Apply the function `condition` to the conditions in an effect, and the function `single` to its other leaves."""
    if isinstance(effect, When):
        return When(condition(effect.condition), rewritten(effect.effect, condition, single), span=effect.span)
    if isinstance(effect, And | Forall):
        return effect.rebuilt([rewritten(part, condition, single) for part in effect.children()])
    return single(effect)


def restricted(condition: Condition, guards: Guards) -> Any:
    """Restrict each quantifier in a condition by the atoms that the function `guards` returns for its variables."""
    own = guards(condition.parameters) if isinstance(condition, Exists | Forall) else ()
    rebuilt: Any = condition.rebuilt([restricted(part, guards) for part in condition.children()])
    if not own:
        return rebuilt
    body = And((*own, rebuilt.body)) if isinstance(rebuilt, Exists) else Imply(And(own), rebuilt.body)
    return rebuilt.replace(body=body)


def restricted_effect(effect: Effect, guards: Guards) -> Any:
    """Restrict each quantifier in an effect by the conditions that the function `guards` returns for its variables."""
    if isinstance(effect, When):
        return When(restricted(effect.condition, guards), restricted_effect(effect.effect, guards))
    own = guards(effect.parameters) if isinstance(effect, Forall) else ()
    rebuilt: Any = effect.rebuilt([restricted_effect(part, guards) for part in effect.children()])
    return rebuilt.replace(body=When(And(own), rebuilt.body)) if own else rebuilt


def fluent_predicates(domain: Domain) -> frozenset[str]:
    """Return the predicates of a domain that some action adds or deletes."""
    parts = [part for action in domain.actions for part in effects(action.effect)]
    return frozenset(part.predicate for part in parts if isinstance(part, Atom))


def typed_names(*parts: Any) -> Iterator[TypedName]:
    """Yield the typed names (declared objects and variables) in syntax nodes or in tuples of them."""
    for part in parts:
        if isinstance(part, TypedName):
            yield part
        elif isinstance(part, tuple):
            yield from typed_names(*part)
        elif isinstance(part, Node) and not isinstance(part, Atom):
            yield from typed_names(*[getattr(part, name) for name in part._fields if name != "types"])


# Tasks in different words but with the same meaning: equal in their normal form, which keeps states, applicable actions
# and costs, but simplifies more than a translation.


def normal_form(task: Task) -> Task:
    """Return the normal form of a task; tasks that differ only in their wording have equal normal forms.

    Declarations, facts, effects, quantified variables and the parts of `and` and `or` are sorted; nested ones are
    merged; implications become disjunctions; no variable hides another; all objects are constants; types without
    objects and variables are left out. Costs are dropped without a metric, and if every action costs 1. Axioms of one
    predicate are merged.
    """
    domain, problem, types = task.domain, task.problem, Types(task)
    costs, parents, actions = _costs(task), type_parents(domain), list[Action]()
    for action in domain.actions:
        condition = _normal(substituted(action.precondition, {each.name: each.name for each in action.parameters}))
        effect = And((*_sorted(_effects(action, types)), *costs.get(action.name, ())))
        actions.append(Action(action.name, action.parameters, condition, effect))
    declared = {each.name: each for each in (*problem.objects, *domain.constants)}
    changed = Domain(
        domain.name,
        (),
        _sorted(TypedName(name, tuple(sorted(above))) for name, above in parents.items()),
        _sorted(TypedName(each.name, tuple(sorted(each.types))) for each in declared.values()),
        _sorted(map(_unnamed, domain.predicates)),
        _sorted(map(_unnamed, domain.functions)),
        _sorted(actions),
        _sorted(map(_axiom, merged_axioms(domain.axioms))),
    )
    init, values = _sorted(problem.init), _sorted(problem.values)
    goal, metric = _normal(substituted(problem.goal, {})), TOTAL if costs else None
    whole = Task(changed, Problem(problem.name, domain.name, (), (), init, values, goal, metric))
    used = ancestors((name for each in typed_names(whole) for name in each.types), parents)
    return whole.replace(domain=changed.replace(types=tuple(each for each in changed.types if each.name in used)))


def _costs(task: Task) -> dict[str, tuple[Increase, ...]]:
    """Return the cost of each action by its name; an empty result means that each action costs 1."""
    costs = {} if task.problem.metric is None else {action.name: amounts(action) for action in task.domain.actions}
    if all(parts == (1,) for parts in costs.values()):
        return {}
    return {name: tuple(Increase(TOTAL, part) for part in _sorted(parts)) for name, parts in costs.items()}


def _sorted(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(sorted(things, key=repr)))


def _unnamed(declared: Any) -> Any:
    """Return a declaration with numbers as names of parameters, because the names have no meaning."""
    places = enumerate(declared.parameters)
    return declared.replace(parameters=tuple(TypedName(f"?{place}", each.types) for place, each in places))


def numbered(parameters: Iterable[TypedName]) -> tuple[tuple[TypedName, ...], dict[str, str]]:
    """Return parameters renamed to numbers, and a mapping from the old names to the new ones."""
    scope = {each.name: f"?{number}" for number, each in enumerate(parameters)}
    return tuple(TypedName(scope[each.name], each.types) for each in parameters), scope


def _effects(action: Action, types: Types) -> Iterator[Any]:
    for each in quantified_effects(action, types):
        yield each.replace(parameters=_sorted(each.parameters), conditions=(_normal(each.condition),)).formula


def merged_axioms(axioms: Iterable[Axiom]) -> list[Axiom]:
    """Return one axiom for each predicate, with the parameters of the first axiom of the predicate."""
    merged: dict[str, Axiom] = {}
    for axiom in axioms:
        first = merged.setdefault(axiom.head.name, Axiom(axiom.head, FALSE))
        places = zip(axiom.head.parameters, first.head.parameters, strict=True)
        body = substituted(axiom.body, {theirs.name: ours.name for theirs, ours in places})
        merged[first.head.name] = first.replace(body=Or((*first.body.children(), body)))
    return [*merged.values()]


def _axiom(axiom: Axiom) -> Axiom:
    bound, scope = numbered(axiom.head.parameters)
    return Axiom(Predicate(axiom.head.name, bound), _normal(substituted(axiom.body, scope)))


def _normal(condition: Any) -> Any:
    """Simplify a condition: remove implications, nested `not`, `and` inside `and`, and `or` inside `or`."""
    if isinstance(condition, Imply):
        return _normal(Or((Not(condition.premise), condition.conclusion)))
    if isinstance(condition, Not):
        return negated(_normal(condition.operand))
    if isinstance(condition, Exists | Forall):
        return type(condition)(_sorted(condition.parameters), _normal(condition.body))
    if not isinstance(condition, And | Or):
        return condition
    kind, other = (And, FALSE) if isinstance(condition, And) else (Or, TRUE)
    parts: list[Any] = []
    for part in map(_normal, condition.operands):
        parts += part.operands if isinstance(part, kind) else [part]
    ordered = _sorted(parts)
    if other in ordered:
        return other
    return ordered[0] if len(ordered) == 1 else kind(ordered)


def negated(condition: Any) -> Any:
    """Return the negation of a condition, simplified if the condition is itself a negation, true or false."""
    if isinstance(condition, Not):
        return condition.operand
    return {TRUE: FALSE, FALSE: TRUE}.get(condition, Not(condition))
