"""PuzzleScript games in the core: the fast engine, and searches on it.

data.py         a compiled game and its boards as bytes      native_engine.py   the engine, equal to the one in Python
planner.py      the planner of these games                   searches.py  its searches, with estimates.py, symmetry.py
schedule.py     its default: PDDL for what rules leave open

Games come as plain data (``unpuzzle.puzzlescript.compiling`), so nothing here imports what made them.
"""
