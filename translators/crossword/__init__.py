"""Crosswords with candidate lists: each word is one of some that are given, and all that cross must agree.

rules.py      positions, moves, constraints, and both as PDDL (domain.pddl)
level.py      what no move changes                          slots.py     where words go, and their numbers
text.py       the JSON of a level                           json_places.py   JSON that knows where its values stand
picture.py    the grid with lines and numbers               covering.py  how many words are to be written at the least
levels.txt    the bundled levels                            sampling.py  random ones for tests
making.py     random levels, filled from a list of words
clued.py      crosswords with clues and no candidates, and clued_text.py, their JSON
files.py      grid and clues as others exchange them: puz_file.py, ipuz_file.py, and sheet.py, which both read
"""

from unpuzzle.translators.crossword.rules import Crossword as Crossword
