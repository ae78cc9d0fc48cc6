"""Run planners within limits, validate their plans, decode the plans to moves, and measure times.

A plan is validated by the reference semantics, moves are replayed on the rules. An invalid plan is an `error`, and an
answer after the time limit is a `timeout`, whichever phase took the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from unpuzzle.base.errors import (
    EffortSpent,
    IllegalMove,
    LimitReached,
    ModelMismatch,
    ParseError,
    PlannerFailed,
    UnsupportedFeature,
)
from unpuzzle.base.outcomes import ERROR, GAVE_UP, LIMITS, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.base.run import ROOT, Limits, Run, current, grace, phase
from unpuzzle.base.type_hints import TYPE_CHECKING, Any, TypeVar
from unpuzzle.model.position import Position
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.validation import validate
from unpuzzle.pddl.world import plan_cost
from unpuzzle.planning.planner import MOVES, USUAL, Planner, SearchOptions
from unpuzzle.planning.registry import find
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import walker_of, weigh
from unpuzzle.table import load

if TYPE_CHECKING:
    from unpuzzle.model.replaying import Replay

R = TypeVar("R")
FOUND = "found"
"""The phase with the time at which a planner found a plan that it reports later."""
CLOCKS = 0.005
"""Seconds by which the clocks of a system may differ, such as the one of files."""
VALIDATING = "validating the plan"
MOST_ACTIONS = 2_000
"""The most ground actions examined in search of a walker, if the objective does not need one."""


def accept(
    result: Result, subject: Any, start: float, *, validate: bool, position: Position | None = None, blame: str = ""
) -> Result:
    """Return a planner's result with the plan validated, the moves decoded and the time measured.

    The work began at the `perf_counter()` value `start`. Without `validate` the plan is left unjudged (`valid` None),
    but its cost is still computed. With the `position` whose task the subject is, the plan is also given as moves,
    which its rules have to agree with. `blame` is as in `Planner`.
    """
    if result.solved:
        began = perf_counter()
        try:
            with phase(VALIDATING):
                result = judge(result, subject, blame) if validate else _price(result, subject)
                if position is not None and result.solved and result.plan is not None:
                    result = _decoded(result, position, validate)
                if result.solved and current().over():
                    current().look()
                if result.solved:
                    result = _with_pushes(result, subject)
        except LimitReached as reached:
            result = without_plan(result, reached.status, str(reached))
        if validate:
            result = result.lasting(validate=perf_counter() - began)
    return timed(_without_unsafe_claims(result, subject), start)


def _without_unsafe_claims(result: Result, subject: Any) -> Result:
    """Withdraw the claim that a result is optimal or unsolvable, if the search ignored events of the game."""
    overlooks = getattr(subject, "overlooked", None) if result.status in (UNSOLVABLE, SOLVED_OPTIMALLY) else None
    reason = overlooks and overlooks()
    if not reason:
        return result
    if result.status == UNSOLVABLE:
        return result.replace(status=GAVE_UP, message=f"no solution was found, and there may be one: {reason}")
    claims = [claim for claim in (result.condition, "nothing overlooked is shorter") if claim]
    condition = " and ".join(claims)
    return result.replace(condition=condition, message=f"optimal if {condition}: {reason}")


def timed(result: Result, start: float) -> Result:
    return result.replace(seconds={"search": 0.0, **result.seconds, "total": perf_counter() - start})


def judge(result: Result, subject: Any, blame: str = "") -> Result:
    """Validate the plan of a result and recompute its cost; return an `error` result if the plan is wrong.

    `blame` names the culprit for a wrong plan, by default the planner. Raises LimitReached.
    """
    if result.plan is None and result.moves is None:
        return without_plan(result, ERROR, f"{result.planner} claims that the task is solved, but gave no plan")
    cost, reason = _verdict(result, subject)
    if cost is None:
        wrong = f"{result.planner} answered with an invalid plan: {reason}"
    elif result.cost is not None and result.cost != cost:
        wrong = f"{result.planner} claims cost {result.cost}, its plan costs {cost}"
        reason = f"by them the moves cost {result.cost}, by the rules {cost}"
    else:
        return result.replace(cost=cost, valid=True)
    if blame:
        wrong = f"{blame}: {reason} (moves {' '.join(result.moves or ())}); `check` finds the difference"
    return without_plan(result, ERROR, wrong)


def _decoded(result: Result, position: Position, validate: bool) -> Result:
    """Return a result with the moves of its plan; an `error` result if the rules forbid these moves.

    If the rules are the PDDL, the plan was already judged by them. Raises LimitReached.
    """
    assert result.plan is not None
    if position.game.moves_are_actions:
        return result.replace(moves=tuple([position.decode(action) for action in result.plan]))
    from unpuzzle.model.replaying import decoded_moves, require_solution

    moves = decoded_moves(position, result.plan)
    result = result.replace(moves=moves)
    try:
        if validate:
            require_solution(position, moves, result.cost)
    except ModelMismatch as error:  # the plan stays, to help find the mistake
        return result.replace(status=ERROR, valid=False, message=str(error))
    return result


def _with_pushes(result: Result, subject: Any) -> Result:
    """Return a result with the number of pushes in its plan; an `error` result if the planner claimed another number.

    If the objective does not need pushes, limits do not discard the plan, and large tasks are not examined.
    """
    usual = result.objective == MOVES
    steps = result.moves if result.plan is None else result.plan
    try:
        walker = walker_of(subject, most=MOST_ACTIONS if usual else None)
        pushes = None if walker is None else walker.pushes(subject, steps or ())
    except (EffortSpent, LimitReached, IllegalMove, ParseError):  # the last two come from unvalidated plans
        if usual or not result.valid:
            return result.replace(pushes=None)
        raise
    if result.pushes not in (None, pushes):
        wrong = f"{result.planner} claims that the plan pushes {result.pushes} times, not {pushes}"
        return without_plan(result, ERROR, wrong)
    return result.replace(pushes=pushes)


def _price(result: Result, subject: Any) -> Result:
    """Return a result with the recomputed cost of its plan; keep the claimed cost if it cannot be recomputed."""
    if result.plan is None:
        played = _played(result, subject)
        return result.replace(cost=played.cost) if played.legal else result
    try:
        return result.replace(cost=plan_cost(subject, result.plan))
    except ParseError:
        return result


def _verdict(result: Result, subject: Any) -> tuple[int | None, str]:
    """Return the cost of a result's plan or moves; if these are invalid, None and the reason."""
    if result.plan is None:
        played = _played(result, subject)
        return (played.cost if played.solved else None), played.reason
    verdict = validate(subject, result.plan)
    return (verdict.cost if verdict.valid else None), verdict.reason


def _played(result: Result, subject: Any) -> Replay:
    """Replay the moves of a result by the game's rules."""
    from unpuzzle.model.replaying import replay

    return replay(subject, result.moves or ())


def without_plan(result: Result, status: str, message: str) -> Result:
    """Return a result without its plan, with another status and message."""
    log, plan = result.log, result.plan
    if plan is not None and status == ERROR:
        log = f"{log}\n; the plan\n" + "\n".join(str(step) for step in plan)
    valid = False if status == ERROR else None
    result = result.replace(plan=None, moves=None, cost=None, pushes=None, condition=None)
    return result.replace(status=status, valid=valid, message=message, log=log)


def run(
    planner: str | Planner,
    subject: Task | Position,
    *,
    limits: Limits | None = None,
    options: SearchOptions = USUAL,
) -> Result:
    """Run a planner on a task or a position, and return the validated result.

    Raises DependencyMissing if the planner is not installed here, ParseError for a task with undefined costs. Never
    raises for faults of the planner: a crash is the status `error`, with the log.
    """
    start = perf_counter()
    with begin(limits, start):
        *_, last = results(find(planner, getattr(subject, "game", None)), subject, options, start)
    return last


def results(
    planner: Planner,
    subject: Task | Position,
    options: SearchOptions,
    start: float,
    validate: bool = True,
    position: Position | None = None,
    *,
    anytime: bool = False,
) -> Iterator[Result]:
    """Yield a planner's validated answer; if `anytime`, first yield better and better plans as `intermediate` results.

    If a limit ends the planner, the last result is `solved`, with the best plan so far. The `total` of each result's
    seconds is the time from `start` (a `perf_counter()` value) until that plan.

    Args:
        subject: the planner's input: a task or a position.
        validate: False leaves plans unjudged (`valid` None); their cost is still computed from their steps.
        position: the position whose task the subject is, if moves are wanted.

    Raises as `run`; UsageError if `anytime` is asked of a planner that gives only one plan.
    """

    def accepted(raw: Result) -> Result:
        return accept(raw, subject, start, validate=validate, position=position, blame=planner.blame)

    refusal = _guarded(planner, lambda: _require_sense(planner, subject, options))
    if refusal is not None:
        yield timed(refusal.replace(objective=options.objective), start)
    elif anytime or planner.goes_on:  # a plan that it found and that was judged in time is not lost when time is up
        yield from _improving(planner, subject, options, start, accepted)
    else:
        result = _guarded(planner, lambda: planner.solve(subject, options))
        yield accepted(result.replace(objective=options.objective))


def _improving(
    planner: Planner,
    subject: Task | Position,
    options: SearchOptions,
    start: float,
    accepted: Callable[[Result], Result],
) -> Iterator[Result]:
    """Yield plans that are better than all plans before, each validated, and then the final result."""
    began, plans = perf_counter() - start, planner.improving(subject, options)
    best = None
    while (raw := _guarded(planner, lambda: next(plans, None))) is not None:
        raw = raw.replace(objective=options.objective)
        if best is not None and _is_plan_of(raw, best) and not current().over():
            raw = raw.lasting(validate=best.seconds.get("validate", 0.0))  # it was judged when it came
            result = timed(_with_answer(raw, best), start)
        else:
            with grace() if _came_in_time(raw, start + began) else phase("planning"):
                result = accepted(raw)
        if result.solved and (best is None or not _is_worse(result, best)):
            best = result
        elif result.status == SOLVED and best is not None and not result.intermediate:
            result = _with_answer(result, best)  # a planner's last plan need not be its best
        elif best is not None and result.status in LIMITS:
            message = f"the best plan so far; then {result.message}"
            result = _with_answer(result, best).replace(status=SOLVED, message=message)
        yield result.lasting(total=began + raw.seconds[FOUND]) if FOUND in raw.seconds else result


def _require_sense(planner: Planner, subject: Task | Position, options: SearchOptions) -> None:
    """Raise an error for a task with undefined costs, a time limit that is over, or an unsupported objective."""
    if not planner.grounds and isinstance(subject, Task):
        load("costs", "refuse undefined")(subject)  # by our own grounding
    current().interrupt()
    if current().over():
        raise LimitReached("timeout", "the time limit was reached before planning began")
    require_objective(planner, subject, options.objective)


def _is_plan_of(raw: Result, best: Result) -> bool:
    """Return whether a new result has the same plan as `best`, which is already validated."""
    return raw.solved and raw.cost is None and raw.plan is not None and raw.plan == best.plan


def _is_worse(result: Result, best: Result) -> bool:
    """Return whether the plan of `result` is worse than the plan of `best`, measured by the objective."""
    costs = [(each.cost, each.pushes or 0) for each in (result, best) if each.cost is not None]
    return len(costs) == 2 and weigh(result.objective, *costs[0]) > weigh(best.objective, *costs[1])


def _came_in_time(raw: Result, began: float) -> bool:
    """Return whether a plan was found within the time limit, even if the planner reported it later."""
    if not raw.intermediate or FOUND not in raw.seconds:
        return False
    end = current().end
    return end is None or began + raw.seconds[FOUND] <= end + CLOCKS


def _with_answer(result: Result, best: Result) -> Result:
    """Return `result` with the plan of `best`, and with the moves, cost and validity of this plan."""
    answer = {"plan": best.plan, "moves": best.moves, "cost": best.cost, "pushes": best.pushes, "valid": best.valid}
    return result.replace(**answer)


def begin(limits: Limits | None, start: float | None) -> Run:
    """Return a run with limits whose time counts from `start` (a `perf_counter()` value; None means now)."""
    if isinstance(limits, Limits) and start is not None:
        limits = limits.after(perf_counter() - start)
    return Run(Limits() if limits is None and current() is ROOT else limits, "planning")


def require_objective(planner: Planner, subject: Task | Position, objective: str) -> None:
    """Raise UnsupportedFeature if the planner does not support the objective, or if the task has no walker."""
    if objective == MOVES:
        return
    if objective not in planner.objectives:
        own = not isinstance(subject, Task) and subject.game.planner
        able = f"{own} and rules:ucs can" if own else "native, reference and rules:ucs can"
        message = f"planner '{planner.name}' cannot minimize '{objective}': {able}"
        raise UnsupportedFeature(message, feature="objectives")

    if walker_of(subject) is None:
        message = f"the objective '{objective}' needs a walker: a thing that is proved to move "
        message += "and return without any other change, and there is none here"
        raise UnsupportedFeature(message, feature="objectives")


def _guarded(planner: Planner, ask: Callable[[], R]) -> R | Result:
    """Return the planner's answer; turn a reached limit, an unsupported feature or a failure into a result."""
    try:
        return ask()
    except UnsupportedFeature as error:
        return Result(UNSUPPORTED, planner.name, message=str(error))
    except LimitReached as reached:
        return Result(reached.status, planner.name, message=str(reached))
    except PlannerFailed as error:
        return Result(ERROR, planner.name, message=str(error), log=error.log)
