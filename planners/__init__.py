"""unpuzzle.planners: the planners, which solve PDDL tasks, puzzles by their rules, or constraint models.

native/       the built-in planner, grounding and search in C++      reference.py   the same, slower, to be read
external/     other programs: Fast Downward, unified-planning, any   constraint.py  solvers of constraints
rules/        textbook searches on a game's rules                    subgoals.py    searches in stages
clues/        guesses from clues

`unpuzzle.planning` defines planners, finds one by name, and runs it.
"""
