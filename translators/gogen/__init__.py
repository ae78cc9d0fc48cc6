"""Gogen: letters in a grid, so that all words can be traced through cells that touch each other.

rules.py      positions, moves, and both as PDDL (domain.pddl); the picture; the need for each word
making.py     cells, letters, words: adjacency; random Gogens
words.txt     the bundled list of words                            levels.txt      the bundled levels
"""

from unpuzzle.translators.gogen.rules import Gogen as Gogen
