"""Operators: ground actions, each prepared when it is first needed.

The precondition becomes a formula when the operator may first be applicable, its effects become masks when it is first
applied, since most operators of a task are never reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unpuzzle.pddl.compiled.formulas import TRUE, all_of, holds
from unpuzzle.pddl.nodes import And, Atom, Forall, GroundAction, Not, When

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unpuzzle.pddl.compiled.formulas import Formula, Formulas
    from unpuzzle.pddl.compiled.numbering import Numbering
    from unpuzzle.pddl.nodes import Action, Effect
    from unpuzzle.pddl.types import Types

    Change = tuple[Formula, int, bool]  # condition, atom, whether it is added


class Operator:
    """A ground action. `key` orders operators as the reference does: by schemas, then by objects."""

    __slots__ = ("action", "adds", "binding", "conditional", "deletes", "key", "schema")

    def __init__(self, schema: Action, arguments: tuple[str, ...], key: tuple[int, ...]) -> None:
        self.schema: Action = schema
        self.key: tuple[int, ...] = key
        self.action: GroundAction = GroundAction(schema.name, arguments)
        names = [parameter.name for parameter in schema.parameters]
        self.binding: Mapping[str, str] = dict(zip(names, arguments, strict=True))
        self.adds: int = 0
        self.deletes: int = 0
        self.conditional: list[Change] | None = None  # until the effects are needed

    def __str__(self) -> str:
        return str(self.action)

    def __repr__(self) -> str:
        return f"Operator({self.action})"


class Effects:
    """Prepares effects."""

    def __init__(self, formulas: Formulas, numbering: Numbering, types: Types) -> None:
        self._formulas = formulas
        self._numbering = numbering
        self._types = types

    def prepare(self, operator: Operator) -> list[Change]:
        """Prepare an operator's effects, and return those that depend on the state."""
        conditional: list[Change] = []
        for change in self._changes(operator.schema.effect, operator.binding, TRUE):
            condition, bit, added = change
            if condition != TRUE:
                conditional.append(change)
            elif added:
                operator.adds |= bit
            else:
                operator.deletes |= bit
        operator.conditional = conditional
        return conditional

    def _changes(self, effect: Effect, binding: Mapping[str, str], condition: Formula) -> Iterator[Change]:
        """Yield the changes that an effect may make."""
        if isinstance(effect, Atom):
            yield condition, self._bit(effect, binding), True
        elif isinstance(effect, Not):
            yield condition, self._bit(effect.operand, binding), False
        elif isinstance(effect, And):
            for operand in effect.operands:
                yield from self._changes(operand, binding, condition)
        elif isinstance(effect, When):
            both = all_of((condition, self._formulas.of(effect.condition, binding)))
            if both is not None:
                yield from self._changes(effect.effect, binding, both)
        elif isinstance(effect, Forall):
            for inner in self._types.assignments(effect.parameters, binding):
                yield from self._changes(effect.body, inner, condition)

    def _bit(self, atom: object, binding: Mapping[str, str]) -> int:
        assert isinstance(atom, Atom), "an effect can only negate an atom"
        return self._numbering.bit(atom.predicate, tuple([binding.get(term, term) for term in atom.arguments]))


def changed(conditional: list[Change], state: int) -> tuple[int, int]:
    """Return the bits that conditional effects add and delete in a state (its derived atoms included)."""
    adds = deletes = 0
    for condition, bit, added in conditional:
        if holds(condition, state):
            if added:
                adds |= bit
            else:
                deletes |= bit
    return adds, deletes
