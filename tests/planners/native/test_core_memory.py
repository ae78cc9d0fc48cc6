"""What the core's blind searches keep of each state, and how it grows."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fdr_twin import ACTION, core, distances, goal_distance, numbered, padded, replay, successors
from support.thorough import at_most
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import Effect, FDRTask, Operator

MILLION = 20
"""Bits of so many states; the table then has half of its slots in use, 8 bytes a state."""
PADDING = 20
"""Bits that make states of these tasks too large for the compact table."""


def counters(bits: int, cost: int = 1, undone: bool = True) -> FDRTask:
    """Any bit may be set, one after the other; all of them never are. The first one costs something of its own.

    Unless all operators can be undone, one is there that sets whatever it finds; it is never applicable.
    """
    steps = [Operator(ACTION, [(i, 0)], [Effect([], i, 1)], cost if i == 0 else 1) for i in range(bits)]
    if not undone:
        steps.append(Operator(ACTION, [(bits, 1)], [Effect([], 0, 0)], 1))
    return FDRTask(numbered(*[2] * (bits + 1)), [0] * (bits + 1), [(bits, 1)], steps)


def test_breadth_first_search_keeps_the_bytes_of_a_state_and_two_bits():
    outcome = core(counters(MILLION)).search("bfs")
    assert (outcome.status, outcome.states) == ("unsolvable", 2**MILLION)
    assert outcome.bytes <= 2**MILLION * (3 + 1 / 4 + 8 + 2)  # and what was taken ahead


def test_a_star_keeps_two_bytes_for_costs_beside_an_operator_that_can_be_undone_else_the_parent():
    for undone, link in ((True, 1), (False, 4)):
        outcome = core(padded(counters(MILLION, cost=2, undone=undone), PADDING)).search("astar")
        assert (outcome.status, outcome.states) == ("unsolvable", 2**MILLION)
        open_list = 3
        assert outcome.bytes <= 2**MILLION * (6 + link + 2 + 8 + open_list + 2)


@settings(max_examples=at_most(300), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(("blind", "hmax", "lmcut")), st.sampled_from((0, 40)))
def test_plans_are_traced_back_along_operators_that_can_be_undone(seed, heuristic, padding):
    rng = random.Random(seed)
    sizes = [rng.randint(1, 4) for _ in range(rng.randint(1, 5))]
    steps = []
    for _ in range(rng.randint(1, 12)):
        wanted = sorted(rng.sample(range(len(sizes)), rng.randint(1, len(sizes))))
        effects = [Effect([], v, rng.randrange(sizes[v])) for v in wanted if rng.random() < 0.6]
        steps.append(
            Operator(ACTION, [(v, rng.randrange(sizes[v])) for v in wanted], effects, rng.choice((0, 1, 1, 3, 300)))
        )
    state = [rng.randrange(size) for size in sizes]
    goal = [(v, rng.randrange(size)) for v, size in enumerate(sizes) if rng.random() < 0.7]
    task = padded(FDRTask(numbered(*sizes), state, goal, steps), padding)
    outcome = core(task).search("astar", heuristic)
    least = goal_distance(task, distances(task, lambda operator: operator.cost))
    assert (outcome.status, outcome.cost) == (("unsolvable", None) if least is None else ("solved_optimally", least))
    assert least is None or replay(task, outcome.plan) == least


def test_a_state_space_gives_back_the_memory_of_arrays_that_were_handed_over():
    task = core(counters(14))
    space = _core.StateSpace(task, list(range(14)))
    takers = (space.depth, space.offsets, space.targets, space.operators, space.goals)
    for take in (*takers, space.distance, space.goal_distance, space.plans):
        before = space.bytes
        array = take()
        assert space.bytes <= before - len(array)
    states = 2**14 * 8  # which it still tells, with some room ahead
    assert states <= space.bytes <= 2 * states + 4096
    assert space.values(1)[:14].count(1) == 1


def walks(length: int) -> FDRTask:
    """Two variables that count upwards, one at twice the cost of the other; they never get to the goal."""
    steps = [Operator(ACTION, [(v, i)], [Effect([], v, i + 1)], v + 1) for v in range(2) for i in range(length - 1)]
    return FDRTask(numbered(length, length, 2), [0, 0, 0], [(2, 1)], steps)


def test_large_tables_double_unless_memory_is_short():
    length, row, open_list = 2600, 10, 4_000_000
    slots, states = 2**23, length**2
    task = core(padded(walks(length), PADDING))
    outcomes = [task.search("astar", memory_limit=limit) for limit in (10**11, 200_000_000)]
    assert [(it.status, it.states) for it in outcomes] == [("unsolvable", states)] * 2
    plenty, short = (it.bytes - states * row for it in outcomes)
    assert 2 * 4 * slots <= plenty <= 2 * 4 * slots + open_list
    assert 1.4 * 4 * slots - 1000 <= short <= 1.4 * 4 * slots + open_list


def test_search_from_both_ends_keeps_no_more_than_breadth_first_search():
    steps = [Operator(ACTION, [(i, a)], [Effect([], i, 1 - a)], 1) for i in range(MILLION) for a in (0, 1)]
    task = FDRTask(numbered(*[2] * MILLION), [0] * MILLION, [(i, 1) for i in range(MILLION)], steps)
    outcome = core(task).search("bidirectional")
    assert (outcome.status, outcome.cost) == ("solved_optimally", MILLION)
    assert replay(task, outcome.plan) == MILLION
    assert outcome.states > 2**MILLION / 2
    assert outcome.bytes <= outcome.states * (3 + 1 / 4 + 8 + 2)


def ladder(length: int, words: int) -> FDRTask:
    """A walk that may set a bit at each step, in states of so many words, the last one of few bits."""
    bits = 64 * (words - 1) - 7
    steps = []
    for i in range(length):
        steps.append(Operator(ACTION, [(0, i)], [Effect([], 0, i + 1)], 1))
        steps.append(Operator(ACTION, [(0, i)], [Effect([], 0, i + 1), Effect([], 1 + i % bits, 1)], 2))
    return FDRTask(numbered(length + 1, *[2] * bits), [0] * (bits + 1), [(0, length), (bits, 1)], steps)


@pytest.mark.parametrize("words", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_plans_are_traced_through_states_of_any_width(words, algorithm):
    length = 64 * (words - 1) - 7
    task = ladder(length, words)
    outcome = core(task).search(algorithm, max_expanded=20_000)
    if outcome.plan is not None:
        assert replay(task, outcome.plan) == outcome.cost
    else:
        assert outcome.status == "gave_up"
    short = ladder(12, words).replace(goal=[(0, 12), (7, 1)])
    outcome = core(short).search(algorithm)
    assert outcome.cost == replay(short, outcome.plan) == 13


WITHOUT_ADDRESSES = """
import resource
from array import array
from unpuzzle.planners.native import _core
addresses, memory = {limits}
if addresses:
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + addresses,) * 2)
bits = 19
operators = array("i")
for i in range(bits):
    operators.extend([1, i, 0, 1, 0, i, 1])
task = _core.Task(
    domains=array("i", [2] * (bits + 1)), layers=array("i", [-1] * (bits + 1)), initial=array("i", [0] * (bits + 1)),
    goal=array("i", [bits, 1]), costs=array("q", [2] + [1] * (bits - 1)), operators=operators, axioms=array("i"),
)
for algorithm in ("bfs", "astar"):
    outcome = task.search(algorithm, memory_limit=memory)
    print(outcome.status, outcome.expanded, outcome.generated, outcome.states, outcome.bytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_with_few_addresses_memory_grows_without_any_to_spare():
    """Less than two blocks together could reserve for the whole memory limit, or what one could and little more."""
    few = [(300_000_000, None), (300_000_000, 290_000_000), (600_000_000, 290_000_000)]
    told = [
        subprocess.run(
            [sys.executable, "-c", WITHOUT_ADDRESSES.format(limits=limits)], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for limits in [(None, None), *few]
    ]
    for alone, *others in zip(*[[line.split() for line in lines] for lines in told], strict=True):
        assert alone[:1] == ["unsolvable"]
        assert alone[3] == str(2**19)
        for other in others:
            assert other[:4] == alone[:4]
            assert int(other[4]) <= int(alone[4]) * 5 / 4, "nothing is there twice"


@pytest.mark.parametrize("count", [5, 63, 64, 65, 128, 150, 256, 257, 300])
@pytest.mark.parametrize("facts", [1, 3])
def test_operators_that_no_variable_tells_apart(count, facts):
    """Sets of operators, of one to four words, and what is too many for them."""
    rng = random.Random(count * facts)
    variables = [2, 3, 5, 2, 9, 2, 2, 17, 2, 3, 2, 2, 4, 2, 2, 6] * 2
    steps = []
    for _ in range(count):
        wanted = [(v, rng.randrange(min(variables[v], 3))) for v in sorted(rng.sample(range(len(variables)), facts))]
        steps.append(Operator(ACTION, wanted, [Effect([], rng.randrange(len(variables)), 1)], 1))
    task = FDRTask(numbered(*variables), [0] * len(variables), [], steps)
    native = core(task)
    for _ in range(30):
        state = tuple(rng.randrange(min(size, 3)) for size in variables)
        assert native.successors(state) == [(number, list(child)) for number, child in successors(task, state)]


def test_the_order_of_successors_is_the_same_as_ever():
    """Peg solitaire in small: any operator may be applicable, and their order decides what is expanded last."""
    cells = 12
    jumps = [(a, (a + step) % cells, (a + 2 * step) % cells) for step in (1, 5, 7, 11) for a in range(cells)]
    steps = [
        Operator(ACTION, [(a, 1), (b, 1), (c, 0)], [Effect([], a, 0), Effect([], b, 0), Effect([], c, 1)], 1)
        for a, b, c in jumps
    ]
    start = [1] * cells
    start[4] = 0
    task = FDRTask(numbered(*[2] * cells), start, [(i, int(i == 7)) for i in range(cells)], steps)
    outcome = core(task).search("bfs")
    assert (outcome.status, outcome.plan is None) in {("solved_optimally", False), ("unsolvable", True)}
    assert (outcome.expanded, outcome.generated, outcome.states) == ORDER


ORDER = (919, 5436, 920)
