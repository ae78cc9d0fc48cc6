"""Conditions and effects as immutable nodes, and how to walk them.

    children()            the conditions or effects that a node is made of, in their order
    rebuilt(children)     the node with others in their place
    walk(node)            a node and all below it; effects(node) without the conditions of effects
    conjuncts(node)       the parts of a conjunction, however it is nested

so that nobody needs to know every kind of node to look for one.
"""

from __future__ import annotations

from unpuzzle.pddl.node import Node, as_tuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Self

    from unpuzzle.pddl.node import Span
    from unpuzzle.pddl.nodes import TypedName

_set = object.__setattr__


class Formula(Node):
    """A condition, an effect or a part of one."""

    __slots__ = ()

    def children(self) -> tuple[Any, ...]:
        """The conditions or effects that this one is made of."""
        return ()

    def rebuilt(self, children: Iterable[Any]) -> Any:
        """This node with other children, as many as it has."""
        return self


def walk(formula: Formula) -> Iterator[Any]:
    """A condition or an effect and all that is part of it, each before its parts."""
    waiting = [formula]
    while waiting:
        yield (formula := waiting.pop())
        waiting.extend(reversed(formula.children()))


def effects(effect: Formula) -> Iterator[Any]:
    """An effect and all effects in it, each before its parts; of conditional ones the conditions are left out."""
    waiting = [effect]
    while waiting:
        yield (effect := waiting.pop())
        waiting.extend((effect.effect,) if isinstance(effect, When) else reversed(effect.children()))


def conjuncts(formula: Formula) -> Iterator[Any]:
    """What a conjunction of conjunctions says in the end; anything else is its own only conjunct."""
    waiting = [formula]
    while waiting:
        formula = waiting.pop()
        if isinstance(formula, And):
            waiting.extend(reversed(formula.operands))
        else:
            yield formula


class Atom(Formula):
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


class Not(Formula):
    """The negation of a condition, or a delete effect if `operand` is an atom."""

    __slots__ = ("operand",)
    _fields = ("operand",)
    operand: Condition

    def __init__(self, operand: Condition, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "operand", operand)

    def children(self) -> tuple[Any, ...]:
        return (self.operand,)

    def rebuilt(self, children: Iterable[Any]) -> Not:
        (operand,) = children
        return Not(operand, self.span)


class _Several(Formula):
    __slots__ = ("operands",)
    _fields = ("operands",)
    operands: tuple[Any, ...]

    def __init__(self, operands: tuple[Any, ...] = (), span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "operands", operands if type(operands) is tuple else as_tuple(operands))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.operands)

    def children(self) -> tuple[Any, ...]:
        return self.operands

    def rebuilt(self, children: Iterable[Any]) -> Self:
        return type(self)(tuple(children), self.span)


class And(_Several):
    """A conjunction of conditions or of effects; `And()` is true, or no effect."""

    __slots__ = ()


class Or(_Several):
    """A disjunction of conditions; `Or()` is false."""

    __slots__ = ()


class Imply(Formula):
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

    def children(self) -> tuple[Any, ...]:
        return self.premise, self.conclusion

    def rebuilt(self, children: Iterable[Any]) -> Imply:
        premise, conclusion = children
        return Imply(premise, conclusion, self.span)


class _Quantified(Formula):
    __slots__ = ("body", "parameters")
    _fields = ("parameters", "body")
    parameters: tuple[TypedName, ...]
    body: Any

    def __init__(self, parameters: tuple[TypedName, ...], body: Any, span: Span | None = None) -> None:
        _set(self, "_hash", None)
        _set(self, "span", span)
        _set(self, "parameters", parameters)
        _set(self, "body", body)

    def children(self) -> tuple[Any, ...]:
        return (self.body,)

    def rebuilt(self, children: Iterable[Any]) -> Self:
        (body,) = children
        return type(self)(self.parameters, body, self.span)


class Exists(_Quantified):
    """Existential quantification over objects."""

    __slots__ = ()


class Forall(_Quantified):
    """Universal quantification over objects, in a condition or around an effect."""

    __slots__ = ()


class When(Formula):
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

    def children(self) -> tuple[Any, ...]:
        return self.condition, self.effect

    def rebuilt(self, children: Iterable[Any]) -> When:
        condition, effect = children
        return When(condition, effect, self.span)


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


class Increase(Formula):
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


Condition = Atom | Not | And | Or | Imply | Exists | Forall
Effect = Atom | Not | And | Forall | When | Increase
