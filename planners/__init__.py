"""unpuzzle.planners: the planners, which take a task, rules or constraints, and return a result.

native/       the built-in planner, grounding and search in C++      reference.py  the same, slower, to be read
external/     other programs: Fast Downward, unified-planning, any   rules/        textbook searches on a game's rules
subgoals/     in stages                                              constraint/   solvers of constraints
clues/        guesses from clues

`unpuzzle.planning` defines planners, finds one by name, and runs it.
"""
