"""State spaces: all positions and moves that can be reached in a level.

exploration.py      explore(): how many positions, dead ends, the hardest start, the number of optimal plans; graphs
surveying.py        survey(): the same for every level of a game, in one table; a level that is too large is searched
lost_moves.py       find_traps(): the first moves that make a level unsolvable, each with its proof
shortfalls.py       the reachable parts of an unsolvable level's goal, and the nearest miss; things
space.py            the arrays of a space: filled by the core (by_task.py), or in Python (by_rules.py)
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
