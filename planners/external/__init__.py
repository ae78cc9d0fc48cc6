"""Planners that are other programs. Only `process.py` starts processes.

process.py         a program in a private folder, with limits that hold     tree.py       it and its descendants
fast_downward.py   Fast Downward's own driver                               drain.py      what it prints
command.py         any program                                              leftovers.py  folders and their plans
guardian.py        what ends it when we cannot     copies.py       guardians that start sooner
plan_files.py      ever better plans, as a program writes them
up/                any engine of unified-planning, in a child process       elsewhere.py  a function of ours likewise
"""
