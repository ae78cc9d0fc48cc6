"""Checks of argument types and variables, used by the reader, by lint, and for tasks made in Python.

An argument fits if its type is the declared type or below it. If its type is above, some objects fit and some do not: a
warning. If no object can be of both types, the atom is never true: an error. An object of type `(either a b)` is both
an `a` and a `b`; a variable of that type stands for the objects of either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from unpuzzle.base.run import within_limits
from unpuzzle.base.text import listing
from unpuzzle.base.type_hints import Any, Protocol
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import Atom, Exists, Forall, FunctionTerm, Increase, TypedName
from unpuzzle.pddl.node import Node
from unpuzzle.pddl.reading.normal import ancestors, type_names, type_parents

Key = tuple[str, str]  # predicate or function, and its name
Types = tuple[str, ...]
Scope = dict[str, list[TypedName]]


class Report(Protocol):
    """A receiver of faults of a domain and, if there is one, of a problem."""

    domain: Domain
    problem: Problem | None

    def error(self, code: str, message: str, node: Node, word: str | None = None) -> None: ...
    def warning(self, code: str, message: str, node: Node, word: str | None = None) -> None: ...


class TypeOrder:
    """Decides which types fit a parameter's types; the ancestors of a type are computed only when needed."""

    def __init__(self, domain: Domain) -> None:
        self._parents = type_parents(domain)
        self.names: set[str] = set(type_names(domain))
        self._fitting: dict[tuple[bool, Types, Types], bool] = {}  # a variable? its types, the parameter's types

    def above(self, name: str) -> set[str]:
        """Return a type and all its ancestors; an empty set for an unknown type."""
        return {"object", *ancestors((name,), self._parents)} if name in self.names else set()

    def fits(self, types: Types, expected: Types, variable: bool = False) -> bool:
        """Return whether an object or variable with some types may be an argument where other types are expected."""
        key = variable, types, expected
        if key not in self._fitting:
            below = [not self.above(name).isdisjoint(expected) for name in types]
            self._fitting[key] = all(below) if variable else any(below)
        return self._fitting[key]


class Misfit(Record):
    """An argument of a wrong type: the declaration of the argument, and the parameter of `what` that does not fit."""

    argument: TypedName
    parameter: TypedName
    what: str


class Arguments:
    """Checks of the arguments and variables of a domain and its problem.

    `misfits` are the arguments with a fault, in the order of the reports. Of the others, `right` has the types that fit
    a declared name or parameter, by its `id`, and `pairs` those of the name and of the parameter.
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        domain = report.domain
        self.order = TypeOrder(domain)
        self.misfits: list[Misfit] = []
        self.right: defaultdict[int, set[Types]] = defaultdict(set)
        self.pairs: set[tuple[Types, Types]] = set()
        self._declared = {("predicate", item.name): item.parameters for item in reversed(domain.predicates)}
        self._declared |= {("function", item.name): item.parameters for item in reversed(domain.functions)}
        self.constants: Scope = {item.name: [item] for item in domain.constants}

    def check_domain(self) -> None:
        """Report errors and warnings about the arguments and variables of a domain."""
        for action in self.report.domain.actions:
            scope = self.inner(self.constants, action.parameters)
            used = self.walk(action.precondition, scope) | self.walk(action.effect, scope)
            self.unused(action.parameters, used, f"of '{action.name}'")
            earlier = set[str]()
            for parameter in action.parameters:
                if parameter.name in earlier:
                    message = f"'{parameter.name}' is a parameter twice: both arguments must be the same object"
                    self.report.warning("parameter-twice", message, parameter)
                earlier.add(parameter.name)
        for axiom in self.report.domain.axioms:
            scope = self.inner(self.constants, axiom.head.parameters)
            head = Atom(axiom.head.name, tuple([item.name for item in axiom.head.parameters]), span=axiom.head.span)
            self.walk(head, scope)
            self.walk(axiom.body, scope)

    def check_problem(self, denied: tuple[Atom, ...] = (), thorough: bool = False) -> None:
        """Report errors about the problem, if a problem is given; `denied` are the atoms that `:init` negates.

        `thorough`: look at each fact also if all fit, for `right` and `pairs`.
        """
        problem = self.report.problem
        if problem is None:
            return
        scope = self.constants | {item.name: [item] for item in problem.objects}
        atoms, terms = (*problem.init, *denied), [value.term for value in problem.values]
        rows: defaultdict[Key, list[tuple[str, ...]]] = defaultdict(list)
        for atom in atoms:
            rows["predicate", atom.predicate].append(atom.arguments)
        for term in terms:
            rows["function", term.function].append(term.arguments)
        if all_fit := self.all_fit(rows, scope):
            self.walk(problem.goal, scope)
        if not all_fit or self.misfits or thorough:
            facts: list[Atom | FunctionTerm] = [*atoms, *terms]
            for node in within_limits(facts):
                self.fits(node, scope)
        if not all_fit:
            self.walk(problem.goal, scope)

    def all_fit(self, rows: Mapping[Key, list[tuple[str, ...]]], scope: Scope) -> bool:
        """Return whether all facts certainly fit the declarations; fast, by comparing sets of objects per argument."""
        objects: dict[Types, frozenset[str]] = {}
        for key, lists in within_limits(rows.items(), long=True):
            parameters = self._declared.get(key, ())
            if {len(parameters)} != set(map(len, lists)):
                return False
            for parameter, column in zip(parameters, zip(*lists, strict=True), strict=True):
                if (types := parameter.types) not in objects:
                    fitting = (name for name in scope if any(self.order.fits(own.types, types) for own in scope[name]))
                    objects[types] = frozenset(fitting)
                if not objects[types].issuperset(column):
                    return False
        return True

    def walk(self, node: Any, scope: Scope) -> set[str]:
        """Check the atoms of a condition or effect, and return the terms in the condition or effect."""
        used: set[str] = set()
        waiting = [node]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Atom):
                self.fits(part, scope)
                used.update(part.arguments)
            elif isinstance(part, Exists | Forall):
                used |= self.quantified(part, scope)
            elif isinstance(part, Increase) and isinstance(part.amount, FunctionTerm):
                self.fits(part.amount, scope)
                used.update(part.amount.arguments)
            else:
                waiting.extend(reversed(part.children()))
        return used

    def quantified(self, node: Exists | Forall, scope: Scope) -> set[str]:
        inside = dict(scope)
        for parameter in node.parameters:
            if parameter.name in inside:
                message = f"'{parameter.name}' hides another variable of this name"
                self.report.warning("hidden-variable", message, parameter)
            inside[parameter.name] = [parameter]
        used = self.walk(node.body, inside)
        self.unused(node.parameters, used, "of this quantifier")
        return used - {parameter.name for parameter in node.parameters}

    def inner(self, scope: Scope, parameters: tuple[TypedName, ...]) -> Scope:
        """Return a scope extended by parameters; a parameter declared twice has the types of both declarations."""
        own: Scope = {}
        for parameter in parameters:
            own.setdefault(parameter.name, []).append(parameter)
        return scope | own

    def unused(self, parameters: tuple[TypedName, ...], used: set[str], whose: str) -> None:
        for parameter in parameters:
            if parameter.name not in used:
                message = f"the variable '{parameter.name}' {whose} is never used"
                self.report.warning("unused-variable", message, parameter)

    def fits(self, node: Atom | FunctionTerm, scope: Scope) -> None:
        key = ("predicate", node.predicate) if isinstance(node, Atom) else ("function", node.function)
        parameters = self._declared.get(key, ())
        if len(parameters) != len(node.arguments):
            return  # unknown, or a wrong number of arguments: reported by `names`
        for argument, parameter in zip(node.arguments, parameters, strict=True):
            own, expected, variable = scope.get(argument, ()), parameter.types, argument[0] == "?"
            fits = self.order.fits
            fitting = [each for each in own if each.types == expected or fits(each.types, expected, variable)]
            for each in fitting or own:
                if fitting:
                    self.right[id(each)].add(expected)
                    self.right[id(parameter)].add(each.types)
                    self.pairs.add((each.types, expected))
                elif {*each.types, *expected} <= self.order.names:
                    what = f"{key[0]} '{key[1]}'"
                    self.judge(what, argument, each.types, expected, node)
                    self.misfits.append(Misfit(each, parameter, what))

    def judge(self, what: str, argument: str, types: Types, expected: Types, node: Node) -> None:
        variable = argument[0] == "?"
        kind = "variable" if variable else "object"
        own, others = (listing([f"'{name}'" for name in each], "or") for each in (types, expected))
        message = f"the {kind} '{argument}' is of type {own}, but the {what} takes {others}"
        common = (
            above for above in map(self.order.above, self.order.names) if above & set(types) and above & set(expected)
        )
        possible = variable and any(common)
        code, report = ("wide-type", self.report.warning) if possible else ("wrong-type", self.report.error)
        report(code, message, node, argument)
