"""Levels to play in a browser: a single web page that needs no other file.

making.py       the page: its contents and its security policy       player.html, player.css
levels.py       the page's data on a level, and the rules that fire  debug.js, debug.css
tables.py       the whole state space of a level, packed             table.js plays by it
                its ground operators                                 operators.js plays by them
facts.py        the facts and the goals of a PDDL game; pieces           facts.js, facts.css
signs.py        the facts for each piece

player.js shows and plays the level by table.js or operators.js; names.js adds named moves, groups.js grouped buttons
for actions with arguments, keyed.js the keys of another engine, drag.js draggable pieces, set.js several levels. None
of them knows a rule of any puzzle. Pages contain the forms in shrunk/.
"""
