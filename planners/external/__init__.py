"""Planners that are external programs, which `unpuzzle.processes` runs.

fast_downward.py   Fast Downward's own driver             command.py    any program
up/                any engine of unified-planning     up_child.py   its child process
plan_files.py      ever better plans, as a program writes them
answers.py         the result and the best plan from a program's files; whether a claim of it is believed
"""
