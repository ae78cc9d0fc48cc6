"""Boxup: nested boxes that can only be moved from inside.

rules.py      positions, moves, and both as PDDL (domain.pddl)      picture.py      drawing
board.py      reading levels, and what no move changes              making.py       random levels, all levels
levels.txt    the bundled levels                                    heuristics.py   `steps`
"""

from unpuzzle.translators.boxup.rules import Boxup as Boxup
