"""Planners that are external programs, which `unpuzzle.processes` runs.

fast_downward.py   Fast Downward's own driver             command.py    any program
up.py              any engine of unified-planning         up_child.py   its child process
mace4.py           a finder of models of formulas
answers.py         plans as programs write them, the best one, and whether a claim is believed
"""
