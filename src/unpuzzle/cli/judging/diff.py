"""unpuzzle diff DOMAIN1 PROBLEM1 DOMAIN2 PROBLEM2."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.checking.bisimulation import NOTHING_COMPARED, same
from unpuzzle.checking.pointing import point
from unpuzzle.checking.report import UNDECIDED, Sameness
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.oddities import of_reading
from unpuzzle.cli.parser import add_limits
from unpuzzle.cli.verdicts import add_max_states, add_partial, answer_for, limit_of
from unpuzzle.defaults import COMPARED_STATES as MAX_STATES
from unpuzzle.errors import LimitReached
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.run import phase

EXAMPLE = """unpuzzle diff domain.pddl problem.pddl other-domain.pddl other-problem.pddl
  unpuzzle diff mine/p01.pddl theirs/p01.pddl      with the domains beside them"""


def arguments(parser: ArgumentParser) -> None:
    for number in "12":
        parser.add_argument(f"domain{number}", metavar=f"DOMAIN{number}", help="a PDDL domain file")
        parser.add_argument(f"problem{number}", metavar=f"PROBLEM{number}", help="a PDDL problem file")
    add_max_states(parser, MAX_STATES, "task")
    add_partial(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Name the relation between two tasks."""
    readings = [Reading(), Reading()]
    try:
        with phase("reading the tasks"):
            first = readings[0].task(options.domain1, options.problem1)
            second = readings[1].task(options.domain2, options.problem2)
        warnings = [warning for reading in readings for warning in of_reading(reading, doubtful=False)]
    except LimitReached as reached:
        return answer_of(NOTHING_COMPARED.replace(status=reached.status), options)
    answer = compared(first, second, options)
    answer.warn(warnings)
    return answer


def compared(first: Task, second: Task, options: Namespace) -> Answer:
    """Return the answer of a comparison, with the first difference by name."""
    report = same(first, second, max_states=options.max_states)
    if report.difference is None:
        return answer_of(report, options)
    try:
        pointer = point(first, second, report.difference, names=("the first", "the second"))
    except LimitReached:  # they certainly differ, but the place is less exact
        return answer_of(report, options)
    return answer_of(report, options, pointer.sentence)


def answer_of(report: Sameness, options: Namespace, sentence: str = "") -> Answer:
    """Return the answer that a report is; `sentence` is on the difference."""
    text = f"{sentence}\n{report}" if sentence else str(report)
    if report.difference is not None and not options.quiet:
        one, two = report.difference.states
        text += f"\n\nthere, in the first:\n  {one}\nand in the second:\n  {two}"
    ending = f"undecided: the {limit_of(report.status, options)} was reached, and what is left may differ"
    part = f"undecided: there are more states than {options.max_states:,}"
    if report.exhaustive:
        part = report.relation if report.relation != UNDECIDED else "undecided: too many names may stand for each other"
    answer = answer_for(report, report.same, text, options, ending=ending, part=part)
    if sentence:
        answer.fields["sentence"] = sentence
    return answer
