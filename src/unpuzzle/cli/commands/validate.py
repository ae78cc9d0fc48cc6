"""unpuzzle validate DOMAIN PROBLEM PLAN."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.checking.mending import mend
from unpuzzle.cli.answer import INTERRUPTED, NO, YES, Answer, of_error
from unpuzzle.cli.files import read_text
from unpuzzle.cli.oddities import of_reading
from unpuzzle.cli.parser import add_limits, operand
from unpuzzle.pddl.judging.plan_faults import read_with_notes
from unpuzzle.pddl.nodes import Plan, Task
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.pddl.validation import Validation, validate
from unpuzzle.run import phase

EXAMPLE = "unpuzzle validate domain.pddl problem.pddl plan.txt"
SEE = "`trace` shows what each step changes, `replay` whether the moves of a puzzle are a solution"


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "DOMAIN", "a PDDL domain file")
    operand(parser, "PROBLEM", "a PDDL problem file")
    operand(parser, "PLAN", "a plan file: one (action a b) a line; - for standard input")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Run a plan step by step; if it fails, report all false conditions, since when, and a repair."""
    with phase("reading the task"):
        reading = Reading()
        task = reading.task(options.domain, options.problem)
    with phase("reading the plan"):
        plan, odd = read_with_notes(*read_text(options.plan, options), task)
    with phase("validating the plan"):
        verdict = validate(task, plan)
    answer = _verdict(task, plan, verdict, options.quiet)
    answer.warn([*of_reading(reading, doubtful=not verdict.valid), *map(str, odd)])
    return answer


def _verdict(task: Task, plan: Plan, verdict: Validation, quiet: bool) -> Answer:
    fields = {name: value for name, value in verdict.to_dict().items() if name != "schema"}
    if verdict.valid:
        return Answer(YES, fields | {"mending": None}, f"valid: cost {verdict.cost}")
    lines = [f"invalid: {verdict.reason}"]
    parts = [*verdict.false, *verdict.missing]
    if len(parts) > 1 or any(part.since for part in parts):
        lines += [f"  {part}" for part in parts]
    if quiet:
        return Answer(NO, fields | {"mending": None}, lines[0])
    mending, code, complaint = None, NO, ""
    try:
        mending = mend(task, plan.steps, verdict)
    except KeyboardInterrupt as error:  # the verdict is known
        code, complaint = (of_error(error) or (INTERRUPTED, ""))[0], "unpuzzle: interrupted"
    lines += [] if mending is None else [f"to mend it: {mending}"]
    return Answer(code, fields | {"mending": mending and mending.to_dict()}, "\n".join(lines), complaint)
