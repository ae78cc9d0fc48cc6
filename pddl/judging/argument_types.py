"""Checks of argument types and of variables, for the reader, lint and tasks made in Python.

An argument fits if its type is the declared one or below it. If it is above, some objects fit and some do not: a
warning. If no object can be of both types, the atom is never true: an error. An object of type `(either a b)` is both
an `a` and a `b`; a variable of that type stands for the objects of either.
"""

from __future__ import annotations

from collections import defaultdict

from unpuzzle.limits import looked, ticked
from unpuzzle.pddl.formulas import Atom, Exists, Forall, FunctionTerm, Increase
from unpuzzle.pddl.reading.normal import ancestors, type_names, type_parents
from unpuzzle.words import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol

    from unpuzzle.pddl.declarations import Domain, Problem
    from unpuzzle.pddl.formulas import TypedName
    from unpuzzle.pddl.node import Node

    Types = tuple[str, ...]
    Scope = dict[str, list[Types]]

    class Report(Protocol):
        """Takes complaints about a domain and perhaps a problem."""

        domain: Domain
        problem: Problem | None
        tick: Callable[[], None] | None

        def error(self, message: str, node: Node, word: str | None = None) -> None: ...
        def warning(self, message: str, node: Node, word: str | None = None) -> None: ...


class TypeOrder:
    """Tells which arguments fit which parameters. `above` has each type with all that are above it."""

    def __init__(self, domain: Domain) -> None:
        parents = type_parents(domain)
        self.above: dict[str, set[str]] = {
            name: {"object", *ancestors((name,), parents)} for name in type_names(domain)
        }
        self._fitting: dict[tuple[bool, Types, Types], bool] = {}  # a variable? its types, the parameter's types

    def fits(self, types: Types, expected: Types, variable: bool = False) -> bool:
        """Return whether an object, or a variable, of some types can be an argument of a type."""
        key = variable, types, expected
        if key not in self._fitting:
            below = [not self.above.get(name, set()).isdisjoint(expected) for name in types]
            self._fitting[key] = all(below) if variable else any(below)
        return self._fitting[key]


class Arguments:
    """Checks the arguments and variables of a domain, and those of its problems."""

    def __init__(self, report: Report) -> None:
        self.report = report
        domain = report.domain
        self.order = TypeOrder(domain)
        self.declared = {("predicate", item.name): item.parameters for item in reversed(domain.predicates)}
        self.declared |= {("function", item.name): item.parameters for item in reversed(domain.functions)}
        self.constants: Scope = {item.name: [item.types] for item in domain.constants}

    def check_domain(self) -> None:
        """Report errors and warnings about a domain."""
        for action in self.report.domain.actions:
            scope = self.inner(self.constants, action.parameters)
            used = self.walk(action.precondition, scope) | self.walk(action.effect, scope)
            self.unused(action.parameters, used, f"of '{action.name}'")
            for index, parameter in enumerate(action.parameters):
                if any(parameter.name == other.name for other in action.parameters[:index]):
                    message = f"'{parameter.name}' is a parameter twice: both arguments must be the same object"
                    self.report.warning(message, parameter)
        for axiom in self.report.domain.axioms:
            scope = self.inner(self.constants, axiom.head.parameters)
            head = Atom(axiom.head.name, tuple([item.name for item in axiom.head.parameters]), span=axiom.head.span)
            self.walk(head, scope)
            self.walk(axiom.body, scope)

    def check_problem(self, denied: tuple[Atom, ...] = ()) -> None:
        """Report errors about a problem, if there is one; `denied` are atoms that its `:init` negates."""
        problem = self.report.problem
        if problem is None:
            return
        scope = self.constants | {item.name: [item.types] for item in problem.objects}
        facts: dict[str, list[tuple[str, tuple[str, ...], Node]]] = {
            "predicate": [(atom.predicate, atom.arguments, atom) for atom in (*problem.init, *denied)],
            "function": [(value.term.function, value.term.arguments, value.term) for value in problem.values],
        }
        for kind, several in facts.items():
            if not self.all_fit(kind, several, scope):
                for name, arguments, node in ticked(several, self.report.tick):
                    self.fits(kind, name, arguments, scope, node)
        self.walk(problem.goal, scope)

    def all_fit(self, kind: str, facts: Sequence[tuple[str, tuple[str, ...], Node]], scope: Scope) -> bool:
        """Return whether all facts surely fit. This is quick: it compares sets, one for each argument of a name."""
        rows: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
        for name, arguments, _ in facts:
            rows[name].append(arguments)
        objects: dict[Types, frozenset[str]] = {}
        for name, lists in looked(rows.items(), self.report.tick):
            parameters = self.declared.get((kind, name), ())
            if {len(parameters)} != set(map(len, lists)):
                return False
            for parameter, column in zip(parameters, zip(*lists, strict=True), strict=True):
                if (types := parameter.types) not in objects:
                    fitting = (name for name in scope if any(self.order.fits(own, types) for own in scope[name]))
                    objects[types] = frozenset(fitting)
                if not objects[types].issuperset(column):
                    return False
        return True

    def walk(self, node: Any, scope: Scope) -> set[str]:
        """Check the atoms of a condition or effect, and return the terms in it."""
        used: set[str] = set()
        waiting = [node]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Atom):
                self.fits("predicate", part.predicate, part.arguments, scope, part)
                used.update(part.arguments)
            elif isinstance(part, Exists | Forall):
                used |= self.quantified(part, scope)
            elif isinstance(part, Increase) and isinstance(part.amount, FunctionTerm):
                self.fits("function", part.amount.function, part.amount.arguments, scope, part.amount)
                used.update(part.amount.arguments)
            else:
                waiting.extend(reversed(part.children()))
        return used

    def quantified(self, node: Exists | Forall, scope: Scope) -> set[str]:
        inside = dict(scope)
        for parameter in node.parameters:
            if parameter.name in inside:
                self.report.warning(f"'{parameter.name}' hides another variable of this name", parameter)
            inside[parameter.name] = [parameter.types]
        used = self.walk(node.body, inside)
        self.unused(node.parameters, used, "of this quantifier")
        return used - {parameter.name for parameter in node.parameters}

    def inner(self, scope: Scope, parameters: tuple[TypedName, ...]) -> Scope:
        """Return a scope with the parameters of an action or axiom; a repeated one has all its types."""
        own: Scope = {}
        for parameter in parameters:
            own.setdefault(parameter.name, []).append(parameter.types)
        return scope | own

    def unused(self, parameters: tuple[TypedName, ...], used: set[str], whose: str) -> None:
        for parameter in parameters:
            if parameter.name not in used:
                self.report.warning(f"the variable '{parameter.name}' {whose} is never used", parameter)

    def fits(self, kind: str, name: str, arguments: tuple[str, ...], scope: Scope, node: Node) -> None:
        parameters = self.declared.get((kind, name), ())
        if len(parameters) != len(arguments):
            return  # unknown, or a wrong number of arguments: names has said so
        for argument, parameter in zip(arguments, parameters, strict=True):
            own, expected = scope.get(argument, ()), parameter.types
            if any(types == expected or self.order.fits(types, expected, argument[0] == "?") for types in own):
                continue
            for types in own:
                if {*types, *expected} <= self.order.above.keys():
                    self.judge(f"{kind} '{name}'", argument, types, expected, node)

    def judge(self, what: str, argument: str, types: Types, expected: Types, node: Node) -> None:
        variable = argument[0] == "?"
        kind = "variable" if variable else "object"
        own, others = (listing([f"'{name}'" for name in each], "or") for each in (types, expected))
        message = f"the {kind} '{argument}' is of type {own}, but the {what} takes {others}"
        possible = variable and any(above & set(types) and above & set(expected) for above in self.order.above.values())
        (self.report.warning if possible else self.report.error)(message, node, argument)
