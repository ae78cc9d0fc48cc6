"""Sliding tiles: the 8-puzzle, the 15-puzzle and boards of any other size.

rules.py    positions, moves, and both as PDDL       board.py    level texts, goals, parity, subgoals
"""

from unpuzzle.translators.sliding_tiles.rules import SlidingTiles as SlidingTiles
