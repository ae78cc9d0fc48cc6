"""The command `unpuzzle validate DOMAIN PROBLEM PLAN`: execute a plan, and show where it fails."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.base.outcomes import INTERRUPTED, NO, YES, of_error
from unpuzzle.base.run import phase
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import read_text
from unpuzzle.cli.lint_warnings import of_reading
from unpuzzle.cli.parser import add_limits, operand
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.pddl.linting.plan_faults import read_with_notes
from unpuzzle.pddl.matching import no_plan
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.workspace.planning import ValidationInput, ValidationOutcome

EXAMPLE = "unpuzzle validate domain.pddl problem.pddl plan.txt"
SEE = "`trace` shows what each step changes, `replay` whether the moves of a puzzle are a solution"


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "DOMAIN", "a PDDL domain file")
    operand(parser, "PROBLEM", "a PDDL problem file")
    operand(parser, "PLAN", "a plan file: one (action a b) a line; - for standard input")
    add_limits(parser)


def read(options: Namespace) -> ValidationInput:
    """Read the task and the plan."""
    reading = Reading()
    with phase("reading the task"), ReadingPddl(options.domain, options.problem, options.plan):
        task = reading.task(options.domain, options.problem)
    with phase("reading the plan"):
        text, source = read_text(options.plan)
        if (wrong := no_plan(text, source)) is not None:
            raise wrong
        plan, odd = read_with_notes(text, source, task)
    return ValidationInput(reading, task, plan, odd, repair=not options.quiet)


def present(request: ValidationInput, outcome: ValidationOutcome, view: View) -> Answer:
    """Report the verdict; if the plan fails, also all false conditions, the steps that made them so, and a repair."""
    verdict, code, complaint = outcome.verdict, NO, ""
    lines = [f"valid: cost {verdict.cost}" if verdict.valid else f"invalid: {verdict.reason}"]
    parts = [*verdict.false, *verdict.missing]
    sentences = dict.fromkeys(map(str, parts))  # two conditions may be the same after substitution
    if len(sentences) > 1 or not all(each in verdict.reason for each in sentences):
        lines += [f"  {sentence}" for sentence in sentences]
    if outcome.mending is not None:
        lines.append(f"to repair it: {outcome.mending}")
    if verdict.valid:
        code = YES
    elif outcome.ended_by is not None:
        code, complaint = (of_error(outcome.ended_by) or (INTERRUPTED, ""))[0], "unpuzzle: interrupted"
    answer = Answer(code, outcome, lines[0] if view.quiet else "\n".join(lines), complaint)
    answer.warn([*of_reading(request.reading, doubtful=not verdict.valid), *map(str, request.odd)])
    return answer
