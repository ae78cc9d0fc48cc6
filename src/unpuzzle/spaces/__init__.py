"""State spaces: all positions and moves that can be reached in a level.

exploration.py      explore(): how many positions, dead ends, the hardest start, the number of optimal plans; graphs
surveying.py        survey(): the same for every level of a game, in one table; a level that is too large is searched
lost_moves.py       find_traps(): the first moves that make a level unsolvable, each with its proof
shortfalls.py       the reachable parts of an unsolvable level's goal, and the nearest miss
things.py           the things in a state and their places
space.py            the arrays of a space: filled by the core (by_task.py), or in Python (by_rules.py)
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.spaces.exploration import Branching, Exploration, Hardest, explore
    from unpuzzle.spaces.surveying import SurveyRow, survey

_HOMES = {
    "Branching": "exploration",
    "Exploration": "exploration",
    "Hardest": "exploration",
    "SurveyRow": "surveying",
    "explore": "exploration",
    "survey": "surveying",
}

__all__ = ["Branching", "Exploration", "Hardest", "SurveyRow", "explore", "survey"]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
