"""Reports of experiments: figures computed from runs, without pictures; `rendering.reports` draws the pictures.

reading.py       runs in files, also of Downward Lab, and the logs beside them
measures.py      the table of measures, and the runs by planner and task; names for planners; growth of scores with time
pairs.py         two planners on the tasks that both solved: ratios, intervals and tests
faults.py        invalid plans, answers that contradict each other, errors
changes.py       differences from an older experiment
making.py        report(): all of these, as text, too, and as tables for other programs
"""

from unpuzzle.lab.reporting.making import ExperimentReport, report
from unpuzzle.lab.runs import read_runs

__all__ = ["ExperimentReport", "read_runs", "report"]
