"""Planning: the definition of planners, finding them by name, running them within limits, and judging their answers.

planner.py          Planner, the base class: its input and its properties
registry.py         planners by name
running.py          run and improving: the entry points
acceptance.py       the checks of an answer before it is returned
translating.py      a position's PDDL task, made within limits
configuration.py    the text after the colon in a planner's name
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.planning.planner import Planner
    from unpuzzle.planning.registry import find, missing
    from unpuzzle.planning.running import improving, run

_HOMES = {"Planner": "planner", "find": "registry", "missing": "registry", "improving": "running", "run": "running"}

__all__ = ["Planner", "find", "improving", "missing", "run"]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
