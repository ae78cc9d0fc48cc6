"""unpuzzle plan DOMAIN PROBLEM."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from time import perf_counter

from unpuzzle.cli.answer import Answer
from unpuzzle.cli.parser import add_planner, deadline_of, has_limits, operand

EXAMPLE = """unpuzzle plan domain.pddl problem.pddl --time-limit 60 --plan-file plan.txt
  unpuzzle plan domain.pddl problem.pddl --objective pushes"""


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "DOMAIN", "a PDDL domain file")
    operand(parser, "PROBLEM", "a PDDL problem file")
    add_planner(parser)


def execute(options: Namespace) -> Answer:
    """Solve a PDDL task, and say what is strange about it."""
    from unpuzzle.cli.answer import YES
    from unpuzzle.cli.solving import answer_for
    from unpuzzle.pddl.judging.linting import suspicions, warnings
    from unpuzzle.pddl.reading.reader import Reading

    start = perf_counter()
    reading = Reading(deadline_of(options, "reading the task") if has_limits(options) else None)
    task = reading.task(options.domain, options.problem)
    faults = warnings(reading)
    answer = answer_for(task, options, perf_counter() - start)
    if answer.code != YES or not answer.fields.get("plan", True):  # no plan or an empty one: was that meant?
        faults += suspicions(reading)
    answer.warn(map(str, faults))
    return answer
