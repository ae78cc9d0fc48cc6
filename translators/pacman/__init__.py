"""Pacman grids without ghosts: mazes with one food to find, or many dots to eat.

rules.py      positions, moves, and both as PDDL (domain.pddl)      picture.py      walls as lines
maze.py       reading levels, and what no move changes              making.py       random mazes
levels.txt    the bundled levels                                    heuristics.py   distances, and spanning trees
"""

from unpuzzle.translators.pacman.rules import Pacman as Pacman
