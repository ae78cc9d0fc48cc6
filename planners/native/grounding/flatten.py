"""Encoding of a PDDL task as arrays of numbers, the input of the C++ grounding.

Names become indices: objects (constants first) and predicates in the order of the text. Conditions are brought into
negation normal form and written in prefix order; each variable of a schema, even a quantified one, has its own *slot*,
so that no scopes are left. A term is a slot, or `~object`; `k` numbers are written `k, ...`.

    formula   0 predicate terms  |  1 predicate terms (negated)  |  2 term term (=)  |  3 term term (not =)
              4 k formulas (and)  |  5 k formulas (or)  |  6 k slots, formula (exists)  |  7 k slots, formula (forall)
    scope     k domains (one a slot), k slots of parameters, each once, k slots of arguments
    action    scope, formula, k effects, k costs
    effect    1 or 0 (add or delete), k slots of its `forall`s, formula, predicate, terms
    cost      0 number  |  1 function terms
    axiom     scope (its arguments are the head's), predicate, formula
    goal      scope, formula
    start     k facts, by their places in `initial`
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.run import within_limits
from unpuzzle.pddl.declarations import ancestors, atoms, strata, type_parents
from unpuzzle.pddl.nodes import (
    And,
    Atom,
    Condition,
    Domain,
    Effect,
    Exists,
    Forall,
    Imply,
    Increase,
    Not,
    Or,
    Predicate,
    Task,
    TypedName,
    When,
)

Scope = Mapping[str, int]
Conditions = tuple[tuple[Condition, Scope], ...]
Domains = dict[tuple[tuple[tuple[str, ...], ...], bool], int]  # the objects, or the first, that fit all types


ATOM, NOT_ATOM, EQUAL, NOT_EQUAL, AND, OR, EXISTS, FORALL = range(8)
MOST_COST = 2**31


class Flat:
    """An encoder of one task as arrays of numbers, with the number of each name in the task.

    `starts` are initial states other than the task's, without static atoms; `goals` are the goals, by default the
    task's own. No action changes the `varying` predicates, but each start has its own facts of them. If `faithful`,
    unused parameters get all their objects, so that no ground action is missing. Raises
    LimitReached.

    Attributes:
        objects, predicates, functions: numbers by name.
        metric: the name of the function to minimize, or None.
        fluent: predicates that actions change; filled in by `buffers`.
        priced: functions that costs depend on, likewise.
    """

    def __init__(
        self,
        task: Task,
        *,
        starts: Iterable[frozenset[Atom]] = (),
        goals: Iterable[Condition] | None = None,
        varying: frozenset[str] = frozenset(),
        faithful: bool = False,
    ) -> None:
        self.task: Task = task
        self.starts: tuple[frozenset[Atom], ...] = tuple(starts)
        self.goals: tuple[Condition, ...] = (task.problem.goal,) if goals is None else tuple(goals)
        self.varying: frozenset[str] = varying
        self.faithful: bool = faithful
        self._members = _members(task)
        self.names: list[str] = list(self._members["object"])
        self.objects: dict[str, int] = {name: number for number, name in enumerate(self.names)}
        self._declared: dict[str, Predicate] = {}
        for declared in (*task.domain.predicates, *[axiom.head for axiom in task.domain.axioms]):
            self._declared.setdefault(declared.name, declared)
        self.predicates: dict[str, int] = {name: number for number, name in enumerate(self._declared)}
        self.functions: dict[str, int] = {f.name: number for number, f in enumerate(task.domain.functions)}
        self.metric: str | None = None if task.problem.metric is None else task.problem.metric.function
        self.fluent: set[str] = set(varying)
        self.priced: set[str] = set()

    def buffers(self) -> dict[str, array[int]]:
        """Return the arrays for the function `ground` of the C++ core.

        Raises UnsupportedFeature for costs that depend on the state or are out of range.
        """
        domains: Domains = {}
        actions, axioms, goals = array("i"), array("i"), array("i")
        for action in self.task.domain.actions:
            _Schema(self, domains, actions).action(action.parameters, action.precondition, action.effect)
        for axiom in self.task.domain.axioms:
            _Schema(self, domains, axioms).axiom(axiom.head.name, axiom.head.parameters, axiom.body)
        for goal in self.goals:
            _Schema(self, domains, goals).goal(goal)
        initial, starts = self._initial()
        return {
            "domains": self._domain_array(domains),
            "predicates": self._predicate_array(),
            "functions": array("i", [len(f.parameters) for f in self.task.domain.functions]),
            "initial": initial,
            "starts": starts,
            "values": self._values(),
            "actions": actions,
            "axioms": axioms,
            "goals": goals,
        }

    def goal(self, goal: Condition) -> tuple[array[int], array[int]]:
        """Return two arrays that encode a goal: the possible objects of its variables, and the condition."""
        domains: Domains = {}
        out = array("i")
        _Schema(self, domains, out).goal(goal)
        return self._domain_array(domains), out

    def _domain_array(self, domains: Domains) -> array[int]:
        """Encode the possible objects of variables; a variable marked as `first` keeps only its first object."""
        flat = array("i")
        for declarations, first in domains:
            members: Iterable[str] = self._of_types(declarations[0])
            for types in declarations[1:]:
                other = self._of_types(types)
                members = [name for name in members if name in other]
            numbers = [self.objects[name] for name in members]
            if first:
                numbers = numbers[:1]
            flat.append(len(numbers))
            flat.extend(numbers)
        return flat

    def _of_types(self, types: tuple[str, ...]) -> dict[str, None]:
        if len(types) == 1:
            return self._members.get(types[0], {})
        either = [self._members.get(name, {}) for name in types]
        return {name: None for name in self.objects if any(name in members for members in either)}

    def _predicate_array(self) -> array[int]:
        """Encode for each predicate its arity, its layer (or -1), and 1 if its facts differ between initial states."""
        layers = stratify(self.task.domain) if self.task.domain.axioms else {}
        flat = array("i")
        for name, predicate in self._declared.items():
            flat.extend((len(predicate.parameters), layers.get(name, -1), name in self.varying))
        return flat

    def _initial(self) -> tuple[array[int], array[int]]:
        """Encode the initial facts and, if there are several initial states, which facts each of them has."""
        facts: Iterable[Atom] = self.task.problem.init
        starts = array("i")
        if self.starts:
            places = {atom: 0 for atom in facts if atom.predicate not in self.fluent}
            places = {atom: place for place, atom in enumerate(places)}
            for start in self.starts:
                own = [places.setdefault(atom, len(places)) for atom in start if atom.predicate in self.fluent]
                starts.append(len(own))
                starts.extend(own)
            facts = places
        flat = array("i")
        predicates, objects = self.predicates, self.objects
        for atom in within_limits(facts):
            flat.append(predicates[atom.predicate])
            flat.extend([objects[name] for name in atom.arguments])
        return flat, starts

    def _values(self) -> array[int]:
        """Encode the function values that action costs use: function, arguments and number."""
        flat = array("q")
        for value in within_limits(self.task.problem.values):
            if value.term.function in self.priced:
                flat.append(self.functions[value.term.function])
                flat.extend([self.objects[name] for name in value.term.arguments])
                flat.append(checked_cost(value.number))
        return flat


def _members(task: Task) -> dict[str, dict[str, None]]:
    """Map each type to its objects, including the objects of subtypes; constants come first."""
    parents = type_parents(task.domain)
    above: dict[tuple[str, ...], set[str]] = {}
    members: dict[str, dict[str, None]] = {"object": {}}
    for item in within_limits((*task.domain.constants, *task.problem.objects)):
        if item.types not in above:
            above[item.types] = {"object", *ancestors(item.types, parents)}
        for name in above[item.types]:
            members.setdefault(name, {})[item.name] = None
    return members


def stratify(domain: Domain) -> dict[str, int]:
    """Map each derived predicate to its layer; layers are evaluated in order, and only lower ones may be negated."""
    layers: dict[str, int] = {}
    for names in strata(domain):
        bodies = [axiom.body for axiom in domain.axioms if axiom.head.name in names]
        uses = [use for body in bodies for use in atoms(body) if use[0].predicate in layers]
        least = max((layers[atom.predicate] + (not positive) for atom, positive in uses), default=0)
        layers |= dict.fromkeys(names, least)
    return layers


class _Schema:
    """An encoder of one action, axiom or goal as numbers."""

    def __init__(self, names: Flat, domains: Domains, out: array[int]) -> None:
        self.names, self.domains, self.out = names, domains, out
        self.body: array[int] = array("i")
        self.declarations: list[tuple[tuple[str, ...], ...]] = []  # of each slot
        self.used: set[int] = set()
        self.effects = 0
        self.costs: list[int] = []
        self.cost_count = 0

    def action(self, parameters: tuple[TypedName, ...], precondition: Condition, effect: Effect) -> None:
        """Encode an action: its precondition, its effects and its costs."""
        scope = self.slots(parameters)
        self.formula(precondition, scope, True)
        place = len(self.body)
        self.body.append(0)
        self.effect(effect, scope, (), ())
        self.body[place] = self.effects
        if self.names.metric is None:
            self.cost_count, self.costs = 1, [0, 1]
        # A parameter that nothing mentions stands for its first object: all others would give the same operator.
        unused = () if self.names.faithful else {slot for slot in scope.values() if slot not in self.used}
        self.finish(parameters, scope, unused)
        self.out.append(self.cost_count)
        self.out.extend(self.costs)

    def axiom(self, head: str, parameters: tuple[TypedName, ...], body: Condition) -> None:
        scope = self.slots(parameters)
        self.body.append(self.names.predicates[head])
        self.formula(body, scope, True)
        self.finish(parameters, scope)

    def goal(self, goal: Condition) -> None:
        self.formula(goal, {}, True)
        self.finish((), {})

    def finish(self, parameters: tuple[TypedName, ...], scope: Scope, unused: Collection[int] = ()) -> None:
        """Append the encoded schema to the output array: variables' domains, variables, parameters and body."""
        keys = [(types, slot in unused) for slot, types in enumerate(self.declarations)]
        domains = [self.domains.setdefault(key, len(self.domains)) for key in keys]
        for numbers in (domains, scope.values(), [scope[parameter.name] for parameter in parameters]):
            self.out.append(len(numbers))
            self.out.extend(numbers)
        self.out.extend(self.body)

    def quantified(self, parameters: tuple[TypedName, ...], scope: Scope) -> tuple[Scope, tuple[int, ...]]:
        """Give slots to the variables of a quantifier; return all visible variables with slots, and the new slots."""
        own = self.slots(tuple({parameter.name: parameter for parameter in parameters}.values()))
        return {**scope, **own}, tuple(own.values())

    def slots(self, parameters: tuple[TypedName, ...]) -> dict[str, int]:
        """Number the different names of parameters with new slots; return a map from names to slots."""
        types: dict[str, list[tuple[str, ...]]] = {}
        for parameter in parameters:
            types.setdefault(parameter.name, []).append(parameter.types)
        own = {name: slot for slot, name in enumerate(types, len(self.declarations))}
        self.declarations.extend(map(tuple, types.values()))
        return own

    def terms(self, names: Iterable[str], scope: Scope) -> list[int]:
        objects = self.names.objects
        terms = [scope[name] if name in scope else ~objects[name] for name in names]
        self.used.update(terms)
        return terms

    def formula(self, node: Condition, scope: Scope, positive: bool) -> None:
        """Encode a condition, or its negation if `positive` is False."""
        if isinstance(node, Atom):
            if node.predicate == "=":
                self.body.append(EQUAL if positive else NOT_EQUAL)
            else:
                self.body.extend((ATOM if positive else NOT_ATOM, self.names.predicates[node.predicate]))
            self.body.extend(self.terms(node.arguments, scope))
        elif isinstance(node, Not):
            self.formula(node.operand, scope, not positive)
        elif isinstance(node, And | Or):
            self.body.extend((AND if isinstance(node, And) == positive else OR, len(node.operands)))
            for part in node.operands:
                self.formula(part, scope, positive)
        elif isinstance(node, Imply):
            self.body.extend((OR if positive else AND, 2))
            self.formula(node.premise, scope, not positive)
            self.formula(node.conclusion, scope, positive)
        else:
            inner, own = self.quantified(node.parameters, scope)
            self.body.extend((EXISTS if isinstance(node, Exists) == positive else FORALL, len(own), *own))
            self.formula(node.body, inner, positive)

    def effect(self, node: Effect, scope: Scope, own: tuple[int, ...], conditions: Conditions) -> None:
        """Encode an effect that stands below the quantified variables `own` and below `conditions`."""
        if isinstance(node, And):
            for part in node.operands:
                self.effect(part, scope, own, conditions)
        elif isinstance(node, Forall):
            inner, slots = self.quantified(node.parameters, scope)
            self.effect(node.body, inner, own + slots, conditions)
        elif isinstance(node, When):
            self.effect(node.effect, scope, own, (*conditions, (node.condition, scope)))
        elif isinstance(node, Increase):
            self.increase(node, scope, bool(own or conditions))
        else:
            self.literal(node, scope, own, conditions)

    def literal(self, node: Atom | Not, scope: Scope, own: tuple[int, ...], conditions: Conditions) -> None:
        """Encode an add effect or a delete effect with its conditions."""
        atom = node.operand if isinstance(node, Not) else node
        assert isinstance(atom, Atom)
        self.effects += 1
        self.names.fluent.add(atom.predicate)
        self.body.extend((atom is node, len(own), *own, AND, len(conditions)))
        for condition, where in conditions:
            self.formula(condition, where, True)
        self.body.append(self.names.predicates[atom.predicate])
        self.body.extend(self.terms(atom.arguments, scope))

    def increase(self, node: Increase, scope: Scope, conditional: bool) -> None:
        """Encode a cost effect. Raises UnsupportedFeature if the effect is conditional."""
        if conditional:
            message = "a cost inside `when` or `forall` is not supported: costs may not depend on the state"
            raise UnsupportedFeature(message, feature="conditional cost")
        if node.target.function != self.names.metric:
            return
        self.cost_count += 1
        if isinstance(node.amount, int):
            self.costs.extend((0, checked_cost(node.amount)))
        else:
            self.names.priced.add(node.amount.function)
            self.costs.extend((1, self.names.functions[node.amount.function]))
            self.costs.extend(self.terms(node.amount.arguments, scope))


def checked_cost(number: int) -> int:
    if not 0 <= number < MOST_COST:
        raise UnsupportedFeature(
            f"the cost {number} is not supported: a cost must be from 0 to 2^31-1", feature="large costs"
        )
    return number
