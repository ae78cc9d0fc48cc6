"""The join: it finds what trying all assignments finds, and does not try them all."""

from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.thorough import at_most
from unpuzzle.pddl import parse_task
from unpuzzle.pddl.formulas import And, Atom, Exists, Forall, Imply, Not, Or, free_variables
from unpuzzle.pddl.nodes import OBJECT, TypedName
from unpuzzle.pddl.query import Query
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables

TYPES = {"a": ("small",), "b": ("small",), "c": ("large",), "d": OBJECT}
"""The objects."""

ARITIES = {"p": 0, "q": 1, "r": 2, "s": 2, "t": 3}


class Members:
    """The objects of each type, as `Types` gives them."""

    def members(self, types):
        return tuple(name for name, own in TYPES.items() if "object" in types or own[0] in types)

    def domains(self, parameters):
        return {parameter.name: self.members(parameter.types) for parameter in parameters}

    def assignments(self, parameters, binding):
        for objects in product(*[self.members(parameter.types) for parameter in parameters]):
            yield binding | dict(zip([parameter.name for parameter in parameters], objects, strict=True))


def true(condition, binding, facts):
    """What a condition means, by the book."""
    kind = type(condition)
    if kind is Atom:
        arguments = tuple(binding.get(term, term) for term in condition.arguments)
        return arguments[0] == arguments[1] if condition.predicate == "=" else (condition.predicate, arguments) in facts
    if kind in (Exists, Forall):
        inner = (true(condition.body, each, facts) for each in Members().assignments(condition.parameters, binding))
        return any(inner) if kind is Exists else all(inner)
    parts = [true(part, binding, facts) for part in condition.children()]
    if kind is Not:
        return not parts[0]
    if kind is Imply:
        return not parts[0] or parts[1]
    return all(parts) if kind is And else any(parts)


VARIABLES = ("?x", "?y", "?z", "?u")
parameters = st.lists(
    st.builds(TypedName, st.sampled_from(VARIABLES), st.sampled_from([OBJECT, ("small",), ("small", "large")])),
    min_size=1, max_size=4, unique_by=lambda parameter: parameter.name,
).map(tuple)  # fmt: skip


def conditions():
    """Conditions whose variables may be free, bound, or hidden by a quantifier."""
    terms = st.sampled_from([*VARIABLES, *VARIABLES, *TYPES])
    atoms = st.one_of(
        *[
            st.builds(Atom, st.just(name), st.tuples(*[terms] * arity))
            for name, arity in [*ARITIES.items(), *[("r", 2), ("t", 3), ("=", 2)]]
        ]
    )
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(And, st.lists(inner, max_size=4).map(tuple)),
            st.builds(And, st.lists(inner, min_size=2, max_size=4).map(tuple)),
            st.builds(Or, st.lists(inner, max_size=3).map(tuple)),
            st.builds(Imply, inner, inner),
            st.builds(Exists, parameters, inner),
            st.builds(Forall, parameters, inner),
        ),
        max_leaves=8,
    )


facts = st.lists(
    st.sampled_from(sorted(ARITIES)).flatmap(
        lambda name: st.tuples(st.just(name), st.tuples(*[st.sampled_from(sorted(TYPES))] * ARITIES[name]))
    ),
    max_size=14,
).map(frozenset)


def atoms_of(found):
    return [Atom(name, arguments) for name, arguments in sorted(found)]


X, Y = TypedName("?x"), TypedName("?y")
R_FACTS = frozenset({("r", ("a", "b")), ("r", ("b", "b")), ("q", ("a",)), ("q", ("c",))})
HIDDEN = Exists((Y,), Atom("r", ("?x", "?y")))


@settings(max_examples=at_most(300))
@example((X,), Atom("r", ("?x", "?x")), R_FACTS, R_FACTS)
@example((X, Y), And((Atom("q", ("?y",)), Or((HIDDEN, Atom("q", ("?x",)))))), R_FACTS, R_FACTS)
@example((X, Y), And((HIDDEN, Atom("r", ("?y", "?x")))), R_FACTS, R_FACTS)
@given(parameters, conditions(), facts, facts)
def test_a_join_finds_what_trying_all_assignments_finds(own, condition, initially, now):
    """The atoms of the initial state, which guide the order, may be others than those of the state that is asked."""
    names = [parameter.name for parameter in own]
    if others := sorted(free_variables(condition).difference(names)):
        condition = Exists(tuple(map(TypedName, others)), condition)
    query = Query(own, condition, Members(), fact_tables(atoms_of(initially)))
    assert query.answers(World(Members(), {}, atoms_of(now))) == {
        tuple(map(each.__getitem__, names)) for each in Members().assignments(own, {}) if true(condition, each, now)
    }


# Lights Out ----------------------------------------------------------------------------------------------------------

SIDES = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
CELLS = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
LIT = ((1, 1), (2, 2), (3, 1))


def cell(place):
    return "r{}c{}".format(*place)


def neighbour(place, side):
    """The cell on a side, or the helper object that stands in for it beyond the edge."""
    other = (place[0] + SIDES[side][0], place[1] + SIDES[side][1])
    return cell(other) if other in CELLS else f"{side}-of-{cell(place)}"


def lights_out(parameters, precondition, effect, predicates, facts):
    """A task whose board has helper objects around it."""
    helpers = sorted({neighbour(place, side) for place in CELLS for side in SIDES} - set(map(cell, CELLS)))
    adjacent = " ".join(f"({side} {cell(place)} {neighbour(place, side)})" for place in CELLS for side in SIDES)
    domain = f"""(define (domain lights) (:types cell state) (:constants on off none - state)
        (:predicates {" ".join(f"({side} ?a ?b - cell)" for side in SIDES)} {predicates})
        (:action press :parameters ({parameters})
         :precondition (and {precondition} {" ".join(f"({side} ?c ?{side[0]})" for side in SIDES)})
         :effect (and {effect})))"""
    lamps = {cell(place): "on" if place in LIT else "off" for place in CELLS} | dict.fromkeys(helpers, "none")
    problem = f"""(define (problem p) (:domain lights) (:objects {" ".join(lamps)} - cell)
        (:init {adjacent} {" ".join(facts(lamp, state) for lamp, state in lamps.items())}) (:goal (and)))"""
    return parse_task(domain, problem)


def with_opposites():
    """STRIPS: five cells, their states, and the opposites of these."""
    return lights_out(
        "?vc ?vn ?ve ?vs ?vw ?oc ?on ?oe ?os ?ow - state ?c ?n ?e ?s ?w - cell",
        " ".join(f"(opposite ?{x} ?v{x} ?o{x}) (is ?{x} ?v{x})" for x in "cnesw"),
        " ".join(f"(not (is ?{x} ?v{x})) (is ?{x} ?o{x})" for x in "cnesw"),
        "(is ?c - cell ?v - state) (opposite ?c - cell ?v ?o - state)",
        lambda lamp, state: (
            f"(is {lamp} {state}) "
            + (
                f"(opposite {lamp} none none)"
                if state == "none"
                else f"(opposite {lamp} on off) (opposite {lamp} off on)"
            )
        ),
    )


def with_states():
    """Ten parameters: five cells and their states; what to do about them is left to the effects."""
    return lights_out(
        "?vc ?vn ?ve ?vs ?vw - state ?c ?n ?e ?s ?w - cell",
        "(or (is ?c on) (is ?c off)) (not (= ?vc none)) " + " ".join(f"(is ?{x} ?v{x})" for x in "cnesw"),
        " ".join(
            f"(when (= ?v{x} on) (and (not (is ?{x} on)) (is ?{x} off)))"
            f"(when (= ?v{x} off) (and (not (is ?{x} off)) (is ?{x} on)))"
            for x in "cnesw"
        ),
        "(is ?c - cell ?v - state)",
        lambda lamp, state: f"(is {lamp} {state})",
    )


@pytest.mark.parametrize("make", [with_opposites, with_states])
def test_many_parameters_are_no_burden(make, monkeypatch):
    """A step makes no more bindings than a few for each cell of the board, though there are billions of assignments."""
    from unpuzzle.pddl import query as joining

    most = 0
    for kind in (joining.Match, joining.Each, joining.DisjunctionStep, joining.Test):

        def extend(self, bindings, world, original=kind.extend):
            nonlocal most
            found = original(self, bindings, world)
            most = max(most, len(found))
            return found

        monkeypatch.setattr(kind, "extend", extend)
    semantics = Semantics(make())
    found, waiting = {semantics.initial}, [semantics.initial]
    for state in waiting:
        actions = semantics.applicable(state)
        assert len({action.arguments for action in actions}) == len(CELLS)
        for action in actions:
            successor = semantics.apply(state, action)
            if successor not in found:
                found.add(successor)
                waiting.append(successor)
    assert len(found) == 2 ** len(CELLS)
    assert most <= 4 * len(CELLS)
