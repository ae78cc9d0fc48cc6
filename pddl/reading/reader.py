"""The functions that read domains, problems and tasks from texts and files.

    text ─syntax→ Form ─expressions→ nodes as written, as lint needs them
                                     ─names→ all resolved, and of the right type ─declarations→ Domain, Problem

Sections may come in any order and optional parts may be missing. Requirements need not be declared, but declared ones
must be supported.

- A repeated parameter, `(?x - a ?x - b)`, is one variable: both types must hold, and both arguments of a ground action
  are the same object. In a quantifier, the second hides the first. Fast Downward reads both in this way.
- An object of type `(either a b)` is an `a` and a `b`; a variable of that type stands for the objects of either. A type
  may have several parents, by `either` or by several declarations.
- Costs: with `(:metric minimize (total-cost))` an action costs what it adds to `total-cost` (nothing, if it adds
  nothing); without a metric each action costs 1, whatever it adds. Several `increase` in one action add up.
- An argument must be of the type that its predicate takes: an atom that no object can make true is an error.
"""

from __future__ import annotations

from functools import cached_property

from unpuzzle.base.run import Limits, Run, within_limits
from unpuzzle.base.text import suggestion
from unpuzzle.base.type_hints import Any, NoReturn
from unpuzzle.pddl.declarations import (
    Action,
    Axiom,
    Domain,
    Function,
    Predicate,
    Problem,
    Value,
    folded_domain,
    folded_problem,
)
from unpuzzle.pddl.formulas import TOTAL_COST, And, Atom, Condition, FunctionTerm, Increase, Node, TypedName
from unpuzzle.pddl.linting import names
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.expressions import Expressions
from unpuzzle.pddl.syntax import Form, Path, Text, TokenSpan, parse_error, read_form, read_text

DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions")
IN_DOMAINS = (*DOMAIN_SECTIONS, ":action", ":derived")
PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length")
NAMELESS = "unnamed"
_NO_ATOMS = ("=", "not", "at")
"""Heads of facts that may be something other than atoms."""
ACTION_PARTS = (":parameters", ":precondition", ":effect")

REQUIREMENTS = frozenset(
    """
    :strips :typing :negative-preconditions :disjunctive-preconditions :equality :existential-preconditions
    :universal-preconditions :quantified-preconditions :conditional-effects :adl :derived-predicates :action-costs
    :fluents :numeric-fluents :negation
    """.split()
)
"""The supported requirements. `:fluents`, `:numeric-fluents` mean `:action-costs`; `:negation` is an old name."""

REFUSED = frozenset(
    """
    :durative-actions :duration-inequalities :continuous-effects :timed-effects :timed-initial-literals
    :timed-initial-fluents :preferences :constraints :object-fluents :goal-utilities :time :processes :events
    :probabilistic-effects :rewards :mdp :non-deterministic :hierarchy :method-preconditions :multi-agent :domain-axioms
    :expression-evaluation :safety-constraints :open-world :true-negation :ucpop :action-expansions :foreach-expansions
    :dag-expansions :subgoals-through-axioms
    """.split()
)
DECLARED_IN_VAIN = REFUSED - {":open-world", ":true-negation"}
"""The requirements that may be declared, as only the constructs that need them are refused."""
FOREIGN = {
    **dict.fromkeys((":durative-action", ":duration", ":condition"), ":durative-actions"),
    **dict.fromkeys((":method", ":task", ":htn"), ":hierarchy"),
    **{word: word for word in (":constraints", ":vars", ":extends", ":timeless", ":situation")},
    **{":process": ":processes", ":event": ":events", ":axiom": ":domain-axioms", ":safety": ":safety-constraints"},
}
"""Sections of other dialects of PDDL, with the name of the feature they belong to."""


def read(domain_path: Path, problem_path: Path, *, limits: Limits | None = None) -> Task:
    """Read a task from two files. Raises OSError, ParseError, UnsupportedFeature, LimitReached."""
    with Run(limits, "reading the task"):
        return Reading().task(domain_path, problem_path)


def read_domain(path: Path, *, limits: Limits | None = None) -> Domain:
    """Read a domain from its file. Raises the same errors as `read`."""
    with Run(limits, "reading the domain"):
        return Reading().read_domain(*read_text(path))


def read_problem(path: Path, domain: Domain | None, *, limits: Limits | None = None) -> Problem:
    """Read a problem from a file. If `domain` is None, names are not checked. Raises the same errors as `read`."""
    with Run(limits, "reading the problem"):
        return _problem(domain, *read_text(path))


def parse_task(
    domain_text: str,
    problem_text: str,
    *,
    domain_name: str | None = None,
    problem_name: str | None = None,
    limits: Limits | None = None,
) -> Task:
    """Read a task from two texts, whose names appear in messages. Raises the same errors as `parse_domain`."""
    with Run(limits, "reading the task"):
        domain = Reading().read_domain(domain_text, domain_name)
        return Task(domain, _problem(domain, problem_text, problem_name))


def parse_domain(text: str, name: str | None = None, *, limits: Limits | None = None) -> Domain:
    """Read a domain from its text. Raises ParseError at the first fault, UnsupportedFeature, LimitReached."""
    with Run(limits, "reading the task"):
        return Reading().read_domain(text, name)


def parse_problem(
    text: str, domain: Domain | None, name: str | None = None, *, limits: Limits | None = None
) -> Problem:
    """Read a problem from a text. If `domain` is None, names are not checked. Raises as `parse_domain` does."""
    with Run(limits, "reading the task"):
        return _problem(domain, text, name)


def _problem(domain: Domain | None, text: str, name: str | None) -> Problem:
    reading = Reading()
    if domain is None:
        return folded_problem(problem_as_written(text, None, name)[0], None)
    reading.domain = domain
    return reading.read_problem(domain, text, name)


def domain_as_written(text: str, name: str | None = None) -> Domain:
    """Parse a domain without checking that its names are declared."""
    return DomainReader(text, name, {}).domain()


def problem_as_written(text: str, domain: Domain | None, name: str | None = None) -> tuple[Problem, tuple[Atom, ...]]:
    """Parse a problem without checking its names; return it with the negated atoms in `:init`.

    The domain says which names are predicates.
    """
    reader = ProblemReader(text, name, arities_of(domain.predicates) if domain else {})
    return reader.problem(), tuple(reader.denied)


def arities_of(predicates: tuple[Predicate, ...]) -> dict[str, int]:
    return {predicate.name: len(predicate.parameters) for predicate in predicates}


class Sections(Expressions):
    """The base class of parsers for domains and problems, `(define (KIND NAME) (:section ...) ...)`."""

    kind: str
    other: str
    known: tuple[str, ...]

    @cached_property
    def sections(self) -> list[tuple[str, Form]]:
        """The sections of the text with their keywords, parsed on first use."""
        return self.split()

    def __init__(self, text: str, name: str | None, predicates: dict[str, int]) -> None:
        super().__init__(Text(text, name), predicates)
        self.form = read_form(self.source, f"'(define ({self.kind} NAME) ...)'")
        if self.form[:1] != ["define"]:
            self.expected("'define'", self.form, 0, "no-definition")
        header = self.form[1] if len(self.form) > 1 else None
        if not isinstance(header, Form) or header[:1] != [self.kind]:
            if isinstance(header, Form) and header[:1] == [self.other]:
                self.fail("other-kind", f"this is a {self.other}: expected a {self.kind}", header)
            self.expected(f"'({self.kind} NAME)'", self.form, 1, "no-definition")
        self.name = self.only_word(header, f"the name of the {self.kind}")

    def only_word(self, form: Form, what: str) -> str:
        word = self.word(form, 1, what)
        self.nothing_more(form, 2)
        return word

    def nothing_more(self, form: Form, index: int) -> None:
        if len(form) > index:
            self.expected("')'", form, index)

    def last_condition(self, form: Form, index: int) -> Condition:
        condition = self.condition(form, index)
        self.nothing_more(form, index + 1)
        return condition

    def split(self) -> list[tuple[str, Form]]:
        """Return the sections with their keywords, in text order. Raises ParseError for a repeated section."""
        sections: list[tuple[str, Form]] = []
        earlier: dict[str, Form] = {}
        for index in range(2, len(self.form)):
            section = self.form[index]
            if not isinstance(section, Form) or not section.head:
                self.expected(f"a section of the {self.kind}, such as '({self.known[1]} ...)'", self.form, index)
            keyword = section.head
            if keyword in earlier and keyword not in (":action", ":derived"):
                first = earlier[keyword].span().line
                self.fail("second-section", f"a second '{keyword}' section: the first is in line {first}", section, 0)
            if keyword not in self.known:
                self.unknown_part(section, 0, self.known)
            earlier[keyword] = section
            sections.append((keyword, section))
        return sections

    def named(self, keyword: str) -> list[Form]:
        """Return the sections that have a given keyword."""
        return [form for other, form in self.sections if other == keyword]

    def each(self, keyword: str, read: Any, *arguments: Any) -> tuple[Any, ...]:
        """Call `read` for each section that has a given keyword, and return all results as one tuple."""
        found = [read(form, *arguments) for form in self.named(keyword)]
        return found[0] if len(found) == 1 else tuple([each for several in found for each in several])

    def unknown_part(self, form: Form, index: int, known: tuple[str, ...]) -> NoReturn:
        """Raise ParseError or UnsupportedFeature because the keyword at `index` is not in `known`."""
        word = form[index]
        if isinstance(word, str):
            if word in FOREIGN:
                self.refuse(f"'{word}' is not supported", FOREIGN[word], form, index)
            others = f"one of {', '.join(known)}"
            hint = suggestion(word, known) or f": expected {others}"
            self.fail("unknown-section", f"unknown section '{word}'{hint}", form, index)
        self.expected(f"one of {', '.join(known)}", form, index)

    def requirements(self, form: Form) -> tuple[str, ...]:
        """Read the section `:requirements`. Raises UnsupportedFeature for requirements that are not supported."""
        for index, word in enumerate(form[1:], 1):
            if not isinstance(word, str):
                self.expected("a requirement, such as ':strips'", form, index, "unknown-requirement")
            if word in DECLARED_IN_VAIN:
                continue
            if word in REFUSED:
                self.refuse(f"the requirement '{word}' is not supported", word, form, index)
            if word not in REQUIREMENTS:
                message = f"unknown requirement '{word}'{suggestion(word, REQUIREMENTS)}"
                self.fail("unknown-requirement", message, form, index)
        return tuple(dict.fromkeys(form[1:]))  # type: ignore[arg-type]


class DomainReader(Sections):
    """A parser of domains."""

    kind, other, known = "domain", "problem", IN_DOMAINS

    def domain(self) -> Domain:
        """Read the domain from its sections."""
        predicates = self.each(":predicates", self.predicate_list)
        self.predicates = arities_of(predicates)
        return Domain(
            self.name,
            self.each(":requirements", self.requirements),
            self.types_declared(),
            self.constants_declared(),
            predicates,
            self.each(":functions", lambda form: self.tolerant(self.function_list, (), form)),
            tuple([self.action(form) for form in self.named(":action")]),
            self.each(":derived", self.axioms),
            span=self.form.span(),
        )

    def types_declared(self) -> tuple[TypedName, ...]:
        return self.each(":types", self.typed, 1, "type")

    def constants_declared(self) -> tuple[TypedName, ...]:
        return self.each(":constants", self.typed, 1, "constant")

    def predicate_list(self, form: Form) -> tuple[Predicate, ...]:
        """Read the section `:predicates`, and ignore a declaration of the predicate `=`."""
        result = []
        for index in range(1, len(form)):
            entry = form[index]
            if not isinstance(entry, Form):
                self.expected("'(PREDICATE ?VARIABLE - TYPE ...)'", form, index)
            if entry[:1] != ["="]:  # some domains declare equality, too
                result.append(self.declaration(entry))
        return tuple(result)

    def declaration(self, form: Form) -> Predicate:
        name = self.word(form, 0, "the name of a predicate")
        return Predicate(name, self.typed(form, 1, "variable"), span=form.span())

    def function_list(self, form: Form) -> tuple[Function, ...]:
        """Read the section `:functions`, in which each function may have the type `number`."""
        result, index = [], 1
        while index < len(form):
            entry = form[index]
            if entry == "-":
                if index + 1 == len(form):
                    self.expected("'number'", form, index + 1)
                if form[index + 1] != "number":
                    self.no_number(form, index + 1)
                index += 2
                continue
            if not isinstance(entry, Form):
                self.expected("'(FUNCTION ?VARIABLE - TYPE ...)'", form, index)
            name = self.word(entry, 0, "the name of a function")
            result.append(Function(name, self.typed(entry, 1, "variable"), span=entry.span()))
            index += 1
        return tuple(result)

    def no_number(self, form: Form, index: int) -> None:
        self.refuse("only functions of type 'number' are supported", ":object-fluents", form, index)

    def parameters(self, form: Form, index: int) -> tuple[TypedName, ...]:
        return self.variables(form, index)

    def action(self, form: Form) -> Action:
        """Read an action."""
        name = self.tolerant(self.word, NAMELESS, form, 1, "the name of the action")
        parts = self.parts(form)
        parameters = self.parameters(form, parts[":parameters"]) if ":parameters" in parts else ()
        precondition = self.condition(form, parts[":precondition"]) if ":precondition" in parts else And()
        effect = self.effect(form, parts[":effect"]) if ":effect" in parts else And()
        return Action(
            name,
            parameters,
            precondition,
            And((effect,), span=effect.span) if isinstance(effect, Increase) else effect,  # Fast Downward needs this
            span=form.span(),
        )

    def parts(self, form: Form) -> dict[str, int]:
        """Map each keyword in an action, such as `:effect`, to the index of the item after it."""
        parts: dict[str, int] = {}
        for index in range(2, len(form), 2):
            keyword = form[index]
            if keyword not in ACTION_PARTS:
                if isinstance(keyword, str) and keyword[0] == ":":
                    self.unknown_part(form, index, ACTION_PARTS)
                self.expected(f"one of {', '.join(ACTION_PARTS)}", form, index)
            if keyword in parts:
                self.fail("second-section", f"a second '{keyword}' in this action", form, index)
            if index + 1 == len(form):
                self.expected(f"a value after '{keyword}'", form, index + 1)
            parts[keyword] = index + 1
        return parts

    def axioms(self, form: Form) -> list[Axiom]:
        return [self.axiom(form)]

    def axiom(self, form: Form) -> Axiom:
        head = form[1] if len(form) > 1 else None
        if not isinstance(head, Form):
            self.expected("'(PREDICATE ?VARIABLE ...)'", form, 1)
        body = self.last_condition(form, 2)
        return Axiom(self.declaration(head), body, span=form.span())


class ProblemReader(Sections):
    """A parser of problems."""

    kind, other, known = "problem", "domain", PROBLEM_SECTIONS

    def problem(self) -> Problem:
        """Read the problem from its sections."""
        parts = dict(reversed(self.sections))
        for keyword in (":domain", ":init", ":goal"):
            if keyword not in parts:
                self.lacks(keyword, f"the problem has no '({keyword} ...)'")
        self.values: list[Value] = []
        self.denied: list[Atom] = []
        objects, atoms = self.each(":objects", self.typed, 1, "object"), self.each(":init", self.facts)
        domain = parts.get(":domain")
        return Problem(
            self.name,
            "" if domain is None else self.tolerant(self.only_word, "", domain, "the name of the domain"),
            self.each(":requirements", self.requirements),
            objects,
            atoms,
            tuple(self.values),
            self.goal(parts[":goal"]) if ":goal" in parts else And(),
            self.tolerant(self.metric, None, parts[":metric"]) if ":metric" in parts else None,
            span=self.form.span(),
        )

    def lacks(self, keyword: str, message: str) -> None:
        self.fail("no-section", message, self.form, len(self.form))

    def goal(self, form: Form) -> Condition:
        return self.last_condition(form, 1)

    def facts(self, form: Form) -> tuple[Atom, ...]:
        """Return the atoms in `:init`; function values and negated atoms are stored in attributes."""
        true: list[Atom] = []
        self.denied = []
        for index in within_limits(range(1, len(form))):
            fact = form[index]
            if not isinstance(fact, Form) or not fact:
                self.expected("an atom or '(= (FUNCTION ...) NUMBER)'", form, index)
            if fact[0] not in _NO_ATOMS:
                true.append(self.atom(fact))
            elif fact[0] == "=":
                self.value(fact)
            elif fact[0] == "not" and len(fact) == 2 and isinstance(fact[1], Form):
                self.denied.append(self.atom(fact[1]))
            elif fact[0] == "at" and len(fact) == 3 and isinstance(fact[2], Form):
                self.refuse("timed initial literals are not supported", ":timed-initial-literals", fact)
            else:
                true.append(self.atom(fact))
        contradicted = set(self.denied).intersection(true)
        for atom in self.denied:
            if atom in contradicted:
                message = f"{atom} is true and false in the initial state"
                raise parse_error(message, atom.span, "true-and-false")
        return tuple(true)

    def value(self, form: Form) -> None:
        if len(form) != 3:
            self.fail("operands", "expected '(= (FUNCTION ...) NUMBER)'", form)
        value = Value(self.function_term(form, 1), self.number(form, 2), span=form.span())
        if value.term.function == TOTAL_COST and value.number:
            self.refuse("(total-cost) must be 0 in the initial state", "initial total-cost", form, 2)
        self.values.append(value)

    def metric(self, form: Form) -> FunctionTerm:
        """Read the metric. Raises UnsupportedFeature if it is not `minimize (total-cost)`."""
        if len(form) < 2 or form[1] not in ("minimize", "maximize"):
            self.expected("'minimize'", form, 1)
        if form[1] == "maximize":
            self.refuse("maximizing is not supported: only 'minimize (total-cost)' is", "maximize", form, 1)
        term = self.function_term(form, 2)
        if term.function != TOTAL_COST or term.arguments:
            message = f"the metric {term} is not supported: only 'minimize (total-cost)' is"
            self.refuse(message, ":numeric-fluents", form, 2)
        self.nothing_more(form, 3)
        return term


class Reading:
    """A reader of a domain and a problem that also collects warnings about their names and types.

    Attributes: `domain`, `problem` (None before it is read), `complaints` (code, sentence, node and word of each
    warning about arguments and variables; `linting.warnings` has the rest).
    """

    domain: Domain
    problem: Problem | None = None

    def __init__(self) -> None:
        self.complaints: list[tuple[str, str, Node, str | None]] = []

    def task(self, domain_path: Path, problem_path: Path) -> Task:
        """Read a task from two files. Raises OSError, ParseError, UnsupportedFeature, LimitReached."""
        domain = self.read_domain(*read_text(domain_path))
        return Task(domain, self.read_problem(domain, *read_text(problem_path)))

    def read_domain(self, text: str, name: str | None) -> Domain:
        self.domain = domain_as_written(text, name)
        names.check_domain(self.domain, self.error)
        names.Arguments(self).check_domain()
        return folded_domain(self.domain).trusted()

    def read_problem(self, domain: Domain, text: str, name: str | None) -> Problem:
        self.problem, denied = problem_as_written(text, domain, name)
        names.check_problem(self.problem, domain, self.error, denied)
        names.Arguments(self).check_problem(denied)
        return folded_problem(self.problem, domain).trusted(domain)

    def error(self, code: str, message: str, node: Node, word: str | None = None, *_: object) -> NoReturn:
        """Raise ParseError at a node or, if `word` is given, at the first occurrence of the word in the node."""
        span = node.span
        if word is not None and isinstance(span, TokenSpan):
            span = span.find(word)
        if self.problem is not None and (of := self.problem.domain_name) != (own := self.domain.name):
            message = f"the problem is of the domain '{of}', but this domain is '{own}': {message}"
        raise parse_error(message, span, code)

    def warning(self, code: str, message: str, node: Node, word: str | None = None) -> None:
        """Store a warning about a node."""
        self.complaints.append((code, message, node, word))
