"""A level to play on, as one page that needs nothing else.

making.py     the page: what is in it, and how it is locked up
levels.py     what the page has to know of a level
tables.py     the whole state space of a level, packed
player.js     the player: it knows no rules, only what the table says
player.css    how it looks
"""

from unpuzzle.pictures.page.making import page as page
