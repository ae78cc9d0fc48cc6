"""The default schedule for a level that the first search by its rules did not solve: PDDL and rules take turns.

Levels like those of Sokoban have small PDDL, and pattern databases find in tenths of a second what the rules take
minutes for. For other levels, the PDDL takes long to find, or there is none; then the search by the rules continues.

    rules ──60,000 states──► PDDL, if 400,000 steps find it ──► rules ──5,000,000 states──► PDDL, if there is any ──►
    rules

Once there is PDDL, the usual schedule for tasks decides (`native/schedule.py`), unless it runs out of memory. If PDDL
is refused for good, the rules decide. A state takes about as long as three to ten steps, in some games much longer. So
in most games the first two turns take half a second at most, and the search by the rules that comes next is so long
that few levels need more. It begins from scratch, as the last one does, because the search before it has freed its
memory.

Rules and PDDL both give the least number of moves. Where pushes are to be least, PDDL has its say only where its walks
are those of the rules: one object alone is the player, so a step that changes nothing else replaces one atom, which is
a walk in PDDL, too; and the plan has as many pushes by the rules as in PDDL. So no plan has fewer.

States and steps are counted, never timed, so equal levels have equal plans and counts on every machine. The result's
log says which turns there were.
"""

from __future__ import annotations

from unpuzzle.errors import EffortSpent, LimitReached, UnsupportedFeature
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native import Native
from unpuzzle.planning.planner import MOVES, SearchOptions
from unpuzzle.planning.translating import TRANSLATING
from unpuzzle.planning.walking import Walker, walker_of
from unpuzzle.puzzle.replaying import decoded_moves
from unpuzzle.puzzlescript.game import ScriptPosition
from unpuzzle.puzzlescript.searching.searches import RuleSearch, Searching
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED_OPTIMALLY, Result

TURNS: tuple[tuple[int | None, int | None], ...] = ((400_000, 5_000_000), (None, None))
"""The steps for finding PDDL in each turn (see `Translated`), and the states that the rules may expand after it. None
is no limit; a turn without limits is the last one.
"""


class Turns:
    """The turns after a first search that gave up; `default` is the search by the rules."""

    def __init__(self, searching: Searching, default: RuleSearch, position: ScriptPosition) -> None:
        self._searching, self._default, self._position = searching, default, position
        self._log = [_gave_up(searching)]
        self._hopeful = True  # more steps may find PDDL

    def answer(self) -> Result:
        """Return the answer of the turn that has one; the last turn does."""
        results = (self._by_pddl(steps) or self._by_rules(states if self._hopeful else None) for steps, states in TURNS)
        return next(result for result in results if result is not None)

    def _by_rules(self, states: int | None) -> Result | None:
        outcome = self._searching.run(self._default.replace(most_expanded=states))
        if states is not None and outcome.status in (GAVE_UP, MEMOUT) and self._searching.left() != 0:
            self._log.append(_gave_up(self._searching))
            return None
        return self._ended(self._searching.result(), "then the rules")

    def _by_pddl(self, steps: int | None) -> Result | None:
        """Return None if no PDDL is found, or if memory is not enough for finding it or for its search."""
        self._hopeful = False
        try:
            self._position.translate(self._searching.watch.during(TRANSLATING).look, steps)
            result = self._planned(self._position.task())
        except EffortSpent as spent:
            self._hopeful = True
            self._log.append(spent.message)
        except UnsupportedFeature as refusal:
            self._log.append(refusal.message)
        except LimitReached as reached:
            if reached.status != MEMOUT:
                result = Result(reached.status, self._searching.name, message=str(reached))
                return self._ended(self._searching.with_counts(result), "")
            self._log.append(str(reached))
        else:
            if result.status != MEMOUT:
                return self._ended(result, "then the level's PDDL")
            self._log.append("the level's PDDL ran out of memory")
        return None

    def _planned(self, task: Task) -> Result:
        """Return the answer of the usual schedule for tasks, with moves in place of the plan and the counts of all
        searches.
        """
        searching = self._searching
        counted = self._walks(task) if searching.objective != MOVES else None
        options = SearchOptions(searching.left(), searching.progress.tell, searching.objective)
        result = Native().solve(task, searching.watch.limits, options).replace(planner=searching.name)
        if result.plan is not None:
            moves = decoded_moves(self._position, result.plan)
            if counted is not None:
                in_pddl, by_rules = counted
                same = in_pddl.pushes(task, result.plan) == by_rules.pushes(self._position, moves)
                if not same or result.status != SOLVED_OPTIMALLY:
                    raise UnsupportedFeature(
                        "the level's PDDL counts other pushes than the rules", feature="objectives"
                    )
            result = result.replace(moves=moves, plan=None)
        return searching.with_counts(result)

    def _walks(self, task: Task) -> tuple[Walker, Walker]:
        """Return who walks in PDDL and by the rules; raise UnsupportedFeature where these may differ."""
        player, watch = self._position.fork().only_player(), self._searching.watch
        in_pddl, by_rules = walker_of(task, limits=watch), walker_of(self._position, limits=watch)
        thing = getattr(in_pddl, "thing", None)
        if in_pddl is None or by_rules is None or thing is None or player is None or thing.arguments != (player,):
            raise UnsupportedFeature("the level's PDDL has other walks than the rules", feature="objectives")
        return in_pddl, by_rules

    def _ended(self, result: Result, how: str) -> Result:
        """Return the result with a log of the turns that led to it."""
        return result.replace(log="\n".join(filter(None, [*self._log, how, result.log])))


def _gave_up(searching: Searching) -> str:
    last = searching.outcomes[-1]
    return f"the rules {'ran out of memory' if last.status == MEMOUT else 'gave up'} ({last.expanded:,} expanded)"
