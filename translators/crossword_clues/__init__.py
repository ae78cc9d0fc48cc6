"""Crosswords with clues and no candidates: nothing is certain, so the planner `clues` guesses the words.

rules.py      positions, which have no moves and no PDDL, and the JSON of a level
levels.txt    the bundled levels, ten of this project's own, with clues as in newspapers
"""

from unpuzzle.translators.crossword_clues.rules import CrosswordClues as CrosswordClues
