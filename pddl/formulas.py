"""The base class of syntax nodes, and the nodes of conditions, effects and terms, with functions that traverse them.

A node is compared by content, and has a place in a text.

children()            the conditions or effects that a node is made of, in order
rebuilt(children)     the same node with other children
walk(node)            a node and all below it; effects(node) leaves out the conditions of effects
conjuncts(node)       the parts of a conjunction, however it is nested
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from unpuzzle.base.type_hints import TYPE_CHECKING, Any, Self, dataclass_transform
from unpuzzle.base.values import Immutable, arguments

if TYPE_CHECKING:
    from dataclasses import KW_ONLY

OBJECT = ("object",)
"""The type expression of a name without a declared type."""
TOTAL_COST = "total-cost"
CONNECTIVES = frozenset("and or not imply exists forall when increase".split())
_set = object.__setattr__
_SINGLE = frozenset((tuple, str, int))
"""Types of values that a node stores unchanged."""


class Source:
    """A source text with its file name, which converts character offsets to lines and columns."""

    def __init__(self, text: str, name: str | None = None) -> None:
        self.text: str = text
        self.name: str | None = name
        self._starts: list[int] = []

    @property
    def lines(self) -> list[int]:
        """The offsets at which the lines of the text begin; all common line ends are recognized."""
        if not self._starts:
            text = self.text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in self.text else self.text
            self._starts = [*accumulate([len(line) + 1 for line in text.split("\n")], initial=0)][:-1]
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, both from 1, of the character at an offset."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, limited to the end of the text."""
        return min(self.lines[min(line, len(self.lines)) - 1] + column - 1, len(self.text))

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its line end."""
        end = self.lines[number] if number < len(self.lines) else len(self.text)
        return self.text[self.lines[number - 1] : end].rstrip("\r\n")


class Span:
    """The position of a node in its source: character offsets `start` (inclusive) to `end` (exclusive)."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source: Source = source
        self.start: int = start
        self.end: int = end

    @property
    def file(self) -> str | None:
        """The file name of the source; None if the source has no name."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The text of the node in its source."""
        return self.source.text[self.start : self.end]

    def __repr__(self) -> str:
        return f"Span({self.file}:{self.line}:{self.column})"


@dataclass_transform(frozen_default=True)
class _Fields(Immutable):
    """The base class of `Node`, which stores the values of the fields and the position in the source."""

    __slots__ = ("_hash", "span")
    _hash: int | None
    span: Span | None

    def __init__(self, *values: Any, span: Span | None = None, **named: Any) -> None:
        if named or len(values) != len(self._fields):
            values = arguments(type(self), values, named)
        self._fill(span, *values)

    def _fill(self, span: Span | None, *values: Any) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        for name, value in zip(self._fields, values, strict=True):
            _set(self, name, value if type(value) in _SINGLE else as_tuple(value))

    def replace(self, **changes: Any) -> Self:
        """Return a copy of the node, at the same position in the source, with the field values given as `changes`."""
        values = [changes.pop(name) if name in changes else getattr(self, name) for name in self._fields]
        return type(self)(*values, **changes, span=self.span)

    def __hash__(self) -> int:
        if self._hash is None:
            _set(self, "_hash", super().__hash__())
        return self._hash  # type: ignore[return-value]

    def __repr__(self) -> str:
        values = ", ".join(repr(getattr(self, name)) for name in self._fields)
        return f"{type(self).__name__}({values})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Spans stay behind: a copy in another process has no use for the source text.
        return type(self), tuple(getattr(self, name) for name in self._fields)


class Node(_Fields):
    """The base class of syntax nodes: annotated names are fields, and `span` is the position in the source.

    Nodes are immutable; equality, hash and repr use the fields, without the span. A hash is computed once.
    """

    if TYPE_CHECKING:
        _: KW_ONLY
        span: Span | None = None


def as_tuple(value: Any) -> Any:
    """Convert an iterable to a tuple; a node, a string or a value that is not iterable is returned unchanged."""
    return value if isinstance(value, Node | str) or not hasattr(value, "__iter__") else tuple(value)


class TypedName(Node):
    """A name with its type expression: a parameter, an object, a constant, or a type with its parents."""

    name: str
    types: tuple[str, ...] = OBJECT

    # A task may have thousands of typed names, atoms and negations, so their constructors are written out for speed.
    def __init__(self, name: str, types: tuple[str, ...] = OBJECT, *, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "name", name)
        _set(self, "types", types)


class Formula(Node):
    """The base class of the nodes for conditions and effects."""

    def children(self) -> tuple[Any, ...]:
        """Return the formulas that are direct parts of this formula."""
        return ()

    def rebuilt(self, children: Iterable[Any]) -> Self:
        """Return a copy of this formula in which `children` replace the direct parts; their number must not change."""
        return self


def walk(formula: Formula) -> Iterator[Any]:
    """Yield a condition or effect and all parts of it; each formula comes before its own parts."""
    waiting = [formula]
    while waiting:
        yield (formula := waiting.pop())
        waiting.extend(reversed(formula.children()))


def effects(effect: Formula) -> Iterator[Any]:
    """Yield an effect and all effects nested in it, each before its own parts; conditions are not included."""
    waiting = [effect]
    while waiting:
        yield (effect := waiting.pop())
        waiting.extend((effect.effect,) if isinstance(effect, When) else reversed(effect.children()))


def conjuncts(formula: Formula) -> Iterator[Any]:
    """Yield the conjuncts of a formula, including the conjuncts of nested conjunctions."""
    waiting = [formula]
    while waiting:
        formula = waiting.pop()
        if isinstance(formula, And):
            waiting.extend(reversed(formula.operands))
        else:
            yield formula


class Atom(Formula):
    """A predicate applied to terms. The predicate `=` is equality. An atom without variables is ground."""

    predicate: str
    arguments: tuple[str, ...] = ()

    def __init__(self, predicate: str, arguments: tuple[str, ...] = (), *, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "predicate", predicate)
        _set(self, "arguments", arguments)

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


class _Compound(Formula):
    """The base class of formulas whose fields are all formulas."""

    def children(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self._fields])

    def rebuilt(self, children: Iterable[Any]) -> Self:
        return type(self)(*children, span=self.span)


class Not(_Compound):
    """The negation of a condition, or a delete effect if `operand` is an atom."""

    operand: Condition

    def __init__(self, operand: Condition, *, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "operand", operand)


class _Several(Formula):
    """The base class of `And` and `Or`, which have any number of operands."""

    operands: tuple[Any, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.operands)

    def children(self) -> tuple[Any, ...]:
        return self.operands

    def rebuilt(self, children: Iterable[Any]) -> Self:
        return type(self)(tuple(children), span=self.span)


class And(_Several):
    """A conjunction of conditions or effects; `And()` is true, or an effect without changes."""


def conjunction(operands: Sequence[Any]) -> Any:
    """Return the conjunction of the operands, or the operand itself if there is only one."""
    return operands[0] if len(operands) == 1 else And(tuple(operands))


class Or(_Several):
    """A disjunction of conditions; `Or()` is false."""


class Imply(_Compound):
    """A material implication: true if the premise is false or the conclusion is true."""

    premise: Condition
    conclusion: Condition


class _Quantified(Formula):
    """The base class of `Exists` and `Forall`, which have variables and a body."""

    parameters: tuple[TypedName, ...]
    body: Any

    def children(self) -> tuple[Any, ...]:
        return (self.body,)

    def rebuilt(self, children: Iterable[Any]) -> Self:
        return type(self)(self.parameters, *children, span=self.span)


class Exists(_Quantified):
    """An existential quantification: true if the condition is true for at least one choice of objects."""


class Forall(_Quantified):
    """A universal quantification over objects, in a condition or around an effect."""


class When(_Compound):
    """A conditional effect, which takes place only if the condition is true."""

    condition: Condition
    effect: Effect


class FunctionTerm(Node):
    """A function applied to terms, such as `(distance ?a ?b)` or `(total-cost)`."""

    function: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.function, *self.arguments))})"


class Increase(Formula):
    """An effect `(increase (total-cost) amount)`; the amount is a number or a static function term."""

    target: FunctionTerm
    amount: FunctionTerm | int


Condition = Atom | Not | And | Or | Imply | Exists | Forall
"""A formula that is true or false in a state: a precondition, a goal, the body of an axiom."""
Effect = Atom | Not | And | Forall | When | Increase
"""The effects of an action: added atoms, negated atoms that are deleted, costs, and combinations of them."""


def free_variables(condition: Condition) -> frozenset[str]:
    """Return the variables of a condition that are not bound by a quantifier in the condition."""
    if isinstance(condition, Atom):
        return frozenset([term for term in condition.arguments if term.startswith("?")])
    free = frozenset[str]().union(*map(free_variables, condition.children()))
    return free - {named.name for named in condition.parameters} if isinstance(condition, Exists | Forall) else free
