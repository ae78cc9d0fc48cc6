"""A level to play on, as one page that needs nothing else.

making.py       the page: what is in it, and how it is locked up     player.html, player.css
levels.py       what the page has to know of a level
tables.py       the whole state space of a level, packed             table.js plays by it
large.py        what a level is played by that is too large for a table
operators.py    its ground operators                                 operators.js plays by them
telling.py      which facts of those tell which pieces
partial.py      a part of the state space: a solution, or what is near to it

player.js shows and plays what table.js or operators.js says; names.js adds moves that have names, drag.js pieces that
can be dragged, set.js several levels.
None of them knows a rule of any puzzle.
"""

from unpuzzle.playing.page.levels import MAX_STATES as MAX_STATES
from unpuzzle.playing.page.levels import Level as Level
from unpuzzle.playing.page.making import film as film
from unpuzzle.playing.page.making import page as page
from unpuzzle.playing.page.making import rendered as rendered
