"""Pacman grids without ghosts: mazes with one food to find, or many dots to eat.

rules.py        positions, moves, and both as PDDL (domain.pddl)     picture.py      walls as lines
levels.txt      the bundled levels                                   making.py       random mazes
heuristics.py   distances, and spanning trees (trees.py)             maze.py         what no move changes
text.py         reading levels
"""

from unpuzzle.translators.pacman.rules import Pacman as Pacman
