"""Experiments with searches: solve one level by many algorithms, or many tasks by many planners.

comparing.py       compare(): algorithms on the rules and planners on the PDDL, a row each; tables as text and CSV
experimenting.py   experiment(): planners with labels on tasks, each run in a separate process, resumable
subjects.py        the tasks and levels, also folders of PDDL in several layouts
making_runs.py     the work of the process of a run  rehearsing.py     preparation of warm runs
runs.py            the rows, a line of JSON each; checks of a line; your own attributes; which claims are refuted
reading.py         runs in files, also of Downward Lab, both ways
measures.py        the table of measures, and the runs by planner and task
differences.py     two planners on tasks that both solved; changes since an older experiment
reporting.py       report(): all of these, with faults of the runs; `rendering.reports` draws the pictures
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
