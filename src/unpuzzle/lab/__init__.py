"""The search lab: one level, many ways to solve it.

comparing.py       compare(): algorithms on the rules and planners on the PDDL, a row each
table.py           the rows as text and as CSV           plot.py     the rows as a picture
csv_cells.py       CSV without formulas
"""

from unpuzzle.lab.comparing import Comparison as Comparison
from unpuzzle.lab.comparing import Row as Row
from unpuzzle.lab.comparing import compare as compare
