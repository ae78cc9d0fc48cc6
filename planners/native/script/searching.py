"""Searches in the core on the rules of a PuzzleScript game: the answers of the planner `native` for such games.

By default A* with `distance`, where that is admissible, else breadth-first search: both are optimal.
"""

from __future__ import annotations

from time import perf_counter, process_time

from unpuzzle.errors import PlannerMissing
from unpuzzle.planners.native import missing
from unpuzzle.planners.watch import Watch, peak_memory
from unpuzzle.result import GAVE_UP, MEMOUT, TIMEOUT, UNSOLVABLE, Result

from .data import board_bytes, game_bytes
from .engine import seed_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.planners.native import Native, _core

_KIND = "native"
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
    """The game in the core, which is kept. Raises PlannerMissing without the core."""
    absent = missing()
    if absent is not None:
        raise PlannerMissing(absent, planner=_KIND)
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


def solved(planner: Native, script: tuple[Any, Any], limits: Limits) -> Result:
    """The answer for a game and a state. Raises as `level_of`."""
    game, state = script
    began, cpu = perf_counter(), process_time()
    watch = Watch(limits, "searching")
    level = level_of(game, state)
    algorithm, heuristic, weight = _chosen(planner, game)
    found = level.search(
        algorithm,
        _NAMES.get(heuristic, heuristic),
        _admissible(game, heuristic),
        list(game.shortened) if heuristic in game.heuristics else [],
        weight,
        watch.time_left(),
        watch.memory_left(),
        planner.max_expanded,
        progress=planner._told if planner.progress else None,
    )
    keys = game.keys(state)
    moves = None if not found.status.startswith("solved") else tuple([keys[place] for place in found.plan])
    return Result(
        found.status,
        planner.name,
        moves=moves,
        expanded=found.expanded,
        evaluated=found.evaluated,
        generated=found.generated,
        seconds={"search": perf_counter() - began, "search_cpu": process_time() - cpu},
        peak_memory=peak_memory(),
        message=_MESSAGES.get(found.status, ""),
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
