"""Gogen: letters in a grid, so that all words can be traced through cells that touch each other.

rules.py      positions, moves, and both as PDDL (domain.pddl)     picture.py      as text
text.py       reading grids and words                              making.py       random Gogens
levels.py     the bundled levels                                   word_list.py    the words that they are made from
grid.py       cells, letters, words: what touches what             explaining.py   what each word is needed for
"""

from unpuzzle.translators.gogen.rules import Gogen as Gogen
