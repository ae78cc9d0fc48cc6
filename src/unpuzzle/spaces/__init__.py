"""Every state space: everything that can happen in a level.

exploration.py      explore(): how many positions, dead ends, the hardest start, the number of optimal plans; graphs
surveying.py        survey(): the same for every level of a game, in one table; one that is too large is searched
space.py            the arrays of a space: filled by the core (by_task.py), or in Python (by_rules.py)
"""

from unpuzzle.spaces.exploration import Branching, Exploration, Hardest, explore
from unpuzzle.spaces.surveying import SurveyRow, survey

__all__ = ["Branching", "Exploration", "Hardest", "SurveyRow", "explore", "survey"]
