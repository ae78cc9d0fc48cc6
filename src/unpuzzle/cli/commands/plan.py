"""The command `unpuzzle plan DOMAIN PROBLEM`: solve a PDDL task; the command `solve` uses its request and answer."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import nullcontext, suppress
from time import perf_counter

from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.outcomes import BAD_INPUT, BROKEN, GUESSED, OF_STATUS, SOLVED, SOLVED_OPTIMALLY, TIMEOUT, of_error
from unpuzzle.base.run import phase, sooner
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.cli.answer import Answer, View, complain
from unpuzzle.cli.parser import add_planner, operand
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import joined_moves, noun_of_pushes, pushing
from unpuzzle.pddl.nodes import GroundAction, Task
from unpuzzle.pddl.reading.reader import Reading
from unpuzzle.planning.planner import MOVES
from unpuzzle.planning.result import Result
from unpuzzle.workspace.inputs import LevelInput, Show
from unpuzzle.workspace.planning import PlanningInput, PlanningOutcome

if TYPE_CHECKING:
    from unpuzzle.cli.drawing import PictureFile
    from unpuzzle.cli.files import LevelFile

EXAMPLE = """unpuzzle plan domain.pddl problem.pddl --time-limit 60 -o plan.txt
  unpuzzle plan domain.pddl problem.pddl --objective pushes"""
MOST_ALTERNATIVES = 3
ANSWERED = (SOLVED_OPTIMALLY, SOLVED, GUESSED)
"""The statuses of results that have an answer."""


class PlanRequest(PlanningInput):
    """A request to solve a level or a task; if `plan_file` is given, the plan is written to that file."""

    view: View = View()
    plan_file: str | None = None

    def call(self, show: Show = None, on_plan: Any = None) -> PlanningOutcome:
        return super().call(show, self._report)

    def _report(self, plan: Result) -> None:
        """Write an intermediate plan into the plan file, and report its cost to the user."""
        if self.plan_file:
            _write_plan(self.plan_file, plan)
        if not self.view.bare:
            complain(f"; a plan of {_costs(plan, self.subject)} after {plan.seconds['total']:.3f} s")

    def answer(self, outcome: PlanningOutcome) -> Answer:
        """Return the answer about an outcome, and write the plan to its file."""
        result = outcome.result
        complaint = "" if not result.message and result.status in ANSWERED else _complaint(result)
        ending = None if outcome.ended_by is None else of_error(outcome.ended_by)
        code = OF_STATUS[result.status] if ending is None else ending[0]
        if self.plan_file and result.plan is not None:
            try:
                _write_plan(self.plan_file, result)
            except OSError as error:  # the plan is not lost: it is still written to stdout
                code, complaint = BAD_INPUT, f"unpuzzle: {self.plan_file}: {error.strerror}"
        complaint += "".join([f"\nunpuzzle: {reason}" for reason in outcome.reasons])
        answer = Answer(code, outcome, _text(result, self.subject, quiet=self.view.quiet), complaint)
        answer.end = result.end
        answer.warn(outcome.warnings)
        return answer


class SolveRequest(LevelInput):
    """A request to solve a level or count its solutions (the request `one`), with the drawings and files to make."""

    one: Any
    file: LevelFile
    draw: bool
    picture: PictureFile | None
    collection_file: str | None

    @property
    def is_shown(self) -> bool:
        """Whether the solution is to be drawn, or to be written to a picture file or to a file of levels."""
        return self.draw or self.picture is not None or self.collection_file is not None

    def call(self, show: Show = None) -> Any:
        with sooner() if self.is_shown else nullcontext():  # the best plan found in time can still be shown
            return self.one.call(show)
        raise LimitReached(TIMEOUT, "the time limit was reached while solving")


def plan_request(options: Namespace, **others: Any) -> PlanRequest:
    """Return the request to solve a level or a task, with the planner, limits and files from the options."""
    view = View(options.quiet, options.json)
    return PlanRequest.of(options, view=view, reasons=not view.quiet, as_plan=bool(options.plan_file), **others)


def _complaint(result: Result) -> str:
    lines = [f"unpuzzle: {result.status}: {result.message}" if result.message else f"unpuzzle: {result.status}"]
    if OF_STATUS[result.status] == BROKEN and result.log:
        lines += ["the planner's log ends with", *[f"  {line}" for line in result.log.splitlines()[-12:]]]
    return "\n".join(lines)


def _text(result: Result, subject: Position | Task, *, quiet: bool) -> str:
    """Return the answer of a planner as text: the moves or the plan, and figures unless `quiet`."""
    lines = []
    if result.moves is not None and not isinstance(subject, Task):
        lines.append(joined_moves(subject.game, result.moves))
    elif result.moves is not None:
        lines.append(" ".join(result.moves))
    elif result.plan is not None:
        lines += [str(step) for step in result.plan]
    if "answers" in result.details:
        lines += _answer_lines(result, quiet)
    if quiet:
        return "\n".join(lines)
    lines += [] if isinstance(subject, Task) else [f"; {remark}" for remark in subject.remarks()]
    for stage in result.details.get("stages", ()):
        lines.append(f"; {stage['group']}: length {stage['length']}, {stage['expanded']:,} expanded")
    if own := result.details.get("own_answer"):
        lines.append(f"; {own['equal']} of {count(own['cells'], 'open cell')} as in the level's own answer")
    lines.append(f"; {result.status}: {_figures(result, subject)}")
    return "\n".join(lines)


def _answer_lines(result: Result, quiet: bool) -> list[str]:
    """Return the solution of a fill-in puzzle as lines of text; if `quiet`, only the grid, on one line."""
    grid = result.solution or ""
    if quiet:
        return [grid]
    answers = result.details["answers"]
    width = max(len(answer["answer"]) for answer in answers.values())
    lines = [*grid.split("/"), ""]
    for name, answer in answers.items():
        others = ", ".join(other["answer"] for other in answer["alternatives"][:MOST_ALTERNATIVES])
        text = f"{name:>4} {answer['answer'].ljust(width)} {answer['confidence']:4.0%}"
        lines.append(f"{text}  or {others}" if others else text)
    return lines


def _figures(result: Result, subject: Position | Task) -> str:
    parts = [] if result.confidence is None else [f"confidence {result.confidence:.0%}"]
    parts += [] if result.cost is None else [_costs(result, subject)]
    parts += [f"{count:,} {name}" for name in ("expanded", "generated") if (count := getattr(result, name)) is not None]
    parts += [f"{result.seconds.get('total', 0.0):.3f} s", f"by {result.planner}"]
    return ", ".join(parts)


def _costs(result: Result, subject: Position | Task) -> str:
    """Return the cost in words; add the number of pushes if this number is relevant."""
    if not result.pushes or (result.objective == MOVES and not pushing(subject)):
        return f"cost {result.cost}"
    return f"cost {result.cost}, {count(result.pushes, *noun_of_pushes(subject))}"


def remove_old_plan(path: str | None, *inputs: str) -> None:
    """Remove the plan file of an earlier run, so that nobody takes its plan for a plan of this run.

    Raises UsageError if the file is one of the inputs.
    """
    if not path or not os.path.isfile(path):
        return
    for name in inputs:
        if os.path.exists(name) and os.path.samefile(name, path):
            raise UsageError(f"--plan-file {path} would overwrite an input")
    with suppress(OSError):  # then it cannot be written either, and that is reported
        os.remove(os.path.realpath(path))


def _write_plan(path: str, result: Result) -> None:
    from unpuzzle.pddl.plans import save_plan

    assert result.plan is not None
    save_plan(path, result.plan, cost=result.cost, unit_cost=result.cost == len(result.plan))


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
    """Read the PDDL task of two files; `move_of` turns actions into moves if the domain describes a game."""
    start = perf_counter()
    remove_old_plan(options.plan_file, domain, problem)
    reading = Reading()
    with phase("reading the task"), ReadingPddl(domain, problem):
        task = reading.task(domain, problem)
    return plan_request(options, subject=task, read=perf_counter() - start, reading=reading, move_of=move_of)


def present(request: PlanRequest, outcome: PlanningOutcome, view: View) -> Answer:
    return request.answer(outcome)
