"""Judge one level: its picture at once, then its solution, then its whole state space.

A first round takes little time, so that one endless level does not delay the answers for others; a level that it leaves
undecided gets a second round with all of its time.
"""

from __future__ import annotations

from typing import Any

from unpuzzle.checking.explained_levels import explain_level
from unpuzzle.errors import LimitReached, UnpuzzleError, UnsupportedFeature
from unpuzzle.limits import Deadline, Limits, tick
from unpuzzle.puzzle.position import Position
from unpuzzle.rendering.scenes import label_of
from unpuzzle.rendering.svg import svg_of
from unpuzzle.result import CANCELLED, UNSOLVABLE, Result
from unpuzzle.solving import solve
from unpuzzle.spaces.surveying import SurveyRow, survey
from unpuzzle.studio.badges import facts, of_result, of_row
from unpuzzle.studio.process import Data, Tell
from unpuzzle.studio.texts import open_text

FOR_SOLVING, FOR_ALL = 0.5, 0.8
"""Shares of the time: the end of solving, and the end of exploring."""
BY_RULES = "rules:bfs"
MOST_MOVES = 5_000
"""The longest solution that the page plays, in moves."""


def judge(request: Data, limits: Limits, tell: Tell) -> Data:
    """Tell the picture and the solution of a level as soon as they are known; return all results."""
    deadline = Deadline.of(limits, "solving")
    level = open_text(request).level(request["level"])
    position = level.position()
    tell(pictured(position))
    result = _solved(position, _part(deadline, limits, FOR_SOLVING))
    tell(_of_result(position, result))
    row = _surveyed(position, level.name, result, _part(deadline, limits, FOR_ALL))
    badges = of_row(position, row)
    answer = _of_result(position, result) | {"badges": badges, "facts": facts(row), "decided": _decided(row)}
    if row.solvable is False:
        answer["why"] = _why(position, deadline.limits)
    return answer


def pictured(position: Position) -> Data:
    """Return the picture of a position for the page, and words for those who do not see it."""
    return {"picture": svg_of(position), "words": f"{label_of(position)}\n{position.draw()}"}


def _part(deadline: Deadline, limits: Limits, until: float) -> Limits:
    """Return the limits of a part of the work, that has to end when a share of all time is over."""
    if limits.time is None:
        return deadline.limits
    left = deadline.time_left() or 0.0
    return deadline.limits.lasting(max(left - limits.time * (1 - until), 0.01))


def _solved(position: Position, limits: Limits) -> Result:
    try:
        return solve(position, limits=limits)
    except UnsupportedFeature:  # no PDDL: the rules are searched
        return solve(position, BY_RULES, limits=limits)


def _of_result(position: Position, result: Result) -> dict[str, Any]:
    moves = list(result.moves or ())[:MOST_MOVES] if result.solved else None
    message = "" if result.solved or result.status == UNSOLVABLE else result.message
    return {"badges": of_result(position, result), "moves": moves, "message": message}


def _surveyed(position: Position, name: str, result: Result, limits: Limits) -> SurveyRow:
    """Return the survey of a level; if it is too large to be explored, the result of the search."""
    if result.status == CANCELLED:
        raise LimitReached(CANCELLED, "it was cancelled")
    row = survey(position.game, [name], limits=limits, read=lambda _: position)[0]
    if row.status == CANCELLED:
        raise LimitReached(CANCELLED, "it was cancelled")
    if row.solvable is None and (result.solved or result.status == UNSOLVABLE):
        row = row.replace(solvable=result.solved)
    if row.cost is None and result.status == "solved_optimally":
        row = row.replace(cost=result.cost)
    return row


def _decided(row: SurveyRow) -> bool:
    """Return whether more time would give no more information."""
    return row.complete or row.status in ("unsupported", "bad_input")


def _why(position: Position, limits: Limits) -> list[str]:
    """Return the reasons why a level has no solution, as far as they are known."""
    said = position.impossible()
    if said is not None:
        return [said]
    try:
        tick()
        return [line for line in str(explain_level(position, limits=limits)).split("\n") if line][:6]
    except (UnpuzzleError, MemoryError):
        return []
