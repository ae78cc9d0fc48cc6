"""Shared parts of `solve` and `plan`: running a planner with progress, and the answer about its result."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from functools import reduce

from unpuzzle.cli.answer import BAD_INPUT, BROKEN, OF_STATUS, Answer, of_error
from unpuzzle.cli.edge.delivery import ProgressLine, complain
from unpuzzle.cli.parser import limits_of
from unpuzzle.errors import LimitReached, UnpuzzleError, UsageError
from unpuzzle.pddl.nodes import GroundAction, Task
from unpuzzle.planning import registry
from unpuzzle.planning.planner import MOVES, TASK, Planner, SearchOptions
from unpuzzle.puzzle.amounts import noun_of_pushes, pushing
from unpuzzle.puzzle.position import Position
from unpuzzle.result import ERROR, GUESSED, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result
from unpuzzle.solving import default_planner, planner_for, read_by, solve
from unpuzzle.words import count

PDDL = ".pddl"
MOST_ALTERNATIVES = 3
OPEN = "."
"""A cell without a letter or a number, in the line of a position that is to be filled."""
ANSWERED = (SOLVED_OPTIMALLY, SOLVED, GUESSED)
"""The statuses of results that have an answer."""


def answer_for(
    subject: Position | Task, options: Namespace, read: float, *, move_of: Callable[[GroundAction], str] | None = None
) -> Answer:
    """Solve as the options say; `read` is the time for reading, in seconds.

    `move_of`: give a task's plan as moves, too, each of which stands for an action.
    """
    planner = _planner(subject, options)
    if options.plan_file and read_by(planner, subject) != TASK:
        raise UsageError(f"--plan-file needs a planner that reads PDDL; {planner.name} finds moves on the rules")
    plans: list[Result] = []

    def tell(plan: Result) -> None:
        plans.append(plan)
        if options.anytime and options.plan_file:
            _write_plan(options.plan_file, plan)
        if options.anytime and not options.quiet and not options.json:
            complain(f"; a plan of {_costs(plan, subject)} after {plan.seconds['total']:.3f} s")

    on_plan = tell if options.anytime or planner.goes_on else None
    interruption = None
    with ProgressLine(options) as show:
        try:
            result = solve(
                subject, planner, objective=options.objective, limits=limits_of(options),
                progress=show, clock=options.clock, on_plan=on_plan,
            )  # fmt: skip
        except KeyboardInterrupt as error:
            if not plans:
                raise
            interruption = of_error(error)
            result = plans[-1].replace(message="interrupted: there may be a better plan")
    result = _with_line(result.lasting(read=read), subject)
    if move_of is not None and result.plan is not None:
        result = result.replace(moves=tuple([move_of(action) for action in result.plan]))
    if options.planner is None and result.planner == registry.SLOW and not result.message:
        slow = f"planned with the slow '{result.planner}': {registry.missing(registry.DEFAULT)}"
        result = result.replace(message=slow)
    result, reasons = _explained(result, subject, options)
    complaint = "" if not result.message and result.status in ANSWERED else _complaint(result)
    code = OF_STATUS[result.status] if interruption is None else interruption[0]
    if options.plan_file and result.plan is not None:
        try:
            _write_plan(options.plan_file, result)
        except OSError as error:  # the plan is not lost: it goes to stdout all the same
            code, complaint = BAD_INPUT, f"unpuzzle: {options.plan_file}: {error.strerror}"
    complaint += reasons
    answer = Answer(code, result.to_dict(), _text(result, subject, options), complaint)
    answer.end = result.end
    if options.anytime:
        answer.fields["plans"] = [_better(plan) for plan in plans]
    return answer


def _planner(subject: Position | Task, options: Namespace) -> Planner:
    """Return the planner that the options name. Raises UsageError if it has no --ties."""
    objective = SearchOptions(objective=options.objective).objective
    if getattr(options, "ties", None) is None:
        return planner_for(subject, options.planner or None, objective)
    name = options.planner or default_planner(subject, objective)
    if "ties" not in registry.kind(name).settings:
        raise UsageError(f"--ties needs a search with priorities, on the rules or by subgoals; not {name}")
    return planner_for(subject, name, ties=options.ties)


def _better(plan: Result) -> dict[str, object]:
    """Return the JSON data on a plan that was found on the way to the answer."""
    data = plan.to_dict()
    return {"seconds": data["seconds"]["total"], **{name: data[name] for name in ("cost", "pushes", "moves", "plan")}}


def _explained(result: Result, subject: Position | Task, options: Namespace) -> tuple[Result, str]:
    """Return the result with the lines that explain it; an `error` if there is a plan that it denies."""
    if result.status != UNSOLVABLE or options.quiet:
        return result, ""
    refuted, reasons = _reasons(result, subject, options)
    return (result.replace(status=ERROR, message=f"{result.planner}: {refuted}") if refuted else result), reasons


def _reasons(result: Result, subject: Position | Task, options: Namespace) -> tuple[str, str]:
    """Return what refutes that there is no plan, mostly nothing, and the lines that explain why there is none.

    They are the strongest reason and a change that helps or, without one, the last reason of the chain.
    """
    from unpuzzle.checking.reasons import explain_unsolvable

    if not isinstance(subject, Task) and (subject.game.level_ending != PDDL or subject.impossible() is not None):
        return "", ""  # players of a puzzle do not see the facts of its PDDL
    try:
        task = subject if isinstance(subject, Task) else subject.task()
        explanation = explain_unsolvable(task)
    except (LimitReached, UnpuzzleError, MemoryError, KeyboardInterrupt):  # the proof that there is no plan remains
        return "", ""
    if explanation.solvable:
        return explanation.reasons[0].text, ""
    lines = [reason.text for reason in explanation.reasons[:1]]
    mending = [f"it would be solvable {excuse}" for excuse in explanation.excuses[:1]]
    lines += mending or [reason.text for reason in explanation.reasons[1:][-1:]]
    return "", "".join(f"\nunpuzzle: {line}" for line in lines)


def _with_line(result: Result, subject: Position | Task) -> Result:
    """Return the result with the puzzle's solved position, if it can be written on one line."""
    if not isinstance(subject, Task) and subject.line() is not None:
        line = result.solution
        if not line and result.moves is not None:
            line = reduce(lambda position, move: position.apply(move), result.moves, subject).line()
        details = {"solutions": None, "unique": None, "solution": line, **result.details}
        own = subject.own_answer()
        if own is not None and line:
            filled = zip(str(subject.line()), line, str(own.line()), strict=False)
            equal = [mine == theirs for was, mine, theirs in filled if was == OPEN]
            details["own_answer"] = {"solution": own.line(), "cells": len(equal), "equal": sum(equal)}
        return result.replace(solution=line, details=details)
    return result


def _complaint(result: Result) -> str:
    lines = [f"unpuzzle: {result.status}: {result.message}" if result.message else f"unpuzzle: {result.status}"]
    if OF_STATUS[result.status] == BROKEN and result.log:
        lines += ["the planner's log ends with", *[f"  {line}" for line in result.log.splitlines()[-12:]]]
    return "\n".join(lines)


def _text(result: Result, subject: Position | Task, options: Namespace) -> str:
    lines = []
    if result.moves is not None and not isinstance(subject, Task):
        lines.append(("" if subject.game.one_letter_moves else " ").join(result.moves))
    elif result.moves is not None:
        lines.append(" ".join(result.moves))
    elif result.plan is not None:
        lines += [str(step) for step in result.plan]
    if "answers" in result.details:
        lines += _answer_lines(result, options.quiet)
    if options.quiet:
        return "\n".join(lines)
    lines += [] if isinstance(subject, Task) else [f"; {remark}" for remark in subject.remarks()]
    for stage in result.details.get("stages", ()):
        lines.append(f"; {stage['group']}: length {stage['length']}, {stage['expanded']:,} expanded")
    if own := result.details.get("own_answer"):
        lines.append(f"; {own['equal']} of {count(own['cells'], 'open cell')} as in the level's own answer")
    lines.append(f"; {result.status}: {_figures(result, subject)}")
    return "\n".join(lines)


def _answer_lines(result: Result, quiet: bool) -> list[str]:
    """Return the lines for people; if quiet, only the grid, on one line."""
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
    """Return the cost in words and, where there are any and they matter, the number of pushes."""
    if not result.pushes or (result.objective == MOVES and not pushing(subject)):
        return f"cost {result.cost}"
    return f"cost {result.cost}, {count(result.pushes, *noun_of_pushes(subject))}"


def remove_old_plan(options: Namespace, *inputs: str) -> None:
    """Remove the plan of an earlier run, which would be taken for this one's if this one finds none.

    Raises UsageError if the file is one of the inputs.
    """
    path = options.plan_file
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
