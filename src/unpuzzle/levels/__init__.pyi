from unpuzzle.levels.candidates import *
from unpuzzle.levels.collections import *
from unpuzzle.levels.generating import *
from unpuzzle.levels.judging import *
