"""Levels in the core: searched by their rules, one search after the other, and explored."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, process_time

from unpuzzle.limits import Deadline, Limits, ticking
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planning.planner import MOVES, Progress, SearchOptions
from unpuzzle.puzzlescript.playing.draws import seed_bytes
from unpuzzle.puzzlescript.playing.states import State
from unpuzzle.puzzlescript.rules import ScriptRules
from unpuzzle.puzzlescript.searching.native_engine import endless_of, group_lines, state_bytes
from unpuzzle.record import Record
from unpuzzle.result import GAVE_UP, MEMOUT, TIMEOUT, UNSOLVABLE, Result

_NAMES = {"goalcount": "unmet"}
"""The names of heuristics in the core, if different."""
_MESSAGES = {
    UNSOLVABLE: "all reachable states were searched: there is no solution",
    TIMEOUT: "the time limit was reached while searching",
    MEMOUT: "the memory limit was reached while searching",
    GAVE_UP: "the limit of expanded states was reached while searching",
}


class RuleSearch(Record):
    """A search: its algorithm, its heuristic, the heuristic's weight, and the limit of expanded states."""

    algorithm: str
    heuristic: str = "blind"
    weight: int = 1
    most_expanded: int | None = None


class Searching:
    """The searches of one level, which share limits.

    Raises UnsupportedFeature if something depends on chance, DependencyMissing without the core.

    Attributes: `name` of the planner; `watch`, the deadline; `outcomes` of the searches so far; `progress` of all.
    """

    def __init__(self, name: str, game: ScriptRules, state: State, limits: Limits, options: SearchOptions) -> None:
        """Begin no search yet; the options give a number of expanded states for all searches together."""
        self._began, self._cpu = perf_counter(), process_time()
        self.watch: Deadline = Deadline(limits, "searching")
        self.outcomes: list[_core.ScriptOutcome] = []
        self.name: str = name
        self._game, self._state, self._max_expanded = game, state, options.max_expanded
        self.objective: str = options.objective
        self.progress: Progress = Progress(name, options.progress)
        self._level, self._keys = core_level(game, state), game.keys

    def left(self) -> int | None:
        """Return the number of states that may still be expanded; None for no limit."""
        most = self._max_expanded
        return None if most is None else max(most - sum(outcome.expanded for outcome in self.outcomes), 0)

    def run(self, search: RuleSearch) -> _core.ScriptOutcome:
        game, heuristic = self._game, search.heuristic
        budgets = [states for states in (search.most_expanded, self.left()) if states is not None]
        with ticking(self.watch):
            outcome = self._level.search(
                search.algorithm,
                _NAMES.get(heuristic, heuristic),
                is_admissible(game, heuristic, self.objective),
                list(game.shortened) if heuristic in game.heuristics else [],
                search.weight,
                self.watch.time_left(),
                self.watch.memory_left(),
                min(budgets, default=None),
                progress=self.progress,
                objective=self.objective,
            )
        warn(game, self._state, outcome)
        self._heuristic = heuristic
        self.outcomes.append(outcome)
        return outcome

    def result(self) -> Result:
        """Return the answer of the last search, with the counts of all."""
        outcome, heuristic = self.outcomes[-1], self._heuristic
        moves = tuple([self._keys[place] for place in outcome.plan]) if outcome.status.startswith("solved") else None
        message = _MESSAGES.get(outcome.status, "")
        if outcome.status == UNSOLVABLE and heuristic != "blind" and outcome.expanded < outcome.evaluated:
            states = f"all reachable states but dead ends of the heuristic {heuristic}"
            message = f"{states} were searched: there is no solution"
        return self.with_seconds(self.with_counts(Result(outcome.status, self.name, moves=moves, message=message)))

    def with_counts(self, result: Result) -> Result:
        """Return a result of another search with the counts of all searches added."""
        return result.replace(
            expanded=(result.expanded or 0) + sum(outcome.expanded for outcome in self.outcomes),
            evaluated=(result.evaluated or 0) + sum(outcome.evaluated for outcome in self.outcomes),
            generated=(result.generated or 0) + sum(outcome.generated for outcome in self.outcomes),
            peak_memory=self.watch.peak(),
        )

    def with_seconds(self, result: Result) -> Result:
        """Return a result with the seconds since the first search began."""
        seconds = {"search": perf_counter() - self._began, "search_cpu": process_time() - self._cpu}
        return result.replace(seconds=seconds)


def is_admissible(game: ScriptRules, heuristic: str, objective: str = MOVES) -> bool:
    """Return whether a heuristic never overestimates the number that is minimized first: of moves, or of pushes.

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
    """Return a level that begins with a state.

    Raises UnsupportedFeature if something depends on chance, DependencyMissing without the core.
    """
    game.require_certainty(state)
    core, objects = game.core, len(game.compiled.objects)

    seed = None if state.seed is None else seed_bytes(state.seed)
    board = (state.width, state.height, *state_bytes(state, objects))
    return _core.ScriptLevel(core, *board, state.won, seed, state.drawn, "".join(game.keys))


def explore(
    game: ScriptRules, state: State, deadline: Deadline, max_states: int | None, progress: Callable[[int], None] | None
) -> tuple[tuple[str, ...], _core.ScriptSpace]:
    """Return the keys of a level and its state space; the operators of the space are indices of keys."""
    report = None if progress is None else lambda expanded, *others: progress(expanded)
    space = core_level(game, state).space(deadline.time_left(), deadline.memory_left(), max_states, report)
    warn(game, state, space)
    return game.keys, space


def warn(game: ScriptRules, start: State, outcome: _core.ScriptOutcome | _core.ScriptSpace) -> None:
    """Warn the author about the groups of rules and loops that were cut off; note a start with keys that were."""
    if outcome.capped:
        game.given_up.add(start)
    if outcome.endless:
        game.warn_of(endless_of(outcome, group_lines(game.compiled)))
