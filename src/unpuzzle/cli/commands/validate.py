"""unpuzzle validate DOMAIN PROBLEM PLAN."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.files import read_text
from unpuzzle.cli.parser import add_limits, deadline_of, operand
from unpuzzle.pddl import read, validate
from unpuzzle.pddl.judging.plan_faults import read_with_notes

EXAMPLE = "unpuzzle validate domain.pddl problem.pddl plan.txt"


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "DOMAIN", "a PDDL domain file")
    operand(parser, "PROBLEM", "a PDDL problem file")
    operand(parser, "PLAN", "a plan file: one (action a b) a line; - for standard input")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Run a plan step by step."""
    deadline = deadline_of(options, "reading the task")
    task = read(options.domain, options.problem, limits=deadline)
    plan, odd = read_with_notes(*read_text(options.plan, options), deadline.during("reading the plan"))
    verdict = validate(task, plan, limits=deadline.during("validating the plan"))
    fields = {"valid": verdict.valid, "cost": verdict.cost, "step": verdict.step, "reason": verdict.reason}
    answer = Answer(NO, fields, f"invalid: {verdict.reason}")
    if verdict.valid:
        answer = Answer(YES, fields, f"valid: cost {verdict.cost}")
    answer.warn(map(str, odd))
    return answer
