"""A rehearsal of a run, in the process that is copied for each run of an experiment.

The first task that a process reads, writes and validates takes longer than the second: modules are loaded, patterns
compiled, and the interpreter adapts its code to what it runs. After a rehearsal every copy begins with that done. No
program is started, and nothing is left.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

from unpuzzle.limits import Deadline, Limits
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.writer import write
from unpuzzle.planners.external.fast_downward import missing
from unpuzzle.planners.external.fast_downward_dialect import in_its_words
from unpuzzle.planners.external.leftovers import PrivateDirectory, best_plan
from unpuzzle.planners.external.plan_files import Look, as_they_come
from unpuzzle.planners.external.tree import Tree
from unpuzzle.planning.planner import USUAL, Planner, SearchOptions
from unpuzzle.result import GAVE_UP, Result
from unpuzzle.solving import improve

TIMES = 8
DOMAIN = """(define (domain small) (:requirements :strips :typing) (:types place)
 (:predicates (at ?x - place) (road ?x ?y - place))
 (:action go :parameters (?x ?y - place)
  :precondition (and (at ?x) (road ?x ?y)) :effect (and (at ?y) (not (at ?x)))))"""
PROBLEM = """(define (problem small) (:domain small) (:objects a b c - place)
 (:init (at a) (road a b) (road b c)) (:goal (at c)))"""
PLAN = "(go a b)\n(go b c)\n; cost = 2 (unit cost)\n"


class Prompter(Planner):
    """A planner that knows the plan, and otherwise does what planners do that start a program."""

    name = "prompter"
    improves = True

    def improving(self, subject: Task, limits: Limits, options: SearchOptions = USUAL) -> Iterator[Result]:
        """Yield the plan, which stands in a file, and an end without one."""
        return as_they_come(self.name, "plan*", partial(self._leave_plan, subject), limits)

    def _leave_plan(self, subject: Task, limits: Limits, look: Look) -> Result:
        missing()
        domain, problem = write(in_its_words(subject))
        files = {"domain.pddl": domain, "problem.pddl": problem, "plan": PLAN}
        with PrivateDirectory(files, planner=self.name) as directory:
            look(directory)
            tree = Tree(self.name)
            tree.adopt(os.getpid())
            tree.usage()
            best_plan(directory.read("plan") | directory.read("plan.[0-9]*"))
        return Result(GAVE_UP, self.name)


def rehearse() -> None:
    """Read a tiny task, and judge a plan of it that comes as programs leave theirs."""
    for _ in range(TIMES):
        task = parse_task(DOMAIN, PROBLEM, limits=Deadline(Limits(), "rehearsing"))
        list(improve(task, Prompter()))
