"""The search lab: one level, many ways to solve it.

comparing.py       compare(): algorithms on the rules and planners on the PDDL, a row each
runs.py            the rows of experiments, a line of JSON each
reporting/         report(): the figures of an experiment
tables.py          the rows as text and as CSV           plotting.py   the rows as a picture
"""

from unpuzzle.lab.comparing import Comparison, ComparisonRow, compare

__all__ = ["Comparison", "ComparisonRow", "compare"]
