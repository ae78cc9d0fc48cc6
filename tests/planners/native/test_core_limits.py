"""What the core must survive: limits, Ctrl-C, cancelling, and arrays that hold anything."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from array import array
from itertools import pairwise

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.thorough import at_most
from support.waiting import PATIENCE, cpu_seconds, wait_until_busy
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, STATUSES
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import limits_of

# A 15-puzzle in a form that a child process can build from the standard library alone: a blank in cell 0 and 15 tiles,
# goal never reached within any limit used here.
FIFTEEN = """
from array import array
from unpuzzle.planners.native import _core

def fifteen(repeat=1):
    cells = [(r, c) for r in range(4) for c in range(4)]
    moves = array("i")
    count = 0
    for to, (r, c) in enumerate(cells):
        for place, (s, d) in enumerate(cells):
            if abs(r - s) + abs(c - d) == 1:
                for tile in range(1, 16):
                    moves.extend([2, 0, to, tile, place, 2, 0, 0, place, 0, tile, to])
                    count += 1
    start = [0, 2, 1, *range(3, 16)]
    goal = [number for tile in range(16) for number in (tile, tile)]
    return dict(
        domains=array("i", [16] * 16), layers=array("i", [-1] * 16), initial=array("i", start),
        goal=array("i", goal), costs=array("q", [1] * count) * repeat, operators=moves * repeat, axioms=array("i"),
    )
"""
STATES_PER_LOOK = 10_000  # at most; the clock is looked at more often
namespace: dict[str, object] = {}
exec(FIFTEEN, namespace)
fifteen = namespace["fifteen"]


@pytest.fixture(scope="module")
def puzzle() -> _core.Task:
    return _core.Task(**fifteen())


def run(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", FIFTEEN + program], capture_output=True, text=True, check=True)
    return done.stdout.split()


# --- memory ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 1, 10_000, 300_000, 1_000_000, 8_000_000, 50_000_000])
@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_memory_limit_is_an_answer(puzzle, limit, algorithm):
    costs = fifteen()
    if algorithm == "astar":
        costs["costs"][0] = 2  # off the path of equal costs
    outcome = _core.Task(**costs).search(algorithm, memory_limit=limit)
    assert (outcome.status, outcome.plan) == ("memout", None)
    assert outcome.bytes <= limit
    if limit >= 1_000_000:
        assert outcome.bytes > limit / 3  # it was used


def test_memory_that_the_system_refuses_is_memout_too():
    program = """
import resource
task = _core.Task(**fifteen())
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 30_000_000,) * 2)
print(task.search("bfs").status, task.search("astar").status)
"""
    if sys.platform != "linux":
        pytest.skip("needs /proc")
    assert run(program) == ["memout", "memout"]


# --- time and number ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [-1.0, 0.0, 0.05, 0.3])
def test_time_limit(puzzle, limit):
    outcome = puzzle.search("bfs", time_limit=limit)
    assert outcome.status == "timeout"
    assert outcome.seconds >= limit
    if limit <= 0:
        assert outcome.expanded <= STATES_PER_LOOK


def test_a_time_limit_that_is_no_number(puzzle):
    with pytest.raises(ValueError, match="time_limit"):
        puzzle.search("bfs", time_limit=float("nan"))


@pytest.mark.parametrize("most", [0, 1, 2, 1000])
@pytest.mark.parametrize("arguments", [("bfs", "blind"), ("astar", "blind"), ("astar", "goalcount")])
def test_most_expanded(puzzle, arguments, most):
    outcome = puzzle.search(*arguments, max_expanded=most)
    assert (outcome.status, outcome.expanded, outcome.plan) == ("gave_up", most, None)


# --- being stopped --------------------------------------------------------------------------------------------------

INTERRUPTED = """
buffers = fifteen({repeat})
try:
    print("go", flush=True)
    while True:
        task = _core.Task(**buffers)
        {search}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("repeat", "search"),
    [
        (1, "task.search('bfs')"),
        (1, "task.search('astar', 'goalcount')"),
        (1, "task.search('bfs', progress=lambda *counts: None)"),
        (2000, "pass"),  # two million operators, so it is still building
    ],
)
def test_ctrl_c_ends_what_would_go_on_without_an_end(repeat, search):
    program = FIFTEEN + INTERRUPTED.format(repeat=repeat, search=search)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "go\n"
        wait_until_busy(child, cpu_seconds(psutil.Process(child.pid)) + 0.3)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=PATIENCE) == ("interrupted\n", None)
    finally:
        child.kill()


def test_cancel_from_another_thread(puzzle):
    over = threading.Event()

    def cancel():
        while not over.wait(0.05):  # again and again, since the search may not have begun yet
            puzzle.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    outcome = puzzle.search("bfs", time_limit=PATIENCE)
    over.set()
    thread.join()
    assert outcome.status == "cancelled"
    puzzle.cancel()
    assert puzzle.search("bfs", max_expanded=10).expanded == 10  # a cancel does not linger


def test_a_cancel_while_looking_for_who_walks():
    """There is no result with a status then, so it is an error with a meaning of its own."""
    places = range(120)
    roads = [(1, 0, a, 1, 0, 0, b) for a in places for b in places if a != b]
    flat, costs = array("i", [number for road in roads for number in road]), array("q", [1] * len(roads))
    task = _core.Task(array("i", [120]), array("i", [-1]), array("i", [0]), array("i"), costs, flat, array("i"))
    over = threading.Event()

    def cancel():
        while not over.wait(0.001):
            task.cancel()

    def look():
        while True:  # until it is cancelled
            assert task.walker() is not None

    thread = threading.Thread(target=cancel)
    thread.start()
    try:
        with pytest.raises(InterruptedError, match="cancelled"):
            look()
        with pytest.raises(LimitReached) as reached, limits_of("looking for the walker"):
            look()
    finally:
        over.set()
        thread.join()
    assert (reached.value.status, str(reached.value)) == (
        "cancelled",
        "the run was cancelled while looking for the walker",
    )
    assert task.walker() is not None  # a cancel does not linger


def test_two_threads_search_one_task(puzzle):
    expected = puzzle.search("bfs", max_expanded=50_000)
    outcomes = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(puzzle.search("bfs", max_expanded=50_000))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [outcome.generated for outcome in outcomes] == [expected.generated] * 4


def test_progress(puzzle):
    calls: list[tuple[int, int, int, int, float]] = []

    def progress(*call):
        calls.append(call)
        if len(calls) == 4:
            puzzle.cancel()

    outcome = puzzle.search("bfs", time_limit=PATIENCE, progress=progress)
    assert (outcome.status, len(calls)) == ("cancelled", 4)
    assert calls == sorted(calls)
    assert all(later[4] - call[4] >= 0.05 for call, later in pairwise(calls)), "not so often that it costs anything"
    expanded, evaluated, generated, f, seconds = calls[-1]
    assert 0 < expanded <= outcome.expanded
    assert expanded < evaluated <= outcome.evaluated
    assert evaluated < generated <= outcome.generated
    assert 5 < f < 80
    assert 0 < seconds <= outcome.seconds


def test_what_progress_raises_comes_out(puzzle):
    def progress(*counts):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        puzzle.search("bfs", time_limit=PATIENCE, progress=progress)


# --- hostile arrays ---------------------------------------------------------------------------------------------------


def small() -> dict[str, array[int]]:
    """Three variables, one of them derived; two operators; one axiom."""
    return {
        "domains": array("i", [3, 2, 2]),
        "layers": array("i", [-1, -1, 0]),
        "initial": array("i", [0, 0, 0]),
        "goal": array("i", [0, 2, 2, 1]),
        "costs": array("q", [1, 2]),
        "operators": array("i", [1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 2, 0, 0, 2, 1, 0, 1, 1, 1]),
        "axioms": array("i", [2, 1, 1, 1]),
    }


def test_the_small_task_is_right():
    outcome = _core.Task(**small()).search("astar")
    assert (outcome.plan, outcome.cost) == ([0, 1], 3)


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("domains", 0, 0, r"domains\[0\]: a variable of 0 values"),
        ("domains", 2, 3, r"domains\[2\]: a derived variable of 3 values"),
        ("layers", 1, -2, r"layers\[1\]: layer -2"),
        ("initial", 1, 2, r"initial\[1\]: value 2 of variable 1, which has 2"),
        ("goal", 2, 3, r"goal\[2\]: variable 3, but there are 3"),
        ("goal", 3, -1, r"goal\[3\]: value -1 of variable 2"),
        ("costs", 1, -1, r"costs\[1\]: -1 is not in 0\.\.2\^31"),
        ("costs", 1, 2**31 + 1, r"costs\[1\]: 2147483649 is not in"),
        ("operators", 0, -1, r"operators\[0\] \(operator 0\): the number of preconditions is -1"),
        ("operators", 0, 2**31 - 1, r"operators\[0\] \(operator 0\): the number of preconditions is 2147483647, but"),
        ("operators", 1, 7, r"operators\[1\] \(operator 0\): variable 7"),
        ("operators", 5, 2, r"operators\[5\] \(operator 0\): sets the derived variable 2"),
        ("operators", 7, 0, r"operators: \d+ numbers are left over|operator 1"),
        ("axioms", 0, 0, r"axioms\[0\] \(axiom 0\): variable 0 is not derived"),
        ("axioms", 1, 2, r"axioms\[1\] \(axiom 0\): the number of facts"),
    ],
)
def test_a_fault_is_told_with_its_place(name, place, value, message):
    buffers = small()
    buffers[name][place] = value
    with pytest.raises(ValueError, match=message):
        _core.Task(**buffers)


def test_axioms_must_be_stratified():
    buffers = small()
    buffers["axioms"] = array("i", [2, 1, 2, 0])
    with pytest.raises(ValueError, match="an axiom of layer 0 tests variable 2 of layer 0 for 0"):
        _core.Task(**buffers)


@pytest.mark.parametrize("name", list(small()))
def test_arrays_too_short_or_too_long(name):
    for change in (lambda numbers: numbers[:-1], lambda numbers: numbers + numbers[-1:]):
        with pytest.raises(ValueError, match=r"domains|layers|initial|goal|costs|operators|axioms"):
            _core.Task(**{**small(), name: change(small()[name])})


@pytest.mark.parametrize(
    "buffer",
    [b"\0\0\0\0", array("I", [1]), array("d", [1.0]), array("b", [1]), array("q", [2**40]), memoryview(b"").cast("B")],
)
def test_arrays_of_other_kinds(buffer):
    with pytest.raises(ValueError, match="domains"):
        _core.Task(**{**small(), "domains": buffer})


def test_what_is_no_array():
    with pytest.raises((TypeError, BufferError)):
        _core.Task(**{**small(), "domains": [3, 2, 2]})
    with pytest.raises((ValueError, BufferError)):
        _core.Task(**{**small(), "domains": memoryview(array("i", [3, 0, 2, 0, 2, 0]))[::2]})
    with pytest.raises(ValueError, match="one dimension"):
        _core.Task(**{**small(), "domains": memoryview(bytes(8)).cast("i", (1, 2))})


def use(buffers: dict[str, array[int]]) -> list[_core.SearchResult]:
    """Builds and searches, or is refused (then there are no outcomes); anything else, a crash most of all, fails."""
    try:
        task = _core.Task(**buffers)
    except ValueError:
        return []
    searches = (("bfs", "blind"), ("astar", "blind"), ("astar", "goalcount"))
    return [task.search(*search, max_expanded=200, memory_limit=10_000_000) for search in searches]


def assert_sensible(outcomes: list[_core.SearchResult]) -> None:
    """What holds whatever the arrays say: limits are kept, and searches do not contradict each other."""
    for outcome in outcomes:
        assert outcome.status in STATUSES
        assert outcome.expanded <= 200
        assert (outcome.plan is None) == (outcome.status not in (SOLVED, SOLVED_OPTIMALLY))
    certain = {outcome.plan is None for outcome in outcomes if outcome.status not in (GAVE_UP, MEMOUT)}
    assert len(certain) < 2


numbers = st.one_of(st.integers(-2, 4), st.sampled_from([2**31 - 1, -(2**31), 2**30, 64, 63]))


@settings(max_examples=at_most(500), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(list(small())), st.integers(0, 18), numbers), min_size=1, max_size=4))
def test_a_few_numbers_changed(changes):
    buffers = small()
    for name, place, value in changes:
        buffers[name][place % len(buffers[name])] = value
    assert_sensible(use(buffers))


@settings(max_examples=at_most(300), deadline=None)
@given(st.integers(0, 2**40))
def test_arrays_of_anything(seed):
    rng = random.Random(seed)

    def anything(most: int) -> array[int]:
        return array("i", [rng.choice((0, 0, 1, 1, 2, 3, -1, 2**31 - 1)) for _ in range(rng.randint(0, most))])

    variables = rng.randint(0, 4)
    outcomes = use(
        {
            "domains": array("i", [rng.choice((1, 2, 2, 3, 2**31 - 1)) for _ in range(variables)]),
            "layers": array("i", [rng.choice((-1, -1, -1, 0, 1)) for _ in range(variables)]),
            "initial": array("i", [0] * variables),
            "goal": anything(4),
            "costs": anything(3),
            "operators": anything(30),
            "axioms": anything(10),
        }
    )
    assert_sensible(outcomes)


# --- numbers that mean nothing --------------------------------------------------------------------------------------

NOWHERE = 2**32 - 1


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda task, state: task.walker([NOWHERE]), f"no operator {NOWHERE}"),
        (lambda task, state: task.search("astar", objective="pushes", walks=[0, NOWHERE]), f"no operator {NOWHERE}"),
        (lambda task, state: task.search("astar", folded=True, walks=[task.operators]), "no operator 720"),
        (lambda task, state: task.improve([NOWHERE]), f"operator {NOWHERE} cannot be applied"),
        (lambda task, state: task.eliminated([NOWHERE]), f"operator {NOWHERE} cannot be applied"),
        (lambda task, state: task.successors([NOWHERE, *state[1:]]), f"value {NOWHERE} of variable 0"),
        (lambda task, state: task.successors(state[1:]), "15 values for 16 variables"),
        (lambda task, state: task.estimates("lmcut", [state] * 3, reached=[(0, 0)]), "1 parents for 3 states"),
        (lambda task, state: task.estimates("lmcut", [state] * 2, reached=[(0, 0), (0, NOWHERE)]), "no such parent"),
        (lambda task, state: task.saturated([[NOWHERE]], [state], [state]), "no pattern"),
        (lambda task, state: _core.StateSpace(task, [NOWHERE] * task.operators), f"action {NOWHERE} of"),
        (lambda task, state: _core.StateSpace(task, [0]), "one action an operator"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(puzzle, ask, words):
    with pytest.raises(ValueError, match=words):
        ask(puzzle, list(puzzle.initial))
