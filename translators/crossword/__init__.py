"""Crosswords with candidate lists: each word is chosen from its list, and crossing words must agree.

rules.py      positions, moves, constraints, and both as PDDL (domain.pddl)
layout.py     the static parts: the places of words, and their numbers
levels.txt    the bundled levels
making.py     random levels, filled from a list of words

Crosswords with clues alone are a separate game, `crossword_clues`, which uses these, too:

rules.py      `LetterGrid`: letters in a grid, as rows and as a picture
grid_text.py  a crossword as text: JSON, .xd               files.py     files of other programs
"""

from unpuzzle.translators.crossword.rules import Crossword as Crossword
