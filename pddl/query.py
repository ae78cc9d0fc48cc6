"""Queries: all bindings of variables to objects for which a condition holds, computed by a join.

An action schema with eight parameters has a million typed assignments and perhaps three applicable ones. So we do not
try them all: the conjuncts of the condition are put into an order, and each in turn extends a list of partial bindings.

    (at ?x)                        Match    one binding for each atom of the state that fits
    (road ?x ?y)                   Match    looked up by the value of ?x
    (not (visited ?y))             Test     everything in it is bound: keep the binding or drop it
    (or (near ?y ?z) (far ?y ?z))  Choice   what one alternative or the other finds
    ?u                             Each     nothing else binds it: every object of its type

The order affects speed only; `World.holds` does the tests. Before each step we guess, from the atoms of the initial
state, how many bindings each possible step would make of one: 24 roads between 9 places make 24 if nothing is bound
yet, and 24/9 if `?x` is. The step with the least number comes next. But a step that shares no variable with those
bound so far multiplies everything after it: asking whether each of five lamps is on or off, before it is known which
lamps they are, makes 32 bindings of one. So the number of such a step is squared.
"""

from __future__ import annotations

from math import inf, prod
from operator import itemgetter
from typing import TYPE_CHECKING

from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Or
from unpuzzle.pddl.steps import Choice, Each, Match, Test, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unpuzzle.pddl.nodes import Condition, TypedName
    from unpuzzle.pddl.steps import Binding, Step
    from unpuzzle.pddl.types import Types
    from unpuzzle.pddl.world import Relation, World

    Domains = Mapping[str, tuple[str, ...]]
    Conjunct = tuple[Condition, frozenset[str]]  # with its free variables

_DEEPEST_CHOICE = 5
"""A disjunction that is nested deeper becomes a test: each choice takes four frames of the stack."""


class Query:
    """A condition with parameters. `known`, the relations of the initial state, guides the order of the join."""

    __slots__ = ("_steps",)

    def __init__(
        self, parameters: Sequence[TypedName], condition: Condition, types: Types, known: Mapping[str, Relation]
    ) -> None:
        self._steps = _Planning(types, known).steps(condition, types.domains(parameters), frozenset())

    def answers(self, world: World) -> list[Binding]:
        """Return the bindings for which the condition holds; one may occur several times."""
        return run(self._steps, [{}], world)


class _Planning:
    """Puts conjuncts into an order. `choices` says how deep choices may still be nested."""

    def __init__(self, types: Types, known: Mapping[str, Relation], choices: int = _DEEPEST_CHOICE) -> None:
        self.types = types
        self.known = known
        self.choices = choices

    def steps(self, condition: Condition, domains: Domains, outer: frozenset[str]) -> tuple[Step, ...]:
        """Return steps that bind the variables of `domains`; the names in `outer` are bound outside."""
        unbound = dict(domains)
        conjuncts = [(part, free_variables(part)) for part in self._opened(condition, unbound, outer)]
        return tuple(self._ordered(conjuncts, unbound, outer.union(unbound)))

    def _opened(
        self, condition: Condition, unbound: dict[str, tuple[str, ...]], outer: frozenset[str]
    ) -> list[Condition]:
        """Return the conjuncts of a condition; variables of an outer `exists` join `unbound`, if no name clashes."""
        if isinstance(condition, And):
            return [part for operand in condition.operands for part in self._opened(operand, unbound, outer)]
        if isinstance(condition, Exists):
            names = {parameter.name for parameter in condition.parameters}
            distinct = len(names) == len(condition.parameters)
            if distinct and names.isdisjoint(unbound) and names.isdisjoint(outer):
                unbound.update(self.types.domains(condition.parameters))
                return self._opened(condition.body, unbound, outer)
        return [condition]

    def _ordered(
        self, waiting: list[Conjunct], unbound: dict[str, tuple[str, ...]], taken: frozenset[str]
    ) -> Iterator[Step]:
        """Yield the steps: all possible tests, then the step that promises the fewest bindings, and so on."""
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
    ) -> tuple[Match | Choice | Each, Condition | None]:
        """Return the next step, and the conjunct that it replaces."""
        prices = [self._price(conjunct, unbound) for conjunct in waiting]
        price, best = min(zip(prices, waiting, strict=True), key=itemgetter(0), default=(inf, None))
        bindable = frozenset[str]().union(*[free for (_, free), own in zip(waiting, prices, strict=True) if own < inf])
        asked = frozenset[str]().union(*[free for _, free in waiting])
        # Variables that a conjunct can bind are left to it; those that no conjunct mentions come after all tests.
        others = {variable: len(unbound[variable]) ** 2 if variable in asked else inf for variable in unbound}
        each = min((name for name in unbound if name not in bindable), key=others.__getitem__, default=None)
        if each is not None and (best is None or price == inf or others[each] < price):
            return Each(each, unbound[each]), None
        assert best is not None
        part, free = best
        if isinstance(part, Or):
            own = {variable: objects for variable, objects in unbound.items() if variable in free}
            return self._choice(part, own, taken.difference(own)), part
        assert isinstance(part, Atom)
        return Match(part, unbound), part

    def _choice(self, condition: Or, unbound: Domains, outer: frozenset[str]) -> Choice:
        planning = _Planning(self.types, self.known, self.choices - 1)
        alternatives = [planning.steps(operand, unbound, outer) for operand in condition.operands]
        return Choice(alternatives, tuple(unbound))

    def _price(self, conjunct: Conjunct, unbound: Domains) -> float:
        """Return how many bindings a step is expected to make of one; squared if it shares no bound variable."""
        part, free = conjunct
        return self._expected(part, free, unbound) ** (2 if free <= unbound.keys() else 1)

    def _expected(self, part: Condition, free: frozenset[str], unbound: Domains) -> float:
        """Guess how many bindings a step makes of one; infinite if the conjunct can only be tested."""
        if isinstance(part, Atom) and part.predicate in self.known:
            bound = tuple([position for position, term in enumerate(part.arguments) if term not in unbound])
            return self.known[part.predicate].expected(bound)
        if (isinstance(part, Atom) and part.predicate != "=") or (isinstance(part, Or) and self.choices):
            return float(prod(len(unbound[variable]) for variable in free if variable in unbound) ** 0.5)
        return inf


def free_variables(condition: Condition) -> frozenset[str]:
    """Return the variables of a condition that no quantifier in it binds."""
    if isinstance(condition, Atom):
        return frozenset([term for term in condition.arguments if term.startswith("?")])
    free = frozenset[str]().union(*map(free_variables, condition.children()))
    return free - {named.name for named in condition.parameters} if isinstance(condition, Exists | Forall) else free
