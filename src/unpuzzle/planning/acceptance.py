"""Accept the result of a planner: validate, decode and time it. Only this module does so.

A plan is validated by the reference semantics, moves are replayed on the rules. An invalid plan is an `error`, and an
answer after the time limit is a `timeout`, whichever phase took the time.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.base.errors import EffortSpent, IllegalMove, LimitReached, ModelMismatch, ParseError
from unpuzzle.base.outcomes import ERROR, GAVE_UP, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import current, phase
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.pddl.validation import validate
from unpuzzle.pddl.world import plan_cost
from unpuzzle.planning.planner import MOVES
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import walker_of
from unpuzzle.puzzle.position import Position

if TYPE_CHECKING:
    from unpuzzle.puzzle.replaying import Replay

VALIDATING = "validating the plan"
MOST_ACTIONS = 2_000
"""The most ground actions examined in search of a walker, if the objective does not need one."""


def accept(
    result: Result, subject: Any, start: float, *, validate: bool, position: Position | None = None, blame: str = ""
) -> Result:
    """Return a planner's result in final form: with the plan validated, the moves decoded and the time measured.

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
                    result = _counted(result, subject)
        except LimitReached as reached:
            result = without_plan(result, reached.status, str(reached))
        if validate:
            result = result.lasting(validate=perf_counter() - began)
    return timed(_doubted(result, subject), start)


def _doubted(result: Result, subject: Any) -> Result:
    """Return a result without the claim of a proof, if the search ignored some events of the game."""
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
    """Return the result with a validated plan and its recomputed cost; an `error` if the plan is wrong.

    `blame` names the culprit for a wrong plan, by default the planner. Raises LimitReached.
    """
    if result.plan is None and result.moves is None:
        return without_plan(result, ERROR, f"{result.planner} says that it is solved, and gives no plan")
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
    """Return the result with the moves of its plan; an `error` if the rules do not accept these moves.

    If the rules are the PDDL, the plan was already judged by them. Raises LimitReached.
    """
    assert result.plan is not None
    if position.game.moves_are_actions:
        return result.replace(moves=tuple([position.decode(action) for action in result.plan]))
    from unpuzzle.puzzle.replaying import decoded_moves, require_solution

    moves = decoded_moves(position, result.plan)
    result = result.replace(moves=moves)
    try:
        if validate:
            require_solution(position, moves, result.cost)
    except ModelMismatch as error:  # the plan stays, to help find the mistake
        return result.replace(status=ERROR, valid=False, message=str(error))
    return result


def _counted(result: Result, subject: Any) -> Result:
    """Return the result with the number of pushes in its plan; an `error` if the planner claimed another number.

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
    """Return the result with the cost of its steps, recomputed if possible and otherwise as claimed."""
    if result.plan is None:
        played = _played(result, subject)
        return result.replace(cost=played.cost) if played.legal else result
    try:
        return result.replace(cost=plan_cost(subject, result.plan))
    except ParseError:
        return result


def _verdict(result: Result, subject: Any) -> tuple[int | None, str]:
    """Return the cost of a valid plan, or of moves that solve the level (None if invalid), and the reason."""
    if result.plan is None:
        played = _played(result, subject)
        return (played.cost if played.solved else None), played.reason
    verdict = validate(subject, result.plan)
    return (verdict.cost if verdict.valid else None), verdict.reason


def _played(result: Result, subject: Any) -> Replay:
    """Return the outcome of replaying a result's moves; the import is inside, as most plans need no games."""
    from unpuzzle.puzzle.replaying import replay

    return replay(subject, result.moves or ())


def without_plan(result: Result, status: str, message: str) -> Result:
    """Return the result of the same run without the plan, and with another status and message."""
    log, plan = result.log, result.plan
    if plan is not None and status == ERROR:
        log = f"{log}\n; the plan\n" + "\n".join(str(step) for step in plan)
    valid = False if status == ERROR else None
    result = result.replace(plan=None, moves=None, cost=None, pushes=None, condition=None)
    return result.replace(status=status, valid=valid, message=message, log=log)
