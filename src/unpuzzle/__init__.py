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

from unpuzzle.table import PARTS, attribute, offered_names
from unpuzzle.type_hints import TYPE_CHECKING

__all__ = [*offered_names("unpuzzle"), *PARTS]  # noqa: PLE0604 - names that load when they are used

if TYPE_CHECKING:
    from unpuzzle.checking.bisimulation import same as same
    from unpuzzle.checking.heuristics import check_heuristic as check_heuristic
    from unpuzzle.checking.side_by_side import check as check
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
    from unpuzzle.lab.comparing import compare as compare
    from unpuzzle.levels.batches import solve_many as solve_many
    from unpuzzle.levels.generating import generate as generate
    from unpuzzle.limits import Limits as Limits
    from unpuzzle.planners.native.families.family import Family as Family
    from unpuzzle.planners.subgoals.tasks import solve_by_subgoals as solve_by_subgoals
    from unpuzzle.puzzle.position import Game as Game
    from unpuzzle.puzzle.position import Position as Position
    from unpuzzle.puzzle.puzzle import Puzzle as Puzzle
    from unpuzzle.puzzle.replaying import replay as replay
    from unpuzzle.result import Result as Result
    from unpuzzle.solving import improve as improve
    from unpuzzle.solving import solve as solve
    from unpuzzle.spaces.by_task import reachable as reachable
    from unpuzzle.spaces.exploration import explore as explore
    from unpuzzle.spaces.surveying import survey as survey
    from unpuzzle.translators import find as find
    from unpuzzle.up.engine import register as register
    from unpuzzle.version import __version__ as __version__


def __getattr__(name: str) -> object:
    return attribute("unpuzzle", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
