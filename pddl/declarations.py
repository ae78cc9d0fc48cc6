"""Domains and problems as immutable nodes, with predicates, functions, actions, axioms and values."""

from __future__ import annotations

from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.formulas import And, Atom, Condition, Effect, FunctionTerm, TypedName
from unpuzzle.pddl.node import Node, Span

_set = object.__setattr__


class Predicate(Node):
    """The declaration of a predicate."""

    name: str
    parameters: tuple[TypedName, ...] = ()


class Function(Node):
    """The declaration of a numeric function: `total-cost`, or static data used in action costs."""

    name: str
    parameters: tuple[TypedName, ...] = ()


class Action(Node):
    """An action schema: its `name` and `parameters`, its `precondition` and its `effect`."""

    name: str
    parameters: tuple[TypedName, ...]
    precondition: Condition
    effect: Effect

    def binding(self, arguments: tuple[str, ...]) -> dict[str, str]:
        """Return a dictionary from each parameter to its object."""
        return dict(zip([parameter.name for parameter in self.parameters], arguments, strict=True))


class Axiom(Node):
    """A rule for a derived predicate: the head is true if the body is true; several rules may share a head."""

    head: Predicate
    body: Condition


class Value(Node):
    """The initial value of a function term, such as `(= (distance a b) 3)`."""

    term: FunctionTerm
    number: int


class Domain(Node):
    """What all tasks of a family share: types, constants, predicates, actions and more.

    `types` maps each declared type to its parents (`TypedName`), in the order of the text. `requirements` are the
    declared ones; they do not count when domains are compared. A predicate that is the head of an axiom is *derived*.
    """

    __slots__ = ("vocabulary",)
    _uncompared = ("requirements",)
    name: str
    requirements: tuple[str, ...]
    types: tuple[TypedName, ...]
    constants: tuple[TypedName, ...]
    predicates: tuple[Predicate, ...]
    functions: tuple[Function, ...]
    actions: tuple[Action, ...]
    axioms: tuple[Axiom, ...]
    vocabulary: object
    """A note of `soundness`: False until the domain is found sound, then True or a table for quick lookups."""

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
        *,
        span: Span | None = None,
    ) -> None:
        self._fill(span, name, requirements, types, constants, predicates, functions, actions, axioms)
        _set(self, "vocabulary", False)

    def trusted(self) -> Domain:
        """Return this domain, marked as valid, so that tasks of the domain need not check the domain again."""
        if not self.vocabulary:
            _set(self, "vocabulary", True)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), bool(self.vocabulary))

    def __setstate__(self, trusted: bool) -> None:
        _set(self, "vocabulary", trusted)


class Problem(Node):
    """One task of a family.

    `init` are the atoms true at the start; `values` are the initial function values. `metric` is the function term to
    minimize, or None. Without a metric every action costs 1; with `(total-cost)` an action costs the amount that it
    adds.
    """

    __slots__ = ("domain",)
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
    """The domain with which the problem was found sound."""

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
        *,
        span: Span | None = None,
    ) -> None:
        goal = And() if goal is None else goal
        self._fill(span, name, domain_name, requirements, objects, init, values, goal, metric)
        _set(self, "domain", None)

    def trusted(self, domain: Domain) -> Problem:
        """Return this problem, marked as valid for a domain, so that a task of both is not checked again."""
        _set(self, "domain", domain.trusted())
        return self
