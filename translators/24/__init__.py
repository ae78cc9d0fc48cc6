"""The 24 game: join four numbers by arithmetic until 24 is left. Its rules are in rules.py, its PDDL in domain.pddl."""

from .rules import TwentyFour as TwentyFour
