"""The default searches of a level, which take turns: some search by its rules, some by its PDDL.

Levels as in Sokoban have small PDDL, and pattern databases find in tenths of a second what the rules take
minutes for. For other levels, the PDDL takes long to find, or there is none; then the search by the rules continues.

    rules ──60,000 states──► PDDL, if 400,000 steps find it ──► rules ──5,000,000 states more──► PDDL, if there is any

Once there is PDDL, the core's schedule for tasks has the search by the rules as one more part, which continues where it
was, and gives the effort to the part that needs least (`core/scheduling/scheduler.hpp`). If there is none, or memory is
not enough for it, the rules decide. A state takes about as long as three to ten steps, in some games much longer. So in
most games the first two turns take half a second at most.

Rules and PDDL both give the least number of moves. To minimize pushes, PDDL is searched alone, and counts
only if its walks are the walks of the rules: one object alone is the player, so a step that changes nothing else
replaces one atom, which is a walk in PDDL, too; and the plan has as many pushes by the rules as in PDDL. So no plan has
fewer.

States and steps are counted, never timed, so equal levels have equal plans and counts on every machine. The result's
log says which turns there were.
"""

from __future__ import annotations

from unpuzzle.base.errors import EffortSpent, LimitReached, UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED_OPTIMALLY
from unpuzzle.base.run import phase
from unpuzzle.model.replaying import TRANSLATING, decoded_moves
from unpuzzle.pddl.nodes import Task
from unpuzzle.planners.native import Native
from unpuzzle.planning.planner import MOVES, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import Walker, walker_of
from unpuzzle.puzzlescript.game import ScriptPosition
from unpuzzle.puzzlescript.searching.searches import Searching

TURNS: tuple[tuple[int | None, int | None], ...] = ((400_000, 5_000_000), (None, None))
"""The steps for finding PDDL in each turn (see `Translated`), and the states that the rules may expand after it. None
is no limit; a turn without limits is the last one.
"""


class Turns:
    """The default searches of a level that take turns after the first search has given up."""

    def __init__(self, searching: Searching, position: ScriptPosition) -> None:
        self._searching, self._position = searching, position
        self._log: list[str] = []
        self._hopeful = True  # more steps may find PDDL
        self._states = searching.schedule.expanded  # that the rules may expand in all
        self._gave_up(self._states)

    def answer(self) -> Result:
        """Run the searches in turns until one of them has an answer; return this answer."""
        results = (self._by_pddl(steps) or self._by_rules(states if self._hopeful else None) for steps, states in TURNS)
        return next(result for result in results if result is not None)

    def _by_rules(self, states: int | None) -> Result | None:
        """Search by the level's rules; return None if there is no answer after `states` expanded states."""
        self._states += states or 0
        before = self._searching.schedule.expanded
        outcome = self._searching.go_on(None if states is None else self._states)
        if states is not None and outcome.status in (GAVE_UP, MEMOUT) and self._searching.left() != 0:
            self._gave_up(self._searching.schedule.expanded - before)
            return None
        return self._ended(self._searching.result(), "then the rules")

    def _gave_up(self, expanded: int) -> None:
        how = "ran out of memory" if self._searching.outcomes[-1].status == MEMOUT else "gave up"
        self._log.append(f"the rules {how} ({expanded:,} expanded)")

    def _by_pddl(self, steps: int | None) -> Result | None:
        """Search by the level's PDDL; return None if it has none, or if effort or memory do not suffice."""
        self._hopeful = False
        try:
            with phase(TRANSLATING):
                self._position.translate(steps)
            return self._planned(self._position.task())
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
        return None

    def _planned(self, task: Task) -> Result | None:
        """Solve the level's PDDL task; return the result with keys as moves, or None if memory is too small."""
        searching = self._searching
        options = SearchOptions(searching.left(), searching.progress.tell, searching.objective)
        if searching.objective == MOVES:
            result, keys = Native().solve_beside(searching.schedule, task, options)
            searching.warn()
        else:
            counted, keys = self._walks(task), None
            result = Native().solve(task, options)
        if result.status == MEMOUT:
            self._log.append("the level's PDDL ran out of memory")
            return None
        if keys is not None:
            result = result.replace(moves=searching.moves(keys))
        elif result.plan is not None:
            moves = decoded_moves(self._position, result.plan)
            if searching.objective != MOVES:
                in_pddl, by_rules = counted  # the plan is optimal only if both count the same pushes
                same = in_pddl.pushes(task, result.plan) == by_rules.pushes(self._position, moves)
                if not same or result.status != SOLVED_OPTIMALLY:
                    raise UnsupportedFeature("PDDL and rules count pushes differently", feature="objectives")
            result = result.replace(moves=moves, plan=None)
        result = searching.with_counts(result.replace(planner=searching.name))
        return self._ended(result, "then the level's PDDL" if keys is None else "then the rules")

    def _walks(self, task: Task) -> tuple[Walker, Walker]:
        """Return the walkers in the PDDL and in the rules. Raises UnsupportedFeature if they may differ."""
        player = self._position.fork().only_player()
        in_pddl, by_rules = walker_of(task), walker_of(self._position)
        thing = None if in_pddl is None else in_pddl.thing
        if in_pddl is None or by_rules is None or thing is None or player is None or thing.arguments != (player,):
            raise UnsupportedFeature("PDDL and rules disagree about where the player can walk", feature="objectives")
        return in_pddl, by_rules

    def _ended(self, result: Result, how: str) -> Result:
        """Return a result whose log describes all searches so far."""
        return result.replace(log="\n".join(filter(None, [*self._log, how, result.log])))
