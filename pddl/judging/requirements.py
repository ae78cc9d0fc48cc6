"""The requirements of a domain or problem: computed from nodes by the grammar of PDDL 3.1, or added to the text.

The grammar counts `(not (p))` as a negative precondition, but the negation of anything else as a disjunctive one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import Condition, effects, walk
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
    """Return the shortest list that declares some requirements, in the usual order; `:strips` for no requirements."""
    if needed >= QUANTIFIED:
        needed = needed - QUANTIFIED | {":quantified-preconditions"}
    return [requirement for requirement in _ORDER if requirement in needed] or [":strips"]


def covered(declared: Iterable[str]) -> set[str]:
    """Return declared requirements and all requirements that these requirements include."""
    result = set(declared)
    return result.union(*(COVERED.get(requirement, ()) for requirement in result))


def of_domain(domain: Domain) -> set[str]:
    return {requirement for _, requirement in _needs(domain)}


def of_problem(problem: Problem) -> set[str]:
    return {requirement for _, requirement in _needs_of_problem(problem)}


def _needs(domain: Domain) -> Iterator[tuple[Node, str]]:
    """Yield each part of a domain that needs a requirement, in the order of the text, with the requirement."""
    yield from ((item, ":typing") for item in domain.types)
    yield from _typed(domain.constants)
    for function in domain.functions:
        yield function, ":action-costs"
        yield from _typed(function.parameters)
    for predicate in domain.predicates:
        yield from _typed(predicate.parameters)
    for action in domain.actions:
        yield from _typed(action.parameters)
        yield from _needs_of_condition(action.precondition)
        for part in effects(action.effect):
            if isinstance(part, Increase):
                yield part, ":action-costs"
            elif isinstance(part, Forall | When):
                yield part, ":conditional-effects"
                yield from _typed(part.parameters) if isinstance(part, Forall) else _needs_of_condition(part.condition)
    for axiom in domain.axioms:
        yield axiom, ":derived-predicates"
        yield from _typed(axiom.head.parameters)
        yield from _needs_of_condition(axiom.body)


def _needs_of_problem(problem: Problem) -> Iterator[tuple[Node, str]]:
    yield from _typed(problem.objects)
    yield from ((value, ":action-costs") for value in problem.values)
    yield from _needs_of_condition(problem.goal)
    if problem.metric is not None:
        yield problem.metric, ":action-costs"


def _needs_of_condition(condition: Condition) -> Iterator[tuple[Node, str]]:
    for part in walk(condition):
        if type(part) in _OF_NODES:
            yield part, _OF_NODES[type(part)]
        elif isinstance(part, Not):
            yield part, ":negative-preconditions" if isinstance(part.operand, Atom) else ":disjunctive-preconditions"
        elif isinstance(part, Atom) and part.predicate == "=":
            yield part, ":equality"
        if isinstance(part, Exists | Forall):
            yield from _typed(part.parameters)


def _typed(names: Iterable[TypedName]) -> Iterator[tuple[TypedName, str]]:
    return ((name, ":typing") for name in names if name.types != OBJECT)


_OF_NODES: dict[type[Node], str] = {
    Or: ":disjunctive-preconditions",
    Imply: ":disjunctive-preconditions",
    Exists: ":existential-preconditions",
    Forall: ":universal-preconditions",
}
"""The requirement of a kind of node in a condition."""


def lacking(task: Task) -> list[str]:
    """Return the requirements that a task needs but its domain does not declare, in the usual order."""
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


def requiring(text: str, missing: Iterable[str]) -> str:
    """Return a domain's text with more requirements, in the existing or a new list; other text is unchanged."""
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
    """Return a clause that names the construct that needs a requirement, and the line of the construct."""
    needs = _needs(node) if isinstance(node, Domain) else _needs_of_problem(node)
    span = next((part.span for part, needed in needs if needed == requirement), None)
    return f": {NEEDS[requirement]} in line {span.line} needs it" if span else ""
