"""Levels to play on, as one page that needs nothing else.

making.py       the page: what is in it, and how it is locked up     player.html, player.css
levels.py       what the page knows of a level
tables.py       the whole state space of a level, packed             table.js plays by it
large.py        what a level is played by that is too large for a table: its operators, or a part of its states
operators.py    its ground operators                                 operators.js plays by them
facts.py        the facts and the goals of a PDDL game                facts.js, facts.css
debug.py        the rules that fire with each move                   debug.js, debug.css
signs.py        which facts of these stand for which pieces
placements.py   pieces and numbers as pages have them

player.js shows and plays what table.js or operators.js says; names.js adds moves that have names, groups.js buttons in
groups for actions with arguments, drag.js pieces that can be dragged, set.js several levels. None of them knows a rule
of any puzzle. Pages hold the forms in shrunk/.
"""

from unpuzzle.playing.page.levels import MAX_STATES, LevelReport, PlayableLevel, playable_levels, report_on
from unpuzzle.playing.page.making import page, page_of_scene

__all__ = ["MAX_STATES", "LevelReport", "PlayableLevel", "page", "page_of_scene", "playable_levels", "report_on"]
