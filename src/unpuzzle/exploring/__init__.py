"""Everything that can happen in a level.

exploration.py     explore(): how many positions, dead ends, the hardest start, the number of optimal plans
surveying.py       survey(): the same for every level of a game, in one table
graphs.py          the state space as GraphML and DOT
"""

from unpuzzle.exploring.exploration import Branching as Branching
from unpuzzle.exploring.exploration import Exploration as Exploration
from unpuzzle.exploring.exploration import Hardest as Hardest
from unpuzzle.exploring.exploration import explore as explore
from unpuzzle.exploring.surveying import Row as Row
from unpuzzle.exploring.surveying import survey as survey
