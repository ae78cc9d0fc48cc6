"""Every state space: everything that can happen in a level.

exploration.py      explore(): how many positions, dead ends, the hardest start, the number of optimal plans
surveying.py        survey(): the same for every level of a game, in one table
search_instead.py   what a search tells of a level that is too large to be explored
space.py            the arrays of a space: filled by the core (by_task.py), or in Python (by_rules.py)
graphs.py           the state space as GraphML and DOT
"""

from unpuzzle.spaces.exploration import Branching, Exploration, Hardest, explore
from unpuzzle.spaces.surveying import SurveyRow, survey

__all__ = ["Branching", "Exploration", "Hardest", "SurveyRow", "explore", "survey"]
