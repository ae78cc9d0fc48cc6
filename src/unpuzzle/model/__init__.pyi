from unpuzzle.model.capabilities import *
from unpuzzle.model.heuristic import *
from unpuzzle.model.position import *
from unpuzzle.model.replaying import *
