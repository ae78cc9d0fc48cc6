"""Checks of names: each name must be declared once, and be used with arguments of the declared number and types.

The reader, lint and tasks made in Python share these passes. `check_domain` and `check_problem` walk over nodes as they
were written and call `report(code, message, node, word)` for each fault. `codes.txt` explains the codes; `word` is the
token to point at, at its first occurrence from the node on. The reader's report raises, so it stops at the first fault;
lint's report collects.

The next pass, `Arguments`, checks types and variables. An argument fits if its type is the declared type or below it.
If its type is above, some objects fit and some do not: a warning. If no object can be of both types, the atom is never
true: an error. An object of type `(either a b)` is both an `a` and a `b`; a variable of that type stands for the
objects of either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from unpuzzle.base.run import within_limits
from unpuzzle.base.text import Vocabulary, corrected, count, listing
from unpuzzle.base.type_hints import Any, Protocol
from unpuzzle.base.values import Record
from unpuzzle.pddl.declarations import (
    Action,
    Domain,
    Function,
    Predicate,
    Problem,
    ancestors,
    dependency_chain,
    negative_cycles,
    type_names,
    type_parents,
)
from unpuzzle.pddl.formulas import (
    OBJECT,
    TOTAL_COST,
    Atom,
    Exists,
    Forall,
    FunctionTerm,
    Increase,
    Node,
    TypedName,
    When,
)
from unpuzzle.pddl.syntax import TokenSpan

Report = Callable[..., object]
Scope = frozenset[str]


MOST_HINTS = 1_000
"""The largest number of unknown names with a search for similar names, which is slow."""
UNEQUAL = frozenset(("!=", "<>", "/=", "\\="))
"""Words of programming languages for a negated equality."""


_vocabulary = lru_cache(maxsize=8)(Vocabulary)
"""Return a vocabulary of names, kept for the next key in an editor, when most names are the same."""
Key = tuple[str, str]  # predicate or function, and its name
Types = tuple[str, ...]
TypedScope = dict[str, list[TypedName]]


class Names:
    """The declared names of a domain, with checks that conditions and effects use only these names."""

    def __init__(self, domain: Domain, report: Report) -> None:
        self.report = report
        self._near: dict[str, str | None] = {}
        self._sure: dict[str, bool] = {}
        self.types: frozenset[str] = type_names(domain)
        self.arities: dict[str, int] = {
            predicate.name: len(predicate.parameters) for predicate in reversed(domain.predicates)
        }
        self.arities["="] = 2
        self.functions: dict[str, int] = {
            function.name: len(function.parameters) for function in reversed(domain.functions)
        }
        self.functions.setdefault(TOTAL_COST, 0)
        self.derived: frozenset[str] = frozenset(axiom.head.name for axiom in domain.axioms)
        self.constants: frozenset[str] = frozenset(constant.name for constant in domain.constants)

    def unknown(self, kind: str, word: str, known: Collection[str], node: Node) -> None:
        """Report an unknown name, with a suggestion if a known name is similar."""
        if word not in self._near:  # the word may occur in thousands of facts
            hinted = len(self._near) < MOST_HINTS
            right = corrected(word, {*known} - {"="}) if hinted and kind not in ("object", "variable") else None
            self._near[word] = right or (_vocabulary(frozenset(known)).nearest(word) if hinted else None)
            self._sure[word] = right is not None
        better = self._near[word] if self._near[word] in known else None
        hint = f", did you mean '{better}'?" if better else ""
        glued = next((name for name in known if name.startswith(f"{word}-")), None) if kind == "variable" else None
        if glued is not None:  # `?x-block` is one name
            better, hint = None, f": blanks are missing in '{glued}', write {word} - {glued[len(word) + 1 :]}"
        self.report(f"unknown-{kind}", f"unknown {kind} '{word}'{hint}", node, word, better, self._sure[word])

    def typed(self, typed_names: Iterable[TypedName]) -> None:
        for typed_name in typed_names:
            for name in typed_name.types:
                if name not in self.types:
                    self.unknown("type", name, self.types, typed_name)

    def applied(self, node: Atom | FunctionTerm, scope: Scope) -> None:
        """Check the name, the number of arguments and the arguments of an atom or function term."""
        if isinstance(node, Atom):
            kind, name, arities = "predicate", node.predicate, self.arities
        else:
            kind, name, arities = "function", node.function, self.functions
        arity, number = arities.get(name), len(node.arguments)
        if arity is None and kind == "predicate" and name in self.functions:
            self.valueless(node, name)
            return
        if arity is None and number == 2 and (name in UNEQUAL or name == "=="):
            equal = f"(= {' '.join(node.arguments)})"
            right = equal if name == "==" else f"(not {equal})"
            self.report("unknown-predicate", f"'{name}' is not a word of PDDL: write {right}", node, None, right)
        elif arity is None:
            self.unknown(kind, name, arities, node)
        elif arity != number:
            self.report("arity", f"the {kind} '{name}' takes {count(arity, 'argument')}, not {number}", node, name)
        if not scope.issuperset(node.arguments):
            for word in node.arguments:
                if word not in scope:
                    self.unknown("variable" if word[0] == "?" else "object", word, scope, node)

    def valueless(self, node: Atom | FunctionTerm, name: str) -> None:
        """Report a function that is used like an atom, as in `(distance a b 3)`."""
        *arguments, last = [name, *node.arguments]
        number = last.replace(".", "", 1).isdigit()
        hint = (
            f": write (= ({' '.join(arguments)}) {last})" if number else ", which has a value and is not true or false"
        )
        self.report("value-as-fact", f"'{name}' is a function{hint}", node, name)

    def formula(self, node: Any, scope: Scope, effect: bool = False) -> None:
        """Check all names in a condition or an effect."""
        if isinstance(node, Atom):
            self.applied(node, scope)
            if effect:
                self.settable(node, "an effect")
        elif effect and isinstance(node, Increase):
            self.applied(node.target, scope)
            if isinstance(node.amount, FunctionTerm):
                self.applied(node.amount, scope)
        elif effect and isinstance(node, When):
            self.formula(node.condition, scope)
            self.formula(node.effect, scope, effect)
        else:
            if isinstance(node, Exists | Forall):
                self.typed(node.parameters)
                scope = scope.union([parameter.name for parameter in node.parameters])
            for part in node.children():
                self.formula(part, scope, effect)

    def settable(self, atom: Atom, where: str) -> None:
        if atom.predicate in self.derived:
            message = f"the derived predicate '{atom.predicate}' cannot be set by {where}"
            self.report("derived-set", message, atom, atom.predicate)
        elif atom.predicate == "=":
            self.report("derived-set", f"equality cannot be set by {where}", atom, "=")


def check_domain(domain: Domain, report: Report) -> None:
    """Report wrong names in a domain: unknown names, conflicting declarations, wrong numbers of arguments."""
    names = Names(domain, report)
    _check_types(domain, report)
    _check_twice("constant", domain.constants, report)
    _check_twice("predicate", domain.predicates, report)
    _check_twice("function", domain.functions, report)
    names.typed(domain.constants)
    for predicate in domain.predicates:
        names.typed(predicate.parameters)
    for function in domain.functions:
        names.typed(function.parameters)
        if function.name == TOTAL_COST and function.parameters:
            report("arity", "'total-cost' takes no arguments", function, TOTAL_COST)
    _check_actions(domain, names)
    _check_axioms(domain, names)


def check_problem(problem: Problem, domain: Domain, report: Report, denied: tuple[Atom, ...] = ()) -> None:
    """Report wrong names in a problem; `denied` are the negated atoms in its `:init` section."""
    names = Names(domain, report)
    names.typed(within_limits(problem.objects))
    _check_twice("object", within_limits((*domain.constants, *problem.objects)), report)
    scope = names.constants.union(item.name for item in problem.objects)
    unsettable = names.derived | {"="}
    for atom in within_limits((*problem.init, *denied)):
        names.applied(atom, scope)
        if atom.predicate in unsettable:
            names.settable(atom, "the initial state")
    numbers: dict[FunctionTerm, int] = {}
    for value in within_limits(problem.values):
        names.applied(value.term, scope)
        if numbers.setdefault(value.term, value.number) != value.number:
            message = f"{value.term} is {numbers[value.term]} and {value.number} in the initial state"
            report("two-values", message, value)
    names.formula(problem.goal, scope)


def _check_types(domain: Domain, report: Report) -> None:
    """Report types with a reserved name, a parent of `object`, and types that are their own ancestors."""
    parents = type_parents(domain)
    circles: set[str] = set()
    for declared in domain.types:
        if declared.name == "number":
            report("reserved-type", "the type 'number' is reserved for functions", declared, "number")
        elif declared.name == "object" and declared.types != OBJECT:
            message = "'object' is the type of everything and cannot have a parent"
            report("reserved-type", message, declared, "object")
        elif declared.name == "object" or declared.name in circles:
            continue
        elif declared.name in (above := ancestors(declared.types, parents)):
            circles |= above
            runs = multiline_type_lists(domain.types) if declared.name in declared.types else ()
            run = next((run for run in runs if declared in run), [])
            line = [item for item in run if item.span.line <= run[run.index(declared)].span.line]
            if len(line) < len(run):
                message = f"the type '{declared.name}' is its own ancestor, as it gets the type of the next line"
                message += f": write - object after '{line[-1].name}'"
                report("type-circle", message, line[-1], line[-1].name, f"{line[-1].name} - object", False)
                continue
            way = " and ".join(f"{name} is of type {parent}" for name, parent in _parent_cycle(declared.name, parents))
            message = f"the type '{declared.name}' is its own ancestor: {way}; remove one of these"
            report("type-circle", message, declared, declared.name)


def multiline_type_lists(types: Iterable[TypedName]) -> Iterator[list[Any]]:
    """Yield typed lists that span several lines but have only one `- TYPE`, at the end of the last line."""
    run: list[Any] = []
    for item in (*types, None):
        spans: tuple[Any, Any] = run[-1].span if run else None, item.span if item else None
        if item and all(isinstance(span, TokenSpan) for span in spans) and spans[0].token + 1 == spans[1].token:
            run.append(item)
            continue
        if len(run) > 1 and run[0].types != OBJECT and run[0].span.line < run[-1].span.line:
            yield run
        run = [item]


def _parent_cycle(name: str, parents: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Yield the steps of a shortest cycle of parent types that contains a type."""
    before: dict[str, str] = {}
    queue = [name]
    for child in queue:
        for parent in parents.get(child, ()):
            if parent not in before:
                before[parent] = child
                queue.append(parent)
    way = [name]
    while len(way) == 1 or way[-1] != name:
        way.append(before[way[-1]])
    yield from pairwise(reversed(way))


def _check_twice(kind: str, declared: Iterable[TypedName | Predicate | Function], report: Report) -> None:
    """Report names that are declared twice with different declarations."""
    earlier: dict[str, Any] = {}
    for node in declared:
        first = earlier.setdefault(node.name, node)
        if first is not node and _signature(first) != _signature(node):
            place = f"in line {first.span.line}" if first.span else "before"
            message = f"the {kind} '{node.name}' was declared differently {place}"
            report("declared-differently", message, node, node.name)


def _signature(node: TypedName | Predicate | Function) -> object:
    return node.types if isinstance(node, TypedName) else tuple([parameter.types for parameter in node.parameters])


def _check_actions(domain: Domain, names: Names) -> None:
    """Report actions with a name that is already used, and wrong names in actions."""
    earlier: dict[str, Action] = {}
    for action in domain.actions:
        first = earlier.setdefault(action.name, action)
        if first is not action:
            line = f" in line {first.span.line}" if first.span else ""
            message = f"the action '{action.name}' was already declared{line}"
            names.report("second-action", message, action, action.name)
        names.typed(action.parameters)
        scope = names.constants.union(parameter.name for parameter in action.parameters)
        names.formula(action.precondition, scope)
        names.formula(action.effect, scope, effect=True)


def _check_axioms(domain: Domain, names: Names) -> None:
    """Report wrong names in axioms, and predicates that depend on their own negation."""
    for axiom in domain.axioms:
        head = axiom.head
        names.typed(head.parameters)
        variables = tuple([parameter.name for parameter in head.parameters])
        names.applied(Atom(head.name, variables, span=head.span), frozenset(variables))
        names.formula(axiom.body, names.constants.union(variables))
    if domain.axioms:
        for axiom, atom in negative_cycles(domain):
            steps = pairwise(
                dependency_chain(domain, atom.predicate, axiom.head.name) if atom.predicate != axiom.head.name else ()
            )
            needs = "".join(f", {name} needs {needed}" for name, needed in steps)
            needs = f": {axiom.head.name} needs (not {atom}){needs}; remove one of these" if needs else ""
            by_way = "" if needs else f", by way of {atom}: such rules have no meaning"
            names.report(
                "negative-circle",
                f"'{axiom.head.name}' depends on its own negation{needs or by_way}",
                atom if atom.span else axiom,
                atom.predicate,
            )


class Collector(Protocol):
    """The interface of collectors of faults in a domain and, if `problem` is not None, in a problem."""

    domain: Domain
    problem: Problem | None

    def error(self, code: str, message: str, node: Node, word: str | None = None) -> None: ...
    def warning(self, code: str, message: str, node: Node, word: str | None = None) -> None: ...


class TypeOrder:
    """The type hierarchy of a domain, for tests whether an argument's types fit a parameter's types."""

    def __init__(self, domain: Domain) -> None:
        self._parents = type_parents(domain)
        self.names: set[str] = set(type_names(domain))
        self._fitting: dict[tuple[bool, Types, Types], bool] = {}  # a variable? its types, the parameter's types

    def above(self, name: str) -> set[str]:
        """Return a type and all its ancestors; an empty set if the type is unknown."""
        return {"object", *ancestors((name,), self._parents)} if name in self.names else set()

    def fits(self, types: Types, expected: Types, variable: bool = False) -> bool:
        """Return whether a name of type `types` fits a parameter; all types of a variable must fit."""
        key = variable, types, expected
        if key not in self._fitting:
            below = [not self.above(name).isdisjoint(expected) for name in types]
            self._fitting[key] = all(below) if variable else any(below)
        return self._fitting[key]


class Misfit(Record):
    """A type error: the declarations of an argument and a parameter that do not fit; `what` names the parameter."""

    argument: TypedName
    parameter: TypedName
    what: str


class Arguments:
    """A checker of the types of arguments and of the use of variables, in a domain and its problem.

    `misfits` are the arguments with a fault, in the order of the reports. Of the others, `right` has the types that fit
    a declared name or parameter, by its `id`, and `pairs` those of the name and of the parameter.
    """

    def __init__(self, report: Collector) -> None:
        self.report = report
        domain = report.domain
        self.order = TypeOrder(domain)
        self.misfits: list[Misfit] = []
        self.right: defaultdict[int, set[Types]] = defaultdict(set)
        self.pairs: set[tuple[Types, Types]] = set()
        self._declared = {("predicate", item.name): item.parameters for item in reversed(domain.predicates)}
        self._declared |= {("function", item.name): item.parameters for item in reversed(domain.functions)}
        self.constants: TypedScope = {item.name: [item] for item in domain.constants}

    def check_domain(self) -> None:
        """Report type errors and misused variables in the domain."""
        for action in self.report.domain.actions:
            scope = self.inner(self.constants, action.parameters)
            used = self.walk(action.precondition, scope) | self.walk(action.effect, scope)
            self.unused(action.parameters, used, f"of '{action.name}'")
            earlier = set[str]()
            for parameter in action.parameters:
                if parameter.name in earlier:
                    message = (
                        f"'{parameter.name}' is listed twice as a parameter: both arguments must be the same object"
                    )
                    self.report.warning("parameter-twice", message, parameter)
                earlier.add(parameter.name)
        for axiom in self.report.domain.axioms:
            scope = self.inner(self.constants, axiom.head.parameters)
            head = Atom(axiom.head.name, tuple([item.name for item in axiom.head.parameters]), span=axiom.head.span)
            self.walk(head, scope)
            self.walk(axiom.body, scope)

    def check_problem(self, denied: tuple[Atom, ...] = (), thorough: bool = False) -> None:
        """Report type errors in the problem, if there is one; `denied` are the negated atoms in `:init`.

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

    def all_fit(self, rows: Mapping[Key, list[tuple[str, ...]]], scope: TypedScope) -> bool:
        """Return True if all facts have arguments of the declared types, False if each fact must be checked."""
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

    def walk(self, node: Any, scope: TypedScope) -> set[str]:
        """Check the arguments in a condition or effect, and return all terms that occur in it."""
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

    def quantified(self, node: Exists | Forall, scope: TypedScope) -> set[str]:
        """Check a quantified formula, and return the variables used in it, except the quantified ones."""
        inside = dict(scope)
        for parameter in node.parameters:
            if parameter.name in inside:
                message = f"'{parameter.name}' hides another variable of this name"
                self.report.warning("hidden-variable", message, parameter)
            inside[parameter.name] = [parameter]
        used = self.walk(node.body, inside)
        self.unused(node.parameters, used, "of this quantifier")
        return used - {parameter.name for parameter in node.parameters}

    def inner(self, scope: TypedScope, parameters: tuple[TypedName, ...]) -> TypedScope:
        """Return `scope` extended by parameters; a parameter that is declared twice keeps both declarations."""
        own: TypedScope = {}
        for parameter in parameters:
            own.setdefault(parameter.name, []).append(parameter)
        return scope | own

    def unused(self, parameters: tuple[TypedName, ...], used: set[str], whose: str) -> None:
        for parameter in parameters:
            if parameter.name not in used:
                message = f"the variable '{parameter.name}' {whose} is never used"
                self.report.warning("unused-variable", message, parameter)

    def fits(self, node: Atom | FunctionTerm, scope: TypedScope) -> None:
        """Check that the arguments of an atom or a function term have the declared types."""
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
        """Report an argument of a wrong type; if a variable's type is only too general, as a warning."""
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
