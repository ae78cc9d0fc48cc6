"""Planners that are other programs. Only `process.py` starts processes.

process.py         a program in a private folder, within limits             tree.py       its descendant processes
fast_downward.py   Fast Downward's own driver                               drain.py      its output
command.py         any program                                              leftovers.py  folders and their plans
guardian.py        ends it when we cannot     guardian.cpp    the same, compiled for Linux
plan_files.py      ever better plans, as a program writes them                memory.py     whether any is left
up/                any engine of unified-planning, in a child process       elsewhere.py  our functions likewise
"""
