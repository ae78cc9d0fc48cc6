"""A task in the PDDL of unified-planning, and the translation of its plans.

unified-planning allows fewer names than PDDL: it refuses or renames `1-1`, `when`, and one name for things of two
kinds. So every type, predicate, function, object and action is renamed here to a unique plain name, and plans are
translated back by the same table. All else keeps its meaning:

- a variable that hides another one gets another name;
- a parameter that occurs twice becomes two parameters and, in an action, a condition that they are equal (in a
  quantifier, the second hides the first);
- `(either a b)` becomes `object` and a condition; so do all types then, for the reader insists that they fit;
- nested effects become a list of single ones, each with its own quantifier and condition; an action without any goes;
- several costs of an action become their sum; without a metric, costs go, for nothing asks about them.

Derived predicates, and sums of costs that are not plain numbers, cannot be said, and are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from unpuzzle.exchange.names import PlainNames
from unpuzzle.pddl.declarations import Action, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.formulas import And, Atom, Condition, Exists, Forall, Imply, Increase, Not, When, conjuncts, walk
from unpuzzle.pddl.nodes import OBJECT, FunctionTerm, GroundAction, Task, TypedName
from unpuzzle.pddl.reading.complaints import unsupported
from unpuzzle.pddl.world import Types

Scope = Mapping[str, str]


class Dialect:
    """The task in the dialect, `task`, and the translation back; without costs if `costs` is False.

    Raises UnsupportedFeature for features that unified-planning cannot read.
    """

    def __init__(self, task: Task, costs: bool = True) -> None:
        domain, problem = task.domain, task.problem
        if domain.axioms:
            message = "unified-planning does not read derived predicates"
            raise unsupported(message, ":derived-predicates", domain.axioms[0].span)
        self._names = PlainNames()
        self._types = Types(task)
        self._costs = costs and problem.metric is not None
        lists = [domain.types, domain.constants, problem.objects, *_binders(problem.goal)]
        for action in domain.actions:
            lists += [action.parameters, *_binders(action.precondition), *_binders(action.effect)]
        self._untyped = any(map(_needs_conditions, lists))
        self._type = self._table(domain.types, "t") | {"object": "object"}
        self._predicate = self._table(domain.predicates, "p") | {"=": "="}
        self._function = self._table(domain.functions, "f") | {"total-cost": "total-cost"}
        self._object = self._table((*domain.constants, *problem.objects), "o")
        self._action = self._table(domain.actions, "a")
        self._members: dict[tuple[str, ...], str] = {}  # predicates that stand for types
        self.task: Task = self._with_members(self._domain(domain), self._problem(problem))
        self._actions_back = {theirs: ours for ours, theirs in self._action.items()}
        self._objects_back = {theirs: ours for ours, theirs in self._object.items()}

    def back(self, name: str, arguments: Iterable[str]) -> GroundAction:
        """Return a step of a plan in the task's own names. Raises KeyError for unknown names."""
        return GroundAction(self._actions_back[name], tuple(self._objects_back[argument] for argument in arguments))

    def _table(self, named: Iterable[Any], letter: str) -> dict[str, str]:
        return {name: self._names.name(name, letter) for name in dict.fromkeys(item.name for item in named)}

    def _domain(self, domain: Domain) -> Domain:
        functions = domain.functions if self._costs else ()
        return Domain(
            "d",
            (),
            () if self._untyped else self._typed(domain.types, self._type),
            self._typed(domain.constants, self._object),
            tuple(Predicate(self._predicate[p.name], self._signature(p.parameters)) for p in domain.predicates),
            tuple(Function(self._function[f.name], self._signature(f.parameters)) for f in functions),
            tuple(schema for schema in map(self._schema, domain.actions) if schema is not None),
        )

    def _problem(self, problem: Problem) -> Problem:
        return Problem(
            "p",
            "d",
            (),
            self._typed(problem.objects, self._object),
            tuple(self._atom(atom, {}) for atom in problem.init),
            tuple(Value(self._term(value.term, {}), value.number) for value in problem.values) if self._costs else (),
            self._condition(problem.goal, {}),
            problem.metric if self._costs else None,
        )

    def _with_members(self, domain: Domain, problem: Problem) -> Task:
        """Return the task with the predicates for types, and their facts."""
        declared = tuple(Predicate(name, (TypedName("?x"),)) for name in self._members.values())
        facts = tuple(
            Atom(name, (self._object[member],))
            for types, name in self._members.items()
            for member in self._types.members(types)
        )
        domain = domain.replace(predicates=domain.predicates + declared)
        return Task(domain, problem.replace(init=problem.init + facts).trusted(domain))

    def _typed(self, named: Sequence[TypedName], table: Mapping[str, str]) -> tuple[TypedName, ...]:
        return tuple(TypedName(table[item.name], self._type_of(item)) for item in named)

    def _type_of(self, named: TypedName) -> tuple[str, ...]:
        return OBJECT if self._untyped or len(named.types) > 1 else (self._type[named.types[0]],)

    def _signature(self, parameters: Sequence[TypedName]) -> tuple[TypedName, ...]:
        return tuple(TypedName(f"?x{number}", self._type_of(item)) for number, item in enumerate(parameters))

    def _bound(
        self, parameters: Sequence[TypedName], scope: Scope, quantifier: bool = True
    ) -> tuple[tuple[TypedName, ...], Scope, list[Atom]]:
        """Return new parameters, the scope with them, and conditions for the type constraints that they lose."""
        bound, guards = [], []
        own: dict[str, str] = {}
        names = PlainNames(name[1:] for name in scope.values())
        for item in parameters:
            name = "?" + names.name(item.name[1:], "v")
            bound.append(TypedName(name, self._type_of(item)))
            if self._untyped and item.types != OBJECT:
                guards.append(Atom(self._member(item.types), (name,)))
            if item.name in own and not quantifier:
                guards.append(Atom("=", (own[item.name], name)))
            else:
                own[item.name] = name
        taken = {f"taken {each.name}": each.name for each in bound}  # even by one that is hidden: effects are merged
        return tuple(bound), {**scope, **taken, **own}, guards

    def _member(self, types: tuple[str, ...]) -> str:
        if types not in self._members:
            self._members[types] = self._names.name("is_" + "_or_".join(types), "p")
        return self._members[types]

    def _schema(self, action: Action) -> Action | None:
        """Return the action, or None if it changes nothing."""
        parameters, scope, guards = self._bound(action.parameters, {}, quantifier=False)
        effects: list[Any] = list(self._effects(action.effect, scope))
        if not effects:
            return None
        precondition = self._condition(action.precondition, scope)
        effects += self._cost(action, scope)
        return Action(self._action[action.name], parameters, _guarded(guards, precondition), And(tuple(effects)))

    def _cost(self, action: Action, scope: Scope) -> list[Increase]:
        increases = [each for each in conjuncts(action.effect) if isinstance(each, Increase)]
        if not increases or not self._costs:
            return []
        amounts = [increase.amount for increase in increases]
        terms = [self._term(amount, scope) for amount in amounts if isinstance(amount, FunctionTerm)]
        if terms and len(amounts) > 1:
            message = f"unified-planning reads one cost of an action; '{action.name}' has {len(amounts)}"
            raise unsupported(message, "several costs of an action", increases[1].span)
        total = terms[0] if terms else sum(amount for amount in amounts if isinstance(amount, int))
        return [Increase(FunctionTerm("total-cost"), total)]

    def _effects(
        self, node: Any, scope: Scope, parameters: tuple[TypedName, ...] = (), conditions: tuple[Condition, ...] = ()
    ) -> Iterator[Atom | Not | When | Forall]:
        """Yield the single effects of a node under quantifiers with these parameters and under conditions."""
        if isinstance(node, And):
            for operand in node.operands:
                yield from self._effects(operand, scope, parameters, conditions)
        elif isinstance(node, When):
            condition = self._condition(node.condition, scope)
            yield from self._effects(node.effect, scope, parameters, (*conditions, condition))
        elif isinstance(node, Forall):
            bound, scope, guards = self._bound(node.parameters, scope)
            yield from self._effects(node.body, scope, parameters + bound, (*conditions, *guards))
        elif not isinstance(node, Increase):
            effect: Any = self._condition(node, scope)
            if conditions:
                effect = When(conditions[0] if len(conditions) == 1 else And(conditions), effect)
            yield Forall(parameters, effect) if parameters else effect
        elif parameters or conditions:
            raise unsupported("a cost under 'when' or 'forall'", "conditional costs", node.span)

    def _condition(self, node: Condition, scope: Scope) -> Condition:
        if isinstance(node, Atom):
            return self._atom(node, scope)
        if not isinstance(node, Exists | Forall):
            return node.rebuilt(self._condition(part, scope) for part in node.children())
        parameters, scope, guards = self._bound(node.parameters, scope)
        body = self._condition(node.body, scope)
        if isinstance(node, Exists):
            return Exists(parameters, _guarded(guards, body))
        return Forall(parameters, Imply(And(tuple(guards)), body) if guards else body)

    def _atom(self, atom: Atom, scope: Scope) -> Atom:
        return Atom(self._predicate[atom.predicate], self._terms(atom.arguments, scope))

    def _term(self, term: FunctionTerm, scope: Scope) -> FunctionTerm:
        return FunctionTerm(self._function[term.function], self._terms(term.arguments, scope))

    def _terms(self, terms: Iterable[str], scope: Scope) -> tuple[str, ...]:
        return tuple(scope[term] if term[0] == "?" else self._object[term] for term in terms)


def _guarded(guards: Sequence[Atom], condition: Condition) -> Condition:
    return And((*guards, condition)) if guards else condition


def _needs_conditions(named: Sequence[TypedName]) -> bool:
    """Return whether something in a list has several types or occurs twice."""
    return any(len(each.types) > 1 for each in named) or len({each.name for each in named}) < len(named)


def _binders(node: Any) -> list[tuple[TypedName, ...]]:
    """Return the parameters of each quantifier in a node."""
    return [each.parameters for each in walk(node) if isinstance(each, Exists | Forall)]
