"""What puzzles on a grid share.

cells.py       names of cells, steps between them, as moves and as PDDL
distances.py   fewest steps around walls
symmetry.py    reflections and rotations
"""
