"""unpuzzle plan DOMAIN PROBLEM."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter

from unpuzzle.cli.answer import Answer
from unpuzzle.cli.parser import add_planner, operand
from unpuzzle.cli.solving import answer_of_files, remove_old_plan

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
