"""The steps of a join: each extends a partial binding by what one conjunct, or one variable, allows. See `query`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from unpuzzle.pddl.nodes import Atom, Condition
    from unpuzzle.pddl.world import World

    Binding = dict[str, str]

    class Step(Protocol):
        """What all steps have in common."""

        def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
            """The bindings that a partial binding grows into."""


def run(steps: Sequence[Step], binding: Binding, world: World) -> list[Binding]:
    """What a binding has grown into after all steps."""
    bindings = [binding]
    for step in steps:
        bindings = [extended for binding in bindings for extended in step.extend(binding, world)]
    return bindings


class Test:
    """Keeps a binding if a condition holds, all of whose variables are bound."""

    __slots__ = ("condition",)

    def __init__(self, condition: Condition) -> None:
        self.condition = condition

    def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
        return (binding,) if world.holds(self.condition, binding) else ()


class Each:
    """Binds a variable to every object of its type."""

    __slots__ = ("objects", "variables")

    def __init__(self, variable: str, objects: Sequence[str]) -> None:
        self.variables = (variable,)
        self.objects = objects

    def extend(self, binding: Binding, world: World) -> Iterable[Binding]:
        return [{**binding, self.variables[0]: name} for name in self.objects]


class Match:
    """Binds the unbound variables of an atom by the atoms of the world that fit it."""

    __slots__ = ("_bound", "_free", "_positions", "_predicate", "variables")

    def __init__(self, atom: Atom, unbound: Mapping[str, Sequence[str]]) -> None:
        places = list(enumerate(atom.arguments))
        self._predicate = atom.predicate
        self._positions = tuple(position for position, term in places if term not in unbound)
        self._bound = tuple(term for term in atom.arguments if term not in unbound)
        self._free = [(position, term, frozenset(unbound[term])) for position, term in places if term in unbound]
        self.variables = tuple(dict.fromkeys(term for _, term, _ in self._free))

    def extend(self, binding: Binding, world: World) -> Iterator[Binding]:
        values = tuple([binding.get(term, term) for term in self._bound])
        for arguments in world.relation(self._predicate).matching(self._positions, values):
            extended = dict(binding)
            for position, variable, objects in self._free:
                value = arguments[position]
                if value not in objects or extended.setdefault(variable, value) != value:
                    break
            else:
                yield extended


class Choice:
    """Binds the unbound variables of a disjunction. What else an alternative binds on its way is dropped."""

    __slots__ = ("alternatives", "variables")

    def __init__(self, alternatives: Sequence[Sequence[Step]], variables: Sequence[str]) -> None:
        self.alternatives = alternatives
        self.variables = variables

    def extend(self, binding: Binding, world: World) -> Iterator[Binding]:
        found = {
            tuple([extended[variable] for variable in self.variables])
            for steps in self.alternatives
            for extended in run(steps, binding, world)
        }
        for values in found:
            yield {**binding, **dict(zip(self.variables, values, strict=True))}
