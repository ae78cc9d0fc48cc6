"""How much memory the core takes while it builds and searches, against its limit: one line for each task and search.

    python tests/planners/native/memory_growth.py [--scale 1.0] [--expanded 50] [TASK ...]

Run in a process of its own for each task: what one search leaves behind is no growth of the next. Linux only.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from unpuzzle.planners.native import _core

MEGABYTE = 1 << 20
LIMITS = (1, 20, 100)
SEARCHES = [
    ("bfs", "blind"),
    *[("astar", heuristic) for heuristic in ("blind", "goalcount", "hmax", "hadd", "ff", "lmcut", "pdb")],
    *[("gbfs", heuristic) for heuristic in ("blind", "ff", "pdb")],
    *[("idastar", heuristic) for heuristic in ("blind", "lmcut", "pdb")],
    ("bidirectional", "blind"),
    *[("orbits", heuristic) for heuristic in ("blind", "goalcount")],
]
TOO_MUCH = "TOO MUCH"
SECONDS = 20.0
"""For one search, so that the whole ends; `timeout` is an honest status."""

Fact = tuple[int, int]
Operator = tuple[Iterable[Fact], Iterable[tuple[Iterable[Fact], Fact]]]
if TYPE_CHECKING:
    Arrays = dict[str, array[int]]


def allowed(limit: int) -> float:
    """The growth that a limit of so many bytes allows."""
    return 1.1 * limit + 16 * MEGABYTE


def arrays(
    domains: list[int],
    goal: list[Fact],
    operators: list[Operator],
    *,
    derived: int = 0,
    axioms: Iterable[tuple[int, Iterable[Fact]]] = (),
    mutexes: Iterable[Iterable[Fact]] = (),
) -> Arrays:
    """A task as arrays; the last `derived` variables are derived."""
    flat = array("i")
    for precondition, effects in operators:
        flat.extend(_facts(precondition))
        listed = [number for condition, fact in effects for number in (*_facts(condition), *fact)]
        flat.append(len(list(effects)))
        flat.extend(listed)
    return {
        "domains": array("i", domains),
        "layers": array("i", [-1] * (len(domains) - derived) + [0] * derived),
        "initial": array("i", [0] * len(domains)),
        "goal": array("i", [number for fact in goal for number in fact]),
        "costs": array("q", [1] * len(operators)),
        "operators": flat,
        "axioms": array("i", [number for head, body in axioms for number in (head, *_facts(body))]),
        "mutexes": array("i", [number for group in mutexes for number in _facts(group)]),
    }


def _facts(facts: Iterable[Fact]) -> list[int]:
    listed = list(facts)
    return [len(listed), *[number for fact in listed for number in fact]]


def many_operators(scale: float) -> Arrays:
    n = int(700 * scale**0.5)
    pairs = [(a, b) for a in range(n) for b in range(0, n, 2)]
    moves: list[Operator] = [(((0, a), (1, b)), (((), (0, (a + 1) % n)), ((), (1, (7 * b + a) % n)))) for a, b in pairs]
    return arrays([n, n, 2], [(0, n - 1), (1, 3), (2, 1)], [*moves, (((0, n - 1),), (((), (2, 1)),))])


def many_facts(scale: float) -> Arrays:
    n = int(30_000 * scale)
    steps: list[Operator] = [(((v, x), ((v + 1) % n, 0)), (((), (v, x + 1)),)) for v in range(n) for x in range(3)]
    return arrays([4] * n, [(v, 3) for v in range(0, n, 3)], steps)


def large_domains(scale: float) -> Arrays:
    return _counter(int(2**24 * scale))


def largest_domains(scale: float) -> Arrays:
    return _counter(2**31 - 1)


def _counter(domain: int) -> Arrays:
    steps: list[Operator] = [(((2, x),), (((), (2, x + 1)), ((), (0, x % 7)), ((), (1, x % 3)))) for x in range(199)]
    return arrays([domain, domain, 200], [(0, 5), (1, 1), (2, 100)], steps)


def conditional_effects(scale: float) -> Arrays:
    n = int(300 * scale)

    def effects(o: int) -> list[tuple[Iterable[Fact], Fact]]:
        pairs = [(v, k) for v in range(n) for k in range(4)]
        return [(((v, (o + k) % 8), ((v + 1) % n, k % 8)), (v, (o + k + 1) % 8)) for v, k in pairs]

    return arrays([8] * n, [(v, 7) for v in range(n)], [((), effects(o)) for o in range(150)])


def permutations(scale: float) -> Arrays:
    domain = int(1500 * scale)

    def effects(o: int) -> list[tuple[Iterable[Fact], Fact]]:
        pairs = [(v, x) for v in range(8 * o, 8 * o + 8) for x in range(domain)]
        return [(((v, x),), (v, (x + o + 1) % domain)) for v, x in pairs]

    return arrays([domain] * 400, [(v, 7) for v in range(400)], [((), effects(o)) for o in range(50)])


def axioms(scale: float) -> Arrays:
    n = int(100_000 * scale)
    bodies: list[list[Fact]] = [[(0, 1)], *[[(9 + i, 1), (i % 10, 1)] for i in range(1, n)]]
    steps: list[Operator] = [(((v, 0),), (((), (v, 1)),)) for v in range(10)]
    rules = [(10 + i, body) for i, body in enumerate(bodies)]
    return arrays([2] * (10 + n), [(9 + n, 1)], steps, derived=n, axioms=rules)


def inverses(scale: float) -> Arrays:
    """Operators that have no single inverse: fifty times fifty inverses each."""
    n = int(40 * scale)
    steps: list[Operator] = [
        (((v, 3),), (((), ((v + 1) % n, x)), ((), ((v + 2) % n, x)))) for v in range(n) for x in range(50)
    ]
    return arrays([50] * n, [(v, 7) for v in range(n)], steps)


def databases(scale: float) -> Arrays:
    """A variable of 64 values that all operators change, and many that want a database."""
    n = int(60 * scale)
    steps: list[Operator] = [
        (((v, x), (n, (3 * v + x) % 64)), (((), (v, (x + 1) % 30)), ((), (n, (5 * v + x + 1) % 64))))
        for v in range(n)
        for x in range(30)
    ]
    return arrays([30] * n + [64], [(v, 7) for v in range(n)], steps)


def mutexes(scale: float) -> Arrays:
    n = int(300 * scale)
    steps: list[Operator] = [
        (((v, x), ((v + 1) % n, (x + 1) % n)), (((), (v, (x + 3) % n)),)) for v in range(n) for x in range(n)
    ]
    groups = [[(v, x) for v in range(n)] for x in range(n)]
    return arrays([n] * n, [(v, min(7, n - 1)) for v in range(n)], steps, mutexes=groups)


TASKS: dict[str, Callable[[float], Arrays]] = {
    make.__name__: make
    for make in (
        many_operators,
        many_facts,
        large_domains,
        largest_domains,
        conditional_effects,
        permutations,
        axioms,
        inverses,
        databases,
        mutexes,
    )
}


def measured(name: str, scale: float, expanded: int) -> Iterator[tuple[str, str, int, str, int]]:
    """Algorithm, heuristic, limit in megabytes, status and growth in bytes; compiling and the state space first."""
    buffers = TASKS[name](scale)
    for limit in LIMITS:
        yield "compile", "", limit, *_growth(partial(_compiled, buffers, limit * MEGABYTE))
    task, operators = _core.Task(**buffers), len(buffers["costs"])
    buffers.clear()
    for limit in LIMITS:
        yield "space", "", limit, *_growth(partial(_explored, task, operators, limit * MEGABYTE, 200 * expanded))
    for search in SEARCHES:
        for limit in LIMITS:
            yield *search, limit, *_growth(partial(_searched, task, *search, limit * MEGABYTE, expanded))


def _compiled(buffers: Arrays, limit: int) -> str:
    try:
        _core.Task(**buffers, memory_limit=limit)
    except MemoryError:
        return "memout"
    return "compiled"


def _searched(task: _core.Task, algorithm: str, heuristic: str, limit: int, expanded: int) -> str:
    after = 0 if algorithm == "orbits" else None  # A* that looks for symmetries at once
    algorithm = "astar" if algorithm == "orbits" else algorithm
    try:
        return task.search(algorithm, heuristic, SECONDS, limit, expanded, symmetries_after=after).status
    except _core.UnsupportedTask:
        return "unsupported"


def _explored(task: _core.Task, operators: int, limit: int, most_states: int) -> str:
    space = _core.StateSpace(task, list(range(operators)), True, SECONDS, limit, most_states)
    if space.status == "complete":
        arrays = (space.depth, space.offsets, space.targets, space.operators)
        kept = [take() for take in (*arrays, space.goals, space.distance, space.goal_distance, space.plans)]
        assert kept
    return space.status


def _growth(work: Callable[[], str]) -> tuple[str, int]:
    """What the work answers, and by how much the process was larger at its largest than before."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the largest size is from now on
    before = _bytes("VmRSS")
    status = work()
    return status, _bytes("VmHWM") - before


def _bytes(field: str) -> int:
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=list(TASKS), metavar="TASK")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--expanded", type=int, default=50)
    arguments = parser.parse_args()
    for name in arguments.tasks:
        for algorithm, heuristic, limit, status, grown in measured(name, arguments.scale, arguments.expanded):
            verdict = "" if grown <= allowed(limit * MEGABYTE) else TOO_MUCH
            where = f"{name:20} {algorithm:13} {heuristic or '-':9}"
            print(where, f"{limit:4} MB {status:16} {grown / MEGABYTE:8.1f} MB", verdict, flush=True)


if __name__ == "__main__":
    main()
