"""The requirements of a domain or problem, read off its nodes by the grammar of PDDL 3.1.

The grammar counts `(not (p))` as a negative precondition, but the negation of anything else as a disjunctive one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.pddl.formulas import (
    OBJECT,
    Atom,
    Exists,
    Forall,
    Imply,
    Increase,
    Not,
    Or,
    When,
    conjuncts,
    effects,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unpuzzle.pddl.declarations import Domain, Problem
    from unpuzzle.pddl.formulas import Condition, Effect, TypedName
    from unpuzzle.pddl.node import Node

QUANTIFIED = frozenset({":existential-preconditions", ":universal-preconditions"})
COVERED = {
    ":quantified-preconditions": QUANTIFIED,
    ":adl": QUANTIFIED.union(
        ":strips :typing :negative-preconditions :disjunctive-preconditions :equality".split(),
        ":quantified-preconditions :conditional-effects".split(),
    ),
    ":negation": frozenset({":negative-preconditions"}),
    ":fluents": frozenset({":action-costs"}),
    ":numeric-fluents": frozenset({":action-costs"}),
}
"""Requirements that stand for others, too."""

_ORDER = """
    :strips :typing :negative-preconditions :disjunctive-preconditions :equality :existential-preconditions
    :universal-preconditions :quantified-preconditions :conditional-effects :derived-predicates :action-costs
    """.split()


def smallest(needed: set[str]) -> list[str]:
    """Return the shortest list that declares some requirements, in the customary order; `:strips` for none."""
    if needed >= QUANTIFIED:
        needed = needed - QUANTIFIED | {":quantified-preconditions"}
    return [requirement for requirement in _ORDER if requirement in needed] or [":strips"]


def covered(declared: Iterable[str]) -> set[str]:
    """Return declared requirements, and those that they stand for."""
    result = set(declared)
    return result.union(*(COVERED.get(requirement, ()) for requirement in result))


def of_domain(domain: Domain) -> set[str]:
    needed: set[str] = set()
    lists = [predicate.parameters for predicate in domain.predicates]
    lists += [function.parameters for function in domain.functions]
    lists += [action.parameters for action in domain.actions]
    lists += [axiom.head.parameters for axiom in domain.axioms]
    if domain.types or any(_typed(names) for names in (domain.constants, *lists)):
        needed.add(":typing")
    if domain.functions:
        needed.add(":action-costs")
    if domain.axioms:
        needed.add(":derived-predicates")
    for axiom in domain.axioms:
        needed.update(_of_condition(axiom.body))
    for action in domain.actions:
        needed.update(_of_condition(action.precondition), _of_effect(action.effect))
    return needed


def of_problem(problem: Problem) -> set[str]:
    needed = set(_of_condition(problem.goal))
    if _typed(problem.objects):
        needed.add(":typing")
    if problem.metric or problem.values:
        needed.add(":action-costs")
    return needed


def adds_cost(effect: Effect) -> bool:
    """Return whether an effect adds to total-cost."""
    return any(isinstance(part, Increase) for part in conjuncts(effect))


def _typed(names: tuple[TypedName, ...]) -> bool:
    return any(name.types != OBJECT for name in names)


_OF_NODES: dict[type[Node], str] = {
    Or: ":disjunctive-preconditions",
    Imply: ":disjunctive-preconditions",
    Exists: ":existential-preconditions",
    Forall: ":universal-preconditions",
}
"""The requirement of a node in a condition, whatever is inside it."""


def _of_condition(condition: Condition) -> Iterator[str]:
    for node in walk(condition):
        if type(node) in _OF_NODES:
            yield _OF_NODES[type(node)]
        elif isinstance(node, Not):
            yield ":negative-preconditions" if isinstance(node.operand, Atom) else ":disjunctive-preconditions"
        elif isinstance(node, Atom) and node.predicate == "=":
            yield ":equality"
        yield from _of_quantified(node)


def _of_effect(effect: Effect) -> Iterator[str]:
    for node in effects(effect):
        if isinstance(node, Increase):
            yield ":action-costs"
        elif isinstance(node, Forall | When):
            yield ":conditional-effects"
        if isinstance(node, When):
            yield from _of_condition(node.condition)
        yield from _of_quantified(node)


def _of_quantified(node: Condition | Effect) -> Iterator[str]:
    if isinstance(node, Exists | Forall) and _typed(node.parameters):
        yield ":typing"
