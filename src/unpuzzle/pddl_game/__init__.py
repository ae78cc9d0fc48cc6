"""A PDDL domain as a game: states are the positions, applicable actions the moves, problem files the levels.

    game = find("domain.pddl")                       the game of a domain; `game.levels` are the problems beside it
    position = game.parse(game.levels["p01"])        a state; its text is a problem file
    position.moves()                                 ("unstack:a:b", "pick-up:c")

files.py       from a file to a game, as `unpuzzle.table` needs it
game.py        PddlGame, PddlPosition
level.py       the parts that no action changes, and the compiled semantics
spelling.py    moves as texts, and back to actions
table.py       a state as a table of facts
tracing.py     plans step by step: `unpuzzle trace`
picturing/     boards described by comments in PDDL, tables and graphs as drawings
"""
