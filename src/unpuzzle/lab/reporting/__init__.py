"""Reports of experiments: the figures that runs give, without pictures; `rendering.report` draws them.

reading.py       runs of files, and the logs beside them
properties.py    the same in files of Downward Lab
grid.py          the runs by planner and task, and what is measured of each
labels.py        names for planners; other limits or versions are another planner
scores.py        coverage and the scores of the International Planning Competitions; their growth with time
ratios.py        two planners on the tasks that both solved, and which differences chance explains
faults.py        invalid plans, answers that contradict each other, errors
changes.py       what is otherwise than in an older experiment
making.py        report(): all of that
text.py          the report as text, and its figures as tables for other programs
"""

from unpuzzle.lab.reporting.making import ExperimentReport, report
from unpuzzle.lab.runs import read_runs

__all__ = ["ExperimentReport", "read_runs", "report"]
