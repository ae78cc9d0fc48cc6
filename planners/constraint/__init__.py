"""Planners for positions whose solutions are described by a constraint model.

`cp_sat` is OR-tools' CP-SAT, the default of puzzles that consist of constraints; `backtracking` is propagation and
search in Python, always available, and slow in large searches; `planner` is their common base. `mace4` is a program
that finds models of formulas, for positions that also state their solutions as formulas.
"""
