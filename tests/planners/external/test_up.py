"""Engines of unified-planning as planners: the dialect that they read, what the child answers, how it ends."""

import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise
from shutil import which

import pytest

from unpuzzle import planners, solve, translators
from unpuzzle.errors import ParseError, PlannerMissing, UnsupportedFeature
from unpuzzle.limits import Limits
from unpuzzle.pddl.nodes import GroundAction, Problem, Task
from unpuzzle.pddl.reader import parse_task
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external import process, up
from unpuzzle.planners.external.plain_names import PlainNames
from unpuzzle.planners.external.up.dialect import Dialect
from unpuzzle.result import ERROR, GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, STATUSES, TIMEOUT, UNSOLVABLE, UNSUPPORTED
from unpuzzle.testing.random_tasks import random_task


def needs(engine):
    package = up.PACKAGES[engine]
    here = find_spec(package.replace("-", "_")) and (package != "up-enhsp" or which("java"))
    return pytest.mark.skipif(not here, reason=f"{package} (or Java, for enhsp) is not installed")


ROADS = """(define (domain roads) (:requirements :typing :action-costs) (:types town)
  (:predicates (at ?x - town) (road ?x ?y - town)) (:functions (length ?x ?y - town) - number (total-cost) - number)
  (:action go :parameters (?x ?y - town) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?x ?y))))
  (:action fly :parameters (?x ?y - town) :precondition (at ?x)
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) 5) (increase (total-cost) 15)))
  (:action rest :parameters () :effect (increase (total-cost) 1)))"""
ROADS_PROBLEM = """(define (problem p) (:domain roads) (:objects a b c d - town)
  (:init (at a) (road a d) (road a b) (road b c) (road c d) (= (total-cost) 0)
    (= (length a d) 10) (= (length a b) 2) (= (length b c) 3) (= (length c d) 1))
  (:goal (at d)) (:metric minimize (total-cost)))"""
COSTS = parse_task(ROADS, ROADS_PROBLEM)
UNIT = parse_task(ROADS, ROADS_PROBLEM.replace("(:metric minimize (total-cost))", ""))
NOWHERE = parse_task(ROADS, ROADS_PROBLEM.replace("(:goal (at d))", "(:goal (and (at a) (at d)))"))

ODD = parse_task(
    """(define (domain 1-odd) (:requirements :adl)
  (:types 3d flat - thing thing - object ball - (either 3d flat))
  (:constants 1-1 when - thing o_1-1 - flat)
  (:predicates (and ?x) (at ?x - (either 3d flat) ?y) (ball ?x) (1-1 ?x - 3d))
  (:action at :parameters (?x - (either 3d flat) ?when - ball ?x - thing) :precondition (not (and ?x))
    :effect (and (and ?x) (forall (?x - ball) (when (not (ball ?x)) (ball ?x)))))
  (:action 1-1 :parameters (?1-1) :precondition (and (ball ?1-1) (exists (?1-1 - (either 3d)) (and ?1-1)))
    :effect (at ?1-1 1-1)))""",
    """(define (problem p) (:domain 1-odd) (:objects at - 3d 7 - ball) (:init)
  (:goal (and (forall (?x - (either flat 3d)) (and ?x)) (exists (?x - ball) (at ?x 1-1)) (imply (or) (or)))))""",
)
NAMES = parse_task(
    """(define (domain when) (:predicates (not-yet ?when) (when ?x) (o_1-1 ?x))
  (:action when :parameters (?when) :precondition (not-yet ?when) :effect (and (when ?when) (o_1-1 ?when))))""",
    "(define (problem when) (:domain when) (:objects 1-1 o_1-1 when) "
    "(:init (not-yet 1-1) (not-yet o_1-1) (not-yet when)) (:goal (and (when 1-1) (when o_1-1) (when when))))",
)
DERIVED = parse_task(
    """(define (domain d) (:requirements :derived-predicates) (:predicates (p) (q)) (:derived (q) (p))
  (:action a :parameters () :effect (p)))""",
    "(define (problem p) (:domain d) (:init) (:goal (q)))",
)


def run(engine, task, time_limit=600, memory=None):
    return planners.run(f"up:{engine}" if engine else "up", task, Limits(time_limit, memory))


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
    result = solve(level, "up:fast-downward-opt", Limits(600))
    assert (result.status, result.valid) == (SOLVED_OPTIMALLY, True)
    assert result.cost == solve(level, "rules:bfs").cost == len(result.moves)


@needs("pyperplan")
def test_four_at_once():
    def chain(length):
        towns = [f"t{number}" for number in range(length + 1)]
        roads = "".join(f"(road {a} {b})" for a, b in pairwise(towns))
        domain = ROADS[: ROADS.index("(:action fly")].replace("(increase (total-cost) (length ?x ?y))", "") + ")"
        text = f"(define (problem p) (:domain roads) (:objects {' '.join(towns)} - town) (:init (at t0) {roads})"
        return parse_task(domain, f"{text} (:goal (at {towns[-1]})))")

    lengths = range(1, 5)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda length: run("pyperplan", chain(length)), lengths))
    assert [(result.valid, result.cost) for result in results] == [(True, length) for length in lengths]


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
    with pytest.raises(ParseError, match=r"'pyperplann'.*did you mean 'pyperplan'"):
        planners.find("up:pyperplann")
    with pytest.raises(ParseError, match=r"knows .*symk"):
        planners.find("up:tarski_grounder")  # an engine, but it does not plan


def test_missing_package():
    name = next((name for name, package in up.PACKAGES.items() if not find_spec(package.replace("-", "_"))), None)
    if name is None:
        pytest.skip("every engine is installed")
    with pytest.raises(PlannerMissing, match=f"pip install {up.PACKAGES[name]}"):
        run(name, UNIT)


def test_missing_unified_planning(monkeypatch):
    monkeypatch.setattr(up, "_found", lambda module: False)
    assert "pip install unified-planning" in planners.missing("up")
    with pytest.raises(PlannerMissing, match="unified-planning"):
        run("symk", UNIT)
    with pytest.raises(ParseError, match="symk"):
        planners.find("up:symmk")


@needs("enhsp")
def test_missing_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(process, "_limiter", lambda memory: [])
    with pytest.raises(PlannerMissing, match="'java'"):
        run("enhsp", UNIT)


@needs("pyperplan")
def test_memory_limit():
    assert run("pyperplan", UNIT, memory=150 << 20).status == MEMOUT


# --- a child that does what we want -------------------------------------------------------------------------------


@pytest.fixture
def child(monkeypatch, tmp_path):
    """Has the family run this script instead of its own."""

    def install(text):
        script = tmp_path / "child.py"
        script.write_text("import json, os, sys, time\n" + text)
        monkeypatch.setattr(up, "_CHILD", str(script))
        monkeypatch.setattr(up, "_found", lambda module: True)

    return install


def answers(**fields):
    return f"open('answer.json', 'w').write({json.dumps(fields)!r})\n"


def test_time_limit_ends_a_hanging_child_and_its_children(child, time_is_up_when, tmp_path):
    said = tmp_path / "said"
    child(
        "import subprocess\nsubprocess.Popen(['sleep', '1000'])\nprint('so far', flush=True)\n"
        f"open({str(said)!r}, 'w').close()\ntime.sleep(1000)\n"
    )
    result = run("symk", UNIT, time_is_up_when(said.exists))
    assert (result.status, result.message, result.log) == (TIMEOUT, "up:symk reached its time limit", "so far\n")


STEPS = [["go", "a", "d"]]
OUTCOMES = [
    ("SOLVED_OPTIMALLY", STEPS, SOLVED_OPTIMALLY),
    ("SOLVED_SATISFICING", STEPS, SOLVED),
    ("INTERMEDIATE", STEPS, SOLVED),
    ("TIMEOUT", STEPS, SOLVED),
    ("SOLVED_OPTIMALLY", None, ERROR),
    ("SOLVED_OPTIMALLY", [["go", "a", "b"]], ERROR),
    ("SOLVED_OPTIMALLY", [["jump", "a", "b"]], ERROR),
    ("UNSOLVABLE_PROVEN", None, UNSOLVABLE),
    ("UNSOLVABLE_INCOMPLETELY", None, GAVE_UP),
    ("TIMEOUT", None, TIMEOUT),
    ("MEMOUT", None, MEMOUT),
    ("UNSUPPORTED_PROBLEM", None, UNSUPPORTED),
    ("INTERNAL_ERROR", None, ERROR),
]


@pytest.mark.parametrize(("said", "plan", "status"), OUTCOMES)
def test_statuses(child, said, plan, status):
    child(answers(status=said, plan=plan, engine="E"))
    result = run("symk", UNIT)
    assert result.status == status
    assert (result.plan is None) == (status not in (SOLVED, SOLVED_OPTIMALLY))
    assert bool(result.message) == (not result.solved or said == "TIMEOUT")


def test_every_status_of_unified_planning_has_a_meaning():
    from unified_planning.engines import PlanGenerationResultStatus

    assert set(up.STATUSES) == {status.name for status in PlanGenerationResultStatus}
    assert {status for status, _ in up.STATUSES.values()} <= set(STATUSES)


def test_a_broken_program_has_proved_nothing(child):
    child(answers(status="UNSOLVABLE_PROVEN", plan=None, complaint="Traceback\nValueError: oh") + "sys.exit(3)\n")
    result = run("symk", UNIT)
    assert result.status == ERROR
    assert "ValueError: oh" in result.message
    child(answers(status="UNSOLVABLE_PROVEN", plan=None, complaint="x") + "print('MemoryError')\nsys.exit(3)\n")
    assert run("symk", UNIT).status == MEMOUT


def test_a_child_that_breaks(child):
    child("print('before')\nraise ValueError('broken')\n")
    result = run("symk", UNIT)
    assert result.status == ERROR
    assert result.message == "up:symk ended with exit code 1: ValueError: broken"
    assert "before" in result.log
    child("raise MemoryError\n")
    assert run("symk", UNIT).status == MEMOUT


def test_a_plan_without_the_metric_is_not_optimal(child):
    child(answers(status="SOLVED_OPTIMALLY", plan=STEPS, metric_ignored=True))
    result = run("symk", COSTS)
    assert (result.status, result.cost) == (SOLVED, 10)
    assert "did not minimize" in result.message


def test_engines_that_only_the_child_knows(child):
    child(answers(engines=["mine", "symk"], status="SOLVED_SATISFICING", plan=STEPS))
    assert run("mine", UNIT).status == SOLVED
    with pytest.raises(ParseError, match="did you mean 'mine'"):
        planners.find("up:minee")


def test_the_child_sees_neither_our_folder_nor_our_variables(child, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    child("print(json.dumps([sys.path, sorted(os.environ)]))\n" + answers(status="TIMEOUT", plan=None))
    path, variables = json.loads(run("symk", UNIT).log)
    assert "/nowhere" not in path
    assert os.path.dirname(up.__file__) not in path
    assert not [name for name in variables if name.startswith("PYTHON")]


# --- the dialect --------------------------------------------------------------------------------------------------


def test_plain_names():
    names = PlainNames()
    given = [names.name(wanted, "o") for wanted in ("a", "A", "a-b", "a_b", "1-1", "o_1-1", "when", "?x", "ü", "")]
    assert len(set(given)) == len(given)
    assert given[:5] == ["a", "a_2", "a_b", "a_b_2", "o_1_1"]
    assert all(name.isidentifier() and name.isascii() and name.islower() and name != "when" for name in given)


def test_dialect_means_the_same():
    rng = random.Random(7)
    for number in range(60):
        task = random_task(rng, axioms=False, either=number % 2 == 0, costs=range(4) if number % 3 else None)
        ours, theirs = solve(task, "reference"), solve(Dialect(task).task, "reference")
        assert (ours.status, ours.cost) == (theirs.status, theirs.cost), write(task)


def test_equal_names_in_one_list():
    task = parse_task(
        """(define (domain d) (:types a b) (:predicates (p ?x) (q ?x ?y))
      (:action one :parameters (?x - a ?x) :precondition (not (p ?x)) :effect (p ?x))
      (:action all :parameters () :precondition (exists (?x - a ?x - b) (p ?x))
        :effect (forall (?y - b ?y) (forall (?y ?x) (q ?y ?x)))))""",
        """(define (problem p) (:domain d) (:objects a1 - a b1 - b) (:init (p b1))
      (:goal (and (p a1) (q a1 b1))))""",
    )
    assert solve(Dialect(task).task, "reference").cost == solve(task, "reference").cost == 2
    from unified_planning.io import PDDLReader

    assert len(PDDLReader().parse_problem_string(*write(Dialect(task).task)).actions) == 2


def test_dialect_is_read_without_a_change():
    from unified_planning.io import PDDLReader

    dialect = Dialect(ODD)
    problem = PDDLReader().parse_problem_string(*write(dialect.task))
    assert {action.name for action in problem.actions} == {action.name for action in dialect.task.domain.actions}
    assert {each.name for each in problem.all_objects} == {
        each.name for each in (*dialect.task.domain.constants, *dialect.task.problem.objects)
    }


def test_dialect_leads_back():
    dialect = Dialect(ODD)
    names = [action.name for action in dialect.task.domain.actions]
    objects = [each.name for each in (*dialect.task.domain.constants, *dialect.task.problem.objects)]
    assert [dialect.back(name, objects) for name in names] == [
        GroundAction(name, ("1-1", "when", "o_1-1", "at", "7")) for name in ("at", "1-1")
    ]


def test_dialect_adds_costs_up_and_leaves_useless_things_out():
    task = Dialect(COSTS).task
    assert [action.name for action in task.domain.actions] == ["go", "fly"]
    assert "(increase (total-cost) 20)" in write(task)[0]
    assert "increase" not in "".join(write(Dialect(COSTS, costs=False).task))
    assert "length" not in "".join(write(Dialect(UNIT).task))


def test_sums_of_static_costs_are_refused():
    text = ROADS.replace("(increase (total-cost) 5)", "(increase (total-cost) (length ?x ?y))")
    with pytest.raises(UnsupportedFeature, match="one cost of an action; 'fly' has 2"):
        Dialect(parse_task(text, ROADS_PROBLEM))


def test_costs_that_nobody_asks_for_may_be_anything():
    problem = COSTS.problem
    free = Task(
        COSTS.domain, Problem(problem.name, problem.domain_name, (), problem.objects, problem.init, (), problem.goal)
    )
    assert solve(Dialect(free).task, "reference").cost == 1
