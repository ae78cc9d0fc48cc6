"""Planners that are external programs, which `unpuzzle.processes` runs.

fast_downward.py           Fast Downward's own driver
fast_downward_dialect.py   the tasks that it gets wrong, rewritten or refused
fast_downward_mutexes.py   tasks rewritten so that its translator finds no false mutex groups
up.py                      any engine of unified-planning; up_child.py is its child process
command.py                 any program, by a command line
mace4.py                   a finder of models of formulas
answers.py                 plans as programs write them, the best one, and whether a claim is believed
"""
