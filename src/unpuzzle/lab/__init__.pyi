from unpuzzle.lab.comparing import *
from unpuzzle.lab.runs import BetterPlan as BetterPlan
from unpuzzle.lab.runs import ExperimentRun as ExperimentRun
from unpuzzle.lab.runs import Runs as Runs
from unpuzzle.lab.runs import read_runs as read_runs
