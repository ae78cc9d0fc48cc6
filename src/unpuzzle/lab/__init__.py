"""The search lab: one level, many ways to solve it; many tasks, many planners.

comparing.py       compare(): algorithms on the rules and planners on the PDDL, a row each
experimenting.py   experiment(): planners on tasks, each run in a process of its own, resumable
subjects.py        what they are tried on, also folders of PDDL in several layouts
entrants.py        planners with labels and versions   making_runs.py    one run, and the row that comes of it
runs.py            the rows, a line of JSON each, and what is wrong with a line
reporting/         report(): the figures of an experiment
tables.py          the rows as text and as CSV         plotting.py       the rows as a picture
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
