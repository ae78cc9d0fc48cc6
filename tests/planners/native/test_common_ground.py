"""One grounding for several starts, in C++ against its slow twin in Python: the same task, the same said of others.

What families and state spaces make of it is compared with the reference semantics in test_family.py and
test_merging.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdr_parts import parts
from python_grounding.common_ground import CommonGround as Twin
from random_members import ground_fluents, random_goal, random_starts
from support.registry import WITH_PDDL
from support.thorough import at_most, some_of
from unpuzzle import translators
from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl import parse_domain, parse_problem, read, write
from unpuzzle.pddl.nodes import And, Atom, Condition, Forall, Not, Or, Task, TypedName
from unpuzzle.planners.native.families.merging import Union, fluent_predicates, groups
from unpuzzle.planning import registry
from unpuzzle.testing.random_tasks import random_task

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="the core is not compiled")
if registry.missing("native") is None:
    from unpuzzle.planners.native.grounding.common_ground import CommonGround

Start = frozenset[Atom]


def assert_same(
    task: Task,
    starts: list[Start],
    goals: list[Condition],
    later: list[Condition] | tuple[()] = (),
    *,
    any_goal: bool = False,
    varying: frozenset[str] = frozenset(),
    faithful: bool = False,
) -> None:
    core = CommonGround(task, starts, goals, any_goal=any_goal, varying=varying, faithful=faithful)
    twin = Twin(task, starts, goals, any_goal=any_goal, varying=varying, faithful=faithful)
    ours = parts(core.fdr())
    for part, expected in parts(twin.fdr).items():
        assert ours[part] == expected, part
    for number in range(len(starts)):
        assert core.initial(number) == twin.encoding.initial(number)
    assert core.certain() == twin.certain()
    assert core.start_facts == twin.start_facts()
    assert core._grounding.groups() == twin.groups()
    assert core._grounding.otherwise() == twin.otherwise()
    for goal in (*goals, *later, *later[:1]):
        assert core.goal(goal) == twin.goal(goal), str(goal)


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
    assert_same(
        task,
        starts,
        goals,
        later,
        any_goal=rng.random() < 0.3,
        varying=varying,
        faithful=rng.random() < 0.5,
    )


MOST_OBJECTS = {"24": 30}
"""The twin takes minutes for the numbers that three of them may give."""


@pytest.mark.parametrize("faithful", [False, True])
@pytest.mark.parametrize("name", WITH_PDDL)
def test_levels_grounded_together(name: str, faithful: bool) -> None:
    rng, puzzle = Random(7), translators.find(name)
    tasks = [puzzle.sample(rng).task() for _ in range(6)]
    tasks = [task for task in tasks if len(task.problem.objects) <= MOST_OBJECTS.get(name, len(task.problem.objects))]
    assert len(tasks) >= 4
    for members in groups(tasks):
        own = [tasks[member] for member in members]
        union = Union(own)
        goals = [union.goal(task) for task in own]
        starts = [union.start(task) for task in own]
        assert_same(union.task, starts, goals[:2], goals[2:], varying=union.varying, faithful=faithful)


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
        assert_same(task, starts, [task.problem.goal], faithful=bool(every))


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


def limited(limit: str) -> Deadline:
    more = Limits(time=0.3) if limit == "time" else Limits(memory=(20 << 20))
    return Deadline(more, "grounding")


@pytest.mark.parametrize(("status", "limit"), [("timeout", "time"), ("memout", "memory")])
def test_a_limit_ends_the_grounding(status: str, limit: str) -> None:
    task = flips(18)
    message = f"the {limit} limit was reached while grounding: the action 'join' has the most instances"
    with pytest.raises(LimitReached, match=message) as caught:
        CommonGround(task, [frozenset(task.problem.init)], [], watch=limited(limit))
    assert caught.value.status == status


@pytest.mark.parametrize(("status", "limit"), [("timeout", "time"), ("memout", "memory")])
def test_a_limit_ends_a_goal_and_others_can_still_be_told(status: str, limit: str) -> None:
    """What a goal leaves undone (half an index, derived facts) must not be seen by the next one."""
    task, names = flips(5), ("?a", "?b", "?c", "?d", "?e", "?f")
    starts = [frozenset(task.problem.init), frozenset[Atom]()]
    core, twin = CommonGround(task, starts, [], any_goal=True), Twin(task, starts, [], any_goal=True)
    first, second = Atom("p", names[:3]), Atom("p", names[3:])
    pairs = Or((And((first, Not(second))), And((Not(first), second)), Atom("=", ("?a", "?b"))))
    exploding = Forall(tuple([TypedName(name, ("object",)) for name in (*names, "?g", "?h", "?i", "?j")]), pairs)
    several = Or((Atom("q", ("o1",)), Atom("p", ("o1", "o1", "o2"))))
    every = Forall((TypedName("?a", ("object",)),), Atom("p", ("?a", "o1", "?a")))
    goals: list[Condition] = [several, every, Not(Atom("p", ("o0", "o0", "o1"))), Atom("q", ("o1",)), And(())]
    for _ in range(3):
        core._watch = limited(limit)
        with pytest.raises(LimitReached, match=f"{limit} limit was reached while grounding the goal") as caught:
            core.goal(exploding)
        assert caught.value.status == status
        core._watch = None
        assert [core.goal(goal) for goal in goals] == [twin.goal(goal) for goal in goals]


INTERRUPT = """
import os, signal, threading, time
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Atom, Exists, Forall, Task, TypedName
from unpuzzle.planners.native.families.family import Family
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
