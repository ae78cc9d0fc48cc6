"""One grounding for several starts: what it says of starts and goals is what the reference semantics say.

What families and state spaces make of it is compared in test_family.py and broken_axioms.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_members import ground_fluents, random_goal, random_starts
from support.fdr_twin import holds
from support.random_tasks import random_task
from support.registry import WITH_PDDL
from support.side_by_side import pairs
from support.thorough import at_most, some_of
from unpuzzle import translators
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits, Run
from unpuzzle.pddl import parse_domain, parse_problem, read, write
from unpuzzle.pddl.nodes import And, Atom, Condition, Forall, Not, Or, Task, TypedName
from unpuzzle.planners.native.families import CommonGround, Union, fluent_predicates, groups

Start = frozenset[Atom]


def assert_truthful(
    task: Task,
    starts: list[Start],
    goals: list[Condition],
    later: list[Condition] | tuple[()] = (),
    *,
    any_goal: bool = False,
    varying: frozenset[str] = frozenset(),
    faithful: bool = False,
    most: int = 8,
) -> None:
    """Compare some states from each start."""
    common = CommonGround(task, starts, goals, any_goal=any_goal, varying=varying, faithful=faithful)
    fdr, own = common.fdr(), fluent_predicates(task.domain) | varying
    told = {goal: common.goal(goal) for goal in (*goals, *later)}
    assert told == {goal: common.goal(goal) for goal in told}, "what was asked before changes nothing"
    assert all(told[goal][0] for goal in goals), "what was named can be told"
    fluents, groups = [atom for atom, _, _ in common.start_facts], common._grounding.groups()
    needed = {atom for atom, _, certain in common.start_facts if certain}
    for number, start in [*enumerate(starts)][:: len(starts) // 6 + 1]:
        init = {*start, *[atom for atom in task.problem.init if atom.predicate not in own]}
        member = Task(task.domain, task.problem.replace(init=tuple(init)).trusted(task.domain))
        assert {atom for atom in start if atom.predicate in own} <= {*fluents}
        for values, state, semantics in pairs(fdr, member, most, first=common.initial(number), faithful=faithful):
            assert common.certain() <= needed <= state
            for places, exact in groups:
                true = sum(fluents[place] in state for place in places)
                assert true == 1 if exact else true <= 1
            for goal, (known, facts) in told.items():
                assert not known or semantics.holds(state, goal) == (facts is not None and holds(facts, values)), goal


@settings(max_examples=at_most(150))
@given(st.integers(0, 2**32))
def test_random_tasks(seed: int) -> None:
    rng = Random(seed)
    task = random_task(rng, either=rng.random() < 0.3)
    fluent = {atom.predicate for atom in ground_fluents(task)}
    static = sorted({atom.predicate for atom in task.problem.init} - fluent)
    varying = frozenset(name for name in static if rng.random() < 0.5)
    own = sorted((atom for atom in task.problem.init if atom.predicate in varying), key=str)
    starts = [
        start | frozenset(atom for atom in own if rng.random() < 0.7)
        for start in random_starts(rng, task, rng.choice((1, 2, 5, 5, 70)))
    ]
    goals = [task.problem.goal, *[random_goal(rng, task) for _ in range(rng.randrange(3))]]
    later = [random_goal(rng, task) for _ in range(4)]
    options = {"any_goal": rng.random() < 0.3, "varying": varying, "faithful": rng.random() < 0.5}
    assert_truthful(task, starts, goals, later, **options)


@pytest.mark.parametrize("faithful", [False, True])
@pytest.mark.parametrize("name", WITH_PDDL)
def test_levels_grounded_together(name: str, faithful: bool) -> None:
    rng, puzzle = Random(7), translators.find(name)
    tasks = [puzzle.sample(rng).task() for _ in range(6)]
    for members in groups(tasks):
        own = [tasks[member] for member in members]
        union = Union(own)
        goals = [union.goal(task) for task in own]
        starts = [union.start(task) for task in own]
        assert_truthful(union.task, starts, goals[:2], goals[2:], varying=union.varying, faithful=faithful, most=3)


@pytest.mark.parametrize("every", [0, 1])
def test_ipc_tasks(every: int, data: Path) -> None:
    """One half of the collection is ground faithfully, the other half is not."""
    folders = sorted((data / "ipc").glob("*/*/"))[every::2]
    assert len(folders) >= 20
    for number, folder in enumerate(some_of(folders, 8)):
        rng, task = Random(number), read(folder / "domain.pddl", folder / "problem.pddl")
        fluent = fluent_predicates(task.domain)
        own = sorted((atom for atom in task.problem.init if atom.predicate in fluent), key=str)
        init = frozenset(task.problem.init)
        starts = [init, *[init - frozenset(rng.sample(own, min(len(own), lacking))) for lacking in (1, 3)]]
        assert_truthful(task, starts, [task.problem.goal], faithful=bool(every), most=5)


# --- limits ---------------------------------------------------------------------------------------------------------

FLIPS = parse_domain(
    """(define (domain flips) (:predicates (p ?a ?b ?c) (q ?x))
       (:action flip :parameters (?a ?b ?c) :precondition (not (p ?a ?b ?c)) :effect (p ?a ?b ?c))
       (:action flop :parameters (?a ?b ?c) :precondition (p ?a ?b ?c) :effect (not (p ?a ?b ?c)))
       (:action join :parameters (?a ?b ?c ?d ?e ?f) :precondition (and (p ?a ?b ?c) (p ?d ?e ?f)) :effect (q ?d)))"""
)


def flips(objects: int) -> Task:
    names = " ".join(f"o{number}" for number in range(objects))
    text = f"(define (problem x) (:domain flips) (:objects {names}) (:init (p o0 o0 o1)) (:goal (q o1)))"
    return Task(FLIPS, parse_problem(text, FLIPS))


def limited(limit: str) -> Run:
    more = Limits(time=0.3) if limit == "time" else Limits(memory=(20 << 20))
    return Run(more, "grounding")


@pytest.mark.parametrize(("status", "limit"), [("timeout", "time"), ("memout", "memory")])
def test_a_limit_ends_the_grounding(status: str, limit: str) -> None:
    task = flips(18)
    message = f"the {limit} limit was reached while grounding: the action 'join' has the most instances"
    with pytest.raises(LimitReached, match=message) as caught, limited(limit):
        CommonGround(task, [frozenset(task.problem.init)], [])
    assert caught.value.status == status


@pytest.mark.parametrize(("status", "limit"), [("timeout", "time"), ("memout", "memory")])
def test_a_limit_ends_a_goal_and_others_can_still_be_told(status: str, limit: str) -> None:
    """What a goal leaves undone (half an index, derived facts) must not be seen by the next one."""
    task, names = flips(5), ("?a", "?b", "?c", "?d", "?e", "?f")
    starts = [frozenset(task.problem.init), frozenset[Atom]()]
    core, fresh = (CommonGround(task, starts, [], any_goal=True) for _ in range(2))
    first, second = Atom("p", names[:3]), Atom("p", names[3:])
    pairs = Or((And((first, Not(second))), And((Not(first), second)), Atom("=", ("?a", "?b"))))
    exploding = Forall(tuple([TypedName(name, ("object",)) for name in (*names, "?g", "?h", "?i", "?j")]), pairs)
    several = Or((Atom("q", ("o1",)), Atom("p", ("o1", "o1", "o2"))))
    every = Forall((TypedName("?a", ("object",)),), Atom("p", ("?a", "o1", "?a")))
    goals: list[Condition] = [several, every, Not(Atom("p", ("o0", "o0", "o1"))), Atom("q", ("o1",)), And(())]
    expected = [fresh.goal(goal) for goal in goals]
    for _ in range(3):
        with (
            pytest.raises(LimitReached, match=f"{limit} limit was reached while grounding the goal") as caught,
            limited(limit),
        ):
            core.goal(exploding)
        assert caught.value.status == status
        assert [core.goal(goal) for goal in goals] == expected


INTERRUPT = """
import os, signal, threading, time
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Atom, Exists, Forall, Task, TypedName
from unpuzzle.planners.native.families import Family
domain = parse_domain('''{domain}''')
task = Task(domain, parse_problem('''{problem}''', domain))
def strike():
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=strike).start()
try:
    {work}
except KeyboardInterrupt:
    print("interrupted")
"""
ENDLESS_GOAL = "Forall(tuple(TypedName(f'?v{n}', ('object',)) for n in range(20)), Atom('q', ('?v0',)))"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to oneself")
@pytest.mark.parametrize(
    ("objects", "work"),
    [
        pytest.param(18, "Family(task)", id="while a family is grounded"),
        pytest.param(5, f"Family(task).solve(frozenset(), {ENDLESS_GOAL})", id="while a goal is"),
    ],
)
def test_ctrl_c(objects: int, work: str) -> None:
    domain, problem = write(flips(objects))
    program = INTERRUPT.format(domain=domain, problem=problem, work=work)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "interrupted\n"
