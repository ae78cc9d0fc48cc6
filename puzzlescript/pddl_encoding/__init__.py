"""Translation of levels to PDDL: turns are played on boards on which only some objects are known.

A rule that tests for any other object makes the turn fork; each path through it, with the answers that led along it, is
one ground action: the answers are its precondition, and the changes of the path are its effect. So one move is one
action, and the rules are implemented only once.

    boards     a board that is asked; counted work       paths      all paths of all keys, and what holds before a turn
    steps      ground actions, merged, seen              schemas    schemas, where they apply, and as PDDL
               from the player                           forked     levels as PDDL, with their win conditions

Some features are refused with UnsupportedFeature: chance, restarts, rules that ask about too much of a board.
"""
