"""What puzzles on a grid share. A new one begins with puzzle.py: `class Sokoban(GridPuzzle)`.

puzzle.py      GridPuzzle: positions that are symbols in the cells of a grid, with text, picture, symmetries, equality
text.py        reading such grids: rows of symbols, ragged ones too, with errors that point at line and column
cells.py       cells: their names, the steps between them, as moves and as PDDL
symmetry.py    reflections and rotations
distances.py   fewest steps around walls
"""
