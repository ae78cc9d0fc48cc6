"""The immutable nodes that a planning task is made of.

    Task ── Domain ── types, constants, predicates, functions, actions, axioms
        └── Problem ─ objects, init, fluent values, goal, metric

Terms (objects, constants, variables) are plain lower-case strings; a variable begins with `?`. A type expression is a
tuple of type names: `("block",)`, or `("a", "b")` for `(either a b)`; untyped is `("object",)`.

Two nodes are equal if they mean the same text: spans and declared requirements take no part. Hashes are computed once.
Nodes are one small `__slots__` class and not dataclasses, whose import alone costs as much as planning a tiny task.
"""

from __future__ import annotations

from unpuzzle.pddl.formulas import (
    And,
    Atom,
    Condition,
    Effect,
    Exists,
    Forall,
    FunctionTerm,
    Imply,
    Increase,
    Not,
    Or,
    When,
)
from unpuzzle.pddl.node import Node, Source, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from unpuzzle.pddl.judging.soundness import Vocabulary

__all__ = [
    "OBJECT", "Action", "And", "Atom", "Axiom", "Condition", "Domain", "Effect", "Exists", "Forall", "Function",
    "FunctionTerm", "GroundAction", "Imply", "Increase", "Node", "Not", "Or", "Plan", "Predicate", "Problem",
    "Source", "Span", "Task", "TypedName", "Value", "When",
]  # fmt: skip

_set = object.__setattr__

OBJECT = ("object",)
"""The type expression of what has no declared type."""


class TypedName(Node):
    """A name with its type expression: a parameter, an object, a constant, or a type with its parents."""

    __slots__ = ("name", "types")
    _fields = ("name", "types")
    name: str
    types: tuple[str, ...]

    def __init__(self, name: str, types: tuple[str, ...] = OBJECT, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "types", types)


class Predicate(Node):
    """The declaration of a predicate."""

    __slots__ = ("name", "parameters")
    _fields = ("name", "parameters")
    name: str
    parameters: tuple[TypedName, ...]

    def __init__(self, name: str, parameters: tuple[TypedName, ...] = (), span: Span | None = None) -> None:
        self._fill(span, name, parameters)


class Function(Node):
    """The declaration of a numeric function: `total-cost`, or static data that action costs are read from."""

    __slots__ = ("name", "parameters")
    _fields = ("name", "parameters")
    name: str
    parameters: tuple[TypedName, ...]

    def __init__(self, name: str, parameters: tuple[TypedName, ...] = (), span: Span | None = None) -> None:
        self._fill(span, name, parameters)


class Action(Node):
    """An action schema."""

    __slots__ = ("effect", "name", "parameters", "precondition")
    _fields = ("name", "parameters", "precondition", "effect")
    name: str
    parameters: tuple[TypedName, ...]
    precondition: Condition
    effect: Effect

    def __init__(
        self,
        name: str,
        parameters: tuple[TypedName, ...],
        precondition: Condition,
        effect: Effect,
        span: Span | None = None,
    ) -> None:
        self._fill(span, name, parameters, precondition, effect)


class Axiom(Node):
    """A rule for a derived predicate: the head holds wherever the body does. Several rules may share a head."""

    __slots__ = ("body", "head")
    _fields = ("head", "body")
    head: Predicate
    body: Condition

    def __init__(self, head: Predicate, body: Condition, span: Span | None = None) -> None:
        self._fill(span, head, body)


class Value(Node):
    """An initial value of a function term: `(= (distance a b) 3)`."""

    __slots__ = ("number", "term")
    _fields = ("term", "number")
    term: FunctionTerm
    number: int

    def __init__(self, term: FunctionTerm, number: int, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "term", term)
        _set(self, "number", number)


class Domain(Node):
    """What the tasks of a family share.

    `types` maps each declared type to its parents (`TypedName`), in the order of the text. `requirements` are those
    declared, without any meaning for equality. A predicate that is the head of an axiom is *derived*.
    """

    _fields = ("name", "requirements", "types", "constants", "predicates", "functions", "actions", "axioms")
    __slots__ = (*_fields, "vocabulary")
    _uncompared = ("requirements",)
    name: str
    requirements: tuple[str, ...]
    types: tuple[TypedName, ...]
    constants: tuple[TypedName, ...]
    predicates: tuple[Predicate, ...]
    functions: tuple[Function, ...]
    actions: tuple[Action, ...]
    axioms: tuple[Axiom, ...]
    vocabulary: Vocabulary | bool
    """What `soundness` keeps here: False before the domain was found sound, then True or a table for quick looks."""

    def __init__(
        self,
        name: str,
        requirements: tuple[str, ...] = (),
        types: tuple[TypedName, ...] = (),
        constants: tuple[TypedName, ...] = (),
        predicates: tuple[Predicate, ...] = (),
        functions: tuple[Function, ...] = (),
        actions: tuple[Action, ...] = (),
        axioms: tuple[Axiom, ...] = (),
        span: Span | None = None,
    ) -> None:
        self._fill(span, name, requirements, types, constants, predicates, functions, actions, axioms)
        _set(self, "vocabulary", False)

    def trusted(self) -> Domain:
        """This domain, which is known to be sound: no task of it needs to look."""
        if not self.vocabulary:
            _set(self, "vocabulary", True)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), bool(self.vocabulary))

    def __setstate__(self, trusted: bool) -> None:
        _set(self, "vocabulary", trusted)


class Problem(Node):
    """One task of a family.

    `init` are the atoms true at the start; `values` the initial function values; `metric` is the function term or
    number to minimize, or None: without a metric every action costs 1, with `(total-cost)` an action costs what it adds
    to it.
    """

    _fields = ("name", "domain_name", "requirements", "objects", "init", "values", "goal", "metric")
    __slots__ = (*_fields, "domain")
    _uncompared = ("requirements",)
    name: str
    domain_name: str
    requirements: tuple[str, ...]
    objects: tuple[TypedName, ...]
    init: tuple[Atom, ...]
    values: tuple[Value, ...]
    goal: Condition
    metric: FunctionTerm | None
    domain: Domain | None
    """The domain that the problem is known to be sound with."""

    def __init__(
        self,
        name: str,
        domain_name: str,
        requirements: tuple[str, ...] = (),
        objects: tuple[TypedName, ...] = (),
        init: tuple[Atom, ...] = (),
        values: tuple[Value, ...] = (),
        goal: Condition | None = None,
        metric: FunctionTerm | None = None,
        span: Span | None = None,
    ) -> None:
        goal = And() if goal is None else goal
        self._fill(span, name, domain_name, requirements, objects, init, values, goal, metric)
        _set(self, "domain", None)

    def trusted(self, domain: Domain) -> Problem:
        """This problem, which is known to be sound with a domain: a task of the two needs no look."""
        _set(self, "domain", domain.trusted())
        return self


class Task(Node):
    """A domain and a problem: what a planner gets. They fit each other; ParseError says where they do not."""

    __slots__ = ("domain", "problem")
    _fields = ("domain", "problem")
    domain: Domain
    problem: Problem

    def __init__(self, domain: Domain, problem: Problem, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "domain", domain)
        _set(self, "problem", problem)
        if getattr(problem, "domain", None) is not domain or domain is None:
            from unpuzzle.pddl.judging.soundness import require

            require(domain, problem)
            problem.trusted(domain)

    def __reduce__(self) -> tuple[Any, ...]:
        return _joined, (self.domain, self.problem)


def _joined(domain: Domain, problem: Problem) -> Task:
    return Task(domain, problem.trusted(domain))


class GroundAction(Node):
    """An action schema's name with objects for its parameters; `str()` is a line of a plan file: `(move a b)`."""

    __slots__ = ("arguments", "name")
    _fields = ("name", "arguments")
    name: str
    arguments: tuple[str, ...]

    def __init__(self, name: str, arguments: tuple[str, ...] = (), span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "arguments", arguments)

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.arguments))})"


class Plan(Node):
    """A sequence of ground actions, with the cost that its source claims (None if it claims none)."""

    __slots__ = ("cost", "steps")
    _fields = ("steps", "cost")
    _uncompared = ("cost",)
    steps: tuple[GroundAction, ...]
    cost: int | None

    def __init__(self, steps: tuple[GroundAction, ...] = (), cost: int | None = None, span: Span | None = None) -> None:
        self._fill(span, steps, cost)

    def __iter__(self) -> Iterator[GroundAction]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)
