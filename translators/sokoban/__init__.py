"""Sokoban (H. Imabayashi, 1981): a warehouse keeper pushes boxes onto goals.

rules.py        positions, moves, and both as PDDL (domain.pddl)     heuristics.py   pushes that are needed at least
squares.py      from where a box can be pushed to a goal             making.py       random levels
levels.txt      the bundled levels
"""

from unpuzzle.translators.sokoban.rules import Sokoban as Sokoban
