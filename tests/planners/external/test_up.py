"""Engines of unified-planning as planners: what they answer, and what cannot be."""

from importlib.util import find_spec

import pytest

from support.roads import COSTS, DERIVED, NAMES, NOWHERE, ODD, UNIT, needs, run
from unpuzzle import solve, translators
from unpuzzle.base.availability import ENGINE_PACKAGES
from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import Limits
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.planners.external import answers, up
from unpuzzle.planning import registry
from unpuzzle.processes.program import ProgramEnd

ENDED = ProgramEnd(0, None, "", False, 0, 0.0, 0.0, "", "")

# --- engines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(name, marks=needs(name))
        for name in ("fast-downward", "fast-downward-opt", "symk-opt", "enhsp-opt", "pyperplan")
    ],
)
def test_costs(engine):
    result = run(engine, COSTS)
    assert result.planner == f"up:{engine}"
    assert result.valid is True
    if engine == "enhsp-opt":
        assert (result.status, result.cost) == (SOLVED, 6)
    elif engine.endswith("-opt"):
        assert (result.status, result.cost, result.message) == (SOLVED_OPTIMALLY, 6, "")
    else:
        assert result.status == SOLVED
        assert result.cost >= 6
    assert ("did not minimize" in result.message) == (engine == "pyperplan")
    assert 0 < result.seconds["read"] < result.seconds["total"]
    assert result.peak_memory > 20 << 20


@needs("pyperplan")
def test_without_a_metric_the_length_counts():
    result = run("pyperplan-opt", UNIT)
    assert (result.status, result.cost) == (SOLVED_OPTIMALLY, 1)


@needs("symk")
def test_names_types_and_variables_come_back():
    result = run("symk-opt", ODD)
    assert (result.status, result.cost) == (SOLVED_OPTIMALLY, solve(ODD, "reference").cost)
    assert GroundAction("1-1", ("7",)) in result.plan.steps


@needs("pyperplan")
def test_names_that_unified_planning_would_change():
    result = run("pyperplan", NAMES)
    assert result.valid
    assert {str(step) for step in result.plan} == {"(when 1-1)", "(when o_1-1)", "(when when)"}


@needs("fast-downward")
def test_no_plan_and_its_proof():
    result = run("fast-downward", NOWHERE)
    assert (result.status, result.plan) == (UNSOLVABLE, None)
    assert "proved" in result.message
    assert "translate" in result.log


@pytest.mark.parametrize("says", ["UNSOLVABLE_PROVEN", "UNSOLVABLE_INCOMPLETELY"])
def test_the_word_of_other_engines_counts_if_our_search_confirms_it(says, monkeypatch):
    monkeypatch.setattr(up, "_ask", lambda *_: (ENDED, {"status": says, "engine": "LPG"}))
    found = solve(UNIT, "up")
    assert (found.status, found.plan) == (GAVE_UP, None)
    assert found.message.endswith("which is not a proof; our own search found one")
    assert solve(NOWHERE, "up").status == UNSOLVABLE
    monkeypatch.setattr(answers, "MOST_STATES", 1)
    assert solve(COSTS, "up").status == GAVE_UP


def test_an_engine_that_gets_the_original_task_is_doubted(monkeypatch):
    """An unknown engine might have Fast Downward's translator, which finds a false mutex group in the original."""
    task = parse_task(
        """(define (domain d) (:predicates (lit ?x)) (:action a :parameters (?p ?q ?r)
          :precondition (and (lit ?p) (lit ?q)) :effect (and (not (lit ?p)) (lit ?q) (lit ?r))))""",
        "(define (problem p) (:domain d) (:objects o u) (:init (lit o)) (:goal (and (lit o) (lit u))))",
    )
    asked = []

    def ask(tasks, *_):
        asked.append(len(tasks["task.pickle"].domain.actions[0].parameters))
        return ENDED, {"unsupported": ["EQUALITIES"]} if asked[-1] > 3 else answer

    monkeypatch.setattr(up, "_ask", ask)
    answer = {"status": "UNSOLVABLE_PROVEN", "engine": "Fast Downward"}
    assert solve(task, "up").status == GAVE_UP
    answer = {"status": "SOLVED_OPTIMALLY", "engine": "Fast Downward", "plan": [["a", "o", "o", "u"]]}
    assert solve(task, "up").status == SOLVED
    assert asked == [4, 3, 4, 3]


@needs("enhsp")
def test_an_engine_that_overlooks_plans_proves_nothing():
    domain = """(define (domain d) (:predicates (p) (q) (r))
      (:action both :parameters () :effect (and (p) (not (p))))
      (:action first :parameters () :effect (q))
      (:action second :parameters () :precondition (q) :effect (PLAIN)))"""
    problem = "(define (problem p) (:domain d) (:init) (:goal (p)))"
    without, detour = (parse_task(domain.replace("PLAIN", name), problem) for name in "rp")
    for task in (without, detour):
        assert solve(task, "reference").cost == 1
    assert run("enhsp-opt", without).status == GAVE_UP
    result = run("enhsp-opt", detour)
    assert (result.status, result.cost) == (SOLVED, 2)
    assert "overlooked" in result.message


@needs("fast-downward")
def test_own_choice_of_unified_planning():
    result = run(None, UNIT)
    assert (result.status, result.planner, result.valid) == (SOLVED, "up", True)


@needs("fast-downward")
def test_levels_of_the_puzzles():
    tiles = translators.find("sliding-tiles")
    level = tiles.parse(tiles.levels["2x3"])
    result = solve(level, "up:fast-downward-opt", limits=Limits(600))
    assert (result.status, result.valid) == (SOLVED_OPTIMALLY, True)
    assert result.cost == solve(level, "rules:bfs").cost == len(result.moves)


# --- what cannot be -----------------------------------------------------------------------------------------------


@needs("pyperplan")
def test_unsupported_features_are_named():
    result = run("pyperplan", DERIVED)
    assert result.status == UNSUPPORTED
    assert "derived predicates" in result.message


@needs("pyperplan")
def test_features_that_an_engine_lacks_are_named():
    result = run("pyperplan", ODD)
    assert result.status == UNSUPPORTED
    assert "negative conditions" in result.message
    assert "conditional effects" in result.message


def test_unknown_engines():
    with pytest.raises(UsageError, match=r"'pyperplann'.*did you mean 'pyperplan'"):
        registry.find("up:pyperplann")
    with pytest.raises(UsageError, match=r"knows [^[]*symk[^[]*$"):
        registry.find("up:tarski_grounder")  # an engine, but it does not plan


def test_missing_package():
    name = next((name for name, package in ENGINE_PACKAGES.items() if not find_spec(package.replace("-", "_"))), None)
    if name is None:
        pytest.skip("every engine is installed")
    with pytest.raises(DependencyMissing, match=f"pip install {ENGINE_PACKAGES[name]}"):
        run(name, UNIT)


def test_missing_unified_planning(monkeypatch):
    monkeypatch.setattr(up, "_is_installed", lambda module: False)
    assert "pip install unified-planning" in registry.missing("up")
    with pytest.raises(DependencyMissing, match="unified-planning"):
        run("symk", UNIT)
    with pytest.raises(UsageError, match="symk"):
        registry.find("up:symmk")


@needs("enhsp")
def test_missing_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DependencyMissing, match="'java'"):
        run("enhsp", UNIT)


@needs("pyperplan")
@pytest.mark.parametrize("megabytes", [10, 20, 30, 40, 50])
def test_memory_limit(megabytes):
    """Wherever the memory ends: in Python, between two libraries or within one of them."""
    assert run("pyperplan", UNIT, memory=megabytes << 20).status == MEMOUT
