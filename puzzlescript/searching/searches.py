"""Searches of a level by its rules in the C++ core, and the exploration of the level's state space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter, process_time

from unpuzzle.base.outcomes import UNSOLVABLE
from unpuzzle.base.run import current
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.base.values import Record
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.planner import MESSAGES
from unpuzzle.planners.native.schedule import Schedule, StageOutcome
from unpuzzle.planning.planner import MOVES, Progress, SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.puzzlescript.engine.states import State, seed_bytes
from unpuzzle.puzzlescript.rules import ScriptRules
from unpuzzle.puzzlescript.searching.native_engine import endless_of, group_lines, state_bytes

if TYPE_CHECKING:
    AnyOutcome = _core.ScriptOutcome | StageOutcome

COUNTS = ("expanded", "evaluated", "generated")
_NAMES = {"goalcount": "unmet"}
"""The names of heuristics in the core, if different."""
_MESSAGES = {**MESSAGES, UNSOLVABLE: "all reachable states were searched: there is no solution"}


class RuleSearch(Record):
    """The settings of a search: its algorithm, heuristic, weight, and limit of expanded states."""

    algorithm: str
    heuristic: str = "blind"
    weight: int = 1
    most_expanded: int | None = None


class Searching:
    """The searches of one level, which run one after the other in the C++ core.

    Raises UnsupportedFeature if something depends on chance, DependencyMissing without the core.

    Attributes: `name` of the planner; `outcomes` of the searches so far; `progress` of all.
    """

    def __init__(self, name: str, game: ScriptRules, state: State, options: SearchOptions) -> None:
        """Prepare the searches; the limit of expanded states in `options` applies to all of them together."""
        self._began, self._cpu = perf_counter(), process_time()
        self.outcomes: list[AnyOutcome] = []
        self.name: str = name
        self._game, self._state, self._max_expanded = game, state, options.max_expanded
        self.objective: str = options.objective
        self.progress: Progress = Progress(name, options.progress)
        self._level, self._keys = core_level(game, state), game.keys

    def left(self) -> int | None:
        """Return the number of states that may still be expanded; None for no limit."""
        most = self._max_expanded
        return None if most is None else max(most - self._sum("expanded"), 0)

    def _settings(self, search: RuleSearch) -> tuple[str, str, bool, list[int]]:
        """Return the settings of a search in the form that the C++ core needs."""
        game, heuristic = self._game, search.heuristic
        shortened = list(game.shortened) if heuristic in game.heuristics else []
        admissible = is_admissible(game, heuristic, self.objective)
        return search.algorithm, _NAMES.get(heuristic, heuristic), admissible, shortened

    def run(self, search: RuleSearch) -> AnyOutcome:
        """Run a search until it has an answer or a limit is reached; return the outcome."""
        budgets = [states for states in (search.most_expanded, self.left()) if states is not None]
        run = current()
        outcome = self._level.search(
            *self._settings(search),
            search.weight,
            *run.remaining(),
            min(budgets, default=None),
            progress=self.progress,
            objective=self.objective,
        )
        warn(self._game, self._state, outcome)
        self._heuristic = search.heuristic
        self.outcomes.append(outcome)
        return outcome

    def begin(self, search: RuleSearch, look: int) -> None:
        """Begin a search that `go_on` continues; its first turn expands `look` states."""
        core = _core.ScriptSchedule(self._level, *self._settings(search), self.objective, look)
        self.schedule, self._by_rules = Schedule(core, self.progress), core
        self._heuristic = search.heuristic

    def go_on(self, most_expanded: int | None) -> AnyOutcome:
        """Continue the search until it has expanded `most_expanded` states in all; None means no limit."""
        left, done = self.left(), self.schedule.expanded
        budgets = [most for most in (most_expanded, None if left is None else left + done) if most is not None]
        for _, outcome in self.schedule.turn(min(budgets, default=None)):
            self.outcomes.append(outcome)
        self.warn()
        return self.outcomes[-1]

    def warn(self) -> None:
        """Warn a game's author about the endless rules that the search has cut off."""
        warn(self._game, self._state, self._by_rules)

    def result(self) -> Result:
        """Return the result of the last search, with the counts of all searches so far."""
        outcome, heuristic = self.outcomes[-1], self._heuristic
        moves = self.moves(outcome.plan or ()) if outcome.status.startswith("solved") else None
        message = _MESSAGES.get(outcome.status, "")
        if outcome.status == UNSOLVABLE and heuristic != "blind" and self._sum("expanded") < self._sum("evaluated"):
            states = f"all reachable states but dead ends of the heuristic {heuristic}"
            message = f"{states} were searched: there is no solution"
        return self.with_seconds(self.with_counts(Result(outcome.status, self.name, moves=moves, message=message)))

    def moves(self, places: Sequence[int]) -> tuple[str, ...]:
        """Convert indices of keys to the keys."""
        return tuple([self._keys[place] for place in places])

    def _sum(self, count: str) -> int:
        return sum(getattr(outcome, count) for outcome in self.outcomes)

    def with_counts(self, result: Result) -> Result:
        """Add the counts of all searches so far to a result of another search."""
        counts = {name: (getattr(result, name) or 0) + self._sum(name) for name in COUNTS}
        return result.replace(**counts, peak_memory=current().peak())

    def with_seconds(self, result: Result) -> Result:
        """Set the seconds of a result to the time since the first search began."""
        seconds = {"search": perf_counter() - self._began, "search_cpu": process_time() - self._cpu}
        return result.replace(seconds=seconds)


def is_admissible(game: ScriptRules, heuristic: str, objective: str = MOVES) -> bool:
    """Return whether a heuristic never overestimates the cost that an objective minimizes first.

    Walks change no distance between objects other than players, so only pushes do.
    """
    if heuristic == "blind":
        return True
    if not objective.startswith(MOVES):
        player = game.compiled.player
        wins = zip(game.compiled.wins, game.shortened, strict=True)
        if any(shortened and (win.first | win.second) & player for win, shortened in wins):
            return False
    return bool(game.heuristics[heuristic].admissible)


def core_level(game: ScriptRules, state: State) -> _core.ScriptLevel:
    """Convert a level that begins in a state to an object of the C++ core.

    Raises UnsupportedFeature if something depends on chance, DependencyMissing without the core.
    """
    game.require_certainty(state)
    seed = None if state.seed is None else seed_bytes(state.seed)
    board = (state.width, state.height, *state_bytes(state, len(game.compiled.objects)))
    return _core.ScriptLevel(game.core, *board, state.won, seed, state.drawn, "".join(game.keys))


def explore(
    game: ScriptRules, state: State, max_states: int | None, progress: Callable[[int], None] | None
) -> tuple[tuple[str, ...], _core.ScriptSpace]:
    """Explore the state space of a level; return the keys, and the space, in which operators are indices of keys."""
    report = None if progress is None else lambda expanded, *others: progress(expanded)
    space = core_level(game, state).space(*current().remaining(), max_states, report)
    warn(game, state, space)
    return game.keys, space


def warn(
    game: ScriptRules, start: State, outcome: _core.ScriptOutcome | _core.ScriptSchedule | _core.ScriptSpace
) -> None:
    """Warn a game's author about endless rules that a search has met."""
    if outcome.capped:
        game.given_up.add(start)
    if outcome.endless:
        game.warn_of(endless_of(outcome, group_lines(game.compiled)))
