from unpuzzle.verification.bisimulation import *
from unpuzzle.verification.domains import *
from unpuzzle.verification.grading import *
from unpuzzle.verification.heuristics import *
from unpuzzle.verification.pointing import *
from unpuzzle.verification.report import *
from unpuzzle.verification.side_by_side import *
