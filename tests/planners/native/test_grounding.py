"""Grounding keeps the meaning: the finite-domain task and the reference semantics, explored side by side.

At every pair of states: each value of each variable says the truth about its atom; each operator that applies is an
applicable action with the same cost and the same successor; an applicable action without operator changes nothing that
the variables tell.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from python_grounding import ground
from support.fdr_twin import apply, derive, holds
from support.pddl_texts import task
from support.thorough import at_most
from unpuzzle import solve
from unpuzzle.errors import ParseError
from unpuzzle.pddl import read
from unpuzzle.pddl.compiled.states import CompiledSemantics
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Action, And, Atom, Domain, FunctionTerm, Increase, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planners.native.grounding.fdr import FDRTask, Operator
from unpuzzle.testing.random_tasks import random_task

Values = tuple[int, ...]
State = frozenset[Atom]


def assert_truthful(fdr: FDRTask, values: Values, semantics: Semantics, state: State) -> None:
    true = state | semantics.derived(state)
    for number, (variable, value) in enumerate(zip(fdr.variables, values, strict=True)):
        for candidate, atom in enumerate(variable.values):
            if atom is not None and not atom.predicate.startswith("@"):
                assert (atom in true) == (candidate == value), f"variable {number}, {atom}"


def explore(task: Task, most_states: int = 150) -> int:
    """Compare all states, up to a number; returns how many were compared."""
    fdr, semantics = ground(task), Semantics(task)
    first = (derive(fdr, fdr.initial), semantics.initial)
    seen, queue = {first}, deque([first])
    while queue:
        values, state = queue.popleft()
        if fdr.operators:  # a goal that is certainly out of reach leaves a task that says only that
            assert_truthful(fdr, values, semantics, state)
            assert semantics.solved(state) == all(values[variable] == value for variable, value in fdr.goal)
        actions = semantics.applicable(state)
        operators: dict[str, list[Operator]] = {}
        for operator in fdr.operators:
            if holds(operator.precondition, values):
                operators.setdefault(str(operator.action), []).append(operator)
        assert set(operators) <= {str(action) for action in actions}
        for action in actions:
            after = semantics.apply(state, action)
            for operator in operators.get(str(action), ()):
                assert operator.cost == semantics.cost(action)
                pair = (apply(fdr, operator, values), after)
                assert_truthful(fdr, pair[0], semantics, after)
                if pair not in seen and len(seen) < most_states:
                    seen.add(pair)
                    queue.append(pair)
    return len(seen)


IPC = """
    assembly/prob01 blocks/probBLOCKS-4-0 caldera-opt18-adl/p01 citycar-opt14-adl/p2-2-2-1-2
    elevators-opt08-strips/p01 miconic-fulladl/f3-2 openstacks-opt08-adl/p01 optical-telegraphs/p01-opt2
    pegsol-opt11-strips/p02 philosophers/p01-phil2 psr-middle/p01-s17-n2-l2-f30 rubiks-cube-opt23-adl/p01
    schedule/probschedule-2-0 sokoban-opt11-strips/p01 storage/p05 termes-opt18-strips/p01 trucks/p01
    woodworking-opt08-strips/p01
    """.split()


@pytest.mark.parametrize("name", IPC)
def test_ipc_tasks_mean_the_same_when_ground(name: str, data: Path) -> None:
    folder = data / "ipc" / name
    assert explore(read(folder / "domain.pddl", folder / "problem.pddl"), 40) > 1


@settings(max_examples=at_most(150))
@given(st.integers(0, 2**32))
def test_random_tasks_mean_the_same_when_ground(seed: int) -> None:
    assert explore(random_task(Random(seed)), 60) >= 1


def _bits(fdr: FDRTask) -> int:
    return sum((len(variable.values) - 1).bit_length() for variable in fdr.variables)


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("rubiks-cube-opt23-adl/p05", 20 * 5),  # 20 pieces of 24 places each, seen through conditional effects
        ("blocks/probBLOCKS-4-0", 17),
        ("logistics00/probLOGISTICS-4-0", 15),
        ("visitall-opt14-strips/p-05-5", 22),
    ],
)
def test_mutex_groups_make_few_bits(name: str, bits: int, data: Path) -> None:
    folder = data / "ipc" / name
    assert _bits(ground(read(folder / "domain.pddl", folder / "problem.pddl"))) <= bits


def test_a_universal_precondition_costs_no_axiom() -> None:
    fdr = ground(
        task(
            "(:predicates (on ?x) (done)) (:action off :parameters (?x) :precondition (on ?x) :effect (not (on ?x)))"
            "(:action end :parameters () :precondition (forall (?x) (not (on ?x))) :effect (done))",
            "(:objects a b c) (:init (on a) (on b)) (:goal (done))",
        )
    )
    assert not fdr.axioms
    end = next(operator for operator in fdr.operators if operator.action.name == "end")
    assert len(end.precondition) == 2  # c is never on


def test_a_wide_disjunction_becomes_one_derived_fact() -> None:
    objects = " ".join(f"o{i}" for i in range(20))
    fdr = ground(
        task(
            "(:predicates (on ?x) (done)) (:action put :parameters (?x) :effect (on ?x))"
            "(:action end :parameters () :precondition (exists (?x) (on ?x)) :effect (done))",
            f"(:objects {objects}) (:init) (:goal (done))",
        )
    )
    assert sum(operator.action.name == "end" for operator in fdr.operators) == 20 or len(fdr.axioms) == 20


def test_an_unreachable_goal_leaves_nothing_to_search() -> None:
    fdr = ground(
        task(
            "(:predicates (a) (b) (c)) (:action go :parameters () :precondition (a) :effect (b))",
            "(:init (a)) (:goal (c))",
        )
    )
    assert not fdr.operators
    assert fdr.goal


def test_many_parameters_do_not_explode() -> None:
    chain = " ".join(f"(next o{i} o{i + 1})" for i in range(60))
    objects = " ".join(f"o{i}" for i in range(61))
    fdr = ground(
        task(
            "(:predicates (next ?a ?b) (at ?a)) (:action jump :parameters (?a ?b ?c ?d ?e ?f)"
            " :precondition (and (at ?a) (next ?a ?b) (next ?b ?c) (next ?c ?d) (next ?d ?e) (next ?e ?f))"
            " :effect (and (not (at ?a)) (at ?f)))",
            f"(:objects {objects}) (:init (at o0) {chain}) (:goal (at o60))",
        )
    )
    assert len(fdr.operators) == 12


ROADS = (
    "(:predicates (at ?x) (road ?x ?y)) (:functions (total-cost) (length ?x ?y))"
    "(:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))"
    " :effect (and (not (at ?x)) (at ?y) (increase (total-cost) (length ?x ?y))))"
)
LENGTHS = (
    "(:objects a b c) (:init (at a) (road a b) (road b c) (= (length a b) 2) (= (length b c) 3)) (:goal (at c))"
    " (:metric minimize (total-cost))"
)


NEVER_RUN = "command:cat {domain} {problem}"


def test_what_cannot_be_applied_needs_no_cost() -> None:
    roads = task(ROADS, LENGTHS)
    assert {str(operator.action) for operator in ground(roads).operators} == {"(go a b)", "(go b c)"}
    assert solve(roads, "native").cost == solve(roads, "reference").cost == solve(roads, "fast-downward").cost == 5


@pytest.mark.parametrize(
    "planner", ["native", "native:blind", "reference", "fast-downward", "fast-downward:lama", NEVER_RUN]
)
def test_what_can_be_applied_and_has_no_cost_is_refused(planner: str) -> None:
    roads = task(ROADS, LENGTHS.replace("(road a b)", "(road a b) (road b a) (road c a)"))
    with pytest.raises(
        ParseError, match=r"\(go b a\) can be applied, but its cost \(length b a\) has no value"
    ) as caught:
        solve(roads, planner)
    assert caught.value.line is not None
    text = (caught.value.text or "")[(caught.value.column or 0) - 1 :]
    assert text.startswith("(length ?x ?y)"), "the place is that of the effect"


@pytest.mark.parametrize("planner", ["native", "reference"])
def test_a_task_made_in_python_says_which_action_it_is(planner: str) -> None:
    read = task(ROADS, LENGTHS.replace("(= (length b c) 3)", ""))
    (go,) = read.domain.actions
    cost = Increase(FunctionTerm("total-cost"), FunctionTerm("length", ("?x", "?y")))
    effect = And((*[part for part in conjuncts(go.effect) if not isinstance(part, Increase)], cost))
    domain = Domain(
        "d",
        predicates=read.domain.predicates,
        functions=read.domain.functions,
        actions=(Action("go", go.parameters, go.precondition, effect),),
    )
    with pytest.raises(ParseError, match=r"^in the effect of action 'go': \(go b c\) can be applied, but its cost"):
        solve(Task(domain, read.problem), planner)


def test_the_reference_semantics_refuse_an_applicable_action_without_a_cost() -> None:
    semantics = Semantics(task(ROADS, LENGTHS.replace("(= (length b c) 3)", "")))
    (first,) = semantics.applicable(semantics.initial)
    with pytest.raises(ParseError, match=r"\(go b c\) can be applied"):
        semantics.applicable(semantics.apply(semantics.initial, first))
    fast = CompiledSemantics(semantics)
    (operator,) = fast.applicable(fast.initial)
    with pytest.raises(ParseError, match=r"\(go b c\) can be applied"):
        fast.applicable(fast.successor(fast.initial, operator))


def test_a_fact_that_may_be_restored_does_not_make_a_group_exact() -> None:
    """Without (c), `drop` leaves neither (f) nor (g)."""
    fdr_task = task(
        "(:predicates (f) (g) (c) (h))"
        "(:action on :parameters () :precondition (f) :effect (and (not (f)) (g)))"
        "(:action back :parameters () :precondition (g) :effect (and (not (g)) (f)))"
        "(:action drop :parameters () :precondition (f) :effect (and (not (f)) (when (c) (f)) (h)))"
        "(:action toggle :parameters () :effect (and (when (c) (not (c))) (when (not (c)) (c))))",
        "(:init (f)) (:goal (and (g) (h)))",
    )
    assert explore(fdr_task) > 4


def test_a_group_that_needs_a_choice_is_extended_with_it() -> None:
    """The token of (s) goes to (y2) and (p) at once, so (x), which (y2) leads to, and (p) do not exclude each other."""
    fdr_task = task(
        "(:predicates (s) (x) (y1) (y2) (w) (p))"
        "(:action back :parameters () :precondition (x) :effect (and (not (x)) (s)))"
        "(:action both :parameters () :precondition (and (y1) (y2)) :effect (and (not (y1)) (not (y2)) (x)))"
        "(:action first :parameters () :precondition (w) :effect (and (not (w)) (y1)))"
        "(:action second :parameters () :precondition (s) :effect (and (not (s)) (p) (y2)))",
        "(:init (s) (w)) (:goal (and (x) (p)))",
    )
    assert ground(fdr_task).operators
    assert explore(fdr_task) > 4
