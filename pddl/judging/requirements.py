"""The requirements of a domain or problem, computed from its nodes by the grammar of PDDL 3.1, or added to its text.

The grammar counts `(not (p))` as a negative precondition, but the negation of anything else as a disjunctive one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import Condition, Effect, effects, walk
from unpuzzle.pddl.nodes import OBJECT, Atom, Exists, Forall, Imply, Increase, Node, Not, Or, Task, TypedName, When

QUANTIFIED = frozenset({":existential-preconditions", ":universal-preconditions"})
COVERED: dict[str, frozenset[str]] = {
    ":quantified-preconditions": QUANTIFIED,
    ":adl": QUANTIFIED.union(
        ":strips :typing :negative-preconditions :disjunctive-preconditions :equality".split(),
        ":quantified-preconditions :conditional-effects".split(),
    ),
    ":negation": frozenset({":negative-preconditions"}),
    ":fluents": frozenset({":action-costs"}),
    ":numeric-fluents": frozenset({":action-costs"}),
}
"""Requirements that include others."""

_ORDER = """
    :strips :typing :negative-preconditions :disjunctive-preconditions :equality :existential-preconditions
    :universal-preconditions :quantified-preconditions :conditional-effects :derived-predicates :action-costs
    """.split()


def smallest(needed: set[str]) -> list[str]:
    """Return the shortest list that declares some requirements, in the usual order; `:strips` for none."""
    if needed >= QUANTIFIED:
        needed = needed - QUANTIFIED | {":quantified-preconditions"}
    return [requirement for requirement in _ORDER if requirement in needed] or [":strips"]


def covered(declared: Iterable[str]) -> set[str]:
    """Return declared requirements and those that they include."""
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


def _typed(names: tuple[TypedName, ...]) -> bool:
    return any(name.types != OBJECT for name in names)


_OF_NODES: dict[type[Node], str] = {
    Or: ":disjunctive-preconditions",
    Imply: ":disjunctive-preconditions",
    Exists: ":existential-preconditions",
    Forall: ":universal-preconditions",
}
"""The requirement of a kind of node in a condition."""


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


def lacking(task: Task) -> list[str]:
    """Return the requirements that a task needs and its domain does not declare, in the usual order."""
    missing = (of_domain(task.domain) | of_problem(task.problem)) - covered(task.domain.requirements)
    return smallest(missing) if missing else []


NEEDS = {
    ":typing": "a type",
    ":action-costs": "a cost",
    ":derived-predicates": "an axiom",
    ":equality": "'='",
    ":negative-preconditions": "'not'",
    ":disjunctive-preconditions": "'or', 'imply' or 'not'",
    ":existential-preconditions": "'exists'",
    ":universal-preconditions": "'forall'",
    ":conditional-effects": "'when' or 'forall'",
}
"""By requirement, the word or construct that needs it."""


def first_need(requirement: str, node: Domain | Problem) -> Node | None:
    return next((part for part, needed in _needs(node) if requirement in needed), None)


def _needs(node: Domain | Problem) -> Iterator[tuple[Node, set[str]]]:
    if isinstance(node, Problem):
        yield from ((item, {":typing"}) for item in node.objects if item.types != OBJECT)
        yield from ((value, {":action-costs"}) for value in node.values)
        yield from _needs_of(node.goal)
        return
    yield from ((item, {":typing"}) for item in (*node.types, *node.constants) if node.types or item.types != OBJECT)
    yield from ((function, {":action-costs"}) for function in node.functions)
    yield from ((item, {":typing"}) for item in node.predicates if _typed(item.parameters))
    for action in node.actions:
        yield from ((item, {":typing"}) for item in action.parameters if item.types != OBJECT)
        yield from _needs_of(action.precondition)
        for part in effects(action.effect):
            conditional = isinstance(part, Forall | When)
            costs = isinstance(part, Increase)
            yield part, {":conditional-effects"} if conditional else {":action-costs"} if costs else set()
            if isinstance(part, When):
                yield from _needs_of(part.condition)
    for axiom in node.axioms:
        yield axiom, {":derived-predicates"}
        yield from _needs_of(axiom.body)


def _needs_of(condition: Condition) -> Iterator[tuple[Node, set[str]]]:
    for part in walk(condition):
        needed = {_OF_NODES[type(part)]} if type(part) in _OF_NODES else set()
        if isinstance(part, Not):
            needed = {":negative-preconditions" if isinstance(part.operand, Atom) else ":disjunctive-preconditions"}
        elif isinstance(part, Atom) and part.predicate == "=":
            needed = {":equality"}
        elif isinstance(part, Exists | Forall) and _typed(part.parameters):
            needed.add(":typing")
        yield part, needed


def requiring(text: str, missing: Iterable[str]) -> str:
    """Return a domain's text with more requirements, in its own list or a new one; the rest is unchanged."""
    words = " ".join(missing)
    if not words:
        return text

    tokens = [match for match in re.finditer(r";[^\n]*|[()]|[^\s();]+", text) if not match[0].startswith(";")]
    names = [match[0].lower() for match in tokens]
    if ":requirements" in names:
        end = tokens[names.index(")", names.index(":requirements"))].start()
        return f"{text[:end]} {words}{text[end:]}"
    end = tokens[names.index(")", names.index("domain"))].end()
    return f"{text[:end]}\n  (:requirements {words}){text[end:]}"


def needed_by(requirement: str, node: Domain | Problem) -> str:
    """Return a clause that names the construct that needs a requirement, and its line."""
    first = first_need(requirement, node)
    span = first and first.span
    return f": {NEEDS[requirement]} in line {span.line} needs it" if span else ""
