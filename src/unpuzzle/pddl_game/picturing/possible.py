"""Which objects may ever stand in each place of a predicate, by what actions ask for: at least all that ever do.

    (at ?ball ?room) is added by an action with the precondition (room ?room): nothing but rooms stands there

Each place is judged by itself, so that this is quick; domains without types are understood as well as those with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unpuzzle.pddl.declarations import Action
from unpuzzle.pddl.formulas import And, Atom, Condition, Effect, Exists, Forall, When, conjuncts
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.types import Types

Objects = frozenset[str]
Place = tuple[str, int]
"""A predicate and the number of an argument."""


def possible_arguments(task: Task, types: Types) -> Mapping[Place, Objects]:
    """Return by predicate and number of an argument the objects that may stand there in any state."""
    found: dict[Place, set[str]] = {}
    for atom in task.problem.init:
        for place, name in enumerate(atom.arguments):
            found.setdefault((atom.predicate, place), set()).add(name)
    for axiom in task.domain.axioms:  # what rules derive is not looked into
        for place, parameter in enumerate(axiom.head.parameters):
            found.setdefault((axiom.head.name, place), set()).update(types.members(parameter.types))
    added = [(action, *pair) for action in task.domain.actions for pair in _added(action.effect, {})]
    growing = True
    while growing:
        growing = False
        for action, atom, inner in added:
            for place, term in enumerate(atom.arguments):
                own = found.setdefault((atom.predicate, place), set())
                more = _values(term, action, inner, found, types) - own
                own |= more
                growing = growing or bool(more)
    return {place: frozenset(names) for place, names in found.items()}


def _added(
    effect: Effect, inner: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[Atom, Mapping[str, tuple[str, ...]]]]:
    """Yield the atoms that an effect may add, each with the types of the variables that it binds itself."""
    if isinstance(effect, Atom):
        yield effect, inner
    elif isinstance(effect, And):
        for operand in effect.operands:
            yield from _added(operand, inner)
    elif isinstance(effect, Forall):
        yield from _added(effect.body, {**inner, **{item.name: item.types for item in effect.parameters}})
    elif isinstance(effect, When):
        yield from _added(effect.effect, inner)


def _values(
    term: str, action: Action, inner: Mapping[str, tuple[str, ...]], found: Mapping[Place, set[str]], types: Types
) -> set[str]:
    """Return what a term of an effect may stand for, by what is known so far."""
    if not term.startswith("?"):
        return {term}
    if term in inner:
        return set(types.members(inner[term]))
    values = set(types.domains(action.parameters).get(term, ()))
    for atom in _asked(action.precondition):
        for place, name in enumerate(atom.arguments):
            if name == term and atom.predicate != "=":
                values &= found.get((atom.predicate, place), set())
    return values


def _asked(condition: Condition) -> Iterator[Atom]:
    """Yield atoms that hold where a condition does."""
    for part in conjuncts(condition):
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, Exists):  # its own variables hide those outside
            names = {item.name for item in part.parameters}
            yield from (atom for atom in _asked(part.body) if names.isdisjoint(atom.arguments))
