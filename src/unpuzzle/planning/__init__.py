"""Planning: the definition of planners, finding them by name, running them within limits, and judging their answers.

planner.py          Planner, the base class: its input and its properties
registry.py         planners by name
running.py          run and improving: the entry points
acceptance.py       the checks of an answer before it is returned
translating.py      a position's PDDL task, made within limits
configuration.py    the text after the colon in a planner's name
"""

from unpuzzle.late import homes_of, loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.planning.planner import Planner
    from unpuzzle.planning.registry import find, missing
    from unpuzzle.planning.running import improving, run

_HOMES = homes_of(planner="Planner", registry="find missing", running="improving run")

__all__ = ["Planner", "find", "improving", "missing", "run"]

__getattr__ = loader(__name__, _HOMES)
