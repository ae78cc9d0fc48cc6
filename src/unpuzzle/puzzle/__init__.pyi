from unpuzzle.puzzle.capabilities import *
from unpuzzle.puzzle.heuristic import *
from unpuzzle.puzzle.position import *
from unpuzzle.puzzle.replaying import *
