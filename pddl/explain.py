"""Sentences about conditions that do not hold: the first literal that fails."""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.pddl.nodes import And, Atom, Condition, Exists, Forall, Imply, Not, Or
from unpuzzle.pddl.world import World


def failure(condition: Condition, binding: Mapping[str, str], world: World, static: frozenset[str]) -> str | None:
    """Return the first reason why a condition is false, or None if it holds; `static` are names of predicates."""
    if world.holds(condition, binding):
        return None
    if isinstance(condition, And):
        return next(filter(None, (failure(operand, binding, world, static) for operand in condition.operands)))
    if isinstance(condition, Forall):
        assignments = world.types.assignments(condition.parameters, binding)
        reasons = ((each, failure(condition.body, each, world, static)) for each in assignments)
        exception, reason = next((each, reason) for each, reason in reasons if reason is not None)
        objects = ", ".join(f"{named.name} = {exception[named.name]}" for named in condition.parameters)
        return f"for {objects}: {reason}"
    if isinstance(condition, Imply):
        inner = failure(condition.conclusion, binding, world, static)
        return f"{text(condition.premise, binding)} holds, but {inner}"
    formula, atom = text(condition, binding), condition.operand if isinstance(condition, Not) else condition
    note = " (static: no action changes it)" if isinstance(atom, Atom) and atom.predicate in static else ""
    if isinstance(condition, Atom):
        return f"{formula} is false{note}"
    if isinstance(condition, Not):
        return f"{text(condition.operand, binding)} is true{note}, but must be false"
    if isinstance(condition, Or):
        return f"none of the alternatives in {formula} holds"
    return f"no objects satisfy {formula}"


def text(condition: Condition, binding: Mapping[str, str]) -> str:
    """Return a condition as PDDL, with objects in place of its bound variables."""
    if isinstance(condition, Atom):
        terms = (binding.get(term, term) for term in condition.arguments)
        return f"({' '.join((condition.predicate, *terms))})"
    if isinstance(condition, Exists | Forall):
        inner = dict(binding)
        for named in condition.parameters:
            inner.pop(named.name, None)
        names = " ".join(named.name for named in condition.parameters)
        return f"({type(condition).__name__.lower()} ({names}) {text(condition.body, inner)})"
    parts = (text(part, binding) for part in condition.children())
    return f"({' '.join((type(condition).__name__.lower(), *parts))})"
