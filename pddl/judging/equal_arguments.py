"""Find actions whose parameters may be one object by mistake: a block that is put onto itself.

    (:action put :parameters (?a ?b) :precondition (and (clear ?a) (clear ?b) ...) :effect (and (on ?a ?b) ...))

This is suspected only if both parameters are of one kind, no condition relates them, no invariant or static fact keeps
them apart, and nothing else in domain and problem relates an object to itself by that predicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations

from unpuzzle.pddl.formulas import OBJECT, And, Atom, Condition, Not, TypedName, walk
from unpuzzle.pddl.judging.lint_report import Lint
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.normal_form.invariants import Invariant, Invariants, Schema, counted
from unpuzzle.pddl.normal_form.substitution import substituted
from unpuzzle.pddl.query import Query, free_variables
from unpuzzle.pddl.world import fact_tables


def check_equal_arguments(report: Lint, invariants: Invariants) -> None:
    """Report actions that relate an object to itself where two parameters are the same object."""
    init, goal = (report.problem.init, report.problem.goal) if report.problem else ((), And())
    atoms = [*init, *_atoms([goal]), *[atom for schema in invariants.schemas for atom in _atoms_of(schema)]]
    twice = {atom.predicate for atom in atoms if len({*atom.arguments}) < len(atom.arguments)}
    exclusive = [each for each in invariants.proved if all(len(atoms) < 2 for atoms in counted(each, init).values())]
    for schema in invariants.schemas:
        for pair, made in sorted(_pairs(schema).items()):
            parameters = [schema.action.parameters[number] for number in pair]
            one, two = (each.name for each in parameters)
            for atom in made:
                merged = substituted(atom, {two: one})
                if atom.predicate in twice or not _may_be_one(schema, parameters, merged, exclusive):
                    continue
                instances = _instances(report, invariants, schema, Atom("=", (one, two)))
                if instances is not None:
                    example = f", as {instances[0]} does at the start" if instances else ""
                    message = (
                        f"'{schema.action.name}' may have the same object as {one} and {two}, and then makes {merged}"
                        f" true{example}: is (not (= {one} {two})) missing?"
                    )
                    report.warning("equal-arguments", message, atom)


def _pairs(schema: Schema) -> dict[tuple[int, int], list[Atom]]:
    """Return the atoms that an action makes true, by each two of its parameters that they have, as numbers."""
    numbers: dict[str, list[int]] = {}
    for number, parameter in enumerate(schema.action.parameters):
        numbers.setdefault(parameter.name, []).append(number)
    pairs: dict[tuple[int, int], list[Atom]] = {}
    for atom in [each.atom for each in schema.adds]:
        inside = sorted(number for name in {*atom.arguments} for number in numbers.get(name, ()))
        for pair in combinations(inside, 2):
            pairs.setdefault(pair, []).append(atom)
    return pairs


def _atoms(conditions: Iterable[Condition]) -> Iterator[Atom]:
    for condition in conditions:
        yield from (part for part in walk(condition) if isinstance(part, Atom) and part.predicate != "=")


def _atoms_of(schema: Schema) -> Iterator[Atom]:
    effects = (*schema.adds, *schema.deletes)
    return chain((effect.atom for effect in effects), _atoms(schema.needs(*effects)))


def _may_be_one(schema: Schema, pair: Sequence[TypedName], made: Atom, exclusive: list[Invariant]) -> bool:
    """Return whether two parameters of one kind may be the same object, and the action then makes an atom true."""
    one, two = pair
    found = schema.settled({two.name: one.name})
    related = [each for each in schema.needs() if {one.name, two.name} <= free_variables(each)]
    if found is None or made in found[1] or not all(isinstance(each, Not) for each in related):
        return False
    asked, true = ([each for each in parts if isinstance(each, Atom)] for parts in (schema.needs(), found[1]))
    alike = one.types == two.types != OBJECT or len(true) < len(asked)  # both are asked for in the same words
    groups = [atoms for each in exclusive for atoms in counted(each, true).values()]
    return alike and not any(len({atom.predicate for atom in atoms}) > 1 for atoms in groups)


def _instances(report: Lint, invariants: Invariants, schema: Schema, equal: Atom) -> list[GroundAction] | None:
    """Return instances at the start in which two parameters are equal; None if static facts exclude all of them."""
    if report.problem is None:
        return []
    semantics, parameters = report.semantics(report.problem), schema.action.parameters
    start, world = fact_tables(semantics.initial), semantics.world(semantics.initial)
    facts = [each for each in _atoms(schema.needs()) if each.predicate in semantics.static_predicates]
    static = And((equal, *[each for each in facts if each in schema.needs()]))
    named = [each for each in parameters if each.name in free_variables(static)]
    if not Query(named, static, semantics.types, start).answers(world):
        return None
    whole = Query(parameters, And((equal, schema.action.precondition)), semantics.types, start)
    return [GroundAction(schema.action.name, objects) for objects in sorted(whole.answers(world))]
