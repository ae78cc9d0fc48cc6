"""Grounding keeps the meaning: the finite-domain task and the reference semantics, explored side by side.

How tight the result is (bits, operators, axioms), figures of tasks and other grounders say.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ground
from support.pddl_texts import task
from support.random_tasks import random_task
from support.registry import WITH_PDDL
from support.side_by_side import compared
from support.thorough import at_most, some_of
from unpuzzle import solve, translators
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.pddl import read
from unpuzzle.pddl.compiled import CompiledSemantics
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Action, And, Domain, FunctionTerm, Increase, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planners.native.grounding import CoreGrounding, FDRTask

# --- the meaning ----------------------------------------------------------------------------------------------------


def test_ipc_tasks_mean_the_same_when_ground(data: Path) -> None:
    folders = sorted((data / "ipc").glob("*/*/"))
    assert len(folders) >= 45
    for folder in some_of(folders):
        whole = read(folder / "domain.pddl", folder / "problem.pddl")
        assert compared(ground(whole), whole, 20) > 1


@settings(max_examples=at_most(300))
@given(st.integers(0, 2**32))
def test_random_tasks_mean_the_same_when_ground(seed: int) -> None:
    rng = Random(seed)
    whole = random_task(rng, either=rng.random() < 0.3)
    assert compared(ground(whole), whole, 60) >= 1


@pytest.mark.parametrize("name", WITH_PDDL)
def test_levels_mean_the_same_when_ground(name: str) -> None:
    puzzle = translators.find(name)
    for text in list(puzzle.levels.values())[:6]:
        whole = puzzle.parse(text).task()
        assert compared(ground(whole), whole, 10) >= 1


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        pytest.param(
            "(:predicates (p)) (:action a :parameters () :effect (p))", "(:init) (:goal (and))", id="empty goal"
        ),
        pytest.param("(:predicates (p))", "(:init) (:goal (p))", id="no actions"),
        pytest.param("(:predicates (p))", "(:init (p)) (:goal (p))", id="true at the start"),
        pytest.param(
            "(:predicates (p ?x) (q)) (:action a :parameters (?x ?x) :precondition (not (p ?x)) :effect (q))",
            "(:objects a b) (:init (p a)) (:goal (q))",
            id="repeated parameter",
        ),
        pytest.param(
            "(:types a b) (:predicates (p ?x) (q))"
            "(:action a :parameters () :precondition (exists (?x - a ?x - b) (not (p ?x))) :effect (q))"
            "(:action b :parameters (?x) :effect (forall (?x - a ?x - b) (when (p ?x) (not (p ?x)))))",
            "(:objects a1 a2 - a b1 b2 - b) (:init (p b1) (p a1)) (:goal (and (q) (not (p b1))))",
            id="repeated variable of a quantifier",
        ),
        pytest.param(
            "(:types e) (:predicates (p) (q))"
            "(:action a :parameters () :precondition (forall (?x - e) (p)) :effect (q))"
            "(:action b :parameters () :precondition (exists (?x - e) (p)) :effect (p))",
            "(:init) (:goal (q))",
            id="a type without objects",
        ),
        pytest.param(
            "(:predicates (p ?x) (q)) (:derived (p ?x) (or (q) (p ?x)))"
            "(:action a :parameters (?unused ?x) :precondition (not (p ?x)) :effect (q))",
            "(:objects a b c) (:init) (:goal (forall (?x) (p ?x)))",
            id="an unused parameter, an axiom with itself in its body",
        ),
        pytest.param(
            "(:predicates (p ?x) (q) (for-sale ?x)) (:functions (total-cost) (price ?x))"
            "(:action a :parameters (?x) :precondition (and (not (p ?x)) (for-sale ?x))"
            " :effect (and (p ?x) (increase (total-cost) (price ?x))))"
            "(:action b :parameters () :precondition (exists (?x) (p ?x)) :effect (and (q) (increase (total-cost) 2)"
            " (increase (total-cost) 3)))",
            "(:objects a b c) (:init (for-sale a) (for-sale b) (= (price a) 1) (= (price b) 0)) (:goal (q))"
            " (:metric minimize (total-cost))",
            id="a cost without a value, of what cannot be applied",
        ),
        pytest.param(
            "(:predicates (p ?x)) (:functions (total-cost) (price ?x))"
            "(:action a :parameters (?x ?y) :effect (and (p ?x)"
            " (increase (total-cost) (price ?x)) (increase (total-cost) (price ?y)) (increase (total-cost) 4)))",
            "(:objects a b) (:init (= (price a) 1) (= (price b) 10)) (:goal (p a)) (:metric minimize (total-cost))",
            id="costs that add up",
        ),
    ],
)
def test_corners(domain: str, problem: str) -> None:
    whole = task(domain, problem)
    assert compared(ground(whole), whole) >= 1


# --- how tight the result is ----------------------------------------------------------------------------------------


def figures(fdr: FDRTask) -> list[int]:
    """Return bits of a state; operators; facts in operators, in axioms, in mutex groups."""
    effects = [effect for operator in fdr.operators for effect in operator.effects]
    return [
        sum((len(variable.values) - 1).bit_length() for variable in fdr.variables),
        len(fdr.operators),
        sum(len(o.precondition) for o in fdr.operators) + sum(1 + len(effect.conditions) for effect in effects),
        sum(1 + len(rule.body) for rule in fdr.axioms),
        sum(map(len, fdr.mutexes)),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "rubiks-cube-opt23-adl/p05",
            [100, 12, 4608, 0, 0],
        ),  # 20 pieces of 24 places each, seen through conditional effects
        ("blocks/probBLOCKS-4-0", [17, 32, 196, 0, 25]),
        ("logistics00/probLOGISTICS-4-0", [15, 54, 156, 0, 0]),
        ("visitall-opt14-strips/p-05-5", [22, 80, 215, 0, 0]),
        ("assembly/prob01", [40, 114, 400, 0, 11]),
        ("caldera-opt18-adl/p01", [58, 38, 549, 0, 0]),
        ("openstacks-opt08-adl/p01", [18, 60, 262, 0, 0]),
        ("optical-telegraphs/p01-opt2", [174, 270, 2346, 608, 0]),
        ("psr-middle/p01-s17-n2-l2-f30", [64, 28, 112, 255, 0]),
        ("sokoban-opt11-strips/p01", [37, 132, 912, 0, 61]),
        ("storage/p05", [22, 116, 722, 0, 36]),
        ("trucks/p01", [16, 134, 510, 0, 8]),
    ],
)
def test_ipc_tasks_become_as_small_as_ever(name: str, expected: list[int], data: Path) -> None:
    folder = data / "ipc" / name
    assert figures(ground(read(folder / "domain.pddl", folder / "problem.pddl"))) == expected


def test_random_tasks_become_as_small_as_ever() -> None:
    every = [figures(ground(random_task(Random(seed)))) for seed in range(200)]
    assert [sum(column) for column in zip(*every, strict=True)] == [572, 938, 2444, 370, 0]


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
    assert compared(ground(fdr_task), fdr_task) > 4


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
    assert compared(ground(fdr_task), fdr_task) > 4


@pytest.mark.parametrize(
    "name",
    "blocks/probBLOCKS-4-0 philosophers/p01-phil2 visitall-opt14-strips/p-05-5 rubiks-cube-opt23-adl/p01".split(),
)
def test_what_the_schedule_asks_is_what_the_task_says(name: str, data: Path) -> None:
    """Most changed is the variable that the greatest part of the operators changes on no condition."""
    whole = read(data / "ipc" / name / "domain.pddl", data / "ipc" / name / "problem.pddl")
    fdr, core = CoreGrounding(whole).fdr(), CoreGrounding(whole)
    features = core.task().features
    assert features.axioms == any(variable.layer >= 0 for variable in fdr.variables)
    assert core.operators == len(fdr.operators)
    assert features.conditional_effects == sum(bool(e.conditions) for o in fdr.operators for e in o.effects)
    changed = Counter(v for o in fdr.operators for v in {e.variable for e in o.effects if not e.conditions})
    assert features.most_changed == pytest.approx(max(changed.values(), default=0) / len(fdr.operators))


# --- other grounders ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(find_spec("up_fast_downward") is None, reason="Fast Downward is not installed")
@pytest.mark.parametrize(
    "name",
    """
        blocks/probBLOCKS-4-0 gripper/prob03 logistics00/probLOGISTICS-6-0 visitall-opt14-strips/p-05-6
        scanalyzer-08-strips/p01 elevators-opt08-strips/p01 termes-opt18-strips/p01 miconic-simpleadl/s3-1
        """.split(),
)
def test_as_many_operators_as_fast_downward(name: str, data: Path, tmp_path: Path) -> None:
    spec = find_spec("up_fast_downward")
    assert spec is not None
    assert spec.origin is not None
    driver = Path(spec.origin).parent / "downward" / "fast-downward.py"
    files = [str(data / "ipc" / name / file) for file in ("domain.pddl", "problem.pddl")]
    command = [sys.executable, str(driver), "--translate", *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    match = re.search(r"Translator operators: (\d+)", done.stdout)
    assert match is not None
    assert CoreGrounding(read(*files)).operators == int(match[1])


@pytest.mark.skipif(find_spec("tarski") is None or find_spec("clingo") is None, reason="tarski or clingo is missing")
@pytest.mark.parametrize("name", ["blocks/probBLOCKS-4-0", "gripper/prob01", "logistics00/probLOGISTICS-4-0"])
def test_no_action_that_clingo_does_not_reach(name: str, data: Path) -> None:
    from tarski.grounding import LPGroundingStrategy
    from tarski.io import PDDLReader

    files = [str(data / "ipc" / name / file) for file in ("domain.pddl", "problem.pddl")]
    reader = PDDLReader(raise_on_error=True)
    reader.parse_domain(files[0])
    reached = LPGroundingStrategy(reader.parse_instance(files[1])).ground_actions()
    theirs = {f"({' '.join((action, *arguments))})" for action, found in reached.items() for arguments in found}
    ours = {str(operator.action) for operator in CoreGrounding(read(*files)).fdr().operators}
    assert ours
    assert ours <= theirs


def test_a_task_that_was_handed_over_is_not_there_any_more() -> None:
    game = translators.find("hanoi")
    ground = CoreGrounding(game.parse(next(iter(game.levels.values()))).task())
    ground.task()
    for again in (ground.task, ground.fdr, ground.buffers, ground.variables):
        with pytest.raises(UsageError, match="ground the task again"):
            again()
