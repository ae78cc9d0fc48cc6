"""Queries: all variable bindings that satisfy a condition, computed by joins; and evaluation of axioms.

An action schema with eight parameters has a million typed assignments and perhaps three applicable ones. So we do not
try all of them: the conjuncts of the condition are ordered, and each in turn extends a list of partial bindings.

    (at ?x)                        Match    one binding for each atom of the state that fits
    (road ?x ?y)                   Match    looked up by the value of ?x
    (not (visited ?y))             Test     all its variables are bound: keep the binding or drop it
    (or (near ?y ?z) (far ?y ?z))  Choice   the bindings of all alternatives
    ?u                             Each     no conjunct binds it: every object of its type

The order affects speed only; `World.holds` does the tests. `_Planning` finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, prod
from operator import itemgetter
from typing import NamedTuple, Protocol

from unpuzzle.base.run import within_limits
from unpuzzle.pddl.declarations import strata
from unpuzzle.pddl.formulas import free_variables
from unpuzzle.pddl.nodes import And, Atom, Axiom, Condition, Domain, Exists, Or, TypedName
from unpuzzle.pddl.world import FactTable, Types, World

Binding = dict[str, str]
Domains = Mapping[str, tuple[str, ...]]
Conjunct = tuple[Condition, frozenset[str]]  # with its free variables

_DEEPEST_CHOICE = 5
"""A disjunction that is nested more deeply becomes a test: each choice takes four frames of the stack."""


class Query:
    """A query for the objects that satisfy a condition; the facts in `start` help to choose a fast join order."""

    def __init__(
        self, parameters: Sequence[TypedName], condition: Condition, types: Types, start: Mapping[str, FactTable]
    ) -> None:
        self._names = [parameter.name for parameter in parameters]
        self._steps = _Planning(types, start).steps(condition, types.domains(parameters), frozenset())

    def answers(self, world: World) -> set[tuple[str, ...]]:
        """Return the tuples of objects, one object for each parameter, for which the condition is true in a world."""
        names = self._names
        return {tuple([binding[name] for name in names]) for binding in _run(self._steps, [{}], world)}


class JoinStep(Protocol):
    """The interface of the steps of a join, each of which extends or drops variable bindings."""

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        """Return the bindings after this step; a binding may be dropped, or be extended in several ways."""


def _run(steps: Sequence[JoinStep], bindings: list[Binding], world: World) -> list[Binding]:
    """Apply join steps one after the other to variable bindings; return the bindings, perhaps with duplicates."""
    for step in steps:
        bindings = step.extend(bindings, world)
    return bindings


class Test(NamedTuple):
    """A join step that keeps only bindings for which a condition is true; the condition's variables must be bound."""

    condition: Condition

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        return [binding for binding in within_limits(bindings) if world.holds(self.condition, binding)]


class Each(NamedTuple):
    """A join step that binds a variable to every object of its type."""

    variables: tuple[str]
    objects: Sequence[str]

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        variable = self.variables[0]
        return [{**binding, variable: name} for binding in bindings for name in within_limits(self.objects)]


class Match:
    """A join step that binds the unbound variables of an atom by matching the atom with the true atoms of a world."""

    __slots__ = ("_bound", "_free", "_positions", "_predicate", "variables")

    def __init__(self, atom: Atom, unbound: Mapping[str, Sequence[str]]) -> None:
        places = list(enumerate(atom.arguments))
        self._predicate = atom.predicate
        self._positions = tuple(position for position, term in places if term not in unbound)
        self._bound = tuple(term for term in atom.arguments if term not in unbound)
        self._free = [(position, term, frozenset(unbound[term])) for position, term in places if term in unbound]
        self.variables: tuple[str, ...] = tuple(dict.fromkeys(term for _, term, _ in self._free))

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        index = world.facts(self._predicate).index(self._positions)
        extensions = []
        for binding in within_limits(bindings):
            for arguments in within_limits(index.get(tuple([binding.get(term, term) for term in self._bound]), ())):
                extended = dict(binding)
                for position, variable, objects in self._free:
                    value = arguments[position]
                    if value not in objects or extended.setdefault(variable, value) != value:
                        break
                else:
                    extensions.append(extended)
        return extensions


class DisjunctionStep(NamedTuple):
    """A join step for a disjunction: it binds `variables` by each alternative, and removes duplicates."""

    alternatives: Sequence[Sequence[JoinStep]]
    variables: Sequence[str]

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        extensions = []
        for binding in bindings:
            values = {
                tuple([extended[variable] for variable in self.variables])
                for steps in self.alternatives
                for extended in _run(steps, [binding], world)
            }
            extensions += [{**binding, **dict(zip(self.variables, own, strict=True))} for own in values]
        return extensions


# Finding the order of the conjuncts. Before each step we guess, from the atoms of the initial state, how many bindings
# each possible step would make from one: 24 roads between 9 places make 24 if neither variable is bound yet, and 24/9
# if `?x` is bound. The step with the least number comes next. But a step that shares no variable with the steps before
# it multiplies all later bindings: asking whether each of five lamps is on or off, before the lamps themselves are
# bound, makes 32 bindings from one. So the estimate of such a step is squared.


class _Planning:
    """A join planner, which orders the conjuncts of a condition; `choices` limits how deep disjunctions are nested."""

    def __init__(self, types: Types, start: Mapping[str, FactTable], choices: int = _DEEPEST_CHOICE) -> None:
        self.types = types
        self.start = start
        self.choices = choices

    def steps(self, condition: Condition, domains: Domains, outer: frozenset[str]) -> tuple[JoinStep, ...]:
        """Return the steps of a join that satisfies a condition and binds all variables in `domains`."""
        unbound = dict(domains)
        conjuncts = [(part, free_variables(part)) for part in self._flattened(condition, unbound, outer)]
        return tuple(self._ordered(conjuncts, unbound, outer.union(unbound)))

    def _flattened(
        self, condition: Condition, unbound: dict[str, tuple[str, ...]], outer: frozenset[str]
    ) -> list[Condition]:
        """Return the conjuncts of a condition; variables of an outer `exists` are moved into `unbound`."""
        if isinstance(condition, And):
            return [part for operand in condition.operands for part in self._flattened(operand, unbound, outer)]
        if isinstance(condition, Exists):
            names = {parameter.name for parameter in condition.parameters}
            distinct = len(names) == len(condition.parameters)
            if distinct and names.isdisjoint(unbound) and names.isdisjoint(outer):
                unbound.update(self.types.domains(condition.parameters))
                return self._flattened(condition.body, unbound, outer)
        return [condition]

    def _ordered(
        self, waiting: list[Conjunct], unbound: dict[str, tuple[str, ...]], taken: frozenset[str]
    ) -> Iterator[JoinStep]:
        """Yield join steps: first all tests of bound variables, then the step with the fewest expected bindings."""
        while True:
            yield from (Test(part) for part, free in waiting if free.isdisjoint(unbound))
            waiting = [(part, free) for part, free in waiting if not free.isdisjoint(unbound)]
            if not unbound:
                return
            step, chosen = self._next(waiting, unbound, taken)
            yield step
            waiting = [(part, free) for part, free in waiting if part is not chosen]
            for variable in step.variables:
                del unbound[variable]

    def _next(
        self, waiting: list[Conjunct], unbound: Domains, taken: frozenset[str]
    ) -> tuple[Match | DisjunctionStep | Each, Condition | None]:
        """Choose the next join step, and the condition that the step satisfies (None if it only binds a variable)."""
        prices = [self._expected_bindings(conjunct, unbound) for conjunct in waiting]
        price, best = min(zip(prices, waiting, strict=True), key=itemgetter(0), default=(inf, None))
        bindable = frozenset[str]().union(*[free for (_, free), own in zip(waiting, prices, strict=True) if own < inf])
        asked = frozenset[str]().union(*[free for _, free in waiting])
        # Variables that a conjunct can bind are left to it; those that no conjunct mentions come after all tests.
        others = {variable: len(unbound[variable]) ** 2 if variable in asked else inf for variable in unbound}
        each = min((name for name in unbound if name not in bindable), key=others.__getitem__, default=None)
        if each is not None and (best is None or price == inf or others[each] < price):
            return Each((each,), unbound[each]), None
        assert best is not None
        part, free = best
        if isinstance(part, Or):
            own = {variable: objects for variable, objects in unbound.items() if variable in free}
            planning = _Planning(self.types, self.start, self.choices - 1)
            alternatives = [planning.steps(operand, own, taken.difference(own)) for operand in part.operands]
            return DisjunctionStep(alternatives, tuple(own)), part
        assert isinstance(part, Atom)
        return Match(part, unbound), part

    def _expected_bindings(self, conjunct: Conjunct, unbound: Domains) -> float:
        """Estimate how many bindings a conjunct makes from one binding; infinite if it cannot bind variables."""
        part, free = conjunct
        if isinstance(part, Atom) and part.predicate in self.start:
            bound = tuple([position for position, term in enumerate(part.arguments) if term not in unbound])
            number = self.start[part.predicate].expected(bound)
        elif (isinstance(part, Atom) and part.predicate != "=") or (isinstance(part, Or) and self.choices):
            number = float(prod(len(unbound[variable]) for variable in free if variable in unbound) ** 0.5)
        else:
            return inf
        return number ** (2 if free <= unbound.keys() else 1)  # squared if it shares no bound variable


class Axioms:
    """The axioms of a domain, prepared to compute the derived atoms of states.

    A derived atom is true exactly if an axiom makes it true. The strata are evaluated in their order, each to its least
    fixpoint; the predicates that a stratum negates are complete by then (Thiébaux, Hoffmann, Nebel: In Defense of PDDL
    Axioms, 2005).
    """

    def __init__(self, domain: Domain, types: Types, start: Mapping[str, FactTable]) -> None:
        def query(axiom: Axiom) -> Query:
            return Query(axiom.head.parameters, axiom.body, types, start)

        self._strata = [
            [(axiom.head.name, query(axiom)) for axiom in domain.axioms if axiom.head.name in names]
            for names in strata(domain)
        ]

    def complete(self, world: World) -> None:
        """Add to a world the derived atoms that are true in it, one stratum after the other."""
        for rules in self._strata:
            growing = True
            while growing:
                growing = False
                for predicate, query in rules:
                    new = query.answers(world) - world.facts(predicate).tuples
                    world.add(predicate, new)
                    growing |= bool(new)
