"""The 24 game: join four numbers by arithmetic until 24 is left.

rules.py    positions, moves, and both as PDDL (domain.pddl)
cards.py    the arithmetic, and cards that stand for numbers in PDDL
"""

from .rules import TwentyFour as TwentyFour
