"""PuzzleScript: from the text of a game to a compiled game.

text        comments and sections                    faults      what is wrong, and where
prelude     options                                  objects     names, colours, pictures
names       legend and layers: what a name is        rule_text   rules as written
directions  one rule for each direction              choices     one for each thing that a word may be
patterns    cells as sets of bits                    groups      groups, loops, rigid groups
winning     win conditions                           levels      boards
compiling   the passes one after the other           compiled    what comes out: plain immutable data
"""
