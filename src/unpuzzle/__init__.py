"""unpuzzle: compare the rules of a puzzle in Python with its PDDL, find plans and moves, and check that all agree.

    >>> import unpuzzle
    >>> boxup = unpuzzle.find("boxup")                  # a game: bundled, installed, or in your own file
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
    Puzzle, Game, Position             what to write for your own puzzle; `unpuzzle new NAME` writes a first one
    Family(task)                       many starts and goals of one task, grounded once
    reachable(position_or_task)        the state space behind `explore`, as arrays: distances, numbers of plans
    register()                         unpuzzle as an engine of unified-planning
    exchange                           tasks and plans as objects of unified-planning and tarski, both ways
    pddl, planners, translators, puzzlescript, testing, ...             the parts

Names load when they are first used (PEP 562), so that `import unpuzzle` costs next to nothing.
"""

from unpuzzle.table import PARTS, attribute, offered_names

__all__ = [*offered_names("unpuzzle"), *PARTS]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> object:
    return attribute("unpuzzle", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
