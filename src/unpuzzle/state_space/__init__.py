"""State spaces of levels: exploration, dead ends, difficulty and optimal solutions.

exploration.py      explore(): how many positions, dead ends, the hardest start, the number of optimal plans; graphs
surveying.py        survey(): the same for every level of a game, in one table; a level that is too large is searched
dead_ends.py        find_traps(): the first moves that make a level unsolvable; the nearest miss of an unsolvable one
difficulty.py       measures of a level, and requirements on them; lines.py counts its optimal solutions
space.py            the arrays of a space; they are filled in the compiled core or by the rules
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
