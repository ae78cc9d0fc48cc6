"""How one action, axiom or goal is written into the arrays of `flatten`, which says in what form.

Conditions are brought into negation normal form on the way (`positive` is the polarity).
"""

from __future__ import annotations

from array import array

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Increase, Not, Or, When

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from unpuzzle.pddl.nodes import Condition, Effect, TypedName

    Scope = Mapping[str, int]
    Domains = dict[tuple[tuple[tuple[str, ...], ...], bool], int]

ATOM, NOT_ATOM, EQUAL, NOT_EQUAL, AND, OR, EXISTS, FORALL = range(8)
MOST_COST = 2**31


class Vocabulary:
    """The numbers that names have in the arrays of a task, and what its schemas have said so far.

    Attributes:
        objects, predicates, functions: numbers by name.
        metric: the name of the function to minimize, or None.
        faithful: whether parameters that nothing mentions get all their objects, so that no ground action is missing.
        fluent: predicates that actions change.
        priced: functions that costs depend on.
    """

    __slots__ = ("faithful", "fluent", "functions", "metric", "objects", "predicates", "priced")

    objects: dict[str, int]
    predicates: dict[str, int]
    functions: dict[str, int]
    metric: str | None
    faithful: bool
    fluent: set[str]
    priced: set[str]


class Schema:
    """Writes one action, axiom or goal."""

    def __init__(self, names: Vocabulary, domains: Domains, out: array[int]) -> None:
        self.names = names
        self.domains = domains
        self.out = out
        self.body: array[int] = array("i")
        self.declarations: list[tuple[tuple[str, ...], ...]] = []  # of each slot
        self.used: set[int] = set()
        self.effects = 0
        self.costs: list[int] = []
        self.cost_count = 0

    def action(self, parameters: tuple[TypedName, ...], precondition: Condition, effect: Effect) -> None:
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
        out = self.out
        out.append(len(self.declarations))
        out.extend([self.domain(types, slot in unused) for slot, types in enumerate(self.declarations)])
        out.append(len(scope))
        out.extend(scope.values())
        out.append(len(parameters))
        out.extend([scope[parameter.name] for parameter in parameters])
        out.extend(self.body)

    def domain(self, declarations: tuple[tuple[str, ...], ...], first: bool) -> int:
        """Return the number of a domain: the objects (or the first one) that fit all these type expressions."""
        return self.domains.setdefault((declarations, first), len(self.domains))

    def quantified(self, parameters: tuple[TypedName, ...], scope: Scope) -> tuple[Scope, tuple[int, ...]]:
        """Return the scope inside a quantifier, and its slots; of two equal names the second hides the first."""
        own = self.slots(tuple({parameter.name: parameter for parameter in parameters}.values()))
        return {**scope, **own}, tuple(own.values())

    def slots(self, parameters: tuple[TypedName, ...]) -> dict[str, int]:
        """Return new slots for parameters; a repeated one is one variable, both of whose types must hold."""
        own: dict[str, int] = {}
        for parameter in parameters:
            if parameter.name not in own:
                own[parameter.name] = len(self.declarations)
                self.declarations.append(tuple([other.types for other in parameters if other.name == parameter.name]))
        return own

    def terms(self, names: Iterable[str], scope: Scope) -> list[int]:
        objects = self.names.objects
        terms = [scope[name] if name in scope else ~objects[name] for name in names]
        self.used.update(terms)
        return terms

    def formula(self, node: Condition, scope: Scope, positive: bool) -> None:
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

    def effect(
        self, node: Effect, scope: Scope, own: tuple[int, ...], conditions: tuple[tuple[Condition, Scope], ...]
    ) -> None:
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

    def literal(
        self, node: Atom | Not, scope: Scope, own: tuple[int, ...], conditions: tuple[tuple[Condition, Scope], ...]
    ) -> None:
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
        if conditional:
            raise UnsupportedFeature(
                "a cost inside `when` or `forall` is not supported: costs may not depend on the state",
                feature="conditional cost",
            )
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
        raise UnsupportedFeature(f"a cost of {number} is not in 0..2^31-1", feature="large costs")
    return number
