"""The steps of a join: each extends partial bindings by one conjunct or one variable. See `query`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from unpuzzle.limits import ticked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unpuzzle.pddl.nodes import Atom, Condition
    from unpuzzle.pddl.world import World

    Binding = dict[str, str]


class Step(Protocol):
    """The interface of a step."""

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        """Return the extended bindings."""


def run(steps: Sequence[Step], bindings: list[Binding], world: World) -> list[Binding]:
    """Return the bindings after all steps."""
    for step in steps:
        bindings = step.extend(bindings, world)
    return bindings


class Test:
    """Keeps a binding if a condition holds, all of whose variables are bound."""

    __slots__ = ("condition",)

    def __init__(self, condition: Condition) -> None:
        self.condition: Condition = condition

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        return [binding for binding in ticked(bindings, world.types.tick) if world.holds(self.condition, binding)]


class Each:
    """Binds a variable to every object of its type."""

    __slots__ = ("objects", "variables")

    def __init__(self, variable: str, objects: Sequence[str]) -> None:
        self.variables: tuple[str] = (variable,)
        self.objects: Sequence[str] = objects

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        tick, variable = world.types.tick, self.variables[0]
        return [{**binding, variable: name} for binding in bindings for name in ticked(self.objects, tick)]


class Match:
    """Binds the unbound variables of an atom by the atoms of the world that fit it."""

    __slots__ = ("_bound", "_free", "_positions", "_predicate", "variables")

    def __init__(self, atom: Atom, unbound: Mapping[str, Sequence[str]]) -> None:
        places = list(enumerate(atom.arguments))
        self._predicate = atom.predicate
        self._positions = tuple(position for position, term in places if term not in unbound)
        self._bound = tuple(term for term in atom.arguments if term not in unbound)
        self._free = [(position, term, frozenset(unbound[term])) for position, term in places if term in unbound]
        self.variables: tuple[str, ...] = tuple(dict.fromkeys(term for _, term, _ in self._free))

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        index = world.relation(self._predicate).index(self._positions)
        extensions = []
        tick = world.types.tick
        for binding in ticked(bindings, tick):
            for arguments in ticked(index.get(tuple([binding.get(term, term) for term in self._bound]), ()), tick):
                extended = dict(binding)
                for position, variable, objects in self._free:
                    value = arguments[position]
                    if value not in objects or extended.setdefault(variable, value) != value:
                        break
                else:
                    extensions.append(extended)
        return extensions


class Choice:
    """Binds the unbound variables of a disjunction; other variables inside an alternative are forgotten."""

    __slots__ = ("alternatives", "variables")

    def __init__(self, alternatives: Sequence[Sequence[Step]], variables: Sequence[str]) -> None:
        self.alternatives: Sequence[Sequence[Step]] = alternatives
        self.variables: Sequence[str] = variables

    def extend(self, bindings: list[Binding], world: World) -> list[Binding]:
        extensions = []
        for binding in bindings:
            values = {
                tuple([extended[variable] for variable in self.variables])
                for steps in self.alternatives
                for extended in run(steps, [binding], world)
            }
            extensions += [{**binding, **dict(zip(self.variables, own, strict=True))} for own in values]
        return extensions
