"""Gogen: letters in a grid, so that all words can be traced through cells that touch each other.

rules.py      positions, moves, and both as PDDL (domain.pddl)     picture.py      as text
text.py       reading grids and words                              making.py       random Gogens
word_file.py  lists of words, and the bundled one, words.txt       levels.txt     the bundled levels
grid.py       cells, letters, words: what touches what             explaining.py   what each word is needed for
"""

from unpuzzle.translators.gogen.rules import Gogen as Gogen
