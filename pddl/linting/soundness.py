"""The quick check that a domain and a problem made in Python are a valid task.

A file is checked when it is read. A puzzle's task has no file: with an object of type `cel`, or an atom with an
undeclared object, it would have no plan, and "unsolvable" would be a wrong answer. So `Task` calls this check.

Nearly all tasks are sound, and a puzzle makes thousands with hundreds of atoms each. So this check compares sets, one
for each argument of a predicate, and answers only "yes" or "perhaps not". After "perhaps not", `faults` is loaded,
makes the checks of the reader and lint, and raises the error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Domain, Problem, Value
from unpuzzle.pddl.formulas import (
    OBJECT,
    TOTAL_COST,
    And,
    Atom,
    Exists,
    Forall,
    FunctionTerm,
    Imply,
    Not,
    Or,
    TypedName,
)
from unpuzzle.pddl.linting.names import TypeOrder

Types = tuple[str, ...]
Declared = Mapping[str, Sequence[Types]]  # the types of the arguments, by predicate or function
Rows = defaultdict[str, list[Any]]  # the lists of arguments, by predicate or function


_TOTAL_COST = FunctionTerm(TOTAL_COST)
_MOST_NODES = 200
"""A goal with more nodes, not counting literals, may be nested too deeply."""


def require(domain: Domain, problem: Problem) -> None:
    """Raise ParseError unless a domain and a problem form a valid task; each domain is checked only once."""
    if not (type(domain) is Domain and type(problem) is Problem and vocabulary(domain).fits(problem)):
        _refuse(domain, problem)


def vocabulary(domain: Domain) -> DeclaredNames:
    """Return the declared names of a domain, cached in the domain. Raises ParseError if the domain is not valid."""
    words = domain.vocabulary
    if not words:
        _refuse(domain)
    if not isinstance(words, DeclaredNames):
        words = DeclaredNames(domain)
        object.__setattr__(domain, "vocabulary", words)
    return words


def _refuse(*parts: Any) -> None:
    """Raise ParseError for the first fault of a domain or, with two arguments, of a domain and its problem."""
    from unpuzzle.pddl.linting import faults

    check: Any = faults.check_domain if len(parts) == 1 else faults.check_task
    check(*parts)


class DeclaredNames:
    """The declared names of a domain with their types, stored for quick checks of problems."""

    def __init__(self, domain: Domain) -> None:
        self.order: TypeOrder = TypeOrder(domain)
        self._constants = domain.constants
        self._predicates = {node.name: [each.types for each in node.parameters] for node in domain.predicates}
        derived = {axiom.head.name for axiom in domain.axioms}
        self._settable = {name: types for name, types in self._predicates.items() if name not in derived}
        self._predicates["="] = [OBJECT, OBJECT]
        self._functions = {node.name: [each.types for each in node.parameters] for node in domain.functions}
        self._functions[TOTAL_COST] = []

    def fits(self, problem: Problem) -> bool:
        """Return True if a problem certainly fits the domain, False if the slower `check_task` must decide."""
        try:
            return self._fits(problem)
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            return False  # some part has a wrong Python type

    def _fits(self, problem: Problem) -> bool:
        """Return whether all parts of a problem certainly fit the domain."""
        objects = self._objects(problem.objects)
        rows: Rows = defaultdict(list)
        for atom in problem.init:
            rows[atom.predicate].append(atom.arguments)
        return (
            objects is not None
            and isinstance(problem.init, tuple)
            and isinstance(problem.values, tuple)
            and type(problem.name) is type(problem.domain_name) is str
            and {Atom}.issuperset(map(type, problem.init))
            and objects.take(rows, self._settable)
            and self._formula(problem.goal, objects)
            and (not problem.values or self._values(problem.values, objects))
            and (problem.metric is None or problem.metric == _TOTAL_COST)
        )

    def _objects(self, objects: tuple[TypedName, ...]) -> _Scope | None:
        """Return the objects and constants by type; None if the slower `check_task` must decide if they are valid."""
        groups: dict[Types, list[str]] = defaultdict(list)
        for item in (*self._constants, *objects):
            groups[item.types].append(item.name)
        names = list(chain.from_iterable(groups.values()))
        distinct = len(names) == len(set(names))
        return _Scope(self.order, groups) if distinct and _plain(names) and self._known(groups) else None

    def _known(self, expressions: Iterable[Types]) -> bool:
        return all(type(types) is tuple and self.order.names >= set(types) != set() for types in expressions)

    def _formula(self, formula: Any, scope: _Scope, nodes: int = 0) -> bool:
        """Return True if a condition certainly fits the domain, False if the slower `check_task` must decide."""
        rows: Rows = defaultdict(list)
        waiting = [formula]
        while waiting:
            node, nodes = waiting.pop(), nodes + 1
            kind = type(node)
            if kind is And or kind is Or:
                for part in node.operands if type(node.operands) is tuple else (None,):
                    literal = part.operand if type(part) is Not else part
                    if type(literal) is Atom:
                        rows[literal.predicate].append(literal.arguments)
                    else:
                        waiting.append(part)
            elif kind is Atom:
                rows[node.predicate].append(node.arguments)
            elif kind is Not or kind is Imply:
                waiting += node.children()
            elif not ((kind is Exists or kind is Forall) and self._quantified(node, scope, nodes)):
                return False
        return nodes <= _MOST_NODES and scope.take(rows, self._predicates)

    def _quantified(self, node: Exists | Forall, scope: _Scope, nodes: int) -> bool:
        """Return whether a quantified condition surely uses declared types, names and predicates; False if unsure."""
        groups = defaultdict(list, {types: list(names) for types, names in scope.groups.items()})
        for item in node.parameters:
            groups[item.types].append(item.name)
        own = {item.name for item in node.parameters}
        names = set(chain.from_iterable(scope.groups.values()))
        return (
            len(own) == len(node.parameters)
            and own.isdisjoint(names)  # no name hides another
            and all(name[:1] == "?" and _plain([name[1:]]) for name in own)
            and self._known(groups)
            and self._formula(node.body, _Scope(self.order, groups), nodes)
        )

    def _values(self, values: tuple[Value, ...], objects: _Scope) -> bool:
        """Return True if initial function values are certainly valid, False if the slower `check_task` must decide."""
        rows: Rows = defaultdict(list)
        for value in values:
            rows[value.term.function].append(value.term.arguments)
        return (
            {Value}.issuperset(map(type, values))
            and {FunctionTerm}.issuperset([type(value.term) for value in values])
            and {int}.issuperset([type(value.number) for value in values])
            and len({value.term for value in values}) == len(values)
            and TOTAL_COST not in rows
            and objects.take(rows, self._functions)
        )


class _Scope:
    """The names of objects and constants, grouped by their types."""

    def __init__(self, order: TypeOrder, groups: Mapping[Types, list[str]]) -> None:
        self.order = order
        self.groups = groups
        self._members: dict[Types, set[str]] = {}

    def take(self, rows: Rows, declared: Declared) -> bool:
        """Return whether arguments have the declared types. Raises an exception for a wrong number of arguments."""
        terms: dict[Types, list[str]] = defaultdict(list)
        for name, several in rows.items():
            for types, column in zip(declared[name], zip(*several, strict=True), strict=True):
                terms[types] += column
        tuples = {tuple}.issuperset(map(type, chain.from_iterable(rows.values())))
        return tuples and all(self._of(types).issuperset(column) for types, column in terms.items())

    def _of(self, types: Types) -> set[str]:
        """Return the names of the objects and constants that fit a parameter of the given types."""
        members = self._members.get(types)
        if members is None:
            fits = self.order.fits
            members = set(chain.from_iterable([names for own, names in self.groups.items() if fits(own, types)]))
            self._members[types] = members
        return members


def _plain(names: list[str]) -> bool:
    """Return whether all names have a form that PDDL allows."""
    text = f" {' '.join(names)} "
    return (
        text == text.lower()
        and text.isprintable()
        and text.count(" ") == len(names) + 1
        and not any(mark in text for mark in ("  ", " :", " -", "(", ")", ";", "?"))
    )
