"""The command `unpuzzle plan DOMAIN PROBLEM`: solve a PDDL task."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from time import perf_counter

from unpuzzle.base.run import phase
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import add_planner, operand
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.cli.solving import PlanRequest, plan_request, remove_old_plan
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.workspace.planning import PlanningOutcome

EXAMPLE = """unpuzzle plan domain.pddl problem.pddl --time-limit 60 -o plan.txt
  unpuzzle plan domain.pddl problem.pddl --objective pushes"""


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "DOMAIN", "a PDDL domain file")
    operand(parser, "PROBLEM", "a PDDL problem file")
    add_planner(parser, "-o --output --plan-file FILE")


def read(options: Namespace) -> PlanRequest:
    """Read a PDDL task to be solved."""
    return request_of_files(options.domain, options.problem, options)


def request_of_files(
    domain: str, problem: str, options: Namespace, move_of: Callable[[GroundAction], str] | None = None
) -> PlanRequest:
    """Read the PDDL task of two files; with `move_of` the answer is about the game that the domain describes."""
    start = perf_counter()
    remove_old_plan(options.plan_file, domain, problem)
    reading = Reading()
    with phase("reading the task"), ReadingPddl(domain, problem):
        task = reading.task(domain, problem)
    return plan_request(options, subject=task, read=perf_counter() - start, reading=reading, move_of=move_of)


def present(asked: PlanRequest, outcome: PlanningOutcome, view: View) -> Answer:
    return asked.answer(outcome)
