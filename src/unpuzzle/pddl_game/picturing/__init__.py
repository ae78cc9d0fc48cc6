"""Pictures of PDDL states, described without Python. docs/pddl_pictures.md explains the language.

A block of comments in the domain, or in the problem, describes the places of things:

    block.py       from comments to statements: statements.py
    scene.py       the places of things in a state, by these statements
    layout.py      sizes and places, in cells
    looks.py       shapes and characters
    picture.py     the ground and the pieces of a level

Without a block:

    facts.py       the table of facts as a drawing, with marks for changes by a move
    graph.py       objects as nodes, binary predicates as edges

All of this is loaded only when a picture is drawn.
"""
