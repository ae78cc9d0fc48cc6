from unpuzzle.experiments.comparing import *
from unpuzzle.experiments.runs import BetterPlan as BetterPlan
from unpuzzle.experiments.runs import ExperimentRun as ExperimentRun
from unpuzzle.experiments.runs import Runs as Runs
from unpuzzle.experiments.runs import read_runs as read_runs
