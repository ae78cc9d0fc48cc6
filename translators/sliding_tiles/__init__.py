"""Sliding tiles: the 8-puzzle, the 15-puzzle and boards of any other size.

rules.py        positions, moves, and both as PDDL (domain.pddl)     making.py       arrangements of a shape
text.py         reading levels                                       heuristics.py   from Manhattan distance on
parity.py       which arrangements can be reached                    subgoals.py     solving in stages
levels.txt      the bundled levels                                   board.py        what no move changes
"""

from unpuzzle.translators.sliding_tiles.rules import SlidingTiles as SlidingTiles
