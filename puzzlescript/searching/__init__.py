"""PuzzleScript games in the core: the fast engine, and searches on it.

data.py         a compiled game and its boards as bytes      engine.py    the engine, equal to the one in Python
searching.py    what the planner `native` answers            spaces.py    whole state spaces
schedule.py     its default: PDDL for what rules leave open

Games come as plain data (``unpuzzle.puzzlescript.compiling`), so nothing here imports what made them.
"""
