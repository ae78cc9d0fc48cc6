"""Planners that read constraints: for positions that state their solutions as a constraint model.

`cp_sat` is OR-tools' CP-SAT, the default of puzzles that are nothing but constraints; `backtracking` is propagation
and search in Python, always there, and slow where much is to be searched; `planner` is what they share. `mace4` is a
program that finds models of formulas, for positions that state their solutions so, too.
"""
