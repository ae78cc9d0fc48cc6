"""unpuzzle plan DOMAIN PROBLEM."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.parser import add_planner, operand
from unpuzzle.cli.solving import answer_for, remove_old_plan
from unpuzzle.errors import LimitReached
from unpuzzle.pddl.judging.task_warnings import suspicions, warnings
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.run import phase

EXAMPLE = """unpuzzle plan domain.pddl problem.pddl --time-limit 60 -o plan.txt
  unpuzzle plan domain.pddl problem.pddl --objective pushes"""


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "DOMAIN", "a PDDL domain file")
    operand(parser, "PROBLEM", "a PDDL problem file")
    add_planner(parser, "-o --output --plan-file FILE")


def execute(options: Namespace) -> Answer:
    """Solve a PDDL task, and warn about oddities in its files."""
    start = perf_counter()
    remove_old_plan(options, options.domain, options.problem)
    return answer_of_files(options.domain, options.problem, options, start)


def answer_of_files(
    domain: str, problem: str, options: Namespace, start: float, *, move_of: Callable[[GroundAction], str] | None = None
) -> Answer:
    """Solve the PDDL task of two files, read since `start`, and warn about oddities in them.

    `move_of`: the answer is about the game that the domain describes, so its plan is given as moves, too.
    """
    reading = Reading()
    with phase("reading the task"):
        task = reading.task(domain, problem)
    faults = warnings(reading)
    answer = answer_for(task, options, perf_counter() - start, move_of=move_of)
    if answer.code != YES or not answer.fields.get("plan", True):  # no plan or an empty one may be unintended
        with suppress(LimitReached):  # the answer stands without them
            faults += suspicions(reading, unsolvable=answer.code != YES)
    answer.warn(map(str, faults))
    return answer
