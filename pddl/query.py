"""All assignments of objects to variables under which a condition holds, found by a join.

An action schema with eight parameters has a million typed assignments and perhaps three applicable ones. So we do not
try them all: the conjuncts of the condition are put into an order, and each in turn extends a list of partial bindings.

    (at ?x)                        Match    one binding for each atom of the state that fits
    (road ?x ?y)                   Match    looked up by the value of ?x
    (not (visited ?y))             Test     everything in it is bound: keep the binding or drop it
    (or (near ?y ?z) (far ?y ?z))  Choice   what one alternative or the other finds
    ?u                             Each     nothing else binds it: every object of its type

The order affects speed only, and what is tested is tested, whole, by `World.holds`.
"""

from __future__ import annotations

from math import prod

from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Not, Or

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from unpuzzle.pddl.nodes import Condition, TypedName
    from unpuzzle.pddl.types import Types
    from unpuzzle.pddl.world import World

    Binding = dict[str, str]

    class _Step(Protocol):
        """One step of a join."""

        def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
            """The bindings that a partial binding grows into."""


_DEEPEST_CHOICE = 5
"""A disjunction that is nested deeper is tested: each choice takes four frames of the stack."""


class Query:
    """A condition with parameters. `sizes`, how many atoms a predicate may have, guides the order of the join."""

    __slots__ = ("_steps",)

    def __init__(
        self, parameters: Sequence[TypedName], condition: Condition, types: Types, sizes: Mapping[str, int]
    ) -> None:
        self._steps = _Planning(types, sizes).steps(condition, types.domains(parameters), frozenset())

    def answers(self, world: World) -> list[Binding]:
        """The bindings under which the condition holds; one may occur several times."""
        return _run(self._steps, {}, world)


def _run(steps: Sequence[_Step], binding: Binding, world: World) -> list[Binding]:
    bindings = [binding]
    for step in steps:
        bindings = [extended for binding in bindings for extended in step.extend(binding, world)]
    return bindings


class _Test:
    __slots__ = ("condition",)

    def __init__(self, condition: Condition) -> None:
        self.condition = condition

    def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
        return (binding,) if world.holds(self.condition, binding) else ()


class _Each:
    __slots__ = ("objects", "variables")

    def __init__(self, variable: str, objects: Sequence[str]) -> None:
        self.variables = (variable,)
        self.objects = objects

    def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
        return [{**binding, self.variables[0]: name} for name in self.objects]


class _Match:
    __slots__ = ("bound", "free", "positions", "predicate", "variables")

    def __init__(self, atom: Atom, unbound: Mapping[str, Sequence[str]]) -> None:
        places = list(enumerate(atom.arguments))
        self.predicate = atom.predicate
        self.positions = tuple(position for position, term in places if term not in unbound)
        self.bound = tuple(term for term in atom.arguments if term not in unbound)
        self.free = [(position, term, frozenset(unbound[term])) for position, term in places if term in unbound]
        self.variables = tuple(dict.fromkeys(term for _, term, _ in self.free))

    def extend(self, binding: Binding, world: World) -> Iterator[Binding]:
        values = tuple([binding.get(term, term) for term in self.bound])
        for arguments in world.relation(self.predicate).matching(self.positions, values):
            extended = dict(binding)
            for position, variable, objects in self.free:
                value = arguments[position]
                if value not in objects or extended.setdefault(variable, value) != value:
                    break
            else:
                yield extended


class _Choice:
    """A disjunction with unbound variables. Of what an alternative binds, only these variables are kept."""

    __slots__ = ("alternatives", "variables")

    def __init__(self, alternatives: Sequence[Sequence[_Step]], variables: Sequence[str]) -> None:
        self.alternatives = alternatives
        self.variables = variables

    def extend(self, binding: Binding, world: World) -> Iterator[Binding]:
        found = {
            tuple([extended[variable] for variable in self.variables])
            for steps in self.alternatives
            for extended in _run(steps, binding, world)
        }
        for values in found:
            yield {**binding, **dict(zip(self.variables, values, strict=True))}


class _Planning:
    """Puts conjuncts into an order. `choices` says how deep choices may still be nested."""

    def __init__(self, types: Types, sizes: Mapping[str, int], choices: int = _DEEPEST_CHOICE) -> None:
        self.types = types
        self.sizes = sizes
        self.choices = choices

    def steps(
        self, condition: Condition, domains: Mapping[str, tuple[str, ...]], outer: frozenset[str]
    ) -> tuple[_Step, ...]:
        """Steps that bind the variables of `domains`; the names in `outer` have a meaning already."""
        unbound = dict(domains)
        conjuncts = self._opened(condition, unbound, outer)
        taken = outer.union(unbound)
        return tuple(self._ordered([(conjunct, free_variables(conjunct)) for conjunct in conjuncts], unbound, taken))

    def _opened(
        self, condition: Condition, unbound: dict[str, tuple[str, ...]], outer: frozenset[str]
    ) -> list[Condition]:
        """The conjuncts of a condition. The variables of an outer `exists` join `unbound`, if their names are free."""
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
        self,
        waiting: list[tuple[Condition, frozenset[str]]],
        unbound: dict[str, tuple[str, ...]],
        taken: frozenset[str],
    ) -> Iterator[_Step]:
        """First whatever can be tested, then what promises the fewest bindings, and so on."""
        while True:
            yield from (_Test(conjunct) for conjunct, free in waiting if free.isdisjoint(unbound))
            waiting = [(conjunct, free) for conjunct, free in waiting if not free.isdisjoint(unbound)]
            if not unbound:
                return
            step, chosen = self._next(waiting, unbound, taken)
            yield step
            waiting = [(conjunct, free) for conjunct, free in waiting if conjunct is not chosen]
            for variable in step.variables:
                del unbound[variable]

    def _next(
        self,
        waiting: list[tuple[Condition, frozenset[str]]],
        unbound: Mapping[str, tuple[str, ...]],
        taken: frozenset[str],
    ) -> tuple[_Match | _Choice | _Each, Condition | None]:
        used = frozenset[str]().union(*(free for _, free in waiting))
        # A variable that nothing asks about waits until the others have passed their tests.
        each = min(unbound, key=lambda variable: (variable not in used, len(unbound[variable])))
        conjunct, free = min(waiting, key=lambda pair: self._expected(*pair, unbound), default=(And(), frozenset()))
        if each not in used or len(unbound[each]) < self._expected(conjunct, free, unbound):
            return _Each(each, unbound[each]), None
        if isinstance(conjunct, Atom):
            return _Match(conjunct, unbound), conjunct
        own = {variable: unbound[variable] for variable in unbound if variable in free}
        inner = _Planning(self.types, self.sizes, self.choices - 1)
        alternatives = [inner.steps(operand, own, taken.difference(own)) for operand in conjunct.operands]
        return _Choice(alternatives, tuple(own)), conjunct

    def _expected(self, conjunct: Condition, free: frozenset[str], unbound: Mapping[str, Sequence[str]]) -> float:
        """A guess how many bindings a step makes of one."""
        if isinstance(conjunct, Atom) and conjunct.predicate != "=":
            positions = sum(term in unbound for term in conjunct.arguments)
            return float(max(self.sizes.get(conjunct.predicate, 0), 1)) ** (positions / len(conjunct.arguments))
        if isinstance(conjunct, Or) and self.choices:
            return float(prod(len(unbound[variable]) for variable in free if variable in unbound)) ** 0.5
        return float("inf")


def free_variables(condition: Condition) -> frozenset[str]:
    """The variables of a condition that no quantifier in it binds."""
    if isinstance(condition, Atom):
        return frozenset(term for term in condition.arguments if term.startswith("?"))
    if isinstance(condition, Not):
        return free_variables(condition.operand)
    if isinstance(condition, And | Or):
        return frozenset().union(*(free_variables(operand) for operand in condition.operands))
    if isinstance(condition, Imply):
        return free_variables(condition.premise) | free_variables(condition.conclusion)
    if isinstance(condition, Exists | Forall):
        return free_variables(condition.body) - {named.name for named in condition.parameters}
    raise TypeError(f"not a condition: {condition!r}")
