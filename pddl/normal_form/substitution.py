"""Substitution of terms for the free variables of conditions and effects, without capture of variables.

(exists (?y) (road ?x ?y))  with ?x = ?y     (exists (?y-2) (road ?y ?y-2))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.formulas import Atom, Exists, Forall, FunctionTerm, Increase, TypedName


def substituted(formula: Any, binding: Mapping[str, str]) -> Any:
    """Return a condition or effect with free variables replaced by terms.

    Quantified variables that are named like a variable or a term of the binding are renamed.
    """
    if isinstance(formula, Atom):
        terms = tuple([binding.get(term, term) for term in formula.arguments])
        return formula if terms == formula.arguments else Atom(formula.predicate, terms, span=formula.span)
    if isinstance(formula, Increase) and isinstance(formula.amount, FunctionTerm):
        term = formula.amount
        return formula.replace(amount=term.replace(arguments=tuple([binding.get(t, t) for t in term.arguments])))
    if isinstance(formula, Exists | Forall):
        bound, inner = fresh(formula.parameters, binding)
        return type(formula)(bound, substituted(formula.body, inner), span=formula.span)
    return formula.rebuilt([substituted(part, binding) for part in formula.children()])


def fresh(parameters: Iterable[TypedName], scope: Mapping[str, str]) -> tuple[tuple[TypedName, ...], dict[str, str]]:
    """Return a quantifier's parameters, renamed if they hide outer variables, and the renaming of variables inside."""
    inner, bound = dict(scope), []
    taken = {*scope, *scope.values()}
    for each in parameters:
        inner[each.name] = unused(each.name, taken)
        taken.add(inner[each.name])
        bound.append(TypedName(inner[each.name], each.types))
    return tuple(bound), inner


def unused(name: str, taken: Iterable[str]) -> str:
    """Return the name, or the first of NAME-2, NAME-3, ... that is not taken."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free
