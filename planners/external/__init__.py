"""Planners that are other programs, which `unpuzzle.processes` runs.

fast_downward.py   Fast Downward's own driver             command.py    any program
up/                any engine of unified-planning     up_child.py   its child process
plan_files.py      ever better plans, as a program writes them
answers.py         the result and the best plan that a program has left
claims.py          whether there is no plan, as it says
"""
