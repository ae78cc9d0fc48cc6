"""Planning: the definition of planners, finding them by name, running them within limits, and judging their answers.

planner.py          Planner, the base class: its input and its properties
registry.py         planners by name
running.py          run and improving: the entry points
acceptance.py       the checks of an answer before it is returned
translating.py      a position's PDDL task, made within limits
configuration.py    the text after the colon in a planner's name
"""

from unpuzzle.table import attribute, offered_names
from unpuzzle.type_hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unpuzzle.planning.planner import *
    from unpuzzle.planning.registry import *
    from unpuzzle.planning.running import *

# ruff: noqa: F403, PLE0604 - each name is written once, in the table
__all__ = [*offered_names(__name__)]


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
