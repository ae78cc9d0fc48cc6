"""Reports of experiments: figures computed from runs, without pictures; `rendering.reports` draws the pictures.

reading.py       runs in files, also of Downward Lab, and the logs beside them
measures.py      the table of measures, and the runs by planner and task; names for planners; growth of scores with time
differences.py   two planners on tasks that both solved: ratios, intervals and tests; changes since an older experiment
making.py        report(): all of these, with faults of the runs, as text, too, and as tables for other programs
"""

from unpuzzle.lab.reporting.making import ExperimentReport, report
from unpuzzle.lab.runs import read_runs

__all__ = ["ExperimentReport", "read_runs", "report"]
