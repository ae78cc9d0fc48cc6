"""Searches in the core on the rules of a PuzzleScript game: the answers of the planner `native` for such games.

By default A* with `distance`, where that is admissible, else breadth-first search: both are optimal. What that leaves
open after a while may be easier by the level's PDDL, see `schedule`, which is imported no sooner.
"""

from __future__ import annotations

from time import perf_counter, process_time

from unpuzzle.errors import DependencyMissing
from unpuzzle.limits import Deadline
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.schedule import Stage
from unpuzzle.planning.planner import Progress, SearchOptions
from unpuzzle.puzzle.capabilities import Scripted, Translated, offered, required
from unpuzzle.puzzlescript.searching.data import board_bytes, game_bytes
from unpuzzle.puzzlescript.searching.native_engine import endless_of, group_lines, seed_bytes
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, TIMEOUT, UNSOLVABLE, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.planners.native import Native, _core
    from unpuzzle.puzzle.position import Position

_KIND = "native"
FIRST_STATES = 60_000
"""That the default may expand before it looks for PDDL."""
QUICK_STATES = 1_000_000
"""That each of the first searches of anytime planning may expand."""
_USUAL = {"idastar": "distance", "wastar": "distance", "gbfs": "sum"}
"""Heuristics of searches that have another one for PDDL."""
_NAMES = {"goalcount": "unmet"}
"""What the core calls a heuristic."""
_MESSAGES = {
    UNSOLVABLE: "all reachable states were searched: there is no solution",
    TIMEOUT: "the time limit was reached while searching",
    MEMOUT: "the memory limit was reached while searching",
    GAVE_UP: "the limit of expanded states was reached while searching",
}


def core_of(game: Any) -> _core.ScriptGame:
    """The game in the core, which is kept. Raises DependencyMissing without the core."""
    absent = missing()
    if absent is not None:
        raise DependencyMissing(absent, dependency=_KIND)
    from unpuzzle.planners.native import _core

    if _KIND not in game.kept:
        game.kept[_KIND] = _core.ScriptGame(game_bytes(game.compiled))
    core: _core.ScriptGame = game.kept[_KIND]
    return core


def level_of(game: Any, state: Any) -> _core.ScriptLevel:
    """A state from which to search. Raises UnsupportedFeature where something is left to chance."""
    game.require_certainty(state)
    core, objects = core_of(game), len(game.compiled.objects)
    from unpuzzle.planners.native import _core

    target = None if state.target is None else board_bytes(state.target, objects)
    seed = None if state.seed is None else seed_bytes(state.seed)
    board = (state.width, state.height, board_bytes(state.cells, objects), target, state.won)
    return _core.ScriptLevel(core, *board, seed, state.drawn, "".join(game.keys(state)))


def answers(
    planner: Native, position: Position, limits: Limits, anytime: bool, options: SearchOptions
) -> Iterator[Result]:
    """The answers for a position: of anytime planning each better plan, then the last word.

    Anytime planning first asks searches that find some plan soon. Raises as `level_of`.
    """
    game, state = required(position, Scripted, "has no rules that the core could read").script()
    searching = Searching(planner, game, state, limits, options)
    level = offered(position, Translated)
    if planner.search is not None:
        searching.run(searching.last_stage())
        yield searching.result()
    elif anytime:
        yield from _improving(searching)
    elif level is None or state.seed is not None or state.target is not None:  # chance and restarts have no PDDL
        searching.default(None)
        yield searching.result()
    elif searching.default(FIRST_STATES).status not in (GAVE_UP, MEMOUT) or searching.left() == 0:
        yield searching.result()
    else:
        from unpuzzle.puzzlescript.searching.schedule import answer

        yield searching.timed(answer(planner, searching, position, level))


def _improving(searching: Searching) -> Iterator[Result]:
    least = None
    quick = Stage("gbfs", "gbfs", "sum", QUICK_STATES, "some plan, soon")
    better = Stage("wastar", "astar", "sum", QUICK_STATES, "a better plan")
    for stage in (quick, better, searching.last_stage()):
        found = searching.run(stage)
        result = searching.result()
        last = stage.most_expanded is None or found.status not in (SOLVED, GAVE_UP)
        if last or (result.moves is not None and (least is None or len(result.moves) < least)):
            least = None if result.moves is None else len(result.moves)
            yield result.replace(intermediate=not last)
        if last:
            return


class Searching:
    """The searches of a level by its rules, one after the other. Raises as `level_of`.

    Attributes: `watch`, the limits; `done`, what each search came to.
    """

    def __init__(self, planner: Native, game: Any, state: Any, limits: Limits, options: SearchOptions) -> None:
        self._began, self._cpu = perf_counter(), process_time()
        self.watch = Deadline(limits, "searching")
        self.done: list[_core.ScriptOutcome] = []
        self._planner = planner
        self.options = options
        self._game = game
        self._level, self._keys = level_of(game, state), game.keys(state)

    def last_stage(self, states: int | None = None) -> Stage:
        """The search that the planner is asked for, by default an optimal one; it may expand so many states."""
        algorithm, heuristic, weight = _chosen(self._planner, self._game)
        return Stage(self._planner.config, algorithm, heuristic, states, "", weight=weight)

    def default(self, states: int | None) -> _core.ScriptOutcome:
        """What that search comes to."""
        return self.run(self.last_stage(states))

    def left(self) -> int | None:
        """States that may still be expanded; None if any number may."""
        most = self.options.max_expanded
        return None if most is None else max(most - sum(outcome.expanded for outcome in self.done), 0)

    def run(self, stage: Stage) -> _core.ScriptOutcome:
        """What a stage comes to, after those before it."""
        game, self._heuristic = self._game, stage.heuristic
        budgets = [states for states in (stage.most_expanded, self.left()) if states is not None]
        found = self._level.search(
            stage.algorithm,
            _NAMES.get(stage.heuristic, stage.heuristic),
            _admissible(game, stage.heuristic),
            list(game.shortened) if stage.heuristic in game.heuristics else [],
            stage.weight,
            self.watch.time_left(),
            self.watch.memory_left(),
            min(budgets, default=None),
            progress=Progress(self._planner.name, self.options.progress),
        )
        game.engine.endless.update(endless_of(found, group_lines(game.compiled)))
        self.done.append(found)
        return found

    def result(self) -> Result:
        """The answer of the last search, with the counts of all."""
        found, heuristic = self.done[-1], self._heuristic
        moves = tuple([self._keys[place] for place in found.plan]) if found.status.startswith("solved") else None
        message = _MESSAGES.get(found.status, "")
        if found.status == UNSOLVABLE and heuristic != "blind" and found.expanded < found.evaluated:
            message = (
                f"all reachable states but dead ends of the heuristic {heuristic} were searched: there is no solution"
            )
        return self.timed(self.counted(Result(found.status, self._planner.name, moves=moves, message=message)))

    def counted(self, result: Result) -> Result:
        """A result of its own, with the counts of all searches added to it."""
        return result.replace(
            expanded=(result.expanded or 0) + sum(outcome.expanded for outcome in self.done),
            evaluated=(result.evaluated or 0) + sum(outcome.evaluated for outcome in self.done),
            generated=(result.generated or 0) + sum(outcome.generated for outcome in self.done),
            peak_memory=self.watch.peak(),
        )

    def timed(self, result: Result) -> Result:
        """The result with the seconds since the first search began."""
        return result.replace(
            seconds={"search": perf_counter() - self._began, "search_cpu": process_time() - self._cpu}
        )


def _chosen(planner: Native, game: Any) -> tuple[str, str, int]:
    """Algorithm, heuristic and its weight."""
    if planner.search is None:
        return ("astar", "distance", 1) if _admissible(game, "distance") else ("bfs", "blind", 1)
    algorithm, heuristic, weight = planner.search
    if "(" not in planner.config:
        heuristic = _USUAL.get(planner.config.partition("=")[0], heuristic)
    if (algorithm, heuristic) == ("astar", "blind"):
        return "bfs", "blind", 1
    return algorithm, heuristic, weight


def _admissible(game: Any, heuristic: str) -> bool:
    return heuristic == "blind" or bool(game.heuristics[heuristic].admissible)
