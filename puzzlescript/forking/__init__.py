"""PDDL by forking: the game's own turn is run on a board where only static objects and the players are known.

A rule that tests for any other object makes the turn fork; each path through it, with the answers that led along it,
is one ground action: the answers are its precondition, and the changes of the path are its effect. So one move is one
action, and the rules are implemented only once.

    unknown    a board that is asked                     assumptions    what holds before and after each turn
    paths      all paths of all keys                     steps      ground actions, merged, seen from the player
    lifting    schemas, and where they apply             actions    schemas as PDDL, and names
    forked     levels as PDDL, with their win conditions
    counted    work, counted

Some features are refused with UnsupportedFeature: chance, restarts, rules that ask about too much of a board.
"""
