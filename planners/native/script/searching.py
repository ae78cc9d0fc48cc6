"""Searches in the core on the rules of a PuzzleScript game: the answers of the planner `native` for such games.

By default A* with `distance`, where that is admissible, else breadth-first search: both are optimal.
"""

from __future__ import annotations

from time import perf_counter, process_time

from unpuzzle.errors import PlannerMissing
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.schedule import Stage
from unpuzzle.planners.watch import Watch, peak_memory
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, TIMEOUT, UNSOLVABLE, Result

from .data import board_bytes, game_bytes
from .engine import seed_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.planners.native import Native, _core

_KIND = "native"
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


def answers(planner: Native, script: tuple[Any, Any], limits: Limits, anytime: bool) -> Iterator[Result]:
    """The answers for a game and a state: of anytime planning each better plan, then the last word.

    Anytime planning first asks searches that find some plan soon. Raises as `level_of`.
    """
    game, state = script
    began, cpu = perf_counter(), process_time()
    watch = Watch(limits, "searching")
    level, keys = level_of(game, state), game.keys(state)
    done: list[_core.ScriptOutcome] = []
    least = None
    for stage in _stages(planner, game, anytime):
        found = _searched(planner, game, level, stage, watch, sum(outcome.expanded for outcome in done))
        done.append(found)
        result = _result(planner, keys, done)
        result.seconds = {"search": perf_counter() - began, "search_cpu": process_time() - cpu}
        last = stage.most_expanded is None or found.status not in (SOLVED, GAVE_UP)
        if last or (result.moves is not None and (least is None or len(result.moves) < least)):
            least = None if result.moves is None else len(result.moves)
            result.intermediate = not last
            yield result
        if last:
            return


def _stages(planner: Native, game: Any, anytime: bool) -> list[Stage]:
    final = Stage(planner.config, *_chosen(planner, game)[:2], None, "", weight=_chosen(planner, game)[2])
    if not anytime or planner.search is not None:
        return [final]
    quick = Stage("gbfs", "gbfs", "sum", QUICK_STATES, "some plan, soon")
    better = Stage("wastar", "astar", "sum", QUICK_STATES, "a better plan")
    return [quick, better, final]


def _searched(
    planner: Native, game: Any, level: _core.ScriptLevel, stage: Stage, watch: Watch, expanded: int
) -> _core.ScriptOutcome:
    """What a stage comes to, when so many states were expanded before."""
    budgets = [] if stage.most_expanded is None else [stage.most_expanded]
    if planner.max_expanded is not None:
        budgets.append(max(planner.max_expanded - expanded, 0))
    return level.search(
        stage.algorithm,
        _NAMES.get(stage.heuristic, stage.heuristic),
        _admissible(game, stage.heuristic),
        list(game.shortened) if stage.heuristic in game.heuristics else [],
        stage.weight,
        watch.time_left(),
        watch.memory_left(),
        min(budgets, default=None),
        progress=planner._told if planner.progress else None,
    )


def _result(planner: Native, keys: tuple[str, ...], done: list[_core.ScriptOutcome]) -> Result:
    """The answer after some stages: that of the last one, and the counts of all."""
    found = done[-1]
    return Result(
        found.status,
        planner.name,
        moves=tuple([keys[place] for place in found.plan]) if found.status.startswith("solved") else None,
        expanded=sum(outcome.expanded for outcome in done),
        evaluated=sum(outcome.evaluated for outcome in done),
        generated=sum(outcome.generated for outcome in done),
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
