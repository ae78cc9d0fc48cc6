"""Pictures of PDDL states, without a word of Python. docs/pddl_pictures.md tells the language.

A block of comments in the domain, or in the problem, says what lies where:

    marks.py       whether there is one
    block.py       from comments to statements: statements.py, conditions.py
    scene.py       what a state says by these statements: who is placed where
    layout.py      sizes and places, in cells
    looks.py       shapes and characters
    picture.py     the ground and the pieces of a level

Without a block:

    facts.py       the table of facts as a drawing, with what a move changed
    graph.py       objects as nodes, binary predicates as edges; spreading.py places the nodes

Nothing of this is loaded before somebody wants to see a picture.
"""
