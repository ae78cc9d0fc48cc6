"""State spaces: all positions and moves that can be reached in a level.

exploration.py      explore(): how many positions, dead ends, the hardest start, the number of optimal plans; graphs
surveying.py        survey(): the same for every level of a game, in one table; a level that is too large is searched
lost_moves.py       find_traps(): the first moves that make a level unsolvable, each with its proof
shortfalls.py       the reachable parts of an unsolvable level's goal, and the nearest miss
things.py           the things in a state and their places
space.py            the arrays of a space: filled by the core (by_task.py), or in Python (by_rules.py)
"""

from unpuzzle.late import homes_of, loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.spaces.exploration import Branching, Exploration, Hardest, explore
    from unpuzzle.spaces.surveying import SurveyRow, survey

_HOMES = homes_of(exploration="Branching Exploration Hardest explore", surveying="SurveyRow survey")

__all__ = ["Branching", "Exploration", "Hardest", "SurveyRow", "explore", "survey"]

__getattr__ = loader(__name__, _HOMES)
