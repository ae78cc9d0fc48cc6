"""Pictures of PDDL states, described in comments of PDDL files; see docs/howto/show/pddl-pictures.md.

A block of comments in the domain, or in the problem, describes the places of things:

    block.py       from comments to lines, by a table of keywords
    layout.py      the things that lines place, where they are in a state, and their sizes, in cells
    picture.py     the looks of things; the ground and the pieces of a level; faults of lines for `lint`

Without a block, states are tables of facts (`table.py` in the folder above); and everything with PDDL has a graph:

    graph.py       objects as nodes, binary predicates as edges
"""
