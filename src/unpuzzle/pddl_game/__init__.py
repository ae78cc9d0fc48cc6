"""A PDDL domain as a game: states are the positions, applicable actions the moves, problem files the levels.

    game = find("domain.pddl")                       the game of a domain; `game.levels` are the problems beside it
    position = game.parse(game.levels["p01"])        a state; its text is a problem file
    position.moves()                                 ("unstack:a:b", "pick-up:c")

game.py             PddlGame, PddlPosition; from a file to a game; plans step by step: `unpuzzle trace`
level.py            the parts that no action changes, and the compiled semantics
spelling.py         moves as texts, and back to actions
fact_pictures.py    a state as a table of facts, or as a graph of its objects
picture_lines.py    the comments in PDDL that describe a board, read, and applied to the things of a task
picture.py          the board: where the things are, and their shapes and colours
"""
