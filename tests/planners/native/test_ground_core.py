"""The grounding in C++ against its slow twin in Python, and against other grounders.

What the twin's task means is compared with the reference semantics in test_grounding.py, so equality is all there is to
ask here.
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

from fdr_parts import parts
from python_grounding import ground
from support.pddl_texts import task
from support.registry import WITH_PDDL
from support.thorough import at_most, some_of
from unpuzzle import translators
from unpuzzle.errors import UsageError
from unpuzzle.pddl import read
from unpuzzle.pddl.nodes import Task
from unpuzzle.planning import registry
from unpuzzle.testing.random_tasks import random_task

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")
if registry.missing("native") is None:
    from unpuzzle.planners.native.grounding import CoreGrounding


def assert_same(task: Task) -> None:
    twin, core = parts(ground(task)), parts(CoreGrounding(task).fdr())
    for part, expected in twin.items():
        assert core[part] == expected, part


# --- the twin -------------------------------------------------------------------------------------------------------


def test_all_ipc_tasks(data: Path) -> None:
    folders = sorted((data / "ipc").glob("*/*/"))
    assert len(folders) >= 45
    for folder in some_of(folders):
        assert_same(read(folder / "domain.pddl", folder / "problem.pddl"))


@settings(max_examples=at_most(300))
@given(st.integers(0, 2**32))
def test_random_tasks(seed: int) -> None:
    rng = Random(seed)
    assert_same(random_task(rng, either=rng.random() < 0.3))


FEW = {"24": 60}
"""Objects of levels for which the twin does not take many seconds, where that is not so for all."""


@pytest.mark.parametrize("name", WITH_PDDL)
def test_levels(name: str) -> None:
    puzzle = translators.find(name)
    for text in list(puzzle.levels.values())[:12]:
        task = puzzle.parse(text).task()
        if len(task.problem.objects) <= FEW.get(name, 1000):
            assert_same(task)


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
    ],
)
def test_corners(domain: str, problem: str) -> None:
    assert_same(task(domain, problem))


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
        with pytest.raises(UsageError, match="ground it again"):
            again()
