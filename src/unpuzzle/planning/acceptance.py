"""What becomes of a planner's answer before anybody sees it: judged, finished, timed. The one place where that happens.

A plan is validated by the reference semantics, moves are replayed on the rules. An invalid plan is an `error`, and an
answer after the time limit is a `timeout`, whichever phase took the time.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import LimitReached, PlannerFailed
from unpuzzle.planning.watch import Within
from unpuzzle.result import ERROR, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from unpuzzle.limits import Deadline

    Tick = Callable[[], None]
    Finish = Callable[[Result], None]
    """What is still to be done with a solved result; raises PlannerFailed if that shows that it is wrong."""


VALIDATING = "validating the plan"


def accepted(
    result: Result,
    subject: Any,
    deadline: Deadline,
    start: float,
    *,
    validate: bool,
    finish: Finish | None = None,
    blame: str = "",
) -> Result:
    """The result as it is given to people.

    Args:
        subject: what the planner read.
        deadline: of the whole run.
        start: the `perf_counter()` value at which it began.
        validate: False leaves the plan unjudged (`valid` None); its cost is told all the same.
        finish: done with it after that, within the time limit, too.
        blame: what is wrong where the plan is, if it is not the planner; see `Planner.blame`.
    """
    if result.solved:
        began = perf_counter()
        try:
            result = _judged_within(deadline.during(VALIDATING), result, subject, validate, blame)
            if finish is not None and result.solved:
                result = _finished(result, finish)
            if result.solved and deadline.over():
                deadline.during(VALIDATING).look()
        except LimitReached as reached:
            result = without_plan(result, reached.status, str(reached))
        if validate:
            result.seconds["validate"] = perf_counter() - began
    return timed(result, start)


def _judged_within(deadline: Deadline, result: Result, subject: Any, validate: bool, blame: str) -> Result:
    """The result judged or priced, within the limits."""
    with Within(getattr(subject, "game", None), deadline):
        return judged(result, subject, deadline, blame) if validate else _priced(result, subject, deadline)


def timed(result: Result, start: float) -> Result:
    """The result with the seconds that it took in all."""
    result.seconds.setdefault("search", 0.0)
    result.seconds["total"] = perf_counter() - start
    return result


def judged(result: Result, subject: Any, tick: Tick | None = None, blame: str = "") -> Result:
    """The result with its plan validated and its cost recomputed; an `error` if the plan is wrong.

    `tick` is called often, and may raise to end that. `blame` is what is wrong if the plan is, by default the planner.
    """
    if result.plan is None and result.moves is None:
        return without_plan(result, ERROR, f"{result.planner} says that it is solved, and gives no plan")
    cost, reason = _verdict(result, subject, tick)
    if cost is None:
        wrong = f"{result.planner} answered with an invalid plan: {reason}"
        return without_plan(result, ERROR, _blamed(blame, reason, result) if blame else wrong)
    if result.cost is not None and result.cost != cost:
        wrong = f"{result.planner} claims cost {result.cost}, its plan costs {cost}"
        reason = f"by them the moves cost {result.cost}, by the rules {cost}"
        return without_plan(result, ERROR, _blamed(blame, reason, result) if blame else wrong)
    result.cost, result.valid = cost, True
    return result


def _blamed(blame: str, reason: str, result: Result) -> str:
    return f"{blame}: {reason} (moves {' '.join(result.moves or ())}); `check` finds the difference"


def _priced(result: Result, subject: Any, tick: Tick | None) -> Result:
    """The result with the cost of its steps by the task or the rules; where these do not know one, as it is claimed."""
    from unpuzzle.errors import ParseError

    if result.plan is None:
        from unpuzzle.puzzle.replaying import replay

        played = replay(subject, result.moves or (), limits=tick)
        result.cost = played.cost if played.legal else result.cost
        return result
    from unpuzzle.pddl.costs import plan_cost

    try:
        result.cost = plan_cost(subject, result.plan)
    except ParseError:
        pass
    return result


def _verdict(result: Result, subject: Any, tick: Tick | None) -> tuple[int | None, str]:
    """The cost of a valid plan, or of moves that solve the level; else None, and why."""
    if result.plan is None:
        from unpuzzle.puzzle.replaying import replay

        assert result.moves is not None
        played = replay(subject, result.moves, limits=tick)
        return (played.cost if played.solved else None), played.reason
    from unpuzzle.pddl.validation import validate

    verdict = validate(subject, result.plan, tick)
    return (verdict.cost if verdict.valid else None), verdict.reason


def _finished(result: Result, finish: Finish) -> Result:
    try:
        finish(result)
    except PlannerFailed as error:
        # The plan stays: whoever looks for the mistake wants to see it.
        result.status, result.valid, result.message = ERROR, False, str(error)
    return result


def without_plan(result: Result, status: str, message: str) -> Result:
    """The same run with another answer, which has no plan."""
    log = result.log
    if result.plan is not None and status == ERROR:
        log = f"{log}\n; the plan\n" + "\n".join(str(step) for step in result.plan)
    return Result(
        status,
        result.planner,
        valid=False if status == ERROR else None,
        expanded=result.expanded,
        evaluated=result.evaluated,
        generated=result.generated,
        frontier=result.frontier,
        seconds=result.seconds,
        peak_memory=result.peak_memory,
        message=message,
        log=log,
        details=result.details,
    )
