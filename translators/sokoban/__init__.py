"""Sokoban (H. Imabayashi, 1981): a warehouse keeper pushes boxes onto goals.

rules.py         positions, moves, and both as PDDL       making.py    random levels
collecting.py    files of many levels, read               boards.py    the rows of boards among other lines
files.py         files of many levels, written; their solutions
"""

from unpuzzle.translators.sokoban.rules import Sokoban as Sokoban
