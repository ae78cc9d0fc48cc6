"""The objects of a task and their types: `object`, the declared types, and all their ancestors.

For `either` and for parameters that occur twice see `reading.reader`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from unpuzzle.limits import ticked
from unpuzzle.pddl.nodes import Task, TypedName
from unpuzzle.pddl.reading.normal import ancestors, type_parents


class Types:
    """The objects of a task, constants first, each in the order of the text, and their types.

    `tick` is called for each assignment, and may raise; other loops over a task's objects call it, too.
    """

    def __init__(self, task: Task, tick: Callable[[], None] | None = None) -> None:
        self.tick: Callable[[], None] | None = tick
        parents = type_parents(task.domain)
        self._of: dict[str, set[str]] = {}
        for named in ticked((*task.domain.constants, *task.problem.objects), tick):
            self._of.setdefault(named.name, {"object"}).update(ancestors(named.types, parents))
        self.order: Mapping[str, int] = {name: number for number, name in enumerate(self._of)}
        self._members: dict[tuple[str, ...], tuple[str, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._of

    def of(self, name: str) -> frozenset[str]:
        """Return all types that an object belongs to."""
        return frozenset(self._of[name])

    def members(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """Return the objects of at least one of some types, in the order of the text."""
        if types not in self._members:
            self._members[types] = tuple(name for name, own in self._of.items() if not own.isdisjoint(types))
        return self._members[types]

    def domains(self, parameters: Sequence[TypedName]) -> dict[str, tuple[str, ...]]:
        """Return the possible objects for each variable of an action or an axiom."""
        domains: dict[str, tuple[str, ...]] = {}
        for parameter in parameters:
            members = self.members(parameter.types)
            if parameter.name in domains:
                members = tuple(name for name in domains[parameter.name] if name in members)
            domains[parameter.name] = members
        return domains

    def assignments(self, parameters: Sequence[TypedName], binding: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield a binding extended by each assignment of objects to the parameters of a quantifier."""
        names = [parameter.name for parameter in parameters]
        for objects in ticked(product(*[self.members(parameter.types) for parameter in parameters]), self.tick):
            yield {**binding, **dict(zip(names, objects, strict=True))}
