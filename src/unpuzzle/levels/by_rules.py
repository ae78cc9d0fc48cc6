"""Judging levels of games whose own planner searches on the rules (`Game.planner`), such as 24.

Where levels have little in common, or more than PDDL can list, a search on the rules is over before a task is grounded.
"""

from __future__ import annotations

from unpuzzle import planners
from unpuzzle.levels.candidates import Level, told
from unpuzzle.limits import Limits
from unpuzzle.planners.planner import RULES
from unpuzzle.planners.rules.planner import Rules
from unpuzzle.planners.spaces.by_rules import reachable_by_rules
from unpuzzle.planners.watch import LimitReachedError, Watch
from unpuzzle.result import MEMOUT, SOLVED_OPTIMALLY, TIMEOUT, UNSOLVABLE
from unpuzzle.solving import solve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.levels.candidates import Chunk, Verdict, Wish
    from unpuzzle.puzzle.position import Position


def fits(position: Position) -> bool:
    """Whether levels like this one are judged here."""
    name = position.game.planner
    return bool(name) and planners.find(name).reads == (RULES,)


def judged(chunk: Chunk) -> list[tuple[str, Verdict]]:
    """For each candidate the text of its canonical position, and the verdict; up to the last one that is needed.

    Raises LimitReachedError when the time is up, or the memory.
    """
    watch = Watch(chunk.limits, "judging levels")
    found: list[tuple[str, Verdict]] = []
    seen: dict[str, Verdict] = {}
    for position in chunk.positions():
        watch.look()
        key = str(position.canonical())
        if key not in seen:
            seen[key] = _verdict(position, chunk.wish, Limits(watch.time_left(), watch.memory))
        found.append((key, seen[key]))
        if sum(isinstance(verdict, Level) for verdict in seen.values()) == chunk.enough:
            break
    return found


def _verdict(position: Position, wish: Wish, limits: Limits) -> Verdict:
    """What a best solution tells, and then, if that is wanted, what all positions do."""
    planner = planners.find(position.game.planner)
    if isinstance(planner, Rules):
        planner.max_expanded = wish.max_states
    answer = solve(position, planner, limits)
    if answer.status in (TIMEOUT, MEMOUT):
        raise LimitReachedError(answer.status, answer.message)
    if answer.status == UNSOLVABLE:
        return "unsolvable"
    if answer.status != SOLVED_OPTIMALLY or answer.cost is None or answer.moves is None or answer.expanded is None:
        return "too_large"
    misfit = wish.misfit(answer.cost)
    if misfit is not None:
        return misfit
    level = Level(str(position), answer.cost, answer.moves, answer.expanded)
    return _explored(position, level, wish, limits) if wish.unique or wish.no_dead_ends else level


def _explored(position: Position, level: Level, wish: Wish, limits: Limits) -> Verdict:
    """The level with what its whole space tells, if it is what is wanted."""
    try:
        space = reachable_by_rules(position, limits, max_states=wish.max_states)
    except LimitReachedError as reached:
        if reached.status in (TIMEOUT, MEMOUT):
            raise
        return "too_large"
    return told(level, space, wish)
