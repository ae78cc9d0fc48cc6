from unpuzzle.checking.bisimulation import *
from unpuzzle.checking.domains import *
from unpuzzle.checking.grading import *
from unpuzzle.checking.heuristics import *
from unpuzzle.checking.pointing import *
from unpuzzle.checking.report import *
from unpuzzle.checking.side_by_side import *
