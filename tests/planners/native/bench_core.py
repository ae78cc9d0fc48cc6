"""Blind search, this core against Fast Downward, in turn, CPU time, on the very same finite-domain task.

    python tests/planners/native/bench_core.py [--rounds 3] [--limit SECONDS] [DIR ...]

A DIR holds domain.pddl and problem.pddl. Without any: an 8-puzzle that has no solution, and a 15-puzzle to a bound.
Fast Downward translates; its output.sas is read here, given to the core, and to Fast Downward's own search. The time
of both is the CPU time of everything after the translation: reading the task, building, searching. Fast Downward is
ended by its memory or by the end of its search; the core then expands as many states and is timed for that.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from array import array
from importlib.util import find_spec
from pathlib import Path

from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding.fdr import Effect, FDRTask, Operator, Rule, Variable

ACTION = GroundAction("act", ())
PEER = find_spec("up_fast_downward")
if PEER is None or PEER.origin is None:
    raise SystemExit("up-fast-downward is not installed: pip install up-fast-downward")
DRIVER = Path(PEER.origin).parent / "downward" / "fast-downward.py"

TILES = """
(define (domain tiles) (:requirements :typing) (:types tile cell)
 (:predicates (at ?t - tile ?c - cell) (blank ?c - cell) (next ?c ?d - cell))
 (:action move :parameters (?t - tile ?c ?d - cell)
  :precondition (and (at ?t ?c) (blank ?d) (next ?c ?d))
  :effect (and (at ?t ?d) (blank ?c) (not (at ?t ?c)) (not (blank ?d)))))
"""


def tiles(side: int, start: list[int]) -> tuple[str, str]:
    cells = range(side * side)
    near = [(c, d) for c in cells for d in cells if abs(c // side - d // side) + abs(c % side - d % side) == 1]
    at = [f"(blank c{c})" if tile == 0 else f"(at t{tile} c{c})" for c, tile in enumerate(start)]
    goal = [f"(at t{tile} c{tile})" for tile in cells if tile]
    problem = f"""
(define (problem tiles-{side}) (:domain tiles)
 (:objects {" ".join(f"t{t}" for t in cells if t)} - tile {" ".join(f"c{c}" for c in cells)} - cell)
 (:init {" ".join(at)} {" ".join(f"(next c{c} c{d})" for c, d in near)})
 (:goal (and {" ".join(goal)})))
"""
    return TILES, problem


class SasReader:
    """output.sas, version 3, as an FDR task. Derived variables are turned so that their default is 0."""

    def __init__(self, text: str) -> None:
        self.lines = iter(text.split("\n"))

    def numbers(self) -> list[int]:
        return [int(word) for word in next(self.lines).split()]

    def number(self) -> int:
        return self.numbers()[0]

    def facts(self) -> list[tuple[int, int]]:
        return [self.fact(*self.numbers()) for _ in range(self.number())]

    def fact(self, variable: int, value: int) -> tuple[int, int]:
        return variable, value ^ self.default[variable] if self.layers[variable] >= 0 else value

    def skip_to(self, word: str) -> None:
        while next(self.lines) != word:
            pass

    def task(self) -> FDRTask:
        self.skip_to("begin_metric")
        metric = self.number() == 1
        self.skip_to("end_metric")
        sizes = self.variables()
        for _ in range(self.number()):
            self.skip_to("end_mutex_group")
        self.skip_to("begin_state")
        initial = [self.number() for _ in sizes]
        self.default = initial
        self.skip_to("begin_goal")
        goal = self.facts()
        self.skip_to("end_goal")
        operators = [self.operator(metric) for _ in range(self.number())]
        rules = [self.rule() for _ in range(self.number())]
        variables = [Variable((None,) * size, layer) for size, layer in zip(sizes, self.layers, strict=True)]
        initial = [0 if layer >= 0 else value for value, layer in zip(initial, self.layers, strict=True)]
        return FDRTask(variables, initial, goal, operators, rules)

    def variables(self) -> list[int]:
        self.layers, sizes = [], []
        for _ in range(self.number()):
            self.skip_to("begin_variable")
            next(self.lines)
            self.layers.append(self.number())
            sizes.append(self.number())
            self.skip_to("end_variable")
        return sizes

    def operator(self, metric: bool) -> Operator:
        self.skip_to("begin_operator")
        next(self.lines)
        precondition = self.facts()
        effects = []
        for _ in range(self.number()):
            numbers = self.numbers()
            conditions = [self.fact(*numbers[1 + 2 * i : 3 + 2 * i]) for i in range(numbers[0])]
            variable, before, after = numbers[1 + 2 * numbers[0] :]
            if before >= 0:
                precondition.append((variable, before))
            effects.append(Effect(conditions, variable, after))
        cost = self.number()
        self.skip_to("end_operator")
        return Operator(ACTION, precondition, effects, cost if metric else 1)

    def rule(self) -> Rule:
        self.skip_to("begin_rule")
        body = self.facts()
        variable, before, after = self.numbers()
        assert self.fact(variable, before)[1] == 0
        assert self.fact(variable, after)[1] == 1
        self.skip_to("end_rule")
        return Rule(variable, body)


class Run:
    def __init__(
        self, expanded: int, evaluated: int, generated: int, cost: int | None, seconds: float, peak: int
    ) -> None:
        self.expanded, self.evaluated, self.generated = expanded, evaluated, generated
        self.cost, self.seconds, self.peak = cost, seconds, peak


def fast_downward(directory: Path, limit: float) -> Run:
    """`astar(blind())` on output.sas; past the limit of CPU time its last report of progress counts."""
    binary = DRIVER.parent / "builds" / "release" / "bin" / "downward"

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))

    with (directory / "output.sas").open() as task, (directory / "log").open("w") as log:
        child = subprocess.Popen(
            [binary, "--search", "astar(blind())", "--internal-plan-file", "plan"],
            stdin=task, stdout=log, stderr=log, cwd=directory, preexec_fn=limits,
        )  # fmt: skip
        _, _, usage = os.wait4(child.pid, 0)
    text = (directory / "log").read_text()

    def last(pattern: str) -> int:
        found = re.findall(pattern, text)
        return int(found[-1]) if found else 0

    expanded = last(r"Expanded (\d+) state") or last(r"(\d+) expanded")
    evaluated = last(r"Evaluated (\d+) state") or last(r"(\d+) evaluated")
    generated = last(r"Generated (\d+) state") or 0
    cost = last(r"Plan cost: (\d+)") if "Plan cost" in text else None
    return Run(expanded, evaluated, generated, cost, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def core(buffers: dict[str, array[int]], most: int | None) -> Run:
    start = time.process_time()
    outcome = _core.Task(**buffers).search("astar", "blind", max_expanded=most)
    seconds = time.process_time() - start
    return Run(outcome.expanded, outcome.evaluated, outcome.generated, outcome.cost, seconds, outcome.bytes)


def compare(name: str, domain: str, problem: str, rounds: int, limit: float) -> None:
    with tempfile.TemporaryDirectory() as path:
        directory = Path(path)
        (directory / "domain.pddl").write_text(domain)
        (directory / "problem.pddl").write_text(problem)
        subprocess.run(
            [sys.executable, DRIVER, "--translate", "domain.pddl", "problem.pddl"],
            cwd=directory, check=True, capture_output=True,
        )  # fmt: skip
        task = SasReader((directory / "output.sas").read_text()).task()
        buffers = task.buffers()
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(fast_downward(directory, limit))
            # Their last layer depends on the order of expansion; the same number makes the times comparable.
            ours.append(core(buffers, theirs[-1].expanded))
        show(name, len(task.operators), _core.Task(**buffers).bytes_per_state, theirs, ours)


def show(name: str, operators: int, width: int, theirs: list[Run], ours: list[Run]) -> None:
    def rate(runs: list[Run]) -> float:
        return max(run.expanded / run.seconds for run in runs)

    fd, own = theirs[0], ours[0]
    print(
        f"{name:14.14} ops {operators:6} state {width:3} B | FD {fd.expanded:9} exp {fd.generated:10} gen"
        f" cost {fd.cost} {rate(theirs) / 1e3:7.0f}k/s {fd.peak / max(1, fd.evaluated):6.1f} B/state"
        f" | core {own.expanded:9} exp {own.generated:10} gen cost {own.cost} {rate(ours) / 1e3:7.0f}k/s"
        f" {own.peak / max(1, own.evaluated):6.1f} B/state | ratio {rate(ours) / rate(theirs):5.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=30, help="CPU seconds of one run of Fast Downward")
    parser.add_argument("directories", nargs="*", type=Path)
    options = parser.parse_args()
    for directory in options.directories:
        domain, problem = (directory / "domain.pddl").read_text(), (directory / "problem.pddl").read_text()
        compare(directory.parent.name, domain, problem, options.rounds, options.limit)
    if not options.directories:
        compare("8-puzzle", *tiles(3, [0, 2, 1, 3, 4, 5, 6, 7, 8]), options.rounds, options.limit)
        start = [0, 14, 8, 12, 10, 11, 13, 9, 6, 2, 4, 15, 3, 5, 7, 1]
        compare("15-puzzle", *tiles(4, start), options.rounds, options.limit)


if __name__ == "__main__":
    main()
