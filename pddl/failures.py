"""Sentences about false conditions: one sentence for each part that is false."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import And, Atom, Condition, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.world import World
from unpuzzle.pddl.writer import typed


class Failure(Record):
    """A part of a condition that is false.

    Attributes:
        condition: the part as PDDL, with objects for variables: `(not (open))`.
        reason: a sentence: "(open) is true, but must be false".
        atom: the atom of the part, if that is a literal; None for others.
    """

    condition: str
    reason: str
    atom: Atom | None = None


def failures(
    condition: Condition, binding: Mapping[str, str], world: World, static: frozenset[str]
) -> Iterator[Failure]:
    """Yield the false parts of a conjunction, in the order of the text; `static` names the static predicates."""
    if world.holds(condition, binding):
        return
    if isinstance(condition, And):
        for operand in condition.operands:
            yield from failures(operand, binding, world, static)
    elif isinstance(condition, Forall):
        for each in world.types.assignments(condition.parameters, binding):
            objects = ", ".join(f"{named.name} = {each[named.name]}" for named in condition.parameters)
            yield from _prefixed(f"for {objects}: ", failures(condition.body, each, world, static))
    elif isinstance(condition, Imply):
        premise = f"{text(condition.premise, binding)} holds, but "
        yield from _prefixed(premise, failures(condition.conclusion, binding, world, static))
    else:
        yield _failure(condition, binding, static)


def _prefixed(prefix: str, parts: Iterator[Failure]) -> Iterator[Failure]:
    return (part.replace(reason=prefix + part.reason) for part in parts)


def _failure(condition: Condition, binding: Mapping[str, str], static: frozenset[str]) -> Failure:
    formula, atom = text(condition, binding), condition.operand if isinstance(condition, Not) else condition
    if not isinstance(atom, Atom):
        if isinstance(condition, Not):
            return Failure(formula, f"{text(condition.operand, binding)} is true, but must be false")
        nothing = f"none of the alternatives in {formula} holds" if isinstance(condition, Or) else ""
        return Failure(formula, nothing or f"no objects satisfy {formula}")
    note = " (static: no action changes it)" if atom.predicate in static else ""
    ground = Atom(atom.predicate, tuple([binding.get(term, term) for term in atom.arguments]))
    said = f"{ground} is true{note}, but must be false" if isinstance(condition, Not) else f"{ground} is false{note}"
    return Failure(formula, said, ground)


def text(condition: Condition, binding: Mapping[str, str]) -> str:
    """Return a condition as PDDL, with bound variables replaced by objects."""
    if isinstance(condition, Atom):
        terms = (binding.get(term, term) for term in condition.arguments)
        return f"({' '.join((condition.predicate, *terms))})"
    if isinstance(condition, Exists | Forall):
        inner = dict(binding)
        for named in condition.parameters:
            inner.pop(named.name, None)
        names = " ".join(typed(condition.parameters))
        return f"({type(condition).__name__.lower()} ({names}) {text(condition.body, inner)})"
    parts = (text(part, binding) for part in condition.children())
    return f"({' '.join((type(condition).__name__.lower(), *parts))})"
