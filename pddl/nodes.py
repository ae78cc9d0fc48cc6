"""The immutable nodes that a planning task is made of.

    Task ── Domain ── types, constants, predicates, functions, actions, axioms
        └── Problem ─ objects, init, fluent values, goal, metric

Terms (objects, constants, variables) are plain lower-case strings; a variable begins with `?`. A type expression is a
tuple of type names: `("block",)`, or `("a", "b")` for `(either a b)`; untyped is `("object",)`.

Two nodes are equal if they mean the same text: spans and declared requirements take no part. Hashes are computed once.
Nodes are one small `__slots__` class and not dataclasses, whose import alone costs as much as planning a tiny task.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_set = object.__setattr__

OBJECT = ("object",)
"""The type expression of what has no declared type."""


class Source:
    """A text and its name; turns offsets into lines and columns (both from 1)."""

    __slots__ = ("_starts", "name", "text")

    def __init__(self, text: str, name: str | None = None) -> None:
        self.text = text
        self.name = name
        self._starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, counted from 1, of the character at `offset`."""
        from bisect import bisect_right

        if self._starts is None:
            starts, end = [0], self.text.find("\n")
            while end >= 0:
                starts.append(end + 1)
                end = self.text.find("\n", end + 1)
            self._starts = starts
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        start = self._starts[number - 1] if self._starts else 0
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


class Span:
    """Where a node stands in its source: offsets `start` (inclusive) to `end` (exclusive)."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def file(self) -> str | None:
        return self.source.name

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __repr__(self) -> str:
        return f"Span({self.file}:{self.line}:{self.column})"


class Node:
    """Base of all nodes: immutable; equality, hash and repr by the fields named in `_fields`."""

    __slots__ = ("_hash", "span")
    _fields: tuple[str, ...] = ()
    _uncompared: tuple[str, ...] = ()

    span: Span | None
    _hash: int | None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; cannot delete {name!r}")

    def _key(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._fields if name not in self._uncompared)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        if self._hash is None:
            _set(self, "_hash", hash((type(self).__name__, self._key())))
        return self._hash  # type: ignore[return-value]

    def __repr__(self) -> str:
        values = ", ".join(repr(getattr(self, name)) for name in self._fields)
        return f"{type(self).__name__}({values})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Spans stay behind: a copy in another process has no use for the source text.
        return type(self), tuple(getattr(self, name) for name in self._fields)


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
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "parameters", parameters)


class Function(Node):
    """The declaration of a numeric function: `total-cost`, or static data that action costs are read from."""

    __slots__ = ("name", "parameters")
    _fields = ("name", "parameters")
    name: str
    parameters: tuple[TypedName, ...]

    def __init__(self, name: str, parameters: tuple[TypedName, ...] = (), span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "parameters", parameters)


class Atom(Node):
    """A predicate applied to terms. The predicate `=` is equality. Ground if no argument is a variable."""

    __slots__ = ("arguments", "predicate")
    _fields = ("predicate", "arguments")
    predicate: str
    arguments: tuple[str, ...]

    def __init__(self, predicate: str, arguments: tuple[str, ...] = (), span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "predicate", predicate)
        _set(self, "arguments", arguments)

    # Atoms are what states are made of, so these two are written out for speed.
    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is Atom and self.predicate == other.predicate and self.arguments == other.arguments

    def __hash__(self) -> int:
        if self._hash is None:
            _set(self, "_hash", hash((self.predicate, self.arguments)))
        return self._hash  # type: ignore[return-value]

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.arguments))})"


class Not(Node):
    """The negation of a condition, or a delete effect if `operand` is an atom."""

    __slots__ = ("operand",)
    _fields = ("operand",)
    operand: Condition

    def __init__(self, operand: Condition, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "operand", operand)


class _Several(Node):
    __slots__ = ("operands",)
    _fields = ("operands",)
    operands: tuple[Any, ...]

    def __init__(self, operands: tuple[Any, ...] = (), span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "operands", operands)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.operands)


class And(_Several):
    """A conjunction of conditions or of effects; `And()` is true, or no effect."""

    __slots__ = ()


class Or(_Several):
    """A disjunction of conditions; `Or()` is false."""

    __slots__ = ()


class Imply(Node):
    """Material implication."""

    __slots__ = ("conclusion", "premise")
    _fields = ("premise", "conclusion")
    premise: Condition
    conclusion: Condition

    def __init__(self, premise: Condition, conclusion: Condition, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "premise", premise)
        _set(self, "conclusion", conclusion)


class _Quantified(Node):
    __slots__ = ("body", "parameters")
    _fields = ("parameters", "body")
    parameters: tuple[TypedName, ...]
    body: Any

    def __init__(self, parameters: tuple[TypedName, ...], body: Any, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "parameters", parameters)
        _set(self, "body", body)


class Exists(_Quantified):
    """Existential quantification over objects."""

    __slots__ = ()


class Forall(_Quantified):
    """Universal quantification over objects, in a condition or around an effect."""

    __slots__ = ()


class When(Node):
    """A conditional effect."""

    __slots__ = ("condition", "effect")
    _fields = ("condition", "effect")
    condition: Condition
    effect: Effect

    def __init__(self, condition: Condition, effect: Effect, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "condition", condition)
        _set(self, "effect", effect)


class FunctionTerm(Node):
    """A function applied to terms, such as `(distance ?a ?b)` or `(total-cost)`."""

    __slots__ = ("arguments", "function")
    _fields = ("function", "arguments")
    function: str
    arguments: tuple[str, ...]

    def __init__(self, function: str, arguments: tuple[str, ...] = (), span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "function", function)
        _set(self, "arguments", arguments)

    def __str__(self) -> str:
        return f"({' '.join((self.function, *self.arguments))})"


class Increase(Node):
    """`(increase (total-cost) amount)`, the amount a number or a static function term."""

    __slots__ = ("amount", "target")
    _fields = ("target", "amount")
    target: FunctionTerm
    amount: FunctionTerm | int

    def __init__(self, target: FunctionTerm, amount: FunctionTerm | int, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "target", target)
        _set(self, "amount", amount)


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
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "parameters", parameters)
        _set(self, "precondition", precondition)
        _set(self, "effect", effect)


class Axiom(Node):
    """A rule for a derived predicate: the head holds wherever the body does. Several rules may share a head."""

    __slots__ = ("body", "head")
    _fields = ("head", "body")
    head: Predicate
    body: Condition

    def __init__(self, head: Predicate, body: Condition, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "head", head)
        _set(self, "body", body)


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

    __slots__ = ("actions", "axioms", "constants", "functions", "name", "predicates", "requirements", "types")
    _fields = ("name", "requirements", "types", "constants", "predicates", "functions", "actions", "axioms")
    _uncompared = ("requirements",)
    name: str
    requirements: tuple[str, ...]
    types: tuple[TypedName, ...]
    constants: tuple[TypedName, ...]
    predicates: tuple[Predicate, ...]
    functions: tuple[Function, ...]
    actions: tuple[Action, ...]
    axioms: tuple[Axiom, ...]

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
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "requirements", requirements)
        _set(self, "types", types)
        _set(self, "constants", constants)
        _set(self, "predicates", predicates)
        _set(self, "functions", functions)
        _set(self, "actions", actions)
        _set(self, "axioms", axioms)


class Problem(Node):
    """One task of a family.

    `init` are the atoms true at the start; `values` the initial function values; `metric` is the function term or
    number to minimize, or None: without a metric every action costs 1, with `(total-cost)` an action costs what it adds
    to it.
    """

    __slots__ = ("domain_name", "goal", "init", "metric", "name", "objects", "requirements", "values")
    _fields = ("name", "domain_name", "requirements", "objects", "init", "values", "goal", "metric")
    _uncompared = ("requirements",)
    name: str
    domain_name: str
    requirements: tuple[str, ...]
    objects: tuple[TypedName, ...]
    init: tuple[Atom, ...]
    values: tuple[Value, ...]
    goal: Condition
    metric: FunctionTerm | None

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
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "domain_name", domain_name)
        _set(self, "requirements", requirements)
        _set(self, "objects", objects)
        _set(self, "init", init)
        _set(self, "values", values)
        _set(self, "goal", And() if goal is None else goal)
        _set(self, "metric", metric)


class Task(Node):
    """A domain and a problem: what a planner gets."""

    __slots__ = ("domain", "problem")
    _fields = ("domain", "problem")
    domain: Domain
    problem: Problem

    def __init__(self, domain: Domain, problem: Problem, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "domain", domain)
        _set(self, "problem", problem)


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
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "steps", steps)
        _set(self, "cost", cost)

    def __iter__(self) -> Iterator[GroundAction]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)


Condition = Atom | Not | And | Or | Imply | Exists | Forall
Effect = Atom | Not | And | Forall | When | Increase
