"""The grounding in C++ against its slow twin in Python: the same finite-domain task, to the order of every list.

What the twin's task means is compared with the reference semantics in test_grounding.py, so equality is all there is to
ask here; other grounders are asked for the number of operators.
"""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from python_grounding import PythonGrounding, ground
from support.waiting import PATIENCE
from unpuzzle import planners, translators
from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.limits import Limits
from unpuzzle.pddl import parse_domain, parse_problem, read
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native import Native
from unpuzzle.planners.native.grounding.fdr import FDRTask
from unpuzzle.planners.watch import Watch, resident_memory
from unpuzzle.testing.random_tasks import random_task

pytestmark = pytest.mark.skipif(planners.missing("native") is not None, reason="the core is not compiled")
if planners.missing("native") is None:
    from unpuzzle.planners.native.grounding.core_grounding import CoreGrounding

Flat = dict[str, list[object]]


def flat(fdr: FDRTask) -> Flat:
    """The whole of a task, names included, as something that is easily compared and shown."""
    return {
        "variables": [(variable.layer, *map(str, variable.values)) for variable in fdr.variables],
        "initial": list(fdr.initial),
        "goal": list(fdr.goal),
        "operators": [
            (str(o.action), o.cost, o.precondition, *[(e.conditions, e.variable, e.value) for e in o.effects])
            for o in fdr.operators
        ],
        "axioms": [(rule.variable, rule.body) for rule in fdr.axioms],
        "mutexes": list(fdr.mutexes),
    }


def assert_same(task: Task) -> None:
    twin, core = flat(ground(task)), flat(CoreGrounding(task).fdr())
    for part, expected in twin.items():
        assert core[part] == expected, part


def task(domain: str, problem: str) -> Task:
    parsed = parse_domain(f"(define (domain d) {domain})")
    return Task(parsed, parse_problem(f"(define (problem p) (:domain d) {problem})", parsed))


# --- the twin -------------------------------------------------------------------------------------------------------


def test_all_ipc_tasks(data: Path) -> None:
    folders = sorted((data / "ipc").glob("*/*/"))
    assert len(folders) >= 45
    for folder in folders:
        assert_same(read(folder / "domain.pddl", folder / "problem.pddl"))


@settings(max_examples=300)
@given(st.integers(0, 2**32))
def test_random_tasks(seed: int) -> None:
    rng = Random(seed)
    assert_same(random_task(rng, either=rng.random() < 0.3))


@pytest.mark.parametrize("name", translators.names())
def test_levels(name: str) -> None:
    puzzle = translators.find(name)
    for text in list(puzzle.levels.values())[:12]:
        assert_same(puzzle.parse(text).task())


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
            "(:predicates (p ?x) (q)) (:functions (total-cost) (price ?x))"
            "(:action a :parameters (?x) :precondition (not (p ?x))"
            " :effect (and (p ?x) (increase (total-cost) (price ?x))))"
            "(:action b :parameters () :precondition (exists (?x) (p ?x)) :effect (and (q) (increase (total-cost) 2)"
            " (increase (total-cost) 3)))",
            "(:objects a b c) (:init (= (total-cost) 0) (= (price a) 1) (= (price b) 0)) (:goal (q))"
            " (:metric minimize (total-cost))",
            id="a cost without a value",
        ),
    ],
)
def test_corners(domain: str, problem: str) -> None:
    assert_same(task(domain, problem))


class _OnTheTwin(Native):
    def _ground(self, task: Task, watch: Watch) -> PythonGrounding:  # type: ignore[override]
        return PythonGrounding(task, watch)


def test_both_lead_to_the_same_answer(data: Path) -> None:
    folder = data / "ipc" / "storage" / "p05"
    whole = read(folder / "domain.pddl", folder / "problem.pddl")
    core, twin = Native("blind").solve(whole, Limits()), _OnTheTwin("blind").solve(whole, Limits())
    assert (core.status, core.cost, core.plan, core.expanded) == (twin.status, twin.cost, twin.plan, twin.expanded)


def test_what_the_schedule_asks_is_the_same(data: Path) -> None:
    for name in (
        "blocks/probBLOCKS-4-0",
        "philosophers/p01-phil2",
        "visitall-opt14-strips/p-05-5",
        "rubiks-cube-opt23-adl/p01",
    ):
        whole = read(data / "ipc" / name / "domain.pddl", data / "ipc" / name / "problem.pddl")
        core, twin = CoreGrounding(whole), PythonGrounding(whole)
        assert (core.has_axioms, core.operators) == (twin.has_axioms, twin.operators)
        assert core.conditional_effects == twin.conditional_effects
        assert core.most_changed == pytest.approx(twin.most_changed)


# --- explosions -----------------------------------------------------------------------------------------------------


def test_twelve_parameters_that_lead_nowhere() -> None:
    """A chain of twelve in a dense graph, whose far end is nowhere; and a second part without any solution."""
    names = [f"o{i}" for i in range(40)]
    links = " ".join(f"(link {a} {b})" for i, a in enumerate(names) for b in names[i + 1 : i + 9])
    chain = " ".join(f"(link ?a{i} ?a{i + 1})" for i in range(8))
    impossible = "(link ?a9 ?a10) (link ?a10 ?a11) (mark ?a11) (rare ?a9)"
    parameters = " ".join(f"?a{i}" for i in range(12))
    found = CoreGrounding(
        task(
            "(:predicates (link ?x ?y) (mark ?x) (rare ?x) (at ?x))"
            f"(:action leap :parameters ({parameters}) :precondition (and (at ?a0) {chain} {impossible})"
            " :effect (and (not (at ?a0)) (at ?a8)))"
            "(:action step :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y)) :effect (at ?y))",
            f"(:objects {' '.join(names)}) (:init (at o0) (mark o1) (rare o38) {links}) (:goal (at o39))",
        ),
        time_limit=600,
    )
    assert all(operator.action.name == "step" for operator in found.fdr().operators)


def test_parameters_that_nothing_mentions() -> None:
    parameters = " ".join(f"?a{i}" for i in range(12))
    objects = " ".join(f"o{i}" for i in range(50))
    found = CoreGrounding(
        task(
            f"(:predicates (at ?x)) (:action go :parameters ({parameters}) :effect (at ?a3))",
            f"(:objects {objects}) (:init) (:goal (at o7))",
        ),
        time_limit=600,
    )
    assert [str(operator.action) for operator in found.fdr().operators] == [
        f"(go {' '.join('o7' if i == 3 else 'o0' for i in range(12))})"
    ]


def test_a_quantifier_over_many_objects_follows_its_static_atoms() -> None:
    """Three variables over 300 objects are 27 million triples, of which 298 are links of a chain."""
    names = [f"o{i}" for i in range(300)]
    links = " ".join(f"(link {a} {b})" for a, b in pairwise(names))
    found = CoreGrounding(
        task(
            "(:predicates (link ?x ?y) (on ?x) (done)) (:action put :parameters (?x) :effect (on ?x))"
            "(:action end :parameters () :precondition"
            " (forall (?a ?b ?c) (imply (and (link ?a ?b) (link ?b ?c)) (on ?c))) :effect (done))",
            f"(:objects {' '.join(names)}) (:init {links}) (:goal (done))",
        ),
        time_limit=600,
    )
    assert [len(o.precondition) for o in found.fdr().operators if o.action.name == "end"] == [298]


EXPLODING = (
    "(:predicates (at ?x) (linked ?a ?b ?c ?d ?e ?f))"
    "(:action small :parameters (?x) :effect (at ?x))"
    "(:action explode :parameters (?a ?b ?c ?d ?e ?f)"
    " :precondition (and (at ?a) (at ?b) (at ?c) (at ?d) (at ?e) (at ?f))"
    " :effect (linked ?a ?b ?c ?d ?e ?f))"
)
MANY = f"(:objects {' '.join(f'o{i}' for i in range(80))}) (:init) (:goal (and (linked o1 o2 o3 o4 o5 o6) (at o1)))"


@pytest.mark.parametrize(("status", "limit"), [("timeout", "time"), ("memout", "memory")])
def test_a_limit_names_the_schema_that_explodes(status: str, limit: str) -> None:
    more = resident_memory() + (200 << 20)
    limits = Limits(time=0.6) if limit == "time" else Limits(memory=more)
    result = Native().solve(task(EXPLODING, MANY), limits)
    assert result.status == status
    assert f"the {limit} limit was reached while grounding: the action 'explode' has the most" in result.message


def test_a_quantifier_that_explodes_is_named() -> None:
    whole = task(
        "(:predicates (p ?a ?b ?c ?d) (q ?x) (done)) (:action flip :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d))"
        "(:action all :parameters () :precondition"
        " (forall (?a ?b ?c ?d ?e ?f) (or (p ?a ?b ?c ?d) (p ?c ?d ?e ?f) (not (q ?a)))) :effect (done))",
        f"(:objects {' '.join(f'o{i}' for i in range(14))}) (:init (q o1) (q o2)) (:goal (done))",
    )
    result = Native().solve(whole, Limits(memory=resident_memory() + (200 << 20)))
    assert (result.status, "the action 'all'" in result.message) == ("memout", True), result.message


MEASURE = """
import resource
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native.grounding.core_grounding import CoreGrounding
from unpuzzle.planners.watch import LimitReachedError
domain = parse_domain("(define (domain d) {domain})")
task = Task(domain, parse_problem("(define (problem p) (:domain d) {problem})", domain))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    CoreGrounding(task, memory_limit={limit})
except LimitReachedError as reached:
    print(reached.status, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.parametrize("limit", [20_000_000, 200_000_000])
def test_memory_is_within_the_limit(limit: int) -> None:
    program = MEASURE.format(domain=EXPLODING, problem=MANY, limit=limit)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    status, taken = done.stdout.split()
    assert status == "memout"
    assert int(taken) < 1.05 * limit + 4_000_000


INTERRUPT = """
import os, signal, threading, time
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native.grounding.core_grounding import CoreGrounding
domain = parse_domain("(define (domain d) {domain})")
task = Task(domain, parse_problem("(define (problem p) (:domain d) {problem})", domain))
def strike():
    begun = time.process_time()
    while time.process_time() < begun + 0.3:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
try:
    threading.Thread(target=strike).start()
    CoreGrounding(task)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to oneself")
def test_ctrl_c() -> None:
    program = INTERRUPT.format(domain=EXPLODING, problem=MANY)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == "interrupted\n", "and not at an end, which is hours away"


# --- refusals and hostile arrays ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [ground, lambda whole: CoreGrounding(whole)], ids=["twin", "core"])
def test_refusals(make: object) -> None:
    costs = "(:predicates (p)) (:functions (total-cost)) (:action a :parameters () :effect (and (p) {}))"
    problem = "(:init) (:goal (p)) (:metric minimize (total-cost))"
    huge = " ".join(["(increase (total-cost) 2147483647)"] * 2)
    with pytest.raises(UnsupportedFeature, match="2\\^31"):
        make(task(costs.format(huge), problem))  # type: ignore[operator]
    with pytest.raises((UnsupportedFeature, ParseError), match="cost"):
        make(task(costs.format("(when (p) (increase (total-cost) 2))"), problem))  # type: ignore[operator]
    with pytest.raises(ParseError, match="own negation"):
        make(  # type: ignore[operator]
            task(
                "(:predicates (p) (q)) (:derived (q) (not (q)))"
                "(:action a :parameters () :precondition (q) :effect (p))",
                "(:init) (:goal (p))",
            )
        )


def test_numbers_that_no_cost_uses_may_be_large() -> None:
    found = CoreGrounding(
        task(
            "(:predicates (p)) (:functions (total-cost) (price) (weight))"
            "(:action a :parameters () :effect (and (p) (increase (total-cost) (price))))",
            "(:init (= (total-cost) 0) (= (price) 2) (= (weight) 3000000000)) (:goal (p))"
            " (:metric minimize (total-cost))",
        )
    )
    assert [operator.cost for operator in found.fdr().operators] == [2]


@settings(max_examples=300)
@given(st.integers(0, 2**32), st.data())
def test_hostile_arrays_are_refused_or_ground(seed: int, draw: st.DataObject) -> None:
    from unpuzzle.planners.native import _core
    from unpuzzle.planners.native.grounding.flatten import Flat as Arrays

    random, common = random_task(Random(seed % 50)), draw.draw(st.booleans())
    whole = Arrays(random, starts=[frozenset(random.problem.init), frozenset()] if common else ())
    arrays = whole.buffers()
    later = dict(zip(("domains", "goal"), whole.goal(random.problem.goal), strict=True))
    numbers = st.one_of(st.integers(-3, 12), st.sampled_from([2**31 - 1, -(2**31), 10**6]))
    for _ in range(draw.draw(st.integers(1, 3))):
        changed = later if common and draw.draw(st.booleans()) else arrays
        array = changed[draw.draw(st.sampled_from(sorted(changed)))]
        if len(array):
            place = draw.draw(st.integers(0, len(array) - 1))
            if draw.draw(st.booleans()):
                array[place] = draw.draw(numbers)
            else:
                del array[place : place + draw.draw(st.integers(1, 3))]
    with suppress(ValueError):
        limits = {"time_limit": 1, "memory_limit": 50_000_000}
        found = _core.ground(len(whole.objects), **arrays, common=common, faithful=draw.draw(st.booleans()), **limits)
        assert found.status != ""
        if common and found.status == "ground":
            for _ in range(2):
                assert found.goal(**later, **limits)[0] in {"told", "unknown", "timeout", "memout"}


@pytest.mark.parametrize("objects", [-1, 2**40])
def test_a_number_of_objects_that_cannot_be(objects: int) -> None:
    from array import array

    from unpuzzle.planners.native import _core

    empty = dict.fromkeys(
        ("domains", "predicates", "functions", "initial", "starts", "actions", "axioms", "goals", "values"), array("i")
    )
    with pytest.raises(ValueError, match="objects"):
        _core.ground(objects=objects, **empty)


# --- other grounders ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(find_spec("up_fast_downward") is None, reason="Fast Downward is not installed")
@pytest.mark.parametrize(
    "name",
    [
        "blocks/probBLOCKS-4-0",
        "gripper/prob03",
        "logistics00/probLOGISTICS-6-0",
        "visitall-opt14-strips/p-05-6",
        "scanalyzer-08-strips/p01",
        "elevators-opt08-strips/p01",
        "termes-opt18-strips/p01",
        "miconic-simpleadl/s3-1",
    ],
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
