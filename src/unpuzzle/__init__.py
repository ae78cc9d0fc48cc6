"""unpuzzle: a puzzle's rules in Python and in PDDL, compared; a plan, the moves, and evidence that all of them agree.

    >>> import unpuzzle
    >>> boxup = unpuzzle.find("boxup")                  # a game: bundled, installed, or in a file of your own
    >>> level = boxup.parse(boxup.levels["1"])          # a position of it
    >>> result = unpuzzle.solve(level)
    >>> result.status, result.cost, " ".join(result.moves)
    ('solved_optimally', 5, 'U L D R R')
    >>> unpuzzle.check(level).same                      # is the PDDL the game?
    True

    find(name)                         a game: `find("boxup")`, `find("./lights_out.py")`
    solve(position_or_task, planner)   a checked Result
    improve(position_or_task)          ever better Results
    count_solutions(position, most)    one solution, several, or none and why, for puzzles that state constraints
    solve_many(positions)              tens of thousands of small levels: solvable? in how many moves?
    solve_by_subgoals(task, groups)    a Result in stages: one group of goal literals after the other
    replay(position, moves)            moves played on the rules
    check(position)                    is the PDDL the game?
    same(task, task)                   are two tasks identical, or the same up to names?
    check_heuristic(position, name)    is a heuristic admissible and consistent, as it claims?
    explore(position)                  the whole level: positions, dead ends, the position farthest from a goal
    survey(game)                       every level of a game in one table: solvable, least moves, states, dead ends
    generate(game, options)            levels of known difficulty
    compare(position, algorithms)      many ways to solve it, in one table
    experiment(tasks, planners)        many planners on many tasks, each run a process, in a file that can be continued
    report(runs)                       the figures of an experiment: scores, ratios, faults, changes
    Puzzle, Game, Position             what to write for a puzzle of your own; `unpuzzle new NAME` writes a first one
    Family(task)                       many starts and goals of one task, grounded once
    reachable(position_or_task)        the state space behind `explore`, as arrays: distances, numbers of plans
    register()                         unpuzzle as an engine of unified-planning
    exchange                           tasks and plans as objects of unified-planning and tarski, both ways
    pddl, planners, translators, puzzlescript, testing, ...             the parts

Names load when they are first used (PEP 562), so that `import unpuzzle` costs next to nothing.
"""

_HOMES = {
    "__version__": "unpuzzle.version",
    "check": "unpuzzle.checking.side_by_side",
    "check_heuristic": "unpuzzle.checking.heuristics",
    "compare": "unpuzzle.lab.comparing",
    "experiment": "unpuzzle.lab.experimenting",
    "report": "unpuzzle.lab.reporting",
    "same": "unpuzzle.checking.bisimulation",
    "solve": "unpuzzle.solving",
    "improve": "unpuzzle.solving",
    "count_solutions": "unpuzzle.counting",
    "solve_by_subgoals": "unpuzzle.planners.subgoals.tasks",
    "explore": "unpuzzle.spaces.exploration",
    "survey": "unpuzzle.spaces.surveying",
    "solve_many": "unpuzzle.levels.batches",
    "generate": "unpuzzle.levels.generating",
    "Family": "unpuzzle.planners.native.families.family",
    "reachable": "unpuzzle.spaces.by_task",
    "register": "unpuzzle.up.engine",
    "replay": "unpuzzle.puzzle.replaying",
    "find": "unpuzzle.translators",
    "Game": "unpuzzle.puzzle.position",
    "Position": "unpuzzle.puzzle.position",
    "Puzzle": "unpuzzle.puzzle.puzzle",
    "Limits": "unpuzzle.limits",
    "Result": "unpuzzle.result",
    "UnpuzzleError": "unpuzzle.errors",
    "ParseError": "unpuzzle.errors",
    "IllegalMove": "unpuzzle.errors",
    "UnsupportedFeature": "unpuzzle.errors",
    "DependencyMissing": "unpuzzle.errors",
    "LimitReached": "unpuzzle.errors",
    "ModelMismatch": "unpuzzle.errors",
    "PlannerFailed": "unpuzzle.errors",
    "UsageError": "unpuzzle.errors",
    "WorkersFailed": "unpuzzle.errors",
}
_MODULES = (
    "checking",
    "components",
    "constraints",
    "counting",
    "drawing",
    "errors",
    "exchange",
    "extras",
    "installation",
    "lab",
    "levels",
    "limits",
    "pddl",
    "planners",
    "planning",
    "playing",
    "puzzle",
    "puzzlescript",
    "record",
    "rendering",
    "result",
    "solving",
    "spaces",
    "testing",
    "translators",
    "words",
)

__all__ = [*_HOMES, *_MODULES]  # noqa: PLE0604 - names that load when they are used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.checking import check as check
    from unpuzzle.checking import check_heuristic as check_heuristic
    from unpuzzle.checking.bisimulation import same as same
    from unpuzzle.counting import count_solutions as count_solutions
    from unpuzzle.errors import DependencyMissing as DependencyMissing
    from unpuzzle.errors import IllegalMove as IllegalMove
    from unpuzzle.errors import LimitReached as LimitReached
    from unpuzzle.errors import ModelMismatch as ModelMismatch
    from unpuzzle.errors import ParseError as ParseError
    from unpuzzle.errors import PlannerFailed as PlannerFailed
    from unpuzzle.errors import UnpuzzleError as UnpuzzleError
    from unpuzzle.errors import UnsupportedFeature as UnsupportedFeature
    from unpuzzle.errors import UsageError as UsageError
    from unpuzzle.errors import WorkersFailed as WorkersFailed
    from unpuzzle.lab import compare as compare
    from unpuzzle.levels import generate as generate
    from unpuzzle.levels import solve_many as solve_many
    from unpuzzle.limits import Limits as Limits
    from unpuzzle.planners.native.families.family import Family as Family
    from unpuzzle.planners.subgoals.tasks import solve_by_subgoals as solve_by_subgoals
    from unpuzzle.puzzle import Game as Game
    from unpuzzle.puzzle import Position as Position
    from unpuzzle.puzzle import Puzzle as Puzzle
    from unpuzzle.puzzle import replay as replay
    from unpuzzle.result import Result as Result
    from unpuzzle.solving import improve as improve
    from unpuzzle.solving import solve as solve
    from unpuzzle.spaces import explore as explore
    from unpuzzle.spaces import survey as survey
    from unpuzzle.spaces.by_task import reachable as reachable
    from unpuzzle.translators import find as find
    from unpuzzle.up.engine import register as register
    from unpuzzle.version import __version__ as __version__


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _MODULES:
        return import_module(f"unpuzzle.{name}")
    raise AttributeError(f"module 'unpuzzle' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})
