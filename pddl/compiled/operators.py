"""Operators: the ground actions of a schema, each prepared when first needed.

The operators of a schema are its instances whose static preconditions hold, found by the reference's own join. Some may
never be applicable: the whole precondition is tested in each state. It is turned into a formula when it is first
tested, and the effects into masks when the operator is first applied, since most operators of a task are never reached.

A schema with too many such instances is not listed: `expected` estimates their number beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from unpuzzle.pddl.compiled.formulas import TRUE, Formula, Formulas, all_of, holds
from unpuzzle.pddl.formulas import conjuncts, walk
from unpuzzle.pddl.nodes import Action, And, Atom, Condition, Effect, Forall, GroundAction, Not, When
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.world import FactTable, Types, World

Change = tuple[Formula, int, bool]  # condition, atom, whether it is added


class Operator:
    """A ground action; `key` orders operators as in the reference semantics: by schemas, then by objects."""

    __slots__ = ("action", "adds", "binding", "conditional", "deletes", "key", "schema")

    def __init__(self, schema: Action, arguments: tuple[str, ...], key: tuple[int, ...]) -> None:
        self.schema: Action = schema
        self.key: tuple[int, ...] = key
        self.action: GroundAction = GroundAction(schema.name, arguments)
        self.binding: Mapping[str, str] = schema.binding(arguments)
        self.adds: int = 0
        self.deletes: int = 0
        self.conditional: list[Change] | None = None  # until the effects are needed

    def __str__(self) -> str:
        return str(self.action)

    def __repr__(self) -> str:
        return f"Operator({self.action})"


def prepare(operator: Operator, formulas: Formulas) -> list[Change]:
    """Prepare an operator's effects, and return the effects that depend on the state."""
    conditional: list[Change] = []
    for change in _changes(operator.schema.effect, operator.binding, TRUE, formulas):
        condition, bit, added = change
        if condition != TRUE:
            conditional.append(change)
        elif added:
            operator.adds |= bit
        else:
            operator.deletes |= bit
    operator.conditional = conditional
    return conditional


def _changes(effect: Effect, binding: Mapping[str, str], condition: Formula, formulas: Formulas) -> Iterator[Change]:
    """Yield the changes of atoms that an effect may cause, each with its condition."""
    if isinstance(effect, Atom):
        yield condition, formulas.numbering.ground(effect, binding), True
    elif isinstance(effect, Not):
        assert isinstance(effect.operand, Atom), "an effect can only negate an atom"
        yield condition, formulas.numbering.ground(effect.operand, binding), False
    elif isinstance(effect, And):
        for operand in effect.operands:
            yield from _changes(operand, binding, condition, formulas)
    elif isinstance(effect, When):
        both = all_of((condition, formulas.of(effect.condition, binding)))
        if both is not None:
            yield from _changes(effect.effect, binding, both, formulas)
    elif isinstance(effect, Forall):
        for inner in formulas.types.assignments(effect.parameters, binding):
            yield from _changes(effect.body, inner, condition, formulas)


def changed(conditional: list[Change], state: int) -> tuple[int, int]:
    """Return the bits that conditional effects add and delete in a state, which must include derived atoms."""
    adds = deletes = 0
    for condition, bit, added in conditional:
        if holds(condition, state):
            if added:
                adds |= bit
            else:
                deletes |= bit
    return adds, deletes


def instances(
    schema: Action, types: Types, world: World, start: Mapping[str, FactTable], static: Callable[[str], bool]
) -> list[tuple[str, ...]]:
    """Return the arguments that make all static conjuncts of a schema true in a world, in the order of objects."""
    parts = tuple([part for part in conjuncts(schema.precondition) if all(map(static, predicates(part)))])
    answers = Query(schema.parameters, And(parts), types, start).answers(world)
    return sorted(answers, key=lambda arguments: [types.order[name] for name in arguments])


def predicates(condition: Condition) -> Iterator[str]:
    return (part.predicate for part in walk(condition) if isinstance(part, Atom))


def expected(schema: Action, types: Types, statics: Mapping[str, FactTable], fluents: Collection[str]) -> float:
    """Estimate the number of a schema's instances; each variable is bound by the atom with the fewest values."""
    unbound = {name: float(len(objects)) for name, objects in types.domains(schema.parameters).items()}
    atoms = [part for part in conjuncts(schema.precondition) if isinstance(part, Atom)]
    atoms = [atom for atom in atoms if atom.predicate != "=" and atom.predicate not in fluents]
    if not all(atom.predicate in statics for atom in atoms):
        return 0.0
    number = 1.0
    while unbound:
        variable = min(unbound, key=lambda name: unbound[name])
        choices = [(unbound[variable], {variable})]
        for atom in atoms:
            if new := unbound.keys() & atom.arguments:
                bound = tuple([place for place, term in enumerate(atom.arguments) if term not in unbound])
                choices.append((statics[atom.predicate].expected(bound), new))
        factor, names = min(choices, key=lambda choice: choice[0])
        number *= factor
        for name in names:
            del unbound[name]
    return number
