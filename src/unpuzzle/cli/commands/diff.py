"""The command `unpuzzle diff DOMAIN1 PROBLEM1 DOMAIN2 PROBLEM2`: compare two PDDL tasks."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.base.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import phase
from unpuzzle.checking.report import UNDECIDED
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.lint_warnings import of_reading
from unpuzzle.cli.parser import add_limits
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.cli.verdicts import add_max_states, add_partial, answer_for, limit_of
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.workspace.checking import TasksInput, TasksOutcome

EXAMPLE = """unpuzzle diff domain.pddl problem.pddl other-domain.pddl other-problem.pddl
  unpuzzle diff mine/p01.pddl theirs/p01.pddl      with the domains beside them"""


def arguments(parser: ArgumentParser) -> None:
    for number in "12":
        parser.add_argument(f"domain{number}", metavar=f"DOMAIN{number}", help="a PDDL domain file")
        parser.add_argument(f"problem{number}", metavar=f"PROBLEM{number}", help="a PDDL problem file")
    add_max_states(parser, MAX_STATES, "task")
    add_partial(parser)
    add_limits(parser)


class DiffRequest(TasksInput):
    """A request to compare two tasks; `partial` accepts an incomplete comparison without a difference."""

    partial: bool = False
    warnings: tuple[str, ...] = ()


def read(options: Namespace) -> DiffRequest:
    """Read the two tasks; if a limit is reached before both are read, return a request without tasks."""
    readings, tasks = [Reading(), Reading()], []
    pairs = (options.domain1, options.problem1), (options.domain2, options.problem2)
    try:
        with phase("reading the tasks"):
            for reading, (domain, problem) in zip(readings, pairs, strict=True):
                with ReadingPddl(domain, problem):
                    tasks.append(reading.task(domain, problem))
        warnings = [warning for reading in readings for warning in of_reading(reading, doubtful=False)]
    except LimitReached as reached:
        return DiffRequest(None, options.max_states, reached, options.partial)
    return DiffRequest((tasks[0], tasks[1]), options.max_states, None, options.partial, tuple(warnings))


def present(asked: DiffRequest, outcome: TasksOutcome, view: View) -> Answer:
    """Return an answer that names the relation between two tasks."""
    report, sentence = outcome.report, outcome.sentence
    text = f"{sentence}\n{report}" if sentence else str(report)
    if report.difference is not None and not view.quiet:
        one, two = report.difference.states
        text += f"\n\nthere, in the first:\n  {one}\nand in the second:\n  {two}"
    ending = f"undecided: the {limit_of(report.status)} was reached, and the rest may differ"
    part = f"undecided: there are more states than {asked.max_states:,}"
    if report.exhaustive:
        part = report.relation if report.relation != UNDECIDED else "undecided: too many pairs of names are possible"
    answer = answer_for(report, report.same, text, asked.partial, ending=ending, part=part)
    if sentence:
        answer.fields["sentence"] = sentence
    answer.warn(asked.warnings)
    return answer
