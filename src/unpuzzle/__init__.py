"""unpuzzle: describe a puzzle once, in Python; get PDDL, a plan, the moves, and evidence that all of them agree.

    puzzle(name)                       the class of a puzzle: `puzzle("boxup").parse(text)`
    solve(position_or_task, planner)   a checked Result
    improve(position_or_task)          ever better Results
    solve_by_subgoals(task, groups)    a Result in stages: one group of goal literals after the other
    check(position)                    is the PDDL the game?
    generate(puzzle_class, options)    levels of known difficulty
    check_heuristic(position, name)    is a heuristic admissible and consistent, as it claims?
    compare(position, algorithms)      many ways to solve it, in one table
    judge(positions)                   tens of thousands of small levels: solvable? in how many moves?
    Family(task)                       many starts and goals of one task, grounded once
    explore(position)                  all that can happen in a level: how many positions, dead ends, the hardest start
    reachable(position_or_task)        the state space behind that, as arrays: distances, numbers of plans
    register()                         unpuzzle as an engine of unified-planning
    pddl, planners, translators        the parts; testing: helpers for tests

Names load when they are first used (PEP 562), so that `import unpuzzle` costs next to nothing.
"""

__version__ = "0.1.0"

_HOMES = {
    "check": "unpuzzle.checking",
    "check_heuristic": "unpuzzle.heuristics",
    "compare": "unpuzzle.lab",
    "solve": "unpuzzle.solving",
    "improve": "unpuzzle.solving",
    "solve_by_subgoals": "unpuzzle.planners.subgoals.tasks",
    "explore": "unpuzzle.exploring",
    "judge": "unpuzzle.families",
    "generate": "unpuzzle.generating",
    "Family": "unpuzzle.planners.native.families.family",
    "reachable": "unpuzzle.planners.native.state_space",
    "register": "unpuzzle.up_engine",
    "replay": "unpuzzle.puzzle",
    "Puzzle": "unpuzzle.puzzle",
    "Limits": "unpuzzle.result",
    "Result": "unpuzzle.result",
    "UnpuzzleError": "unpuzzle.errors",
    "ParseError": "unpuzzle.errors",
    "IllegalMove": "unpuzzle.errors",
    "UnsupportedFeature": "unpuzzle.errors",
    "PlannerMissing": "unpuzzle.errors",
    "PlannerFailed": "unpuzzle.errors",
    "WorkersFailed": "unpuzzle.errors",
}
_MODULES = (
    "checking",
    "constraints",
    "errors",
    "exploring",
    "families",
    "generating",
    "graphs",
    "heuristics",
    "lab",
    "options",
    "pddl",
    "planners",
    "puzzle",
    "result",
    "solving",
    "testing",
    "translators",
)

__all__ = ["__version__", *_HOMES, *_MODULES]  # noqa: PLE0604 - names that load when they are used

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.checking import check as check
    from unpuzzle.errors import IllegalMove as IllegalMove
    from unpuzzle.errors import ParseError as ParseError
    from unpuzzle.errors import PlannerFailed as PlannerFailed
    from unpuzzle.errors import PlannerMissing as PlannerMissing
    from unpuzzle.errors import UnpuzzleError as UnpuzzleError
    from unpuzzle.errors import UnsupportedFeature as UnsupportedFeature
    from unpuzzle.errors import WorkersFailed as WorkersFailed
    from unpuzzle.exploring import explore as explore
    from unpuzzle.families import judge as judge
    from unpuzzle.generating import generate as generate
    from unpuzzle.heuristics import check_heuristic as check_heuristic
    from unpuzzle.lab import compare as compare
    from unpuzzle.planners.native.families.family import Family as Family
    from unpuzzle.planners.native.state_space import reachable as reachable
    from unpuzzle.planners.subgoals.tasks import solve_by_subgoals as solve_by_subgoals
    from unpuzzle.puzzle import Puzzle as Puzzle
    from unpuzzle.puzzle import replay as replay
    from unpuzzle.result import Limits as Limits
    from unpuzzle.result import Result as Result
    from unpuzzle.solving import improve as improve
    from unpuzzle.solving import solve as solve
    from unpuzzle.up_engine import register as register


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _MODULES:
        return import_module(f"unpuzzle.{name}")
    raise AttributeError(f"module 'unpuzzle' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})
