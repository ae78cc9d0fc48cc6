"""Checks of domains and tasks that are made in Python; the messages are the same as for texts.

Without a text there is no line to point at, so a message begins with the place:

    for 'r1c1' in the objects of problem 'maze': unknown type 'cel', did you mean 'cell'?
    in (at r1c9) in the initial state of problem 'maze': unknown object 'r1c9', did you mean 'r1c3'?

First come nodes of wrong classes: a plain string where a condition belongs, a list of one argument without its comma, a
name in upper case, a variable without its `?`. Then `names` checks the names themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.text import cut, with_article
from unpuzzle.base.type_hints import Any, NoReturn
from unpuzzle.pddl.declarations import Action, Axiom, Domain, Function, Predicate, Problem, Value
from unpuzzle.pddl.formulas import (
    TOTAL_COST,
    And,
    Atom,
    Exists,
    Forall,
    FunctionTerm,
    Imply,
    Increase,
    Node,
    Not,
    Or,
    TypedName,
    When,
    effects,
    walk,
)
from unpuzzle.pddl.linting import names
from unpuzzle.pddl.linting.names import Arguments
from unpuzzle.pddl.syntax import DEEPEST, TokenSpan, parse_error, unsupported

CONDITIONS = (Atom, Not, And, Or, Imply, Exists, Forall)
EFFECTS = (Atom, Not, And, Forall, When, Increase)


def check_domain(domain: Domain) -> None:
    """Raise ParseError for the first fault of a domain, UnsupportedFeature for numeric effects that are not costs."""
    if type(domain) is not Domain:
        ShapeChecker("a task").one(domain, Domain)
    check_domain_shape(domain)
    report = FirstFault(domain, None)
    names.check_domain(domain, report.error)
    Arguments(report).check_domain()
    for action in domain.actions:
        for part in effects(action.effect):
            if not isinstance(part, Increase):
                continue
            if part.target != FunctionTerm(TOTAL_COST):
                message = f"increasing '{part.target}' is not supported: only (total-cost) may grow"
            elif part.amount == FunctionTerm(TOTAL_COST):
                message = "a cost that depends on (total-cost) is not supported"
            else:
                continue
            raise unsupported(f"in the effect of action '{action.name}': {message}", feature=":numeric-fluents")


def check_task(domain: Domain, problem: Problem) -> None:
    """Raise ParseError for the first fault of a problem, UnsupportedFeature for its metric; `domain` must be valid."""
    ShapeChecker("a task").one(domain, Domain)
    ShapeChecker("a task").one(problem, Problem)
    check_problem_shape(problem)
    report = FirstFault(domain, problem)
    names.check_problem(problem, domain, report.error)
    for value in problem.values:
        if value.term.function == TOTAL_COST and value.number:
            report.error("bad-number", "(total-cost) must be 0 in the initial state", value)
    if problem.metric is not None:
        objects = frozenset(item.name for item in (*domain.constants, *problem.objects))
        names.Names(domain, report.error).applied(problem.metric, objects)
        if problem.metric != FunctionTerm(TOTAL_COST):
            message = f"the metric {problem.metric} is not supported: only 'minimize (total-cost)' is"
            raise unsupported(f"in problem '{problem.name}': {message}", feature=":numeric-fluents")
    Arguments(report).check_problem()


class FirstFault:
    """A fault collector that raises ParseError for the first error, and ignores warnings."""

    def __init__(self, domain: Domain, problem: Problem | None) -> None:
        self.domain = domain
        self.problem = problem

    def warning(self, code: str, message: str, node: Node, word: str | None = None) -> None:
        pass

    def error(self, code: str, message: str, node: Node, word: str | None = None, *_: object) -> NoReturn:
        span = node.span
        if span is not None:
            raise parse_error(message, span.find(word) if word and isinstance(span, TokenSpan) else span, code)
        place = next((place for place, nodes in self._places() if any(other is node for other in nodes)), None)
        whole = f"domain '{self.domain.name}'" if self.problem is None else f"problem '{self.problem.name}'"
        inside = f"for '{node.name}' " if isinstance(node, TypedName) else ""
        if isinstance(node, Atom | FunctionTerm):
            inside = f"in {node} "
        raise parse_error(f"{inside}in {place or whole}: {message}", code=code)

    def _places(self) -> Iterator[tuple[str, Iterator[Node]]]:
        """Yield the description and the nodes of each part of the problem or, if there is none, of the domain."""
        domain, problem = self.domain, self.problem
        if problem is not None:
            yield f"the objects of problem '{problem.name}'", iter(problem.objects)
            terms = (value.term for value in problem.values)
            yield f"the initial state of problem '{problem.name}'", iter((*problem.init, *problem.values, *terms))
            yield f"the goal of problem '{problem.name}'", _nodes(problem.goal)
            yield f"the metric of problem '{problem.name}'", iter(() if problem.metric is None else (problem.metric,))
            return
        yield f"the types of domain '{domain.name}'", iter(domain.types)
        yield f"the constants of domain '{domain.name}'", iter(domain.constants)
        declared: tuple[Predicate | Function, ...] = (*domain.predicates, *domain.functions)
        for node in declared:
            yield f"the declaration of '{node.name}'", iter((node, *node.parameters))
        for action in domain.actions:
            yield f"the parameters of action '{action.name}'", iter(action.parameters)
            yield f"the precondition of action '{action.name}'", _nodes(action.precondition)
            yield f"the effect of action '{action.name}'", _nodes(action.effect)
        for axiom in domain.axioms:
            yield f"the axiom for '{axiom.head.name}'", iter((axiom, *axiom.head.parameters, *_nodes(axiom.body)))


def _nodes(formula: Node) -> Iterator[Node]:
    """Yield all nodes of a condition or an effect, including quantified parameters and cost terms."""
    for node in walk(formula):  # type: ignore[arg-type]
        yield node
        if isinstance(node, Exists | Forall):
            yield from node.parameters
        elif isinstance(node, Increase):
            yield from (node.target, *([node.amount] if isinstance(node.amount, FunctionTerm) else []))


def check_domain_shape(domain: Domain) -> None:
    """Raise ParseError if a part of a domain has a wrong form."""
    whole = ShapeChecker("the domain")
    whole.name(domain.name, "the name of the domain")
    whole = ShapeChecker(f"domain '{domain.name}'")
    whole.within("types").typed(domain.types, "type")
    whole.within("constants").typed(domain.constants, "constant")
    for kind, part, nodes in ((Predicate, "predicates", domain.predicates), (Function, "functions", domain.functions)):
        for node in whole.within(part).several(nodes, kind):
            whole.within(part).name(node.name, f"the name of a {part[:-1]}")
            ShapeChecker(f"the {part[:-1]} '{node.name}'").typed(node.parameters, "variable")
    for action in whole.within("actions").several(domain.actions, Action):
        whole.within("actions").name(action.name, "the name of an action")
        own = ShapeChecker(f"action '{action.name}'")
        own.within("parameters").typed(action.parameters, "variable")
        own.within("precondition").condition(action.precondition)
        own.within("effect").effect(action.effect)
    for axiom in whole.within("axioms").several(domain.axioms, Axiom):
        whole.within("axioms").one(axiom.head, Predicate)
        whole.within("axioms").name(axiom.head.name, "the name of a predicate")
        own = ShapeChecker(f"the axiom for '{axiom.head.name}'")
        own.typed(axiom.head.parameters, "variable")
        own.condition(axiom.body)


def check_problem_shape(problem: Problem) -> None:
    """Raise ParseError if a part of a problem has a wrong form."""
    whole = ShapeChecker("the problem")
    for text, what in ((problem.name, "the name of the problem"), (problem.domain_name, "the name of its domain")):
        if not isinstance(text, str):
            whole.expected(what, text)
    whole = ShapeChecker(f"problem '{problem.name}'")
    whole.within("objects").typed(problem.objects, "object")
    start = whole.within("initial state")
    for atom in start.several(problem.init, Atom):
        start.atom(atom)
    for value in start.several(problem.values, Value):
        start.term(value.term)
        if type(value.number) is not int:
            start.expected(f"a whole number for {value.term}", value.number)
    whole.within("goal").condition(problem.goal)
    if problem.metric is not None:
        whole.within("metric").term(problem.metric)


class ShapeChecker:
    """A checker of the Python types in a domain or problem; `place` says in error messages which part is checked."""

    def __init__(self, place: str) -> None:
        self.place = place

    def within(self, part: str) -> ShapeChecker:
        return ShapeChecker(f"the {part} of {self.place}")

    def fail(self, message: str) -> NoReturn:
        raise parse_error(f"in {self.place}: {message}")

    def expected(self, what: str, value: object) -> NoReturn:
        kind = "" if isinstance(value, Node) or value is None else f"the {type(value).__name__} "
        self.fail(f"expected {what}, found {kind}{cut(repr(value), 60)}")

    def several(self, nodes: Any, kind: type) -> Iterator[Any]:
        """Yield the nodes in a tuple. Raises ParseError if a node does not have the class `kind`."""
        if type(nodes) is not tuple:
            self.expected(f"a tuple of {kind.__name__} nodes", nodes)
        for node in nodes:
            self.one(node, kind)
            yield node

    def one(self, node: Any, kind: type) -> None:
        if type(node) is not kind:
            self.expected(f"{with_article(kind.__name__)} node", node)

    def name(self, word: Any, what: str) -> None:
        if not isinstance(word, str):
            self.expected(what, word)
        if word != word.lower():
            self.fail(f"'{word}' has upper-case letters: names are in lower case, so write '{word.lower()}'")
        if not word or word.split() != [word] or word[0] in ":-" or not set("();?").isdisjoint(word):
            self.fail(f"'{word}' cannot be written: a PDDL name is ASCII without blanks, brackets and semicolons")

    def variable(self, word: Any) -> None:
        if not isinstance(word, str) or word[:1] != "?":
            self.expected("a variable (a name that begins with '?')", word)
        self.name(word[1:], "a variable")

    def typed(self, names: Any, what: str) -> None:
        """Check that a value is a tuple of typed names; `what` is the word for one of them, such as `variable`."""
        for item in self.several(names, TypedName):
            if what == "variable":
                self.variable(item.name)
            else:
                if isinstance(item.name, str) and item.name[:1] == "?":
                    self.fail(f"expected {with_article(what)}, found '{item.name}'")
                self.name(item.name, f"the name of {with_article(what)}")
            if type(item.types) is not tuple or not item.types:
                self.expected(f"a tuple of types for '{item.name}', such as ('object',)", item.types)
            for name in item.types:
                self.name(name, f"the name of a type for '{item.name}'")

    def arguments(self, name: str, arguments: Any) -> None:
        if type(arguments) is not tuple:
            self.expected(f"a tuple as the arguments of '{name}', such as ('a',) or ('a', 'b')", arguments)
        for term in arguments:
            if isinstance(term, str) and term[:1] == "?":
                self.variable(term)
            else:
                self.name(term, f"an object or a variable as an argument of '{name}'")

    def atom(self, atom: Atom) -> None:
        self.name(atom.predicate, "the name of a predicate")
        self.arguments(atom.predicate, atom.arguments)

    def term(self, term: Any) -> None:
        self.one(term, FunctionTerm)
        self.name(term.function, "the name of a function")
        self.arguments(term.function, term.arguments)

    def condition(self, node: Any, depth: int = 0) -> None:
        if type(node) in (When, Increase):
            self.fail(f"'{type(node).__name__.lower()}' is an effect: expected a condition")
        if type(node) not in CONDITIONS:
            self.expected("a condition", node)
        if type(node) is Atom:
            self.atom(node)
        for part in self.parts(node, depth):
            self.condition(part, depth + 1)

    def effect(self, node: Any, depth: int = 0) -> None:
        if type(node) in (Or, Imply, Exists):
            self.fail(f"'{type(node).__name__.lower()}' is a condition: expected an effect")
        if type(node) not in EFFECTS:
            self.expected("an effect", node)
        if type(node) is Atom:
            self.atom(node)
        elif type(node) is Increase:
            self.increase(node)
        elif type(node) is Not and type(node.operand) is not Atom:
            self.fail("expected an atom after 'not': an effect can only make an atom false")
        elif type(node) is When:
            self.condition(node.condition, depth + 1)
        for part in (node.effect,) if type(node) is When else self.parts(node, depth):
            self.effect(part, depth + 1)

    def increase(self, node: Increase) -> None:
        self.term(node.target)
        if isinstance(node.amount, FunctionTerm):
            self.term(node.amount)
        elif type(node.amount) is not int:
            self.expected("a whole number or a FunctionTerm node as an amount", node.amount)

    def parts(self, node: Any, depth: int) -> tuple[Any, ...]:
        """Check the Python types of a condition's or effect's parts, and return its direct subformulas."""
        if depth > DEEPEST:
            self.fail(f"conditions and effects are nested more than {DEEPEST} deep")
        if type(node) in (Exists, Forall):
            self.typed(node.parameters, "variable")
        elif type(node) in (And, Or) and type(node.operands) is not tuple:
            self.expected(f"a tuple of operands in {with_article(type(node).__name__)} node", node.operands)
        children: tuple[Any, ...] = node.children()
        return children
