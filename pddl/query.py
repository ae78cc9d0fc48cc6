"""All assignments of objects to variables under which a condition holds, found by a join.

An action schema with eight parameters has a million typed assignments and perhaps three applicable ones. So we do not
try them all: the conjuncts of the condition are put into an order, and each in turn extends a list of partial bindings.

    (at ?x)            Match   one binding for each atom of the state that fits
    (road ?x ?y)       Match   looked up by the value of ?x
    (not (visited ?y)) Test    everything in it is bound: keep the binding or drop it
    ?z                 Each    nothing else binds it: every object of its type

The order affects speed only. Whatever is no atom is tested, whole, by `World.holds`.
"""

from __future__ import annotations

from unpuzzle.pddl.nodes import And, Atom, Exists, Forall, Imply, Not, Or

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from unpuzzle.pddl.nodes import Condition, TypedName
    from unpuzzle.pddl.types import Types
    from unpuzzle.pddl.world import World

    Binding = dict[str, str]


class Query:
    """A condition with parameters. `sizes`, how many atoms a predicate may have, guides the order of the join."""

    __slots__ = ("steps",)

    def __init__(
        self, parameters: Sequence[TypedName], condition: Condition, types: Types, sizes: Mapping[str, int]
    ) -> None:
        domains = types.domains(parameters)
        conjuncts = _opened(condition, domains, types)
        self.steps = tuple(_ordered(conjuncts, domains, sizes))

    def answers(self, world: World) -> list[Binding]:
        """The bindings under which the condition holds; one may occur several times."""
        bindings: list[Binding] = [{}]
        for step in self.steps:
            bindings = [extended for binding in bindings for extended in step.extend(binding, world)]
        return bindings


class _Test:
    __slots__ = ("condition",)

    def __init__(self, condition: Condition) -> None:
        self.condition = condition

    def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
        return (binding,) if world.holds(self.condition, binding) else ()


class _Each:
    __slots__ = ("objects", "variable")

    def __init__(self, variable: str, objects: Sequence[str]) -> None:
        self.variable = variable
        self.objects = objects

    def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
        return [{**binding, self.variable: name} for name in self.objects]


class _Match:
    __slots__ = ("bound", "free", "positions", "predicate")

    def __init__(self, atom: Atom, unbound: Mapping[str, Sequence[str]]) -> None:
        places = list(enumerate(atom.arguments))
        self.predicate = atom.predicate
        self.positions = tuple(position for position, term in places if term not in unbound)
        self.bound = tuple(term for term in atom.arguments if term not in unbound)
        self.free = [(position, term, frozenset(unbound[term])) for position, term in places if term in unbound]

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


def _opened(condition: Condition, domains: dict[str, tuple[str, ...]], types: Types) -> list[Condition]:
    """The conjuncts of a condition. The variables of an outer `exists` join `domains`, unless their names are taken."""
    if isinstance(condition, And):
        return [part for operand in condition.operands for part in _opened(operand, domains, types)]
    if isinstance(condition, Exists) and domains.keys().isdisjoint(named.name for named in condition.parameters):
        domains.update(types.domains(condition.parameters))
        return _opened(condition.body, domains, types)
    return [condition]


def _ordered(
    conjuncts: list[Condition], domains: Mapping[str, tuple[str, ...]], sizes: Mapping[str, int]
) -> Iterator[_Test | _Match | _Each]:
    """Steps for all conjuncts and variables: first what can be tested, then what promises the fewest bindings."""
    unbound = dict(domains)
    waiting = [(conjunct, free_variables(conjunct)) for conjunct in conjuncts]
    while waiting or unbound:
        yield from (_Test(conjunct) for conjunct, free in waiting if free.isdisjoint(unbound))
        waiting = [(conjunct, free) for conjunct, free in waiting if not free.isdisjoint(unbound)]
        used = frozenset().union(*(free for _, free in waiting))
        choices: list[tuple[float, _Match | _Each, Condition | None]] = [
            (_expected(conjunct, unbound, sizes), _Match(conjunct, unbound), conjunct)
            for conjunct, _ in waiting
            if isinstance(conjunct, Atom) and conjunct.predicate != "="
        ]
        # A variable that nothing asks about waits until all others have passed their tests.
        choices += [
            (len(objects) if variable in used else float("inf"), _Each(variable, objects), None)
            for variable, objects in unbound.items()
        ]
        if not choices:
            return
        _, step, chosen = min(choices, key=lambda choice: choice[0])
        yield step
        waiting = [(conjunct, free) for conjunct, free in waiting if conjunct is not chosen]
        for variable in [step.variable] if isinstance(step, _Each) else [variable for _, variable, _ in step.free]:
            unbound.pop(variable, None)


def _expected(atom: Atom, unbound: Mapping[str, object], sizes: Mapping[str, int]) -> float:
    """About how many atoms fit, if each position tells as much as any other."""
    free = sum(term in unbound for term in atom.arguments)
    return float(max(sizes.get(atom.predicate, 0), 1)) ** (free / len(atom.arguments))


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
