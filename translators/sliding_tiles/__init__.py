"""Sliding tiles: the 8-puzzle, the 15-puzzle and boards of any other size.

rules.py      positions, moves, and both as PDDL (domain.pddl)     making.py       arrangements of a shape
board.py      reading levels, and what no move changes             heuristics.py   from Manhattan distance on
parity.py     which arrangements can be reached                    subgoals.py     solving in stages
levels.txt    the bundled levels                                   picture.py      drawing
"""

from unpuzzle.translators.sliding_tiles.rules import SlidingTiles as SlidingTiles
