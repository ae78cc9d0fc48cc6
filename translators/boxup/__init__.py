"""Boxup: nested boxes that can only be moved from inside.

rules.py        positions, moves, and both as PDDL (domain.pddl)     picture.py      as text
text.py         reading levels                                       making.py       random levels, all levels
levels.txt      the bundled levels                                   heuristics.py   `steps`
board.py        what no move changes
"""

from unpuzzle.translators.boxup.rules import Boxup as Boxup
