"""Small experiments, in this process and as commands of their own: tasks, a planner that is a program, what is left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from support.waiting import is_gone, wait_until

DOMAIN = """(define (domain road) (:predicates (at ?x) (road ?x ?y))
 (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""

WALKER = """
import re, sys
text = open(sys.argv[2]).read()
last = max(int(number) for number in re.findall(r"\\bc(\\d+)\\b", text))
print("walking", last)
open(sys.argv[3], "w").write("".join(f"(go c{i} c{i + 1})\\n" for i in range(last)))
"""
"""A planner: it reads DOMAIN and PROBLEM, and writes the plan into a file."""

SLEEPER = """
import os, sys, time
with open(sys.argv[1], "a") as told:
    told.write(f"{os.getpid()}\\n")
time.sleep(100_000)
"""
"""A planner that never answers, and says who it is."""


def problem(length: int, *, reachable: bool = True) -> str:
    """A road of so many steps; or one that breaks off before its end."""
    cells = range(length + 1)
    roads = " ".join(f"(road c{i} c{i + 1})" for i in range(length if reachable else length - 1))
    names = " ".join(f"c{i}" for i in cells)
    return f"(define (problem p) (:domain road) (:objects {names}) (:init (at c0) {roads}) (:goal (at c{length})))"


def roads(folder: Path, number: int) -> Path:
    """A folder with so many tasks, and the walker."""
    folder.mkdir()
    (folder / "domain.pddl").write_text(DOMAIN)
    for each in range(1, number + 1):
        (folder / f"p{each:02}.pddl").write_text(problem(each, reachable=each % 5 != 0))
    (folder / "walker.py").write_text(WALKER)
    return folder


def walker(folder: Path) -> str:
    """The name of the planner that is a program."""
    return f"walker=command:{sys.executable} {folder / 'walker.py'} {{domain}} {{problem}} {{plan}}"


class Sleeping:
    """An experiment as a command of its own, in which a program sleeps for ever; and what is left of it."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.scratch, self.said = folder / "scratch", folder / "said"
        self.scratch.mkdir()
        (folder / "sleeper.py").write_text(SLEEPER)
        tasks = roads(folder / "roads", 1)
        planner = f"command:{sys.executable} {folder / 'sleeper.py'} {self.said} {{domain}} {{problem}}"
        self.output = folder / "runs.jsonl"
        words = (str(tasks), "--planners", planner, "--output", str(self.output), *words)
        environment = {**os.environ, "TMPDIR": str(self.scratch)}
        self.popen = subprocess.Popen([sys.executable, "-m", "unpuzzle", "experiment", *words], env=environment)
        self.program = self.started(1)
        self.all = psutil.Process(self.popen.pid).children(recursive=True)

    def started(self, number: int) -> psutil.Process:
        """Return the program that was started as number so-and-so."""
        wait_until(
            lambda: self.said.exists() and self.said.read_text().count("\n") >= number, f"program {number} has begun"
        )
        return psutil.Process(int(self.said.read_text().split()[number - 1]))

    def end(self, number: signal.Signals) -> int:
        """Send a signal to the command, and return its exit code."""
        self.popen.send_signal(number)
        return self.popen.wait()

    def nothing_is_left(self) -> None:
        for process in self.all:
            wait_until(lambda process=process: is_gone(process), f"process {process.pid} ends")
        wait_until(lambda: not list(self.scratch.iterdir()), "the folders are removed")
